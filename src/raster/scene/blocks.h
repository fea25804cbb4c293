/* Tiles and their 8x8 blocks: sizes, positions of samples, and masks with a bit per pixel of a
 * block. */
#ifndef RASTER_SCENE_BLOCKS_H
#define RASTER_SCENE_BLOCKS_H

#include "raster/raster.h"

enum {
    TILE_SHIFT = 6, /* of the default and largest tile, 64x64 pixels */
    BLOCK_DIM = 8,
    BLOCKS_PER_TILE = 64,
    SUBPIXEL_BITS = 8,
    SUBPIXEL = 1 << SUBPIXEL_BITS,
    MAX_SAMPLES = 16,
    MAX_DIM = 16384,
    QUADS = RASTER_LANES / 4,
    /* Positions stay within +-2^23 subpixels, so edge coefficients need 25 bits. */
    GUARD_BAND_PX = 32767,
    MAX_VERTEX_FLOATS = RASTER_V_ATTR + RASTER_MAX_ATTRS
};

/* Sample positions: [number of positions][sample], in 1/16 pixel from the centre. */
extern const int8_t raster_sample_x[MAX_SAMPLES + 1][MAX_SAMPLES];
extern const int8_t raster_sample_y[MAX_SAMPLES + 1][MAX_SAMPLES];

struct tile_origin {
    int32_t x, y;
    int32_t last; /* offset of the last 8x8 pixels in the tile */
};

/* Clips a rectangle (left, top, right, bottom); false: nothing is left. */
static inline bool raster_rect_intersect(int32_t rect[4], const int32_t by[4])
{
    rect[0] = rect[0] > by[0] ? rect[0] : by[0];
    rect[1] = rect[1] > by[1] ? rect[1] : by[1];
    rect[2] = rect[2] < by[2] ? rect[2] : by[2];
    rect[3] = rect[3] < by[3] ? rect[3] : by[3];
    return rect[0] < rect[2] && rect[1] < rect[3];
}

/* Clips a mask of 8x8 pixels at (*x, *y) of the target to the tile. *x and *y become the offset of
 * the returned mask in the tile. */
static inline uint64_t raster_move_into_tile(const struct tile_origin *tile, uint64_t rows,
                                             int32_t *x, int32_t *y)
{
    const uint64_t column = UINT64_C(0x0101010101010101);
    int32_t left = *x - tile->x, top = *y - tile->y, last = tile->last;

    if (left < 0)
        rows = rows >> -left & (0xffu >> -left) * column;
    else if (left > last)
        rows = (rows & (0xffu >> (left - last)) * column) << (left - last);
    if (top < 0)
        rows >>= -top * 8;
    else if (top > last)
        rows <<= (top - last) * 8;
    *x = left < 0 ? 0 : left > last ? last : left;
    *y = top < 0 ? 0 : top > last ? last : top;
    return rows;
}

/* --- Order of a mask's bits ------------------------------------------------------------------- */

/* Permutes a mask: exchanges the bits of `which` with those that lie `up` bits above them. */
static inline uint64_t raster_mask_delta_swap(uint64_t mask, unsigned up, uint64_t which)
{
    uint64_t diff = (mask ^ mask >> up) & which;

    return mask ^ diff ^ diff << up;
}

/* Converts a block's mask from linear order (bit y * 8 + x) to quad order, in which four lanes form
 * a 2x2 quad, and back. Bit 3 of a linear index, the lowest bit of y, becomes bit 1 of a lane. */
static inline uint64_t raster_mask_linear_to_quad(uint64_t mask)
{
    mask = raster_mask_delta_swap(mask, 4, UINT64_C(0x00f000f000f000f0));
    return raster_mask_delta_swap(mask, 2, UINT64_C(0x0c0c0c0c0c0c0c0c));
}

static inline uint64_t raster_mask_quad_to_linear(uint64_t mask)
{
    mask = raster_mask_delta_swap(mask, 2, UINT64_C(0x0c0c0c0c0c0c0c0c));
    return raster_mask_delta_swap(mask, 4, UINT64_C(0x00f000f000f000f0));
}

/* Returns the first lane of every quad that has a covered pixel. */
static inline uint64_t raster_touched_quads(uint64_t quads)
{
    quads |= quads >> 1;
    quads |= quads >> 2;
    return quads & UINT64_C(0x1111111111111111);
}

#endif
