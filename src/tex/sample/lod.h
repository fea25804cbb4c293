/* LOD computation and anisotropy: selects mip levels, filters and the anisotropic sampling line of
 * each LOD group (reference: texture/mip-level, texture/anisotropic). Included by
 * lod_kern.c and shortcut/sampler_group_kern.c. */
#ifndef TEX_SAMPLE_LOD_H
#define TEX_SAMPLE_LOD_H

#include "tex/sample/cube.h"

#include "util/simd/math.h"

#include <float.h>

enum { LOD_LIMIT = 64 };

/* Result of LOD selection. Arrays have one element per group. */
struct lod_select {
    unsigned n;
    bool uniform; /* all groups are minified from uniform_level; arrays are unset */
    int32_t uniform_level;
    bool anisotropic;
    bool any_stretched;        /* anisotropic, and at least one group needs more than one tap */
    uint64_t magnified;        /* lanes that magnify */
    uint64_t multi_tap;        /* lanes with more than one tap */
    struct lanes_i32 level;    /* finer of the two levels, for minified lanes */
    struct lanes_i32 fraction; /* weight of the next level in 1/256 */
    struct lanes_f32 taps;     /* if any_stretched: number of taps */
    struct lanes_f32 step[3];  /* if any_stretched: the line of taps, in coordinates */
};

/* --- Derivatives ------------------------------------------------------------------------------ */

KERNEL_PART void quad_derivatives(struct gradients *g, const float *const coord[3])
{
    g->n = QUADS;
    for (unsigned a = 0; a < g->axes; a++) {
        for (unsigned q = 0; q < QUADS; q += SIMD_LANES) {
            f32v lane[3]; /* the lane itself, its right neighbour, the one below */

            f32v_load_quads(coord[a] + 4 * q, lane);
            f32v_store(g->at[a].lane + q, lane[0]);
            f32v_store(g->d[0][a].lane + q, f32v_sub(lane[1], lane[0]));
            f32v_store(g->d[1][a].lane + q, f32v_sub(lane[2], lane[0]));
        }
    }
}

KERNEL_PART void copy_lanes(struct lanes_f32 *to, const float *from)
{
    if (from)
        memcpy(to->lane, from, sizeof(to->lane));
    else
        memset(to->lane, 0, sizeof(to->lane));
}

KERNEL_PART void given_gradients(struct gradients *g, const struct sample *in,
                                 const float *const coord[3])
{
    g->n = TEX_LANES;
    for (unsigned a = 0; a < g->axes; a++) {
        copy_lanes(&g->at[a], coord[a]);
        copy_lanes(&g->d[0][a], in->ddx[a]);
        copy_lanes(&g->d[1][a], in->ddy[a]);
    }
}

/* --- LOD -------------------------------------------------------------------------------------- */

/* Derivatives of a footprint in texels: the squared lengths along screen x and y, and their dot
 * product. */
struct footprint {
    f32v x2, y2, xy;
};

static inline struct footprint footprint(const struct tex_sampler_private *s,
                                         const struct gradients *g, unsigned i)
{
    struct footprint f = {f32v_zero(), f32v_zero(), f32v_zero()};

    for (unsigned a = 0; a < g->axes; a++) {
        f32v size = f32v_set1(s->size[a]);
        f32v x = f32v_mul(f32v_load(g->d[0][a].lane + i), size);
        f32v y = f32v_mul(f32v_load(g->d[1][a].lane + i), size);

        f.x2 = f32v_add(f.x2, f32v_mul(x, x));
        f.y2 = f32v_add(f.y2, f32v_mul(y, y));
        f.xy = f32v_add(f.xy, f32v_mul(x, y));
    }
    return f;
}

/* Number of taps along the longer axis: the ratio of the axes, with the shorter one at least one
 * texel. A tolerance of 1/256 keeps rounding from adding a tap. */
