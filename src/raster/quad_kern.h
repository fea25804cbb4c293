/* A primitive's pixels as lanes of a batch. Every table gives the same bits. */
#ifndef RASTER_QUAD_KERN_H
#define RASTER_QUAD_KERN_H

#include "raster/raster_kern.h"

/* Where two bits of a pixel's number change places; `which`: pixels that have the lower one alone.
 */
static inline uint64_t raster_swap_bits(uint64_t mask, unsigned up, uint64_t which)
{
    uint64_t differ = (mask ^ mask >> up) & which;

    return mask ^ differ ^ differ << up;
}

/* Pixels of a block of 8x8 in the order of quads, from a mask by rows, bit y * 8 + x: four lanes a
 * quad, four quads of 4x4 pixels one after another, the same way four of those. Bits of x and y by
 * turns, x's first. */
static inline uint64_t raster_quads_of_rows(uint64_t rows)
{
    rows = raster_swap_bits(rows, 12, UINT64_C(0x0000f0f00000f0f0));
    rows = raster_swap_bits(rows, 4, UINT64_C(0x00f000f000f000f0));
    return raster_swap_bits(rows, 2, UINT64_C(0x0c0c0c0c0c0c0c0c));
}

/* Where a quad's first bit lies in a mask by rows. */
static inline unsigned raster_row_of_quad(unsigned bit)
{
    return (bit & 4) / 2 + (bit & 16) / 4 + ((bit & 8) / 4 + (bit & 32) / 8) * 8;
}

/* The first lane of every quad that has a pixel. */
static inline uint64_t raster_touched_quads(uint64_t quads)
{
    quads |= quads >> 1;
    quads |= quads >> 2;
    return quads & UINT64_C(0x1111111111111111);
}

/* Where the values of a batch go; arrays of RASTER_LANES, NULL where nobody reads them. Attribute a
 * goes to work + attr[a].slot * RASTER_LANES. */
struct raster_lanes {
    const struct raster_attr *attr;
    unsigned n_attrs;
    float *x, *y, *z, *w, *face, *work;
};

struct raster_quad_kern {
    /* Interpolates the quads that have pixels, those of the block at (x, y), to the lanes from
     * `lane` on, and may write any lanes after those. */
    void (*collect)(const struct raster_lanes *to, const struct raster_prim *prim, uint64_t quads,
                    int32_t x, int32_t y, unsigned lane);
};

KERN_DECLARE(struct raster_quad_kern, raster_quad_kern);

#endif
