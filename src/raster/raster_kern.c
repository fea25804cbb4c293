/* The inner loops of the rasteriser: coverage, interpolation, depth, alpha, fog and blending. */
#include "raster/raster_kern.h"

#include "raster/blend_lanes.h"
#include "raster/raster_private.h"
#include "util/simd_math.h"

#define EACH_VECTOR(i) for (unsigned i = 0; i < RASTER_LANES; i += SIMD_LANES)

static m32v lanes_at(uint64_t mask, unsigned first)
{
    return m32v_from_bits((unsigned)(mask >> first) & SIMD_ALL_BITS);
}

static uint64_t bits_at(m32v m, unsigned first)
{
    return (uint64_t)m32v_bits(m) << first;
}

/* Comparisons as bits of D3DCMPFUNC - 1: 1 less, 2 equal, 4 greater. */
static m32v compare_bit(unsigned func, unsigned bit)
{
    return (func - 1) & bit ? m32v_all() : m32v_none();
}

/* floor(a + 1/2) without the rounding of a sum, for 0 <= a < 2^31 (reference: numbers/unorm). */
static i32v round_half_up(f32v a)
{
    i32v whole = f32v_to_i32_trunc(a);
    m32v up = f32v_ge(f32v_sub(a, i32v_to_f32(whole)), f32v_set1(0.5f));

    return i32v_sub(whole, m32v_as_i32(up));
}

/* --- Coverage --------------------------------------------------------------------------------- */

static uint64_t cover(const int32_t e[3], const int32_t a[3], const int32_t b[3])
{
    /* Lanes of one row, or with 16 lanes of two; columns of a row in several vectors with fewer
     * than 8. */
    enum { ROWS = SIMD_LANES > BLOCK_DIM ? SIMD_LANES / BLOCK_DIM : 1 };
    enum { VECTORS = SIMD_LANES < BLOCK_DIM ? BLOCK_DIM / SIMD_LANES : 1 };
    uint64_t outside = 0;

    for (int v = 0; v < VECTORS; v++) {
        i32v lane = i32v_iota(v * SIMD_LANES), at[3], down[3];
        i32v x = i32v_and(lane, i32v_set1(BLOCK_DIM - 1)), y = i32v_srl(lane, 3);

        for (int i = 0; i < 3; i++) {
            i32v across = i32v_mul(x, i32v_set1(a[i]));

            at[i] = i32v_add(i32v_set1(e[i]), across);
            if (ROWS > 1)
                at[i] = i32v_add(at[i], i32v_mul(y, i32v_set1(b[i])));
            down[i] = i32v_set1(b[i] * ROWS);
        }
        for (int row = 0; row < BLOCK_DIM; row += ROWS) {
            m32v negative = m32v_from_i32(i32v_or(at[0], i32v_or(at[1], at[2])));

            outside |= bits_at(negative, (unsigned)(row * BLOCK_DIM + v * SIMD_LANES));
            for (int i = 0; i < 3; i++)
                at[i] = i32v_add(at[i], down[i]);
        }
    }
    return ~outside;
}

/* --- Planes ----------------------------------------------------------------------------------- */

static f32v plane_at(const struct raster_plane *plane, f32v dx, f32v dy)
{
    f32v across = f32v_mul(f32v_set1(plane->b), dx), down = f32v_mul(f32v_set1(plane->c), dy);

    return f32v_add(f32v_set1(plane->a), f32v_add(across, down));
}

static void block_plane(float *out, const struct raster_plane *plane, float dx, float dy,
                        float offset)
{
    EACH_VECTOR(i)
    {
        i32v lane = i32v_iota((int32_t)i);
        f32v x = i32v_to_f32(i32v_and(lane, i32v_set1(BLOCK_DIM - 1)));
        f32v y = i32v_to_f32(i32v_srl(lane, 3));
        f32v z = plane_at(plane, f32v_add(f32v_set1(dx), x), f32v_add(f32v_set1(dy), y));

        f32v_store(out + i, f32v_add(z, f32v_set1(offset)));
    }
}

