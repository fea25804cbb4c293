/* Instructions of x86-64 for vectors of floats, AVX2 or AVX-512, put one after another into a
 * buffer. Private to vm/jit*.c. */
#ifndef VM_JIT_ENCODE_X86_H
#define VM_JIT_ENCODE_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* General registers that no calling convention keeps, for what a run of code needs to know. */
enum jit_base {
    JIT_WORK = 0,      /* rax: the vector's lanes in the work memory */
    JIT_FRAME = 9,     /* r9: struct vm_frame */
    JIT_MASKS = 8,     /* r8: the frame, moved on by the vector's bits of lane masks */
    JIT_UNIFORMS = 10, /* r10 */
    JIT_CONSTANTS = 2, /* rdx: those that are indexed, where the run reads them */
    JIT_POOL = 16,     /* no register: constants at the buffer's beginning */
};

/* Constants, a vector each. */
enum jit_constant {
    JIT_ZERO,
    JIT_SIGN,      /* bits */
    JIT_MAGNITUDE, /* all but those */
    JIT_ONE,
    JIT_HALF,
    JIT_FOUR,
    JIT_LARGEST,       /* FLT_MAX */
    JIT_LEAST_NORMAL,  /* 2^-126 */
    JIT_ROOT_OF_LEAST, /* 2^63, what 1 / sqrt of that is */
    JIT_ROUNDER,       /* 1.5 * 2^23 */
    JIT_SMALL,         /* 2^22 */
    JIT_LANE_BITS,     /* lane i: 1 << i */
    JIT_CONSTANT_COUNT
};
enum { JIT_VECTOR_BYTES = 64 };

/* A vector register, or memory. */
struct jit_ref {
    bool memory;
    bool temporary; /* a register that nobody else reads */
    uint8_t base;   /* enum jit_base */
    int8_t reg;
    int32_t at; /* bytes from the base on */
};

enum jit_instruction {
    JIT_LOAD,
    JIT_STORE,
    JIT_ADD,
    JIT_MUL,
    JIT_SUB,
    JIT_MIN,
    JIT_DIV,
    JIT_MAX,
    JIT_SQRT,
    JIT_AND,
    JIT_ANDNOT, /* ~second & third */
    JIT_OR,
    JIT_XOR,
    JIT_INSTRUCTION_COUNT
};

/* Predicates of comparisons. */
enum jit_predicate {
    JIT_EQ = 0x00,
    JIT_UNORDERED = 0x03,
    JIT_NE = 0x04,
    JIT_ORDERED = 0x07,
    JIT_LT = 0x11,
    JIT_LE = 0x12,
    JIT_GE = 0x1d,
    JIT_GT = 0x1e
};

/* Mask registers of AVX-512: lanes that were numbers so far, and two to work with. */
enum { JIT_K_ORDERED = 1, JIT_K = 2, JIT_K_OTHER = 3 };

struct jit_code {
    uint8_t *bytes;
    size_t n, room;
    bool failed; /* there was no memory; what is put is lost */
    bool avx512; /* AVX-512, else AVX2 */
};

/* An empty buffer with the constants. */
void jit_begin(struct jit_code *code, bool avx512);
void jit_free(struct jit_code *code);

static inline struct jit_ref jit_memory(enum jit_base base, int32_t at)
{
    return (struct jit_ref){.memory = true, .base = (uint8_t)base, .at = at};
}

static inline struct jit_ref jit_constant(enum jit_constant constant)
{
    return jit_memory(JIT_POOL, constant * JIT_VECTOR_BYTES);
}

static inline struct jit_ref jit_register(int reg)
{
    return (struct jit_ref){.reg = (int8_t)reg};
}

/* to = second OP third; of JIT_LOAD and JIT_SQRT there is no second, and JIT_STORE puts `to` into
 * the third. */
void jit_put(struct jit_code *code, enum jit_instruction op, int to, int second,
             struct jit_ref third);
/* Largest whole number that is not above. */
void jit_put_floor(struct jit_code *code, int to, struct jit_ref from);
/* AVX2: lanes of all bits or none. */
void jit_put_compare(struct jit_code *code, enum jit_predicate predicate, int to, int second,
                     struct jit_ref third);
void jit_put_blend(struct jit_code *code, int to, int no, struct jit_ref yes, int mask);
/* AVX2: a byte of lane bits in memory becomes lanes. */
void jit_put_lanes(struct jit_code *code, int to, struct jit_ref byte);
/* AVX2: the bits of lanes to a byte in memory; or a look at whether any is set. r11 is lost. */
void jit_put_lane_bits(struct jit_code *code, int from, struct jit_ref byte);
void jit_put_test(struct jit_code *code, int from);
/* AVX-512: the same with mask registers. `among`: 0, or a mask whose lanes alone count. */
void jit_put_compare_k(struct jit_code *code, enum jit_predicate predicate, int to, int second,
                       struct jit_ref third, int among);
void jit_put_blend_k(struct jit_code *code, int to, int no, struct jit_ref yes, int mask);
void jit_put_zero_k(struct jit_code *code, int to, int mask); /* where the mask says so */
void jit_put_load_k(struct jit_code *code, int to, struct jit_ref word);
void jit_put_store_k(struct jit_code *code, int from, struct jit_ref word);
void jit_put_or_k(struct jit_code *code, int to, int other);
void jit_put_all_k(struct jit_code *code, int to);
void jit_put_test_k(struct jit_code *code, int from); /* carry: all bits are set */

/* The code around: it is a vm_ir_op_fn, and a loop over vectors. base_at: where in the frame the
 * two base addresses lie. */
void jit_put_entry(struct jit_code *code, int32_t base_at, unsigned vectors);
void jit_put_next_vector(struct jit_code *code, size_t loop); /* back to `loop`, or on */
/* Adds to a word of 64 bits of the frame and returns. */
void jit_put_exit(struct jit_code *code, int32_t word_at, int32_t add);
/* Jumps whose goal is set later: if all is well (see jit_put_test, jit_put_test_k) it does not
 * jump. */
size_t jit_put_jump_unless(struct jit_code *code);
size_t jit_put_jump(struct jit_code *code);
void jit_set_goal(struct jit_code *code, size_t jump, size_t goal);

/* Indexed constants, a register of four floats each. */
void jit_put_constants(struct jit_code *code, int32_t at); /* where the frame has their address */
/* A lane as a whole number to r11, as an offset of registers. */
void jit_put_index(struct jit_code *code, struct jit_ref lane);
/* All lanes from the constants, with that offset and one of bytes. */
void jit_put_indexed(struct jit_code *code, int to, int32_t at);
/* One lane to all. */
void jit_put_spread(struct jit_code *code, int to, struct jit_ref lane);
/* Jumps unless least <= lane < least + count. */
size_t jit_put_jump_outside(struct jit_code *code, struct jit_ref lane, int32_t least,
                            int32_t count);
/* Goes to another function of the kind, with the frame's word as its first argument, less `less`.
 */
void jit_put_other(struct jit_code *code, uintptr_t function, int32_t word_at, int32_t less);

/* Vector registers that may be used: how many, and which. */
unsigned jit_registers(bool avx512, const uint8_t **numbers);

#endif
