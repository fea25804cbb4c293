/* SIMD kernels of lane-wise IR instructions, whose result lanes depend on the same lanes of their
 * operands, in the operand modes that the column `kernel` of ir/ops.def names.
 *
 * Zero rule, 0 * x = 0 (reference: numbers/zero-rule): products are plain, because a result that is
 * not NaN cannot come from a NaN product. Only chunks that contain a NaN are recomputed with
 * f32v_mul_zero. */
#include "util/simd/math.h"
#include "vm/run/operand_kern.h"

#include <float.h>

/* CHUNK: vectors processed together. MAX_SRC: operands of the widest kernel. */
enum { CHUNK = VECTORS < 8 ? VECTORS : 8, MAX_SRC = 8 };

/* --- Kernels with up to eight operands, lane by lane ------------------------------------------ */

/* exact_mul0: products obey the zero rule. */
typedef f32v alu_fn(const f32v *s, bool exact_mul0);
typedef VM_SYSV_ABI void mul0_fixup_fn(const struct vm_ir_op *op, const struct vm_frame *f,
                                       const uint32_t *arg, unsigned first);

INLINE bool any_nan(const f32v r[CHUNK])
{
    m32v nan = f32v_unordered(r[0], r[CHUNK - 1]);

    UNROLL
    for (unsigned g = 1; g + 1 < CHUNK; g += 2)
        nan = m32v_or(nan, f32v_unordered(r[g], r[g + 1]));
    return m32v_any(nan);
}

INLINE void store_chunk(float *d, unsigned first, const f32v r[CHUNK], bool saturate)
{
    UNROLL
    for (unsigned g = 0; g < CHUNK; g++)
        f32v_store(d + (first + g) * SIMD_LANES, saturate ? f32v_sat(r[g]) : r[g]);
}

INLINE void operands(const struct vm_frame *f, const uint32_t *arg, unsigned n_src,
                     struct operand in[MAX_SRC])
{
    UNROLL
    for (unsigned i = 0; i < n_src; i++)
        in[i] = operand(f, arg[1 + i]);
}

/* Computes a chunk of an instance with operands of any kind; the first `modified` may have
 * modifiers. */
INLINE void compute_any(const struct operand in[MAX_SRC], unsigned first, unsigned n_src,
                        unsigned modified, alu_fn *body, bool exact_mul0, f32v r[CHUNK])
{
    UNROLL
    for (unsigned g = 0; g < CHUNK; g++) {
        f32v s[MAX_SRC];

        UNROLL
        for (unsigned i = 0; i < n_src; i++)
            s[i] = i < modified ? load_operand(&in[i], first + g) : load_plain(&in[i], first + g);
        r[g] = body(s, exact_mul0);
    }
}

/* Recomputes a chunk that contains a NaN. */
INLINE void recompute(const struct vm_ir_op *op, const struct vm_frame *f, const uint32_t *arg,
                      unsigned first, unsigned n_src, alu_fn *body, bool exact_mul0)
{
    struct operand in[MAX_SRC];
    f32v r[CHUNK];

    operands(f, arg, n_src, in);
    compute_any(in, first, n_src, n_src, body, exact_mul0, r);
    store_chunk(lane_array(f, arg[0]), first, r, op->saturate);
}

/* Operand modes ANY and FIRST. */
INLINE void map_any(const struct vm_ir_op *op, struct vm_frame *f, unsigned n_src,
                    unsigned modified, alu_fn *body, mul0_fixup_fn *mul0_fixup)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 1 + n_src) {
        struct operand in[MAX_SRC];

        operands(f, arg, n_src, in);
        for (unsigned v = 0; v < VECTORS; v += CHUNK) {
            f32v r[CHUNK];

            compute_any(in, v, n_src, modified, body, false, r);
            if (mul0_fixup && __builtin_expect(any_nan(r), 0))
                mul0_fixup(op, f, arg, v);
            else
                store_chunk(lane_array(f, arg[0]), v, r, op->saturate);
        }
    }
}

/* Computes SIMD_SEVERAL vectors at a time. s: operands; the results replace s[0]. */
typedef void several_fn(f32v s[MAX_SRC][SIMD_SEVERAL]);

