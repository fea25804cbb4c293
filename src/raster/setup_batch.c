/* Many triangles at once: workers look at tasks of them and set them up, or one worker at all of a
 * chunk, and they go into bins in their order, so that the scene is the one that
 * raster_draw_triangle makes of them one by one. */
#include "raster/tri_bounds.h"
#include "raster/raster_private.h"

#include "util/alloc.h"
#include "util/variant.h"

#include <stdatomic.h>
#include <string.h>

enum { MIN_BATCH = 2 * SMALL_TRI_GROUP };
enum { SLAB_PRIMS = 1024 }; /* taken from the arena at once */

static bool vertices_of(const struct raster_chunk *chunk, uint32_t i,
                        const struct raster_screen_vertex *v[3])
{
    for (unsigned k = 0; k < 3; k++) {
        if (chunk->indices[3 * i + k] >= chunk->vertices.count)
            return false;
        v[k] = &chunk->screen[chunk->indices[3 * i + k]];
    }
    return true;
}

static uint32_t task_end(const struct raster_chunk *chunk, unsigned task)
{
    return (task + 1) * TASK_TRIANGLES < chunk->count ? (task + 1) * TASK_TRIANGLES : chunk->count;
}

/* --- Primitives ------------------------------------------------------------------------------- */

/* Whether a worker has memory for n primitives and what is written past them. */
static bool reserve_prims(const struct raster_chunk *chunk, struct raster_worker *worker,
                          unsigned n)
{
    return raster_worker_reserve(worker, (n + 2) * MAX_MASK_PARTS * chunk->small_bytes,
                                 SLAB_PRIMS * chunk->prim_bytes);
}

static void set_up_tri(struct raster_chunk *chunk, struct raster_arena_slab *slab, uint32_t i)
{
    const struct raster_screen_vertex *v[3];
    struct raster_tri_setup *tri = &chunk->tri[i];
    size_t bytes;

    tri->tri_class = TRI_CULL;
    if (!vertices_of(chunk, i, v))
        return;
    tri->tri_class = (uint8_t)raster_tri_classify(chunk->raster, chunk->plan, v);
    if (tri->tri_class != TRI_ACCEPT)
        return;
    tri->prim = (struct raster_prim *)(void *)slab->at;
    bytes = raster_triangle_setup(chunk->raster, tri, chunk->plan, v);
    slab->at += bytes;
    slab->left -= bytes;
}

/* Two triangles one after another, if they are the halves of a rectangle. */
static bool set_up_split_rect(struct raster_chunk *chunk, struct raster_arena_slab *slab,
                              uint32_t i)
{
    const struct raster_screen_vertex *v[6];
    struct raster_tri_setup *tri = &chunk->tri[i];
    size_t bytes;

    if (!chunk->split_rects || !vertices_of(chunk, i, v) || !vertices_of(chunk, i + 1, v + 3))
        return false;
    tri->prim = (struct raster_prim *)(void *)slab->at;
    bytes = raster_split_rect_setup(chunk->raster, tri, chunk->plan, v);
    if (!bytes)
        return false;
    tri[0].tri_class = tri->n_parts ? TRI_ACCEPT : TRI_CULL;
    tri[1].tri_class = TRI_CULL;
    slab->at += bytes;
    slab->left -= bytes;
    return true;
}

/* Those triangles from the first on that have a bit. */
static void set_up_rest(struct raster_chunk *chunk, struct raster_arena_slab *slab, uint32_t first,
                        uint32_t rest)
{
    for (; rest; rest &= rest - 1) {
        unsigned k = (unsigned)__builtin_ctz(rest);

        if (rest >> k & 2 && set_up_split_rect(chunk, slab, first + k))
            rest &= rest - 1;
        else
            set_up_tri(chunk, slab, first + k);
    }
}

/* Memory of primitives to come, which was last used in another scene: a half at a time, as the
 * processor has only so many lines under way. */