/* Stores lanes first … of a run, at or after lane `at`; only the last vector of the array can start
 * before `at`, and keeps what lies there. */
static void store_from(float *out, unsigned first, unsigned at, f32v value)
{
    if (first < at) {
        m32v keep = i32v_lt(i32v_iota((int32_t)first), i32v_set1((int32_t)at));

        value = f32v_select(keep, f32v_loadu(out + first), value);
    }
    f32v_storeu(out + first, value);
}

/* Vectors of a run start at its first lane and may write past its end, where the next run comes. */
#define EACH_RUN_VECTOR(i, run)                                                                    \
    for (unsigned n_ = 0, i = run_vector(run, 0); (run)->first + n_ < (run)->end;                  \
         n_ += SIMD_LANES, i = run_vector(run, n_))

static unsigned run_vector(const struct raster_run *run, unsigned n)
{
    unsigned i = run->first + n;

    return i > RASTER_LANES - SIMD_LANES ? RASTER_LANES - SIMD_LANES : i;
}

/* Distances of the lanes from their primitives' anchors. */
struct offsets {
    _Alignas(64) float x[RASTER_LANES], y[RASTER_LANES];
};

static void interpolate_position(const struct raster_interpolation *in,
                                 const struct raster_run *run, struct offsets *at)
{
    const struct raster_prim *prim = run->prim;
    f32v anchor_x = f32v_set1(prim->anchor_x), anchor_y = f32v_set1(prim->anchor_y);
    f32v w = f32v_rcp(f32v_set1(prim->rhw.a)), face = f32v_set1(prim->face);
    bool linear = prim->linear;

    EACH_RUN_VECTOR(i, run)
    {
        f32v dx = f32v_sub(f32v_loadu(in->x + i), anchor_x);
        f32v dy = f32v_sub(f32v_loadu(in->y + i), anchor_y);

        if (!linear)
            w = f32v_rcp(plane_at(&prim->rhw, dx, dy));
        store_from(at->x, i, run->first, dx);
        store_from(at->y, i, run->first, dy);
        store_from(in->z, i, run->first, plane_at(&prim->z, dx, dy));
        store_from(in->w, i, run->first, w);
        store_from(in->face, i, run->first, face);
    }
}

/* A primitive that fills the batch: no run begins or ends inside a vector. */
static void interpolate_attr_whole(const struct raster_interpolation *in,
                                   const struct raster_plane *plane, bool constant, bool divide,
                                   const struct offsets *at, float *out)
{
    f32v a = f32v_set1(plane->a), b = f32v_set1(plane->b), c = f32v_set1(plane->c);

    if (constant) {
        EACH_VECTOR(i)
        f32v_store(out + i, a);
    } else if (divide) {
        EACH_VECTOR(i)
        {
            f32v across = f32v_mul(b, f32v_load(at->x + i)),
                 down = f32v_mul(c, f32v_load(at->y + i));

            f32v_store(out + i,
                       f32v_mul(f32v_add(a, f32v_add(across, down)), f32v_loadu(in->w + i)));
        }
    } else {
        EACH_VECTOR(i)
        {
            f32v across = f32v_mul(b, f32v_load(at->x + i)),
                 down = f32v_mul(c, f32v_load(at->y + i));

            f32v_store(out + i, f32v_add(a, f32v_add(across, down)));
        }
    }
}

/* One vector of a primitive's lanes: all attributes, while the lanes' offsets are at hand. */
static void interpolate_vector(const struct raster_interpolation *in, const struct raster_run *run,
                               unsigned i, const struct offsets *at)
{
    const struct raster_prim *prim = run->prim;
    f32v dx = f32v_loadu(at->x + i), dy = f32v_loadu(at->y + i), w = f32v_loadu(in->w + i);

    for (unsigned n = 0; n < in->n_attrs; n++) {
        const struct raster_plane *plane = &prim->attr[n];
        float *out = in->work + in->attr[n].slot * RASTER_LANES;
        f32v value = f32v_set1(plane->a);

        if (!(prim->constant >> n & 1)) {
            value = plane_at(plane, dx, dy);
            if (!prim->linear && in->attr[n].interp == RASTER_PERSPECTIVE)
                value = f32v_mul(value, w);
        }
        store_from(out, i, run->first, value);
    }
}

