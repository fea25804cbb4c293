/* Instructions of x86-64 for vectors of floats, AVX2 or AVX-512, put one after another into a
 * buffer. Private to vm/jit*.c. */
#ifndef VM_JIT_ENCODE_X86_H
#define VM_JIT_ENCODE_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* General registers that no calling convention keeps, for what a run of code needs to know. */
enum x86_base {
    X86_BASE_WORK = 0,      /* rax: the vector's lanes in the work memory */
    X86_BASE_FRAME = 9,     /* r9: struct vm_frame */
    X86_BASE_MASKS = 8,     /* r8: the frame, moved on by the vector's bits of lane masks */
    X86_BASE_UNIFORMS = 10, /* r10 */
    X86_BASE_CONSTANTS = 2, /* rdx: those that are indexed, where the run reads them */
    X86_BASE_POOL = 16,     /* no register: constants at the buffer's beginning */
};

/* Constants, a vector each. */
enum x86_constant {
    X86_CONST_ZERO,
    X86_CONST_SIGN_BIT, /* bits */
    X86_CONST_ABS_MASK, /* all but those */
    X86_CONST_ONE,
    X86_CONST_HALF,
    X86_CONST_FOUR,
    X86_CONST_FLT_MAX,     /* FLT_MAX */
    X86_CONST_FLT_MIN,     /* 2^-126 */
    X86_CONST_RSQ_FLT_MIN, /* 2^63, what 1 / sqrt of that is */
    X86_CONST_ROUND_MAGIC, /* 1.5 * 2^23 */
    X86_CONST_ROUND_LIMIT, /* 2^22 */
    X86_CONST_LANE_BITS,   /* lane i: 1 << i */
    X86_CONST_COUNT
};
enum { X86_VECTOR_BYTES = 64 };

/* A vector register, or memory. */
struct x86_operand {
    bool is_mem;
    bool is_temp; /* a register that nobody else reads */
    uint8_t base; /* enum x86_base */
    int8_t reg;
    int32_t disp; /* bytes from the base on */
};

enum x86_opcode {
    X86_LOAD,
    X86_STORE,
    X86_ADD,
    X86_MUL,
    X86_SUB,
    X86_MIN,
    X86_DIV,
    X86_MAX,
    X86_SQRT,
    X86_AND,
    X86_ANDNOT, /* ~src1 & src2 */
    X86_OR,
    X86_XOR,
    X86_OPCODE_COUNT
};

/* Predicates of comparisons. */
enum x86_cmp {
    X86_CMP_EQ = 0x00,
    X86_CMP_UNORDERED = 0x03,
    X86_CMP_NE = 0x04,
    X86_CMP_ORDERED = 0x07,
    X86_CMP_LT = 0x11,
    X86_CMP_LE = 0x12,
    X86_CMP_GE = 0x1d,
    X86_CMP_GT = 0x1e
};

/* Mask registers of AVX-512: lanes that were numbers so far, and two to work with. */
enum { X86_K_ORDERED = 1, X86_K_TEMP = 2, X86_K_TEMP2 = 3 };

struct x86_code {
    uint8_t *bytes;
    size_t n, capacity;
    bool failed; /* there was no memory; what is put is lost */
    bool avx512; /* AVX-512, else AVX2 */
};

/* An empty buffer with the constants. */
void x86_code_init(struct x86_code *code, bool avx512);
void x86_code_fini(struct x86_code *code);

static inline struct x86_operand x86_mem(enum x86_base base, int32_t disp)
{
    return (struct x86_operand){.is_mem = true, .base = (uint8_t)base, .disp = disp};
}

static inline struct x86_operand x86_constant(enum x86_constant constant)
{
    return x86_mem(X86_BASE_POOL, constant * X86_VECTOR_BYTES);
}

static inline struct x86_operand x86_reg(int reg)
{
    return (struct x86_operand){.reg = (int8_t)reg};
}

/* to = src1 OP src2; of X86_LOAD and X86_SQRT there is no src1, and X86_STORE puts `to` into
 * the src2. */
void x86_emit(struct x86_code *code, enum x86_opcode op, int dst, int src1,
              struct x86_operand src2);
/* Largest whole number that is not above. */
void x86_emit_floor(struct x86_code *code, int dst, struct x86_operand from);
/* AVX2: lanes of all bits or none. */
void x86_emit_compare(struct x86_code *code, enum x86_cmp predicate, int dst, int src1,
                      struct x86_operand src2);
void x86_emit_blend(struct x86_code *code, int dst, int no, struct x86_operand yes, int mask);
/* AVX2: a byte of lane bits in memory becomes lanes. */
void x86_emit_expand_mask(struct x86_code *code, int dst, struct x86_operand byte);
/* AVX2: the bits of lanes to a byte in memory; or a look at whether any is set. r11 is lost. */
void x86_emit_store_mask(struct x86_code *code, int from, struct x86_operand byte);
void x86_emit_test(struct x86_code *code, int from);
/* AVX-512: the same with mask registers. `among`: 0, or a mask whose lanes alone count. */
void x86_emit_compare_k(struct x86_code *code, enum x86_cmp predicate, int dst, int src1,
                        struct x86_operand src2, int among);
void x86_emit_blend_k(struct x86_code *code, int dst, int no, struct x86_operand yes, int mask);
void x86_emit_zero_k(struct x86_code *code, int dst, int mask); /* where the mask says so */
void x86_emit_load_k(struct x86_code *code, int dst, struct x86_operand word);
void x86_emit_store_k(struct x86_code *code, int from, struct x86_operand word);
void x86_emit_or_k(struct x86_code *code, int dst, int other);
void x86_emit_set_k(struct x86_code *code, int dst);
void x86_emit_test_k(struct x86_code *code, int from); /* carry: all bits are set */

/* The code around: it is a vm_ir_op_fn, and a loop over vectors. base_at: where in the frame the
 * two base addresses lie. */
void x86_emit_prologue(struct x86_code *code, int32_t base_at, unsigned vectors);
void x86_emit_loop_end(struct x86_code *code, size_t loop); /* back to `loop`, or on */
/* Adds to a word of 64 bits of the frame and returns. */
void x86_emit_epilogue(struct x86_code *code, int32_t word_at, int32_t add);
/* Jumps whose target is set later: if all is well (see x86_emit_test, x86_emit_test_k) it does not
 * jump. */
size_t x86_emit_jump_unless(struct x86_code *code);
size_t x86_emit_jump(struct x86_code *code);
void x86_set_jump_target(struct x86_code *code, size_t jump, size_t target);

/* Indexed constants, a register of four floats each. */
void x86_emit_load_constants(struct x86_code *code,
                             int32_t disp); /* where the frame has their address */
/* A lane as a whole number to r11, as an offset of registers. */
void x86_emit_index(struct x86_code *code, struct x86_operand lane);
/* All lanes from the constants, with that offset and one of bytes. */
void x86_emit_load_indexed(struct x86_code *code, int dst, int32_t disp);
/* One lane to all. */
void x86_emit_broadcast(struct x86_code *code, int dst, struct x86_operand lane);
/* Jumps unless least <= lane < least + count. */
size_t x86_emit_jump_outside(struct x86_code *code, struct x86_operand lane, int32_t min,
                             int32_t count);
/* Goes to another function of the kind, with the frame's word as its first argument, less `less`.
 */
void x86_emit_tail_call(struct x86_code *code, uintptr_t function, int32_t word_at, int32_t less);

/* Vector registers that may be used: how many, and which. */
unsigned x86_allocatable_registers(bool avx512, const uint8_t **numbers);

#endif
