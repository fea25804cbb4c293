/* Pixels of small triangles where no pixel looks at others of its quad: a queue of pixels instead
 * of quads, so that every lane is one that is drawn. A pixel is in it at most once. */
#include "raster/quad_queue.h"
#include "raster/raster_private.h"

#include <string.h>

/* A surface where the worker's tile begins. */
static struct raster_pixel_surface surface_of(const struct raster_worker *worker,
                                              const struct raster_surface *surface)
{
    return (struct raster_pixel_surface){
        .base = surface->data + (size_t)worker->tile.y * surface->row_pitch +
                (size_t)worker->tile.x * surface->format->bytes,
        .pitch = surface->row_pitch,
    };
}

static unsigned place_x(const struct raster_pixels *pixels, unsigned lane)
{
    return (unsigned)pixels->place[lane] & ((1 << TILE_SHIFT) - 1);
}

static unsigned place_y(const struct raster_pixels *pixels, unsigned lane)
{
    return (unsigned)pixels->place[lane] >> TILE_SHIFT & ((1 << TILE_SHIFT) - 1);
}

static uint64_t all_lanes(const struct raster_pixels *pixels)
{
    return ~UINT64_C(0) >> (RASTER_LANES - pixels->n);
}

/* --- Targets ---------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void gather(const struct raster_pixels *pixels,
                                                         const struct raster_pixel_surface *from,
                                                         uint8_t *out, size_t bytes)
{
    for (unsigned i = 0; i < pixels->n; i++)
        memcpy(out + i * bytes,
               from->base + place_y(pixels, i) * from->pitch + place_x(pixels, i) * bytes, bytes);
}

void raster_lone_gather(const struct raster_worker *worker, const struct raster_surface *surface,
                        void *out)
{
    struct raster_pixel_surface from = surface_of(worker, surface);
    const struct raster_pixels *pixels = &worker->lone;
    size_t bytes = surface->format->bytes;

    if (bytes == sizeof(uint32_t))
        gather(pixels, &from, out, sizeof(uint32_t)); /* a load and a store a pixel */
    else
        gather(pixels, &from, out, bytes);
}

static inline __attribute__((always_inline)) void scatter(const struct raster_pixels *pixels,
                                                          const struct raster_pixel_surface *to,
                                                          const uint8_t *in, uint64_t mask,
                                                          size_t bytes)
{
    for (; mask; mask &= mask - 1) {
        unsigned i = (unsigned)__builtin_ctzll(mask);

        memcpy(to->base + place_y(pixels, i) * to->pitch + place_x(pixels, i) * bytes,
               in + i * bytes, bytes);
    }
}

void raster_lone_scatter(const struct raster_worker *worker, const struct raster_surface *surface,
                         const void *in, uint64_t mask)
{
    struct raster_pixel_surface to = surface_of(worker, surface);
    const struct raster_pixels *pixels = &worker->lone;
    size_t bytes = surface->format->bytes;

    if (bytes != sizeof(uint32_t))
        scatter(pixels, &to, in, mask, bytes);
    else if (mask == all_lanes(pixels))
        worker->raster->pixel_kern->store_words(pixels, &to, in);
    else
        scatter(pixels, &to, in, mask, sizeof(uint32_t));
}

/* --- Batches ---------------------------------------------------------------------------------- */

/* Pixels that are words of a texture, where its factors are ones. */
static bool put_words(struct raster_worker *worker, struct raster_batch *batch)
{
    const struct raster_plan *plan = worker->plan;
    const struct raster_pixel_kern *kern = worker->raster->pixel_kern;
    uint32_t set = plan->output[0].mix.alpha ? 0 : 0xff000000;

    if (!plan->words || worker->lone.ones != plan->s.ones)
        return false;
    kern->finish(&worker->lone, &plan->s, plan->s.ones, batch->work);
    plan->s.words(plan->s.shade_ctx, batch, worker->words);
    for (unsigned i = 0; i < RASTER_LANES; i++)
        worker->words[i] |= set;
    raster_lone_scatter(worker, plan->output[0].surface, worker->words, batch->lanes);
    return true;
}

struct raster_batch raster_lone_batch(struct raster_worker *worker)
{
    uint64_t all = all_lanes(&worker->lone);

