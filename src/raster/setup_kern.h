/* The set-up of many triangles at once. Every table gives the same bits. */
#ifndef RASTER_SETUP_KERN_H
#define RASTER_SETUP_KERN_H

#include "raster/raster_kern.h"

struct raster_pipeline;
struct raster_screen_vertex;

enum { SMALL_TRI_GROUP = 16, NO_TILE = -1 };

/* Triangles at most 16 pixels wide and high, counted from an even pixel: which of them draw what.
 */
struct raster_small_tri_group {
    const uint32_t *indices; /* three a triangle */
    const struct raster_screen_vertex *screen;
    uint32_t n_vertices;
    bool inside; /* all vertices are within all planes, nobody needs to look */
    int32_t rect[4];
    bool clockwise, counter; /* facings that are drawn */
    unsigned tile_shift;
    uint32_t tiles_x;

    /* Results, a bit a triangle: those within rect and all planes that draw something, of at most
     * 8x8 pixels, and which of them lie in several tiles; those of more, which may draw something;
     * those to be looked at one by one. */
    uint32_t fits_8x8, multi_tile, needs_16x16, fallback;
    /* Of the former two: corners as the screen has them, the even pixel from which on pixels lie,
     * and the only tile, or NO_TILE; of those that draw, the pixels, a byte a row. */
    _Alignas(64) int32_t x[3][SMALL_TRI_GROUP], y[3][SMALL_TRI_GROUP];
    float z[3][SMALL_TRI_GROUP], rhw[3][SMALL_TRI_GROUP];
    uint32_t index[3][SMALL_TRI_GROUP];
    int32_t area[SMALL_TRI_GROUP], left[SMALL_TRI_GROUP], top[SMALL_TRI_GROUP],
        tile[SMALL_TRI_GROUP];
    uint32_t mask[2][SMALL_TRI_GROUP];
    uint32_t n_parts[SMALL_TRI_GROUP]; /* 1 of those that draw, else 0 */
};

/* Where the primitives go, as many of each triangle as it has parts, one after another; the first
 * of each is written, and one more after the last may be. */
struct raster_small_tri_buffers {
    const struct raster_pipeline *pipeline;
    const float *vertices; /* as raster_vertices have them, attributes to multiples of four */
    uint32_t stride_bytes;
    char *prims;
    uint32_t prim_bytes; /* room for attributes, too, as planes to multiples of four */
};

/* The same planes side by side, a, b and c in a row each: those of triangles that are not drawn are
 * anything. */
enum { PLANE_SOA_ATTRS = 32 };
struct raster_interp_plane_soa {
    _Alignas(64) float anchor_x[SMALL_TRI_GROUP], anchor_y[SMALL_TRI_GROUP],
        depth_offset[SMALL_TRI_GROUP];
    float z[3][SMALL_TRI_GROUP], rhw[3][SMALL_TRI_GROUP];
    int32_t affine[SMALL_TRI_GROUP];        /* -1: no perspective */
    int32_t const_attribs[SMALL_TRI_GROUP]; /* attributes of one value, a bit each */
    float attr[PLANE_SOA_ATTRS][3][SMALL_TRI_GROUP];
    bool divides, noncanonical_const; /* some are not affine; some are odd */
    uint32_t varies;   /* attributes that some triangle has several values of */
};

struct raster_setup_kern {
    void (*find_coverage)(struct raster_small_tri_group *group);
    void (*planes)(const struct raster_small_tri_group *group,
                   const struct raster_small_tri_buffers *buffers);
    /* Of at most PLANE_SOA_ATTRS attributes; buffers->prims is not looked at. */
    void (*planes_soa)(const struct raster_small_tri_group *group,
                       const struct raster_small_tri_buffers *buffers,
                       struct raster_interp_plane_soa *rows);
};

KERN_DECLARE(struct raster_setup_kern, raster_setup_kern);

#endif
