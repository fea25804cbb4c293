/* Simplification of single instructions: constants, identities of integers and masks, signs.
 *
 * An identity must hold in every bit. x * 1 and x + 0 are none of floats: they flush denormals.
 *
 * Tested by tests/unit/ir/build/test_fold.c. */
#include "ir/build/build.h"
#include "ir/kern/kern.h"

static bool is_constant(const struct ir *ir, ir_ref ref)
{
    unsigned op = ir->inst[ref].op;

    return op == IR_CONST || op == IR_MCONST;
}

/* True if ref is the constant x. */
static bool is(const struct ir *ir, ir_ref ref, uint32_t x)
{
    return is_constant(ir, ref) && ir->inst[ref].imm == x;
}

/* Makes the instruction a constant. */
static ir_ref constant(struct ir_inst *inst, uint32_t bits)
{
    *inst = (struct ir_inst){.op = IR_CONST, .imm = bits};
    return 0;
}

static ir_ref constant_mask(struct ir_inst *inst, bool value)
{
    *inst = (struct ir_inst){.op = IR_MCONST, .imm = value};
    return 0;
}

/* --- Constants -------------------------------------------------------------------------------- */

/* Evaluates an operation on constants. */
static void fold_constants(const struct ir *ir, struct ir_inst *inst)
{
    const struct ir_op_info *info = &ir_op_info[inst->op];
    uint32_t arg[3] = {0, 0, 0}, result;

    if (!info->n_args)
        return;
    for (unsigned k = 0; k < info->n_args; k++) {
        if (!is_constant(ir, inst->arg[k]))
            return;
        arg[k] = ir->inst[inst->arg[k]].imm;
    }
    result = ir_eval((enum ir_op)inst->op, arg, inst->imm);
    if (info->result == IR_TYPE_MASK)
        constant_mask(inst, result);
    else
        constant(inst, result);
}

/* --- Operands --------------------------------------------------------------------------------- */

/* Equal sums get equal forms: a constant comes second, the older value first. */
static void order_operands(const struct ir *ir, struct ir_inst *inst)
{
    ir_ref a = inst->arg[0], b = inst->arg[1];
    bool exchange = is_constant(ir, a) != is_constant(ir, b) ? is_constant(ir, a) : a > b;

    if (ir_op_info[inst->op].op_class == IR_CLASS_COMMUTES && exchange) {
        inst->arg[0] = b;
        inst->arg[1] = a;
    }
}

/* Replaces operand k, the result of `op`, by that instruction's operand. */
static bool skip(const struct ir *ir, struct ir_inst *inst, unsigned k, enum ir_op op)
{
    const struct ir_inst *operand = ir_inst(ir, inst->arg[k]);

    if (operand->op != op)
        return false;
    inst->arg[k] = operand->arg[0];
    return true;
}

static void exchange(struct ir_inst *inst, unsigned i, unsigned k)
{
    ir_ref first = inst->arg[i];

    inst->arg[i] = inst->arg[k];
    inst->arg[k] = first;
}

/* --- Operations ------------------------------------------------------------------------------- */

/* True if a product of the two is NaN only if one of them is: of a value with itself, or with a
 * finite constant that is not zero. Denormals count as zero. */
static bool makes_no_nan(const struct ir *ir, ir_ref a, ir_ref b)
{
    uint32_t exponent = ir->inst[b].imm >> 23 & 0xff;

    return a == b || (is_constant(ir, b) && exponent > 0 && exponent < 0xff);
}

/* a + -b is a - b, a - -b is a + b, -a * -b is a * b, in every bit. */
static ir_ref fold_float(const struct ir *ir, struct ir_inst *inst)
{
    ir_ref a = inst->arg[0];

    switch (inst->op) {
    case IR_FNEG:
        return ir->inst[a].op == IR_FNEG ? ir->inst[a].arg[0] : 0;
    case IR_FABS:
        skip(ir, inst, 0, IR_FNEG);
        return ir->inst[inst->arg[0]].op == IR_FABS ? inst->arg[0] : 0;
    case IR_FADD:
        if (skip(ir, inst, 1, IR_FNEG)) {
            inst->op = IR_FSUB;
        } else if (skip(ir, inst, 0, IR_FNEG)) {
            inst->op = IR_FSUB;
            exchange(inst, 0, 1);
        }
        return 0;
    case IR_FSUB:
        if (skip(ir, inst, 1, IR_FNEG)) {
            inst->op = IR_FADD;
            order_operands(ir, inst);
        }
        return 0;
    case IR_FMUL:
    case IR_FMUL0:
        if (ir->inst[a].op == IR_FNEG && ir->inst[inst->arg[1]].op == IR_FNEG) {
            skip(ir, inst, 0, IR_FNEG);
            skip(ir, inst, 1, IR_FNEG);
            order_operands(ir, inst);
        }
        if (makes_no_nan(ir, inst->arg[0], inst->arg[1]))
            inst->op = IR_FMUL;
        return 0;
    default:
        return 0;
    }
}

