/* Large draws: chunks side by side, each the work of one thread from its indices to primitives, in
 * memory that no other thread touches, so that it stays in one processor's cache. Whoever is done
 * with the chunk that is next puts it into bins, and all that wait behind it. */
#include "draw/primitive_assembly.h"
#include "draw/draw_call.h"
#include "util/alloc.h"

#include <sched.h>
#include <stdatomic.h>

/* A worker goes on with its second chunk while the first waits for its turn. */
enum { SIDES = 2 };
struct side {
    struct raster_draw_batch *batch;
    struct draw_scratch vertices;
    struct vertex_reuse_memory reuse;
    unsigned until; /* free when that many chunks of the round are in bins */
    enum status st;
};

/* Chunks that go into bins without the caller's help, if all goes well. */
enum { ROUND = 64 };
struct round {
    struct run *run;
    uint32_t instance, first, size; /* the first primitive, and how many a chunk has */
    unsigned n;
    struct side *of[ROUND]; /* who has a chunk that is ready */
    atomic_bool ready[ROUND];
    atomic_uint turn;    /* the chunk that is next into bins */
    atomic_bool stopped; /* what is next needs the caller */
    atomic_flag binning;
};

static uint32_t chunk_end(const struct round *round, unsigned index)
{
    uint32_t end = round->run->args->primitives, first = round->first + index * round->size;

    return end - first < round->size ? end : first + round->size;
}

/* Indices to primitives. */
static enum status set_up(const struct round *round, struct side *side, unsigned index,
                          unsigned worker)
{
    const struct run *run = round->run;
    uint32_t first = round->first + index * round->size, n = chunk_end(round, index) - first;
    struct unique_vertices unique;
    enum status st;
    float *data;

    if ((st = collect_unique_vertices(&side->reuse, run->state, run->args, first, n, &unique)))
        return st;
    if (!(data = run_vertices(run, &side->vertices, unique.n_vertices)))
        return ST_NOMEM;
    if ((st = raster_draw_batch_begin(
             side->batch, &(struct raster_vertices){data, run->stride_floats, unique.n_vertices})))
        return st;
    vertex_stage_run_alone(
        &run->vertex,
        &(struct vertex_run){.index = unique.vertex,
                             .n = unique.n_vertices,
                             .base = (int64_t)run->args->base_vertex + unique.first,
                             .instance = round->instance,
                             .out = data,
                             .stride_floats = run->stride_floats,
                             .batch = side->batch},
        worker);
    raster_draw_batch_set_up(side->batch, worker, unique.index, n);
    return ST_OK;
}

/* --- The round -------------------------------------------------------------------------------- */

static bool is_next(struct round *round)
{
    unsigned turn = atomic_load(&round->turn);

    return turn < round->n && !atomic_load(&round->stopped) && atomic_load(&round->ready[turn]);
}

static void bin_ready(struct round *round)
{
    while (is_next(round) && !atomic_flag_test_and_set(&round->binning)) {
        while (is_next(round)) {
            unsigned turn = atomic_load(&round->turn);
            const struct side *side = round->of[turn];

            if (side->st == ST_OK && raster_draw_batch_bin(side->batch))
                atomic_store(&round->turn, turn + 1);
            else
                atomic_store(&round->stopped, true);
        }
        atomic_flag_clear(&round->binning);
    }
}

/* NULL: the round has stopped. */
static struct side *free_side(struct round *round, unsigned worker)
{
    struct side *side = &round->run->draw->side[worker * SIDES];

    for (unsigned looks = 1; !atomic_load(&round->stopped); looks++) {
        unsigned turn = atomic_load(&round->turn);

        for (unsigned i = 0; i < SIDES; i++)
            if (side[i].until <= turn)
                return &side[i];
        if (looks % 1024)
            thread_pause();
        else
            sched_yield();
    }
    return NULL;
}

static void run_chunk(void *ctx, unsigned index, unsigned worker)
{
    struct round *round = ctx;
    struct side *side = free_side(round, worker);

    if (!side)
        return;
    side->until = index + 1;
    side->st = set_up(round, side, index, worker);
    round->of[index] = side;
    atomic_store(&round->ready[index], true);
    bin_ready(round);
}

/* The chunk whose turn it is, which stopped the round, and those after it as far as they are set
 * up. */
