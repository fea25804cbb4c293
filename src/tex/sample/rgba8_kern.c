/* Integer sampling of RGBA8 textures: point, bilinear, trilinear with both levels at once, volume
 * slices and anisotropic taps (reference: texture/point, texture/linear, texture/mip-linear,
 * texture/volume, texture/anisotropic). Results equal those of sample_kern.c and
 * lod_kern.c.
 * Tested by tests/kernel/tex/sample/test_sample_kern.c
 * and tests/unit/tex/sample/test_sampler_oracle.c. */
#include "tex/sample/kernels.h"
#include "tex/sample/quad_texels.h"

#include "util/simd/table_lookup.h"

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

#if HAVE_QUAD_TEXELS

INLINE void address_volume_quads(struct quad_addr *p, float weight[TEX_LANES],
                                 const struct tex_sampler_private *s, const struct tex_level *level,
                                 bool border, const struct tex_coords *at, uint64_t lanes)
{
    i32v slice_bytes = i32v_set1((int32_t)s->quad_texels[level - s->level].slice_bytes);
    struct quad_level l = quad_level(level, s->address);

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        struct axis z = linear_axis(f32v_load(at->axis[2] + i), level->depth, s->address[2]);
        struct quad_slices slices = {.n = 2};

        if (!lanes_at(lanes, i))
            continue;
        f32v_store(weight + i, z.weight[1]);
        UNROLL
        for (unsigned k = 0; k < 2; k++) {
            slices.offset[k] = i32v_mul(z.index[k], slice_bytes);
            slices.inside[k] = m32v_as_i32(m32v_not(z.outside[k]));
        }
        address_quad(p, i, &l, s->address, border, &slices,
                     fold_coordinate(f32v_load(at->axis[0] + i), s->address[0]),
                     fold_coordinate(f32v_load(at->axis[1] + i), s->address[1]));
    }
}

INLINE void filter_volume_quads(const struct quad_addr *p,
                                const struct tex_quad_texels_level *level, const float *weight,
                                const int32_t *border, const struct tex_byte_divisors *d,
                                uint64_t lanes, const struct channel_results *results)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v second = f32v_load(weight + i), first = f32v_sub(f32v_set1(1.0f), second);
        struct quad_bytes slice[2];

        if (!lanes_at(lanes, i))
            continue;
        load_quads(&slice[0], level, p, 0, i);
        load_quads(&slice[1], level, p, 1, i);
        UNROLL
        for (unsigned c = 0; c < 4; c++) {
            f32v value;

            if (!has_result(results, c))
                continue;
            value = mix(sum_quads(&slice[0], c, border), sum_quads(&slice[1], c, border), first,
                        second);
            put(results->to[c] + i, f32v_div_with(value, d->of[c], d->high[c]), lanes_at(lanes, i));
        }
    }
}

static void sample_volume_quads(const struct tex_sampler_private *s, const struct tex_level *level,
                                const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    const struct tex_quad_texels_level *quads = &s->quad_texels[level - s->level];
    const struct tex_byte_divisors d = s->bytes;
    const int32_t border = s->border_codes;
    _Alignas(64) float weight[TEX_LANES];
    struct channel_results results;
    struct quad_addr p;

    route_results(s, out, lanes, &results);
    if (tex_has_border(s)) {
        address_volume_quads(&p, weight, s, level, true, at, lanes);
        filter_volume_quads(&p, quads, weight, &border, &d, lanes, &results);
        return;
    }
    address_volume_quads(&p, weight, s, level, false, at, lanes);
    filter_volume_quads(&p, quads, weight, NULL, &d, lanes, &results);
}

#else

static void sample_volume_quads(const struct tex_sampler_private *s, const struct tex_level *level,
                                const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    (void)s, (void)level, (void)at, (void)lanes, (void)out;
}

#endif

