/* Code emission: converts the IR to its executable form with operand addresses.
 *
 * Tested by tests/unit/vm/lower/test_lower.c. */
#include "vm/lower/passes.h"
#include "vm/jit/jit.h"
#include "vm/run/frame.h"

#include "util/alloc.h"

#include <string.h>

struct writer {
    struct lower *l;
    struct vm_code *code;
    const struct vm_kern *kern;
    const struct vm_cross_lane_kern *cross_lane_kern;
    struct uniform_layout uniforms;
    struct slot_alloc slot_alloc;
    uint32_t n_ops, n_arg;
    uint32_t *block_after;         /* per instruction: the block that follows it */
    uint32_t *flow_at;             /* per instruction: its flow operation */
    uint32_t *block_at;            /* per block: its first IR instruction */
    uint32_t *divergent_branch_at; /* per block: the branch to its divergent copy */
    uint32_t *flow_of;             /* per block: the flow operation that ends it */
};

/* --- IR instructions -------------------------------------------------------------------------- */

static uint32_t argument(struct writer *w, uint32_t ref)
{
    uint32_t id = ref & REF_ID_MASK;
    uint32_t modifiers = (ref & REF_NEG ? VM_ARG_NEG : 0) | (ref & REF_ABS ? VM_ARG_ABS : 0);

    switch (ref & REF_KIND_MASK) {
    case REF_VALUE:
        return w->slot_alloc.value_slot[id] * VM_LANE_BYTES | modifiers;
    case REF_VREG:
        return vm_slot_of_vreg(&w->slot_alloc, id) * VM_LANE_BYTES | modifiers;
    case REF_INPUT:
        return id * VM_LANE_BYTES | modifiers;
    case REF_SCALAR:
        return w->uniforms.scalar_at[id] * VM_UNIFORM_BYTES | VM_ARG_UNIFORM | modifiers;
    case REF_HOIST:
        return (w->code->n_scalars * VM_UNIFORM_BYTES + w->uniforms.hoist_at[id] * VM_LANE_BYTES) |
               VM_ARG_UNIFORM | modifiers;
    default:
        return (uint32_t)VM_ARG_NONE;
    }
}

static struct vm_ir_op *append_op(struct writer *w, struct vm_ir_op *list)
{
    struct vm_ir_op *u = &list[w->n_ops++];

    memset(u, 0, sizeof(*u));
    u->opcode = VM_IR_FLOW;
    return u;
}

static void append_end(struct writer *w, struct vm_ir_op *list)
{
    struct vm_ir_op *u = append_op(w, list);

    u->fn[0] = u->fn[1] = vm_exec_end;
    u->opcode = VM_IR_END;
}

static vm_ir_op_fn *kernel(const struct writer *w, unsigned opcode, unsigned opmode)
{
    if (w->cross_lane_kern->fn[opcode])
        return w->cross_lane_kern->fn[opcode];
    if (opmode != VM_OPMODE_ANY && !w->kern->fn[opcode][opmode])
        opmode = VM_OPMODE_FIRST;
    return w->kern->fn[opcode][opmode] ? w->kern->fn[opcode][opmode]
                                       : w->kern->fn[opcode][VM_OPMODE_ANY];
}

/* True for a store that needs no code: the value is computed in the vreg's slot, or the two vregs
 * share a slot. */
static bool store_is_coalesced(const struct writer *w, const struct ir_inst *inst,
                               const uint32_t *words)
{
    uint32_t from = words[1] & REF_ID_MASK, vreg = words[0] & REF_ID_MASK;

    if (inst->opcode != VM_IR_STORE)
        return false;
    if (words[1] == (REF_VREG | from))
        return w->slot_alloc.vreg_slot[from] != VM_UNASSIGNED &&
               w->slot_alloc.vreg_slot[from] == w->slot_alloc.vreg_slot[vreg];
    return (words[1] & REF_KIND_MASK) == REF_VALUE && w->slot_alloc.coalesced[from] &&
           w->slot_alloc.value_slot[from] == w->slot_alloc.vreg_slot[vreg];
}

