/* Hierarchical Z inside the module zs: updates after depth writes. */
#ifndef RASTER_ZS_HIZ_H
#define RASTER_ZS_HIZ_H

#include "raster/zs/zs.h"

/* Invalidates the hierarchical Z of all blocks that 8x8 pixels at (x, y), unaligned, may touch. */
static inline void raster_hiz_invalidate(struct raster_worker *worker, int32_t x, int32_t y)
{
    if (worker->hiz.valid)
        worker->hiz.valid &= ~(UINT64_C(0x303) << raster_block_number(worker, x, y));
}

/* Update the hierarchical Z after depth writes. _block: to a whole block, by the primitive of the
 * last raster_hiz_test; _fill: of one code to the whole tile. */
void raster_hiz_update_block(struct raster_worker *worker, int32_t x, int32_t y);
void raster_hiz_fill(struct raster_worker *worker, uint32_t code);

#endif