INLINE void map_several(const struct vm_ir_op *op, struct vm_frame *f, unsigned n_src,
                        several_fn *body)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 1 + n_src) {
        struct operand in[MAX_SRC];
        float *d = lane_array(f, arg[0]);

        operands(f, arg, n_src, in);
        for (unsigned v = 0; v < VECTORS; v += SIMD_SEVERAL) {
            f32v s[MAX_SRC][SIMD_SEVERAL];

            UNROLL
            for (unsigned i = 0; i < n_src; i++) {
                UNROLL
                for (unsigned g = 0; g < SIMD_SEVERAL; g++)
                    s[i][g] = load_operand(&in[i], v + g);
            }
            body(s);
            UNROLL
            for (unsigned g = 0; g < SIMD_SEVERAL; g++)
                f32v_store(d + (v + g) * SIMD_LANES, op->saturate ? f32v_sat(s[0][g]) : s[0][g]);
        }
    }
}

/* Plain operand modes; `uniforms` is the set of operand classes that are uniforms. Everything but
 * op and f is a compile-time constant. */
INLINE void map(const struct vm_ir_op *op, struct vm_frame *f, unsigned n_src, unsigned uniforms,
                bool saturate, alu_fn *body, mul0_fixup_fn *mul0_fixup)
{
    const uint32_t *arg = op->arg;
    const bool at_once = !mul0_fixup && SIMD_LANES > 1; /* with one lane, compilers vectorise
                                                           a whole chunk */

    for (unsigned n = op->n; n; n--, arg += 1 + n_src) {
        const float *in[MAX_SRC];
        f32v once[MAX_SRC];
        float *d = lane_array(f, arg[0]);

        UNROLL
        for (unsigned i = 0; i < n_src; i++) {
            if (uniforms >> vm_operand_class(n_src, i) & 1)
                once[i] = uniform(f, arg[1 + i]);
            else
                in[i] = lane_array(f, arg[1 + i]);
        }
        for (unsigned v = 0; v < VECTORS; v += CHUNK) {
            f32v r[CHUNK];

            UNROLL
            for (unsigned g = 0; g < CHUNK; g++) {
                f32v s[MAX_SRC];

                UNROLL
                for (unsigned i = 0; i < n_src; i++)
                    s[i] = uniforms >> vm_operand_class(n_src, i) & 1
                               ? once[i]
                               : f32v_load(in[i] + (v + g) * SIMD_LANES);
                r[g] = body(s, false);
                if (at_once) /* no need to wait for the other vectors */
                    f32v_store(d + (v + g) * SIMD_LANES, saturate ? f32v_sat(r[g]) : r[g]);
            }
            if (mul0_fixup && __builtin_expect(any_nan(r), 0))
                mul0_fixup(op, f, arg, v);
            else if (!at_once)
                store_chunk(d, v, r, saturate);
        }
    }
}

/* --- Operand modes ---------------------------------------------------------------------------- */

