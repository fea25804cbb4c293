/* Integer sampling of RGBA8 textures: point, bilinear, trilinear with both levels at once, volume
 * slices and anisotropic taps (reference: texture/point, texture/linear, texture/mip-linear,
 * texture/volume, texture/anisotropic). Results equal those of sample_kern.c and
 * lod_kern.c.
 * Tested by tests/kernel/tex/sample/test_sample_kern.c
 * and tests/unit/tex/sample/test_sampler_oracle.c. */
#include "tex/sample/kernels.h"
#include "tex/sample/quad_texels.h"

/* --- Point sampling --------------------------------------------------------------------------- */

INLINE void load_points(const int32_t *base, const struct point_addr *p, unsigned i, bool *local,
                        const struct tex_byte_divisors *d, f32v value[4])
{
    i32v word;

    if (*local) {
        struct simd_local_index index = simd_local_index_of(p->at + i, false);

        *local = simd_is_local(&index);
        word = i32v_gather_local(base, &index);
    } else {
        word = i32v_load_words(base, p->at + i);
    }
    unpack_codes(word, d, value);
}

INLINE void convert_points(const struct tex_sampler_private *s, const struct tex_level *level,
                           const struct point_addr p[2], const float *weight, bool border,
                           uint64_t lanes, const struct channel_results *results)
{
    const unsigned levels = weight ? 2 : 1;
    const struct tex_byte_divisors d = s->bytes;
    bool local[2] = {true, true}; /* the vectors before were */

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v value[2][4];

        if (!lanes_at(lanes, i))
            continue;
        for (unsigned l = 0; l < levels; l++) {
            load_points((const int32_t *)(const void *)level[l].data, &p[l], i, &local[l], &d,
                        value[l]);
            if (border)
                put_border_points(&p[l], s, 15, i, value[l]);
        }
        if (weight)
            blend_levels(value[0], value[1], f32v_load(weight + i));
        put_results(results, value[0], i, lanes_at(lanes, i));
    }
}

/* Samples one level, or two if there are weights. */
INLINE void points_of_levels(const struct tex_sampler_private *s, const struct tex_level *level,
                             const struct tex_coords *at, const float *weight, uint64_t lanes,
                             float *const out[4])
{
    struct point_addr p[2];
    struct channel_results results;
    uint64_t outside = 0;

    for (unsigned l = 0; l < (weight ? 2 : 1); l++) {
        address_points(&p[l], s, level + l, 0, at, lanes);
        outside |= p[l].outside;
    }
    route_results(s, out, lanes, &results);
    if (!~lanes && !outside)
        convert_points(s, level, p, weight, false, ~UINT64_C(0), &results);
    else
        convert_points(s, level, p, weight, true, lanes, &results);
}

static void sample_points(const struct tex_sampler_private *s, const struct tex_level *level,
                          const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    points_of_levels(s, level, at, NULL, lanes, out);
}

static void sample_point_levels(const struct tex_sampler_private *s, const struct tex_level *level,
                                const struct tex_coords *at, const float *weight, uint64_t lanes,
                                float *const out[4])
{
    points_of_levels(s, level, at, weight, lanes, out);
}

/* --- Levels ----------------------------------------------------------------------------------- */

static void sample_level_quads(const struct tex_sampler_private *s, const struct tex_level *level,
                               const struct tex_coords *at, const float *weight, uint64_t lanes,
                               float *const out[4])
{
    struct channel_results results;
    const struct quad_texel_samples samples = {.level = {&s->quad_texels[level - s->level]},
                                               .divisors = {&s->bytes},
                                               .results = {&results},
                                               .n = 1};

    route_results(s, out, lanes, &results);
    sample_quad_texels(&samples, s, level, at, weight, lanes);
}

static void sample_in_place(const struct tex_sampler_private *s, const struct tex_level *level,
                            const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    const struct tex_byte_divisors d = s->bytes;
    struct texel_addr p;
    struct channel_results results;
    bool inner = try_address_inner(&p, s, level, at, lanes);

    if (!inner && tex_has_border(s)) {
        KERN_NAME(tex_sample_kern).fn[TEXEL_RGBA8][TEX_LINEAR_2D](s, level, at, lanes, out);
        return;
    }
    route_results(s, out, lanes, &results);
    if (inner && !~lanes) {
        filter_level(&p, level, true, &d, ~UINT64_C(0), &results);
        return;
    }
    if (inner) {
        filter_level(&p, level, true, &d, lanes, &results);
        return;
    }
    address_all_outer(&p, s, level, at, lanes);
    filter_level(&p, level, false, &d, lanes, &results);
}

static void sample_level(const struct tex_sampler_private *s, const struct tex_level *level,
                         const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    if (s->quad_texels)
        sample_level_quads(s, level, at, NULL, lanes, out);
    else
        sample_in_place(s, level, at, lanes, out);
}

