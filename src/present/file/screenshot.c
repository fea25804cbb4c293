/* Screenshots: write the frame to the first unused file name. */
#include "present/file/screenshot.h"

#include "util/alloc.h"
#include "util/folder.h"
#include "util/log.h"
#include "util/output_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { LAST_NUMBER = 9999 };

/* Creates the first file that does not exist yet; returns -1 with errno. */
static int open_new(struct screenshot *screenshot, char path[OUTPUT_PATH_BYTES])
{
    int file = -1;

    errno = EEXIST;
    for (unsigned n = screenshot->last + 1; file < 0 && errno == EEXIST && n <= LAST_NUMBER; n++) {
        if (snprintf(path, OUTPUT_PATH_BYTES, "%s/screenshot-%04u.png", screenshot->folder, n) >=
            OUTPUT_PATH_BYTES) {
            errno = ENAMETOOLONG;
            break;
        }
        file = output_file_create(path);
        if (file >= 0 || errno == EEXIST)
            screenshot->last = n; /* else the folder may be created later */
    }
    return file;
}

/* The first picture is said at the level of warnings, which the log shows by default: the user
 * looks for the file. */
static void say(const char *path)
{
    if (!log_once("present", "screenshot", "screenshot saved: %s", path))
        log_info("present", "screenshot saved: %s", path);
}

bool screenshot_take(struct screenshot *screenshot, const struct present_frame *frame,
                     char path[OUTPUT_PATH_BYTES])
{
    int file = open_new(screenshot, path);

    if (file < 0 && errno == ENOENT && folder_make(screenshot->folder))
        file = open_new(screenshot, path);
    if (file < 0) {
        log_error("present", "%s: a screenshot cannot be written: %s", path, strerror(errno));
        return false;
    }
    if (png_write(&screenshot->memory, file, path, frame) != ST_OK)
        return false;
    say(path);
    return true;
}

void screenshot_fini(struct screenshot *screenshot)
{
    mem_free(screenshot->memory.rgb);
}
