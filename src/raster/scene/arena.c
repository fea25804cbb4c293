/* Memory of the scene: bins, primitives and pipelines in one arena.
 *
 * Tested by tests/unit/raster/test_scene.c. */
#include "raster/scene/scene.h"

void *raster_bins_alloc(struct raster *raster, size_t size)
{
    void *at;

    pthread_mutex_lock(&raster->arena_lock);
    at = arena_alloc(&raster->arena, size);
    pthread_mutex_unlock(&raster->arena_lock);
    return at;
}

void raster_limit_bins(struct raster *raster, size_t bytes)
{
    raster->arena.limit_bytes = bytes;
}
