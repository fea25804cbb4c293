/* x86-64 instruction encoder for float vectors, AVX2 or AVX-512, appending to a code buffer.
 * Private to vm/jit*.c. */
#ifndef VM_JIT_ENCODE_X86_H
#define VM_JIT_ENCODE_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Base registers of the generated code. All are caller-saved in every calling convention. */
enum x86_base {
    X86_BASE_WORK = 0,      /* rax: the current vector's lanes in work memory */
    X86_BASE_FRAME = 9,     /* r9: struct vm_frame */
    X86_BASE_MASKS = 8,     /* r8: the frame, advanced by the vector's bits of lane masks */
    X86_BASE_UNIFORMS = 10, /* r10 */
    X86_BASE_CONSTANTS = 2, /* rdx: the constant array, where the code indexes constants */
    X86_BASE_POOL = 16,     /* no register: constants at the start of the buffer */
};

/* Constant pool, one vector each. */
enum x86_constant {
    X86_CONST_ZERO,
    X86_CONST_SIGN_BIT, /* sign bit */
    X86_CONST_ABS_MASK, /* all bits but the sign */
    X86_CONST_ONE,
    X86_CONST_HALF,
    X86_CONST_FOUR,
    X86_CONST_FLT_MAX,     /* FLT_MAX */
    X86_CONST_FLT_MIN,     /* 2^-126 */
    X86_CONST_RSQ_FLT_MIN, /* 2^63 = 1 / sqrt(2^-126) */
    X86_CONST_ROUND_MAGIC, /* 1.5 * 2^23 */
    X86_CONST_ROUND_LIMIT, /* 2^22 */
    X86_CONST_LANE_BITS,   /* lane i: 1 << i */
    X86_CONST_COUNT
};
enum { X86_VECTOR_BYTES = 64 };

/* A vector register, or memory. */
struct x86_operand {
    bool is_mem;
    bool is_temp; /* a register without another use */
    uint8_t base; /* enum x86_base */
    int8_t reg;
    int32_t disp; /* byte offset from the base */
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

/* Comparison predicates. */
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

/* Mask registers of AVX-512: lanes without NaN so far, and two scratch registers. */
enum { X86_K_ORDERED = 1, X86_K_TEMP = 2, X86_K_TEMP2 = 3 };

struct x86_code {
    uint8_t *bytes;
    size_t n, capacity;
    bool failed; /* out of memory; further code is dropped */
    bool avx512; /* AVX-512, otherwise AVX2 */
};

/* Initialises the buffer with the constant pool. */
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

/* dst = src1 OP src2. X86_LOAD and X86_SQRT have no src1. X86_STORE stores dst to src2. */
void x86_emit(struct x86_code *code, enum x86_opcode op, int dst, int src1,
              struct x86_operand src2);
/* Rounds down to an integer. */
void x86_emit_floor(struct x86_code *code, int dst, struct x86_operand from);
/* AVX2: sets all bits or none of each lane. */
void x86_emit_compare(struct x86_code *code, enum x86_cmp predicate, int dst, int src1,
                      struct x86_operand src2);
void x86_emit_blend(struct x86_code *code, int dst, int no, struct x86_operand yes, int mask);
/* AVX2: expands a byte of lane bits in memory to lanes. */
void x86_emit_expand_mask(struct x86_code *code, int dst, struct x86_operand byte);
/* AVX2: stores the lane bits as a byte, or tests whether any is set. Clobbers r11. */
void x86_emit_store_mask(struct x86_code *code, int from, struct x86_operand byte);
void x86_emit_test(struct x86_code *code, int from);
/* AVX-512: the same with mask registers. `among`: 0, or a mask that restricts the comparison. */
void x86_emit_compare_k(struct x86_code *code, enum x86_cmp predicate, int dst, int src1,
                        struct x86_operand src2, int among);
void x86_emit_blend_k(struct x86_code *code, int dst, int no, struct x86_operand yes, int mask);
void x86_emit_zero_k(struct x86_code *code, int dst, int mask); /* zeroes lanes of the mask */
void x86_emit_load_k(struct x86_code *code, int dst, struct x86_operand word);
void x86_emit_store_k(struct x86_code *code, int from, struct x86_operand word);
void x86_emit_or_k(struct x86_code *code, int dst, int other);
void x86_emit_set_k(struct x86_code *code, int dst);
void x86_emit_test_k(struct x86_code *code, int from); /* carry: all bits are set */

/* Function frame: a vm_ir_op_fn with a loop over vectors. base_at: offset of vm_frame.base in the
 * frame. */
void x86_emit_prologue(struct x86_code *code, int32_t base_at, unsigned vectors);
void x86_emit_loop_end(struct x86_code *code, size_t loop); /* branches back to `loop` */
/* Adds to a 64-bit word of the frame and returns. */
void x86_emit_epilogue(struct x86_code *code, int32_t word_at, int32_t add);
/* Jumps whose target is set later. x86_emit_jump_unless jumps if the preceding x86_emit_test or
 * x86_emit_test_k fails. */
size_t x86_emit_jump_unless(struct x86_code *code);
size_t x86_emit_jump(struct x86_code *code);
void x86_set_jump_target(struct x86_code *code, size_t jump, size_t target);

/* Indexed constants: registers of four floats. */
void x86_emit_load_constants(struct x86_code *code,
                             int32_t disp); /* offset of their address in the frame */
/* Converts a lane to an integer in r11, scaled to a register offset. */
void x86_emit_index(struct x86_code *code, struct x86_operand lane);
/* Loads all lanes from the constants at r11 plus a byte offset. */
void x86_emit_load_indexed(struct x86_code *code, int dst, int32_t disp);
/* Broadcasts one lane to all. */
void x86_emit_broadcast(struct x86_code *code, int dst, struct x86_operand lane);
/* Jumps unless min <= lane < min + count. */
size_t x86_emit_jump_outside(struct x86_code *code, struct x86_operand lane, int32_t min,
                             int32_t count);
/* Tail-calls another vm_ir_op_fn. Its first argument is the frame's word at word_at, minus
 * `less`. */
void x86_emit_tail_call(struct x86_code *code, uintptr_t function, int32_t word_at, int32_t less);

/* Allocatable vector registers: returns their number and points to their list. */
unsigned x86_allocatable_registers(bool avx512, const uint8_t **numbers);

#endif
