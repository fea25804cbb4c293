/* Primitives' pixels as quads that wait. */
#include "raster/wait_kern.h"

#include "raster/raster_private.h"
#include "util/simd_blocks.h"

enum { PREFETCH_AHEAD = 8 }; /* primitives: read once each, in an order that only the bin knows */

SIMD_INLINE bool put_pixels(struct raster_waiting *waiting, const struct raster_tile_place *tile,
                            const struct raster_prim *prim, unsigned x, unsigned y, uint64_t rows)
{
    unsigned first = waiting->n, n;

    if (!simd_claim_block(waiting->used + y, rows, x))
        return false;
    n = simd_block_quads(rows, tile->x + (int32_t)x, tile->y + (int32_t)y, waiting->x + first,
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

static void prefetch(const struct bin_chunk *chunk, size_t i, size_t bytes)
{
    const char *data;

    if (i >= chunk->count) {
        i -= chunk->count;
        chunk = chunk->next;
        if (!chunk || i >= chunk->count)
            return;
    }
    data = raster_command_data(chunk->command[i]);
    for (size_t at = 0; at < bytes; at += 64)
        __builtin_prefetch(data + at);
}

static size_t take(struct raster_waiting *waiting, const struct raster_tile_place *tile,
                   const struct raster_plan *plan, const struct bin_chunk *chunk, size_t i)
{
    size_t bytes = sizeof(struct raster_prim) + plan->s.n_attrs * sizeof(struct raster_plane);

    for (; i < chunk->count && waiting->n - waiting->tested < WAIT_ENOUGH; i++) {
        uintptr_t command = chunk->command[i];
        const struct raster_prim *prim = raster_command_data(command);
        uint64_t rows;
        int32_t x, y;

        prefetch(chunk, i + PREFETCH_AHEAD, bytes);
        if (!raster_is_small(command, plan))
            break;
        rows = prim->few.pixels[0] | (uint64_t)prim->few.pixels[1] << 32;
        x = prim->few.x - tile->x;
        y = prim->few.y - tile->y;
        if ((uint32_t)x > (uint32_t)tile->last || (uint32_t)y > (uint32_t)tile->last) {
            x = prim->few.x;
            y = prim->few.y;
            rows = raster_move_into_tile(tile, rows, &x, &y);
        }
        if (!put_pixels(waiting, tile, prim, (unsigned)x, (unsigned)y, rows))
            break;
    }
    return i;
}

const struct raster_wait_kern KERN_NAME(raster_wait_kern) = {.take = take, .put = put};
