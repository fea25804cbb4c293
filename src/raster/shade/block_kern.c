/* Block kernel: interpolates attributes over 8x8 blocks and packs colours to rows (reference:
 * raster/interpolation, raster/perspective, numbers/unorm). */
#include "raster/shade/block_kern.h"

#include "raster/raster_private.h"
#include "util/simd/math.h"

/* Four quads side by side are a row of 16 lanes; a vector is one such row or a part of it. All rows
 * of quads share their distances in x, all quads of a row those in y. A vector of 4 lanes or more
 * holds both rows of pixels. */
enum {
    ROW_LANES = 16,
    ACROSS = ROW_LANES / SIMD_LANES,
    VECTORS = RASTER_LANES / SIMD_LANES,
    DOWN = SIMD_LANES == 1 ? VECTORS : RASTER_LANES / ROW_LANES,
    TOGETHER = VECTORS / DOWN /* vectors that share their y distances */
};

/* Distances from the primitive's anchor. */
struct distances {
    f32v x[ACROSS], y[DOWN];
};

SIMD_INLINE void find_distances(struct distances *d, const struct raster_block *block)
{
    static const _Alignas(64) float right[ROW_LANES] = {0, 1, 0, 1, 2, 3, 2, 3,
                                                        4, 5, 4, 5, 6, 7, 6, 7};
    static const _Alignas(64) float below[ROW_LANES] = {0, 0, 1, 1, 0, 0, 1, 1,
                                                        0, 0, 1, 1, 0, 0, 1, 1};
    f32v anchor_x = f32v_set1(block->prim->anchor_x), anchor_y = f32v_set1(block->prim->anchor_y);

    UNROLL
    for (unsigned i = 0; i < ACROSS; i++) {
        f32v x = f32v_add(f32v_set1(block->x), f32v_load(right + i * SIMD_LANES));

        d->x[i] = f32v_sub(x, anchor_x);
    }
    UNROLL
    for (unsigned i = 0; i < DOWN; i++) {
        unsigned lane = i * TOGETHER * SIMD_LANES;
        float row = block->y + (float)(lane / ROW_LANES * 2);
        f32v y = f32v_add(f32v_set1(row), f32v_load(below + lane % ROW_LANES));

        d->y[i] = f32v_sub(y, anchor_y);
    }
}

/* w NULL: no perspective division. */
SIMD_INLINE void put_plane(const struct raster_interp_plane *plane, const struct distances *d,
                           const f32v *w, float *out)
{
    f32v a = f32v_set1(plane->a0), b = f32v_set1(plane->dadx), c = f32v_set1(plane->dady);
    f32v across[ACROSS];

    UNROLL
    for (unsigned i = 0; i < ACROSS; i++)
        across[i] = f32v_mul(b, d->x[i]);
    UNROLL
    for (unsigned row = 0; row < DOWN; row++) {
        f32v down = f32v_mul(c, d->y[row]);

        UNROLL
        for (unsigned i = 0; i < TOGETHER; i++) {
            unsigned v = row * TOGETHER + i;
            f32v value = f32v_add(a, f32v_add(across[v % ACROSS], down));

            f32v_store(out + v * SIMD_LANES, w ? f32v_mul(value, w[v]) : value);
        }
    }
}

SIMD_INLINE void put_value(float value, float *out)
{
    UNROLL
    for (unsigned v = 0; v < VECTORS; v++)
        f32v_store(out + v * SIMD_LANES, f32v_set1(value));
}

/* w = 1 / rhw of all lanes; a primitive with constant rhw needs one division. */
SIMD_INLINE void find_w(const struct raster_prim *prim, const struct distances *d, f32v *w)
{
    _Alignas(64) float rhw[RASTER_LANES];

    if (prim->affine) {
        for (unsigned v = 0; v < VECTORS; v++)
            w[v] = f32v_rcp(f32v_set1(prim->rhw.a0));
        return;
    }
    put_plane(&prim->rhw, d, NULL, rhw);
    UNROLL
    for (unsigned v = 0; v < VECTORS; v++)
        w[v] = f32v_rcp(f32v_load(rhw + v * SIMD_LANES));
}

static void interpolate(const struct raster_block *block)
{
    const struct raster_prim *prim = block->prim;
    struct distances d;
    f32v w[VECTORS];

    find_distances(&d, block);
    if (block->z)
        put_plane(&prim->z, &d, NULL, block->z);
    if (block->w || !prim->affine)
        find_w(prim, &d, w);
    for (unsigned v = 0; block->w && v < VECTORS; v++)
        f32v_store(block->w + v * SIMD_LANES, w[v]);
    for (unsigned n = 0; n < block->n_attrs; n++) {
        const struct raster_interp_plane *plane = &prim->attr[n];
        float *out = block->work + block->attr[n].slot * RASTER_LANES;

        if (prim->const_attribs >> n & 1) {
            if (block->with_const_attribs)
                put_value(plane->a0, out);
        } else if (!prim->affine && block->attr[n].interp == RASTER_PERSPECTIVE) {
            put_plane(plane, &d, w, out);
        } else {
            put_plane(plane, &d, NULL, out);
        }
    }
}

/* --- Output ----------------------------------------------------------------------------------- */

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
        i32v_store_quad_rows((int32_t *)(void *)rows, (int32_t *)(void *)(rows + pitch), words);
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
        i32v_store_quad_rows((int32_t *)(void *)rows, (int32_t *)(void *)(rows + pitch), quads);
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
        i32v_store_quad_rows((int32_t *)(void *)rows, (int32_t *)(void *)(rows + pitch), quads);
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
#if SIMD_LANES == 16
        _mm256_mask_storeu_epi32(row, (__mmask8)mask, _mm256_load_si256((const __m256i *)from));
#else
        for (unsigned x = 0; x < BLOCK_DIM; x += SIMD_LANES) {
            m32v written = m32v_from_bits((unsigned)(mask >> x) & SIMD_ALL_BITS);

            i32v_storeu(row + x, i32v_select(written, i32v_load(from + x), i32v_loadu(row + x)));
        }
#endif
    }
}

const struct raster_block_kern KERN_NAME(raster_block_kern) = {
    .interpolate = interpolate,
    .pack_rgba8 = pack_rgba8,
    .store_rgba8 = store_rgba8,
    .pack_r32f = pack_r32f,
    .fill = fill,
    .store_masked = store_masked,
};
