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
           !output->write.srgb && !output->write.perturbs && !output->write.general;
}

/* When depth and stencil are tested. */
enum raster_zs_order {
    ZS_LATE,         /* after shading */
    ZS_LATE_REJECTS, /* after shading, but a failed early depth test is final */
    ZS_EARLY,        /* before shading, because nothing later drops a fragment */
};

/* Whether the depth-stencil surface is used, and where its values are tested. */
enum raster_zs_access {
    ZS_UNUSED,
    ZS_COPIED,          /* in a copy */
    ZS_BLOCKS_IN_PLACE, /* in the surface: those of blocks */
    ZS_QUADS_IN_PLACE,  /* so are those of quads */
};

/* Hierarchical Z: whether blocks are tested as a whole before their pixels. */
enum raster_hiz_use {
    HIZ_UNUSED,
    HIZ_TESTS,
    HIZ_REJECTS, /* blocks that fail have no side effects and are dropped */
};

/* What may replace the shader, or the shader and the output, in whole blocks or tiles. */
enum raster_shortcut {
    SHORTCUT_SOLID = 1 << 0,        /* a primitive whose attributes are constant has one colour */
    SHORTCUT_GRADIENT = 1 << 1,     /* s.gradient describes the colour completely */
    SHORTCUT_TEXTURE_ONLY = 1 << 2, /* s.shade_texture_only */
    SHORTCUT_RGBA8 = 1 << 3,        /* s.shade_rgba8 */
    SHORTCUT_AXIS_ALIGNED = 1 << 4, /* s.shade_axis_aligned, for tiles */
};

/* Lives in the bins' arena. */
struct raster_pipeline {
    struct raster_state s;
    uint8_t zs_order;       /* enum raster_zs_order */
    uint8_t zs_access;      /* enum raster_zs_access */
    uint8_t hiz;            /* enum raster_hiz_use */
    uint8_t shortcuts;      /* of enum raster_shortcut */
    uint8_t writes;         /* enum raster_written */
    uint8_t batch_inputs;   /* enum raster_ps_input: arrays that batches need */
    bool stencil_cull;      /* blocks of one stencil value are tested as a whole */
    bool depth_sort;        /* consecutive sprites of constant depth are sorted front to back */
    bool overwrites_colour; /* writes all colour targets of its pixels without reading them */
    bool use_mask8x8;       /* small triangles become PRIM_MASK8X8 */
    bool batch_zs_test;     /* lanes of several primitives share a depth test */
    bool single_fragments;  /* sparse fragments are shaded without helper lanes */
    bool preshade;          /* fragments of small triangles may be shaded at setup */
    bool whole_blocks;      /* fully covered blocks may be batches of their own: shade/block.c */
    bool centroid;          /* an attribute is evaluated inside the covered samples */
    unsigned pattern;       /* number of sample positions; 1: all at the centre */
    int32_t rect[4];        /* scissor, clipped to the surfaces in use */
    int32_t common_rect[4]; /* intersection of the surfaces in use */
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

static inline bool raster_is_early_zs(const struct raster_pipeline *pipeline)
{
    return pipeline->zs_order == ZS_EARLY;
}

static inline bool raster_uses_zs(const struct raster_pipeline *pipeline)
{
    return pipeline->zs_access != ZS_UNUSED;
}

/* Whether fragments reach the shader: it has outputs, or decides about them. */
static inline bool raster_shades(const struct raster_pipeline *pipeline)
{
    return pipeline->n_outputs || !raster_is_early_zs(pipeline);
}

/* recent.c: The pipeline of raster->state; NULL: the arena is full or memory is short. */
const struct raster_pipeline *raster_pipeline_get(struct raster *raster);

#endif
