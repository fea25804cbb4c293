/* Instruction selection: emits x86-64 code for single IR instances, with the rounding, operand
 * order and zero rule of the kernels (run/vm_kern.c). The column `jit` of ir/ops.def names the
 * function of each row.
 *
 * Tested by tests/unit/vm/jit/test_jit.c and tests/unit/vm/lower/test_lower.c. */
#include "vm/jit/compiler.h"

#include "vm/run/frame.h"

/* --- Building blocks -------------------------------------------------------------------------- */

/* Register for the result of an operation on two operands: a temporary operand if there is one,
 * otherwise a new register. Frees the other operand. */
static struct x86_operand result_operand(struct jit *j, struct x86_operand a, struct x86_operand b)
{
    if (a.is_temp) {
        jit_free_temp(j, b);
        return a;
    }
    return b.is_temp ? b : jit_alloc_temp(j);
}

/* Copy of an operand in a register of its own. */
static struct x86_operand emit_copy(struct jit *j, struct x86_operand from)
{
    struct x86_operand to = from.is_temp ? from : jit_alloc_temp(j);

    if (!from.is_temp)
        x86_emit(&j->code, X86_LOAD, to.reg, 0, from);
    return to;
}

static struct x86_operand emit_binary(struct jit *j, enum x86_opcode op, struct x86_operand a,
                                      struct x86_operand b)
{
    struct x86_operand to;

    a = jit_to_register(j, a);
    to = result_operand(j, a, b);
    x86_emit(&j->code, op, to.reg, a.reg, b);
    return to;
}

/* For operations whose operands commute. */
static struct x86_operand emit_commutative(struct jit *j, enum x86_opcode op, struct x86_operand a,
                                           struct x86_operand b)
{
    return a.is_mem && !b.is_mem ? emit_binary(j, op, b, a) : emit_binary(j, op, a, b);
}

static struct x86_operand emit_add(struct jit *j, struct x86_operand a, struct x86_operand b)
{
    return emit_commutative(j, X86_ADD, a, b);
}

static struct x86_operand emit_sub(struct jit *j, struct x86_operand a, struct x86_operand b)
{
    return emit_binary(j, X86_SUB, a, b);
}

/* Returns a lane mask: a mask register on AVX-512, a temporary register on AVX2. */
static struct x86_operand emit_compare(struct jit *j, enum x86_cmp predicate, struct x86_operand a,
                                       struct x86_operand b)
{
    struct x86_operand to = {.reg = X86_K_TEMP};

    if (j->avx512) {
        x86_emit_compare_k(&j->code, predicate, X86_K_TEMP, a.reg, b, 0);
        return to;
    }
    to = jit_alloc_temp(j);
    x86_emit_compare(&j->code, predicate, to.reg, a.reg, b);
    return to;
}

/* Selects yes in the given lanes, otherwise no. `no` must be in a register. Frees all three. */
static struct x86_operand emit_select(struct jit *j, struct x86_operand lanes,
                                      struct x86_operand yes, struct x86_operand no)
{
    struct x86_operand to = result_operand(j, no, yes);

    if (j->avx512) {
        x86_emit_blend_k(&j->code, to.reg, no.reg, yes, lanes.reg);
        return to;
    }
    x86_emit_blend(&j->code, to.reg, no.reg, yes, lanes.reg);
    jit_free_temp(j, lanes);
    return to;
}

/* Sets NaN products to 0 where a factor is 0. */
static void emit_mul0_fixup(struct jit *j, struct x86_operand product, struct x86_operand a,
                            struct x86_operand b)
{
    struct x86_code *c = &j->code;
    struct x86_operand zero = x86_constant(X86_CONST_ZERO), test, clear;

