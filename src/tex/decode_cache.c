/* Decoded copies of images whose texels cannot be sampled where they are: their memory, and what of
 * it holds texels. decode_on_demand.c says which chunks a batch of samples needs. */
#include "tex/tex_private.h"

#include "util/alloc.h"

#include <sched.h>
#include <string.h>

enum { CHUNK_MISSING, CHUNK_BUSY, CHUNK_DONE };
enum { LARGE_ROW = 256, READABLE_PAST_END = 64 };
/* Samplers address words of 32 bits with signed 32-bit indices. */
static const uint64_t MAX_BYTES = (UINT64_C(1) << 32) - 4096;

/* --- Layout ----------------------------------------------------------------------------------- */

static uint32_t chunks_along(uint32_t texels)
{
    return (texels + TEX_CHUNK - 1) / TEX_CHUNK;
}

static uint32_t level_count(const struct tex_image *image)
{
    return image->faces * image->desc.levels;
}

/* Blocks end inside a level's memory: at most 4 texels a side. */
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

static bool lay_out(struct tex_shadow *shadow, uint64_t *bytes, size_t *chunks)
{
    const struct tex_image *image = shadow->image;
    uint64_t face_bytes = 0;

    *bytes = 0;
    *chunks = 0;
    for (uint32_t i = 0; i < level_count(image); i++) {
        const struct tex_level *from = &image->level[i];
        struct tex_chunks *c = &shadow->chunks[i];

        if (i == image->desc.levels)
            face_bytes = *bytes;
        shadow->level[i].data = NULL;
        *bytes += lay_out_level(&shadow->level[i], from, shadow->format->bytes);
        c->across = chunks_along(from->width);
        c->down = chunks_along(from->height);
        c->slices = from->depth;
        *chunks += (size_t)c->across * c->down * c->slices;
    }
    shadow->face_words = (int32_t)(face_bytes / 4);
    return *bytes <= MAX_BYTES && *bytes + READABLE_PAST_END <= SIZE_MAX;
}

static void place(struct tex_shadow *shadow)
{
    uint8_t *data = shadow->memory;
    atomic_uchar *state = shadow->states;

    for (uint32_t i = 0; i < level_count(shadow->image); i++) {
        struct tex_level *level = &shadow->level[i];
        struct tex_chunks *c = &shadow->chunks[i];

        level->data = data;
        data += (size_t)level->slice_pitch * level->depth;
        c->state = state;
        state += (size_t)c->across * c->down * c->slices;
    }
}

static enum status allocate(struct tex_shadow *shadow)
{
    uint32_t n = level_count(shadow->image);
    uint64_t bytes;
    size_t chunks;

    shadow->level = mem_calloc(n, sizeof(*shadow->level));
    shadow->chunks = mem_calloc(n, sizeof(*shadow->chunks));
    if (!shadow->level || !shadow->chunks || !lay_out(shadow, &bytes, &chunks))
        return ST_NOMEM;
    shadow->states = mem_calloc(chunks, sizeof(*shadow->states));
    shadow->memory = mem_calloc(1, (size_t)bytes + READABLE_PAST_END);
    if (!shadow->states || !shadow->memory)
        return ST_NOMEM;
    place(shadow);
    return ST_OK;
}

void tex_shadow_destroy(struct tex_shadow *shadow)
{
    if (!shadow)
        return;
    mem_free(shadow->states);
    mem_free(shadow->memory);
    mem_free(shadow->chunks);
    mem_free(shadow->level);
    mem_free(shadow);
}

static enum status create_shadow(struct tex_image *image)
{
    struct tex_shadow *shadow = mem_calloc(1, sizeof(*shadow));
    enum status st;

    if (!shadow)
        return ST_NOMEM;
    shadow->image = image;
    shadow->format =
        tex_format_get(tex_row_is_argb(image->format) ? D3DFMT_A8R8G8B8 : D3DFMT_A32B32G32R32F);
    st = allocate(shadow);
    if (st != ST_OK) {
        tex_shadow_destroy(shadow);
        return st;
    }
    image->shadow = shadow;
    return ST_OK;
}

/* --- Changes ---------------------------------------------------------------------------------- */

