/* Lane arithmetic of the shader machine: one function per micro-operation of kern.def, in the three
 * forms of enum vm_form.
 *
 * The zero rule, 0 * x = 0 (reference: numbers/zero-rule), costs nothing as a rule: a result that
 * is a number cannot come from a product that was not, so products are plain, and only vectors that
 * show a NaN are computed again with f32v_mul_zero. */
#include "util/simd_math.h"
#include "vm/code.h"
#include "vm/program.h"

#include <float.h>

#define INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

enum { GROUP = 4, MAX_SRC = 8 }; /* vectors in flight at a time; operands of the widest kernel */

/* --- Operands --------------------------------------------------------------------------------- */

struct operand {
    const char *p;
    size_t stride; /* bytes from one vector to the next, 0 for uniforms */
    int32_t and_mask, xor_mask;
};

INLINE struct operand operand(const struct vm_frame *f, uint32_t arg)
{
    return (struct operand){
        .p = f->base[arg & VM_ARG_UNIFORM] + (arg & (uint32_t)VM_ARG_OFFSET),
        .stride = arg & VM_ARG_UNIFORM ? 0 : SIMD_BYTES,
        .and_mask = arg & VM_ARG_ABS ? INT32_MAX : -1,
        .xor_mask = arg & VM_ARG_NEG ? INT32_MIN : 0,
    };
}

INLINE f32v fetch(const struct operand *s, unsigned vector, bool modified)
{
    f32v v = f32v_load((const float *)(const void *)(s->p + vector * s->stride));

    if (modified)
        v = f32v_xor_bits(f32v_and_bits(v, s->and_mask), s->xor_mask);
    return v;
}

INLINE float *result(const struct vm_frame *f, uint32_t arg)
{
    return (float *)(void *)(f->base[0] + arg);
}

/* --- Functions of up to eight operands, lane by lane ------------------------------------------ */

typedef f32v alu_fn(const f32v *s);

INLINE bool nan_among(const f32v r[GROUP])
{
    return m32v_any(m32v_or(f32v_unordered(r[0], r[1]), f32v_unordered(r[2], r[3])));
}

/* One group of an operation. careful, where given, is fast with the zero rule. */
INLINE void map_group(const struct vm_uop *op, const struct vm_frame *f, const uint32_t *arg,
                      unsigned n_src, enum vm_form form, alu_fn *fast, alu_fn *careful)
{
    float *d = result(f, arg[0]);
    struct operand in[MAX_SRC];

    UNROLL
    for (unsigned i = 0; i < n_src; i++)
        in[i] = operand(f, arg[1 + i]);
    for (unsigned v = 0; v < VM_LANES / SIMD_LANES; v += GROUP) {
        f32v s[GROUP][MAX_SRC], r[GROUP];

        UNROLL
        for (unsigned g = 0; g < GROUP; g++) {
            UNROLL
            for (unsigned i = 0; i < n_src; i++)
                s[g][i] = fetch(&in[i], v + g, form == VM_FORM_FULL);
            r[g] = fast(s[g]);
        }
        if (careful && __builtin_expect(nan_among(r), 0) && !f->ieee) {
            UNROLL
            for (unsigned g = 0; g < GROUP; g++) {
                UNROLL
                for (unsigned i = 0; i < n_src; i++)
                    s[g][i] = fetch(&in[i], v + g, form == VM_FORM_FULL);
                r[g] = careful(s[g]);
            }
        }
        UNROLL
        for (unsigned g = 0; g < GROUP; g++)
            f32v_store(d + (v + g) * SIMD_LANES,
                       form != VM_FORM_PLAIN && op->saturate ? f32v_sat(r[g]) : r[g]);
    }
}

INLINE void map(const struct vm_uop *op, struct vm_frame *f, unsigned n_src, enum vm_form form,
                alu_fn *fast, alu_fn *careful)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 1 + n_src)
        map_group(op, f, arg, n_src, form, fast, careful);
}

/* Defines the three forms of a kernel. */
#define FORMS(name, n_src, fast, careful)                                                          \
    static void name##_0(const struct vm_uop *op, struct vm_frame *f)                              \
    {                                                                                              \
        map(op, f, n_src, VM_FORM_PLAIN, fast, careful);                                           \
    }                                                                                              \
    static void name##_1(const struct vm_uop *op, struct vm_frame *f)                              \
    {                                                                                              \
        map(op, f, n_src, VM_FORM_SATURATE, fast, careful);                                        \
    }                                                                                              \
    static void name##_2(const struct vm_uop *op, struct vm_frame *f)                              \
    {                                                                                              \
        map(op, f, n_src, VM_FORM_FULL, fast, careful);                                            \
    }

