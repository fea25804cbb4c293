/* The quads of a batch as lanes. Every table gives the same bits. */
#ifndef RASTER_QUAD_KERN_H
#define RASTER_QUAD_KERN_H

#include "raster/depth_kern.h"

#include <string.h>

/* Where two bits of a pixel's number change places; `which`: pixels that have the lower one alone.
 */
static inline uint64_t raster_mask_delta_swap(uint64_t mask, unsigned up, uint64_t which)
{
    uint64_t diff = (mask ^ mask >> up) & which;

    return mask ^ diff ^ diff << up;
}

/* Pixels of a block of 8x8 in the order of quads, from a mask by rows, bit y * 8 + x: four lanes a
 * quad, four quads of 4x4 pixels one after another, the same way four of those. Bits of x and y by
 * turns, x's first. */
static inline uint64_t raster_mask_linear_to_morton(uint64_t rows)
{
    rows = raster_mask_delta_swap(rows, 12, UINT64_C(0x0000f0f00000f0f0));
    rows = raster_mask_delta_swap(rows, 4, UINT64_C(0x00f000f000f000f0));
    return raster_mask_delta_swap(rows, 2, UINT64_C(0x0c0c0c0c0c0c0c0c));
}

/* Where a quad's first bit lies in a mask by rows. */
static inline unsigned raster_morton_to_linear(unsigned bit)
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

/* Two pixels of 32 bits side by side, of which those not covered (bit 0, bit 1) stay as they are.
 */
static inline void raster_store_pair(uint8_t *row, const void *pixels, unsigned covered)
{
    static const uint64_t fresh[4] = {0, 0xffffffff, UINT64_C(0xffffffff00000000), ~UINT64_C(0)};
    uint64_t stored, pair;

    memcpy(&stored, row, sizeof(stored));
    memcpy(&pair, pixels, sizeof(pair));
    stored ^= (stored ^ pair) & fresh[covered];
    memcpy(row, &stored, sizeof(stored));
}

/* Where the values of a batch go; arrays of RASTER_LANES, NULL where nobody reads them. Attribute a
 * goes to work + attr[a].slot * RASTER_LANES. */
struct raster_lanes {
    const struct raster_attr *attr;
    unsigned n_attrs;
    float *x, *y, *z, *w, *face, *work;
};

/* At most 16 quads of 2x2 pixels, each with the primitive it is of; their lanes follow one another.
 * There is memory for 16. */
struct raster_quads {
    const int32_t *x, *y; /* the upper left pixel */
    const struct raster_prim *const *prim;
    unsigned n;
};

/* Depth test alone, against words of 32 bits in memory. */
struct raster_quad_depth {
    const struct raster_quads *quads;
    uint8_t *base; /* of the surface, of which all pixels of the quads are */
    size_t pitch;
    bool write; /* as ds says; else nothing */
};

struct raster_quad_kern {
    /* Attributes and what else is asked for; may write any lanes past the last quad's. */
    void (*interpolate)(const struct raster_lanes *to, const struct raster_quads *quads);
    /* Returns those of `lanes` that pass; a pixel is among them once. No RASTER_DEPTH_UNORM32. */
    uint64_t (*test_depth)(const struct raster_depth_stencil *ds,
                           const struct raster_quad_depth *depth, uint64_t lanes);
};

KERN_DECLARE(struct raster_quad_kern, raster_quad_kern);

#endif
