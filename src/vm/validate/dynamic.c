/* Validator rules for divergent flow in pixel shaders: where neighbouring pixels may take
 * different branches, implicit gradients of r# and, in ps_2_x, writes of colours.
 *
 * Tested by tests/unit/vm/validate/test_rules.c. */
#include "vm/validate/rules.h"

#include "util/alloc.h"

#include <string.h>

enum { MAX_DEPTH = 64 /* vm_resolve_flow has checked the depth */ };

struct walk {
    const struct vm_program *program;
    bool outputs_too;                 /* ps_2_x: refuse outputs too */
    bool dynamic[MAX_DEPTH];          /* per open block of this routine: it may split pixels */
    unsigned n_open, n_dynamic;       /* open blocks, and those that may split pixels */
    bool routine_diverges;            /* this routine has a caller in divergent flow */
    bool called_divergent[VM_LABELS]; /* the same per label */
};

/* A loop that contains a break may end at different times for different pixels. */
static bool has_break(const struct vm_program *program, uint32_t begin)
{
    uint32_t end = program->instr[begin].target;

    for (uint32_t at = begin; at < end; at++) {
        enum vm_op op = program->instr[at].op;

        if ((op == VM_OP_BREAK || op == VM_OP_BREAKC || op == VM_OP_BREAKP) &&
            program->instr[at].target == end)
            return true;
    }
    return false;
}

static void open_block(struct walk *w, bool dynamic)
{
    w->dynamic[w->n_open++] = dynamic;
    w->n_dynamic += dynamic;
}

static void follow(struct walk *w, uint32_t at)
{
    const struct vm_instr *instr = &w->program->instr[at];
    const struct vm_src *last = &instr->src[instr->n_src ? instr->n_src - 1 : 0];

    switch (instr->op) {
    case VM_OP_IF:
    case VM_OP_IFC:
        open_block(w, instr->op == VM_OP_IFC || last->file == VM_FILE_PREDICATE);
        break;
    case VM_OP_LOOP:
    case VM_OP_REP:
        open_block(w, has_break(w->program, at));
        break;
    case VM_OP_ENDIF:
    case VM_OP_ENDLOOP:
    case VM_OP_ENDREP:
        w->n_dynamic -= w->dynamic[--w->n_open];
        break;
    case VM_OP_CALL:
    case VM_OP_CALLNZ: /* calls lead forward: the label comes later */
        w->called_divergent[instr->src[0].index] |=
            w->routine_diverges || w->n_dynamic || last->file == VM_FILE_PREDICATE;
        break;
    case VM_OP_LABEL:
        w->routine_diverges = w->called_divergent[instr->src[0].index];
        break;
    default:
        break;
    }
}

static void check(struct vm_checker *c, const struct walk *w, const struct vm_instr *instr)
{
    bool diverges = w->routine_diverges || w->n_dynamic;
    bool gradient = instr->op == VM_OP_TEX || instr->op == VM_OP_DSX || instr->op == VM_OP_DSY;

    c->token = instr->token;
    if (diverges && gradient && instr->src[0].file == VM_FILE_TEMP)
        vm_rule_broken(c, VM_RULE_GRADIENT_IN_FLOW,
                       "the gradient of r# is taken inside dynamic flow control");
    if (!w->outputs_too)
        return;
    if (diverges && instr->dst.file == VM_FILE_COLOROUT)
        vm_rule_broken(c, VM_RULE_OUTPUT_IN_FLOW,
                       "a colour output is written inside dynamic flow control");
    else if ((diverges || w->n_open) && instr->dst.file == VM_FILE_DEPTHOUT)
        vm_rule_broken(c, VM_RULE_OUTPUT_IN_FLOW, "oDepth is written inside flow control");
}

enum status vm_check_dynamic(struct vm_checker *c, const struct vm_program *program)
{
    struct walk *w;

    if (!c->version.pixel || c->version.rank < VM_RANK_2_X)
        return ST_OK;
    w = mem_calloc(1, sizeof(*w));
    if (!w)
        return ST_NOMEM;
    w->program = program;
    w->outputs_too = c->version.rank == VM_RANK_2_X;
    for (uint32_t at = 0; at < program->n_instr && !c->refused; at++) {
        follow(w, at);
        check(c, w, &program->instr[at]);
    }
    mem_free(w);
    return c->refused ? ST_INVALID : ST_OK;
}
