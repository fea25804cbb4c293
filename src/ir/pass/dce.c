/* Dead code elimination: marks what stores and calls depend on, then copies it.
 *
 * Tested by tests/unit/ir/pass/test_passes.c. */
#include "ir/pass/copy.h"
#include "ir/pass/pass.h"

#include "util/alloc.h"

struct marker {
    const struct ir_inst *inst;
    uint32_t n;
    uint8_t *live;
    uint32_t *end; /* of each IF and LOOP */
    ir_ref *scope; /* per instruction: the innermost IF or LOOP around it; 0: none */
    ir_ref *work;  /* live instructions whose operands are not marked yet */
    uint32_t n_work;
};

static void mark(struct marker *m, ir_ref ref)
{
    if (!ref || m->live[ref])
        return;
    m->live[ref] = 1;
    m->work[m->n_work++] = ref;
}

/* The innermost IF or LOOP around each instruction. An IF's phis depend on the IF. */
static void find_scopes(struct marker *m)
{
    ir_ref current = 0, closed = 0;

    for (ir_ref ref = 1; ref < m->n; ref++) {
        unsigned op = m->inst[ref].op;

        m->scope[ref] = op == IR_PHI || op == IR_MPHI ? closed : current;
        if (op == IR_IF || op == IR_LOOP)
            current = ref;
        if (op == IR_ENDIF || op == IR_ENDLOOP) {
            closed = current;
            current = m->scope[current];
        }
    }
}

/* Marks what a live instruction needs. */
static void mark_needs(struct marker *m, ir_ref ref)
{
    const struct ir_inst *inst = &m->inst[ref];

    for (unsigned k = 0; k < ir_op_info[inst->op].n_args; k++)
        mark(m, inst->arg[k]);
    mark(m, m->scope[ref]);
    if (inst->op == IR_IF || inst->op == IR_LOOP)
        mark(m, m->end[ref]);
}

static void mark_all(struct marker *m)
{
    for (ir_ref ref = 1; ref < m->n; ref++) {
        unsigned op_class = ir_op_info[m->inst[ref].op].op_class;

        if (op_class == IR_CLASS_WRITE || op_class == IR_CLASS_CALL)
            mark(m, ref);
        while (m->n_work)
            mark_needs(m, m->work[--m->n_work]);
    }
}

static bool mark_live(struct marker *m, const struct ir *ir)
{
    m->inst = ir_insts(ir, &m->n);
    m->live = mem_calloc(m->n, sizeof(*m->live));
    m->scope = mem_calloc(m->n, sizeof(*m->scope));
    m->work = mem_calloc(m->n, sizeof(*m->work));
    m->end = ir_find_ends(ir);
    if (!m->live || !m->scope || !m->work || !m->end)
        return false;
    find_scopes(m);
    mark_all(m);
    return true;
}

struct ir *ir_remove_dead(const struct ir *ir)
{
    struct marker m = {0};
    struct ir_copy copy;
    struct ir *result = NULL;

    if (mark_live(&m, ir) && ir_copy_begin(&copy, ir, ir->constant_bases)) {
        copy.is_subset = true;
        for (ir_ref ref = 1; ref < m.n; ref++)
            if (m.live[ref])
                ir_copy_inst(&copy, ref);
        result = ir_copy_end(&copy);
    }
    mem_free(m.live);
    mem_free(m.scope);
    mem_free(m.work);
    mem_free(m.end);
    return result;
}
