/* Colour output of a batch: fog, blending, sRGB encoding, packing, write masks and the stores to
 * each sample of each target (reference: blend/factors). */
#include "raster/output/colour_kern.h"
#include "raster/raster_private.h"

#include "util/equal.h"
#include "util/variant.h"

#include <string.h>

/* --- Gather and scatter of quads -------------------------------------------------------------- */

/* Copies adjacent pixels between a surface and lanes, in either direction. */
static inline void copy_pixels(uint8_t *surface, uint8_t *lanes, size_t bytes, bool store)
{
    if (store)
        memcpy(surface, lanes, bytes);
    else
        memcpy(lanes, surface, bytes);
}

/* Copies the covered ones of two adjacent pixels. */
static inline void copy_part(uint8_t *surface, uint8_t *lanes, unsigned covered, size_t bytes,
                             bool store)
{
    size_t at = covered & 1 ? 0 : bytes;

    if (covered == 3)
        copy_pixels(surface, lanes, 2 * bytes, store);
    else if (covered)
        copy_pixels(surface + at, lanes + at, bytes, store);
}

/* Copies between the surface and lanes of quads. Callers pass a constant `bytes`, so that each copy
 * compiles to one move. */
static inline void copy_quads(const struct raster_worker *worker,
                              const struct raster_surface *surface, unsigned sample, uint8_t *lanes,
                              uint64_t mask, size_t bytes, bool store)
{
    uint8_t *origin = surface->data + (size_t)sample * surface->sample_pitch;
    size_t pitch = surface->row_pitch;

    for (unsigned q = 0; q < worker->quads.n; q++, mask >>= 4, lanes += 4 * bytes) {
        uint8_t *at =
            origin + (size_t)worker->quads.y[q] * pitch + (size_t)worker->quads.x[q] * bytes;

        if ((mask & 15) == 15) {
            copy_pixels(at, lanes, 2 * bytes, store);
            copy_pixels(at + pitch, lanes + 2 * bytes, 2 * bytes, store);
        } else {
            copy_part(at, lanes, mask & 3, bytes, store);
            copy_part(at + pitch, lanes + 2 * bytes, mask >> 2 & 3, bytes, store);
        }
    }
}

/* Stores without branches on coverage. The surface has an even size, so all pixels of quads
 * exist. */
static void store_words(const struct raster_worker *worker, const struct raster_surface *surface,
                        unsigned sample, const uint8_t *lanes, uint64_t mask)
{
    uint8_t *origin = surface->data + (size_t)sample * surface->sample_pitch;
    size_t pitch = surface->row_pitch;

    for (unsigned q = 0; q < worker->quads.n; q++, mask >>= 4, lanes += 16) {
        uint8_t *at = origin + (size_t)worker->quads.y[q] * pitch + (size_t)worker->quads.x[q] * 4;

        raster_store_pair(at, lanes, mask & 3);
        raster_store_pair(at + pitch, lanes + 8, mask >> 2 & 3);
    }
}

static bool has_even_size(const struct raster_worker *worker, const struct raster_surface *surface)
{
    const struct raster_targets *targets = &worker->raster->targets;
    uint32_t width = surface->width ? surface->width : targets->width;
    uint32_t height = surface->height ? surface->height : targets->height;

    return !((width | height) & 1);
}

static void copy_any(const struct raster_worker *worker, const struct raster_surface *surface,
                     unsigned sample, uint8_t *lanes, uint64_t mask, bool store)
{
    switch (surface->format->bytes) {
    case 1:
        copy_quads(worker, surface, sample, lanes, mask, 1, store);
        break;
    case 2:
        copy_quads(worker, surface, sample, lanes, mask, 2, store);
        break;
    case 4:
        copy_quads(worker, surface, sample, lanes, mask, 4, store);
        break;
    case 8:
        copy_quads(worker, surface, sample, lanes, mask, 8, store);
        break;
    default:
        copy_quads(worker, surface, sample, lanes, mask, surface->format->bytes, store);
        break;
    }
}

void raster_gather(const struct raster_worker *worker, const struct raster_surface *surface,
                   unsigned sample, void *out, uint64_t mask)
{
    if (worker->shades_frag_batch)
        raster_frag_batch_gather(worker, surface, out);
    else
        copy_any(worker, surface, sample, out, mask, false);
}

void raster_scatter(const struct raster_worker *worker, const struct raster_surface *surface,
                    unsigned sample, void *in, uint64_t mask)
{
    if (worker->shades_frag_batch)
        raster_frag_batch_scatter(worker, surface, in, mask);
    else if (surface->format->bytes == 4 && has_even_size(worker, surface))
        store_words(worker, surface, sample, in, mask);
    else
        copy_any(worker, surface, sample, in, mask, true);
}

/* --- Colours ---------------------------------------------------------------------------------- */

/* The depth with bias, as the depth test uses it (reference: fog/table). */
static const float *biased_depth(struct raster_worker *worker)
{
    const struct raster_state *state = &worker->pipeline->s;

    if (state->depth_bias == 0.0f && state->slope_bias == 0.0f)
        return worker->z;
    for (unsigned i = 0; i < worker->quads.n * 4; i++)
        worker->depth[i] = worker->z[i] + worker->quads.prim[i / 4]->depth_offset;
    return worker->depth;
}

static const float *fog_coordinate(struct raster_worker *worker)
{
    const struct raster_state *state = &worker->pipeline->s;

    if (state->fog == RASTER_FOG_VERTEX)
        return worker->batch_work + state->attr[state->fog_attr].slot * RASTER_LANES;
    return state->fog_w ? worker->w : biased_depth(worker);
}

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

bool raster_output_reads(const struct raster_output *output)
{
    return output->blend || output->has_write_mask;
}

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

static void write_sample(struct raster_worker *worker, const struct raster_output *output,
                         const float *const colour[4], unsigned sample, uint64_t mask,
                         uint64_t *packed)
{
    if (raster_output_reads(output))
        raster_gather(worker, output->surface, sample,
                      raster_output_dst_pixels(worker, output, *packed), mask);
    raster_output_sample(worker, output, colour, mask, packed);
    raster_scatter(worker, output->surface, sample, worker->packed, mask);
}

static void write_target(struct raster_worker *worker, unsigned n,
                         const struct raster_shade_batch *batch, const uint64_t *cover)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    const struct raster_output *output = &pipeline->output[n];
    unsigned samples = worker->raster->targets.samples;
    bool fogged = pipeline->output_target[n] == 0 && pipeline->fog.mode != RASTER_FOG_NONE;
    const float *source[4];
    uint64_t packed = 0;

    raster_output_source(worker, n, batch, fogged ? fog_coordinate(worker) : NULL, source);
    for (unsigned s = 0; s < samples; s++)
        if (cover[s])
            write_sample(worker, output, source, s, cover[s], &packed);
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
