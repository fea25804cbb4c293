/* Order of operations: fewer values are alive at once. Front ends emit the components of vectors
 * side by side, so four chains of values are alive where one after another would do. A processor
 * finds the work of several chains anyway.
 *
 * A block is a run of instructions without control flow and calls. Its instructions keep their
 * order as long as there are registers. If not, what the next root depends on follows, depth first.
 * Roots are stores and the values that are read behind the block. Of two operands, one that frees
 * registers comes first, then the one that takes more on the way (Sethi and Ullman). An instruction
 * that takes no more registers than it frees follows as soon as it can. Constants and loads take no
 * registers: machines read them where they are used.
 *
 * Stores keep their order, and loads theirs to stores. A block stays as it is if its values have
 * enough registers, if the other order is no better, or if it hardly ever runs.
 *
 * Tested by tests/unit/ir/pass/test_order.c. */
#include "ir/pass/copy.h"
#include "ir/pass/pass.h"

#include "util/alloc.h"

#include <string.h>

/* Registers that instructions take: the most on the way, and in the end. The latter is negative if
 * they free more than they take. */
struct demand {
    int32_t peak, end;
};

struct orderer {
    struct ir_copy copy;
    unsigned registers;
    bool masks; /* masks have registers of their own */

    uint32_t *last; /* per value: the last use; the end of a loop that uses it in each round */
    bool *tight;    /* per instruction: more values are alive than there are registers */

    /* Of the current block, [begin, end). Uses are numbered 3 * instruction + operand. */
    ir_ref begin, end;
    uint32_t *uses;        /* per value: uses that are not in order yet */
    uint32_t *users;       /* per value: its first use, or 0 */
    uint32_t *next;        /* per use: the next use of the same value, or 0 */
    uint8_t *missing;      /* per instruction: operands that are not in order yet */
    struct demand *demand; /* per instruction, with all that it depends on in the block */
    bool *done;            /* per instruction: in order */
    ir_ref write;          /* the first instruction that writes and is not in order */
    ir_ref read[IR_BASES]; /* the first instruction that reads at the base and is not in order */
    ir_ref *next_read;     /* per instruction that reads: the next one at the same base, or 0 */
    ir_ref *order;         /* the instructions in order */
    uint32_t n;
    uint32_t alive; /* registers of values with uses that are not in order yet */
    ir_ref *stack;  /* depth-first search */
    ir_ref *eager;  /* queue: instructions that may follow at once */
    uint32_t n_eager, n_tried;
};

/* --- Instructions ----------------------------------------------------------------------------- */

static unsigned class_of(const struct orderer *o, ir_ref ref)
{
    return ir_op_info[o->copy.inst[ref].op].op_class;
}

static unsigned n_args(const struct orderer *o, ir_ref ref)
{
    return ir_op_info[o->copy.inst[ref].op].n_args;
}

static bool is_constant_base(const struct orderer *o, unsigned base)
{
    return o->copy.from->constant_bases >> base & 1;
}

/* True if the value takes no register: machines read it where it is used. */
static bool is_free(const struct orderer *o, ir_ref ref)
{
    const struct ir_inst *inst = &o->copy.inst[ref];

    switch (inst->op) {
    case IR_CONST:
    case IR_MCONST:
        return true;
    case IR_UNIFORM:
    case IR_LOAD:
        return is_constant_base(o, inst->base) || o->last[ref] < o->end;
    default:
        return false;
    }
}

static bool is_mask(const struct orderer *o, ir_ref ref)
{
    return ir_op_info[o->copy.inst[ref].op].result == IR_TYPE_MASK;
}

/* Registers of a value. */
static unsigned size_of(const struct orderer *o, ir_ref ref)
{
    return ir_op_info[o->copy.inst[ref].op].result && !is_free(o, ref) &&
           !(o->masks && is_mask(o, ref));
}

static bool is_repeated(const struct ir_inst *inst, unsigned k)
{
    return (k > 0 && inst->arg[k] == inst->arg[0]) || (k > 1 && inst->arg[k] == inst->arg[1]);
}

static bool is_inside(const struct orderer *o, ir_ref ref)
{
    return ref >= o->begin && ref < o->end;
}

/* True if the instruction stays behind the one before it: machines load what is near each other at
 * once. Both have the same operands. */
