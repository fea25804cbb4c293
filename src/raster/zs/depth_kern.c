/* Depth and alpha kernel: encodes a depth, tests one depth against a rectangle, and tests alpha. */
#include "raster/zs/depth_lanes.h"

/* --- Depth codes ------------------------------------------------------------------------------ */

static uint32_t depth_code(const struct raster_depth_stencil *ds, float z)
{
    _Alignas(64) int32_t code[SIMD_LANES];

    i32v_store(code, encode_depth(ds->code, f32v_set1(z), depth_scale(ds)));
    return (uint32_t)code[0] << ds->shift;
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
    .depth_code = depth_code,
    .const_depth_test = const_depth_test,
    .alpha_test = alpha_test,
};
