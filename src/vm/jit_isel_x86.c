/* Micro-operations in instructions, with the roundings, the order of operands and the zero rule of
 * the kernels (vm_kern.c). */
#include "vm/jit.h"

#include "vm/program.h"

/* --- Steps ------------------------------------------------------------------------------------ */

/* A register for what is made of two operands, which go. */
static struct jit_ref result_operand(struct jit *j, struct jit_ref a, struct jit_ref b)
{
    if (a.temporary) {
        jit_free_temp(j, b);
        return a;
    }
    return b.temporary ? b : jit_alloc_temp(j);
}

/* A result of its own with the contents of an operand. */
static struct jit_ref emit_copy(struct jit *j, struct jit_ref from)
{
    struct jit_ref to = from.temporary ? from : jit_alloc_temp(j);

    if (!from.temporary)
        jit_put(&j->code, JIT_LOAD, to.reg, 0, from);
    return to;
}

static struct jit_ref emit_binary(struct jit *j, enum jit_instruction op, struct jit_ref a,
                                  struct jit_ref b)
{
    struct jit_ref to;

    a = jit_to_register(j, a);
    to = result_operand(j, a, b);
    jit_put(&j->code, op, to.reg, a.reg, b);
    return to;
}

/* Of operands whose order does not matter. */
static struct jit_ref emit_commutative(struct jit *j, enum jit_instruction op, struct jit_ref a,
                                       struct jit_ref b)
{
    return a.memory && !b.memory ? emit_binary(j, op, b, a) : emit_binary(j, op, a, b);
}

static struct jit_ref emit_add(struct jit *j, struct jit_ref a, struct jit_ref b)
{
    return emit_commutative(j, JIT_ADD, a, b);
}

static struct jit_ref emit_sub(struct jit *j, struct jit_ref a, struct jit_ref b)
{
    return emit_binary(j, JIT_SUB, a, b);
}

/* Lanes, of AVX-512 in a mask register, of AVX2 in a temporary one. */
static struct jit_ref emit_compare(struct jit *j, enum jit_predicate predicate, struct jit_ref a,
                                   struct jit_ref b)
{
    struct jit_ref to = {.reg = JIT_K};

    if (j->avx512) {
        jit_put_compare_k(&j->code, predicate, JIT_K, a.reg, b, 0);
        return to;
    }
    to = jit_alloc_temp(j);
    jit_put_compare(&j->code, predicate, to.reg, a.reg, b);
    return to;
}

/* `no` is in a register; both go, and the lanes. */
static struct jit_ref emit_select(struct jit *j, struct jit_ref lanes, struct jit_ref yes,
                                  struct jit_ref no)
{
    struct jit_ref to = result_operand(j, no, yes);

    if (j->avx512) {
        jit_put_blend_k(&j->code, to.reg, no.reg, yes, lanes.reg);
        return to;
    }
    jit_put_blend(&j->code, to.reg, no.reg, yes, lanes.reg);
    jit_free_temp(j, lanes);
    return to;
}

/* Where a product is no number though a factor is 0 it becomes 0. */
static void emit_mul0_fixup(struct jit *j, struct jit_ref product, struct jit_ref a,
                            struct jit_ref b)
{
    struct jit_code *c = &j->code;
    struct jit_ref zero = jit_constant(JIT_ZERO), nan, none;

    if (j->avx512) {
        jit_put_compare_k(c, JIT_UNORDERED, JIT_K, product.reg, product, 0);
        jit_put_compare_k(c, JIT_EQ, JIT_K_OTHER, a.reg, zero, JIT_K);
        jit_put_compare_k(c, JIT_EQ, JIT_K, b.reg, zero, JIT_K);
        jit_put_or_k(c, JIT_K, JIT_K_OTHER);
        jit_put_zero_k(c, product.reg, JIT_K);
        return;
    }
    nan = emit_compare(j, JIT_EQ, a, zero);
    none = emit_compare(j, JIT_EQ, b, zero);
    jit_put(c, JIT_OR, none.reg, none.reg, nan);
    jit_put_compare(c, JIT_UNORDERED, nan.reg, product.reg, product);
    jit_put(c, JIT_AND, none.reg, none.reg, nan);
    jit_put(c, JIT_ANDNOT, product.reg, none.reg, product);
    jit_free_temp(j, nan);
    jit_free_temp(j, none);
}

static struct jit_ref emit_mul(struct jit *j, struct jit_ref a, struct jit_ref b)
{
    struct jit_ref to;

