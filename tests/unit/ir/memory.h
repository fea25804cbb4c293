/* Memory of a test function: inputs, uniforms, a table for gathers, and outputs.
 *
 * base 0: inputs, base 1: uniforms, base 2: table, base 3: outputs that are floats, base 4: other
 * outputs, base 5: hoisted values. */
#ifndef TESTS_IR_MEMORY_H
#define TESTS_IR_MEMORY_H

#include "ir/ir.h"

#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { INPUTS, UNIFORMS, TABLE, FLOATS, WORDS, HOISTED };
enum { MEMORY_CONSTANT = 1u << UNIFORMS | 1u << TABLE };
enum { MEMORY_ROWS = 16 }; /* arrays of 64 lanes */

struct memory {
    uint32_t input[MEMORY_ROWS][IR_LANES];
    uint32_t uniform[MEMORY_ROWS];
    uint32_t table[IR_LANES];
    uint32_t floats[MEMORY_ROWS][IR_LANES];
    uint32_t words[MEMORY_ROWS][IR_LANES];
    uint32_t hoisted[4096];
} __attribute__((aligned(64)));

static inline uint32_t memory_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 32);
}

/* Random floats, special values among them. */
static inline uint32_t memory_float(uint64_t *seed)
{
    static const uint32_t special[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                       0xff800000, 0x7fc00000, 0x00000001, 0x7f7fffff, 0x00800000};
    uint32_t r = memory_random(seed);
    float x = (float)(int32_t)memory_random(seed) * 0x1p-28f;
    uint32_t bits;

    memcpy(&bits, &x, sizeof(bits));
    return r % 8 ? bits : special[r / 8 % (sizeof(special) / sizeof(special[0]))];
}

static inline void memory_fill(struct memory *memory, uint64_t seed)
{
    uint32_t *word = (uint32_t *)(void *)memory;

    memset(memory, 0, sizeof(*memory));
    for (size_t i = 0;
         i <
         (sizeof(memory->input) + sizeof(memory->uniform) + sizeof(memory->table)) / sizeof(*word);
         i++)
        word[i] = memory_float(&seed);
}

/* A function that is called changes a row of inputs. With MEMORY_AGAIN it may be called again: its
 * result does not depend on what the row was. It forgets the processor's exceptions. */
enum { MEMORY_AGAIN = 64 };
static inline void memory_call(void *ctx, uint32_t function)
{
    struct memory *memory = ctx;
    uint32_t *row = memory->input[function % MEMORY_ROWS];

    if (function & MEMORY_AGAIN) {
        memcpy(row, memory->words[function % MEMORY_ROWS], sizeof(memory->words[0]));
        feclearexcept(FE_ALL_EXCEPT);
        return;
    }
    for (unsigned lane = 0; lane < IR_LANES; lane++)
        row[lane] = (row[lane] ^ memory->words[function % MEMORY_ROWS][lane]) * 5 + function;
}

static inline struct ir_args memory_args(struct memory *memory)
{
    return (struct ir_args){.base = {memory->input, memory->uniform, memory->table, memory->floats,
                                     memory->words, memory->hoisted},
                            .call = memory_call,
                            .call_ctx = memory};
}

/* True for equal floats. NaNs are equal, and denormals are zeros. */
static inline bool memory_same_float(uint32_t a, uint32_t b)
{
    bool a_is_nan = (a & 0x7fffffff) > 0x7f800000, b_is_nan = (b & 0x7fffffff) > 0x7f800000;

    a &= a & 0x7f800000 ? UINT32_MAX : 0x80000000;
    b &= b & 0x7f800000 ? UINT32_MAX : 0x80000000;
    return (a_is_nan && b_is_nan) || a == b;
}

/* True if the outputs are equal. */
static inline bool memory_same(const struct memory *a, const struct memory *b)
{
    for (unsigned row = 0; row < MEMORY_ROWS; row++)
        for (unsigned lane = 0; lane < IR_LANES; lane++)
            if (!memory_same_float(a->floats[row][lane], b->floats[row][lane]) ||
                a->words[row][lane] != b->words[row][lane])
                return false;
    return true;
}

#endif