static enum status finish(struct round *round)
{
    unsigned turn = atomic_load(&round->turn);
    enum status st = ST_OK;

    while (!st && turn < round->n && atomic_load(&round->ready[turn]) &&
           !raster_draw_batch_lost(round->of[turn]->batch)) {
        if (!(st = round->of[turn]->st))
            st = raster_draw_batch_finish(round->of[turn]->batch);
        turn++;
    }
    atomic_store(&round->turn, turn);
    return st;
}

static enum status run_round(struct round *round)
{
    struct draw *draw = round->run->draw;
    enum status st = raster_draw_batches_prepare(draw->raster);

    if (st)
        return st;
    for (unsigned i = 0; i < SIDES * pool_workers(draw->pool); i++)
        draw->side[i].until = 0;
    for (unsigned i = 0; i < round->n; i++)
        atomic_init(&round->ready[i], false);
    atomic_init(&round->turn, 0);
    atomic_init(&round->stopped, false);
    atomic_flag_clear(&round->binning);
    pool_run(draw->pool, round->n, run_chunk, round);
    return finish(round);
}

/* --- Draws ------------------------------------------------------------------------------------ */

enum { LEAST_CHUNK = 2048 };

static uint32_t primitives_left(const struct run *run, uint32_t first)
{
    return first < run->args->primitives ? run->args->primitives - first : 0;
}

void side_destroy(struct draw *draw)
{
    for (unsigned i = 0; draw->side && i < SIDES * pool_workers(draw->pool); i++) {
        raster_draw_batch_destroy(draw->side[i].batch);
        mem_free(draw->side[i].vertices.data);
        vertex_reuse_memory_free(&draw->side[i].reuse);
    }
    mem_free(draw->side);
    draw->side = NULL;
}

static bool make_sides(struct draw *draw)
{
    unsigned n = SIDES * pool_workers(draw->pool);

    if (draw->side)
        return true;
    if (!(draw->side = mem_calloc(n, sizeof(*draw->side))))
        return false;
    for (unsigned i = 0; i < n; i++)
        if (raster_draw_batch_create(&draw->side[i].batch, draw->raster)) {
            side_destroy(draw);
            return false;
        }
    return true;
}

bool side_may(const struct run *run)
{
    struct draw *draw = run->draw;

    return reduced_primitive(run->args->type) == RASTER_TRIANGLES && !draw->watch &&
           !run->state->clip_status &&
           primitives_left(run, run->args->first) / LEAST_CHUNK >= 2 * pool_workers(draw->pool) &&
           raster_wants_setup_batch(draw->raster, LEAST_CHUNK) && make_sides(draw);
}

/* A chunk's vertices should stay in the second-level cache until its triangles are set up. */
static uint32_t most_primitives(const struct run *run)
{
    enum { BYTES = 512 << 10 };
    const struct draw_args *args = run->args;
    uint64_t each = run->stride_floats * sizeof(float), all = 3 * (uint64_t)args->primitives, most;

    if (args->indexed && args->vertices < all)
        all = args->vertices;
    most = BYTES * (uint64_t)args->primitives / (each * (all + 1));
    return most < LEAST_CHUNK               ? LEAST_CHUNK
           : most < RASTER_DRAW_BATCH_PRIMS ? (uint32_t)most
                                            : RASTER_DRAW_BATCH_PRIMS;
}

/* As many for each worker, so that they are done at one time. */
static uint32_t chunk_size(const struct run *run)
{
    uint32_t left = primitives_left(run, run->args->first), most = most_primitives(run);
    uint32_t workers = pool_workers(run->draw->pool), chunks = (left + most - 1) / most;

    chunks = (chunks + workers - 1) / workers * workers;
    return (left + chunks - 1) / chunks;
}

enum status side_run(struct run *run, uint32_t instance)
{
    struct round round = {.run = run, .instance = instance, .first = run->args->first};
    enum status st = ST_OK;
    uint32_t left;

    round.size = chunk_size(run);
    while (!st && (left = primitives_left(run, round.first))) {
        uint32_t chunks = (left + round.size - 1) / round.size, done;

        round.n = chunks < ROUND ? chunks : ROUND;
        st = run_round(&round);
        done = atomic_load(&round.turn) * round.size;
        round.first += done < left ? done : left;
    }
    return st;
}
