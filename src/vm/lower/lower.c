/* Lowering driver: passes the instructions of a validated program to lower/alu.c, lower/tex.c and
 * lower/flow.c, then runs the IR passes. passes.h describes the IR. */
#include "vm/lower/passes.h"

#include "util/alloc.h"

#include <string.h>

/* --- Instructions ----------------------------------------------------------------------------- */

/* True if an instruction takes the gradient of a register that this block has changed, where lanes
 * may be inactive. Inactive lanes take part with what their register holds, so the changes must be
 * stored first (reference: shader/gradients-in-flow). */
static bool waits_for_stores(const struct lower *l, uint32_t i)
{
    const struct vm_instr *in = &l->program->instr[i];
    bool gradient =
        in->op == VM_OP_DSX || in->op == VM_OP_DSY || (in->op == VM_OP_TEX && !l->is_ps1);
    uint32_t first = in->src[0].index * 4u;

    if (!gradient || in->src[0].file != VM_FILE_TEMP || !(l->flow_flags[i] & FLOW_FLAG_MASKED))
        return false;
    for (uint32_t vreg = first; vreg < first + 4; vreg++)
        if (l->current_def[vreg] != (REF_VREG | vreg))
            return true;
    return false;
}

static void instruction(struct lower *l, uint32_t i)
{
    const struct vm_instr *in = &l->program->instr[i];
    const struct vm_instr *next = i + 1 < l->program->n_instr ? in + 1 : NULL;
    unsigned op_class = vm_op_info[in->op].op_class;
    bool scatters =
        in->dst.file != VM_FILE_NONE && in->dst.rel_file != VM_FILE_NONE && in->op != VM_OP_TEXKILL;

    if (scatters || waits_for_stores(l, i)) /* a write to an indexed output is a block of its own */
        vm_lower_split_block(l);
    if (l->status)
        return;
    if (op_class == VM_CLASS_TEXTURE || op_class == VM_CLASS_TEXTURE1 || in->op == VM_OP_BEM)
        vm_lower_texture(l, in);
    else
        vm_lower_alu(l, in);
    /* Both instructions of a co-issued pair read before either writes. */
    if (!next || !next->coissue || in->coissue)
        vm_lower_commit(l);
    if (scatters) {
        vm_lower_split_block(l);
    }
    if (!l->status)
        vm_lower_step(l, i);
}

static void walk(struct lower *l)
{
    const struct vm_program *p = l->program;

    vm_lower_begin(l);
    for (uint32_t i = 0; i < p->n_instr && !l->status; i++) {
        bool is_flow = vm_op_info[p->instr[i].op].op_class == VM_CLASS_FLOW;

        if (!l->walk.reachable && p->instr[i].op != VM_OP_LABEL) {
            l->n_stepped = i + 1;
            continue;
        }
        l->walk.next = i + 1;
        if (is_flow)
            vm_lower_flow(l, i);
        else
            instruction(l, i);
    }
    vm_lower_end(l);
}

/* --- Interface -------------------------------------------------------------------------------- */

/* If a register has several definitions, the last one counts. */
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
    l->rank = vm_program_version(p).rank;
    l->is_ps1 = l->pixel && l->rank < VM_RANK_2_0;
    l->vreg_texture = p->n_temps * 4u;
    l->vreg_address = l->vreg_texture + (l->is_ps1 ? 8 * 4 : 0);
    l->vreg_output = l->vreg_address + 4;
    l->n_vreg = l->vreg_output + p->info.n_output_slots;
    l->current_def = mem_alloc(l->n_vreg * sizeof(*l->current_def));
    l->vn_table = mem_calloc(VN_TABLE_SIZE, sizeof(*l->vn_table));
    l->scalar_hash = mem_calloc(SCALAR_HASH, sizeof(*l->scalar_hash));
    for (uint32_t i = 0; i < p->n_def; i++)
        if (p->def[i].file == VM_FILE_CONST && p->def[i].index >= l->n_def_of)
            l->n_def_of = p->def[i].index + 1u;
    l->def_of = mem_calloc(l->n_def_of + 1u, sizeof(*l->def_of));
    if (!l->current_def || !l->vn_table || !l->scalar_hash || !l->def_of)
        return ST_NOMEM;
    note_definitions(l);
    zero = vm_lower_literal(l, 0.0f);
    for (uint32_t c = 0; c < l->n_vreg; c++)
        l->current_def[c] = zero;
    l->row[0] = l->row[1] = l->row_w[0] = l->row_w[1] = zero;
    return l->status;
}

static void fini(struct lower *l)
{
    mem_free(l->main.inst);
    mem_free(l->main.arg);
    mem_free(l->hoist.inst);
    mem_free(l->hoist.arg);
    mem_free(l->block);
    mem_free(l->scalar);
    mem_free(l->scalar_hash);
    mem_free(l->scalar_next);
    mem_free(l->def_of);
    mem_free(l->current_def);
    mem_free(l->vn_table);
    mem_free(l->flow_flags);
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
        st = vm_lower_analyse_divergence(&l, &code->max_cf_depth);
    if (!st) {
        walk(&l);
        st = l.status;
    }
    if (!st)
        st = vm_lower_dce(&l);
    if (!st)
        st = vm_lower_peephole(&l);
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
    if (code->exec_op != code->op)
        mem_free(code->exec_op);
    executable_destroy(&code->executable);
    mem_free(code->op);
    mem_free(code->preamble);
    mem_free(code->arg);
    mem_free(code->scalar);
    mem_free(code->def);
    mem_free(code->vregs.slot);
    mem_free(code);
}