static void sample_levels(const struct tex_sampler_private *s, const struct tex_level *level,
                          const struct tex_coords *at, const float *weight, uint64_t lanes,
                          float *const out[4])
{
    const struct tex_byte_divisors d = s->bytes;
    struct texel_addr p[2];
    struct channel_results results;

    if (s->quad_texels) {
        sample_level_quads(s, level, at, weight, lanes, out);
        return;
    }
    route_results(s, out, lanes, &results);
    if (try_address_inner(&p[0], s, level, at, lanes) &&
        try_address_inner(&p[1], s, level + 1, at, lanes)) {
        filter_levels(p, level, true, weight, &d, lanes, &results);
        return;
    }
    address_all_outer(&p[0], s, level, at, lanes);
    address_all_outer(&p[1], s, level + 1, at, lanes);
    filter_levels(p, level, false, weight, &d, lanes, &results);
}

/* --- Volumes ---------------------------------------------------------------------------------- */

/* Computes word offsets of both slices and the weight of the second. */
INLINE void address_slices(i32v slice[2], f32v *weight, const struct tex_level *level, f32v w,
                           unsigned mode)
{
    struct axis_addr z = linear_axis_addr(w, level->depth, mode);
    i32v pitch = i32v_set1((int32_t)(level->slice_pitch / 4));

    slice[0] = i32v_mul(z.index, pitch);
    slice[1] = i32v_mul(z.next, pitch);
    *weight = f32v_mul_ftz_any(i32v_to_f32(i32v_and(z.position, i32v_set1(255))),
                               f32v_set1(1.0f / 256.0f));
}

INLINE bool address_volume(struct texel_addr p[2], float weight[TEX_LANES],
                           const struct tex_sampler_private *s, const struct tex_level *level,
                           bool inner, const struct tex_coords *at, uint64_t lanes)
{
    struct addr_params params = linear_addr_params(s, level);
    i32v outside = i32v_set1(0), slice[2];
    f32v second;

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v u = f32v_load(at->axis[0] + i), v = f32v_load(at->axis[1] + i);

        if (!lanes_at(lanes, i))
            continue;
        address_slices(slice, &second, level, f32v_load(at->axis[2] + i), s->address[2]);
        f32v_store(weight + i, second);
        UNROLL
        for (int k = 0; k < 2; k++) {
            if (inner)
                outside = i32v_or(outside, address_inner(&p[k], i, &params, u, v, slice[k]));
            else
                address_outer(&p[k], i, s, level, u, v, slice[k]);
        }
    }
    return m32v_every(i32v_eq(outside, i32v_set1(0)));
}

/* Blends slices in float like sample_kern.c. Their weighted sum has up to 32 bits, so it rounds. */
INLINE void filter_volume(const struct texel_addr p[2], const struct tex_level *level, bool inner,
                          const struct tex_byte_divisors *d, const float *weight, uint64_t lanes,
                          const struct channel_results *results)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v second = f32v_load(weight + i), first = f32v_sub(f32v_set1(1.0f), second);
        unsigned active = lanes_at(lanes, i);
        struct simd_local_index local;
        f32v a[4], b[4];

        if (!active)
            continue;
        local = local_index_of(&p[0], i);
        filter_codes(&p[0], &local, level, inner, i, a);
        local = local_index_of(&p[1], i);
        filter_codes(&p[1], &local, level, inner, i, b);
        UNROLL
        for (int c = 0; c < 4; c++) {
            a[c] = f32v_add(f32v_mul_ftz_any(a[c], first), f32v_mul_ftz_any(b[c], second));
            a[c] = f32v_div_with(a[c], d->of[c], d->high[c]);
        }
        put_results(results, a, i, active);
    }
}

static void sample_volume(const struct tex_sampler_private *s, const struct tex_level *level,
                          const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    const struct tex_byte_divisors d = s->bytes;
    _Alignas(64) float weight[TEX_LANES];
    struct texel_addr p[2];
    struct channel_results results;

    if (tex_has_border(s) || s->address[2] == D3DTADDRESS_BORDER) {
        KERN_NAME(tex_sample_kern).fn[TEXEL_RGBA8][TEX_LINEAR_3D](s, level, at, lanes, out);
        return;
    }
    route_results(s, out, lanes, &results);
    if (has_interior(level) && address_volume(p, weight, s, level, true, at, lanes)) {
        filter_volume(p, level, true, &d, weight, lanes, &results);
        return;
    }
    address_volume(p, weight, s, level, false, at, lanes);
    filter_volume(p, level, false, &d, weight, lanes, &results);
}

/* --- Anisotropic taps ------------------------------------------------------------------------- */

/* Tap p of n is (2p + 1) / 2n - 1/2 steps from the centre. Taps past n, whose samples add_taps
 * drops, stay at the end of the line. */
INLINE f32v along_step(unsigned p, f32v n)
{
    f32v half = f32v_set1(0.5f);

    return f32v_min(f32v_sub(f32v_div(f32v_set1((float)p + 0.5f), n), half), half);
}

/* Computes addresses of taps first … first + count - 1 of the lanes at i. Returns false if one is
 * outside the level. */
