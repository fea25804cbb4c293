/* Instruction selection: a row per operation, and loops over the vectors of lanes. Results are
 * those of the formulas of ops.def, bit by bit.
 *
 * Tested by tests/unit/ir/x86/test_x86.c. */
#include "ir/x86/select.h"

#include <string.h>

/* An instruction with the places of its result and operands. */
struct selection {
    const struct ir_inst *inst;
    uint32_t i;
    uint8_t d;               /* register of the result */
    struct x86_operand x[3]; /* at most one in memory */
};

enum { MEMORY_A = 1, MEMORY_B = 2, MEMORY_AB = 3 };
enum { EARLY = 1 };

/* How an operation becomes instructions. */
struct row {
    void (*emit)(struct x86_selector *s, const struct selection *n);
    enum x86_form form; /* for emit functions that many rows share */
    uint8_t predicate;  /* of comparisons */
    uint8_t memory[2];  /* operands that may be in memory, on AVX2 and on AVX-512 */
    uint8_t early[2];   /* the result is written before all operands are read */
};
static const struct row rows[IR_OP_COUNT];

/* --- Registers -------------------------------------------------------------------------------- */

/* The highest vector register and mask register 1 are scratch of single rows and of moves. */
enum { SCRATCH_MASK = 1 };

static unsigned scratch(const struct x86_selector *s)
{
    return s->registers->end[0];
}

const struct x86_registers *ir_x86_registers(const struct x86_target *t)
{
    static const struct x86_registers registers[2][2] = {
        {{.end = {7}}, {.first = {0, 34}, .end = {7, 40}, .masks = true, .uniforms = true}},
        {{.end = {15}}, {.first = {0, 34}, .end = {31, 40}, .masks = true, .uniforms = true}}};

    return &registers[t->is_64][t->avx512];
}

void ir_x86_constraints(struct x86_constraint out[IR_OP_COUNT], const struct x86_target *t)
{
    for (unsigned op = 0; op < IR_OP_COUNT; op++)
        out[op] = (struct x86_constraint){.memory = rows[op].memory[t->avx512],
                                          .early = rows[op].early[t->avx512]};
}

static bool avx512(const struct x86_selector *s)
{
    return s->code->target.avx512;
}

/* --- Emission --------------------------------------------------------------------------------- */

/* d = a OP m. Forms without a second source ignore a. */
static void emit3(struct x86_selector *s, enum x86_form form, unsigned d, unsigned a,
                  struct x86_operand m)
{
    ir_x86_emit(s->code,
                &(struct x86_inst){.form = form, .r = (uint8_t)d, .v = (uint8_t)a, .m = m});
}

static void emit2(struct x86_selector *s, enum x86_form form, unsigned d, struct x86_operand m)
{
    emit3(s, form, d, 0, m);
}

static void emit_imm(struct x86_selector *s, enum x86_form form, unsigned d, unsigned a,
                     struct x86_operand m, int32_t imm)
{
    ir_x86_emit(s->code, &(struct x86_inst){
                             .form = form, .r = (uint8_t)d, .v = (uint8_t)a, .m = m, .imm = imm});
}

/* For lanes of mask register k; the others keep the result's old value, or become 0. */
static void emit_masked(struct x86_selector *s, enum x86_form form, unsigned d, unsigned a,
                        struct x86_operand m, unsigned k, bool zeroing)
{
    ir_x86_emit(s->code, &(struct x86_inst){.form = form,
                                            .r = (uint8_t)d,
                                            .v = (uint8_t)a,
                                            .m = m,
                                            .k = (uint8_t)k,
                                            .zeroing = zeroing});
}

enum predicate { EQUAL = 0, UNORDERED = 3, LESS = 0x11, LESS_EQUAL = 0x12 };

static void emit_compare(struct x86_selector *s, unsigned predicate, unsigned d, unsigned a,
                         struct x86_operand m)
{
    emit_imm(s, X86_CMPPS, d, a, m, (int32_t)predicate);
}

static void emit_zero(struct x86_selector *s, unsigned d)
{
    emit3(s, X86_PXOR, d, d, x86_reg(d));
}

static void emit_all_ones(struct x86_selector *s, unsigned d)
{
    emit3(s, X86_PCMPEQD, d, d, x86_reg(d));
}

/* --- Memory ----------------------------------------------------------------------------------- */

static unsigned base_register(struct x86_selector *s, unsigned base)
{
    return ir_x86_base(s->code, s->frame, base);
}

static struct x86_operand uniform_memory(struct x86_selector *s, const struct ir_inst *inst)
{
    return x86_mem(base_register(s, inst->base), (int32_t)inst->imm);
}

static struct x86_operand lane_memory(struct x86_selector *s, const struct ir_inst *inst)
{
    return x86_indexed(base_register(s, inst->base), X86_LANE, 2, (int32_t)inst->imm);
}

/* A byte or two of a mask of 64 bits. */
static struct x86_operand mask_memory(struct x86_selector *s, const struct ir_inst *inst)
{
    emit2(s, X86_MOV, X86_AX, x86_reg(X86_LANE));
    emit_imm(s, X86_SHR, 0, 0, x86_reg(X86_AX), 3);
    return x86_indexed(base_register(s, inst->base), X86_AX, 0, (int32_t)inst->imm);
}

/* Bytes of a slot, in the order of x86_allocation.n_slots. Of the masks in registers, a wide slot
 * has 2 bytes every 16 bytes, so that the lane's number is an index. */
static uint32_t slot_bytes(const struct x86_target *t, unsigned kind)
{
    return kind == 0 ? x86_vector_bytes(t) : kind == 1 ? 16 : kind == 2 ? 4 * IR_LANES : IR_LANES;
}

