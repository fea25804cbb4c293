/* Quad queue kernel: converts 8x8 coverage masks to queued quads, and checks them against the
 * pixels in flight. */
#include "raster/shade/quad_queue_kern.h"

#include "raster/bin/prefetch.h"
#include "util/simd/blocks.h"

SIMD_INLINE bool put_pixels(struct quad_queue *queue, const struct tile_origin *tile,
                            const struct raster_prim *prim, unsigned x, unsigned y, uint64_t rows)
{
    unsigned first = queue->n, n;

    if (!simd_claim_block(queue->in_flight + y, rows, x))
        return false;
    n = simd_mask_quads(rows, tile->x + (int32_t)x, tile->y + (int32_t)y, queue->x + first,
                        queue->y + first, queue->pixels + first);
    for (unsigned i = 0; i < 4; i++)
        queue->prim[first + i] = prim;
    for (unsigned i = 4; i < n; i++)
        queue->prim[first + i] = prim;
    queue->n = first + n;
    return true;
}

static bool put(struct quad_queue *queue, const struct tile_origin *tile,
                const struct raster_prim *prim, unsigned x, unsigned y, uint64_t rows)
{
    return put_pixels(queue, tile, prim, x, y, rows);
}

static size_t take(struct quad_queue *queue, const struct tile_origin *tile,
                   const struct raster_pipeline *pipeline, const struct bin_block *cmds, size_t i)
{
    size_t bytes = raster_prim_base_bytes(pipeline);

    for (; i < cmds->count && queue->n - queue->tested < QUAD_QUEUE_BATCH; i++) {
        uintptr_t command = cmds->command[i];
        const struct raster_prim *prim = raster_command_data(command);
        uint64_t rows;
        unsigned x, y;

        raster_prefetch_command(cmds, i + PREFETCH_AHEAD, bytes);
        if (!raster_is_mask8x8(command, pipeline))
            break;
        rows = raster_mask8x8_in_tile(prim, tile, &x, &y);
        if (!put_pixels(queue, tile, prim, x, y, rows))
            break;
    }
    return i;
}

static void retire(struct quad_queue *queue)
{
    enum { WORDS = IN_FLIGHT_ROWS * 2 };
    int32_t *in_flight = (int32_t *)(void *)queue->in_flight,
            *history = (int32_t *)(void *)queue->in_flight_history;

    for (unsigned i = 0; i < WORDS; i += SIMD_LANES) {
        i32v_store(history + i, i32v_or(i32v_load(history + i), i32v_load(in_flight + i)));
        i32v_store(in_flight + i, i32v_set1(0));
    }
    queue->any_history = true;
}

const struct raster_quad_queue_kern KERN_NAME(raster_quad_queue_kern) = {
    .take = take, .put = put, .retire = retire};
