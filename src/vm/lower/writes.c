/* What loops write: a set of vregs for each loop, with those of the routines that it calls. Only
 * they need phis. Calls lead forward, so one pass from the last instruction to the first knows the
 * sets of all routines.
 *
 * Tested by tests/unit/vm/lower/test_writes.c. */
#include "vm/lower/passes.h"

#include "util/alloc.h"

#include <string.h>

/* Sets of vregs, one after another in lower.write_set: first that of each label, then those of the
 * loops. */
enum { SET_BITS = 64 };

static size_t set_words(const struct lower *l)
{
    return (l->n_vreg + SET_BITS - 1) / SET_BITS;
}

static void add(uint64_t *set, uint32_t vreg)
{
    set[vreg / SET_BITS] |= UINT64_C(1) << vreg % SET_BITS;
}

static void add_all(const struct lower *l, uint64_t *set, const uint64_t *other)
{
    for (size_t i = 0; i < set_words(l); i++)
        set[i] |= other[i];
}

static bool is_loop(unsigned op)
{
    return op == VM_OP_LOOP || op == VM_OP_REP;
}

static bool is_loop_end(unsigned op)
{
    return op == VM_OP_ENDLOOP || op == VM_OP_ENDREP;
}

/* Adds what an instruction but flow writes. */
static void add_destination(const struct lower *l, uint64_t *set, const struct vm_instr *in)
{
    if (in->op == VM_OP_TEXKILL) {
        add(set, l->vreg_killed);
    } else if (in->op == VM_OP_SETP) {
        for (unsigned c = 0; c < 4; c++)
            add(set, l->vreg_predicate + c);
    } else if (in->dst.file != VM_FILE_NONE && in->dst.rel_file != VM_FILE_NONE) {
        for (uint32_t i = 0; i < l->program->info.n_output_slots; i++)
            add(set, l->vreg_output + i);
    } else if (in->dst.file != VM_FILE_NONE) {
        for (unsigned c = 0; c < 4; c++) {
            int64_t vreg = vm_lower_destination(l, in->dst.file, in->dst.index, c);

            if (vreg >= 0 && in->dst.mask >> c & 1)
                add(set, (uint32_t)vreg);
        }
    }
}

/* Loops that are open in the pass, innermost last. Validated programs nest fewer. */
enum { MAX_OPEN = 64 };
struct open_loops {
    uint64_t *set[MAX_OPEN];
    unsigned n;
};

static void find_writes(struct lower *l, uint64_t *free_set)
{
    const struct vm_program *p = l->program;
    size_t words = set_words(l);
    uint64_t *routine = free_set; /* the set of the part outside of loops */
    struct open_loops open = {.n = 0};

    free_set += words;
    for (uint32_t i = p->n_instr; i-- > 0;) {
        const struct vm_instr *in = &p->instr[i];
        uint64_t *set = open.n ? open.set[open.n - 1] : routine;

        if (is_loop_end(in->op)) {
            add(free_set, l->vreg_active);
            add(free_set, l->vreg_budget);
            open.set[open.n++] = free_set;
            l->loop_writes[in->target] = free_set;
            free_set += words;
        } else if (is_loop(in->op)) {
            open.n--;
            add_all(l, open.n ? open.set[open.n - 1] : routine, set);
        } else if (in->op == VM_OP_CALL || in->op == VM_OP_CALLNZ) {
            add_all(l, set, l->loop_writes[in->target]);
        } else if (in->op == VM_OP_LABEL) {
            l->loop_writes[i] = routine;
            routine = free_set;
            free_set += words;
        } else if (in->op == VM_OP_RET && open.n) {
            add(set, l->vreg_alive);
        } else {
            add_destination(l, set, in);
        }
    }
}

bool vm_lower_find_writes(struct lower *l)
{
    const struct vm_program *p = l->program;
    size_t n_sets = 1;
    bool has_loop = false;

    for (uint32_t i = 0; i < p->n_instr; i++) {
        has_loop |= is_loop(p->instr[i].op);
        n_sets += is_loop(p->instr[i].op) || p->instr[i].op == VM_OP_LABEL;
    }
    if (!has_loop)
        return true;
    l->write_set = mem_calloc(n_sets * set_words(l), sizeof(*l->write_set));
    l->loop_writes = mem_calloc(p->n_instr, sizeof(*l->loop_writes));
    if (!l->write_set || !l->loop_writes)
        return false;
    find_writes(l, l->write_set);
    return true;
}

bool vm_lower_loop_writes(const struct lower *l, uint32_t loop, uint32_t vreg)
{
    return l->loop_writes[loop][vreg / SET_BITS] >> vreg % SET_BITS & 1;
}
