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

/* Whether a blend factor is the shader's second colour (reference: blend/dual-source). */
static inline bool raster_is_second_colour(unsigned factor)
{
    return factor == D3DBLEND_SRCCOLOR2 || factor == D3DBLEND_INVSRCCOLOR2;
}

static inline bool raster_takes_two_sources(const struct raster_blend *blend)
{
    return raster_is_second_colour(blend->src) || raster_is_second_colour(blend->dst);
}

/* Format classes of colour targets: kernels are compiled for each. */
enum raster_pixel_class {
    RASTER_PIXEL_RGBA8,    /* tex_is_8888: four bytes, the highest is alpha or unused */
    RASTER_PIXEL_FIELDS,   /* UNORM channels in a word of 1, 2 or 4 bytes */
    RASTER_PIXEL_FIELDS64, /* the same of 8 bytes: red and green, then blue and alpha */
    RASTER_PIXEL_HALF1,    /* R16F */
    RASTER_PIXEL_HALF2,    /* G16R16F */
    RASTER_PIXEL_HALF4,    /* A16B16G16R16F */
    RASTER_PIXEL_FLOAT1,   /* R32F */
    RASTER_PIXEL_FLOAT2,   /* G32R32F */
    RASTER_PIXEL_FLOAT4,   /* A32B32G32R32F */
    RASTER_PIXEL_CLASSES   /* of a format that is no target */
};

/* A UNORM channel: (word >> shift & mask | absent) / max. An absent channel has no mask and reads
 * as `absent`, 0 or 1; others have 0 there. */
struct raster_pixel_field {
    uint32_t mask, absent;
    int shift;
    float max, rcp[2]; /* rcp: 1 / max in two parts, as f32v_div_split takes it */
};

/* How colours become the pixels of a target. */
struct raster_pixel_write {
    const struct tex_format *format;
    struct raster_pixel_field field[4];
    uint32_t unused;  /* formats of up to four bytes: bits that no channel uses */
    uint8_t class;    /* enum raster_pixel_class */
    bool general;     /* two_sources or dithers: raster_general_kern makes the colours */
    bool two_sources; /* blending takes the shader's second colour (reference: blend/dual-source) */
    bool dithers;     /* red, green and blue are dithered (reference: blend/dither) */
    bool plain;       /* neither blending, sRGB, a write mask nor a perturbation */
    bool clamp;       /* a format without floats: colours are clamped before they are blended */
    bool srgb, keeps, perturbs;
    bool red_lowest; /* RASTER_PIXEL_RGBA8: red is the lowest byte; else blue */
    bool alpha;      /* RASTER_PIXEL_RGBA8: the target stores alpha; else it reads as 1 */
    bool grey;       /* RASTER_PIXEL_FIELDS: red is green and blue, too */
    bool two;        /* RASTER_PIXEL_FIELDS: neither blue nor alpha is stored */
    const struct raster_blend_params *blend; /* NULL: no blending; factors clamped if `clamp` */
    uint32_t keep[4];                        /* bits of a pixel that the write mask protects */
    /* If `perturbs`: what a variant renderer adds to encoded colours, and the bits to which it cuts
     * them (variant_cut); 0: it does not. */
    float step[4];
    uint8_t cut[4];
    const float *linear; /* what stored sRGB codes mean, if `srgb` */
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
