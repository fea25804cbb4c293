/* What a draw's state means to tiles, worked out once. */
#ifndef RASTER_PIPELINE_H
#define RASTER_PIPELINE_H

#include "raster/blend_kern.h"
#include "raster/depth_kern.h"
#include "raster/raster.h"
#include "raster/raster_kern.h"
#include "tex/tex.h"

struct raster;

enum {
    TILE_SHIFT = 6, /* of the usual, and largest, tiles of 64x64 pixels */
    BLOCK_DIM = 8,
    BLOCKS_PER_TILE = 64,
    SUBPIXEL_BITS = 8,
    SUBPIXEL = 1 << SUBPIXEL_BITS,
    MAX_SAMPLES = 8,
    MAX_DIM = 16384,
    QUADS = RASTER_LANES / 4,
    /* Positions stay within +-2^23 subpixels, so that coefficients of edges need 25 bits. */
    GUARD_BAND_PX = 32767,
    MAX_VERTEX_FLOATS = RASTER_V_ATTR + RASTER_MAX_ATTRS
};
_Static_assert((int)TEX_LANES == (int)RASTER_LANES, "batches go through tex's pack and unpack");

struct raster_query {
    uint64_t *target;
    struct raster_query *next;
    uint64_t *counts; /* one a worker, QUERY_STRIDE apart */
};
enum { QUERY_STRIDE = 8 };

/* One colour target as a draw uses it. */
struct raster_output {
    const struct raster_surface *surface;
    tex_pack_fn *pack;
    tex_unpack_fn *unpack;
    bool blend, clamp, srgb, has_write_mask;
    bool store_rgba8; /* tex_is_8888, and nothing is done to colours but conversion */
    bool blend_rgba8; /* tex_is_8888, and colours are blended, maybe with a write mask, as `rgba8`
                         says */
    struct raster_byte_blend rgba8;
    bool is_rgba16f;  /* A16B16G16R16F, all of it written */
    bool is_r32f;     /* R32F, not blended */
    uint8_t keep[16]; /* bits of the pixel that the write mask protects */
};

/* A draw's state as tiles need it; lives in the bins' arena. */
struct raster_pipeline {
    struct raster_state s;
    bool early_zs;       /* depth and stencil before shading: nothing after it can drop a pixel */
    bool early_z_reject; /* late, but a failed early depth test is final */
    bool depth_in_place; /* blocks are tested where they lie */
    bool depth_used;     /* reads or writes the depth-stencil surface */
    bool hiz;            /* blocks are judged as a whole before their pixels are tested */
    bool hiz_reject;     /* and what fails leaves nothing behind */
    bool stencil_cull;   /* blocks of one stencil value may be judged by that */
    bool depth_sort;     /* sprites at one depth each may be drawn the nearest first */
    bool shades;
    bool has_side_effects;  /* something besides colours */
    bool overwrites_colour; /* all colours of the pixels that it covers, whatever they are */
    bool use_mask8x8;  /* few pixels may be found when a triangle is set up: PRIM_MASK8X8 */
    bool quad_zs_test; /* and be tested by depth together with others */
    bool batchable;    /* and be taken straight from bins, one primitive after another */
    bool frag_batch;   /* few pixels become lanes by themselves, without those of their quads */
    bool preshade;     /* which may be shaded when their triangle is set up */
    unsigned pattern;  /* of sample positions: their number, 1 where all are the centre */
    bool alpha_cover;  /* alpha decides which samples are drawn */
    bool centroid;     /* some attribute is taken inside the covered samples */
    bool store_direct; /* targets of four bytes take colours as they are, one sample each */
    bool whole_blocks; /* those that one primitive covers are shaded by themselves: block.c */
    uint8_t batch_inputs; /* of their arrays, as enum raster_ps_input */
    bool solid;        /* those of a primitive with equal attributes are of one colour */
    bool rgba8, texture_only; /* s.shade_rgba8, s.shade_texture_only may be asked about them */
    bool axis_aligned;        /* and s.shade_axis_aligned, about tiles */
    bool gradient_fill;       /* s.gradient is all that there is to their colours */
    bool sprite;
    int32_t rect[4];                   /* scissor cut to the surfaces in use */
    int32_t common_rect[4];            /* what all of these have */
    struct raster_depth_stencil ds[2]; /* front, back */
    struct raster_fog_params fog;
    struct raster_blend_params
        blend[2]; /* for targets with floats as they are, with factors clamped */
    unsigned n_outputs;
    struct raster_output output[RASTER_TARGETS];
    uint8_t output_target[RASTER_TARGETS];
    struct raster_query *query;
};

/* pipeline.c: the pipeline of raster->state; NULL: no room. */
const struct raster_pipeline *raster_pipeline_get(struct raster *raster);

#endif
