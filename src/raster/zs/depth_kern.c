/* Depth, stencil and alpha test kernel: encodes depths and tests the 64 lanes of a batch. */
#include "raster/zs/stencil_lanes.h"

/* --- Depth codes ------------------------------------------------------------------------------ */

static void block_plane(float *out, const struct raster_interp_plane *plane, float dx, float dy,
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

static void depth_encode(const struct raster_depth_stencil *ds, const float *z, uint32_t *out)
{
    f32v scale = depth_scale(ds);
    i32v place = i32v_set1(1 << ds->shift);

    EACH_VECTOR(i)
    {
        i32v code = encode_depth(ds->code, f32v_load(z + i), scale);

        i32v_store((int32_t *)out + i, i32v_mul(code, place));
    }
}

static uint32_t depth_code(const struct raster_depth_stencil *ds, float z)
{
    _Alignas(64) int32_t code[SIMD_LANES];

    i32v_store(code, encode_depth(ds->code, f32v_set1(z), depth_scale(ds)));
    return (uint32_t)code[0] << ds->shift;
}

/* --- Depth and stencil of lanes --------------------------------------------------------------- */

static uint64_t depth_stencil(const struct raster_depth_stencil *ds, const uint32_t *z,
                              uint32_t *words, uint64_t lanes)
{
    i32v depth_field = i32v_set1((int32_t)ds->depth_field);
    struct stencil how = stencil_begin(ds);
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
            stencil = stencil_passes(&how, word);
        if (ds->depth_test)
            depth = compare_unsigned(ds->depth_func, code, i32v_and(word, depth_field));
        if (ds->stencil_test)
            fresh = stencil_update(&how, word, stencil, depth);
        both = m32v_and(stencil, depth);
        if (ds->depth_write)
            fresh = i32v_select(both, i32v_or(i32v_andnot(depth_field, fresh), code), fresh);
        i32v_store((int32_t *)words + i, i32v_select(active, fresh, word));
        passed |= bits_at(m32v_and(both, active), i);
    }
    return passed;
}

/* --- Constant depth --------------------------------------------------------------------------- */

/* Loads and stores vectors of pixels in a row. */
SIMD_INLINE i32v load_pixels(const uint8_t *at, unsigned bytes)
{
    return bytes == 2 ? i32v_load_uint16(at) : i32v_loadu((const int32_t *)(const void *)at);
}

SIMD_INLINE void store_pixels(uint8_t *at, unsigned bytes, i32v words)
{
    if (bytes == 2)
        i32v_store_uint16(at, words);
    else
        i32v_storeu((int32_t *)(void *)at, words);
}

SIMD_INLINE bool all_pass(i32v code, i32v field, const uint8_t *base, size_t pitch, unsigned width,
                          unsigned height, unsigned func, unsigned bytes)
{
    for (unsigned y = 0; y < height; y++, base += pitch) {
        m32v passes = m32v_all();

        for (unsigned x = 0; x < width; x += SIMD_LANES) {
            i32v stored = i32v_and(load_pixels(base + (size_t)x * bytes, bytes), field);

            passes = m32v_and(passes, func == D3DCMP_LESSEQUAL
                                          ? m32v_not(i32v_lt(flip(stored), flip(code)))
                                          : compare_unsigned(func, code, stored));
        }
        if (!m32v_every(passes))
            return false;
    }
    return true;
}

SIMD_INLINE bool test_const_depth(const struct raster_depth_stencil *ds, uint32_t code,
                                  uint8_t *base, size_t pitch, unsigned width, unsigned height,
                                  unsigned bytes)
{
    i32v field = i32v_set1((int32_t)ds->depth_field), depth = i32v_set1((int32_t)code);

    if (ds->depth_func == D3DCMP_ALWAYS) {
        /* Every pixel passes. */
    } else if (ds->depth_func == D3DCMP_LESSEQUAL) {
        if (!all_pass(depth, field, base, pitch, width, height, D3DCMP_LESSEQUAL, bytes))
            return false;
    } else if (!all_pass(depth, field, base, pitch, width, height, ds->depth_func, bytes)) {
        return false;
    }
    for (unsigned y = 0; y < height && ds->depth_write; y++, base += pitch)
        for (unsigned x = 0; x < width; x += SIMD_LANES) {
            uint8_t *at = base + (size_t)x * bytes;

            store_pixels(at, bytes, i32v_or(i32v_andnot(field, load_pixels(at, bytes)), depth));
        }
    return true;
}

static bool const_depth_test(const struct raster_depth_stencil *ds, uint32_t code, uint8_t *base,
                             size_t pitch, unsigned width, unsigned height)
{
    if (ds->bytes == 2)
        return test_const_depth(ds, code, base, pitch, width, height, 2);
    return test_const_depth(ds, code, base, pitch, width, height, 4);
}

/* --- Alpha ------------------------------------------------------------------------------------ */

/* at_least: alpha >= reference; above: alpha > reference. */
SIMD_INLINE m32v alpha_passes(unsigned func, m32v at_least, m32v above)
{
    if (func == D3DCMP_GREATER)
        return above;
    if (func == D3DCMP_GREATEREQUAL)
        return at_least;
    return compare_outcome(func, m32v_not(at_least), m32v_andnot(above, at_least), above);
}

/* NaN passes NOTEQUAL alone. */
static uint64_t alpha_test_floats(const float *alpha, const struct raster_alpha_test *test)
{
    f32v reference = f32v_set1(test->reference);
    uint64_t passed = 0;

    EACH_VECTOR(i)
    {
        f32v a = f32v_loadu(alpha + i);
        m32v less = f32v_lt(a, reference), above = f32v_lt(reference, a);
        m32v equal = f32v_eq(a, reference);

        passed |=
            bits_at(test->func == D3DCMP_NOTEQUAL ? m32v_not(equal)
                                                  : compare_outcome(test->func, less, equal, above),
                    i);
    }
    return passed;
}

/* The code is floor(a + 1/2), so code >= n if and only if a >= n - 1/2. */
static uint64_t alpha_test(const float *alpha, const struct raster_alpha_test *test)
{
    f32v from = f32v_set1(test->reference - 0.5f), above = f32v_set1(test->reference + 0.5f);
    f32v max = f32v_set1(test->max);
    uint64_t passed = 0;

    if (test->floats)
        return alpha_test_floats(alpha, test);
    EACH_VECTOR(i)
    {
        f32v a = f32v_mul(f32v_sat(f32v_loadu(alpha + i)), max);

        passed |= bits_at(alpha_passes(test->func, f32v_ge(a, from), f32v_ge(a, above)), i);
    }
    return passed;
}

const struct raster_depth_kern KERN_NAME(raster_depth_kern) = {
    .block_plane = block_plane,
    .depth_encode = depth_encode,
    .depth_code = depth_code,
    .depth_stencil = depth_stencil,
    .const_depth_test = const_depth_test,
    .alpha_test = alpha_test,
};