enum { HALF_GROUP = SMALL_TRI_GROUP / 2 };
static inline __attribute__((always_inline)) void
prefetch_prims(const struct raster_chunk *chunk, const struct raster_arena_slab *slab,
               unsigned prim)
{
    const char *from = slab->at + prim * chunk->small_bytes;

    for (size_t i = 0; i < HALF_GROUP * chunk->small_bytes; i += 64)
        __builtin_prefetch(from + i, 1);
}

/* Without branches, as nobody can foresee which triangles are drawn. */
static void store_small_tris(struct raster_chunk *chunk, struct raster_arena_slab *slab,
                             const struct raster_small_tri_group *small, uint32_t first,
                             uint32_t end)
{
    char *at = slab->at;

    for (uint32_t i = first, k = 0; i < end; i++, k++) {
        uint32_t parts = small->n_parts[k], tile = (uint32_t)small->tile[k];

        chunk->tri[i] = (struct raster_tri_setup){
            .prim = (struct raster_prim *)(void *)at,
            .tri_class = parts ? TRI_ACCEPT : TRI_CULL,
            .n_parts = (uint8_t)parts,
            .tile = tile < MULTIPLE_TILES ? (uint16_t)tile : MULTIPLE_TILES,
        };
        at += parts * chunk->small_bytes;
    }
    slab->left -= (size_t)(at - slab->at);
    slab->at = at;
}

/* Triangles that are small, but not within 8x8 pixels; first: the number of the group's first. */
static void find_16x16(const struct raster_chunk *chunk, struct raster_small_tri_group *small,
                       struct raster_tri_bounds *bounds, uint32_t first)
{
    for (uint32_t rest = small->needs_16x16; rest; rest &= rest - 1) {
        unsigned k = (unsigned)__builtin_ctz(rest);
        struct raster_tri_vertices in = {.area = small->area[k]};

        vertices_of(chunk, first + k, in.v);
        raster_find_tri_bounds(&bounds[k], chunk->raster, chunk->plan, &in);
        small->n_parts[k] = bounds[k].n_parts;
    }
}

static void put_16x16(const struct raster_chunk *chunk, const struct raster_small_tri_group *small,
                      const struct raster_tri_bounds *bounds, uint32_t first)
{
    for (uint32_t rest = small->needs_16x16; rest; rest &= rest - 1) {
        unsigned k = (unsigned)__builtin_ctz(rest);

        if (bounds[k].n_parts)
            raster_put_mask_parts(chunk->tri[first + k].prim, &bounds[k]);
    }
}

static void group_init(struct raster_small_tri_group *small, const struct raster_chunk *chunk)
{
    const struct raster_plan *plan = chunk->plan;

    small->screen = chunk->screen;
    small->n_vertices = chunk->vertices.count;
    small->inside = !atomic_load_explicit(&chunk->some_outside, memory_order_relaxed);
    memcpy(small->rect, plan->rect, sizeof(small->rect));
    small->clockwise = plan->s.cull != D3DCULL_CW;
    small->counter = plan->s.cull != D3DCULL_CCW;
    small->tile_shift = chunk->raster->tile_shift;
    small->tiles_x = chunk->raster->tiles_x;
}

static void cull_tris(struct raster_chunk *chunk, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        chunk->tri[i].tri_class = TRI_CULL;
}

/* From the first on there are primitives; until then nobody needs to look at what was found. */
static void end_all_preshaded(struct raster_chunk *chunk, struct raster_setup_task *task,
                              uint32_t first)
{
    if (task->all_preshaded)
        cull_tris(chunk, first / TASK_TRIANGLES * TASK_TRIANGLES, first);
    task->all_preshaded = false;
}

/* SMALL_TRI_GROUP triangles from the first on, or up to the end: the indices of those past it are
 * none. false: there was no memory. */