static void forget_level(struct tex_chunks *c)
{
    unsigned n = c->across * c->down * c->slices;

    memset((void *)c->state, CHUNK_MISSING, n);
    atomic_store_explicit(&c->missing, n, memory_order_relaxed);
}

/* Those that have texels of the box. */
static void forget_box(struct tex_shadow *shadow, struct tex_chunks *c)
{
    const struct tex_box *box = &c->changed;
    uint32_t x1 = chunks_along(box->x1), y1 = chunks_along(box->y1);
    unsigned forgotten = 0, before;

    for (uint32_t z = box->z0; z < box->z1 && z < c->slices; z++) {
        for (uint32_t y = box->y0 / TEX_CHUNK; y < y1 && y < c->down; y++) {
            for (uint32_t x = box->x0 / TEX_CHUNK; x < x1 && x < c->across; x++) {
                atomic_uchar *state = &c->state[((size_t)z * c->down + y) * c->across + x];

                forgotten += atomic_load_explicit(state, memory_order_relaxed) == CHUNK_DONE;
                atomic_store_explicit(state, CHUNK_MISSING, memory_order_relaxed);
            }
        }
    }
    before = atomic_fetch_add_explicit(&c->missing, forgotten, memory_order_relaxed);
    if (!before && forgotten)
        atomic_fetch_add_explicit(&shadow->missing, 1, memory_order_relaxed);
}

static void forget_all(struct tex_shadow *shadow)
{
    uint32_t n = level_count(shadow->image);

    for (uint32_t i = 0; i < n; i++)
        forget_level(&shadow->chunks[i]);
    atomic_store_explicit(&shadow->missing, n, memory_order_relaxed);
}

enum status tex_shadow_update(struct tex_image *image)
{
    struct tex_shadow *shadow;

    if (!image->shadow) {
        enum status st = create_shadow(image);

        if (st != ST_OK)
            return st;
    }
    shadow = image->shadow;
    if (shadow->version == image->version)
        return ST_OK;
    for (uint32_t i = 0; i < level_count(image); i++) {
        struct tex_chunks *c = &shadow->chunks[i];

        if (shadow->noted == image->version && c->changed.x0 < c->changed.x1)
            forget_box(shadow, c);
        c->changed = (struct tex_box){0};
    }
    if (shadow->noted != image->version)
        forget_all(shadow);
    shadow->version = shadow->noted = image->version;
    return ST_OK;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}
static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

void tex_shadow_note(struct tex_shadow *shadow, uint32_t level, const struct tex_box *box)
{
    struct tex_box *c = &shadow->chunks[level].changed;

    if (shadow->noted != shadow->image->version)
        return; /* something changed that is not known: all will be forgotten */
    if (c->x0 >= c->x1)
        *c = *box;
    *c = (struct tex_box){smaller(c->x0, box->x0), smaller(c->y0, box->y0), smaller(c->z0, box->z0),
                          larger(c->x1, box->x1),  larger(c->y1, box->y1),  larger(c->z1, box->z1)};
    shadow->noted++;
}

/* --- Decoding --------------------------------------------------------------------------------- */

static void decode_row_floats(const struct tex_format *format, const struct tex_level *from,
                              uint8_t *out, uint32_t x, uint32_t y, uint32_t z, uint32_t n)
{
    _Alignas(64) float memory[4][TEX_LANES];
    float *const rgba[4] = {memory[0], memory[1], memory[2], memory[3]};

    _Static_assert((int)TEX_CHUNK == (int)TEX_LANES, "a chunk's row is decoded at once");
    tex_read_row(format, from, x, y, z, n, rgba);
    for (uint32_t i = 0; i < n; i++, out += 16)
        for (int c = 0; c < 4; c++)
            memcpy(out + 4 * c, &memory[c][i], 4);
}

/* n blocks of one or four rows, whole ones also where they reach past the end; a program's own may
 * lie at any address. */
