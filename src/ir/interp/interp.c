/* Interpreter: a function as a list of steps, most of them kernels. Control flow is jumps; PHIs are moves, where the
 * values that they merge are not in one place anyway. */
#include "ir/interp/interp.h"

#include "ir/interp/layout.h"
#include "util/alloc.h"

#include <string.h>

struct ir_interp {
    struct ir_step *step;
    char *constants;
    size_t work_bytes;
};

/* --- Steps of control flow -------------------------------------------------------------------------------------- */

static bool any_lane(const struct ir_step *step, const struct ir_frame *f)
{
    uint64_t mask;

    memcpy(&mask, f->area[step->arg[0].area] + step->arg[0].offset, sizeof(mask));
    return mask != 0;
}

/* A jump's imm is the distance to its target. */
static const struct ir_step *target_of(const struct ir_step *step)
{
    return step + (int32_t)step->imm;
}

static IR_STEP_ABI const struct ir_step *jump(const struct ir_step *step, const struct ir_frame *f)
{
    (void)f;
    return target_of(step);
}

static IR_STEP_ABI const struct ir_step *jump_if_any(const struct ir_step *step, const struct ir_frame *f)
{
    return any_lane(step, f) ? target_of(step) : step + 1;
}

static IR_STEP_ABI const struct ir_step *jump_unless_any(const struct ir_step *step, const struct ir_frame *f)
{
    return any_lane(step, f) ? step + 1 : target_of(step);
}

static IR_STEP_ABI const struct ir_step *call(const struct ir_step *step, const struct ir_frame *f)
{
    f->args->call(f->args->call_ctx, step->imm);
    IR_NEXT_STEP(step, f);
}

static IR_STEP_ABI const struct ir_step *end(const struct ir_step *step, const struct ir_frame *f)
{
    (void)step, (void)f;
    return NULL;
}

/* --- Flattening ------------------------------------------------------------------------------------------------- */

struct move {
    struct ir_place to, from;
    uint8_t kind;
};

struct flattener {
    struct layout layout;
    const struct ir_kern *kern;
    const struct ir_memory_kern *memory;
    struct ir_step *step;
    uint32_t n;        /* steps */
    uint32_t *step_of; /* of an IF: its jump; of a LOOP: its first step */
    struct move *move; /* of PHIs, to be emitted */
    uint32_t n_moves;
    bool is_marked;  /* tells origins */
    uint32_t origin; /* that it has told last, on every way here; else NO_ORIGIN */
};
enum { NO_ORIGIN = IR_ORIGINS };

/* At most so many steps come of an instruction. A move of a PHI may need a second one, for an exchange. */
static uint32_t max_steps(const struct ir_inst *inst)
{
    return ir_is_phi(inst) || ir_is_loop_phi(inst) ? 4 : inst->op == IR_ENDLOOP ? 2 : 1;
}

static struct ir_step *emit(struct flattener *fl, ir_step_fn *fn)
{
    struct ir_step *step = &fl->step[fl->n++];

    *step = (struct ir_step){.fn = fn};
    return step;
}

static void mark(struct flattener *fl, uint32_t origin)
{
    if (fl->is_marked && origin != fl->origin)
        emit(fl, call)->imm = IR_INTERP_ORIGIN | origin;
    fl->origin = origin;
}

static void emit_jump(struct flattener *fl, ir_step_fn *fn, struct ir_place mask, uint32_t target)
{
    uint32_t at = fl->n;
    struct ir_step *step = emit(fl, fn);

    step->arg[0] = mask;
    step->imm = target - at;
}

/* The jump goes to the next step. */
static void land(struct flattener *fl, uint32_t jump_at)
{
    fl->step[jump_at].imm = fl->n - jump_at;
}

/* --- Moves --- */

static bool is_same_place(struct ir_place a, struct ir_place b)
{
    return a.area == b.area && a.offset == b.offset;
}

/* Lists the moves of PHIs behind an ENDIF or LOOP that take operand k. */
static void list_moves(struct flattener *fl, uint32_t behind, unsigned k)
{
    const struct layout *l = &fl->layout;

    fl->n_moves = 0;
    for (uint32_t i = behind + 1; i < l->n && (ir_is_phi(&l->inst[i]) || ir_is_loop_phi(&l->inst[i])); i++) {
        struct ir_place to = ir_layout_place(l, i), from = ir_layout_place(l, l->inst[i].arg[k]);

        if (l->value[i].is_used && !is_same_place(to, from))
            fl->move[fl->n_moves++] = (struct move){to, from, l->value[i].kind};
    }
}

