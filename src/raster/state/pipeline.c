/* Decides what the shape of a state means to tiles: which tests are early, which targets take part,
 * which short cuts hold.
 *
 * Tested by tests/unit/raster/state/test_pipeline.c and tests/unit/raster/test_equivalence.c. */
#include "raster/state/decide.h"

#include "raster/merge/code.h"
#include "raster/scene/scene.h"
#include "raster/state/depth.h"
#include "raster/state/pixel_write.h"
#include "raster/worker/batch.h"

#include <string.h>

static void surface_rect(const struct raster *raster, const struct raster_surface *surface,
                         int32_t rect[4])
{
    rect[0] = rect[1] = 0;
    rect[2] = (int32_t)(surface->width ? surface->width : raster->targets.width);
    rect[3] = (int32_t)(surface->height ? surface->height : raster->targets.height);
}

/* A function for the pixels of a target, unless the shader merges them; solid colours still need
 * it. */
static const struct ir_code *merge_code(const struct raster *raster, const struct raster_state *s,
                                        const struct raster_pixel_write *write, unsigned write_mask)
{
    struct raster_merge_target target;

    if (raster->options.interpret || write->perturbs || write->general ||
        (s->shade_merged && !s->attribs_only))
        return NULL;
    raster_merge_target_init(&target, write->format, s, write_mask);
    return raster_merge_code_get(&target);
}

static void pipeline_outputs(const struct raster *raster, struct raster_pipeline *pipeline)
{
    const struct raster_state *s = &pipeline->s;
    int32_t rect[4];

    for (unsigned t = 0; t < RASTER_TARGETS; t++) {
        struct raster_output *output = &pipeline->output[pipeline->n_outputs];
        const struct raster_surface *surface = &raster->targets.colour[t];

        if (!surface->format || raster_pixel_class(surface->format) == RASTER_PIXEL_CLASSES)
            continue;
        surface_rect(raster, surface, rect);
        raster_rect_intersect(pipeline->common_rect, rect);
        *output = (struct raster_output){.surface = surface};
        if (!raster_pixel_write_init(&output->write, surface->format, s, s->write_mask[t]))
            continue;
        if (s->blend_enable)
            output->write.blend = &pipeline->blend[output->write.clamp];
        output->merge = merge_code(raster, s, &output->write, s->write_mask[t]);
        pipeline->output_target[pipeline->n_outputs++] = (uint8_t)t;
    }
}

/* Whether every quad lies in the surface completely. */
static bool has_even_size(const struct raster *raster, const struct raster_surface *surface)
{
    int32_t rect[4];

    surface_rect(raster, surface, rect);
    return !((rect[2] | rect[3]) & 1);
}

static enum raster_zs_access zs_access(const struct raster *raster,
                                       const struct raster_depth_stencil ds[2])
{
    if (!ds[0].depth_test && !ds[0].stencil_test && !ds[0].bounds_test)
        return ZS_UNUSED;
    if (!raster_depth_in_place(&ds[0]) || !raster_depth_in_place(&ds[1]))
        return ZS_COPIED;
    return has_even_size(raster, &raster->targets.depth) ? ZS_QUADS_IN_PLACE : ZS_BLOCKS_IN_PLACE;
}

static void pipeline_depth(const struct raster *raster, struct raster_pipeline *pipeline)
{
    const struct raster_state *s = &pipeline->s;
    const struct raster_surface *surface = &raster->targets.depth;
    int32_t rect[4];

    if (!surface->format)
        return;
    for (unsigned side = 0; side < 2; side++) {
        struct raster_depth_stencil *ds = &pipeline->ds[side];
        const struct raster_stencil_face *face = &s->stencil[s->stencil_two_sided ? side : 0];

        raster_depth_layout(ds, surface->format);
        ds->depth_test = s->depth_test && ds->depth_field;
        ds->depth_write = ds->depth_test && s->depth_write;
        ds->stencil_test = s->stencil_test && ds->stencil_field;
        ds->depth_func = s->depth_func;
        ds->stencil_func = face->func;
        ds->fail = face->fail;
        ds->zfail = face->zfail;
        ds->pass = face->pass;
        ds->bounds_test = s->bounds_test && ds->depth_field;
    }
    pipeline->zs_access = zs_access(raster, pipeline->ds);
    if (raster_uses_zs(pipeline)) {
        surface_rect(raster, surface, rect);
        raster_rect_intersect(pipeline->common_rect, rect);
    }
}

