/* The inner loops of the rasteriser, one table per instruction set. Arrays are RASTER_LANES long
 * and 64-byte aligned; every table gives the same bits. */
#ifndef RASTER_RASTER_KERN_H
#define RASTER_RASTER_KERN_H

#include "raster/raster.h"
#include "util/cpu.h"

struct raster_prim;

/* A value over the screen: at (x, y) it is a + (b * (x - anchor_x) + c * (y - anchor_y)), where the
 * anchor is the primitive's (reference: raster/interpolation). */
struct raster_plane {
    float a, b, c;
};

/* Lanes first … end - 1 of a batch belong to one primitive. */
struct raster_run {
    const struct raster_prim *prim;
    unsigned first, end;
};

struct raster_interpolation {
    const struct raster_run *runs;
    unsigned n_runs;
    const struct raster_attr *attr;
    unsigned n_attrs;
    const float *x, *y;         /* pixels */
    float *z, *w, *face, *work; /* results; attribute a at work + attr[a].slot * RASTER_LANES */
};

/* How a depth in [0,1] is stored; all codes compare as integers (reference: depth/quantise). */
enum raster_depth_code {
    RASTER_DEPTH_UNORM, /* round(z * (2^bits - 1)), up to 24 bits */
    RASTER_DEPTH_UNORM32,
    RASTER_DEPTH_FLOAT32, /* the bits of the float */
    RASTER_DEPTH_FLOAT24  /* 4 bits of exponent, 20 of fraction */
};

/* Depth and stencil test of one facing. Functions and operations are D3DCMPFUNC and D3DSTENCILOP;
 * fields, masks and the reference lie where the stored word has them. */
struct raster_depth_stencil {
    bool depth_test, depth_write, stencil_test, bounds_test;
    uint8_t code, bits, shift; /* enum raster_depth_code */
    uint8_t depth_func, stencil_func, fail, zfail, pass;
    uint32_t depth_field, stencil_field, stencil_one;
    uint32_t ref, mask, write_mask;
    uint32_t bounds[2]; /* least and most of a stored depth */
};

struct raster_depth_block {
    const struct raster_plane *z;
    float dx, dy, offset; /* of the first pixel from the plane's anchor; to add to each depth */
    uint8_t *base;
    size_t pitch;
    bool write; /* those that pass, if ds->depth_write */
};

struct raster_fog_params {
    uint8_t mode;                         /* enum raster_fog */
    float end, range, density, colour[3]; /* range: end - start */
};

struct raster_blend_params {
    struct raster_blend rgb, alpha;
    float factor[4];
};

struct raster_kern {
    /* Which of the 8x8 pixels have e + x * a + y * b >= 0 for all three edges; bit y * 8 + x. */
    uint64_t (*cover)(const int32_t e[3], const int32_t a[3], const int32_t b[3]);
    /* The plane at 8x8 points, the first (dx, dy) from its anchor, plus an offset. */
    void (*block_plane)(float *out, const struct raster_plane *plane, float dx, float dy,
                        float offset);
    void (*interpolate)(const struct raster_interpolation *in);
    /* Clamps to [0,1] and encodes, shifted to where a stored word has its depth. */
    void (*depth_encode)(const struct raster_depth_stencil *ds, const float *z, uint32_t *out);
    /* Tests the lanes of `lanes`; updates their words as the state asks; returns those that pass.
     */
    uint64_t (*depth_stencil)(const struct raster_depth_stencil *ds, const uint32_t *z,
                              uint32_t *words, uint64_t lanes);
    /* block_plane, depth_encode and depth_stencil in one, for an 8x8 block of words of 32 bits in
     * memory, rows pitch bytes apart: depth test alone, no RASTER_DEPTH_UNORM32. */
    uint64_t (*depth_block)(const struct raster_depth_stencil *ds,
                            const struct raster_depth_block *block, uint64_t lanes);
    /* One encoded depth against width x height words, width a multiple of 16: whether all pass,
     * which then are updated as ds->depth_write says; else none is. Depth test alone. */
    bool (*depth_level)(const struct raster_depth_stencil *ds, uint32_t code, uint8_t *base,
                        size_t pitch, unsigned width, unsigned height);
    /* Lanes whose value, rounded to 8 bits, passes against ref; func is a D3DCMPFUNC. */
    uint64_t (*alpha_test)(const float *alpha, unsigned ref, unsigned func);
    /* coord: the factor itself for RASTER_FOG_VERTEX, else z or w. */
    void (*fog)(const struct raster_fog_params *fog, const float *coord, const float *const rgb[3],
                float *const out[3]);
    void (*saturate)(const float *in, float *out);
    void (*blend)(const struct raster_blend_params *blend, const float *const src[4],
                  const float *const dst[4], float *const out[4]);
};

KERN_DECLARE(struct raster_kern, raster_kern);

#endif
