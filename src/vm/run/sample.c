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

static void sample_all(const struct vm_batch *batch, const struct sample *s, unsigned n)
{
    if (n > 1 && batch->sample_group) {
        batch->sample_group(batch->sample_ctx, s, n);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        batch->sample(batch->sample_ctx, &s[i]);
}

void vm_call_sample(const struct vm_frame *f, const struct vm_sample_op *op)
{
    struct sample s[VM_MAX_SAMPLER_GROUP];
    bool has_lod = op->lod_mode == LOD_BIAS || op->lod_mode == LOD_EXPLICIT;

    s->lod_mode = (enum lod)op->lod_mode;
    s->lanes = f->batch->lanes;
    if (op->is_masked)
        s->lanes &= *vm_frame_mask(f, VM_EXEC_AT);
    if (!s->lanes || !op->n)
        return;
    s->lod = has_lod ? operand_at(f, op->more[0]) : NULL;
    s->coord[3] = NULL;
    for (unsigned i = 0; i < 3; i++)
        s->coord[i] = operand_at(f, op->coord[i]);
    for (unsigned i = 0; i < 3 && op->lod_mode == LOD_GRADIENT; i++) {
        s->ddx[i] = operand_at(f, op->more[i]);
        s->ddy[i] = operand_at(f, op->more[3 + i]);
    }
    put_texel(f, op, 0, s);
    for (unsigned i = 1; i < op->n; i++) {
        s[i] = s[0];
        put_texel(f, op, i, &s[i]);
    }
    sample_all(f->batch, s, op->n);
}
