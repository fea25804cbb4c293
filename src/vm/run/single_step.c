/* Single-step hook: reports each executed instruction to a tool and reads registers for it.
 * Single-step code stores all registers to their slots at block ends (lower/passes.h), so that
 * vm_step_register finds them. */
#include "vm/run/frame.h"

/* Destination that an instruction writes. texkill and texdepth only read theirs. */
static const struct vm_dst *written_dst(const struct vm_instr *in)
{
    static const struct vm_dst none = {.file = VM_FILE_NONE, .rel_file = VM_FILE_NONE};

    return in->op == VM_OP_TEXKILL || in->op == VM_OP_TEXDEPTH ? &none : &in->dst;
}

VM_SYSV_ABI void vm_exec_step(const struct vm_ir_op *op, struct vm_frame *f)
{
    struct vm_step o = {
        .first = op->target,
        .last = op->imm,
        .lanes = f->exec_mask,
        .killed = f->killed & f->lanes,
        .dst = written_dst(&f->code->vregs.program->instr[op->imm]),
        .state = f,
    };

    if (f->batch->step_hook && f->exec_mask)
        f->batch->step_hook(f->batch->step_ctx, &o);
}

/* Slot of a register component in work memory, or -1. */
static int64_t slot_of(const struct vm_vreg_table *vregs, unsigned file, unsigned reg, unsigned c)
{
    uint32_t vreg;
    int output;

    switch (file) {
    case VM_FILE_TEMP:
        vreg = reg * 4 + c;
        if (vreg >= vregs->texture)
            return -1;
        break;
    case VM_FILE_TEXTURE:
        if (!vregs->has_textures || reg >= 8)
            return -1;
        vreg = vregs->texture + reg * 4 + c;
        break;
    case VM_FILE_ADDR:
        vreg = vregs->address + c;
        break;
    default:
        output = vm_program_output_slot(vregs->program, file, reg, c);
        if (output < 0)
            return -1;
        vreg = vregs->output + (uint32_t)output;
    }
    return vregs->slot[vreg] == UINT32_MAX ? -1 : (int64_t)vregs->slot[vreg];
}

bool vm_step_register(const struct vm_step *step, unsigned file, unsigned reg, unsigned component,
                      unsigned lane, float *value)
{
    const struct vm_frame *f = step->state;
    int64_t slot;

    *value = 0.0f;
    if (component > 3 || lane >= VM_LANES)
        return false;
    if (file == VM_FILE_LOOP || file == VM_FILE_PREDICATE) {
        *value = file == VM_FILE_LOOP ? (float)f->al : (float)(f->predicate[component] >> lane & 1);
        return reg == 0;
    }
    slot = slot_of(&f->code->vregs, file, reg, component);
    if (slot < 0)
        return false;
    *value = ((const float *)(const void *)f->base[0])[slot * VM_LANES + lane];
    return true;
}