/* Where slots of a kind start; kind 4: where all end. The order keeps them aligned. */
static uint32_t slots_at(const struct x86_allocation *allocation, const struct x86_target *t,
                         unsigned kind)
{
    static const uint8_t order[] = {2, 0, 3, 1};
    uint32_t at = X86_WORK_SLOTS;

    for (unsigned i = 0; i < sizeof(order) && order[i] != kind; i++)
        at += allocation->n_slots[order[i]] * slot_bytes(t, order[i]);
    return at;
}

static struct x86_operand slot_memory(struct x86_selector *s, uint32_t value)
{
    const struct x86_target *t = &s->code->target;
    bool is_mask = x86_class_of(s->registers, &s->live->inst[value]),
         wide = s->allocation->wide[value];
    unsigned kind = is_mask + 2u * wide;
    int32_t at = (int32_t)(slots_at(s->allocation, t, kind) +
                           s->allocation->slot[value] * slot_bytes(t, kind));

    return wide ? x86_indexed(X86_WORK, X86_LANE, is_mask ? 0 : 2, at) : x86_mem(X86_WORK, at);
}

size_t ir_x86_work_bytes(const struct x86_allocation *allocation, const struct x86_target *t)
{
    return slots_at(allocation, t, 4);
}

/* A value in its home or slot. */
static struct x86_operand value_memory(struct x86_selector *s, uint32_t value)
{
    const struct ir_inst *inst = &s->live->inst[value];
    struct x86_operand m;

    if (!s->live->homed[value])
        return slot_memory(s, value);
    if (inst->op == IR_CONST || inst->op == IR_MCONST)
        return ir_x86_constant(s->code, inst->op == IR_CONST ? inst->imm
                                        : inst->imm          ? UINT32_MAX
                                                             : 0);
    if (inst->op == IR_LOAD)
        return lane_memory(s, inst);
    m = uniform_memory(s, inst);
    m.broadcast = true;
    return m;
}

/* --- Moves ------------------------------------------------------------------------------------ */

static void load_mask_register(struct x86_selector *s, uint32_t value, unsigned k)
{
    const struct ir_inst *inst = &s->live->inst[value];

    if (inst->op == IR_MCONST)
        emit3(s, inst->imm ? X86_KXNORW : X86_KXORW, k, k, x86_reg(k));
    else
        emit2(s, X86_KMOVW, k, slot_memory(s, value));
}

static void load_vector(struct x86_selector *s, uint32_t value, unsigned d)
{
    const struct ir_inst *inst = &s->live->inst[value];
    bool is_constant = inst->op == IR_CONST || inst->op == IR_MCONST;
    struct x86_operand m;

    if (is_constant && !inst->imm) {
        emit_zero(s, d);
        return;
    }
    if (inst->op == IR_MCONST) {
        emit_all_ones(s, d);
        return;
    }
    m = value_memory(s, value);
    if (m.broadcast || (s->live->homed[value] && inst->op == IR_UNIFORM)) {
        m.broadcast = false;
        emit2(s, X86_BROADCASTSS, d, m);
    } else {
        emit2(s, X86_MOVUPS, d, m);
    }
}

static void move_mask(struct x86_selector *s, const struct x86_move *move)
{
    struct x86_operand swap = x86_mem(X86_WORK, X86_WORK_SWAP_MASK);
    bool to_register = move->to < X86_PLACES, from_register = move->from < X86_PLACES;
    unsigned k = to_register     ? move->to - (unsigned)X86_PLACE_MASK
                 : from_register ? move->from - (unsigned)X86_PLACE_MASK
                                 : SCRATCH_MASK;

    if (move->from == X86_PLACE_SWAP)
        emit2(s, X86_KMOVW, k, swap);
    else if (move->from == X86_PLACE_MEMORY)
        load_mask_register(s, move->value, k);
    else if (to_register)
        emit2(s, X86_KMOVW, k, x86_reg(move->from - (unsigned)X86_PLACE_MASK));
    if (!to_register)
        emit2(s, X86_KMOVW_TO, k, move->to == X86_PLACE_SWAP ? swap : slot_memory(s, move->to_phi));
}

static void move_vector(struct x86_selector *s, const struct x86_move *move)
{
    struct x86_operand swap = x86_mem(X86_WORK, X86_WORK_SWAP);
    bool to_register = move->to < X86_PLACES;
    unsigned reg = to_register ? move->to : move->from < X86_PLACES ? move->from : scratch(s);

    if (move->from == X86_PLACE_SWAP)
        emit2(s, X86_MOVUPS, reg, swap);
    else if (move->from == X86_PLACE_MEMORY)
        load_vector(s, move->value, reg);
    else if (to_register)
        emit2(s, X86_MOVAPS, reg, x86_reg(move->from));
    if (!to_register)
        emit2(s, X86_MOVUPS_TO, reg,
              move->to == X86_PLACE_SWAP ? swap : slot_memory(s, move->to_phi));
}

static void emit_move(struct x86_selector *s, const struct x86_move *move)
{
    if (x86_class_of(s->registers, &s->live->inst[move->value]))
        move_mask(s, move);
    else
        move_vector(s, move);
}

/* Emits the moves before instruction i, from the given one up to the end or a divider. Returns
 * where it stopped. */
static uint32_t emit_moves(struct x86_selector *s, uint32_t i, uint32_t m)
{
    for (; m < s->allocation->first_move[i + 1] && s->allocation->move[m].to != X86_PLACE_NONE; m++)
        emit_move(s, &s->allocation->move[m]);
    return m;
}

/* --- Rows: one instruction -------------------------------------------------------------------- */

