/* Memory of the scene: bins, primitives and pipelines in one arena, constants and samplers of the
 * caller in another.
 *
 * Tested by tests/unit/raster/test_scene.c. */
#include "raster/scene/scene.h"

enum { CALLER_LIMIT = 64 << 20 };

void *raster_bins_alloc(struct raster *raster, size_t size)
{
    void *at;

    pthread_mutex_lock(&raster->arena_lock);
    at = arena_alloc(&raster->arena, size);
    pthread_mutex_unlock(&raster->arena_lock);
    return at;
}

void *raster_alloc(struct raster *raster, size_t size)
{
    struct arena *arena = &raster->caller_arena;

    arena->limit_bytes = !arena->used_bytes && size > CALLER_LIMIT ? 0 : CALLER_LIMIT;
    return arena_alloc(arena, size);
}

void raster_limit_bins(struct raster *raster, size_t bytes)
{
    raster->arena.limit_bytes = bytes;
}
