/* Software fragment queue: packs fragments of small triangles into 64-lane batches without helper
 * lanes, for shaders that need no quads.
 *
 * A pixel is in the queue at most once; a conflict drains the queue first.
 *
 * Tested by tests/unit/raster/test_equivalence.c. */
#include "raster/shade/frag_batch.h"

#include "raster/prim/prim.h"
#include "raster/shade/batch.h"
#include "raster/shade/frag_batch_kern.h"
#include "raster/shade/quad_queue_kern.h"
#include "raster/worker/in_flight.h"
#include "raster/zs/zs.h"

static uint64_t all_lanes(const struct frag_batch *frags)
{
    return ~UINT64_C(0) >> (RASTER_LANES - frags->n);
}

void raster_frag_batch_begin(struct raster_worker *worker, const struct raster_pipeline *pipeline)
{
    const struct raster_state *state = &pipeline->s;
    struct frag_batch *frags = &worker->batch;

    frags->layout = FRAG_SINGLE;
    frags->n = frags->tested = 0;
    for (unsigned n = 0; n < state->n_attrs; n++)
        frags->attr[n] = worker->batch.work + state->attr[n].slot * RASTER_LANES;
}

struct raster_shade_batch *raster_frag_batch_open(struct raster_worker *worker)
{
    uint64_t all = all_lanes(&worker->batch);

    raster_batch_open(worker, &worker->batch, all, all);
    return &worker->batch.shade;
}

static void shade(struct raster_worker *worker)
{
    const struct raster_state *state = &worker->pipeline->s;
    struct frag_batch *frags = &worker->batch;
    uint64_t cover = all_lanes(frags);

    frags->ones = frags->unit_attribs == state->unit_attribs;
    raster_frag_batch_open(worker);
    if (state->deriv_attribs && !(worker->pipeline->rgba8 && frags->ones))
        frags->shade.derivs = &frags->derivs;
    raster_batch_shade(worker, frags, &cover);
}

static void drain(struct raster_worker *worker)
{
    if (worker->batch.n)
        shade(worker);
    worker->batch.n = worker->batch.tested = 0;
    worker->raster->quad_queue_kern->retire(&worker->quad_queue);
    worker->quad_queue.any_in_flight = false;
}

void raster_frag_batch_test(struct raster_worker *worker)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    struct frag_batch *frags = &worker->batch;
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
    bool has_untested = worker->batch.tested < worker->batch.n;

    raster_frag_batch_test(worker);
    if (!has_untested || worker->batch.n > RASTER_LANES / 2)
        drain(worker);
}

void raster_frag_batch_put(struct raster_worker *worker, const struct raster_prim *prim, unsigned x,
                           unsigned y, uint64_t rows, bool tested)
{
    while (!worker->raster->frag_batch_kern->put(&worker->batch, worker->quad_queue.in_flight,
                                                 &worker->tile, prim, x, y, rows))
        make_room(worker);
    worker->quad_queue.any_in_flight = true;
    if (tested)
        worker->batch.tested = worker->batch.n;
}

size_t raster_frag_batch_take(struct raster_worker *worker, const struct bin_block *cmds, size_t i)
{
    for (;;) {
        i = worker->raster->frag_batch_kern->take(&worker->batch, worker->quad_queue.in_flight,
                                                  &worker->tile, worker->pipeline, cmds, i);
        worker->quad_queue.any_in_flight |= worker->batch.n > 0;
        if (i == cmds->count || !raster_is_mask8x8(cmds->command[i], worker->pipeline))
            return i;
        make_room(worker);
    }
}
