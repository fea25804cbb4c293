/* Decode cache: decoded copies of images whose format cannot be sampled in place, decoded page by
 * page (64x64 texels). decode_on_demand.c computes the pages that a batch needs. */
#include "tex/cache/decode_cache.h"

#include "tex/codec/codec.h"

#include "util/alloc.h"
#include "util/min_max.h"

#include <sched.h>
#include <string.h>

enum { LARGE_ROW = 256, READABLE_PAST_END = 64 };
/* Samplers address 32-bit words with signed 32-bit indices. */
static const uint64_t MAX_BYTES = (UINT64_C(1) << 32) - 4096;

/* --- Layout ----------------------------------------------------------------------------------- */

static uint32_t pages_along(uint32_t texels)
{
    return (texels + TEX_DECODE_PAGE - 1) / TEX_DECODE_PAGE;
}

static uint32_t level_count(const struct tex_image *image)
{
    return image->faces * image->desc.levels;
}

/* Lays out a level and returns its size. Sides are multiples of 4, because a decoded block must end
 * inside the level's memory and has at most 4 texels per side. */
static uint64_t lay_out_level(struct tex_level *to, const struct tex_level *from, uint32_t bytes)
{
    uint32_t width = (from->width + 3) & ~3u, height = (from->height + 3) & ~3u;
    uint64_t slice;

    to->width = from->width;
    to->height = from->height;
    to->depth = from->depth;
    to->row_pitch = (width + (width < LARGE_ROW ? 4 : 16)) * bytes;
    slice = (uint64_t)to->row_pitch * height;
    to->slice_pitch = (uint32_t)slice;
    return slice * from->depth;
}

static bool lay_out(struct tex_decode_cache *cache, uint64_t *bytes, size_t *pages)
{
    const struct tex_image *image = cache->image;
    uint64_t face_bytes = 0;

    *bytes = 0;
    *pages = 0;
    for (uint32_t i = 0; i < level_count(image); i++) {
        const struct tex_level *from = &image->level[i];
        struct tex_decode_pages *c = &cache->pages[i];

        if (i == image->desc.levels)
            face_bytes = *bytes;
        cache->level[i].data = NULL;
        *bytes += lay_out_level(&cache->level[i], from, cache->format->bytes);
        c->across = pages_along(from->width);
        c->down = pages_along(from->height);
        c->slices = from->depth;
        *pages += (size_t)c->across * c->down * c->slices;
    }
    cache->face_pitch = (int32_t)(face_bytes / 4);
    return *bytes <= MAX_BYTES && *bytes + READABLE_PAST_END <= SIZE_MAX;
}

static void assign_memory(struct tex_decode_cache *cache)
{
    uint8_t *data = cache->memory;
    atomic_uchar *state = cache->states;

    for (uint32_t i = 0; i < level_count(cache->image); i++) {
        struct tex_level *level = &cache->level[i];
        struct tex_decode_pages *c = &cache->pages[i];

        level->data = data;
        data += (size_t)level->slice_pitch * level->depth;
        c->state = state;
        state += (size_t)c->across * c->down * c->slices;
    }
}

static enum status allocate(struct tex_decode_cache *cache)
{
    uint32_t n = level_count(cache->image);
    uint64_t bytes;
    size_t pages;

    cache->level = mem_calloc(n, sizeof(*cache->level));
    cache->pages = mem_calloc(n, sizeof(*cache->pages));
    if (!cache->level || !cache->pages || !lay_out(cache, &bytes, &pages))
        return ST_NOMEM;
    cache->states = mem_calloc(pages, sizeof(*cache->states));
    cache->memory = mem_calloc(1, (size_t)bytes + READABLE_PAST_END);
    if (!cache->states || !cache->memory)
        return ST_NOMEM;
    assign_memory(cache);
    return ST_OK;
}

static void destroy(struct tex_image_copy *copy)
{
    struct tex_decode_cache *cache = (struct tex_decode_cache *)copy;

    mem_free(cache->states);
    mem_free(cache->memory);
    mem_free(cache->pages);
    mem_free(cache->level);
    mem_free(cache);
}

