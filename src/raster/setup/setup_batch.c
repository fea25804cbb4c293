/* Batched triangle setup: sets up groups of 16 triangles with SIMD kernels and bins the results in
 * drawing order.
 *
 * The tasks of a batch run on all workers, or all on one if the caller prepares several batches in
 * parallel. The scene is the same as with raster_draw_triangle.
 * Tested by tests/unit/raster/test_equivalence.c and tests/unit/draw/test_parallel_draw.c. */
#include "raster/setup/tri_bounds.h"

#include "raster/setup/draw_batch.h"
#include "raster/setup/setup.h"
#include "raster/shade/shade.h"
#include "util/alloc.h"
#include "util/variant.h"

#include <stdatomic.h>
#include <string.h>

enum { MIN_BATCH = 2 * SMALL_TRI_GROUP };
enum { SLAB_PRIMS = 1024 }; /* primitives in a slab */

static bool vertices_of(const struct raster_draw_batch *batch, uint32_t i,
                        const struct raster_screen_vertex *v[3])
{
    for (unsigned k = 0; k < 3; k++) {
        if (batch->indices[3 * i + k] >= batch->vertices.count)
            return false;
        v[k] = &batch->screen[batch->indices[3 * i + k]];
    }
    return true;
}

static uint32_t task_end(const struct raster_draw_batch *batch, unsigned task)
{
    return (task + 1) * TASK_TRIANGLES < batch->count ? (task + 1) * TASK_TRIANGLES : batch->count;
}

/* --- Primitives ------------------------------------------------------------------------------- */

/* Reserves memory for n triangles and for what kernels write past them. */
static bool reserve_prims(const struct raster_draw_batch *batch, struct raster_worker *worker,
                          unsigned n)
{
    return raster_worker_reserve(worker, (n + 2) * MAX_MASK_PARTS * batch->mask_prim_bytes,
                                 SLAB_PRIMS * batch->prim_bytes);
}

static void set_up_tri(struct raster_draw_batch *batch, struct raster_arena_slab *slab, uint32_t i)
{
    const struct raster_screen_vertex *v[3];
    struct raster_tri_setup *tri = &batch->tri[i];
    size_t bytes;

    tri->tri_class = TRI_CULL;
    if (!vertices_of(batch, i, v))
        return;
    tri->tri_class = (uint8_t)raster_tri_classify(batch->raster, batch->pipeline, v);
    if (tri->tri_class != TRI_ACCEPT)
        return;
    tri->prim = (struct raster_prim *)(void *)slab->at;
    bytes = raster_triangle_setup(batch->raster, tri, batch->pipeline, v);
    slab->at += bytes;
    slab->left -= bytes;
}

/* Sets up two consecutive triangles as a PRIM_SPLIT_RECT if they form one. */
static bool set_up_split_rect(struct raster_draw_batch *batch, struct raster_arena_slab *slab,
                              uint32_t i)
{
    const struct raster_screen_vertex *v[6];
    struct raster_tri_setup *tri = &batch->tri[i];
    size_t bytes;

    if (!batch->split_rects || !vertices_of(batch, i, v) || !vertices_of(batch, i + 1, v + 3))
        return false;
    tri->prim = (struct raster_prim *)(void *)slab->at;
    bytes = raster_split_rect_setup(batch->raster, tri, batch->pipeline, v);
    if (!bytes)
        return false;
    tri[0].tri_class = tri->n_parts ? TRI_ACCEPT : TRI_CULL;
    tri[1].tri_class = TRI_CULL;
    slab->at += bytes;
    slab->left -= bytes;
    return true;
}

/* Sets up, one by one, the triangles first + k for the bits k of `rest`. */
static void set_up_rest(struct raster_draw_batch *batch, struct raster_arena_slab *slab,
                        uint32_t first, uint32_t rest)
{
    for (; rest; rest &= rest - 1) {
        unsigned k = (unsigned)__builtin_ctz(rest);

        if (rest >> k & 2 && set_up_split_rect(batch, slab, first + k))
            rest &= rest - 1;
        else
            set_up_tri(batch, slab, first + k);
    }
}

