/* Sets the values of a pipeline: references, masks of bits, factors, fog, scissor.
 *
 * Tested by tests/unit/raster/state/test_pipeline.c. */
#include "raster/state/decide.h"

#include "raster/scene/scene.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Exponential fog of density 0 is no fog, even at infinite distance. */
uint8_t raster_fog_mode(const struct raster_state *s)
{
    bool exponential = s->fog == RASTER_FOG_EXP || s->fog == RASTER_FOG_EXP2;

    return exponential && s->values.fog_density == 0.0f ? RASTER_FOG_NONE : s->fog;
}

/* Clamps an infinite range to the largest float, so that fog which ends at infinity is no fog
 * (reference: fog/infinite-range). */
static float fog_range(const struct raster_values *v)
{
    float range = v->fog_end - v->fog_start;

    return isinf(range) ? copysignf(FLT_MAX, range) : range;
}

/* Rounds ALPHAREF as alpha is rounded, so that 8-bit alphas equal it on every target. */
static void set_alpha_test(struct raster_alpha_test *test, uint8_t alpha_ref)
{
    if (test->floats)
        test->reference = (float)alpha_ref / 255.0f;
    else
        test->reference = (float)((alpha_ref * (uint32_t)test->max * 2 + 255) / 510);
}

static void set_fog(struct raster_fog_params *fog, const struct raster_values *v)
{
    fog->end = v->fog_end;
    fog->range = fog_range(v);
    fog->density = v->fog_density;
    memcpy(fog->colour, v->fog_colour, sizeof(fog->colour));
}

/* Shifts references and masks to the stencil's place, and encodes the depth bounds as depths are
 * stored. */
static void set_depth_stencil(const struct raster *raster, struct raster_depth_stencil *ds,
                              const struct raster_values *v)
{
    ds->ref = v->stencil_ref * ds->stencil_one & ds->stencil_field;
    ds->mask = v->stencil_mask * ds->stencil_one & ds->stencil_field;
    ds->write_mask = v->stencil_write_mask * ds->stencil_one & ds->stencil_field;
    for (unsigned i = 0; ds->bounds_test && i < 2; i++)
        ds->bounds[i] = raster->depth_code(ds, v->bounds[i]);
}

static void set_blend_factor(struct raster_pipeline *pipeline, const float factor[4])
{
    for (unsigned c = 0; c < 4; c++) {
        float k = factor[c];

        pipeline->blend[0].factor[c] = k;
        pipeline->blend[1].factor[c] = k > 0.0f ? k < 1.0f ? k : 1.0f : 0.0f;
    }
    for (unsigned n = 0; n < pipeline->n_outputs; n++)
        if (pipeline->output[n].write.blend) /* the pipeline may be a copy */
            pipeline->output[n].write.blend = &pipeline->blend[pipeline->output[n].write.clamp];
}

/* For raster_state.shade_merged. */
static void set_merge_uniforms(struct raster_pipeline *pipeline)
{
    struct raster_merge_uniforms *to = &pipeline->merge_uniforms;
    const struct raster_alpha_test *test = &pipeline->alpha_test;

    for (unsigned n = 0; n < pipeline->n_outputs; n++)
        memcpy(to->factor[pipeline->output_target[n]],
               pipeline->blend[pipeline->output[n].write.clamp].factor, sizeof(to->factor[0]));
    to->alpha_reference[0] = test->floats ? test->reference : test->reference - 0.5f;
    to->alpha_reference[1] = test->reference + 0.5f;
    to->fog_end = pipeline->fog.end;
    to->fog_range = pipeline->fog.range;
    to->fog_density = pipeline->fog.density;
    memcpy(to->fog_colour, pipeline->fog.colour, sizeof(to->fog_colour));
}

void raster_pipeline_set_values(const struct raster *raster, struct raster_pipeline *pipeline,
                                const struct raster_values *values)
{
    pipeline->s.values = *values;
    memcpy(pipeline->rect, values->scissor, sizeof(pipeline->rect));
    raster_rect_intersect(pipeline->rect, pipeline->common_rect);
    for (unsigned side = 0; side < 2; side++)
        set_depth_stencil(raster, &pipeline->ds[side], values);
    set_blend_factor(pipeline, values->blend_factor);
    set_alpha_test(&pipeline->alpha_test, values->alpha_ref);
    set_fog(&pipeline->fog, values);
    if (pipeline->s.shade_merged)
        set_merge_uniforms(pipeline);
}
