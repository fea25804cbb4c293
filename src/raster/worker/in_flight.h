/* Hazard mask: the pixels of the worker's tile that are in the batch and not yet drawn, so that
 * each pixel sees its primitives in order. */
#ifndef RASTER_WORKER_IN_FLIGHT_H
#define RASTER_WORKER_IN_FLIGHT_H

#include "raster/worker/worker.h"

/* The pixels of a block that are in flight, in linear order. */
static inline uint64_t raster_in_flight_rows(const struct raster_worker *worker, unsigned block)
{
    const uint64_t *in_flight = worker->in_flight.rows + block / BLOCK_DIM * BLOCK_DIM;
    unsigned right = block % BLOCK_DIM * BLOCK_DIM;
    uint64_t rows = 0;

    for (unsigned y = 0; y < BLOCK_DIM; y++)
        rows |= (in_flight[y] >> right & 0xff) << y * BLOCK_DIM;
    return rows;
}

/* Those of the given blocks that may have pixels in flight. */
uint64_t raster_in_flight_blocks(const struct raster_worker *worker, uint64_t blocks);
/* Returns and clears the blocks whose pixels have been in flight since the last call. */
uint64_t raster_in_flight_take_history(struct raster_worker *worker);

#endif
