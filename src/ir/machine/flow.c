/* Code of a function: loops over the vectors of lanes, control flow, and where values move between
 * registers and memory. The machine emits the steps.
 *
 * Tested by tests/unit/ir/compile/test_compile.c. */
#include "ir/machine/flow.h"

#include "ir/build/build.h"
#include "util/alloc.h"

static size_t position(const struct machine_function *f)
{
    return f->emitter->position(f->machine);
}

/* Notes the origin of the code that follows. Code that was taken back takes its marks along. */
static void mark(struct machine_function *f, uint16_t origin)
{
    size_t at = position(f);

    while (f->n_marks && f->mark[f->n_marks - 1].at >= at)
        f->n_marks--;
    if (origin == (f->n_marks ? f->mark[f->n_marks - 1].origin : 0))
        return;
    if (f->n_marks == f->mark_capacity) {
        uint32_t capacity = f->mark_capacity ? 2 * f->mark_capacity : 64;
        void *more = mem_realloc(f->mark, capacity * sizeof(*f->mark));

        f->no_memory |= !more;
        if (!more)
            return;
        f->mark = more;
        f->mark_capacity = capacity;
    }
    f->mark[f->n_marks++] = (struct machine_mark){at, origin};
}

static void mark_inst(struct machine_function *f, uint32_t i)
{
    mark(f, f->live.inst[i].origin);
}

/* Emits the moves before instruction i, from the given one up to the end or a divider. Returns
 * where it stopped. */
static uint32_t emit_moves(const struct machine_function *f, uint32_t i, uint32_t m)
{
    const struct machine_allocation *a = &f->allocation;

    for (; m < a->first_move[i + 1] && a->move[m].to != MACHINE_PLACE_NONE; m++)
        f->emitter->move(f->machine, &a->move[m]);
    return m;
}

/* --- Regions ---------------------------------------------------------------------------------- */

/* Between barriers, code runs for one vector after another. i: the first instruction. */
static void begin_region(struct machine_function *f, uint32_t i)
{
    mark(f, 0);
    f->before_region = position(f);
    f->emitter->begin_vectors(f->machine);
    f->head = position(f);
    f->emitter->begin_vector(f->machine, i);
    f->region = position(f);
}

/* A region without code is no loop. A loop's end is charged to its last instruction. */
static void end_region(struct machine_function *f)
{
    if (position(f) == f->region) {
        f->emitter->rewind(f->machine, f->before_region);
        return;
    }
    if (!f->single)
        f->emitter->next_vector(f->machine, f->step, f->head);
}

/* A region of moves. */
static void emit_region_of_moves(struct machine_function *f, uint32_t i, uint32_t m)
{
    begin_region(f, i);
    emit_moves(f, i, m);
    end_region(f);
}

/* --- Control flow ----------------------------------------------------------------------------- */

static void emit_if(struct machine_function *f, uint32_t i)
{
    bool barrier = f->live.barrier[i], rare = machine_is_rare_if(&f->live, i);

    emit_moves(f, i, f->allocation.first_move[i]);
    if (barrier) {
        end_region(f);
        mark_inst(f, i);
        f->emitter->test_all(f->machine, f->live.inst[i].arg[0], f->step);
    } else {
        f->emitter->test(f->machine, f->allocation.place[i][1]);
    }
    f->flow[i].jump = f->emitter->jump(f->machine, rare ? MACHINE_IF_ANY : MACHINE_IF_NONE);
    if (barrier)
        begin_region(f, i + 1);
}

static void emit_endif(struct machine_function *f, uint32_t i)
{
    bool barrier = f->live.barrier[i];
    size_t jump = f->flow[f->live.match[i]].jump, end;
    uint32_t m = emit_moves(f, i, f->allocation.first_move[i]);

    if (barrier)
        end_region(f);
    if (m == f->allocation.first_move[i + 1]) {
        f->emitter->land(f->machine, jump);
    } else {
        end = f->emitter->jump(f->machine, MACHINE_ALWAYS);
        f->emitter->land(f->machine, jump);
        if (barrier)
            emit_region_of_moves(f, i, m + 1);
        else
            emit_moves(f, i, m + 1);
        f->emitter->land(f->machine, end);
    }
    if (barrier)
        begin_region(f, i + 1);
}

static void emit_loop(struct machine_function *f, uint32_t i)
{
    bool barrier = f->live.barrier[i];

    emit_moves(f, i, f->allocation.first_move[i]);
    if (barrier)
        end_region(f);
    f->flow[i].back = position(f);
    if (barrier)
        begin_region(f, i + 1);
}

static void emit_endloop(struct machine_function *f, uint32_t i)
{
    bool barrier = f->live.barrier[i];
    size_t top = f->flow[f->live.match[i]].back, end;
    uint32_t m = emit_moves(f, i, f->allocation.first_move[i]) + 1;

    if (barrier) {
        end_region(f);
        mark_inst(f, i);
        f->emitter->test_all(f->machine, f->live.inst[i].arg[0], f->step);
    } else {
        f->emitter->test(f->machine, f->allocation.place[i][1]);
    }
    if (m == f->allocation.first_move[i + 1]) {
        f->emitter->jump_back(f->machine, MACHINE_IF_ANY, top);
    } else {
        end = f->emitter->jump(f->machine, MACHINE_IF_NONE);
        if (barrier)
            emit_region_of_moves(f, i, m);
        else
            emit_moves(f, i, m);
        f->emitter->jump_back(f->machine, MACHINE_ALWAYS, top);
        f->emitter->land(f->machine, end);
    }
    if (barrier)
        begin_region(f, i + 1);
}

