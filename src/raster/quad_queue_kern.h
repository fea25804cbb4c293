/* Quads that wait to be tested and shaded together with others: those of small triangles, and of
 * blocks of which few pixels are covered. Every table keeps the same pixels, each in one quad; the
 * order of one primitive's quads is its own. */
#ifndef RASTER_QUAD_QUEUE_KERN_H
#define RASTER_QUAD_QUEUE_KERN_H

#include "raster/quad_kern.h"

struct bin_chunk;
struct raster_plan;

enum {
    WAIT_ENOUGH = RASTER_LANES / 4, /* are tested at a time */
    WAIT_ROOM = 8 * WAIT_ENOUGH,    /* for less than four times that; they move when half is gone */
    WAIT_ROWS = 64                  /* of a tile */
};

/* A queue: quads from `first` on have been tested and are shaded next, those from `tested` on are
 * tested next. */
struct raster_waiting {
    /* Pixels of the tile that are in it, or were since all were forgotten. */
    _Alignas(64) uint64_t used[WAIT_ROWS];
    uint64_t seen[WAIT_ROWS];           /* and those that were before they were forgotten */
    int32_t x[WAIT_ROOM], y[WAIT_ROOM]; /* the upper left pixel */
    const struct raster_prim *prim[WAIT_ROOM];
    uint8_t pixels[WAIT_ROOM]; /* of each quad, as lanes */
    unsigned first, tested, n;
    bool any;      /* bits of `used` */
    bool any_seen; /* bits of `seen` */
    bool stale;    /* some of `used` are of pixels that were drawn, or failed */
};

struct raster_tile_place {
    int32_t x, y;
    int32_t last; /* the place of the last 8x8 pixels in it */
};

struct raster_wait_kern {
    /* Takes small primitives of one plan from a chunk's commands, from number i on, until there
     * are enough to test, or some pixel waits already, or another command comes; returns the number
     * of that which comes next. */
    size_t (*take)(struct raster_waiting *waiting, const struct raster_tile_place *tile,
                   const struct raster_plan *plan, const struct bin_chunk *chunk, size_t i);
    /* Pixels of 8x8, bit y * 8 + x, at an even place in the tile; false: some wait already. There
     * is room for them. */
    bool (*put)(struct raster_waiting *waiting, const struct raster_tile_place *tile,
                const struct raster_prim *prim, unsigned x, unsigned y, uint64_t rows);
    /* Moves the bits of `used` to `seen`. */
    void (*forget)(struct raster_waiting *waiting);
};

KERN_DECLARE(struct raster_wait_kern, raster_wait_kern);

/* Moves 8x8 pixels at (x, y) to where they lie in the tile, and makes x and y the place there;
 * those past it are lost. */
static inline uint64_t raster_move_into_tile(const struct raster_tile_place *tile, uint64_t rows,
                                             int32_t *x, int32_t *y)
{
    const uint64_t column = UINT64_C(0x0101010101010101);
    int32_t left = *x - tile->x, top = *y - tile->y, last = tile->last;

    if (left < 0)
        rows = rows >> -left & (0xffu >> -left) * column;
    else if (left > last)
        rows = (rows & (0xffu >> (left - last)) * column) << (left - last);
    if (top < 0)
        rows >>= -top * 8;
    else if (top > last)
        rows <<= (top - last) * 8;
    *x = left < 0 ? 0 : left > last ? last : left;
    *y = top < 0 ? 0 : top > last ? last : top;
    return rows;
}

#endif
