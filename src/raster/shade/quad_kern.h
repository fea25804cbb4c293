/* Quad kernels: interpolation and depth test of 16 quads, each with its own primitive; and
 * conversions of mask order. One table per instruction set; all give the same bits. */
#ifndef RASTER_SHADE_QUAD_KERN_H
#define RASTER_SHADE_QUAD_KERN_H

#include "raster/zs/depth_kern.h"

#include <string.h>

/* Permutes a mask: exchanges the bits of `which` with those that lie `up` bits above them. */
static inline uint64_t raster_mask_delta_swap(uint64_t mask, unsigned up, uint64_t which)
{
    uint64_t diff = (mask ^ mask >> up) & which;

    return mask ^ diff ^ diff << up;
}

/* Converts a block's mask from linear order, bit y * 8 + x, to Morton order, which interleaves the
 * bits of x and y: lanes 4q to 4q + 3 are a quad. */
static inline uint64_t raster_mask_linear_to_morton(uint64_t rows)
{
    rows = raster_mask_delta_swap(rows, 12, UINT64_C(0x0000f0f00000f0f0));
    rows = raster_mask_delta_swap(rows, 4, UINT64_C(0x00f000f000f000f0));
    return raster_mask_delta_swap(rows, 2, UINT64_C(0x0c0c0c0c0c0c0c0c));
}

/* Linear index of a quad's first pixel, from its index in Morton order. */
static inline unsigned raster_morton_to_linear(unsigned bit)
{
    return (bit & 4) / 2 + (bit & 16) / 4 + ((bit & 8) / 4 + (bit & 32) / 8) * 8;
}

/* Returns the first lane of every quad that has a covered pixel. */
static inline uint64_t raster_touched_quads(uint64_t quads)
{
    quads |= quads >> 1;
    quads |= quads >> 2;
    return quads & UINT64_C(0x1111111111111111);
}

/* Stores two adjacent 32-bit pixels, each only if its bit of `covered` (0: left) is set. */
static inline void raster_store_pair(uint8_t *row, const void *pixels, unsigned covered)
{
    static const uint64_t fresh[4] = {0, 0xffffffff, UINT64_C(0xffffffff00000000), ~UINT64_C(0)};
    uint64_t stored, pair;

    memcpy(&stored, row, sizeof(stored));
    memcpy(&pair, pixels, sizeof(pair));
    stored ^= (stored ^ pair) & fresh[covered];
    memcpy(row, &stored, sizeof(stored));
}

/* Destination of interpolated values; arrays of RASTER_LANES, NULL where they are not read.
 * Attribute a goes to work + attr[a].slot * RASTER_LANES. */
struct raster_lanes {
    const struct raster_attr *attr;
    unsigned n_attrs;
    float *x, *y, *z, *w, *face, *work;
};

/* Up to 16 quads; quad q is lanes 4q to 4q + 3. The arrays always have 16 elements. */
struct raster_quads {
    const int32_t *x, *y; /* upper left pixel */
    const struct raster_prim *const *prim;
    unsigned n;
};

/* Depth test without stencil or bounds, on a surface of 32-bit words. */
struct raster_quad_depth {
    const struct raster_quads *quads;
    uint8_t *base; /* of the surface, which contains every pixel of the quads */
    size_t pitch;
    bool write; /* store depths if ds->depth_write */
};

struct raster_quad_kern {
    /* Interpolates attributes and the requested inputs; may write lanes past the last quad's. */
    void (*interpolate)(const struct raster_lanes *to, const struct raster_quads *quads);
    /* Returns those of `lanes` that pass. No pixel may occur twice. Not for
     * RASTER_DEPTH_UNORM32. */
    uint64_t (*test_depth)(const struct raster_depth_stencil *ds,
                           const struct raster_quad_depth *depth, uint64_t lanes);
};

KERN_DECLARE(struct raster_quad_kern, raster_quad_kern);

#endif