/* Prefetches memory of primitives, last used in an earlier scene, for half a group at a time: a
 * core has only so many outstanding misses. */
enum { HALF_GROUP = SMALL_TRI_GROUP / 2 };
static inline __attribute__((always_inline)) void
prefetch_prims(const struct raster_draw_batch *batch, const struct raster_arena_slab *slab,
               unsigned prim)
{
    const char *from = slab->at + prim * batch->mask_prim_bytes;

    for (size_t i = 0; i < HALF_GROUP * batch->mask_prim_bytes; i += 64)
        __builtin_prefetch(from + i, 1);
}

/* Stores a group's results without branches, because culling is unpredictable. */
static void store_small_tris(struct raster_draw_batch *batch, struct raster_arena_slab *slab,
                             const struct raster_small_tri_group *small, uint32_t first,
                             uint32_t end)
{
    char *at = slab->at;

    for (uint32_t i = first, k = 0; i < end; i++, k++) {
        uint32_t parts = small->n_parts[k], tile = (uint32_t)small->tile[k];

        batch->tri[i] = (struct raster_tri_setup){
            .prim = (struct raster_prim *)(void *)at,
            .tri_class = parts ? TRI_ACCEPT : TRI_CULL,
            .n_parts = (uint8_t)parts,
            .tile = tile < MULTIPLE_TILES ? (uint16_t)tile : MULTIPLE_TILES,
        };
        at += parts * batch->mask_prim_bytes;
    }
    slab->left -= (size_t)(at - slab->at);
    slab->at = at;
}

/* Computes coverage of the small triangles that need 16x16 pixels; first: number of the group's
 * first triangle. */
static void find_16x16(const struct raster_draw_batch *batch, struct raster_small_tri_group *small,
                       struct raster_tri_bounds *bounds, uint32_t first)
{
    for (uint32_t rest = small->needs_16x16; rest; rest &= rest - 1) {
        unsigned k = (unsigned)__builtin_ctz(rest);
        struct raster_tri_vertices in = {.area = small->area[k]};

        vertices_of(batch, first + k, in.v);
        raster_find_tri_bounds(&bounds[k], batch->raster, batch->pipeline, &in);
        small->n_parts[k] = bounds[k].n_parts;
    }
}

static void put_16x16(const struct raster_draw_batch *batch,
                      const struct raster_small_tri_group *small,
                      const struct raster_tri_bounds *bounds, uint32_t first)
{
    for (uint32_t rest = small->needs_16x16; rest; rest &= rest - 1) {
        unsigned k = (unsigned)__builtin_ctz(rest);

        if (bounds[k].n_parts)
            raster_put_mask_parts(batch->tri[first + k].prim, &bounds[k]);
    }
}

static void group_init(struct raster_small_tri_group *small, const struct raster_draw_batch *batch)
{
    const struct raster_pipeline *pipeline = batch->pipeline;

    small->screen = batch->screen;
    small->n_vertices = batch->vertices.count;
    small->inside = !atomic_load_explicit(&batch->some_outside, memory_order_relaxed);
    memcpy(small->rect, pipeline->rect, sizeof(small->rect));
    small->clockwise = pipeline->s.cull != D3DCULL_CW;
    small->counter_clockwise = pipeline->s.cull != D3DCULL_CCW;
    small->tile_shift = batch->raster->tile_shift;
    small->tiles_x = batch->raster->tiles_x;
}

static void cull_tris(struct raster_draw_batch *batch, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        batch->tri[i].tri_class = TRI_CULL;
}

/* Called at `first`, the first triangle of the task with a primitive. batch->tri is not written
 * before, so this marks the earlier triangles as culled. */
static void end_all_preshaded(struct raster_draw_batch *batch, struct raster_setup_task *task,
                              uint32_t first)
{
    if (task->all_preshaded)
        cull_tris(batch, first / TASK_TRIANGLES * TASK_TRIANGLES, first);
    task->all_preshaded = false;
}

