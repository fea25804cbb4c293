/* Liveness analysis and dead-code elimination on the IR: across blocks by vregs, inside a block by
 * values. */
#include "vm/lower/passes.h"

#include "util/alloc.h"

#include <string.h>

struct live {
    struct lower *l;
    uint32_t words;                   /* 64-bit words of a vreg set */
    uint64_t *live_in;                /* per block: vregs live at its start */
    uint64_t *live;                   /* the set at the current point */
    uint8_t *value_live, *hoist_live; /* has a live use */
    uint32_t *block_after;            /* per instruction: the block that follows it */
    bool changed;
};

bool vm_lower_instance_live(const struct ir_inst *inst, const uint32_t *words)
{
    unsigned n = vm_ir_op_info[inst->opcode].n_dst;

    for (unsigned i = 0; i < n; i++)
        if (words[i] != REF_NONE)
            return true;
    return n == 0;
}

static bool has_vreg(const uint64_t *set, uint32_t vreg)
{
    return set[vreg / 64] >> (vreg % 64) & 1;
}

static bool is_live(const struct live *v, uint32_t ref)
{
    uint32_t id = ref & REF_ID_MASK;

    switch (ref & REF_KIND_MASK) {
    case REF_VALUE:
        return v->value_live[id];
    case REF_HOIST:
        return v->hoist_live[id];
    case REF_VREG:
        return has_vreg(v->live, id);
    default:
        return false;
    }
}

static void mark_live(struct live *v, uint32_t ref)
{
    uint32_t id = ref & REF_ID_MASK;

    switch (ref & REF_KIND_MASK) {
    case REF_VALUE:
        v->value_live[id] = 1;
        break;
    case REF_HOIST:
        v->hoist_live[id] = 1;
        break;
    case REF_VREG:
        v->live[id / 64] |= UINT64_C(1) << (id % 64);
        break;
    default:
        break;
    }
}

/* Updates liveness for one instance of the backward pass. A masked store keeps the old contents
 * live for the inactive lanes. */
static void visit_instance(struct live *v, const struct ir_inst *inst, uint32_t *words, bool masked,
                           bool prune)
{
    const struct ir_op_info *info = &vm_ir_op_info[inst->opcode];
    bool any_live = info->n_dst == 0;

    for (unsigned i = 0; i < info->n_dst; i++) {
        bool keep = is_live(v, words[i]);

        any_live |= keep;
        if (prune && !keep)
            words[i] = REF_NONE;
    }
    if (!any_live)
        return;
    if (inst->opcode == VM_IR_STORE && !masked) {
        uint32_t vreg = words[0] & REF_ID_MASK;

        v->live[vreg / 64] &= ~(UINT64_C(1) << (vreg % 64));
    }
    for (unsigned i = 0; i < info->n_src; i++)
        mark_live(v, words[info->n_dst + i]);
}

static void insts_backwards(struct live *v, struct ir_stream *s, uint32_t first, uint32_t n,
                            bool masked, bool prune)
{
    for (uint32_t i = first + n; i-- > first;) {
        struct ir_inst *inst = &s->inst[i];
        unsigned size = ir_op_words(inst->opcode);

        for (uint32_t g = inst->n; g-- > 0;)
            visit_instance(v, inst, s->arg + inst->arg + g * size, masked, prune);
    }
}

static void join(struct live *v, uint32_t block)
{
    if (block < v->l->n_block)
        for (uint32_t i = 0; i < v->words; i++)
            v->live[i] |= v->live_in[(size_t)block * v->words + i];
}

static void join_after(struct live *v, uint32_t instr)
{
    if (instr < v->l->program->n_instr)
        join(v, v->block_after[instr]);
}

/* Vregs live at the end of a block, for all successors. */
static void live_at_end(struct live *v, uint32_t b)
{
    const struct lower *l = v->l;
    const struct ir_block *block = &l->block[b];

    memset(v->live, 0, v->words * sizeof(*v->live));
    switch (block->flow) {
    case FLOW_STEP:
        memset(v->live, 0xff, v->words * sizeof(*v->live));
        break;
    case FLOW_END:
        for (unsigned i = 0; i < l->program->info.n_outputs; i++)
            for (unsigned c = 0; c < 4; c++) {
                int slot = l->program->info.output[i].slot[c];

                if (slot >= 0 && (l->options->live_outputs >> i & 1))
                    mark_live(v, REF_VREG | (l->vreg_output + (uint32_t)slot));
            }
        break;
    case FLOW_RETURN: /* to any caller, or to the epilogue */
        for (uint32_t i = 0; i + 1 < l->n_block; i++)
            if (l->block[i].flow == FLOW_CALL || l->block[i].flow == FLOW_CALL_BOOL ||
                l->block[i].flow == FLOW_CALL_PRED || l->block[i].flow == FLOW_RECONVERGE)
                join(v, i + 1);
        break;
    case FLOW_CALL:
        join_after(v, block->target);
        break;
    case FLOW_ELSE: /* lanes of the then part continue after endif */
    case FLOW_ELSE_UNIFORM:
        join_after(v, block->target);
        break;
    default:
        join(v, b + 1);
        join_after(v, block->target);
    }
}

static void pass(struct live *v, bool prune)
{
    struct lower *l = v->l;

    for (uint32_t b = l->n_block; b-- > 0;) {
        uint64_t *in = v->live_in + (size_t)b * v->words;

        live_at_end(v, b);
        insts_backwards(v, &l->main, l->block[b].first_inst, l->block[b].n_insts,
                        l->block[b].masked, prune);
        for (uint32_t i = 0; i < v->words; i++) {
            v->changed |= in[i] != v->live[i];
            in[i] = v->live[i];
        }
    }
}

static void find_blocks(struct live *v)
{
    const struct lower *l = v->l;

    for (uint32_t i = 0; i < l->program->n_instr; i++)
        v->block_after[i] = VM_NO_TARGET;
    for (uint32_t b = 0; b < l->n_block; b++)
        if (l->block[b].instr < l->program->n_instr)
            v->block_after[l->block[b].instr] = b + 1;
}

enum status vm_lower_dce(struct lower *l)
{
    struct live v = {.l = l, .words = (l->n_vreg + 63) / 64};
    enum status st = ST_NOMEM;

    v.live_in = mem_calloc((size_t)l->n_block * v.words + 1, sizeof(*v.live_in));
    v.live = mem_calloc(v.words + 1, sizeof(*v.live));
    v.value_live = mem_calloc((size_t)l->n_value + 1, 1);
    v.hoist_live = mem_calloc((size_t)l->n_hoist + 1, 1);
    v.block_after = mem_alloc(((size_t)l->program->n_instr + 1) * sizeof(*v.block_after));
    if (v.live_in && v.live && v.value_live && v.hoist_live && v.block_after) {
        find_blocks(&v);
        /* The sets only grow, so the iteration terminates. */
        do {
            v.changed = false;
            pass(&v, false);
        } while (v.changed);
        pass(&v, true);
        insts_backwards(&v, &l->hoist, 0, l->hoist.n_inst, false, true);
        st = ST_OK;
    }
    mem_free(v.live_in);
    mem_free(v.live);
    mem_free(v.value_live);
    mem_free(v.hoist_live);
    mem_free(v.block_after);
    return st;
}
