/* Fills of a tile: at once, or owed, as words of depth and stencil that all of a tile's pixels have
 * are until something else asks about them: memory is then written once. */
#ifndef RASTER_PENDING_FILL_H
#define RASTER_PENDING_FILL_H

#include "raster/raster_private.h"

#include <string.h>

/* Of the depth-stencil surface in the worker's tile. */
struct pending_fill {
    bool valid;           /* all of its pixels have `value` in the bits of `mask` */
    bool unwritten;       /* but memory does not yet */
    uint32_t value, mask; /* of words of 32 bits; value has no others */
    int32_t rect[4];
};

/* Returns the blocks that were written. */
uint64_t raster_fill_tile(struct raster_worker *worker, const struct raster_fill *fill);
/* Whether a fill has all of its surface that lies in the tile. */
bool raster_fills_tile(const struct raster_worker *worker, const struct raster_fill *fill);

/* A fill of depth and stencil is put off; false: it is not to be. */
bool raster_defer_fill(const struct raster_worker *worker, struct pending_fill *pending,
                       const struct raster_fill *fill);
/* Whether a primitive at one depth that covers the tile passes in all pixels by what is known; its
 * depth is then owed. Early, one sample. False: nothing was done. */
bool raster_defer_const_depth(struct raster_worker *worker, struct pending_fill *pending,
                              const struct raster_prim *prim);
/* All of the tile has this code, in memory too. */
void raster_note_const_depth(const struct raster_worker *worker, struct pending_fill *pending,
                             const struct raster_prim *prim, uint32_t code);
/* What is owed as a fill. */
void raster_pending_to_fill(const struct raster_worker *worker, const struct pending_fill *pending,
                            struct raster_fill *fill);
/* Before anything else is done with depth or stencil, and at the end of the tile. */
void raster_resolve_pending_fill(struct raster_worker *worker, struct pending_fill *pending);

/* tile_depth.c: memory for a worker's tile. */
MUST_CHECK enum status raster_tile_zs_create(struct raster_worker *worker);
/* Finds where the tile's depth lies while these commands run, and what it is before them. */
void raster_tile_zs_begin(struct raster_worker *worker, const struct bin *bin,
                          struct pending_fill *pending);
/* Where a fill goes. */
static inline const struct raster_surface *raster_fill_surface(const struct raster_worker *worker,
                                                               const struct raster_fill *fill)
{
    return fill->surface == &worker->raster->targets.depth ? worker->zs_surface : fill->surface;
}

/* Whether a fill's mask, or a record's, leaves no bit out. */
static inline bool raster_is_every_bit(const uint8_t mask[16])
{
    uint64_t word[2];

    memcpy(word, mask, sizeof(word));
    return !~(word[0] & word[1]);
}

/* fast_clear.c */
/* The blocks that a fill, of its surface's whole tile or not, has to write: the others stand. */
uint64_t raster_fast_clear_fill(struct raster_worker *worker, const struct raster_fill *fill,
                                bool whole);
/* Whether all of the tile stands with one word of 32 bits. */
bool raster_fast_clear_value(const struct raster_worker *worker,
                             const struct raster_surface *surface, uint32_t *value);
/* What was drawn stands no longer. */
void raster_fast_clear_invalidate(struct raster_worker *worker);

#endif