/* --- Invalidation ----------------------------------------------------------------------------- */

/* Records that the image, at its current version, is about to change inside this box of a level. */
static void mark_dirty(struct tex_image_copy *copy, uint32_t level, const struct tex_box *box)
{
    struct tex_decode_cache *cache = (struct tex_decode_cache *)copy;
    struct tex_box *dirty = &cache->pages[level].dirty;

    if (cache->dirty_version != cache->image->version)
        return; /* an untracked change happened: the update invalidates everything */
    if (dirty->x0 >= dirty->x1)
        *dirty = *box;
    *dirty = (struct tex_box){min_u32(dirty->x0, box->x0), min_u32(dirty->y0, box->y0),
                              min_u32(dirty->z0, box->z0), max_u32(dirty->x1, box->x1),
                              max_u32(dirty->y1, box->y1), max_u32(dirty->z1, box->z1)};
    cache->dirty_version++;
}

static void invalidate_level(struct tex_decode_pages *c)
{
    unsigned n = c->across * c->down * c->slices;

    memset((void *)c->state, TEX_PAGE_UNDECODED, n);
    atomic_store_explicit(&c->undecoded, n, memory_order_relaxed);
}

/* Invalidates the pages that intersect the dirty region. */
static void invalidate_dirty(struct tex_decode_cache *cache, struct tex_decode_pages *c)
{
    const struct tex_box *box = &c->dirty;
    uint32_t x1 = pages_along(box->x1), y1 = pages_along(box->y1);
    unsigned invalidated = 0, before;

    for (uint32_t z = box->z0; z < box->z1 && z < c->slices; z++) {
        for (uint32_t y = box->y0 / TEX_DECODE_PAGE; y < y1 && y < c->down; y++) {
            for (uint32_t x = box->x0 / TEX_DECODE_PAGE; x < x1 && x < c->across; x++) {
                atomic_uchar *state = &c->state[((size_t)z * c->down + y) * c->across + x];

                invalidated +=
                    atomic_load_explicit(state, memory_order_relaxed) == TEX_PAGE_DECODED;
                atomic_store_explicit(state, TEX_PAGE_UNDECODED, memory_order_relaxed);
            }
        }
    }
    before = atomic_fetch_add_explicit(&c->undecoded, invalidated, memory_order_relaxed);
    if (!before && invalidated)
        atomic_fetch_add_explicit(&cache->undecoded, 1, memory_order_relaxed);
}

static void invalidate_all(struct tex_decode_cache *cache)
{
    uint32_t n = level_count(cache->image);

    for (uint32_t i = 0; i < n; i++)
        invalidate_level(&cache->pages[i]);
    atomic_store_explicit(&cache->undecoded, n, memory_order_relaxed);
}

static enum status create_cache(struct tex_image *image)
{
    struct tex_decode_cache *cache = mem_calloc(1, sizeof(*cache));
    enum status st;

    if (!cache)
        return ST_NOMEM;
    cache->copy = (struct tex_image_copy){.destroy = destroy, .mark_dirty = mark_dirty};
    cache->image = image;
    cache->format = tex_format_get(
        tex_row_is_argb(image->format) || tex_has_byte_codes(image->format) ? D3DFMT_A8R8G8B8
                                                                            : D3DFMT_A32B32G32R32F);
    st = allocate(cache);
    if (st != ST_OK) {
        destroy(&cache->copy);
        return st;
    }
    image->decode_cache = cache;
    return ST_OK;
}

enum status tex_decode_cache_update(struct tex_image *image)
{
    struct tex_decode_cache *cache;

