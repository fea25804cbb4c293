/* Colours of an output: fog, blending, sRGB, conversion to pixels and write masks (reference:
 * blend/factors).
 *
 * Tested by tests/unit/raster/output/test_output.c. */
#include "raster/output/colours.h"

#include "raster/output/colour_kern.h"
#include "util/equal.h"
#include "util/variant.h"

#include <string.h>

static void apply_fog(struct raster_worker *worker, const float *coordinate, const float *source[4])
{
    float *out[3] = {worker->source[0], worker->source[1], worker->source[2]};

    worker->raster->colour_kern->fog(&worker->pipeline->fog, coordinate, source, out);
    for (unsigned c = 0; c < 3; c++)
        source[c] = worker->source[c];
}

static void clamp_source(struct raster_worker *worker, const float *source[4])
{
    for (unsigned c = 0; c < 4; c++) {
        worker->raster->colour_kern->saturate(source[c], worker->clamped[c]);
        source[c] = worker->clamped[c];
    }
}

/* Restores, in packed pixels, the stored bits that the write mask protects. */
static void keep_bits(struct raster_worker *worker, const struct raster_output *output)
{
    unsigned bytes = output->surface->format->bytes;

    for (unsigned i = 0; i < RASTER_LANES * bytes; i++) {
        uint8_t keep = output->keep[i % bytes];

        worker->packed[i] = (uint8_t)((worker->packed[i] & ~keep) | (worker->pixels[i] & keep));
    }
}

static void blend_lanes(struct raster_worker *worker, const struct raster_output *output,
                        const float *source[4])
{
    float *stored[4] = {worker->stored[0], worker->stored[1], worker->stored[2], worker->stored[3]};
    float *result[4] = {worker->result[0], worker->result[1], worker->result[2], worker->result[3]};
    const float *const from[4] = {stored[0], stored[1], stored[2], stored[3]};

    output->unpack(output->surface->format, worker->pixels, RASTER_LANES, stored);
    for (unsigned c = 0; c < 3 && output->srgb; c++)
        tex_srgb_to_linear(stored[c], RASTER_LANES);
    worker->raster->colour_kern->blend(&worker->pipeline->blend[output->clamp], source, from,
                                       result);
    for (unsigned c = 0; c < 4; c++)
        source[c] = result[c];
}

static void encode_srgb(struct raster_worker *worker, const float *source[4])
{
    for (unsigned c = 0; c < 3; c++) {
        if (source[c] != worker->result[c])
            memcpy(worker->result[c], source[c], sizeof(worker->result[c]));
        tex_linear_to_srgb(worker->result[c], RASTER_LANES);
        source[c] = worker->result[c];
    }
}

void raster_output_source(struct raster_worker *worker, unsigned n,
                          const struct raster_shade_batch *batch, const float *coordinate,
                          const float *source[4])
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    const struct raster_output *output = &pipeline->output[n];
    unsigned target = pipeline->output_target[n];

    for (unsigned c = 0; c < 4; c++)
        source[c] = batch->colour[target][c];
    if (target == 0 && pipeline->fog.mode != RASTER_FOG_NONE)
        apply_fog(worker, coordinate, source);
    if (output->blend && output->clamp)
        clamp_source(worker, source);
}

/* Blends, encodes and perturbs colours; `source` then points to the worker's arrays. */
static void change_colours(struct raster_worker *worker, const struct raster_output *output,
                           const float *source[4])
{
    if (output->blend)
        blend_lanes(worker, output, source);
    if (output->srgb)
        encode_srgb(worker, source);
    if (variant_current)
        raster_perturb_colours(worker, output, source);
}

static void pack(struct raster_worker *worker, const struct raster_output *output,
                 const float *const colour[4])
{
    const struct tex_format *format = output->surface->format;

    if (output->blend || output->srgb || variant_current) {
        const float *source[4] = {colour[0], colour[1], colour[2], colour[3]};

        change_colours(worker, output, source);
        output->pack(format, worker->packed, RASTER_LANES, source);
    } else {
        output->pack(format, worker->packed, RASTER_LANES, colour);
    }
    if (output->has_write_mask)
        keep_bits(worker, output);
}

/* --- Samples ---------------------------------------------------------------------------------- */

uint8_t *raster_output_dst_pixels(struct raster_worker *worker, const struct raster_output *output,
                                  uint64_t packed)
{
    if (!packed)
        return worker->pixels;
    memcpy(worker->next, worker->pixels, RASTER_LANES * (size_t)output->surface->format->bytes);
    return worker->next;
}

/* Inside a primitive all samples of a pixel usually have the same stored value, so the result of
 * the previous sample is reused. */
void raster_output_sample(struct raster_worker *worker, const struct raster_output *output,
                          const float *const colour[4], uint64_t mask, uint64_t *packed)
{
    size_t bytes = RASTER_LANES * (size_t)output->surface->format->bytes;
    bool reads = raster_output_reads(output);

    if (*packed && reads) {
        if (!(mask & ~*packed) && bytes_equal(worker->next, worker->pixels, bytes))
            return;
        memcpy(worker->pixels, worker->next, bytes);
    }
    if (*packed && !reads)
        return;
    pack(worker, output, colour);
    *packed = reads ? mask : ~UINT64_C(0);
}
