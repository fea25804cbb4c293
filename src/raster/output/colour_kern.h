/* Colour kernel: fog. One table per instruction set; all
 * give the same bits. Arrays have RASTER_LANES elements and 64-byte alignment. */
#ifndef RASTER_OUTPUT_COLOUR_KERN_H
#define RASTER_OUTPUT_COLOUR_KERN_H

#include "raster/state/params.h"
#include "util/cpu.h"

struct raster_colour_kern {
    /* coord: the fog factor itself for RASTER_FOG_VERTEX, else z or w. */
    void (*fog)(const struct raster_fog_params *fog, const float *coord, const float *const rgb[3],
                float *const out[3]);
};

KERN_DECLARE(struct raster_colour_kern, raster_colour_kern);

#endif
