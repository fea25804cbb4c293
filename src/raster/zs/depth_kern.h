/* Depth and alpha kernel: tests one constant depth against a rectangle, and alphas. One table per
 * instruction set; all give the same bits. */
#ifndef RASTER_ZS_DEPTH_KERN_H
#define RASTER_ZS_DEPTH_KERN_H

#include "raster/prim/plane.h"
#include "raster/state/params.h"
#include "util/cpu.h"

struct raster_depth_kern {
    /* Clamps to [0,1], encodes, and shifts the code to its place in the stored word. */
    uint32_t (*depth_code)(const struct raster_depth_stencil *ds, float z);
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
