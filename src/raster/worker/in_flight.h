/* Hazard mask: the pixels of the worker's tile that are queued and not yet drawn, so that each
 * pixel sees its primitives in order. */
#ifndef RASTER_WORKER_IN_FLIGHT_H
#define RASTER_WORKER_IN_FLIGHT_H

#include "raster/worker/worker.h"

/* Adds the pixels of a quad at (x, y), a bit per lane. */
static inline void raster_in_flight_mark(struct raster_worker *worker, int32_t x, int32_t y,
                                         uint64_t pixels)
{
    uint64_t *in_flight = worker->quad_queue.in_flight + (y - worker->tile.y);

    in_flight[0] |= (pixels & 3) << (x - worker->tile.x);
    in_flight[1] |= (pixels >> 2 & 3) << (x - worker->tile.x);
}

/* The pixels of a block that are in flight, in linear order. */
static inline uint64_t raster_in_flight_rows(const struct raster_worker *worker, unsigned block)
{
    const uint64_t *in_flight = worker->quad_queue.in_flight + block / BLOCK_DIM * BLOCK_DIM;
    unsigned right = block % BLOCK_DIM * BLOCK_DIM;
    uint64_t rows = 0;

    for (unsigned y = 0; y < BLOCK_DIM; y++)
        rows |= (in_flight[y] >> right & 0xff) << y * BLOCK_DIM;
    return rows;
}

/* Those of the given blocks that may have pixels in flight; a superset while in_flight is stale. */
uint64_t raster_in_flight_blocks(const struct raster_worker *worker, uint64_t blocks);
/* Returns and clears the blocks whose pixels have been in flight since the last call. */
uint64_t raster_in_flight_take_history(struct raster_worker *worker);

#endif
