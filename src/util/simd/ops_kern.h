/* Kernel table that applies the integer operations of util/simd/ to arrays, so that tests can
 * compare those of each instruction set with their scalar definition. */
#ifndef UTIL_SIMD_OPS_KERN_H
#define UTIL_SIMD_OPS_KERN_H

#include "util/cpu.h"

#include <stddef.h>
#include <stdint.h>

/* M(name, expression of vectors a and b). The scalar build is the definition. */
#define SIMD_OPS(M)                                                                                \
    M(ADD, i32v_add(a, b))                                                                         \
    M(SUB, i32v_sub(a, b))                                                                         \
    M(MUL, i32v_mul(a, b))                                                                         \
    M(MIN, i32v_min(a, b))                                                                         \
    M(MAX, i32v_max(a, b))                                                                         \
    M(ANDNOT, i32v_andnot(a, b))                                                                   \
    M(SLL, i32v_sll(a, 5))                                                                         \
    M(SRL, i32v_srl(a, 5))                                                                         \
    M(SRA, i32v_sra(a, 5))                                                                         \
    M(EQ, m32v_as_i32(i32v_eq(a, b)))                                                              \
    M(LT, m32v_as_i32(i32v_lt(a, b)))                                                              \
    M(SELECT, i32v_select(i32v_lt(a, b), a, i32v_set1(3)))                                         \
    M(UNLESS_NEGATIVE, i32v_unless_negative(i32v_sub(i32v_srl(a, 17), i32v_srl(b, 31)),            \
                                            i32v_or(b, i32v_set1(0x7fff))))                        \
    M(MUL_SHORT, i32v_mul_short(i32v_srl(a, 17), i32v_sra(b, 17)))                                 \
    M(MIN_SHORT, i32v_min_short(i32v_sra(a, 17), i32v_sra(b, 17)))                                 \
    M(MAX_SHORT, i32v_max_short(i32v_sra(a, 17), i32v_sra(b, 17)))                                 \
    M(PACK_BYTES, i32v_pack_bytes(i32v_sra(a, 24), i32v_srl(b, 24), i32v_and(a, i32v_set1(255)),   \
                                  i32v_set1(7)))                                                   \
    /* Unsigned words */                                                                           \
    M(MIN_U32, i32v_min_u32(a, b))                                                                 \
    M(MAX_U32, i32v_max_u32(a, b))                                                                 \
    M(GE_U32, m32v_as_i32(i32v_ge_u32(a, b)))                                                      \
    /* Halves */                                                                                   \
    M(MULLO_16, i32v_mullo_16(a, b))                                                               \
    M(MADD_16, i32v_madd_16(a, i32v_srl_16(b, 1)))                                                 \
    M(SRL_16, i32v_srl_16(a, 5))                                                                   \
    M(SLL_16, i32v_sll_16(a, 5))                                                                   \
    M(BLEND_16, i32v_blend_16(a, b))                                                               \
    M(BROADCAST_BYTE_16, i32v_broadcast_byte_16(a))                                                \
    M(MULHI_U16, i32v_mulhi_u16(a, b))                                                             \
    M(ADDS_U16, i32v_adds_u16(a, b))                                                               \
    /* Bytes */                                                                                    \
    M(ADD_8, i32v_add_8(a, b))                                                                     \
    M(MIN_U8, i32v_min_u8(a, b))                                                                   \
    M(MAX_U8, i32v_max_u8(a, b))                                                                   \
    M(NEGATE_EVEN_BYTES, i32v_negate_even_bytes(a))                                                \
    M(BROADCAST_BYTE_0, i32v_broadcast_byte(a, 0))                                                 \
    M(BROADCAST_BYTE_3, i32v_broadcast_byte(a, 3))                                                 \
    M(UNPACK_0, f32v_bits(unorm8(a, 0)))                                                           \
    M(UNPACK_1, f32v_bits(unorm8(a, 1)))                                                           \
    M(UNPACK_2, f32v_bits(unorm8(a, 2)))                                                           \
    M(UNPACK_3, f32v_bits(unorm8(a, 3)))

enum simd_op {
#define M(name, expression) SIMD_OP_##name,
    SIMD_OPS(M)
#undef M
        SIMD_OP_COUNT
};

#define SIMD_OP_NAME(name, expression) #name,
#define SIMD_OP_NAMES                                                                              \
    {                                                                                              \
        SIMD_OPS(SIMD_OP_NAME)                                                                     \
    }

/* M(name, number of vectors that it yields). Loads, stores and other operations that cross lanes,
 * on one vector of `lanes` words: from memory at `in`, with an index for each lane. */
#define SIMD_MOVES(M)                                                                              \
    M(GATHER, 1)                                                                                   \
    M(GATHER_PAIR, 2)                                                                              \
    M(LOAD_WORDS, 1)                                                                               \
    M(LOAD_PAIRS, 2)                                                                               \
    M(LOAD_2X2, 4)                                                                                 \
    M(LOAD_SPREAD, 1)                                                                              \
    M(LOAD_QUADS, 3)                                                                               \
    M(LOAD_ROWS, 4)                                                                                \
    M(LOAD_UINT16, 1)                                                                              \
    M(LOAD_UINT16_AT, 1)                                                                           \
    M(STORE_UINT16, 1)                                                                             \
    M(STORE_ROWS, 4)                                                                               \
    M(STORE_ROWS_AT, 4)                                                                            \
    M(DEINTERLEAVE_2, 2)                                                                           \
    M(INTERLEAVE_2, 2)                                                                             \
    M(INTERLEAVE_4, 4)                                                                             \
    M(REDUCE, 2)                                                                                   \
    M(IOTA, 1)

enum simd_move {
#define M(name, vectors) SIMD_MOVE_##name,
    SIMD_MOVES(M)
#undef M
        SIMD_MOVE_COUNT
};

/* `in` and `index` have 64 words; indices are 0 to 31. `out` receives the vectors one after
 * another. */
typedef void simd_move_fn(int32_t *out, const int32_t *in, const int32_t *index);

struct simd_ops_kern {
    unsigned lanes;
    /* n is a multiple of 16. */
    void (*fn[SIMD_OP_COUNT])(int32_t *out, const int32_t *a, const int32_t *b, size_t n);
    simd_move_fn *move[SIMD_MOVE_COUNT];
    /* The operations below process one vector of `lanes` words. */
    void (*select_words)(int32_t *out, const int32_t *low, const int32_t *high,
                         const int32_t *order);
    int32_t (*first)(const int32_t *a);
    /* With 16 lanes, otherwise NULL. All but load_lanes and transpose_fours need
     * cpu_has_avx512_vbmi. `tables` holds 128 bytes. */
    void (*load_lanes)(int32_t *out, const int32_t *rest, unsigned lanes, const int32_t *p);
    void (*transpose_fours)(int32_t out[64], const int32_t in[64]);
    void (*lookup_64_bytes)(int32_t *out, const int32_t *tables, const int32_t *index);
    void (*lookup_128_bytes)(int32_t *out, const int32_t *tables, const int32_t *index);
    void (*byte_planes)(int32_t *out, const int32_t *words);
    void (*add_madd_16)(int32_t *out, const int32_t *sum, const int32_t *a, const int32_t *b);
};

KERN_DECLARE(struct simd_ops_kern, simd_ops_kern);

#endif
