/* Hoisting: moves what is at the rate of a draw to a function of its own.
 *
 * Tested by tests/unit/ir/pass/test_passes.c. */
#include "ir/pass/copy.h"
#include "ir/pass/pass.h"

#include "util/alloc.h"

struct hoister {
    struct ir_copy body, preamble;
    unsigned base;
    uint32_t *bytes;
};

/* True if computing a value again costs no more than loading it. */
static bool is_free(const struct ir_inst *inst)
{
    return inst->op == IR_CONST || inst->op == IR_MCONST || inst->op == IR_UNIFORM;
}

static bool is_hoisted(const struct ir_inst *inst)
{
    return ir_op_info[inst->op].result && inst->rate == IR_RATE_DRAW && !is_free(inst);
}

/* Stores a value of the preamble and loads it in the body. A mask is stored as a word, 0 or 1. */
static ir_ref pass_on(struct hoister *h, ir_ref ref)
{
    struct ir *from = h->preamble.to, *to = h->body.to;
    ir_ref value = h->preamble.map[ref], loaded;
    bool is_mask = ir_op_info[h->body.inst[ref].op].result == IR_TYPE_MASK;

    ir_set_origin(from, h->body.inst[ref].origin);
    ir_set_origin(to, h->body.inst[ref].origin);
    if (is_mask)
        value = ir_emit(from, IR_SELECT, value, ir_const_i32(from, 1), ir_const_i32(from, 0), 0);
    ir_emit_mem(from, IR_USTORE, h->base, *h->bytes, value, 0, 0);
    loaded = ir_emit_mem(to, IR_UNIFORM, h->base, *h->bytes, 0, 0, 0);
    *h->bytes += sizeof(uint32_t);
    if (!is_mask)
        return loaded;
    return ir_emit(to, IR_MNOT, ir_emit(to, IR_IEQ, loaded, ir_const_i32(to, 0), 0, 0), 0, 0, 0);
}

/* Passes on what instructions of the body read. The loads stand at the beginning, where phis and
 * all scopes see them; machines load a uniform where it is used. */
static void make_preamble(struct hoister *h)
{
    for (ir_ref ref = 1; ref < h->body.n; ref++)
        if (ir_op_info[h->body.inst[ref].op].result && h->body.inst[ref].rate == IR_RATE_DRAW)
            ir_copy_inst(&h->preamble, ref);
    for (ir_ref ref = 1; ref < h->body.n; ref++) {
        const struct ir_inst *inst = &h->body.inst[ref];

        for (unsigned k = 0; !is_hoisted(inst) && k < ir_op_info[inst->op].n_args; k++)
            if (!h->body.map[inst->arg[k]] && is_hoisted(&h->body.inst[inst->arg[k]]))
                h->body.map[inst->arg[k]] = pass_on(h, inst->arg[k]);
    }
}

static void make_body(struct hoister *h)
{
    for (ir_ref ref = 1; ref < h->body.n; ref++)
        if (!is_hoisted(&h->body.inst[ref]))
            ir_copy_inst(&h->body, ref);
}

struct ir *ir_hoist(const struct ir *ir, unsigned base, uint32_t *bytes, struct ir **preamble)
{
    struct hoister h = {.base = base, .bytes = bytes};
    struct ir *body;

    *preamble = NULL;
    if (!ir_copy_begin(&h.body, ir, ir->constant_bases | 1u << base))
        return NULL;
    if (!ir_copy_begin(&h.preamble, ir, ir->constant_bases & ~(1u << base))) {
        ir_destroy(ir_copy_end(&h.body));
        return NULL;
    }
    make_preamble(&h);
    make_body(&h);
    body = ir_copy_end(&h.body);
    *preamble = ir_copy_end(&h.preamble);
    if (body && *preamble)
        return body;
    ir_destroy(body);
    ir_destroy(*preamble);
    *preamble = NULL;
    return NULL;
}
