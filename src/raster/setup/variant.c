/* Variant renderer: perturbs projected vertices and planes, as util/variant.h describes. Slow; only
 * called while a variant is active.
 *
 * Tested by tests/unit/raster/setup/test_variant.c and tests/golden/variants.sh. */
#include "raster/setup/setup.h"

#include "util/variant.h"

#include <math.h>

/* --- Vertices --------------------------------------------------------------------------------- */

/* Corners at one position move together, so that no seams open. */
void raster_perturb_vertices(struct raster_screen_vertex *vertex, uint32_t n)
{
    const struct variant *v = variant_current;

    if (!v->snap[0] && !v->snap[1] && !v->jitter)
        return;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t position[3] = {(uint32_t)vertex[i].x, (uint32_t)vertex[i].y, 0};

        vertex[i].x += v->snap[0];
        vertex[i].y += v->snap[1];
        if (!v->jitter)
            continue;
        vertex[i].x += (int32_t)lrintf(variant_random(v, position, 3) * (float)v->jitter);
        position[2] = 1;
        vertex[i].y += (int32_t)lrintf(variant_random(v, position, 3) * (float)v->jitter);
    }
}

/* --- Planes ----------------------------------------------------------------------------------- */

/* One step of the depth format near 1. */
static float depth_step(const struct raster_pipeline *pipeline)
{
    return ldexpf(1.0f,
                  -(pipeline->ds[0].bits && pipeline->ds[0].bits < 24 ? pipeline->ds[0].bits : 24));
}

/* Equal triangles move alike, as multipass rendering requires. Constant depth is not interpolated
 * and stays. */
static void perturb_depth(struct raster_prim *prim, const struct raster_screen_vertex *const v[3])
{
    float by = (float)variant_current->depth * depth_step(prim->pipeline);
    uint32_t words[9];

    if (raster_has_const_depth(prim))
        return;
    for (unsigned i = 0; i < 3; i++) {
        words[3 * i] = (uint32_t)v[i]->x;
        words[3 * i + 1] = (uint32_t)v[i]->y;
        words[3 * i + 2] = variant_float_bits(v[i]->z);
    }
    prim->z.a0 += by * variant_random(variant_current, words, 9);
}

static float largest(const struct raster_screen_vertex *const v[3], unsigned n, bool over_w)
{
    float most = 0.0f;

    for (unsigned i = 0; i < 3; i++) {
        float value = fabsf(v[i]->v[RASTER_V_ATTR + n]);

        value = over_w ? value * v[i]->rhw : value;
        most = value > most ? value : most;
    }
    return most;
}

/* All triangles move an attribute to the same side. */
static void perturb_attributes(struct raster_prim *prim,
                               const struct raster_screen_vertex *const v[3])
{
    const struct raster_state *state = &prim->pipeline->s;

    for (uint32_t n = 0; n < state->n_attrs; n++) {
        bool over_w = !prim->affine && state->attr[n].interp == RASTER_PERSPECTIVE;
        float sign = variant_random(variant_current, &n, 1) < 0.0f ? -1.0f : 1.0f;

        if (!(prim->const_attribs >> n & 1))
            prim->attr[n].a0 += sign * largest(v, n, over_w) * variant_current->attribute;
    }
}

void raster_perturb_planes(struct raster_prim *prim, const struct raster_screen_vertex *const v[3])
{
    if (variant_current->depth)
        perturb_depth(prim, v);
    if (variant_current->attribute != 0.0f)
        perturb_attributes(prim, v);
}