/* Whether a failed depth test stays failed while only this pipeline writes the buffer. The depth
 * bounds test drops either all fragments of a pixel or none, so it does not matter. */
static bool early_fail_is_final(const struct raster_depth_stencil *ds)
{
    return ds->depth_test && !ds->stencil_test &&
           (ds->depth_func == D3DCMP_LESS || ds->depth_func == D3DCMP_LESSEQUAL ||
            ds->depth_func == D3DCMP_GREATER || ds->depth_func == D3DCMP_GREATEREQUAL);
}

static void pipeline_blend(struct raster_pipeline *pipeline)
{
    const struct raster_state *s = &pipeline->s;
    struct raster_blend_params *raw = &pipeline->blend[0], *clamped = &pipeline->blend[1];

    raw->rgb = s->blend_rgb;
    raw->alpha = s->separate_alpha ? s->blend_alpha : s->blend_rgb;
    *clamped = *raw;
}

/* Whether the sample mask has all samples of the targets. */
static bool has_all_samples(const struct raster *raster, const struct raster_state *s)
{
    unsigned samples = raster->targets.samples;

    return samples == 1 || !(~s->sample_mask & ((1u << samples) - 1));
}

static bool tests_depth_alone(const struct raster_depth_stencil *ds)
{
    return ds->depth_test && !ds->stencil_test && !ds->bounds_test;
}

/* The ways around the shader of a texture alone, whose texels go to the target as they are. */
static unsigned texture_shortcuts(const struct raster *raster,
                                  const struct raster_pipeline *pipeline)
{
    const struct raster_state *s = &pipeline->s;
    const struct raster_output *output = &pipeline->output[0];
    unsigned shortcuts = SHORTCUT_TEXTURE_ONLY;

    if (!s->shade_texture_only || !raster_stores_rgba8(output) || pipeline->output_target[0] != 0)
        return 0;
    if (!raster_is_early_zs(pipeline) || output->write.red_lowest)
        return shortcuts;
    if (s->shade_rgba8)
        shortcuts |= SHORTCUT_RGBA8;
    if (s->shade_axis_aligned && raster->tile_shift == TILE_SHIFT)
        shortcuts |= SHORTCUT_AXIS_ALIGNED;
    return shortcuts;
}

static bool is_gradient(const struct raster_pipeline *pipeline)
{
    const struct raster_output *output = &pipeline->output[0];

    return raster_is_early_zs(pipeline) && pipeline->s.is_gradient &&
           output->write.class == RASTER_PIXEL_HALF4 && !output->write.keeps &&
           pipeline->output_target[0] == 0;
}

static unsigned shortcuts_of(const struct raster *raster, const struct raster_pipeline *pipeline)
{
    unsigned shortcuts = 0;

    if (!pipeline->whole_blocks || pipeline->n_outputs != 1 || pipeline->output[0].write.general)
        return 0;
    if (raster_is_early_zs(pipeline) && pipeline->s.attribs_only)
        shortcuts |= SHORTCUT_SOLID;
    if (pipeline->fog.mode != RASTER_FOG_NONE)
        return shortcuts;
    return shortcuts | (is_gradient(pipeline) ? SHORTCUT_GRADIENT : 0) |
           texture_shortcuts(raster, pipeline);
}

/* Decides how fully covered blocks are shaded and stored. */
static void pipeline_blocks(const struct raster *raster, struct raster_pipeline *pipeline)
{
    const struct raster_state *s = &pipeline->s;

    pipeline->use_mask8x8 = raster->targets.samples == 1 && !raster->options.no_packing;
    pipeline->whole_blocks =
        has_all_samples(raster, s) && !raster->options.no_packing && !s->antialiased_lines;
    pipeline->shortcuts = (uint8_t)shortcuts_of(raster, pipeline);
}

