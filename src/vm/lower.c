/* From a checked program to code: walks the instructions, cuts them into blocks at flow control,
 * hands what lies between to lower_alu.c and lower_tex.c. See lower.h for the idea. */
#include "vm/lower.h"

#include "util/alloc.h"

#include <string.h>

/* --- Blocks ----------------------------------------------------------------------------------- */

struct walk {
    uint32_t nesting; /* open ifs and loops of the routine */
    bool in_main, reachable, lanes_may_be_gone;
};

static struct ir_block *current(struct lower *l)
{
    return &l->block[l->n_block - 1];
}

static void begin_block(struct lower *l, const struct walk *w)
{
    if (!vm_lower_grow(l, &l->block, l->n_block, &l->cap_block, sizeof(*l->block)))
        return;
    l->block[l->n_block++] = (struct ir_block){
        .op = l->main.n_op,
        .masked = !w->in_main || w->nesting || w->lanes_may_be_gone,
        .instr = VM_NO_TARGET,
        .target = VM_NO_TARGET,
    };
}

/* Puts what changed in the block to the cells' places. All reads of old contents come first. */
static void write_back(struct lower *l)
{
    for (uint32_t c = 0; c < l->n_cell; c++) {
        uint32_t ref = l->now[c], from = ref & REF_ID_MASK;

        if ((ref & REF_KIND_MASK) == REF_CELL && from != c && l->now[from] != (REF_CELL | from)) {
            uint32_t words[] = {vm_lower_new_value(l), ref};

            vm_lower_group(l, VM_K_MOV, words);
            l->now[c] = words[0];
        }
    }
    for (uint32_t c = 0; c < l->n_cell; c++) {
        if (l->now[c] != (REF_CELL | c)) {
            uint32_t words[] = {REF_CELL | c, l->now[c]};

            vm_lower_group(l, VM_K_STORE, words);
        }
        l->now[c] = REF_CELL | c;
    }
}

static void end_block(struct lower *l, enum ir_flow flow, uint32_t instr, uint32_t target,
                      uint32_t imm)
{
    struct ir_block *b;

    write_back(l);
    b = current(l);
    b->n_ops = l->main.n_op - b->op;
    b->flow = (uint8_t)flow;
    b->instr = instr;
    b->target = target;
    b->imm = imm;
}

/* Ends the block so that the observer finds all registers in their places. It has to wait while
 * results of the block are still due. */
static void observe(struct lower *l, const struct walk *w, uint32_t instr)
{
    if (!l->options->observe || l->n_pending || l->n_rows)
        return;
    end_block(l, FLOW_OBSERVE, VM_NO_TARGET, l->n_observed, instr);
    begin_block(l, w);
    l->n_observed = instr + 1;
}

/* --- The end of the main program -------------------------------------------------------------- */

static uint32_t saturated(struct lower *l, uint32_t ref)
{
    struct post clamp = {.saturate = true, .scale = 1.0f};

    return vm_lower_emit(l, VM_K_MOV, &ref, 0, &clamp);
}

/* Colours and fog of vs_1 and vs_2 leave clamped (reference: shader/colour-clamp); the colour of ps_1_x
 * is r0, clamped (reference: shader/ps1-result). */
static void epilogue(struct lower *l)
{
    const struct vm_info *info = &l->program->info;

    for (unsigned c = 0; l->pixel1 && c < 4; c++) {
        int slot = vm_program_output_slot(l->program, VM_FILE_TEMP, 0, c);

        if (slot >= 0)
            l->now[l->cell_output + (uint32_t)slot] = saturated(l, l->now[c]);
    }
    for (unsigned i = 0; !l->pixel && l->rank < VM_RANK_3_0 && i < info->n_outputs; i++) {
        const struct vm_io *io = &info->output[i];

        for (unsigned c = 0; c < 4; c++) {
            uint32_t cell = l->cell_output + (uint32_t)io->slot[c];

            if (io->slot[c] >= 0 && (io->usage == VM_USAGE_COLOR || io->usage == VM_USAGE_FOG))
                l->now[cell] = saturated(l, l->now[cell]);
        }
    }
}

