/* Multiply-zero rule: plain products with a check for NaN, and exact products behind it.
 *
 * The function falls into segments: runs of instructions of one scope that do not call, complete
 * IFs and LOOPs among them that neither call nor store. A segment with FMUL0 is emitted twice:
 *
 *     the segment with FMUL; nan = lanes in which one of its results is NaN because of a product
 *     if nan
 *         the segment with FMUL0
 *     endif
 *     phis of the values that later segments read
 *
 * The exact copy stores again what the plain one has stored. So a segment loads nothing that it
 * stores.
 *
 * Units of a segment (instructions, complete IFs and LOOPs) that no unit with a product reads, and
 * that read none, are emitted once: behind the IF, where they take no registers from it. What the
 * exact copy reads it computes itself: if it read values of the plain copy, they would have to live
 * up to the IF, which hardly ever runs.
 *
 * Few results need a check. A NaN passes through sums and products, so a value is covered by a
 * check of any such result in the same scope, and one such result is enough for a product. IFs and
 * LOOPs may go the wrong way in the plain copy; they must end whatever a product is.
 *
 * Tested by tests/unit/ir/pass/test_passes.c. */
#include "ir/pass/copy.h"
#include "ir/pass/pass.h"

#include "util/alloc.h"

enum {
    SUSPECT = 1,    /* may be NaN because of a plain product */
    IMPLIED = 2,    /* no check: where it is NaN, another value that is checked is NaN, too */
    READ_LATER = 4, /* read after its segment */
    DEPENDS = 8,    /* depends on a product of its segment */
    NEEDED = 16     /* read by an instruction that depends on one */
};

struct expander {
    struct ir_copy copy;
    ir_ref *plain;    /* per instruction: its value in the plain copy of the segment */
    uint8_t *flags;   /* per instruction */
    uint32_t *covers; /* per instruction: operations of the same scope that pass its NaN on */
    uint32_t *scope;  /* per instruction: number of its scope */
    uint32_t *end;    /* of each IF and LOOP */
    ir_ref nan;       /* lanes that have shown a NaN in the plain copy */
    ir_ref unpaired;  /* a value to be checked together with the next; 0: none */
    bool is_plain;    /* emitting the plain copy */
};

/* --- Segments --------------------------------------------------------------------------------- */

static bool has_effect(const struct ir_inst *inst)
{
    unsigned op_class = ir_op_info[inst->op].op_class;

    return op_class == IR_CLASS_WRITE || op_class == IR_CLASS_CALL;
}

/* A store whose address is the same in both copies: the exact copy stores again what the plain one
 * has stored. */
static bool is_repeatable(const struct ir_inst *inst)
{
    return inst->op == IR_STORE || inst->op == IR_MSTORE;
}

/* True for calls, for stores that are not repeatable, and for IFs and LOOPs that store or call
 * inside. Their ends are barriers, too. */
static bool *find_barriers(const struct expander *e)
{
    const struct ir_copy *c = &e->copy;
    bool *barrier = mem_calloc(c->n, sizeof(*barrier));
    uint32_t *open = mem_calloc(c->n, sizeof(*open)), n_open = 0;

    for (ir_ref ref = 1; barrier && open && ref < c->n; ref++) {
        unsigned op = c->inst[ref].op;

        barrier[ref] = has_effect(&c->inst[ref]) && !is_repeatable(&c->inst[ref]);
        if (op == IR_IF || op == IR_LOOP)
            open[n_open++] = ref;
        else if (has_effect(&c->inst[ref]) && n_open)
            barrier[open[n_open - 1]] = true;
        if (op == IR_ENDIF || op == IR_ENDLOOP) {
            barrier[ref] = barrier[open[--n_open]];
            if (barrier[ref] && n_open)
                barrier[open[n_open - 1]] = true;
        }
    }
    if (!open) {
        mem_free(barrier);
        barrier = NULL;
    }
    mem_free(open);
    return barrier;
}

static bool is_flow_phi(unsigned op)
{
    return op == IR_PHI || op == IR_MPHI || op == IR_LPHI || op == IR_MLPHI;
}