    if (j->avx512) {
        x86_emit_compare_k(c, X86_CMP_UNORDERED, X86_K_TEMP, product.reg, product, 0);
        x86_emit_compare_k(c, X86_CMP_EQ, X86_K_TEMP2, a.reg, zero, X86_K_TEMP);
        x86_emit_compare_k(c, X86_CMP_EQ, X86_K_TEMP, b.reg, zero, X86_K_TEMP);
        x86_emit_or_k(c, X86_K_TEMP, X86_K_TEMP2);
        x86_emit_zero_k(c, product.reg, X86_K_TEMP);
        return;
    }
    test = emit_compare(j, X86_CMP_EQ, a, zero);
    clear = emit_compare(j, X86_CMP_EQ, b, zero);
    x86_emit(c, X86_OR, clear.reg, clear.reg, test);
    x86_emit_compare(c, X86_CMP_UNORDERED, test.reg, product.reg, product);
    x86_emit(c, X86_AND, clear.reg, clear.reg, test);
    x86_emit(c, X86_ANDNOT, product.reg, clear.reg, product);
    jit_free_temp(j, test);
    jit_free_temp(j, clear);
}

static struct x86_operand emit_mul(struct jit *j, struct x86_operand a, struct x86_operand b)
{
    struct x86_operand to;

    if (!j->exact_mul0)
        return emit_commutative(j, X86_MUL, a, b);
    a = jit_to_register(j, a);
    b = jit_to_register(j, b);
    to = jit_alloc_temp(j);
    x86_emit(&j->code, X86_MUL, to.reg, a.reg, b);
    emit_mul0_fixup(j, to, a, b);
    jit_free_temp(j, a);
    jit_free_temp(j, b);
    return to;
}

/* Same operations as f32v_rsq_plain. */
static struct x86_operand emit_rsq(struct jit *j, struct x86_operand x)
{
    struct x86_operand a, root, least;

    x = jit_to_register(j, x);
    a = x.is_temp ? x : jit_alloc_temp(j);
    x86_emit(&j->code, X86_AND, a.reg, x.reg, x86_constant(X86_CONST_ABS_MASK));
    root = jit_to_register(j, x86_constant(X86_CONST_FOUR));
    x86_emit(&j->code, X86_DIV, root.reg, root.reg, a);
    x86_emit(&j->code, X86_SQRT, root.reg, 0, root);
    x86_emit(&j->code, X86_MUL, root.reg, root.reg, x86_constant(X86_CONST_HALF));
    least = emit_compare(j, X86_CMP_EQ, a, x86_constant(X86_CONST_FLT_MIN));
    jit_free_temp(j, a);
    return emit_select(j, least, x86_constant(X86_CONST_RSQ_FLT_MIN), root);
}

/* 1/sqrt of a squared length; FLT_MAX for 0. */
static struct x86_operand emit_nrm(struct jit *j, struct x86_operand x)
{
    struct x86_operand kept = jit_to_register(j, x), root, zero;

    x = kept;
    x.is_temp = false; /* `kept` owns the register: the comparison below needs it */
    root = emit_rsq(j, x);
    zero = emit_compare(j, X86_CMP_EQ, kept, x86_constant(X86_CONST_ZERO));
    jit_free_temp(j, kept);
    return emit_select(j, zero, x86_constant(X86_CONST_FLT_MAX), root);
}

/* Sums of products. They load operands when they need them, so that few registers are live at a
 * time. */
static struct x86_operand emit_product(struct jit *j, unsigned k)
{
    struct x86_operand a = jit_operand(j, k), b = jit_operand(j, k + 1);

    return emit_mul(j, a, b);
}

static struct x86_operand emit_dot(struct jit *j, unsigned n)
{
    struct x86_operand sum = emit_product(j, 0);

    for (unsigned i = 1; i < n; i++)
        sum = emit_add(j, sum, emit_product(j, 2 * i));
    return sum;
}

/* Adds operand k. Loads it only after the sum is complete. */
static struct x86_operand emit_add_operand(struct jit *j, struct x86_operand sum, unsigned k)
{
    return emit_add(j, sum, jit_operand(j, k));
}

static struct x86_operand emit_mul_operand(struct jit *j, struct x86_operand product, unsigned k)
{
    return emit_mul(j, product, jit_operand(j, k));
}

