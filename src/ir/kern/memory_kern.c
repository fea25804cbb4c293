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

static IR_STEP_ABI next_step USTORE(const struct ir_step *step, const struct ir_frame *f)
{
    memcpy(memory(step, f), place_words(f, step->arg[0]), sizeof(int32_t));
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

/* Lanes that the mask leaves out load what the first of the others loads. */
static IR_STEP_ABI next_step GATHER(const struct ir_step *step, const struct ir_frame *f)
{
    const struct operand at = operand_I(f, step->arg[0]), lanes = operand_M(f, step->arg[1]);
    const unsigned first = lanes.mask ? (unsigned)__builtin_ctzll(lanes.mask) : 0;
    const i32v first_at = i32v_set1(word_of(f, step->arg[0], first)), zero = i32v_set1(0);
    struct result d = {place_words(f, step->d), 0};
    int32_t from[IR_LANES] __attribute__((aligned(64)));

    for (size_t vector = 0; lanes.mask && vector < VECTORS; vector++)
        i32v_store(from + vector * SIMD_LANES, i32v_select(load_M(&lanes, vector), load_I(&at, vector), first_at));
    for (size_t vector = 0; vector < VECTORS; vector++) {
        i32v word = lanes.mask ? i32v_load_words_at(memory(step, f), from + vector * SIMD_LANES) : zero;

        store_I(&d, vector, i32v_select(load_M(&lanes, vector), word, zero));
    }
    IR_NEXT_STEP(step, f);
}

static IR_STEP_ABI next_step SCATTER(const struct ir_step *step, const struct ir_frame *f)
{
    char *to = memory(step, f);

    for (uint64_t mask = *place_mask(f, step->arg[2]); mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(mask);
        int32_t value = word_of(f, step->arg[1], lane);

        memcpy(to + word_of(f, step->arg[0], lane), &value, sizeof(value));
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
