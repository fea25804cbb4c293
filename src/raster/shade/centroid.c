/* Centroid attributes: evaluated at a covered sample of partly covered pixels (reference:
 * multisample/centroid).
 *
 * Tested by tests/unit/raster/shade/test_multisample.c. */
#include "raster/shade/centroid.h"

#include "raster/prim/prim.h"

#include "util/math.h"

#include <string.h>

/* Pixels without a covered sample are evaluated at the first sample of the sample mask, or at the
 * centre if the mask has all samples. Returns 1 + sample, or 0. */
static unsigned sample_of_uncovered(const struct raster_pipeline *pipeline, unsigned samples)
{
    uint32_t all = (UINT32_C(1) << samples) - 1, mask = pipeline->s.sample_mask & all;

    return mask == all || !mask ? 0 : (unsigned)__builtin_ctz(mask) + 1;
}

void raster_centroid_samples(const struct raster_pipeline *pipeline, unsigned samples,
                             const uint64_t *cover, uint8_t *centroid_sample)
{
    uint64_t every = ~UINT64_C(0), left = ~UINT64_C(0);

    for (unsigned s = 0; s < samples; s++)
        every &= cover[s];
    memset(centroid_sample, every == left ? 0 : (int)sample_of_uncovered(pipeline, samples),
           RASTER_LANES);
    if (every == left)
        return;
    for (unsigned s = 0; s < samples; s++) {
        for (uint64_t first = cover[s] & left; first; first &= first - 1)
            centroid_sample[__builtin_ctzll(first)] = (uint8_t)(s + 1);
        left &= ~cover[s];
    }
    for (; every; every &= every - 1)
        centroid_sample[__builtin_ctzll(every)] = 0;
}

/* Evaluates the centroid attributes of one lane at (dx, dy) from the anchor. */
static void move_lane(const struct raster_worker *worker, const struct raster_prim *prim,
                      unsigned lane, float dx, float dy)
{
    const struct raster_state *state = &prim->pipeline->s;
    double w = prim->affine ? 1.0 : raster_w_at(prim, dx, dy);

    for (unsigned n = 0; n < state->n_attrs; n++) {
        const struct raster_attr *attr = &state->attr[n];
        float value;

        if (!attr->centroid || (prim->const_attribs >> n & 1))
            continue;
        value = !prim->affine && attr->interp == RASTER_PERSPECTIVE
                    ? raster_attr_over_w_at(&prim->attr[n], w, dx, dy)
                    : raster_attr_at(&prim->attr[n], dx, dy);
        worker->batch.work[attr->slot * RASTER_LANES + lane] = value;
    }
}

void raster_centroid_move(struct raster_worker *worker)
{
    unsigned pattern = worker->pipeline->pattern;

    for (unsigned i = 0; i < worker->batch.quads.n * 4; i++) {
        const struct raster_prim *prim = worker->batch.quads.prim[i / 4];
        unsigned sample = worker->batch.centroid_sample[i] - 1u;

        if (!worker->batch.centroid_sample[i])
            continue;
        move_lane(worker, prim, i,
                  (worker->batch.x[i] + raster_sample_x[pattern][sample] / 16.0f) - prim->anchor_x,
                  (worker->batch.y[i] + raster_sample_y[pattern][sample] / 16.0f) - prim->anchor_y);
    }
}
