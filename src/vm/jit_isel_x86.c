/* Micro-operations in instructions, with the roundings, the order of operands and the zero rule of
 * the kernels (vm_kern.c). */
#include "vm/jit.h"

#include "vm/program.h"

/* --- Steps ------------------------------------------------------------------------------------ */

/* A register for what is made of two operands, which go. */
static struct jit_ref in_place(struct jit *j, struct jit_ref a, struct jit_ref b)
{
    if (a.temporary) {
        jit_drop(j, b);
        return a;
    }
    return b.temporary ? b : jit_fresh(j);
}

/* A result of its own with the contents of an operand. */
static struct jit_ref copy_of(struct jit *j, struct jit_ref from)
{
    struct jit_ref to = from.temporary ? from : jit_fresh(j);

    if (!from.temporary)
        jit_put(&j->code, JIT_LOAD, to.reg, 0, from);
    return to;
}

static struct jit_ref combine(struct jit *j, enum jit_instruction op, struct jit_ref a,
                              struct jit_ref b)
{
    struct jit_ref to;

    a = jit_in_register(j, a);
    to = in_place(j, a, b);
    jit_put(&j->code, op, to.reg, a.reg, b);
    return to;
}

/* Of operands whose order does not matter. */
static struct jit_ref combine_any(struct jit *j, enum jit_instruction op, struct jit_ref a,
                                  struct jit_ref b)
{
    return a.memory && !b.memory ? combine(j, op, b, a) : combine(j, op, a, b);
}

static struct jit_ref add(struct jit *j, struct jit_ref a, struct jit_ref b)
{
    return combine_any(j, JIT_ADD, a, b);
}

static struct jit_ref subtract(struct jit *j, struct jit_ref a, struct jit_ref b)
{
    return combine(j, JIT_SUB, a, b);
}

/* Lanes, of AVX-512 in a mask register, of AVX2 in a temporary one. */
static struct jit_ref compare(struct jit *j, enum jit_predicate predicate, struct jit_ref a,
                              struct jit_ref b)
{
    struct jit_ref to = {.reg = JIT_K};

    if (j->wide) {
        jit_put_compare_k(&j->code, predicate, JIT_K, a.reg, b, 0);
        return to;
    }
    to = jit_fresh(j);
    jit_put_compare(&j->code, predicate, to.reg, a.reg, b);
    return to;
}

/* `no` is in a register; both go, and the lanes. */
static struct jit_ref choose(struct jit *j, struct jit_ref lanes, struct jit_ref yes,
                             struct jit_ref no)
{
    struct jit_ref to = in_place(j, no, yes);

    if (j->wide) {
        jit_put_blend_k(&j->code, to.reg, no.reg, yes, lanes.reg);
        return to;
    }
    jit_put_blend(&j->code, to.reg, no.reg, yes, lanes.reg);
    jit_drop(j, lanes);
    return to;
}

/* Where a product is no number though a factor is 0 it becomes 0. */
static void emit_mul0_fixup(struct jit *j, struct jit_ref product, struct jit_ref a,
                            struct jit_ref b)
{
    struct jit_code *c = &j->code;
    struct jit_ref zero = jit_constant(JIT_ZERO), nan, none;

    if (j->wide) {
        jit_put_compare_k(c, JIT_UNORDERED, JIT_K, product.reg, product, 0);
        jit_put_compare_k(c, JIT_EQ, JIT_K_OTHER, a.reg, zero, JIT_K);
        jit_put_compare_k(c, JIT_EQ, JIT_K, b.reg, zero, JIT_K);
        jit_put_or_k(c, JIT_K, JIT_K_OTHER);
        jit_put_zero_k(c, product.reg, JIT_K);
        return;
    }
    nan = compare(j, JIT_EQ, a, zero);
    none = compare(j, JIT_EQ, b, zero);
    jit_put(c, JIT_OR, none.reg, none.reg, nan);
    jit_put_compare(c, JIT_UNORDERED, nan.reg, product.reg, product);
    jit_put(c, JIT_AND, none.reg, none.reg, nan);
    jit_put(c, JIT_ANDNOT, product.reg, none.reg, product);
    jit_drop(j, nan);
    jit_drop(j, none);
}

