/* Point sampling of 2D and cube textures of floats, halves, 16-bit channels and sRGB bytes, of one
 * level or of two (reference: texture/point). Results equal those of sample_kern.c. rgba8_kern.c
 * has bytes.
 * Tested by tests/kernel/tex/sample/test_sample_kern.c
 * and tests/unit/tex/sample/test_sampler_oracle.c. */
#include "tex/codec/codec.h"
#include "tex/sample/fetch.h"
#include "tex/sample/kernels.h"
#include "tex/sample/points.h"

#if SIMD_LANES > 1

#include "util/simd/fourths.h"

INLINE unsigned log2_texel_words(enum texel_kind kind)
{
    return kind == TEXEL_RGBA32F ? 2 : kind == TEXEL_R32F || kind == TEXEL_RGBA8_SRGB ? 0 : 1;
}

/* --- Texels ----------------------------------------------------------------------------------- */

/* Divides codes, channels of bit mask `code`, by their largest. */
INLINE void divide_codes(enum texel_kind kind, f32v value[4])
{
    if (kind == TEXEL_RGBA8_SRGB)
        value[3] = f32v_div_codes(value[3], 255.0f);
    for (unsigned c = 0; kind == TEXEL_RGBA16 && c < 4; c++)
        value[c] = f32v_div_codes(value[c], 65535.0f);
}

INLINE unsigned code_channels(enum texel_kind kind)
{
    return kind == TEXEL_RGBA16 ? 15 : kind == TEXEL_RGBA8_SRGB ? 8 : 0;
}

/* The texels of lanes k, k + 4, k + 8 … behind `at`. */
INLINE f32v load_fourths(enum texel_kind kind, const struct tex_sampler_private *s,
                         const int32_t *base, const int32_t *at)
{
    uint64_t word[SIMD_QUADS];

    switch (kind) {
    case TEXEL_RGBA16F:
        return simd_load_half_fourths(base, at);
    case TEXEL_RGBA16:
        return simd_load_uint16_fourths(base, at);
    case TEXEL_RGBA32F:
        return float_texel(
            f32v_bits(simd_load_fourths((const char *)base, (const uint32_t *)(const void *)at)));
    default:
        UNROLL
        for (unsigned j = 0; j < SIMD_QUADS; j++)
            word[j] = (uint32_t)base[at[4 * j]];
        return simd_lookup_fourths(s->srgb->linear, word, 0);
    }
}

INLINE void load_by_fourths(enum texel_kind kind, const struct tex_sampler_private *s,
                            const int32_t *base, const int32_t *at, f32v value[4])
{
    f32v texel[4];

    UNROLL
    for (unsigned k = 0; k < 4; k++)
        texel[k] = load_fourths(kind, s, base, at + k);
    simd_transpose(texel, value);
    if (kind == TEXEL_RGBA8_SRGB)
        value[3] = i32v_to_f32(i32v_srl(i32v_load_words(base, at), 24));
}

/* Texels of two words that lie side by side. Clears `local` if they do not. */
INLINE bool load_neighbours(enum texel_kind kind, const int32_t *base, const int32_t *at,
                            bool *local, f32v value[4])
{
    i32v w[2];

    if (*local)
        *local = simd_load_contiguous_pairs(base, at, &w[0], &w[1]);
    if (!*local)
        return false;
    if (kind == TEXEL_RGBA16F) {
        halves_to_f32(w[0], &value[0], &value[1]);
        halves_to_f32(w[1], &value[2], &value[3]);
    } else {
        split_16_16(w[0], &value[0], &value[1]);
        split_16_16(w[1], &value[2], &value[3]);
    }
    return true;
}

/* Loads the texels of the lanes at i. `local`: those of the vectors before lay side by side. */
INLINE void load_points(enum texel_kind kind, const struct tex_sampler_private *s,
                        const struct tex_level *level, const struct point_addr *p, unsigned i,
                        bool *local, f32v value[4])
{
    const int32_t *base = (const int32_t *)(const void *)level->data;
    i32v w[2];

    if (kind == TEXEL_R32F) {
        /* Texels of a shadow map are rarely adjacent, so checking for local loads costs more than
         * separate loads. */
        value[0] = float_texel(i32v_load_words(base, p->at + i));
    } else if (kind == TEXEL_RG32F) {
        i32v_load_pairs_local(base, p->at + i, &w[0], &w[1]);
        value[0] = float_texel(w[0]);
        value[1] = float_texel(w[1]);
    } else {
        if (log2_texel_words(kind) != 1 || !load_neighbours(kind, base, p->at + i, local, value))
            load_by_fourths(kind, s, base, p->at + i, value);
        divide_codes(kind, value);
    }
}

/* Prefetches the texels of the next batch to the right. Shadow maps are large and their rows run
 * diagonally across the screen, so hardware prefetch fails. The next batch
 * is about as far away in the texture as the batch's last column is from its first. */