/* From a function of s[0], s[1] … */
#define KERNEL(name, n_src, expression)                                                            \
    INLINE f32v name##_fast(const f32v *s)                                                         \
    {                                                                                              \
        return expression;                                                                         \
    }                                                                                              \
    FORMS(name, n_src, name##_fast, NULL)

/* From a body with products, which product() makes plain or obeying the zero rule. */
#define KERNEL_ZERO(name, n_src)                                                                   \
    INLINE f32v name##_fast(const f32v *s)                                                         \
    {                                                                                              \
        return name##_body(s, false);                                                              \
    }                                                                                              \
    INLINE f32v name##_careful(const f32v *s)                                                      \
    {                                                                                              \
        return name##_body(s, true);                                                               \
    }                                                                                              \
    FORMS(name, n_src, name##_fast, name##_careful)

INLINE f32v product(f32v a, f32v b, bool careful)
{
    return careful ? f32v_mul_zero(a, b) : f32v_mul(a, b);
}

KERNEL(MOV, 1, s[0])
KERNEL(ADD, 2, f32v_add(s[0], s[1]))
KERNEL(SUB, 2, f32v_sub(s[0], s[1]))
KERNEL(MIN, 2, f32v_min(s[0], s[1]))
KERNEL(MAX, 2, f32v_select(f32v_ge(s[0], s[1]), s[0], s[1])) /* of two zeros the first */
KERNEL(SLT, 2, f32v_where(f32v_lt(s[0], s[1]), f32v_set1(1.0f)))
KERNEL(SGE, 2, f32v_where(f32v_ge(s[0], s[1]), f32v_set1(1.0f)))
KERNEL(CMP, 3, f32v_select(f32v_ge(s[0], f32v_zero()), s[1], s[2]))
KERNEL(CND, 3, f32v_select(f32v_gt(s[0], f32v_set1(0.5f)), s[1], s[2]))
KERNEL(FRC, 1, f32v_sub(s[0], f32v_floor(s[0])))
KERNEL(FLOOR, 1, f32v_floor(s[0]))
KERNEL(RCP, 1, f32v_rcp(s[0]))
KERNEL(RSQ, 1, f32v_rsq(s[0]))
KERNEL(NRM, 1, f32v_select(f32v_eq(s[0], f32v_zero()), f32v_set1(FLT_MAX), f32v_rsq(s[0])))
KERNEL(EXP2, 1, f32v_exp2(s[0]))
KERNEL(LOG2, 1, f32v_log2(s[0]))
KERNEL(SIN, 1, f32v_sin(s[0]))
KERNEL(COS, 1, f32v_cos(s[0]))
KERNEL(POW, 2, f32v_pow(s[0], s[1]))
KERNEL(DIV, 2, f32v_div(s[0], s[1]))
KERNEL(DIV_ONE, 2, f32v_select(f32v_eq(s[1], f32v_zero()), f32v_set1(1.0f), f32v_div(s[0], s[1])))

/* The sum with 1.5 * 2^23 has no fraction bits; larger numbers are no register indices anyway. */
INLINE f32v round_even(f32v x)
{
    f32v magic = f32v_set1(12582912.0f), r = f32v_sub(f32v_add(x, magic), magic);

    return f32v_select(f32v_lt(f32v_abs(x), f32v_set1(4194304.0f)), r, x);
}
KERNEL(ROUND, 1, round_even(s[0]))

INLINE f32v sign(f32v x)
{
    f32v zero = f32v_zero(), one = f32v_set1(1.0f);

    return f32v_select(f32v_lt(x, zero), f32v_neg(one), f32v_select(f32v_eq(x, zero), zero, one));
}
KERNEL(SGN, 1, sign(s[0]))

/* logp of vs_1_1: |x| = mantissa * 2^exponent, mantissa in [1, 2). Zero gives -FLT_MAX and 1. */
INLINE f32v exponent(f32v x)
{
    i32v e = i32v_sub(i32v_srl(f32v_bits(f32v_abs(x)), 23), i32v_set1(127));
    f32v r = f32v_select(f32v_eq(x, f32v_zero()), f32v_set1(-FLT_MAX), i32v_to_f32(e));

    return f32v_select(f32v_lt(f32v_abs(x), i32v_as_f32(i32v_set1(0x7f800000))), r, f32v_abs(x));
}
KERNEL(EXPONENT, 1, exponent(s[0]))

INLINE f32v mantissa(f32v x)
{
    i32v m = i32v_or(i32v_and(f32v_bits(x), i32v_set1(0x7fffff)), i32v_set1(0x3f800000));

    return f32v_select(f32v_eq(x, f32v_zero()), f32v_set1(1.0f), i32v_as_f32(m));
}
KERNEL(MANTISSA, 1, mantissa(s[0]))

/* z of lit: y^p for x, y > 0 with p = w clamped to +-127.9961 (reference: shader/lit). */
INLINE f32v lit(const f32v *s)
{
    f32v zero = f32v_zero(), limit = f32v_set1(127.9961f);
    f32v p = f32v_max(f32v_neg(limit), f32v_min(limit, s[2]));
    m32v lit = m32v_and(f32v_gt(s[0], zero), f32v_gt(s[1], zero));

    return f32v_where(lit, f32v_pow(s[1], p));
}
KERNEL(LIT, 3, lit(s))

INLINE f32v MUL_body(const f32v *s, bool careful)
{
    return product(s[0], s[1], careful);
}
KERNEL_ZERO(MUL, 2)

INLINE f32v MAD_body(const f32v *s, bool careful)
{
    return f32v_add(product(s[0], s[1], careful), s[2]);
}
KERNEL_ZERO(MAD, 3)

INLINE f32v MSUB_body(const f32v *s, bool careful)
{
    return f32v_sub(product(s[0], s[1], careful), s[2]);
}
KERNEL_ZERO(MSUB, 3)

/* The same as -s0 * s1 + s2 to the bit; a rescued product is +0 there too. */
INLINE f32v NMAD_body(const f32v *s, bool careful)
{
    if (careful)
        return f32v_add(product(f32v_neg(s[0]), s[1], true), s[2]);
    return f32v_sub(s[2], f32v_mul(s[0], s[1]));
}
KERNEL_ZERO(NMAD, 3)

INLINE f32v LRP_body(const f32v *s, bool careful)
{
    return f32v_add(product(s[0], f32v_sub(s[1], s[2]), careful), s[2]);
}
KERNEL_ZERO(LRP, 3)

INLINE f32v CRS_body(const f32v *s, bool careful)
{
    return f32v_sub(product(s[0], s[1], careful), product(s[2], s[3], careful));
}
KERNEL_ZERO(CRS, 4)

INLINE f32v DP2ADD_body(const f32v *s, bool careful)
{
    return f32v_add(f32v_add(product(s[0], s[1], careful), product(s[2], s[3], careful)), s[4]);
}
KERNEL_ZERO(DP2ADD, 5)

INLINE f32v DP3_body(const f32v *s, bool careful)
{
    f32v sum = f32v_add(product(s[0], s[1], careful), product(s[2], s[3], careful));

    return f32v_add(sum, product(s[4], s[5], careful));
}
KERNEL_ZERO(DP3, 6)

INLINE f32v DP4_body(const f32v *s, bool careful)
{
    return f32v_add(DP3_body(s, careful), product(s[6], s[7], careful));
}
KERNEL_ZERO(DP4, 8)

/* --- Neighbours, indices ---------------------------------------------------------------------- */

/* Lanes of a quad: 0 left top, 1 right top, 2 left bottom, 3 right bottom. Plain C: four lanes know
 * each other whatever the width of a vector. */
INLINE void difference(const struct vm_uop *op, struct vm_frame *f, bool vertical)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 2) {
        struct operand in = operand(f, arg[1]);
        float *d = result(f, arg[0]);
        float staged[VM_LANES] __attribute__((aligned(64)));

        for (unsigned v = 0; v < VM_LANES / SIMD_LANES; v++)
            f32v_store(staged + v * SIMD_LANES, fetch(&in, v, true));
        for (unsigned q = 0; q < VM_LANES; q += 4) {
            const float *s = staged + q;
            float first = vertical ? s[2] - s[0] : s[1] - s[0];
            float second = vertical ? s[3] - s[1] : s[3] - s[2];

            d[q] = first;
            d[q + 1] = vertical ? second : first;
            d[q + 2] = vertical ? first : second;
            d[q + 3] = second;
        }
        for (unsigned i = 0; op->saturate && i < VM_LANES; i += SIMD_LANES)
            f32v_store(d + i, f32v_sat(f32v_load(d + i)));
    }
}

