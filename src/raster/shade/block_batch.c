/* Batch of a whole block: interpolates the inputs of its 64 lanes, which are in quad order.
 *
 * Tested by tests/unit/raster/shade/test_block.c. */
#include "raster/shade/block_batch.h"

#include "raster/prim/prim.h"
#include "raster/shade/batch.h"
#include "raster/shade/centroid.h"
#include "raster/shade/interp_kern.h"

/* Attributes that can be near 0 in the primitive's blocks in the tile. */
static uint64_t find_near_zero(const struct raster_worker *worker, const struct raster_prim *prim)
{
    uint64_t near_zero = 0;
    int32_t rect[4], tile[4];
    double dx, dy;

    raster_prim_rect(prim, rect);
    raster_tile_rect(worker, tile);
    for (unsigned i = 0; i < 2; i++) { /* whole blocks */
        rect[i] &= -BLOCK_DIM;
        rect[i + 2] = (rect[i + 2] + BLOCK_DIM - 1) & -BLOCK_DIM;
    }
    if (!raster_rect_intersect(rect, tile))
        return ~UINT64_C(0);
    dx = 0.5 * (rect[0] + rect[2] - 1) - (double)prim->anchor_x;
    dy = 0.5 * (rect[1] + rect[3] - 1) - (double)prim->anchor_y;
    for (unsigned n = 0; n < prim->pipeline->s.n_attrs; n++)
        if (!raster_is_far_from_zero(&prim->attr[n], dx, dy, rect[2] - rect[0], rect[3] - rect[1]))
            near_zero |= UINT64_C(1) << n;
    return near_zero;
}

/* A bound over all blocks does not pay for primitives that have few in a tile. */
enum { FEW_BLOCKS = 6 };

static void update_near_zero(struct raster_worker *worker, const struct raster_prim *prim)
{
    struct frag_batch *batch = &worker->block;

    if (batch->prim != prim) { /* also the first block in a tile */
        batch->blocks = 0;
        batch->near_zero = ~UINT64_C(0);
    } else if (batch->blocks == FEW_BLOCKS) {
        batch->near_zero = find_near_zero(worker, prim);
    }
    batch->blocks++;
}

struct raster_shade_batch *raster_block_batch_open(struct raster_worker *worker,
                                                   const struct raster_prim *prim, int32_t x,
                                                   int32_t y, uint64_t quads)
{
    struct frag_batch *batch = &worker->block;

    batch->layout = FRAG_BLOCK;
    batch->block_x = x;
    batch->block_y = y;
    if (batch->prim != prim || !batch->shade.outputs_valid_for) {
        raster_batch_open(worker, batch, 0, 0);
        batch->shade.prim = prim;
    }
    batch->shade.lanes = batch->shade.covered = quads;
    batch->shade.killed = 0;
    update_near_zero(worker, prim);
    worker->raster->interp_kern->block(&batch->lanes, prim, (float)x, (float)y, batch->prim != prim,
                                       batch->near_zero);
    batch->prim = prim; /* shaders do not modify their inputs */
    return &batch->shade;
}

void raster_block_batch_move(struct raster_worker *worker, const struct centroid_samples *centroid)
{
    struct frag_batch *batch = &worker->block;

    for (unsigned i = 0; i < CENTROID_BITS; i++)
        batch->centroid.bit[i] = raster_mask_linear_to_quad(centroid->bit[i]);
    for (unsigned q = 0; q < QUADS; q++) {
        batch->quad_x[q] = batch->block_x + (int32_t)q % 4 * 2;
        batch->quad_y[q] = batch->block_y + (int32_t)q / 4 * 2;
        batch->quad_prim[q] = batch->prim;
    }
    batch->n = RASTER_LANES;
    batch->quads = raster_quads_from(batch, 0);
    raster_centroid_move(worker, batch);
}