/* --- Rows of ops.def: arithmetic -------------------------------------------------------------- */

/* Each function emits one instance of an IR instruction and returns the result. */

static struct x86_operand op_mov(struct jit *j)
{
    return emit_copy(j, jit_operand(j, 0));
}

static struct x86_operand op_add(struct jit *j)
{
    struct x86_operand a = jit_operand(j, 0), b = jit_operand(j, 1);

    return emit_add(j, a, b);
}

static struct x86_operand op_sub(struct jit *j)
{
    struct x86_operand a = jit_operand(j, 0), b = jit_operand(j, 1);

    return emit_sub(j, a, b);
}

static struct x86_operand op_mul(struct jit *j)
{
    return emit_product(j, 0);
}

static struct x86_operand op_mad(struct jit *j)
{
    return emit_add_operand(j, emit_product(j, 0), 2);
}

static struct x86_operand op_msub(struct jit *j)
{
    struct x86_operand product = emit_product(j, 0);

    return emit_sub(j, product, jit_operand(j, 2));
}

/* See negated_mad in run/vm_kern.c. */
static struct x86_operand op_nmad(struct jit *j)
{
    struct x86_operand product, a, b;

    if (!j->exact_mul0) {
        product = emit_product(j, 0);
        return emit_sub(j, jit_operand(j, 2), product);
    }
    a = jit_to_register(j, jit_operand(j, 0));
    b = a.is_temp ? a : jit_alloc_temp(j);
    x86_emit(&j->code, X86_XOR, b.reg, a.reg, x86_constant(X86_CONST_SIGN_BIT));
    return emit_add_operand(j, emit_mul_operand(j, b, 1), 2);
}

static struct x86_operand op_lrp(struct jit *j)
{
    struct x86_operand from = jit_operand(j, 2), to = jit_operand(j, 1), kept = from, sum;

    from.is_temp = false;
    sum = emit_sub(j, to, from);
    sum = emit_mul(j, jit_operand(j, 0), sum);
    return emit_add(j, sum, kept);
}

static struct x86_operand op_crs(struct jit *j)
{
    struct x86_operand product = emit_product(j, 0);

    return emit_sub(j, product, emit_product(j, 2));
}

static struct x86_operand op_dp2(struct jit *j)
{
    return emit_dot(j, 2);
}

static struct x86_operand op_dp2add(struct jit *j)
{
    return emit_add_operand(j, emit_dot(j, 2), 4);
}

static struct x86_operand op_dp3(struct jit *j)
{
    return emit_dot(j, 3);
}

static struct x86_operand op_dp4(struct jit *j)
{
    return emit_dot(j, 4);
}

/* --- Rows of ops.def: fused pairs ------------------------------------------------------------- */

static struct x86_operand op_dp3add(struct jit *j)
{
    return emit_add_operand(j, emit_dot(j, 3), 6);
}

static struct x86_operand op_dp3_nrm(struct jit *j)
{
    return emit_nrm(j, emit_dot(j, 3));
}

static struct x86_operand op_dp3_rsq(struct jit *j)
{
    return emit_rsq(j, emit_dot(j, 3));
}

static struct x86_operand op_mul3(struct jit *j)
{
    return emit_mul_operand(j, emit_product(j, 0), 2);
}

static struct x86_operand op_mul_mad(struct jit *j)
{
    return emit_add_operand(j, op_mul3(j), 3);
}

static struct x86_operand op_mad_mad(struct jit *j)
{
    struct x86_operand first = emit_add_operand(j, emit_product(j, 0), 4);

    return emit_add(j, first, emit_product(j, 2));
}

static struct x86_operand op_mad_add(struct jit *j)
{
    return emit_add_operand(j, op_mad(j), 3);
}

static struct x86_operand op_mad_mul(struct jit *j)
{
    return emit_mul_operand(j, op_mad(j), 3);
}

static struct x86_operand op_add3(struct jit *j)
{
    return emit_add_operand(j, op_add(j), 2);
}

