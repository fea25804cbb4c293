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

static void scale_on_screen(const struct target_scale *scale, const float border[2],
                            float *position)
{
    for (unsigned a = 0; a < 2; a++) {
        bool widens = scale->by[a] > 1.0f && position[a] == border[a];

        position[a] = (position[a] - (widens ? 0.5f : 0.0f)) * scale->by[a] + scale->shift[a];
    }
}

/* Clip space: x = -w is the left border, y = w the top one; a pixel is 2 w / size wide. */
static void widen_in_clip_space(const struct target_scale *scale, const float size[2],
                                float *position)
{
    float w = position[3];

    if (scale->by[0] > 1.0f && position[0] == -w)
        position[0] -= w / size[0];
    if (scale->by[1] > 1.0f && position[1] == w)
        position[1] += w / size[1];
}

void translate_scale_positions(const struct target_scale *scale, const D3DVIEWPORT9 *viewport,
                               bool on_screen, float *position, unsigned n, uint32_t stride)
{
    const float border[2] = {(float)viewport->X, (float)viewport->Y};
    const float size[2] = {(float)viewport->Width, (float)viewport->Height};

    for (unsigned i = 0; i < n; i++, position += stride) {
        if (on_screen)
            scale_on_screen(scale, border, position);
        else
            widen_in_clip_space(scale, size, position);
    }
}

void translate_unscale(const struct target_scale *scale, unsigned axis, const float *from,
                       unsigned n, float *to)
{
    for (unsigned i = 0; i < n; i++)
        to[i] = (from[i] - scale->shift[axis]) / scale->by[axis];
}
