/* Finds a plan by its key: open addressing over a hash of the key's bytes. */
#include "draw/plan.h"

#include "util/hash.h"

#include <string.h>

static unsigned first_slot(const struct draw_key *key)
{
    return (unsigned)hash_bytes(key, sizeof(*key), 0) % PLAN_CACHE_SLOTS;
}

struct draw_plan *plan_cache_find(struct plan_cache *cache, const struct draw_key *key)
{
    if (cache->last && !memcmp(&cache->last->key, key, sizeof(*key)))
        return cache->last;
    for (unsigned i = first_slot(key); cache->slot[i]; i = (i + 1) % PLAN_CACHE_SLOTS)
        if (!memcmp(&cache->slot[i]->key, key, sizeof(*key)))
            return cache->last = cache->slot[i];
    return NULL;
}

void plan_cache_add(struct plan_cache *cache, struct draw_plan *plan)
{
    unsigned i = first_slot(&plan->key);

    while (cache->slot[i])
        i = (i + 1) % PLAN_CACHE_SLOTS;
    cache->slot[i] = cache->last = plan;
    cache->used++;
}

void plan_cache_clear(struct plan_cache *cache)
{
    for (unsigned i = 0; i < PLAN_CACHE_SLOTS; i++)
        plan_destroy(cache->slot[i]);
    memset(cache, 0, sizeof(*cache));
}
