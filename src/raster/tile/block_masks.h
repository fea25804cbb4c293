/* Masks of a tile's blocks, inside the module tile: rectangles and whole blocks. */
#ifndef RASTER_TILE_BLOCK_MASKS_H
#define RASTER_TILE_BLOCK_MASKS_H

#include "raster/prim/prim.h"
#include "raster/worker/worker.h"

/* Position of the first block of a mask. */
static inline int32_t raster_first_block_x(const struct raster_worker *worker, uint64_t blocks)
{
    return worker->tile.x + __builtin_ctzll(blocks) % BLOCK_DIM * BLOCK_DIM;
}

static inline int32_t raster_first_block_y(const struct raster_worker *worker, uint64_t blocks)
{
    return worker->tile.y + __builtin_ctzll(blocks) / BLOCK_DIM * BLOCK_DIM;
}

/* Sets all samples of a block's mask. */
static inline void raster_set_masks(struct raster_worker *worker, unsigned block, uint64_t mask)
{
    uint64_t *masks = raster_block_masks(worker, block);

    masks[0] = mask;
    for (unsigned s = 1; s < worker->raster->targets.samples; s++)
        masks[s] = mask;
}

/* The blocks of the worker's tile that the primitive's bounds touch. */
static inline uint64_t raster_touched_blocks(const struct raster_worker *worker,
                                             const struct raster_prim *prim)
{
    int32_t cut[4], tile[4];
    uint64_t row, rows;

    raster_tile_rect(worker, tile);
    raster_prim_rect(prim, cut);
    if (!raster_rect_intersect(cut, tile))
        return 0;
    row = 0xff >> (BLOCK_DIM - 1 - (cut[2] - 1 - tile[0]) / BLOCK_DIM) &
          0xff << (cut[0] - tile[0]) / BLOCK_DIM;
    rows = ~UINT64_C(0) >> (BLOCK_DIM - 1 - (cut[3] - 1 - tile[1]) / BLOCK_DIM) * BLOCK_DIM;
    rows &= ~UINT64_C(0) << (cut[1] - tile[1]) / BLOCK_DIM * BLOCK_DIM;
    return row * UINT64_C(0x0101010101010101) & rows;
}

/* Mask, in linear order, of the pixels of the block at (x, y) that lie in the rectangle. */
uint64_t raster_rect_mask(const int32_t rect[4], int32_t x, int32_t y);
/* Set worker->masks of the given blocks to full coverage; to the pixels inside
 * prim->rect. */
void raster_mask_whole(struct raster_worker *worker, uint64_t blocks);
void raster_mask_rect(struct raster_worker *worker, const struct raster_prim *prim,
                      uint64_t blocks);

#endif
