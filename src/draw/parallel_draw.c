/* Large draws in parallel: workers process batches of primitives concurrently, and bin them in
 * order.
 *
 * One worker does all stages of a batch up to triangle setup in memory of its own, so that the data
 * stays in the cache of one processor. The worker that completes the next batch in order bins it,
 * together with all completed batches that follow. */
#include "draw/draw_call.h"

#include "util/alloc.h"

#include <sched.h>
#include <stdatomic.h>

/* A worker continues with its second batch while the first waits to be binned. */
enum { SLOTS_PER_WORKER = 2 };
struct batch_slot {
    struct raster_draw_batch *batch;
    struct scratch vertices;
    struct vertex_reuse_memory reuse;
    unsigned busy_until; /* free when this many batches of the wave have been binned */
    enum status st;
};

/* Wave: up to 64 batches that the workers process and bin. If bins overflow or a batch fails, the
 * caller must finish the wave. */
enum { WAVE_BATCHES = 64 };
struct wave {
    struct draw_call *call;
    uint32_t instance, first, size; /* first primitive of the wave; primitives of a batch */
    unsigned n;
    struct batch_slot *slot[WAVE_BATCHES]; /* slot of each ready batch */
    atomic_bool ready[WAVE_BATCHES];
    atomic_uint next_to_bin; /* index of the next batch to bin */
    atomic_bool stopped;     /* the caller must finish the next batch */
    atomic_flag binning;     /* lock: one worker bins at a time */
};

/* The primitive after the last one of the batch. */
static uint32_t batch_end(const struct wave *wave, unsigned index)
{
    uint32_t end = wave->call->args->primitives, first = wave->first + index * wave->size;

    return end - first < wave->size ? end : first + wave->size;
}

/* Collects and shades the vertices of a batch, and sets up its triangles. */
static enum status process_batch(const struct wave *wave, struct batch_slot *slot, unsigned index,
                                 unsigned worker)
{
    const struct draw_call *call = wave->call;
    uint32_t first = wave->first + index * wave->size, n = batch_end(wave, index) - first;
    struct unique_vertices unique;
    enum status st;
    float *data;

    if ((st = collect_unique_vertices(&slot->reuse, call->state, call->args, first, n, &unique)))
        return st;
    if (!(data = alloc_vertices(call, &slot->vertices, unique.n_vertices)))
        return ST_NOMEM;
    if ((st = raster_draw_batch_begin(
             slot->batch, &(struct raster_vertices){data, call->stride_floats, unique.n_vertices})))
        return st;
    vertex_stage_shade_serial(
        &call->vertex,
        &(struct vertex_range){.index = unique.vertex,
                               .n = unique.n_vertices,
                               .base = (int64_t)call->args->base_vertex + unique.first,
                               .instance = wave->instance,
                               .out = data,
                               .stride_floats = call->stride_floats,
                               .batch = slot->batch},
        worker);
    raster_draw_batch_set_up(slot->batch, worker, unique.index, n);
    return ST_OK;
}

/* --- Wave ------------------------------------------------------------------------------------- */

static bool next_is_ready(struct wave *wave)
{
    unsigned next = atomic_load(&wave->next_to_bin);

    return next < wave->n && !atomic_load(&wave->stopped) && atomic_load(&wave->ready[next]);
}

static void bin_ready(struct wave *wave)
{
    while (next_is_ready(wave) && !atomic_flag_test_and_set(&wave->binning)) {
        while (next_is_ready(wave)) {
            unsigned next = atomic_load(&wave->next_to_bin);
            const struct batch_slot *slot = wave->slot[next];

            if (slot->st == ST_OK && raster_draw_batch_bin(slot->batch))
                atomic_store(&wave->next_to_bin, next + 1);
            else
                atomic_store(&wave->stopped, true);
        }
        atomic_flag_clear(&wave->binning);
    }
}

/* Waits for a free slot of the worker. NULL: the wave has stopped. */
static struct batch_slot *acquire_slot(struct wave *wave, unsigned worker)
{
    struct batch_slot *slot = &wave->call->draw->batch_slot[worker * SLOTS_PER_WORKER];

    for (unsigned spins = 1; !atomic_load(&wave->stopped); spins++) {
        unsigned next = atomic_load(&wave->next_to_bin);

        for (unsigned i = 0; i < SLOTS_PER_WORKER; i++)
            if (slot[i].busy_until <= next)
                return &slot[i];
        if (spins % 1024)
            thread_pause();
        else
            sched_yield();
    }
    return NULL;
}

static void run_batch(void *ctx, unsigned index, unsigned worker)
{
    struct wave *wave = ctx;
    struct batch_slot *slot = acquire_slot(wave, worker);

    if (!slot)
        return;
    slot->busy_until = index + 1;
    slot->st = process_batch(wave, slot, index, worker);
    wave->slot[index] = slot;
    atomic_store(&wave->ready[index], true);
    bin_ready(wave);
}

