/* Top-level sampling kernel: projects cube directions, selects LODs and calls a level function per
 * level and filter (reference: texture/mip-level, texture/cube-faces, texture/anisotropic). */
#include "tex/sample/lod.h"

#include <math.h>

/* Calls minify once per level that lanes use; `above` is 0 for that level or 1 for the next. */
static void sample_levels(const struct tex_sampler_private *s, const struct lod_select *select,
                          const struct tex_coords *at, uint64_t lanes, int32_t above,
                          float *const out[4])
{
    while (lanes) {
        int32_t level =
            select->level.lane[lod_group_of_lane((unsigned)__builtin_ctzll(lanes), select->n)];
        uint64_t same = lod_groups_equal(&select->level, level, select->n) & lanes;

        s->minify(s, &s->level[level + above], at, same, out);
        lanes &= ~same;
    }
}

/* Blends the next level into `out` by its weight. */
static void blend_levels(const struct lod_select *select, uint64_t lanes, float *const out[4],
                         float *const coarse[4])
{
    struct lanes_f32 weight;
    f32v one = f32v_set1(1.0f);

    broadcast_fractions(select, &weight);
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        m32v active = m32v_from_bits((unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS);
        f32v w = f32v_load(weight.lane + i), rest = f32v_sub(one, w);

        for (int k = 0; k < 4; k++) {
            f32v a, b;

            if (!out[k])
                continue;
            a = f32v_load(out[k] + i);
            b = f32v_load(coarse[k] + i);
            b = f32v_add(f32v_mul(a, rest), f32v_mul(b, w));
            f32v_store(out[k] + i, f32v_select(active, b, a));
        }
    }
}

/* As sample_minified, but samples both levels in one call. */
static void sample_level_pairs(const struct tex_sampler_private *s, const struct lod_select *select,
                               const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    uint64_t blended = lanes & ~lod_groups_equal(&select->fraction, 0, select->n), same;
    struct lanes_f32 weight;
    int32_t level;

    broadcast_fractions(select, &weight);
    for (; lanes; lanes &= ~same) {
        same = same_level(select, lanes, &level);
        if (!(same & blended)) {
            s->minify(s, &s->level[level], at, same, out);
            continue;
        }
        if (s->decode_cache)
            tex_require_texels(s, &s->level[level], 2, at, NULL, same);
        s->minify_levels(s, &s->level[level], at, weight.lane, same, out);
    }
}

/* Samples minified lanes with the mip filter. */
static void sample_minified(const struct tex_sampler_private *s, const struct lod_select *select,
                            const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    struct lanes_f32 memory[4];
    float *const coarse[4] = {memory[0].lane, memory[1].lane, memory[2].lane, memory[3].lane};
    float *wanted[4];
    uint64_t blended;

    if (s->minify_levels && s->mip_filter == D3DTEXF_LINEAR) {
        sample_level_pairs(s, select, at, lanes, out);
        return;
    }
    sample_levels(s, select, at, lanes, 0, out);
    if (s->mip_filter != D3DTEXF_LINEAR)
        return;
    blended = lanes & ~lod_groups_equal(&select->fraction, 0, select->n);
    if (!blended)
        return;
    for (int k = 0; k < 4; k++)
        wanted[k] = out[k] ? coarse[k] : NULL;
    sample_levels(s, select, at, blended, 1, wanted);
    blend_levels(select, blended, out, coarse);
}

/* Tap p of n is (2p + 1) / 2n - 1/2 steps from the centre. */
static void move_to_tap(const struct tex_sampler_private *s, const struct lanes_f32 *n,
                        const struct lanes_f32 step[3], const struct tex_coords *at, unsigned p,
                        struct lanes_f32 moved[3])
{
    unsigned axes = s->shape == TEX_VOLUME_MAP ? 3 : 2;
    f32v middle = f32v_set1((float)p + 0.5f), half = f32v_set1(0.5f);

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v along = f32v_sub(f32v_div(middle, f32v_load(n->lane + i)), half);