/* MODE(MAD, 3, 2, 1): the kernel of MAD whose second operand is a uniform, saturating. */
#define MODE(name, n_src, uniforms, saturate, mul0_fixup)                                          \
    static VM_SYSV_ABI void name##_##uniforms##saturate(const struct vm_ir_op *op,                 \
                                                        struct vm_frame *f)                        \
    {                                                                                              \
        map(op, f, n_src, uniforms, saturate, name##_body, mul0_fixup);                            \
    }
#define MODE_ANY(name, n_src, mul0_fixup)                                                          \
    static VM_SYSV_ABI void name##_any(const struct vm_ir_op *op, struct vm_frame *f)              \
    {                                                                                              \
        map_any(op, f, n_src, n_src, name##_body, mul0_fixup);                                     \
    }
#define MODE_FIRST(name, n_src, mul0_fixup)                                                        \
    static VM_SYSV_ABI void name##_first(const struct vm_ir_op *op, struct vm_frame *f)            \
    {                                                                                              \
        map_any(op, f, n_src, 1, name##_body, mul0_fixup);                                         \
    }
#define MODE_BOTH(name, n_src, uniforms, mul0_fixup)                                               \
    MODE(name, n_src, uniforms, 0, mul0_fixup)                                                     \
    MODE(name, n_src, uniforms, 1, mul0_fixup)

/* MODES_<digits>: the operand modes of a kernel. Each digit is a set of uniform operand classes
 * (bits 1, 2, 4: classes 0, 1, 2) with a mode of its own, besides the empty set. Kernels that take
 * much longer than their loads need few modes. */
#define MODES_LANES(name, n, mul0_fixup)                                                           \
    MODE_ANY(name, n, mul0_fixup) MODE(name, n, 0, 0, mul0_fixup)
#define MODES_1(name, n, mul0_fixup)                                                               \
    MODE_ANY(name, n, mul0_fixup)                                                                  \
    MODE_BOTH(name, n, 0, mul0_fixup) MODE_BOTH(name, n, 1, mul0_fixup)
#define MODES_2(name, n, mul0_fixup)                                                               \
    MODE_ANY(name, n, mul0_fixup)                                                                  \
    MODE_FIRST(name, n, mul0_fixup)                                                                \
    MODE_BOTH(name, n, 0, mul0_fixup) MODE_BOTH(name, n, 2, mul0_fixup)
#define MODES_12(name, n, mul0_fixup) MODES_2(name, n, mul0_fixup) MODE_BOTH(name, n, 1, mul0_fixup)
#define MODES_24(name, n, mul0_fixup)                                                              \
    MODES_2(name, n, mul0_fixup) MODE_BOTH(name, n, 4, mul0_fixup) MODE_BOTH(name, n, 6, mul0_fixup)
#define MODES_124(name, n, mul0_fixup)                                                             \
    MODES_24(name, n, mul0_fixup)                                                                  \
    MODE_BOTH(name, n, 1, mul0_fixup)                                                              \
    MODE_BOTH(name, n, 3, mul0_fixup) MODE_BOTH(name, n, 5, mul0_fixup)

/* Kernel from an expression of s[0], s[1] … */
#define KERNEL(name, n_src, modes, expression)                                                     \
    INLINE f32v name##_body(const f32v *s, bool exact_mul0)                                        \
    {                                                                                              \
        (void)exact_mul0;                                                                          \
        return expression;                                                                         \
    }                                                                                              \
    MODES_##modes(name, n_src, NULL)

/* Kernels with one long dependency chain: several vectors are interleaved. */
#define KERNEL_SEVERAL(name, n_src, statement)                                                     \
    INLINE void name##_several(f32v s[MAX_SRC][SIMD_SEVERAL])                                      \
    {                                                                                              \
        statement;                                                                                 \
    }                                                                                              \
    static VM_SYSV_ABI void name##_any(const struct vm_ir_op *op, struct vm_frame *f)              \
    {                                                                                              \
        map_several(op, f, n_src, name##_several);                                                 \
    }

/* Kernel from an expression with products; product() is plain or obeys the zero rule. */
#define KERNEL_MUL0(name, n_src, modes, expression)                                                \
    INLINE f32v name##_body(const f32v *s, bool exact_mul0)                                        \
    {                                                                                              \
        return expression;                                                                         \
    }                                                                                              \
    static VM_SYSV_ABI __attribute__((noinline, cold)) void name##_mul0_fixup(                     \
        const struct vm_ir_op *op, const struct vm_frame *f, const uint32_t *arg, unsigned first)  \
    {                                                                                              \
        if (f->ieee)                                                                               \
            recompute(op, f, arg, first, n_src, name##_body, false);                               \
        else                                                                                       \
            recompute(op, f, arg, first, n_src, name##_body, true);                                \
    }                                                                                              \
    MODES_##modes(name, n_src, name##_mul0_fixup)

INLINE f32v product(f32v a, f32v b, bool exact_mul0)
{
    return exact_mul0 ? f32v_mul_zero(a, b) : f32v_mul(a, b);
}

KERNEL(MOV, 1, 1, s[0])
KERNEL(ADD, 2, 2, f32v_add(s[0], s[1]))
KERNEL(SUB, 2, 12, f32v_sub(s[0], s[1]))
KERNEL(MIN, 2, 12, f32v_min(s[0], s[1]))
KERNEL(MAX, 2, 12, f32v_select(f32v_ge(s[0], s[1]), s[0], s[1])) /* of two zeros, the first wins */
KERNEL(SLT, 2, 12, f32v_where(f32v_lt(s[0], s[1]), f32v_set1(1.0f)))
KERNEL(SGE, 2, 12, f32v_where(f32v_ge(s[0], s[1]), f32v_set1(1.0f)))
KERNEL(CMP, 3, 24, f32v_select(f32v_ge(s[0], f32v_zero()), s[1], s[2]))
KERNEL(CND, 3, 24, f32v_select(f32v_gt(s[0], f32v_set1(0.5f)), s[1], s[2]))
KERNEL(FRC, 1, LANES, f32v_sub(s[0], f32v_floor(s[0])))
KERNEL(FLOOR, 1, LANES, f32v_floor(s[0]))
KERNEL(RCP, 1, LANES, f32v_rcp(s[0]))
KERNEL(RSQ, 1, LANES, f32v_rsq(s[0]))
/* rsq, but FLT_MAX for 0, so that a zero vector stays zero. */
INLINE f32v nrm(f32v x)
{
    return f32v_select(f32v_eq(x, f32v_zero()), f32v_set1(FLT_MAX), f32v_rsq(x));
}
KERNEL(NRM, 1, LANES, nrm(s[0]))
KERNEL(EXP2, 1, LANES, f32v_exp2(s[0]))
KERNEL(LOG2, 1, LANES, f32v_log2(s[0]))
KERNEL(SIN, 1, LANES, f32v_sin(s[0]))
KERNEL(COS, 1, LANES, f32v_cos(s[0]))
KERNEL_SEVERAL(POW, 2, f32v_pow_several(s[0], s[1], SIMD_SEVERAL))
KERNEL(DIV, 2, LANES, f32v_div(s[0], s[1]))
KERNEL(DIV_ONE, 2, LANES,
       f32v_select(f32v_eq(s[1], f32v_zero()), f32v_set1(1.0f), f32v_div(s[0], s[1])))

/* Rounds to the nearest integer, ties to even: the sum with 1.5 * 2^23 has no fraction bits.
 * Numbers from 2^22 on stay unchanged, because they are not valid register indices anyway. */
INLINE f32v round_even(f32v x)
{
    f32v magic = f32v_set1(12582912.0f), r = f32v_sub(f32v_add(x, magic), magic);

    return f32v_select(f32v_lt(f32v_abs(x), f32v_set1(4194304.0f)), r, x);
}
KERNEL(ROUND, 1, LANES, round_even(s[0]))

INLINE f32v sign(f32v x)
{
    f32v zero = f32v_zero(), one = f32v_set1(1.0f);

    return f32v_select(f32v_lt(x, zero), f32v_neg(one), f32v_select(f32v_eq(x, zero), zero, one));
}
KERNEL(SGN, 1, LANES, sign(s[0]))

/* logp of vs_1_1: |x| = mantissa * 2^exponent, mantissa in [1, 2). Zero gives -FLT_MAX and 1. */
INLINE f32v exponent(f32v x)
{
    i32v e = i32v_sub(i32v_srl(f32v_bits(f32v_abs(x)), 23), i32v_set1(127));
    f32v r = f32v_select(f32v_eq(x, f32v_zero()), f32v_set1(-FLT_MAX), i32v_to_f32(e));

    return f32v_select(f32v_lt(f32v_abs(x), i32v_as_f32(i32v_set1(0x7f800000))), r, f32v_abs(x));
}
KERNEL(EXPONENT, 1, LANES, exponent(s[0]))

INLINE f32v mantissa(f32v x)
{
    i32v bits = i32v_or(i32v_and(f32v_bits(x), i32v_set1(0x7fffff)), i32v_set1(0x3f800000));
    f32v m = f32v_select(f32v_eq(x, f32v_zero()), f32v_set1(1.0f), i32v_as_f32(bits));

    return f32v_select(f32v_isnan(x), x, m);
}
KERNEL(MANTISSA, 1, LANES, mantissa(s[0]))

/* z of lit: y^p for x, y > 0 with p = w clamped to +-127.9961 (reference: shader/lit). */
INLINE f32v lit(const f32v *s)
{
    f32v zero = f32v_zero(), limit = f32v_set1(127.9961f);
    f32v p = f32v_max(f32v_neg(limit), f32v_min(limit, s[2]));
    m32v lit = m32v_and(f32v_gt(s[0], zero), f32v_gt(s[1], zero));

    return f32v_where(lit, f32v_pow(s[1], p));
}
KERNEL(LIT, 3, LANES, lit(s))

KERNEL_MUL0(MUL, 2, 2, product(s[0], s[1], exact_mul0))
KERNEL_MUL0(MAD, 3, 24, f32v_add(product(s[0], s[1], exact_mul0), s[2]))
KERNEL_MUL0(MSUB, 3, 24, f32v_sub(product(s[0], s[1], exact_mul0), s[2]))
KERNEL_MUL0(LRP, 3, 124, f32v_add(product(s[0], f32v_sub(s[1], s[2]), exact_mul0), s[2]))
KERNEL_MUL0(CRS, 4, 2, f32v_sub(product(s[0], s[1], exact_mul0), product(s[2], s[3], exact_mul0)))

/* s2 - s0 * s1 equals -s0 * s1 + s2 in every bit, except where the zero rule forces the product to
 * +0. Exact products therefore negate s0 instead. */
INLINE f32v negated_mad(const f32v *s, bool exact_mul0)
{
    if (exact_mul0)
        return f32v_add(product(f32v_neg(s[0]), s[1], true), s[2]);
    return f32v_sub(s[2], f32v_mul(s[0], s[1]));
}
KERNEL_MUL0(NMAD, 3, 24, negated_mad(s, exact_mul0))

INLINE f32v dot(const f32v *s, unsigned n, bool exact_mul0)
{
    f32v sum = product(s[0], s[1], exact_mul0);

    UNROLL
    for (unsigned i = 1; i < n; i++)
        sum = f32v_add(sum, product(s[2 * i], s[2 * i + 1], exact_mul0));
    return sum;
}
KERNEL_MUL0(DP2ADD, 5, 24, f32v_add(dot(s, 2, exact_mul0), s[4]))
KERNEL_MUL0(DP3, 6, 2, dot(s, 3, exact_mul0))
KERNEL_MUL0(DP4, 8, 2, dot(s, 4, exact_mul0))

/* --- Fused pairs ------------------------------------------------------------------------------ */

KERNEL_MUL0(DP2, 4, 2, dot(s, 2, exact_mul0))
KERNEL_MUL0(DP3ADD, 7, 24, f32v_add(dot(s, 3, exact_mul0), s[6]))
KERNEL_MUL0(DP3_NRM, 6, LANES, nrm(dot(s, 3, exact_mul0)))
KERNEL_MUL0(DP3_RSQ, 6, LANES, f32v_rsq(dot(s, 3, exact_mul0)))
KERNEL_MUL0(MUL3, 3, 24, product(product(s[0], s[1], exact_mul0), s[2], exact_mul0))
KERNEL_MUL0(MUL_MAD, 4, 2,
            f32v_add(product(product(s[0], s[1], exact_mul0), s[2], exact_mul0), s[3]))
KERNEL_MUL0(MAD_MAD, 5, 24,
            f32v_add(f32v_add(product(s[0], s[1], exact_mul0), s[4]),
                     product(s[2], s[3], exact_mul0)))
KERNEL_MUL0(MAD_ADD, 4, 2, f32v_add(f32v_add(product(s[0], s[1], exact_mul0), s[2]), s[3]))
KERNEL_MUL0(MAD_MUL, 4, 2,
            product(f32v_add(product(s[0], s[1], exact_mul0), s[2]), s[3], exact_mul0))
KERNEL(ADD3, 3, 24, f32v_add(f32v_add(s[0], s[1]), s[2]))
KERNEL_MUL0(ADD_MUL, 3, 24, product(f32v_add(s[0], s[1]), s[2], exact_mul0))
KERNEL_MUL0(SUB_MUL, 3, 124, product(f32v_sub(s[0], s[1]), s[2], exact_mul0))
KERNEL_MUL0(ADD_MAD, 4, 2, f32v_add(product(f32v_add(s[0], s[1]), s[2], exact_mul0), s[3]))

/* --- The table -------------------------------------------------------------------------------- */

#define AT(name, uniforms, saturate)                                                               \
    [VM_OPMODE_PLAIN + 2 * uniforms + saturate] = name##_##uniforms##saturate
#define AT_BOTH(name, uniforms) AT(name, uniforms, 0), AT(name, uniforms, 1)
#define TABLE_LANES(name) [VM_IR_##name] = {name##_any, AT(name, 0, 0)},
#define TABLE_SEVERAL(name) [VM_IR_##name] = {name##_any},
#define TABLE_1(name) [VM_IR_##name] = {name##_any, AT_BOTH(name, 0), AT_BOTH(name, 1)},
#define TABLE_2(name)                                                                              \
    [VM_IR_##name] = {name##_any, name##_first, AT_BOTH(name, 0), AT_BOTH(name, 2)},
#define TABLE_12(name)                                                                             \
    [VM_IR_##                                                                                      \
        name] = {name##_any, name##_first, AT_BOTH(name, 0), AT_BOTH(name, 1), AT_BOTH(name, 2)},
#define TABLE_24(name)                                                                             \
    [VM_IR_##name] = {name##_any,       name##_first,     AT_BOTH(name, 0),                        \
                      AT_BOTH(name, 2), AT_BOTH(name, 4), AT_BOTH(name, 6)},
#define TABLE_124(name)                                                                            \
    [VM_IR_##name] = {name##_any,       name##_first,     AT_BOTH(name, 0),                        \
                      AT_BOTH(name, 1), AT_BOTH(name, 2), AT_BOTH(name, 3),                        \
                      AT_BOTH(name, 4), AT_BOTH(name, 5), AT_BOTH(name, 6)},
#define TABLE_CROSS_LANE(name)
#define TABLE_SAMPLE(name)

const struct vm_kern KERN_NAME(vm_kern) = {
    .isa = KERN_STR(ISA),
    .fn =
        {
#define IR_OP(name, dst, src, imm, flags, kernel, jit) TABLE_##kernel(name)
#include "vm/ir/ops.def"
#undef IR_OP
        },
};
