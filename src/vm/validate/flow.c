/* Validator of control flow: checks the nesting and depth of blocks, loops and subroutines, and
 * resolves branch targets. */
#include "vm/validate/rules.h"

#include "util/alloc.h"

enum {
    MAX_STATIC_IFS = 24,
    /* One more than allowed, because the check follows the increment. */
    MAX_BLOCKS = MAX_STATIC_IFS + VM_DYNAMIC_DEPTH + VM_STATIC_DEPTH + 1,
    MAX_STATIC_FLOW = 16,  /* vs_2_0 and vs_2_x: static flow instructions of the whole program */
    MAX_INLINED = 1 << 20, /* instructions with every call expanded */
};

struct flow {
    struct vm_checker *checker;
    struct vm_program *program;
    /* Open blocks, as indices of their first instruction. */
    uint32_t open[MAX_BLOCKS];
    uint32_t open_if[MAX_BLOCKS]; /* of an open else: its if */
    /* Open blocks of this routine by kind: all, static and dynamic ifs, loops, loops with aL. */
    unsigned n_open, n_ifs[2], n_loops, n_al_loops;
    unsigned max_depth; /* limit of nested loops, and of nested calls */
    unsigned static_flow;
    bool counts_static_flow;
    bool in_main, ended;       /* ended: after ret */
    unsigned level;            /* call depth of this routine; main is 0 */
    uint32_t label[VM_LABELS]; /* instruction of each label */
    uint8_t label_level[VM_LABELS];
};

static struct vm_instr *top_of(struct flow *f)
{
    return f->n_open ? &f->program->instr[f->open[f->n_open - 1]] : NULL;
}

/* Returns ST_INVALID if the rule is enforced. */
static MUST_CHECK enum status broken_at(struct flow *f, uint32_t at, enum vm_rule rule,
                                        const char *reason)
{
    f->checker->token = f->program->instr[at].token;
    vm_rule_broken(f->checker, rule, "%s", reason);
    return f->checker->refused ? ST_INVALID : ST_OK;
}

static MUST_CHECK enum status refuse_at(struct flow *f, uint32_t at, const char *reason)
{
    return broken_at(f, at, VM_RULE_BLOCKS, reason);
}

/* Nested loops or calls: `depth` of them are open. */
static MUST_CHECK enum status check_depth(struct flow *f, uint32_t at, unsigned depth,
                                          const char *nested, const char *too_deep)
{
    if (depth > VM_STATIC_DEPTH)
        return broken_at(f, at, VM_RULE_DEPTH, f->max_depth == 1 ? nested : too_deep);
    return depth > f->max_depth ? broken_at(f, at, VM_RULE_NESTING, nested) : ST_OK;
}

static MUST_CHECK enum status find_labels(struct flow *f)
{
    for (unsigned i = 0; i < VM_LABELS; i++)
        f->label[i] = VM_NO_TARGET;
    for (uint32_t at = 0; at < f->program->n_instr; at++) {
        const struct vm_instr *instr = &f->program->instr[at];

        if (instr->op != VM_OP_LABEL)
            continue;
        if (f->label[instr->src[0].index] != VM_NO_TARGET)
            return refuse_at(f, at, "a label is defined twice");
        f->label[instr->src[0].index] = at;
    }
    return ST_OK;
}

/* True if an if or callnz depends on more than constants. */
static bool is_dynamic(const struct vm_instr *instr)
{
    return instr->op == VM_OP_IFC ||
           (instr->n_src && instr->src[instr->n_src - 1].file == VM_FILE_PREDICATE);
}

static MUST_CHECK enum status count_static_flow(struct flow *f, uint32_t at)
{
    f->static_flow++;
    return f->counts_static_flow && f->static_flow > MAX_STATIC_FLOW
               ? broken_at(f, at, VM_RULE_STATIC_FLOW,
                           "there are more than 16 static flow instructions")
               : ST_OK;
}