static struct jit_ref multiply(struct jit *j, struct jit_ref a, struct jit_ref b)
{
    struct jit_ref to;

    if (!j->exact_mul0)
        return combine_any(j, JIT_MUL, a, b);
    a = jit_in_register(j, a);
    b = jit_in_register(j, b);
    to = jit_fresh(j);
    jit_put(&j->code, JIT_MUL, to.reg, a.reg, b);
    emit_mul0_fixup(j, to, a, b);
    jit_drop(j, a);
    jit_drop(j, b);
    return to;
}

/* --- Functions -------------------------------------------------------------------------------- */

static struct jit_ref floor_of(struct jit *j, struct jit_ref a)
{
    struct jit_ref to = a.temporary ? a : jit_fresh(j);

    jit_put_floor(&j->code, to.reg, a);
    return to;
}

static struct jit_ref fraction(struct jit *j, struct jit_ref a)
{
    struct jit_ref to = jit_fresh(j);

    jit_put_floor(&j->code, to.reg, a);
    a = jit_in_register(j, a);
    jit_put(&j->code, JIT_SUB, to.reg, a.reg, to);
    jit_drop(j, a);
    return to;
}

static struct jit_ref reciprocal(struct jit *j, struct jit_ref a)
{
    return combine(j, JIT_DIV, jit_constant(JIT_ONE), a);
}

/* As f32v_rsq_plain. */
static struct jit_ref inverse_root(struct jit *j, struct jit_ref x)
{
    struct jit_ref a, root, least;

    x = jit_in_register(j, x);
    a = x.temporary ? x : jit_fresh(j);
    jit_put(&j->code, JIT_AND, a.reg, x.reg, jit_constant(JIT_MAGNITUDE));
    root = jit_in_register(j, jit_constant(JIT_FOUR));
    jit_put(&j->code, JIT_DIV, root.reg, root.reg, a);
    jit_put(&j->code, JIT_SQRT, root.reg, 0, root);
    jit_put(&j->code, JIT_MUL, root.reg, root.reg, jit_constant(JIT_HALF));
    least = compare(j, JIT_EQ, a, jit_constant(JIT_LEAST_NORMAL));
    jit_drop(j, a);
    return choose(j, least, jit_constant(JIT_ROOT_OF_LEAST), root);
}

/* That of a squared length; of 0 FLT_MAX. */
static struct jit_ref normalizer(struct jit *j, struct jit_ref x)
{
    struct jit_ref kept = jit_in_register(j, x), root, zero;

    x = kept;
    x.temporary = false; /* it is read once more */
    root = inverse_root(j, x);
    zero = compare(j, JIT_EQ, kept, jit_constant(JIT_ZERO));
    jit_drop(j, kept);
    return choose(j, zero, jit_constant(JIT_LARGEST), root);
}

static struct jit_ref round_even(struct jit *j, struct jit_ref x)
{
    struct jit_ref r, magnitude, small;

    x = jit_in_register(j, x);
    r = jit_fresh(j);
    jit_put(&j->code, JIT_ADD, r.reg, x.reg, jit_constant(JIT_ROUNDER));
    jit_put(&j->code, JIT_SUB, r.reg, r.reg, jit_constant(JIT_ROUNDER));
    magnitude = jit_fresh(j);
    jit_put(&j->code, JIT_AND, magnitude.reg, x.reg, jit_constant(JIT_MAGNITUDE));
    small = compare(j, JIT_LT, magnitude, jit_constant(JIT_SMALL));
    jit_drop(j, magnitude);
    return choose(j, small, r, x);
}