/* Finishes the batch that stopped the wave, and the batches after it up to the first one whose
 * setup is missing or lost. The next wave starts with that one. */
static enum status finish_wave(struct wave *wave)
{
    unsigned next = atomic_load(&wave->next_to_bin);
    enum status st = ST_OK;

    while (!st && next < wave->n && atomic_load(&wave->ready[next]) &&
           !raster_draw_batch_lost(wave->slot[next]->batch)) {
        if (!(st = wave->slot[next]->st))
            st = raster_draw_batch_finish(wave->slot[next]->batch);
        next++;
    }
    atomic_store(&wave->next_to_bin, next);
    return st;
}

static enum status run_wave(struct wave *wave)
{
    struct draw *draw = wave->call->draw;
    enum status st = raster_draw_batches_prepare(draw->scene.raster);

    if (st)
        return st;
    for (unsigned i = 0; i < SLOTS_PER_WORKER * pool_workers(draw->pool); i++)
        draw->batch_slot[i].busy_until = 0;
    for (unsigned i = 0; i < wave->n; i++)
        atomic_init(&wave->ready[i], false);
    atomic_init(&wave->next_to_bin, 0);
    atomic_init(&wave->stopped, false);
    atomic_flag_clear(&wave->binning);
    pool_run(draw->pool, wave->n, run_batch, wave);
    return finish_wave(wave);
}

/* --- Draws ------------------------------------------------------------------------------------ */

enum { MIN_BATCH = 2048 }; /* primitives */

static uint32_t primitives_left(const struct draw_call *call, uint32_t first)
{
    return first < call->args->primitives ? call->args->primitives - first : 0;
}

void parallel_draw_destroy(struct draw *draw)
{
    for (unsigned i = 0; draw->batch_slot && i < SLOTS_PER_WORKER * pool_workers(draw->pool); i++) {
        raster_draw_batch_destroy(draw->batch_slot[i].batch);
        scratch_fini(&draw->batch_slot[i].vertices);
        vertex_reuse_memory_fini(&draw->batch_slot[i].reuse);
    }
    mem_free(draw->batch_slot);
    draw->batch_slot = NULL;
}

static bool create_slots(struct draw *draw)
{
    unsigned n = SLOTS_PER_WORKER * pool_workers(draw->pool);

    if (draw->batch_slot)
        return true;
    if (!(draw->batch_slot = mem_calloc(n, sizeof(*draw->batch_slot))))
        return false;
    for (unsigned i = 0; i < n; i++)
        if (raster_draw_batch_create(&draw->batch_slot[i].batch, draw->scene.raster)) {
            parallel_draw_destroy(draw);
            return false;
        }
    return true;
}

bool parallel_draw_possible(const struct draw_call *call)
{
    struct draw *draw = call->draw;

    return reduced_primitive(call->args->type) == RASTER_TRIANGLES && !draw->hooks &&
           !call->state->clip_status &&
           primitives_left(call, call->args->first) / MIN_BATCH >= 2 * pool_workers(draw->pool) &&
           raster_wants_setup_batch(draw->scene.raster, MIN_BATCH) && create_slots(draw);
}

/* The vertices of a batch should stay in the L2 cache until its triangles are set up. */
static uint32_t max_batch_primitives(const struct draw_call *call)
{
    enum { CACHE_BYTES = 512 << 10 };
    const struct draw_args *args = call->args;
    uint64_t each = call->stride_floats * sizeof(float), all = 3 * (uint64_t)args->primitives, max;

    if (args->indexed && args->vertices < all)
        all = args->vertices;
    max = CACHE_BYTES * (uint64_t)args->primitives / (each * (all + 1));
    return max < MIN_BATCH                 ? MIN_BATCH
           : max < RASTER_DRAW_BATCH_PRIMS ? (uint32_t)max
                                           : RASTER_DRAW_BATCH_PRIMS;
}

/* Gives each worker the same number of batches, so that all finish at the same time. */
static uint32_t batch_size(const struct draw_call *call)
{
    uint32_t left = primitives_left(call, call->args->first), max = max_batch_primitives(call);
    uint32_t workers = pool_workers(call->draw->pool), n_batches = (left + max - 1) / max;

    n_batches = (n_batches + workers - 1) / workers * workers;
    return (left + n_batches - 1) / n_batches;
}

enum status parallel_draw_run(struct draw_call *call, uint32_t instance)
{
    struct wave wave = {.call = call, .instance = instance, .first = call->args->first};
    enum status st = ST_OK;
    uint32_t left;

    wave.size = batch_size(call);
    while (!st && (left = primitives_left(call, wave.first))) {
        uint32_t n_batches = (left + wave.size - 1) / wave.size, done;

        wave.n = n_batches < WAVE_BATCHES ? n_batches : WAVE_BATCHES;
        st = run_wave(&wave);
        done = atomic_load(&wave.next_to_bin) * wave.size;
        wave.first += done < left ? done : left;
    }
    return st;
}