static void emit_none(struct x86_selector *s, const struct selection *n)
{
    (void)s, (void)n;
}

static void emit_unary(struct x86_selector *s, const struct selection *n)
{
    emit2(s, rows[n->inst->op].form, n->d, n->x[0]);
}

static void emit_binary(struct x86_selector *s, const struct selection *n)
{
    emit3(s, rows[n->inst->op].form, n->d, n->x[0].reg, n->x[1]);
}

static void emit_commutes(struct x86_selector *s, const struct selection *n)
{
    bool exchange = n->x[0].is_mem;

    emit3(s, rows[n->inst->op].form, n->d, n->x[exchange].reg, n->x[!exchange]);
}

static void emit_shift(struct x86_selector *s, const struct selection *n)
{
    emit_imm(s, rows[n->inst->op].form, 0, n->d, n->x[0], (int32_t)n->inst->imm);
}

static void emit_floor(struct x86_selector *s, const struct selection *n)
{
    enum { DOWN = 1, NO_EXCEPTION = 8 };

    emit_imm(s, X86_ROUNDPS, n->d, 0, n->x[0], DOWN | NO_EXCEPTION);
}

static void emit_quad(struct x86_selector *s, const struct selection *n)
{
    emit_imm(s, X86_PSHUFD, n->d, 0, n->x[0], (int32_t)n->inst->imm);
}

static void emit_neg(struct x86_selector *s, const struct selection *n)
{
    emit3(s, X86_PXOR, n->d, n->x[0].reg, ir_x86_constant(s->code, UINT32_C(1) << 31));
}

static void emit_abs(struct x86_selector *s, const struct selection *n)
{
    emit3(s, X86_PAND, n->d, n->x[0].reg, ir_x86_constant(s->code, INT32_MAX));
}

/* --- Rows: packed numbers --------------------------------------------------------------------- */

/* The field, and then one multiplication by 1/d in two parts: util/simd/generic.h,
 * f32v_div_codes. */
static void emit_unorm(struct x86_selector *s, const struct selection *n)
{
    unsigned shift = n->inst->imm & 31, bits = (n->inst->imm >> 5) + 1, d = n->d, t = scratch(s);
    uint32_t max = (1u << bits) - 1;
    bool is_last = shift + bits == 32; /* the field has the sign bit */
    float by = (float)max * (is_last ? 1.0f : (float)(1u << shift)), high = 1.0f / by,
          low = (float)((1.0 - (double)high * (double)by) / (double)by);
    uint32_t high_bits, low_bits;

    memcpy(&high_bits, &high, sizeof(high_bits));
    memcpy(&low_bits, &low, sizeof(low_bits));
    if (is_last && shift)
        emit_imm(s, X86_PSRLD, 0, d, n->x[0], (int32_t)shift);
    else
        emit3(s, X86_PAND, d, n->x[0].reg, ir_x86_constant(s->code, max << shift));
    emit2(s, X86_CVTDQ2PS, d, x86_reg(d));
    if (bits == 1) {
        emit3(s, X86_MULPS, d, d, ir_x86_constant(s->code, high_bits));
        return;
    }
    emit3(s, X86_MULPS, t, d, ir_x86_constant(s->code, low_bits));
    emit3(s, X86_FMADD132PS, d, t, ir_x86_constant(s->code, high_bits));
}

static void emit_h2f(struct x86_selector *s, const struct selection *n)
{
    enum { EVEN_WORDS = 0x08 }; /* of 64 bits: 0 and 2 */
    unsigned shift = n->inst->imm, d = n->d;
    bool is_pair = !avx512(s) && (shift == 0 || shift == 16);
    struct x86_operand from = n->x[0];

    if (shift && !is_pair) {
        emit_imm(s, X86_PSRLD, 0, d, from, (int32_t)shift);
        from = x86_reg(d);
    }
    if (avx512(s)) {
        emit2(s, X86_PMOVDW, from.reg, x86_reg(d));
    } else {
        emit3(s, X86_PSHUFB, d, from.reg,
              ir_x86_pool_vector(is_pair && shift ? X86_POOL_HIGH_HALVES : X86_POOL_LOW_HALVES));
        emit_imm(s, X86_PERMQ, d, 0, x86_reg(d), EVEN_WORDS);
    }
    emit2(s, X86_CVTPH2PS, d, x86_reg(d));
}

static void emit_f2h(struct x86_selector *s, const struct selection *n)
{
    enum { NAN_BITS = 0x7fc00000 };
    struct x86_operand nan = ir_x86_constant(s->code, NAN_BITS);
    unsigned a = n->x[0].reg, d = n->d, t = scratch(s);

    if (avx512(s)) {
        emit_compare(s, UNORDERED, SCRATCH_MASK, a, x86_reg(a));
        emit_masked(s, X86_PBLENDMD, d, a, nan, SCRATCH_MASK, false);
    } else {
        emit_compare(s, UNORDERED, t, a, x86_reg(a));
        emit_imm(s, X86_BLENDVPS, d, a, nan, (int32_t)t << 4);
    }
    emit_imm(s, X86_CVTPS2PH, d, 0, x86_reg(d), 0); /* to nearest even */
    emit2(s, X86_PMOVZXWD, d, x86_reg(d));
}

/* --- Rows: multiplication with the zero rule -------------------------------------------------- */

/* Clears the products that are NaN and have a factor 0. AVX-512 looks for such factors where the
 * product is NaN. AVX2 looks for NaNs among the products with such a factor, other lanes are 0
 * there. */