INLINE bool address_taps(struct texel_addr p[2], const struct tex_sampler_private *s,
                         const struct addr_params params[2], bool two_levels, bool inner,
                         const struct tex_coords *at, const struct tex_taps *taps, unsigned i,
                         unsigned first, unsigned count)
{
    f32v u = f32v_load(at->axis[0] + i), v = f32v_load(at->axis[1] + i);
    f32v du = f32v_load(taps->step[0] + i), dv = f32v_load(taps->step[1] + i);
    f32v n = f32v_load(taps->count + i);
    i32v face = face_at(at, i), outside = i32v_set1(0);

    for (unsigned k = 0; k < count; k++) {
        f32v along = along_step(first + k, n);
        f32v x = f32v_add(u, f32v_mul(du, along)), y = f32v_add(v, f32v_mul(dv, along));

        for (unsigned l = 0; l < 1u + two_levels; l++) {
            if (inner)
                outside =
                    i32v_or(outside, address_inner(&p[l], k * SIMD_LANES, &params[l], x, y, face));
            else
                address_outer(&p[l], k * SIMD_LANES, s, params[l].level, x, y, face);
        }
    }
    return m32v_every(i32v_eq(outside, i32v_set1(0)));
}

INLINE void add_taps(const struct texel_addr p[2], const struct tex_level *level, bool two_levels,
                     bool inner, f32v n, f32v weight, unsigned first, unsigned count,
                     const struct tex_byte_divisors *d, f32v sum[4])
{
    for (unsigned k = 0; k < count; k++) {
        m32v counts = f32v_gt(n, f32v_set1((float)(first + k)));
        f32v value[4];

        if (two_levels)
            filter_two(p, level, inner, weight, k * SIMD_LANES, d, value);
        else
            filter_bytes(&p[0], level, inner, k * SIMD_LANES, d, value);
        UNROLL
        for (int c = 0; c < 4; c++)
            sum[c] = f32v_add(sum[c], f32v_where(counts, value[c]));
    }
}

/* Returns the maximum number of taps of some lanes of a vector, by branches that processors
 * predict. */
INLINE unsigned max_tap_count(f32v n, unsigned lanes)
{
    unsigned most = 1;

    n = f32v_where(m32v_from_bits(lanes), n);
    while (m32v_any(f32v_gt(n, f32v_set1((float)most))))
        most++;
    return most;
}

INLINE void sample_taps_of(const struct tex_sampler_private *s, const struct tex_level *level,
                           bool two_levels, const struct tex_coords *at,
                           const struct tex_taps *taps, uint64_t lanes, float *const out[4])
{
    enum { TAP_BATCH = TEX_LANES / SIMD_LANES < 16 ? TEX_LANES / SIMD_LANES : 16 };
    const struct tex_byte_divisors d = s->bytes;
    bool interior = has_interior(level) && (!two_levels || has_interior(level + 1));
    struct addr_params params[2];
    struct texel_addr p[2];
    struct channel_results results;

    params[0] = linear_addr_params(s, level);
    params[1] = linear_addr_params(s, two_levels ? level + 1 : level);
    route_results(s, out, lanes, &results);
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        unsigned active = lanes_at(lanes, i), most;
        f32v sum[4] = {f32v_zero(), f32v_zero(), f32v_zero(), f32v_zero()};
        f32v n = f32v_load(taps->count + i), weight = f32v_load(taps->weight + i);

        if (!active)
            continue;
        most = max_tap_count(n, active);
        for (unsigned k = 0; k < most; k += TAP_BATCH) {
            unsigned count = most - k < TAP_BATCH ? most - k : TAP_BATCH;

            if (interior && address_taps(p, s, params, two_levels, true, at, taps, i, k, count)) {
                add_taps(p, level, two_levels, true, n, weight, k, count, &d, sum);
            } else {
                address_taps(p, s, params, two_levels, false, at, taps, i, k, count);
                add_taps(p, level, two_levels, false, n, weight, k, count, &d, sum);
            }
        }
        UNROLL
        for (int c = 0; c < 4; c++)
            sum[c] = f32v_div(sum[c], n);
        put_results(&results, sum, i, active);
    }
}

static void sample_taps(const struct tex_sampler_private *s, const struct tex_level *level,
                        const struct tex_coords *at, const struct tex_taps *taps, uint64_t lanes,
                        float *const out[4])
{
    if (taps->two_levels)
        sample_taps_of(s, level, true, at, taps, lanes, out);
    else
        sample_taps_of(s, level, false, at, taps, lanes, out);
}

const struct tex_sample_rgba8_kern KERN_NAME(tex_sample_rgba8_kern) = {
    .point = sample_points,
    .point_levels = sample_point_levels,
    .linear = sample_level,
    .linear_in_place = sample_in_place,
    .volume = sample_volume,
    .levels = sample_levels,
    .taps = sample_taps,
    .uses_quad_texels = HAVE_QUAD_TEXELS,
};
