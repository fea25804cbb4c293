/* Operations on vectors of NEON for which it has one or few instructions, where SIMDe's translation
 * of SSE2 takes many. The results are the same. Included by util/simd/vector.h on AArch64. */
#ifndef UTIL_SIMD_NEON_H
#define UTIL_SIMD_NEON_H

#if defined(__aarch64__)

#include <arm_neon.h>
#include <stdint.h>
#include <string.h>

typedef float32x4_t neon_floats;
typedef int64x2_t neon_words; /* SIMDe's type of integer vectors */

#define NEON_INT(a) vreinterpretq_s32_s64(a)
#define NEON_UINT(a) vreinterpretq_u32_s64(a)
#define NEON_FROM_INT(a) vreinterpretq_s64_s32(a)
#define NEON_FROM_UINT(a) vreinterpretq_s64_u32(a)

/* Too high values and NaN become INT32_MIN; conversion saturates too low ones to it. */
static inline neon_words neon_in_range(neon_floats a, int32x4_t converted)
{
    return NEON_FROM_INT(
        vbslq_s32(vcltq_f32(a, vdupq_n_f32(0x1p31f)), converted, vdupq_n_s32(INT32_MIN)));
}

static inline neon_words neon_trunc(neon_floats a)
{
    return neon_in_range(a, vcvtq_s32_f32(a));
}

static inline neon_words neon_round(neon_floats a)
{
    return neon_in_range(a, vcvtnq_s32_f32(a));
}

/* Comparisons that the compiler does not know. Clang makes fmaxnm or fminnm of one that it knows
 * and a selection: a signalling NaN then gives a NaN instead of the second operand. gcc makes three
 * instructions of vcageq. */
#define NEON_COMPARISON(name, instruction, lanes, type)                                            \
    static inline uint32x4_t name(type a, type b)                                                  \
    {                                                                                              \
        uint32x4_t mask;                                                                           \
                                                                                                   \
        __asm__(instruction " %0." lanes ", %1." lanes ", %2." lanes                               \
                : "=w"(mask)                                                                       \
                : "w"(a), "w"(b));                                                                 \
        return mask;                                                                               \
    }
NEON_COMPARISON(neon_greater, "fcmgt", "4s", neon_floats)
NEON_COMPARISON(neon_at_least, "fcmge", "4s", neon_floats)
NEON_COMPARISON(neon_ge_magnitude, "facge", "4s", neon_floats) /* |a| >= |b| */
NEON_COMPARISON(neon_ge_magnitude_f64, "facge", "2d", float64x2_t)

static inline neon_words neon_lt(neon_floats a, neon_floats b)
{
    return vreinterpretq_s64_u32(neon_greater(b, a));
}

static inline neon_words neon_le(neon_floats a, neon_floats b)
{
    return vreinterpretq_s64_u32(neon_at_least(b, a));
}

/* a < b ? a : b and a > b ? a : b */
static inline neon_floats neon_least(neon_floats a, neon_floats b)
{
    return vbslq_f32(neon_greater(b, a), a, b);
}

static inline neon_floats neon_most(neon_floats a, neon_floats b)
{
    return vbslq_f32(neon_greater(a, b), a, b);
}

static inline neon_words neon_mul(neon_words a, neon_words b)
{
    return NEON_FROM_INT(vmulq_s32(NEON_INT(a), NEON_INT(b)));
}

static inline neon_words neon_min(neon_words a, neon_words b)
{
    return NEON_FROM_INT(vminq_s32(NEON_INT(a), NEON_INT(b)));
}

static inline neon_words neon_max(neon_words a, neon_words b)
{
    return NEON_FROM_INT(vmaxq_s32(NEON_INT(a), NEON_INT(b)));
}

static inline neon_words neon_min_u32(neon_words a, neon_words b)
{
    return NEON_FROM_UINT(vminq_u32(NEON_UINT(a), NEON_UINT(b)));
}

static inline neon_words neon_max_u32(neon_words a, neon_words b)
{
    return NEON_FROM_UINT(vmaxq_u32(NEON_UINT(a), NEON_UINT(b)));
}

static inline neon_words neon_ge_u32(neon_words a, neon_words b)
{
    return NEON_FROM_UINT(vcgeq_u32(NEON_UINT(a), NEON_UINT(b)));
}