    if (!image->decode_cache) {
        enum status st = create_cache(image);

        if (st != ST_OK)
            return st;
    }
    cache = image->decode_cache;
    if (cache->version == image->version)
        return ST_OK;
    atomic_store_explicit(&cache->idle, false, memory_order_relaxed);
    for (uint32_t i = 0; i < level_count(image); i++) {
        struct tex_decode_pages *c = &cache->pages[i];

        if (cache->dirty_version == image->version && c->dirty.x0 < c->dirty.x1)
            invalidate_dirty(cache, c);
        c->dirty = (struct tex_box){0};
    }
    if (cache->dirty_version != image->version)
        invalidate_all(cache);
    cache->version = cache->dirty_version = image->version;
    return ST_OK;
}

/* --- Decoding --------------------------------------------------------------------------------- */

static void decode_row_floats(const struct tex_format *format, const struct tex_level *from,
                              uint8_t *out, uint32_t x, uint32_t y, uint32_t z, uint32_t n)
{
    _Alignas(64) float memory[4][TEX_LANES];
    float *const rgba[4] = {memory[0], memory[1], memory[2], memory[3]};

    _Static_assert((int)TEX_DECODE_PAGE == (int)TEX_LANES, "a page's row is decoded at once");
    tex_read_row(format, from, x, y, z, n, rgba);
    for (uint32_t i = 0; i < n; i++, out += 16)
        for (int c = 0; c < 4; c++)
            memcpy(out + 4 * c, &memory[c][i], 4);
}

/* Decodes n blocks of one or four rows, in full even if they reach past the edge. Blocks in user
 * memory may be unaligned. */
static void decode_blocks(const struct tex_format *format, const uint8_t *block, uint32_t n,
                          uint8_t *out, uint32_t pitch)
{
    uint32_t aligned[TEX_DECODE_PAGE];
    const uint32_t *in = (const uint32_t *)(const void *)block;
    uint32_t *argb = (uint32_t *)(void *)out;

    if ((uintptr_t)block % 4) {
        memcpy(aligned, block, (size_t)n * format->bytes);
        in = aligned;
    }
    if (format->layout == TEX_LAYOUT_YUV)
        tex_yuv_decoder(format)(in, n, argb);
    else
        tex_blocks_decoder(format)(in, n, argb, pitch / 4);
}

static void decode_page(const struct tex_decode_cache *cache, uint32_t level, uint32_t page_x,
                        uint32_t page_y, uint32_t z)
{
    const struct tex_format *format = cache->image->format;
    const struct tex_level *from = &cache->image->level[level], *to = &cache->level[level];
    uint32_t x = page_x * TEX_DECODE_PAGE, y = page_y * TEX_DECODE_PAGE;
    uint32_t bytes = cache->format->bytes;
    uint32_t columns = from->width - x < TEX_DECODE_PAGE ? from->width - x : TEX_DECODE_PAGE;
    uint32_t rows = from->height - y < TEX_DECODE_PAGE ? from->height - y : TEX_DECODE_PAGE;
    uint8_t *out =
        to->data + (size_t)z * to->slice_pitch + (size_t)y * to->row_pitch + (size_t)x * bytes;
    bool blocks = format->layout == TEX_LAYOUT_BLOCK || format->layout == TEX_LAYOUT_YUV;

    for (uint32_t step = format->block_h, end = y + rows; y < end;
         y += step, out += (size_t)step * to->row_pitch) {
        if (blocks)
            decode_blocks(format, tex_level_at(from, format, x, y, z),
                          (columns + format->block_w - 1) / format->block_w, out, to->row_pitch);
        else if (tex_has_byte_codes(format))
            tex_read_row_codes(format, from, x, y, z, columns, (uint32_t *)(void *)out);
        else if (bytes == 4)
            tex_read_row_argb(format, from, x, y, z, columns, (uint32_t *)(void *)out, NULL);
        else
            decode_row_floats(format, from, out, x, y, z, columns);
    }
}

static void wait_until_decoded(atomic_uchar *state)
{
    while (atomic_load_explicit(state, memory_order_acquire) != TEX_PAGE_DECODED)
        sched_yield(); /* another thread is decoding the page; takes microseconds */
}

