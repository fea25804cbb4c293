/* Instruction encoder for AArch64: appends machine code to a buffer. forms.def has the
 * instructions.
 *
 * Constants lie in a pool of vectors behind the code, which code addresses relative to itself.
 *
 * Memory shortage sets `failed`, a jump or constant out of reach sets `too_long`; further code is
 * dropped or wrong. */
#ifndef IR_ARM64_ENCODE_H
#define IR_ARM64_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum arm64_form {
#define ARM64_FORM(id, ...) ARM64_##id,
#include "ir/arm64/forms.def"
#undef ARM64_FORM
    ARM64_FORM_COUNT
};

enum { ARM64_LANES = 4, ARM64_VECTOR_BYTES = 16 };

/* A vector of constants. */
struct arm64_vector {
    uint32_t word[ARM64_LANES];
};

/* A load of a constant. */
struct arm64_pool_use {
    size_t at;      /* of the instruction */
    uint32_t index; /* of the vector */
};

struct arm64_code {
    bool failed, too_long;
    uint8_t *bytes;
    size_t n, capacity;

    struct arm64_vector *pool;
    size_t n_pool, pool_capacity;
    uint32_t *pool_slot; /* hash table: 1 + index in the pool; 0: free */
    uint32_t n_pool_slots;

    struct arm64_pool_use *use;
    size_t n_uses, use_capacity;
};

void ir_arm64_code_init(struct arm64_code *code);
void ir_arm64_code_fini(struct arm64_code *code);

/* Registers and an immediate: those that the form's text names, otherwise 0. */
void ir_arm64_emit(struct arm64_code *code, enum arm64_form form, unsigned d, unsigned n,
                   unsigned m, int64_t imm);
/* The instruction as a word. *reaches: the immediate fits. */
uint32_t ir_arm64_encode(enum arm64_form form, unsigned d, unsigned n, unsigned m, int64_t imm,
                         bool *reaches);

/* Drops the code behind a position. */
void ir_arm64_rewind(struct arm64_code *code, size_t position);

/* Jumps forward: the number for ir_arm64_land, which makes the present end the target, is the
 * present end before a jump with immediate 0. */
void ir_arm64_land(struct arm64_code *code, size_t jump);
/* A jump to an earlier end. */
void ir_arm64_jump_back(struct arm64_code *code, enum arm64_form form, unsigned d, size_t target);

/* Loads a constant, the same in all lanes: by one instruction. */
void ir_arm64_constant(struct arm64_code *code, unsigned d, uint32_t bits);
void ir_arm64_vector(struct arm64_code *code, unsigned d, const struct arm64_vector *vector);

/* Appends the pool. Code must be at an address that is a multiple of 16. */
void ir_arm64_finish(struct arm64_code *code);

#endif