/* The end of the unit that begins at ref. */
static ir_ref unit_end(const struct expander *e, ir_ref ref)
{
    const struct ir_inst *inst = e->copy.inst;

    if (inst[ref].op != IR_IF && inst[ref].op != IR_LOOP)
        return ref + 1;
    ref = e->end[ref] + 1;
    while (ref < e->copy.n && (inst[ref].op == IR_PHI || inst[ref].op == IR_MPHI))
        ref++;
    return ref;
}

/* A range of bytes that contains all that a segment reads or stores at a base. */
struct range {
    uint64_t begin, end;
};
struct ranges {
    struct range read[IR_BASES], stored[IR_BASES];
};

static struct range range_of(const struct ir_inst *inst)
{
    switch (inst->op) {
    case IR_LOAD:
    case IR_STORE:
        return (struct range){inst->imm, (uint64_t)inst->imm + sizeof(uint32_t[IR_LANES])};
    case IR_MLOAD:
    case IR_MSTORE:
        return (struct range){inst->imm, (uint64_t)inst->imm + IR_LANES / 8};
    case IR_UNIFORM:
        return (struct range){inst->imm, (uint64_t)inst->imm + sizeof(uint32_t)};
    default:
        return (struct range){0, UINT64_MAX};
    }
}

static bool overlap(struct range a, struct range b)
{
    return a.begin < b.end && b.begin < a.end;
}

static void extend(struct range *range, struct range by)
{
    if (range->begin == range->end)
        *range = by;
    range->begin = by.begin < range->begin ? by.begin : range->begin;
    range->end = by.end > range->end ? by.end : range->end;
}

/* Adds a unit to a segment. False if it reads or stores what the segment has stored, or stores what
 * the segment has read: the exact copy would find other memory than the plain one. */
static bool can_repeat(const struct expander *e, struct ranges *ranges, ir_ref first, ir_ref end)
{
    for (ir_ref ref = first; ref < end; ref++) {
        const struct ir_inst *inst = &e->copy.inst[ref];
        struct range range = range_of(inst);
        bool stores = is_repeatable(inst);

        if (!stores && ir_op_info[inst->op].op_class != IR_CLASS_READ)
            continue;
        if (overlap(range, ranges->stored[inst->base]) ||
            (stores && overlap(range, ranges->read[inst->base])))
            return false;
        extend(stores ? &ranges->stored[inst->base] : &ranges->read[inst->base], range);
    }
    return true;
}

/* The end of the segment that begins at `first`. */
static ir_ref segment_end(const struct expander *e, const bool *barrier, ir_ref first)
{
    struct ranges ranges = {0};
    ir_ref ref = first, next;

    for (; ref < e->copy.n && !barrier[ref]; ref = next) {
        next = unit_end(e, ref);
        if (!can_repeat(e, &ranges, ref, next))
            break;
    }
    return ref;
}

static bool has_products(const struct expander *e, ir_ref first, ir_ref end)
{
    for (ir_ref ref = first; ref < end; ref++)
        if (e->copy.inst[ref].op == IR_FMUL0)
            return true;
    return false;
}

/* --- What needs a check ----------------------------------------------------------------------- */

static bool passes_nan(const struct ir_inst *inst)
{
    return inst->op == IR_FMUL0 || ir_op_info[inst->op].nan != IR_NAN_STOPS;
}

/* True if the operation at `ref` passes on a NaN of its operand k, in the same scope. */
static bool is_covered_by(const struct expander *e, ir_ref arg, ir_ref ref, unsigned k)
{
    const struct ir_inst *inst = &e->copy.inst[ref];

    return e->scope[arg] == e->scope[ref] && !(k && inst->arg[0] == arg);
}

/* The operands that an attempt to drop a check has left to other operations. */
struct released {
    unsigned n;
    ir_ref value[16];
};

