/* LOD computation and anisotropy: selects mip levels, filters and the anisotropic sampling line of
 * each LOD group (reference: texture/mip-level, texture/anisotropic). Included by
 * lod_kern.c and shortcut/sampler_group_kern.c. */
#ifndef TEX_SAMPLE_LOD_H
#define TEX_SAMPLE_LOD_H

#include "tex/sample/cube.h"

#include "util/simd/math.h"

#include <float.h>
#include <math.h>

enum { LOD_LIMIT = 64 };

/* Result of LOD selection. */
struct lod_select {
    /* All groups sample one level with one filter. The members after these are unset. */
    bool uniform, uniform_magnifies;
    int32_t uniform_level;

    unsigned n;                /* number of groups; arrays have one element per group */
    bool any_stretched;        /* anisotropic, and at least one group needs more than one tap */
    uint64_t magnified;        /* lanes that magnify, unless minified ones have the same filter */
    uint64_t multi_tap;        /* lanes with more than one tap */
    struct lanes_i32 level;    /* finer of the two levels, for minified lanes */
    struct lanes_i32 fraction; /* LINEAR mip filter: weight of the next level in 1/256 */
    struct lanes_f32 taps;     /* if any_stretched: number of taps */
    struct lanes_f32 step[3];  /* if any_stretched: the line of taps, in coordinates */
};

/* --- Derivatives ------------------------------------------------------------------------------ */

INLINE f32v load_or_zero(const float *lanes, unsigned i)
{
    return lanes ? f32v_load(lanes + i) : f32v_zero();
}

/* Loads the gradients of the groups from i on: differences in 16 quads, or those of 64 lanes that
 * the sample supplies. */
INLINE void load_gradients(struct gradients *g, const struct sample *in,
                           const float *const coord[3], unsigned axes, unsigned n, unsigned i)
{
    UNROLL
    for (unsigned a = 0; a < axes; a++) {
        f32v lane[3]; /* the lane itself, its right neighbour, the one below */

        if (n == TEX_LANES) {
            g->at[a] = f32v_load(coord[a] + i);
            g->d[0][a] = load_or_zero(in->ddx[a], i);
            g->d[1][a] = load_or_zero(in->ddy[a], i);
            continue;
        }
        f32v_load_quads(coord[a] + 4 * i, lane);
        g->at[a] = lane[0];
        g->d[0][a] = f32v_sub(lane[1], lane[0]);
        g->d[1][a] = f32v_sub(lane[2], lane[0]);
    }
}

/* --- LOD -------------------------------------------------------------------------------------- */

/* Derivatives of a footprint in texels: the squared lengths along screen x and y, and their dot
 * product. */
struct footprint {
    f32v x2, y2, xy;
};

INLINE struct footprint footprint(const struct tex_sampler_private *s, const struct gradients *g,
                                  unsigned axes)
{
    struct footprint f = {f32v_zero(), f32v_zero(), f32v_zero()};

    UNROLL
    for (unsigned a = 0; a < axes; a++) {
        f32v size = f32v_set1(s->size[a]);
        f32v x = f32v_mul(g->d[0][a], size), y = f32v_mul(g->d[1][a], size);

        f.x2 = a ? f32v_add(f.x2, f32v_mul(x, x)) : f32v_mul(x, x);
        f.y2 = a ? f32v_add(f.y2, f32v_mul(y, y)) : f32v_mul(y, y);
        f.xy = f32v_add(f.xy, f32v_mul(x, y));
    }
    return f;
}

/* Number of taps along the longer axis: the ratio of the axes, with the shorter one at least one
 * texel. A tolerance of 1/256 keeps rounding from adding a tap. */
static inline f32v count_taps_by_roots(const struct tex_sampler_private *s, f32v longer2,
                                       f32v least2)
{
    f32v one = f32v_set1(1.0f);
    f32v ratio = f32v_div(f32v_sqrt(longer2), f32v_sqrt(least2));

    ratio = f32v_sub(ratio, f32v_set1(1.0f / 256.0f));
    ratio = f32v_min(f32v_max(ratio, one), f32v_set1(s->max_taps));
    return f32v_neg(f32v_floor(f32v_neg(ratio)));
}

/* The same. Few taps are told by comparisons of the squares, unless these are near a bound or too
 * large. If all groups have one number, processors predict it. */