static bool is_joined(const struct orderer *o, ir_ref ref)
{
    const struct ir_inst *a = &o->copy.inst[ref - 1], *b = &o->copy.inst[ref];

    return ref > o->begin && a->op == b->op && (a->op == IR_GATHER || a->op == IR_LOAD_AT) &&
           a->base == b->base && a->arg[0] == b->arg[0] && a->arg[1] == b->arg[1];
}

/* --- Lifetimes -------------------------------------------------------------------------------- */

static void extend(struct orderer *o, ir_ref value, uint32_t at)
{
    if (o->last[value] < at)
        o->last[value] = at;
}

static void find_last_uses(struct orderer *o, const uint32_t *end)
{
    const struct ir_inst *inst = o->copy.inst;
    ir_ref *open = o->stack;
    uint32_t n_open = 0;

    for (ir_ref ref = 1; ref < o->copy.n; ref++) {
        if (inst[ref].op == IR_LOOP)
            open[n_open++] = ref;
        for (unsigned k = 0; k < n_args(o, ref); k++) {
            ir_ref arg = inst[ref].arg[k];
            uint32_t outer = 0;

            extend(o, arg, arg > ref ? end[open[n_open - 1]] : ref); /* LPHI takes later values */
            while (outer < n_open && open[outer] < arg)
                outer++;
            if (outer < n_open)
                extend(o, arg, end[open[outer]]);
        }
        if (inst[ref].op == IR_ENDLOOP)
            n_open--;
    }
}

/* --- A block ---------------------------------------------------------------------------------- */

/* True if `a` is better put in order before `b`. */
static bool comes_first(struct demand a, struct demand b)
{
    if ((a.end < 0) != (b.end < 0))
        return a.end < 0;
    return a.end < 0 ? a.peak < b.peak : a.peak > b.peak;
}

/* A value that several instructions use counts for each: in long chains of those, demands double
 * with each step. */
static int32_t limited(int32_t demand)
{
    enum { LIMIT = 1 << 28 };

    return demand > LIMIT ? LIMIT : demand < -LIMIT ? -LIMIT : demand;
}

/* The demand of an instruction, given those of its operands. */
static struct demand demand_of(const struct orderer *o, ir_ref ref)
{
    const struct ir_inst *inst = &o->copy.inst[ref];
    struct demand operand[3] = {{0, 0}}, all = {0, 0};
    unsigned n = 0;
    int32_t freed = 0;

    for (unsigned k = 0; k < n_args(o, ref); k++) {
        ir_ref arg = inst->arg[k];
        unsigned at = n;

        if (is_repeated(inst, k))
            continue;
        freed += o->uses[arg] == 1 ? (int32_t)size_of(o, arg) : 0;
        if (!is_inside(o, arg) || is_free(o, arg))
            continue;
        for (n++; at > 0 && comes_first(o->demand[arg], operand[at - 1]); at--)
            operand[at] = operand[at - 1];
        operand[at] = o->demand[arg];
    }
    for (unsigned i = 0; i < n; i++) {
        all.peak = all.end + operand[i].peak > all.peak ? all.end + operand[i].peak : all.peak;
        all.end = limited(all.end + operand[i].end);
    }
    all.end = limited(all.end + (int32_t)size_of(o, ref) - freed);
    all.peak = limited(all.end > all.peak ? all.end : all.peak);
    return all;
}

/* Counts uses and finds the demands. */
static void analyse(struct orderer *o)
{
    const struct ir_inst *inst = o->copy.inst;

    memset(o->read, 0, sizeof(o->read));
    o->alive = 0;
    for (ir_ref ref = o->begin; ref < o->end; ref++)
        for (unsigned k = 0; k < n_args(o, ref); k++)
            o->uses[inst[ref].arg[k]] = o->users[inst[ref].arg[k]] = 0;
    for (ir_ref ref = o->end; ref-- > o->begin;)
        for (unsigned k = n_args(o, ref); k-- > 0;) {
            ir_ref arg = inst[ref].arg[k];

            if (is_repeated(&inst[ref], k))
                continue;
            if (!o->uses[arg]++ && !is_inside(o, arg))
                o->alive += size_of(o, arg);
            o->next[3 * ref + k] = o->users[arg];
            o->users[arg] = 3 * ref + k;
            o->missing[ref] += is_inside(o, arg) && !is_free(o, arg);
        }
    for (ir_ref ref = o->end; ref-- > o->begin;)
        if (class_of(o, ref) == IR_CLASS_READ && !is_constant_base(o, inst[ref].base)) {
            o->next_read[ref] = o->read[inst[ref].base];
            o->read[inst[ref].base] = ref;
        }
    for (ir_ref ref = o->begin; ref < o->end; ref++)
        o->demand[ref] = demand_of(o, ref);
}

