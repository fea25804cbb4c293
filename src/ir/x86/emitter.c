/* What x86 emits for loops, control flow, moves and slots.
 *
 * Tested by tests/unit/ir/compile/test_compile.c. */
#include "ir/x86/emitter.h"

#include "ir/x86/emit.h"

/* --- Memory of values --------------------------------------------------------------------------
 */

/* Bytes of a slot, in the order of machine_allocation.n_slots. Of the masks in registers, a wide
 * slot has 2 bytes every 16 bytes, so that the lane's number is an index. */
static uint32_t slot_bytes(const struct x86_target *t, unsigned kind)
{
    return kind == 0 ? x86_vector_bytes(t) : kind == 1 ? 16 : kind == 2 ? 4 * IR_LANES : IR_LANES;
}

/* Where slots of a kind start; kind 4: where all end. The order keeps them aligned. */
static uint32_t slots_at(const struct machine_allocation *allocation, const struct x86_target *t,
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
    bool is_mask = machine_class_of(s->registers, &s->live->inst[value]),
         wide = s->allocation->wide[value];
    unsigned kind = is_mask + 2u * wide;
    int32_t at = (int32_t)(slots_at(s->allocation, t, kind) +
                           s->allocation->slot[value] * slot_bytes(t, kind));

    return wide ? x86_indexed(X86_WORK, X86_LANE, is_mask ? 0 : 2, at) : x86_mem(X86_WORK, at);
}

size_t ir_x86_work_bytes(const struct machine_allocation *allocation, const struct x86_target *t)
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

static void move_mask(struct x86_selector *s, const struct machine_move *move)
{
    struct x86_operand swap = x86_mem(X86_WORK, X86_WORK_SWAP_MASK);
    bool to_register = move->to < MACHINE_PLACES, from_register = move->from < MACHINE_PLACES;
    unsigned k = to_register     ? move->to - (unsigned)MACHINE_PLACE_MASK
                 : from_register ? move->from - (unsigned)MACHINE_PLACE_MASK
                                 : SCRATCH_MASK;

    if (move->from == MACHINE_PLACE_SWAP)
        emit2(s, X86_KMOVW, k, swap);
    else if (move->from == MACHINE_PLACE_MEMORY)
        load_mask_register(s, move->value, k);
    else if (to_register)
        emit2(s, X86_KMOVW, k, x86_reg(move->from - (unsigned)MACHINE_PLACE_MASK));
    if (!to_register)
        emit2(s, X86_KMOVW_TO, k,
              move->to == MACHINE_PLACE_SWAP ? swap : slot_memory(s, move->to_phi));
}

static void move_vector(struct x86_selector *s, const struct machine_move *move)
{
    struct x86_operand swap = x86_mem(X86_WORK, X86_WORK_SWAP);
    bool to_register = move->to < MACHINE_PLACES;
    unsigned reg = to_register ? move->to : move->from < MACHINE_PLACES ? move->from : scratch(s);

    if (move->from == MACHINE_PLACE_SWAP)
        emit2(s, X86_MOVUPS, reg, swap);
    else if (move->from == MACHINE_PLACE_MEMORY)
        load_vector(s, move->value, reg);
    else if (to_register)
        emit2(s, X86_MOVAPS, reg, x86_reg(move->from));
    if (!to_register)
        emit2(s, X86_MOVUPS_TO, reg,
              move->to == MACHINE_PLACE_SWAP ? swap : slot_memory(s, move->to_phi));
}

static void emit_move(void *machine, const struct machine_move *move)
{
    struct x86_selector *s = machine;

    if (machine_class_of(s->registers, &s->live->inst[move->value]))
        move_mask(s, move);
    else
        move_vector(s, move);
}

/* --- Loops over vectors ----------------------------------------------------------------------- */

static size_t position(void *machine)
{
    return ((struct x86_selector *)machine)->code->n;
}

static void rewind_to(void *machine, size_t position)
{
    ((struct x86_selector *)machine)->code->n = position;
}

static void begin_vectors(void *machine)
{
    emit2(machine, X86_XOR, X86_LANE, x86_reg(X86_LANE));
}

