/* Store kernel: fills areas of a surface, and copies the pixels of a batch's lanes. One table per
 * instruction set; all give the same bits. */
#ifndef RASTER_OUTPUT_STORE_KERN_H
#define RASTER_OUTPUT_STORE_KERN_H

#include "raster/output/output_kern.h"
#include "raster/worker/batch.h"
#include "util/cpu.h"

/* A pixel, repeated to 16 bytes: bits that it sets, and bits of the old pixel that stay. */
struct raster_fill_pixel {
    uint64_t value[2], keep[2];
};

struct raster_store_kern {
    /* Fills rows of `bytes` bytes, a multiple of 8. */
    void (*fill)(uint8_t *rows, size_t pitch, size_t bytes, unsigned height,
                 const struct raster_fill_pixel *pixel);
    /* Copy the pixels of single fragments from and to an array in order of lanes; the second those
     * of `lanes`. Indexed by raster_pixel_size. */
    void (*gather[RASTER_PIXEL_SIZES])(const struct frag_batch *frags,
                                       const struct tile_surface *surface, uint8_t *pixels);
    void (*scatter[RASTER_PIXEL_SIZES])(const struct frag_batch *frags,
                                        const struct tile_surface *surface, const uint8_t *pixels,
                                        uint64_t lanes);
    /* The same for quads, all of whose pixels the surface contains. */
    void (*gather_quads[RASTER_PIXEL_SIZES])(const struct raster_quads *quads,
                                             const struct tile_surface *surface, uint8_t *pixels);
    void (*scatter_quads[RASTER_PIXEL_SIZES])(const struct raster_quads *quads,
                                              const struct tile_surface *surface,
                                              const uint8_t *pixels, uint64_t lanes);
    /* Scatters words of 32 bits, one a lane of single fragments, to their pixels. */
    void (*store_fragments)(const struct frag_batch *frags, const struct tile_surface *surface,
                            const uint32_t *words);
};
KERN_DECLARE(struct raster_store_kern, raster_store_kern);

#endif