static void end_main(struct lower *l, struct walk *w)
{
    if (w->lanes_may_be_gone) {
        end_block(l, FLOW_JOIN, VM_NO_TARGET, VM_NO_TARGET, 0);
        w->lanes_may_be_gone = false;
        begin_block(l, w);
    }
    if (!l->status)
        epilogue(l);
    end_block(l, FLOW_END, VM_NO_TARGET, VM_NO_TARGET, 0);
    w->in_main = false;
    w->reachable = false;
}

/* --- Flow instructions ------------------------------------------------------------------------ */

static void split(struct lower *l, struct walk *w, enum ir_flow flow, uint32_t instr, uint32_t imm)
{
    end_block(l, flow, instr, l->program->instr[instr].target, imm);
    if (flow == FLOW_IF_BOOL || flow == FLOW_IF_PRED || flow == FLOW_IF_COND || flow == FLOW_LOOP)
        w->nesting++;
    if ((flow == FLOW_ENDIF || flow == FLOW_ENDLOOP) && w->nesting)
        w->nesting--;
    begin_block(l, w);
}

/* A condition that is b# or a predicate component: the flow's form for it. */
static void split_on(struct lower *l, struct walk *w, uint32_t instr,
                     const struct vm_src *condition, enum ir_flow boolean, enum ir_flow predicate)
{
    bool inverted = condition->modifier == VM_MOD_NOT;

    if (condition->file == VM_FILE_CONSTBOOL)
        split(l, w, boolean, instr, condition->index | (uint32_t)inverted << 31);
    else
        split(l, w, predicate, instr, vm_lower_predicate(condition, 0));
}

static void split_compare(struct lower *l, struct walk *w, uint32_t instr, enum ir_flow flow)
{
    const struct vm_instr *in = &l->program->instr[instr];
    uint32_t words[] = {vm_lower_src(l, in, 0, 0), vm_lower_src(l, in, 1, 0), in->control};

    vm_lower_group(l, VM_K_COMPARE, words);
    split(l, w, flow, instr, 0);
}

static void leave_routine(struct lower *l, struct walk *w, uint32_t instr)
{
    if (w->in_main && !w->nesting) {
        end_main(l, w);
        return;
    }
    w->reachable = w->nesting > 0;
    w->lanes_may_be_gone |= w->in_main;
    end_block(l, FLOW_RETURN, instr, VM_NO_TARGET, 0);
    begin_block(l, w);
}

static void label(struct lower *l, struct walk *w, uint32_t instr)
{
    if (w->in_main)
        end_main(l, w);
    else if (w->reachable)
        end_block(l, FLOW_RETURN, VM_NO_TARGET, VM_NO_TARGET, 0);
    w->reachable = true;
    w->nesting = 0;
    begin_block(l, w);
    end_block(l, FLOW_NONE, instr, VM_NO_TARGET, 0);
    begin_block(l, w);
}

static void flow(struct lower *l, struct walk *w, uint32_t i)
{
    const struct vm_instr *in = &l->program->instr[i];
    bool is_entry = in->op == VM_OP_ELSE || in->op == VM_OP_ENDIF || in->op == VM_OP_LABEL;

    if (!is_entry)
        observe(l, w, i);
    switch (in->op) {
    case VM_OP_IF:
        split_on(l, w, i, &in->src[0], FLOW_IF_BOOL, FLOW_IF_PRED);
        break;
    case VM_OP_IFC:
        split_compare(l, w, i, FLOW_IF_COND);
        break;
    case VM_OP_ELSE:
        split(l, w, FLOW_ELSE, i, 0);
        break;
    case VM_OP_ENDIF:
        split(l, w, FLOW_ENDIF, i, 0);
        break;
    case VM_OP_LOOP:
        split(l, w, FLOW_LOOP, i, in->src[1].index);
        break;
    case VM_OP_REP: /* has no aL and leaves an outer one alone */
        split(l, w, FLOW_LOOP, i, in->src[0].index | UINT32_C(1) << 31);
        break;
    case VM_OP_ENDLOOP:
    case VM_OP_ENDREP:
        split(l, w, FLOW_ENDLOOP, i, 0);
        break;
    case VM_OP_BREAK:
        split(l, w, FLOW_BREAK, i, 0);
        break;
    case VM_OP_BREAKC:
        split_compare(l, w, i, FLOW_BREAK_COND);
        break;
    case VM_OP_BREAKP:
        split(l, w, FLOW_BREAK_PRED, i, vm_lower_predicate(&in->src[0], 0));
        break;
    case VM_OP_CALL:
        split(l, w, FLOW_CALL, i, 0);
        break;
    case VM_OP_CALLNZ:
        split_on(l, w, i, &in->src[1], FLOW_CALL_BOOL, FLOW_CALL_PRED);
        break;
    case VM_OP_RET:
        leave_routine(l, w, i);
        break;
    case VM_OP_LABEL:
        label(l, w, i);
        break;
    default: /* nop, phase */
        break;
    }
    if (is_entry && !l->status)
        observe(l, w, i);
}