/* Sets up SMALL_TRI_GROUP triangles from `first` on. Past `end` the indices are invalid. False: out
 * of memory. */
static bool set_up_small_tris(struct raster_draw_batch *batch, struct raster_worker *worker,
                              struct raster_setup_task *task, uint32_t first, uint32_t end)
{
    const struct raster_vertices *vertices = &batch->vertices;
    struct raster_arena_slab *slab = &worker->slab;
    uint32_t padded[3 * SMALL_TRI_GROUP];
    struct raster_tri_bounds bounds[SMALL_TRI_GROUP];
    struct raster_small_tri_group small;
    struct raster_small_tri_buffers to = {.pipeline = batch->pipeline,
                                          .vertices = vertices->data,
                                          .stride_bytes = vertices->stride_floats * 4,
                                          .prims = slab->at,
                                          .prim_bytes = (uint32_t)batch->mask_prim_bytes};

    group_init(&small, batch);
    small.indices = batch->indices + 3 * (size_t)first;
    if (end - first < SMALL_TRI_GROUP) {
        memset(padded, 0xff, sizeof(padded));
        memcpy(padded, small.indices, 3 * (end - first) * sizeof(*padded));
        small.indices = padded;
    }
    if (!task)
        prefetch_prims(batch, slab, 0);
    batch->raster->setup_kern->find_coverage(&small);
    find_16x16(batch, &small, bounds, first);
    if (task && raster_preshade_group(worker, task, &to, &small, bounds, first)) {
        if (small.fallback)
            end_all_preshaded(batch, task, first);
        if (!task->all_preshaded)
            cull_tris(batch, first, end);
    } else {
        if (task) {
            task->split_run = true;
            end_all_preshaded(batch, task, first);
        }
        prefetch_prims(batch, slab, HALF_GROUP);
        if (small.fits_8x8 | small.needs_16x16)
            batch->raster->setup_kern->planes(&small, &to);
        store_small_tris(batch, slab, &small, first, end);
        put_16x16(batch, &small, bounds, first);
    }
    if (task && small.fallback &&
        !reserve_prims(batch, worker, SMALL_TRI_GROUP)) /* preshading took from the slab */
        return false;
    set_up_rest(batch, slab, first, small.fallback);
    return true;
}

/* False: out of memory. */
static bool set_up_task(struct raster_draw_batch *batch, struct raster_worker *worker,
                        unsigned number)
{
    struct raster_setup_task *task = batch->preshade ? &batch->tasks[number] : NULL;
    uint32_t end = task_end(batch, number);

    if (task) {
        task->n_runs = task->n_open = 0;
        task->out_of_memory = task->split_run = false;
        task->all_preshaded = true;
        raster_batch_begin(worker, batch->pipeline);
    }
    for (uint32_t i = number * TASK_TRIANGLES; i < end; i += SMALL_TRI_GROUP) {
        uint32_t group_end = end - i < SMALL_TRI_GROUP ? end : i + SMALL_TRI_GROUP;

        if (!reserve_prims(batch, worker, SMALL_TRI_GROUP) ||
            (batch->use_mask8x8 && !set_up_small_tris(batch, worker, task, i, group_end))) {
            worker->batch.n = 0;
            return false;
        }
        if (!batch->use_mask8x8)
            set_up_rest(batch, &worker->slab, i, (1u << (group_end - i)) - 1);
    }
    if (task)
        raster_preshade_flush(worker, task, batch->pipeline);
    return !task || !task->out_of_memory;
}

/* --- Bins ------------------------------------------------------------------------------------- */

/* Bins the primitives of triangles before `end`. */
static bool bin_tris(struct raster_draw_batch *batch, const struct raster_setup_task *task,
                     uint32_t end)
{
    if (task && task->all_preshaded) {
        batch->binned = end;
        return true;
    }
    batch->binned += raster_bin_tris(batch->raster, batch->tri + batch->binned, end - batch->binned,
                                     batch->mask_prim_bytes);
    return batch->binned == end;
}

