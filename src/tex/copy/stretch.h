/* One StretchRect, and what its paths share. stretch.c chooses the path: stretch_argb.c for sources
 * that A8R8G8B8 represents exactly, stretch_float.c for all others. */
#ifndef TEX_COPY_STRETCH_H
#define TEX_COPY_STRETCH_H

#include "tex/copy/stretch_kern.h"
#include "tex/tex.h"

struct stretch {
    const struct tex_format *dst_format, *src_format;
    const struct tex_level *dst, *src;
    struct tex_box to, from;
    uint32_t width, height, src_width, src_height; /* of the boxes */
    uint32_t copies;                               /* number of samples of the destination */
    bool linear, src_padded;                       /* memory past the source's end is readable */
    uint32_t before[2], after[2];                  /* pixels that tex_stretch_widen added */
    struct stretch_columns column;                 /* one entry per destination column */
};

/* Linear filter taps along an axis: `first` and the next pixel, whose weight is `weight` / 256. The
 * weight is 0 if there is no next pixel. */
struct stretch_tap {
    uint32_t first, weight;
};
/* Computes the tap of destination pixel i along an axis. */
struct stretch_tap tex_stretch_tap(uint32_t i, uint32_t dst_size, uint32_t src_size, bool linear);
/* Compute the tap of a destination column or row. */
struct stretch_tap tex_stretch_column_tap(const struct stretch *s, uint32_t x);
struct stretch_tap tex_stretch_row_tap(const struct stretch *s, uint32_t y);
/* For variant renderers that blend with pixels beyond the source box: adds them to the box. */
void tex_stretch_widen(struct stretch *s);

/* Rows of the first sample of the destination. y is relative to the box. */
static inline uint8_t *tex_stretch_row(const struct stretch *s, uint32_t y)
{
    return tex_level_at(s->dst, s->dst_format, s->to.x0, s->to.y0 + y, 0);
}
/* Copies row y - 1 to row y. */
void tex_stretch_repeat_row(const struct stretch *s, uint32_t y);
/* Copies a row to all other samples. */
void tex_stretch_to_samples(const struct stretch *s, uint32_t y);

/* True if the source's rows decode to A8R8G8B8 and the destination is an 8-bit RGB or YUV
 * format. */
bool tex_stretch_can_use_argb(const struct tex_format *dst, const struct tex_format *src);
MUST_CHECK enum status tex_stretch_argb(const struct stretch *s);
/* For all readable and packable formats. */
MUST_CHECK enum status tex_stretch_floats(const struct stretch *s);

#endif