    if (!j->exact_mul0)
        return emit_commutative(j, JIT_MUL, a, b);
    a = jit_to_register(j, a);
    b = jit_to_register(j, b);
    to = jit_alloc_temp(j);
    jit_put(&j->code, JIT_MUL, to.reg, a.reg, b);
    emit_mul0_fixup(j, to, a, b);
    jit_free_temp(j, a);
    jit_free_temp(j, b);
    return to;
}

/* --- Functions -------------------------------------------------------------------------------- */

static struct jit_ref emit_floor(struct jit *j, struct jit_ref a)
{
    struct jit_ref to = a.temporary ? a : jit_alloc_temp(j);

    jit_put_floor(&j->code, to.reg, a);
    return to;
}

static struct jit_ref emit_frc(struct jit *j, struct jit_ref a)
{
    struct jit_ref to = jit_alloc_temp(j);

    jit_put_floor(&j->code, to.reg, a);
    a = jit_to_register(j, a);
    jit_put(&j->code, JIT_SUB, to.reg, a.reg, to);
    jit_free_temp(j, a);
    return to;
}

static struct jit_ref emit_rcp(struct jit *j, struct jit_ref a)
{
    return emit_binary(j, JIT_DIV, jit_constant(JIT_ONE), a);
}

/* As f32v_rsq_plain. */
static struct jit_ref emit_rsq(struct jit *j, struct jit_ref x)
{
    struct jit_ref a, root, least;

    x = jit_to_register(j, x);
    a = x.temporary ? x : jit_alloc_temp(j);
    jit_put(&j->code, JIT_AND, a.reg, x.reg, jit_constant(JIT_MAGNITUDE));
    root = jit_to_register(j, jit_constant(JIT_FOUR));
    jit_put(&j->code, JIT_DIV, root.reg, root.reg, a);
    jit_put(&j->code, JIT_SQRT, root.reg, 0, root);
    jit_put(&j->code, JIT_MUL, root.reg, root.reg, jit_constant(JIT_HALF));
    least = emit_compare(j, JIT_EQ, a, jit_constant(JIT_LEAST_NORMAL));
    jit_free_temp(j, a);
    return emit_select(j, least, jit_constant(JIT_ROOT_OF_LEAST), root);
}

/* That of a squared length; of 0 FLT_MAX. */
static struct jit_ref emit_nrm(struct jit *j, struct jit_ref x)
{
    struct jit_ref kept = jit_to_register(j, x), root, zero;

    x = kept;
    x.temporary = false; /* it is read once more */
    root = emit_rsq(j, x);
    zero = emit_compare(j, JIT_EQ, kept, jit_constant(JIT_ZERO));
    jit_free_temp(j, kept);
    return emit_select(j, zero, jit_constant(JIT_LARGEST), root);
}

static struct jit_ref emit_round(struct jit *j, struct jit_ref x)
{
    struct jit_ref r, magnitude, small;

    x = jit_to_register(j, x);
    r = jit_alloc_temp(j);
    jit_put(&j->code, JIT_ADD, r.reg, x.reg, jit_constant(JIT_ROUNDER));
    jit_put(&j->code, JIT_SUB, r.reg, r.reg, jit_constant(JIT_ROUNDER));
    magnitude = jit_alloc_temp(j);
    jit_put(&j->code, JIT_AND, magnitude.reg, x.reg, jit_constant(JIT_MAGNITUDE));
    small = emit_compare(j, JIT_LT, magnitude, jit_constant(JIT_SMALL));
    jit_free_temp(j, magnitude);
    return emit_select(j, small, r, x);
}

/* 1 where it is so, else 0. */
static struct jit_ref emit_set_on(struct jit *j, enum jit_predicate predicate, struct jit_ref a,
                                  struct jit_ref b)
{
    struct jit_ref lanes, zero;

    a = jit_to_register(j, a);
    lanes = emit_compare(j, predicate, a, b);
    jit_free_temp(j, a);
    jit_free_temp(j, b);
    if (!j->avx512) {
        jit_put(&j->code, JIT_AND, lanes.reg, lanes.reg, jit_constant(JIT_ONE));
        return lanes;
    }
    zero = jit_to_register(j, jit_constant(JIT_ZERO));
    return emit_select(j, lanes, jit_constant(JIT_ONE), zero);
}

static struct jit_ref emit_max(struct jit *j, struct jit_ref a, struct jit_ref b)
{
    struct jit_ref lanes;