static void DSX_0(const struct vm_uop *op, struct vm_frame *f)
{
    difference(op, f, false);
}
static void DSY_0(const struct vm_uop *op, struct vm_frame *f)
{
    difference(op, f, true);
}

static void LOOP_INDEX_0(const struct vm_uop *op, struct vm_frame *f)
{
    f32v al = i32v_to_f32(i32v_set1(f->al));

    for (unsigned n = 0; n < op->n; n++)
        for (unsigned i = 0; i < VM_LANES; i += SIMD_LANES)
            f32v_store(result(f, op->arg[n]) + i, al);
}

/* The constant array read at register imm / 4 + s0, component imm % 4; out of range 0. */
static void CONST_0(const struct vm_uop *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 3) {
        struct operand in = operand(f, arg[1]);
        float *d = result(f, arg[0]);
        i32v first = i32v_set1((int32_t)(arg[2] / 4)),
             last = i32v_set1((int32_t)f->n_constants - 1);
        i32v component = i32v_set1((int32_t)(arg[2] % 4));

        for (unsigned v = 0; v < VM_LANES / SIMD_LANES; v++) {
            /* An index beyond the range of integers comes out as INT32_MIN, and so misses as it
             * should. */
            i32v reg = i32v_add(f32v_to_i32_trunc(fetch(&in, v, true)), first);
            i32v safe = i32v_max(i32v_set1(0), i32v_min(reg, last));
            f32v value = f32v_gather(f->constants, i32v_add(i32v_sll(safe, 2), component));

            f32v_store(d + v * SIMD_LANES, f32v_where(i32v_eq(reg, safe), value));
        }
    }
}

