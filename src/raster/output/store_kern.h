/* Store kernel: fills areas of a surface, and stores the lanes of a batch to the pixels of
 * fragments. One table per instruction set; all give the same bits. */
#ifndef RASTER_OUTPUT_STORE_KERN_H
#define RASTER_OUTPUT_STORE_KERN_H

#include "raster/output/output_kern.h"
#include "raster/worker/batch.h"
#include "util/cpu.h"

struct raster_store_kern {
    /* Fills width x height pixels, both multiples of 8, with one word. */
    void (*fill)(uint8_t *rows, size_t pitch, unsigned width, unsigned height, uint32_t word);
    /* Copy the pixels of single fragments from and to an array in order of lanes; the second those
     * of `lanes`. Indexed by raster_pixel_size. */
    void (*gather[RASTER_PIXEL_SIZES])(const struct frag_batch *frags,
                                       const struct tile_surface *surface, uint8_t *pixels);
    void (*scatter[RASTER_PIXEL_SIZES])(const struct frag_batch *frags,
                                        const struct tile_surface *surface, const uint8_t *pixels,
                                        uint64_t lanes);
    /* Scatters words of 32 bits, one a lane of single fragments, to their pixels. */
    void (*store_fragments)(const struct frag_batch *frags, const struct tile_surface *surface,
                            const uint32_t *words);
};
KERN_DECLARE(struct raster_store_kern, raster_store_kern);

#endif