/* Of a mask: bits of its lanes; whether any lane is true; whether all are. */
static inline unsigned neon_bits(neon_words mask)
{
    static const uint32_t lane[4] = {1, 2, 4, 8};

    return vaddvq_u32(vandq_u32(NEON_UINT(mask), vld1q_u32(lane)));
}

static inline int neon_any(neon_words mask)
{
    return vmaxvq_u32(NEON_UINT(mask)) != 0;
}

static inline int neon_every(neon_words mask)
{
    return vminvq_u32(NEON_UINT(mask)) != 0;
}

/* Four words, each from an address without alignment. gcc would join integers in general
 * registers. */
static inline float neon_word_at(const void *p)
{
    float word;

    memcpy(&word, p, sizeof(word));
    return word;
}

static inline neon_floats neon_load_four(const void *a, const void *b, const void *c, const void *d)
{
    float32x2_t low = vset_lane_f32(neon_word_at(b), vdup_n_f32(neon_word_at(a)), 1);
    float32x2_t high = vset_lane_f32(neon_word_at(d), vdup_n_f32(neon_word_at(c)), 1);

    return vcombine_f32(low, high);
}

/* Packs the low bytes of four vectors to words, a lowest. Values must be below 256; negative ones
 * become 0. */
static inline neon_words neon_pack_bytes(neon_words a, neon_words b, neon_words c, neon_words d)
{
    int32x4_t zero = vdupq_n_s32(0);
    int32x4_t low = vsliq_n_s32(vmaxq_s32(NEON_INT(a), zero), vmaxq_s32(NEON_INT(b), zero), 8);
    int32x4_t high = vsliq_n_s32(vmaxq_s32(NEON_INT(c), zero), vmaxq_s32(NEON_INT(d), zero), 8);

    return NEON_FROM_INT(vsliq_n_s32(low, high, 16));
}

/* --- Results that other processors round up to FLT_MIN ---------------------------------------- */

/* Whether the compiler knows that all lanes are powers of two, or 0. Products with them are not
 * rounded. */
static inline int neon_known_powers(neon_floats a)
{
    uint32x4_t bits = vreinterpretq_u32_f32(a);

    for (int i = 0; i < 4; i++)
        if (!__builtin_constant_p(bits[i]) || bits[i] & 0x7fffff)
            return 0;
    return 1;
}

/* util/simd/generic.h, f32v_mul. If the product of |a| and |b| * 2^64 is not above 2^-62, that of
 * |a| and |b| is at most 2^-126 after rounding, and scaling back flushes what x86 flushes. A
 * constant b is scaled when the kernel is compiled. */
static inline neon_floats neon_product(neon_floats a, neon_floats b)
{
    neon_floats product = vmulq_f32(a, b), scaled;
    uint32x4_t small;

    if (neon_known_powers(a) || neon_known_powers(b))
        return product;
    scaled = vmulq_f32(a, vmulq_f32(b, vdupq_n_f32(0x1p64f)));
    small = neon_ge_magnitude(vdupq_n_f32(0x1p-62f), scaled);
    return vbslq_f32(small, vmulq_f32(scaled, vdupq_n_f32(0x1p-64f)), product);
}

/* As math_narrowf of util/math.h: puts +-FLT_MIN where +-0 comes of a number that rounds up to it.
 */
static inline neon_floats neon_narrow(float64x2_t low, float64x2_t high)
{
    enum { FLT_MIN_BITS = 0x00800000 };
    neon_floats narrow = vcvt_high_f32_f64(vcvt_f32_f64(low), high);
    float64x2_t least = vdupq_n_f64(0x1p-126 - 0x1p-151);
    uint32x4_t large =
        vuzp1q_u32(neon_ge_magnitude_f64(low, least), neon_ge_magnitude_f64(high, least));
    uint32x4_t missed = vandq_u32(large, vceqzq_f32(narrow));

    return vreinterpretq_f32_s32(vmlsq_s32(vreinterpretq_s32_f32(narrow), /* minus -1 times it */
                                           vreinterpretq_s32_u32(missed),
                                           vdupq_n_s32(FLT_MIN_BITS)));
}

#endif
#endif
