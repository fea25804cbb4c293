/* Screenshots: detects the key, and writes the frame to the first unused file name. */
#include "present/file/screenshot.h"

#include "util/alloc.h"
#include "util/log.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef _WIN32
#include <windows.h>
#endif
#ifndef O_BINARY
#define O_BINARY 0
#endif

enum { LAST_NUMBER = 9999, PATH_BYTES = 1024 };

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

/* Creates the first file that does not exist yet. */
static FILE *open_new(struct screenshot *screenshot, char *path, size_t size)
{
    int file = -1;

    errno = EEXIST;
    for (unsigned n = screenshot->last + 1; file < 0 && errno == EEXIST && n <= LAST_NUMBER; n++) {
        snprintf(path, size, "%s/screenshot-%04u.png", screenshot->folder, n);
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_BINARY, S_IRUSR | S_IWUSR);
        screenshot->last = n;
    }
    return file < 0 ? NULL : fdopen(file, "wb");
}

void screenshot_take(struct screenshot *screenshot, const struct present_frame *frame)
{
    char path[PATH_BYTES];
    FILE *file = open_new(screenshot, path, sizeof(path));
    enum status st;

    if (!file) {
        log_error("present", "%s: a screenshot cannot be written", path);
        screenshot->last--; /* the folder may be created later */
        return;
    }
    st = png_write(&screenshot->memory, file, path, frame);
    if (st == ST_OK)
        log_info("present", "screenshot: %s", path);
    else
        log_error("present", "%s: no screenshot: %s", path, status_text(st));
}

void screenshot_fini(struct screenshot *screenshot)
{
    mem_free(screenshot->memory.rgb);
}