static void emit_mul0(struct x86_selector *s, const struct selection *n)
{
    enum { ZERO_BECOMES_0 = 0x800 }; /* table of vfixupimmps: other classes keep the product */
    unsigned a = n->x[0].reg, b = n->x[1].reg, d = n->d, t = scratch(s);
    struct x86_operand zero;

    if (avx512(s)) {
        struct x86_operand table = ir_x86_constant(s->code, ZERO_BECOMES_0);

        emit3(s, X86_MULPS, d, a, n->x[1]);
        emit_compare(s, UNORDERED, SCRATCH_MASK, d, x86_reg(d));
        emit_masked(s, X86_FIXUPIMMPS, d, a, table, SCRATCH_MASK, false);
        if (b != a)
            emit_masked(s, X86_FIXUPIMMPS, d, b, table, SCRATCH_MASK, false);
        return;
    }
    zero = ir_x86_constant(s->code, 0);
    emit_compare(s, EQUAL, t, a, zero);
    emit_compare(s, EQUAL, d, b, zero);
    emit3(s, X86_POR, d, d, x86_reg(t));
    emit3(s, X86_MULPS, t, a, n->x[1]);
    emit3(s, X86_PAND, d, d, x86_reg(t));
    emit_compare(s, UNORDERED, d, d, x86_reg(d));
    emit3(s, X86_PANDN, d, d, x86_reg(t));
}

/* --- Rows: comparisons and masks -------------------------------------------------------------- */

static void emit_compare_floats(struct x86_selector *s, const struct selection *n)
{
    bool exchange = n->x[0].is_mem; /* only where the operation commutes */

    emit_compare(s, rows[n->inst->op].predicate, n->d, n->x[exchange].reg, n->x[!exchange]);
}

enum { INT_EQUAL = 0, INT_LESS = 1, INT_LESS_EQUAL = 2 };

static void emit_ieq(struct x86_selector *s, const struct selection *n)
{
    bool exchange = n->x[0].is_mem;

    if (avx512(s))
        emit_imm(s, X86_PCMPD, n->d, n->x[exchange].reg, n->x[!exchange], INT_EQUAL);
    else
        emit3(s, X86_PCMPEQD, n->d, n->x[exchange].reg, n->x[!exchange]);
}

static void emit_ilt(struct x86_selector *s, const struct selection *n)
{
    if (avx512(s))
        emit_imm(s, X86_PCMPD, n->d, n->x[0].reg, n->x[1], INT_LESS);
    else
        emit3(s, X86_PCMPGTD, n->d, n->x[1].reg, n->x[0]);
}

static void emit_ule(struct x86_selector *s, const struct selection *n)
{
    if (avx512(s)) {
        emit_imm(s, X86_PCMPUD, n->d, n->x[0].reg, n->x[1], INT_LESS_EQUAL);
        return;
    }
    emit3(s, X86_PMINUD, scratch(s), n->x[0].reg, n->x[1]);
    emit3(s, X86_PCMPEQD, n->d, scratch(s), n->x[0]);
}

static void emit_mand(struct x86_selector *s, const struct selection *n)
{
    if (avx512(s))
        emit3(s, X86_KANDW, n->d, n->x[0].reg, n->x[1]);
    else
        emit_commutes(s, n);
}

static void emit_mor(struct x86_selector *s, const struct selection *n)
{
    if (avx512(s))
        emit3(s, X86_KORW, n->d, n->x[0].reg, n->x[1]);
    else
        emit_commutes(s, n);
}

static void emit_mandnot(struct x86_selector *s, const struct selection *n)
{
    emit3(s, avx512(s) ? X86_KANDNW : X86_PANDN, n->d, n->x[1].reg, n->x[0]);
}

static void emit_mnot(struct x86_selector *s, const struct selection *n)
{
    if (avx512(s))
        emit2(s, X86_KNOTW, n->d, n->x[0]);
    else
        emit3(s, X86_PXOR, n->d, n->x[0].reg, ir_x86_constant(s->code, UINT32_MAX));
}

static void emit_select(struct x86_selector *s, const struct selection *n)
{
    if (avx512(s))
        emit_masked(s, X86_PBLENDMD, n->d, n->x[2].reg, n->x[1], n->x[0].reg, false);
    else
        emit_imm(s, X86_BLENDVPS, n->d, n->x[2].reg, n->x[1], n->x[0].reg << 4);
}

/* --- Rows: lanes ------------------------------------------------------------------------------ */

static void emit_first(struct x86_selector *s, const struct selection *n)
{
    struct x86_operand x = n->x[0];

    x.broadcast = false;
    emit2(s, X86_PBROADCASTD, n->d, x);
}

static void emit_lane(struct x86_selector *s, const struct selection *n)
{
    emit2(s, X86_MOVD, n->d, x86_reg(X86_LANE));
    emit2(s, X86_PBROADCASTD, n->d, x86_reg(n->d));
    emit3(s, X86_PADDD, n->d, n->d, ir_x86_pool_vector(X86_POOL_LANES));
}

/* --- Rows: memory ----------------------------------------------------------------------------- */

static void emit_uniform(struct x86_selector *s, const struct selection *n)
{
    emit2(s, X86_BROADCASTSS, n->d, uniform_memory(s, n->inst));
}

static void emit_load(struct x86_selector *s, const struct selection *n)
{
    emit2(s, X86_MOVUPS, n->d, lane_memory(s, n->inst));
}

static void emit_store(struct x86_selector *s, const struct selection *n)
{
    emit2(s, X86_MOVUPS_TO, n->x[0].reg, lane_memory(s, n->inst));
}

static void emit_ustore(struct x86_selector *s, const struct selection *n)
{
    struct x86_operand x = n->x[0];

    x.broadcast = false;
    if (x.is_mem)
        emit2(s, X86_MOV, X86_AX, x);
    emit2(s, x.is_mem ? X86_MOV_TO : X86_MOVD_TO, x.is_mem ? X86_AX : x.reg,
          uniform_memory(s, n->inst));
}

