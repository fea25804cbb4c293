/* Depth and stencil of a tile: early and late tests, hierarchical Z, and clears with little memory
 * traffic: fast clears, pending fills and tile-local depth. */
#ifndef RASTER_ZS_ZS_H
#define RASTER_ZS_ZS_H

#include "raster/bin/bin.h"
#include "raster/prim/prim.h"
#include "raster/worker/worker.h"

/* Picks the kernels of this module. */
void raster_zs_init(struct raster *raster);

/* --- depth_stencil.c: early tests ------------------------------------------------------------- */

/* Test of one sample of some blocks; worker->masks keep the pixels that pass. depths: of the pixels
 * of a single block, row after row; NULL: those of the primitive. */
void raster_depth_blocks(struct raster_worker *worker, const struct raster_prim *prim,
                         unsigned sample, uint64_t wanted, const float *depths, bool read_only);
/* Early test of 8x8 pixels at (x, y), unaligned, of single-sample targets; returns the pixels that
 * pass. */
uint64_t raster_depth_small(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                            int32_t y, uint64_t mask, bool read_only);
/* Tests the lanes of worker->batch from `tested` on in place; bit 0 of `wanted` and of the result
 * is the first of them. Stores depths if `write`. Requires pipeline->batch_zs_test. */
uint64_t raster_depth_batch(struct raster_worker *worker, uint64_t wanted, bool write);
/* Early test of a primitive of constant depth against the whole tile, one sample. If all pixels
 * pass, writes the depth; otherwise does nothing and returns false. */
bool raster_depth_tile(struct raster_worker *worker, const struct raster_prim *prim);
/* The depth code, as stored, of a primitive of constant depth. */
uint32_t raster_const_depth_code(const struct raster *raster, const struct raster_prim *prim);

/* --- hiz.c: hierarchical Z -------------------------------------------------------------------- */

/* Tests the primitive's depth range against the given blocks and returns those that it can affect.
 * Requires pipeline->hiz. */
uint64_t raster_hiz_test(struct raster_worker *worker, const struct raster_prim *prim,
                         uint64_t blocks);
/* Returns `blocks` without those that hold one stencil value and fail the stencil test. Requires
 * pipeline->stencil_cull. */
uint64_t raster_hiz_cull_stencil(const struct raster_worker *worker, const struct raster_prim *prim,
                                 uint64_t blocks);
/* Updates the hierarchical Z for a clear of depth or stencil. */
void raster_hiz_clear(struct raster_worker *worker, const struct raster_fill *fill);

/* --- late_zs.c: tests after shading ----------------------------------------------------------- */

/* Removes the pixels of a shaded batch that fail late tests and counts the rest for the query.
 * cover: one mask per sample; of a block its masks in worker->masks. False: no pixel is left. */
bool raster_late_zs(struct raster_worker *worker, struct frag_batch *batch, uint64_t *cover);
/* Adds to the pipeline's occlusion query, if it has one. */
void raster_count_samples(struct raster_worker *worker, uint64_t passed);

/* --- count.c: counts of tests for tools ------------------------------------------------------- */

/* Lanes of one sample: before all tests, before stencil and depth, those that pass the stencil
 * test, and those that pass all. */
struct tested_lanes {
    uint64_t covered, reached, met, passed;
};
/* The lanes that pass the stencil test; changes nothing. The batch holds quads. */
uint64_t raster_stencil_lanes(const struct raster_worker *worker, const struct frag_batch *batch,
                              unsigned sample, uint64_t lanes);
/* Adds to raster->counts. */
void raster_count_tests(struct raster_worker *worker, const struct frag_batch *batch,
                        const struct tested_lanes *lanes);

/* --- tile_fill.c, fast_clear.c: fills of a tile ----------------------------------------------- */

/* Writes a fill to the tile; returns the blocks that were written. */
uint64_t raster_fill_tile(struct raster_worker *worker, const struct raster_fill *fill);
/* Whether a fill covers the part of its surface that lies in the tile. */
bool raster_fills_tile(const struct raster_worker *worker, const struct raster_fill *fill);
/* Drops the tile's dirty blocks from the fast-clear records of all targets. */
void raster_fast_clear_invalidate(struct raster_worker *worker);

/* --- pending_fill.c: a fill of depth that memory does not have yet ---------------------------- */

/* Known contents of the depth-stencil surface in the worker's tile. */
struct pending_fill {
    bool valid;           /* every pixel has `value` in the bits of `mask` */
    bool unwritten;       /* and memory does not have it yet */
    uint32_t value, mask; /* of 32-bit words; bits outside of mask are 0 */
    int32_t rect[4];
};

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
/* Writes the pending fill. Called before any other access to depth or stencil, and when the tile
 * ends. */
void raster_resolve_pending_fill(struct raster_worker *worker, struct pending_fill *pending);

/* --- tile_depth.c: tile-local depth ----------------------------------------------------------- */

/* Allocates the worker's tile-local depth. */
MUST_CHECK enum status raster_tile_zs_create(struct raster_worker *worker);
/* Sets worker->zs_surface to the memory of the tile's depth while the bin's commands run: the
 * surface, or tile-local depth. The contents of the latter become `pending`. */
void raster_tile_zs_begin(struct raster_worker *worker, const struct bin *bin,
                          struct pending_fill *pending);

#endif
