/* Lowering of arithmetic instructions. */
#include "vm/lower/passes.h"

#include "util/fault_injection.h"
#include "util/variant.h"

#include <float.h>

static bool writes(const struct vm_instr *in, unsigned c)
{
    return in->dst.mask >> c & 1;
}

/* Writes one result to all components of the mask. */
static void write_replicated(struct lower *l, const struct vm_instr *in, ir_ref ref)
{
    for (unsigned c = 0; c < 4; c++)
        if (writes(in, c))
            vm_lower_write_result(l, in, c, ref);
}

/* --- Componentwise ---------------------------------------------------------------------------- */

static ir_ref sign(struct lower *l, ir_ref x)
{
    ir_ref zero = vm_literal(l, 0.0f);
    ir_ref not_negative = vm_bool(l, vm_op2(l, IR_FEQ, x, zero), zero, vm_literal(l, 1.0f));

    return vm_bool(l, vm_op2(l, IR_FLT, x, zero), vm_literal(l, -1.0f), not_negative);
}

static ir_ref one_where(struct lower *l, ir_ref mask)
{
    return vm_bool(l, mask, vm_literal(l, 1.0f), vm_literal(l, 0.0f));
}

ir_ref vm_derivative(struct lower *l, ir_ref x, bool vertical)
{
    /* Lanes of a quad: 0 top left, 1 top right, 2 bottom left, 3 bottom right. */
    enum { TOP = 0x44, BOTTOM = 0xee, LEFT = 0xa0, RIGHT = 0xf5 };
    ir_ref second = ir_emit(l->ir, IR_QUAD, x, 0, 0, vertical ? BOTTOM : RIGHT);

    return vm_sub(l, second, ir_emit(l->ir, IR_QUAD, x, 0, 0, vertical ? TOP : LEFT));
}

/* One component of an operation on components a, b, c of the sources. */
static ir_ref component(struct lower *l, enum vm_op op, ir_ref a, ir_ref b, ir_ref c)
{
    switch (op) {
    case VM_OP_ADD:
        return vm_add(l, a, b);
    case VM_OP_SUB:
        return vm_sub(l, a, b);
    case VM_OP_MUL:
        return vm_mul(l, a, b);
    case VM_OP_MAD:
        return vm_mad(l, a, b, c);
    case VM_OP_LRP:
        return vm_mad(l, a, vm_sub(l, b, c), c);
    case VM_OP_MIN:
        return vm_op2(l, IR_FMIN, a, b);
    case VM_OP_MAX:
        return vm_max(l, a, b);
    case VM_OP_SLT:
        return one_where(l, vm_op2(l, IR_FLT, a, b));
    case VM_OP_SGE:
        return one_where(l, vm_op2(l, IR_FLE, b, a));
    case VM_OP_CMP:
        return vm_bool(l, vm_op2(l, IR_FLE, vm_literal(l, 0.0f), a), b, c);
    case VM_OP_CND:
        return vm_bool(l, vm_op2(l, IR_FLT, vm_literal(l, 0.5f), a), b, c);
    case VM_OP_FRC:
        return vm_sub(l, a, vm_op1(l, IR_FFLOOR, a));
    case VM_OP_SGN:
        return sign(l, a);
    case VM_OP_DSX:
        return vm_derivative(l, a, false);
    case VM_OP_DSY: /* injected fault: rows counted from the lower edge */
        a = vm_derivative(l, a, true);
        return fault_is(FAULT_DSY_SIGN) ? vm_neg(l, a) : a;
    default:
        return vm_abs(l, a);
    }
}

static void componentwise(struct lower *l, const struct vm_instr *in, unsigned n)
{
    l->takes_gradient = in->op == VM_OP_DSX || in->op == VM_OP_DSY;
    for (unsigned c = 0; c < 4; c++) {
        ir_ref s[3] = {0, 0, 0};

        for (unsigned i = 0; i < n && writes(in, c); i++)
            s[i] = vm_lower_src(l, in, i, c);
        if (writes(in, c))
            vm_lower_write_result(l, in, c, component(l, (enum vm_op)in->op, s[0], s[1], s[2]));
    }
    l->takes_gradient = false;
}

/* mov. A destination of a0 rounds: mov in vs_1_1 rounds down, mova and later mov to nearest
 * (reference: shader/address). */
static void move(struct lower *l, const struct vm_instr *in)
{
    for (unsigned c = 0; c < 4; c++) {
        ir_ref s = writes(in, c) ? vm_lower_src(l, in, 0, c) : 0;

        if (!writes(in, c))
            continue;
        if (in->dst.file == VM_FILE_ADDR)
            s = l->rank < VM_RANK_2_0 ? vm_op1(l, IR_FFLOOR, s) : vm_round_even(l, s);
        vm_lower_write_result(l, in, c, s);
    }
}

/* cnd. In ps_1_1 … 1_3 a co-issued cnd that writes colour selects its second source, whatever the
 * condition (reference: shader/cnd). */