static bool set_up_small_tris(struct raster_chunk *chunk, struct raster_worker *worker,
                              struct raster_setup_task *task, uint32_t first, uint32_t end)
{
    const struct raster_vertices *vertices = &chunk->vertices;
    struct raster_arena_slab *slab = &worker->slab;
    uint32_t few[3 * SMALL_TRI_GROUP];
    struct raster_tri_bounds bounds[SMALL_TRI_GROUP];
    struct raster_small_tri_group small;
    struct raster_small_tri_buffers to = {.plan = chunk->plan,
                                          .vertices = vertices->data,
                                          .stride_bytes = vertices->stride_floats * 4,
                                          .prims = slab->at,
                                          .prim_bytes = (uint32_t)chunk->small_bytes};

    group_init(&small, chunk);
    small.indices = chunk->indices + 3 * (size_t)first;
    if (end - first < SMALL_TRI_GROUP) {
        memset(few, 0xff, sizeof(few));
        memcpy(few, small.indices, 3 * (end - first) * sizeof(*few));
        small.indices = few;
    }
    if (!task)
        prefetch_prims(chunk, slab, 0);
    chunk->raster->setup_kern->find_coverage(&small);
    find_16x16(chunk, &small, bounds, first);
    if (task && raster_preshade_group(worker, task, &to, &small, bounds, first)) {
        if (small.fallback)
            end_all_preshaded(chunk, task, first);
        if (!task->all_preshaded)
            cull_tris(chunk, first, end);
    } else {
        if (task) {
            task->split_run = true;
            end_all_preshaded(chunk, task, first);
        }
        prefetch_prims(chunk, slab, HALF_GROUP);
        if (small.fits_8x8 | small.needs_16x16)
            chunk->raster->setup_kern->planes(&small, &to);
        store_small_tris(chunk, slab, &small, first, end);
        put_16x16(chunk, &small, bounds, first);
    }
    if (task && small.fallback &&
        !reserve_prims(chunk, worker, SMALL_TRI_GROUP)) /* as fragments took some */
        return false;
    set_up_rest(chunk, slab, first, small.fallback);
    return true;
}

/* false: there was no memory. */
static bool set_up_task(struct raster_chunk *chunk, struct raster_worker *worker, unsigned number)
{
    struct raster_setup_task *task = chunk->preshade ? &chunk->tasks[number] : NULL;
    uint32_t end = task_end(chunk, number);

    if (task) {
        task->n_runs = task->n_open = 0;
        task->out_of_memory = task->split_run = false;
        task->all_preshaded = true;
    }
    for (uint32_t i = number * TASK_TRIANGLES; i < end; i += SMALL_TRI_GROUP) {
        uint32_t some = end - i < SMALL_TRI_GROUP ? end : i + SMALL_TRI_GROUP;

        if (!reserve_prims(chunk, worker, SMALL_TRI_GROUP) ||
            (chunk->use_mask8x8 && !set_up_small_tris(chunk, worker, task, i, some))) {
            worker->frag_batch.n = 0;
            return false;
        }
        if (!chunk->use_mask8x8)
            set_up_rest(chunk, &worker->slab, i, (1u << (some - i)) - 1);
    }
    if (task)
        raster_preshade_flush(worker, task, chunk->plan);
    return !task || !task->out_of_memory;
}

/* --- Bins ------------------------------------------------------------------------------------- */

/* Triangles up to `end` that became primitives. */
static bool bin_tris(struct raster_chunk *chunk, const struct raster_setup_task *task, uint32_t end)
{
    if (task && task->all_preshaded) {
        chunk->binned = end;
        return true;
    }
    chunk->binned += raster_bin_tris(chunk->raster, chunk->tri + chunk->binned, end - chunk->binned,
                                     chunk->small_bytes);
    return chunk->binned == end;
}

