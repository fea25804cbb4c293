/* Copies instructions from one function to another.
 *
 * Tested by tests/unit/ir/pass/test_passes.c. */
#include "ir/pass/copy.h"

#include "util/alloc.h"

bool ir_copy_begin(struct ir_copy *copy, const struct ir *from, uint32_t constant_bases)
{
    copy->from = from;
    copy->inst = ir_insts(from, &copy->n);
    copy->to = ir_create(constant_bases);
    copy->is_subset = false;
    copy->map = mem_calloc(copy->n, sizeof(*copy->map));
    if (copy->to && copy->map)
        return true;
    ir_destroy(copy->to);
    mem_free(copy->map);
    return false;
}

/* Gives the phis of the loop that ends at `end` their next values. */
static void copy_next_values(struct ir_copy *copy, ir_ref end)
{
    uint32_t depth = 1;
    ir_ref loop = end;

    while (depth) {
        unsigned op = copy->inst[--loop].op;

        depth += op == IR_ENDLOOP;
        depth -= op == IR_LOOP;
    }
    for (ir_ref phi = loop + 1; copy->inst[phi].op == IR_LPHI || copy->inst[phi].op == IR_MLPHI;
         phi++)
        if (copy->map[phi])
            ir_loop_next(copy->to, copy->map[phi], copy->map[copy->inst[phi].arg[1]]);
}

void ir_copy_inst(struct ir_copy *copy, ir_ref ref)
{
    const struct ir_inst *inst = &copy->inst[ref];
    ir_ref arg[3];

    for (unsigned k = 0; k < 3; k++)
        arg[k] = copy->map[inst->arg[k]];
    ir_set_origin(copy->to, inst->origin);
    switch (inst->op) {
    case IR_IF:
        if (inst->imm)
            ir_if_rare(copy->to, arg[0]);
        else
            ir_if(copy->to, arg[0]);
        break;
    case IR_ENDIF:
        ir_endif(copy->to);
        break;
    case IR_PHI:
    case IR_MPHI:
        copy->map[ref] = ir_phi(copy->to, arg[0], arg[1]);
        break;
    case IR_LOOP:
        if (inst->imm)
            ir_loop_uniform(copy->to);
        else
            ir_loop(copy->to);
        break;
    case IR_LPHI:
    case IR_MLPHI:
        copy->map[ref] = ir_loop_phi(copy->to, arg[0]);
        break;
    case IR_ENDLOOP:
        copy_next_values(copy, ref);
        ir_endloop(copy->to, arg[0]);
        break;
    default:
        copy->map[ref] = copy->is_subset ? ir_append_copy(copy->to, inst, arg)
                                         : ir_emit_copy(copy->to, inst, arg);
    }
}

struct ir *ir_copy_end(struct ir_copy *copy)
{
    mem_free(copy->map);
    if (!ir_status(copy->to))
        return copy->to;
    ir_destroy(copy->to);
    return NULL;
}

uint32_t *ir_find_ends(const struct ir *ir)
{
    uint32_t n, n_open = 0;
    const struct ir_inst *inst = ir_insts(ir, &n);
    uint32_t *end = mem_calloc(n, sizeof(*end)), *open = mem_calloc(n, sizeof(*open));

    for (ir_ref ref = 1; end && open && ref < n; ref++) {
        if (inst[ref].op == IR_IF || inst[ref].op == IR_LOOP)
            open[n_open++] = ref;
        else if (inst[ref].op == IR_ENDIF || inst[ref].op == IR_ENDLOOP)
            end[open[--n_open]] = ref;
    }
    if (!open) {
        mem_free(end);
        end = NULL;
    }
    mem_free(open);
    return end;
}
