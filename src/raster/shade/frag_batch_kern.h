/* Fragment batch kernel: interpolates and tests fragments of small primitives, one per lane,
 * without helper lanes. One table per instruction set; all give the same bits. */
#ifndef RASTER_SHADE_FRAG_BATCH_KERN_H
#define RASTER_SHADE_FRAG_BATCH_KERN_H

#include "raster/state/params.h"
#include "raster/worker/batch.h"
#include "util/cpu.h"

struct bin_block;
struct raster_pipeline;

struct raster_frag_batch_kern {
    /* take and put: as in raster_quad_queue_kern; `in_flight` is the mask of the tile's queued
     * pixels. They stop at a primitive whose pixels do not all fit. */
    size_t (*take)(struct frag_batch *frags, uint64_t in_flight[IN_FLIGHT_ROWS],
                   const struct tile_origin *tile, const struct raster_pipeline *pipeline,
                   const struct bin_block *cmds, size_t i);
    bool (*put)(struct frag_batch *frags, uint64_t in_flight[IN_FLIGHT_ROWS],
                const struct tile_origin *tile, const struct raster_prim *prim, unsigned x,
                unsigned y, uint64_t rows);
    /* Removes, from `tested` on, the fragments that did not pass. */
    void (*keep)(struct frag_batch *frags, const struct raster_state *state, uint64_t passed);
};

KERN_DECLARE(struct raster_frag_batch_kern, raster_frag_batch_kern);

#endif
