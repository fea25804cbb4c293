/* Bilinear sampling from quad texels (cache/quad_texels.c): one load per lane fetches all four
 * texels, even at a level's edge. A vector holds the quads of every fourth lane, so a transpose of
 * four such vectors yields one vector per channel. Results equal those of rgba8.h. Included by
 * sample kernels. */
#ifndef TEX_SAMPLE_QUAD_TEXELS_H
#define TEX_SAMPLE_QUAD_TEXELS_H

#include "tex/sample/batch.h"

#include "util/simd/fourths.h"

enum { MAX_QUAD_TEXTURES = 4 }; /* that share addresses and weights */

#define HAVE_QUAD_TEXELS (SIMD_LANES >= 8)

/* The quad texels and the results of a group of n samplers. `level` is the sampled level, or the
 * first of two. */
struct quad_texel_samples {
    const struct tex_quad_texels_level *level[MAX_QUAD_TEXTURES];
    const struct tex_byte_divisors *divisors[MAX_QUAD_TEXTURES];
    const struct channel_results *results[MAX_QUAD_TEXTURES];
    unsigned n;
};

#if HAVE_QUAD_TEXELS

/* --- Quad addresses --------------------------------------------------------------------------- */

/* Address and weights of each lane's quad. */
struct quad_addr {
    _Alignas(64) uint32_t column[TEX_LANES]; /* byte offset of the quad from the level's start */
    /* Weights of left and right texels in 1/256, as bytes: left, right, left, right. */
    _Alignas(64) int32_t across[TEX_LANES];
    /* Bytes 0, 8, 0, 8: distance in bytes from left to right texels. 0 if the right ones have no
     * weight. */
    _Alignas(64) int32_t right[TEX_LANES];
    _Alignas(64) int32_t below[TEX_LANES]; /* weights as in struct texel_addr */
};

struct quad_axis {
    i32v index, fraction;
};

/* Computes the texel and the fraction along one axis. t comes from wrap_once. */
INLINE struct quad_axis quad_axis(f32v t, uint32_t size, unsigned mode)
{
    i32v last = i32v_set1((int32_t)size - 1), zero = i32v_set1(0), half = i32v_set1(128), position;
    struct quad_axis a;

    if (mode == D3DTADDRESS_WRAP) { /* NaN also selects the last texel, with fraction 1/2 */
        position = i32v_sub(inner_position(t, f32v_set1((float)size * 256.0f), false), half);
        a.index = i32v_unless_negative(i32v_sra(position, 8), last);
        a.fraction = i32v_and(position, i32v_set1(255));
        return a;
    }
    position = i32v_sub(fixed_position(t, size, mode), half);
    a.index = i32v_sra(position, 8);
    a.fraction = i32v_and(position, i32v_set1(255));
    /* Beyond the first and last texels the edge texel repeats. */
    a.fraction =
        i32v_select(m32v_or(i32v_lt(a.index, zero), i32v_eq(a.index, last)), zero, a.fraction);
    a.index = i32v_max_short(a.index, zero);
    return a;
}

/* Stores the weights of left and right texels. A weight of 256 does not fit a byte. If the right
 * texel has no weight, both weights (255 and 1) therefore apply to the left texel. */
INLINE void address_across(struct quad_addr *p, unsigned slot, i32v fraction)
{
    i32v zero = i32v_set1(0), weight = i32v_max_short(fraction, i32v_set1(1));

    weight = i32v_add(i32v_mul_short(weight, i32v_set1(255)), i32v_set1(256));
    i32v_store(p->across + slot, i32v_or(weight, i32v_sll(weight, 16)));
    i32v_store(p->right + slot, i32v_select(i32v_eq(fraction, zero), zero, i32v_set1(0x08000800)));
}

INLINE void address_quad(struct quad_addr *p, unsigned slot, const struct tex_level *level,
                         const uint8_t mode[2], f32v u, f32v v)
{
    struct quad_axis x = quad_axis(u, level->width, mode[0]);
    struct quad_axis y = quad_axis(v, level->height, mode[1]);
    i32v pitch = i32v_set1((int32_t)level->width + 1), column;

    address_across(p, slot, x.fraction);
    i32v_store(p->below + slot, vertical_weights(y.fraction));
    column = i32v_add(x.index, i32v_mul_short(y.index, pitch));
    i32v_store((int32_t *)p->column + slot, i32v_sll(column, 3));
}

/* Wraps a coordinate. The result is the same for all levels. */
INLINE f32v wrap_once(f32v t, unsigned mode)
{
    return mode == D3DTADDRESS_WRAP ? f32v_sub(t, f32v_floor(t)) : t;
}

INLINE void address_quads(struct quad_addr *p, const struct tex_level *level, unsigned levels,
                          const uint8_t mode[2], const struct tex_coords *at, uint64_t lanes)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v u, v;

        if (!lanes_at(lanes, i))
            continue;
        u = wrap_once(f32v_load(at->axis[0] + i), mode[0]);
        v = wrap_once(f32v_load(at->axis[1] + i), mode[1]);
        for (unsigned l = 0; l < levels; l++)
            address_quad(&p[l], i, &level[l], mode, u, v);
    }
}

/* Computes addresses in one level, or in it and the next. The common address mode gets specialised
 * code. */
static void address_quads_of(struct quad_addr *p, const struct tex_sampler_private *s,
                             const struct tex_level *level, unsigned levels,
                             const struct tex_coords *at, uint64_t lanes)
{
    static const uint8_t wrap[2] = {D3DTADDRESS_WRAP, D3DTADDRESS_WRAP};

    if (s->address[0] == D3DTADDRESS_WRAP && s->address[1] == D3DTADDRESS_WRAP)
        address_quads(p, level, levels, wrap, at, lanes);
    else
        address_quads(p, level, levels, s->address, at, lanes);
}

