/* Memory that a worker takes from the bins' arena, a slab at a time.
 *
 * Tested by tests/unit/raster/test_scene.c. */
#include "raster/worker/worker.h"

bool raster_worker_reserve(struct raster_worker *worker, size_t bytes, size_t at_once)
{
    struct raster *raster = worker->raster;
    struct raster_arena_slab *slab = &worker->slab;

    if (slab->arena_generation == raster->arena_generation + 1 && slab->left >= bytes)
        return true;
    slab->at = raster_bins_alloc(raster, at_once);
    slab->left = at_once;
    slab->arena_generation = slab->at ? raster->arena_generation + 1 : 0;
    return slab->at != NULL;
}

void *raster_worker_alloc(struct raster_worker *worker, size_t bytes)
{
    enum { AT_ONCE = 128 << 10 };
    struct raster_arena_slab *slab = &worker->slab;
    void *at;

    if (!raster_worker_reserve(worker, bytes, AT_ONCE))
        return NULL;
    at = slab->at;
    slab->at += bytes;
    slab->left -= bytes;
    return at;
}
