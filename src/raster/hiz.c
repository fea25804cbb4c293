/* Least and most of the depths that a block holds, found when they are first asked for and good
 * until depth is written: many blocks pass or fail as a whole then, behind what is opaque and under
 * stencil shadows, and what fails without a trace is not even looked at by pixels. */
#include "raster/pending_fill.h"

#include <math.h>
#include <string.h>

/* Looking pays where it saves shading, or where nothing makes what was seen out of date. */
void raster_coarse_plan(const struct raster *raster, struct raster_plan *plan)
{
    const struct raster_depth_stencil *front = &plan->ds[0], *back = &plan->ds[1];
    bool one_sided = front->depth_func == D3DCMP_LESS || front->depth_func == D3DCMP_LESSEQUAL ||
                     front->depth_func == D3DCMP_GREATER ||
                     front->depth_func == D3DCMP_GREATEREQUAL;
    bool final = !front->depth_write || plan->early || plan->prefilter;

    plan->coarse = plan->depth_used && one_sided && final && front->depth_test &&
                   (plan->shades || !front->depth_write) && !front->bounds_test &&
                   front->code != RASTER_DEPTH_UNORM32 &&
                   raster->targets.depth.format->bytes == 4 && !plan->s.writes_depth &&
                   !raster->options.unpacked && !raster->options.late_tests;
    plan->stencil_cull = plan->early && front->stencil_test && !raster->options.unpacked;
    plan->hidden =
        plan->coarse && raster_depth_fails_clean(front) && raster_depth_fails_clean(back);
}

/* Blocks of the worker's tile that all surfaces have as a whole. */
static uint64_t blocks_with_room(const struct raster_worker *worker, const struct raster_plan *plan)
{
    int32_t right = (plan->room[2] - worker->tile.x) / BLOCK_DIM;
    int32_t below = (plan->room[3] - worker->tile.y) / BLOCK_DIM;
    uint64_t row = right < BLOCK_DIM ? (1u << (right > 0 ? right : 0)) - 1 : 0xff;
    uint64_t rows = ~UINT64_C(0);

    if (below < BLOCK_DIM)
        rows = (UINT64_C(1) << (below > 0 ? below : 0) * BLOCK_DIM) - 1;
    return row * UINT64_C(0x0101010101010101) & rows;
}

static void look_at_blocks(struct raster_worker *worker, uint64_t blocks)
{
    const struct raster_surface *surface = worker->zs_surface;
    struct raster_coarse_words words = {
        .base = surface->data + (size_t)worker->tile.y * surface->row_pitch +
                (size_t)worker->tile.x * 4,
        .pitch = surface->row_pitch,
        .sample_pitch = surface->sample_pitch,
        .samples = worker->raster->targets.samples,
    };

    if (blocks)
        worker->raster->coarse_kern->extents(&worker->plan->ds[0], &words, blocks, &worker->coarse);
    worker->coarse.known |= blocks;
}

static bool has_finite_depths(const struct raster_coarse_plane *plane)
{
    const float size = 2 << TILE_SHIFT;

    return isfinite(raster_plane_at(plane->z, plane->dx - 1, plane->dy - 1) + plane->offset) &&
           isfinite(raster_plane_at(plane->z, plane->dx + size, plane->dy + size) + plane->offset);
}

uint64_t raster_coarse_judge(struct raster_worker *worker, const struct raster_prim *prim,
                             uint64_t blocks)
{
    const struct raster_plan *plan = prim->plan;
    struct raster_coarse *coarse = &worker->coarse;
    uint64_t wanted = blocks & blocks_with_room(worker, plan);
    struct raster_coarse_plane plane = {
        .z = &prim->z,
        .dx = (float)worker->tile.x - prim->anchor_x,
        .dy = (float)worker->tile.y - prim->anchor_y,
        .offset = prim->depth_offset,
        .margin = plan->pattern > 1 ? 0.5f : 0.0f,
    };

    if (!wanted || !has_finite_depths(&plane))
        return blocks;
    look_at_blocks(worker, wanted & ~coarse->known);
    worker->raster->coarse_kern->judge(&plan->ds[0], &plane, wanted, coarse);
    return plan->hidden ? blocks & ~coarse->fails : blocks;
}

uint64_t raster_coarse_stencil(const struct raster_worker *worker, const struct raster_prim *prim,
                               uint64_t blocks)
{
    const struct raster_depth_stencil *ds = &prim->plan->ds[prim->face < 0.0f];
    uint32_t ref = ds->ref & ds->mask, stored = worker->coarse.stencil & ds->mask;
    unsigned how = ref < stored ? 1 : ref == stored ? 2 : 4; /* as bits of D3DCMPFUNC - 1 */
    bool fails = !((ds->stencil_func - 1u) & how);
    bool trace = ds->fail != D3DSTENCILOP_KEEP && ds->write_mask;

    return fails && !trace ? blocks & ~worker->coarse.uniform_stencil : blocks;
}

void raster_coarse_clear(struct raster_worker *worker, const struct raster_fill *fill)
{
    const struct tex_format *format = fill->surface->format;
    struct raster_coarse *coarse = &worker->coarse;
    struct raster_depth_stencil ds = {0};
    uint32_t value, mask;

    if (format->bytes != sizeof(value) || !raster_fills_tile(worker, fill)) {
        coarse->known = coarse->uniform_stencil = 0;
        return;
    }
    memcpy(&value, fill->value, sizeof(value));
    memcpy(&mask, fill->mask, sizeof(mask));
    raster_depth_layout(&ds, format);
    if (!(ds.depth_field & ~mask))
        raster_hiz_fill(worker, value & ds.depth_field);
    if (ds.stencil_field & ~mask)
        return;
    coarse->uniform_stencil = ~UINT64_C(0);
    coarse->stencil = value & ds.stencil_field;
}

void raster_coarse_wrote_block(struct raster_worker *worker, int32_t x, int32_t y)
{
    struct raster_coarse *coarse = &worker->coarse;
    unsigned block = raster_block_number(worker, x, y);

    if (!(coarse->judged >> block & 1)) {
        raster_coarse_wrote(worker, x, y);
        return;
    }
    coarse->least[block] = coarse->low[block];
    coarse->most[block] = coarse->high[block];
}

void raster_coarse_wrote_quads(struct raster_worker *worker, const struct raster_quads *quads)
{
    for (unsigned q = 0; q < quads->n && worker->coarse.known; q++)
        raster_coarse_wrote(worker, quads->x[q], quads->y[q]);
}

void raster_hiz_fill(struct raster_worker *worker, uint32_t code)
{
    struct raster_coarse *coarse = &worker->coarse;

    coarse->known = ~UINT64_C(0);
    for (unsigned i = 0; i < BLOCKS_PER_TILE; i++)
        coarse->least[i] = coarse->most[i] = code;
}