    return (struct raster_batch){
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

/* Of those from `tested` on, which is bit 0 here and of `wanted`. */
static uint64_t test_depth(struct raster_worker *worker, uint64_t wanted, bool write)
{
    struct raster_pixel_surface surface = surface_of(worker, worker->depth_place);
    const struct raster_depth_stencil *ds = &worker->plan->ds[0];

    if (write && ds->depth_write) /* blocks with pixels in the queue may not hold what they held */
        worker->coarse.known &= ~raster_batch_busy(worker, worker->coarse.known);
    return worker->raster->pixel_kern->test_depth(ds, &worker->lone, &surface, wanted, write);
}

/* As raster_late_tests. */
static void test_late(struct raster_worker *worker, struct raster_batch *batch)
{
    const struct raster_plan *plan = worker->plan;

    batch->covered &= ~batch->killed;
    if (plan->s.alpha_test)
        batch->covered &= raster_alpha_lanes(worker, batch);
    if (plan->depth_used && batch->covered) {
        worker->lone.tested = 0;
        batch->covered = test_depth(worker, batch->covered, true);
        worker->lone.tested = worker->lone.n;
    }
    raster_count_samples(worker, batch->covered);
}

static void shade(struct raster_worker *worker)
{
    const struct raster_state *state = &worker->plan->s;
    struct raster_pixels *pixels = &worker->lone;
    struct raster_batch batch = raster_lone_batch(worker);

    if (put_words(worker, &batch))
        return;
    worker->raster->pixel_kern->finish(pixels, state, 0, worker->batch_work);
    if (state->differ) {
        worker->raster->pixel_kern->find_differences(pixels, state, &worker->differences);
        batch.differences = &worker->differences;
    }
    state->shade(state->shade_ctx, &batch);
    if (!worker->plan->early)
        test_late(worker, &batch);
    worker->runs_lone = true;
    raster_output_lanes(worker, &batch, &batch.covered);
    worker->runs_lone = false;
}

static void run(struct raster_worker *worker)
{
    if (worker->lone.n)
        shade(worker);
    worker->lone.n = worker->lone.tested = 0;
    worker->raster->wait_kern->forget(&worker->waiting);
    worker->waiting.any = false;
}

void raster_lone_test(struct raster_worker *worker)
{
    const struct raster_plan *plan = worker->plan;
    struct raster_pixels *pixels = &worker->lone;
    uint64_t all, passed;

    if (pixels->tested == pixels->n)
        return;
    all = passed = ~UINT64_C(0) >> (RASTER_LANES - (pixels->n - pixels->tested));
    if (plan->depth_used)
        passed = test_depth(worker, all, plan->early);
    if (plan->early)
        raster_count_samples(worker, passed);
    if (!plan->shades)
        pixels->n = pixels->tested;
    else if (passed != all)
        worker->raster->pixel_kern->keep(pixels, &plan->s, passed);
    pixels->tested = pixels->n;
}

void raster_lone_close(struct raster_worker *worker)
{
    if (!worker->waiting.any || !worker->plan->lone)
        return;
    raster_lone_test(worker);
    run(worker);
}

/* There is no room, or some pixel waits already: those that fail their test go, or all. */
static void make_way(struct raster_worker *worker)
{
    bool waits = worker->lone.tested < worker->lone.n;

    raster_lone_test(worker);
    if (!waits || worker->lone.n > RASTER_LANES / 2)
        run(worker);
}

void raster_lone_put(struct raster_worker *worker, const struct raster_prim *prim, unsigned x,
                     unsigned y, uint64_t rows, bool tested)
{
    while (!worker->raster->pixel_kern->put(&worker->lone, worker->waiting.used, &worker->tile,
                                            prim, x, y, rows))
        make_way(worker);
    worker->waiting.any = true;
    if (tested)
        worker->lone.tested = worker->lone.n;
}

size_t raster_lone_run(struct raster_worker *worker, const struct bin_chunk *chunk, size_t i)
{
    for (;;) {
        i = worker->raster->pixel_kern->take(&worker->lone, worker->waiting.used, &worker->tile,
                                             worker->plan, chunk, i);
        worker->waiting.any |= worker->lone.n > 0;
        if (i == chunk->count || !raster_is_small(chunk->command[i], worker->plan))
            return i;
        make_way(worker);
    }
}
