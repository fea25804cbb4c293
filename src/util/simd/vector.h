/* SIMD abstraction: vectors of SIMD_LANES floats or 32-bit integers for *_kern.c files. One source
 * compiles with one lane count per instruction set. Kernels include it through util/simd/simd.h.
 *
 * Every operation gives the same bits for every SIMD_LANES and processor, in the mode of
 * util/fpenv.h: IEEE single precision, one rounding per operation, no fused multiply-add, no
 * estimates. The bits of a NaN are unspecified, and so is whether moving a denormal keeps it or
 * flushes it to zero, because no operation can observe either
 * (reference: numbers/nan, numbers/denormals).
 *   f32v_min(a, b) = a < b ? a : b, f32v_max(a, b) = a > b ? a : b: a NaN in either yields b.
 *   Comparisons are ordered (false with a NaN) except f32v_ne, which is true with one.
 * An m32v is one truth value per lane. Loads and stores need natural vector alignment; u-forms need
 * none. */
#ifndef UTIL_SIMD_VECTOR_H
#define UTIL_SIMD_VECTOR_H

#include "util/cpu.h"

#include <stdint.h>
#include <string.h>

#ifndef SIMD_LANES
#error "compile as a kernel: -DSIMD_LANES=1, 4, 8 or 16"
#endif

#if SIMD_LANES == 16
#include <immintrin.h> /* AVX-512 is x86-only; SIMDe 0.7 lacks part of it and parses slowly */
#endif
#if SIMD_LANES >= 8
#include <simde/x86/avx2.h>
#if __has_include(<simde/x86/f16c.h>)
#include <simde/x86/f16c.h>
#else /* SIMDe 0.7.2 has no half floats; eight lanes are x86-only */
#include <immintrin.h>
#define simde_mm256_cvtph_ps _mm256_cvtph_ps
#define simde_mm256_cvtps_ph _mm256_cvtps_ph
#endif
#include <simde/x86/fma.h>
#else
#include <simde/x86/sse2.h>
#endif

enum { SIMD_BYTES = SIMD_LANES * 4 };

/* For functions with several results. Without it, compilers may call them and pass vectors through
 * memory. */
#define SIMD_INLINE static inline __attribute__((always_inline))

/* Put before a loop of at most 8 iterations, so that vector arrays in it become registers. */
#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

#if SIMD_LANES == 1

typedef float f32v;
typedef int32_t i32v;
typedef int32_t m32v; /* 0 or -1 */

static inline i32v f32v_bits(f32v a)
{
    i32v r;
    memcpy(&r, &a, 4);
    return r;
}
static inline f32v i32v_as_f32(i32v a)
{
    f32v r;
    memcpy(&r, &a, 4);
    return r;
}
static inline f32v f32v_set1(float x) { return x; }
static inline f32v f32v_load(const float *p) { return *p; }
static inline f32v f32v_loadu(const float *p) { return *p; }
static inline void f32v_store(float *p, f32v a) { *p = a; }
static inline void f32v_storeu(float *p, f32v a) { *p = a; }
/* Stores the first n lanes; n is a multiple of 4, not 0, and less than SIMD_LANES. */
static inline void f32v_store_first(float *p, f32v a, unsigned n) { (void)n, *p = a; }
/* Stores the first n lanes, any number up to SIMD_LANES but 0, and no memory behind them. */
static inline void f32v_store_only(float *p, f32v a, unsigned n) { (void)n, *p = a; }
static inline f32v f32v_add(f32v a, f32v b) { return a + b; }
static inline f32v f32v_sub(f32v a, f32v b) { return a - b; }
static inline f32v f32v_mul_ftz_any(f32v a, f32v b)
{
    return a * b;
}
static inline f32v f32v_div(f32v a, f32v b) { return a / b; }
/* Uses the vector unit: a compiled ?: might not flush denormals. */
static inline f32v f32v_min(f32v a, f32v b)
{
    return simde_mm_cvtss_f32(simde_mm_min_ss(simde_mm_set_ss(a), simde_mm_set_ss(b)));
}
static inline f32v f32v_max(f32v a, f32v b)
{
    return simde_mm_cvtss_f32(simde_mm_max_ss(simde_mm_set_ss(a), simde_mm_set_ss(b)));
}
static inline f32v f32v_sqrt(f32v a)
{
    return simde_mm_cvtss_f32(simde_mm_sqrt_ss(simde_mm_set_ss(a)));
}
static inline m32v f32v_lt(f32v a, f32v b) { return -(a < b); }
static inline m32v f32v_le(f32v a, f32v b) { return -(a <= b); }
static inline m32v f32v_eq(f32v a, f32v b) { return -(a == b); }
static inline m32v f32v_ne(f32v a, f32v b) { return -!(a == b); }
static inline m32v f32v_isnan(f32v a) { return -(a != a); }
static inline m32v f32v_unordered(f32v a, f32v b) { return -(a != a || b != b); } /* NaN in either */
static inline f32v f32v_select(m32v m, f32v yes, f32v no) { return m ? yes : no; }
/* Truncates; out of range and NaN give INT32_MIN, as in hardware. */
static inline i32v f32v_to_i32_trunc(f32v a)
{
    return a >= -2147483648.0f && a < 2147483648.0f ? (i32v)a : INT32_MIN;
}
#if defined(__aarch64__)
static inline i32v f32v_to_i32_round(f32v a)
{
    return a < 2147483648.0f ? vcvtns_s32_f32(a) : INT32_MIN;
}
#else
static inline i32v f32v_to_i32_round(f32v a)
{
    return simde_mm_cvtsi128_si32(simde_mm_cvtps_epi32(simde_mm_set_ss(a)));
}
#endif
static inline f32v i32v_to_f32(i32v a) { return (float)a; }

static inline i32v i32v_set1(int32_t x) { return x; }
static inline i32v i32v_iota(int32_t first) { return first; }
static inline i32v i32v_load(const int32_t *p) { return *p; }
static inline i32v i32v_loadu(const int32_t *p) { return *p; }
static inline void i32v_store(int32_t *p, i32v a) { *p = a; }
static inline void i32v_storeu(int32_t *p, i32v a) { *p = a; }
static inline i32v i32v_add(i32v a, i32v b) { return (i32v)((uint32_t)a + (uint32_t)b); }
static inline i32v i32v_sub(i32v a, i32v b) { return (i32v)((uint32_t)a - (uint32_t)b); }
static inline i32v i32v_mul(i32v a, i32v b) { return (i32v)((uint32_t)a * (uint32_t)b); }
/* i32v_mullo_16: the low 16 bits of the product of each 16-bit half. i32v_madd_16: the sum of the
 * signed products of both halves. i32v_srl_16: each half shifted right. */
