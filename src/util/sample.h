/* What a shader asks of a sampler: said by the shader machine, answered by tex, which do not know
 * each other. */
#ifndef UTIL_SAMPLE_H
#define UTIL_SAMPLE_H

#include <stdint.h>

enum lod { LOD_IMPLICIT, LOD_BIAS, LOD_EXPLICIT, LOD_GRADIENT };

/* One texture instruction over 64 lanes. Lanes 4q … 4q + 3 are the pixels (x, y) (x + 1, y)
 * (x, y + 1) (x + 1, y + 1) of quad q: implicit LOD comes from differences inside it. Arrays are
 * 64-byte aligned. */
struct sample {
    unsigned sampler; /* vertex samplers: 0 to 3 */
    enum lod lod_mode;
    uint64_t lanes;               /* whose texel is wanted; others may be left or written */
    const float *coord[4];        /* u, v, w (also the reference of a depth comparison), q after any
                                     projection; unused ones may be NULL */
    const float *lod;             /* bias or explicit level, else NULL */
    const float *ddx[3], *ddy[3]; /* there with LOD_GRADIENT only */
    float *texel[4];              /* r, g, b, a; NULL: not wanted */
};

#endif
