/* Divergence analysis: finds the instructions that run with inactive lanes, and the depth of the
 * control-flow stack. */
#include "vm/lower/passes.h"

#include "util/alloc.h"

/* --- Depth of the control-flow stack ---------------------------------------------------------- */

/* Stack depth of the routine that starts at an instruction, including the routines that it calls.
 * -1 for recursion, which all models forbid. seen: 1 while in progress, 2 + depth when known. */
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
        depth += vm_flow_opens(in->op);
        if (in->op == VM_OP_CALL || in->op == VM_OP_CALLNZ) {
            below = routine_depth(p, in->target, seen);
            if (below < 0)
                return -1;
            below++;
        }
        most = depth + below > most ? depth + below : most;
        depth -= vm_flow_closes(in->op);
    }
    seen[first] = (uint32_t)most + 2;
    return most;
}

/* --- Divergence ------------------------------------------------------------------------------- */

/* State of the forward pass: a stack of open ifs and loops (constructs), the innermost on top. */
struct divergence {
    const struct vm_program *p;
    uint8_t *flags;               /* per instruction, enum flow_flags */
    uint32_t *open;               /* first instruction of each open construct */
    uint32_t n_open, n_divergent; /* n_divergent: open constructs that can split lanes */
    bool returned;                /* lanes may wait for the end of the routine, after a ret inside
                                     a construct or from the start */
    uint8_t *called_divergent;    /* per label: a caller may have inactive lanes */
};

static bool has_early_exit(const struct vm_program *p, uint32_t begin)
{
    for (uint32_t i = begin; i < p->instr[begin].target; i++) {
        unsigned op = p->instr[i].op;

        if (op == VM_OP_BREAK || op == VM_OP_BREAKC || op == VM_OP_BREAKP || op == VM_OP_RET)
            return true;
    }
    return false;
}

/* True if an if or loop may run for some lanes only. */
static bool is_divergent(const struct vm_program *p, uint32_t i)
{
    const struct vm_instr *in = &p->instr[i];

    if (in->op == VM_OP_IF)
        return in->src[0].file != VM_FILE_CONSTBOOL;
    return in->op == VM_OP_IFC || has_early_exit(p, i);
}

static void visit_call(struct divergence *m, const struct vm_instr *in)
{
    bool may_diverge = in->op == VM_OP_CALLNZ && in->src[1].file != VM_FILE_CONSTBOOL;

    if (may_diverge || m->n_divergent || m->returned)
        m->called_divergent[in->target] = 1;
}

static void visit(struct divergence *m, uint32_t i)
{
    const struct vm_instr *in = &m->p->instr[i];

    if (in->op == VM_OP_LABEL) {
        m->n_open = m->n_divergent = 0;
        m->returned = m->called_divergent[i];
    }
    if (in->op == VM_OP_CALL || in->op == VM_OP_CALLNZ)
        visit_call(m, in);
    if (in->op == VM_OP_RET && m->n_open)
        m->returned = true;
    if (vm_flow_opens(in->op)) {
        m->open[m->n_open++] = i;
        m->n_divergent += is_divergent(m->p, i);
    }
    if (m->n_open && (in->op == VM_OP_IF || in->op == VM_OP_ELSE || in->op == VM_OP_ENDIF) &&
        !is_divergent(m->p, m->open[m->n_open - 1]))
        m->flags[i] |= FLOW_FLAG_UNIFORM;
    if (vm_flow_closes(in->op) && m->n_open)
        m->n_divergent -= is_divergent(m->p, m->open[--m->n_open]);
    if (m->n_divergent || m->returned)
        m->flags[i + 1] |= FLOW_FLAG_MASKED;
}

/* Calls lead forward (validate/flow.c), so the pass visits all callers of a routine first. */
static enum status find_divergence(struct lower *l)
{
    uint32_t n = l->program->n_instr;
    struct divergence m = {.p = l->program, .flags = l->flow_flags};
    enum status st;

    m.open = mem_alloc((n + 1) * sizeof(*m.open));
    m.called_divergent = mem_calloc(n + 1, 1);
    st = m.open && m.called_divergent ? ST_OK : ST_NOMEM;
    for (uint32_t i = 0; !st && i < n; i++)
        visit(&m, i);
    mem_free(m.open);
    mem_free(m.called_divergent);
    return st;
}

/* --- Interface -------------------------------------------------------------------------------- */

enum status vm_lower_analyse_divergence(struct lower *l, uint32_t *max_cf_depth)
{
    uint32_t *seen = mem_calloc((size_t)l->program->n_instr + 1, sizeof(*seen));
    enum status st = ST_NOMEM;
    int64_t depth;

    *max_cf_depth = 0;
    l->flow_flags = mem_calloc((size_t)l->program->n_instr + 2, 1);
    if (seen && l->flow_flags) {
        depth = routine_depth(l->program, 0, seen);
        *max_cf_depth = depth < 0 ? 0 : (uint32_t)depth;
        st = depth < 0 ? ST_INVALID : find_divergence(l);
    }
    mem_free(seen);
    return st;
}
