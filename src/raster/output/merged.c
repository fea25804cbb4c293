/* Output of batches whose shader merges its colours: copies pixels between the surfaces and words
 * of lanes.
 *
 * Tested by tests/unit/raster/test_equivalence.c, tests/fuzz/pipeline. */
#include "raster/output/block_output.h"
#include "raster/output/colours.h"
#include "raster/output/output_kern.h"

static uint32_t (*words_of(struct raster_worker *worker, unsigned n))[RASTER_LANES]
{
    return worker->merge_words + 4 * worker->pipeline->output_target[n];
}

static void load(struct raster_worker *worker, const struct frag_batch *batch, unsigned n,
                 uint64_t cover)
{
    const struct raster_output *output = &worker->pipeline->output[n];
    const struct raster_output_kern *kern = worker->raster->output_kern;
    unsigned bytes = output->surface->format->bytes, size = raster_pixel_size(bytes);
    uint32_t(*words)[RASTER_LANES] = words_of(worker, n);

    if (batch->layout == FRAG_BLOCK) {
        kern->read_words[size](raster_block_rows(output, batch->block_x, batch->block_y),
                               output->surface->row_pitch, words);
    } else if (bytes == sizeof(uint32_t)) {
        raster_gather(worker, output->surface, 0, words, cover);
    } else {
        raster_gather(worker, output->surface, 0, worker->packed, cover);
        kern->read_words[size](worker->packed, 0, words);
    }
}

static bool is_written(const struct raster_worker *worker, unsigned n)
{
    return worker->pipeline->s.colours >> worker->pipeline->output_target[n] & 1;
}

/* Pointers that are set anew are still on their way to memory when the shader's code is called,
 * which then waits for them. Batches of one pipeline keep theirs. */
static void set_memory(struct raster_worker *worker, struct raster_merge_memory *merge)
{
    const struct raster_pipeline *pipeline = worker->pipeline;

    if (merge->pixels == worker->merge_words && merge->uniforms == &pipeline->merge_uniforms &&
        merge->tables == pipeline->merge_tables)
        return;
    *merge = (struct raster_merge_memory){worker->merge_words, &pipeline->merge_uniforms,
                                          pipeline->merge_tables, NULL};
}

void raster_merged_begin(struct raster_worker *worker, struct frag_batch *batch, uint64_t cover)
{
    const struct raster_pipeline *pipeline = worker->pipeline;

    for (unsigned n = 0; n < pipeline->n_outputs; n++)
        if (is_written(worker, n) && raster_output_reads(&pipeline->output[n]))
            load(worker, batch, n, cover);
    set_memory(worker, &batch->shade.merge);
    if (pipeline->fog.mode != RASTER_FOG_NONE)
        batch->shade.merge.fog =
            raster_fog_coordinate(worker, &batch->shade, batch->layout == FRAG_BLOCK);
}

/* A block's pixels, to each sample that it covers. */
static void store_block(struct raster_worker *worker, const struct frag_batch *batch, unsigned n,
                        const uint64_t *cover)
{
    const struct raster_output *output = &worker->pipeline->output[n];
    const struct raster_surface *surface = output->surface;
    uint8_t *rows = raster_block_rows(output, batch->block_x, batch->block_y);
    unsigned size = raster_pixel_size(surface->format->bytes);

    for (unsigned s = 0; s < worker->raster->targets.samples; s++, rows += surface->sample_pitch)
        if (cover[s])
            worker->raster->output_kern->write_words[size](
                rows, surface->row_pitch, words_of(worker, n), raster_block_lanes(cover[s]));
}

static void store_lanes(struct raster_worker *worker, unsigned n, const uint64_t *cover)
{
    const struct raster_surface *surface = worker->pipeline->output[n].surface;
    unsigned bytes = surface->format->bytes;
    void *pixels = words_of(worker, n);

    if (bytes != sizeof(uint32_t)) {
        worker->raster->output_kern->write_words[raster_pixel_size(bytes)](
            worker->packed, 0, words_of(worker, n), ~UINT64_C(0));
        pixels = worker->packed;
    }
    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        if (cover[s])
            raster_scatter(worker, surface, s, pixels, cover[s]);
}

void raster_merged_store(struct raster_worker *worker, const struct frag_batch *batch,
                         const uint64_t *cover)
{
    for (unsigned n = 0; n < worker->pipeline->n_outputs; n++) {
        if (!is_written(worker, n))
            continue;
        if (batch->layout == FRAG_BLOCK)
            store_block(worker, batch, n, cover);
        else
            store_lanes(worker, n, cover);
    }
}