/* 1 where it is so, else 0. */
static struct jit_ref truth(struct jit *j, enum jit_predicate predicate, struct jit_ref a,
                            struct jit_ref b)
{
    struct jit_ref lanes, zero;

    a = jit_in_register(j, a);
    lanes = compare(j, predicate, a, b);
    jit_drop(j, a);
    jit_drop(j, b);
    if (!j->wide) {
        jit_put(&j->code, JIT_AND, lanes.reg, lanes.reg, jit_constant(JIT_ONE));
        return lanes;
    }
    zero = jit_in_register(j, jit_constant(JIT_ZERO));
    return choose(j, lanes, jit_constant(JIT_ONE), zero);
}

static struct jit_ref maximum(struct jit *j, struct jit_ref a, struct jit_ref b)
{
    struct jit_ref lanes;

    a = jit_in_register(j, a);
    b = jit_in_register(j, b);
    lanes = compare(j, JIT_GE, a, b);
    return choose(j, lanes, a, b);
}

/* Whether s0 passes chooses s1 or s2. */
static struct jit_ref choose_by(struct jit *j, enum jit_predicate predicate,
                                enum jit_constant limit, const struct jit_ref s[3])
{
    struct jit_ref first = jit_in_register(j, s[0]), no, lanes;

    no = jit_in_register(j, s[2]);
    lanes = compare(j, predicate, first, jit_constant(limit));
    jit_drop(j, first);
    return choose(j, lanes, s[1], no);
}

static struct jit_ref divide_or_one(struct jit *j, struct jit_ref a, struct jit_ref b)
{
    struct jit_ref divisor = jit_in_register(j, b), kept = divisor, quotient, zero;

    divisor.temporary = false;
    quotient = combine(j, JIT_DIV, a, divisor);
    zero = compare(j, JIT_EQ, kept, jit_constant(JIT_ZERO));
    jit_drop(j, kept);
    return choose(j, zero, jit_constant(JIT_ONE), quotient);
}

/* --- Sums of products ------------------------------------------------------------------------- */

/* Operands come to registers when they are needed, so that few are held at a time. */
static struct jit_ref factors(struct jit *j, unsigned k)
{
    struct jit_ref a = jit_operand(j, k), b = jit_operand(j, k + 1);

    return multiply(j, a, b);
}

static struct jit_ref dot(struct jit *j, unsigned n)
{
    struct jit_ref sum = factors(j, 0);

    for (unsigned i = 1; i < n; i++)
        sum = add(j, sum, factors(j, 2 * i));
    return sum;
}

/* With operand k, which is not needed before. */
static struct jit_ref plus(struct jit *j, struct jit_ref sum, unsigned k)
{
    return add(j, sum, jit_operand(j, k));
}

static struct jit_ref times(struct jit *j, struct jit_ref product, unsigned k)
{
    return multiply(j, product, jit_operand(j, k));
}

static struct jit_ref sum_of_two(struct jit *j)
{
    struct jit_ref a = jit_operand(j, 0), b = jit_operand(j, 1);

    return add(j, a, b);
}

static struct jit_ref difference_of_two(struct jit *j)
{
    struct jit_ref a = jit_operand(j, 0), b = jit_operand(j, 1);

    return subtract(j, a, b);
}

static struct jit_ref interpolation(struct jit *j)
{
    struct jit_ref from = jit_operand(j, 2), to = jit_operand(j, 1), kept = from, sum;

    from.temporary = false;
    sum = subtract(j, to, from);
    sum = multiply(j, jit_operand(j, 0), sum);
    return add(j, sum, kept);
}

/* --- Lane masks ------------------------------------------------------------------------------- */

/* Lanes of a mask of the frame. */
static struct jit_ref frame_lanes(struct jit *j, size_t at)
{
    struct jit_ref bits = jit_memory(JIT_MASKS, (int32_t)at), to = {.reg = JIT_K};