        for (unsigned a = 0; a < axes; a++) {
            f32v d = f32v_mul(f32v_load(step[a].lane + i), along);

            f32v_store(moved[a].lane + i, f32v_add(f32v_load(at->axis[a] + i), d));
        }
    }
}

static uint64_t lanes_above(const struct lanes_f32 *a, float value)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
        bits |= (uint64_t)m32v_bits(f32v_gt(f32v_load(a->lane + i), f32v_set1(value))) << i;
    return bits;
}

static void accumulate(float *const out[4], float *const tap[4], uint64_t lanes)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        m32v active = m32v_from_bits((unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS);

        for (int k = 0; k < 4; k++) {
            f32v sum;

            if (!out[k])
                continue;
            sum = f32v_load(out[k] + i);
            f32v_store(out[k] + i, f32v_select(active, f32v_add(sum, f32v_load(tap[k] + i)), sum));
        }
    }
}

static void divide_by_taps(const struct lanes_f32 *n, uint64_t lanes, float *const out[4])
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        m32v active = m32v_from_bits((unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS);

        for (int k = 0; k < 4; k++) {
            f32v sum;

            if (!out[k])
                continue;
            sum = f32v_load(out[k] + i);
            f32v_store(out[k] + i, f32v_select(active, f32v_div(sum, f32v_load(n->lane + i)), sum));
        }
    }
}

/* Decodes the pages of all taps of lanes that share a level. One call suffices if the lines of taps
 * touch few pages. */
static void require_taps(const struct tex_sampler_private *s, const struct tex_level *level,
                         const struct tex_coords *at, const struct lanes_f32 *n,
                         const struct lanes_f32 step[3], bool two_levels, uint64_t multi_tap)
{
    const float *const line[2] = {step[0].lane, step[1].lane};
    struct lanes_f32 moved[3];
    struct tex_coords here = *at;
    uint64_t lanes = multi_tap;

    if (tex_require_texels(s, level, 1u + two_levels, at, line, multi_tap))
        return;
    here.axis[0] = moved[0].lane;
    here.axis[1] = moved[1].lane;
    for (unsigned p = 0; lanes; p++, lanes = multi_tap & lanes_above(n, (float)p)) {
        move_to_tap(s, n, step, at, p, moved);
        tex_require_texels(s, level, 1u + two_levels, &here, NULL, lanes);
    }
}

static void sample_all_taps(const struct tex_sampler_private *s, const struct lod_select *select,
                            const struct tex_coords *at, const struct lanes_f32 *n,
                            const struct lanes_f32 step[3], uint64_t lanes, float *const out[4])
{
    struct tex_taps taps = {.count = n->lane, .step = {step[0].lane, step[1].lane}};
    uint64_t blended = 0, same;
    struct lanes_f32 weight;
    int32_t level;

    if (s->mip_filter == D3DTEXF_LINEAR)
        blended = lanes & ~lod_groups_equal(&select->fraction, 0, select->n);
    broadcast_fractions(select, &weight);
    taps.weight = weight.lane;
    for (; lanes; lanes &= ~same) {
        same = same_level(select, lanes, &level);
        taps.two_levels = (same & blended) != 0;
        if (s->decode_cache)
            require_taps(s, &s->level[level], at, n, step, taps.two_levels, same);
        s->minify_taps(s, &s->level[level], at, &taps, same, out);
    }
}

