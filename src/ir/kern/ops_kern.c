/* Kernels of PURE and COMMUTES operations, generated from the formulas of ops.def. By hand are those that work on whole
 * masks, those that cross lanes (their formula is NONE), and moves. */
#include "ir/kern/place_kern.h"
#include "util/simd/half.h"
#include "util/simd/math.h"
#include "util/simd/quads.h"

/* Vectors whose loads, arithmetic and stores the compiler may interleave. */
enum { CHUNK = 4 };

/* A field of unsigned normalised bits: see UNORM in ops.def. */
SIMD_INLINE f32v unorm_of(i32v word, uint32_t imm)
{
    const int32_t max = (2 << (imm >> 5)) - 1;

    return f32v_div_codes(i32v_to_f32(i32v_and(i32v_srl(word, imm & 31), i32v_set1(max))),
                          (float)max);
}

/* --- Lane by lane ----------------------------------------------------------------------------------------------- */

/* Defines name_run and name_lanes. */
#define LANES_KERNEL(name, d_type, a_type, b_type, c_type, formula)                                                    \
    SIMD_INLINE void name##_run(const struct ir_step *step, const struct ir_frame *f, size_t vectors)                  \
    {                                                                                                                  \
        const struct operand at_a = operand_##a_type(f, step->arg[0]), at_b = operand_##b_type(f, step->arg[1]),       \
                             at_c = operand_##c_type(f, step->arg[2]);                                                 \
        const uint32_t imm = step->imm;                                                                                \
        const size_t chunk = vectors < CHUNK ? vectors : CHUNK;                                                        \
        struct result d = {place_words(f, step->d), 0};                                                                \
                                                                                                                       \
        (void)imm;                                                                                                     \
        for (size_t first = 0; first < vectors; first += chunk) {                                                      \
            UNROLL                                                                                                     \
            for (size_t i = 0; i < chunk; i++) {                                                                       \
                const size_t vector = first + i;                                                                       \
                const vector_##a_type a = load_##a_type(&at_a, vector);                                                \
                const vector_##b_type b = load_##b_type(&at_b, vector);                                                \
                const vector_##c_type c = load_##c_type(&at_c, vector);                                                \
                                                                                                                       \
                (void)a, (void)b, (void)c;                                                                             \
                store_##d_type(&d, vector, formula);                                                                   \
            }                                                                                                          \
        }                                                                                                              \
        finish_##d_type(&d);                                                                                           \
    }                                                                                                                  \
    static IR_STEP_ABI next_step name##_lanes(const struct ir_step *step, const struct ir_frame *f)                    \
    {                                                                                                                  \
        name##_run(step, f, VECTORS);                                                                                  \
        IR_NEXT_STEP(step, f);                                                                                         \
    }

/* And name_uniform. */
#define KERNEL(name, d_type, a_type, b_type, c_type, formula)                                                          \
    LANES_KERNEL(name, d_type, a_type, b_type, c_type, formula)                                                        \
    UNIFORM_##d_type(name)

/* Words have a kernel for uniforms, masks have none. */
#define UNIFORM_F(name)                                                                                                \
    static IR_STEP_ABI next_step name##_uniform(const struct ir_step *step, const struct ir_frame *f)                  \
    {                                                                                                                  \
        name##_run(step, f, UNIFORM_VECTORS);                                                                          \
        IR_NEXT_STEP(step, f);                                                                                         \
    }
#define UNIFORM_I(name) UNIFORM_F(name)
#define UNIFORM_M(name)

/* --- Whole masks ------------------------------------------------------------------------------------------------ */

#define MASK_KERNEL(name, formula)                                                                                     \
    static IR_STEP_ABI next_step name##_lanes(const struct ir_step *step, const struct ir_frame *f)                    \
    {                                                                                                                  \
        const uint64_t a = *place_mask(f, step->arg[0]), b = *place_mask(f, step->arg[1]);                             \
                                                                                                                       \
        (void)b;                                                                                                       \
        *place_mask(f, step->d) = (formula);                                                                           \
        IR_NEXT_STEP(step, f);                                                                                         \
    }

MASK_KERNEL(MAND, (a & b))
MASK_KERNEL(MOR, a | b)
MASK_KERNEL(MANDNOT, a & ~b)
MASK_KERNEL(MNOT, ~a)
MASK_KERNEL(move_mask, a)

/* --- Across lanes ----------------------------------------------------------------------------------------------- */

