/* Primitives' pixels as quads that wait. */
#include "raster/quad_queue_kern.h"

#include "raster/raster_private.h"
#include "util/simd_blocks.h"

SIMD_INLINE bool put_pixels(struct raster_waiting *waiting, const struct raster_tile_place *tile,
                            const struct raster_prim *prim, unsigned x, unsigned y, uint64_t rows)
{
    unsigned first = waiting->n, n;

    if (!simd_claim_block(waiting->used + y, rows, x))
        return false;
    n = simd_mask_quads(rows, tile->x + (int32_t)x, tile->y + (int32_t)y, waiting->x + first,
                        waiting->y + first, waiting->pixels + first);
    for (unsigned i = 0; i < 4; i++)
        waiting->prim[first + i] = prim;
    for (unsigned i = 4; i < n; i++)
        waiting->prim[first + i] = prim;
    waiting->n = first + n;
    return true;
}

static bool put(struct raster_waiting *waiting, const struct raster_tile_place *tile,
                const struct raster_prim *prim, unsigned x, unsigned y, uint64_t rows)
{
    return put_pixels(waiting, tile, prim, x, y, rows);
}

static size_t take(struct raster_waiting *waiting, const struct raster_tile_place *tile,
                   const struct raster_plan *plan, const struct bin_chunk *chunk, size_t i)
{
    size_t bytes = raster_plain_bytes(plan);

    for (; i < chunk->count && waiting->n - waiting->tested < WAIT_ENOUGH; i++) {
        uintptr_t command = chunk->command[i];
        const struct raster_prim *prim = raster_command_data(command);
        uint64_t rows;
        unsigned x, y;

        raster_prefetch_command(chunk, i + PREFETCH_AHEAD, bytes);
        if (!raster_is_small(command, plan))
            break;
        rows = raster_small_pixels(prim, tile, &x, &y);
        if (!put_pixels(waiting, tile, prim, x, y, rows))
            break;
    }
    return i;
}

static void forget(struct raster_waiting *waiting)
{
    enum { WORDS = WAIT_ROWS * 2 };
    int32_t *used = (int32_t *)(void *)waiting->used, *seen = (int32_t *)(void *)waiting->seen;

    for (unsigned i = 0; i < WORDS; i += SIMD_LANES) {
        i32v_store(seen + i, i32v_or(i32v_load(seen + i), i32v_load(used + i)));
        i32v_store(used + i, i32v_set1(0));
    }
    waiting->any_seen = true;
}

const struct raster_wait_kern KERN_NAME(raster_wait_kern) = {
    .take = take, .put = put, .forget = forget};
