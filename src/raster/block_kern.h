/* The inner loops of whole blocks: all 8x8 pixels are one primitive's, and there are no masks. One
 * table an instruction set; every table gives the same bits, which are those of raster_kern's
 * loops. */
#ifndef RASTER_BLOCK_KERN_H
#define RASTER_BLOCK_KERN_H

#include "raster/raster.h"
#include "util/cpu.h"

struct raster_prim;

/* Lanes lie as in a batch: quads of 2x2, row after row. */
struct raster_block {
    const struct raster_prim *prim;
    const struct raster_attr *attr;
    unsigned n_attrs;
    float x, y;          /* its first pixel */
    bool with_const_attribs; /* attributes with one value are wanted too */
    float *z, *w, *work; /* results as in raster_interpolation; z and w NULL: not wanted */
};

struct raster_block_kern {
    void (*interpolate)(const struct raster_block *block);
    /* To words of four UNORM bytes in eight rows, pitch apart; from[c]: the values of byte c,
     * from[3] NULL: ones (reference: numbers/unorm). */
    void (*pack_rgba8)(uint8_t *rows, size_t pitch, const float *const from[4]);
    /* Words of lanes to eight rows, `set` in all of them. */
    void (*store_rgba8)(uint8_t *rows, size_t pitch, const uint32_t *words, uint32_t set);
    /* Floats of lanes as R32F stores them (reference: numbers/nan, numbers/denormals). */
    void (*pack_r32f)(uint8_t *rows, size_t pitch, const float *from);
    /* Those of 8x8 words, row after row, whose bit is in the mask. */
    void (*put_some)(uint8_t *rows, size_t pitch, const uint8_t *words, uint64_t mask);
    /* One word over width x height pixels, multiples of 8. */
    void (*fill)(uint8_t *rows, size_t pitch, unsigned width, unsigned height, uint32_t word);
};
KERN_DECLARE(struct raster_block_kern, raster_block_kern);

#endif
