/* Depth-stencil kernel: tests pixels in place, as 8x8 blocks of a tile or as the lanes of a batch.
 * One table per instruction set; all give the same bits. */
#ifndef RASTER_ZS_ZS_KERN_H
#define RASTER_ZS_ZS_KERN_H

#include "raster/prim/plane.h"
#include "raster/state/params.h"
#include "raster/worker/batch.h"
#include "util/cpu.h"

/* The 8x8 blocks of a tile in one sample plane. Block masks have bit y * 8 + x for block (x, y). */
struct raster_zs_blocks {
    const struct raster_interp_plane *z;
    float dx, dy, offset; /* distance of the first block's first pixel from the plane's anchor;
                             depth offset */
    const float *depths;  /* of the pixels of a single block, instead of z; NULL: none */
    uint8_t *base;        /* that pixel in memory */
    size_t pitch;
    bool write;             /* writes as ds says; else read-only */
    uint64_t passes, fails; /* blocks known to pass or fail by depth as a whole; they write no
                               depth */
    uint64_t *lanes; /* lane mask of the first block; others `stride` masks apart. In: lanes to
                        test; out: lanes that pass */
    unsigned stride;
};

/* The lanes of a batch: quads, or else fragments. No pixel may occur twice. */
struct raster_zs_lanes {
    const struct raster_quads *quads; /* NULL: fragments */
    const struct frag_batch *frags;   /* those from `first` on are lanes 0 and up */
    unsigned first;
    const float *depths; /* of each lane, its offset included; NULL: quads have those of their
                            primitives' planes, offset included */
    float x, y;          /* position of the sample from the centres of the quads' pixels */
    uint8_t *base; /* of the surface, which contains every pixel of the quads; of fragments: of the
                      tile */
    size_t pitch;
    bool write; /* writes as ds says; else read-only */
};

struct raster_zs_kern {
    /* Tests the blocks in `wanted`. Pixels have 32 or 16 bits; rows without lanes need not be
     * mapped. */
    void (*test_blocks)(const struct raster_depth_stencil *ds,
                        const struct raster_zs_blocks *blocks, uint64_t wanted);
    /* Returns those of the wanted lanes that pass. */
    uint64_t (*test_lanes)(const struct raster_depth_stencil *ds,
                           const struct raster_zs_lanes *lanes, uint64_t wanted);
};
KERN_DECLARE(struct raster_zs_kern, raster_zs_kern);

#endif
