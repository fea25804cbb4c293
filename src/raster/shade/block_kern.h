/* Block kernel: interpolation and output of 8x8 blocks of one primitive, without masks. One table
 * per instruction set; all give the same bits as raster_kern's loops. */
#ifndef RASTER_SHADE_BLOCK_KERN_H
#define RASTER_SHADE_BLOCK_KERN_H

#include "raster/raster.h"
#include "util/cpu.h"

struct raster_prim;

/* A block to interpolate. Lanes are in quad order, as in a batch: 2x2 quads, row after row. */
struct raster_block {
    const struct raster_prim *prim;
    const struct raster_attr *attr;
    unsigned n_attrs;
    float x, y;              /* first pixel */
    bool with_const_attribs; /* also store constant attributes */
    float *z, *w, *work;     /* results, as in struct raster_lanes; z, w NULL: not needed */
};

struct raster_block_kern {
    void (*interpolate)(const struct raster_block *block);
    /* Packs to words of four UNORM bytes in eight rows, pitch apart; from[c]: the values of byte c;
     * from[3] NULL: ones (reference: numbers/unorm). */
    void (*pack_rgba8)(uint8_t *rows, size_t pitch, const float *const from[4]);
    /* Stores lanes' words to eight rows, with the bits in `set` added. */
    void (*store_rgba8)(uint8_t *rows, size_t pitch, const uint32_t *words, uint32_t set);
    /* Stores lanes' floats as R32F (reference: numbers/nan, numbers/denormals). */
    void (*pack_r32f)(uint8_t *rows, size_t pitch, const float *from);
    /* Masked store of 8x8 words, given row after row; one mask bit per pixel. */
    void (*store_masked)(uint8_t *rows, size_t pitch, const uint8_t *words, uint64_t mask);
    /* Fills width x height pixels, both multiples of 8, with one word. */
    void (*fill)(uint8_t *rows, size_t pitch, unsigned width, unsigned height, uint32_t word);
};
KERN_DECLARE(struct raster_block_kern, raster_block_kern);

#endif
