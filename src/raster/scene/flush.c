/* Flush: renders the tiles with commands on the thread pool, then empties the scene.
 *
 * Tested by tests/unit/raster/test_scene.c. */
#include "raster/scene/scene.h"

static void run_tile(void *ctx, unsigned index, unsigned worker)
{
    struct raster *raster = ctx;

    raster->run_tile(raster, worker, raster->to_run[index]);
}

static void add_queries(struct raster *raster)
{
    for (struct raster_query *query = raster->queries; query; query = query->next)
        for (unsigned i = 0; i < raster->n_workers; i++)
            *query->target += query->counts[i * QUERY_STRIDE];
    raster->queries = NULL;
}

/* Lists the busy tiles in ascending order, so that a tile usually goes to the worker that had it in
 * the last scene. */
static unsigned take_busy(struct raster *raster)
{
    size_t tiles = (size_t)raster->tiles_x * raster->tiles_y;
    unsigned n = 0;

    for (size_t word = 0; word * 64 < tiles; word++) {
        for (uint64_t bits = raster->busy[word]; bits; bits &= bits - 1)
            raster->to_run[n++] = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
        raster->busy[word] = 0;
    }
    return n;
}

void raster_flush_bins(struct raster *raster)
{
    unsigned n = take_busy(raster);

    if (n)
        pool_run_affine(raster->pool, n, run_tile, raster);
    add_queries(raster);
    raster->written = 0;
    raster->pipeline = NULL;
    for (unsigned i = 0; i < RECENT_PIPELINES; i++)
        raster->recent.entry[i].pipeline = raster->recent_shapes.entry[i].pipeline = NULL;
    raster->arena_generation++;
    arena_reset(&raster->arena);
}

void raster_flush(struct raster *raster)
{
    raster_flush_bins(raster);
    raster->serial += raster->touched;
    raster->touched = false;
}

void raster_trim(struct raster *raster)
{
    raster_flush(raster);
    arena_fini(&raster->arena);
}

uint64_t raster_scene_serial(const struct raster *raster)
{
    return raster->serial;
}