static struct x86_operand op_add_mul(struct jit *j)
{
    return emit_mul_operand(j, op_add(j), 2);
}

static struct x86_operand op_sub_mul(struct jit *j)
{
    return emit_mul_operand(j, op_sub(j), 2);
}

static struct x86_operand op_add_mad(struct jit *j)
{
    return emit_add_operand(j, op_add_mul(j), 3);
}

/* --- Rows of ops.def: functions --------------------------------------------------------------- */

static struct x86_operand op_frc(struct jit *j)
{
    struct x86_operand a = jit_operand(j, 0), to = jit_alloc_temp(j);

    x86_emit_floor(&j->code, to.reg, a);
    a = jit_to_register(j, a);
    x86_emit(&j->code, X86_SUB, to.reg, a.reg, to);
    jit_free_temp(j, a);
    return to;
}

static struct x86_operand op_floor(struct jit *j)
{
    struct x86_operand a = jit_operand(j, 0), to = a.is_temp ? a : jit_alloc_temp(j);

    x86_emit_floor(&j->code, to.reg, a);
    return to;
}

static struct x86_operand op_round(struct jit *j)
{
    struct x86_operand x = jit_to_register(j, jit_operand(j, 0)), r, magnitude, small;

    r = jit_alloc_temp(j);
    x86_emit(&j->code, X86_ADD, r.reg, x.reg, x86_constant(X86_CONST_ROUND_MAGIC));
    x86_emit(&j->code, X86_SUB, r.reg, r.reg, x86_constant(X86_CONST_ROUND_MAGIC));
    magnitude = jit_alloc_temp(j);
    x86_emit(&j->code, X86_AND, magnitude.reg, x.reg, x86_constant(X86_CONST_ABS_MASK));
    small = emit_compare(j, X86_CMP_LT, magnitude, x86_constant(X86_CONST_ROUND_LIMIT));
    jit_free_temp(j, magnitude);
    return emit_select(j, small, r, x);
}

static struct x86_operand op_rcp(struct jit *j)
{
    return emit_binary(j, X86_DIV, x86_constant(X86_CONST_ONE), jit_operand(j, 0));
}

static struct x86_operand op_rsq(struct jit *j)
{
    return emit_rsq(j, jit_operand(j, 0));
}

static struct x86_operand op_nrm(struct jit *j)
{
    return emit_nrm(j, jit_operand(j, 0));
}

static struct x86_operand op_div(struct jit *j)
{
    struct x86_operand a = jit_operand(j, 0), b = jit_operand(j, 1);

    return emit_binary(j, X86_DIV, a, b);
}

static struct x86_operand op_div_one(struct jit *j)
{
    struct x86_operand a = jit_operand(j, 0), divisor = jit_to_register(j, jit_operand(j, 1));
    struct x86_operand kept = divisor, quotient, zero;

    divisor.is_temp = false;
    quotient = emit_binary(j, X86_DIV, a, divisor);
    zero = emit_compare(j, X86_CMP_EQ, kept, x86_constant(X86_CONST_ZERO));
    jit_free_temp(j, kept);
    return emit_select(j, zero, x86_constant(X86_CONST_ONE), quotient);
}

/* --- Rows of ops.def: comparisons ------------------------------------------------------------- */

static struct x86_operand op_min(struct jit *j)
{
    struct x86_operand a = jit_operand(j, 0), b = jit_operand(j, 1);

    return emit_binary(j, X86_MIN, a, b);
}

static struct x86_operand op_max(struct jit *j)
{
    struct x86_operand a = jit_operand(j, 0), b = jit_operand(j, 1), lanes;

    a = jit_to_register(j, a);
    b = jit_to_register(j, b);
    lanes = emit_compare(j, X86_CMP_GE, a, b);
    return emit_select(j, lanes, a, b);
}