static IR_STEP_ABI next_step QUAD_lanes(const struct ir_step *step, const struct ir_frame *f)
{
    const struct operand a = operand_I(f, step->arg[0]);
    struct result d = {place_words(f, step->d), 0};

#if SIMD_LANES >= 8
    const i32v from = i32v_quad_order(step->imm);

    UNROLL
    for (size_t vector = 0; vector < VECTORS; vector++)
        store_I(&d, vector, i32v_permute_quads(load_I(&a, vector), from));
#else
    /* A vector may have fewer lanes than a quad. */
    for (size_t quad = 0; quad < IR_LANES; quad += 4) {
        int32_t in[4];

        memcpy(in, a.words + (a.stride ? quad * sizeof(*in) : 0), sizeof(in));
        for (size_t i = 0; i < 4; i++)
            d.words[quad + i] = in[step->imm >> 2 * i & 3];
    }
#endif
    IR_NEXT_STEP(step, f);
}

/* The interpreter's vector has 64 lanes: lane 0 for all. */
static IR_STEP_ABI next_step FIRST_lanes(const struct ir_step *step, const struct ir_frame *f)
{
    const i32v first = i32v_set1(*place_words(f, step->arg[0]));
    struct result d = {place_words(f, step->d), 0};

    UNROLL
    for (size_t vector = 0; vector < VECTORS; vector++)
        store_I(&d, vector, first);
    IR_NEXT_STEP(step, f);
}

static IR_STEP_ABI next_step FIRST_uniform(const struct ir_step *step, const struct ir_frame *f)
{
    const i32v first = i32v_set1(*place_words(f, step->arg[0]));
    struct result d = {place_words(f, step->d), 0};

    UNROLL
    for (size_t vector = 0; vector < UNIFORM_VECTORS; vector++)
        store_I(&d, vector, first);
    IR_NEXT_STEP(step, f);
}

KERNEL(move, I, I, _, _, a)
/* All words of a uniform are equal, so no lane changes. */
#define QUAD_uniform move_uniform

/* --- Generated kernels and the table ---------------------------------------------------------------------------- */

/* Kernels are by hand if the formula starts with one of these words: PROBE_<word> then yields SKIP as its second part,
 * which PICK returns instead of KERNEL. */
#define PROBE_NONE ~, SKIP
#define PROBE_m32v_and(...) ~, SKIP
#define PROBE_m32v_or(...) ~, SKIP
#define PROBE_m32v_not(...) ~, SKIP
#define SKIP(...)
#define SECOND(first, second, ...) second
#define PICK(...) SECOND(__VA_ARGS__)

#define GENERATE_PURE(name, d, a, b, c, formula, ...) PICK(__VA_ARGS__, KERNEL, ~)(name, d, a, b, c, formula)
#define GENERATE_COMMUTES(...) GENERATE_PURE(__VA_ARGS__)
#define GENERATE_READ(...)
#define GENERATE_WRITE(...)
#define GENERATE_FLOW(...)
#define GENERATE_CALL(...)

/* The word is joined here, before functions that are macros become other words. */
#define IR_OP(name, d, a, b, c, op_class, nan, formula)                                                                 \
    GENERATE_##op_class(name, d, a, b, c, formula, PROBE_##formula)
#include "ir/ops.def"
#undef IR_OP

#define IR_FUSED(first, second, k, d, a, b, c, formula) LANES_KERNEL(first##_##second##_##k, d, a, b, c, formula)
#include "ir/kern/fused.def"
#undef IR_FUSED

#define LANES_PURE(name) [IR_##name] = name##_lanes,
#define LANES_COMMUTES(name) LANES_PURE(name)
#define LANES_READ(name)
#define LANES_WRITE(name)
#define LANES_FLOW(name)
#define LANES_CALL(name)

#define UNIFORMS_PURE(name, d) UNIFORMS_##d(name)
#define UNIFORMS_COMMUTES(name, d) UNIFORMS_##d(name)
#define UNIFORMS_READ(name, d)
#define UNIFORMS_WRITE(name, d)
#define UNIFORMS_FLOW(name, d)
#define UNIFORMS_CALL(name, d)
#define UNIFORMS_F(name) [IR_##name] = name##_uniform,
#define UNIFORMS_I(name) [IR_##name] = name##_uniform,
#define UNIFORMS_M(name)

const struct ir_kern KERN_NAME(ir_kern) = {
    .isa = KERN_STR(ISA),
    .lanes =
        {
#define IR_OP(name, d, a, b, c, op_class, nan, formula) LANES_##op_class(name)
#include "ir/ops.def"
#undef IR_OP
        },
    .uniform =
        {
#define IR_OP(name, d, a, b, c, op_class, nan, formula) UNIFORMS_##op_class(name, d)
#include "ir/ops.def"
#undef IR_OP
        },
    .fused =
        {
#define IR_FUSED(first, second, k, ...) [IR_FUSED_##first##_##second##_##k] = first##_##second##_##k##_lanes,
#include "ir/kern/fused.def"
#undef IR_FUSED
        },
    .move_lanes = move_lanes,
    .move_uniform = move_uniform,
    .move_mask = move_mask_lanes,
};