static void find_write(struct orderer *o, ir_ref from)
{
    for (o->write = from; o->write < o->end && class_of(o, o->write) != IR_CLASS_WRITE;)
        o->write++;
}

/* True if no write that is not in order comes before the instruction. */
static bool may_read(const struct orderer *o, ir_ref ref)
{
    return class_of(o, ref) != IR_CLASS_READ || is_constant_base(o, o->copy.inst[ref].base) ||
           ref < o->write;
}

/* The first load that the write must not overtake, or 0. */
static ir_ref pending_read(struct orderer *o, ir_ref write)
{
    ir_ref *read = &o->read[o->copy.inst[write].base];

    while (*read && o->done[*read])
        *read = o->next_read[*read];
    return *read < write ? *read : 0;
}

static bool may_write(struct orderer *o, ir_ref ref)
{
    return class_of(o, ref) != IR_CLASS_WRITE || (ref == o->write && !pending_read(o, ref));
}

/* True if the instruction can follow now, and takes no more registers than it frees. A mask may
 * take one if a value is used for the last time in the block: masks are soon used themselves. */
static bool is_eager(struct orderer *o, ir_ref ref)
{
    const struct ir_inst *inst = &o->copy.inst[ref];
    bool frees = !size_of(o, ref) && !is_mask(o, ref);

    if (o->done[ref] || o->missing[ref] || is_free(o, ref) || !may_read(o, ref) ||
        !may_write(o, ref) || inst->op == IR_GATHER || inst->op == IR_LOAD_AT)
        return false;
    for (unsigned k = 0; k < n_args(o, ref); k++) {
        ir_ref arg = inst->arg[k];

        if (is_inside(o, arg) && is_free(o, arg) && !o->done[arg] && !may_read(o, arg))
            return false;
        frees |= o->uses[arg] == 1 && size_of(o, arg) && (o->last[arg] < o->end || is_mask(o, ref));
    }
    return frees;
}

/* The uses of a value that is new, or has one use left, may be eager. */
static void consider_uses(struct orderer *o, ir_ref value)
{
    for (uint32_t use = o->users[value]; use; use = o->next[use])
        if (!o->done[use / 3])
            o->eager[o->n_eager++] = use / 3;
}

static void append_one(struct orderer *o, ir_ref ref)
{
    const struct ir_inst *inst = &o->copy.inst[ref];

    o->done[ref] = true;
    o->order[o->n++] = ref;
    if (ref == o->write)
        find_write(o, ref + 1);
    for (unsigned k = 0; k < n_args(o, ref); k++) {
        ir_ref arg = inst->arg[k];

        if (is_repeated(inst, k))
            continue;
        o->uses[arg]--;
        if (!o->uses[arg])
            o->alive -= size_of(o, arg);
        else if (o->uses[arg] == 1 && !is_free(o, arg))
            consider_uses(o, arg);
    }
    if (!ir_op_info[inst->op].result || is_free(o, ref))
        return;
    for (uint32_t use = o->users[ref]; use; use = o->next[use])
        o->missing[use / 3]--;
    if (o->uses[ref])
        o->alive += size_of(o, ref);
    consider_uses(o, ref);
}

/* Puts an instruction in order whose operands are, but for free ones; with it, those that are
 * joined to it. */
static void append(struct orderer *o, ir_ref ref)
{
    const struct ir_inst *inst = &o->copy.inst[ref];

    for (unsigned k = 0; k < n_args(o, ref); k++)
        if (is_inside(o, inst->arg[k]) && !o->done[inst->arg[k]])
            append_one(o, inst->arg[k]);
    while (is_joined(o, ref))
        ref--;
    do
        append_one(o, ref++);
    while (ref < o->end && is_joined(o, ref));
}

/* The operand to be put in order next, or 0. */
static ir_ref missing_operand(const struct orderer *o, ir_ref ref)
{
    const struct ir_inst *inst = &o->copy.inst[ref];
    ir_ref best = 0;

    for (unsigned k = 0; k < n_args(o, ref) && o->missing[ref]; k++) {
        ir_ref arg = inst->arg[k];

        if (is_inside(o, arg) && !is_free(o, arg) && !o->done[arg] &&
            (!best || comes_first(o->demand[arg], o->demand[best])))
            best = arg;
    }
    return best;
}

