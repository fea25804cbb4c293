/* Centroid attributes: evaluated at a covered sample of partly covered pixels (reference:
 * multisample/centroid).
 *
 * Tested by tests/unit/raster/shade/test_multisample.c. */
#include "raster/shade/centroid.h"

#include "raster/shade/interp_kern.h"
#include "util/variant.h"

/* Pixels without a covered sample are evaluated at the first sample of the sample mask, or at the
 * centre if the mask has all samples. Returns 1 + sample, or 0. */
static unsigned sample_of_uncovered(const struct raster_pipeline *pipeline, unsigned samples)
{
    uint32_t all = (UINT32_C(1) << samples) - 1, mask = pipeline->s.sample_mask & all;

    return mask == all || !mask ? 0 : (unsigned)__builtin_ctz(mask) + 1;
}

static void set_number(struct centroid_samples *to, uint64_t pixels, unsigned number)
{
    for (unsigned i = 0; i < CENTROID_LOW_BITS; i++)
        to->bit[i] |= number >> i & 1 ? pixels : 0;
    if (number >> CENTROID_LOW_BITS)
        to->bit[CENTROID_LOW_BITS] |= pixels;
}

/* Of a variant renderer. */
static struct centroid_samples last_samples(const struct raster_pipeline *pipeline,
                                            unsigned samples, const uint64_t *cover, uint64_t every)
{
    struct centroid_samples to = {{0}};
    uint64_t left = ~every;

    for (unsigned s = samples; s-- > 0;) {
        set_number(&to, cover[s] & left, s + 1);
        left &= ~cover[s];
    }
    set_number(&to, left, sample_of_uncovered(pipeline, samples));
    return to;
}

/* Whether a variant renderer takes the centre: not where the sample mask has one sample alone, as it
 * has for supersampling. */
static bool takes_centre(const struct raster_pipeline *pipeline, unsigned samples)
{
    uint32_t mask = pipeline->s.sample_mask & ((UINT32_C(1) << samples) - 1);

    return variant_current && variant_current->centroid == VARIANT_CENTROID_CENTRE &&
           (mask & (mask - 1));
}

struct centroid_samples raster_centroid_samples(const struct raster_pipeline *pipeline,
                                                unsigned samples, const uint64_t *cover)
{
    uint64_t every = cover[0], left = ~cover[0];
    struct centroid_samples to = {{0}};

    for (unsigned s = 1; s < samples; s++)
        every &= cover[s];
    if (!~every || takes_centre(pipeline, samples))
        return to;
    if (variant_current && variant_current->centroid == VARIANT_CENTROID_LAST)
        return last_samples(pipeline, samples, cover, every);
    set_number(&to, cover[0] & ~every, 1);
    for (unsigned s = 1; s < samples; s++) {
        set_number(&to, cover[s] & left, s + 1);
        left &= ~cover[s];
    }
    set_number(&to, left, sample_of_uncovered(pipeline, samples));
    return to;
}

void raster_centroid_move(const struct raster_worker *worker, const struct frag_batch *batch)
{
    unsigned pattern = worker->pipeline->pattern;
    struct raster_centroids centroids = {.samples = batch->centroid, .x = {0}, .y = {0}};

    for (unsigned s = 0; s < worker->raster->targets.samples; s++) {
        centroids.x[s + 1] = raster_sample_x[pattern][s] / 16.0f;
        centroids.y[s + 1] = raster_sample_y[pattern][s] / 16.0f;
    }
    worker->raster->interp_kern->centroids(&batch->lanes, &batch->quads, &centroids);
}
