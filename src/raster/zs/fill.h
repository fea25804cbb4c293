/* Fills inside the module zs: fast-clear records, the surface that a fill writes, and the pending
 * fill as a fill. */
#ifndef RASTER_ZS_FILL_H
#define RASTER_ZS_FILL_H

#include "raster/zs/zs.h"

#include <string.h>

/* The surface that a fill writes: the worker's zs_surface for depth. */
static inline const struct raster_surface *raster_fill_surface(const struct raster_worker *worker,
                                                               const struct raster_fill *fill)
{
    return fill->surface == &worker->raster->targets.depth ? worker->zs_surface : fill->surface;
}

/* Whether the mask of a fill or of raster_fast_clear selects all bits. */
static inline bool raster_is_every_bit(const uint8_t mask[16])
{
    uint64_t word[2];

    memcpy(word, mask, sizeof(word));
    return !~(word[0] & word[1]);
}

/* fast_clear.c */
/* Returns the blocks that a fill must write; the others already hold its value. `whole`: it covers
 * the tile. */
uint64_t raster_fast_clear_fill(struct raster_worker *worker, const struct raster_fill *fill,
                                bool whole);
/* Whether the whole tile is fast-cleared to one 32-bit word. */
bool raster_fast_clear_value(const struct raster_worker *worker,
                             const struct raster_surface *surface, uint32_t *value);

/* pending_fill.c */
/* Converts the pending fill to a fill. */
void raster_pending_to_fill(const struct raster_worker *worker, const struct pending_fill *pending,
                            struct raster_fill *fill);

#endif
