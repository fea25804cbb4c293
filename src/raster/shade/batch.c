/* Batch of 64 lanes: shades, tests and writes it, whatever its layout.
 *
 * Tested by tests/unit/raster/test_equivalence.c. */
#include "raster/shade/batch.h"

#include "raster/output/output.h"
#include "raster/prim/prim.h"
#include "raster/shade/interp_kern.h"
#include "raster/shade/packer_kern.h"
#include "raster/zs/zs.h"

void raster_shade_init(struct raster *raster)
{
    raster->interp_kern = KERN_PICK(raster_interp_kern);
    raster->packer_kern = KERN_PICK(raster_packer_kern);
}

void raster_batch_open(const struct raster_worker *worker, struct frag_batch *batch, uint64_t lanes,
                       uint64_t covered)
{
    batch->shade = (struct raster_shade_batch){.worker = worker->number,
                                               .work = batch->work,
                                               .x = batch->x,
                                               .y = batch->y,
                                               .z = batch->z,
                                               .w = batch->w,
                                               .face = batch->face,
                                               .lanes = lanes,
                                               .covered = covered};
}

/* Where the inputs that the pipeline needs are interpolated to. */
static struct raster_lanes lanes_of(struct frag_batch *batch,
                                    const struct raster_pipeline *pipeline)
{
    unsigned inputs = pipeline->batch_inputs;

    return (struct raster_lanes){
        .attr = pipeline->s.attr,
        .n_attrs = pipeline->s.n_attrs,
        .x = inputs & RASTER_PS_INPUT_POS ? batch->x : NULL,
        .y = inputs & RASTER_PS_INPUT_POS ? batch->y : NULL,
        .z = inputs & RASTER_PS_INPUT_Z ? batch->z : NULL,
        .w = inputs & RASTER_PS_INPUT_W ? batch->w : NULL,
        .face = inputs & RASTER_PS_INPUT_FACE ? batch->face : NULL,
        .work = batch->work,
    };
}

void raster_batch_begin(struct raster_worker *worker, const struct raster_pipeline *pipeline)
{
    const struct raster_state *state = &pipeline->s;
    struct frag_batch *batch = &worker->batch;

    batch->layout = pipeline->single_fragments ? FRAG_SINGLE : FRAG_QUADS;
    batch->n = batch->tested = 0;
    batch->lanes = lanes_of(batch, pipeline);
    worker->block.lanes = lanes_of(&worker->block, pipeline);
    for (unsigned n = 0; n < state->n_attrs && pipeline->single_fragments; n++)
        batch->attr[n] = batch->work + state->attr[n].slot * RASTER_LANES;
}

/* Writes texels as RGBA8 if every attribute that multiplies them is 1. Returns false otherwise. */
static bool store_rgba8(struct raster_worker *worker, struct frag_batch *batch,
                        const uint64_t *cover)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    const struct raster_output *output = &pipeline->output[0];

    if (!(pipeline->shortcuts & SHORTCUT_RGBA8) || !batch->ones)
        return false;
    pipeline->s.shade_rgba8(pipeline->s.values.shade_ctx, &batch->shade, worker->words);
    if (batch->layout == FRAG_BLOCK) {
        raster_block_store_rgba8(worker, output, batch->block_x, batch->block_y, cover);
        return true;
    }
    for (unsigned i = 0; i < RASTER_LANES; i++)
        worker->words[i] |= output->write.alpha ? 0 : 0xff000000;
    raster_scatter_fragments(worker, output->surface, worker->words, *cover);
    return true;
}

/* Shades with code that ends with the merging of colours. */
static void shade_merged(struct raster_worker *worker, struct frag_batch *batch, uint64_t *cover)
{
    const struct raster_pipeline *pipeline = worker->pipeline;

    batch->merged = true;
    raster_merged_begin(worker, batch, *cover);
    pipeline->s.shade_merged(pipeline->s.values.shade_ctx, &batch->shade);
    if (raster_is_early_zs(pipeline) || raster_late_zs(worker, batch, cover))
        raster_merged_store(worker, batch, cover);
}

/* Multiplies alpha by the coverage of antialiased lines, for the tests and the output merger after
 * the shader (reference: raster/lines-antialias). */
static void scale_alpha(const struct frag_batch *batch, uint64_t lanes,
                        float alpha[RASTER_TARGETS][RASTER_LANES],
                        const float *colour[RASTER_TARGETS][4])
{
    _Alignas(64) float coverage[RASTER_LANES] = {0};

    for (; lanes; lanes &= lanes - 1) {
        unsigned i = (unsigned)__builtin_ctzll(lanes), quad = i / 4;

        coverage[i] = raster_aa_line_coverage(
            &raster_edges_of_prim(batch->quad_prim[quad])->aa_line,
            batch->quad_x[quad] + (int32_t)(i & 1), batch->quad_y[quad] + (int32_t)(i >> 1 & 1));
    }
    for (unsigned t = 0; t < RASTER_TARGETS; t++) {
        if (!colour[t][0])
            continue;
        for (unsigned i = 0; i < RASTER_LANES; i++)
            alpha[t][i] = math_mulf(colour[t][3][i], coverage[i]);
        colour[t][3] = alpha[t];
    }
}

/* Tests and writes shaded lanes of antialiased lines, which are quads. The shader's result pointers
 * may be used again, so they come back. */
static void finish_aa_lines(struct raster_worker *worker, struct frag_batch *batch, uint64_t *cover)
{
    _Alignas(64) float alpha[RASTER_TARGETS][RASTER_LANES];
    const float *colour[RASTER_TARGETS][4];

    memcpy(colour, batch->shade.colour, sizeof(colour));
    scale_alpha(batch, *cover, alpha, batch->shade.colour);
    if (raster_is_early_zs(worker->pipeline) || raster_late_zs(worker, batch, cover))
        raster_output_lanes(worker, &batch->shade, cover);
    memcpy(batch->shade.colour, colour, sizeof(colour));
}

void raster_batch_shade(struct raster_worker *worker, struct frag_batch *batch, uint64_t *cover)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    const struct raster_state *state = &pipeline->s;
    bool texture_only = batch->layout == FRAG_BLOCK && batch->ones;

    if (store_rgba8(worker, batch, cover))
        return;
    if (!texture_only && state->shade_merged) {
        shade_merged(worker, batch, cover);
        return;
    }
    batch->merged = false;
    (texture_only ? state->shade_texture_only : state->shade)(state->values.shade_ctx,
                                                              &batch->shade);
    if (state->antialiased_lines) {
        finish_aa_lines(worker, batch, cover);
        return;
    }
    if (!raster_is_early_zs(pipeline) && !raster_late_zs(worker, batch, cover))
        return;
    if (batch->layout == FRAG_BLOCK)
        raster_block_write(worker, &batch->shade, batch->block_x, batch->block_y, cover);
    else
        raster_output_lanes(worker, &batch->shade, cover);
}
