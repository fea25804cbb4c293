/* Single-step hook: reports each executed instruction to a tool and reads registers for it.
 * Single-step code stores all registers before it calls the hook (lower/lower.c). */
#include "vm/run/frame.h"

/* Destination that an instruction writes. texkill and texdepth only read theirs. */
static const struct vm_dst *written_dst(const struct vm_instr *in)
{
    static const struct vm_dst none = {.file = VM_FILE_NONE, .rel_file = VM_FILE_NONE};

    return in->op == VM_OP_TEXKILL || in->op == VM_OP_TEXDEPTH ? &none : &in->dst;
}

void vm_call_step(const struct vm_frame *f, const struct vm_step_op *op)
{
    const struct vm_instr *last = &f->code->program->instr[op->last];
    struct vm_step o = {
        .first = op->first,
        .last = op->last,
        .lanes = *vm_frame_mask(f, VM_EXEC_AT) & f->batch->lanes,
        .killed = *vm_frame_mask(f, VM_KILLED_AT) & f->batch->lanes,
        .dst = written_dst(last),
        .predicate = last->predicated ? &last->predicate : NULL,
        .state = f,
    };

    if (f->batch->step_hook && o.lanes)
        f->batch->step_hook(f->batch->step_ctx, &o);
}

/* Place of a register component in work memory, or 0. */
static uint32_t place_of(const struct vm_code *code, unsigned file, unsigned reg, unsigned c)
{
    uint32_t vreg;
    int output;

    switch (file) {
    case VM_FILE_TEMP:
        vreg = reg * 4 + c;
        if (vreg >= code->vreg_texture)
            return 0;
        break;
    case VM_FILE_TEXTURE:
        if (!code->has_textures || reg >= 8)
            return 0;
        vreg = code->vreg_texture + reg * 4 + c;
        break;
    case VM_FILE_ADDR:
        vreg = code->vreg_address + c;
        break;
    default:
        output = vm_program_output_slot(code->program, file, reg, c);
        if (output < 0)
            return 0;
        vreg = code->vreg_output + (uint32_t)output;
    }
    return code->vreg_place[vreg];
}

bool vm_step_register(const struct vm_step *step, unsigned file, unsigned reg, unsigned component,
                      unsigned lane, float *value)
{
    const struct vm_frame *f = step->state;
    const char *work = f->batch->work;
    uint32_t place;

    *value = 0.0f;
    if (component > 3 || lane >= VM_LANES)
        return false;
    if (file == VM_FILE_LOOP)
        *value = (float)((const int32_t *)(const void *)(work + f->code->al_place))[lane];
    if (file == VM_FILE_PREDICATE)
        *value = (float)(*vm_frame_mask(f, VM_PREDICATE_AT + 8 * component) >> lane & 1);
    if (file == VM_FILE_LOOP || file == VM_FILE_PREDICATE)
        return reg == 0;
    place = place_of(f->code, file, reg, component);
    if (!place)
        return false;
    *value = ((const float *)(const void *)(work + place))[lane];
    return true;
}