INLINE f32v count_taps(const struct tex_sampler_private *s, f32v longer2, f32v shorter2)
{
    enum { FEW = 3 };
    const float margin = 1.0f / 65536.0f; /* exceeds the rounding of roots and their ratio */
    f32v least2 = f32v_max(shorter2, f32v_set1(1.0f)), count = f32v_set1(1.0f);
    f32v low = f32v_mul(least2, f32v_set1(1.0f - margin));
    f32v high = f32v_mul(least2, f32v_set1(1.0f + margin));

    if (!m32v_every(f32v_le(longer2, f32v_set1(FLT_MAX))))
        return count_taps_by_roots(s, longer2, least2);
    for (unsigned n = 1; n <= FEW; n++) {
        float bound = (float)n + 1.0f / 256.0f, taps = (float)n + 1.0f;
        m32v above = f32v_gt(longer2, f32v_mul(high, f32v_set1(bound * bound)));
        m32v not_below = f32v_gt(longer2, f32v_mul(low, f32v_set1(bound * bound)));

        if (m32v_bits(above) != m32v_bits(not_below))
            break;
        if (!m32v_any(above))
            return count;
        count = m32v_every(above) ? f32v_set1(taps) : f32v_select(above, f32v_set1(taps), count);
        if (taps == s->max_taps)
            return count;
    }
    return count_taps_by_roots(s, longer2, least2);
}

/* Computes (c, s), the screen direction that is stretched most. The longer axis of the ellipse that
 * a pixel's circle projects to is c * d/dx + s * d/dy. Equal, perpendicular derivatives have no
 * such direction, and for overflowing ones it cannot be computed; both use the longer
 * derivative. */
static inline void longest_direction(const struct footprint *f, f32v difference, f32v root, f32v *c,
                                     f32v *s)
{
    f32v half = f32v_set1(0.5f), one = f32v_set1(1.0f), zero = f32v_zero();
    m32v defined = m32v_and(f32v_gt(root, zero), f32v_le(root, f32v_set1(FLT_MAX)));
    m32v along_x = f32v_ge(difference, zero);
    f32v large = f32v_div(f32v_abs(difference), root), small;

    large = f32v_sqrt(f32v_add(half, f32v_mul(half, large)));
    small = f32v_div(f->xy, f32v_mul(root, large));
    large = f32v_select(defined, large, one);
    small = f32v_where(defined, small);
    *c = f32v_select(along_x, large, small);
    *s = f32v_select(along_x, small, large);
}

/* Squared axes of an ellipse, in texels, and the terms of their computation. */
struct ellipse {
    f32v difference, root, longer2, shorter2;
};

static inline struct ellipse ellipse(const struct footprint *f)
{
    f32v half = f32v_set1(0.5f), twice = f32v_mul(f32v_set1(2.0f), f->xy), area2;
    struct ellipse e;

    e.difference = f32v_sub(f->x2, f->y2);
    e.root = f32v_sqrt(f32v_add(f32v_mul(e.difference, e.difference), f32v_mul(twice, twice)));
    e.longer2 = f32v_mul(half, f32v_add(f32v_add(f->x2, f->y2), e.root));
    area2 = f32v_sub(f32v_mul(f->x2, f->y2), f32v_mul(f->xy, f->xy));
    e.shorter2 = f32v_div(f32v_max(area2, f32v_zero()), e.longer2);
    return e;
}

/* True if count_taps would return 1 for all lanes. It avoids square roots: 1.0078 is slightly less
 * than the square of 257/256. */
static inline bool is_isotropic(const struct ellipse *e)
{
    f32v least = f32v_max(e->shorter2, f32v_set1(1.0f));

    return m32v_every(f32v_le(e->longer2, f32v_mul(least, f32v_set1(1.0078f))));
}

/* Lower bound of the squared length that selects the level. The usual maximum ratios are powers of
 * two, for which multiplying by the reciprocal is exact and faster than dividing. */
static inline f32v least_length2(const struct tex_sampler_private *s, f32v longer2)
{
    float most2 = s->max_taps * s->max_taps;

    if (most2 == 4.0f || most2 == 16.0f || most2 == 64.0f || most2 == 256.0f)
        return f32v_mul(longer2, f32v_set1(1.0f / most2));
    return f32v_div(longer2, f32v_set1(most2));
}

/* Sets taps and steps of the groups from i on. Returns the squared length that selects their level
 * (reference: texture/anisotropic). */