static bool has_table_fog(const struct raster_pipeline *pipeline)
{
    return pipeline->fog.mode != RASTER_FOG_NONE && pipeline->fog.mode != RASTER_FOG_VERTEX;
}

static void pipeline_batch_inputs(struct raster_pipeline *pipeline)
{
    const struct raster_state *s = &pipeline->s;

    pipeline->batch_inputs = s->ps_inputs;
    if (has_table_fog(pipeline))
        pipeline->batch_inputs |= s->fog_w ? RASTER_PS_INPUT_W : RASTER_PS_INPUT_Z;
    if (!raster_is_early_zs(pipeline) && raster_uses_zs(pipeline) &&
        pipeline->zs_access != ZS_QUADS_IN_PLACE)
        pipeline->batch_inputs |=
            RASTER_PS_INPUT_Z | (pipeline->pattern > 1 ? RASTER_PS_INPUT_POS : 0);
}

static bool uses_single_fragments(const struct raster *raster,
                                  const struct raster_pipeline *pipeline)
{
    const struct raster_state *s = &pipeline->s;

    return !s->needs_quads && !s->ps_inputs && !has_table_fog(pipeline) && pipeline->use_mask8x8 &&
           pipeline->whole_blocks && s->n_attrs <= FRAG_BATCH_ATTRS &&
           !raster->options.force_late_zs &&
           (raster_is_early_zs(pipeline) || !raster_uses_zs(pipeline) ||
            (pipeline->zs_order == ZS_LATE_REJECTS && pipeline->zs_access != ZS_COPIED));
}

/* Decides how sparse pixels are batched: as quads or as single fragments. Stencils reject many
 * fragments, which are tested before they are packed. */
static void pipeline_batching(const struct raster *raster, struct raster_pipeline *pipeline)
{
    pipeline->single_fragments = uses_single_fragments(raster, pipeline);
    pipeline->batch_zs_test =
        pipeline->use_mask8x8 && pipeline->zs_access >= ZS_BLOCKS_IN_PLACE &&
        tests_depth_alone(&pipeline->ds[0]) &&
        (pipeline->single_fragments || pipeline->zs_access == ZS_QUADS_IN_PLACE);
    pipeline_batch_inputs(pipeline);
}

/* Counts sample positions and finds centroid attributes (reference: multisample/centroid). */
static void pipeline_samples(const struct raster *raster, struct raster_pipeline *pipeline)
{
    const struct raster_state *s = &pipeline->s;

    pipeline->pattern = s->at_centre ? 1 : raster->targets.samples;
    for (unsigned n = 0; n < s->n_attrs && pipeline->pattern > 1; n++)
        pipeline->centroid |= s->attr[n].centroid && s->attr[n].interp != RASTER_FLAT;
}

static unsigned writes_of(const struct raster_pipeline *pipeline)
{
    return WROTE_COLOUR | (raster_uses_zs(pipeline) ? WROTE_DEPTH : 0) |
           (pipeline->ds[0].stencil_test ? WROTE_STENCIL : 0) | (pipeline->query ? WROTE_QUERY : 0);
}

/* Whether all pixels get colours in all targets, independent of the stored colours. */
static bool overwrites_colour(const struct raster *raster, const struct raster_pipeline *pipeline)
{
    unsigned bound = 0, written = 0;

    for (unsigned t = 0; t < RASTER_TARGETS; t++)
        bound |= raster->targets.colour[t].format ? 1u << t : 0;
    for (unsigned n = 0; n < pipeline->n_outputs; n++)
        if (!raster_output_reads(&pipeline->output[n]))
            written |= 1u << pipeline->output_target[n];
    return raster_is_early_zs(pipeline) && pipeline->writes == WROTE_COLOUR &&
           has_all_samples(raster, &pipeline->s) && !(bound & ~(written & pipeline->s.colours)) &&
           !raster->options.keep_overdrawn;
}