/* Puts a task into bins; false: stops at a triangle that has to be cut, or has no room. */
static bool bin_task(struct raster_chunk *chunk)
{
    const struct raster_setup_task *task = chunk->preshade ? &chunk->tasks[chunk->next_task] : NULL;

    for (; task && chunk->run < task->n_runs; chunk->run++) {
        const struct preshaded_entry *run = &task->run[chunk->run];

        if (!bin_tris(chunk, task, run->triangle) ||
            !raster_bin_preshaded(chunk->raster, run->tile, run->preshaded))
            return false;
    }
    if (!bin_tris(chunk, task, task_end(chunk, chunk->next_task)))
        return false;
    chunk->run = 0;
    chunk->next_task++;
    return true;
}

/* Why a task stopped: its next triangle has to be cut. Otherwise there was no room. */
static bool is_clipped(const struct raster_chunk *chunk)
{
    return !(chunk->preshade && chunk->tasks[chunk->next_task].all_preshaded) &&
           chunk->tri[chunk->binned].tri_class == TRI_CLIP;
}

static bool is_ready(const struct raster_chunk *chunk)
{
    return chunk->next_task < SETUP_TASKS &&
           atomic_load_explicit(&chunk->ready[chunk->next_task], memory_order_acquire);
}

static void run_task(void *ctx, unsigned task, unsigned worker)
{
    struct raster_chunk *chunk = ctx;

    if (set_up_task(chunk, &chunk->raster->workers[worker], task))
        atomic_store_explicit(&chunk->ready[task], true, memory_order_release);
    if (worker == 0) /* the caller: bins stay in one processor's cache */
        while (!chunk->stopped && is_ready(chunk))
            chunk->stopped = !bin_task(chunk);
}

static enum status draw_one(struct raster_chunk *chunk, uint32_t i)
{
    const struct raster_screen_vertex *v[3];

    return vertices_of(chunk, i, v) ? raster_draw_triangle(chunk->raster, v[0], v[1], v[2]) : ST_OK;
}

/* What is left when all is set up: triangles to be cut, and once room had to be made, after which
 * primitives are gone, all others. If some fragments of the first of those are drawn already, they
 * come once more, which changes nothing: they replace what is there and are not counted. */
static enum status bin_rest(struct raster_chunk *chunk)
{
    struct raster *raster = chunk->raster;
    uint64_t arena_generation = raster->arena_generation;
    enum status st = ST_OK;

    while (st == ST_OK && raster->arena_generation == arena_generation && is_ready(chunk)) {
        if (bin_task(chunk))
            continue;
        if (is_clipped(chunk))
            st = draw_one(chunk, chunk->binned++);
        else
            raster_flush_bins(raster);
    }
    for (; chunk->binned < chunk->count && st == ST_OK; chunk->binned++)
        st = draw_one(chunk, chunk->binned);
    return st;
}

/* The kernel reads attributes by four, at offsets of 32 bits. */
static bool can_set_up_small(const struct raster_chunk *chunk)
{
    const struct raster_vertices *vertices = &chunk->vertices;
    uint64_t stride = vertices->stride_floats * sizeof(float);

    return chunk->plan->use_mask8x8 && vertices->count * stride <= UINT32_MAX &&
           vertices->count * (uint64_t)sizeof(struct raster_screen_vertex) <= INT32_MAX &&
           vertices->stride_floats >= RASTER_V_ATTR + ((chunk->plan->s.n_attrs + 3u) & ~3u);
}

/* Whether fragments are made, which are not for all plans; without memory it goes as well. */
static bool can_preshade(struct raster_chunk *chunk)
{
    if (!chunk->use_mask8x8 || !chunk->plan->preshade)
        return false;
    if (!chunk->tasks)
        chunk->tasks = mem_alloc(SETUP_TASKS * sizeof(*chunk->tasks));
    return chunk->tasks != NULL;
}