static void interpolate_whole(const struct raster_interpolation *in, const struct offsets *at)
{
    const struct raster_prim *prim = in->runs[0].prim;

    for (unsigned n = 0; n < in->n_attrs; n++)
        interpolate_attr_whole(in, &prim->attr[n], prim->constant >> n & 1,
                               !prim->linear && in->attr[n].interp == RASTER_PERSPECTIVE, at,
                               in->work + in->attr[n].slot * RASTER_LANES);
}

static void interpolate(const struct raster_interpolation *in)
{
    struct offsets at;

    for (unsigned r = 0; r < in->n_runs; r++)
        interpolate_position(in, &in->runs[r], &at);
    if (in->n_runs == 1 && in->runs[0].end == RASTER_LANES) {
        interpolate_whole(in, &at);
        return;
    }
    for (unsigned r = 0; r < in->n_runs; r++)
        EACH_RUN_VECTOR(i, &in->runs[r])
    interpolate_vector(in, &in->runs[r], i, &at);
}

/* --- Depth and stencil ------------------------------------------------------------------------ */

/* z in [0,1] to 4 bits of exponent (bias 15) and 20 of fraction, to nearest even. */
static i32v encode_float24(f32v z)
{
    i32v bits = f32v_bits(z), odd = i32v_and(i32v_srl(bits, 3), i32v_set1(1));
    i32v rounded = i32v_srl(i32v_add(i32v_add(bits, i32v_set1(3)), odd), 3);
    i32v normal = i32v_sub(rounded, i32v_set1((127 - 15) << 20));
    i32v tiny = f32v_to_i32_round(f32v_mul(z, f32v_set1(0x1p34f)));

    return i32v_select(f32v_lt(z, f32v_set1(0x1p-14f)), tiny, normal);
}

static void encode_unorm32(const float *z, uint32_t *out)
{
    for (unsigned i = 0; i < RASTER_LANES; i++) {
        float clamped = z[i] > 0.0f ? z[i] < 1.0f ? z[i] : 1.0f : 0.0f;

        out[i] = (uint32_t)((double)clamped * 4294967295.0 + 0.5);
    }
}

/* All codes but UNORM32. */
SIMD_INLINE i32v encode_depth(unsigned code, f32v z, f32v scale)
{
    f32v clamped = f32v_sat(z);

    if (code == RASTER_DEPTH_UNORM)
        return round_half_up(f32v_mul(clamped, scale));
    if (code == RASTER_DEPTH_FLOAT24)
        return encode_float24(clamped);
    return f32v_bits(f32v_add(clamped, f32v_zero())); /* no negative zero */
}

static f32v depth_scale(const struct raster_depth_stencil *ds)
{
    return f32v_set1((float)((UINT32_C(1) << (ds->bits & 31)) - 1));
}

static void depth_encode(const struct raster_depth_stencil *ds, const float *z, uint32_t *out)
{
    f32v scale = depth_scale(ds);
    i32v place = i32v_set1(1 << ds->shift);

    if (ds->code == RASTER_DEPTH_UNORM32) {
        encode_unorm32(z, out);
        return;
    }
    EACH_VECTOR(i)
    {
        i32v code = encode_depth(ds->code, f32v_load(z + i), scale);

        i32v_store((int32_t *)out + i, i32v_mul(code, place));
    }
}

static i32v flip(i32v a) /* makes signed comparison compare unsigned */
{
    return i32v_xor(a, i32v_set1(INT32_MIN));
}

