/* Fast clears: per-tile metadata tells which 8x8 blocks still hold the last clear value, so a clear
 * to the same value skips them.
 *
 * Most frames clear to the value of the frame before, and no primitive has touched many of the
 * blocks since. worker->dirty_blocks records every block that may have been written. */
#include "raster/zs/fill.h"

#include "raster/worker/in_flight.h"

#include <string.h>

size_t raster_fast_clear_count(uint32_t width, uint32_t height)
{
    const uint32_t dim = 1 << TILE_SHIFT;

    return (size_t)((width + dim - 1) / dim) * ((height + dim - 1) / dim);
}

/* Record of the worker's tile; NULL: the surface has none. */
static struct raster_fast_clear *fast_clear_of(const struct raster_worker *worker,
                                               const struct raster_surface *surface)
{
    const struct raster *raster = worker->raster;
    uint32_t x = (uint32_t)worker->tile.x, y = (uint32_t)worker->tile.y;
    uint32_t across = (surface->width + (1 << TILE_SHIFT) - 1) >> TILE_SHIFT;

    if (surface == &worker->tile_zs)
        return surface->fast_clear;
    if (!surface->format || !surface->fast_clear || raster->tile_shift != TILE_SHIFT ||
        raster->options.no_fast_clear || x >= surface->width || y >= surface->height)
        return NULL;
    return surface->fast_clear + (size_t)(y >> TILE_SHIFT) * across + (x >> TILE_SHIFT);
}

static void invalidate_drawn(const struct raster_worker *worker,
                             const struct raster_surface *surface)
{
    struct raster_fast_clear *fast_clear = fast_clear_of(worker, surface);

    if (fast_clear && (fast_clear->blocks & worker->dirty_blocks))
        fast_clear->blocks &= ~worker->dirty_blocks;
}

void raster_fast_clear_invalidate(struct raster_worker *worker)
{
    const struct raster_targets *targets = &worker->raster->targets;

    worker->dirty_blocks |= raster_in_flight_take_history(worker);
    for (unsigned t = 0; t < RASTER_TARGETS && worker->dirty_blocks; t++)
        invalidate_drawn(worker, &targets->colour[t]);
    invalidate_drawn(worker, worker->zs_surface);
    worker->dirty_blocks = 0;
}

bool raster_fast_clear_value(const struct raster_worker *worker,
                             const struct raster_surface *surface, uint32_t *value)
{
    const struct raster_fast_clear *fast_clear = fast_clear_of(worker, surface);

    if (!fast_clear || ~fast_clear->blocks || !raster_is_every_bit(fast_clear->mask))
        return false;
    memcpy(value, fast_clear->value, sizeof(*value));
    return true;
}

struct bits {
    uint64_t value[2], mask[2];
};

/* Whether the known bits include the fill's. */
static bool includes_bits(const struct bits *known, const struct bits *fill)
{
    for (unsigned i = 0; i < 2; i++)
        if ((fill->mask[i] & ~known->mask[i]) ||
            (known->value[i] & fill->mask[i]) != fill->value[i])
            return false;
    return true;
}

static void merge_bits(struct bits *known, const struct bits *fill)
{
    for (unsigned i = 0; i < 2; i++) {
        known->value[i] = (known->value[i] & ~fill->mask[i]) | fill->value[i];
        known->mask[i] |= fill->mask[i];
    }
}

uint64_t raster_fast_clear_fill(struct raster_worker *worker, const struct raster_fill *fill,
                                bool whole)
{
    struct raster_fast_clear *fast_clear = fast_clear_of(worker, raster_fill_surface(worker, fill));
    const uint64_t all = ~UINT64_C(0);
    struct bits known, bits;
    uint64_t blocks;

    if (!fast_clear)
        return all;
    raster_fast_clear_invalidate(worker);
    blocks = fast_clear->blocks;
    if (!whole) {
        fast_clear->blocks = 0;
        return all;
    }
    memcpy(bits.value, fill->value, sizeof(bits.value));
    memcpy(bits.mask, fill->mask, sizeof(bits.mask));
    memcpy(known.value, fast_clear->value, sizeof(known.value));
    memcpy(known.mask, fast_clear->mask, sizeof(known.mask));
    if (!includes_bits(&known, &bits))
        blocks = 0;
    if (!~fast_clear->blocks)
        merge_bits(&known, &bits);
    else
        known = bits;
    memcpy(fast_clear->value, known.value, sizeof(known.value));
    memcpy(fast_clear->mask, known.mask, sizeof(known.mask));
    fast_clear->blocks = all;
    return ~blocks;
}
