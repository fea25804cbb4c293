/* Vector helpers for quads of different primitives: positions of their pixels and values of their
 * planes, SIMD_QUADS quads per vector. For the rasteriser's kernels only. */
#ifndef RASTER_PRIM_QUAD_LANES_H
#define RASTER_PRIM_QUAD_LANES_H

#include "raster/prim/kern_lanes.h"
#include "raster/prim/plane_lanes.h"
#include "raster/prim/prim.h"
#include "raster/worker/batch.h"

#include "util/simd/quads.h"

#include <stddef.h>

/* The primitives of a vector's quads, and the distances from their anchors. */
struct quad_pixels {
    const char *prim[SIMD_QUADS];
    f32v x, y, dx, dy, face, offset;
    d64v wide_dx, wide_dy;
};

/* Upper left pixels of the quads as floats; undefined past the last. */
struct quad_origins {
    _Alignas(64) float x[QUADS], y[QUADS];
};

static inline void find_quad_origins(struct quad_origins *origins, const struct raster_quads *quads)
{
    for (unsigned i = 0; i < QUADS; i += SIMD_LANES) {
        f32v_store(origins->x + i, i32v_to_f32(i32v_loadu(quads->x + i)));
        f32v_store(origins->y + i, i32v_to_f32(i32v_loadu(quads->y + i)));
    }
}

/* Quads past the last one repeat it. */
SIMD_INLINE void find_quad_pixels(struct quad_pixels *p, const struct quad_origins *origins,
                                  const struct raster_quads *quads, unsigned lane)
{
    static const _Alignas(64) float right[16] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
    static const _Alignas(64) float down[16] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1};
    f32v own[4];

    UNROLL
    for (unsigned i = 0; i < SIMD_QUADS; i++) {
        unsigned q = lane / 4 + i;

        p->prim[i] = (const char *)quads->prim[q < quads->n ? q : quads->n - 1];
    }
    f32v_load_fours(p->prim, offsetof(struct raster_prim, anchor_x), own);
    p->x = f32v_add(f32v_load_spread(origins->x + lane / 4), f32v_load(right + lane % 16));
    p->y = f32v_add(f32v_load_spread(origins->y + lane / 4), f32v_load(down + lane % 16));
    p->dx = f32v_sub(p->x, own[0]);
    p->dy = f32v_sub(p->y, own[1]);
    p->wide_dx = f32v_widen(p->dx);
    p->wide_dy = f32v_widen(p->dy);
    p->face = own[2];
    p->offset = own[3];
}

/* The depth of each quad's primitive. The load of four floats includes the one before the plane. */
SIMD_INLINE f32v quad_depth_at(const struct quad_pixels *p)
{
    f32v own[4];

    f32v_load_fours(p->prim, offsetof(struct raster_prim, z) - sizeof(float), own);
    return depth_at(&(struct interp_lanes){own[1], own[2], own[3]}, p->dx, p->dy);
}

_Static_assert(offsetof(struct raster_prim, face) == offsetof(struct raster_prim, anchor_x) + 8 &&
                   offsetof(struct raster_prim, depth_offset) ==
                       offsetof(struct raster_prim, anchor_x) + 12,
               "a load of four floats takes the anchor, the facing and the depth's offset");

#endif