    if (j->wide) {
        jit_put_load_k(&j->code, JIT_K, bits);
        return to;
    }
    to = jit_fresh(j);
    jit_put_lanes(&j->code, to.reg, bits);
    return to;
}

static struct jit_ref stored(struct jit *j)
{
    struct jit_ref value = jit_operand(j, 0), old, lanes;

    if (!j->masked)
        return copy_of(j, value);
    old = jit_old_contents(j, j->item[j->at].arg[0] / VM_LANE_BYTES);
    old = jit_in_register(j, old);
    lanes = frame_lanes(j, offsetof(struct vm_frame, exec_mask));
    return choose(j, lanes, value, old);
}

static struct jit_ref selected(struct jit *j)
{
    uint32_t predicate = j->item[j->at].arg[3];
    struct jit_ref yes = jit_in_register(j, jit_operand(j, 0));
    struct jit_ref no = jit_in_register(j, jit_operand(j, 1)), lanes;

    if (predicate & VM_PRED_ON) {
        lanes = frame_lanes(j, offsetof(struct vm_frame, predicate) + (predicate & 3) * 8);
        return predicate & VM_PRED_NOT ? choose(j, lanes, no, yes) : choose(j, lanes, yes, no);
    }
    jit_drop(j, no);
    return copy_of(j, yes);
}

/* A component of an indexed constant, of which guards have seen that all lanes have the same. */
static struct jit_ref indexed(struct jit *j)
{
    const uint32_t *arg = j->item[j->at].arg;
    struct jit_ref row = jit_operand_in_memory(j, 0), to = jit_fresh(j);

    if (j->index != jit_slot_of(arg[1]))
        jit_put_index(&j->code, row);
    j->index = jit_slot_of(arg[1]);
    jit_put_indexed(&j->code, to.reg, (int32_t)(arg[2] * sizeof(float)));
    return to;
}

static void put_condition(struct jit *j)
{
    static const uint8_t predicates[8] = {
        [VM_CMP_GT] = JIT_GT, [VM_CMP_EQ] = JIT_EQ, [VM_CMP_GE] = JIT_GE,
        [VM_CMP_LT] = JIT_LT, [VM_CMP_NE] = JIT_NE, [VM_CMP_LE] = JIT_LE};
    struct jit_ref to = jit_memory(JIT_MASKS, offsetof(struct vm_frame, condition));
    struct jit_ref a = jit_in_register(j, jit_operand(j, 0)), b = jit_operand(j, 1), lanes;

    lanes = compare(j, (enum jit_predicate)predicates[j->item[j->at].arg[2] & 7], a, b);
    jit_drop(j, a);
    jit_drop(j, b);
    if (j->wide) {
        jit_put_store_k(&j->code, JIT_K, to);
        return;
    }
    jit_put_lane_bits(&j->code, lanes.reg, to);
    j->index = -1; /* that was in r11 */
    jit_drop(j, lanes);
}

/* --- All of them ------------------------------------------------------------------------------ */

/* What is known of an operation: nothing; that it multiplies, so that a NaN of its result is looked
 * at; that a NaN among its operands is one of its result. */
enum { UNSUPPORTED = 0, SUPPORTED = 1, MULTIPLIES = 2, PROPAGATES_NAN = 4 };