static void decode_blocks(const struct tex_format *format, const uint8_t *block, uint32_t n,
                          uint8_t *out, uint32_t pitch)
{
    uint32_t aligned[TEX_CHUNK];
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

static void decode_chunk(const struct tex_shadow *shadow, uint32_t level, uint32_t cx, uint32_t cy,
                         uint32_t z)
{
    const struct tex_format *format = shadow->image->format;
    const struct tex_level *from = &shadow->image->level[level], *to = &shadow->level[level];
    uint32_t x = cx * TEX_CHUNK, y = cy * TEX_CHUNK, bytes = shadow->format->bytes;
    uint32_t columns = from->width - x < TEX_CHUNK ? from->width - x : TEX_CHUNK;
    uint32_t rows = from->height - y < TEX_CHUNK ? from->height - y : TEX_CHUNK;
    uint8_t *out =
        to->data + (size_t)z * to->slice_pitch + (size_t)y * to->row_pitch + (size_t)x * bytes;
    bool blocks = format->layout == TEX_LAYOUT_BLOCK || format->layout == TEX_LAYOUT_YUV;

    for (uint32_t step = format->block_h, end = y + rows; y < end;
         y += step, out += (size_t)step * to->row_pitch) {
        if (blocks)
            decode_blocks(format, tex_level_at(from, format, x, y, z),
                          (columns + format->block_w - 1) / format->block_w, out, to->row_pitch);
        else if (bytes == 4)
            tex_read_row_argb(format, from, x, y, z, columns, (uint32_t *)(void *)out, NULL);
        else
            decode_row_floats(format, from, out, x, y, z, columns);
    }
}

static void wait_for(atomic_uchar *state)
{
    while (atomic_load_explicit(state, memory_order_acquire) != CHUNK_DONE)
        sched_yield(); /* another thread is at it: microseconds */
}

void tex_shadow_need(struct tex_shadow *shadow, uint32_t level, uint32_t cx, uint32_t cy,
                     uint32_t cz)
{
    struct tex_chunks *c = &shadow->chunks[level];
    atomic_uchar *state = &c->state[((size_t)cz * c->down + cy) * c->across + cx];
    unsigned char was = atomic_load_explicit(state, memory_order_acquire);

    if (was == CHUNK_DONE)
        return;
    if (was == CHUNK_BUSY ||
        !atomic_compare_exchange_strong_explicit(state, &was, CHUNK_BUSY, memory_order_acquire,
                                                 memory_order_acquire)) {
        wait_for(state);
        return;
    }
    decode_chunk(shadow, level, cx, cy, cz);
    atomic_store_explicit(state, CHUNK_DONE, memory_order_release);
    if (atomic_fetch_sub_explicit(&c->missing, 1, memory_order_acq_rel) == 1)
        atomic_fetch_sub_explicit(&shadow->missing, 1, memory_order_acq_rel);
}

void tex_shadow_need_all(struct tex_shadow *shadow)
{
    for (uint32_t i = 0; i < level_count(shadow->image); i++) {
        const struct tex_chunks *c = &shadow->chunks[i];

        for (uint32_t z = 0; z < c->slices; z++)
            for (uint32_t y = 0; y < c->down; y++)
                for (uint32_t x = 0; x < c->across; x++)
                    tex_shadow_need(shadow, i, x, y, z);
    }
}

/* As many looks as LOOKS take as long as to decode a chunk does, so that this at most doubles what
 * has been spent on either. Of larger levels some parts may never be used, which is memory. The
 * counts need not be exact: threads may overwrite each other's. */
void tex_shadow_look(struct tex_shadow *shadow, uint32_t level)
{
    enum { LOOKS = 64, SMALL = 256 };
    struct tex_chunks *c = &shadow->chunks[level];
    unsigned n = c->across * c->down * c->slices, next;
    unsigned looks = atomic_load_explicit(&c->looks, memory_order_relaxed) + 1;

    if (n > SMALL)
        return;
    atomic_store_explicit(&c->looks, looks, memory_order_relaxed);
    if (looks % LOOKS)
        return;
    next = atomic_load_explicit(&c->next, memory_order_relaxed);
    for (unsigned i = 0; i < n; i++, next++) {
        if (next >= n)
            next = 0;
        if (atomic_load_explicit(&c->state[next], memory_order_relaxed) != CHUNK_MISSING)
            continue;
        tex_shadow_need(shadow, level, next % c->across, next / c->across % c->down,
                        next / c->across / c->down);
        break;
    }
    atomic_store_explicit(&c->next, next, memory_order_relaxed);
}