static void sample_anisotropic(const struct tex_sampler_private *s, const struct lod_select *select,
                               const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    struct lanes_f32 n, step[3], moved[3], memory[4];
    float *const tap[4] = {out[0] ? memory[0].lane : NULL, out[1] ? memory[1].lane : NULL,
                           out[2] ? memory[2].lane : NULL, out[3] ? memory[3].lane : NULL};
    struct tex_coords here = *at;
    uint64_t multi_tap = lanes & select->multi_tap;

    if (multi_tap != lanes)
        sample_minified(s, select, at, lanes & ~multi_tap, out);
    if (!multi_tap)
        return;
    broadcast_lod_groups(n.lane, select->taps.lane, select->n);
    for (int a = 0; a < (s->shape == TEX_VOLUME_MAP ? 3 : 2); a++) {
        broadcast_lod_groups(step[a].lane, select->step[a].lane, select->n);
        here.axis[a] = moved[a].lane;
    }
    if (s->minify_taps) {
        sample_all_taps(s, select, at, &n, step, multi_tap, out);
        return;
    }
    lanes = multi_tap;
    for (unsigned p = 0; lanes; p++, lanes = multi_tap & lanes_above(&n, (float)p)) {
        move_to_tap(s, &n, step, at, p, moved);
        sample_minified(s, select, &here, lanes, p ? tap : out);
        if (p)
            accumulate(out, tap, lanes);
    }
    divide_by_taps(&n, multi_tap, out);
}

static void sample(const struct tex_sampler_private *s, const struct sample *in)
{
    static const struct lanes_f32 zero;
    const float *coord[3];
    struct tex_coords at;
    struct cube_lanes cube;
    struct lod_select select;
    uint64_t minified;

    for (int a = 0; a < 3; a++)
        at.axis[a] = coord[a] = in->coord[a] ? in->coord[a] : zero.lane;
    at.reference = coord[2];
    at.face_offset = NULL;
    if (s->shape == TEX_CUBE_MAP) {
        project_cube(s, coord, &cube);
        at.axis[0] = cube.u.lane;
        at.axis[1] = cube.v.lane;
        at.face_offset = cube.face_offset.lane;
    }
    if (!s->needs_lod) {
        s->magnify(s, &s->level[s->min_level], &at, in->lanes, in->texel);
        return;
    }
    select_lods(s, in, coord, &select);
    if (select.uniform) {
        s->minify(s, &s->level[select.uniform_level], &at, in->lanes, in->texel);
        return;
    }
    if (in->lanes & select.magnified)
        s->magnify(s, &s->level[s->min_level], &at, in->lanes & select.magnified, in->texel);
    minified = in->lanes & ~select.magnified;
    if (minified && select.any_stretched)
        sample_anisotropic(s, &select, &at, minified, in->texel);
    else if (minified)
        sample_minified(s, &select, &at, minified, in->texel);
}

/* --- Constant LOD ----------------------------------------------------------------------------- */

/* Bounds the squared gradient lengths in texels, including gradient error and float rounding. */
static void bound_lengths(const struct tex_sampler_private *s,
                          const struct tex_gradients *gradients, double *least2, double *most2)
{
    const double rounding = 0x1p-20;

    *least2 = *most2 = 0.0;
    for (unsigned direction = 0; direction < 2 && *most2 <= DBL_MAX; direction++) {
        double low2 = 0.0, high2 = 0.0;

        for (unsigned a = 0; a < 2; a++) {
            double step = fabs(gradients->step[a][direction]);
            double low = s->size[a] * fmax(step - gradients->error_bound[a], 0.0);
            double high = s->size[a] * (step + gradients->error_bound[a]);

            low2 += low * low;
            high2 += high * high;
        }
        *least2 = fmax(*least2, low2 * (1.0 - rounding));
        *most2 = high2 <= DBL_MAX ? fmax(*most2, high2 * (1.0 + rounding)) : INFINITY;
    }
}