/* --- The walk --------------------------------------------------------------------------------- */

static void instruction(struct lower *l, struct walk *w, uint32_t i)
{
    const struct vm_instr *in = &l->program->instr[i];
    const struct vm_instr *next = i + 1 < l->program->n_instr ? in + 1 : NULL;
    unsigned shape = vm_op_info[in->op].shape;
    bool scatters =
        in->dst.file != VM_FILE_NONE && in->dst.rel_file != VM_FILE_NONE && in->op != VM_OP_TEXKILL;

    if (scatters) { /* writes memory in the middle of things: a block of its own */
        end_block(l, FLOW_NONE, VM_NO_TARGET, VM_NO_TARGET, 0);
        begin_block(l, w);
    }
    if (l->status)
        return;
    if (shape == VM_SHAPE_TEXTURE || shape == VM_SHAPE_TEXTURE1 || in->op == VM_OP_BEM)
        vm_lower_texture(l, in);
    else
        vm_lower_alu(l, in);
    /* Both instructions of a pair read before either writes. */
    if (!next || !next->coissue || in->coissue)
        vm_lower_commit(l);
    if (scatters) {
        end_block(l, FLOW_NONE, VM_NO_TARGET, VM_NO_TARGET, 0);
        begin_block(l, w);
    }
    if (!l->status)
        observe(l, w, i);
}

static void walk(struct lower *l)
{
    const struct vm_program *p = l->program;
    struct walk w = {.in_main = true, .reachable = true};

    begin_block(l, &w);
    for (uint32_t i = 0; i < p->n_instr && !l->status; i++) {
        bool is_flow = vm_op_info[p->instr[i].op].shape == VM_SHAPE_FLOW;

        if (!w.reachable && p->instr[i].op != VM_OP_LABEL) {
            l->n_observed = i + 1;
            continue;
        }
        if (is_flow)
            flow(l, &w, i);
        else
            instruction(l, &w, i);
    }
    if (l->status)
        return;
    if (w.in_main)
        end_main(l, &w);
    else if (w.reachable)
        end_block(l, FLOW_RETURN, VM_NO_TARGET, VM_NO_TARGET, 0);
}

/* --- How deep control flow goes --------------------------------------------------------------- */

/* Levels that the routine starting at an instruction needs, those it calls included; -1 for
 * recursion, which the models forbid. seen: 1 on the way, 2 + depth when known. */
static int64_t routine_depth(const struct vm_program *p, uint32_t first, uint32_t *seen)
{
    int64_t depth = 0, most = 0;

    if (seen[first])
        return seen[first] == 1 ? -1 : (int64_t)seen[first] - 2;
    seen[first] = 1;
    for (uint32_t i = first; i < p->n_instr; i++) {
        const struct vm_instr *in = &p->instr[i];
        int64_t below = 0;

        if (in->op == VM_OP_LABEL && i != first)
            break;
        if (in->op == VM_OP_IF || in->op == VM_OP_IFC || in->op == VM_OP_LOOP ||
            in->op == VM_OP_REP)
            depth++;
        if (in->op == VM_OP_CALL || in->op == VM_OP_CALLNZ) {
            below = routine_depth(p, in->target, seen);
            if (below < 0)
                return -1;
            below++;
        }
        most = depth + below > most ? depth + below : most;
        if (in->op == VM_OP_ENDIF || in->op == VM_OP_ENDLOOP || in->op == VM_OP_ENDREP)
            depth--;
    }
    seen[first] = (uint32_t)most + 2;
    return most;
}

