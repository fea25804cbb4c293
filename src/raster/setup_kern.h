/* The set-up of many triangles at once. Every table gives the same bits. */
#ifndef RASTER_SETUP_KERN_H
#define RASTER_SETUP_KERN_H

#include "raster/raster_kern.h"

struct raster_plan;
struct raster_screen_vertex;

enum { SMALL_GROUP = 16, NO_TILE = -1 };

/* Triangles at most 16 pixels wide and high, counted from an even pixel: which of them draw what.
 */
struct raster_small_group {
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
    uint32_t drawn, split, wide, other;
    /* Of the former two: corners as the screen has them, the even pixel from which on pixels lie,
     * and the only tile, or NO_TILE; of those that draw, the pixels, a byte a row. */
    _Alignas(64) int32_t x[3][SMALL_GROUP], y[3][SMALL_GROUP];
    float z[3][SMALL_GROUP], rhw[3][SMALL_GROUP];
    uint32_t index[3][SMALL_GROUP];
    int32_t area[SMALL_GROUP], left[SMALL_GROUP], top[SMALL_GROUP], tile[SMALL_GROUP];
    uint32_t pixels[2][SMALL_GROUP];
    uint32_t parts[SMALL_GROUP]; /* 1 of those that draw, else 0 */
};

/* Where the primitives go, as many of each triangle as it has parts, one after another; the first
 * of each is written, and one more after the last may be. */
struct raster_small_room {
    const struct raster_plan *plan;
    const float *vertices; /* as raster_vertices have them, attributes to multiples of four */
    uint32_t stride_bytes;
    char *prims;
    uint32_t prim_bytes; /* room for attributes, too, as planes to multiples of four */
};

/* The same planes side by side, a, b and c in a row each: those of triangles that are not drawn are
 * anything. */
enum { ROWS_ATTRS = 32 };
struct raster_plane_rows {
    _Alignas(64) float anchor_x[SMALL_GROUP], anchor_y[SMALL_GROUP], depth_offset[SMALL_GROUP];
    float z[3][SMALL_GROUP], rhw[3][SMALL_GROUP];
    int32_t linear[SMALL_GROUP];   /* -1: no perspective */
    int32_t constant[SMALL_GROUP]; /* attributes of one value, a bit each */
    float attr[ROWS_ATTRS][3][SMALL_GROUP];
    bool divides, noncanonical_const; /* some are not linear; some are odd */
    uint32_t varies;   /* attributes that some triangle has several values of */
};

struct raster_setup_kern {
    void (*small)(struct raster_small_group *group);
    void (*planes)(const struct raster_small_group *group, const struct raster_small_room *room);
    /* Of at most ROWS_ATTRS attributes; room->prims is not looked at. */
    void (*rows)(const struct raster_small_group *group, const struct raster_small_room *room,
                 struct raster_plane_rows *rows);
};

KERN_DECLARE(struct raster_setup_kern, raster_setup_kern);

#endif