static unsigned op_traits(unsigned opcode)
{
    switch (opcode) {
    case VM_IR_MUL:
    case VM_IR_MAD:
    case VM_IR_MSUB:
    case VM_IR_NMAD:
    case VM_IR_LRP:
    case VM_IR_CRS:
    case VM_IR_DP2:
    case VM_IR_DP2ADD:
    case VM_IR_DP3:
    case VM_IR_DP4:
    case VM_IR_DP3ADD:
    case VM_IR_DP3_NRM:
    case VM_IR_DP3_RSQ:
    case VM_IR_MUL3:
    case VM_IR_MUL_MAD:
    case VM_IR_MAD_MAD:
    case VM_IR_MAD_ADD:
    case VM_IR_MAD_MUL:
    case VM_IR_ADD_MUL:
    case VM_IR_SUB_MUL:
    case VM_IR_ADD_MAD:
        return SUPPORTED | MULTIPLIES | PROPAGATES_NAN;
    case VM_IR_MOV:
    case VM_IR_ADD:
    case VM_IR_SUB:
    case VM_IR_ADD3:
    case VM_IR_FRC:
    case VM_IR_FLOOR:
    case VM_IR_RCP:
    case VM_IR_RSQ:
    case VM_IR_NRM:
    case VM_IR_DIV:
        return SUPPORTED | PROPAGATES_NAN;
    case VM_IR_MIN:
    case VM_IR_MAX:
    case VM_IR_SLT:
    case VM_IR_SGE:
    case VM_IR_CMP:
    case VM_IR_CND:
    case VM_IR_ROUND:
    case VM_IR_DIV_ONE:
    case VM_IR_STORE:
    case VM_IR_SELECT:
    case VM_IR_COMPARE:
    case VM_IR_CONST:
        return SUPPORTED;
    default:
        return UNSUPPORTED;
    }
}

bool jit_is_supported(unsigned opcode)
{
    return op_traits(opcode) & SUPPORTED;
}

/* Operations of a kind whose operands come one after another. */
static struct jit_ref result_of_sums(struct jit *j, unsigned opcode)
{
    struct jit_ref first;

    switch (opcode) {
    case VM_IR_MUL:
        return factors(j, 0);
    case VM_IR_MAD:
        return plus(j, factors(j, 0), 2);
    case VM_IR_MSUB:
        first = factors(j, 0);
        return subtract(j, first, jit_operand(j, 2));
    case VM_IR_LRP:
        return interpolation(j);
    case VM_IR_CRS:
        first = factors(j, 0);
        return subtract(j, first, factors(j, 2));
    case VM_IR_DP2:
        return dot(j, 2);
    case VM_IR_DP2ADD:
        return plus(j, dot(j, 2), 4);
    case VM_IR_DP3:
        return dot(j, 3);
    case VM_IR_DP4:
        return dot(j, 4);
    case VM_IR_DP3ADD:
        return plus(j, dot(j, 3), 6);
    case VM_IR_DP3_NRM:
        return normalizer(j, dot(j, 3));
    case VM_IR_DP3_RSQ:
        return inverse_root(j, dot(j, 3));
    case VM_IR_MUL3:
        return times(j, factors(j, 0), 2);
    case VM_IR_MUL_MAD:
        return plus(j, times(j, factors(j, 0), 2), 3);
    case VM_IR_MAD_MAD:
        first = plus(j, factors(j, 0), 4);
        return add(j, first, factors(j, 2));
    case VM_IR_MAD_ADD:
        return plus(j, plus(j, factors(j, 0), 2), 3);
    case VM_IR_MAD_MUL:
        return times(j, plus(j, factors(j, 0), 2), 3);
    case VM_IR_ADD_MUL:
        return times(j, sum_of_two(j), 2);
    case VM_IR_SUB_MUL:
        return times(j, difference_of_two(j), 2);
    case VM_IR_ADD_MAD:
        return plus(j, times(j, sum_of_two(j), 2), 3);
    case VM_IR_ADD:
        return sum_of_two(j);
    case VM_IR_SUB:
        return difference_of_two(j);
    default: /* ADD3 */
        return plus(j, sum_of_two(j), 2);
    }
}

/* -s0 * s1 + s2; see negated_mad of the kernels. */
static struct jit_ref negated_sum(struct jit *j)
{
    struct jit_ref product, a, b;

    if (!j->exact_mul0) {
        product = factors(j, 0);
        return subtract(j, jit_operand(j, 2), product);
    }
    a = jit_in_register(j, jit_operand(j, 0));
    b = a.temporary ? a : jit_fresh(j);
    jit_put(&j->code, JIT_XOR, b.reg, a.reg, jit_constant(JIT_SIGN));
    return plus(j, times(j, b, 1), 2);
}