static inline i32v i32v_mullo_16(i32v a, i32v b)
{
    uint32_t low = (uint32_t)a * ((uint32_t)b & 0xffff), high = ((uint32_t)a >> 16) * ((uint32_t)b >> 16);

    return (i32v)((low & 0xffff) | high << 16);
}
static inline i32v i32v_madd_16(i32v a, i32v b)
{
    return (int16_t)a * (int16_t)b + (a >> 16) * (b >> 16);
}
static inline i32v i32v_srl_16(i32v a, int n)
{
    return (i32v)(((uint32_t)a >> 16 >> n) << 16 | ((uint32_t)a & 0xffff) >> n);
}
/* Combines the low half of the first and the high half of the second. */
static inline i32v i32v_blend_16(i32v low, i32v high)
{
    return (i32v)(((uint32_t)low & 0xffff) | ((uint32_t)high & 0xffff0000));
}
/* Copies the low byte to both halves. */
static inline i32v i32v_broadcast_byte_16(i32v a)
{
    return (a & 255) << 16 | (a & 255);
}
/* Product, minimum and maximum of values that fit 16 bits; cheaper where the hardware lacks the
 * 32-bit instruction. */
static inline i32v i32v_mul_short(i32v a, i32v b) { return i32v_mul(a, b); }
static inline i32v i32v_min_short(i32v a, i32v b) { return a < b ? a : b; }
static inline i32v i32v_max_short(i32v a, i32v b) { return a > b ? a : b; }
/* Returns a, or b if a is -1. a must be in -1 … 32767 and not above the low half of b. */
static inline i32v i32v_unless_negative(i32v a, i32v b) { return a < 0 ? b : a; }
/* Returns nonzero if a > b, unsigned. b must be less than 65536. */
static inline i32v i32v_excess(i32v a, i32v b) { return (uint32_t)a > (uint32_t)b; }
static inline i32v i32v_and(i32v a, i32v b) { return a & b; }
static inline i32v i32v_or(i32v a, i32v b) { return a | b; }
static inline i32v i32v_xor(i32v a, i32v b) { return a ^ b; }
static inline i32v i32v_andnot(i32v a, i32v b) { return ~a & b; } /* ~a & b */
static inline i32v i32v_sll(i32v a, int n) { return (i32v)((uint32_t)a << n); }
static inline i32v i32v_srl(i32v a, int n) { return (i32v)((uint32_t)a >> n); }
static inline i32v i32v_sra(i32v a, int n) { return a >> n; }
static inline i32v i32v_min(i32v a, i32v b) { return a < b ? a : b; }
static inline i32v i32v_max(i32v a, i32v b) { return a > b ? a : b; }
static inline m32v i32v_eq(i32v a, i32v b) { return -(a == b); }
static inline m32v i32v_lt(i32v a, i32v b) { return -(a < b); }
static inline i32v i32v_select(m32v m, i32v yes, i32v no) { return m ? yes : no; }

static inline m32v m32v_and(m32v a, m32v b) { return a & b; }
static inline m32v m32v_or(m32v a, m32v b) { return a | b; }
static inline m32v m32v_andnot(m32v a, m32v b) { return ~a & b; } /* ~a & b */
static inline m32v m32v_not(m32v a) { return ~a; }
static inline m32v m32v_all(void) { return -1; }
static inline m32v m32v_none(void) { return 0; }
static inline unsigned m32v_bits(m32v m) { return (unsigned)m & 1; }
static inline m32v m32v_from_bits(unsigned bits) { return -(m32v)(bits & 1); }
static inline i32v m32v_as_i32(m32v m) { return m; } /* 0 or -1 per lane */
static inline m32v m32v_from_i32(i32v a) { return a >> 31; } /* by the sign bit */

static inline f32v f32v_gather(const float *base, i32v index) { return base[index]; }
static inline i32v i32v_gather(const int32_t *base, i32v index) { return base[index]; }
/* Loads the words at base[index] and base[index + 1]; index must not be negative. */
SIMD_INLINE void i32v_gather_pair(const int32_t *base, i32v index, i32v *first, i32v *second)
{
    *first = base[index];
    *second = base[index + 1];
}
/* Loads the first, second and third floats of SIMD_LANES consecutive quads of four floats. */
SIMD_INLINE void f32v_load_quads(const float *p, f32v out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = p[i];
}
/* Deinterleaves SIMD_LANES consecutive pairs of words. */
SIMD_INLINE void i32v_load_deinterleave2(const int32_t *p, i32v *first, i32v *second)
{
    *first = p[0];
    *second = p[1];
}
/* Interleaves and stores SIMD_LANES pairs of words. */
SIMD_INLINE void i32v_storeu_interleave2(int32_t *p, i32v first, i32v second)
{
    p[0] = first;
    p[1] = second;
}
/* Interleaves and stores four words per lane. */
SIMD_INLINE void i32v_storeu_interleave4(int32_t *p, const i32v in[4])
{
    for (int i = 0; i < 4; i++)
        p[i] = in[i];
}
/* Transposed access to four floats per lane. f32v_load_rows loads float i of each lane into row[i];
 * `at` has the lanes' byte offsets from p. The stores are its inverse; f32v_store_rows puts lanes
 * `stride` floats apart. */
SIMD_INLINE void f32v_load_rows(const void *p, const uint32_t *at, f32v row[4])
{
    memcpy(row, (const char *)p + at[0], 4 * sizeof(f32v));
}
SIMD_INLINE void f32v_store_rows(float *p, size_t stride, const f32v row[4])
{
    (void)stride;
    memcpy(p, row, 4 * sizeof(f32v));
}
SIMD_INLINE void f32v_store_rows_at(void *p, const uint32_t *at, const f32v row[4])
{
    memcpy((char *)p + at[0], row, 4 * sizeof(f32v));
}
/* Loads one float per quad and replicates it to the quad's four lanes. p points to the first lane's
 * value. */