/* 1 where the comparison holds, otherwise 0. */
static struct x86_operand emit_set_on(struct jit *j, enum x86_cmp predicate)
{
    struct x86_operand a = jit_operand(j, 0), b = jit_operand(j, 1), lanes, zero;

    a = jit_to_register(j, a);
    lanes = emit_compare(j, predicate, a, b);
    jit_free_temp(j, a);
    jit_free_temp(j, b);
    if (!j->avx512) {
        x86_emit(&j->code, X86_AND, lanes.reg, lanes.reg, x86_constant(X86_CONST_ONE));
        return lanes;
    }
    zero = jit_to_register(j, x86_constant(X86_CONST_ZERO));
    return emit_select(j, lanes, x86_constant(X86_CONST_ONE), zero);
}

static struct x86_operand op_slt(struct jit *j)
{
    return emit_set_on(j, X86_CMP_LT);
}

static struct x86_operand op_sge(struct jit *j)
{
    return emit_set_on(j, X86_CMP_GE);
}

/* Selects s1 where s0 passes the comparison, otherwise s2. */
static struct x86_operand emit_select_on(struct jit *j, enum x86_cmp predicate,
                                         enum x86_constant limit)
{
    struct x86_operand first = jit_operand(j, 0), yes = jit_operand(j, 1), no = jit_operand(j, 2);
    struct x86_operand lanes;

    first = jit_to_register(j, first);
    no = jit_to_register(j, no);
    lanes = emit_compare(j, predicate, first, x86_constant(limit));
    jit_free_temp(j, first);
    return emit_select(j, lanes, yes, no);
}

static struct x86_operand op_cmp(struct jit *j)
{
    return emit_select_on(j, X86_CMP_GE, X86_CONST_ZERO);
}

static struct x86_operand op_cnd(struct jit *j)
{
    return emit_select_on(j, X86_CMP_GT, X86_CONST_HALF);
}

/* --- Rows of ops.def: lane masks and indexed constants ---------------------------------------- */

/* Loads a lane mask that lies at an offset in the frame. */
static struct x86_operand load_frame_mask(struct jit *j, size_t at)
{
    struct x86_operand bits = x86_mem(X86_BASE_MASKS, (int32_t)at), to = {.reg = X86_K_TEMP};

    if (j->avx512) {
        x86_emit_load_k(&j->code, X86_K_TEMP, bits);
        return to;
    }
    to = jit_alloc_temp(j);
    x86_emit_expand_mask(&j->code, to.reg, bits);
    return to;
}

static struct x86_operand op_store(struct jit *j)
{
    struct x86_operand value = jit_operand(j, 0), old, lanes;

    if (!j->masked)
        return emit_copy(j, value);
    old = jit_slot_contents(j, j->inst[j->current].arg[0] / VM_LANE_BYTES);
    old = jit_to_register(j, old);
    lanes = load_frame_mask(j, offsetof(struct vm_frame, exec_mask));
    return emit_select(j, lanes, value, old);
}

static struct x86_operand op_select(struct jit *j)
{
    uint32_t predicate = j->inst[j->current].arg[3];
    struct x86_operand yes = jit_to_register(j, jit_operand(j, 0));
    struct x86_operand no = jit_to_register(j, jit_operand(j, 1)), lanes;

    if (predicate & VM_PRED_ON) {
        lanes = load_frame_mask(j, offsetof(struct vm_frame, predicate) + (predicate & 3) * 8);
        return predicate & VM_PRED_NOT ? emit_select(j, lanes, no, yes)
                                       : emit_select(j, lanes, yes, no);
    }
    jit_free_temp(j, no);
    return emit_copy(j, yes);
}

/* Component of an indexed constant. Guards have verified that all lanes have the same index. */
static struct x86_operand op_const(struct jit *j)
{
    const uint32_t *arg = j->inst[j->current].arg;
    struct x86_operand index = jit_operand_in_memory(j, 0), to = jit_alloc_temp(j);

    if (j->index_slot != jit_slot_of(arg[1]))
        x86_emit_index(&j->code, index);
    j->index_slot = jit_slot_of(arg[1]);
    x86_emit_load_indexed(&j->code, to.reg, (int32_t)(arg[2] * sizeof(float)));
    return to;
}

