/* A running batch, as the functions that the code calls see it. Private to vm. */
#ifndef VM_RUN_FRAME_H
#define VM_RUN_FRAME_H

#include "vm/ir/code.h"
#include "vm/run/run.h"

struct vm_frame {
    const struct vm_code *code;
    struct vm_batch *batch;
    const struct ir_args *args;
};

/* Calls the sampler of the batch for one texture instruction, or a group of them (sample.c). */
void vm_call_sample(const struct vm_frame *f, const struct vm_sample_op *op);
/* Calls the step hook (single_step.c). */
void vm_call_step(const struct vm_frame *f, const struct vm_step_op *op);

/* 64 bits of the scratch memory: VM_EXEC_AT and others. */
static inline uint64_t *vm_frame_mask(const struct vm_frame *f, size_t at)
{
    return (uint64_t *)(void *)((char *)f->batch->work + f->code->scratch_at + at);
}

#endif