/* --- Lane masks ------------------------------------------------------------------------------- */

INLINE m32v lanes_of(uint64_t mask, unsigned vector)
{
    return m32v_from_bits((unsigned)(mask >> (vector * SIMD_LANES)) & SIMD_ALL_BITS);
}

static void SELECT_0(const struct vm_uop *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 4) {
        uint64_t mask = vm_frame_predicate(f, arg[3]);
        struct operand yes = operand(f, arg[1]), no = operand(f, arg[2]);
        float *d = result(f, arg[0]);

        for (unsigned v = 0; v < VM_LANES / SIMD_LANES; v++)
            f32v_store(d + v * SIMD_LANES,
                       f32v_select(lanes_of(mask, v), fetch(&yes, v, true), fetch(&no, v, true)));
    }
}

static void STORE_0(const struct vm_uop *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 2) {
        struct operand in = operand(f, arg[1]);
        float *d = result(f, arg[0]);

        for (unsigned v = 0; v < VM_LANES / SIMD_LANES; v++) {
            float *p = d + v * SIMD_LANES;

            f32v_store(p, f32v_select(lanes_of(f->exec, v), fetch(&in, v, true), f32v_load(p)));
        }
    }
}

INLINE m32v compared(f32v a, f32v b, uint32_t comparison)
{
    switch (comparison) {
    case VM_CMP_GT:
        return f32v_gt(a, b);
    case VM_CMP_EQ:
        return f32v_eq(a, b);
    case VM_CMP_GE:
        return f32v_ge(a, b);
    case VM_CMP_LT:
        return f32v_lt(a, b);
    case VM_CMP_NE:
        return f32v_ne(a, b);
    default:
        return f32v_le(a, b);
    }
}

INLINE uint64_t compare_lanes(const struct vm_frame *f, const uint32_t *src, uint32_t comparison)
{
    struct operand a = operand(f, src[0]), b = operand(f, src[1]);
    uint64_t mask = 0;

    for (unsigned v = 0; v < VM_LANES / SIMD_LANES; v++)
        mask |= (uint64_t)m32v_bits(compared(fetch(&a, v, true), fetch(&b, v, true), comparison))
                << (v * SIMD_LANES);
    return mask;
}

static void SETP_0(const struct vm_uop *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 4) {
        uint64_t *p = &f->predicate[arg[2]];

        *p = (compare_lanes(f, arg, arg[3]) & f->exec) | (*p & ~f->exec);
    }
}

static void COMPARE_0(const struct vm_uop *op, struct vm_frame *f)
{
    f->condition = compare_lanes(f, op->arg, op->arg[2]);
}

