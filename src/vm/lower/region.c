/* Regions: sides of an if, rounds of a loop. A region computes values for all lanes of the vector;
 * at its end, lanes outside of its mask get back what they had before:
 *
 *     if_lt r0.x, c0.x        m = exec and r0.x < c0.x
 *         mov r1.x, c1.x      IF m
 *     endif                       a = SELECT m, c1.x, r1.x
 *                             ENDIF
 *                             r1.x = PHI a, r1.x
 *
 * Where fewer lanes execute than the region's mask has, after break and ret, a value is selected
 * when it is written.
 *
 * Tested by tests/unit/vm/run/test_exec.c and tests/unit/vm/lower/test_lower.c. */
#include "vm/lower/passes.h"

#include <string.h>

/* Vregs from here on are merged without a selection: they change in the lanes that execute only. */
static uint32_t first_special(const struct lower *l)
{
    return l->vreg_predicate;
}

ir_ref *vm_lower_copy_of_def(struct lower *l)
{
    ir_ref *copy = arena_alloc(&l->arena, l->n_vreg * sizeof(*copy));

    if (copy)
        memcpy(copy, l->def, l->n_vreg * sizeof(*copy));
    else
        l->status = ST_NOMEM;
    return copy;
}

void vm_lower_begin_region(struct lower *l, ir_ref mask, bool is_masked)
{
    l->region = (struct region){mask, vm_lower_copy_of_def(l), is_masked};
    l->exec = mask;
}

/* The value of a vreg at the end of the region, for all lanes that take part in it. */
ir_ref vm_lower_value_at_end(struct lower *l, uint32_t vreg)
{
    if (l->def[vreg] == l->region.before[vreg] || !l->region.is_masked || vreg >= first_special(l))
        return l->def[vreg];
    return vm_bool(l, l->region.mask, l->def[vreg], l->region.before[vreg]);
}

/* Ends the region of an IF, and the IF. */
void vm_lower_end_if_region(struct lower *l)
{
    const ir_ref *before = l->region.before;

    if (l->status)
        return;
    for (uint32_t vreg = 0; vreg < l->n_vreg; vreg++)
        l->def[vreg] = vm_lower_value_at_end(l, vreg);
    ir_endif(l->ir);
    for (uint32_t vreg = 0; vreg < l->n_vreg; vreg++)
        l->def[vreg] = ir_phi(l->ir, l->def[vreg], before[vreg]);
}

void vm_lower_set(struct lower *l, uint32_t vreg, ir_ref ref)
{
    if (l->exec != l->region.mask)
        ref = vm_bool(l, l->exec, ref, l->def[vreg]);
    l->def[vreg] = ref;
}

/* The value in all lanes of the region around one; value: in the lanes of the region. */
static ir_ref outside(struct lower *l, const struct region *region, uint32_t vreg, ir_ref value)
{
    if (!region->is_masked || value == region->before[vreg])
        return value;
    return vm_bool(l, region->mask, value, region->before[vreg]);
}

ir_ref vm_lower_all_lanes(struct lower *l, uint32_t vreg)
{
    const struct region *region = &l->region;
    ir_ref value = l->def[vreg];

    for (uint32_t i = l->n_constructs; !l->status; region = &l->construct[--i].outer) {
        value = outside(l, region, vreg, value);
        if (!i)
            break;
        /* a loop is two regions: its rounds, and the lanes that enter it */
        if (l->construct[i - 1].kind == CONSTRUCT_LOOP)
            value = outside(l, &l->construct[i - 1].entered, vreg, value);
    }
    return value;
}
