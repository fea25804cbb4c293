/* Finds a plan by its key: open addressing over a hash of the key's bytes. A list in order of last
 * use says what to drop when there are too many. */
#include "draw/pipeline.h"

#include "util/equal.h"
#include "util/hash.h"

#include <string.h>

static unsigned first_slot(const struct draw_key *key)
{
    return (unsigned)hash_bytes(key, sizeof(*key), 0) % PLAN_CACHE_SLOTS;
}

/* --- Order of use ----------------------------------------------------------------------------- */

static void list_remove(struct plan_cache *cache, struct draw_plan *plan)
{
    *(plan->newer ? &plan->newer->older : &cache->newest) = plan->older;
    *(plan->older ? &plan->older->newer : &cache->oldest) = plan->newer;
}

static void list_add(struct plan_cache *cache, struct draw_plan *plan)
{
    plan->newer = NULL;
    plan->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = plan;
    cache->newest = plan;
}

static struct draw_plan *used(struct plan_cache *cache, struct draw_plan *plan)
{
    if (plan != cache->newest) {
        list_remove(cache, plan);
        list_add(cache, plan);
    }
    return plan;
}

/* --- The cache -------------------------------------------------------------------------------- */

struct draw_plan *plan_cache_find(struct plan_cache *cache, const struct draw_key *key)
{
    if (cache->newest && bytes_equal(&cache->newest->key, key, sizeof(*key)))
        return cache->newest;
    for (unsigned i = first_slot(key); cache->slot[i]; i = (i + 1) % PLAN_CACHE_SLOTS)
        if (bytes_equal(&cache->slot[i]->key, key, sizeof(*key)))
            return used(cache, cache->slot[i]);
    return NULL;
}

static void put(struct plan_cache *cache, struct draw_plan *plan)
{
    unsigned i = first_slot(&plan->key);

    while (cache->slot[i])
        i = (i + 1) % PLAN_CACHE_SLOTS;
    cache->slot[i] = plan;
}

enum status plan_cache_create(struct plan_cache *cache, struct draw_plan **out,
                              const struct draw_key *key, const struct draw_state *state)
{
    enum status st = plan_create(out, cache, key, state);

    if (st)
        return st;
    put(cache, *out);
    list_add(cache, *out);
    cache->used++;
    cache->statistics.plans_built++;
    return ST_OK;
}

void plan_cache_evict(struct plan_cache *cache)
{
    for (unsigned left = (cache->used + 3) / 4; left; left--) {
        struct draw_plan *plan = cache->oldest;

        list_remove(cache, plan);
        plan_destroy(cache, plan);
        cache->used--;
        cache->statistics.plans_dropped++;
    }
    memset(cache->slot, 0, sizeof(cache->slot));
    for (struct draw_plan *plan = cache->newest; plan; plan = plan->older)
        put(cache, plan);
}

void plan_cache_clear(struct plan_cache *cache)
{
    while (cache->oldest) {
        struct draw_plan *plan = cache->oldest;

        list_remove(cache, plan);
        plan_destroy(cache, plan);
    }
    memset(cache->slot, 0, sizeof(cache->slot));
    cache->used = 0;
}