static inline f32v f32v_load_spread(const float *p) { return *p; }
/* Stores 16 words, four 2x2 quads side by side, as two rows of eight, without alignment. */
SIMD_INLINE void i32v_store_quad_rows(void *above, void *below, const i32v quads[16])
{
    for (int i = 0; i < 4; i++) {
        memcpy((char *)above + 8 * i, quads + 4 * i, 8);
        memcpy((char *)below + 8 * i, quads + 4 * i + 2, 8);
    }
}

#else /* SIMD_LANES > 1 */

#if SIMD_LANES == 4
#if defined(__aarch64__)
#include "util/simd/neon.h"
#define SIMD_NEON 1
#endif
typedef simde__m128 f32v;
typedef simde__m128i i32v;
typedef simde__m128i m32v;
#define SIMD_P(op) simde_mm_##op
#define SIMD_CASTF(x) simde_mm_castsi128_ps(x)
#define SIMD_CASTI(x) simde_mm_castps_si128(x)
#define SIMD_LOADI(p) simde_mm_load_si128((const simde__m128i *)(const void *)(p))
#define SIMD_LOADIU(p) simde_mm_loadu_si128((const simde__m128i *)(const void *)(p))
#define SIMD_STOREI(p, a) simde_mm_store_si128((simde__m128i *)(void *)(p), a)
#define SIMD_STOREIU(p, a) simde_mm_storeu_si128((simde__m128i *)(void *)(p), a)
#define SIMD_AND(a, b) simde_mm_and_si128(a, b)
#define SIMD_OR(a, b) simde_mm_or_si128(a, b)
#define SIMD_XOR(a, b) simde_mm_xor_si128(a, b)
#define SIMD_ANDNOT(a, b) simde_mm_andnot_si128(a, b)
#elif SIMD_LANES == 8
typedef simde__m256 f32v;
typedef simde__m256i i32v;
typedef simde__m256i m32v;
#define SIMD_P(op) simde_mm256_##op
#define SIMD_CASTF(x) simde_mm256_castsi256_ps(x)
#define SIMD_CASTI(x) simde_mm256_castps_si256(x)
#define SIMD_LOADI(p) simde_mm256_load_si256((const simde__m256i *)(const void *)(p))
#define SIMD_LOADIU(p) simde_mm256_loadu_si256((const simde__m256i *)(const void *)(p))
#define SIMD_STOREI(p, a) simde_mm256_store_si256((simde__m256i *)(void *)(p), a)
#define SIMD_STOREIU(p, a) simde_mm256_storeu_si256((simde__m256i *)(void *)(p), a)
#define SIMD_AND(a, b) simde_mm256_and_si256(a, b)
#define SIMD_OR(a, b) simde_mm256_or_si256(a, b)
#define SIMD_XOR(a, b) simde_mm256_xor_si256(a, b)
#define SIMD_ANDNOT(a, b) simde_mm256_andnot_si256(a, b)
#else
typedef __m512 f32v;
typedef __m512i i32v;
typedef __mmask16 m32v;
#define SIMD_P(op) _mm512_##op
#define SIMD_CASTF(x) _mm512_castsi512_ps(x)
#define SIMD_CASTI(x) _mm512_castps_si512(x)
#define SIMD_LOADI(p) _mm512_load_si512((const void *)(p))
#define SIMD_LOADIU(p) _mm512_loadu_si512((const void *)(p))
#define SIMD_STOREI(p, a) _mm512_store_si512((void *)(p), a)
#define SIMD_STOREIU(p, a) _mm512_storeu_si512((void *)(p), a)
#define SIMD_AND(a, b) _mm512_and_si512(a, b)
#define SIMD_OR(a, b) _mm512_or_si512(a, b)
#define SIMD_XOR(a, b) _mm512_xor_si512(a, b)
#define SIMD_ANDNOT(a, b) _mm512_andnot_si512(a, b)
#endif

static inline i32v f32v_bits(f32v a) { return SIMD_CASTI(a); }
static inline f32v i32v_as_f32(i32v a) { return SIMD_CASTF(a); }
static inline f32v f32v_set1(float x) { return SIMD_P(set1_ps)(x); }
static inline f32v f32v_load(const float *p) { return SIMD_P(load_ps)(p); }
static inline f32v f32v_loadu(const float *p) { return SIMD_P(loadu_ps)(p); }
static inline void f32v_store(float *p, f32v a) { SIMD_P(store_ps)(p, a); }
static inline void f32v_storeu(float *p, f32v a) { SIMD_P(storeu_ps)(p, a); }
static inline void f32v_store_first(float *p, f32v a, unsigned n)
{
#if SIMD_LANES == 16
    _mm512_mask_storeu_ps(p, (__mmask16)((1u << n) - 1), a);
#elif SIMD_LANES == 8
    (void)n;
    simde_mm_storeu_ps(p, simde_mm256_castps256_ps128(a));
#else
    (void)n;
    f32v_storeu(p, a);
#endif
}
static inline void f32v_store_only(float *p, f32v a, unsigned n)
{
#if SIMD_LANES == 16
    _mm512_mask_storeu_ps(p, (__mmask16)((1u << n) - 1), a);
#else
    float lanes[SIMD_LANES];

    f32v_storeu(lanes, a);
    for (unsigned i = 0; i < n; i++)
        p[i] = lanes[i];
#endif
}
static inline f32v f32v_add(f32v a, f32v b) { return SIMD_P(add_ps)(a, b); }
static inline f32v f32v_sub(f32v a, f32v b) { return SIMD_P(sub_ps)(a, b); }
static inline f32v f32v_mul_ftz_any(f32v a, f32v b)
{
    return SIMD_P(mul_ps)(a, b);
}
static inline f32v f32v_div(f32v a, f32v b) { return SIMD_P(div_ps)(a, b); }
#ifdef SIMD_NEON
static inline f32v f32v_min(f32v a, f32v b) { return neon_least(a, b); }
static inline f32v f32v_max(f32v a, f32v b) { return neon_most(a, b); }
#else
static inline f32v f32v_min(f32v a, f32v b) { return SIMD_P(min_ps)(a, b); }
static inline f32v f32v_max(f32v a, f32v b) { return SIMD_P(max_ps)(a, b); }
#endif
static inline f32v f32v_sqrt(f32v a) { return SIMD_P(sqrt_ps)(a); }
#if SIMD_LANES == 16
static inline i32v f32v_to_i32_trunc(f32v a) { return _mm512_cvttps_epi32(a); }
static inline i32v f32v_to_i32_round(f32v a) { return _mm512_cvtps_epi32(a); }
static inline f32v i32v_to_f32(i32v a) { return _mm512_cvtepi32_ps(a); }
#else
#ifdef SIMD_NEON
static inline i32v f32v_to_i32_trunc(f32v a) { return neon_trunc(a); }
static inline i32v f32v_to_i32_round(f32v a) { return neon_round(a); }
#else
static inline i32v f32v_to_i32_trunc(f32v a) { return SIMD_P(cvttps_epi32)(a); }
static inline i32v f32v_to_i32_round(f32v a) { return SIMD_P(cvtps_epi32)(a); }
#endif
static inline f32v i32v_to_f32(i32v a) { return SIMD_P(cvtepi32_ps)(a); }
#endif

