/* Vector helpers for the attributes of a batch, which lie in the shader's memory. For the
 * rasteriser's kernels only. */
#ifndef RASTER_WORKER_BATCH_LANES_H
#define RASTER_WORKER_BATCH_LANES_H

#include "raster/worker/batch.h"

#include "util/simd/simd.h"

/* Where a vector of attributes is stored: at row[n] + at for attribute n. */
struct attr_rows {
    float *const *row;
    unsigned at;
};

/* Rows of one vector. In the shader's memory another attribute may follow the last lane, so a
 * vector that reaches past it is stored here first. */
struct spare_rows {
    _Alignas(64) float lane[FRAG_BATCH_ATTRS][SIMD_LANES];
    float *row[FRAG_BATCH_ATTRS];
};

static inline struct attr_rows raster_use_spare_rows(struct spare_rows *spare, unsigned n_attrs)
{
    for (unsigned n = 0; n < n_attrs; n++)
        spare->row[n] = spare->lane[n];
    return (struct attr_rows){spare->row, 0};
}

/* Copies the lanes of a batch from `at` on, but not of the attributes in `skip`. */
SIMD_INLINE void raster_copy_spare_rows(const struct spare_rows *spare,
                                        const struct frag_batch *frags, unsigned at,
                                        unsigned n_attrs, uint32_t skip)
{
    for (unsigned n = 0; n < n_attrs; n++)
        if (!(skip >> n & 1))
            f32v_store_only(frags->attr[n] + at, f32v_load(spare->lane[n]), RASTER_LANES - at);
}

#endif