static void write_instance(struct writer *w, const struct ir_stream *s, const struct ir_inst *inst,
                           const uint32_t *words)
{
    const struct ir_op_info *info = &vm_ir_op_info[inst->opcode];
    uint32_t *arg = w->code->arg + w->n_arg;

    for (unsigned k = 0; k < info->n_dst + info->n_src; k++)
        arg[k] = argument(w, words[k]);
    for (unsigned k = info->n_dst + info->n_src; k < ir_op_words(inst->opcode); k++)
        arg[k] = words[k];
    /* Kernels address destinations without VM_ARG_UNIFORM, although those of the preamble are
     * uniforms. */
    if (s == &w->l->hoist)
        arg[0] &= ~(uint32_t)VM_ARG_UNIFORM;
    w->n_arg += ir_op_words(inst->opcode);
}

static struct vm_ir_op *begin_op(struct writer *w, struct vm_ir_op *list, const struct ir_stream *s,
                                 const struct ir_inst *inst, bool masked)
{
    unsigned opmode = s == &w->l->hoist ? VM_OPMODE_ANY : inst->opmode;
    struct vm_ir_op *u = append_op(w, list);

    u->arg = w->code->arg + w->n_arg;
    u->saturate = inst->saturate;
    u->opcode = inst->opcode;
    u->fn[0] = u->fn[1] = kernel(w, inst->opcode, opmode);
    if (inst->opcode == VM_IR_STORE)
        u->fn[0] = kernel(w, VM_IR_MOV, opmode);
    if (inst->opcode == VM_IR_STORE && !masked)
        u->fn[1] = u->fn[0];
    return u;
}

static void write_op(struct writer *w, struct vm_ir_op *list, const struct ir_stream *s,
                     const struct ir_inst *inst, bool masked)
{
    struct vm_ir_op *u = NULL;

    for (uint32_t g = 0; g < inst->n; g++) {
        const uint32_t *words = ir_words(s, inst, g);

        if (!vm_lower_instance_live(inst, words) || store_is_coalesced(w, inst, words))
            continue;
        if (!u)
            u = begin_op(w, list, s, inst, masked);
        write_instance(w, s, inst, words);
        u->n++;
    }
}

static void write_flow(struct writer *w, const struct ir_block *b)
{
    static vm_ir_op_fn *const fn[FLOW_COUNT] = {
        [FLOW_IF_BOOL] = vm_exec_if_bool,
        [FLOW_IF_PRED] = vm_exec_if_pred,
        [FLOW_IF_COND] = vm_exec_if_cond,
        [FLOW_ELSE] = vm_exec_else,
        [FLOW_ELSE_UNIFORM] = vm_exec_jump,
        [FLOW_ENDIF] = vm_exec_endif,
        [FLOW_LOOP] = vm_exec_loop,
        [FLOW_ENDLOOP] = vm_exec_endloop,
        [FLOW_BREAK] = vm_exec_break,
        [FLOW_BREAK_COND] = vm_exec_break_cond,
        [FLOW_BREAK_PRED] = vm_exec_break_pred,
        [FLOW_CALL] = vm_exec_call,
        [FLOW_CALL_BOOL] = vm_exec_call_bool,
        [FLOW_CALL_PRED] = vm_exec_call_pred,
        [FLOW_RETURN] = vm_exec_return,
        [FLOW_RECONVERGE] = vm_exec_reconverge,
        [FLOW_STEP] = vm_exec_step,
        [FLOW_END] = vm_exec_end,
    };
    struct vm_ir_op *u;

    if (b->flow == FLOW_NONE)
        return;
    if (b->instr != VM_NO_TARGET)
        w->flow_at[b->instr] = w->n_ops;
    u = append_op(w, w->code->op);
    u->fn[0] = u->fn[1] = fn[b->flow];
    if (b->flow == FLOW_END)
        u->opcode = VM_IR_END;
    u->imm = b->imm;
    u->target = b->target;
}

/* Converts branch targets from instructions to IR instructions. An if with masks goes to its else
 * or endif, other branches to the block after the target instruction. A break has a target too, but
 * only clears lanes. */
static void resolve_targets(struct writer *w)
{
    const struct lower *l = w->l;

    for (uint32_t b = 0; b < l->n_block; b++) {
        uint32_t target = l->block[b].target, flow = l->block[b].flow;
        bool to_flow = flow == FLOW_IF_COND || flow == FLOW_IF_PRED || flow == FLOW_ELSE;

        if (l->block[b].instr == VM_NO_TARGET || target == VM_NO_TARGET || flow == FLOW_NONE)
            continue;
        w->code->op[w->flow_at[l->block[b].instr]].target =
            to_flow ? w->flow_at[target] : w->block_at[w->block_after[target]];
    }
}

