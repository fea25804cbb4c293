/* Triangle setup kernels, one triangle per lane: culling, coverage of small triangles and
 * interpolation planes. One table per instruction set; all give the same bits. */
#ifndef RASTER_SETUP_SETUP_KERN_H
#define RASTER_SETUP_SETUP_KERN_H

#include "raster/prim/plane.h"
#include "raster/raster.h"
#include "util/cpu.h"

struct raster_pipeline;
struct raster_screen_vertex;

enum { SMALL_TRI_GROUP = 16, NO_TILE = -1 };

/* A group of triangles and their classification. Small triangles fit 16x16 pixels that begin at an
 * even pixel. */
struct raster_small_tri_group {
    const uint32_t *indices; /* three per triangle */
    const struct raster_screen_vertex *screen;
    uint32_t n_vertices;
    bool inside; /* no vertex fails a clip plane; `outside` is not read */
    int32_t rect[4];
    bool clockwise, counter_clockwise; /* which facings are drawn */
    unsigned tile_shift;
    uint32_t tiles_x;

    /* Results, one bit per triangle. fits_8x8: small, inside rect and all clip planes, with pixels,
     * all within 8x8; multi_tile: of these, those in several tiles. needs_16x16: small but larger
     * than 8x8, maybe without pixels. fallback: to be set up one by one. */
    uint32_t fits_8x8, multi_tile, needs_16x16, fallback;
    /* For fits_8x8 and needs_16x16: projected corners, the even pixel at which coverage begins, and
     * the tile or NO_TILE. For fits_8x8: the coverage mask, a byte per row. */
    _Alignas(64) int32_t x[3][SMALL_TRI_GROUP], y[3][SMALL_TRI_GROUP];
    float z[3][SMALL_TRI_GROUP], rhw[3][SMALL_TRI_GROUP];
    uint32_t index[3][SMALL_TRI_GROUP];
    int32_t area[SMALL_TRI_GROUP], left[SMALL_TRI_GROUP], top[SMALL_TRI_GROUP],
        tile[SMALL_TRI_GROUP];
    uint32_t mask[2][SMALL_TRI_GROUP];
    uint32_t n_parts[SMALL_TRI_GROUP]; /* fits_8x8: 1; else 0 */
};

/* Vertex data, and the memory for primitives: n_parts adjacent ones per triangle. The kernel writes
 * only the first of each triangle, and may write one more past the last. */
struct raster_small_tri_buffers {
    const struct raster_pipeline *pipeline;
    const float *vertices; /* as raster_vertices; attributes are padded to multiples of four */
    uint32_t stride_bytes;
    char *prims;
    uint32_t prim_bytes; /* from one primitive to the next */
};

/* Attribute planes of a group: one array each for `value` and `tiny`, and for the low and the high
 * words of a0, dadx and dady. */
struct raster_attr_plane_soa {
    _Alignas(64) float value[SMALL_TRI_GROUP];
    float tiny[SMALL_TRI_GROUP];
    float low[3][SMALL_TRI_GROUP], high[3][SMALL_TRI_GROUP];
};

/* The planes of a group as a structure of arrays: for depth one array each for a0, dadx and dady.
 * Triangles that are not drawn have undefined values. */
enum { PLANE_SOA_ATTRS = 32 };
struct raster_interp_plane_soa {
    _Alignas(64) float anchor_x[SMALL_TRI_GROUP], anchor_y[SMALL_TRI_GROUP],
        depth_offset[SMALL_TRI_GROUP];
    float z[3][SMALL_TRI_GROUP];
    struct raster_attr_plane_soa rhw;       /* the constant 1 where a triangle is affine */
    int32_t const_attribs[SMALL_TRI_GROUP]; /* one bit per attribute */
    struct raster_attr_plane_soa attr[PLANE_SOA_ATTRS];
    bool divides,
        noncanonical_const; /* any triangle has perspective; has a noncanonical constant */
    uint32_t varies;        /* attributes that are not constant in all triangles */
};

struct raster_setup_kern {
    void (*find_coverage)(struct raster_small_tri_group *group);
    void (*planes)(const struct raster_small_tri_group *group,
                   const struct raster_small_tri_buffers *buffers);
    /* For at most PLANE_SOA_ATTRS attributes; ignores buffers->prims. */
    void (*planes_soa)(const struct raster_small_tri_group *group,
                       const struct raster_small_tri_buffers *buffers,
                       struct raster_interp_plane_soa *soa);
};

KERN_DECLARE(struct raster_setup_kern, raster_setup_kern);

#endif
