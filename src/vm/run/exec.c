/* Execution of code for a batch: machine code, or the interpreter of the IR.
 *
 * Tested by tests/unit/vm/run/test_exec.c. */
#include "vm/run/frame.h"

#include <string.h>

static void run(const struct vm_frame *f, const struct vm_function *function)
{
    char *work = f->batch->work;

    if (function->machine_code)
        ir_code_run(function->machine_code, f->args, work + function->work_at);
    else
        ir_interp_run(function->body, f->args, work + function->work_at);
}

static void call_origin(const struct vm_frame *f, uint32_t origin)
{
    if (f->batch->origin_hook)
        f->batch->origin_hook(f->batch->origin_ctx, origin);
}

static void call(void *ctx, uint32_t function)
{
    const struct vm_frame *f = ctx;

    if (function & VM_CALL_STEP)
        vm_call_step(f, &f->code->step[function & ~VM_CALL_STEP]);
    else if (function & VM_CALL_ORIGIN)
        call_origin(f, function & ~VM_CALL_ORIGIN);
    else if (function & VM_CALL_ROUTINE)
        run(f, &f->code->routine[function & ~VM_CALL_ROUTINE]);
    else
        vm_call_sample(f, &f->code->sample[function]);
}

void vm_run(const struct vm_code *code, struct vm_batch *batch)
{
    struct vm_frame f = {.code = code, .batch = batch};
    char *work = batch->work;
    /* Functions do not write at constant bases, so the casts from const are safe. */
    char *uniforms = (char *)(uintptr_t)batch->uniforms;
    struct ir_args args = {.base = {[VM_BASE_INPUTS] = work,
                                    [VM_BASE_OUTPUTS] = work + code->outputs_at,
                                    [VM_BASE_SCRATCH] = work + code->scratch_at,
                                    [VM_BASE_TEXELS] = work + code->texels_at,
                                    [VM_BASE_UNIFORMS] = uniforms,
                                    [VM_BASE_CONSTANTS] = uniforms + code->constants_at,
                                    [VM_BASE_SLOTS] = (void *)(uintptr_t)code->slots,
                                    [VM_BASE_HOISTED] = uniforms + code->hoisted_at},
                           .call = call,
                           .call_ctx = &f};

    memcpy(args.base + VM_EPILOGUE_BASE, batch->epilogue, sizeof(batch->epilogue));
    f.args = &args;
    *vm_frame_mask(&f, VM_LANES_AT) = batch->lanes;
    *vm_frame_mask(&f, VM_KILLED_AT) = 0;
    run(&f, &code->main);
    batch->killed = *vm_frame_mask(&f, VM_KILLED_AT) & batch->lanes;
}

size_t vm_code_work_bytes(const struct vm_code *code)
{
    return code->work_bytes;
}

float *vm_code_outputs(const struct vm_code *code, void *work)
{
    return (float *)(void *)((char *)work + code->outputs_at);
}
