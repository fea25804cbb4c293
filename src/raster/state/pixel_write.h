/* How a pipeline writes the pixels of a target: format class, write mask and encoding. */
#ifndef RASTER_STATE_PIXEL_WRITE_H
#define RASTER_STATE_PIXEL_WRITE_H

#include "raster/state/params.h"

/* RASTER_PIXEL_CLASSES: the format is no colour target. */
enum raster_pixel_class raster_pixel_class(const struct tex_format *format);
/* Whether the state dithers pixels of the format: red, green and blue of fewer than 8 bits. */
bool raster_dithers(const struct raster_state *state, const struct tex_format *format);
/* Sets all but the blend factors' address. write_mask: a bit per channel. Returns false if it
 * protects all channels of the format. */
bool raster_pixel_write_init(struct raster_pixel_write *write, const struct tex_format *format,
                             const struct raster_state *state, unsigned write_mask);

#endif
