/* What workers need to shade pixels of a draw. For pixel_stage.c and pixel_sampling.c. */
#ifndef DRAW_PIXEL_STAGE_H
#define DRAW_PIXEL_STAGE_H

#include "draw/draw_private.h"

struct ps_binding {
    const struct draw_pipeline *pipeline;
    void *uniforms;
    const struct draw_debug_hooks *hooks; /* follows the program; NULL normally */
    bool needs_quads;                     /* pixels look at others of its quad, but for */
    uint64_t deriv_attribs;         /* differences of these attributes, for levels */
    bool texture_only;              /* the texel is multiplied with no constant but 1 */
    tex_sample_packed_fn *sample_rgba8;       /* and there is a way to have it as pixels */
    tex_axis_aligned_fn *sample_axis_aligned; /* or squares of pixels */
    uint8_t sampler_group[VM_MAX_SAMPLERS];   /* of each sampler the first that it is alike */
    struct tex_sampler sampler[];   /* those of pipeline->ps_samplers */
};

#endif
