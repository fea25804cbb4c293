/* Maps pixels of the program to pixels of a target that is rendered at another size.
 * Tested by tests/unit/api/device/test_render_scale.c. */
#include "draw/translate/translate.h"

#include <math.h>

void translate_scale_init(struct target_scale *out, const struct tex_desc *target)
{
    out->on = target && target->scale[0] > 0.0f;
    for (unsigned a = 0; a < 2; a++) {
        out->by[a] = out->on ? target->scale[a] : 1.0f;
        out->shift[a] = (out->by[a] - 1.0f) * 0.5f;
    }
}

/* Edges between pixels stay edges: neighbouring rectangles neither overlap nor leave a gap. */
static int32_t scale_edge(float by, int32_t edge)
{
    double scaled = floor((double)edge * by + 0.5);

    return scaled > INT32_MAX ? INT32_MAX : scaled < INT32_MIN ? INT32_MIN : (int32_t)scaled;
}

void translate_scale_rect(const struct target_scale *scale, int32_t rect[4])
{
    for (unsigned i = 0; scale->on && i < 4; i++)
        rect[i] = scale_edge(scale->by[i % 2], rect[i]);
}

float translate_scale_size(const struct target_scale *scale, float size)
{
    return size * scale->by[1];
}

void translate_scale_positions(const struct target_scale *scale, float *position, unsigned n,
                               uint32_t stride)
{
    for (unsigned i = 0; i < n; i++, position += stride)
        for (unsigned a = 0; a < 2; a++)
            position[a] = position[a] * scale->by[a] + scale->shift[a];
}

void translate_unscale(const struct target_scale *scale, unsigned axis, const float *from,
                       unsigned n, float *to)
{
    for (unsigned i = 0; i < n; i++)
        to[i] = (from[i] - scale->shift[axis]) / scale->by[axis];
}