INLINE f32v set_taps(const struct tex_sampler_private *s, const struct gradients *g, unsigned axes,
                     const struct footprint *f, struct lod_select *select, unsigned i)
{
    struct ellipse e = ellipse(f);
    bool isotropic = is_isotropic(&e);
    f32v c = f32v_zero(), sine = c, count = f32v_set1(1.0f);

    if (!isotropic) {
        select->any_stretched = true;
        count = count_taps(s, e.longer2, e.shorter2);
        longest_direction(f, e.difference, e.root, &c, &sine);
    }
    f32v_store(select->taps.lane + i, count);
    UNROLL
    for (unsigned a = 0; a < axes; a++) {
        f32v step = f32v_zero();

        if (!isotropic)
            step = f32v_add(f32v_mul(c, g->d[0][a]), f32v_mul(sine, g->d[1][a]));
        f32v_store(select->step[a].lane + i, step);
    }
    return f32v_max(e.shorter2, least_length2(s, e.longer2));
}

/* --- Levels ----------------------------------------------------------------------------------- */

/* Splits a biased LOD into level and fraction (reference: texture/mip-level). Returns a mask of the
 * groups that magnify. */
static inline m32v split_level(const struct tex_sampler_private *s, f32v lod,
                               struct lod_select *select, unsigned i)
{
    f32v limit = f32v_set1(LOD_LIMIT);
    i32v first = i32v_set1(s->min_level << 8), last = i32v_set1(s->max_level << 8), fixed;
    m32v magnify;

    lod = f32v_min(f32v_max(lod, f32v_neg(limit)), limit); /* NaN magnifies */
    fixed = f32v_to_i32_round(f32v_mul(lod, f32v_set1(256.0f)));
    magnify = m32v_not(i32v_lt(i32v_set1(s->base_level << 8), fixed));
    if (s->mip_filter == D3DTEXF_NONE)
        fixed = first;
    else if (s->mip_filter == D3DTEXF_POINT)
        fixed = i32v_add(fixed, i32v_set1(128));
    fixed = i32v_min(i32v_max(fixed, first), last);
    i32v_store(select->level.lane + i, i32v_sra(fixed, 8));
    i32v_store(select->fraction.lane + i, i32v_and(fixed, i32v_set1(255)));
    return magnify;
}

/* Sets the lanes that magnify, of groups `magnified`, and those with several taps. */
INLINE void set_lanes(const struct tex_sampler_private *s, uint64_t magnified,
                      struct lod_select *select)
{
    f32v one = f32v_set1(1.0f);
    uint64_t multi_tap = 0;

    for (unsigned i = 0; select->any_stretched && i < select->n; i += SIMD_LANES)
        multi_tap |= (uint64_t)m32v_bits(f32v_gt(f32v_load(select->taps.lane + i), one)) << i;
    select->multi_tap = lanes_of_lod_groups(multi_tap, select->n);
    /* Lanes with several taps use the minification filter, whatever their LOD. Where the filters
     * are equal, lanes that magnify minify the first level: fewer calls. */
    select->magnified = s->one_filter ? 0 : lanes_of_lod_groups(magnified & ~multi_tap, select->n);
}

/* Splits the biased LODs of all groups. */
INLINE void select_levels(const struct tex_sampler_private *s, const f32v *lod,
                          struct lod_select *select)
{
    uint64_t magnified = 0;

    for (unsigned i = 0; i < select->n; i += SIMD_LANES)
        magnified |= (uint64_t)m32v_bits(split_level(s, lod[i / SIMD_LANES], select, i)) << i;
    set_lanes(s, magnified, select);
}

/* --- Levels without logarithms ---------------------------------------------------------------- */

/* Returns 2^n for n in -126 … 127. */
static inline float power_of_2(int32_t n)
{
    uint32_t bits = (uint32_t)(n + 127) << 23;
    float power;

    memcpy(&power, &bits, sizeof(power));
    return power;
}

INLINE bool all_between(const f32v *length2, unsigned vectors, float low, float high)
{
    f32v least = f32v_set1(low), most = f32v_set1(high);
    m32v all = m32v_all();

    for (unsigned v = 0; v < vectors; v++)
        all = m32v_and(all, m32v_and(f32v_gt(length2[v], least), f32v_lt(length2[v], most)));
    return m32v_every(all);
}

/* Returns the level that all groups with squared lengths in low … high minify from without blending
 * the next level. `length2` is that of one group, and lies between the bounds if there is such a
 * level for it. The nearest level is n between 4^n / 2 and 4^n * 2. The bounds keep a margin
 * (sample.h). */