INLINE void prefetch_right(const struct tex_level *level, const int32_t *index)
{
    enum { LAST_COLUMN = 13 }; /* offset of the last column in lanes */
    const int32_t *base = (const int32_t *)(const void *)level->data;

    for (unsigned y = 0; y < 8; y++) {
        const int32_t *row = index + y / 2 * 16 + y % 2 * 2;

        __builtin_prefetch(base + (2 * row[LAST_COLUMN] - row[0]));
    }
}

/* --- Results ---------------------------------------------------------------------------------- */

/* Channels without a use are not stored. */
INLINE void put_points(enum texel_kind kind, const struct channel_results *results,
                       const f32v value[4], unsigned i, unsigned lanes)
{
    UNROLL
    for (int c = 0; c < stored_channels(kind); c++)
        if (lanes == (unsigned)SIMD_ALL_BITS)
            f32v_store(results->to[c] + i, value[c]);
        else
            put(results->to[c] + i, value[c], lanes);
}

/* Copies the stored channel to all results that take it: route_results sets one. */
INLINE void copy_channel(const struct tex_sampler_private *s, const struct channel_results *results,
                         uint64_t lanes, float *const out[4])
{
    for (unsigned c = 0; c < 4; c++) {
        if (!out[c] || s->swizzle[c] != 0 || out[c] == results->to[0])
            continue;
        for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
            if (lanes_at(lanes, i))
                put(out[c] + i, f32v_load(results->to[0] + i), lanes_at(lanes, i));
    }
}

INLINE void convert_points(enum texel_kind kind, const struct tex_sampler_private *s,
                           const struct tex_level *level, const struct point_addr p[2],
                           const float *weight, bool border, uint64_t lanes,
                           const struct channel_results *results)
{
    const unsigned levels = weight ? 2 : 1;
    bool local[2] = {true, true};

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v value[2][4];

        if (!lanes_at(lanes, i))
            continue;
        for (unsigned l = 0; l < levels; l++) {
            load_points(kind, s, level + l, &p[l], i, &local[l], value[l]);
            if (border)
                put_border_points(&p[l], s, code_channels(kind), i, value[l]);
        }
        if (weight)
            blend_levels(value[0], value[1], f32v_load(weight + i));
        put_points(kind, results, value[0], i, lanes_at(lanes, i));
    }
}

/* Samples one level, or two if there are weights. */
INLINE void sample_points(enum texel_kind kind, const struct tex_sampler_private *s,
                          const struct tex_level *level, const struct tex_coords *at,
                          const float *weight, uint64_t lanes, float *const out[4])
{
    struct point_addr p[2];
    struct channel_results results;
    uint64_t outside = 0;

    for (unsigned l = 0; l < (weight ? 2 : 1); l++) {
        if (kind == TEXEL_R32F) /* waits for texels rather than for addresses */
            address_points_inline(&p[l], s, level + l, 0, at, lanes);
        else
            address_points(&p[l], s, level + l, log2_texel_words(kind), at, lanes);
        outside |= p[l].outside;
    }
    route_results(s, out, lanes, &results);
    if (kind == TEXEL_R32F && !~lanes)
        prefetch_right(level, p[0].at);
    if (!~lanes && !outside)
        convert_points(kind, s, level, p, weight, false, ~UINT64_C(0), &results);
    else
        convert_points(kind, s, level, p, weight, true, lanes, &results);
    if (stored_channels(kind) == 1)
        copy_channel(s, &results, lanes, out);
}

/* --- Instances -------------------------------------------------------------------------------- */

#define POINT_KINDS(X) X(RGBA8_SRGB) X(RGBA16) X(RGBA16F) X(R32F) X(RG32F) X(RGBA32F)
#define POINT_FNS(kind)                                                                            \
    static void kind##_points(const struct tex_sampler_private *s, const struct tex_level *level,  \
                              const struct tex_coords *at, uint64_t lanes, float *const out[4])    \
    {                                                                                              \
        sample_points(TEXEL_##kind, s, level, at, NULL, lanes, out);                               \
    }                                                                                              \
    static void kind##_levels(const struct tex_sampler_private *s, const struct tex_level *level,  \
                              const struct tex_coords *at, const float *weight, uint64_t lanes,    \
                              float *const out[4])                                                 \
    {                                                                                              \
        sample_points(TEXEL_##kind, s, level, at, weight, lanes, out);                             \
    }
#define POINT_ENTRY(kind) [TEXEL_##kind] = kind##_points,
#define LEVELS_ENTRY(kind) [TEXEL_##kind] = kind##_levels,

POINT_KINDS(POINT_FNS)

const struct tex_sample_point_kern KERN_NAME(tex_sample_point_kern) = {
    .point = {POINT_KINDS(POINT_ENTRY)}, .levels = {POINT_KINDS(LEVELS_ENTRY)}};

#else

const struct tex_sample_point_kern KERN_NAME(tex_sample_point_kern);

#endif