static void conditional(struct lower *l, const struct vm_instr *in)
{
    if (in->coissue && l->rank < 14 && in->dst.mask != VM_MASK_W) {
        for (unsigned c = 0; c < 4; c++)
            if (writes(in, c))
                vm_lower_write_result(l, in, c, vm_lower_src(l, in, 1, c));
    } else {
        componentwise(l, in, 3);
    }
}

/* --- Scalar results --------------------------------------------------------------------------- */

/* expp and logp of vs_1_1 return parts of the number in x and y, the result in z, 1 in w. */
static void exponent_parts(struct lower *l, const struct vm_instr *in)
{
    ir_ref s = vm_lower_src(l, in, 0, 3), whole = vm_op1(l, IR_FFLOOR, s), part[4];

    if (in->op == VM_OP_EXPP) {
        part[0] = vm_exp2(l, whole);
        part[1] = vm_sub(l, s, whole);
        part[2] = vm_exp2(l, s);
    } else {
        part[0] = vm_exponent(l, s);
        part[1] = vm_mantissa(l, s);
        part[2] = vm_max(l, vm_literal(l, -FLT_MAX), vm_log2(l, s));
    }
    part[3] = vm_literal(l, 1.0f);
    for (unsigned c = 0; c < 4; c++)
        if (writes(in, c))
            vm_lower_write_result(l, in, c, part[c]);
}

/* Scalar operations read the component that the swizzle puts in w. */
static void scalar(struct lower *l, const struct vm_instr *in)
{
    ir_ref x = vm_lower_src(l, in, 0, 3), result;

    switch (in->op) {
    case VM_OP_RCP:
        result = vm_rcp(l, x);
        break;
    case VM_OP_RSQ:
        result = vm_rsq(l, x);
        break;
    case VM_OP_EXP:
    case VM_OP_EXPP:
        result = vm_exp2(l, x);
        break;
    case VM_OP_LOG:
        result = vm_log2(l, x);
        break;
    case VM_OP_LOGP: /* -FLT_MAX for 0; a NaN stays */
        result = vm_max(l, vm_literal(l, -FLT_MAX), vm_log2(l, x));
        break;
    default:
        result = vm_pow(l, x, vm_lower_src(l, in, 1, 3));
    }
    write_replicated(l, in, result);
}

/* Dot product of the first n components of two operands; the second is `row` registers further
 * on. A variant renderer adds in another order. */
static ir_ref dot(struct lower *l, const struct vm_instr *in, unsigned n, unsigned row)
{
    bool reorder = variant_current && variant_current->reorder;
    ir_ref a[4], b[4];

    for (unsigned i = 0; i < n; i++) {
        unsigned c = reorder ? n - 1 - i : i;

        a[i] = vm_lower_src(l, in, 0, c);
        b[i] = vm_lower_operand(l, &in->src[1], row, c);
    }
    return vm_dot(l, n, a, b);
}

static void dot2_add(struct lower *l, const struct vm_instr *in)
{
    ir_ref a[2], b[2];

    for (unsigned c = 0; c < 2; c++) {
        a[c] = vm_lower_src(l, in, 0, c);
        b[c] = vm_lower_src(l, in, 1, c);
    }
    write_replicated(l, in, vm_add(l, vm_dot(l, 2, a, b), vm_lower_src(l, in, 2, 0)));
}

/* --- Vectors ---------------------------------------------------------------------------------- */

/* m4x4 … m3x2: one dot product per row. Mask components beyond the rows are ignored: shipped vs_1_1
 * shaders have m3x3 with all four components. */
static void matrix(struct lower *l, const struct vm_instr *in, unsigned n, unsigned rows)
{
    for (unsigned row = 0; row < rows; row++)
        if (writes(in, row))
            vm_lower_write_result(l, in, row, dot(l, in, n, row));
}

static void lit(struct lower *l, const struct vm_instr *in)
{
    ir_ref one = vm_literal(l, 1.0f), x = vm_lower_src(l, in, 0, 0), result[4];

    result[0] = result[3] = one;
    result[1] = writes(in, 1) ? vm_max(l, x, vm_literal(l, 0.0f)) : 0;
    if (writes(in, 2))
        result[2] = vm_lit_z(l, x, vm_lower_src(l, in, 0, 1), vm_lower_src(l, in, 0, 3));
    for (unsigned c = 0; c < 4; c++)
        if (writes(in, c))
            vm_lower_write_result(l, in, c, result[c]);
}

static void distance(struct lower *l, const struct vm_instr *in)
{
    if (writes(in, 0))
        vm_lower_write_result(l, in, 0, vm_literal(l, 1.0f));
    if (writes(in, 1))
        vm_lower_write_result(l, in, 1,
                              vm_mul(l, vm_lower_src(l, in, 0, 1), vm_lower_src(l, in, 1, 1)));
    if (writes(in, 2))
        vm_lower_write_result(l, in, 2, vm_lower_src(l, in, 0, 2));
    if (writes(in, 3))
        vm_lower_write_result(l, in, 3, vm_lower_src(l, in, 1, 3));
}