INLINE int32_t level_between(const struct tex_sampler_private *s, int32_t length2_bits, float *low,
                             float *high)
{
    int32_t level = ((length2_bits >> 23) - 126) >> 1;

    *low = s->minified_from2;
    *high = INFINITY;
    if (s->mip_filter == D3DTEXF_NONE)
        return s->min_level;
    if (s->mip_filter == D3DTEXF_LINEAR) {
        *low = power_of_2(2 * s->max_level) * TEX_LOD_ABOVE;
        return s->max_level;
    }
    level = level < s->min_level ? s->min_level : level < s->max_level ? level : s->max_level;
    if (level > s->min_level)
        *low = power_of_2(2 * level - 1) * TEX_LOD_ABOVE;
    if (level < s->max_level)
        *high = power_of_2(2 * level + 1) * TEX_LOD_BELOW;
    return level;
}

/* Returns true, and sets the level and filter, if comparisons of the biased squared lengths tell
 * that all groups have one of each, without a weight of the next level. */
INLINE bool select_uniform_level(const struct tex_sampler_private *s, const f32v *biased,
                                 unsigned vectors, struct lod_select *select)
{
    f32v most = f32v_set1(s->magnified_to2);
    m32v all_short = m32v_all();
    float low, high;

    for (unsigned v = 0; v < vectors; v++)
        all_short = m32v_and(all_short, f32v_le(biased[v], most));
    select->uniform_magnifies = m32v_every(all_short);
    select->uniform_level = s->min_level;
    if (select->uniform_magnifies)
        return true;
    select->uniform_level = level_between(s, i32v_first(f32v_bits(biased[0])), &low, &high);
    return all_between(biased, vectors, low, high);
}

/* Bits of 4^level. */
INLINE i32v bits_of_level(unsigned level)
{
    return i32v_set1((int32_t)((2 * level + 127) << 23));
}

/* Sets the nearest levels of the groups from i on. Returns a mask of the groups of which the
 * exponent tells it: 2^24 divides the bits of all bounds, 4^n * 2, and near these the LOD may round
 * to either side. */
INLINE m32v nearest_levels(const struct tex_sampler_private *s, f32v biased,
                           struct lod_select *select, unsigned i)
{
    const int32_t margin = 0x20000; /* TEX_LOD_BELOW */
    i32v bits = i32v_max(f32v_bits(biased), bits_of_level(s->min_level)), distance;

    bits = i32v_min(bits, bits_of_level(s->max_level));
    distance = i32v_and(i32v_add(bits, i32v_set1(margin)), i32v_set1(0xffffff));
    i32v_store(select->level.lane + i, i32v_sub(i32v_sra(bits, 24), i32v_set1(63)));
    return i32v_lt(i32v_set1(2 * margin), distance);
}

/* As select_levels, for mip filters other than LINEAR, by comparisons of the biased squared
 * lengths. Returns false if they do not tell the level or the filter of a group. */
INLINE bool select_by_comparison(const struct tex_sampler_private *s, const f32v *biased,
                                 struct lod_select *select)
{
    f32v most = f32v_set1(s->magnified_to2), least = f32v_set1(s->minified_from2);
    m32v known = m32v_all();
    uint64_t magnified = 0;

    for (unsigned i = 0; i < select->n; i += SIMD_LANES) {
        f32v length2 = biased[i / SIMD_LANES];
        m32v magnify = f32v_le(length2, most), minify = f32v_le(length2, f32v_set1(FLT_MAX));

        if (!s->one_filter)
            minify = m32v_and(minify, f32v_gt(length2, least));
        if (s->mip_filter == D3DTEXF_POINT)
            minify = m32v_and(minify, nearest_levels(s, length2, select, i));
        else
            i32v_store(select->level.lane + i, i32v_set1(s->min_level));
        known = m32v_and(known, m32v_or(magnify, minify));
        magnified |= (uint64_t)m32v_bits(magnify) << i;
    }
    set_lanes(s, magnified, select);
    return m32v_every(known);
}

/* --- Selection -------------------------------------------------------------------------------- */