static void write_block(struct writer *w, const struct ir_block *block)
{
    vm_slot_alloc_block(&w->slot_alloc, w->l, block);
    for (uint32_t i = block->first_inst; i < block->first_inst + block->n_insts; i++)
        write_op(w, w->code->op, &w->l->main, &w->l->main.inst[i], block->masked);
}

/* Emits the convergent copy of a block. Computing results directly in the slots of vregs is correct
 * only while all lanes are active. A block that does so although lanes may be inactive is therefore
 * emitted twice: here, behind a branch, and by write_divergent. */
static void write_convergent(struct writer *w, uint32_t b)
{
    const struct ir_block *block = &w->l->block[b];

    w->block_at[b] = w->n_ops;
    vm_slot_alloc_find_live_ranges(&w->slot_alloc, w->l, block);
    if (vm_slot_alloc_coalesce_stores(&w->slot_alloc, w->l, block) && block->masked) {
        struct vm_ir_op *branch = append_op(w, w->code->op);

        branch->fn[0] = branch->fn[1] = vm_exec_branch_divergent;
        w->divergent_branch_at[b] = (uint32_t)(branch - w->code->op);
    }
    write_block(w, block);
    w->flow_of[b] = w->n_ops;
    write_flow(w, block);
}

/* Emits the divergent copy of a block. It computes results in slots of their own, copies them to
 * vregs with masked stores, and jumps to the next block. */
static void write_divergent(struct writer *w, uint32_t b)
{
    struct vm_ir_op *list = w->code->op;
    const struct ir_block *block = &w->l->block[b];

    list[w->divergent_branch_at[b]].target = w->n_ops;
    vm_slot_alloc_find_live_ranges(&w->slot_alloc, w->l, block);
    write_block(w, block);
    if (block->flow != FLOW_NONE)
        *append_op(w, list) = list[w->flow_of[b]];
    list[w->n_ops] = (struct vm_ir_op){
        .fn = {vm_exec_jump, vm_exec_jump}, .target = w->block_at[b + 1], .opcode = VM_IR_FLOW};
    w->n_ops++;
}

static enum status write_main(struct writer *w)
{
    struct lower *l = w->l;
    struct vm_code *code = w->code;

    w->n_ops = 0;
    for (uint32_t b = 0; b < l->n_block; b++)
        if (l->block[b].instr != VM_NO_TARGET)
            w->block_after[l->block[b].instr] = b + 1;
    for (uint32_t b = 0; b < l->n_block; b++)
        write_convergent(w, b);
    w->block_at[l->n_block] = w->n_ops;
    resolve_targets(w);
    append_end(w, code->op);
    vm_slot_alloc_forget_coalesced(&w->slot_alloc, l);
    for (uint32_t b = 0; b < l->n_block; b++)
        if (w->divergent_branch_at[b] != VM_UNASSIGNED)
            write_divergent(w, b);
    code->n_ops = w->n_ops;
    return ST_OK;
}

static void write_preamble(struct writer *w)
{
    struct lower *l = w->l;

    w->n_ops = 0;
    for (uint32_t i = 0; i < l->hoist.n_inst; i++)
        write_op(w, w->code->preamble, &l->hoist, &l->hoist.inst[i], false);
    append_end(w, w->code->preamble);
}

static void fill_slot_tables(struct writer *w)
{
    const struct vm_program *p = w->l->program;

    for (unsigned reg = 0; reg < 32; reg++) {
        for (unsigned c = 0; c < 4; c++) {
            int in = reg < VM_MAX_INPUTS ? vm_program_input_slot(p, VM_FILE_INPUT, reg, c) : -1;
            int out = reg < VM_MAX_OUTPUTS ? vm_program_output_slot(p, VM_FILE_OUTPUT, reg, c) : -1;

            w->code->input.slot[reg][c] = (int16_t)in;
            w->code->output.slot[reg][c] = (int16_t)out;
        }
    }
}

static enum status write_vreg_table(struct writer *w)
{
    const struct lower *l = w->l;
    struct vm_vreg_table *vregs = &w->code->vregs;

    vregs->slot = mem_alloc((l->n_vreg + 1) * sizeof(*vregs->slot));
    if (!vregs->slot)
        return ST_NOMEM;
    memcpy(vregs->slot, w->slot_alloc.vreg_slot, l->n_vreg * sizeof(*vregs->slot));
    vregs->program = l->program;
    vregs->texture = l->vreg_texture;
    vregs->address = l->vreg_address;
    vregs->output = l->vreg_output;
    vregs->has_textures = l->is_ps1;
    return ST_OK;
}