static MUST_CHECK enum status open_block(struct flow *f, uint32_t at)
{
    const struct vm_instr *instr = &f->program->instr[at];
    bool branches = instr->op == VM_OP_IF || instr->op == VM_OP_IFC;
    enum status st = ST_OK;

    f->open[f->n_open++] = at;
    if (branches && is_dynamic(instr))
        return ++f->n_ifs[1] > VM_DYNAMIC_DEPTH
                   ? broken_at(f, at, VM_RULE_DEPTH, "more than 24 dynamic ifs are nested")
                   : ST_OK;
    if (branches && ++f->n_ifs[0] > MAX_STATIC_IFS)
        return broken_at(f, at, VM_RULE_DEPTH, "more than 24 static ifs are nested");
    if (!branches)
        st = check_depth(f, at, ++f->n_loops, "loops cannot be nested",
                         "more than 4 loops are nested");
    f->n_al_loops += instr->op == VM_OP_LOOP;
    return st == ST_OK ? count_static_flow(f, at) : st;
}

static MUST_CHECK enum status do_else(struct flow *f, uint32_t at)
{
    struct vm_instr *top = top_of(f);

    if (!top || (top->op != VM_OP_IF && top->op != VM_OP_IFC))
        return refuse_at(f, at, "else without if");
    top->target = at;
    f->open_if[f->n_open - 1] = f->open[f->n_open - 1];
    f->open[f->n_open - 1] = at; /* from here the else represents the block */
    return is_dynamic(top) ? ST_OK : count_static_flow(f, at);
}

static MUST_CHECK enum status do_endif(struct flow *f, uint32_t at)
{
    struct vm_instr *top = top_of(f), *opener;

    if (!top || (top->op != VM_OP_IF && top->op != VM_OP_IFC && top->op != VM_OP_ELSE))
        return refuse_at(f, at, "endif without if");
    top->target = at;
    f->n_open--;
    opener = top->op == VM_OP_ELSE ? &f->program->instr[f->open_if[f->n_open]] : top;
    f->n_ifs[is_dynamic(opener)]--;
    return ST_OK;
}

static MUST_CHECK enum status do_endloop(struct flow *f, uint32_t at, enum vm_op opener)
{
    struct vm_instr *instr = f->program->instr;
    struct vm_instr *top = top_of(f);
    uint32_t begin;

    if (!top || top->op != opener)
        return refuse_at(f, at,
                         opener == VM_OP_LOOP ? "endloop without loop" : "endrep without rep");
    begin = f->open[--f->n_open];
    instr[begin].target = at;
    instr[at].target = begin;
    f->n_loops--;
    f->n_al_loops -= opener == VM_OP_LOOP;
    /* Breaks of inner loops already have their targets. */
    for (uint32_t i = begin; i < at; i++) {
        bool is_break = instr[i].op == VM_OP_BREAK || instr[i].op == VM_OP_BREAKC ||
                        instr[i].op == VM_OP_BREAKP;

        if (is_break && instr[i].target == VM_NO_TARGET)
            instr[i].target = at;
    }
    return ST_OK;
}

/* A comparison counts as one dynamic if. */
static MUST_CHECK enum status do_break(struct flow *f, uint32_t at)
{
    if (!f->n_loops)
        return refuse_at(f, at, "break outside of a loop");
    return f->program->instr[at].op == VM_OP_BREAKC && f->n_ifs[1] + 1 > VM_DYNAMIC_DEPTH
               ? broken_at(f, at, VM_RULE_DEPTH, "a break with comparison inside 24 dynamic ifs")
               : ST_OK;
}

/* Calls lead forward only, so the depth of a routine is known when the pass reaches it. */
static MUST_CHECK enum status do_call(struct flow *f, uint32_t at)
{
    const struct vm_instr *call = &f->program->instr[at];
    unsigned label = call->src[0].index;
    uint32_t target = f->label[label];
    enum status st;

    if (target == VM_NO_TARGET)
        return refuse_at(f, at, "the label of a call does not exist");
    if (target < at)
        return refuse_at(f, at, "a call goes backwards");
    st = check_depth(f, at, f->level + 1, "calls cannot be nested", "more than 4 calls are nested");
    if (st != ST_OK)
        return st;
    if (is_dynamic(call) && f->n_ifs[1] + 1 > VM_DYNAMIC_DEPTH)
        return broken_at(f, at, VM_RULE_DEPTH, "callnz inside 24 dynamic ifs");
    if (f->label_level[label] < f->level + 1)
        f->label_level[label] = f->level + 1;
    f->program->instr[at].target = target;
    return is_dynamic(call) ? ST_OK : count_static_flow(f, at);
}