/* Replaces squared lengths by LODs with the sampler's bias. */
INLINE void take_logs(const struct tex_sampler_private *s, f32v *length2, unsigned vectors)
{
    f32v half = f32v_set1(0.5f), bias = f32v_set1(s->lod_bias);

    for (unsigned v = 0; v < vectors; v += SIMD_SEVERAL) {
        unsigned n = vectors < SIMD_SEVERAL ? vectors : SIMD_SEVERAL;

        f32v_log2_several(length2 + v, n);
        for (unsigned i = v; i < v + n; i++)
            length2[i] = f32v_add(f32v_mul(half, length2[i]), bias);
    }
}

/* Expands quads to lanes, whose LODs differ by the biases of a sample. */
KERNEL_PART void select_biased_levels(const struct tex_sampler_private *s, const f32v *lod,
                                      unsigned axes, const float *bias, struct lod_select *select)
{
    struct lanes_f32 narrow, wide;
    f32v biased[TEX_LANES / SIMD_LANES];

    for (unsigned i = 0; i < QUADS; i += SIMD_LANES)
        f32v_store(narrow.lane + i, lod[i / SIMD_LANES]);
    broadcast_lod_groups(wide.lane, narrow.lane, QUADS);
    for (unsigned v = 0; v < TEX_LANES / SIMD_LANES; v++)
        biased[v] =
            f32v_add(f32v_load(wide.lane + v * SIMD_LANES), f32v_load(bias + v * SIMD_LANES));
    select->n = TEX_LANES;
    if (select->any_stretched) {
        narrow = select->taps;
        broadcast_lod_groups(select->taps.lane, narrow.lane, QUADS);
        for (unsigned a = 0; a < axes; a++) {
            narrow = select->step[a];
            broadcast_lod_groups(select->step[a].lane, narrow.lane, QUADS);
        }
    }
    select_levels(s, biased, select);
}

/* Returns true, and sets the level and filter, if all groups magnify with one tap, whatever the
 * axes of their ellipses: the sum of the squared lengths bounds these. */
INLINE bool all_magnify(const struct tex_sampler_private *s, const struct footprint *f,
                        unsigned vectors, struct lod_select *select)
{
    f32v texel = f32v_set1(1.0f), most = f32v_set1(s->magnified_to2);
    f32v scale = f32v_set1(s->lod_scale2 * 1.0001f); /* exceeds rounding */
    m32v all = m32v_all();

    for (unsigned v = 0; v < vectors; v++) {
        f32v bound2 = f32v_add(f[v].x2, f[v].y2);

        all = m32v_and(all, f32v_le(bound2, texel));
        all = m32v_and(all, f32v_le(f32v_mul(bound2, scale), most));
    }
    select->uniform = select->uniform_magnifies = m32v_every(all);
    select->uniform_level = s->min_level;
    return select->uniform;
}

/* Tries to select levels and filters by comparisons. */
INLINE bool select_without_logs(const struct tex_sampler_private *s, const f32v *length2,
                                unsigned vectors, struct lod_select *select)
{
    f32v scale = f32v_set1(s->lod_scale2), biased[TEX_LANES / SIMD_LANES];

    for (unsigned v = 0; v < vectors; v++)
        biased[v] = f32v_mul(length2[v], scale);
    select->uniform = !select->any_stretched && select_uniform_level(s, biased, vectors, select);
    return select->uniform ||
           (s->mip_filter != D3DTEXF_LINEAR && select_by_comparison(s, biased, select));
}

/* Selects the LODs of n groups by their gradients. */
INLINE void select_by_gradients(const struct tex_sampler_private *s, const struct sample *in,
                                const float *const coord[3], enum tex_shape shape, unsigned n,
                                struct lod_select *select)
{
    const unsigned vectors = n / SIMD_LANES, axes = shape == TEX_VOLUME_MAP ? 3 : 2;
    struct gradients g[TEX_LANES / SIMD_LANES];
    struct footprint f[TEX_LANES / SIMD_LANES];
    f32v length2[TEX_LANES / SIMD_LANES];

    select->n = n;
    for (unsigned v = 0; v < vectors; v++) {
        load_gradients(&g[v], in, coord, shape == TEX_2D ? 2 : 3, n, v * SIMD_LANES);
        if (shape == TEX_CUBE_MAP)
            project_gradients(&g[v]);
        f[v] = footprint(s, &g[v], axes);
        length2[v] = f32v_max(f[v].x2, f[v].y2);
    }
    if (s->max_taps > 1.0f) {
        if (in->lod_mode != LOD_BIAS && all_magnify(s, f, vectors, select))
            return;
        for (unsigned v = 0; v < vectors; v++)
            length2[v] = set_taps(s, &g[v], axes, &f[v], select, v * SIMD_LANES);
    }
    if (in->lod_mode != LOD_BIAS && select_without_logs(s, length2, vectors, select))
        return;
    take_logs(s, length2, vectors);
    if (in->lod_mode == LOD_BIAS)
        select_biased_levels(s, length2, axes, in->lod, select);
    else
        select_levels(s, length2, select);
}