/* --- Filtering -------------------------------------------------------------------------------- */

/* Weights, and byte order of the quads, of lanes k, 4 + k, 8 + k …, each replicated four times. */
struct quad_weights {
    i32v across, order, below;
};

INLINE i32v broadcast_addr(const int32_t *addr, unsigned k)
{
    return f32v_bits(simd_broadcast_word(i32v_as_f32(i32v_load(addr)), k));
}

INLINE struct quad_weights quad_weights(const struct quad_addr *p, unsigned i, unsigned k)
{
    /* Per byte: left and right texels of the upper row, then of the lower row. */
    const i32v left = i32v_broadcast_128(0x04040000, 0x05050101, 0x06060202, 0x07070303);
    struct quad_weights w;

    w.across = broadcast_addr(p->across + i, k);
    w.order = i32v_add(left, broadcast_addr(p->right + i, k));
    w.below = broadcast_addr(p->below + i, k);
    return w;
}

/* Divisors of f32v_div_each. The words of a lane are the channels. */
struct quad_divisors {
    f32v high, low;
};

INLINE struct quad_divisors quad_divisors(const struct tex_byte_divisors *d)
{
    return (struct quad_divisors){f32v_broadcast_128(d->high), f32v_broadcast_128(d->low)};
}

/* Filters the quads of every fourth lane. */
INLINE f32v filter_quad(const struct tex_quad_texels_level *level, const struct quad_addr *p,
                        unsigned slot, const struct quad_weights *w, const struct quad_divisors *d)
{
    f32v quad = simd_load_fourths((const char *)level->column, p->column + slot);
    i32v texels = i32v_shuffle_bytes(f32v_bits(quad), w->order);
    i32v sum = i32v_madd_16(i32v_maddubs_16(w->across, texels), w->below);

    sum = i32v_add(sum, i32v_set1(32768 * 256));
    return f32v_div_each(i32v_to_f32(sum), d->high, d->low);
}

/* --- Sampling --------------------------------------------------------------------------------- */

/* Filters lanes i + k, i + 4 + k … of all samplers. */
INLINE void filter_fourths(const struct quad_texel_samples *s, const struct quad_addr *p,
                           const struct quad_divisors d[MAX_QUAD_TEXTURES], unsigned i, unsigned k,
                           f32v out[MAX_QUAD_TEXTURES][4])
{
    struct quad_weights w = quad_weights(p, i, k);

    for (unsigned t = 0; t < s->n; t++)
        out[t][k] = filter_quad(s->level[t], p, i + k, &w, &d[t]);
}

/* As filter_fourths, but filters two levels and blends them as filter_two_at does. */
INLINE void blend_fourths(const struct quad_texel_samples *s, const struct quad_addr p[2],
                          const struct quad_divisors d[MAX_QUAD_TEXTURES], f32v weight, unsigned i,
                          unsigned k, f32v out[MAX_QUAD_TEXTURES][4])
{
    struct quad_weights first = quad_weights(&p[0], i, k), second = quad_weights(&p[1], i, k);
    f32v part = simd_broadcast_word(weight, k), rest = f32v_sub(f32v_set1(1.0f), part);

    for (unsigned t = 0; t < s->n; t++) {
        f32v fine = filter_quad(s->level[t], &p[0], i + k, &first, &d[t]);
        f32v coarse = filter_quad(s->level[t] + 1, &p[1], i + k, &second, &d[t]);

        out[t][k] = f32v_add(f32v_mul_ftz_any(fine, rest), f32v_mul_ftz_any(coarse, part));
    }
}

INLINE void filter_quads(const struct quad_texel_samples *s, const struct quad_addr *p,
                         const float *weight, uint64_t lanes)
{
    struct quad_divisors d[MAX_QUAD_TEXTURES];

    for (unsigned t = 0; t < s->n; t++)
        d[t] = quad_divisors(s->divisors[t]);
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        unsigned active = lanes_at(lanes, i);
        f32v pixel[MAX_QUAD_TEXTURES][4], value[4];

        if (!active)
            continue;
        UNROLL
        for (unsigned k = 0; k < 4; k++) {
            if (weight)
                blend_fourths(s, p, d, f32v_load(weight + i), i, k, pixel);
            else
                filter_fourths(s, p, d, i, k, pixel);
        }
        for (unsigned t = 0; t < s->n; t++) {
            simd_transpose(pixel[t], value);
            put_results(s->results[t], value, i, active);
        }
    }
}

/* Samples one level, or two if `weight` is not NULL. `sampler` is any sampler of the group. */
INLINE void sample_quad_texels(const struct quad_texel_samples *samples,
                               const struct tex_sampler_private *sampler,
                               const struct tex_level *level, const struct tex_coords *at,
                               const float *weight, uint64_t lanes)
{
    struct quad_addr p[2];

    if (!weight) {
        address_quads_of(p, sampler, level, 1, at, lanes);
        filter_quads(samples, p, NULL, lanes);
        return;
    }
    address_quads_of(p, sampler, level, 2, at, lanes);
    filter_quads(samples, p, weight, lanes);
}

#else

/* Without 8-lane vectors no sampler has quad texels. */
INLINE void sample_quad_texels(const struct quad_texel_samples *samples,
                               const struct tex_sampler_private *sampler,
                               const struct tex_level *level, const struct tex_coords *at,
                               const float *weight, uint64_t lanes)
{
    (void)samples, (void)sampler, (void)level, (void)at, (void)weight, (void)lanes;
}

#endif

#endif