static inline f32v count_taps(const struct tex_sampler_private *s, f32v longer2, f32v shorter2)
{
    f32v one = f32v_set1(1.0f);
    f32v ratio = f32v_div(f32v_sqrt(longer2), f32v_sqrt(f32v_max(shorter2, one)));

    ratio = f32v_sub(ratio, f32v_set1(1.0f / 256.0f));
    ratio = f32v_min(f32v_max(ratio, one), f32v_set1(s->max_taps));
    return f32v_neg(f32v_floor(f32v_neg(ratio)));
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

static inline void set_taps(const struct tex_sampler_private *s, const struct gradients *g,
                            const struct footprint *f, const struct ellipse *e,
                            struct lod_select *select, unsigned i)
{
    bool isotropic = is_isotropic(e);
    f32v c = f32v_zero(), sine = c, count = f32v_set1(1.0f);

    if (!isotropic) {
        select->any_stretched = true;
        count = count_taps(s, e->longer2, e->shorter2);
        longest_direction(f, e->difference, e->root, &c, &sine);
    }
    f32v_store(select->taps.lane + i, count);
    for (unsigned a = 0; a < g->axes; a++) {
        f32v step = f32v_zero();

        if (!isotropic)
            step = f32v_add(f32v_mul(c, f32v_load(g->d[0][a].lane + i)),
                            f32v_mul(sine, f32v_load(g->d[1][a].lane + i)));
        f32v_store(select->step[a].lane + i, step);
    }
}

/* Computes each group's LOD before biases. Also sets taps and steps if the filter is anisotropic
 * (reference: texture/anisotropic). */
KERNEL_PART void measure_lod(const struct tex_sampler_private *s, const struct gradients *g,
                             float *lod, struct lod_select *select)
{
    f32v half = f32v_set1(0.5f);

    for (unsigned i = 0; i < g->n; i += SIMD_LANES) {
        struct footprint f = footprint(s, g, i);
        f32v length2 = f32v_max(f.x2, f.y2);

        if (select->anisotropic) {
            struct ellipse e = ellipse(&f);

            set_taps(s, g, &f, &e, select, i);
            length2 = f32v_max(e.shorter2, least_length2(s, e.longer2));
        }
        f32v_store(lod + i, f32v_mul(half, f32v_log2(length2)));
    }
}

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

/* Adds the biases to the LOD and splits it. */
KERNEL_PART void select_levels(const struct tex_sampler_private *s, const float *lod,
                               const float *bias, struct lod_select *select)
{
    f32v one = f32v_set1(1.0f);
    uint64_t magnified = 0, multi_tap = 0;

    for (unsigned i = 0; i < select->n; i += SIMD_LANES) {
        f32v v = f32v_add(f32v_load(lod + i), f32v_set1(s->lod_bias));
        m32v magnify;

        if (bias)
            v = f32v_add(v, f32v_load(bias + i));
        magnify = split_level(s, v, select, i);
        if (select->any_stretched)
            multi_tap |= (uint64_t)m32v_bits(f32v_gt(f32v_load(select->taps.lane + i), one)) << i;
        magnified |= (uint64_t)m32v_bits(magnify) << i;
    }
    select->multi_tap = lanes_of_lod_groups(multi_tap, select->n);
    /* Lanes with several taps use the minification filter, whatever their LOD. */
    select->magnified = lanes_of_lod_groups(magnified & ~multi_tap, select->n);
}

static inline bool all_between(const float *longer2, unsigned n, float low, float high)
{
    f32v least = f32v_set1(low), most = f32v_set1(high);
    m32v all = m32v_all();

    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        f32v v = f32v_load(longer2 + i);

        all = m32v_and(all, m32v_and(f32v_gt(v, least), f32v_lt(v, most)));
    }
    return m32v_every(all);
}

/* Returns 2^n for n in -126 … 127. */
static inline float power_of_2(int32_t n)
{
    uint32_t bits = (uint32_t)(n + 127) << 23;
    float power;

    memcpy(&power, &bits, sizeof(power));
    return power;
}

/* The nearest level is n for squared lengths between 4^n / 2 and 4^n * 2. These factors keep a
 * margin from both bounds. It exceeds the rounding of levels to 1/256, so comparisons need no
 * logarithm. */
static const float above = 1.0078125f, below = 0.9921875f;

/* Squared lengths up to this select the first level and the magnification filter (or an equal one),
 * provided that no bias is positive. */
static inline float max_magnified_length2(const struct tex_sampler_private *s)
{
    return s->mip_filter == D3DTEXF_POINT && s->minify == s->magnify ? 2.0f * below : 1.0f;
}

/* Returns true, and sets the level, if all squared lengths select the same nearest level. */
static inline bool select_uniform_level(const struct tex_sampler_private *s, const float *longer2,
                                        struct lod_select *select)
{
    int32_t level;
    uint32_t bits;

    if (s->mip_filter != D3DTEXF_POINT || s->lod_bias != 0.0f)
        return false;
    memcpy(&bits, longer2, sizeof(bits));
    level = ((int32_t)(bits >> 23) - 126) >> 1;
    if (level <= s->base_level || level > 16 ||
        !all_between(longer2, select->n, power_of_2(2 * level - 1) * above,
                     power_of_2(2 * level + 1) * below))
        return false;
    level = level < s->min_level ? s->min_level : level;
    select->uniform_level = level < s->max_level ? level : s->max_level;
    select->uniform = true;
    return true;
}

/* Loads the derivatives of two coordinates, to the right and downwards, for a vector of groups. */
static inline void simple_gradients(const struct sample *in, unsigned i, f32v d[2][2])
{
    if (in->lod_mode == LOD_GRADIENT) {
        for (int a = 0; a < 2; a++) {
            d[0][a] = f32v_load(in->ddx[a] + i);
            d[1][a] = f32v_load(in->ddy[a] + i);
        }
        return;
    }
    for (int a = 0; a < 2; a++) {
        f32v lane[3];

        f32v_load_quads(in->coord[a] + 4 * i, lane);
        d[0][a] = f32v_sub(lane[1], lane[0]);
        d[1][a] = f32v_sub(lane[2], lane[0]);
    }
}

