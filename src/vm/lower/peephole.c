/* Peephole pass on the IR: fuses a result that has one use with the instance that uses it, where a
 * kernel for the pair exists. Fused kernels round after each step, so no result changes. */
#include "vm/lower/passes.h"
#include "vm/run/frame.h"

#include "util/alloc.h"

#include <string.h>

/* Fusion rule: `second` reads the result of `first` as its operand `at`, and `fused` replaces both.
 * `operand` lists the operands of `fused`: i is operand i of `first`, S + i is operand i of
 * `second`. If `at` is OTHER, the result may be either of the first two operands of `second`. In
 * `operand`, OTHER is then the remaining one of the two. */
enum { S = 8, OTHER = 16, MAX_FUSED = 8 };
static const struct rule {
    uint8_t first, second, at, fused;
    uint8_t operand[MAX_FUSED];
} rules[] = {
    {VM_IR_MUL, VM_IR_ADD, OTHER, VM_IR_MAD, {0, 1, OTHER}},
    {VM_IR_MUL, VM_IR_SUB, 0, VM_IR_MSUB, {0, 1, S + 1}},
    {VM_IR_MUL, VM_IR_MUL, OTHER, VM_IR_MUL3, {0, 1, OTHER}},
    {VM_IR_MUL, VM_IR_MAD, 2, VM_IR_DP2, {0, 1, S + 0, S + 1}},
    {VM_IR_MUL, VM_IR_MAD, OTHER, VM_IR_MUL_MAD, {0, 1, OTHER, S + 2}},
    {VM_IR_DP2, VM_IR_MAD, 2, VM_IR_DP3, {0, 1, 2, 3, S + 0, S + 1}},
    {VM_IR_DP3, VM_IR_MAD, 2, VM_IR_DP4, {0, 1, 2, 3, 4, 5, S + 0, S + 1}},
    {VM_IR_DP2, VM_IR_ADD, OTHER, VM_IR_DP2ADD, {0, 1, 2, 3, OTHER}},
    {VM_IR_DP3, VM_IR_ADD, OTHER, VM_IR_DP3ADD, {0, 1, 2, 3, 4, 5, OTHER}},
    {VM_IR_DP3, VM_IR_NRM, 0, VM_IR_DP3_NRM, {0, 1, 2, 3, 4, 5}},
    {VM_IR_DP3, VM_IR_RSQ, 0, VM_IR_DP3_RSQ, {0, 1, 2, 3, 4, 5}},
    {VM_IR_MAD, VM_IR_MAD, 2, VM_IR_MAD_MAD, {0, 1, S + 0, S + 1, 2}},
    {VM_IR_MAD, VM_IR_ADD, OTHER, VM_IR_MAD_ADD, {0, 1, 2, OTHER}},
    {VM_IR_MAD, VM_IR_MUL, OTHER, VM_IR_MAD_MUL, {0, 1, 2, OTHER}},
    {VM_IR_ADD, VM_IR_ADD, OTHER, VM_IR_ADD3, {0, 1, OTHER}},
    {VM_IR_ADD, VM_IR_MUL, OTHER, VM_IR_ADD_MUL, {0, 1, OTHER}},
    {VM_IR_SUB, VM_IR_MUL, OTHER, VM_IR_SUB_MUL, {0, 1, OTHER}},
    {VM_IR_ADD, VM_IR_MAD, OTHER, VM_IR_ADD_MAD, {0, 1, OTHER, S + 2}},
};
enum { N_RULES = sizeof(rules) / sizeof(rules[0]) };

/* Fusing over a longer distance would keep operands of the first instance in memory for too
 * long. */
enum { MAX_DISTANCE = 64 };

struct peephole {
    struct lower *l;
    const struct vm_kern *kern;
    struct ir_stream old; /* l->main before the pass */
    struct value {
        uint32_t uses, position;
        uint32_t arg; /* its defining instance in the new stream */
        uint8_t opcode;
        bool saturate;
    } * value;
    uint32_t position;
};

static struct value *value_of(const struct peephole *f, uint32_t ref)
{
    return (ref & REF_KIND_MASK) == REF_VALUE ? &f->value[ref & REF_ID_MASK] : NULL;
}

static void count_uses(const struct peephole *f)
{
    for (uint32_t i = 0; i < f->old.n_inst; i++) {
        const struct ir_inst *inst = &f->old.inst[i];
        const struct ir_op_info *info = &vm_ir_op_info[inst->opcode];

        for (uint32_t g = 0; g < inst->n; g++) {
            const uint32_t *words = f->old.arg + inst->arg + g * ir_op_words(inst->opcode);

            for (unsigned k = 0; vm_lower_instance_live(inst, words) && k < info->n_src; k++) {
                struct value *v = value_of(f, words[info->n_dst + k]);

                if (v)
                    v->uses++;
            }
        }
    }
}

/* Builds the words of the fused instance. False if the fused kernel has no plain mode for the
 * operands. */
