/* Declares the pixel stage binding: uniforms, samplers and fast paths with which workers shade the
 * fragments of a draw. Private to pixel. */
#ifndef DRAW_PIXEL_STAGE_H
#define DRAW_PIXEL_STAGE_H

#include "draw/pixel/pixel.h"
#include "tex/shortcut/shortcut.h"

struct ps_binding {
    const struct draw_pipeline *pipeline;
    void *uniforms;
    const struct pipeline_merged *merged; /* NULL: none */
    void *merged_uniforms;
    struct target_scale scale;            /* of the targets */
    const struct draw_debug_hooks *hooks; /* NULL unless they follow shaders */
    bool needs_quads;                     /* the program needs whole quads with helper lanes */
    /* Unless needs_quads: bit mask of the attributes whose derivatives determine the LODs. */
    uint64_t deriv_attribs;
    bool texture_only;                        /* modulate pattern whose constants are all 1 */
    tex_sample_packed_fn *sample_rgba8;       /* texture_only: returns packed pixels; or NULL */
    tex_axis_aligned_fn *sample_axis_aligned; /* texture_only: samples blocks of pixels; or NULL */
    uint32_t lod_samplers;   /* bit mask of the samplers whose results depend on the LOD */
    uint32_t const_samplers; /* those that gain by a constant LOD, if primitives have one */
    uint8_t sampler_group[VM_MAX_SAMPLERS]; /* the first sampler with the same state and size */
    struct tex_sampler sampler[];           /* those in pipeline->ps_samplers */
};

#endif
