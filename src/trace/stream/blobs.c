/* Blobs of a compiled stream: an index of all blobs, and a FIFO ring cache of decompressed
 * sections.
 *
 * Sections lie one behind another in a fixed block of memory. At its end the cache wraps round and
 * evicts the oldest sections. Data used in every frame thus often stays cached, and the memory
 * stays warm. */
#include "trace/stream/read.h"

#include "util/alloc.h"

#include <string.h>

static enum status no_memory(struct nvs_reader *r, uint64_t offset)
{
    return nvs_reader_fail(r, ST_NOMEM, offset, 0, "%s", status_text(ST_NOMEM));
}

static void *grown(void *array, uint32_t *room, uint32_t n, size_t size)
{
    uint32_t bigger = n + n / 2 + 64;

    if (n <= *room)
        return array;
    array = mem_realloc(array, bigger * size);
    if (array)
        *room = bigger;
    return array;
}

void nvs_blobs_init(struct nvs_reader *r)
{
    r->cache.oldest = r->cache.newest = r->cache.large_section = NVS_NONE;
}

void nvs_blobs_end(struct nvs_reader *r)
{
    mem_free(r->packed);
    mem_free(r->blobs);
    mem_free(r->cache.block);
    mem_free(r->cache.large.data);
}

/* --- Memory ----------------------------------------------------------------------------------- */

static void forget_oldest(struct nvs_reader *r)
{
    struct nvs_blob_cache *cache = &r->cache;
    struct nvs_packed *packed = &r->packed[cache->oldest];

    packed->data = NULL;
    cache->oldest = packed->next;
    if (cache->oldest == NVS_NONE)
        cache->newest = NVS_NONE;
}

/* Offset of the oldest section in the ring; SIZE_MAX if the ring is empty. */
static size_t oldest_at(const struct nvs_reader *r)
{
    return r->cache.oldest == NVS_NONE
               ? SIZE_MAX
               : (size_t)(r->packed[r->cache.oldest].data - r->cache.memory);
}

/* Evicts all sections in from … to; the oldest section is the first of them. */
static void make_room(struct nvs_reader *r, size_t from, size_t to)
{
    while (oldest_at(r) >= from && oldest_at(r) < to)
        forget_oldest(r);
}

/* Aligned to huge pages (2 MiB), which mem_alloc requests from the system. */
static bool open_cache(struct nvs_blob_cache *cache)
{
    enum { PAGE = 2 << 20 };

    cache->block = mem_alloc(NVS_BLOB_CACHE_BYTES + PAGE);
    if (!cache->block)
        return false;
    cache->memory = (uint8_t *)cache->block + (-(uintptr_t)cache->block & (PAGE - 1));
    return true;
}

static uint8_t *place_cached(struct nvs_reader *r, uint32_t section, size_t bytes)
{
    struct nvs_blob_cache *cache = &r->cache;
    size_t padded = (bytes + 63) & ~(size_t)63;

    if (!cache->memory && !open_cache(cache))
        return NULL;
    if (cache->at + padded > NVS_BLOB_CACHE_BYTES) {
        make_room(r, cache->at, NVS_BLOB_CACHE_BYTES);
        cache->at = 0;
    }
    make_room(r, cache->at, cache->at + padded);
    r->packed[section].next = NVS_NONE;
    if (cache->newest != NVS_NONE)
        r->packed[cache->newest].next = section;
    else
        cache->oldest = section;
    cache->newest = section;
    cache->at += padded;
    return cache->memory + cache->at - padded;
}

static uint8_t *place_large(struct nvs_reader *r, uint32_t section, size_t bytes)
{
    struct nvs_blob_cache *cache = &r->cache;

    if (cache->large_section != NVS_NONE)
        r->packed[cache->large_section].data = NULL;
    cache->large_section = NVS_NONE;
    if (!nvs_reserve(&cache->large, bytes))
        return NULL;
    cache->large_section = section;
    return cache->large.data;
}

/* Loads a section into the cache. After a failure the entry stays with undefined contents, because
 * reading ends. */
static enum status load(struct nvs_reader *r, uint32_t section)
{
    struct nvs_packed *packed = &r->packed[section];
    size_t bytes = packed->head.bytes ? packed->head.bytes : 1;

