/* Code of a function: loops over the vectors of lanes, control flow, and the moves of values
 * between registers and memory. Rows of select.c emit the operations in between.
 *
 * Tested by tests/unit/ir/x86/test_x86.c. */
#include "ir/x86/flow.h"

#include "ir/x86/emit.h"

/* --- Memory of values --------------------------------------------------------------------------
 */

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

/* --- Regions ---------------------------------------------------------------------------------- */

/* Between barriers, code runs for one vector after another. */
static void begin_region(struct x86_function *f)
{
    struct x86_selector *s = &f->selector;

    f->before_region = s->code->n;
    emit2(s, X86_XOR, X86_LANE, x86_reg(X86_LANE));
    f->region = s->code->n;
}

/* A region without code is no loop. */
static void end_region(struct x86_function *f)
{
    struct x86_selector *s = &f->selector;

    if (s->code->n == f->region)
        s->code->n = f->before_region;
    if (f->single || s->code->n == f->before_region)
        return;
    emit_imm(s, X86_ADD_I, 0, 0, x86_reg(X86_LANE), (int32_t)f->step);
    emit_imm(s, X86_CMP_I, 0, 0, x86_reg(X86_LANE), IR_LANES);
    ir_x86_jump_back(s->code, X86_BELOW, f->region);
}

/* A region of moves. */
static void emit_region_of_moves(struct x86_function *f, uint32_t i, uint32_t m)
{
    struct x86_selector *s = &f->selector;

    begin_region(f);
    emit_moves(s, i, m);
    end_region(f);
}

/* --- Control flow ----------------------------------------------------------------------------- */

/* Sets the zero flag if no lane of the vector is true. */
static void emit_test(struct x86_selector *s, unsigned mask)
{
    emit2(s, avx512(s) ? X86_KORTESTW : X86_PTEST, mask, x86_reg(mask));
}

/* Sets the zero flag if none of the 64 lanes is true. */
static void emit_test_all(struct x86_function *f, uint32_t mask)
{
    struct x86_selector *s = &f->selector;
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
    for (unsigned lane = f->step; lane < IR_LANES; lane += f->step) {
        m.disp += (int32_t)(f->step * (avx512(s) ? 1 : sizeof(uint32_t)));
        emit3(s, avx512(s) ? X86_OR : X86_POR, avx512(s) ? X86_AX : t, t, m);
    }
    if (avx512(s))
        emit_imm(s, X86_TEST_I, 0, 0, x86_reg(X86_AX), 0xffff);
    else
        emit_test(s, t);
}

static void emit_if(struct x86_function *f, const struct x86_selection *n)
{
    struct x86_selector *s = &f->selector;
    bool barrier = s->live->barrier[n->i], rare = x86_is_rare_if(s->live, n->i);

    emit_moves(s, n->i, s->allocation->first_move[n->i]);
    if (barrier) {
        end_region(f);
        emit_test_all(f, n->inst->arg[0]);
    } else {
        emit_test(s, n->x[0].reg);
    }
    f->flow[n->i].jump = ir_x86_jump(s->code, rare ? X86_NOT_ZERO : X86_ZERO);
    if (barrier)
        begin_region(f);
}

static void emit_endif(struct x86_function *f, const struct x86_selection *n)
{
    struct x86_selector *s = &f->selector;
    bool barrier = s->live->barrier[n->i];
    size_t jump = f->flow[s->live->match[n->i]].jump, end;
    uint32_t m = emit_moves(s, n->i, s->allocation->first_move[n->i]);

    if (barrier)
        end_region(f);
    if (m == s->allocation->first_move[n->i + 1]) {
        ir_x86_land(s->code, jump);
    } else {
        end = ir_x86_jump(s->code, X86_ALWAYS);
        ir_x86_land(s->code, jump);
        if (barrier)
            emit_region_of_moves(f, n->i, m + 1);
        else
            emit_moves(s, n->i, m + 1);
        ir_x86_land(s->code, end);
    }
    if (barrier)
        begin_region(f);
}

static void emit_loop(struct x86_function *f, const struct x86_selection *n)
{
    struct x86_selector *s = &f->selector;
    bool barrier = s->live->barrier[n->i];

    emit_moves(s, n->i, s->allocation->first_move[n->i]);
    if (barrier)
        end_region(f);
    f->flow[n->i].back = s->code->n;
    if (barrier)
        begin_region(f);
}

