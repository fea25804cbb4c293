/* SIMD kernels that convert channels of 5, 6 and 10 bits to the nearest 8-bit value. Products and
 * shifts replace the division; they were checked for all values.
 *
 * Tested by tests/unit/present/monitor/test_pixels.c. */
#include "present/monitor/pixels_kern.h"

#include "util/simd/simd.h"

SIMD_INLINE i32v from_5(i32v v)
{
    return i32v_srl(i32v_add(i32v_mul_short(v, i32v_set1(527)), i32v_set1(23)), 6);
}

SIMD_INLINE i32v from_6(i32v v)
{
    return i32v_srl(i32v_add(i32v_mul_short(v, i32v_set1(259)), i32v_set1(33)), 6);
}

SIMD_INLINE i32v from_10(i32v v)
{
    return i32v_srl(i32v_add(i32v_mul_short(v, i32v_set1(1021)), i32v_set1(2048)), 12);
}

SIMD_INLINE i32v join(i32v red, i32v green, i32v blue)
{
    return i32v_or(i32v_or(i32v_sll(red, 16), i32v_sll(green, 8)), blue);
}

/* The result is in the low 16 bits; the high bits are undefined. */
SIMD_INLINE i32v from_r5g6b5(i32v p)
{
    return join(from_5(i32v_and(i32v_srl(p, 11), i32v_set1(31))),
                from_6(i32v_and(i32v_srl(p, 5), i32v_set1(63))),
                from_5(i32v_and(p, i32v_set1(31))));
}

SIMD_INLINE i32v from_r5g5b5(i32v p)
{
    return join(from_5(i32v_and(i32v_srl(p, 10), i32v_set1(31))),
                from_5(i32v_and(i32v_srl(p, 5), i32v_set1(31))),
                from_5(i32v_and(p, i32v_set1(31))));
}

static void r5g6b5(uint32_t *out, const int32_t *in, uint32_t n)
{
    for (uint32_t x = 0; x < n; x += 2 * SIMD_LANES) {
        i32v both = i32v_loadu(in + x / 2);

        i32v_storeu_interleave2((int32_t *)out + x, from_r5g6b5(both),
                                from_r5g6b5(i32v_srl(both, 16)));
    }
}

static void r5g5b5(uint32_t *out, const int32_t *in, uint32_t n)
{
    for (uint32_t x = 0; x < n; x += 2 * SIMD_LANES) {
        i32v both = i32v_loadu(in + x / 2);

        i32v_storeu_interleave2((int32_t *)out + x, from_r5g5b5(both),
                                from_r5g5b5(i32v_srl(both, 16)));
    }
}

static void r10g10b10(uint32_t *out, const int32_t *in, uint32_t n)
{
    const i32v mask = i32v_set1(1023);

    for (uint32_t x = 0; x < n; x += SIMD_LANES) {
        i32v p = i32v_loadu(in + x);

        i32v_storeu((int32_t *)out + x,
                    join(from_10(i32v_and(i32v_srl(p, 20), mask)),
                         from_10(i32v_and(i32v_srl(p, 10), mask)), from_10(i32v_and(p, mask))));
    }
}

const struct pixels_kern KERN_NAME(pixels_kern) = {r5g6b5, r5g5b5, r10g10b10};
