/* Solid fills: one colour over blocks of a tile, stored or blended. */
#ifndef RASTER_OUTPUT_SOLID_FILL_H
#define RASTER_OUTPUT_SOLID_FILL_H

#include "raster/output/store_kern.h"
#include "raster/raster.h"

struct raster_output;
struct raster_shade_batch;
struct raster_worker;

/* Fixed-point blend of a constant colour, two bytes at a time as 16-bit halves: bytes 0 and 2, then
 * bytes 1 and 3. A byte becomes min(255, (byte * scale / 256 + sum) / 256); both divisions
 * truncate. */
struct solid_blend_u8 {
    uint32_t scale[2], sum[2];
    uint32_t keep;
};

/* How a colour is written to the only target of a pipeline with `solid`. */
struct solid_fill {
    float colour[4];                /* as shaded, with fog */
    struct raster_fill_pixel pixel; /* packed, if it is stored */
    bool has_blend_u8;              /* blend_u8 replaces the float blend */
    struct solid_blend_u8 blend_u8;
};

/* Prepares a fill with the colour of lane 0 of a shaded block. find_u8: the area is large enough to
 * pay for the search for an integer blend. */
void raster_solid_fill_init(struct solid_fill *fill, struct raster_worker *worker,
                            const struct raster_shade_batch *block, bool find_u8);
/* Fills blocks of the worker's tile; single sample. */
void raster_solid_fill_blocks(struct raster_worker *worker, const struct solid_fill *fill,
                              const struct raster_output *output, uint64_t blocks);
/* Fills the pixels `cover`, a mask per sample, of the block at (x, y). */
void raster_solid_fill_block(struct raster_worker *worker, const struct solid_fill *fill,
                             const struct raster_output *output, int32_t x, int32_t y,
                             const uint64_t *cover);
/* Fills the whole tile in all samples. */
void raster_solid_fill_tile(struct raster_worker *worker, const struct solid_fill *fill,
                            const struct raster_output *output);

#endif
