/* Compiles functions and keeps their code by key.
 *
 * Tested by tests/unit/raster/merge/test_code.c and tests/unit/tex/emit/test_code.c. */
#include "ir/compile/code_cache.h"

#include "ir/pass/pass.h"
#include "util/alloc.h"
#include "util/equal.h"
#include "util/forks.h"
#include "util/hash.h"

#include <string.h>

struct ir_cached_code {
    struct ir_cached_code *next;
    enum cpu_isa isa;
    struct ir_code *code; /* NULL: there is no compiler, or no executable memory */
    uint8_t key[];
};

/* --- Entries ---------------------------------------------------------------------------------- */

static enum status compile(struct ir_code **out, const struct ir_code_cache *cache, const void *key,
                           enum cpu_isa isa)
{
    struct ir *ir = cache->build(key);
    struct ir *live = ir ? ir_remove_dead(ir) : NULL;
    enum status st = live ? ir_compile(out, live, isa) : ST_NOMEM;

    ir_destroy(live);
    ir_destroy(ir);
    if (!st && ir_code_work_bytes(*out) > cache->max_work_bytes) {
        ir_code_destroy(*out);
        *out = NULL;
        return ST_UNSUPPORTED;
    }
    return st;
}

/* NULL: memory is short, and the next caller tries again. */
static struct ir_cached_code *new_entry(const struct ir_code_cache *cache, const void *key,
                                        enum cpu_isa isa)
{
    struct ir_cached_code *entry = mem_calloc(1, sizeof(*entry) + cache->key_bytes);
    enum status st;

    if (!entry)
        return NULL;
    memcpy(entry->key, key, cache->key_bytes);
    entry->isa = isa;
    st = compile(&entry->code, cache, key, isa);
    if (!st || st == ST_UNSUPPORTED)
        return entry;
    mem_free(entry);
    return NULL;
}

static const struct ir_cached_code *find(struct ir_code_cache *cache, const void *key,
                                         enum cpu_isa isa)
{
    struct ir_cached_code **bucket =
        &cache->bucket[hash_bytes(key, cache->key_bytes, 0) % IR_CACHE_BUCKETS];
    struct ir_cached_code *entry;

    for (entry = *bucket; entry; entry = entry->next)
        if (entry->isa == isa && bytes_equal(entry->key, key, cache->key_bytes))
            return entry;
    entry = cache->n < IR_CACHED_CODES ? new_entry(cache, key, isa) : NULL;
    if (!entry)
        return NULL;
    entry->next = *bucket;
    *bucket = entry;
    cache->n++;
    return entry;
}

static void clear(struct ir_code_cache *cache)
{
    for (unsigned i = 0; i < IR_CACHE_BUCKETS; i++) {
        struct ir_cached_code *entry = cache->bucket[i], *next;

        for (; entry; entry = next) {
            next = entry->next;
            ir_code_destroy(entry->code);
            mem_free(entry);
        }
        cache->bucket[i] = NULL;
    }
    cache->n = 0;
}

/* --- Interface -------------------------------------------------------------------------------- */

void ir_code_cache_use(struct ir_code_cache *cache)
{
    fork_guard(&cache->lock, FORK_OUTER); /* another thread may compile */
    pthread_mutex_lock(&cache->lock);
    cache->users++;
    pthread_mutex_unlock(&cache->lock);
}

void ir_code_cache_leave(struct ir_code_cache *cache)
{
    pthread_mutex_lock(&cache->lock);
    if (!--cache->users)
        clear(cache);
    pthread_mutex_unlock(&cache->lock);
}

const struct ir_code *ir_code_cache_get(struct ir_code_cache *cache, const void *key)
{
    const struct ir_cached_code *entry = NULL;

    pthread_mutex_lock(&cache->lock);
    if (cache->users)
        entry = find(cache, key, cpu_isa());
    pthread_mutex_unlock(&cache->lock);
    return entry ? entry->code : NULL;
}