static void sample_volume(const struct tex_sampler_private *s, const struct tex_level *level,
                          const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    const struct tex_byte_divisors d = s->bytes;
    _Alignas(64) float weight[TEX_LANES];
    struct texel_addr p[2];
    struct channel_results results;

    if (s->quad_texels) {
        sample_volume_quads(s, level, at, lanes, out);
        return;
    }
    if (tex_has_border(s)) {
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
 * drops, stay at the end of the line. tap_along[p][n - 1] */
#define ALONG(p, n) (((p) + 0.5f) / (n)-0.5f < 0.5f ? ((p) + 0.5f) / (n)-0.5f : 0.5f)
#define ALONG_4(p, n) ALONG(p, n), ALONG(p, (n) + 1), ALONG(p, (n) + 2), ALONG(p, (n) + 3)
#define ALONG_16(p)                                                                                \
    {                                                                                              \
        ALONG_4(p, 1), ALONG_4(p, 5), ALONG_4(p, 9), ALONG_4(p, 13)                                \
    }
static const _Alignas(64) float tap_along[16][16] = {
    ALONG_16(0),  ALONG_16(1),  ALONG_16(2),  ALONG_16(3), ALONG_16(4),  ALONG_16(5),
    ALONG_16(6),  ALONG_16(7),  ALONG_16(8),  ALONG_16(9), ALONG_16(10), ALONG_16(11),
    ALONG_16(12), ALONG_16(13), ALONG_16(14), ALONG_16(15)};

/* The lines of taps of a vector. */
struct tap_lines {
    f32v u, v, du, dv;
    struct simd_lookup_index count;
};

INLINE struct tap_lines tap_lines(const struct tex_coords *at, const struct tex_taps *taps,
                                  unsigned i)
{
    i32v n = f32v_to_i32_round(f32v_load(taps->count + i));

    return (struct tap_lines){f32v_load(at->axis[0] + i), f32v_load(at->axis[1] + i),
                              f32v_load(taps->step[0] + i), f32v_load(taps->step[1] + i),
                              simd_lookup_index_of(i32v_sub(n, i32v_set1(1)), 0, false)};
}

/* The coordinates of tap p. */
INLINE void move_along(const struct tap_lines *lines, unsigned p, f32v at[2])
{
    f32v along = simd_lookup(tap_along[p], &lines->count);

    at[0] = f32v_add(lines->u, f32v_mul(lines->du, along));
    at[1] = f32v_add(lines->v, f32v_mul(lines->dv, along));
}

/* Computes addresses of taps first … first + count - 1 of the lanes at i. Returns false if one is
 * outside the level. */
INLINE bool address_taps(struct texel_addr p[2], const struct tex_sampler_private *s,
                         const struct addr_params params[2], bool two_levels, bool inner,
                         const struct tex_coords *at, const struct tex_taps *taps, unsigned i,
                         unsigned first, unsigned count)
{
    i32v face = face_at(at, i), outside = i32v_set1(0);
    struct tap_lines lines = tap_lines(at, taps, i);

    for (unsigned k = 0; k < count; k++) {
        f32v here[2];

        move_along(&lines, first + k, here);
        for (unsigned l = 0; l < 1u + two_levels; l++) {
            if (inner)
                outside = i32v_or(outside, address_inner(&p[l], k * SIMD_LANES, &params[l], here[0],
                                                         here[1], face));
            else
                address_outer(&p[l], k * SIMD_LANES, s, params[l].level, here[0], here[1], face);
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

/* Returns the maximum number of taps of some lanes of a vector. */
INLINE unsigned max_tap_count(f32v n, unsigned lanes)
{
    return (unsigned)(int32_t)f32v_reduce_max(f32v_where(m32v_from_bits(lanes), n));
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

#if HAVE_QUAD_TEXELS

/* What taps of quad texels read: a level, or two. INLINE functions get it by value, so that its
 * constants specialise them. */
struct tap_source {
    const struct tex_sampler_private *s;
    const struct tex_level *level;
    const uint8_t *mode; /* a constant for the common modes */
    const int32_t *border;
    unsigned levels;
};

/* Computes addresses of taps first … first + count - 1 of the lanes at i. */
INLINE void address_tap_quads(struct quad_addr p[2], struct tap_source from,
                              const struct quad_level levels[2], const struct tex_coords *at,
                              const struct tex_taps *taps, unsigned i, unsigned first,
                              unsigned count)
{
    struct quad_slices face = quad_face(from.s, at, i);
    struct tap_lines lines = tap_lines(at, taps, i);

    for (unsigned k = 0; k < count; k++) {
        f32v here[2];

        move_along(&lines, first + k, here);
        here[0] = fold_coordinate(here[0], from.mode[0]);
        here[1] = fold_coordinate(here[1], from.mode[1]);
        UNROLL
        for (unsigned l = 0; l < from.levels; l++)
            address_quad(&p[l], k * SIMD_LANES, &levels[l], from.mode, from.border, &face, here[0],
                         here[1]);
    }
}

/* Adds taps to the sums of the `wanted` channels. */
INLINE void add_tap_quads(const struct quad_addr p[2], struct tap_source from, f32v n, f32v weight,
                          unsigned first, unsigned count, const struct tex_byte_divisors *d,
                          unsigned wanted, f32v sum[4])
{
    const struct tex_quad_texels_level *level = &from.s->quad_texels[from.level - from.s->level];
    f32v rest = f32v_sub(f32v_set1(1.0f), weight);

    for (unsigned k = 0; k < count; k++) {
        m32v counts = f32v_gt(n, f32v_set1((float)(first + k)));
        struct quad_bytes fine, coarse;

        load_quads(&fine, level, &p[0], 0, k * SIMD_LANES);
        if (from.levels > 1)
            load_quads(&coarse, level + 1, &p[1], 0, k * SIMD_LANES);
        UNROLL
        for (unsigned c = 0; c < 4; c++) {
            f32v value;

            if (!(wanted >> c & 1))
                continue;
            value = divide_sum(sum_quads(&fine, c, from.border), d, c);
            if (from.levels > 1)
                value =
                    mix(value, divide_sum(sum_quads(&coarse, c, from.border), d, c), rest, weight);
            sum[c] = f32v_add(sum[c], f32v_where(counts, value));
        }
    }
}

INLINE void sample_tap_quads(struct tap_source from, const struct tex_coords *at,
                             const struct tex_taps *taps, uint64_t lanes, float *const out[4])
{
    enum { TAP_BATCH = TEX_LANES / SIMD_LANES };
    const struct tex_byte_divisors d = from.s->bytes;
    struct channel_results results;
    struct quad_level levels[2];
    unsigned wanted = 0;
    struct quad_addr p[2];

    for (unsigned l = 0; l < from.levels; l++)
        levels[l] = quad_level(from.level + l, from.mode);
    route_results(from.s, out, lanes, &results);
    for (unsigned c = 0; c < 4; c++)
        wanted |= (unsigned)has_result(&results, c) << c;
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        unsigned active = lanes_at(lanes, i), most;
        f32v sum[4] = {f32v_zero(), f32v_zero(), f32v_zero(), f32v_zero()};
        f32v n = f32v_load(taps->count + i), weight = f32v_load(taps->weight + i);

        if (!active)
            continue;
        most = max_tap_count(n, active);
        for (unsigned k = 0; k < most; k += TAP_BATCH) {
            unsigned count = most - k < TAP_BATCH ? most - k : TAP_BATCH;

            address_tap_quads(p, from, levels, at, taps, i, k, count);
            add_tap_quads(p, from, n, weight, k, count, &d, wanted, sum);
        }
        for (unsigned c = 0; c < 4; c++)
            if (wanted >> c & 1)
                put(results.to[c] + i, f32v_div(sum[c], n), active);
    }
}

INLINE void sample_taps_of_quads(const struct tex_sampler_private *s, const struct tex_level *level,
                                 unsigned levels, const struct tex_coords *at,
                                 const struct tex_taps *taps, uint64_t lanes, float *const out[4])
{
    static const uint8_t wrap[2] = {D3DTADDRESS_WRAP, D3DTADDRESS_WRAP};
    const struct tex_coords no_face = {.axis = {at->axis[0], at->axis[1]}};
    const int32_t border = s->border_codes;

    if (s->address[0] == D3DTADDRESS_WRAP && s->address[1] == D3DTADDRESS_WRAP)
        sample_tap_quads((struct tap_source){s, level, wrap, NULL, levels}, &no_face, taps, lanes,
                         out);
    else if (tex_has_border(s))
        sample_tap_quads((struct tap_source){s, level, s->address, &border, levels}, &no_face, taps,
                         lanes, out);
    else
        sample_tap_quads((struct tap_source){s, level, s->address, NULL, levels}, at, taps, lanes,
                         out);
}

#else

INLINE void sample_taps_of_quads(const struct tex_sampler_private *s, const struct tex_level *level,
                                 unsigned levels, const struct tex_coords *at,
                                 const struct tex_taps *taps, uint64_t lanes, float *const out[4])
{
    (void)s, (void)level, (void)levels, (void)at, (void)taps, (void)lanes, (void)out;
}

#endif

static void sample_taps(const struct tex_sampler_private *s, const struct tex_level *level,
                        const struct tex_coords *at, const struct tex_taps *taps, uint64_t lanes,
                        float *const out[4])
{
    if (s->quad_texels && taps->two_levels)
        sample_taps_of_quads(s, level, 2, at, taps, lanes, out);
    else if (s->quad_texels)
        sample_taps_of_quads(s, level, 1, at, taps, lanes, out);
    else if (taps->two_levels)
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
