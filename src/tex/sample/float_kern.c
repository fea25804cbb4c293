/* Point sampling of 2D float textures, such as R32F depth maps and HDR colours
 * (reference: texture/point). Results equal those of sample_kern.c.
 * Tested by tests/kernel/tex/sample/test_sample_kern.c
 * and tests/unit/tex/sample/test_sampler_oracle.c. */
#include "tex/sample/batch.h"
#include "tex/sample/fetch.h"
#include "tex/sample/kernels.h"

/* --- One-channel textures --------------------------------------------------------------------- */

/* Lists in `to` the outputs that receive the texel, usually one. Writes the outputs that the
 * swizzle makes constant. */
INLINE unsigned float_results(const struct tex_sampler_private *s, float *const out[4],
                              uint64_t lanes, float *to[4])
{
    unsigned n = 0;

    for (int c = 0; c < 4; c++) {
        if (!out[c])
            continue;
        if (s->swizzle[c] < TEX_SWIZZLE_ZERO) {
            to[n++] = out[c];
            continue;
        }
        for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
            put(out[c] + i, f32v_set1(s->swizzle[c] == TEX_SWIZZLE_ONE ? 1.0f : 0.0f),
                lanes_at(lanes, i));
    }
    return n;
}

/* Texels of a shadow map are rarely adjacent, so checking for local loads costs more than separate
 * loads. */
INLINE void load_floats(const int32_t *base, const int32_t *index, uint64_t lanes, float *to)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        unsigned active = lanes_at(lanes, i);

        if (active)
            put(to + i, float_texel(i32v_load_words(base, index + i)), active);
    }
}

/* Prefetches the texels of the next batch to the right. Shadow maps are large and their rows run
 * diagonally across the screen, so hardware prefetch fails. The next batch
 * is about as far away in the texture as the batch's last column is from its first. */
INLINE void prefetch_right(const int32_t *base, const int32_t *index)
{
    enum { LAST_COLUMN = 13 }; /* offset of the last column in lanes */

    for (unsigned y = 0; y < 8; y++) {
        const int32_t *row = index + y / 2 * 16 + y % 2 * 2;

        __builtin_prefetch(base + (2 * row[LAST_COLUMN] - row[0]));
    }
}

static void sample_r32f_points(const struct tex_sampler_private *s, const struct tex_level *level,
                               const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    const int32_t *base = (const int32_t *)(const void *)level->data;
    _Alignas(64) int32_t index[TEX_LANES];
    float *to[4];
    unsigned n;

    if (!address_points(index, s, level, false, at, lanes)) {
        KERN_NAME(tex_sample_kern).fn[TEXEL_R32F][TEX_POINT_2D](s, level, at, lanes, out);
        return;
    }
    n = float_results(s, out, lanes, to);
    if (!~lanes)
        prefetch_right(base, index);
    for (unsigned k = 0; k < n; k++) {
        if (!~lanes)
            load_floats(base, index, ~UINT64_C(0), to[k]);
        else
            load_floats(base, index, lanes, to[k]);
    }
}

/* --- Two and four channels -------------------------------------------------------------------- */

INLINE void load_texels(enum texel_kind kind, const int32_t *base, const int32_t *index,
                        uint64_t lanes, const struct channel_results *results)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        unsigned active = lanes_at(lanes, i);
        i32v w[2];
        f32v value[4];

        if (!active)
            continue;
        i32v_load_pairs_local(base, index + i, &w[0], &w[1]);
        if (kind == TEXEL_RGBA16F) {
            halves_to_f32(w[0], &value[0], &value[1]);
            halves_to_f32(w[1], &value[2], &value[3]);
        } else {
            value[0] = float_texel(w[0]);
            value[1] = float_texel(w[1]);
            value[2] = value[3] = f32v_zero(); /* unused by any result */
        }
        put_results(results, value, i, active);
    }
}

INLINE void sample_pairs(enum texel_kind kind, const struct tex_sampler_private *s,
                         const struct tex_level *level, const struct tex_coords *at, uint64_t lanes,
                         float *const out[4])
{
    const int32_t *base = (const int32_t *)(const void *)level->data;
    _Alignas(64) int32_t index[TEX_LANES];
    struct channel_results results;

    if (!address_points(index, s, level, true, at, lanes)) {
        KERN_NAME(tex_sample_kern).fn[kind][TEX_POINT_2D](s, level, at, lanes, out);
        return;
    }
    route_results(s, out, lanes, &results);
    if (!~lanes)
        load_texels(kind, base, index, ~UINT64_C(0), &results);
    else
        load_texels(kind, base, index, lanes, &results);
}

static void sample_rgba16f_points(const struct tex_sampler_private *s,
                                  const struct tex_level *level, const struct tex_coords *at,
                                  uint64_t lanes, float *const out[4])
{
    sample_pairs(TEXEL_RGBA16F, s, level, at, lanes, out);
}

static void sample_rg32f_points(const struct tex_sampler_private *s, const struct tex_level *level,
                                const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    sample_pairs(TEXEL_RG32F, s, level, at, lanes, out);
}

const struct tex_sample_float_kern KERN_NAME(tex_sample_float_kern) = {
    .point =
        {
            [TEXEL_R32F] = sample_r32f_points,
            [TEXEL_RG32F] = sample_rg32f_points,
            [TEXEL_RGBA16F] = sample_rgba16f_points,
        },
};