static inline f32v simple_length2(const f32v d[2], f32v width, f32v height)
{
    f32v du = f32v_mul(d[0], width), dv = f32v_mul(d[1], height);

    return f32v_add(f32v_mul(du, du), f32v_mul(dv, dv));
}

/* True for two coordinates, isotropic filtering, and no LOD or bias from the shader. */
KERNEL_PART bool is_simple(const struct tex_sampler_private *s, const struct sample *in)
{
    if (s->shape != TEX_2D || s->max_taps > 1.0f)
        return false;
    if (in->lod_mode == LOD_GRADIENT)
        return in->ddx[0] && in->ddx[1] && in->ddy[0] && in->ddy[1];
    return in->lod_mode == LOD_IMPLICIT && in->coord[0] && in->coord[1];
}

/* Does the work of quad_derivatives or given_gradients, measure_lod and select_levels in one pass
 * for the common case. */
KERNEL_PART void select_lods_simple(const struct tex_sampler_private *s, const struct sample *in,
                                    struct lod_select *select)
{
    f32v half = f32v_set1(0.5f), bias = f32v_set1(s->lod_bias);
    f32v width = f32v_set1(s->size[0]), height = f32v_set1(s->size[1]);
    f32v most = f32v_set1(max_magnified_length2(s));
    _Alignas(64) float longer2[TEX_LANES];
    m32v all_short = m32v_all();
    uint64_t magnified = 0;

    select->n = in->lod_mode == LOD_GRADIENT ? TEX_LANES : QUADS;
    for (unsigned i = 0; i < select->n; i += SIMD_LANES) {
        f32v d[2][2], length2;

        simple_gradients(in, i, d);
        length2 =
            f32v_max(simple_length2(d[0], width, height), simple_length2(d[1], width, height));
        all_short = m32v_and(all_short, f32v_le(length2, most));
        f32v_store(longer2 + i, length2);
    }
    if (s->lod_bias <= 0.0f && m32v_every(all_short)) {
        select->magnified = UINT64_MAX;
        return;
    }
    if (select_uniform_level(s, longer2, select))
        return;
    for (unsigned i = 0; i < select->n; i += SIMD_LANES) {
        f32v lod = f32v_mul(half, f32v_log2(f32v_load(longer2 + i)));

        magnified |= (uint64_t)m32v_bits(split_level(s, f32v_add(lod, bias), select, i)) << i;
    }
    select->magnified = lanes_of_lod_groups(magnified, select->n);
}

KERNEL_PART void select_lods(const struct tex_sampler_private *s, const struct sample *in,
                             const float *const coord[3], struct lod_select *select)
{
    struct gradients g;
    struct lanes_f32 lod, wide;

    select->anisotropic = select->any_stretched = select->uniform = false;
    select->magnified = 0;
    if (in->lod_mode == LOD_EXPLICIT) {
        select->n = TEX_LANES;
        select_levels(s, in->lod, NULL, select);
        return;
    }
    if (is_simple(s, in)) {
        select_lods_simple(s, in, select);
        return;
    }
    select->anisotropic = s->max_taps > 1.0f;
    g.axes = s->shape == TEX_2D ? 2 : 3;
    if (in->lod_mode == LOD_GRADIENT)
        given_gradients(&g, in, coord);
    else
        quad_derivatives(&g, coord);
    if (s->shape == TEX_CUBE_MAP)
        project_gradients(&g);
    select->n = g.n;
    measure_lod(s, &g, lod.lane, select);
    if (in->lod_mode != LOD_BIAS) {
        select_levels(s, lod.lane, NULL, select);
        return;
    }
    broadcast_lod_groups(wide.lane, lod.lane, g.n);
    select->n = TEX_LANES;
    if (select->any_stretched) {
        struct lanes_f32 narrow = select->taps;

        broadcast_lod_groups(select->taps.lane, narrow.lane, g.n);
        for (unsigned a = 0; a < g.axes; a++) {
            narrow = select->step[a];
            broadcast_lod_groups(select->step[a].lane, narrow.lane, g.n);
        }
    }
    select_levels(s, wide.lane, in->lod, select);
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

/* Returns the lanes that use the same level as the first lane of the set. */
KERNEL_PART uint64_t same_level(const struct lod_select *select, uint64_t lanes, int32_t *level)
{
    *level = select->level.lane[lod_group_of_lane((unsigned)__builtin_ctzll(lanes), select->n)];
    return lanes & lod_groups_equal(&select->level, *level, select->n);
}

#endif