static m32v compare_unsigned(unsigned func, i32v a, i32v b)
{
    m32v less = i32v_lt(flip(a), flip(b)), equal = i32v_eq(a, b);
    m32v greater = i32v_lt(flip(b), flip(a));

    return m32v_or(
        m32v_and(less, compare_bit(func, 1)),
        m32v_or(m32v_and(equal, compare_bit(func, 2)), m32v_and(greater, compare_bit(func, 4))));
}

static i32v stencil_result(const struct raster_depth_stencil *ds, unsigned op, i32v stored)
{
    i32v field = i32v_set1((int32_t)ds->stencil_field), one = i32v_set1((int32_t)ds->stencil_one);

    switch (op) {
    case D3DSTENCILOP_ZERO:
        return i32v_set1(0);
    case D3DSTENCILOP_REPLACE:
        return i32v_set1((int32_t)ds->ref);
    case D3DSTENCILOP_INCRSAT:
        return i32v_select(i32v_eq(stored, field), stored, i32v_add(stored, one));
    case D3DSTENCILOP_DECRSAT:
        return i32v_select(i32v_eq(stored, i32v_set1(0)), stored, i32v_sub(stored, one));
    case D3DSTENCILOP_INVERT:
        return i32v_andnot(stored, field);
    case D3DSTENCILOP_INCR:
        return i32v_and(i32v_add(stored, one), field);
    case D3DSTENCILOP_DECR:
        return i32v_and(i32v_sub(stored, one), field);
    default:
        return stored;
    }
}

static i32v stencil_update(const struct raster_depth_stencil *ds, i32v word, m32v stencil_passes,
                           m32v depth_passes)
{
    i32v field = i32v_set1((int32_t)ds->stencil_field);
    i32v writable = i32v_set1((int32_t)ds->write_mask);
    i32v stored = i32v_and(word, field);
    i32v fresh = i32v_select(stencil_passes,
                             i32v_select(depth_passes, stencil_result(ds, ds->pass, stored),
                                         stencil_result(ds, ds->zfail, stored)),
                             stencil_result(ds, ds->fail, stored));

    return i32v_or(i32v_andnot(writable, word), i32v_and(writable, fresh));
}

/* Whether stored depths lie within the depth bounds (reference: depth/bounds). */
static m32v within_bounds(const struct raster_depth_stencil *ds, i32v stored)
{
    i32v least = i32v_set1((int32_t)ds->bounds[0]), most = i32v_set1((int32_t)ds->bounds[1]);

    return m32v_and(compare_unsigned(D3DCMP_GREATEREQUAL, stored, least),
                    compare_unsigned(D3DCMP_LESSEQUAL, stored, most));
}

static uint64_t depth_stencil(const struct raster_depth_stencil *ds, const uint32_t *z,
                              uint32_t *words, uint64_t lanes)
{
    i32v depth_field = i32v_set1((int32_t)ds->depth_field);
    i32v mask = i32v_set1((int32_t)ds->mask), ref = i32v_and(i32v_set1((int32_t)ds->ref), mask);
    uint64_t passed = 0;

    EACH_VECTOR(i)
    {
        m32v active = lanes_at(lanes, i), stencil = m32v_all(), depth = m32v_all(), both;
        i32v code = i32v_load((const int32_t *)z + i), word, fresh;

        if (!m32v_any(active))
            continue;
        word = i32v_load((const int32_t *)words + i);
        fresh = word;
        if (ds->bounds_test)
            active = m32v_and(active, within_bounds(ds, i32v_and(word, depth_field)));
        if (ds->stencil_test)
            stencil = compare_unsigned(ds->stencil_func, ref, i32v_and(word, mask));
        if (ds->depth_test)
            depth = compare_unsigned(ds->depth_func, code, i32v_and(word, depth_field));
        if (ds->stencil_test)
            fresh = stencil_update(ds, word, stencil, depth);
        both = m32v_and(stencil, depth);
        if (ds->depth_write)
            fresh = i32v_select(both, i32v_or(i32v_andnot(depth_field, fresh), code), fresh);
        i32v_store((int32_t *)words + i, i32v_select(active, fresh, word));
        passed |= bits_at(m32v_and(both, active), i);
    }
    return passed;
}