static MUST_CHECK enum status do_label(struct flow *f, uint32_t at)
{
    if (!f->ended)
        return refuse_at(f, at, "a label does not follow a ret");
    f->in_main = false;
    f->ended = false;
    f->level = f->label_level[f->program->instr[at].src[0].index];
    return ST_OK;
}

static MUST_CHECK enum status do_instr(struct flow *f, uint32_t at)
{
    enum vm_op op = f->program->instr[at].op;

    if (op == VM_OP_LABEL)
        return do_label(f, at);
    if (f->ended)
        return refuse_at(f, at, "instructions follow a ret without a label");
    switch (op) {
    case VM_OP_IF:
    case VM_OP_IFC:
    case VM_OP_LOOP:
    case VM_OP_REP:
        return open_block(f, at);
    case VM_OP_ELSE:
        return do_else(f, at);
    case VM_OP_ENDIF:
        return do_endif(f, at);
    case VM_OP_ENDLOOP:
        return do_endloop(f, at, VM_OP_LOOP);
    case VM_OP_ENDREP:
        return do_endloop(f, at, VM_OP_REP);
    case VM_OP_BREAK:
    case VM_OP_BREAKC:
    case VM_OP_BREAKP:
        return do_break(f, at);
    case VM_OP_CALL:
    case VM_OP_CALLNZ:
        return do_call(f, at);
    case VM_OP_RET:
        f->ended = true;
        return f->n_open ? refuse_at(f, at, "ret inside of a block") : ST_OK;
    default:
        return ST_OK;
    }
}

/* A subroutine may use the aL of its caller; the main program must be in a loop. */
static MUST_CHECK enum status check_al(struct flow *f, uint32_t at)
{
    const struct vm_instr *instr = &f->program->instr[at];
    bool used = instr->dst.rel_file == VM_FILE_LOOP;

    for (unsigned i = 0; i < instr->n_src; i++)
        used |= instr->src[i].rel_file == VM_FILE_LOOP;
    return used && f->in_main && !f->n_al_loops
               ? broken_at(f, at, VM_RULE_LOOP_INDEX, "aL is used outside of a loop")
               : ST_OK;
}

/* Limits the program with all calls expanded: four levels of calls could run for years without any
 * loop. Calls lead forward, so a backward pass knows the costs of all callees. */
static MUST_CHECK enum status check_inlined(struct flow *f)
{
    const struct vm_program *program = f->program;
    uint64_t cost[VM_LABELS], sum = 0;
    bool calls = false;

    for (uint32_t at = program->n_instr; at-- > 0;) {
        const struct vm_instr *instr = &program->instr[at];

        sum++;
        if (instr->op == VM_OP_CALL || instr->op == VM_OP_CALLNZ) {
            calls = true;
            sum += cost[instr->src[0].index];
        } else if (instr->op == VM_OP_LABEL) {
            cost[instr->src[0].index] = sum;
            sum = 0;
        }
        if (calls && sum > MAX_INLINED)
            return broken_at(f, at, VM_RULE_CALL_LENGTH,
                             "calls make the program run more than 1048576 instructions");
    }
    return ST_OK;
}

static MUST_CHECK enum status resolve(struct flow *f)
{
    uint32_t n = f->program->n_instr;
    enum status st = find_labels(f);

    for (uint32_t at = 0; at < n && st == ST_OK; at++) {
        st = do_instr(f, at);
        if (st == ST_OK)
            st = check_al(f, at);
    }
    if (st != ST_OK)
        return st;
    if (f->n_open)
        return refuse_at(f, f->open[f->n_open - 1], "a block is not closed");
    if (!f->in_main && !f->ended)
        return refuse_at(f, n - 1, "a subroutine does not end with ret");
    return check_inlined(f);
}

enum status vm_resolve_flow(struct vm_checker *c, struct vm_program *program)
{
    struct flow *f = mem_calloc(1, sizeof(*f));
    enum status st;

    if (!f)
        return ST_NOMEM;
    f->checker = c;
    f->program = program;
    f->in_main = true;
    f->max_depth = c->version.rank == VM_RANK_2_0 ? 1 : VM_STATIC_DEPTH;
    f->counts_static_flow = !c->version.pixel && c->version.rank < VM_RANK_2_SW;
    st = resolve(f);
    mem_free(f);
    return st;
}