/* Has no result: writes vm_frame.condition. */
static struct x86_operand op_compare(struct jit *j)
{
    static const uint8_t predicates[8] = {
        [VM_CMP_GT] = X86_CMP_GT, [VM_CMP_EQ] = X86_CMP_EQ, [VM_CMP_GE] = X86_CMP_GE,
        [VM_CMP_LT] = X86_CMP_LT, [VM_CMP_NE] = X86_CMP_NE, [VM_CMP_LE] = X86_CMP_LE};
    struct x86_operand to = x86_mem(X86_BASE_MASKS, offsetof(struct vm_frame, condition));
    struct x86_operand a = jit_to_register(j, jit_operand(j, 0)), b = jit_operand(j, 1), lanes;

    lanes = emit_compare(j, (enum x86_cmp)predicates[j->inst[j->current].arg[2] & 7], a, b);
    jit_free_temp(j, a);
    jit_free_temp(j, b);
    if (j->avx512) {
        x86_emit_store_k(&j->code, X86_K_TEMP, to);
        return lanes;
    }
    x86_emit_store_mask(&j->code, lanes.reg, to);
    j->index_slot = -1; /* r11 is clobbered */
    jit_free_temp(j, lanes);
    return lanes;
}

/* --- Dispatch --------------------------------------------------------------------------------- */

/* How an opcode is compiled: column `jit` of ir/ops.def. */
struct rule {
    struct x86_operand (*emit)(struct jit *j); /* NULL: the interpreter runs it */
    bool multiplies;                           /* the result is checked for NaN */
    bool propagates_nan;                       /* a NaN operand makes the result NaN */
};

#define PRODUCT(name)                                                                              \
    {                                                                                              \
        .emit = op_##name, .multiplies = true, .propagates_nan = true                              \
    }
#define PASSES_NAN(name)                                                                           \
    {                                                                                              \
        .emit = op_##name, .propagates_nan = true                                                  \
    }
#define LANEWISE(name)                                                                             \
    {                                                                                              \
        .emit = op_##name                                                                          \
    }
#define INTERPRETED                                                                                \
    {                                                                                              \
        .emit = NULL                                                                               \
    }
static const struct rule rules[VM_IR_END + 1] = {
#define IR_OP(name, dst, src, imm, flags, kernel, jit) [VM_IR_##name] = jit,
#include "vm/ir/ops.def"
#undef IR_OP
    [VM_IR_FLOW] = INTERPRETED,
    [VM_IR_END] = INTERPRETED,
};

bool jit_is_supported(unsigned opcode)
{
    return rules[opcode].emit;
}

/* True if an operand may be an unchecked NaN that makes the result NaN. The check of the result
 * then covers the operand, which counts as checked from now on. */
static bool absorbs_nan_check(struct jit *j, const struct jit_inst *inst)
{
    const struct ir_op_info *info = &vm_ir_op_info[inst->opcode];
    bool any = false;

    if (!rules[inst->opcode].propagates_nan || !jit_checks_nan(j))
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
    const struct rule *rule = &rules[inst->opcode];
    struct x86_operand ref = rule->emit(j);
    bool nan_unchecked;

    if (!vm_ir_op_info[inst->opcode].n_dst)
        return;
    nan_unchecked = absorbs_nan_check(j, inst) || (rule->multiplies && jit_checks_nan(j));
    if (inst->op->saturate) {
        if (nan_unchecked)
            jit_nan_check(j, ref.reg);
        nan_unchecked = false;
        x86_emit(&j->code, X86_MAX, ref.reg, ref.reg, x86_constant(X86_CONST_ZERO));
        x86_emit(&j->code, X86_MIN, ref.reg, ref.reg, x86_constant(X86_CONST_ONE));
    }
    if (!j->out_of_registers)
        jit_define_result(j, ref, nan_unchecked);
}
