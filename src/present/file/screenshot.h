/* Screenshots: write a frame as a PNG file. Private to present. */
#ifndef PRESENT_FILE_SCREENSHOT_H
#define PRESENT_FILE_SCREENSHOT_H

#include "present/file/key.h"
#include "present/file/png_file.h"

/* All zero: no key. */
struct screenshot {
    const char *folder;
    struct key_watch key;
    unsigned last; /* number of the last file written */
    struct png_memory memory;
};

/* Writes folder/screenshot-0001.png, or the next number without a file. Logs failures. */
void screenshot_take(struct screenshot *screenshot, const struct present_frame *frame);
void screenshot_fini(struct screenshot *screenshot);

#endif
