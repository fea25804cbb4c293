/* A key of the program's user writes the next frame as a PNG file. Private to present. */
#ifndef PRESENT_SCREENSHOT_H
#define PRESENT_SCREENSHOT_H

#include "present/png_file.h"

/* Zeroed: no key. */
struct screenshot {
    const char *folder;
    int key; /* a virtual key of Windows; 0: none */
    bool down;
    unsigned last; /* number of the last file */
    struct png_memory memory;
};

/* "F1" to "F24", a letter, a digit, "PrintScreen", "Pause", "Insert", "Home", "End", "PageUp",
 * "PageDown", "ScrollLock"; 0 for others. */
int screenshot_key(const char *name);
/* Whether the key went down, in the program's window, since the last frame. */
bool screenshot_wanted(struct screenshot *screenshot, const struct present_frame *frame);
/* Writes folder/screenshot-0001.png, or the first number above that no file has. Failures are
 * logged. */
void screenshot_take(struct screenshot *screenshot, const struct present_frame *frame);
void screenshot_fini(struct screenshot *screenshot);

#endif