static void emit_mload(struct x86_selector *s, const struct selection *n)
{
    struct x86_operand lane_bits = ir_x86_pool_vector(X86_POOL_LANE_BITS),
                       m = mask_memory(s, n->inst);

    if (avx512(s)) {
        emit2(s, X86_KMOVW, n->d, m);
        return;
    }
    emit2(s, X86_PBROADCASTB, n->d, m);
    emit3(s, X86_PAND, n->d, n->d, lane_bits);
    emit3(s, X86_PCMPEQD, n->d, n->d, lane_bits);
}

static void emit_mstore(struct x86_selector *s, const struct selection *n)
{
    struct x86_operand m = mask_memory(s, n->inst);

    if (avx512(s)) {
        emit2(s, X86_KMOVW_TO, n->x[0].reg, m);
        return;
    }
    emit2(s, X86_MOVMSKPS, X86_DX, n->x[0]);
    emit2(s, X86_MOV8_TO, X86_DX, m);
}

/* Loads a signed offset into X86_AX. */
static void load_offset(struct x86_selector *s, struct x86_operand from)
{
    from.broadcast = false;
    emit2(s, s->code->target.is_64 ? X86_MOVSXD : X86_MOV, X86_AX, from);
}

static struct x86_operand offset_memory(struct x86_selector *s, const struct ir_inst *inst)
{
    return x86_indexed(base_register(s, inst->base), X86_AX, 0, (int32_t)inst->imm);
}

/* True if the instruction before has left its offset, which is the same, in X86_AX. */
static bool has_offset(const struct x86_selector *s, const struct selection *n)
{
    return n->inst[-1].op == IR_LOAD_AT && n->inst[-1].arg[0] == n->inst->arg[0] &&
           !s->live->dead[n->i - 1] && !s->live->cut[n->i];
}

static void emit_load_at(struct x86_selector *s, const struct selection *n)
{
    struct x86_operand from = n->x[0];

    if (!has_offset(s, n)) {
        if (!from.is_mem) {
            emit2(s, X86_MOVD_TO, from.reg, x86_reg(X86_AX));
            from = x86_reg(X86_AX);
        }
        load_offset(s, from);
    }
    emit2(s, X86_BROADCASTSS, n->d, offset_memory(s, n->inst));
}

static struct x86_operand work_offsets(unsigned lane)
{
    return x86_mem(X86_WORK, X86_WORK_OFFSETS + 4 * (int32_t)lane);
}

/* Rows of 16 bytes, each lane its own, into a register: of the given lane and every fourth one
 * behind it. */
static void emit_load_rows(struct x86_selector *s, unsigned d, unsigned lane, struct x86_operand m)
{
    for (unsigned part = 0; 4 * part < x86_lanes(&s->code->target); part++) {
        load_offset(s, work_offsets(lane + 4 * part));
        if (!part)
            emit2(s, X86_MOVUPS_128, d, m);
        else
            emit_imm(s, X86_INSERTF128, d, d, m, (int32_t)part);
    }
}

/* The words of rows, in four registers by their place in the row: loads of 16 bytes a lane, and a
 * transposition. Shaders with indexed constants run twice as fast as with gather instructions on
 * Zen 4. */
static void emit_rows(struct x86_selector *s, const struct selection *n)
{
    enum { LOW_HALVES = 0x44, HIGH_HALVES = 0xee };
    unsigned size = x86_row_size(s->live, n->i), t = scratch(s), reg[4], free = 0;
    const uint8_t(*place)[4] = (const uint8_t(*)[4]) & s->allocation->place[n->i];
    struct x86_operand m = x86_indexed(base_register(s, n->inst->base), X86_AX, 0,
                                       (int32_t)(n->inst->imm & ~UINT32_C(15)));
    bool used[4] = {false};

    for (unsigned k = 0; k < size; k++) {
        unsigned word = n->inst[k].imm / 4 % 4;

        reg[word] = place[k][0];
        used[word] = true;
    }
    for (unsigned word = 0; word < 4; word++)
        if (!used[word])
            reg[word] = place[free++][3];
    emit2(s, X86_MOVUPS_TO, n->x[0].reg, work_offsets(0));
    emit_load_rows(s, t, 0, m);
    emit_load_rows(s, reg[1], 1, m);
    emit_load_rows(s, reg[3], 2, m);
    emit_load_rows(s, reg[0], 3, m);
    emit3(s, X86_UNPCKLPS, reg[2], t, x86_reg(reg[1]));
    emit3(s, X86_UNPCKHPS, t, t, x86_reg(reg[1]));
    emit3(s, X86_UNPCKLPS, reg[1], reg[3], x86_reg(reg[0]));
    emit3(s, X86_UNPCKHPS, reg[3], reg[3], x86_reg(reg[0]));
    emit_imm(s, X86_SHUFPS, reg[0], reg[2], x86_reg(reg[1]), LOW_HALVES);
    emit_imm(s, X86_SHUFPS, reg[1], reg[2], x86_reg(reg[1]), HIGH_HALVES);
    emit_imm(s, X86_SHUFPS, reg[2], t, x86_reg(reg[3]), LOW_HALVES);
    emit_imm(s, X86_SHUFPS, reg[3], t, x86_reg(reg[3]), HIGH_HALVES);
}

/* The instruction clears the mask as it goes. A load a lane would be slower, also on processors
 * with slow gathers: the loads would wait until the offsets are in memory (4 gathers of 64 words on
 * Zen 4: 83 ns by the instruction, 140 ns by loads). */
