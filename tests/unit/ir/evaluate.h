/* A plain evaluator of functions, in vectors of any width: lane by lane with ir_eval. What machines
 * compute is compared with it. */
#ifndef TESTS_IR_EVALUATE_H
#define TESTS_IR_EVALUATE_H

#include "ir/ir.h"
#include "ir/kern/kern.h"

#include <stdlib.h>
#include <string.h>

struct evaluation {
    const struct ir_inst *inst;
    uint32_t n;
    const struct ir_args *args;
    uint32_t (*value)[IR_LANES]; /* per instruction; masks are 0 or 1 */
    unsigned first, end;         /* lanes of the vector */
};

static inline uint32_t *evaluate_word(const struct evaluation *e, const struct ir_inst *inst,
                                      uint32_t offset)
{
    return (uint32_t *)(void *)((char *)e->args->base[inst->base] + inst->imm + (int32_t)offset);
}

static inline uint32_t evaluate_read(const struct evaluation *e, const struct ir_inst *inst,
                                     unsigned lane)
{
    const uint32_t *a = e->value[inst->arg[0]];

    switch (inst->op) {
    case IR_UNIFORM:
        return *evaluate_word(e, inst, 0);
    case IR_LOAD:
        return *evaluate_word(e, inst, 4 * lane);
    case IR_MLOAD:
        return *evaluate_word(e, inst, lane / 32 * 4) >> lane % 32 & 1;
    case IR_LOAD_AT:
        return *evaluate_word(e, inst, a[e->first]);
    default: /* GATHER */
        return e->value[inst->arg[1]][lane] ? *evaluate_word(e, inst, a[lane]) : 0;
    }
}

static inline void evaluate_write(const struct evaluation *e, const struct ir_inst *inst,
                                  unsigned lane)
{
    uint32_t a = e->value[inst->arg[0]][lane], *word;

    switch (inst->op) {
    case IR_STORE:
        *evaluate_word(e, inst, 4 * lane) = a;
        break;
    case IR_USTORE:
        *evaluate_word(e, inst, 0) = e->value[inst->arg[0]][e->first];
        break;
    case IR_MSTORE:
        word = evaluate_word(e, inst, lane / 32 * 4);
        *word = (*word & ~(1u << lane % 32)) | a << lane % 32;
        break;
    default: /* SCATTER */
        if (e->value[inst->arg[2]][lane])
            *evaluate_word(e, inst, a) = e->value[inst->arg[1]][lane];
    }
}

static inline void evaluate_lane(const struct evaluation *e, ir_ref ref, unsigned lane)
{
    const struct ir_inst *inst = &e->inst[ref];
    uint32_t arg[3];

    for (unsigned k = 0; k < 3; k++)
        arg[k] = e->value[inst->arg[k]][lane];
    switch (ir_op_info[inst->op].op_class) {
    case IR_CLASS_READ:
        e->value[ref][lane] = evaluate_read(e, inst, lane);
        break;
    case IR_CLASS_WRITE:
        evaluate_write(e, inst, lane);
        break;
    default:
        if (inst->op == IR_QUAD)
            arg[0] = e->value[inst->arg[0]][(lane & ~3u) + (inst->imm >> 2 * (lane & 3) & 3)];
        if (inst->op == IR_FIRST)
            arg[0] = e->value[inst->arg[0]][e->first];
        e->value[ref][lane] =
            inst->op == IR_LANE ? lane : ir_eval((enum ir_op)inst->op, arg, inst->imm);
    }
}

static inline bool evaluate_any(const struct evaluation *e, ir_ref mask)
{
    for (unsigned lane = e->first; lane < e->end; lane++)
        if (e->value[mask][lane])
            return true;
    return false;
}

static inline void evaluate_copy(const struct evaluation *e, ir_ref to, ir_ref from)
{
    memcpy(e->value[to], e->value[from], sizeof(e->value[to]));
}

static inline bool evaluate_is_phi(const struct evaluation *e, ir_ref ref)
{
    unsigned op = ref < e->n ? e->inst[ref].op : IR_NONE;

    return op == IR_PHI || op == IR_MPHI || op == IR_LPHI || op == IR_MLPHI;
}

/* Phis take their values at the same time. */
static inline ir_ref evaluate_phis(const struct evaluation *e, ir_ref ref, unsigned k)
{
    uint32_t(*copy)[IR_LANES] = malloc((e->n + 1) * sizeof(*copy));
    ir_ref first = ref;

    for (; evaluate_is_phi(e, ref); ref++)
        memcpy(copy[ref], e->value[e->inst[ref].arg[k]], sizeof(*copy));
    for (ir_ref phi = first; phi < ref; phi++)
        memcpy(e->value[phi], copy[phi], sizeof(*copy));
    free(copy);
    return ref;
}

/* Runs from `ref` to the end of its IF or LOOP, or of the function; returns that place. run:
 * nothing is executed otherwise. */
static inline ir_ref evaluate_body(const struct evaluation *e, ir_ref ref, bool run)
{
    while (ref < e->n) {
        const struct ir_inst *inst = &e->inst[ref];
        ir_ref end, body;
        bool taken;

        switch (inst->op) {
        case IR_ENDIF:
        case IR_ENDLOOP:
            return ref;
        case IR_IF:
            taken = run && evaluate_any(e, inst->arg[0]);
            end = evaluate_body(e, ref + 1, taken);
            ref = run ? evaluate_phis(e, end + 1, taken ? 0 : 1) : end + 1;
            while (!run && evaluate_is_phi(e, ref))
                ref++;
            break;
        case IR_LOOP:
            body = ref + 1;
            while (evaluate_is_phi(e, body))
                body++;
            if (run)
                evaluate_phis(e, ref + 1, 0);
            end = evaluate_body(e, body, run);
            while (run && evaluate_any(e, e->inst[end].arg[0])) {
                evaluate_phis(e, ref + 1, 1);
                evaluate_body(e, body, true);
            }
            ref = end + 1;
            break;
        case IR_CALL:
            if (run)
                e->args->call(e->args->call_ctx, inst->imm);
            ref++;
            break;
        default:
            for (unsigned lane = e->first; run && lane < e->end; lane++)
                evaluate_lane(e, ref, lane);
            ref++;
        }
    }
    return ref;
}

/* Runs a function in vectors of `width` lanes; 64 if it calls. */
static inline void evaluate(const struct ir *ir, const struct ir_args *args, unsigned width)
{
    struct evaluation e = {.args = args};

    e.inst = ir_insts(ir, &e.n);
    e.value = calloc(e.n, sizeof(*e.value));
    for (e.first = 0; e.first < IR_LANES; e.first += width) {
        e.end = e.first + width;
        evaluate_body(&e, 1, true);
    }
    free(e.value);
}

#endif
