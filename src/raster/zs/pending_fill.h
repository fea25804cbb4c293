/* Tile fills, immediate or deferred: a pending fill of depth and stencil stays with the
 * worker until something reads the tile, so that memory is written once or never. */
#ifndef RASTER_ZS_PENDING_FILL_H
#define RASTER_ZS_PENDING_FILL_H

#include "raster/raster_private.h"

#include <string.h>

/* Known contents of the depth-stencil surface in the worker's tile. */
struct pending_fill {
    bool valid;           /* every pixel has `value` in the bits of `mask` */
    bool unwritten;       /* and memory does not have it yet */
    uint32_t value, mask; /* of 32-bit words; bits outside of mask are 0 */
    int32_t rect[4];
};

/* Writes a fill to the tile; returns the blocks that were written. */
uint64_t raster_fill_tile(struct raster_worker *worker, const struct raster_fill *fill);
/* Whether a fill covers the part of its surface that lies in the tile. */
bool raster_fills_tile(const struct raster_worker *worker, const struct raster_fill *fill);

/* Defers a fill of depth and stencil; false: it covers only part of the tile, or its pixels do not
 * have 32 bits. */
bool raster_defer_fill(const struct raster_worker *worker, struct pending_fill *pending,
                       const struct raster_fill *fill);
/* Tests a primitive of constant depth that covers the tile against the pending value. If all pixels
 * pass, its depth becomes pending; otherwise does nothing and returns false. One sample, early
 * tests. */
bool raster_defer_const_depth(struct raster_worker *worker, struct pending_fill *pending,
                              const struct raster_prim *prim);
/* Records that the whole tile has this depth code, in memory too. */
void raster_note_const_depth(const struct raster_worker *worker, struct pending_fill *pending,
                             const struct raster_prim *prim, uint32_t code);
/* Converts the pending fill to a fill. */
void raster_pending_to_fill(const struct raster_worker *worker, const struct pending_fill *pending,
                            struct raster_fill *fill);
/* Writes the pending fill. Called before any other access to depth or stencil, and when the tile
 * ends. */
void raster_resolve_pending_fill(struct raster_worker *worker, struct pending_fill *pending);

/* tile_depth.c: Allocates the worker's tile-local depth. */
MUST_CHECK enum status raster_tile_zs_create(struct raster_worker *worker);
/* Sets worker->zs_surface to the memory of the tile's depth while the bin's commands run: the
 * surface, or tile-local depth. The contents of the latter become `pending`. */
void raster_tile_zs_begin(struct raster_worker *worker, const struct bin *bin,
                          struct pending_fill *pending);
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
/* Drops the tile's dirty blocks from the fast-clear records of all targets. */
void raster_fast_clear_invalidate(struct raster_worker *worker);

#endif
