/* State: translates a draw's state to a pipeline, the decisions and parameters that tiles need. The
 * decisions follow from the shape of the state, and draws with other values share them. */
#ifndef RASTER_STATE_PIPELINE_H
#define RASTER_STATE_PIPELINE_H

#include "raster/merge/merge.h"
#include "raster/scene/blocks.h"
#include "raster/state/params.h"
#include "tex/tex.h"

struct raster;
struct ir_code;

/* A colour target as a pipeline writes it. */
struct raster_output {
    const struct raster_surface *surface;
    struct raster_pixel_write write;
    const struct ir_code *merge; /* writes the pixels; NULL: a kernel does */
};

/* Whether the output's pixels depend on the stored ones. */
static inline bool raster_output_reads(const struct raster_output *output)
{
    return output->write.blend || output->write.keeps;
}

/* A format of four bytes whose pixels are packed colours. */
static inline bool raster_stores_rgba8(const struct raster_output *output)
{
    return output->write.class == RASTER_PIXEL_RGBA8 && output->write.plain;
}

/* A format of four bytes whose pixels are blended, with or without a write mask. */
static inline bool raster_blends_rgba8(const struct raster_output *output)
{
    return output->write.class == RASTER_PIXEL_RGBA8 && output->write.blend &&
           !output->write.srgb && !output->write.perturbs;
}

/* Lives in the bins' arena. */
struct raster_pipeline {
    struct raster_state s;
    bool early_zs; /* depth and stencil are tested before shading, because nothing later drops a
                      fragment */
    bool early_z_reject; /* tests run late, but a failed early depth test is final */
    bool depth_in_place; /* depth and stencil of a block can be tested in the surface itself */
    bool quads_in_place; /* so can those of quads */
    bool depth_used;     /* reads or writes the depth-stencil surface */
    bool hiz;            /* hierarchical Z: blocks are tested as a whole before their pixels */
    bool hiz_reject;     /* blocks that fail have no side effects and are dropped */
    bool stencil_cull;   /* blocks of one stencil value are tested as a whole */
    bool depth_sort;     /* consecutive sprites of constant depth are sorted front to back */
    bool shades;
    bool has_side_effects;    /* uses depth or stencil, or counts for a query */
    bool overwrites_colour;   /* writes all colour targets of its pixels without reading them */
    bool use_mask8x8;         /* small triangles become PRIM_MASK8X8 */
    bool batch_zs_test;       /* lanes of several primitives share a depth test */
    bool batchable;           /* consecutive PRIM_MASK8X8 are queued straight from the bin */
    bool single_fragments;    /* sparse fragments are shaded without helper lanes */
    bool preshade;            /* fragments of small triangles may be shaded at setup */
    unsigned pattern;         /* number of sample positions; 1: all at the centre */
    bool alpha_cover;         /* alpha to coverage */
    bool centroid;            /* an attribute is evaluated inside the covered samples */
    bool whole_blocks;        /* fully covered blocks may be batches of their own: shade/block.c */
    uint8_t batch_inputs;     /* enum raster_ps_input: arrays that batches need */
    bool solid;               /* a primitive whose attributes are constant has one colour */
    bool rgba8, texture_only; /* whole blocks may use s.shade_rgba8, s.shade_texture_only */
    bool axis_aligned;        /* whole tiles may use s.shade_axis_aligned */
    bool gradient_fill;       /* s.gradient describes the colour completely */
    int32_t rect[4];          /* scissor, clipped to the surfaces in use */
    int32_t common_rect[4];   /* intersection of the surfaces in use */
    struct raster_depth_stencil ds[2]; /* front, back */
    struct raster_alpha_test alpha_test;
    struct raster_fog_params fog;
    /* [0]: for float targets; [1]: for all others, blend factors clamped. */
    struct raster_blend_params blend[2];
    unsigned n_outputs;
    struct raster_output output[RASTER_TARGETS];
    uint8_t output_target[RASTER_TARGETS];
    /* Memory of s.shade_merged */
    struct raster_merge_uniforms merge_uniforms;
    const struct raster_merge_tables *merge_tables;
    struct raster_query *query;
};

/* recent.c: The pipeline of raster->state; NULL: the arena is full or memory is short. */
const struct raster_pipeline *raster_pipeline_get(struct raster *raster);

#endif
