/* Images: PNG files, comparison, contact sheets, and the perceptual measures of flip.h and ssim.h.
 */
#ifndef TOOL_IMAGE_IMAGE_H
#define TOOL_IMAGE_IMAGE_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 8 bits a channel, R G B A, rows without padding. */
struct tool_image {
    uint32_t width, height;
    uint8_t *rgba;
};

/* png_write.c: channels 3 drops alpha. Text chunks record version, command line and content
 * hash. */
MUST_CHECK enum status tool_png_write(const char *path, const struct tool_image *image,
                                      unsigned channels);
/* png_read.c: The caller frees with tool_image_fini. */
MUST_CHECK enum status tool_png_read(const char *path, struct tool_image *out);
MUST_CHECK enum status tool_image_create(struct tool_image *out, uint32_t width, uint32_t height);
void tool_image_fini(struct tool_image *image);
/* Decodes a PNG in memory with stb_image; png.h has a faster path. */
MUST_CHECK enum status tool_image_decode(const uint8_t *bytes, size_t n, struct tool_image *out);
/* Hash of size and pixels. Without alpha the pixels count as opaque. `novem replay --hash` prints
 * it and PNGs store it as Novem-Hash. */
uint64_t tool_image_hash(const struct tool_image *image, bool with_alpha);

/* By how much a pixel may leave its bounds in an uncertainty mask (docs/uncertainty.md): 1, and
 * half of the largest range of its colour channels, rounded up, because deviations may add up, in
 * any channel.
 */
unsigned tool_pixel_slack(const uint8_t low[4], const uint8_t high[4]);

/* Difference of two images of one size in R, G and B. */
struct tool_difference {
    unsigned max;           /* largest channel difference */
    double mean;            /* over all channels of all pixels */
    double squares;         /* mean squared difference */
    uint64_t pixels, above; /* above: pixels with a channel difference above the threshold */
};
/* heat: NULL, or receives a picture of the differences. ST_INVALID: the sizes differ. */
MUST_CHECK enum status tool_image_compare(const struct tool_image *a, const struct tool_image *b,
                                          unsigned threshold, struct tool_difference *out,
                                          struct tool_image *heat);

/* --- Contact sheets: numbered pairs of thumbnails, ours left, the reference right ------------- */

struct tool_sheet {
    struct tool_image image;
    unsigned cells, used;
};

MUST_CHECK enum status tool_sheet_create(struct tool_sheet *out, unsigned cells);
/* Fills the next cell; either image may be NULL. Cells past the last are ignored. */
void tool_sheet_add(struct tool_sheet *sheet, unsigned number, const struct tool_image *ours,
                    const struct tool_image *reference);

int tool_diff(int argc, char **argv); /* `novem diff` */

#endif
