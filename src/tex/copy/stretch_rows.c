/* What the paths of StretchRect share: filter taps, and rows of the destination
 * (reference: copy/stretchrect-filter).
 *
 * Positions are integers. The centre of destination pixel i maps to (2i + 1) * sw / 2dw in the
 * source box; LINEAR rounds it to 1/256 pixel.
 * Tested by tests/unit/tex/copy/test_stretch.c. */
#include "tex/copy/stretch.h"

#include <string.h>

struct stretch_tap tex_stretch_tap(uint32_t i, uint32_t dst_size, uint32_t src_size, bool linear)
{
    uint64_t middle = (2 * (uint64_t)i + 1) * src_size;
    struct stretch_tap t = {0, 0};
    int64_t position;

    if (!linear) {
        t.first = (uint32_t)(middle / (2 * (uint64_t)dst_size));
        return t;
    }
    position = (int64_t)((middle * 256 + dst_size) / (2 * (uint64_t)dst_size)) - 128;
    if (position < 0)
        position = 0;
    t.first = (uint32_t)(position >> 8);
    t.weight = (uint32_t)position & 255;
    if (t.first >= src_size - 1)
        t = (struct stretch_tap){src_size - 1, 0};
    return t;
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