static void emit_move(struct flattener *fl, const struct move *move)
{
    const struct ir_kern *kern = fl->kern;
    struct ir_step *step = emit(fl, move->kind == KIND_LANES     ? kern->move_lanes
                                    : move->kind == KIND_UNIFORM ? kern->move_uniform
                                                                 : kern->move_mask);

    step->d = move->to;
    step->arg[0] = move->from;
}

static bool is_read_by_others(const struct flattener *fl, uint32_t m)
{
    for (uint32_t i = 0; i < fl->n_moves; i++)
        if (i != m && is_same_place(fl->move[i].from, fl->move[m].to))
            return true;
    return false;
}

/* Emits the moves in an order in which each reads the old value. If each remaining one overwrites what another one
 * reads, the scratch place saves a value. */
static void emit_moves(struct flattener *fl)
{
    while (fl->n_moves) {
        uint32_t m = 0;

        while (m < fl->n_moves && is_read_by_others(fl, m))
            m++;
        if (m == fl->n_moves) {
            struct move save = {fl->layout.scratch[fl->move[0].kind], fl->move[0].to, fl->move[0].kind};

            emit_move(fl, &save);
            for (m = 0; m < fl->n_moves; m++)
                if (is_same_place(fl->move[m].from, save.from))
                    fl->move[m].from = save.to;
            m = 0;
        }
        emit_move(fl, &fl->move[m]);
        fl->move[m] = fl->move[--fl->n_moves];
    }
}

/* --- Instructions --- */

static void flatten_endif(struct flattener *fl, uint32_t i)
{
    uint32_t jump_at, begin = fl->layout.value[i].partner;

    list_moves(fl, i, 0);
    emit_moves(fl);
    list_moves(fl, i, 1);
    jump_at = fl->n;
    if (fl->n_moves)
        emit_jump(fl, jump, (struct ir_place){0}, 0);
    land(fl, fl->step_of[begin]);
    if (!fl->n_moves)
        return;
    emit_moves(fl);
    land(fl, jump_at);
}

static void flatten_endloop(struct flattener *fl, uint32_t i)
{
    uint32_t exit_at = fl->n, begin = fl->layout.value[i].partner;
    struct ir_place again = ir_layout_place(&fl->layout, fl->layout.inst[i].arg[0]);

    list_moves(fl, begin, 1);
    if (!fl->n_moves) {
        emit_jump(fl, jump_if_any, again, fl->step_of[begin]);
        return;
    }
    emit_jump(fl, jump_unless_any, again, 0);
    emit_moves(fl);
    emit_jump(fl, jump, (struct ir_place){0}, fl->step_of[begin]);
    land(fl, exit_at);
}

/* The second of a pair computes the first, too. */
static void flatten_pair(struct flattener *fl, uint32_t i)
{
    const struct value *v = &fl->layout.value[i];
    const struct ir_inst *second = &fl->layout.inst[i], *first = &fl->layout.inst[v->first];
    struct ir_step *step = emit(fl, fl->kern->fused[v->row]);

    step->d = ir_layout_place(&fl->layout, i);
    for (unsigned k = 0; k < ir_op_info[first->op].n_args; k++)
        step->arg[k] = ir_layout_place(&fl->layout, first->arg[k]);
    step->arg[2] = ir_layout_place(&fl->layout, second->arg[second->arg[0] == v->first]);
    step->imm = first->imm;
}

static void flatten_kernel(struct flattener *fl, uint32_t i)
{
    const struct ir_inst *inst = &fl->layout.inst[i];
    const struct value *v = &fl->layout.value[i];
    const struct ir_op_info *info = &ir_op_info[inst->op];
    struct ir_step *step;

    if (info->result != IR_TYPE_NONE && (!v->is_used || v->is_fixed))
        return;
    mark(fl, inst->origin);
    if (v->first) {
        flatten_pair(fl, i);
        return;
    }
    step = emit(fl, info->op_class > IR_CLASS_COMMUTES ? fl->memory->fn[inst->op]
                    : v->kind == KIND_UNIFORM          ? fl->kern->uniform[inst->op]
                                                       : fl->kern->lanes[inst->op]);
    step->d = ir_layout_place(&fl->layout, i);
    for (unsigned k = 0; k < info->n_args; k++)
        step->arg[k] = ir_layout_place(&fl->layout, inst->arg[k]);
    step->imm = inst->imm;
    step->base = inst->base;
}

