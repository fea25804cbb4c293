/* Quad queue kernels: append 2x2 quads of small triangles and of sparsely covered blocks to the
 * queue. One table per instruction set; all queue the same pixels, each in one quad. The order of
 * one primitive's quads may differ. */
#ifndef RASTER_SHADE_QUAD_QUEUE_KERN_H
#define RASTER_SHADE_QUAD_QUEUE_KERN_H

#include "raster/shade/quad_kern.h"

struct bin_block;
struct raster_pipeline;

enum {
    QUAD_QUEUE_BATCH = RASTER_LANES / 4, /* quads per test */
    /* Fewer than 4 * QUAD_QUEUE_BATCH quads are queued; they move to the front once `first` passes
     * the middle. */
    QUAD_QUEUE_SIZE = 8 * QUAD_QUEUE_BATCH,
    IN_FLIGHT_ROWS = 64 /* of a tile */
};

/* Quads [first, tested) wait to be shaded, quads [tested, n) to be tested. */
struct quad_queue {
    /* Hazard mask: pixels of the tile that are queued, or were since the last `retire`. */
    _Alignas(64) uint64_t in_flight[IN_FLIGHT_ROWS];
    uint64_t in_flight_history[IN_FLIGHT_ROWS];     /* pixels retired since the history was taken */
    int32_t x[QUAD_QUEUE_SIZE], y[QUAD_QUEUE_SIZE]; /* upper left pixel */
    const struct raster_prim *prim[QUAD_QUEUE_SIZE];
    uint8_t pixels[QUAD_QUEUE_SIZE]; /* of each quad, a bit per lane */
    unsigned first, tested, n;
    bool any_in_flight;   /* in_flight is not empty */
    bool any_history;     /* in_flight_history is not empty */
    bool in_flight_stale; /* in_flight has pixels that are already drawn, or failed */
};

struct tile_origin {
    int32_t x, y;
    int32_t last; /* offset of the last 8x8 pixels in the tile */
};

struct raster_quad_queue_kern {
    /* Queues PRIM_MASK8X8 commands of one pipeline from index i on. Stops when a test is due, at a
     * pixel in flight, or at another command; returns the index of the next command. */
    size_t (*take)(struct quad_queue *queue, const struct tile_origin *tile,
                   const struct raster_pipeline *pipeline, const struct bin_block *cmds, size_t i);
    /* Queues 8x8 pixels, bit y * 8 + x, at even (x, y) of the tile. The queue has room. False: one
     * of them is in flight, and nothing was done. */
    bool (*put)(struct quad_queue *queue, const struct tile_origin *tile,
                const struct raster_prim *prim, unsigned x, unsigned y, uint64_t rows);
    /* Moves in_flight to in_flight_history. */
    void (*retire)(struct quad_queue *queue);
};

KERN_DECLARE(struct raster_quad_queue_kern, raster_quad_queue_kern);

/* Clips a mask of 8x8 pixels at (*x, *y) of the target to the tile. *x and *y become the offset of
 * the returned mask in the tile. */
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
