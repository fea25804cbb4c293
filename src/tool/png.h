/* PNG files: a fast way for 8-bit RGB and RGBA without interlacing, which is what Direct3D tools
 * write, and stb_image for all others. */
#ifndef TOOL_PNG_H
#define TOOL_PNG_H

#include "tool/tool.h"

/* A file in memory whose structure is sound: signature, chunks in bounds, CRCs, end. */
struct png_file {
    uint8_t *bytes;
    size_t n;
    uint32_t width, height;
};

/* ST_IO: no such file; ST_DAMAGED with *why (static text) otherwise. */
MUST_CHECK enum status png_load(const char *path, struct png_file *out, const char **why);
/* The same of bytes, which become the file's. They are freed where it fails. */
MUST_CHECK enum status png_take(uint8_t *bytes, size_t n, struct png_file *out, const char **why);
void png_unload(struct png_file *file); /* zeroed ones are allowed */

/* Whether all chunks that make pixels are equal, so that the pixels need no look: what a file says
 * about its origin may differ. */
bool png_same(const struct png_file *a, const struct png_file *b);

/* The caller frees with tool_image_fini. */
MUST_CHECK enum status png_decode(const struct png_file *file, struct tool_image *out,
                                  const char **why);

/* A file in memory; the caller frees. channels: 3 drops alpha. */
MUST_CHECK enum status png_encode(const struct tool_image *image, unsigned channels, uint8_t **out,
                                  size_t *n);

/* Text chunks of all files written from now on: version, numerics version, command line. */
void png_set_command(int argc, char **argv);

#endif