static void emit_endloop(struct x86_function *f, const struct x86_selection *n)
{
    struct x86_selector *s = &f->selector;
    bool barrier = s->live->barrier[n->i];
    size_t top = f->flow[s->live->match[n->i]].back, end;
    uint32_t m = emit_moves(s, n->i, s->allocation->first_move[n->i]) + 1;

    if (barrier) {
        end_region(f);
        emit_test_all(f, n->inst->arg[0]);
    } else {
        emit_test(s, n->x[0].reg);
    }
    if (m == s->allocation->first_move[n->i + 1]) {
        ir_x86_jump_back(s->code, X86_NOT_ZERO, top);
    } else {
        end = ir_x86_jump(s->code, X86_ZERO);
        if (barrier)
            emit_region_of_moves(f, n->i, m);
        else
            emit_moves(s, n->i, m);
        ir_x86_jump_back(s->code, X86_ALWAYS, top);
        ir_x86_land(s->code, end);
    }
    if (barrier)
        begin_region(f);
}

static void emit_call(struct x86_function *f, const struct x86_selection *n)
{
    struct x86_selector *s = &f->selector;

    end_region(f);
    ir_x86_call(s->code, s->frame, n->inst->imm);
    begin_region(f);
}

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

static void emit_operation(struct x86_function *f, const struct x86_selection *n)
{
    switch (n->inst->op) {
    case IR_IF:
        emit_if(f, n);
        break;
    case IR_ENDIF:
        emit_endif(f, n);
        break;
    case IR_LOOP:
        emit_loop(f, n);
        break;
    case IR_ENDLOOP:
        emit_endloop(f, n);
        break;
    case IR_CALL:
        emit_call(f, n);
        break;
    default:
        ir_x86_select(&f->selector, n);
    }
}

static void generate_inst(struct x86_function *f, uint32_t i)
{
    struct x86_selector *s = &f->selector;
    const struct ir_inst *inst = &s->live->inst[i];
    const struct ir_op_info *info = &ir_op_info[inst->op];
    const uint8_t *place = s->allocation->place[i];
    struct x86_selection n = {.inst = inst, .i = i, .d = (uint8_t)register_number(place[0])};
    bool is_phi = x86_is_phi(inst->op) || x86_is_loop_phi(inst->op);

    if (s->live->cut[i]) {
        end_region(f);
        begin_region(f);
    }
    if (info->result && place[0] == X86_PLACE_NONE)
        return; /* loaded where it is used, or not used */
    if (!is_flow(inst->op))
        emit_moves(s, i, s->allocation->first_move[i]);
    for (unsigned k = 0; k < info->n_args && !is_phi; k++)
        n.x[k] = place[1 + k] == X86_PLACE_MEMORY ? value_memory(s, inst->arg[k])
                                                  : x86_reg(register_number(place[1 + k]));
    emit_operation(f, &n);
    if (info->result)
        emit_spill(s, i);
}

/* Of a rare IF: a jump, and the moves of the way that does not run it. Returns its ENDIF. */
static uint32_t skip_rare(struct x86_function *f, uint32_t rare)
{
    struct x86_selector *s = &f->selector;
    uint32_t end = s->live->match[rare], m = s->allocation->first_move[end];

    generate_inst(f, rare);
    while (m < s->allocation->first_move[end + 1] && s->allocation->move[m].to != X86_PLACE_NONE)
        m++;
    if (m < s->allocation->first_move[end + 1])
        emit_moves(s, end, m + 1);
    f->flow[rare].back = s->code->n;
    return end;
}

void ir_x86_generate(struct x86_function *f)
{
    struct x86_selector *s = &f->selector;

    begin_region(f);
    for (uint32_t i = 1; i < s->live->n; i++)
        if (x86_is_rare_if(s->live, i))
            i = skip_rare(f, i);
        else
            generate_inst(f, i);
    end_region(f);
}

void ir_x86_generate_rare(struct x86_function *f)
{
    struct x86_selector *s = &f->selector;
    const struct x86_allocation *a = s->allocation;
    uint32_t n = 0; /* saves that are emitted */

    for (uint32_t i = 1, rare; i < s->live->n; i++) {
        if (!x86_is_rare_if(s->live, i))
            continue;
        rare = i;
        ir_x86_land(s->code, f->flow[rare].jump);
        for (; n < a->n_saves && a->save[n].rare == rare; n++)
            emit_to_slot(s, a->save[n].value, a->save[n].from);
        for (i++; i < s->live->match[rare]; i++)
            generate_inst(f, i);
        emit_moves(s, i, s->allocation->first_move[i]);
        ir_x86_jump_back(s->code, X86_ALWAYS, f->flow[rare].back);
    }
}
