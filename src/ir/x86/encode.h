/* Instruction encoder for x86-64 and x86-32, AVX2 or AVX-512: appends machine code to a buffer.
 * forms.def has the instructions.
 *
 * Constants lie in a pool. Code of x86-64 addresses it relative to the instruction pointer: the
 * pool follows the code. Code of x86-32 has its absolute address: the pool is memory of its own.
 *
 * Memory shortage sets `failed`; further code is dropped. */
#ifndef IR_X86_ENCODE_H
#define IR_X86_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum x86_form {
#define X86_FORM(id, ...) X86_##id,
#include "ir/x86/forms.def"
#undef X86_FORM
    X86_FORM_COUNT
};

/* A row of forms.def. */
struct x86_form_info {
    const char *name, *evex_name, *shape, *kinds;
    uint8_t encoding, prefix, map, opcode, length, tuple;
};
extern const struct x86_form_info ir_x86_form_info[X86_FORM_COUNT];
enum x86_encoding { X86_LEGACY, X86_POINTER, X86_VEX, X86_EVEX, X86_BOTH };

/* General registers. */
enum {
    X86_AX,
    X86_CX,
    X86_DX,
    X86_BX,
    X86_SP,
    X86_BP,
    X86_SI,
    X86_DI,
    X86_R8,
    X86_R9,
    X86_R10,
    X86_R11,
    X86_R12,
    X86_R13,
    X86_R14,
    X86_R15
};
enum { X86_NO_REGISTER = 0xff };

/* What code is generated for. */
struct x86_target {
    bool avx512; /* otherwise AVX2 */
    bool is_64;  /* otherwise x86-32 */
};

static inline unsigned x86_lanes(const struct x86_target *t)
{
    return t->avx512 ? 16 : 8;
}
static inline unsigned x86_vector_bytes(const struct x86_target *t)
{
    return t->avx512 ? 64 : 32;
}

/* A register, or memory at base + (index << scale) + disp, or at disp in the pool. */
struct x86_operand {
    bool is_mem;
    bool is_pool;
    bool broadcast; /* EVEX: one word for all lanes */
    uint8_t reg;
    uint8_t base, index, scale; /* index: X86_NO_REGISTER for none */
    int32_t disp;
};

static inline struct x86_operand x86_reg(unsigned reg)
{
    return (struct x86_operand){.reg = (uint8_t)reg};
}
static inline struct x86_operand x86_mem(unsigned base, int32_t disp)
{
    return (struct x86_operand){
        .is_mem = true, .base = (uint8_t)base, .index = X86_NO_REGISTER, .disp = disp};
}
static inline struct x86_operand x86_indexed(unsigned base, unsigned index, unsigned scale,
                                             int32_t disp)
{
    return (struct x86_operand){.is_mem = true,
                                .base = (uint8_t)base,
                                .index = (uint8_t)index,
                                .scale = (uint8_t)scale,
                                .disp = disp};
}

/* An instruction: the fields that the form's shape names. */
struct x86_inst {
    enum x86_form form;
    uint8_t r, v;         /* R, V; R4 is an immediate */
    struct x86_operand m; /* M; O is its register */
    int32_t imm;
    uint8_t k;    /* EVEX: lanes that are written, 0 for all */
    bool zeroing; /* EVEX: the other lanes become 0; otherwise they keep their values */
};

/* Conditions of jumps. */
enum x86_condition { X86_BELOW = 2, X86_ZERO = 4, X86_NOT_ZERO = 5, X86_ALWAYS = 16 };

/* Vectors at the start of the pool: the numbers of the lanes, and the bits of a mask. Of AVX2: the
 * bytes of the low and of the high halves of each four words. */
enum {
    X86_POOL_LANES = 0,
    X86_POOL_LANE_BITS = 64,
    X86_POOL_LOW_HALVES = 128,
    X86_POOL_HIGH_HALVES = 160
};

/* A displacement that finds a constant. */
struct x86_pool_use {
    size_t at;        /* of the displacement */
    uint32_t to_next; /* bytes from the displacement to the next instruction */
};

struct x86_code {
    struct x86_target target;
    bool failed;
    uint8_t *bytes;
    size_t n, capacity;

    uint32_t *pool; /* words */
    size_t n_pool, pool_capacity;
    uint32_t *pool_slot; /* hash table: offset of a constant in the pool; 0: free */
    uint32_t n_pool_slots, n_constants;

    struct x86_pool_use *use;
    size_t n_uses, use_capacity;
};

void ir_x86_code_init(struct x86_code *code, const struct x86_target *target);
void ir_x86_code_fini(struct x86_code *code);

void ir_x86_emit(struct x86_code *code, const struct x86_inst *inst);
void ir_x86_ret(struct x86_code *code);
/* Clears the upper halves of vector registers: code of other compilers may be slow otherwise. */
void ir_x86_clear_upper(struct x86_code *code);

/* Jumps forward: ir_x86_jump returns a number for ir_x86_land, which makes the present end the
 * target. Jumps backward to an earlier end. */
size_t ir_x86_jump(struct x86_code *code, enum x86_condition condition);
void ir_x86_land(struct x86_code *code, size_t jump);
void ir_x86_jump_back(struct x86_code *code, enum x86_condition condition, size_t target);

/* A constant in the pool, for all lanes: on AVX-512 a word that the operand broadcasts. */
struct x86_operand ir_x86_constant(struct x86_code *code, uint32_t bits);
/* A vector at the start of the pool. */
struct x86_operand ir_x86_pool_vector(unsigned offset);

/* Completes the code. x86-64: appends the pool. x86-32: the pool's address is `pool`. Pages and
 * memory of mem_alloc are sufficiently aligned. */
void ir_x86_finish(struct x86_code *code, uintptr_t pool);

#endif