/* Returns the level and filter that select_lods_simple would choose for every sample, or -1. */
static int find_const_lod(const struct tex_sampler_private *s,
                          const struct tex_gradients *gradients)
{
    double least2, most2;
    int level;

    if (!s->needs_lod)
        return TEX_CONST_LOD_MAGNIFY | s->min_level;
    if (s->max_taps > 1.0f)
        return -1;
    bound_lengths(s, gradients, &least2, &most2);
    if (s->lod_bias <= 0.0f && most2 <= (double)max_magnified_length2(s))
        return TEX_CONST_LOD_MAGNIFY | s->min_level;
    if (s->mip_filter != D3DTEXF_POINT || s->lod_bias != 0.0f)
        return -1;
    for (level = s->base_level + 1; level <= 16; level++)
        if (least2 > (double)(power_of_2(2 * level - 1) * above) &&
            most2 < (double)(power_of_2(2 * level + 1) * below))
            return level < s->min_level   ? s->min_level
                   : level < s->max_level ? level
                                          : s->max_level;
    return -1;
}

/* --- Axis-aligned areas ----------------------------------------------------------------------- */

enum { FEW = 8 }; /* limit of distinct differences along an axis; they differ only by rounding */
_Static_assert((int)FEW *FEW == (int)TEX_LANES, "all pairs of differences fill one batch");

/* Collects the distinct differences between the pixels of a quad along an axis. Returns false if
 * there are too many, or if a coordinate is NaN or too large. */
static bool distinct_differences(const float t[TEX_AXIS_ALIGNED_SIZE], float different[FEW])
{
    unsigned n = 0;

    for (unsigned i = 0; i < TEX_AXIS_ALIGNED_SIZE; i += 2) {
        float d = t[i + 1] - t[i];
        unsigned k = 0;

        if (!(fabsf(t[i]) <= 1e6f && fabsf(t[i + 1]) <= 1e6f))
            return false;
        while (k < n && different[k] != d)
            k++;
        if (k == FEW)
            return false;
        different[k] = d;
        n = k == n ? n + 1 : n;
    }
    for (; n < FEW; n++)
        different[n] = different[0];
    return true;
}

/* Makes one LOD group for each pair of a difference across and a difference down. */
static bool axis_aligned_gradients(struct gradients *g, const struct tex_axis_aligned *area)
{
    float across[FEW], down[FEW];

    if (!distinct_differences(area->u, across) || !distinct_differences(area->v, down))
        return false;
    memset(g, 0, sizeof(*g));
    g->n = TEX_LANES;
    g->axes = 2;
    for (unsigned i = 0; i < TEX_LANES; i++) {
        g->d[0][0].lane[i] = across[i % FEW];
        g->d[1][1].lane[i] = down[i / FEW];
    }
    return true;
}

static bool axis_aligned_level(const struct tex_sampler_private *s,
                               const struct tex_axis_aligned *area,
                               struct tex_axis_aligned_level *out)
{
    struct lod_select select = {.n = TEX_LANES, .anisotropic = s->max_taps > 1.0f};
    struct gradients g;
    struct lanes_f32 lod;
    bool next;

    out->level = &s->level[s->min_level];
    out->filter = s->decode_cache ? s->decoded_magnify : s->magnify;
    out->next = 0.0f;
    if (!s->needs_lod)
        return true;
    if (!axis_aligned_gradients(&g, area))
        return false;
    measure_lod(s, &g, lod.lane, &select);
    select_levels(s, lod.lane, NULL, &select);
    if (!~select.magnified)
        return true;
    next = s->mip_filter == D3DTEXF_LINEAR;
    if (select.magnified || select.multi_tap ||
        ~lod_groups_equal(&select.level, select.level.lane[0], select.n) ||
        (next && ~lod_groups_equal(&select.fraction, select.fraction.lane[0], select.n)))
        return false;
    out->level = &s->level[select.level.lane[0]];
    out->filter = s->decode_cache ? s->decoded_minify : s->minify;
    out->next = next ? (float)select.fraction.lane[0] / 256.0f : 0.0f;
    return true;
}

const struct tex_sample_lod_kern KERN_NAME(tex_sample_lod_kern) = {
    .sample = sample, .find_const_lod = find_const_lod, .axis_aligned_level = axis_aligned_level};