static struct jit_ref result(struct jit *j, unsigned opcode)
{
    struct jit_ref s[3];

    switch (opcode) {
    case VM_IR_STORE:
        return stored(j);
    case VM_IR_SELECT:
        return selected(j);
    case VM_IR_CONST:
        return indexed(j);
    case VM_IR_NMAD:
        return negated_sum(j);
    default:
        break;
    }
    if (op_traits(opcode) & MULTIPLIES || opcode == VM_IR_ADD || opcode == VM_IR_SUB ||
        opcode == VM_IR_ADD3)
        return result_of_sums(j, opcode);
    for (unsigned k = 0; k < vm_ir_op_info[opcode].n_src; k++)
        s[k] = jit_operand(j, k);
    switch (opcode) {
    case VM_IR_FRC:
        return fraction(j, s[0]);
    case VM_IR_FLOOR:
        return floor_of(j, s[0]);
    case VM_IR_RCP:
        return reciprocal(j, s[0]);
    case VM_IR_RSQ:
        return inverse_root(j, s[0]);
    case VM_IR_NRM:
        return normalizer(j, s[0]);
    case VM_IR_ROUND:
        return round_even(j, s[0]);
    case VM_IR_DIV:
        return combine(j, JIT_DIV, s[0], s[1]);
    case VM_IR_DIV_ONE:
        return divide_or_one(j, s[0], s[1]);
    case VM_IR_MIN:
        return combine(j, JIT_MIN, s[0], s[1]);
    case VM_IR_MAX:
        return maximum(j, s[0], s[1]);
    case VM_IR_SLT:
        return truth(j, JIT_LT, s[0], s[1]);
    case VM_IR_SGE:
        return truth(j, JIT_GE, s[0], s[1]);
    case VM_IR_CMP:
        return choose_by(j, JIT_GE, JIT_ZERO, s);
    case VM_IR_CND:
        return choose_by(j, JIT_GT, JIT_HALF, s);
    default: /* MOV */
        return copy_of(j, s[0]);
    }
}

/* Whether some operand may be a NaN that was not looked for; if that is seen in the result, nobody
 * needs to look at the operand. */
static bool absorbs_nan_check(struct jit *j, const struct jit_item *item)
{
    const struct ir_op_info *info = &vm_ir_op_info[item->opcode];
    bool any = false;

    if (!(op_traits(item->opcode) & PROPAGATES_NAN) || !jit_checks_nan(j))
        return false;
    for (unsigned k = 0; k < info->n_src; k++) {
        int32_t slot = jit_slot_of(item->arg[info->n_dst + k]);

        if (slot >= 0 && j->slot[slot].nan_unchecked && j->slot[slot].reg != JIT_NOBODY) {
            any = true;
            j->slot[slot].nan_unchecked = false;
        }
    }
    return any;
}

void jit_put_item(struct jit *j, const struct jit_item *item)
{
    bool nan_unchecked = (op_traits(item->opcode) & MULTIPLIES) && jit_checks_nan(j);
    struct jit_ref ref;

    if (item->opcode == VM_IR_COMPARE) {
        put_condition(j);
        return;
    }
    ref = result(j, item->opcode);
    nan_unchecked = absorbs_nan_check(j, item) || nan_unchecked;
    if (item->op->saturate) {
        if (nan_unchecked)
            jit_nan_check(j, ref.reg);
        nan_unchecked = false;
        jit_put(&j->code, JIT_MAX, ref.reg, ref.reg, jit_constant(JIT_ZERO));
        jit_put(&j->code, JIT_MIN, ref.reg, ref.reg, jit_constant(JIT_ONE));
    }
    if (!j->lost)
        jit_put_result(j, ref, nan_unchecked);
}
