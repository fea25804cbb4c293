/* Quad queue kernels: append 2x2 quads of small triangles and of sparsely covered blocks to the
 * queue. One table per instruction set; all queue the same pixels, each in one quad. The order of
 * one primitive's quads may differ. */
#ifndef RASTER_SHADE_QUAD_QUEUE_KERN_H
#define RASTER_SHADE_QUAD_QUEUE_KERN_H

#include "raster/worker/batch.h"
#include "util/cpu.h"

struct bin_block;
struct raster_pipeline;

struct raster_quad_queue_kern {
    /* Queues PRIM_MASK8X8 commands of one pipeline from index i on. Stops when a test is due, at a
     * pixel in flight, or at another command; returns the index of the next command. */
    size_t (*take)(struct quad_queue *queue, const struct tile_origin *tile,
                   const struct raster_pipeline *pipeline, const struct bin_block *cmds, size_t i);
    /* Queues 8x8 pixels, bit y * 8 + x, at even (x, y) of the tile. The queue has room. False: one
     * of them is in flight, and nothing was done. */
    bool (*put)(struct quad_queue *queue, const struct tile_origin *tile,
                const struct raster_prim *prim, unsigned x, unsigned y, uint64_t rows);
    /* Moves in_flight to in_flight_history. */
    void (*retire)(struct quad_queue *queue);
};

KERN_DECLARE(struct raster_quad_queue_kern, raster_quad_queue_kern);

#endif
