/* Output kernel: writes 64 lanes of colours to pixels of any target format. One table per
 * instruction set; all give the same bits as unpacking with tex, blending channel by channel and
 * packing with tex. */
#ifndef RASTER_OUTPUT_OUTPUT_KERN_H
#define RASTER_OUTPUT_OUTPUT_KERN_H

#include "raster/state/params.h"
#include "util/cpu.h"

enum { RASTER_PIXEL_SIZES = 5 }; /* 1, 2, 4, 8 and 16 bytes */

/* The index of a pixel's size. */
static inline unsigned raster_pixel_size(unsigned bytes)
{
    return (unsigned)__builtin_ctz(bytes);
}

/* Pixels are an 8x8 block, rows `pitch` bytes apart and lanes in quad order, or with pitch 0 an
 * array in order of lanes. Only those of `lanes` are changed; the others may be written back. */
struct raster_output_kern {
    /* Blends, encodes, packs and stores colours, each channel's values in an aligned array: in
     * place if how->blend or how->keeps. Indexed by enum raster_pixel_class. */
    void (*write[RASTER_PIXEL_CLASSES])(const struct raster_pixel_write *how, uint8_t *rows,
                                        size_t pitch, const float *const colour[4], uint64_t lanes);
    /* Stores those pixels of a packed block whose bits are set in `cover`, in linear order. The
     * packed rows are aligned and adjacent. Indexed by raster_pixel_size. */
    void (*store[RASTER_PIXEL_SIZES])(uint8_t *rows, size_t pitch, const uint8_t *block,
                                      uint64_t cover);
    /* Copy the pixels of a block, or of an array, from and to words: array w has word w of each
     * lane's pixel. A pixel of one or two bytes is the low part of a word; other bits are ignored,
     * and read as 0. Indexed by raster_pixel_size. */
    void (*read_words[RASTER_PIXEL_SIZES])(const uint8_t *rows, size_t pitch,
                                           uint32_t (*words)[RASTER_LANES]);
    void (*write_words[RASTER_PIXEL_SIZES])(uint8_t *rows, size_t pitch,
                                            uint32_t (*words)[RASTER_LANES], uint64_t lanes);
    /* Stores words, one a lane, with the bits of `set` added. */
    void (*store_words)(uint8_t *rows, size_t pitch, const uint32_t *words, uint32_t set,
                        uint64_t lanes);
};
KERN_DECLARE(struct raster_output_kern, raster_output_kern);

#endif
