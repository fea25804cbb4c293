/* PNG files of a picture that changes in parts: keeps each band of rows compressed, so that a file
 * costs what has changed since the last one. */
#ifndef TOOL_IMAGE_PNG_BANDS_H
#define TOOL_IMAGE_PNG_BANDS_H

#include "tool/image/image.h"

struct png_bands;

/* Of pictures of a size. NULL: out of memory. */
struct png_bands *png_bands_create(uint32_t width, uint32_t height);
void png_bands_destroy(struct png_bands *bands); /* NULL is allowed */
/* A row has changed since the last file. */
void png_bands_touch(struct png_bands *bands, uint32_t row);
/* Bytes that it takes. */
size_t png_bands_bytes(const struct png_bands *bands);

/* Writes the picture with alpha. hash: that of tool_image_hash with alpha. Rows that were not
 * touched are equal to those of the last file. Decoded pixels are those of tool_png_write; the
 * compressed bytes are others. */
MUST_CHECK enum status png_bands_write(struct png_bands *bands, const char *path,
                                       const struct tool_image *image, uint64_t hash);

#endif