/* Puts an instruction in order, with all that it depends on and the eager ones. */
static void visit(struct orderer *o, ir_ref root)
{
    uint32_t depth = 0;

    o->stack[depth++] = root;
    while (depth) {
        ir_ref ref = o->stack[depth - 1], operand = o->done[ref] ? 0 : missing_operand(o, ref);

        if (operand) {
            o->stack[depth++] = operand;
            continue;
        }
        depth--;
        if (!o->done[ref])
            append(o, ref);
        for (; o->n_tried < o->n_eager; o->n_tried++)
            if (is_eager(o, o->eager[o->n_tried]))
                append(o, o->eager[o->n_tried]);
    }
}

static bool is_root(const struct orderer *o, ir_ref ref)
{
    return class_of(o, ref) == IR_CLASS_WRITE || o->last[ref] >= o->end;
}

/* Registers alive behind the instruction, if it came next. */
static uint32_t alive_behind(const struct orderer *o, ir_ref ref)
{
    const struct ir_inst *inst = &o->copy.inst[ref];
    uint32_t alive = o->alive + size_of(o, ref);

    for (unsigned k = 0; k < n_args(o, ref); k++)
        if (!is_repeated(inst, k) && o->uses[inst->arg[k]] == 1)
            alive -= size_of(o, inst->arg[k]);
    return alive;
}

static bool is_wanted(const struct orderer *o, ir_ref ref)
{
    return !o->done[ref] && (o->uses[ref] || is_root(o, ref));
}

static void visit_root(struct orderer *o, ir_ref root)
{
    ir_ref read;

    while (class_of(o, root) == IR_CLASS_WRITE && (read = pending_read(o, root)))
        visit(o, read);
    visit(o, root);
}

/* One register is kept for what the next instructions need. */
static void order_block(struct orderer *o)
{
    ir_ref first = o->begin, root = o->begin;

    o->n = o->n_eager = o->n_tried = 0;
    find_write(o, o->begin);
    for (;;) {
        while (first < o->end && (!is_wanted(o, first) || is_free(o, first)))
            first++;
        while (root < o->end && (o->done[root] || !is_root(o, root)))
            root++;
        if (first < o->end && alive_behind(o, first) < o->registers)
            visit_root(o, first);
        else if (root < o->end)
            visit_root(o, root);
        else
            break;
    }
}

/* --- Choice ----------------------------------------------------------------------------------- */

/* Values that have no register, added up over all instructions of a block. A value is counted from
 * its definition to its last use in the block. */
static uint64_t excess_of(struct orderer *o, const ir_ref *order, uint32_t n)
{
    const struct ir_inst *inst = o->copy.inst;
    uint64_t excess = 0;
    uint32_t alive = 0;

    for (uint32_t i = 0; i < n; i++)
        for (unsigned k = 0; k < n_args(o, order[i]); k++) {
            ir_ref arg = inst[order[i]].arg[k];

            if (!is_repeated(&inst[order[i]], k) && !o->uses[arg]++ && !is_inside(o, arg))
                alive += size_of(o, arg);
        }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t now;

        for (unsigned k = 0; k < n_args(o, order[i]); k++)
            if (!is_repeated(&inst[order[i]], k) && !--o->uses[inst[order[i]].arg[k]])
                alive -= size_of(o, inst[order[i]].arg[k]);
        now = alive + size_of(o, order[i]);
        if (o->uses[order[i]])
            alive = now;
        if (now > o->registers && !is_free(o, order[i]))
            excess += now - o->registers;
    }
    return excess;
}

/* Dead code has left uses. */
static void clear_uses(struct orderer *o)
{
    for (ir_ref ref = o->begin; ref < o->end; ref++)
        for (unsigned k = 0; k < n_args(o, ref); k++)
            o->uses[o->copy.inst[ref].arg[k]] = 0;
}

/* Puts the block in order. False if the order is no better than it was. */
static bool improve_block(struct orderer *o)
{
    ir_ref *old = o->eager; /* free now */
    uint32_t n = o->end - o->begin;
    uint64_t excess;

    for (uint32_t i = 0; i < n; i++)
        old[i] = o->begin + i;
    excess = excess_of(o, old, n);
    if (!excess)
        return false;
    analyse(o);
    order_block(o);
    clear_uses(o);
    return excess_of(o, o->order, o->n) < excess;
}

