/* Tile-local depth, a transient attachment: a tile whose depth starts fast-cleared and ends with a
 * clear uses a private buffer of the worker, which stays in the cache.
 *
 * The contents between the two clears are never observed, so the depth surface is neither read nor,
 * if the clear values match, written. */
#include "raster/zs/fill.h"

#include "util/alloc.h"

enum {
    DIM = 1 << TILE_SHIFT,
    MAX_BYTES = 4,                      /* per pixel */
    SAMPLE = DIM * DIM * MAX_BYTES + 64 /* 64 bytes more, so that samples do not share cache sets */
};

enum status raster_tile_zs_create(struct raster_worker *worker)
{
    worker->tile_zs_memory = mem_alloc(MAX_SAMPLES * SAMPLE);
    return worker->tile_zs_memory ? ST_OK : ST_NOMEM;
}

/* Whether a command clears depth and stencil of the whole tile. */
static bool clears_depth(const struct raster_worker *worker, uintptr_t command)
{
    const struct raster_clear_command *clear = raster_command_data(command);

    if ((command & BIN_OP_MASK) != BIN_CLEAR)
        return false;
    for (unsigned n = 0; n < clear->n_fills; n++)
        if (clear->fill[n].surface == &worker->raster->targets.depth &&
            raster_is_every_bit(clear->fill[n].mask) && raster_fills_tile(worker, &clear->fill[n]))
            return true;
    return false;
}

static bool ends_with_clear(const struct raster_worker *worker, const struct bin *bin)
{
    const struct bin_block *last = bin->last;

    return last->count && clears_depth(worker, last->command[last->count - 1]);
}

/* Whether the surface contains the whole tile; tile-local fast-clear state covers only whole
 * tiles. */
static bool is_whole(const struct raster_worker *worker, const struct raster_surface *surface)
{
    const struct raster_targets *targets = &worker->raster->targets;
    uint32_t width = surface->width ? surface->width : targets->width;
    uint32_t height = surface->height ? surface->height : targets->height;

    return (uint32_t)worker->tile.x + DIM <= width && (uint32_t)worker->tile.y + DIM <= height;
}

/* The clear value becomes pending and reaches tile-local memory when something reads it. */
static void defer_fast_clear(struct raster_worker *worker, struct pending_fill *pending,
                             uint32_t value)
{
    struct raster_fill fill;

    *pending =
        (struct pending_fill){.valid = true, .unwritten = true, .value = value, .mask = UINT32_MAX};
    raster_tile_rect(worker, pending->rect);
    raster_pending_to_fill(worker, pending, &fill);
    raster_hiz_clear(worker, &fill);
}

void raster_tile_zs_begin(struct raster_worker *worker, const struct bin *bin,
                          struct pending_fill *pending)
{
    const struct raster *raster = worker->raster;
    const struct raster_surface *surface = &raster->targets.depth;
    struct raster_surface *tile_zs = &worker->tile_zs;
    uintptr_t before, bytes;
    uint32_t value;

    worker->zs_surface = surface;
    if (!surface->format || surface->format->bytes > MAX_BYTES || !is_whole(worker, surface) ||
        !ends_with_clear(worker, bin) || !raster_fast_clear_value(worker, surface, &value))
        return;
    bytes = surface->format->bytes;
    before = ((uintptr_t)worker->tile.y * DIM + (uintptr_t)worker->tile.x) * bytes;
    *tile_zs = *surface;
    tile_zs->row_pitch = DIM * bytes;
    tile_zs->sample_pitch = SAMPLE;
    tile_zs->fast_clear = &worker->tile_zs_fast_clear;
    tile_zs->data =
        (uint8_t *)((uintptr_t)worker->tile_zs_memory - before); /* address of the pixel (0, 0) */
    worker->zs_surface = tile_zs;
    defer_fast_clear(worker, pending, value);
}