/* Leaves the operands of `ref` to others that pass their NaNs on. False if there are none. */
static bool release(struct expander *e, ir_ref first, ir_ref ref, struct released *released)
{
    const struct ir_inst *inst = &e->copy.inst[ref];

    for (unsigned k = 0; k < ir_op_info[inst->op].n_args; k++) {
        ir_ref arg = inst->arg[k];

        if (arg < first || !(e->flags[arg] & SUSPECT) || !is_covered_by(e, arg, ref, k))
            continue;
        if (released->n == sizeof(released->value) / sizeof(released->value[0]))
            return false;
        released->value[released->n++] = arg;
        if (!--e->covers[arg] && !release(e, first, arg, released))
            return false;
    }
    return inst->op != IR_FMUL0;
}

/* A value needs no check if it is no product of its own, and other operations pass the NaNs of its
 * operands on. */
static void drop_check(struct expander *e, ir_ref first, ir_ref ref)
{
    struct released released = {0};
    bool dropped = release(e, first, ref, &released);

    if (dropped)
        e->flags[ref] |= IMPLIED;
    for (unsigned i = 0; i < released.n; i++)
        if (!dropped)
            e->covers[released.value[i]]++;
        else if (!e->covers[released.value[i]])
            e->flags[released.value[i]] |= IMPLIED;
}

/* Finds the values that may be NaN because of a plain product, those that a later operation covers,
 * and those that are read after the segment. */
static void mark_segment(struct expander *e, ir_ref first, ir_ref end)
{
    const struct ir_inst *inst = e->copy.inst;

    for (ir_ref ref = first; ref < end; ref++) {
        bool suspect = inst[ref].op == IR_FMUL0;

        for (unsigned k = 0; passes_nan(&inst[ref]) && k < ir_op_info[inst[ref].op].n_args; k++) {
            ir_ref arg = inst[ref].arg[k];

            if (arg < first || !(e->flags[arg] & SUSPECT))
                continue;
            suspect = true;
            e->covers[arg] += is_covered_by(e, arg, ref, k);
        }
        if (suspect)
            e->flags[ref] |= SUSPECT;
    }
    for (ir_ref ref = first; ref < end; ref++)
        if (e->flags[ref] & SUSPECT && !e->covers[ref])
            drop_check(e, first, ref);
}

/* Per segment and instruction that reads: values of earlier segments are READ_LATER. */
static void mark_reads(struct expander *e, ir_ref first, ir_ref end)
{
    for (ir_ref ref = first; ref < end; ref++)
        for (unsigned k = 0; k < ir_op_info[e->copy.inst[ref].op].n_args; k++)
            if (e->copy.inst[ref].arg[k] < first || e->copy.inst[ref].arg[k] >= end)
                e->flags[e->copy.inst[ref].arg[k]] |= READ_LATER;
}

static ir_ref or_nan(struct expander *e, ir_ref lanes)
{
    return ir_emit(e->copy.to, IR_MOR, e->nan, lanes, 0, 0);
}

/* One comparison checks two values. */
static void check(struct expander *e, ir_ref value)
{
    if (!e->unpaired) {
        e->unpaired = value;
        return;
    }
    e->nan = or_nan(e, ir_emit(e->copy.to, IR_FUNORD, e->unpaired, value, 0, 0));
    e->unpaired = 0;
}

static void finish_checks(struct expander *e)
{
    if (e->unpaired)
        check(e, e->unpaired);
}

/* --- Units ------------------------------------------------------------------------------------ */

/* Sets flags of all instructions of a unit. */
static void mark_unit(struct expander *e, ir_ref first, ir_ref end, uint8_t flags)
{
    for (ir_ref ref = first; ref < end; ref++)
        e->flags[ref] |= flags;
}

static bool unit_depends(const struct expander *e, ir_ref segment, ir_ref first, ir_ref end)
{
    for (ir_ref ref = first; ref < end; ref++) {
        const struct ir_inst *inst = &e->copy.inst[ref];

        if (inst->op == IR_FMUL0)
            return true;
        for (unsigned k = 0; k < ir_op_info[inst->op].n_args; k++)
            if (inst->arg[k] >= segment && inst->arg[k] < first && e->flags[inst->arg[k]] & DEPENDS)
                return true;
    }
    return false;
}

