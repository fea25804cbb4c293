/* Top-level sampling kernel: projects cube directions, selects LODs and calls a level function per
 * level and filter (reference: texture/mip-level, texture/cube-faces, texture/anisotropic).
 * Tested by tests/unit/tex/sample/test_sampler_lod.c
 * and tests/unit/tex/sample/test_sampler_anisotropic.c. */
#include "tex/sample/kernels.h"
#include "tex/sample/lod.h"

/* Calls minify once per level that lanes use; `above` is 0 for that level or 1 for the next. */
static void sample_levels(const struct tex_sampler_private *s, const struct lod_select *select,
                          const struct tex_coords *at, uint64_t lanes, int32_t above,
                          float *const out[4])
{
    uint64_t same;
    int32_t level;

    for (; lanes; lanes &= ~same) {
        same = same_level(select, lanes, &level);
        s->minify(s, &s->level[level + above], at, same, out);
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

    if (blended)
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

/* Unused coordinates may be absent. */
static void find_coordinates(const struct sample *in, const float *coord[3], struct tex_coords *at)
{
    static const struct lanes_f32 zero;

    for (int a = 0; a < 3; a++)
        at->axis[a] = coord[a] = in->coord[a] ? in->coord[a] : zero.lane;
    at->reference = coord[2];
    at->face_offset = NULL;
}

/* Samples the first level. */
static void sample_first_level(const struct tex_sampler_private *s, const struct sample *in)
{
    const float *coord[3];
    struct tex_coords at;

    find_coordinates(in, coord, &at);
    s->magnify(s, &s->level[s->min_level], &at, in->lanes, in->texel);
}

/* Samples the levels that the coordinates or the shader select. */
static void sample_levels_in_use(const struct tex_sampler_private *s, const struct sample *in,
                                 const float *const coord[3], const struct tex_coords *at)
{
    struct lod_select select;
    uint64_t minified;

    select_lods(s, in, coord, &select);
    if (select.uniform) {
        const struct tex_level *level = &s->level[predicted_level(select.uniform_level)];

        (select.uniform_magnifies ? s->magnify : s->minify)(s, level, at, in->lanes, in->texel);
        return;
    }
    if (in->lanes & select.magnified)
        s->magnify(s, &s->level[s->min_level], at, in->lanes & select.magnified, in->texel);
    minified = in->lanes & ~select.magnified;
    if (minified && select.any_stretched)
        sample_anisotropic(s, &select, at, minified, in->texel);
    else if (minified)
        sample_minified(s, &select, at, minified, in->texel);
}

static void sample(const struct tex_sampler_private *s, const struct sample *in)
{
    const float *coord[3];
    struct tex_coords at;

    find_coordinates(in, coord, &at);
    sample_levels_in_use(s, in, coord, &at);
}

static void sample_cube(const struct tex_sampler_private *s, const struct sample *in)
{
    const float *coord[3];
    struct tex_coords at;
    struct cube_lanes cube;

    find_coordinates(in, coord, &at);
    project_cube(s, coord, &cube);
    at.axis[0] = cube.u.lane;
    at.axis[1] = cube.v.lane;
    at.face_offset = cube.face_offset.lane;
    if (s->needs_lod)
        sample_levels_in_use(s, in, coord, &at);
    else
        s->magnify(s, &s->level[s->min_level], &at, in->lanes, in->texel);
}

const struct tex_sample_lod_kern KERN_NAME(tex_sample_lod_kern) = {
    .sample = sample, .sample_cube = sample_cube, .sample_first_level = sample_first_level};
