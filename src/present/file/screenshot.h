/* Screenshots: write a frame as a PNG file. Private to present. */
#ifndef PRESENT_FILE_SCREENSHOT_H
#define PRESENT_FILE_SCREENSHOT_H

#include "present/file/key.h"
#include "present/file/png_file.h"
#include "util/output_file.h"

/* All zero: no key. */
struct screenshot {
    const char *folder;
    struct key_watch key;
    unsigned last; /* number of the last file written */
    struct png_memory memory;
};

/* Writes folder/screenshot-0001.png, or the next number without a file; makes the folder if it is
 * missing. Returns whether path, which receives the name, is written; logs both. */
bool screenshot_take(struct screenshot *screenshot, const struct present_frame *frame,
                     char path[OUTPUT_PATH_BYTES]);
void screenshot_fini(struct screenshot *screenshot);

#endif
