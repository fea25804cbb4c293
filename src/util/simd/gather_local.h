/* Local gather: replaces a gather of nearby words with two vector loads and a permutation.
 *
 * Lanes are the pixels of 2x2 quads side by side. In axis-aligned sampling the upper pixels read a
 * few neighbouring words, and so do the lower ones. With 8 lanes this pays only if several textures
 * share the analysis of the indices; with fewer lanes never. Included by kernels. */
#ifndef UTIL_SIMD_GATHER_LOCAL_H
#define UTIL_SIMD_GATHER_LOCAL_H

#include "util/simd/simd.h"

#include <stdbool.h>

/* Prefetches the words that the block of pixels two blocks to the right reads. Screen-sized
 * textures come from memory, but kernels read only a few words per row at a time, which hardware
 * prefetch does not predict. */
static inline void simd_prefetch_ahead(const int32_t *words, int32_t words_per_pixel)
{
    __builtin_prefetch(words + 16 * words_per_pixel);
}

#if SIMD_LANES >= 8

/* Two vectors of words, and the permutation that selects each lane's word from them. */
struct simd_local {
    int32_t above, below; /* index of the first word for the upper and for the lower pixels */
    i32v order;           /* offset of each lane's word from its row's first one */
};

static inline int32_t simd_min_i32(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

#endif

#if SIMD_LANES == 16

/* Analyses the indices i. Returns false if a word, or the one after it, is out of reach. Rows may
 * run in either direction, so a row's least index is in its first or its last lane. */
SIMD_INLINE bool simd_find_local(struct simd_local *c, const int32_t *i)
{
    const i32v first = _mm512_set4_epi32(2, 2, 0, 0), last = _mm512_set4_epi32(15, 15, 13, 13);
    const i32v row = _mm512_set4_epi32(16, 16, 0, 0);
    i32v index = i32v_load(i), distance;

    distance = i32v_sub(index, i32v_min(_mm512_permutexvar_epi32(first, index),
                                        _mm512_permutexvar_epi32(last, index)));
    c->above = simd_min_i32(i[0], i[13]);
    c->below = simd_min_i32(i[2], i[15]);
    c->order = i32v_or(distance, row);
    return !_mm512_cmpgt_epu32_mask(distance, i32v_set1(14));
}
static inline i32v simd_local_words(const int32_t *base, const struct simd_local *c)
{
    simd_prefetch_ahead(base + c->above, 1);
    simd_prefetch_ahead(base + c->below, 1);
    return _mm512_permutex2var_epi32(i32v_loadu(base + c->above), c->order,
                                     i32v_loadu(base + c->below));
}
SIMD_INLINE void simd_local_pairs(const int32_t *base, const struct simd_local *c, i32v *first,
                                  i32v *second)
{
    i32v above = i32v_loadu(base + c->above), below = i32v_loadu(base + c->below);

    *first = _mm512_permutex2var_epi32(above, c->order, below);
    *second = _mm512_permutex2var_epi32(above, i32v_add(c->order, i32v_set1(1)), below);
}

#elif SIMD_LANES == 8

/* Mask of the lanes of lower pixels. */
enum { SIMD_BELOW = 0xcc };

/* Analyses the indices i. Returns false if a word is out of reach. Rows may run in either
 * direction, as above. */
SIMD_INLINE bool simd_find_local(struct simd_local *c, const int32_t *i)
{
    const i32v beyond = i32v_set1(~7);

    c->above = simd_min_i32(i[0], i[5]);
    c->below = simd_min_i32(i[2], i[7]);
    c->order = i32v_sub(i32v_load(i), simde_mm256_blend_epi32(i32v_set1(c->above),
                                                              i32v_set1(c->below), SIMD_BELOW));
    return simde_mm256_testz_si256(c->order, beyond);
}
static inline i32v simd_local_words(const int32_t *base, const struct simd_local *c)
{
    i32v above = i32v_loadu(base + c->above), below = i32v_loadu(base + c->below);

    simd_prefetch_ahead(base + c->above, 1);
    simd_prefetch_ahead(base + c->below, 1);
    return simde_mm256_blend_epi32(simde_mm256_permutevar8x32_epi32(above, c->order),
                                   simde_mm256_permutevar8x32_epi32(below, c->order), SIMD_BELOW);
}

#endif

#if SIMD_LANES > 1

/* Loads word pairs if they are consecutive for the upper pixels of quads and for the lower ones, as
 * two-word texels are at one texel per pixel. Otherwise returns false. */
SIMD_INLINE bool simd_load_contiguous_pairs(const int32_t *base, const int32_t *i, i32v *first,
                                            i32v *second)
{
    static const _Alignas(64) int32_t along[16] = {0, 2,  0, 2,  4,  6,  4,  6,
                                                   8, 10, 8, 10, 12, 14, 12, 14};
    static const _Alignas(64) int32_t lower[16] = {0, 0, -1, -1, 0, 0, -1, -1,
                                                   0, 0, -1, -1, 0, 0, -1, -1};
    i32v want, down;
    f32v above, below;

    down = i32v_and(i32v_set1(i[2] - i[0]), i32v_load(lower));
    want = i32v_add(i32v_add(i32v_set1(i[0]), down), i32v_load(along));
    if (!m32v_every(i32v_eq(i32v_load(i), want)))
        return false;
    simd_prefetch_ahead(base + i[0], 2);
    simd_prefetch_ahead(base + i[2], 2);
    above = i32v_as_f32(i32v_loadu(base + i[0]));
    below = i32v_as_f32(i32v_loadu(base + i[2]));
    *first = f32v_bits(SIMD_P(shuffle_ps)(above, below, 0x88));
    *second = f32v_bits(SIMD_P(shuffle_ps)(above, below, 0xdd));
    return true;
}

#endif

/* Selects a word of `low` or `high` for each lane. `order` has the number of the word's lane; the
 * bits of SIMD_FROM_HIGH are set in the lanes that select from `high`, and clear in others. */
enum { SIMD_FROM_HIGH = INT32_MIN | SIMD_LANES };
SIMD_INLINE i32v i32v_select_words(i32v low, i32v high, i32v order)
{
#if SIMD_LANES == 16
    return _mm512_permutex2var_epi32(low, order, high);
#elif SIMD_LANES == 8
    f32v first = i32v_as_f32(simde_mm256_permutevar8x32_epi32(low, order));
    f32v second = i32v_as_f32(simde_mm256_permutevar8x32_epi32(high, order));

    return f32v_bits(simde_mm256_blendv_ps(first, second, i32v_as_f32(order)));
#else
    int32_t words[2 * SIMD_LANES], lane[SIMD_LANES];

    i32v_storeu(words, low);
    i32v_storeu(words + SIMD_LANES, high);
    i32v_storeu(lane, order);
    for (int i = 0; i < SIMD_LANES; i++)
        lane[i] = words[(lane[i] & (SIMD_LANES - 1)) + (lane[i] < 0 ? SIMD_LANES : 0)];
    return i32v_loadu(lane);
#endif
}

/* As i32v_load_pairs; fast if the pairs are adjacent two-word texels. */
SIMD_INLINE void i32v_load_pairs_local(const int32_t *base, const int32_t *i, i32v *first,
                                       i32v *second)
{
#if SIMD_LANES > 1
    if (simd_load_contiguous_pairs(base, i, first, second))
        return;
#endif
    i32v_load_pairs(base, i, first, second);
}

/* As i32v_load_pairs_local, with indices in a register. */
SIMD_INLINE void i32v_gather_pair_local(const int32_t *base, i32v index, i32v *first, i32v *second)
{
#if SIMD_LANES > 1
    _Alignas(64) int32_t i[SIMD_LANES];

    i32v_store(i, index);
    if (simd_load_contiguous_pairs(base, i, first, second))
        return;
#endif
    i32v_gather_pair(base, index, first, second);
}

/* Analysis of a vector's indices, shared by all textures that use them. */
struct simd_local_index {
    const int32_t *index;
#if SIMD_LANES >= 8
    bool is_local;
    struct simd_local rows;
#endif
};

/* Analyses indices. `several`: more than one texture uses them. */
SIMD_INLINE struct simd_local_index simd_local_index_of(const int32_t *index, bool several)
{
    struct simd_local_index local;

    (void)several;
    local.index = index;
#if SIMD_LANES >= 8
    local.is_local = (SIMD_LANES == 16 || several) && simd_find_local(&local.rows, index);
#endif
    return local;
}

SIMD_INLINE bool simd_is_local(const struct simd_local_index *local)
{
#if SIMD_LANES >= 8
    return local->is_local;
#else
    (void)local;
    return false;
#endif
}

/* Local forms of i32v_load_words and i32v_load_2x2. They may read up to 60 bytes past the last
 * word. */
SIMD_INLINE i32v i32v_gather_local(const int32_t *base, const struct simd_local_index *local)
{
#if SIMD_LANES >= 8
    if (local->is_local)
        return simd_local_words(base, &local->rows);
#endif
    return i32v_load_words(base, local->index);
}
SIMD_INLINE void i32v_gather_local_2x2(const int32_t *upper, const int32_t *lower,
                                       const struct simd_local_index *local, i32v out[4])
{
#if SIMD_LANES == 16
    if (local->is_local) {
        simd_local_pairs(upper, &local->rows, &out[0], &out[1]);
        simd_local_pairs(lower, &local->rows, &out[2], &out[3]);
        return;
    }
#endif
    i32v_load_2x2(upper, lower, local->index, out);
}

#endif
