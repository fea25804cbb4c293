/* Preshading: shades fragments of small triangles at setup, 64 at a time, if colours depend on
 * attributes alone.
 *
 * A batch holds fragments of consecutive triangles, of any tile. Bins then get runs of depths and
 * packed colours, which take less memory than planes; the tile only tests and stores them
 * (tile/preshade_tile.c). */
#include "raster/setup/preshade.h"

#include "raster/output/output.h"
#include "raster/setup/tri_bounds.h"
#include "raster/shade/shade.h"

#include <string.h>

/* --- Spans ------------------------------------------------------------------------------------ */

/* How many of 8 pixels along x or y, from `first` on, lie in the tile of the first. */
static unsigned within_tile(const struct raster_small_tri_group *group, int32_t first)
{
    int32_t left = (1 << group->tile_shift) - (first & ((1 << group->tile_shift) - 1));

    return left < BLOCK_DIM ? (unsigned)left : BLOCK_DIM;
}

/* Adds an 8x8 mask that lies in up to four tiles. */
static void add_split(struct frag_spans *spans, const struct raster_small_tri_group *group,
                      uint64_t rows, unsigned triangle, unsigned pos, int32_t x, int32_t y)
{
    unsigned across = within_tile(group, x), down = within_tile(group, y);
    uint64_t left = (0xffu >> (BLOCK_DIM - across)) * UINT64_C(0x0101010101010101);
    uint64_t top = ~UINT64_C(0) >> (BLOCK_DIM - down) * BLOCK_DIM;

    for (unsigned i = 0; i < 4; i++) {
        uint64_t some = rows & (i & 1 ? ~left : left) & (i & 2 ? ~top : top);

        if (some)
            raster_frag_span_add(spans, group, some, triangle, pos, i & 1 ? x + (int32_t)across : x,
                                 i & 2 ? y + (int32_t)down : y);
    }
}

static void add_16x16(struct frag_spans *spans, const struct raster_small_tri_group *group,
                      const struct raster_tri_bounds *bounds, unsigned triangle)
{
    for (unsigned i = 0; i < bounds->n_parts; i++) {
        const struct raster_mask_part *part = &bounds->part[i];
        unsigned pos = (unsigned)(part->y - bounds->top) * 16 + (unsigned)(part->x - bounds->left);

        add_split(spans, group, part->mask, triangle, pos, part->x, part->y);
    }
}

/* Finds the spans of a group in drawing order. Consecutive triangles that lie in one tile each are
 * added together. */
static void find_spans(struct frag_spans *spans, const struct raster_preshade_kern *kern,
                       const struct raster_small_tri_group *group,
                       const struct raster_tri_bounds *bounds)
{
    uint32_t whole = group->fits_8x8 & ~group->multi_tile,
             others = group->multi_tile | group->needs_16x16;

    spans->n = 0;
    spans->several_tiles = false;
    spans->blocks = 0;
    for (; others; others &= others - 1) {
        unsigned k = (unsigned)__builtin_ctz(others);
        uint32_t before = (1u << k) - 1;

        if (whole & before)
            kern->add_whole(spans, group, whole & before);
        whole &= ~before;
        if (group->needs_16x16 >> k & 1)
            add_16x16(spans, group, &bounds[k], k);
        else
            add_split(spans, group, raster_small_mask(group, k), k, 0, group->left[k],
                      group->top[k]);
    }
    if (whole)
        kern->add_whole(spans, group, whole);
}

/* --- Shading ---------------------------------------------------------------------------------- */

static void copy_row(void *to, const void *from, unsigned n, size_t bytes)
{
    for (unsigned i = 0; i < n; i += 4)
        memcpy((char *)to + i * bytes, (const char *)from + i * bytes, 4 * bytes);
}

/* Allocates the run without its fragments and adds it to the task. NULL: out of memory. */
static struct preshaded_run *new_preshaded(struct raster_worker *worker,
                                           struct raster_setup_task *task,
                                           const struct raster_pipeline *pipeline,
                                           const struct preshaded_open_run *open)
{
    size_t bytes = sizeof(struct preshaded_run) +
                   raster_preshaded_padded(open->n) * (2 * sizeof(uint32_t) + sizeof(uint16_t));
    struct preshaded_run *preshaded = raster_worker_alloc(worker, raster_bin_bytes(bytes));

    task->out_of_memory |= !preshaded;
    task->run[task->n_runs++] = (struct preshaded_entry){open->triangle, open->tile, preshaded};
    if (preshaded)
        *preshaded =
            (struct preshaded_run){.pipeline = pipeline, .blocks = open->blocks, .n = open->n};
    return preshaded;
}

/* Stores depth, colour and position of all lanes. */
static void put(struct raster_worker *worker, const struct raster_pipeline *pipeline,
                const struct raster_shade_batch *batch, uint32_t *depth, uint32_t *word,
                uint16_t *pos)
{
    raster_output_pack(worker->raster, &pipeline->output[0],
                       batch->colour[pipeline->output_target[0]], word);
    worker->raster->preshade_kern->finish(&pipeline->ds[0], &worker->batch, depth, pos);
}