static void begin_vector(void *machine, uint32_t i)
{
    (void)machine, (void)i;
}

static void next_vector(void *machine, unsigned step, size_t head)
{
    struct x86_selector *s = machine;

    emit_imm(s, X86_ADD_I, 0, 0, x86_reg(X86_LANE), (int32_t)step);
    emit_imm(s, X86_CMP_I, 0, 0, x86_reg(X86_LANE), IR_LANES);
    ir_x86_jump_back(s->code, X86_BELOW, head);
}

/* --- Control flow ----------------------------------------------------------------------------- */

static unsigned register_number(uint8_t place)
{
    return place >= MACHINE_PLACE_MASK && place < MACHINE_PLACES
               ? place - (unsigned)MACHINE_PLACE_MASK
               : place;
}

/* Sets the zero flag if no lane of the vector is true. */
static void emit_test(struct x86_selector *s, unsigned mask)
{
    emit2(s, avx512(s) ? X86_KORTESTW : X86_PTEST, mask, x86_reg(mask));
}

static void test(void *machine, uint8_t place)
{
    emit_test(machine, register_number(place));
}

/* Sets the zero flag if none of the 64 lanes is true. */
static void test_all(void *machine, uint32_t mask, unsigned step)
{
    struct x86_selector *s = machine;
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
    for (unsigned lane = step; lane < IR_LANES; lane += step) {
        m.disp += (int32_t)(step * (avx512(s) ? 1 : sizeof(uint32_t)));
        emit3(s, avx512(s) ? X86_OR : X86_POR, avx512(s) ? X86_AX : t, t, m);
    }
    if (avx512(s))
        emit_imm(s, X86_TEST_I, 0, 0, x86_reg(X86_AX), 0xffff);
    else
        emit_test(s, t);
}

static enum x86_condition condition_of(enum machine_condition condition)
{
    return condition == MACHINE_IF_NONE  ? X86_ZERO
           : condition == MACHINE_IF_ANY ? X86_NOT_ZERO
                                         : X86_ALWAYS;
}

static size_t jump(void *machine, enum machine_condition condition)
{
    return ir_x86_jump(((struct x86_selector *)machine)->code, condition_of(condition));
}

static void land(void *machine, size_t from)
{
    ir_x86_land(((struct x86_selector *)machine)->code, from);
}

static void jump_back(void *machine, enum machine_condition condition, size_t target)
{
    ir_x86_jump_back(((struct x86_selector *)machine)->code, condition_of(condition), target);
}

static void call(void *machine, uint32_t function)
{
    struct x86_selector *s = machine;

    ir_x86_call(s->code, s->frame, function);
}

/* --- Values ----------------------------------------------------------------------------------- */

static void to_slot(void *machine, uint32_t value, uint8_t place)
{
    struct x86_selector *s = machine;
    bool is_mask = place >= MACHINE_PLACE_MASK;

    emit2(s, is_mask ? X86_KMOVW_TO : X86_MOVUPS_TO, register_number(place), slot_memory(s, value));
}

static void operation(void *machine, uint32_t i)
{
    struct x86_selector *s = machine;
    const struct ir_inst *inst = &s->live->inst[i];
    const uint8_t *place = s->allocation->place[i];
    struct x86_selection n = {.inst = inst, .i = i, .d = (uint8_t)register_number(place[0])};
    bool is_phi = machine_is_phi(inst->op) || machine_is_loop_phi(inst->op);

    for (unsigned k = 0; k < ir_op_info[inst->op].n_args && !is_phi; k++)
        n.x[k] = place[1 + k] == MACHINE_PLACE_MEMORY ? value_memory(s, inst->arg[k])
                                                      : x86_reg(register_number(place[1 + k]));
    ir_x86_select(s, &n);
}

const struct machine_emitter ir_x86_emitter = {
    .position = position,
    .rewind = rewind_to,
    .begin_vectors = begin_vectors,
    .begin_vector = begin_vector,
    .next_vector = next_vector,
    .test = test,
    .test_all = test_all,
    .jump = jump,
    .land = land,
    .jump_back = jump_back,
    .move = emit_move,
    .to_slot = to_slot,
    .call = call,
    .operation = operation,
};