static ir_ref fold_multiply(const struct ir *ir, struct ir_inst *inst)
{
    uint32_t factor = ir->inst[inst->arg[1]].imm;

    if (!is_constant(ir, inst->arg[1]) || factor & (factor - 1))
        return 0;
    if (!factor)
        return inst->arg[1];
    inst->op = IR_ISHL;
    inst->arg[1] = 0;
    inst->imm = (uint32_t)__builtin_ctz(factor);
    return inst->imm ? 0 : inst->arg[0];
}

static ir_ref fold_integer(const struct ir *ir, struct ir_inst *inst)
{
    ir_ref a = inst->arg[0], b = inst->arg[1];

    switch (inst->op) {
    case IR_IADD:
        return is(ir, b, 0) ? a : 0;
    case IR_ISUB:
        return a == b ? constant(inst, 0) : is(ir, b, 0) ? a : 0;
    case IR_IMUL:
        return fold_multiply(ir, inst);
    case IR_IAND:
        return a == b || is(ir, b, UINT32_MAX) ? a : is(ir, b, 0) ? b : 0;
    case IR_IOR:
        return a == b || is(ir, b, 0) ? a : is(ir, b, UINT32_MAX) ? b : 0;
    case IR_IXOR:
        return a == b ? constant(inst, 0) : is(ir, b, 0) ? a : 0;
    case IR_IMIN:
    case IR_IMAX:
    case IR_UMIN:
    case IR_UMAX:
        return a == b ? a : 0;
    case IR_ISHL:
    case IR_ISHR:
    case IR_ISAR:
        return inst->imm ? 0 : a;
    case IR_IEQ:
    case IR_ULE:
        return a == b ? constant_mask(inst, true) : 0;
    case IR_ILT:
        return a == b ? constant_mask(inst, false) : 0;
    default:
        return 0;
    }
}

static ir_ref fold_mask(const struct ir *ir, struct ir_inst *inst)
{
    ir_ref a = inst->arg[0], b = inst->arg[1];

    switch (inst->op) {
    case IR_MAND:
        return a == b || is(ir, b, 1) ? a : is(ir, b, 0) ? b : 0;
    case IR_MOR:
        return a == b || is(ir, b, 0) ? a : is(ir, b, 1) ? b : 0;
    case IR_MANDNOT:
        if (is(ir, b, 0))
            return a;
        if (a == b || is(ir, b, 1) || is(ir, a, 0))
            return constant_mask(inst, false);
        if (is(ir, a, 1)) {
            inst->op = IR_MNOT;
            inst->arg[0] = b;
            inst->arg[1] = 0;
        } else if (skip(ir, inst, 1, IR_MNOT)) {
            inst->op = IR_MAND;
            order_operands(ir, inst);
        }
        return 0;
    case IR_MNOT:
        return ir->inst[a].op == IR_MNOT ? ir->inst[a].arg[0] : 0;
    case IR_SELECT:
        if (skip(ir, inst, 0, IR_MNOT))
            exchange(inst, 1, 2);
        if (inst->arg[1] == inst->arg[2] || is(ir, inst->arg[0], 1))
            return inst->arg[1];
        return is(ir, inst->arg[0], 0) ? inst->arg[2] : 0;
    default:
        return 0;
    }
}

/* Operands of one value in all lanes need no exchange of lanes. */
static ir_ref fold_lanes(const struct ir *ir, const struct ir_inst *inst)
{
    bool moves = inst->op == IR_QUAD || inst->op == IR_FIRST;

    return moves && ir->inst[inst->arg[0]].rate == IR_RATE_DRAW ? inst->arg[0] : 0;
}

ir_ref ir_fold(const struct ir *ir, struct ir_inst *inst)
{
    ir_ref ref = fold_lanes(ir, inst);

    if (ref)
        return ref;
    fold_constants(ir, inst);
    order_operands(ir, inst);
    if ((ref = fold_float(ir, inst)) || (ref = fold_integer(ir, inst)))
        return ref;
    return fold_mask(ir, inst);
}
