/* Software fragment queue: packs fragments of small triangles into 64-lane batches without helper
 * lanes, for shaders that need no quads.
 *
 * A pixel is in the queue at most once; a conflict drains the queue first.
 *
 * Tested by tests/unit/raster/test_equivalence.c. */
#include "raster/shade/frag_batch.h"

#include "raster/output/output.h"
#include "raster/prim/prim.h"
#include "raster/shade/frag_batch_kern.h"
#include "raster/shade/quad_queue_kern.h"
#include "raster/worker/in_flight.h"
#include "raster/zs/zs.h"

static uint64_t all_lanes(const struct frag_batch *frags)
{
    return ~UINT64_C(0) >> (RASTER_LANES - frags->n);
}

/* Writes texels as RGBA8 if every attribute that multiplies them is 1. Returns false otherwise. */
static bool shade_rgba8(struct raster_worker *worker, struct raster_shade_batch *batch)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    uint32_t set = pipeline->output[0].write.alpha ? 0 : 0xff000000;

    if (!pipeline->rgba8 || worker->frag_batch.unit_attribs != pipeline->s.unit_attribs)
        return false;
    pipeline->s.shade_rgba8(pipeline->s.values.shade_ctx, batch, worker->words);
    for (unsigned i = 0; i < RASTER_LANES; i++)
        worker->words[i] |= set;
    raster_scatter_fragments(worker, pipeline->output[0].surface, worker->words, batch->lanes);
    return true;
}

void raster_frag_batch_begin(struct raster_worker *worker, const struct raster_pipeline *pipeline)
{
    const struct raster_state *state = &pipeline->s;
    struct frag_batch *frags = &worker->frag_batch;

    frags->n = frags->tested = 0;
    for (unsigned n = 0; n < state->n_attrs; n++)
        frags->attr[n] = worker->batch_work + state->attr[n].slot * RASTER_LANES;
}

struct raster_shade_batch raster_frag_batch_to_shade(struct raster_worker *worker)
{
    uint64_t all = all_lanes(&worker->frag_batch);

    return (struct raster_shade_batch){
        .worker = worker->number,
        .work = worker->batch_work,
        .x = worker->x,
        .y = worker->y,
        .z = worker->z,
        .w = worker->w,
        .face = worker->face,
        .lanes = all,
        .covered = all,
    };
}

/* raster_late_zs_lanes for the fragment batch. */
static void late_zs(struct raster_worker *worker, struct raster_shade_batch *batch)
{
    const struct raster_pipeline *pipeline = worker->pipeline;

    batch->covered &= ~batch->killed;
    if (pipeline->s.alpha_test)
        batch->covered &= raster_alpha_lanes(worker, batch);
    if (pipeline->depth_used && batch->covered) {
        worker->frag_batch.tested = 0;
        batch->covered = raster_depth_fragments(worker, batch->covered, true);
        worker->frag_batch.tested = worker->frag_batch.n;
    }
    raster_count_samples(worker, batch->covered);
}

static void shade(struct raster_worker *worker)
{
    const struct raster_state *state = &worker->pipeline->s;
    struct raster_shade_batch batch = raster_frag_batch_to_shade(worker);

    if (shade_rgba8(worker, &batch))
        return;
    if (state->deriv_attribs)
        batch.derivs = &worker->frag_batch.derivs;
    state->shade(state->values.shade_ctx, &batch);
    if (!worker->pipeline->early_zs)
        late_zs(worker, &batch);
    worker->shades_frag_batch = true;
    raster_output_lanes(worker, &batch, &batch.covered);
    worker->shades_frag_batch = false;
}

static void drain(struct raster_worker *worker)
{
    if (worker->frag_batch.n)
        shade(worker);
    worker->frag_batch.n = worker->frag_batch.tested = 0;
    worker->raster->quad_queue_kern->retire(&worker->quad_queue);
    worker->quad_queue.any_in_flight = false;
}

void raster_frag_batch_test(struct raster_worker *worker)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    struct frag_batch *frags = &worker->frag_batch;
    uint64_t all, passed;

    if (frags->tested == frags->n)
        return;
    all = passed = ~UINT64_C(0) >> (RASTER_LANES - (frags->n - frags->tested));
    if (pipeline->depth_used)
        passed = raster_depth_fragments(worker, all, pipeline->early_zs);
    if (pipeline->early_zs)
        raster_count_samples(worker, passed);
    if (!pipeline->shades)
        frags->n = frags->tested;
    else if (passed != all)
        worker->raster->frag_batch_kern->keep(frags, &pipeline->s, passed);
    frags->tested = frags->n;
}

void raster_frag_batch_flush(struct raster_worker *worker)
{
    if (!worker->quad_queue.any_in_flight || !worker->pipeline->frag_batch)
        return;
    raster_frag_batch_test(worker);
    drain(worker);
}

/* Makes room when the queue is full or a pixel is already in it. Tests the untested fragments,
 * which may drop some; shades all if there were none to test or more than half a batch is left. */
static void make_room(struct raster_worker *worker)
{
    bool has_untested = worker->frag_batch.tested < worker->frag_batch.n;

    raster_frag_batch_test(worker);
    if (!has_untested || worker->frag_batch.n > RASTER_LANES / 2)
        drain(worker);
}

void raster_frag_batch_put(struct raster_worker *worker, const struct raster_prim *prim, unsigned x,
                           unsigned y, uint64_t rows, bool tested)
{
    while (!worker->raster->frag_batch_kern->put(&worker->frag_batch, worker->quad_queue.in_flight,
                                                 &worker->tile, prim, x, y, rows))
        make_room(worker);
    worker->quad_queue.any_in_flight = true;
    if (tested)
        worker->frag_batch.tested = worker->frag_batch.n;
}

size_t raster_frag_batch_take(struct raster_worker *worker, const struct bin_block *cmds, size_t i)
{
    for (;;) {
        i = worker->raster->frag_batch_kern->take(&worker->frag_batch, worker->quad_queue.in_flight,
                                                  &worker->tile, worker->pipeline, cmds, i);
        worker->quad_queue.any_in_flight |= worker->frag_batch.n > 0;
        if (i == cmds->count || !raster_is_mask8x8(cmds->command[i], worker->pipeline))
            return i;
        make_room(worker);
    }
}
