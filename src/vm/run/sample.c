/* Calls of the sampler: collects addresses of coordinates and results. */
#include "vm/run/frame.h"

static const float *operand_at(const struct vm_frame *f, uint32_t place)
{
    static const float zeros[VM_LANES] __attribute__((aligned(64)));

    return place == VM_PLACE_OF_ZEROS ? zeros : (float *)(void *)((char *)f->batch->work + place);
}

static float *texel_at(const struct vm_frame *f, uint32_t place)
{
    char *texels = (char *)f->batch->work + f->code->texels_at;

    return place == VM_NO_PLACE ? NULL : (float *)(void *)(texels + place);
}

static void put_texel(const struct vm_frame *f, const struct vm_sample_op *op, unsigned i,
                      struct sample *s)
{
    s->sampler = op->sampler[i];
    for (unsigned c = 0; c < 4; c++)
        s->texel[c] = texel_at(f, op->texel[i][c]);
}

static void put_gradients(const struct vm_frame *f, const struct vm_sample_op *op, struct sample *s)
{
    for (unsigned i = 0; i < 3; i++) {
        s->ddx[i] = operand_at(f, op->more[i]);
        s->ddy[i] = operand_at(f, op->more[3 + i]);
    }
}

/* The sample of the first texture. */
static void put_sample(const struct vm_frame *f, const struct vm_sample_op *op, uint64_t lanes,
                       struct sample *s)
{
    s->lod_mode = (enum lod)op->lod_mode;
    s->lanes = lanes;
    for (unsigned i = 0; i < 3; i++)
        s->coord[i] = operand_at(f, op->coord[i]);
    s->coord[3] = s->lod = NULL;
    if (op->lod_mode == LOD_GRADIENT)
        put_gradients(f, op, s);
    else if (op->lod_mode != LOD_IMPLICIT)
        s->lod = operand_at(f, op->more[0]);
    put_texel(f, op, 0, s);
}

static void sample_group(const struct vm_frame *f, const struct vm_sample_op *op, uint64_t lanes)
{
    const struct vm_batch *batch = f->batch;
    struct sample s[VM_MAX_SAMPLER_GROUP];

    put_sample(f, op, lanes, &s[0]);
    for (unsigned i = 1; i < op->n; i++) {
        s[i] = s[0];
        put_texel(f, op, i, &s[i]);
    }
    if (batch->sample_group) {
        batch->sample_group(batch->sample_ctx, s, op->n);
        return;
    }
    for (unsigned i = 0; i < op->n; i++)
        batch->sample(batch->sample_ctx, &s[i]);
}

void vm_call_sample(const struct vm_frame *f, const struct vm_sample_op *op)
{
    const struct vm_batch *batch = f->batch;
    uint64_t lanes = batch->lanes;
    struct sample s;

    if (op->is_masked)
        lanes &= *vm_frame_mask(f, VM_EXEC_AT);
    if (!lanes || !op->n)
        return;
    if (op->n > 1) {
        sample_group(f, op, lanes);
        return;
    }
    put_sample(f, op, lanes, &s);
    batch->sample(batch->sample_ctx, &s);
}