static void begin_group(struct raster_chunk *chunk, const struct raster_plan *plan,
                        const uint32_t *indices, uint32_t count)
{
    chunk->plan = plan;
    chunk->indices = indices;
    chunk->count = count;
    chunk->arena_generation = chunk->raster->arena_generation;
    chunk->prim_bytes = raster_bin_bytes(raster_prim_bytes(plan));
    chunk->small_bytes = raster_bin_bytes(raster_prim_base_bytes(plan));
    chunk->use_mask8x8 = can_set_up_small(chunk);
    chunk->preshade = can_preshade(chunk);
    chunk->split_rects = raster_rects(chunk->raster);
    chunk->run = 0;
    chunk->binned = 0;
    chunk->next_task = 0;
    chunk->stopped = chunk->one_by_one = false;
    for (unsigned i = 0; i < SETUP_TASKS; i++)
        atomic_store_explicit(&chunk->ready[i], false, memory_order_relaxed);
}

enum status raster_chunks_prepare(struct raster *raster)
{
    if (raster_plan_get(raster))
        return ST_OK;
    raster_flush_bins(raster);
    return raster_plan_get(raster) ? ST_OK : ST_NOMEM;
}

static enum status draw_group(struct raster_chunk *chunk, const uint32_t *indices, uint32_t count)
{
    struct raster *raster = chunk->raster;
    enum status st = raster_chunks_prepare(raster);

    if (st != ST_OK)
        return st;
    begin_group(chunk, raster->plan, indices, count);
    pool_run(raster->pool, (count + TASK_TRIANGLES - 1) / TASK_TRIANGLES, run_task, chunk);
    return bin_rest(chunk);
}

bool raster_wants_setup_batch(const struct raster *raster, uint32_t count)
{
    return count >= MIN_BATCH && !raster->wraps && raster->state->fill == D3DFILL_SOLID &&
           !vary_now;
}

enum status raster_setup_batch(struct raster_chunk *chunk, const uint32_t *indices, uint32_t count)
{
    enum status st = ST_OK;

    for (uint32_t done = 0; done < count && st == ST_OK; done += RASTER_GROUP)
        st = draw_group(chunk, indices + (size_t)done * 3,
                        count - done < RASTER_GROUP ? count - done : RASTER_GROUP);
    return st;
}

/* --- A chunk by one worker -------------------------------------------------------------------- */

/* Whether rectangles are drawn, which are found one by one (draw.c). */
static bool starts_with_rect(const struct raster_chunk *chunk)
{
    const struct raster_screen_vertex *v[6];

    return raster_rects(chunk->raster) && chunk->count > 1 && vertices_of(chunk, 0, v) &&
           vertices_of(chunk, 1, v + 3) && raster_is_rect(chunk->raster, chunk->plan, v);
}

void raster_chunk_set_up(struct raster_chunk *chunk, unsigned worker, const uint32_t *indices,
                         uint32_t count)
{
    begin_group(chunk, chunk->raster->plan, indices, count);
    if (!raster_wants_setup_batch(chunk->raster, count) || starts_with_rect(chunk)) {
        chunk->one_by_one = true;
        return;
    }
    for (unsigned i = 0; i < (count + TASK_TRIANGLES - 1) / TASK_TRIANGLES; i++) {
        if (!set_up_task(chunk, &chunk->raster->workers[worker], i))
            return;
        atomic_store_explicit(&chunk->ready[i], true, memory_order_relaxed);
    }
}

bool raster_chunk_bin(struct raster_chunk *chunk)
{
    while (!chunk->one_by_one && is_ready(chunk))
        if (!bin_task(chunk))
            return false;
    return chunk->binned == chunk->count;
}

enum status raster_chunk_finish(struct raster_chunk *chunk)
{
    return chunk->one_by_one
               ? raster_chunk_draw(chunk, RASTER_TRIANGLES, chunk->indices, chunk->count)
               : bin_rest(chunk);
}

bool raster_chunk_lost(const struct raster_chunk *chunk)
{
    return chunk->arena_generation != chunk->raster->arena_generation;
}
