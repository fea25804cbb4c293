/* Pipeline cache: open-addressing hash table over the bytes of pipeline keys, with LRU eviction. */
#include "draw/pipeline/program.h"

#include "util/equal.h"
#include "util/hash.h"

#include <string.h>

static unsigned first_slot(const struct draw_key *key)
{
    return (unsigned)hash_bytes(key, sizeof(*key), 0) % PIPELINE_CACHE_SLOTS;
}

/* --- LRU list --------------------------------------------------------------------------------- */

static void list_remove(struct pipeline_cache *cache, struct draw_pipeline *pipeline)
{
    *(pipeline->newer ? &pipeline->newer->older : &cache->newest) = pipeline->older;
    *(pipeline->older ? &pipeline->older->newer : &cache->oldest) = pipeline->newer;
}

static void list_add(struct pipeline_cache *cache, struct draw_pipeline *pipeline)
{
    pipeline->newer = NULL;
    pipeline->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = pipeline;
    cache->newest = pipeline;
}

static struct draw_pipeline *mark_used(struct pipeline_cache *cache, struct draw_pipeline *pipeline)
{
    if (pipeline != cache->newest) {
        list_remove(cache, pipeline);
        list_add(cache, pipeline);
    }
    return pipeline;
}

/* --- Hash table ------------------------------------------------------------------------------- */

struct draw_pipeline *pipeline_cache_find(struct pipeline_cache *cache, const struct draw_key *key)
{
    if (cache->newest && bytes_equal(&cache->newest->key, key, sizeof(*key)))
        return cache->newest;
    for (unsigned i = first_slot(key); cache->slot[i]; i = (i + 1) % PIPELINE_CACHE_SLOTS)
        if (bytes_equal(&cache->slot[i]->key, key, sizeof(*key)))
            return mark_used(cache, cache->slot[i]);
    return NULL;
}

static void hash_insert(struct pipeline_cache *cache, struct draw_pipeline *pipeline)
{
    unsigned i = first_slot(&pipeline->key);

    while (cache->slot[i])
        i = (i + 1) % PIPELINE_CACHE_SLOTS;
    cache->slot[i] = pipeline;
}

enum status pipeline_cache_create(struct pipeline_cache *cache, struct draw_pipeline **out,
                                  const struct draw_key *key, const struct draw_state *state)
{
    enum status st = pipeline_create(out, cache, key, state);

    if (st)
        return st;
    hash_insert(cache, *out);
    list_add(cache, *out);
    cache->used++;
    cache->statistics.pipelines_built++;
    return ST_OK;
}

void pipeline_cache_evict(struct pipeline_cache *cache)
{
    for (unsigned left = (cache->used + 3) / 4; left; left--) {
        struct draw_pipeline *pipeline = cache->oldest;

        list_remove(cache, pipeline);
        pipeline_destroy(cache, pipeline);
        cache->used--;
        cache->statistics.pipelines_dropped++;
    }
    memset(cache->slot, 0, sizeof(cache->slot));
    for (struct draw_pipeline *pipeline = cache->newest; pipeline; pipeline = pipeline->older)
        hash_insert(cache, pipeline);
}

void pipeline_cache_clear(struct pipeline_cache *cache)
{
    while (cache->oldest) {
        struct draw_pipeline *pipeline = cache->oldest;

        list_remove(cache, pipeline);
        pipeline_destroy(cache, pipeline);
    }
    memset(cache->slot, 0, sizeof(cache->slot));
    cache->used = 0;
}