static bool combine(const struct peephole *f, const struct rule *rule, unsigned at,
                    const uint32_t *first, const uint32_t *second, bool saturate, uint32_t *words)
{
    unsigned opmode;

    words[0] = second[0];
    for (unsigned i = 0; i < vm_ir_op_info[rule->fused].n_src; i++) {
        unsigned from = rule->operand[i];

        words[1 + i] = from == OTHER ? second[1 + (at ^ 1)]
                       : from >= S   ? second[1 + from - S]
                                     : first[1 + from];
    }
    opmode = vm_lower_operand_mode(rule->fused, words, saturate);
    return opmode != VM_OPMODE_ANY && f->kern->fn[rule->fused][opmode];
}

/* Folds a move of an arithmetic result into the instance that computes it. The move may
 * saturate. */
static bool forward_move(struct peephole *f, uint32_t *words, uint8_t *opcode, bool *saturate)
{
    struct value *v = *opcode == VM_IR_MOV ? value_of(f, words[1]) : NULL;
    uint32_t dst = words[0];

    if (!v || v->uses != 1 || v->opcode == VM_IR_MOV || words[1] & (REF_NEG | REF_ABS) ||
        !f->kern->fn[v->opcode][VM_OPMODE_ANY] || f->position - v->position > MAX_DISTANCE)
        return false;
    memcpy(words, f->l->main.arg + v->arg, ir_op_words(v->opcode) * sizeof(*words));
    f->l->main.arg[v->arg] = REF_NONE;
    words[0] = dst;
    *opcode = v->opcode;
    *saturate |= v->saturate;
    return true;
}

/* Fuses an instance (words, opcode) with the definition of one of its operands, if a rule
 * matches. */
static bool fuse_instance(struct peephole *f, uint32_t *words, uint8_t *opcode, bool saturate)
{
    for (unsigned r = 0; r < N_RULES; r++) {
        const struct rule *rule = &rules[r];
        unsigned last = rule->at == OTHER ? 1 : rule->at;

        for (unsigned at = rule->at == OTHER ? 0 : rule->at; rule->second == *opcode && at <= last;
             at++) {
            struct value *v = value_of(f, words[1 + at]);
            uint32_t fused[1 + MAX_FUSED];

            if (!v || v->opcode != rule->first || v->uses != 1 || v->saturate ||
                words[1 + at] & (REF_NEG | REF_ABS) || f->position - v->position > MAX_DISTANCE ||
                !combine(f, rule, at, f->l->main.arg + v->arg, words, saturate, fused))
                continue;
            f->l->main.arg[v->arg] = REF_NONE; /* marks it dead */
            memcpy(words, fused, ir_op_words(rule->fused) * sizeof(*words));
            *opcode = rule->fused;
            return true;
        }
    }
    return false;
}

static void copy_instance(struct peephole *f, uint32_t first_inst, const struct ir_inst *inst,
                          const uint32_t *old)
{
    uint32_t words[16];
    struct value *v;
    uint8_t opcode = inst->opcode;
    bool saturate = inst->saturate;

    memcpy(words, old, ir_op_words(opcode) * sizeof(*words));
    while (fuse_instance(f, words, &opcode, saturate) || forward_move(f, words, &opcode, &saturate))
        ;
    vm_lower_append(f->l, &f->l->main, first_inst, opcode, saturate, words);
    v = vm_ir_op_info[opcode].n_dst == 1 ? value_of(f, words[0]) : NULL;
    if (v && !f->l->status) {
        v->position = f->position++;
        v->arg = f->l->main.n_arg - ir_op_words(opcode);
        v->opcode = opcode;
        v->saturate = saturate;
    }
}

/* Values are local to their block, so nothing is fused across blocks. */
static void copy_block(struct peephole *f, struct ir_block *b)
{
    uint32_t first = f->l->main.n_inst;

    for (uint32_t i = b->first_inst; i < b->first_inst + b->n_insts; i++) {
        const struct ir_inst *inst = &f->old.inst[i];

        for (uint32_t g = 0; g < inst->n; g++) {
            const uint32_t *words = f->old.arg + inst->arg + g * ir_op_words(inst->opcode);

            if (vm_lower_instance_live(inst, words))
                copy_instance(f, first, inst, words);
        }
    }
    b->first_inst = first;
    b->n_insts = f->l->main.n_inst - first;
}

enum status vm_lower_peephole(struct lower *l)
{
    struct peephole f = {.l = l, .kern = KERN_PICK(vm_kern), .old = l->main};

    f.value = mem_calloc((size_t)l->n_value + 1, sizeof(*f.value));
    if (!f.value)
        return ST_NOMEM;
    memset(&l->main, 0, sizeof(l->main));
    count_uses(&f);
    for (uint32_t b = 0; b < l->n_block; b++)
        copy_block(&f, &l->block[b]);
    mem_free(f.old.inst);
    mem_free(f.old.arg);
    mem_free(f.value);
    return l->status;
}