#if SIMD_LANES == 16
SIMD_INLINE bool has_both_rows(uint64_t lanes, unsigned lane)
{
    return (lanes >> lane & 0xff) && (lanes >> lane & 0xff00);
}
#endif

/* The words of a vector of lanes: part of a row of a block, or with 16 lanes those of two rows that
 * have lanes in `lanes`, since the other may lie past the surface. */
SIMD_INLINE i32v load_block(const struct raster_depth_block *block, unsigned lane, uint64_t lanes)
{
    const uint8_t *row = block->base + lane / BLOCK_DIM * block->pitch;
    _Alignas(64) int32_t words[SIMD_LANES] = {0};

    if (SIMD_LANES <= BLOCK_DIM)
        return i32v_loadu((const int32_t *)(const void *)row + lane % BLOCK_DIM);
#if SIMD_LANES == 16
    if (has_both_rows(lanes, lane)) {
        __m512i top =
            _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)row));

        row += block->pitch;
        return _mm512_inserti64x4(top, _mm256_loadu_si256((const __m256i *)(const void *)row), 1);
    }
#endif
    for (unsigned i = 0; i < SIMD_LANES; i += BLOCK_DIM, row += block->pitch)
        if (lanes >> (lane + i) & 0xff)
            memcpy(words + i, row, BLOCK_DIM * 4);
    return i32v_load(words);
}

SIMD_INLINE void store_block(const struct raster_depth_block *block, unsigned lane, uint64_t lanes,
                             i32v value)
{
    uint8_t *row = block->base + lane / BLOCK_DIM * block->pitch;
    _Alignas(64) int32_t words[SIMD_LANES];

    if (SIMD_LANES <= BLOCK_DIM) {
        i32v_storeu((int32_t *)(void *)row + lane % BLOCK_DIM, value);
        return;
    }
#if SIMD_LANES == 16
    if (has_both_rows(lanes, lane)) {
        _mm256_storeu_si256((__m256i *)(void *)row, _mm512_castsi512_si256(value));
        row += block->pitch;
        _mm256_storeu_si256((__m256i *)(void *)row, _mm512_extracti64x4_epi64(value, 1));
        return;
    }
#endif
    i32v_store(words, value);
    for (unsigned i = 0; i < SIMD_LANES; i += BLOCK_DIM, row += block->pitch)
        if (lanes >> (lane + i) & 0xff)
            memcpy(row, words + i, BLOCK_DIM * 4);
}

/* Depths of the lanes from i on, in their place in words; across: by columns. */
SIMD_INLINE i32v block_depths(const struct raster_depth_stencil *ds,
                              const struct raster_depth_block *block, const f32v *across,
                              unsigned code, unsigned i)
{
    f32v y = i32v_to_f32(i32v_srl(i32v_iota((int32_t)i), 3));
    f32v down = f32v_mul(f32v_set1(block->z->c), f32v_add(f32v_set1(block->dy), y));
    f32v z = f32v_add(across[i % BLOCK_DIM / SIMD_LANES], down);

    z = f32v_add(f32v_add(f32v_set1(block->z->a), z), f32v_set1(block->offset));
    return i32v_mul(encode_depth(code, z, depth_scale(ds)), i32v_set1(1 << ds->shift));
}

