/* Quads that wait to be tested and shaded together with others: those of small triangles, and of
 * blocks of which few pixels are covered. Every table keeps the same pixels, each in one quad; the
 * order of one primitive's quads is its own. */
#ifndef RASTER_QUAD_QUEUE_KERN_H
#define RASTER_QUAD_QUEUE_KERN_H

#include "raster/quad_kern.h"

struct bin_block;
struct raster_pipeline;

enum {
    QUAD_QUEUE_BATCH = RASTER_LANES / 4, /* are tested at a time */
    QUAD_QUEUE_SIZE =
        8 * QUAD_QUEUE_BATCH, /* for less than four times that; they move when half is gone */
    IN_FLIGHT_ROWS = 64       /* of a tile */
};

/* A queue: quads from `first` on have been tested and are shaded next, those from `tested` on are
 * tested next. */
struct quad_queue {
    /* Pixels of the tile that are in it, or were since all were forgotten. */
    _Alignas(64) uint64_t in_flight[IN_FLIGHT_ROWS];
    uint64_t in_flight_history[IN_FLIGHT_ROWS]; /* and those that were before they were forgotten */
    int32_t x[QUAD_QUEUE_SIZE], y[QUAD_QUEUE_SIZE]; /* the upper left pixel */
    const struct raster_prim *prim[QUAD_QUEUE_SIZE];
    uint8_t pixels[QUAD_QUEUE_SIZE]; /* of each quad, as lanes */
    unsigned first, tested, n;
    bool any_in_flight;   /* bits of `in_flight` */
    bool any_history;     /* bits of `in_flight_history` */
    bool in_flight_stale; /* some of `in_flight` are of pixels that were drawn, or failed */
};

struct tile_origin {
    int32_t x, y;
    int32_t last; /* the place of the last 8x8 pixels in it */
};

struct raster_quad_queue_kern {
    /* Takes small primitives of one pipeline from a block's commands, from number i on, until there
     * are enough to test, or some pixel waits already, or another command comes; returns the number
     * of that which comes next. */
    size_t (*take)(struct quad_queue *queue, const struct tile_origin *tile,
                   const struct raster_pipeline *pipeline, const struct bin_block *cmds, size_t i);
    /* Pixels of 8x8, bit y * 8 + x, at an even place in the tile; false: some wait already. There
     * is room for them. */
    bool (*put)(struct quad_queue *queue, const struct tile_origin *tile,
                const struct raster_prim *prim, unsigned x, unsigned y, uint64_t rows);
    /* Moves the bits of `in_flight` to `in_flight_history`. */
    void (*retire)(struct quad_queue *queue);
};

KERN_DECLARE(struct raster_quad_queue_kern, raster_quad_queue_kern);

/* Moves 8x8 pixels at (x, y) to where they lie in the tile, and makes x and y the place there;
 * those past it are lost. */
static inline uint64_t raster_move_into_tile(const struct tile_origin *tile, uint64_t rows,
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