static void emit_call(struct machine_function *f, uint32_t i)
{
    end_region(f);
    mark_inst(f, i);
    f->emitter->call(f->machine, f->live.inst[i].imm);
    begin_region(f, i + 1);
}

/* --- Functions -------------------------------------------------------------------------------- */

static bool is_flow(unsigned op)
{
    return ir_op_info[op].op_class == IR_CLASS_FLOW && !machine_is_phi(op) &&
           !machine_is_loop_phi(op);
}

static void emit_operation(struct machine_function *f, uint32_t i)
{
    switch (f->live.inst[i].op) {
    case IR_IF:
        emit_if(f, i);
        break;
    case IR_ENDIF:
        emit_endif(f, i);
        break;
    case IR_LOOP:
        emit_loop(f, i);
        break;
    case IR_ENDLOOP:
        emit_endloop(f, i);
        break;
    case IR_CALL:
        emit_call(f, i);
        break;
    default:
        f->emitter->operation(f->machine, i);
    }
}

static void generate_inst(struct machine_function *f, uint32_t i)
{
    unsigned op = f->live.inst[i].op;
    bool has_result = ir_op_info[op].result;
    uint8_t place = f->allocation.place[i][0];

    if (f->live.cut[i]) {
        end_region(f);
        begin_region(f, i);
    }
    mark_inst(f, i);
    if (has_result && place == MACHINE_PLACE_NONE)
        return; /* loaded where it is used, or not used */
    if (!is_flow(op))
        emit_moves(f, i, f->allocation.first_move[i]);
    emit_operation(f, i);
    if (has_result && f->allocation.spilled[i] && place < MACHINE_PLACES)
        f->emitter->to_slot(f->machine, i, place);
}

/* Of a rare IF: a jump, and the moves of the way that does not run it. Returns its ENDIF. */
static uint32_t skip_rare(struct machine_function *f, uint32_t rare)
{
    const struct machine_allocation *a = &f->allocation;
    uint32_t end = f->live.match[rare], m = a->first_move[end];

    generate_inst(f, rare);
    while (m < a->first_move[end + 1] && a->move[m].to != MACHINE_PLACE_NONE)
        m++;
    if (m < a->first_move[end + 1])
        emit_moves(f, end, m + 1);
    f->flow[rare].back = position(f);
    return end;
}

void ir_machine_generate(struct machine_function *f)
{
    begin_region(f, 1);
    for (uint32_t i = 1; i < f->live.n; i++)
        if (machine_is_rare_if(&f->live, i))
            i = skip_rare(f, i);
        else
            generate_inst(f, i);
    end_region(f);
    mark(f, 0);
}

void ir_machine_generate_rare(struct machine_function *f)
{
    const struct machine_allocation *a = &f->allocation;
    uint32_t n = 0; /* saves that are emitted */

    for (uint32_t i = 1, rare; i < f->live.n; i++) {
        if (!machine_is_rare_if(&f->live, i))
            continue;
        rare = i;
        f->emitter->land(f->machine, f->flow[rare].jump);
        mark_inst(f, rare);
        for (; n < a->n_saves && a->save[n].rare == rare; n++)
            f->emitter->to_slot(f->machine, a->save[n].value, a->save[n].from);
        for (i++; i < f->live.match[rare]; i++)
            generate_inst(f, i);
        mark_inst(f, rare);
        emit_moves(f, i, f->allocation.first_move[i]);
        f->emitter->jump_back(f->machine, MACHINE_ALWAYS, f->flow[rare].back);
    }
}

/* --- Interface -------------------------------------------------------------------------------- */

/* True if one vector does it all: a function that calls nothing, stores nothing that differs
 * between lanes, and goes the same way for all lanes. */
static bool is_single(const struct machine_live *live)
{
    for (uint32_t i = 1; i < live->n; i++) {
        const struct ir_inst *inst = &live->inst[i];
        unsigned op_class = ir_op_info[inst->op].op_class;
        bool branches = inst->op == IR_IF || inst->op == IR_ENDLOOP;

        if (op_class == IR_CLASS_CALL || (op_class == IR_CLASS_WRITE && inst->op != IR_USTORE) ||
            (branches && live->inst[inst->arg[0]].rate != IR_RATE_DRAW))
            return false;
    }
    return true;
}

enum status ir_machine_function_init(struct machine_function *f, const struct ir *ir,
                                     const struct machine_registers *registers,
                                     const struct machine_constraint *constraint, unsigned step)
{
    uint32_t n;
    const struct ir_inst *inst = ir_insts(ir, &n);
    enum status st;

    *f = (struct machine_function){
        .registers = registers, .step = step, .flow = mem_calloc(n, sizeof(*f->flow))};
    st = f->flow ? ST_OK : ST_NOMEM;
    if (st == ST_OK)
        st = ir_machine_live_init(&f->live, inst, n, ir->constant_bases);
    if (st == ST_OK)
        st = ir_machine_allocate(&f->allocation, &f->live, registers, constraint);
    if (st == ST_OK)
        f->single = is_single(&f->live);
    else
        ir_machine_function_fini(f);
    return st;
}

void ir_machine_function_fini(struct machine_function *f)
{
    ir_machine_allocation_fini(&f->allocation);
    ir_machine_live_fini(&f->live);
    mem_free(f->flow);
    mem_free(f->mark);
    *f = (struct machine_function){0};
}

enum status ir_machine_describe(struct machine_function *f, struct machine_code *out)
{
    mark(f, 0);
    if (f->no_memory)
        return ST_NOMEM;
    out->mark = f->mark;
    out->n_marks = f->n_marks;
    out->lanes = f->step;
    out->spills = 0;
    for (uint32_t i = 1; i < f->live.n; i++)
        out->spills += f->allocation.spilled[i];
    f->mark = NULL;
    return ST_OK;
}
