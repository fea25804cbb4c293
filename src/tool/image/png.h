/* PNG reader and writer: a fast path for non-interlaced 8-bit RGB and RGBA files, and stb_image for
 * all others. */
#ifndef TOOL_IMAGE_PNG_H
#define TOOL_IMAGE_PNG_H

#include "tool/image/image.h"

/* A structurally valid file in memory: signature, chunk bounds, CRCs and end are checked. */
struct png_file {
    uint8_t *bytes;
    size_t n;
    uint32_t width, height;
};

/* ST_IO: cannot be read; ST_DAMAGED: invalid, *why is a static text. */
MUST_CHECK enum status png_load(const char *path, struct png_file *out, const char **why);
/* Same for bytes in memory. Takes ownership of the bytes, also on failure. */
MUST_CHECK enum status png_take(uint8_t *bytes, size_t n, struct png_file *out, const char **why);
void png_unload(struct png_file *file); /* a zeroed file is allowed */

/* Whether all chunks that define pixels are equal, so that decoding is unnecessary. Text chunks may
 * differ. */
bool png_same(const struct png_file *a, const struct png_file *b);

/* The caller frees with tool_image_fini. */
MUST_CHECK enum status png_decode(const struct png_file *file, struct tool_image *out,
                                  const char **why);

/* Sets the text chunks of all files written from now on: version, numerics version, command
 * line. */
void png_set_command(int argc, char **argv);

#endif