    if (packed->data)
        return ST_OK;
    packed->data = bytes > NVS_BLOB_CACHE_BYTES / 2 ? place_large(r, section, bytes)
                                                    : place_cached(r, section, bytes);
    return packed->data ? nvs_reader_unpack(r, packed->offset, &packed->head, packed->data)
                        : no_memory(r, packed->offset);
}

/* --- Sections --------------------------------------------------------------------------------- */

static struct nvs_blob *add(struct nvs_reader *r, uint32_t n)
{
    struct nvs_blob *blobs = grown(r->blobs, &r->room_blobs, r->n_blobs + n, sizeof(*blobs));

    if (!blobs)
        return NULL;
    r->blobs = blobs;
    return blobs + r->n_blobs;
}

/* Adds the section's blobs to the index. */
static enum status list(struct nvs_reader *r, uint32_t section)
{
    const struct nvs_packed *packed = &r->packed[section];
    const struct nvs_section *head = &packed->head;
    uint64_t at = (uint64_t)head->count * 4;
    struct nvs_blob *blob;

    if (at > head->bytes)
        return nvs_reader_fail(r, ST_DAMAGED, packed->offset, 0, "blob numbers are out of order");
    blob = add(r, head->count);
    if (!blob)
        return no_memory(r, packed->offset);
    for (uint32_t i = 0; i < head->count; i++) {
        uint32_t bytes;

        memcpy(&bytes, packed->data + (size_t)i * 4, 4);
        if (bytes <= NVS_INLINE_BYTES || at > head->bytes || bytes > head->bytes - at)
            return nvs_reader_fail(r, ST_DAMAGED, packed->offset, (uint64_t)i * 4,
                                   "invalid blob length");
        blob[i] = (struct nvs_blob){section, (uint32_t)at, bytes};
        at += ((uint64_t)bytes + 15) & ~(uint64_t)15;
    }
    r->n_blobs += head->count;
    return ST_OK;
}

/* Adds a large blob to the index; it is decompressed on first use. */
static enum status list_large(struct nvs_reader *r, uint32_t section)
{
    const struct nvs_packed *packed = &r->packed[section];
    struct nvs_blob *blob = add(r, 1);

    if (packed->head.count != 1)
        return nvs_reader_fail(r, ST_DAMAGED, packed->offset, 0, "blob numbers are out of order");
    if (!blob)
        return no_memory(r, packed->offset);
    *blob = (struct nvs_blob){section, 0, packed->head.bytes};
    r->n_blobs++;
    return ST_OK;
}

enum status nvs_blobs_add(struct nvs_reader *r, uint64_t offset, const struct nvs_section *head)
{
    struct nvs_packed *packed = grown(r->packed, &r->room_packed, r->n_packed + 1, sizeof(*packed));
    enum status st;

    if (!packed)
        return no_memory(r, offset);
    r->packed = packed;
    if (head->first != r->n_blobs || head->count > NVS_NONE - r->n_blobs)
        return nvs_reader_fail(r, ST_DAMAGED, offset, 0, "blob numbers are out of order");
    packed[r->n_packed++] = (struct nvs_packed){.offset = offset, .head = *head};
    if (head->tag == NVS_LARGE)
        return list_large(r, r->n_packed - 1);
    st = load(r, r->n_packed - 1);
    return st == ST_OK ? list(r, r->n_packed - 1) : st;
}

/* --- Bytes ------------------------------------------------------------------------------------ */

enum status nvs_reader_data(struct nvs_reader *r, struct nvs_record *record)
{
    const struct nvs_blob *blob;
    enum status st;

    if (record->blob == NVS_NONE)
        return ST_OK;
    blob = &r->blobs[record->blob];
    st = load(r, blob->section);
    if (st == ST_OK)
        record->data = r->packed[blob->section].data + blob->at;
    return st;
}

enum status nvs_reader_data_to(struct nvs_reader *r, struct nvs_record *record, uint8_t *to)
{
    const struct nvs_packed *packed =
        record->blob == NVS_NONE ? NULL : &r->packed[r->blobs[record->blob].section];
    enum status st;

    if (packed && packed->head.tag == NVS_LARGE && !packed->data)
        return nvs_reader_unpack(r, packed->offset, &packed->head, to);
    st = nvs_reader_data(r, record);
    if (st == ST_OK && record->data_bytes)
        memcpy(to, record->data, record->data_bytes);
    return st;
}