/* Marks units that depend on products, then those that they read. Units are in order, so the second
 * pass goes backwards; e->plain holds their beginnings. */
static void mark_units(struct expander *e, ir_ref segment, ir_ref end)
{
    uint32_t n = 0;

    for (ir_ref ref = segment; ref < end; ref = unit_end(e, ref)) {
        e->plain[segment + n++] = ref;
        if (unit_depends(e, segment, ref, unit_end(e, ref)))
            mark_unit(e, ref, unit_end(e, ref), DEPENDS);
    }
    while (n--) {
        ir_ref first = e->plain[segment + n], last = unit_end(e, first);
        uint8_t flags = 0;

        for (ir_ref ref = first; ref < last; ref++)
            flags |= e->flags[ref];
        if (!(flags & (DEPENDS | NEEDED)))
            continue;
        mark_unit(e, first, last, NEEDED);
        for (ir_ref ref = first; ref < last; ref++)
            for (unsigned k = 0; k < ir_op_info[e->copy.inst[ref].op].n_args; k++)
                if (e->copy.inst[ref].arg[k] >= segment && e->copy.inst[ref].arg[k] < end)
                    e->flags[e->copy.inst[ref].arg[k]] |= NEEDED;
    }
}

/* --- The two copies --------------------------------------------------------------------------- */

static void emit_plain(struct expander *e, ir_ref ref)
{
    struct ir_copy *c = &e->copy;
    const struct ir_inst *inst = &c->inst[ref];

    ir_set_origin(c->to, inst->origin);
    if (inst->op == IR_FMUL0)
        c->map[ref] = ir_emit(c->to, IR_FMUL, c->map[inst->arg[0]], c->map[inst->arg[1]], 0, 0);
    else
        ir_copy_inst(c, ref);
    if ((e->flags[ref] & (SUSPECT | IMPLIED)) == SUSPECT && !e->covers[ref])
        check(e, c->map[ref]);
}

/* Emits the phis behind an ENDIF or LOOP. Returns the instruction after them. */
static ir_ref emit_phis(struct expander *e, ir_ref ref)
{
    while (ref < e->copy.n && is_flow_phi(e->copy.inst[ref].op))
        ir_copy_inst(&e->copy, ref++);
    return ref;
}

/* Emits instructions [ref, end) of a segment. The lanes with NaN are a value that IFs and LOOPs
 * merge, too. */
static void emit_range(struct expander *e, ir_ref ref, ir_ref end)
{
    struct ir_copy *c = &e->copy;

    while (ref < end) {
        unsigned op = c->inst[ref].op;
        ir_ref inner_end = e->end[ref], before, phi;

        if (op != IR_IF && op != IR_LOOP) {
            if (e->is_plain)
                emit_plain(e, ref);
            else
                ir_copy_inst(c, ref);
            ref++;
            continue;
        }
        finish_checks(e);
        before = e->nan;
        ir_copy_inst(c, ref);
        ref = op == IR_LOOP ? emit_phis(e, ref + 1) : ref + 1;
        phi = op == IR_LOOP && e->is_plain ? ir_loop_phi(c->to, e->nan) : 0;
        e->nan = phi ? phi : e->nan;
        emit_range(e, ref, inner_end);
        finish_checks(e);
        if (phi)
            ir_loop_next(c->to, phi, e->nan);
        ir_copy_inst(c, inner_end);
        ref = op == IR_IF ? emit_phis(e, inner_end + 1) : inner_end + 1;
        if (op == IR_IF && e->is_plain)
            e->nan = ir_phi(c->to, e->nan, before);
    }
}

/* Emits the units of a segment that have all of the flags `with` and none of `without`. */
static void emit_units(struct expander *e, ir_ref first, ir_ref end, uint8_t with, uint8_t without)
{
    for (ir_ref ref = first; ref < end; ref = unit_end(e, ref))
        if ((e->flags[ref] & with) == with && !(e->flags[ref] & without))
            emit_range(e, ref, unit_end(e, ref));
}

