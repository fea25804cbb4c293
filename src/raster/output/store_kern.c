/* Store kernel: packs lanes to pixels and stores them to rows of a block or to the pixels of
 * fragments (reference: numbers/unorm). */
#include "raster/output/store_kern.h"

#include "raster/output/frag_words.h"

#include "util/simd/rows.h"

#include <string.h>

/* Four quads side by side are a row of 16 lanes; a vector is one such row or a part of it. */
enum { ROW_LANES = 16, ACROSS = ROW_LANES / SIMD_LANES };

/* Rounds to nearest in 0 … 255, halves up; saturates above. Values below 0 may stay negative. NaN
 * becomes the minimum integer, which is negative too. */
SIMD_INLINE i32v encode_unorm8(const float *value)
{
    f32v scaled = f32v_mul(f32v_min(f32v_set1(1.0f), f32v_load(value)), f32v_set1(255.0f));

    return f32v_to_i32_trunc(f32v_add(scaled, f32v_set1(0.5f)));
}

SIMD_INLINE void put_rows(uint8_t *rows, size_t pitch, const float *const from[4], bool opaque)
{
    /* tells the compiler that stores to rows do not alias the pointers */
    const float *channel[4] = {from[0], from[1], from[2], from[3]};

    for (unsigned lane = 0; lane < RASTER_LANES; lane += ROW_LANES, rows += 2 * pitch) {
        i32v words[ACROSS];

        UNROLL
        for (unsigned i = 0; i < ACROSS; i++) {
            unsigned at = lane + i * SIMD_LANES;

            words[i] =
                i32v_pack_bytes(encode_unorm8(channel[0] + at), encode_unorm8(channel[1] + at),
                                encode_unorm8(channel[2] + at),
                                opaque ? i32v_set1(255) : encode_unorm8(channel[3] + at));
        }
        i32v_store_quad_rows(rows, rows + pitch, words);
    }
}

static void pack_rgba8(uint8_t *rows, size_t pitch, const float *const from[4])
{
    if (from[3])
        put_rows(rows, pitch, from, false);
    else
        put_rows(rows, pitch, from, true);
}

static void store_rgba8(uint8_t *rows, size_t pitch, const uint32_t *words, uint32_t set)
{
    const int32_t *from = (const int32_t *)words;

    for (unsigned lane = 0; lane < RASTER_LANES; lane += ROW_LANES, rows += 2 * pitch) {
        i32v quads[ACROSS];

        UNROLL
        for (unsigned i = 0; i < ACROSS; i++)
            quads[i] = i32v_or(i32v_load(from + lane + i * SIMD_LANES), i32v_set1((int32_t)set));
        i32v_store_quad_rows(rows, rows + pitch, quads);
    }
}

/* Canonical NaN; denormals become zeros of their sign. */
SIMD_INLINE i32v canonical_float(i32v bits)
{
    i32v magnitude = i32v_and(bits, i32v_set1(INT32_MAX));
    m32v denormal = i32v_lt(magnitude, i32v_set1(0x00800000));

    bits = i32v_select(denormal, i32v_sub(bits, magnitude), bits);
    return i32v_select(i32v_lt(i32v_set1(0x7f800000), magnitude), i32v_set1(0x7fc00000), bits);
}

static void pack_r32f(uint8_t *rows, size_t pitch, const float *from)
{
    const int32_t *bits = (const int32_t *)(const void *)from;

    for (unsigned lane = 0; lane < RASTER_LANES; lane += ROW_LANES, rows += 2 * pitch) {
        i32v quads[ACROSS];

        UNROLL
        for (unsigned i = 0; i < ACROSS; i++)
            quads[i] = canonical_float(i32v_load(bits + lane + i * SIMD_LANES));
        i32v_store_quad_rows(rows, rows + pitch, quads);
    }
}

static void fill(uint8_t *rows, size_t pitch, unsigned width, unsigned height, uint32_t word)
{
    i32v words = i32v_set1((int32_t)word);
    uint32_t eight[8];

    for (unsigned i = 0; i < 8; i++)
        eight[i] = word;
    for (unsigned y = 0; y < height; y++, rows += pitch) {
        unsigned x = 0;

        for (; x + SIMD_LANES <= width; x += SIMD_LANES)
            i32v_storeu((int32_t *)(void *)rows + x, words);
        for (; x < width; x += 8)
            memcpy(rows + (size_t)x * 4, eight, sizeof(eight));
    }
}

static void store_masked(uint8_t *rows, size_t pitch, const uint8_t *words, uint64_t mask)
{
    const int32_t *from = (const int32_t *)(const void *)words;

    for (unsigned y = 0; y < BLOCK_DIM; y++, rows += pitch, from += BLOCK_DIM, mask >>= BLOCK_DIM) {
        int32_t *row = (int32_t *)(void *)rows;

        if ((mask & 0xff) == 0xff) {
            memcpy(row, from, BLOCK_DIM * 4);
            continue;
        }
        simd_store_eight(row, from, (unsigned)mask & 0xff);
    }
}

static void store_fragments(const struct frag_batch *frags, const struct tile_surface *surface,
                            const uint32_t *words)
{
    _Alignas(64) int32_t at[RASTER_LANES];

    for (unsigned lane = 0; lane < frags->n; lane += SIMD_LANES)
        i32v_store(at + lane, raster_frag_offsets(frags, surface, lane, sizeof(*words)));
    raster_put_words((int32_t *)(void *)surface->base, at, (const int32_t *)words, frags->n);
}

const struct raster_store_kern KERN_NAME(raster_store_kern) = {
    .pack_rgba8 = pack_rgba8,
    .store_rgba8 = store_rgba8,
    .pack_r32f = pack_r32f,
    .fill = fill,
    .store_masked = store_masked,
    .store_fragments = store_fragments,
};