static void emit_gather(struct x86_selector *s, const struct selection *n)
{
    struct x86_operand m;

    if (s->live->row[n->i] == 1)
        emit_rows(s, n);
    if (s->live->row[n->i])
        return;
    m = x86_indexed(base_register(s, n->inst->base), n->x[0].reg, 0, (int32_t)n->inst->imm);
    emit_zero(s, n->d);
    if (avx512(s)) {
        emit2(s, X86_KMOVW, SCRATCH_MASK, n->x[1]);
        emit_masked(s, X86_PGATHERDD, n->d, 0, m, SCRATCH_MASK, false);
    } else {
        emit2(s, X86_MOVAPS, scratch(s), n->x[1]);
        emit3(s, X86_PGATHERDD, n->d, scratch(s), m);
    }
}

/* AVX2: a test and a store a lane. */
static void emit_store_lanes(struct x86_selector *s, const struct selection *n)
{
    unsigned from = n->x[1].reg;

    emit2(s, X86_MOVUPS_TO, n->x[0].reg, work_offsets(0));
    emit2(s, X86_MOVMSKPS, X86_DX, n->x[2]);
    for (unsigned lane = 0; lane < 8; lane++) {
        size_t inactive;

        if (lane == 4) {
            from = scratch(s);
            emit_imm(s, X86_EXTRACTI128, n->x[1].reg, 0, x86_reg(from), 1);
        }
        emit_imm(s, X86_TEST_I, 0, 0, x86_reg(X86_DX), 1 << lane);
        inactive = ir_x86_jump(s->code, X86_ZERO);
        load_offset(s, work_offsets(lane));
        emit_imm(s, X86_PEXTRD, from, 0, offset_memory(s, n->inst), (int32_t)lane % 4);
        ir_x86_land(s->code, inactive);
    }
}

static void emit_scatter(struct x86_selector *s, const struct selection *n)
{
    struct x86_operand m;

    if (!avx512(s)) {
        emit_store_lanes(s, n);
        return;
    }
    emit2(s, X86_KMOVW, SCRATCH_MASK, n->x[2]);
    m = x86_indexed(base_register(s, n->inst->base), n->x[0].reg, 0, (int32_t)n->inst->imm);
    emit_masked(s, X86_PSCATTERDD, n->x[1].reg, 0, m, SCRATCH_MASK, false);
}

/* --- Regions ---------------------------------------------------------------------------------- */

/* Between barriers, code runs for one vector after another. */
static void begin_region(struct x86_selector *s)
{
    s->before_region = s->code->n;
    emit2(s, X86_XOR, X86_LANE, x86_reg(X86_LANE));
    s->region = s->code->n;
}

/* A region without code is no loop. */
static void end_region(struct x86_selector *s)
{
    if (s->code->n == s->region)
        s->code->n = s->before_region;
    if (s->single || s->code->n == s->before_region)
        return;
    emit_imm(s, X86_ADD_I, 0, 0, x86_reg(X86_LANE), (int32_t)s->step);
    emit_imm(s, X86_CMP_I, 0, 0, x86_reg(X86_LANE), IR_LANES);
    ir_x86_jump_back(s->code, X86_BELOW, s->region);
}

/* A region of moves. */
static void emit_region_of_moves(struct x86_selector *s, uint32_t i, uint32_t m)
{
    begin_region(s);
    emit_moves(s, i, m);
    end_region(s);
}

/* --- Rows: control flow ----------------------------------------------------------------------- */

/* Sets the zero flag if no lane of the vector is true. */
static void emit_test(struct x86_selector *s, unsigned mask)
{
    emit2(s, avx512(s) ? X86_KORTESTW : X86_PTEST, mask, x86_reg(mask));
}

/* Sets the zero flag if none of the 64 lanes is true. */
static void emit_test_all(struct x86_selector *s, uint32_t mask)
{
    const struct ir_inst *inst = &s->live->inst[mask];
    unsigned t = scratch(s);
    struct x86_operand m;

    if (inst->op == IR_MCONST) {
        emit_imm(s, X86_MOV_I, 0, 0, x86_reg(X86_AX), (int32_t)inst->imm);
        emit2(s, X86_TEST, X86_AX, x86_reg(X86_AX));
        return;
    }
    m = slot_memory(s, mask);
    m.index = X86_NO_REGISTER;
    emit2(s, avx512(s) ? X86_MOV : X86_MOVUPS, avx512(s) ? X86_AX : t, m);
    for (unsigned lane = s->step; lane < IR_LANES; lane += s->step) {
        m.disp += (int32_t)(s->step * (avx512(s) ? 1 : sizeof(uint32_t)));
        emit3(s, avx512(s) ? X86_OR : X86_POR, avx512(s) ? X86_AX : t, t, m);
    }
    if (avx512(s))
        emit_imm(s, X86_TEST_I, 0, 0, x86_reg(X86_AX), 0xffff);
    else
        emit_test(s, t);
}

static void emit_if(struct x86_selector *s, const struct selection *n)
{
    bool barrier = s->live->barrier[n->i], rare = x86_is_rare_if(s->live, n->i);

    emit_moves(s, n->i, s->allocation->first_move[n->i]);
    if (barrier) {
        end_region(s);
        emit_test_all(s, n->inst->arg[0]);
    } else {
        emit_test(s, n->x[0].reg);
    }
    s->flow[n->i].jump = ir_x86_jump(s->code, rare ? X86_NOT_ZERO : X86_ZERO);
    if (barrier)
        begin_region(s);
}

