/* Source colours of an output: fog, the second source colour, and the thresholds of dithering
 * (reference: fog/table, blend/dual-source, blend/dither).
 *
 * Tested by tests/unit/raster/output/test_output.c. */
#include "raster/output/colours.h"

#include "raster/output/colour_kern.h"
#include "raster/prim/prim.h"

/* The depth with bias, as the depth test uses it. */
static const float *biased_depth(struct raster_worker *worker,
                                 const struct raster_shade_batch *batch, bool block_lanes)
{
    const struct raster_values *values = &worker->pipeline->s.values;
    const float *z = block_lanes ? worker->block.z : worker->batch.z;

    if (values->depth_bias == 0.0f && values->slope_bias == 0.0f)
        return z;
    for (unsigned i = 0; i < (block_lanes ? RASTER_LANES : worker->batch.quads.n * 4); i++) {
        const struct raster_prim *prim =
            block_lanes ? batch->prim : worker->batch.quads.prim[i / 4];

        worker->depth[i] = z[i] + prim->depth_offset;
    }
    return worker->depth;
}

const float *raster_fog_coordinate(struct raster_worker *worker,
                                   const struct raster_shade_batch *batch, bool block_lanes)
{
    const struct raster_state *state = &worker->pipeline->s;

    if (state->fog == RASTER_FOG_VERTEX)
        return (block_lanes ? worker->block.work : worker->batch.work) +
               state->attr[state->fog_attr].slot * RASTER_LANES;
    if (state->fog_w)
        return block_lanes ? worker->block.w : worker->batch.w;
    return biased_depth(worker, batch, block_lanes);
}

/* --- Dithering -------------------------------------------------------------------------------- */

/* The order in which the pixels of a square of four by four round up, as a colour grows. */
static const uint8_t dither_order[4][4] = {
    {0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};

/* The code of c steps is floor(c + (2n + 1) / 32), and the kernel adds 1/2 itself. */
static float dither_step(int32_t x, int32_t y)
{
    return (float)(2 * dither_order[y & 3][x & 3] + 1) / 32.0f - 0.5f;
}

/* Blocks and tiles begin at multiples of eight pixels. */
static const float *dither_steps(struct raster_worker *worker, bool block_lanes)
{
    const struct frag_batch *batch = &worker->batch;

    for (unsigned i = 0; i < RASTER_LANES; i++) {
        int32_t x = (int32_t)(i & 1), y = (int32_t)(i >> 1 & 1);

        if (block_lanes) {
            x += (int32_t)(i / 4 % 4 * 2);
            y += (int32_t)(i / 16 * 2);
        } else if (batch->layout == FRAG_SINGLE) {
            x = batch->pos[i];
            y = batch->pos[i] >> TILE_SHIFT;
        } else if (i / 4 < batch->quads.n) {
            x += batch->quads.x[i / 4];
            y += batch->quads.y[i / 4];
        }
        worker->dither[i] = dither_step(x, y);
    }
    return worker->dither;
}

/* --- Sources ---------------------------------------------------------------------------------- */

static void find_general_source(struct raster_worker *worker,
                                const struct raster_pixel_write *write,
                                const struct raster_shade_batch *batch, bool block_lanes,
                                const float *source[RASTER_SOURCES])
{
    static const _Alignas(64) float none[RASTER_LANES];

    for (unsigned c = 0; c < 4 && write->two_sources; c++)
        source[RASTER_SOURCE_SECOND + c] = batch->colour[1][0] ? batch->colour[1][c] : none;
    if (write->dithers)
        source[RASTER_SOURCE_DITHER] = dither_steps(worker, block_lanes);
}

void raster_output_source(struct raster_worker *worker, unsigned n,
                          const struct raster_shade_batch *batch, bool block_lanes,
                          const float *source[RASTER_SOURCES])
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    const struct raster_pixel_write *write = &pipeline->output[n].write;
    unsigned target = pipeline->output_target[n];
    float *out[3] = {worker->source[0], worker->source[1], worker->source[2]};

    for (unsigned c = 0; c < 4; c++)
        source[c] = batch->colour[target][c];
    if (write->general)
        find_general_source(worker, write, batch, block_lanes, source);
    if (target != 0 || pipeline->fog.mode == RASTER_FOG_NONE)
        return;
    worker->raster->colour_kern->fog(
        &pipeline->fog, raster_fog_coordinate(worker, batch, block_lanes), source, out);
    for (unsigned c = 0; c < 3; c++)
        source[c] = out[c];
}
