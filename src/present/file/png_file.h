/* Writes frames as PNG files. Private to present. */
#ifndef PRESENT_FILE_PNG_FILE_H
#define PRESENT_FILE_PNG_FILE_H

#include "present/present.h"

/* Buffer for a frame as rows of R, G, B. All zero: empty. */
struct png_memory {
    uint8_t *rgb;
    size_t size;
};

/* Writes the frame to a newly opened file, and closes it. path: for messages. */
MUST_CHECK enum status png_write(struct png_memory *memory, int file, const char *path,
                                 const struct present_frame *frame);

#endif
