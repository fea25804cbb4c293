/* Solid blend in u8, inside the module output: finds the coefficients. */
#ifndef RASTER_OUTPUT_SOLID_BLEND_U8_H
#define RASTER_OUTPUT_SOLID_BLEND_U8_H

#include "raster/output/blend_kern.h"
#include "raster/output/solid_fill.h"

/* Finds integer coefficients for a blend of one colour; false: there are none. */
bool raster_solid_blend_u8_find(struct solid_blend_u8 *coeffs, const struct raster_blend_kern *kern,
                                const struct raster_pixel_write *how, const float colour[4]);

#endif
