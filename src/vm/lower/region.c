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

#include "util/alloc.h"

#include <string.h>

/* Vregs from here on are merged without a selection: they change in the lanes that execute only. */
static uint32_t first_special(const struct lower *l)
{
    return l->vreg_predicate;
}

/* Saves the values of the vregs. Returns their place. */
static uint32_t save(struct lower *l)
{
    uint32_t at = l->n_saved;

    if (l->n_saved + l->n_vreg > l->cap_saved) {
        uint32_t capacity = 2 * l->cap_saved + 4 * l->n_vreg;
        ir_ref *more = mem_realloc(l->saved, capacity * sizeof(*more));

        if (!more) {
            l->status = ST_NOMEM;
            return 0;
        }
        l->saved = more;
        l->cap_saved = capacity;
    }
    memcpy(l->saved + at, l->def, l->n_vreg * sizeof(*l->def));
    l->n_saved += l->n_vreg;
    return at;
}

ir_ref vm_lower_get(struct lower *l, uint32_t vreg)
{
    return l->in_memory ? vm_lower_load(l, vreg) : l->def[vreg];
}

void vm_lower_put(struct lower *l, uint32_t vreg, ir_ref ref)
{
    if (l->in_memory)
        vm_lower_store(l, vreg, ref);
    else
        l->def[vreg] = ref;
}

/* Registers in memory need no regions but the first: memory holds what all lanes hold. */
void vm_lower_begin_region(struct lower *l, ir_ref mask, bool is_masked)
{
    if (!l->in_memory)
        l->region = (struct region){mask, save(l), is_masked};
    l->exec = mask;
}

void vm_lower_begin_uniform_region(struct lower *l, ir_ref mask)
{
    if (!l->in_memory)
        l->region = (struct region){mask, save(l), false};
}

ir_ref vm_lower_before(const struct lower *l, uint32_t vreg)
{
    return l->saved[l->region.before + vreg];
}

/* The value of a vreg at the end of the region, for all lanes that take part in it. */
ir_ref vm_lower_value_at_end(struct lower *l, uint32_t vreg)
{
    ir_ref before = vm_lower_before(l, vreg);

    if (l->def[vreg] == before || !l->region.is_masked || vreg >= first_special(l))
        return l->def[vreg];
    return vm_bool(l, l->region.mask, l->def[vreg], before);
}

/* Ends the region of an IF, and the IF. */
void vm_lower_end_if_region(struct lower *l)
{
    if (l->status)
        return;
    for (uint32_t vreg = 0; vreg < l->n_vreg && !l->in_memory; vreg++)
        l->def[vreg] = vm_lower_value_at_end(l, vreg);
    ir_endif(l->ir);
    for (uint32_t vreg = 0; vreg < l->n_vreg && !l->in_memory; vreg++)
        l->def[vreg] = ir_phi(l->ir, l->def[vreg], vm_lower_before(l, vreg));
}

void vm_lower_set(struct lower *l, uint32_t vreg, ir_ref ref)
{
    if (l->exec != l->region.mask)
        ref = vm_bool(l, l->exec, ref, vm_lower_get(l, vreg));
    vm_lower_put(l, vreg, ref);
}

/* The value in all lanes of the region around one; value: in the lanes of the region. */
static ir_ref outside(struct lower *l, const struct region *region, uint32_t vreg, ir_ref value)
{
    ir_ref before = l->saved[region->before + vreg];

    if (!region->is_masked || value == before)
        return value;
    return vm_bool(l, region->mask, value, before);
}

ir_ref vm_lower_all_lanes(struct lower *l, uint32_t vreg)
{
    const struct region *region = &l->region;
    ir_ref value = vm_lower_get(l, vreg);

    if (l->in_memory)
        return value;
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