static void flatten(struct flattener *fl, uint32_t i)
{
    const struct ir_inst *inst = &fl->layout.inst[i];

    if (ir_op_info[inst->op].op_class >= IR_CLASS_FLOW && !ir_is_phi(inst) && !ir_is_loop_phi(inst))
        mark(fl, inst->origin);
    switch (inst->op) {
    case IR_IF:
        fl->step_of[i] = fl->n;
        emit_jump(fl, jump_unless_any, ir_layout_place(&fl->layout, inst->arg[0]), 0);
        break;
    case IR_ENDIF:
        flatten_endif(fl, i);
        break;
    case IR_LOOP:
        list_moves(fl, i, 0);
        emit_moves(fl);
        fl->step_of[i] = fl->n;
        break;
    case IR_ENDLOOP:
        flatten_endloop(fl, i);
        break;
    case IR_PHI:
    case IR_MPHI:
    case IR_LPHI:
    case IR_MLPHI:
        break; /* moves of its ENDIF or LOOP */
    case IR_CALL:
        emit(fl, call)->imm = inst->imm;
        break;
    default:
        flatten_kernel(fl, i);
    }
    if (ir_op_info[inst->op].op_class == IR_CLASS_FLOW)
        fl->origin = NO_ORIGIN;
}

/* --- Interface -------------------------------------------------------------------------------------------------- */

static void fill_constants(const struct layout *l, char *constants)
{
    memset(constants, 0, IR_UNIFORM_BYTES);
    memset(constants + IR_MASK_BYTES, 0xff, IR_MASK_BYTES); /* layout.c: all lanes */
    for (ir_ref i = 1; i < l->n; i++)
        for (unsigned at = 0; l->inst[i].op == IR_CONST && at < IR_UNIFORM_BYTES; at += sizeof(uint32_t))
            memcpy(constants + l->value[i].place.offset + at, &l->inst[i].imm, sizeof(uint32_t));
}

static enum status build(struct ir_interp *p, struct flattener *fl)
{
    const struct layout *l = &fl->layout;
    size_t n_steps = 2;

    for (uint32_t i = 1; i < l->n; i++)
        n_steps += max_steps(&l->inst[i]) + fl->is_marked;
    p->work_bytes = l->work_bytes;
    p->constants = mem_alloc(l->constant_bytes);
    p->step = fl->step = mem_alloc(n_steps * sizeof(*p->step));
    fl->step_of = mem_alloc(l->n * sizeof(*fl->step_of));
    fl->move = mem_alloc(l->n * sizeof(*fl->move));
    if (!p->constants || !p->step || !fl->step_of || !fl->move)
        return ST_NOMEM;
    fill_constants(l, p->constants);
    for (uint32_t i = 1; i < l->n; i++)
        flatten(fl, i);
    mark(fl, 0);
    emit(fl, end);
    return ST_OK;
}

static enum status create(struct ir_interp **out, const struct ir *ir, bool is_marked)
{
    struct flattener fl = {.kern = KERN_PICK(ir_kern),
                           .memory = KERN_PICK(ir_memory_kern),
                           .is_marked = is_marked,
                           .origin = NO_ORIGIN};
    struct ir_interp *p = mem_calloc(1, sizeof(*p));
    enum status status = p ? ir_status(ir) : ST_NOMEM;

    if (!status)
        status = ir_layout_init(&fl.layout, ir);
    if (!status) {
        status = build(p, &fl);
        ir_layout_fini(&fl.layout);
    }
    mem_free(fl.step_of);
    mem_free(fl.move);
    if (status) {
        ir_interp_destroy(p);
        return status;
    }
    *out = p;
    return ST_OK;
}

enum status ir_interp_create(struct ir_interp **out, const struct ir *ir)
{
    return create(out, ir, false);
}

enum status ir_interp_create_marked(struct ir_interp **out, const struct ir *ir)
{
    return create(out, ir, true);
}

void ir_interp_destroy(struct ir_interp *p)
{
    if (!p)
        return;
    mem_free(p->step);
    mem_free(p->constants);
    mem_free(p);
}

size_t ir_interp_work_bytes(const struct ir_interp *p)
{
    return p->work_bytes;
}

/* Not inlined, so that the registers that callers expect to be preserved are saved here, once for all steps. */
__attribute__((noinline)) static void run_steps(const struct ir_step *step, const struct ir_frame *f)
{
    while (step)
        step = step->fn(step, f);
}

void ir_interp_run(const struct ir_interp *p, const struct ir_args *args, void *work)
{
    struct ir_frame frame = {.area = {[IR_AREA_WORK] = work, [IR_AREA_CONSTANTS] = p->constants}, .args = args};

    for (unsigned base = 0; base < IR_BASES; base++)
        frame.area[IR_AREA_BASE + base] = args->base[base];
    run_steps(p->step, &frame);
}
