/* Screenshot key: writes the next frame as a PNG file. Private to present. */
#ifndef PRESENT_FILE_SCREENSHOT_H
#define PRESENT_FILE_SCREENSHOT_H

#include "present/file/png_file.h"

/* All zero: no key. */
struct screenshot {
    const char *folder;
    int key; /* Windows virtual-key code; 0: none */
    bool down;
    unsigned last; /* number of the last file written */
    struct png_memory memory;
};

/* Parses "F1" to "F24", a letter, a digit, "PrintScreen", "Pause", "Insert", "Home", "End",
 * "PageUp", "PageDown", "ScrollLock"; returns 0 for others. */
int screenshot_key(const char *name);
/* Offers the names of keys to a misspelt one. */
struct suggestion;
void screenshot_offer_keys(struct suggestion *s);
/* Returns whether the key was pressed in the program's window since the last frame. */
bool screenshot_wanted(struct screenshot *screenshot, const struct present_frame *frame);
/* Writes folder/screenshot-0001.png, or the next number without a file. Logs failures. */
void screenshot_take(struct screenshot *screenshot, const struct present_frame *frame);
void screenshot_fini(struct screenshot *screenshot);

#endif