/* level: all depths are the same. */
SIMD_INLINE uint64_t test_block(const struct raster_depth_stencil *ds,
                                const struct raster_depth_block *block, uint64_t lanes,
                                unsigned code, unsigned func, bool level)
{
    bool write = block->write && ds->depth_write;
    i32v field = i32v_set1((int32_t)ds->depth_field), depth;
    f32v across[BLOCK_DIM / SIMD_LANES + 1];
    uint64_t passed = 0;

    for (unsigned i = 0; i < BLOCK_DIM; i += SIMD_LANES) {
        f32v x = i32v_to_f32(i32v_and(i32v_iota((int32_t)i), i32v_set1(BLOCK_DIM - 1)));

        across[i / SIMD_LANES] =
            f32v_mul(f32v_set1(block->z->b), f32v_add(f32v_set1(block->dx), x));
    }
    if (level)
        depth = block_depths(ds, block, across, code, 0);
    EACH_VECTOR(i)
    {
        m32v active = lanes_at(lanes, i), passes;
        i32v word;

        if (!((lanes >> i) & SIMD_ALL_BITS))
            continue;
        word = load_block(block, i, lanes);
        if (!level)
            depth = block_depths(ds, block, across, code, i);
        if (func == D3DCMP_LESSEQUAL)
            passes = m32v_not(i32v_lt(flip(i32v_and(word, field)), flip(depth)));
        else
            passes = compare_unsigned(func, depth, i32v_and(word, field));
        passes = m32v_and(passes, active);
        if (write && m32v_any(passes))
            store_block(block, i, lanes,
                        i32v_select(passes, i32v_or(i32v_andnot(field, word), depth), word));
        passed |= bits_at(passes, i);
    }
    return passed;
}

/* The usual cases are compiled for themselves. */
static uint64_t depth_block(const struct raster_depth_stencil *ds,
                            const struct raster_depth_block *block, uint64_t lanes)
{
    bool level = block->z->b == 0.0f && block->z->c == 0.0f;

    if (ds->code == RASTER_DEPTH_UNORM && ds->depth_func == D3DCMP_LESSEQUAL && level)
        return test_block(ds, block, lanes, RASTER_DEPTH_UNORM, D3DCMP_LESSEQUAL, true);
    if (ds->code == RASTER_DEPTH_UNORM && ds->depth_func == D3DCMP_LESSEQUAL)
        return test_block(ds, block, lanes, RASTER_DEPTH_UNORM, D3DCMP_LESSEQUAL, false);
    if (ds->code == RASTER_DEPTH_UNORM)
        return test_block(ds, block, lanes, RASTER_DEPTH_UNORM, ds->depth_func, false);
    return test_block(ds, block, lanes, ds->code, ds->depth_func, false);
}

SIMD_INLINE bool all_pass(i32v code, i32v field, const uint8_t *base, size_t pitch, unsigned width,
                          unsigned height, unsigned func)
{
    for (unsigned y = 0; y < height; y++, base += pitch) {
        const int32_t *row = (const int32_t *)(const void *)base;
        m32v passes = m32v_all();

        for (unsigned x = 0; x < width; x += SIMD_LANES) {
            i32v stored = i32v_and(i32v_loadu(row + x), field);

            passes = m32v_and(passes, func == D3DCMP_LESSEQUAL
                                          ? m32v_not(i32v_lt(flip(stored), flip(code)))
                                          : compare_unsigned(func, code, stored));
        }
        if (!m32v_every(passes))
            return false;
    }
    return true;
}

static bool depth_level(const struct raster_depth_stencil *ds, uint32_t code, uint8_t *base,
                        size_t pitch, unsigned width, unsigned height)
{
    i32v field = i32v_set1((int32_t)ds->depth_field), depth = i32v_set1((int32_t)code);

    if (ds->depth_func == D3DCMP_LESSEQUAL) {
        if (!all_pass(depth, field, base, pitch, width, height, D3DCMP_LESSEQUAL))
            return false;
    } else if (!all_pass(depth, field, base, pitch, width, height, ds->depth_func)) {
        return false;
    }
    for (unsigned y = 0; y < height && ds->depth_write; y++, base += pitch) {
        int32_t *row = (int32_t *)(void *)base;

        for (unsigned x = 0; x < width; x += SIMD_LANES)
            i32v_storeu(row + x, i32v_or(i32v_andnot(field, i32v_loadu(row + x)), depth));
    }
    return true;
}