/* Bins a task. False: it stops at a triangle to be clipped, or the arena is full. The triangle that
 * found no room lost its primitive and must not be binned again. */
static bool bin_task(struct raster_draw_batch *batch)
{
    const struct raster_setup_task *task = batch->preshade ? &batch->tasks[batch->next_task] : NULL;

    for (; task && batch->next_run < task->n_runs; batch->next_run++) {
        const struct preshaded_entry *run = &task->run[batch->next_run];

        if (!bin_tris(batch, task, run->triangle) ||
            !raster_bin_preshaded(batch->raster, run->tile, run->preshaded))
            return false;
    }
    if (!bin_tris(batch, task, task_end(batch, batch->next_task)))
        return false;
    batch->next_run = 0;
    batch->next_task++;
    return true;
}

/* Whether a task stopped at a triangle to be clipped; otherwise the arena was full. */
static bool is_clipped(const struct raster_draw_batch *batch)
{
    return !(batch->preshade && batch->tasks[batch->next_task].all_preshaded) &&
           batch->tri[batch->binned].tri_class == TRI_CLIP;
}

static bool is_ready(const struct raster_draw_batch *batch)
{
    return batch->next_task < SETUP_TASKS &&
           atomic_load_explicit(&batch->ready[batch->next_task], memory_order_acquire);
}

static void run_task(void *ctx, unsigned task, unsigned worker)
{
    struct raster_draw_batch *batch = ctx;

    if (set_up_task(batch, &batch->raster->workers[worker], task))
        atomic_store_explicit(&batch->ready[task], true, memory_order_release);
    if (worker == 0) /* the caller's thread: bins stay in one cache */
        while (!batch->stopped && is_ready(batch))
            batch->stopped = !bin_task(batch);
}

static enum status draw_one(struct raster_draw_batch *batch, uint32_t i)
{
    const struct raster_screen_vertex *v[3];

    return vertices_of(batch, i, v) ? raster_draw_triangle(batch->raster, v[0], v[1], v[2]) : ST_OK;
}

/* Finishes a batch after setup: draws triangles to be clipped. Once the arena was flushed, all
 * primitives are gone, and the remaining triangles are drawn one by one. Fragments of the first of
 * them may be drawn twice; this changes nothing, because preshaded pipelines neither blend nor
 * count. */
enum status raster_setup_batch_bin_rest(struct raster_draw_batch *batch)
{
    struct raster *raster = batch->raster;
    uint64_t arena_generation = raster->arena_generation;
    enum status st = ST_OK;

    while (st == ST_OK && raster->arena_generation == arena_generation && is_ready(batch)) {
        if (!batch->stopped && bin_task(batch))
            continue;
        if (!is_clipped(batch)) {
            raster_flush_bins(raster);
            break;
        }
        st = draw_one(batch, batch->binned++);
        batch->stopped = false;
    }
    for (; batch->binned < batch->count && st == ST_OK; batch->binned++)
        st = draw_one(batch, batch->binned);
    return st;
}

/* The kernel reads attributes in fours, at 32-bit offsets. */
static bool can_set_up_small(const struct raster_draw_batch *batch)
{
    const struct raster_vertices *vertices = &batch->vertices;
    uint64_t stride = vertices->stride_floats * sizeof(float);

    return batch->pipeline->use_mask8x8 && vertices->count * stride <= UINT32_MAX &&
           vertices->count * (uint64_t)sizeof(struct raster_screen_vertex) <= INT32_MAX &&
           vertices->stride_floats >= RASTER_V_ATTR + ((batch->pipeline->s.n_attrs + 3u) & ~3u);
}

/* Whether the batch is preshaded; without memory for tasks it is not. */
static bool can_preshade(struct raster_draw_batch *batch)
{
    if (!batch->use_mask8x8 || !batch->pipeline->preshade)
        return false;
    if (!batch->tasks)
        batch->tasks = mem_alloc(SETUP_TASKS * sizeof(*batch->tasks));
    return batch->tasks != NULL;
}

