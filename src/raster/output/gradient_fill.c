/* Gradient fills: recognises primitives whose colour is an affine attribute times a constant, and
 * draws them without the shader. */
#include "raster/output/gradient_fill.h"

#include "raster/output/block_output.h"
#include "raster/output/half_kern.h"
#include "raster/prim/prim.h"

#include <math.h>

/* Whether the value, and the product of two such values, are far from infinity. The shader has
 * special rules for NaN, so none may arise. */
static bool is_bounded(double value)
{
    return fabs(value) < 0x1p60;
}

/* Takes channel c from attribute `attr`; false: it has perspective or unbounded values. */
static bool find_channel(const struct raster_prim *prim, unsigned attr, unsigned c,
                         struct gradient_fill *gradient)
{
    const struct raster_attr_plane *plane = &prim->attr[attr];
    const double reach = 2 * MAX_DIM + GUARD_BAND_PX;

    gradient->plane[c] = *plane;
    if (prim->const_attribs >> attr & 1) {
        gradient->const_channels |= 1u << c;
        return is_bounded(plane->value);
    }
    if (!prim->affine && prim->pipeline->s.attr[attr].interp == RASTER_PERSPECTIVE)
        return false;
    return is_bounded(fabs(plane->a0) + reach * fabs(plane->dadx) + reach * fabs(plane->dady));
}

bool raster_gradient_fill_find(const struct raster_prim *prim, struct gradient_fill *gradient)
{
    const struct raster_state *state = &prim->pipeline->s;

    *gradient = (struct gradient_fill){
        .anchor_x = prim->anchor_x,
        .anchor_y = prim->anchor_y,
        .saturated = state->gradient.saturated,
    };
    for (unsigned c = 0; c < 4; c++) {
        int attr = state->gradient.attr[c];

        gradient->factor[c] = state->values.gradient_factor[c];
        if (!is_bounded(gradient->factor[c]))
            return false;
        if (attr < 0) {
            gradient->plane[c] = raster_const_plane(1.0f);
            gradient->const_channels |= 1u << c;
        } else if (!find_channel(prim, (unsigned)attr, c, gradient)) {
            return false;
        }
    }
    return true;
}

void raster_gradient_fill_put(const struct raster_worker *worker,
                              const struct gradient_fill *gradient, int32_t x, int32_t y,
                              unsigned dim)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    const struct raster_output *output = &pipeline->output[0];
    struct gradient_area area = {
        .x = (float)x,
        .y = (float)y,
        .rows = raster_block_rows(output, x, y),
        .pitch = output->surface->row_pitch,
        .width = dim,
        .height = dim,
    };

    for (unsigned s = 0; s < worker->raster->targets.samples; s++) {
        worker->raster->half_kern->gradient(output->write.blend, gradient, &area);
        area.rows += output->surface->sample_pitch;
    }
}
