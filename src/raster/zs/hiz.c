/* Hierarchical Z: keeps the minimum and maximum depth of each 8x8 block to accept or reject a
 * primitive's blocks as a whole.
 *
 * A block's range is computed on first use and stays valid until depth is written. A clear also
 * records a uniform stencil value, so that blocks whose stencil test fails everywhere are
 * culled. */
#include "raster/zs/hiz.h"

#include "raster/state/depth.h"
#include "raster/zs/hiz_kern.h"

#include <math.h>
#include <string.h>

/* Blocks of the worker's tile that lie completely inside all surfaces. */
static uint64_t full_blocks(const struct raster_worker *worker,
                            const struct raster_pipeline *pipeline)
{
    int32_t right = (pipeline->common_rect[2] - worker->tile.x) / BLOCK_DIM;
    int32_t below = (pipeline->common_rect[3] - worker->tile.y) / BLOCK_DIM;
    uint64_t row = right < BLOCK_DIM ? (1u << (right > 0 ? right : 0)) - 1 : 0xff;
    uint64_t rows = ~UINT64_C(0);

    if (below < BLOCK_DIM)
        rows = (UINT64_C(1) << (below > 0 ? below : 0) * BLOCK_DIM) - 1;
    return row * UINT64_C(0x0101010101010101) & rows;
}

static void read_blocks(struct raster_worker *worker, uint64_t blocks)
{
    const struct raster_surface *surface = worker->zs_surface;
    struct hiz_surface words = {
        .base = surface->data + (size_t)worker->tile.y * surface->row_pitch +
                (size_t)worker->tile.x * surface->format->bytes,
        .pitch = surface->row_pitch,
        .sample_pitch = surface->sample_pitch,
        .samples = worker->raster->targets.samples,
    };

    if (blocks)
        worker->raster->hiz_kern->read_zrange(&worker->pipeline->ds[0], &words, blocks,
                                              &worker->hiz);
    worker->hiz.valid |= blocks;
}

static bool has_finite_depths(const struct hiz_plane *plane)
{
    const float size = 2 << TILE_SHIFT;

    return isfinite(raster_interp_at(plane->z, plane->dx - 1, plane->dy - 1) + plane->offset) &&
           isfinite(raster_interp_at(plane->z, plane->dx + size, plane->dy + size) + plane->offset);
}

uint64_t raster_hiz_test(struct raster_worker *worker, const struct raster_prim *prim,
                         uint64_t blocks)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    struct hiz *hiz = &worker->hiz;
    uint64_t wanted = blocks & full_blocks(worker, pipeline);
    struct hiz_plane plane = {
        .z = &prim->z,
        .dx = (float)worker->tile.x - prim->anchor_x,
        .dy = (float)worker->tile.y - prim->anchor_y,
        .offset = prim->depth_offset,
        .margin = pipeline->pattern > 1 ? 0.5f : 0.0f,
    };

    if (!wanted || !has_finite_depths(&plane))
        return blocks;
    read_blocks(worker, wanted & ~hiz->valid);
    worker->raster->hiz_kern->test(&pipeline->ds[0], &plane, wanted, hiz);
    return pipeline->hiz == HIZ_REJECTS ? blocks & ~hiz->fails : blocks;
}

uint64_t raster_hiz_cull_stencil(const struct raster_worker *worker, const struct raster_prim *prim,
                                 uint64_t blocks)
{
    const struct raster_depth_stencil *ds = &prim->pipeline->ds[prim->face < 0.0f];
    uint32_t ref = ds->ref & ds->mask, stored = worker->hiz.stencil & ds->mask;
    unsigned how = ref < stored ? 1 : ref == stored ? 2 : 4; /* as bits of D3DCMPFUNC - 1 */
    bool fails = !((ds->stencil_func - 1u) & how);
    bool writes_stencil = ds->fail != D3DSTENCILOP_KEEP && ds->write_mask;

    return fails && !writes_stencil ? blocks & ~worker->hiz.uniform_stencil : blocks;
}

void raster_hiz_clear(struct raster_worker *worker, const struct raster_fill *fill)
{
    const struct tex_format *format = fill->surface->format;
    struct hiz *hiz = &worker->hiz;
    struct raster_depth_stencil ds = {0};
    uint32_t value, mask;

    if (format->bytes > sizeof(value) || !raster_fills_tile(worker, fill)) {
        hiz->valid = hiz->uniform_stencil = 0;
        return;
    }
    memcpy(&value, fill->value, sizeof(value));
    memcpy(&mask, fill->mask, sizeof(mask));
    raster_depth_layout(&ds, format);
    if (!(ds.depth_field & ~mask))
        raster_hiz_fill(worker, value & ds.depth_field);
    if (ds.stencil_field & ~mask)
        return;
    hiz->uniform_stencil = ~UINT64_C(0);
    hiz->stencil = value & ds.stencil_field;
}

void raster_hiz_update_block(struct raster_worker *worker, int32_t x, int32_t y)
{
    struct hiz *hiz = &worker->hiz;
    unsigned block = raster_block_number(worker, x, y);

    if (!(hiz->tested >> block & 1)) {
        raster_hiz_invalidate(worker, x, y);
        return;
    }
    hiz->zmin[block] = hiz->prim_zmin[block];
    hiz->zmax[block] = hiz->prim_zmax[block];
}

void raster_hiz_fill(struct raster_worker *worker, uint32_t code)
{
    struct hiz *hiz = &worker->hiz;

    hiz->valid = ~UINT64_C(0);
    for (unsigned i = 0; i < BLOCKS_PER_TILE; i++)
        hiz->zmin[i] = hiz->zmax[i] = code;
}
