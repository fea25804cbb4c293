/* Masks of a tile's blocks: the blocks that a primitive touches, and the pixels of a rectangle in
 * them.
 *
 * Tested by tests/unit/raster/setup/test_rect.c, tests/unit/raster/shade/test_block.c. */
#include "raster/tile/block_masks.h"

static int32_t clamp_to_block(int32_t i)
{
    return i < 0 ? 0 : i > BLOCK_DIM ? BLOCK_DIM : i;
}

uint64_t raster_rect_mask(const int32_t rect[4], int32_t x, int32_t y)
{
    int32_t left = clamp_to_block(rect[0] - x), right = clamp_to_block(rect[2] - x);
    int32_t top = clamp_to_block(rect[1] - y), bottom = clamp_to_block(rect[3] - y);
    uint64_t row, rows;

    if (left >= right || top >= bottom)
        return 0;
    row = 0xffu >> (BLOCK_DIM - right) & 0xffu << left;
    rows = ~UINT64_C(0) >> (BLOCK_DIM - bottom) * BLOCK_DIM & ~UINT64_C(0) << top * BLOCK_DIM;
    return row * UINT64_C(0x0101010101010101) & rows;
}

void raster_mask_whole(struct raster_worker *worker, uint64_t blocks)
{
    for (; blocks; blocks &= blocks - 1)
        raster_set_masks(worker, (unsigned)__builtin_ctzll(blocks), ~UINT64_C(0));
}

void raster_mask_rect(struct raster_worker *worker, const struct raster_prim *prim, uint64_t blocks)
{
    for (uint64_t rest = blocks; rest; rest &= rest - 1)
        raster_set_masks(worker, (unsigned)__builtin_ctzll(rest),
                         raster_rect_mask(prim->rect, raster_first_block_x(worker, rest),
                                          raster_first_block_y(worker, rest)));
}
