/* Attribute gradients: screen-space derivatives of affinely interpolated attributes, with an error
 * bound.
 * Tested by tests/unit/raster/shade/test_block.c. */
#include "raster/prim/prim.h"

#include <math.h>

/* A value is a + (b dx + c dy), off by less than 2^-24 of the sum of the terms' magnitudes. A
 * difference involves two values. */
bool raster_find_attrib_gradient(const struct raster_shade_batch *batch, unsigned attr,
                                 struct raster_attrib_gradient *out)
{
    const struct raster_prim *prim = batch->prim;
    const struct raster_attr_plane *plane;
    double size;

    if (!prim || (!prim->affine && prim->pipeline->s.attr[attr].interp == RASTER_PERSPECTIVE) ||
        (prim->pipeline->centroid && prim->pipeline->s.attr[attr].centroid))
        return false;
    plane = &prim->attr[attr];
    *out = (struct raster_attrib_gradient){.step = {plane->dadx, plane->dady}};
    if (prim->const_attribs >> attr & 1) {
        out->step[0] = out->step[1] = 0.0;
        return true;
    }
    size = fabs(plane->a0);
    for (unsigned axis = 0; axis < 2; axis++) {
        double anchor = axis ? prim->anchor_y : prim->anchor_x;
        double first = prim->rect[axis] - BLOCK_DIM, last = prim->rect[2 + axis] + BLOCK_DIM;

        size += fabs(out->step[axis]) * fmax(fabs(first - anchor), fabs(last - anchor));
    }
    out->error_bound = 8.0 * 0x1p-24 * size;
    return true;
}