void tex_decode_cache_require(struct tex_decode_cache *cache, uint32_t level, uint32_t page_x,
                              uint32_t page_y, uint32_t page_z)
{
    struct tex_decode_pages *c = &cache->pages[level];
    atomic_uchar *state = &c->state[((size_t)page_z * c->down + page_y) * c->across + page_x];
    unsigned char was = atomic_load_explicit(state, memory_order_acquire);

    if (was == TEX_PAGE_DECODED)
        return;
    if (was == TEX_PAGE_DECODING ||
        !atomic_compare_exchange_strong_explicit(state, &was, TEX_PAGE_DECODING,
                                                 memory_order_acquire, memory_order_acquire)) {
        wait_until_decoded(state);
        return;
    }
    decode_page(cache, level, page_x, page_y, page_z);
    atomic_store_explicit(state, TEX_PAGE_DECODED, memory_order_release);
    if (atomic_fetch_sub_explicit(&c->undecoded, 1, memory_order_acq_rel) == 1)
        atomic_fetch_sub_explicit(&cache->undecoded, 1, memory_order_acq_rel);
}

void tex_decode_cache_require_all(struct tex_decode_cache *cache)
{
    for (uint32_t i = 0; i < level_count(cache->image); i++) {
        const struct tex_decode_pages *c = &cache->pages[i];

        for (uint32_t z = 0; z < c->slices; z++)
            for (uint32_t y = 0; y < c->down; y++)
                for (uint32_t x = 0; x < c->across; x++)
                    tex_decode_cache_require(cache, i, x, y, z);
    }
}

/* --- Completion ------------------------------------------------------------------------------- */

bool tex_decode_cache_is_complete(const struct tex_decode_cache *cache, uint32_t first_level,
                                  uint32_t last_level)
{
    uint32_t levels = cache->image->desc.levels;

    if (!atomic_load_explicit(&cache->undecoded, memory_order_acquire))
        return true;
    for (uint32_t face = 0; face < cache->image->faces; face++)
        for (uint32_t i = first_level; i <= last_level; i++)
            if (atomic_load_explicit(&cache->pages[face * levels + i].undecoded,
                                     memory_order_acquire))
                return false;
    return true;
}

/* HITS_PER_PREFETCH page checks take as long as decoding one page, so prefetching at most doubles
 * the cost. Large levels are excluded: parts of them may never be used, and prefetching would waste
 * memory. Counters need not be exact; threads may overwrite each other's updates. */
enum { HITS_PER_PREFETCH = 64, MAX_PREFETCH_PAGES = 256 };

/* Decodes one more page of a level. Returns false if there is none, or if the level is large. */
static bool prefetch(struct tex_decode_cache *cache, uint32_t level)
{
    struct tex_decode_pages *c = &cache->pages[level];
    unsigned n = c->across * c->down * c->slices, next;

    if (n > MAX_PREFETCH_PAGES || !atomic_load_explicit(&c->undecoded, memory_order_relaxed))
        return false;
    next = atomic_load_explicit(&c->next_prefetch, memory_order_relaxed);
    for (unsigned i = 0; i < n; i++, next++) {
        if (next >= n)
            next = 0;
        if (atomic_load_explicit(&c->state[next], memory_order_relaxed) != TEX_PAGE_UNDECODED)
            continue;
        tex_decode_cache_require(cache, level, next % c->across, next / c->across % c->down,
                                 next / c->across / c->down);
        break;
    }
    atomic_store_explicit(&c->next_prefetch, next, memory_order_relaxed);
    return true;
}

void tex_decode_cache_hit(struct tex_decode_cache *cache, uint32_t level)
{
    unsigned hits = atomic_load_explicit(&cache->hits, memory_order_relaxed) + 1;

    if (atomic_load_explicit(&cache->idle, memory_order_relaxed))
        return;
    atomic_store_explicit(&cache->hits, hits, memory_order_relaxed);
    if (hits % HITS_PER_PREFETCH || prefetch(cache, level))
        return;
    for (uint32_t i = 0; i < level_count(cache->image); i++)
        if (prefetch(cache, i))
            return;
    atomic_store_explicit(&cache->idle, true, memory_order_relaxed);
}