/* Whether fragments of small triangles may be shaded at setup. */
static bool can_preshade(const struct raster_pipeline *pipeline)
{
    const struct raster_state *s = &pipeline->s;

    return pipeline->single_fragments && raster_is_early_zs(pipeline) && raster_shades(pipeline) &&
           pipeline->n_outputs == 1 && raster_stores_rgba8(&pipeline->output[0]) &&
           pipeline->fog.mode == RASTER_FOG_NONE && s->attribs_only && s->is_cheap &&
           (!raster_uses_zs(pipeline) || pipeline->batch_zs_test) && !s->deriv_attribs &&
           !pipeline->query && (s->colours >> pipeline->output_target[0] & 1);
}

static void pipeline_alpha_test(const struct raster *raster, struct raster_pipeline *pipeline)
{
    const struct tex_format *format = raster->targets.colour[0].format;

    pipeline->alpha_test = (struct raster_alpha_test){
        .func = pipeline->s.alpha_func,
        .floats = format &&
                  (format->layout == TEX_LAYOUT_FLOAT16 || format->layout == TEX_LAYOUT_FLOAT32),
        .max = (float)((UINT64_C(1) << raster_alpha_bits(format)) - 1),
    };
}

/* Tables of the shader's merging. */
static void pipeline_merge(struct raster_pipeline *pipeline)
{
    bool srgb = false;

    for (unsigned n = 0; n < pipeline->n_outputs && pipeline->s.shade_merged; n++)
        srgb |= pipeline->output[n].write.srgb;
    pipeline->merge_tables = srgb ? raster_merge_tables_get() : NULL;
}

/* Whether the depth test takes depths per pixel that only late tests have: the shader's or those
 * of w. */
static bool tests_given_depths(const struct raster_pipeline *pipeline)
{
    return (pipeline->s.writes_depth || pipeline->s.w_buffer) && pipeline->ds[0].depth_test;
}

static enum raster_zs_order zs_order(const struct raster *raster,
                                     const struct raster_pipeline *pipeline)
{
    const struct raster_state *s = &pipeline->s;
    bool drops = s->kills || s->alpha_test ||
                 (s->alpha_to_coverage && raster->targets.samples > 1) ||
                 tests_given_depths(pipeline);

    if (raster->options.force_late_zs)
        return ZS_LATE;
    if (!drops)
        return ZS_EARLY;
    return !s->writes_depth && !s->w_buffer && early_fail_is_final(&pipeline->ds[0])
               ? ZS_LATE_REJECTS
               : ZS_LATE;
}

void raster_pipeline_decide(const struct raster *raster, struct raster_pipeline *pipeline)
{
    const struct raster_state *s = &pipeline->s;
    bool alpha_test = s->alpha_test && s->alpha_func != D3DCMP_ALWAYS;

    memcpy(pipeline->common_rect, raster->target_rect, sizeof(pipeline->common_rect));
    pipeline_outputs(raster, pipeline);
    pipeline_depth(raster, pipeline);
    pipeline_blend(pipeline);
    pipeline->s.alpha_test = alpha_test;
    pipeline->s.w_buffer = s->w_buffer && pipeline->ds[0].depth_test && !s->writes_depth;
    pipeline_alpha_test(raster, pipeline);
    pipeline_merge(pipeline);
    pipeline->zs_order = zs_order(raster, pipeline);
    pipeline->fog.mode = raster_fog_mode(s);
    pipeline_samples(raster, pipeline);
    pipeline_blocks(raster, pipeline);
    pipeline_batching(raster, pipeline);
    raster_hiz_prepare(raster, pipeline);
    raster_depth_sort_prepare(pipeline);
    pipeline->preshade = can_preshade(pipeline);
    pipeline->writes = (uint8_t)writes_of(pipeline);
    pipeline->overwrites_colour = overwrites_colour(raster, pipeline);
}
