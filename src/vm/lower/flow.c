/* Lowering of flow control: splits a program into basic blocks, each with the flow operation that
 * ends it, and stores changed vregs at block ends.
 *
 * Tested by tests/unit/vm/run/test_exec.c and tests/unit/vm/lower/test_lower.c. */
#include "vm/lower/passes.h"

/* --- Basic blocks ----------------------------------------------------------------------------- */

static struct ir_block *current(struct lower *l)
{
    return &l->block[l->n_block - 1];
}

static void begin_block(struct lower *l, bool masked)
{
    if (!vm_lower_grow(l, &l->block, l->n_block, &l->cap_block, sizeof(*l->block)))
        return;
    l->block[l->n_block++] = (struct ir_block){
        .first_inst = l->main.n_inst,
        .masked = masked,
        .instr = VM_NO_TARGET,
        .target = VM_NO_TARGET,
    };
}

/* Begins the block of the next instruction. */
static void begin_next(struct lower *l)
{
    begin_block(l, l->flow_flags[l->walk.next] & FLOW_FLAG_MASKED);
}

/* Stores the vregs that the block has changed. All reads of old contents come first. */
static void write_back(struct lower *l)
{
    for (uint32_t c = 0; c < l->n_vreg; c++) {
        uint32_t ref = l->current_def[c], from = ref & REF_ID_MASK;

        if ((ref & REF_KIND_MASK) == REF_VREG && from != c &&
            l->current_def[from] != (REF_VREG | from)) {
            uint32_t words[] = {vm_lower_new_value(l), ref};

            vm_lower_instance(l, VM_IR_MOV, words);
            l->current_def[c] = words[0];
        }
    }
    for (uint32_t c = 0; c < l->n_vreg; c++) {
        if (l->current_def[c] != (REF_VREG | c)) {
            uint32_t words[] = {REF_VREG | c, l->current_def[c]};

            vm_lower_instance(l, VM_IR_STORE, words);
        }
        l->current_def[c] = REF_VREG | c;
    }
}

static void end_block(struct lower *l, enum ir_flow flow, uint32_t instr, uint32_t target,
                      uint32_t imm)
{
    struct ir_block *b;

    write_back(l);
    b = current(l);
    b->n_insts = l->main.n_inst - b->first_inst;
    b->flow = (uint8_t)flow;
    b->instr = instr;
    b->target = target;
    b->imm = imm;
}

void vm_lower_split_block(struct lower *l)
{
    end_block(l, FLOW_NONE, VM_NO_TARGET, VM_NO_TARGET, 0);
    begin_next(l);
}

/* Ends the block, so that the step hook finds all registers in their slots. Waits while results or
 * matrix rows are pending. */
void vm_lower_step(struct lower *l, uint32_t instr)
{
    if (!l->options->single_step || l->n_pending || l->n_rows)
        return;
    end_block(l, FLOW_STEP, VM_NO_TARGET, l->n_stepped, instr);
    begin_next(l);
    l->n_stepped = instr + 1;
}

/* --- The end of the main program -------------------------------------------------------------- */

static uint32_t saturated(struct lower *l, uint32_t ref)
{
    struct dst_mod clamp = {.saturate = true, .scale = 1.0f};

    return vm_lower_emit(l, VM_IR_MOV, &ref, 0, &clamp);
}

/* Clamps colours and fog of vs_1 and vs_2 (reference: shader/colour-clamp). The colour of ps_1_x
 * is r0, clamped (reference: shader/ps1-result). */
static void epilogue(struct lower *l)
{
    const struct vm_info *info = &l->program->info;

    for (unsigned c = 0; l->is_ps1 && c < 4; c++) {
        int slot = vm_program_output_slot(l->program, VM_FILE_TEMP, 0, c);

        if (slot >= 0)
            l->current_def[l->vreg_output + (uint32_t)slot] = saturated(l, l->current_def[c]);
    }
    for (unsigned i = 0; !l->pixel && l->rank < VM_RANK_3_0 && i < info->n_outputs; i++) {
        const struct vm_io *io = &info->output[i];

        for (unsigned c = 0; c < 4; c++) {
            uint32_t vreg = l->vreg_output + (uint32_t)io->slot[c];

            if (io->slot[c] >= 0 && (io->usage == VM_USAGE_COLOR || io->usage == VM_USAGE_FOG))
                l->current_def[vreg] = saturated(l, l->current_def[vreg]);
        }
    }
}

static void end_main(struct lower *l)
{
    if (l->walk.lanes_may_have_returned) {
        end_block(l, FLOW_RECONVERGE, VM_NO_TARGET, VM_NO_TARGET, 0);
        begin_block(l, false);
    }
    if (!l->status)
        epilogue(l);
    end_block(l, FLOW_END, VM_NO_TARGET, VM_NO_TARGET, 0);
    l->walk.in_main = false;
    l->walk.reachable = false;
}

/* --- Flow instructions ------------------------------------------------------------------------ */

static void end_block_at(struct lower *l, enum ir_flow flow, uint32_t instr, uint32_t imm)
{
    unsigned op = l->program->instr[instr].op;

    end_block(l, flow, instr, l->program->instr[instr].target, imm);
    l->walk.nesting += vm_flow_opens(op);
    l->walk.nesting -= vm_flow_closes(op) && l->walk.nesting;
    begin_next(l);
}

