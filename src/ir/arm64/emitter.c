/* What AArch64 emits for loops, control flow, moves and slots.
 *
 * Tested by tests/unit/ir/compile/test_compile.c. */
#include "ir/arm64/emitter.h"

#include "ir/arm64/emit.h"

/* --- Memory of values ------------------------------------------------------------------------- */

enum { WIDE_BYTES = 4 * IR_LANES, WIDE = 2 }; /* kinds of slots: 0, and 2 */

static uint32_t slot_at(const struct machine_allocation *a, uint32_t value)
{
    return a->wide[value] ? ARM64_WORK_SLOTS + a->slot[value] * WIDE_BYTES
                          : ARM64_WORK_SLOTS + a->n_slots[WIDE] * WIDE_BYTES +
                                a->slot[value] * ARM64_VECTOR_BYTES;
}

size_t ir_arm64_work_bytes(const struct machine_allocation *a)
{
    return ARM64_WORK_SLOTS + (size_t)a->n_slots[WIDE] * WIDE_BYTES +
           (size_t)a->n_slots[0] * ARM64_VECTOR_BYTES;
}

static struct arm64_memory slot_memory(struct arm64_selector *s, uint32_t value)
{
    uint32_t at = slot_at(s->allocation, value);

    return s->allocation->wide[value] ? ir_arm64_lane_memory(s, ARM64_BASE_OF_WORK, at)
                                      : ir_arm64_reach(s->code, ARM64_WORK, at, ARM64_VECTOR_BYTES);
}

static void load_vector(struct arm64_selector *s, uint32_t value, unsigned d)
{
    const struct ir_inst *inst = &s->live->inst[value];
    struct arm64_memory m;

    if (inst->op == IR_CONST || inst->op == IR_MCONST) {
        emit_constant(s, d, inst->op == IR_CONST ? inst->imm : inst->imm ? UINT32_MAX : 0);
        return;
    }
    if (s->live->homed[value] && inst->op == IR_UNIFORM) {
        ir_arm64_load_uniform(s, d, inst);
        return;
    }
    m = s->live->homed[value] ? ir_arm64_lane_memory(s, inst->base, inst->imm)
                              : slot_memory(s, value);
    emit_imm(s, ARM64_LDR_Q, d, m.base, m.offset);
}

static void move(void *machine, const struct machine_move *move)
{
    struct arm64_selector *s = machine;
    const struct arm64_memory swap = {ARM64_WORK, ARM64_WORK_SWAP};
    bool to_register = move->to < MACHINE_PLACES;
    unsigned reg = to_register                   ? move->to
                   : move->from < MACHINE_PLACES ? move->from
                                                 : (unsigned)ARM64_T;
    struct arm64_memory to;

    if (move->from == MACHINE_PLACE_SWAP)
        emit_imm(s, ARM64_LDR_Q, reg, swap.base, swap.offset);
    else if (move->from == MACHINE_PLACE_MEMORY)
        load_vector(s, move->value, reg);
    else if (to_register)
        emit_copy(s, reg, move->from);
    if (to_register)
        return;
    to = move->to == MACHINE_PLACE_SWAP ? swap : slot_memory(s, move->to_phi);
    emit_imm(s, ARM64_STR_Q, reg, to.base, to.offset);
}

static void to_slot(void *machine, uint32_t value, uint8_t place)
{
    struct arm64_selector *s = machine;
    struct arm64_memory m = slot_memory(s, value);

    emit_imm(s, ARM64_STR_Q, place, m.base, m.offset);
}

/* --- Loops over vectors ----------------------------------------------------------------------- */

static size_t position(void *machine)
{
    return ((struct arm64_selector *)machine)->code->n;
}

static void rewind_to(void *machine, size_t position)
{
    ir_arm64_rewind(((struct arm64_selector *)machine)->code, position);
}

static void begin_vectors(void *machine)
{
    enum { SCALE = 0x5f800000, LEAST = 0x20800000, UNSCALE = 0x1f800000 };
    struct arm64_selector *s = machine;

    emit_imm(s, ARM64_MOVZ, ARM64_LANE, 0, 0);
    if (!s->corrects)
        return;
    emit_constant(s, ARM64_SCALE, SCALE);
    emit_constant(s, ARM64_LEAST, LEAST);
    emit_constant(s, ARM64_UNSCALE, UNSCALE);
}

