/* A triangle's corners, and which pixels it may have: what set-up begins with. */
#ifndef RASTER_TRI_BOUNDS_H
#define RASTER_TRI_BOUNDS_H

#include "raster/raster_private.h"

/* Three corners as setup wants them: the first is the anchor of planes and gives flat attributes.
 */
struct raster_tri_vertices {
    const struct raster_screen_vertex *v[3];
    const float *flat;
    int64_t area; /* twice, in subpixels squared; above 0: clockwise */
    float face;
};

static inline int64_t raster_area(const struct raster_screen_vertex *v0,
                                  const struct raster_screen_vertex *v1,
                                  const struct raster_screen_vertex *v2)
{
    return (int64_t)(v1->x - v0->x) * (v2->y - v0->y) - (int64_t)(v2->x - v0->x) * (v1->y - v0->y);
}

/* Some pixels of a rectangle, or few that are known. */
struct raster_tri_bounds {
    int32_t rect[4];
    bool scissored, use_mask8x8;
    int32_t left, top; /* small: of 2x2 parts of 8x8 pixels, even */
    unsigned n_parts;  /* that have some */
    struct raster_mask_part {
        int32_t x, y;
        uint64_t mask; /* row after row */
    } part[MAX_MASK_PARTS];
    struct raster_tri_edges edges;
};

/* Pixels whose centres, or samples, can lie inside; there may be none. */
void raster_tri_bbox(int32_t box[4], const struct raster_tri_vertices *in, bool multisampled);
/* The edge of half a box that is neither upright nor level. */
void raster_find_split_edge(struct raster_split_edge *split, const struct raster_tri_vertices *in);
/* Of an area that is not 0; no parts: there are no pixels. */
void raster_find_tri_bounds(struct raster_tri_bounds *bounds, const struct raster *raster,
                            const struct raster_pipeline *pipeline,
                            const struct raster_tri_vertices *in);
/* Bytes from one part's primitive to the next; commands keep their kind in the lowest bits of
 * addresses. */
size_t raster_tri_prim_bytes(const struct raster_pipeline *pipeline,
                             const struct raster_tri_bounds *bounds);
/* Small: primitives of all parts from the first, which lacks its pixels alone. */
void raster_put_mask_parts(struct raster_prim *first, const struct raster_tri_bounds *bounds);

#endif