/* Emits a segment twice, and merges what is read later. */
static void expand(struct expander *e, ir_ref first, ir_ref end)
{
    struct ir_copy *c = &e->copy;

    mark_units(e, first, end);
    e->nan = ir_emit(c->to, IR_MCONST, 0, 0, 0, 0);
    e->unpaired = 0;
    e->is_plain = true;
    emit_units(e, first, end, NEEDED, 0);
    finish_checks(e);
    for (ir_ref ref = first; ref < end; ref++)
        e->plain[ref] = c->map[ref];
    e->is_plain = false;
    ir_if_rare(c->to, e->nan);
    c->to->fresh = c->to->n;
    emit_units(e, first, end, NEEDED, 0);
    c->to->fresh = 0;
    ir_endif(c->to);
    for (ir_ref ref = first; ref < end; ref++)
        if ((e->flags[ref] & (READ_LATER | DEPENDS)) == (READ_LATER | DEPENDS))
            c->map[ref] = ir_phi(c->to, c->map[ref], e->plain[ref]);
        else
            c->map[ref] = e->plain[ref];
    emit_units(e, first, end, 0, NEEDED);
}

/* --- The function ----------------------------------------------------------------------------- */

static void find_scopes(struct expander *e)
{
    uint32_t current = 0, n_open = 0, *open = e->plain; /* free until the first segment */

    for (ir_ref ref = 1; ref < e->copy.n; ref++) {
        unsigned op = e->copy.inst[ref].op;

        e->scope[ref] = current;
        if (op == IR_IF || op == IR_LOOP) {
            open[n_open++] = current;
            current = ref;
        } else if (op == IR_ENDIF || op == IR_ENDLOOP) {
            current = open[--n_open];
        }
    }
}

typedef void segment_fn(struct expander *e, ir_ref first, ir_ref end);

/* Calls on_segment for each segment, and on_barrier for each instruction between them. */
static void for_segments(struct expander *e, const bool *barrier, segment_fn *on_segment,
                         segment_fn *on_barrier)
{
    for (ir_ref ref = 1; ref < e->copy.n;) {
        ir_ref end;

        /* The phis of a barrier IF or LOOP stand directly behind it. */
        if (barrier[ref] || is_flow_phi(e->copy.inst[ref].op)) {
            on_barrier(e, ref, ref + 1);
            ref++;
            continue;
        }
        end = segment_end(e, barrier, ref);
        on_segment(e, ref, end);
        ref = end;
    }
}

static void copy_range(struct expander *e, ir_ref first, ir_ref end)
{
    for (ir_ref ref = first; ref < end; ref++)
        ir_copy_inst(&e->copy, ref);
}

static void emit_segment(struct expander *e, ir_ref first, ir_ref end)
{
    if (has_products(e, first, end))
        expand(e, first, end);
    else
        copy_range(e, first, end);
}

struct ir *ir_expand_mul0(const struct ir *ir)
{
    struct expander e = {0};
    struct ir *result = NULL;
    bool *barrier = NULL;

    if (!ir_copy_begin(&e.copy, ir, ir->constant_bases))
        return NULL;
    e.plain = mem_calloc(e.copy.n, sizeof(*e.plain));
    e.flags = mem_calloc(e.copy.n, sizeof(*e.flags));
    e.covers = mem_calloc(e.copy.n, sizeof(*e.covers));
    e.scope = mem_calloc(e.copy.n, sizeof(*e.scope));
    e.end = ir_find_ends(ir);
    if (e.plain && e.flags && e.covers && e.scope && e.end && (barrier = find_barriers(&e))) {
        find_scopes(&e);
        for_segments(&e, barrier, mark_reads, mark_reads);
        for_segments(&e, barrier, mark_segment, mark_reads);
        for_segments(&e, barrier, emit_segment, copy_range);
        result = ir_copy_end(&e.copy);
    } else {
        ir_destroy(ir_copy_end(&e.copy));
    }
    mem_free(e.plain);
    mem_free(e.flags);
    mem_free(e.covers);
    mem_free(e.scope);
    mem_free(e.end);
    mem_free(barrier);
    return result;
}