/* The bases that instruction i, its operands and its result access by lanes. */
static uint32_t lane_bases(const struct arm64_selector *s, uint32_t i)
{
    const struct ir_inst *inst = &s->live->inst[i];
    uint32_t bases = 1u << arm64_lane_base(s->live, s->allocation, i);

    if (inst->op == IR_LOAD || inst->op == IR_STORE)
        bases |= 1u << inst->base;
    for (unsigned k = 0; k < ir_op_info[inst->op].n_args; k++)
        bases |= 1u << arm64_lane_base(s->live, s->allocation, inst->arg[k]);
    return bases;
}

/* Addresses of the current vector, for what the region accesses. */
static void begin_vector(void *machine, uint32_t i)
{
    struct arm64_selector *s = machine;
    uint32_t region = i < s->live->n ? s->live->region[i] : 0, bases = 0;

    for (; i < s->live->n && s->live->region[i] == region; i++)
        bases |= lane_bases(s, i);
    s->ready = 0;
    for (unsigned b = 0; b < ARM64_BASES; b++) {
        unsigned base = ARM64_WORK;

        if (!(bases >> b & 1) || s->frame->lanes[b] == ARM64_NO_REGISTER)
            continue;
        if (b != ARM64_BASE_OF_WORK)
            base = ir_arm64_base(s->code, s->frame, b);
        emit3(s, ARM64_ADD_X4, s->frame->lanes[b], base, ARM64_LANE);
        s->ready |= 1u << b;
    }
}

static void next_vector(void *machine, unsigned step, size_t head)
{
    struct arm64_selector *s = machine;

    ir_arm64_emit(s->code, ARM64_ADD_I, ARM64_LANE, ARM64_LANE, 0, step);
    ir_arm64_emit(s->code, ARM64_CMP_I, 0, ARM64_LANE, 0, IR_LANES);
    ir_arm64_jump_back(s->code, ARM64_B_LOWER, 0, head);
}

/* --- Control flow ----------------------------------------------------------------------------- */

/* ARM64_X16 is not 0 if the mask has any lane. */
static void test(void *machine, uint8_t place)
{
    struct arm64_selector *s = machine;

    emit3(s, ARM64_UMAXP, ARM64_T, place, place);
    emit2(s, ARM64_FMOV_X, ARM64_X16, ARM64_T);
}

static void test_all(void *machine, uint32_t mask, unsigned step)
{
    struct arm64_selector *s = machine;
    const struct ir_inst *inst = &s->live->inst[mask];
    uint32_t at = slot_at(s->allocation, mask);

    if (inst->op == IR_MCONST) {
        emit_imm(s, ARM64_MOVZ, ARM64_X16, 0, inst->imm);
        return;
    }
    for (unsigned lane = 0; lane < IR_LANES; lane += step) {
        struct arm64_memory m =
            ir_arm64_reach(s->code, ARM64_WORK, at + 4 * lane, ARM64_VECTOR_BYTES);

        emit_imm(s, ARM64_LDR_Q, lane ? ARM64_U : ARM64_T, m.base, m.offset);
        if (lane)
            emit3(s, ARM64_ORR_V, ARM64_T, ARM64_T, ARM64_U);
    }
    test(s, ARM64_T);
}

static enum arm64_form form_of(enum machine_condition condition)
{
    return condition == MACHINE_IF_NONE  ? ARM64_CBZ
           : condition == MACHINE_IF_ANY ? ARM64_CBNZ
                                         : ARM64_B;
}

static unsigned tested(enum machine_condition condition)
{
    return condition == MACHINE_ALWAYS ? 0 : ARM64_X16;
}

static size_t jump(void *machine, enum machine_condition condition)
{
    struct arm64_selector *s = machine;
    size_t at = s->code->n;

    emit2(s, form_of(condition), tested(condition), 0);
    return at;
}

static void land(void *machine, size_t from)
{
    ir_arm64_land(((struct arm64_selector *)machine)->code, from);
}

static void jump_back(void *machine, enum machine_condition condition, size_t target)
{
    struct arm64_selector *s = machine;

    ir_arm64_jump_back(s->code, form_of(condition), tested(condition), target);
}

static void call(void *machine, uint32_t function)
{
    struct arm64_selector *s = machine;

    ir_arm64_call(s->code, s->frame, function, s->plain);
}

static void operation(void *machine, uint32_t i)
{
    ir_arm64_select(machine, i);
}

const struct machine_emitter ir_arm64_emitter = {
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
    .move = move,
    .to_slot = to_slot,
    .call = call,
    .operation = operation,
};
