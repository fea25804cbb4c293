/* Cache of generated fixed-function programs: a hash table with reference counts.
 *
 * Pipelines with the same fixed-function key share a program. The program is freed with the last of
 * these pipelines, so the limit on pipelines also limits programs.
 * Tested by tests/unit/draw/pipeline/test_cache.c. */
#include "draw/pipeline/program.h"

#include "util/alloc.h"
#include "util/hash.h"

#include <string.h>

static struct pipeline_program **bucket_of(struct pipeline_cache *cache, bool pixel,
                                           const void *key, size_t bytes)
{
    return &cache->program[hash_bytes(key, bytes, pixel) % PIPELINE_PROGRAM_BUCKETS];
}

static struct pipeline_program *find(struct pipeline_program *bucket, bool pixel, const void *key,
                                     size_t bytes)
{
    for (; bucket; bucket = bucket->next)
        if (bucket->pixel == pixel && !memcmp(&bucket->key, key, bytes)) {
            bucket->refs++;
            return bucket;
        }
    return NULL;
}

/* Adds a program to its bucket and takes ownership. st: the status of its build; program is NULL if
 * the build failed. */
static enum status add(struct pipeline_program **bucket, struct pipeline_program **out, bool pixel,
                       const void *key, size_t bytes, struct vm_program *program, enum status st)
{
    struct pipeline_program *entry = st ? NULL : mem_calloc(1, sizeof(*entry));

    if (!entry) {
        vm_program_destroy(program);
        return st ? st : ST_NOMEM;
    }
    entry->program = program;
    entry->pixel = pixel;
    entry->refs = 1;
    memcpy(&entry->key, key, bytes);
    entry->next = *bucket;
    *bucket = *out = entry;
    return ST_OK;
}

enum status pipeline_program_vertex(struct pipeline_cache *cache, struct pipeline_program **out,
                                    const struct ff_vertex_key *key)
{
    struct pipeline_program **bucket = bucket_of(cache, false, key, sizeof(*key));
    struct vm_program *program = NULL;
    enum status st;

    if ((*out = find(*bucket, false, key, sizeof(*key))))
        return ST_OK;
    st = ff_vertex_build(&program, key);
    cache->statistics.vertex_programs_built++;
    return add(bucket, out, false, key, sizeof(*key), program, st);
}

enum status pipeline_program_pixel(struct pipeline_cache *cache, struct pipeline_program **out,
                                   const struct ff_pixel_key *key)
{
    struct pipeline_program **bucket = bucket_of(cache, true, key, sizeof(*key));
    struct vm_program *program = NULL;
    enum status st;

    if ((*out = find(*bucket, true, key, sizeof(*key))))
        return ST_OK;
    st = ff_pixel_build(&program, key);
    cache->statistics.pixel_programs_built++;
    return add(bucket, out, true, key, sizeof(*key), program, st);
}

void pipeline_program_unref(struct pipeline_cache *cache, struct pipeline_program **slot)
{
    struct pipeline_program *entry = *slot, **at;

    *slot = NULL;
    if (!entry || --entry->refs)
        return;
    at = bucket_of(cache, entry->pixel, &entry->key,
                   entry->pixel ? sizeof(entry->key.pixel) : sizeof(entry->key.vertex));
    while (*at != entry)
        at = &(*at)->next;
    *at = entry->next;
    vm_program_destroy(entry->program);
    mem_free(entry);
}
