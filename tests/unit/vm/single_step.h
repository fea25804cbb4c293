/* Compares the registers that the step hook reports for a lane with those of the reference
 * interpreter after the same instructions. */
#ifndef TESTS_UNIT_VM_SINGLE_STEP_H
#define TESTS_UNIT_VM_SINGLE_STEP_H

#include "unit/vm/reference_vm.h"
#include "unit/vm/run_shader.h"

enum { MAX_RECORDED_STEPS = 4096, RECORDED_TEMPS = 16 };

struct recorded_steps {
    unsigned lane, n, at;
    const struct vm_program *program;
    const char *text;
    struct recorded_step {
        uint32_t last;
        float r[RECORDED_TEMPS][4], a0[4], p0[4], al;
    } step[MAX_RECORDED_STEPS];
};

/* Flow instructions change no register, and the reference does not report them. */
static inline bool step_is_flow(const struct vm_program *program, uint32_t instr)
{
    return vm_op_info[program->instr[instr].op].op_class == VM_CLASS_FLOW;
}

static inline void record_step(void *ctx, const struct vm_step *o)
{
    struct recorded_steps *all = ctx;
    struct recorded_step *step = &all->step[all->n];

    if (!(o->lanes >> all->lane & 1) || step_is_flow(all->program, o->last))
        return;
    ck_assert_uint_lt(all->n++, MAX_RECORDED_STEPS);
    ck_assert_uint_le(o->first, o->last);
    step->last = o->last;
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned r = 0; r < RECORDED_TEMPS; r++)
            vm_step_register(o, VM_FILE_TEMP, r, c, all->lane, &step->r[r][c]);
        ck_assert(vm_step_register(o, VM_FILE_ADDR, 0, c, all->lane, &step->a0[c]));
        ck_assert(vm_step_register(o, VM_FILE_PREDICATE, 0, c, all->lane, &step->p0[c]));
    }
    ck_assert(vm_step_register(o, VM_FILE_LOOP, 0, 0, all->lane, &step->al));
}

/* Step hook of the reference: compares the recorded step of this instruction. */
static inline void compare_step(const struct reference *m, uint32_t instr)
{
    struct recorded_steps *all = m->step_ctx;
    const struct recorded_step *step = &all->step[all->at];

    ck_assert_msg(all->at < all->n, "the trace ends before instruction %u\n%s", instr, all->text);
    all->at++;
    ck_assert_msg(step->last == instr, "step %u is instruction %u, not %u\n%s", all->at, step->last,
                  instr, all->text);
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned r = 0; r < RECORDED_TEMPS; r++)
            ck_assert_msg(same_float(step->r[r][c], m->r[r][c]),
                          "r%u.%u is %a, not %a after instruction %u\n%s", r, c,
                          (double)step->r[r][c], (double)m->r[r][c], instr, all->text);
        /* Programs cannot observe the sign of a zero in a0. */
        ck_assert(same_float(step->a0[c] + 0.0f, m->a0[c] + 0.0f));
        ck_assert(step->p0[c] == (float)m->p0[c]);
    }
    ck_assert(step->al == (float)m->al);
}

#endif
