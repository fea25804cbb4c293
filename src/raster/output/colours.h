/* Colours of an output, inside the module output: from a batch's results to packed pixels. */
#ifndef RASTER_OUTPUT_COLOURS_H
#define RASTER_OUTPUT_COLOURS_H

#include "raster/output/output.h"

/* Whether the output's pixels depend on the stored ones. */
static inline bool raster_output_reads(const struct raster_output *output)
{
    return output->blend || output->has_write_mask;
}

/* Finds the source colours of output n: fogged by `coordinate` and clamped for blending. */
void raster_output_source(struct raster_worker *worker, unsigned n,
                          const struct raster_shade_batch *batch, const float *coordinate,
                          const float *source[4]);
/* Blends and packs source colours for one sample into worker->packed, or keeps the result of the
 * previous sample. *packed: lanes for which worker->packed is valid, initially 0. If
 * raster_output_reads, the caller has loaded the stored pixels to raster_output_dst_pixels. */
void raster_output_sample(struct raster_worker *worker, const struct raster_output *output,
                          const float *const colour[4], uint64_t mask, uint64_t *packed);
uint8_t *raster_output_dst_pixels(struct raster_worker *worker, const struct raster_output *output,
                                  uint64_t packed);

/* variant.c: Perturbs the colours of an output, into worker->result, as a variant renderer does.
 * Only if variant_current. */
void raster_perturb_colours(struct raster_worker *worker, const struct raster_output *output,
                            const float *source[4]);

#endif