/* --- JIT -------------------------------------------------------------------------------------- */

/* Failure is silent: without machine code the interpreter runs. */
static void jit_compile(const struct writer *w)
{
    const struct lower *l = w->l;
    uint8_t *live_across_blocks = mem_calloc((size_t)w->slot_alloc.n_slot + 1, 1);

    if (!live_across_blocks)
        return;
    for (uint32_t vreg = 0; vreg < l->n_vreg; vreg++)
        if (w->slot_alloc.vreg_slot[vreg] != VM_UNASSIGNED)
            live_across_blocks[w->slot_alloc.vreg_slot[vreg]] = 1;
    vm_jit(w->code, live_across_blocks, w->slot_alloc.n_slot);
    mem_free(live_across_blocks);
}

/* --- Interface -------------------------------------------------------------------------------- */

static uint32_t *new_table(enum status *st, size_t n)
{
    uint32_t *table = vm_lower_new_table(n);

    if (!table)
        *st = ST_NOMEM;
    return table;
}

static size_t count_instances(const struct ir_stream *s)
{
    size_t n = 0;

    for (uint32_t i = 0; i < s->n_inst; i++)
        n += s->inst[i].n;
    return n;
}

static enum status open_writer(struct writer *w, struct lower *l, struct vm_code *code)
{
    enum status st = ST_OK;
    uint32_t n_instr = l->program->n_instr;

    memset(w, 0, sizeof(*w));
    w->l = l;
    w->code = code;
    w->block_after = new_table(&st, n_instr);
    w->flow_at = new_table(&st, n_instr);
    w->block_at = new_table(&st, l->n_block);
    w->divergent_branch_at = new_table(&st, l->n_block);
    w->flow_of = new_table(&st, l->n_block);
    if (vm_slot_alloc_init(&w->slot_alloc, l))
        st = ST_NOMEM;
    /* A block may be emitted twice. Four more IR instructions may belong to it: a branch before it,
     * two copies of its flow operation, and a jump. */
    code->op =
        mem_calloc(2 * count_instances(&l->main) + 4 * (size_t)l->n_block + 1, sizeof(*code->op));
    code->preamble = mem_calloc(count_instances(&l->hoist) + 1, sizeof(*code->preamble));
    code->arg = mem_alloc((2 * (size_t)l->main.n_arg + l->hoist.n_arg + 1) * sizeof(*code->arg));
    if (!code->op || !code->preamble || !code->arg)
        st = ST_NOMEM;
    return st;
}

static void close_writer(struct writer *w)
{
    uint32_t *tables[] = {w->block_after, w->flow_at, w->block_at, w->divergent_branch_at,
                          w->flow_of};

    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        mem_free(tables[i]);
    vm_lower_uniform_layout_fini(&w->uniforms);
    vm_slot_alloc_fini(&w->slot_alloc);
}

enum status vm_lower_write_code(struct lower *l, struct vm_code *code)
{
    const struct vm_info *info = &l->program->info;
    struct writer w;
    enum status st = open_writer(&w, l, code);

    w.kern = KERN_PICK(vm_kern);
    w.cross_lane_kern = KERN_PICK(vm_cross_lane_kern);
    code->ieee = l->options->ieee;
    if (!st)
        st = vm_lower_lay_out_uniforms(&w.uniforms, l, code);
    if (!st) {
        w.slot_alloc.n_slot = (uint32_t)info->n_input_slots + info->n_output_slots;
        for (uint32_t i = 0; i < info->n_output_slots; i++)
            w.slot_alloc.vreg_slot[l->vreg_output + i] = info->n_input_slots + i;
        st = vm_slot_alloc_coalesce_outputs(&w.slot_alloc, l);
    }
    if (!st)
        st = write_main(&w);
    if (!st && l->options->single_step)
        st = write_vreg_table(&w);
    if (!st) {
        write_preamble(&w);
        fill_slot_tables(&w);
        code->outputs_at = (size_t)info->n_input_slots * VM_LANE_BYTES;
        code->cf_stack_at = (size_t)w.slot_alloc.n_slot * VM_LANE_BYTES;
        code->work_bytes = code->cf_stack_at + code->max_cf_depth * sizeof(struct vm_cf_entry);
        if (!code->work_bytes)
            code->work_bytes = 64;
        code->exec_op = code->op;
        if (!l->options->single_step && !l->options->interpret && vm_jit_is_possible())
            jit_compile(&w);
    }
    close_writer(&w);
    return st;
}