static inline i32v i32v_set1(int32_t x) { return SIMD_P(set1_epi32)(x); }
static inline i32v i32v_load(const int32_t *p) { return SIMD_LOADI(p); }
static inline i32v i32v_loadu(const int32_t *p) { return SIMD_LOADIU(p); }
static inline void i32v_store(int32_t *p, i32v a) { SIMD_STOREI(p, a); }
static inline void i32v_storeu(int32_t *p, i32v a) { SIMD_STOREIU(p, a); }
static inline i32v i32v_add(i32v a, i32v b) { return SIMD_P(add_epi32)(a, b); }
static inline i32v i32v_sub(i32v a, i32v b) { return SIMD_P(sub_epi32)(a, b); }
#if SIMD_LANES == 16
static inline i32v i32v_mullo_16(i32v a, i32v b)
{
    return _mm512_mullo_epi16(a, b);
}
static inline i32v i32v_madd_16(i32v a, i32v b)
{
    return _mm512_madd_epi16(a, b);
}
static inline i32v i32v_blend_16(i32v low, i32v high)
{
    return _mm512_mask_blend_epi16(0xaaaaaaaa, low, high);
}
static inline i32v i32v_min_short(i32v a, i32v b) { return _mm512_min_epi16(a, b); }
static inline i32v i32v_max_short(i32v a, i32v b) { return _mm512_max_epi16(a, b); }
static inline i32v i32v_unless_negative(i32v a, i32v b) { return _mm512_min_epu16(a, b); }
static inline i32v i32v_excess(i32v a, i32v b) { return _mm512_subs_epu16(a, b); }
static inline i32v i32v_broadcast_byte_16(i32v a)
{
    return _mm512_shuffle_epi8(a, _mm512_broadcast_i32x4(simde_mm_set_epi32(
                                      (int)0x800c800c, (int)0x80088008, (int)0x80048004, (int)0x80008000)));
}
#define i32v_srl_16(a, n) _mm512_srli_epi16(a, n)
#else
static inline i32v i32v_mullo_16(i32v a, i32v b)
{
    return SIMD_P(mullo_epi16)(a, b);
}
static inline i32v i32v_madd_16(i32v a, i32v b)
{
    return SIMD_P(madd_epi16)(a, b);
}
static inline i32v i32v_min_short(i32v a, i32v b) { return SIMD_P(min_epi16)(a, b); }
static inline i32v i32v_max_short(i32v a, i32v b) { return SIMD_P(max_epi16)(a, b); }
static inline i32v i32v_excess(i32v a, i32v b) { return SIMD_P(subs_epu16)(a, b); }
#define i32v_srl_16(a, n) SIMD_P(srli_epi16)(a, n)
#endif
static inline i32v i32v_mul_short(i32v a, i32v b)
{
    return i32v_madd_16(a, b);
}
static inline i32v i32v_and(i32v a, i32v b) { return SIMD_AND(a, b); }
static inline i32v i32v_or(i32v a, i32v b) { return SIMD_OR(a, b); }
static inline i32v i32v_xor(i32v a, i32v b) { return SIMD_XOR(a, b); }
static inline i32v i32v_andnot(i32v a, i32v b) { return SIMD_ANDNOT(a, b); } /* ~a & b */
#define i32v_sll(a, n) SIMD_P(slli_epi32)(a, n)
#define i32v_srl(a, n) SIMD_P(srli_epi32)(a, n)
#define i32v_sra(a, n) SIMD_P(srai_epi32)(a, n)
#if SIMD_LANES >= 8 /* SSE2 lacks all of these */
static inline i32v i32v_mul(i32v a, i32v b) { return SIMD_P(mullo_epi32)(a, b); }
static inline i32v i32v_min(i32v a, i32v b) { return SIMD_P(min_epi32)(a, b); }
static inline i32v i32v_max(i32v a, i32v b) { return SIMD_P(max_epi32)(a, b); }
#endif