/* --- Colours ---------------------------------------------------------------------------------- */

static uint64_t alpha_test(const float *alpha, unsigned ref, unsigned func)
{
    f32v against = f32v_set1((float)ref), most = f32v_set1(255.0f);
    uint64_t passed = 0;

    EACH_VECTOR(i)
    {
        f32v a = i32v_to_f32(round_half_up(f32v_mul(f32v_sat(f32v_loadu(alpha + i)), most)));
        m32v less = m32v_and(f32v_lt(a, against), compare_bit(func, 1));
        m32v equal = m32v_and(f32v_eq(a, against), compare_bit(func, 2));
        m32v greater = m32v_and(f32v_gt(a, against), compare_bit(func, 4));

        passed |= bits_at(m32v_or(less, m32v_or(equal, greater)), i);
    }
    return passed;
}

static f32v fog_factor(const struct raster_fog_params *fog, f32v coord)
{
    const float minus_log2_e = -1.44269504f;
    f32v t = f32v_mul(coord, f32v_set1(fog->density));

    switch (fog->mode) {
    case RASTER_FOG_LINEAR: /* start == end: infinities and NaN make the step at start */
        return f32v_sat(f32v_div(f32v_sub(f32v_set1(fog->end), coord), f32v_set1(fog->range)));
    case RASTER_FOG_EXP2:
        t = f32v_mul(t, t); /* fallthrough */
    case RASTER_FOG_EXP:
        return f32v_sat(f32v_exp2(f32v_mul(t, f32v_set1(minus_log2_e))));
    default:
        return f32v_sat(coord);
    }
}

static void fog(const struct raster_fog_params *fog, const float *coord, const float *const rgb[3],
                float *const out[3])
{
    EACH_VECTOR(i)
    {
        f32v f = fog_factor(fog, f32v_loadu(coord + i));
        f32v rest = f32v_sub(f32v_set1(1.0f), f);

        for (int c = 0; c < 3; c++)
            f32v_store(out[c] + i, f32v_add(f32v_mul(f, f32v_loadu(rgb[c] + i)),
                                            f32v_mul(rest, f32v_set1(fog->colour[c]))));
    }
}

static void saturate(const float *in, float *out)
{
    EACH_VECTOR(i)
    f32v_store(out + i, f32v_sat(f32v_loadu(in + i)));
}

SIMD_INLINE void blend_with(const struct raster_blend *rgb, const struct raster_blend *alpha,
                            const float *factor, const float *const src[4],
                            const float *const dst[4], float *const out[4])
{
    EACH_VECTOR(i)
    {
        struct blend_lane in = {.sa = f32v_loadu(src[3] + i), .da = f32v_loadu(dst[3] + i)};

        for (int c = 0; c < 3; c++) {
            in.s = f32v_loadu(src[c] + i);
            in.d = f32v_loadu(dst[c] + i);
            in.k = f32v_set1(factor[c]);
            f32v_store(out[c] + i, blend_channel(rgb, &in));
        }
        in.s = in.sa;
        in.d = in.da;
        in.k = f32v_set1(factor[3]);
        in.alpha = true;
        f32v_store(out[3] + i, blend_channel(alpha, &in));
    }
}

/* The common ones are compiled for themselves, the rest decides anew for every vector. */
static void blend(const struct raster_blend_params *blend, const float *const src[4],
                  const float *const dst[4], float *const out[4])
{
    BLEND_WAYS(blend, blend_with, blend->factor, src, dst, out);
}

const struct raster_kern KERN_NAME(raster_kern) = {
    .cover = cover,
    .block_plane = block_plane,
    .interpolate = interpolate,
    .depth_encode = depth_encode,
    .depth_stencil = depth_stencil,
    .depth_block = depth_block,
    .depth_level = depth_level,
    .alpha_test = alpha_test,
    .fog = fog,
    .saturate = saturate,
    .blend = blend,
};