    a = jit_to_register(j, a);
    b = jit_to_register(j, b);
    lanes = emit_compare(j, JIT_GE, a, b);
    return emit_select(j, lanes, a, b);
}

/* Whether s0 passes chooses s1 or s2. */
static struct jit_ref emit_select_on(struct jit *j, enum jit_predicate predicate,
                                     enum jit_constant limit, const struct jit_ref s[3])
{
    struct jit_ref first = jit_to_register(j, s[0]), no, lanes;

    no = jit_to_register(j, s[2]);
    lanes = emit_compare(j, predicate, first, jit_constant(limit));
    jit_free_temp(j, first);
    return emit_select(j, lanes, s[1], no);
}

static struct jit_ref emit_div_or_one(struct jit *j, struct jit_ref a, struct jit_ref b)
{
    struct jit_ref divisor = jit_to_register(j, b), kept = divisor, quotient, zero;

    divisor.temporary = false;
    quotient = emit_binary(j, JIT_DIV, a, divisor);
    zero = emit_compare(j, JIT_EQ, kept, jit_constant(JIT_ZERO));
    jit_free_temp(j, kept);
    return emit_select(j, zero, jit_constant(JIT_ONE), quotient);
}

/* --- Sums of products ------------------------------------------------------------------------- */

/* Operands come to registers when they are needed, so that few are held at a time. */
static struct jit_ref emit_product(struct jit *j, unsigned k)
{
    struct jit_ref a = jit_operand(j, k), b = jit_operand(j, k + 1);

    return emit_mul(j, a, b);
}

static struct jit_ref emit_dot(struct jit *j, unsigned n)
{
    struct jit_ref sum = emit_product(j, 0);

    for (unsigned i = 1; i < n; i++)
        sum = emit_add(j, sum, emit_product(j, 2 * i));
    return sum;
}

/* With operand k, which is not needed before. */
static struct jit_ref emit_add_operand(struct jit *j, struct jit_ref sum, unsigned k)
{
    return emit_add(j, sum, jit_operand(j, k));
}

static struct jit_ref emit_mul_operand(struct jit *j, struct jit_ref product, unsigned k)
{
    return emit_mul(j, product, jit_operand(j, k));
}

static struct jit_ref emit_sum(struct jit *j)
{
    struct jit_ref a = jit_operand(j, 0), b = jit_operand(j, 1);

    return emit_add(j, a, b);
}

static struct jit_ref emit_difference(struct jit *j)
{
    struct jit_ref a = jit_operand(j, 0), b = jit_operand(j, 1);

    return emit_sub(j, a, b);
}

static struct jit_ref emit_lrp(struct jit *j)
{
    struct jit_ref from = jit_operand(j, 2), to = jit_operand(j, 1), kept = from, sum;

    from.temporary = false;
    sum = emit_sub(j, to, from);
    sum = emit_mul(j, jit_operand(j, 0), sum);
    return emit_add(j, sum, kept);
}

/* --- Lane masks ------------------------------------------------------------------------------- */

/* Lanes of a mask of the frame. */
static struct jit_ref load_frame_mask(struct jit *j, size_t at)
{
    struct jit_ref bits = jit_memory(JIT_MASKS, (int32_t)at), to = {.reg = JIT_K};

    if (j->avx512) {
        jit_put_load_k(&j->code, JIT_K, bits);
        return to;
    }
    to = jit_alloc_temp(j);
    jit_put_lanes(&j->code, to.reg, bits);
    return to;
}

static struct jit_ref emit_store(struct jit *j)
{
    struct jit_ref value = jit_operand(j, 0), old, lanes;

    if (!j->masked)
        return emit_copy(j, value);
    old = jit_slot_contents(j, j->inst[j->current].arg[0] / VM_LANE_BYTES);
    old = jit_to_register(j, old);
    lanes = load_frame_mask(j, offsetof(struct vm_frame, exec_mask));
    return emit_select(j, lanes, value, old);
}

static struct jit_ref emit_predicated(struct jit *j)
{
    uint32_t predicate = j->inst[j->current].arg[3];
    struct jit_ref yes = jit_to_register(j, jit_operand(j, 0));
    struct jit_ref no = jit_to_register(j, jit_operand(j, 1)), lanes;