static inline i32v i32v_iota(int32_t first)
{
    static const int32_t steps[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    return i32v_add(i32v_set1(first), i32v_loadu(steps));
}

#if SIMD_LANES == 16

static inline m32v f32v_lt(f32v a, f32v b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
static inline m32v f32v_le(f32v a, f32v b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
static inline m32v f32v_eq(f32v a, f32v b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
static inline m32v f32v_ne(f32v a, f32v b) { return _mm512_cmp_ps_mask(a, b, _CMP_NEQ_UQ); }
static inline m32v f32v_isnan(f32v a) { return _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q); }
static inline m32v f32v_unordered(f32v a, f32v b) { return _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q); }
static inline f32v f32v_select(m32v m, f32v yes, f32v no) { return _mm512_mask_blend_ps(m, no, yes); }
static inline m32v i32v_eq(i32v a, i32v b) { return _mm512_cmpeq_epi32_mask(a, b); }
static inline m32v i32v_lt(i32v a, i32v b) { return _mm512_cmpgt_epi32_mask(b, a); }
static inline i32v i32v_select(m32v m, i32v yes, i32v no) { return _mm512_mask_blend_epi32(m, no, yes); }
static inline m32v m32v_and(m32v a, m32v b) { return (m32v)(a & b); }
static inline m32v m32v_or(m32v a, m32v b) { return (m32v)(a | b); }
static inline m32v m32v_andnot(m32v a, m32v b) { return (m32v)(~a & b); } /* ~a & b */
static inline m32v m32v_not(m32v a) { return (m32v)~a; }
static inline m32v m32v_all(void) { return 0xffff; }
static inline m32v m32v_none(void) { return 0; }
static inline unsigned m32v_bits(m32v m) { return m; }
static inline m32v m32v_from_bits(unsigned bits) { return (m32v)bits; }
static inline i32v m32v_as_i32(m32v m) { return _mm512_maskz_mov_epi32(m, _mm512_set1_epi32(-1)); }
static inline m32v m32v_from_i32(i32v a) { return _mm512_movepi32_mask(a); }
static inline f32v f32v_gather(const float *base, i32v index) { return _mm512_i32gather_ps(index, base, 4); }
static inline i32v i32v_gather(const int32_t *base, i32v index) { return _mm512_i32gather_epi32(index, base, 4); }
SIMD_INLINE void i32v_gather_pair(const int32_t *base, i32v index, i32v *first, i32v *second)
{
    const i32v even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const i32v odd = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
    i32v low = _mm512_i32gather_epi64(_mm512_castsi512_si256(index), base, 4);
    i32v high = _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(index, 1), base, 4);

    *first = _mm512_permutex2var_epi32(low, even, high);
    *second = _mm512_permutex2var_epi32(low, odd, high);
}
SIMD_INLINE void i32v_storeu_interleave2(int32_t *p, i32v first, i32v second)
{
    const i32v low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const i32v high = _mm512_set_epi32(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8);

    i32v_storeu(p, _mm512_permutex2var_epi32(first, low, second));
    i32v_storeu(p + 16, _mm512_permutex2var_epi32(first, high, second));
}
SIMD_INLINE void i32v_load_deinterleave2(const int32_t *p, i32v *first, i32v *second)
{
    const i32v even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const i32v odd = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
    i32v low = i32v_loadu(p), high = i32v_loadu(p + 16);

    *first = _mm512_permutex2var_epi32(low, even, high);
    *second = _mm512_permutex2var_epi32(low, odd, high);
}
static inline f32v f32v_load_spread(const float *p)
{
    return _mm512_permutexvar_ps(_mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0),
                                 _mm512_castps128_ps512(simde_mm_loadu_ps(p)));
}
SIMD_INLINE void f32v_load_quads(const float *p, f32v out[3])
{
    const i32v order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    f32v a = f32v_loadu(p), b = f32v_loadu(p + 16), c = f32v_loadu(p + 32), d = f32v_loadu(p + 48);
    f32v ab = _mm512_unpacklo_ps(a, b), cd = _mm512_unpacklo_ps(c, d);

    out[0] = _mm512_shuffle_ps(ab, cd, 0x44);
    out[1] = _mm512_shuffle_ps(ab, cd, 0xee);
    out[2] = _mm512_shuffle_ps(_mm512_unpackhi_ps(a, b), _mm512_unpackhi_ps(c, d), 0x44);
    for (int i = 0; i < 3; i++)
        out[i] = _mm512_permutexvar_ps(order, out[i]);
}
SIMD_INLINE void i32v_storeu_interleave4(int32_t *p, const i32v in[4])
{
    i32v ab0 = _mm512_unpacklo_epi32(in[0], in[1]), ab1 = _mm512_unpackhi_epi32(in[0], in[1]);
    i32v cd0 = _mm512_unpacklo_epi32(in[2], in[3]), cd1 = _mm512_unpackhi_epi32(in[2], in[3]);
    i32v q0 = _mm512_unpacklo_epi64(ab0, cd0), q1 = _mm512_unpackhi_epi64(ab0, cd0);
    i32v q2 = _mm512_unpacklo_epi64(ab1, cd1), q3 = _mm512_unpackhi_epi64(ab1, cd1);
    i32v low01 = _mm512_shuffle_i32x4(q0, q1, 0x44), low23 = _mm512_shuffle_i32x4(q2, q3, 0x44);
    i32v high01 = _mm512_shuffle_i32x4(q0, q1, 0xee), high23 = _mm512_shuffle_i32x4(q2, q3, 0xee);

    i32v_storeu(p, _mm512_shuffle_i32x4(low01, low23, 0x88));
    i32v_storeu(p + 16, _mm512_shuffle_i32x4(low01, low23, 0xdd));
    i32v_storeu(p + 32, _mm512_shuffle_i32x4(high01, high23, 0x88));
    i32v_storeu(p + 48, _mm512_shuffle_i32x4(high01, high23, 0xdd));
}
SIMD_INLINE void i32v_store_quad_rows(void *above, void *below, const i32v quads[1])
{
    const i32v order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
    i32v rows = _mm512_permutexvar_epi64(order, quads[0]);

    _mm256_storeu_si256((__m256i *)above, _mm512_castsi512_si256(rows));
    _mm256_storeu_si256((__m256i *)below, _mm512_extracti64x4_epi64(rows, 1));
}

#else /* 4 or 8 lanes: truth values are integer vectors of 0 and -1 */

