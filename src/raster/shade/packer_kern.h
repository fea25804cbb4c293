/* Packer kernel: fills a batch with pixels of small primitives, as quads or as single fragments
 * that it interpolates. One table per instruction set; all take the same pixels and give the same
 * bits. The order of one primitive's quads may differ. */
#ifndef RASTER_SHADE_PACKER_KERN_H
#define RASTER_SHADE_PACKER_KERN_H

#include "raster/state/params.h"
#include "raster/worker/batch.h"
#include "util/cpu.h"

struct bin_block;
struct raster_pipeline;

struct raster_packer_kern {
    /* Adds PRIM_MASK8X8 commands of one pipeline from index i on. Stops at one whose pixels are
     * left, because they do not fit or one is in flight, or at another command; returns its index.
     * *rest: pixels that are left of the command, before (0: all) and after. */
    size_t (*take)(struct frag_batch *batch, struct in_flight *in_flight,
                   const struct tile_origin *tile, const struct raster_pipeline *pipeline,
                   const struct bin_block *cmds, size_t i, uint64_t *rest);
    /* Adds 8x8 pixels, bit y * 8 + x, at even (x, y) of the tile. Returns those that did not fit;
     * all of them if one is in flight. */
    uint64_t (*put)(struct frag_batch *batch, struct in_flight *in_flight,
                    const struct tile_origin *tile, const struct raster_prim *prim, unsigned x,
                    unsigned y, uint64_t rows);
    /* Removes, from `tested` on, the pixels that did not pass; bit 0 is the first. */
    void (*keep)(struct frag_batch *batch, const struct raster_state *state, uint64_t passed);
    /* Moves the pixels in flight to the history. */
    void (*retire)(struct in_flight *in_flight);
};

KERN_DECLARE(struct raster_packer_kern, raster_packer_kern);

#endif
