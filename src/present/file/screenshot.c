/* Screenshots: detects the key, and writes the frame to the first unused file name. */
#include "present/file/screenshot.h"

#include "util/alloc.h"
#include "util/log.h"
#include "util/output_file.h"
#include "util/suggestion.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifdef _WIN32
#include <windows.h>
#endif

enum { LAST_NUMBER = 9999 };

/* --- The key ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int key;
} keys[] = {{"PrintScreen", 0x2c}, {"Pause", 0x13},  {"Insert", 0x2d},   {"Home", 0x24},
            {"End", 0x23},         {"PageUp", 0x21}, {"PageDown", 0x22}, {"ScrollLock", 0x91}};

int screenshot_key(const char *name)
{
    enum { F1 = 0x70 };
    char *end;
    long n;

    for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (!strcasecmp(name, keys[i].name))
            return keys[i].key;
    if (isalnum((unsigned char)name[0]) && !name[1])
        return toupper((unsigned char)name[0]); /* letters and digits are their own key codes */
    if ((name[0] != 'F' && name[0] != 'f') || !isdigit((unsigned char)name[1]))
        return 0;
    n = strtol(name + 1, &end, 10);
    return !*end && n >= 1 && n <= 24 ? F1 + (int)n - 1 : 0;
}

void screenshot_offer_keys(struct suggestion *s)
{
    for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        suggestion_offer(s, keys[i].name);
}

#ifdef _WIN32

static bool is_down(int key, uint64_t window)
{
    HWND root = GetAncestor((HWND)(uintptr_t)window, GA_ROOT);

    return root && root == GetForegroundWindow() && (GetAsyncKeyState(key) & 0x8000);
}

#else

static bool is_down(int key, uint64_t window)
{
    (void)key;
    (void)window;
    return false;
}

#endif

bool screenshot_wanted(struct screenshot *screenshot, const struct present_frame *frame)
{
    bool was = screenshot->down;

    if (!screenshot->key || !frame->window)
        return false;
    screenshot->down = is_down(screenshot->key, frame->window);
    return screenshot->down && !was;
}

/* --- The file --------------------------------------------------------------------------------- */

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

void screenshot_take(struct screenshot *screenshot, const struct present_frame *frame)
{
    char path[OUTPUT_PATH_BYTES];
    int file = open_new(screenshot, path);

    if (file < 0) {
        log_error("present", "%s: a screenshot cannot be written: %s", path, strerror(errno));
        return;
    }
    if (png_write(&screenshot->memory, file, path, frame) == ST_OK)
        log_info("present", "screenshot: %s", path);
}

void screenshot_fini(struct screenshot *screenshot)
{
    mem_free(screenshot->memory.rgb);
}