static void copy_block(struct orderer *o)
{
    bool is_tight = memchr(&o->tight[o->begin], true, (o->end - o->begin) * sizeof(*o->tight));

    if (is_tight && improve_block(o))
        for (uint32_t i = 0; i < o->n; i++)
            ir_copy_inst(&o->copy, o->order[i]);
    else
        for (ir_ref ref = o->begin; ref < o->end; ref++)
            ir_copy_inst(&o->copy, ref);
}

/* --- The function ----------------------------------------------------------------------------- */

static void copy_all(struct orderer *o)
{
    for (ir_ref ref = 1; ref < o->copy.n; ref = o->end) {
        for (o->begin = o->end = ref; o->end < o->copy.n && class_of(o, o->end) < IR_CLASS_FLOW;)
            o->end++;
        if (o->end > ref)
            copy_block(o);
        else
            ir_copy_inst(&o->copy, o->end++);
    }
}

/* Finds the instructions where more values are alive than there are registers. What rare IFs run
 * does not count. False if there are none. */
static bool find_tight(struct orderer *o, const uint32_t *end)
{
    uint32_t *ending = o->uses, alive = 0; /* ending: per instruction: values that end there */
    ir_ref rare_end = 0;
    bool found = false;

    for (ir_ref ref = 1; ref < o->copy.n; ref++) {
        const struct ir_inst *inst = &o->copy.inst[ref];
        unsigned size = size_of(o, ref);

        if (inst->op == IR_IF && inst->imm && end[ref] > rare_end)
            rare_end = end[ref];
        alive -= ending[ref];
        ending[ref] = 0;
        o->tight[ref] = alive + size > o->registers && ref >= rare_end;
        found |= o->tight[ref];
        if (o->last[ref] > ref) {
            alive += size;
            ending[o->last[ref]] += size;
        }
    }
    return found;
}

/* Memory that only blocks need. */
static bool init_blocks(struct orderer *o)
{
    uint32_t n = o->copy.n;

    o->users = mem_calloc(n, sizeof(*o->users));
    o->next = mem_calloc(n, sizeof(uint32_t[3]));
    o->missing = mem_calloc(n, sizeof(*o->missing));
    o->demand = mem_calloc(n, sizeof(*o->demand));
    o->done = mem_calloc(n, sizeof(*o->done));
    o->next_read = mem_calloc(n, sizeof(*o->next_read));
    o->order = mem_calloc(n, sizeof(*o->order));
    o->eager = mem_calloc(n, sizeof(ir_ref[6]));
    return o->users && o->next && o->missing && o->demand && o->done && o->next_read && o->order &&
           o->eager;
}

static void fini(struct orderer *o)
{
    mem_free(o->last);
    mem_free(o->tight);
    mem_free(o->uses);
    mem_free(o->users);
    mem_free(o->next);
    mem_free(o->missing);
    mem_free(o->demand);
    mem_free(o->done);
    mem_free(o->next_read);
    mem_free(o->order);
    mem_free(o->stack);
    mem_free(o->eager);
}

/* Copies the function, given the last uses. */
static struct ir *copy_function(struct orderer *o, const struct ir *ir)
{
    struct ir *copy;
    bool ok;

    if (!ir_copy_begin(&o->copy, ir, ir->constant_bases))
        return NULL;
    o->copy.is_subset = true;
    ok = init_blocks(o);
    if (ok)
        copy_all(o);
    copy = ir_copy_end(&o->copy);
    if (ok)
        return copy;
    ir_destroy(copy);
    return NULL;
}

enum status ir_order(struct ir **ordered, const struct ir *ir, unsigned registers, bool masks)
{
    struct orderer o = {.registers = registers, .masks = masks, .copy.from = ir};
    uint32_t *end = ir_find_ends(ir);
    bool ok, needs = false;

    *ordered = NULL;
    o.copy.inst = ir_insts(ir, &o.copy.n);
    o.last = mem_calloc(o.copy.n, sizeof(*o.last));
    o.tight = mem_calloc(o.copy.n, sizeof(*o.tight));
    o.uses = mem_calloc(o.copy.n, sizeof(*o.uses));
    o.stack = mem_calloc(o.copy.n, sizeof(*o.stack));
    ok = end && o.last && o.tight && o.uses && o.stack;
    if (ok) {
        find_last_uses(&o, end);
        needs = find_tight(&o, end);
    }
    if (ok && needs) {
        *ordered = copy_function(&o, ir);
        ok = *ordered;
    }
    mem_free(end);
    fini(&o);
    return ok ? ST_OK : ST_NOMEM;
}
