/* Hazard mask: finds the blocks that have pixels in flight.
 *
 * Tested by tests/unit/raster/test_equivalence.c. */
#include "raster/worker/in_flight.h"

/* A bit for each byte that is not 0. */
static uint64_t nonzero_bytes(uint64_t word)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);

    word = ((((word & low) + low) | word) & ~low) >> 7; /* 1 in each of these bytes */
    return word * UINT64_C(0x0102040810204080) >> 56;
}

static uint64_t blocks_of(const uint64_t rows[IN_FLIGHT_ROWS], uint64_t blocks)
{
    uint64_t some = 0;

    for (uint64_t rest = blocks; rest;) {
        unsigned y = (unsigned)__builtin_ctzll(rest) / BLOCK_DIM * BLOCK_DIM;
        const uint64_t *r = rows + y;

        some |= nonzero_bytes(r[0] | r[1] | r[2] | r[3] | r[4] | r[5] | r[6] | r[7]) << y;
        rest &= ~(UINT64_C(0xff) << y);
    }
    return some & blocks;
}

uint64_t raster_in_flight_blocks(const struct raster_worker *worker, uint64_t blocks)
{
    return worker->batch.n ? blocks_of(worker->in_flight.rows, blocks) : 0;
}

uint64_t raster_in_flight_take_history(struct raster_worker *worker)
{
    struct in_flight *in_flight = &worker->in_flight;
    uint64_t blocks = 0;

    if (in_flight->any_history) {
        blocks = blocks_of(in_flight->history, ~UINT64_C(0));
        memset(in_flight->history, 0, sizeof(in_flight->history));
    }
    in_flight->any_history = false;
    return blocks;
}
