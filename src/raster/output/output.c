/* Output merger for the lanes of a batch: the stores to each sample of each target. */
#include "raster/output/output.h"

#include "raster/output/blend_kern.h"
#include "raster/output/colour_kern.h"
#include "raster/output/colours.h"
#include "raster/output/general_kern.h"
#include "raster/output/half_kern.h"
#include "raster/output/output_kern.h"
#include "raster/output/store_kern.h"
#include "util/equal.h"

#include <string.h>

void raster_output_init(struct raster *raster)
{
    raster->colour_kern = KERN_PICK(raster_colour_kern);
    raster->blend_kern = KERN_PICK(raster_blend_kern);
    raster->general_kern = KERN_PICK(raster_general_kern);
    raster->half_kern = KERN_PICK(raster_half_kern);
    raster->store_kern = KERN_PICK(raster_store_kern);
    raster->output_kern = KERN_PICK(raster_output_kern);
}

void raster_output_pack(const struct raster *raster, const struct raster_output *output,
                        const float *const colour[4], uint32_t words[RASTER_LANES])
{
    raster->output_kern->write[RASTER_PIXEL_RGBA8](&output->write, (uint8_t *)words, 0, colour,
                                                   ~UINT64_C(0));
}

static void write_general(struct raster_worker *worker, const struct raster_pixel_write *how,
                          uint8_t *rows, size_t pitch, const float *const *source, uint64_t lanes)
{
    _Alignas(64) float colour[4][RASTER_LANES];
    const float *const from[4] = {colour[0], colour[1], colour[2], colour[3]};
    struct raster_pixel_write store = *how;

    worker->raster->general_kern->colours(how, rows, pitch, source, lanes, colour);
    store.blend = NULL;
    worker->raster->output_kern->write[how->class](&store, rows, pitch, from, lanes);
}

void raster_output_pixels(struct raster_worker *worker, const struct raster_output *output,
                          uint8_t *rows, size_t pitch, const float *const source[4], uint64_t lanes)
{
    const struct raster_output_kern *kern = worker->raster->output_kern;
    const struct raster_pixel_write *how = &output->write;
    unsigned size = raster_pixel_size(how->format->bytes);
    bool in_place = !pitch && !~lanes && how->format->bytes == sizeof(uint32_t);
    uint32_t(*words)[RASTER_LANES] = in_place ? (void *)rows : worker->merge_words;

    if (!output->merge) {
        if (how->general)
            write_general(worker, how, rows, pitch, source, lanes);
        else
            kern->write[how->class](how, rows, pitch, source, lanes);
        return;
    }
    if (!in_place && raster_output_reads(output))
        kern->read_words[size](rows, pitch, words);
    raster_merge_code_run(output->merge, source, words, how->blend ? how->blend->factor : NULL,
                          worker->merge_work);
    if (!in_place)
        kern->write_words[size](rows, pitch, words, lanes);
}

static void convert(struct raster_worker *worker, const struct raster_output *output,
                    const float *const source[4])
{
    raster_output_pixels(worker, output, worker->packed, 0, source, ~UINT64_C(0));
}

/* Loads the stored pixels and changes them. Inside a primitive all samples of a pixel usually have
 * the same stored value, so the result of the previous sample is kept. *last: lanes of that sample;
 * worker->pixels has what they were. */
static void change(struct raster_worker *worker, const struct raster_output *output,
                   const float *const source[4], unsigned sample, uint64_t mask, uint64_t *last)
{
    size_t bytes = RASTER_LANES * (size_t)output->surface->format->bytes;
    uint8_t *stored = *last ? worker->next : worker->pixels;

    if (worker->raster->targets.samples == 1) {
        raster_gather(worker, output->surface, sample, worker->packed, mask);
        convert(worker, output, source);
        return;
    }
    raster_gather(worker, output->surface, sample, stored, mask);
    if (*last && !(mask & ~*last) && bytes_equal(worker->next, worker->pixels, bytes))
        return;
    if (*last)
        memcpy(worker->pixels, worker->next, bytes);
    memcpy(worker->packed, worker->pixels, bytes);
    convert(worker, output, source);
    *last = mask;
}

static void write_target(struct raster_worker *worker, unsigned n,
                         const struct raster_shade_batch *batch, const uint64_t *cover)
{
    const struct raster_output *output = &worker->pipeline->output[n];
    const float *source[RASTER_SOURCES];
    bool reads = raster_output_reads(output);
    uint64_t last = 0;

    raster_output_source(worker, n, batch, false, source);
    if (!reads)
        convert(worker, output, source);
    for (unsigned s = 0; s < worker->raster->targets.samples; s++) {
        if (!cover[s])
            continue;
        if (reads)
            change(worker, output, source, s, cover[s], &last);
        raster_scatter(worker, output->surface, s, worker->packed, cover[s]);
    }
}

void raster_output_lanes(struct raster_worker *worker, const struct raster_shade_batch *batch,
                         const uint64_t *cover)
{
    uint64_t any = 0;

    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        any |= cover[s];
    if (!any)
        return;
    for (unsigned n = 0; n < worker->pipeline->n_outputs; n++)
        if (batch->colour[worker->pipeline->output_target[n]][0])
            write_target(worker, n, batch, cover);
}