/* Selects the level of all lanes, if they have one LOD. 16 groups stand for them. */
INLINE bool select_explicit_level(const struct tex_sampler_private *s, const f32v *lods,
                                  struct lod_select *select)
{
    select->n = QUADS;
    select_levels(s, lods, select);
    select->uniform_magnifies = select->magnified != 0;
    select->uniform_level = select->uniform_magnifies ? s->min_level : select->level.lane[0];
    return select->uniform_magnifies || s->mip_filter != D3DTEXF_LINEAR ||
           select->fraction.lane[0] == 0;
}

KERNEL_PART void select_explicit_levels(const struct tex_sampler_private *s, const float *lod,
                                        struct lod_select *select)
{
    f32v lods[TEX_LANES / SIMD_LANES], first = f32v_set1(lod[0]);
    m32v same = m32v_all();

    for (unsigned v = 0; v < TEX_LANES / SIMD_LANES; v++) {
        f32v lanes = f32v_load(lod + v * SIMD_LANES);

        same = m32v_and(same, f32v_eq(lanes, first));
        lods[v] = f32v_add(lanes, f32v_set1(s->lod_bias));
    }
    if (m32v_every(same)) {
        select->uniform = select_explicit_level(s, lods, select);
        return;
    }
    select->n = TEX_LANES;
    select_levels(s, lods, select);
}

INLINE void select_lods_of(const struct tex_sampler_private *s, const struct sample *in,
                           const float *const coord[3], enum tex_shape shape,
                           struct lod_select *select)
{
    select->uniform = select->any_stretched = false;
    if (in->lod_mode == LOD_EXPLICIT)
        select_explicit_levels(s, in->lod, select);
    else if (in->lod_mode == LOD_GRADIENT)
        select_by_gradients(s, in, coord, shape, TEX_LANES, select);
    else
        select_by_gradients(s, in, coord, shape, QUADS, select);
}

KERNEL_PART void select_lods_2d(const struct tex_sampler_private *s, const struct sample *in,
                                const float *const coord[3], struct lod_select *select)
{
    select_lods_of(s, in, coord, TEX_2D, select);
}

KERNEL_PART void select_lods(const struct tex_sampler_private *s, const struct sample *in,
                             const float *const coord[3], struct lod_select *select)
{
    if (s->shape == TEX_2D)
        select_lods_2d(s, in, coord, select);
    else if (s->shape == TEX_CUBE_MAP)
        select_lods_of(s, in, coord, TEX_CUBE_MAP, select);
    else
        select_lods_of(s, in, coord, TEX_VOLUME_MAP, select);
}

/* --- Lanes of a level ------------------------------------------------------------------------- */

/* Expands each group's weight of the next level to its lanes. */
KERNEL_PART void broadcast_fractions(const struct lod_select *select, struct lanes_f32 *weight)
{
    struct lanes_f32 group;
    f32v scale = f32v_set1(1.0f / 256.0f);

    for (unsigned i = 0; i < select->n; i += SIMD_LANES)
        f32v_store(group.lane + i,
                   f32v_mul(i32v_to_f32(i32v_load(select->fraction.lane + i)), scale));
    broadcast_lod_groups(weight->lane, group.lane, select->n);
}

/* Returns the level, by branches. Processors predict them, so that what follows need not wait for
 * the long computation of the level. */
KERNEL_PART int32_t predicted_level(int32_t level)
{
    int32_t l = 0;

    while (l < level) {
        l++;
        __asm__("" : "+r"(l)); /* keeps compilers from replacing the loop */
    }
    return l;
}

/* Returns the lanes that use the same level as the first lane of the set. */
KERNEL_PART uint64_t same_level(const struct lod_select *select, uint64_t lanes, int32_t *level)
{
    unsigned group = lod_group_of_lane((unsigned)__builtin_ctzll(lanes), select->n);

    *level = predicted_level(select->level.lane[group]);
    return lanes & lod_groups_equal(&select->level, *level, select->n);
}

#endif
