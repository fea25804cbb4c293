/* Counts of the IR instructions that a shader is lowered to, for the tests of lowering. */
#ifndef TESTS_UNIT_VM_INSTANCES_H
#define TESTS_UNIT_VM_INSTANCES_H

#include "unit/vm/run_shader.h"
#include "vm/run/frame.h"

static inline unsigned count_ops(const struct vm_ir_op *op)
{
    unsigned n = 0;

    while (op[n].opcode != VM_IR_END)
        n++;
    return n;
}

/* Instances of a kernel, in whatever operand mode. */
static inline unsigned count_instances(const struct shader *s, enum vm_ir_opcode id)
{
    unsigned n = 0;

    for (const struct vm_ir_op *u = s->code->op; u->opcode != VM_IR_END; u++)
        for (unsigned opmode = 0; opmode < VM_OPMODE_COUNT; opmode++)
            if (u->fn[0] == KERN_PICK(vm_kern)->fn[id][opmode])
                n += u->n;
    return n;
}

static inline unsigned count_instances_in_mode(const struct shader *s, enum vm_ir_opcode id,
                                        unsigned opmode)
{
    unsigned n = 0;

    for (const struct vm_ir_op *u = s->code->op; u->opcode != VM_IR_END; u++)
        if (u->fn[0] == KERN_PICK(vm_kern)->fn[id][opmode])
            n += u->n;
    return n;
}

static inline unsigned count_instances_of(const char *text, enum vm_ir_opcode id)
{
    struct shader s;
    unsigned n;

    shader_open(&s, text);
    n = count_instances(&s, id);
    shader_close(&s);
    return n;
}

#endif