static void cross(struct lower *l, const struct vm_instr *in)
{
    ir_ref a[3], b[3];

    for (unsigned c = 0; c < 3; c++) {
        a[c] = vm_lower_src(l, in, 0, c);
        b[c] = vm_lower_src(l, in, 1, c);
    }
    for (unsigned c = 0; c < 3; c++) {
        unsigned i = (c + 1) % 3, j = (c + 2) % 3;

        if (writes(in, c))
            vm_lower_write_result(l, in, c,
                                  vm_sub(l, vm_mul(l, a[i], b[j]), vm_mul(l, a[j], b[i])));
    }
}

/* s / |s|, w scaled along; a zero vector stays zero (reference: shader/nrm). */
static void normalize(struct lower *l, const struct vm_instr *in)
{
    ir_ref v[4], factor;

    for (unsigned c = 0; c < 4; c++)
        v[c] = c < 3 || writes(in, 3) ? vm_lower_src(l, in, 0, c) : 0;
    factor = vm_nrm(l, vm_dot(l, 3, v, v));
    for (unsigned c = 0; c < 4; c++)
        if (writes(in, c))
            vm_lower_write_result(l, in, c, vm_mul(l, v[c], factor));
}

static void sine_cosine(struct lower *l, const struct vm_instr *in)
{
    ir_ref angle = vm_lower_src(l, in, 0, 0);

    if (writes(in, 0))
        vm_lower_write_result(l, in, 0, vm_cos(l, angle));
    if (writes(in, 1))
        vm_lower_write_result(l, in, 1, vm_sin(l, angle));
}

/* p0 keeps its value in lanes that do not execute the instruction. */
static void set_predicate(struct lower *l, const struct vm_instr *in)
{
    for (unsigned c = 0; c < 4; c++) {
        uint32_t p0 = l->vreg_predicate + c;
        ir_ref set, kept;

        if (!writes(in, c))
            continue;
        set = vm_compare(l, in->control, vm_lower_src(l, in, 0, c), vm_lower_src(l, in, 1, c));
        set = vm_op2(l, IR_MAND, set, l->exec);
        kept = vm_op2(l, IR_MANDNOT, vm_lower_get(l, p0), l->exec);
        vm_lower_put(l, p0, vm_op2(l, IR_MOR, set, kept));
    }
}

void vm_lower_alu(struct lower *l, const struct vm_instr *in)
{
    switch (in->op) {
    case VM_OP_MOV:
    case VM_OP_MOVA:
        move(l, in);
        break;
    case VM_OP_ABS:
    case VM_OP_FRC:
    case VM_OP_SGN:
    case VM_OP_DSX:
    case VM_OP_DSY:
        componentwise(l, in, 1);
        break;
    case VM_OP_ADD:
    case VM_OP_SUB:
    case VM_OP_MUL:
    case VM_OP_MIN:
    case VM_OP_MAX:
    case VM_OP_SLT:
    case VM_OP_SGE:
        componentwise(l, in, 2);
        break;
    case VM_OP_MAD:
    case VM_OP_LRP:
    case VM_OP_CMP:
        componentwise(l, in, 3);
        break;
    case VM_OP_CND:
        conditional(l, in);
        break;
    case VM_OP_RCP:
    case VM_OP_RSQ:
    case VM_OP_EXP:
    case VM_OP_LOG:
    case VM_OP_POW:
        scalar(l, in);
        break;
    case VM_OP_EXPP:
    case VM_OP_LOGP:
        if (l->rank < VM_RANK_2_0)
            exponent_parts(l, in);
        else
            scalar(l, in);
        break;
    case VM_OP_DP3:
        write_replicated(l, in, dot(l, in, 3, 0));
        break;
    case VM_OP_DP4:
        write_replicated(l, in, dot(l, in, 4, 0));
        break;
    case VM_OP_DP2ADD:
        dot2_add(l, in);
        break;
    case VM_OP_M4X4:
        matrix(l, in, 4, 4);
        break;
    case VM_OP_M4X3:
        matrix(l, in, 4, 3);
        break;
    case VM_OP_M3X4:
        matrix(l, in, 3, 4);
        break;
    case VM_OP_M3X3:
        matrix(l, in, 3, 3);
        break;
    case VM_OP_M3X2:
        matrix(l, in, 3, 2);
        break;
    case VM_OP_LIT:
        lit(l, in);
        break;
    case VM_OP_DST:
        distance(l, in);
        break;
    case VM_OP_CRS:
        cross(l, in);
        break;
    case VM_OP_NRM:
        normalize(l, in);
        break;
    case VM_OP_SINCOS:
        sine_cosine(l, in);
        break;
    case VM_OP_SETP:
        set_predicate(l, in);
        break;
    default:
        break;
    }
}
