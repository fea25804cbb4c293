/* Kernel table that applies the functions of util/simd/math.h, and the operations of
 * util/simd/simd.h on which processors disagree, to arrays. For tests and benchmarks. */
#ifndef UTIL_SIMD_MATH_KERN_H
#define UTIL_SIMD_MATH_KERN_H

#include "util/cpu.h"

#include <stddef.h>

/* M(name, expression of vectors a and b). Functions before POW have one argument. */
#define MATH_FUNCTIONS(M)                                                                          \
    M(RCP, f32v_rcp(a))                                                                            \
    M(RSQ, f32v_rsq(a))                                                                            \
    M(EXP2, f32v_exp2(a))                                                                          \
    M(LOG2, f32v_log2(a))                                                                          \
    M(SIN, f32v_sin(a))                                                                            \
    M(COS, f32v_cos(a))                                                                            \
    M(SQRT, f32v_sqrt(a))                                                                          \
    M(FLOOR, f32v_floor(a))                                                                        \
    M(SAT, f32v_sat(a))                                                                            \
    M(TRUNC, i32v_to_f32(f32v_to_i32_trunc(a)))                                                    \
    M(ROUND, i32v_to_f32(f32v_to_i32_round(a)))                                                    \
    M(POW, f32v_pow(a, b))                                                                         \
    M(ADD, f32v_add(a, b))                                                                         \
    M(SUB, f32v_sub(a, b))                                                                         \
    M(MUL, f32v_mul(a, b))                                                                         \
    M(MUL_ZERO, f32v_mul_zero(a, b))                                                               \
    M(DIV, f32v_div(a, b))                                                                         \
    M(MIN, f32v_min(a, b))                                                                         \
    M(MAX, f32v_max(a, b))                                                                         \
    M(LT, f32v_where(f32v_lt(a, b), f32v_set1(1.0f)))                                              \
    M(LE, f32v_where(f32v_le(a, b), f32v_set1(1.0f)))                                              \
    M(EQ, f32v_where(f32v_eq(a, b), f32v_set1(1.0f)))                                              \
    M(NE, f32v_where(f32v_ne(a, b), f32v_set1(1.0f)))                                              \
    M(UNORDERED, f32v_where(f32v_unordered(a, b), f32v_set1(1.0f)))                                \
    /* Uses the lowest 24 bits, which distinguish numerators. */                                   \
    M(DIV_BY_255, f32v_div_by(i32v_to_f32(i32v_and(f32v_bits(a), i32v_set1(0xffffff))), 255.0f))   \
    M(PART, f32v_select(f32v_lt(a, b), f32v_mul(a, b), a))                                         \
    /* Factors that compilers know */                                                              \
    M(MUL_CONSTANT, f32v_mul(a, f32v_set1(0.64f)))                                                 \
    M(CONSTANT_MUL, f32v_mul(f32v_set1(0.64f), a))                                                 \
    M(MUL_POWER, f32v_mul(a, f32v_set1(0.5f)))                                                     \
    M(NARROW, d64v_narrow(d64v_mul(f32v_widen(a), f32v_widen(b))))                                 \
    /* 1 in all lanes, whichever other lanes are below */                                          \
    M(ANY, math_any(f32v_lt(a, b), f32v_lt(a, a)))

enum math_function {
#define M(name, expression) MATH_##name,
    MATH_FUNCTIONS(M)
#undef M
        MATH_COUNT
};

#define MATH_NAME(name, expression) #name,
#define MATH_NAMES                                                                                 \
    {                                                                                              \
        MATH_FUNCTIONS(MATH_NAME)                                                                  \
    }

/* n is a multiple of 16. `out` may alias an input. Only functions of two arguments read b. */
typedef void math_fn(float *out, const float *a, const float *b, size_t n);

struct math_kern {
    math_fn *fn[MATH_COUNT];
};

KERN_DECLARE(struct math_kern, math_kern);

#endif
