/* Depth, stencil and alpha test kernel: tests lanes, or one constant depth against a rectangle. One
 * table per instruction set; all give the same bits. */
#ifndef RASTER_ZS_DEPTH_KERN_H
#define RASTER_ZS_DEPTH_KERN_H

#include "raster/prim/plane.h"
#include "raster/state/params.h"
#include "util/cpu.h"

struct raster_depth_kern {
    /* Evaluates the plane at 8x8 points, the first (dx, dy) from its anchor, and adds an offset. */
    void (*block_plane)(float *out, const struct raster_interp_plane *plane, float dx, float dy,
                        float offset);
    /* Clamps to [0,1], encodes, and shifts codes to their place in the stored word. */
    void (*depth_encode)(const struct raster_depth_stencil *ds, const float *z, uint32_t *out);
    /* The same for one depth. */
    uint32_t (*depth_code)(const struct raster_depth_stencil *ds, float z);
    /* Tests the lanes in `lanes`, updates their words, and returns those that pass. */
    uint64_t (*depth_stencil)(const struct raster_depth_stencil *ds, const uint32_t *z,
                              uint32_t *words, uint64_t lanes);
    /* Tests one encoded depth against width x height pixels; width is a multiple of 16. True: all
     * pass, and if ds->depth_write they are updated. False: nothing was written. Ignores stencil
     * and bounds. */
    bool (*const_depth_test)(const struct raster_depth_stencil *ds, uint32_t code, uint8_t *base,
                             size_t pitch, unsigned width, unsigned height);
    /* Returns the lanes that pass. */
    uint64_t (*alpha_test)(const float *alpha, const struct raster_alpha_test *test);
};
KERN_DECLARE(struct raster_depth_kern, raster_depth_kern);

#endif