static void KILL_0(const struct vm_uop *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 2) {
        struct operand in = operand(f, arg[0]);
        uint64_t mask = 0;

        for (unsigned v = 0; v < VM_LANES / SIMD_LANES; v++)
            mask |= (uint64_t)m32v_bits(f32v_lt(fetch(&in, v, true), f32v_zero()))
                    << (v * SIMD_LANES);
        f->killed |= mask & f->exec & vm_frame_predicate(f, arg[1]);
    }
}

/* The slot that register imm / 4 + index, component imm % 4, has in a table, or -1. */
INLINE int slot_at(const struct vm_slot_table *table, uint32_t imm, float index)
{
    if (!(index >= -4096.0f && index <= 4096.0f))
        return -1;
    int reg = (int)(imm / 4) + (int)index;
    return reg >= 0 && reg < 32 ? table->slot[reg][imm % 4] : -1;
}

static void INPUT_0(const struct vm_uop *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 3) {
        struct operand in = operand(f, arg[1]);
        float *d = result(f, arg[0]);
        float index[VM_LANES] __attribute__((aligned(64)));

        for (unsigned v = 0; v < VM_LANES / SIMD_LANES; v++)
            f32v_store(index + v * SIMD_LANES, fetch(&in, v, true));
        for (unsigned i = 0; i < VM_LANES; i++) {
            int slot = slot_at(&f->code->input, arg[2], index[i]);

            d[i] = slot < 0 ? 0.0f : ((float *)(void *)f->base[0])[slot * VM_LANES + (int)i];
        }
    }
}

static void SCATTER_0(const struct vm_uop *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 3) {
        struct operand at = operand(f, arg[0]), in = operand(f, arg[1]);
        uint64_t mask = f->exec & vm_frame_predicate(f, arg[2] >> 16);
        float index[VM_LANES] __attribute__((aligned(64)));
        float value[VM_LANES] __attribute__((aligned(64)));
        float *outputs = (float *)(void *)(f->base[0] + f->code->outputs_at);

        for (unsigned v = 0; v < VM_LANES / SIMD_LANES; v++) {
            f32v_store(index + v * SIMD_LANES, fetch(&at, v, true));
            f32v_store(value + v * SIMD_LANES, fetch(&in, v, true));
        }
        for (unsigned i = 0; i < VM_LANES; i++) {
            int slot = slot_at(&f->code->output, arg[2] & 0xffff, index[i]);

            if (slot >= 0 && (mask >> i & 1))
                outputs[slot * VM_LANES + (int)i] = value[i];
        }
    }
}

#define SAMPLE_0 vm_exec_sample

/* Operations with one form for all. */
#define SINGLE(name) [VM_K_##name] = {name##_0, name##_0, name##_0}
#define TRIPLE(name) [VM_K_##name] = {name##_0, name##_1, name##_2}

const struct vm_kern KERN_NAME(vm_kern) = {
    .isa = KERN_STR(ISA),
    .fn =
        {
            /* clang-format off */
            TRIPLE(MOV),   TRIPLE(ADD),   TRIPLE(SUB),        TRIPLE(MUL),      TRIPLE(MAD),
            TRIPLE(MSUB),  TRIPLE(NMAD),  TRIPLE(LRP),        TRIPLE(MIN),      TRIPLE(MAX),
            TRIPLE(SLT),   TRIPLE(SGE),   TRIPLE(CMP),        TRIPLE(CND),      TRIPLE(SGN),
            TRIPLE(FRC),   TRIPLE(FLOOR), TRIPLE(ROUND),      TRIPLE(RCP),      TRIPLE(RSQ),
            TRIPLE(NRM),   TRIPLE(EXP2),  TRIPLE(LOG2),       TRIPLE(EXPONENT), TRIPLE(MANTISSA),
            TRIPLE(SIN),   TRIPLE(COS),   TRIPLE(POW),        TRIPLE(LIT),      TRIPLE(DIV),
            TRIPLE(DIV_ONE), TRIPLE(CRS), TRIPLE(DP2ADD),     TRIPLE(DP3),      TRIPLE(DP4),
            SINGLE(DSX),   SINGLE(DSY),   SINGLE(LOOP_INDEX), SINGLE(CONST),    SINGLE(INPUT),
            SINGLE(SELECT), SINGLE(STORE), SINGLE(SCATTER),   SINGLE(SETP),     SINGLE(COMPARE),
            SINGLE(KILL),  SINGLE(SAMPLE),
            /* clang-format on */
        },
};
