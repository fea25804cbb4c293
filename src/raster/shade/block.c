/* Whole-block shading: shades an 8x8 block of one primitive as a batch of its own, outside the quad
 * queue.
 *
 * Pixels are stored by rows, one sample plane after another. In the common case coverage is full
 * and early tests are done; otherwise the store has a mask. Two cases skip the shader: primitives
 * of one solid colour, and primitives whose result is the RGBA8 texel itself. */
#include "raster/shade/block.h"

#include "raster/prim/prim.h"
#include "raster/shade/batch.h"
#include "raster/shade/block_batch.h"
#include "raster/shade/prim_cache.h"
#include "raster/zs/zs.h"

bool raster_block_solid(struct raster_worker *worker, const struct raster_prim *prim,
                        uint64_t blocks)
{
    const struct prim_cache_entry *entry;

    if (!blocks || !(entry = raster_prim_cache_get(worker, prim))->solid)
        return false;
    raster_solid_fill_blocks(worker, &entry->fill, &prim->pipeline->output[0], blocks);
    return true;
}

bool raster_block_tile(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct prim_cache_entry *entry;

    if (!raster_uses_prim_cache(prim->pipeline))
        return false;
    entry = raster_prim_cache_get(worker, prim);
    if (entry->has_gradient) {
        raster_gradient_fill_put(worker, &entry->gradient, worker->tile.x, worker->tile.y,
                                 (unsigned)raster_tile_dim(worker->raster));
        return true;
    }
    if (entry->solid) {
        raster_solid_fill_tile(worker, &entry->fill, &prim->pipeline->output[0]);
        return true;
    }
    return entry->unit_attribs && prim->pipeline->shortcuts & SHORTCUT_AXIS_ALIGNED &&
           raster_axis_aligned_tile(worker, prim);
}

static bool is_whole(const struct raster_worker *worker, const uint64_t *cover)
{
    uint64_t every = cover[0];

    for (unsigned s = 1; s < worker->raster->targets.samples; s++)
        every &= cover[s];
    return !~every;
}

/* Lanes of all quads that have covered pixels. */
static uint64_t quads_of(const uint64_t *cover, unsigned samples)
{
    uint64_t any = cover[0];

    for (unsigned s = 1; s < samples; s++)
        any |= cover[s];
    if (!~any)
        return any;
    return raster_touched_quads(raster_mask_linear_to_quad(any)) * 15;
}

void raster_block_run(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                      int32_t y, uint64_t *cover, const struct centroid_samples *centroid)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    const struct prim_cache_entry *entry = NULL;
    struct frag_batch *batch = &worker->block;

    if (raster_uses_prim_cache(pipeline))
        entry = raster_prim_cache_get(worker, prim);
    if (entry && entry->solid) {
        raster_solid_fill_block(worker, &entry->fill, &pipeline->output[0], x, y, cover);
        return;
    }
    if (entry && entry->has_gradient && is_whole(worker, cover)) {
        raster_gradient_fill_put(worker, &entry->gradient, x, y, BLOCK_DIM);
        return;
    }
    raster_block_prefetch(worker, x, y);
    raster_block_batch_open(worker, prim, x, y, quads_of(cover, worker->raster->targets.samples));
    if (centroid && raster_off_centre(centroid))
        raster_block_batch_move(worker, centroid);
    batch->ones = entry && entry->unit_attribs;
    raster_batch_shade(worker, batch, cover);
}