static void emit_endif(struct x86_selector *s, const struct selection *n)
{
    bool barrier = s->live->barrier[n->i];
    size_t jump = s->flow[s->live->match[n->i]].jump, end;
    uint32_t m = emit_moves(s, n->i, s->allocation->first_move[n->i]);

    if (barrier)
        end_region(s);
    if (m == s->allocation->first_move[n->i + 1]) {
        ir_x86_land(s->code, jump);
    } else {
        end = ir_x86_jump(s->code, X86_ALWAYS);
        ir_x86_land(s->code, jump);
        if (barrier)
            emit_region_of_moves(s, n->i, m + 1);
        else
            emit_moves(s, n->i, m + 1);
        ir_x86_land(s->code, end);
    }
    if (barrier)
        begin_region(s);
}

static void emit_loop(struct x86_selector *s, const struct selection *n)
{
    bool barrier = s->live->barrier[n->i];

    emit_moves(s, n->i, s->allocation->first_move[n->i]);
    if (barrier)
        end_region(s);
    s->flow[n->i].back = s->code->n;
    if (barrier)
        begin_region(s);
}

static void emit_endloop(struct x86_selector *s, const struct selection *n)
{
    bool barrier = s->live->barrier[n->i];
    size_t top = s->flow[s->live->match[n->i]].back, end;
    uint32_t m = emit_moves(s, n->i, s->allocation->first_move[n->i]) + 1;

    if (barrier) {
        end_region(s);
        emit_test_all(s, n->inst->arg[0]);
    } else {
        emit_test(s, n->x[0].reg);
    }
    if (m == s->allocation->first_move[n->i + 1]) {
        ir_x86_jump_back(s->code, X86_NOT_ZERO, top);
    } else {
        end = ir_x86_jump(s->code, X86_ZERO);
        if (barrier)
            emit_region_of_moves(s, n->i, m);
        else
            emit_moves(s, n->i, m);
        ir_x86_jump_back(s->code, X86_ALWAYS, top);
        ir_x86_land(s->code, end);
    }
    if (barrier)
        begin_region(s);
}

static void emit_call(struct x86_selector *s, const struct selection *n)
{
    end_region(s);
    ir_x86_call(s->code, s->frame, n->inst->imm);
    begin_region(s);
}

/* --- The rows --------------------------------------------------------------------------------- */

/* clang-format off */
/*                     emit                 form             predicate   memory                   early */
#define ROW_CONST     {emit_none,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_MCONST    {emit_none,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_LANE      {emit_lane,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_FADD      {emit_commutes,       X86_ADDPS,       0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_FSUB      {emit_binary,         X86_SUBPS,       0,          {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_FMUL      {emit_commutes,       X86_MULPS,       0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_FMUL0     {emit_mul0,           0,               0,          {0, 0},                  {EARLY, EARLY}}
#define ROW_FDIV      {emit_binary,         X86_DIVPS,       0,          {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_FSQRT     {emit_unary,          X86_SQRTPS,      0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_FMIN      {emit_binary,         X86_MINPS,       0,          {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_FMAX      {emit_binary,         X86_MAXPS,       0,          {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_FFLOOR    {emit_floor,          0,               0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_FNEG      {emit_neg,            0,               0,          {0, 0},                  {0, 0}}
#define ROW_FABS      {emit_abs,            0,               0,          {0, 0},                  {0, 0}}
#define ROW_F2I       {emit_unary,          X86_CVTTPS2DQ,   0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_F2I_ROUND {emit_unary,          X86_CVTPS2DQ,    0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_I2F       {emit_unary,          X86_CVTDQ2PS,    0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_UNORM     {emit_unorm,          0,               0,          {0, 0},                  {0, 0}}
#define ROW_H2F       {emit_h2f,            0,               0,          {0, 0},                  {0, 0}}
#define ROW_F2H       {emit_f2h,            0,               0,          {0, 0},                  {0, 0}}
#define ROW_IADD      {emit_commutes,       X86_PADDD,       0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_ISUB      {emit_binary,         X86_PSUBD,       0,          {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_IMUL      {emit_commutes,       X86_PMULLD,      0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_IAND      {emit_commutes,       X86_PAND,        0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_IOR       {emit_commutes,       X86_POR,         0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_IXOR      {emit_commutes,       X86_PXOR,        0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_ISHL      {emit_shift,          X86_PSLLD,       0,          {0, MEMORY_A},           {0, 0}}
#define ROW_ISHR      {emit_shift,          X86_PSRLD,       0,          {0, MEMORY_A},           {0, 0}}
#define ROW_ISAR      {emit_shift,          X86_PSRAD,       0,          {0, MEMORY_A},           {0, 0}}
#define ROW_IMIN      {emit_commutes,       X86_PMINSD,      0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_IMAX      {emit_commutes,       X86_PMAXSD,      0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_UMIN      {emit_commutes,       X86_PMINUD,      0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_UMAX      {emit_commutes,       X86_PMAXUD,      0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_FEQ       {emit_compare_floats, 0,               EQUAL,      {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_FLT       {emit_compare_floats, 0,               LESS,       {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_FLE       {emit_compare_floats, 0,               LESS_EQUAL, {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_FUNORD    {emit_compare_floats, 0,               UNORDERED,  {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_IEQ       {emit_ieq,            0,               0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_ILT       {emit_ilt,            0,               0,          {MEMORY_A, MEMORY_B},    {0, 0}}
#define ROW_ULE       {emit_ule,            0,               0,          {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_MAND      {emit_mand,           X86_PAND,        0,          {MEMORY_AB, 0},          {0, 0}}
#define ROW_MOR       {emit_mor,            X86_POR,         0,          {MEMORY_AB, 0},          {0, 0}}
#define ROW_MANDNOT   {emit_mandnot,        0,               0,          {MEMORY_A, 0},           {0, 0}}
#define ROW_MNOT      {emit_mnot,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_SELECT    {emit_select,         0,               0,          {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_QUAD      {emit_quad,           0,               0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_FIRST     {emit_first,          0,               0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_UNIFORM   {emit_uniform,        0,               0,          {0, 0},                  {0, 0}}
#define ROW_LOAD      {emit_load,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_MLOAD     {emit_mload,          0,               0,          {0, 0},                  {0, 0}}
#define ROW_LOAD_AT   {emit_load_at,        0,               0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_GATHER    {emit_gather,         0,               0,          {0, 0},                  {EARLY, EARLY}}
#define ROW_STORE     {emit_store,          0,               0,          {0, 0},                  {0, 0}}
#define ROW_USTORE    {emit_ustore,         0,               0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_MSTORE    {emit_mstore,         0,               0,          {0, 0},                  {0, 0}}
#define ROW_SCATTER   {emit_scatter,        0,               0,          {0, 0},                  {0, 0}}
#define ROW_IF        {emit_if,             0,               0,          {0, 0},                  {0, 0}}
#define ROW_ENDIF     {emit_endif,          0,               0,          {0, 0},                  {0, 0}}
#define ROW_LOOP      {emit_loop,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_ENDLOOP   {emit_endloop,        0,               0,          {0, 0},                  {0, 0}}
#define ROW_PHI       {emit_none,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_MPHI      {emit_none,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_LPHI      {emit_none,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_MLPHI     {emit_none,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_CALL      {emit_call,           0,               0,          {0, 0},                  {0, 0}}
/* clang-format on */

