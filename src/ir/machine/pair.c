/* Pairs of vectors (unroll and jam). Where each round of a loop waits for the one before, a
 * processor has nothing to do meanwhile; two vectors in one loop give it twice the work. Values
 * that are the same in all lanes stay one. A pair goes on if any lane of its two vectors does.
 *
 * Tested by tests/unit/ir/compile/test_compile.c. */
#include "ir/machine/pair.h"

#include "ir/build/build.h"
#include "ir/machine/cut.h"
#include "util/alloc.h"

static bool is_loop_phi(const struct ir_inst *inst)
{
    return inst->op == IR_LPHI || inst->op == IR_MLPHI;
}

/* --- Choice ----------------------------------------------------------------------------------- */

/* Cycles of the longest chain from a loop's variables to their next values; *n: instructions of a
 * round. 0: the loop has an inner one. ready: room for an element per instruction. */
static uint32_t chain_of(const struct ir_inst *inst, uint32_t begin, uint32_t *ready, uint32_t *n)
{
    uint32_t cycles = 0, first = begin + 1, i;

    *n = 0;
    for (; is_loop_phi(&inst[first]); first++)
        ready[first] = 0;
    for (i = first; inst[i].op != IR_ENDLOOP; i++) {
        uint32_t start = 0;

        if (inst[i].op == IR_LOOP || inst[i].op == IR_CALL)
            return 0;
        for (unsigned k = 0; k < ir_op_info[inst[i].op].n_args; k++)
            if (inst[i].arg[k] > begin && ready[inst[i].arg[k]] > start)
                start = ready[inst[i].arg[k]];
        ready[i] = start + ir_machine_latency(inst[i].op);
        *n += ir_machine_instructions(inst[i].op);
    }
    for (uint32_t phi = begin + 1; phi < first; phi++)
        if (inst[phi].arg[1] > begin && ready[inst[phi].arg[1]] > cycles)
            cycles = ready[inst[phi].arg[1]];
    return cycles;
}

/* Only loops in which all lanes run the same rounds: otherwise a vector would wait for the other.
 * Short chains are no loss, and rounds of many instructions need all registers. */
enum status ir_machine_want_pairs(const struct ir *ir, bool *wants)
{
    enum { LEAST_CYCLES = 24, MOST_INSTRUCTIONS = 100 };
    uint32_t n, length, cycles;
    const struct ir_inst *inst = ir_insts(ir, &n);
    uint32_t *ready = NULL;

    *wants = false;
    for (uint32_t i = 1, rare = 0; i < n && !*wants; i++) {
        rare += inst[i].op == IR_IF && (inst[i].imm || rare);
        rare -= inst[i].op == IR_ENDIF && rare;
        if (inst[i].op != IR_LOOP || !inst[i].imm || rare)
            continue;
        ready = ready ? ready : mem_alloc(n * sizeof(*ready));
        if (!ready)
            return ST_NOMEM;
        cycles = chain_of(inst, i, ready, &length);
        *wants = cycles >= LEAST_CYCLES && length <= MOST_INSTRUCTIONS && 3 * cycles > 2 * length;
    }
    mem_free(ready);
    return ST_OK;
}

/* --- Pairs ------------------------------------------------------------------------------------ */

enum { FIRST, SECOND };

struct pairs {
    const struct ir_inst *inst;
    struct ir *to;
    ir_ref (*map)[2]; /* per instruction: its values in both vectors */
    uint32_t *open;   /* stack: the LOOPs that are open */
    uint32_t n_open;
    unsigned lanes;
};

static ir_ref emit(struct pairs *p, const struct ir_inst *inst, unsigned half, uint32_t offset)
{
    ir_ref arg[3];

    for (unsigned k = 0; k < 3; k++)
        arg[k] = p->map[inst->arg[k]][half];
    return ir_emit_mem(p->to, (enum ir_op)inst->op, inst->base, inst->imm + offset, arg[0], arg[1],
                       arg[2]);
}

/* Lanes of any of the two vectors. */
static ir_ref any(struct pairs *p, ir_ref mask)
{
    return ir_emit(p->to, IR_MOR, p->map[mask][FIRST], p->map[mask][SECOND], 0, 0);
}

static void end_loop(struct pairs *p, const struct ir_inst *end)
{
    uint32_t phi = p->open[--p->n_open] + 1;
    ir_ref again = any(p, end->arg[0]);

    for (; is_loop_phi(&p->inst[phi]); phi++)
        for (unsigned half = 0; half < 2; half++)
            ir_loop_next(p->to, p->map[phi][half], p->map[p->inst[phi].arg[1]][half]);
    ir_endloop(p->to, again);
}

static void add(struct pairs *p, uint32_t ref)
{
    const struct ir_inst *inst = &p->inst[ref];
    ir_ref *to = p->map[ref];

    ir_set_origin(p->to, inst->origin);
    switch (inst->op) {
    case IR_IF:
        (inst->imm ? ir_if_rare : ir_if)(p->to, any(p, inst->arg[0]));
        break;
    case IR_ENDIF:
        ir_endif(p->to);
        break;
    case IR_LOOP:
        p->open[p->n_open++] = ref;
        (inst->imm ? ir_loop_uniform : ir_loop)(p->to);
        break;
    case IR_ENDLOOP:
        end_loop(p, inst);
        break;
    case IR_PHI:
    case IR_MPHI:
        for (unsigned half = 0; half < 2; half++)
            to[half] = ir_phi(p->to, p->map[inst->arg[0]][half], p->map[inst->arg[1]][half]);
        break;
    case IR_LPHI:
    case IR_MLPHI:
        for (unsigned half = 0; half < 2; half++)
            to[half] = ir_loop_phi(p->to, p->map[inst->arg[0]][half]);
        break;
    case IR_LANE:
        to[FIRST] = emit(p, inst, FIRST, 0);
        to[SECOND] =
            ir_emit(p->to, IR_IADD, to[FIRST], ir_const_i32(p->to, (int32_t)p->lanes), 0, 0);
        break;
    case IR_UNIFORM:
    case IR_FIRST:
    case IR_LOAD_AT:
    case IR_USTORE:
    case IR_CALL:
        to[FIRST] = to[SECOND] = emit(p, inst, FIRST, 0);
        break;
    case IR_LOAD:
    case IR_STORE:
        to[FIRST] = emit(p, inst, FIRST, 0);
        to[SECOND] = emit(p, inst, SECOND, (uint32_t)sizeof(uint32_t) * p->lanes);
        break;
    case IR_MLOAD:
    case IR_MSTORE:
        to[FIRST] = emit(p, inst, FIRST, 0);
        to[SECOND] = emit(p, inst, SECOND, p->lanes / 8);
        break;
    default:
        to[FIRST] = emit(p, inst, FIRST, 0);
        to[SECOND] = emit(p, inst, SECOND, 0);
    }
}

struct ir *ir_machine_make_pairs(const struct ir *ir, unsigned lanes)
{
    uint32_t n;
    struct pairs p = {.inst = ir_insts(ir, &n), .lanes = lanes};

    p.to = ir_create(ir->constant_bases);
    p.map = mem_calloc(n, sizeof(*p.map));
    p.open = mem_alloc(n * sizeof(*p.open));
    if (p.to && p.map && p.open) {
        for (uint32_t ref = 1; ref < n; ref++)
            add(&p, ref);
    } else {
        ir_destroy(p.to);
        p.to = NULL;
    }
    mem_free(p.map);
    mem_free(p.open);
    return p.to;
}