static void begin_setup_batch(struct raster_draw_batch *batch,
                              const struct raster_pipeline *pipeline, const uint32_t *indices,
                              uint32_t count)
{
    batch->pipeline = pipeline;
    batch->indices = indices;
    batch->count = count;
    batch->arena_generation = batch->raster->arena_generation;
    batch->prim_bytes = raster_bin_bytes(raster_prim_bytes(pipeline));
    batch->mask_prim_bytes = raster_bin_bytes(raster_prim_base_bytes(pipeline));
    batch->use_mask8x8 = can_set_up_small(batch);
    batch->preshade = can_preshade(batch);
    batch->split_rects = raster_rects_allowed(batch->raster);
    batch->next_run = 0;
    batch->binned = 0;
    batch->next_task = 0;
    batch->stopped = batch->one_by_one = false;
    for (unsigned i = 0; i < SETUP_TASKS; i++)
        atomic_store_explicit(&batch->ready[i], false, memory_order_relaxed);
}

enum status raster_draw_batches_prepare(struct raster *raster)
{
    if (raster_pipeline_get(raster))
        return ST_OK;
    raster_flush_bins(raster);
    return raster_pipeline_get(raster) ? ST_OK : ST_NOMEM;
}

static enum status draw_setup_batch(struct raster_draw_batch *batch, const uint32_t *indices,
                                    uint32_t count)
{
    struct raster *raster = batch->raster;
    enum status st = raster_draw_batches_prepare(raster);

    if (st != ST_OK)
        return st;
    begin_setup_batch(batch, raster->pipeline, indices, count);
    pool_run(raster->pool, (count + TASK_TRIANGLES - 1) / TASK_TRIANGLES, run_task, batch);
    return raster_setup_batch_bin_rest(batch);
}

bool raster_wants_setup_batch(const struct raster *raster, uint32_t count)
{
    return count >= MIN_BATCH && !raster->wraps && raster->state->fill == D3DFILL_SOLID &&
           !variant_current;
}

enum status raster_setup_batch(struct raster_draw_batch *batch, const uint32_t *indices,
                               uint32_t count)
{
    enum status st = ST_OK;

    for (uint32_t done = 0; done < count && st == ST_OK; done += SETUP_BATCH_TRIANGLES)
        st = draw_setup_batch(batch, indices + (size_t)done * 3,
                              count - done < SETUP_BATCH_TRIANGLES ? count - done
                                                                   : SETUP_BATCH_TRIANGLES);
    return st;
}

/* --- A batch by one worker -------------------------------------------------------------------- */

/* Whether the batch starts with a rectangle; then draw.c looks for rectangles one by one. */
static bool starts_with_rect(const struct raster_draw_batch *batch)
{
    const struct raster_screen_vertex *v[6];

    return raster_rects_allowed(batch->raster) && batch->count > 1 && vertices_of(batch, 0, v) &&
           vertices_of(batch, 1, v + 3) && raster_is_rect(batch->raster, batch->pipeline, v);
}

void raster_draw_batch_set_up(struct raster_draw_batch *batch, unsigned worker,
                              const uint32_t *indices, uint32_t count)
{
    begin_setup_batch(batch, batch->raster->pipeline, indices, count);
    if (!raster_wants_setup_batch(batch->raster, count) || starts_with_rect(batch)) {
        batch->one_by_one = true;
        return;
    }
    for (unsigned i = 0; i < (count + TASK_TRIANGLES - 1) / TASK_TRIANGLES; i++) {
        if (!set_up_task(batch, &batch->raster->workers[worker], i))
            return;
        atomic_store_explicit(&batch->ready[i], true, memory_order_relaxed);
    }
}

bool raster_draw_batch_bin(struct raster_draw_batch *batch)
{
    while (!batch->one_by_one && !batch->stopped && is_ready(batch))
        batch->stopped = !bin_task(batch);
    return batch->binned == batch->count;
}

bool raster_draw_batch_lost(const struct raster_draw_batch *batch)
{
    return batch->arena_generation != batch->raster->arena_generation;
}