static const struct row rows[IR_OP_COUNT] = {
    {emit_none, 0, 0, {0, 0}, {0, 0}},
#define IR_OP(name, ...) [IR_##name] = ROW_##name,
#include "ir/ops.def"
#undef IR_OP
};

/* --- Functions -------------------------------------------------------------------------------- */

static unsigned register_number(uint8_t place)
{
    return place >= X86_PLACE_MASK && place < X86_PLACES ? place - (unsigned)X86_PLACE_MASK : place;
}

static bool is_flow(unsigned op)
{
    return ir_op_info[op].op_class == IR_CLASS_FLOW && !x86_is_phi(op) && !x86_is_loop_phi(op);
}

/* Stores a value in its slot. */
static void emit_to_slot(struct x86_selector *s, uint32_t value, uint8_t place)
{
    bool is_mask = place >= X86_PLACE_MASK;

    emit2(s, is_mask ? X86_KMOVW_TO : X86_MOVUPS_TO, register_number(place), slot_memory(s, value));
}

/* Stores a result that is ever needed from memory. */
static void emit_spill(struct x86_selector *s, uint32_t i)
{
    uint8_t place = s->allocation->place[i][0];

    if (s->allocation->spilled[i] && place < X86_PLACES)
        emit_to_slot(s, i, place);
}

static void select_inst(struct x86_selector *s, uint32_t i)
{
    const struct ir_inst *inst = &s->live->inst[i];
    const struct ir_op_info *info = &ir_op_info[inst->op];
    const uint8_t *place = s->allocation->place[i];
    struct selection n = {.inst = inst, .i = i, .d = (uint8_t)register_number(place[0])};
    bool is_phi = x86_is_phi(inst->op) || x86_is_loop_phi(inst->op);

    if (s->live->cut[i]) {
        end_region(s);
        begin_region(s);
    }
    if (info->result && place[0] == X86_PLACE_NONE)
        return; /* loaded where it is used, or not used */
    if (!is_flow(inst->op))
        emit_moves(s, i, s->allocation->first_move[i]);
    for (unsigned k = 0; k < info->n_args && !is_phi; k++)
        n.x[k] = place[1 + k] == X86_PLACE_MEMORY ? value_memory(s, inst->arg[k])
                                                  : x86_reg(register_number(place[1 + k]));
    rows[inst->op].emit(s, &n);
    if (info->result)
        emit_spill(s, i);
}

/* Of a rare IF: a jump, and the moves of the way that does not run it. Returns its ENDIF. */
static uint32_t skip_rare(struct x86_selector *s, uint32_t rare)
{
    uint32_t end = s->live->match[rare], m = s->allocation->first_move[end];

    select_inst(s, rare);
    while (m < s->allocation->first_move[end + 1] && s->allocation->move[m].to != X86_PLACE_NONE)
        m++;
    if (m < s->allocation->first_move[end + 1])
        emit_moves(s, end, m + 1);
    s->flow[rare].back = s->code->n;
    return end;
}

void ir_x86_select(struct x86_selector *s)
{
    begin_region(s);
    for (uint32_t i = 1; i < s->live->n; i++)
        if (x86_is_rare_if(s->live, i))
            i = skip_rare(s, i);
        else
            select_inst(s, i);
    end_region(s);
}

void ir_x86_select_rare(struct x86_selector *s)
{
    const struct x86_allocation *a = s->allocation;
    uint32_t n = 0; /* saves that are emitted */

    for (uint32_t i = 1, rare; i < s->live->n; i++) {
        if (!x86_is_rare_if(s->live, i))
            continue;
        rare = i;
        ir_x86_land(s->code, s->flow[rare].jump);
        for (; n < a->n_saves && a->save[n].rare == rare; n++)
            emit_to_slot(s, a->save[n].value, a->save[n].from);
        for (i++; i < s->live->match[rare]; i++)
            select_inst(s, i);
        emit_moves(s, i, s->allocation->first_move[i]);
        ir_x86_jump_back(s->code, X86_ALWAYS, s->flow[rare].back);
    }
}
