/* SIMD kernels that mix two pixels of a row, and two rows. Products of 8-bit channels and 7-bit
 * weights fit the signed halves of a multiply-add.
 *
 * Tested by tests/unit/present/monitor/test_scale.c. */
#include "present/monitor/scale_kern.h"

#include "util/simd/simd.h"
#include "util/simd/uint16.h"

/* (1 - w) * a + w * b of the lower halves, which are below 32768. */
SIMD_INLINE i32v mix(i32v a, i32v b, i32v weights)
{
    return i32v_madd_16(i32v_or(a, i32v_sll(b, 16)), weights);
}

SIMD_INLINE i32v channel(i32v pixels, int shift)
{
    return i32v_and(i32v_srl(pixels, shift), i32v_set1(255));
}

static void columns(uint16_t *out, const uint32_t *in, const int32_t *a, const int32_t *b,
                    const int32_t *weights, uint32_t n)
{
    for (uint32_t x = 0; x < n; x += SIMD_LANES) {
        i32v left = i32v_gather((const int32_t *)in, i32v_loadu(a + x));
        i32v right = i32v_gather((const int32_t *)in, i32v_loadu(b + x));
        i32v w = i32v_loadu(weights + x);

        for (uint32_t c = 0; c < 3; c++)
            i32v_store_uint16(out + c * n + x, mix(channel(left, 16 - 8 * (int)c),
                                                   channel(right, 16 - 8 * (int)c), w));
    }
}

static void rows(uint32_t *out, const uint16_t *above, const uint16_t *below, uint32_t weight,
                 uint32_t n, uint32_t plane)
{
    const i32v weights = i32v_set1((int32_t)((1u << SCALE_BITS) - weight + (weight << 16)));
    const i32v half = i32v_set1(1 << (2 * SCALE_BITS - 1));

    for (uint32_t x = 0; x < n; x += SIMD_LANES) {
        i32v pixel = i32v_set1(0);

        for (uint32_t c = 0; c < 3; c++) {
            i32v sum = mix(i32v_load_uint16(above + c * plane + x),
                           i32v_load_uint16(below + c * plane + x), weights);

            pixel = i32v_or(i32v_sll(pixel, 8), i32v_srl(i32v_add(sum, half), 2 * SCALE_BITS));
        }
        i32v_storeu((int32_t *)out + x, pixel);
    }
}

const struct scale_kern KERN_NAME(scale_kern) = {columns, rows};
