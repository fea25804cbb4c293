/* Parameters that a pipeline computes from a state and gives to kernels: alpha test, fog, blending,
 * depth and stencil. */
#ifndef RASTER_STATE_PARAMS_H
#define RASTER_STATE_PARAMS_H

#include "raster/raster.h"

/* Alpha test at the precision of target 0 (reference: alpha-test/reference). */
struct raster_alpha_test {
    uint8_t func;    /* D3DCMPFUNC */
    bool floats;     /* alpha is compared as it is; else clamped and rounded to a code */
    float max;       /* the largest code, 2^n - 1 */
    float reference; /* a code; floats: ALPHAREF / 255 */
};

struct raster_fog_params {
    uint8_t mode;                         /* enum raster_fog */
    float end, range, density, colour[3]; /* range: end - start */
};

struct raster_blend_params {
    struct raster_blend rgb, alpha;
    float factor[4];
};

/* Blending of RGBA8 targets. */
struct raster_byte_blend {
    const struct raster_blend_params *params; /* blend factors clamped */
    bool red_lowest;                          /* red is the lowest byte; else blue */
    bool alpha;                               /* the target stores alpha; else it reads as 1 */
    uint32_t keep;                            /* bits of a word that the write mask protects */
};

/* Encodings of a depth in [0,1]; all codes compare as integers (reference: depth/quantise). */
enum raster_depth_code {
    RASTER_DEPTH_UNORM, /* round(z * (2^bits - 1)), up to 24 bits */
    RASTER_DEPTH_UNORM32,
    RASTER_DEPTH_FLOAT32, /* the bits of the float */
    RASTER_DEPTH_FLOAT24  /* 4 bits of exponent, 20 of mantissa */
};

/* Depth and stencil test of one facing. Functions and operations are D3DCMPFUNC and D3DSTENCILOP;
 * fields, masks and ref are shifted to their place in the stored word. */
struct raster_depth_stencil {
    bool depth_test, depth_write, stencil_test, bounds_test;
    uint8_t code, bits, shift; /* code: enum raster_depth_code */
    uint8_t bytes;             /* of a pixel in memory */
    uint8_t depth_func, stencil_func, fail, zfail, pass;
    uint32_t depth_field, stencil_field, stencil_one;
    uint32_t ref, mask, write_mask;
    uint32_t bounds[2]; /* minimum and maximum of the stored depth */
};

#endif