static void copy_runs(struct raster_worker *worker, struct raster_setup_task *task,
                      const struct raster_pipeline *pipeline)
{
    unsigned lane = 0;

    for (unsigned i = 0; i < task->n_open; i++) {
        const struct preshaded_open_run *open = &task->open[i];
        struct preshaded_run *to = new_preshaded(worker, task, pipeline, open);
        unsigned n = raster_preshaded_padded(open->n);

        if (to) {
            copy_row(to->word, worker->preshade_lanes.depth + lane, n, sizeof(uint32_t));
            copy_row(to->word + n, worker->preshade_lanes.word + lane, n, sizeof(uint32_t));
            copy_row(to->word + 2 * n, worker->preshade_lanes.pos + lane, n, sizeof(uint16_t));
        }
        lane += open->n;
    }
}

static void shade(struct raster_worker *worker, struct raster_setup_task *task,
                  const struct raster_pipeline *pipeline)
{
    const struct raster_state *state = &pipeline->s;
    struct frag_batch *frags = &worker->batch;
    struct raster_shade_batch *batch = &frags->shade;
    uint64_t all = ~UINT64_C(0) >> (RASTER_LANES - frags->n);

    raster_batch_open(worker, frags, all, all);
    state->shade(state->values.shade_ctx, batch);
    if (task->n_open == 1 && frags->n == RASTER_LANES) {
        struct preshaded_run *all = new_preshaded(worker, task, pipeline, &task->open[0]);

        if (all)
            put(worker, pipeline, batch, all->word, all->word + RASTER_LANES,
                (uint16_t *)(void *)(all->word + 2 * RASTER_LANES));
    } else {
        put(worker, pipeline, batch, worker->preshade_lanes.depth, worker->preshade_lanes.word,
            worker->preshade_lanes.pos);
        copy_runs(worker, task, pipeline);
    }
    task->n_open = frags->n = 0;
}

void raster_preshade_flush(struct raster_worker *worker, struct raster_setup_task *task,
                           const struct raster_pipeline *pipeline)
{
    if (worker->batch.n)
        shade(worker, task, pipeline);
}

/* --- Runs ------------------------------------------------------------------------------------- */

/* Appends n fragments of the tile to the last run, or starts a run. */
static void add_run(struct raster_setup_task *task, uint32_t tile, uint64_t blocks, unsigned n,
                    uint32_t triangle)
{
    struct preshaded_open_run *last = task->n_open ? &task->open[task->n_open - 1] : NULL;

    if (last && last->tile == tile && !task->split_run) {
        last->n += n;
        last->blocks |= blocks;
        return;
    }
    task->open[task->n_open++] =
        (struct preshaded_open_run){.blocks = blocks, .triangle = triangle, .tile = tile, .n = n};
    task->split_run = false;
}

/* Splits the next n listed fragments into runs by tile. `next`: the first span with fragments left;
 * returns the new one. */
static unsigned add_runs(struct raster_setup_task *task, struct frag_spans *spans, unsigned next,
                         unsigned n, bool split_run, uint32_t first)
{
    while (n) {
        unsigned some = spans->count[next] < n ? spans->count[next] : n;

        add_run(task, spans->tile[next], raster_frag_span_blocks(spans->block[next]), some,
                first + spans->triangle[next]);
        n -= some;
        spans->count[next] = (uint8_t)(spans->count[next] - some);
        next += !spans->count[next];
        task->split_run = split_run;
    }
    return next;
}

static void shade_spans(struct raster_worker *worker, struct raster_setup_task *task,
                        const struct raster_small_tri_buffers *from,
                        const struct raster_small_tri_group *group, struct frag_spans *spans,
                        const struct frag_list *frag_list, uint32_t first)
{
    const struct raster *raster = worker->raster;
    struct raster_interp_plane_soa soa;
    bool split_run = group->fallback != 0;             /* primitives may come between fragments */
    bool joined = !spans->several_tiles && !split_run; /* the usual case: a single run */
    unsigned next = 0, end;

    task->split_run |= split_run;
    raster->setup_kern->planes_soa(group, from, &soa);
    for (unsigned i = 0; i < frag_list->n; i = end) {
        end = raster->preshade_kern->interpolate(&worker->batch, group, &soa, frag_list, i,
                                                 from->pipeline->s.attr, from->pipeline->s.n_attrs,
                                                 1 << raster->tile_shift);
        if (joined)
            add_run(task, spans->tile[0], spans->blocks, end - i, first + spans->triangle[0]);
        else
            next = add_runs(task, spans, next, end - i, split_run, first);
        if (worker->batch.n == RASTER_LANES)
            shade(worker, task, from->pipeline);
    }
}

bool raster_preshade_group(struct raster_worker *worker, struct raster_setup_task *task,
                           const struct raster_small_tri_buffers *from,
                           const struct raster_small_tri_group *group,
                           const struct raster_tri_bounds *bounds, uint32_t first)
{
    enum {
        MAX_FRAGS = 32 * SMALL_TRI_GROUP
    }; /* more fragments would take more memory than primitives */
    struct frag_spans spans;
    struct frag_list frag_list;

    find_spans(&spans, worker->raster->preshade_kern, group, bounds);
    worker->raster->preshade_kern->list(&frag_list, &spans);
    if (frag_list.n > MAX_FRAGS ||
        task->n_runs + task->n_open + spans.n + MAX_FRAGS / RASTER_LANES > TASK_RUNS)
        return false;
    if (spans.n)
        shade_spans(worker, task, from, group, &spans, &frag_list, first);
    task->split_run |= group->fallback != 0;
    return true;
}