/* An if that all lanes take together needs no masks, only two jumps. */
static bool is_uniform_branch(const struct lower *l, uint32_t instr)
{
    return l->flow_flags[instr] & FLOW_FLAG_UNIFORM;
}

/* Ends the block with a branch on b# or on a predicate component. */
static void end_block_on(struct lower *l, uint32_t instr, const struct vm_src *condition,
                         enum ir_flow boolean, enum ir_flow predicate)
{
    bool inverted = condition->modifier == VM_MOD_NOT;

    if (condition->file == VM_FILE_CONSTBOOL)
        end_block_at(l, boolean, instr, condition->index | (uint32_t)inverted << 31);
    else
        end_block_at(l, predicate, instr, vm_lower_predicate(condition, 0));
}

static void end_block_compare(struct lower *l, uint32_t instr, enum ir_flow flow)
{
    const struct vm_instr *in = &l->program->instr[instr];
    uint32_t words[] = {vm_lower_src(l, in, 0, 0), vm_lower_src(l, in, 1, 0), in->control};

    vm_lower_instance(l, VM_IR_COMPARE, words);
    end_block_at(l, flow, instr, 0);
}

static void leave_routine(struct lower *l, uint32_t instr)
{
    if (l->walk.in_main && !l->walk.nesting) {
        end_main(l);
        return;
    }
    l->walk.reachable = l->walk.nesting > 0;
    l->walk.lanes_may_have_returned |= l->walk.in_main;
    end_block(l, FLOW_RETURN, instr, VM_NO_TARGET, instr - l->walk.label);
    begin_next(l);
}

static void label(struct lower *l, uint32_t instr)
{
    if (l->walk.in_main)
        end_main(l);
    else if (l->walk.reachable)
        end_block(l, FLOW_RETURN, VM_NO_TARGET, VM_NO_TARGET, instr - l->walk.label);
    l->walk.label = instr;
    l->walk.reachable = true;
    l->walk.nesting = 0;
    begin_next(l);
    end_block(l, FLOW_NONE, instr, VM_NO_TARGET, 0);
    begin_next(l);
}

void vm_lower_flow(struct lower *l, uint32_t i)
{
    const struct vm_instr *in = &l->program->instr[i];
    bool is_entry = in->op == VM_OP_ELSE || in->op == VM_OP_ENDIF || in->op == VM_OP_LABEL;

    if (!is_entry)
        vm_lower_step(l, i);
    switch (in->op) {
    case VM_OP_IF:
        end_block_on(l, i, &in->src[0], FLOW_IF_BOOL, FLOW_IF_PRED);
        break;
    case VM_OP_IFC:
        end_block_compare(l, i, FLOW_IF_COND);
        break;
    case VM_OP_ELSE:
        end_block_at(l, is_uniform_branch(l, i) ? FLOW_ELSE_UNIFORM : FLOW_ELSE, i, 0);
        break;
    case VM_OP_ENDIF:
        end_block_at(l, is_uniform_branch(l, i) ? FLOW_NONE : FLOW_ENDIF, i, 0);
        break;
    case VM_OP_LOOP:
        end_block_at(l, FLOW_LOOP, i, in->src[1].index);
        break;
    case VM_OP_REP: /* rep has no aL and keeps the outer one */
        end_block_at(l, FLOW_LOOP, i, in->src[0].index | UINT32_C(1) << 31);
        break;
    case VM_OP_ENDLOOP:
    case VM_OP_ENDREP:
        end_block_at(l, FLOW_ENDLOOP, i, i - in->target);
        break;
    case VM_OP_BREAK:
        end_block_at(l, FLOW_BREAK, i, 0);
        break;
    case VM_OP_BREAKC:
        end_block_compare(l, i, FLOW_BREAK_COND);
        break;
    case VM_OP_BREAKP:
        end_block_at(l, FLOW_BREAK_PRED, i, vm_lower_predicate(&in->src[0], 0));
        break;
    case VM_OP_CALL:
        end_block_at(l, FLOW_CALL, i, 0);
        break;
    case VM_OP_CALLNZ:
        end_block_on(l, i, &in->src[1], FLOW_CALL_BOOL, FLOW_CALL_PRED);
        break;
    case VM_OP_RET:
        leave_routine(l, i);
        break;
    case VM_OP_LABEL:
        label(l, i);
        break;
    default: /* nop, phase */
        break;
    }
    if (is_entry && !l->status)
        vm_lower_step(l, i);
}

/* --- Start and end of the pass ---------------------------------------------------------------- */

void vm_lower_begin(struct lower *l)
{
    l->walk = (struct walk){.in_main = true, .reachable = true};
    begin_next(l);
}

void vm_lower_end(struct lower *l)
{
    if (l->status)
        return;
    if (l->walk.in_main)
        end_main(l);
    else if (l->walk.reachable)
        end_block(l, FLOW_RETURN, VM_NO_TARGET, VM_NO_TARGET, l->walk.next - l->walk.label);
}
