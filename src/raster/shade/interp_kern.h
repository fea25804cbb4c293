/* Interpolation kernel: fills the inputs of a batch from the planes of its primitives. One table
 * per instruction set; all give the same bits. */
#ifndef RASTER_SHADE_INTERP_KERN_H
#define RASTER_SHADE_INTERP_KERN_H

#include "raster/worker/batch.h"
#include "util/cpu.h"

enum { CENTROID_PLACES = 2 << CENTROID_LOW_BITS };

/* Positions of centroid attributes: from the centres of pixels to sample n at index n + 1. */
struct raster_centroids {
    struct centroid_samples samples; /* of all lanes */
    _Alignas(64) float x[CENTROID_PLACES], y[CENTROID_PLACES];
};

struct raster_interp_kern {
    /* The 8x8 block of one primitive whose first pixel is (x, y), as quads row after row.
     * with_const_attribs: stores constant attributes, too. near_zero: attributes whose sums may be
     * below `tiny`, one bit each. */
    void (*block)(const struct raster_lanes *to, const struct raster_prim *prim, float x, float y,
                  bool with_const_attribs, uint64_t near_zero);
    /* Quads; may write lanes past the last quad's. off_centre: lanes that `centroids` follows for;
     * near them, centroid attributes are left out. */
    void (*quads)(const struct raster_lanes *to, const struct raster_quads *quads,
                  uint64_t off_centre);
    /* Stores the centroid attributes of quads off the centres, and near them. */
    void (*centroids)(const struct raster_lanes *to, const struct raster_quads *quads,
                      const struct raster_centroids *centroids);
};
KERN_DECLARE(struct raster_interp_kern, raster_interp_kern);

#endif
