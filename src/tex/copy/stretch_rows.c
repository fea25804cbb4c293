/* What the paths of StretchRect share: filter taps, and rows of the destination
 * (reference: copy/stretchrect-filter).
 *
 * Positions are integers. The centre of destination pixel i maps to (2i + 1) * sw / 2dw in the
 * source box; LINEAR rounds it to 1/256 pixel.
 * Tested by tests/unit/tex/copy/test_stretch.c. */
#include "tex/copy/stretch.h"

#include "util/variant.h"

#include <math.h>
#include <string.h>

/* Position in 1/256 pixel from the middle of the first source pixel. */
static int64_t position_of(uint32_t i, uint32_t dst_size, uint32_t src_size)
{
    uint64_t middle = (2 * (uint64_t)i + 1) * src_size;

    return (int64_t)((middle * 256 + dst_size) / (2 * (uint64_t)dst_size)) - 128;
}

/* The pixel below and the weight of the next, within the source. */
static struct stretch_tap tap_at(int64_t position, uint32_t src_size)
{
    uint32_t at = position < 0 ? 0 : (uint32_t)position;
    struct stretch_tap t = {at >> 8, at & 255};

    if (t.first >= src_size - 1)
        t = (struct stretch_tap){src_size - 1, 0};
    return t;
}

struct stretch_tap tex_stretch_tap(uint32_t i, uint32_t dst_size, uint32_t src_size, bool linear)
{
    uint64_t middle = (2 * (uint64_t)i + 1) * src_size;

    if (linear)
        return tap_at(position_of(i, dst_size, src_size), src_size);
    return (struct stretch_tap){(uint32_t)(middle / (2 * (uint64_t)dst_size)), 0};
}

/* --- Variant renderers ------------------------------------------------------------------------ */

/* Positions are off, or the source has pixels that tex_stretch_widen added. */
static struct stretch_tap variant_tap(const struct stretch *s, uint32_t i, uint32_t dst_size,
                                      uint32_t src_size, unsigned axis)
{
    uint32_t inner = src_size - s->before[axis] - s->after[axis];
    double middle = (double)((2 * (uint64_t)i + 1) * inner) / (2.0 * dst_size);
    double limit = (double)src_size - 1;

    if (s->linear)
        return tap_at(position_of(i, dst_size, inner) + 256 * (int64_t)s->before[axis] +
                          variant_current->stretch,
                      src_size);
    middle = floor(middle + variant_current->stretch / 256.0);
    return (struct stretch_tap){(uint32_t)fmin(fmax(middle, 0.0), limit), 0};
}

void tex_stretch_widen(struct stretch *s)
{
    if (s->src_format->block_w > 1)
        return;
    s->before[0] = s->from.x0 > 0;
    s->before[1] = s->from.y0 > 0;
    s->after[0] = s->from.x1 < s->src->width;
    s->after[1] = s->from.y1 < s->src->height;
    s->from.x0 -= s->before[0];
    s->from.y0 -= s->before[1];
    s->from.x1 += s->after[0];
    s->from.y1 += s->after[1];
    s->src_width = s->from.x1 - s->from.x0;
    s->src_height = s->from.y1 - s->from.y0;
}

/* --- Rows and columns ------------------------------------------------------------------------- */

struct stretch_tap tex_stretch_column_tap(const struct stretch *s, uint32_t x)
{
    return variant_current ? variant_tap(s, x, s->width, s->src_width, 0)
                           : tex_stretch_tap(x, s->width, s->src_width, s->linear);
}

struct stretch_tap tex_stretch_row_tap(const struct stretch *s, uint32_t y)
{
    return variant_current ? variant_tap(s, y, s->height, s->src_height, 1)
                           : tex_stretch_tap(y, s->height, s->src_height, s->linear);
}

static size_t row_bytes(const struct stretch *s)
{
    return tex_row_bytes(s->dst_format, s->width);
}

void tex_stretch_repeat_row(const struct stretch *s, uint32_t y)
{
    memcpy(tex_stretch_row(s, y), tex_stretch_row(s, y - 1), row_bytes(s));
}

void tex_stretch_to_samples(const struct stretch *s, uint32_t y)
{
    for (uint32_t k = 1; k < s->copies; k++)
        memcpy(tex_level_at(s->dst, s->dst_format, s->to.x0, s->to.y0 + y, k),
               tex_stretch_row(s, y), row_bytes(s));
}