#if SIMD_LANES == 8
static inline m32v f32v_lt(f32v a, f32v b) { return SIMD_CASTI(simde_mm256_cmp_ps(a, b, SIMDE_CMP_LT_OQ)); }
static inline m32v f32v_le(f32v a, f32v b) { return SIMD_CASTI(simde_mm256_cmp_ps(a, b, SIMDE_CMP_LE_OQ)); }
static inline m32v f32v_eq(f32v a, f32v b) { return SIMD_CASTI(simde_mm256_cmp_ps(a, b, SIMDE_CMP_EQ_OQ)); }
static inline m32v f32v_ne(f32v a, f32v b) { return SIMD_CASTI(simde_mm256_cmp_ps(a, b, SIMDE_CMP_NEQ_UQ)); }
static inline m32v f32v_isnan(f32v a) { return SIMD_CASTI(simde_mm256_cmp_ps(a, a, SIMDE_CMP_UNORD_Q)); }
static inline m32v f32v_unordered(f32v a, f32v b) { return SIMD_CASTI(simde_mm256_cmp_ps(a, b, SIMDE_CMP_UNORD_Q)); }
static inline f32v f32v_select(m32v m, f32v yes, f32v no) { return simde_mm256_blendv_ps(no, yes, SIMD_CASTF(m)); }
static inline i32v i32v_select(m32v m, i32v yes, i32v no) { return simde_mm256_blendv_epi8(no, yes, m); }
static inline m32v i32v_eq(i32v a, i32v b) { return simde_mm256_cmpeq_epi32(a, b); }
static inline m32v i32v_lt(i32v a, i32v b) { return simde_mm256_cmpgt_epi32(b, a); }
static inline unsigned m32v_bits(m32v m) { return (unsigned)simde_mm256_movemask_ps(SIMD_CASTF(m)); }
static inline f32v f32v_gather(const float *base, i32v index) { return simde_mm256_i32gather_ps(base, index, 4); }
static inline i32v i32v_gather(const int32_t *base, i32v index) { return simde_mm256_i32gather_epi32(base, index, 4); }
static inline i32v i32v_blend_16(i32v low, i32v high)
{
    return simde_mm256_blend_epi16(low, high, 0xaa);
}
static inline i32v i32v_unless_negative(i32v a, i32v b) { return simde_mm256_min_epu16(a, b); }
static inline i32v i32v_broadcast_byte_16(i32v a)
{
    const i32v order = simde_mm256_set_epi32(
        (int)0x800c800c, (int)0x80088008, (int)0x80048004, (int)0x80008000, (int)0x800c800c,
        (int)0x80088008, (int)0x80048004, (int)0x80008000);

    return simde_mm256_shuffle_epi8(a, order);
}
static inline f32v f32v_load_spread(const float *p)
{
    simde__m128 two = simde_mm_castsi128_ps(simde_mm_loadl_epi64((const simde__m128i *)(const void *)p));

    return simde_mm256_permutevar_ps(SIMD_CASTF(simde_mm256_broadcastq_epi64(simde_mm_castps_si128(two))),
                                     simde_mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
}
SIMD_INLINE void i32v_load_deinterleave2(const int32_t *p, i32v *first, i32v *second)
{
    f32v low = SIMD_CASTF(i32v_loadu(p)), high = SIMD_CASTF(i32v_loadu(p + 8));
    f32v a = simde_mm256_permute2f128_ps(low, high, 0x20);
    f32v b = simde_mm256_permute2f128_ps(low, high, 0x31);

    *first = SIMD_CASTI(simde_mm256_shuffle_ps(a, b, 0x88));
    *second = SIMD_CASTI(simde_mm256_shuffle_ps(a, b, 0xdd));
}
SIMD_INLINE void i32v_storeu_interleave2(int32_t *p, i32v first, i32v second)
{
    i32v a = simde_mm256_unpacklo_epi32(first, second);
    i32v b = simde_mm256_unpackhi_epi32(first, second);

    i32v_storeu(p, simde_mm256_permute2x128_si256(a, b, 0x20));
    i32v_storeu(p + 8, simde_mm256_permute2x128_si256(a, b, 0x31));
}
SIMD_INLINE void f32v_load_quads(const float *p, f32v out[3])
{
    const i32v order = simde_mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    f32v a = f32v_loadu(p), b = f32v_loadu(p + 8), c = f32v_loadu(p + 16), d = f32v_loadu(p + 24);
    f32v ab = simde_mm256_unpacklo_ps(a, b), cd = simde_mm256_unpacklo_ps(c, d);

    out[0] = simde_mm256_shuffle_ps(ab, cd, 0x44);
    out[1] = simde_mm256_shuffle_ps(ab, cd, 0xee);
    out[2] = simde_mm256_shuffle_ps(simde_mm256_unpackhi_ps(a, b), simde_mm256_unpackhi_ps(c, d), 0x44);
    for (int i = 0; i < 3; i++)
        out[i] = simde_mm256_permutevar8x32_ps(out[i], order);
}
SIMD_INLINE void i32v_storeu_interleave4(int32_t *p, const i32v in[4])
{
    i32v ab0 = simde_mm256_unpacklo_epi32(in[0], in[1]), ab1 = simde_mm256_unpackhi_epi32(in[0], in[1]);
    i32v cd0 = simde_mm256_unpacklo_epi32(in[2], in[3]), cd1 = simde_mm256_unpackhi_epi32(in[2], in[3]);
    i32v q0 = simde_mm256_unpacklo_epi64(ab0, cd0), q1 = simde_mm256_unpackhi_epi64(ab0, cd0);
    i32v q2 = simde_mm256_unpacklo_epi64(ab1, cd1), q3 = simde_mm256_unpackhi_epi64(ab1, cd1);

    i32v_storeu(p, simde_mm256_permute2x128_si256(q0, q1, 0x20));
    i32v_storeu(p + 8, simde_mm256_permute2x128_si256(q2, q3, 0x20));
    i32v_storeu(p + 16, simde_mm256_permute2x128_si256(q0, q1, 0x31));
    i32v_storeu(p + 24, simde_mm256_permute2x128_si256(q2, q3, 0x31));
}
SIMD_INLINE void i32v_store_quad_rows(void *above, void *below, const i32v quads[2])
{
    i32v top = simde_mm256_unpacklo_epi64(quads[0], quads[1]);
    i32v bottom = simde_mm256_unpackhi_epi64(quads[0], quads[1]);

    SIMD_STOREIU(above, simde_mm256_permute4x64_epi64(top, 0xd8));
    SIMD_STOREIU(below, simde_mm256_permute4x64_epi64(bottom, 0xd8));
}
#else
SIMD_INLINE void i32v_load_deinterleave2(const int32_t *p, i32v *first, i32v *second)
{
    f32v low = SIMD_CASTF(i32v_loadu(p)), high = SIMD_CASTF(i32v_loadu(p + 4));

    *first = SIMD_CASTI(simde_mm_shuffle_ps(low, high, 0x88));
    *second = SIMD_CASTI(simde_mm_shuffle_ps(low, high, 0xdd));
}
SIMD_INLINE void i32v_storeu_interleave2(int32_t *p, i32v first, i32v second)
{
    i32v_storeu(p, simde_mm_unpacklo_epi32(first, second));
    i32v_storeu(p + 4, simde_mm_unpackhi_epi32(first, second));
}
static inline f32v f32v_load_spread(const float *p) { return f32v_set1(*p); }
static inline i32v i32v_blend_16(i32v low, i32v high)
{
    i32v mask = i32v_set1(0xffff);

    return SIMD_OR(SIMD_AND(low, mask), SIMD_ANDNOT(mask, high));
}
static inline i32v i32v_unless_negative(i32v a, i32v b)
{
    return simde_mm_sub_epi16(a, simde_mm_subs_epu16(a, b)); /* unsigned minimum */
}
static inline i32v i32v_broadcast_byte_16(i32v a)
{
    i32v byte = SIMD_AND(a, i32v_set1(255));

    return SIMD_OR(byte, i32v_sll(byte, 16));
}
SIMD_INLINE void i32v_store_quad_rows(void *above, void *below, const i32v quads[4])
{
    for (int i = 0; i < 2; i++) {
        SIMD_STOREIU((char *)above + 16 * i, simde_mm_unpacklo_epi64(quads[2 * i], quads[2 * i + 1]));
        SIMD_STOREIU((char *)below + 16 * i, simde_mm_unpackhi_epi64(quads[2 * i], quads[2 * i + 1]));
    }
}
SIMD_INLINE void f32v_load_quads(const float *p, f32v out[3])
{
    f32v a = f32v_loadu(p), b = f32v_loadu(p + 4), c = f32v_loadu(p + 8), d = f32v_loadu(p + 12);
    f32v ab = simde_mm_unpacklo_ps(a, b), cd = simde_mm_unpacklo_ps(c, d);

    out[0] = simde_mm_movelh_ps(ab, cd);
    out[1] = simde_mm_movehl_ps(cd, ab);
    out[2] = simde_mm_movelh_ps(simde_mm_unpackhi_ps(a, b), simde_mm_unpackhi_ps(c, d));
}
SIMD_INLINE void i32v_storeu_interleave4(int32_t *p, const i32v in[4])
{
    i32v ab0 = simde_mm_unpacklo_epi32(in[0], in[1]), ab1 = simde_mm_unpackhi_epi32(in[0], in[1]);
    i32v cd0 = simde_mm_unpacklo_epi32(in[2], in[3]), cd1 = simde_mm_unpackhi_epi32(in[2], in[3]);

    i32v_storeu(p, simde_mm_unpacklo_epi64(ab0, cd0));
    i32v_storeu(p + 4, simde_mm_unpackhi_epi64(ab0, cd0));
    i32v_storeu(p + 8, simde_mm_unpacklo_epi64(ab1, cd1));
    i32v_storeu(p + 12, simde_mm_unpackhi_epi64(ab1, cd1));
}
#ifdef SIMD_NEON
static inline m32v f32v_lt(f32v a, f32v b) { return neon_lt(a, b); }
static inline m32v f32v_le(f32v a, f32v b) { return neon_le(a, b); }
#else
static inline m32v f32v_lt(f32v a, f32v b) { return SIMD_CASTI(simde_mm_cmplt_ps(a, b)); }
static inline m32v f32v_le(f32v a, f32v b) { return SIMD_CASTI(simde_mm_cmple_ps(a, b)); }
#endif
static inline m32v f32v_eq(f32v a, f32v b) { return SIMD_CASTI(simde_mm_cmpeq_ps(a, b)); }
static inline m32v f32v_ne(f32v a, f32v b) { return SIMD_CASTI(simde_mm_cmpneq_ps(a, b)); }
static inline m32v f32v_isnan(f32v a) { return SIMD_CASTI(simde_mm_cmpunord_ps(a, a)); }
static inline m32v f32v_unordered(f32v a, f32v b) { return SIMD_CASTI(simde_mm_cmpunord_ps(a, b)); }
static inline i32v i32v_select(m32v m, i32v yes, i32v no)
{
    return SIMD_OR(SIMD_AND(m, yes), SIMD_ANDNOT(m, no));
}
static inline f32v f32v_select(m32v m, f32v yes, f32v no)
{
    return SIMD_CASTF(i32v_select(m, SIMD_CASTI(yes), SIMD_CASTI(no)));
}
static inline m32v i32v_eq(i32v a, i32v b) { return simde_mm_cmpeq_epi32(a, b); }
static inline m32v i32v_lt(i32v a, i32v b) { return simde_mm_cmplt_epi32(a, b); }
#ifdef SIMD_NEON
static inline i32v i32v_mul(i32v a, i32v b) { return neon_mul(a, b); }
static inline i32v i32v_min(i32v a, i32v b) { return neon_min(a, b); }
static inline i32v i32v_max(i32v a, i32v b) { return neon_max(a, b); }
static inline unsigned m32v_bits(m32v m) { return neon_bits(m); }
static inline f32v f32v_gather(const float *base, i32v index)
{
    int32_t i[4];

    i32v_storeu(i, index);
    return neon_load_four(base + i[0], base + i[1], base + i[2], base + i[3]);
}
static inline i32v i32v_gather(const int32_t *base, i32v index)
{
    int32_t i[4];

    i32v_storeu(i, index);
    return SIMD_CASTI(neon_load_four(base + i[0], base + i[1], base + i[2], base + i[3]));
}
#else
static inline i32v i32v_mul(i32v a, i32v b)
{
    i32v even = simde_mm_mul_epu32(a, b);
    i32v odd = simde_mm_mul_epu32(simde_mm_srli_epi64(a, 32), simde_mm_srli_epi64(b, 32));

    return simde_mm_unpacklo_epi32(simde_mm_shuffle_epi32(even, 0x08),
                                   simde_mm_shuffle_epi32(odd, 0x08));
}
static inline i32v i32v_min(i32v a, i32v b) { return i32v_select(i32v_lt(a, b), a, b); }
static inline i32v i32v_max(i32v a, i32v b) { return i32v_select(i32v_lt(a, b), b, a); }
static inline unsigned m32v_bits(m32v m) { return (unsigned)simde_mm_movemask_ps(SIMD_CASTF(m)); }
static inline f32v f32v_gather(const float *base, i32v index)
{
    int32_t i[4];

    i32v_storeu(i, index);
    return simde_mm_setr_ps(base[i[0]], base[i[1]], base[i[2]], base[i[3]]);
}
static inline i32v i32v_gather(const int32_t *base, i32v index)
{
    int32_t i[4];

    i32v_storeu(i, index);
    return simde_mm_setr_epi32(base[i[0]], base[i[1]], base[i[2]], base[i[3]]);
}
#endif
static inline i32v i32v_load_pair(const int32_t *p)
{
    return simde_mm_loadl_epi64((const simde__m128i *)(const void *)p);
}
SIMD_INLINE void i32v_gather_pair(const int32_t *base, i32v index, i32v *first, i32v *second)
{
    int32_t i[4];
    i32v low, high;

    i32v_storeu(i, index);
    low = simde_mm_unpacklo_epi32(i32v_load_pair(base + i[0]), i32v_load_pair(base + i[1]));
    high = simde_mm_unpacklo_epi32(i32v_load_pair(base + i[2]), i32v_load_pair(base + i[3]));
    *first = simde_mm_unpacklo_epi64(low, high);
    *second = simde_mm_unpackhi_epi64(low, high);
}
#endif

static inline m32v m32v_and(m32v a, m32v b) { return SIMD_AND(a, b); }
static inline m32v m32v_or(m32v a, m32v b) { return SIMD_OR(a, b); }
static inline m32v m32v_andnot(m32v a, m32v b) { return SIMD_ANDNOT(a, b); } /* ~a & b */
static inline m32v m32v_all(void) { return i32v_set1(-1); }
static inline m32v m32v_none(void) { return i32v_set1(0); }
static inline m32v m32v_not(m32v a) { return SIMD_ANDNOT(a, m32v_all()); }
static inline i32v m32v_as_i32(m32v m) { return m; }
static inline m32v m32v_from_i32(i32v a) { return i32v_sra(a, 31); }
static inline m32v m32v_from_bits(unsigned bits)
{
    static const int32_t lane_bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    i32v lane = i32v_loadu(lane_bit);

    return i32v_eq(SIMD_AND(i32v_set1((int32_t)bits), lane), lane);
}

#endif /* 4 or 8 lanes */

/* Loads four floats for every fourth lane: from p + at[0], at[4], at[8] … The stores below are its
 * inverse. */
static inline f32v simd_load_fourths(const char *p, const uint32_t *at)
{
    simde__m128 first = simde_mm_loadu_ps((const float *)(const void *)(p + at[0]));
#if SIMD_LANES == 4
    return first;
#else
    simde__m128 second = simde_mm_loadu_ps((const float *)(const void *)(p + at[4]));
#if SIMD_LANES == 8
    return simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(first), second, 1);
#else
    f32v v = _mm512_insertf32x4(_mm512_castps128_ps512(first), second, 1);

    v = _mm512_insertf32x4(v, _mm_loadu_ps((const float *)(const void *)(p + at[8])), 2);
    return _mm512_insertf32x4(v, _mm_loadu_ps((const float *)(const void *)(p + at[12])), 3);
#endif
#endif
}
static inline void simd_store_fourths(float *p, size_t stride, f32v v)
{
#if SIMD_LANES == 4
    (void)stride;
    simde_mm_storeu_ps(p, v);
#elif SIMD_LANES == 8
    simde_mm_storeu_ps(p, simde_mm256_castps256_ps128(v));
    simde_mm_storeu_ps(p + 4 * stride, simde_mm256_extractf128_ps(v, 1));
#else
    _mm_storeu_ps(p, _mm512_castps512_ps128(v));
    _mm_storeu_ps(p + 4 * stride, _mm512_extractf32x4_ps(v, 1));
    _mm_storeu_ps(p + 8 * stride, _mm512_extractf32x4_ps(v, 2));
    _mm_storeu_ps(p + 12 * stride, _mm512_extractf32x4_ps(v, 3));
#endif
}
static inline void simd_store_fourths_at(char *p, const uint32_t *at, f32v v)
{
#if SIMD_LANES == 4
    simde_mm_storeu_ps((float *)(void *)(p + at[0]), v);
#elif SIMD_LANES == 8
    simde_mm_storeu_ps((float *)(void *)(p + at[0]), simde_mm256_castps256_ps128(v));
    simde_mm_storeu_ps((float *)(void *)(p + at[4]), simde_mm256_extractf128_ps(v, 1));
#else
    _mm_storeu_ps((float *)(void *)(p + at[0]), _mm512_castps512_ps128(v));
    _mm_storeu_ps((float *)(void *)(p + at[4]), _mm512_extractf32x4_ps(v, 1));
    _mm_storeu_ps((float *)(void *)(p + at[8]), _mm512_extractf32x4_ps(v, 2));
    _mm_storeu_ps((float *)(void *)(p + at[12]), _mm512_extractf32x4_ps(v, 3));
#endif
}
/* Transposes 4x4 blocks: within every four lanes, columns become rows. */
SIMD_INLINE void simd_transpose(const f32v in[4], f32v out[4])
{
    f32v a = SIMD_P(unpacklo_ps)(in[0], in[2]), b = SIMD_P(unpackhi_ps)(in[0], in[2]);
    f32v c = SIMD_P(unpacklo_ps)(in[1], in[3]), d = SIMD_P(unpackhi_ps)(in[1], in[3]);

    out[0] = SIMD_P(unpacklo_ps)(a, c);
    out[1] = SIMD_P(unpackhi_ps)(a, c);
    out[2] = SIMD_P(unpacklo_ps)(b, d);
    out[3] = SIMD_P(unpackhi_ps)(b, d);
}
SIMD_INLINE void f32v_load_rows(const void *p, const uint32_t *at, f32v row[4])
{
    f32v v[4];

    UNROLL
    for (int i = 0; i < 4; i++)
        v[i] = simd_load_fourths((const char *)p, at + i);
    simd_transpose(v, row);
}
SIMD_INLINE void f32v_store_rows(float *p, size_t stride, const f32v row[4])
{
    f32v v[4];

    simd_transpose(row, v);
    UNROLL
    for (size_t i = 0; i < 4; i++)
        simd_store_fourths(p + i * stride, stride, v[i]);
}
SIMD_INLINE void f32v_store_rows_at(void *p, const uint32_t *at, const f32v row[4])
{
    f32v v[4];

    simd_transpose(row, v);
    UNROLL
    for (int i = 0; i < 4; i++)
        simd_store_fourths_at((char *)p, at + i, v[i]);
}

#endif /* SIMD_LANES > 1 */

#endif