    if (predicate & VM_PRED_ON) {
        lanes = load_frame_mask(j, offsetof(struct vm_frame, predicate) + (predicate & 3) * 8);
        return predicate & VM_PRED_NOT ? emit_select(j, lanes, no, yes)
                                       : emit_select(j, lanes, yes, no);
    }
    jit_free_temp(j, no);
    return emit_copy(j, yes);
}

/* A component of an indexed constant, of which guards have seen that all lanes have the same. */
static struct jit_ref emit_indexed_const(struct jit *j)
{
    const uint32_t *arg = j->inst[j->current].arg;
    struct jit_ref row = jit_operand_in_memory(j, 0), to = jit_alloc_temp(j);

    if (j->index_slot != jit_slot_of(arg[1]))
        jit_put_index(&j->code, row);
    j->index_slot = jit_slot_of(arg[1]);
    jit_put_indexed(&j->code, to.reg, (int32_t)(arg[2] * sizeof(float)));
    return to;
}

static void emit_condition(struct jit *j)
{
    static const uint8_t predicates[8] = {
        [VM_CMP_GT] = JIT_GT, [VM_CMP_EQ] = JIT_EQ, [VM_CMP_GE] = JIT_GE,
        [VM_CMP_LT] = JIT_LT, [VM_CMP_NE] = JIT_NE, [VM_CMP_LE] = JIT_LE};
    struct jit_ref to = jit_memory(JIT_MASKS, offsetof(struct vm_frame, condition));
    struct jit_ref a = jit_to_register(j, jit_operand(j, 0)), b = jit_operand(j, 1), lanes;

    lanes = emit_compare(j, (enum jit_predicate)predicates[j->inst[j->current].arg[2] & 7], a, b);
    jit_free_temp(j, a);
    jit_free_temp(j, b);
    if (j->avx512) {
        jit_put_store_k(&j->code, JIT_K, to);
        return;
    }
    jit_put_lane_bits(&j->code, lanes.reg, to);
    j->index_slot = -1; /* that was in r11 */
    jit_free_temp(j, lanes);
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
static struct jit_ref emit_arithmetic(struct jit *j, unsigned opcode)
{
    struct jit_ref first;

    switch (opcode) {
    case VM_IR_MUL:
        return emit_product(j, 0);
    case VM_IR_MAD:
        return emit_add_operand(j, emit_product(j, 0), 2);
    case VM_IR_MSUB:
        first = emit_product(j, 0);
        return emit_sub(j, first, jit_operand(j, 2));
    case VM_IR_LRP:
        return emit_lrp(j);
    case VM_IR_CRS:
        first = emit_product(j, 0);
        return emit_sub(j, first, emit_product(j, 2));
    case VM_IR_DP2:
        return emit_dot(j, 2);
    case VM_IR_DP2ADD:
        return emit_add_operand(j, emit_dot(j, 2), 4);
    case VM_IR_DP3:
        return emit_dot(j, 3);
    case VM_IR_DP4:
        return emit_dot(j, 4);
    case VM_IR_DP3ADD:
        return emit_add_operand(j, emit_dot(j, 3), 6);
    case VM_IR_DP3_NRM:
        return emit_nrm(j, emit_dot(j, 3));
    case VM_IR_DP3_RSQ:
        return emit_rsq(j, emit_dot(j, 3));
    case VM_IR_MUL3:
        return emit_mul_operand(j, emit_product(j, 0), 2);
    case VM_IR_MUL_MAD:
        return emit_add_operand(j, emit_mul_operand(j, emit_product(j, 0), 2), 3);
    case VM_IR_MAD_MAD:
        first = emit_add_operand(j, emit_product(j, 0), 4);
        return emit_add(j, first, emit_product(j, 2));
    case VM_IR_MAD_ADD:
        return emit_add_operand(j, emit_add_operand(j, emit_product(j, 0), 2), 3);
    case VM_IR_MAD_MUL:
        return emit_mul_operand(j, emit_add_operand(j, emit_product(j, 0), 2), 3);
    case VM_IR_ADD_MUL:
        return emit_mul_operand(j, emit_sum(j), 2);
    case VM_IR_SUB_MUL:
        return emit_mul_operand(j, emit_difference(j), 2);
    case VM_IR_ADD_MAD:
        return emit_add_operand(j, emit_mul_operand(j, emit_sum(j), 2), 3);
    case VM_IR_ADD:
        return emit_sum(j);
    case VM_IR_SUB:
        return emit_difference(j);
    default: /* ADD3 */
        return emit_add_operand(j, emit_sum(j), 2);
    }
}

/* -s0 * s1 + s2; see negated_mad of the kernels. */
static struct jit_ref emit_nmad(struct jit *j)
{
    struct jit_ref product, a, b;

    if (!j->exact_mul0) {
        product = emit_product(j, 0);
        return emit_sub(j, jit_operand(j, 2), product);
    }
    a = jit_to_register(j, jit_operand(j, 0));
    b = a.temporary ? a : jit_alloc_temp(j);
    jit_put(&j->code, JIT_XOR, b.reg, a.reg, jit_constant(JIT_SIGN));
    return emit_add_operand(j, emit_mul_operand(j, b, 1), 2);
}

static struct jit_ref emit_result(struct jit *j, unsigned opcode)
{
    struct jit_ref s[3];

    switch (opcode) {
    case VM_IR_STORE:
        return emit_store(j);
    case VM_IR_SELECT:
        return emit_predicated(j);
    case VM_IR_CONST:
        return emit_indexed_const(j);
    case VM_IR_NMAD:
        return emit_nmad(j);
    default:
        break;
    }
    if (op_traits(opcode) & MULTIPLIES || opcode == VM_IR_ADD || opcode == VM_IR_SUB ||
        opcode == VM_IR_ADD3)
        return emit_arithmetic(j, opcode);
    for (unsigned k = 0; k < vm_ir_op_info[opcode].n_src; k++)
        s[k] = jit_operand(j, k);
    switch (opcode) {
    case VM_IR_FRC:
        return emit_frc(j, s[0]);
    case VM_IR_FLOOR:
        return emit_floor(j, s[0]);
    case VM_IR_RCP:
        return emit_rcp(j, s[0]);
    case VM_IR_RSQ:
        return emit_rsq(j, s[0]);
    case VM_IR_NRM:
        return emit_nrm(j, s[0]);
    case VM_IR_ROUND:
        return emit_round(j, s[0]);
    case VM_IR_DIV:
        return emit_binary(j, JIT_DIV, s[0], s[1]);
    case VM_IR_DIV_ONE:
        return emit_div_or_one(j, s[0], s[1]);
    case VM_IR_MIN:
        return emit_binary(j, JIT_MIN, s[0], s[1]);
    case VM_IR_MAX:
        return emit_max(j, s[0], s[1]);
    case VM_IR_SLT:
        return emit_set_on(j, JIT_LT, s[0], s[1]);
    case VM_IR_SGE:
        return emit_set_on(j, JIT_GE, s[0], s[1]);
    case VM_IR_CMP:
        return emit_select_on(j, JIT_GE, JIT_ZERO, s);
    case VM_IR_CND:
        return emit_select_on(j, JIT_GT, JIT_HALF, s);
    default: /* MOV */
        return emit_copy(j, s[0]);
    }
}

/* Whether some operand may be a NaN that was not looked for; if that is seen in the result, nobody
 * needs to look at the operand. */
static bool absorbs_nan_check(struct jit *j, const struct jit_inst *inst)
{
    const struct ir_op_info *info = &vm_ir_op_info[inst->opcode];
    bool any = false;

    if (!(op_traits(inst->opcode) & PROPAGATES_NAN) || !jit_checks_nan(j))
        return false;
    for (unsigned k = 0; k < info->n_src; k++) {
        int32_t slot = jit_slot_of(inst->arg[info->n_dst + k]);

        if (slot >= 0 && j->slot[slot].nan_unchecked && j->slot[slot].reg != JIT_NONE) {
            any = true;
            j->slot[slot].nan_unchecked = false;
        }
    }
    return any;
}

void jit_select_inst(struct jit *j, const struct jit_inst *inst)
{
    bool nan_unchecked = (op_traits(inst->opcode) & MULTIPLIES) && jit_checks_nan(j);
    struct jit_ref ref;

    if (inst->opcode == VM_IR_COMPARE) {
        emit_condition(j);
        return;
    }
    ref = emit_result(j, inst->opcode);
    nan_unchecked = absorbs_nan_check(j, inst) || nan_unchecked;
    if (inst->op->saturate) {
        if (nan_unchecked)
            jit_nan_check(j, ref.reg);
        nan_unchecked = false;
        jit_put(&j->code, JIT_MAX, ref.reg, ref.reg, jit_constant(JIT_ZERO));
        jit_put(&j->code, JIT_MIN, ref.reg, ref.reg, jit_constant(JIT_ONE));
    }
    if (!j->out_of_registers)
        jit_define_result(j, ref, nan_unchecked);
}
