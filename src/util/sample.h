/* Texture sampling request: the interface between the shader machine, which fills it, and tex,
 * which executes it. Neither depends on the other. */
#ifndef UTIL_SAMPLE_H
#define UTIL_SAMPLE_H

#include <stdint.h>

enum lod { LOD_IMPLICIT, LOD_BIAS, LOD_EXPLICIT, LOD_GRADIENT };

/* One texture instruction over 64 lanes. Lanes 4q … 4q + 3 are the pixels of quad q: upper left,
 * upper right, lower left, lower right. Implicit LOD uses their differences. Arrays are 64-byte
 * aligned. */
struct sample {
    unsigned sampler; /* vertex samplers: 0 to 3 */
    enum lod lod_mode;
    uint64_t lanes;               /* lanes to sample; texels of other lanes may be written or not */
    const float *coord[4];        /* u, v, w (also the reference of a depth comparison), q;
                                   * projected; unused ones may be NULL */
    const float *lod;             /* LOD bias or explicit LOD; else NULL */
    const float *ddx[3], *ddy[3]; /* only with LOD_GRADIENT */
    float *texel[4];              /* r, g, b, a; NULL: not needed */
};

#endif