static enum status find_depth(const struct vm_program *p, struct vm_code *code)
{
    uint32_t *seen = mem_calloc((size_t)p->n_instr + 1, sizeof(*seen));
    int64_t depth;

    if (!seen)
        return ST_NOMEM;
    depth = routine_depth(p, 0, seen);
    mem_free(seen);
    code->max_depth = depth < 0 ? 0 : (uint32_t)depth;
    return depth < 0 ? ST_INVALID : ST_OK;
}

/* --- The door --------------------------------------------------------------------------------- */

/* Of several definitions of a register the last counts. */
static void note_definitions(struct lower *l)
{
    for (uint32_t i = 0; i < l->program->n_def; i++)
        if (l->program->def[i].file == VM_FILE_CONST)
            l->def_of[l->program->def[i].index] = i + 1;
}

static enum status init(struct lower *l, const struct vm_program *p,
                        const struct vm_options *options)
{
    uint32_t zero;

    memset(l, 0, sizeof(*l));
    l->program = p;
    l->options = options;
    l->pixel = p->info.stage == VM_PIXEL;
    l->rank = p->built ? VM_RANK_3_SW : vm_version_rank(l->pixel, p->info.major, p->info.minor);
    l->pixel1 = l->pixel && l->rank < VM_RANK_2_0;
    l->cell_texture = p->n_temps * 4u;
    l->cell_address = l->cell_texture + (l->pixel1 ? 8 * 4 : 0);
    l->cell_output = l->cell_address + 4;
    l->n_cell = l->cell_output + p->info.n_output_slots;
    l->now = mem_alloc(l->n_cell * sizeof(*l->now));
    l->memo = mem_calloc(MEMO_SIZE, sizeof(*l->memo));
    l->scalar_hash = mem_calloc(SCALAR_HASH, sizeof(*l->scalar_hash));
    for (uint32_t i = 0; i < p->n_def; i++)
        if (p->def[i].file == VM_FILE_CONST && p->def[i].index >= l->n_def_of)
            l->n_def_of = p->def[i].index + 1u;
    l->def_of = mem_calloc(l->n_def_of + 1u, sizeof(*l->def_of));
    if (!l->now || !l->memo || !l->scalar_hash || !l->def_of)
        return ST_NOMEM;
    note_definitions(l);
    zero = vm_lower_literal(l, 0.0f);
    for (uint32_t c = 0; c < l->n_cell; c++)
        l->now[c] = zero;
    l->row[0] = l->row[1] = l->row_w[0] = l->row_w[1] = zero;
    return l->status;
}

static void fini(struct lower *l)
{
    mem_free(l->main.op);
    mem_free(l->main.arg);
    mem_free(l->hoist.op);
    mem_free(l->hoist.arg);
    mem_free(l->block);
    mem_free(l->scalar);
    mem_free(l->scalar_hash);
    mem_free(l->scalar_next);
    mem_free(l->def_of);
    mem_free(l->now);
    mem_free(l->memo);
}

enum status vm_code_create(struct vm_code **out, const struct vm_program *program,
                           const struct vm_options *options)
{
    struct vm_code *code = mem_calloc(1, sizeof(*code));
    struct lower l;
    enum status st;

    *out = NULL;
    if (!code)
        return ST_NOMEM;
    st = init(&l, program, options);
    if (!st)
        st = find_depth(program, code);
    if (!st) {
        walk(&l);
        st = l.status;
    }
    if (!st)
        st = vm_lower_sweep(&l);
    if (!st)
        st = vm_lower_write_code(&l, code);
    fini(&l);
    if (st) {
        vm_code_destroy(code);
        return st;
    }
    *out = code;
    return ST_OK;
}

void vm_code_destroy(struct vm_code *code)
{
    if (!code)
        return;
    mem_free(code->uop);
    mem_free(code->uniform_uop);
    mem_free(code->arg);
    mem_free(code->scalar);
    mem_free(code->def);
    mem_free(code->cells.slot);
    mem_free(code);
}
