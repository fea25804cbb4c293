/* Triangle bounds: bounding box, edge functions and, for small triangles, the coverage masks. */
#ifndef RASTER_SETUP_TRI_BOUNDS_H
#define RASTER_SETUP_TRI_BOUNDS_H

#include "raster/setup/setup.h"

/* Corners of a triangle at setup. The first is the anchor of interpolation planes. */
struct raster_tri_vertices {
    const struct raster_screen_vertex *v[3];
    const float *flat;
    int64_t area; /* doubled, in subpixels squared; positive: clockwise */
    float face;
};

static inline int64_t raster_area(const struct raster_screen_vertex *v0,
                                  const struct raster_screen_vertex *v1,
                                  const struct raster_screen_vertex *v2)
{
    return (int64_t)(v1->x - v0->x) * (v2->y - v0->y) - (int64_t)(v2->x - v0->x) * (v1->y - v0->y);
}

static inline bool raster_is_culled(const struct raster_state *state, int64_t area)
{
    return area == 0 || (state->cull == D3DCULL_CW && area > 0) ||
           (state->cull == D3DCULL_CCW && area < 0);
}

/* The bounding box, or with use_mask8x8 the exact coverage in up to 2x2 masks. */
struct raster_tri_bounds {
    int32_t rect[4];
    bool scissored, use_mask8x8;
    int32_t left, top; /* use_mask8x8: even origin of the 2x2 masks */
    unsigned n_parts;  /* masks that are not empty; 0: no pixels */
    struct raster_mask_part {
        int32_t x, y;
        uint64_t mask; /* linear order */
    } part[MAX_MASK_PARTS];
    struct raster_tri_edges edges;
};

/* setup.c: Sets up and bins a triangle that is not culled; flushes when the bins are full. */
MUST_CHECK enum status raster_emit_triangle(struct raster *raster,
                                            const struct raster_tri_vertices *in);

/* tri_bounds.c: Bounds of the pixels whose centres or, if multisampled, samples can lie inside;
 * possibly empty. */
void raster_tri_bbox(int32_t box[4], const struct raster_tri_vertices *in, bool multisampled);
/* Finds the diagonal edge of a triangle that is half an axis-aligned box. */
void raster_find_split_edge(struct raster_split_edge *split, const struct raster_tri_vertices *in);
/* Computes bounds and coverage; the area is not 0. n_parts is 0 if there are no pixels. */
void raster_find_tri_bounds(struct raster_tri_bounds *bounds, const struct raster *raster,
                            const struct raster_pipeline *pipeline,
                            const struct raster_tri_vertices *in);
/* Bytes from one part's primitive to the next. A multiple of 64, because bin commands keep their
 * kind in the low bits of addresses. */
size_t raster_tri_prim_bytes(const struct raster_pipeline *pipeline,
                             const struct raster_tri_bounds *bounds);
/* use_mask8x8: completes the first primitive with its mask and writes copies for the other
 * parts. */
void raster_put_mask_parts(struct raster_prim *first, const struct raster_tri_bounds *bounds);

#endif
