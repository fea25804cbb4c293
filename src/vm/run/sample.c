/* Sampling instruction of the interpreter: collects addresses of coordinates and results, and calls
 * the sampler of the batch. */
#include "vm/run/frame.h"

/* Lane array of an operand; in the uniforms only hoisted results have one. */
static inline float *lane_array(const struct vm_frame *f, uint32_t arg)
{
    char *base = f->base[arg & VM_ARG_UNIFORM];

    return arg == (uint32_t)VM_ARG_NONE ? NULL
                                        : (float *)(void *)(base + (arg & (uint32_t)VM_ARG_OFFSET));
}

static void put_gradients(const struct vm_frame *f, const uint32_t *arg, struct sample *s)
{
    for (unsigned i = 0; i < 3; i++) {
        s->ddx[i] = lane_array(f, arg[i]);
        s->ddy[i] = lane_array(f, arg[3 + i]);
    }
}

static void put_texel(const struct vm_frame *f, const uint32_t *arg, struct sample *s)
{
    s->sampler = arg[13];
    for (unsigned i = 0; i < 4; i++)
        s->texel[i] = lane_array(f, arg[i]);
}

static void sample_all(const struct vm_batch *batch, const struct sample *s, unsigned n)
{
    if (n > 1 && batch->sample_group) {
        batch->sample_group(batch->sample_ctx, s, n);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        batch->sample(batch->sample_ctx, &s[i]);
}

/* Operand words: texel 4, coordinate 3, LOD 1 or gradients 6, sampler, LOD mode. The instances
 * differ only in texel and sampler. */
VM_SYSV_ABI void vm_exec_sample(const struct vm_ir_op *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;
    struct sample s[VM_MAX_SAMPLER_GROUP];

    if (!f->exec_mask)
        return;
    put_texel(f, arg, s);
    s->lod_mode = (enum lod)arg[14];
    s->lanes = f->exec_mask;
    for (unsigned i = 0; i < 3; i++)
        s->coord[i] = lane_array(f, arg[4 + i]);
    s->coord[3] = NULL;
    s->lod = NULL;
    if (s->lod_mode == LOD_GRADIENT)
        put_gradients(f, arg + 7, s);
    else
        s->lod = lane_array(f, arg[7]);
    for (unsigned i = 1; i < op->n; i++) {
        s[i] = s[0];
        put_texel(f, arg + i * VM_SAMPLE_WORDS, &s[i]);
    }
    sample_all(f->batch, s, op->n);
}
