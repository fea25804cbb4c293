/* Kernels of READ and WRITE operations: memory at a base. */
#include "ir/kern/place_kern.h"

/* Memory at the base plus imm bytes. Offsets of lanes are signed. */
SIMD_INLINE char *memory(const struct ir_step *step, const struct ir_frame *f)
{
    return f->area[IR_AREA_BASE + step->base] + step->imm;
}

SIMD_INLINE void store_uniform(const struct ir_step *step, const struct ir_frame *f, const char *from)
{
    struct result d = {place_words(f, step->d), 0};
    int32_t word;

    memcpy(&word, from, sizeof(word));
    UNROLL
    for (size_t vector = 0; vector < UNIFORM_VECTORS; vector++)
        store_I(&d, vector, i32v_set1(word));
}

static IR_STEP_ABI next_step UNIFORM(const struct ir_step *step, const struct ir_frame *f)
{
    store_uniform(step, f, memory(step, f));
    IR_NEXT_STEP(step, f);
}

static IR_STEP_ABI next_step LOAD_AT(const struct ir_step *step, const struct ir_frame *f)
{
    store_uniform(step, f, memory(step, f) + *place_words(f, step->arg[0]));
    IR_NEXT_STEP(step, f);
}

static IR_STEP_ABI next_step LOAD(const struct ir_step *step, const struct ir_frame *f)
{
    const int32_t *from = (const int32_t *)(const void *)memory(step, f);
    struct result d = {place_words(f, step->d), 0};

    for (size_t vector = 0; vector < VECTORS; vector++)
        store_I(&d, vector, i32v_loadu(from + vector * SIMD_LANES));
    IR_NEXT_STEP(step, f);
}

static IR_STEP_ABI next_step STORE(const struct ir_step *step, const struct ir_frame *f)
{
    const struct operand a = operand_I(f, step->arg[0]);
    int32_t *to = (int32_t *)(void *)memory(step, f);

    for (size_t vector = 0; vector < VECTORS; vector++)
        i32v_storeu(to + vector * SIMD_LANES, load_I(&a, vector));
    IR_NEXT_STEP(step, f);
}

static IR_STEP_ABI next_step MLOAD(const struct ir_step *step, const struct ir_frame *f)
{
    memcpy(place_mask(f, step->d), memory(step, f), IR_MASK_BYTES);
    IR_NEXT_STEP(step, f);
}

static IR_STEP_ABI next_step MSTORE(const struct ir_step *step, const struct ir_frame *f)
{
    memcpy(memory(step, f), place_mask(f, step->arg[0]), IR_MASK_BYTES);
    IR_NEXT_STEP(step, f);
}

/* The words of an operand, lane by lane. */
struct lane_words {
    const int32_t *words;
    unsigned all; /* mask of lane numbers: 0 for a uniform */
};

SIMD_INLINE struct lane_words lane_words(const struct ir_frame *f, ir_place place)
{
    return (struct lane_words){place_words(f, place), place & IR_PLACE_UNIFORM ? 0 : IR_LANES - 1};
}

static IR_STEP_ABI next_step GATHER(const struct ir_step *step, const struct ir_frame *f)
{
    const struct lane_words at = lane_words(f, step->arg[0]);
    const char *from = memory(step, f);
    uint64_t mask = *place_mask(f, step->arg[1]);
    struct result d = {place_words(f, step->d), 0};
    int32_t word[IR_LANES] __attribute__((aligned(64))); /* d may be the place of the offsets */

    if (mask == ~UINT64_C(0)) {
        for (unsigned lane = 0; lane < IR_LANES; lane++)
            memcpy(&word[lane], from + at.words[lane & at.all], sizeof(*word));
    } else {
        memset(word, 0, sizeof(word));
        for (; mask; mask &= mask - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(mask);

            memcpy(&word[lane], from + at.words[lane & at.all], sizeof(*word));
        }
    }
    for (size_t vector = 0; vector < VECTORS; vector++)
        store_I(&d, vector, i32v_load(word + vector * SIMD_LANES));
    IR_NEXT_STEP(step, f);
}

static IR_STEP_ABI next_step USTORE(const struct ir_step *step, const struct ir_frame *f)
{
    memcpy(memory(step, f), place_words(f, step->arg[0]), sizeof(int32_t));
    IR_NEXT_STEP(step, f);
}

static IR_STEP_ABI next_step SCATTER(const struct ir_step *step, const struct ir_frame *f)
{
    const struct lane_words at = lane_words(f, step->arg[0]), value = lane_words(f, step->arg[1]);
    char *to = memory(step, f);

    for (uint64_t mask = *place_mask(f, step->arg[2]); mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(mask);

        memcpy(to + at.words[lane & at.all], &value.words[lane & value.all], sizeof(*value.words));
    }
    IR_NEXT_STEP(step, f);
}

#define TABLE_PURE(name)
#define TABLE_COMMUTES(name)
#define TABLE_READ(name) [IR_##name] = name,
#define TABLE_WRITE(name) [IR_##name] = name,
#define TABLE_FLOW(name)
#define TABLE_CALL(name)

const struct ir_memory_kern KERN_NAME(ir_memory_kern) = {
    .fn =
        {
#define IR_OP(name, d, a, b, c, op_class, ...) TABLE_##op_class(name)
#include "ir/ops.def"
#undef IR_OP
        },
};
