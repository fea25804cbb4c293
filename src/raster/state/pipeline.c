/* Creates raster pipelines from draw states, once per state, and caches the most recent ones. */
#include "raster/setup/preshade.h"
#include "raster/raster_private.h"

#include "util/alloc.h"
#include "util/equal.h"
#include "util/variant.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Sets the bits of a pixel that the write mask protects; false: it protects all channels. */
static bool keep_bits(struct raster_output *output, unsigned write_mask)
{
    const struct tex_format *format = output->surface->format;
    bool writes = false;

    for (unsigned c = 0; c < 4; c++) {
        const struct tex_channel *channel = &format->channel[c];

        if (!channel->bits)
            continue;
        if (write_mask >> c & 1) {
            writes = true;
            continue;
        }
        output->has_write_mask = true;
        for (unsigned bit = channel->shift; bit < channel->shift + channel->bits; bit++)
            output->keep[bit / 8] |= (uint8_t)(1 << bit % 8);
    }
    return writes;
}

static void surface_rect(const struct raster *raster, const struct raster_surface *surface,
                         int32_t rect[4])
{
    rect[0] = rect[1] = 0;
    rect[2] = (int32_t)(surface->width ? surface->width : raster->targets.width);
    rect[3] = (int32_t)(surface->height ? surface->height : raster->targets.height);
}

static void pipeline_rgba8(const struct raster_pipeline *pipeline, struct raster_output *output)
{
    const struct tex_channel *channel = output->surface->format->channel;

    output->rgba8 = (struct raster_byte_blend){
        .params = &pipeline->blend[1],
        .red_lowest = !channel[0].shift,
        .alpha = channel[3].bits != 0,
    };
    memcpy(&output->rgba8.keep, output->keep, sizeof(output->rgba8.keep));
}

static void pipeline_outputs(const struct raster *raster, struct raster_pipeline *pipeline)
{
    const struct raster_state *s = &pipeline->s;
    int32_t rect[4];

    for (unsigned t = 0; t < RASTER_TARGETS; t++) {
        struct raster_output *output = &pipeline->output[pipeline->n_outputs];
        const struct raster_surface *surface = &raster->targets.colour[t];
        unsigned layout;

        if (!surface->format || !raster->pack[t] || !raster->unpack[t])
            continue;
        surface_rect(raster, surface, rect);
        raster_rect_intersect(pipeline->rect, rect);
        raster_rect_intersect(pipeline->common_rect, rect);
        layout = surface->format->layout;
        *output = (struct raster_output){
            .surface = surface,
            .pack = raster->pack[t],
            .unpack = raster->unpack[t],
            .blend = s->blend_enable,
            .clamp = layout != TEX_LAYOUT_FLOAT16 && layout != TEX_LAYOUT_FLOAT32,
            .srgb = s->srgb_write && (surface->format->caps & TEX_SRGB_WRITE),
        };
        if (!keep_bits(output, s->write_mask[t]))
            continue;
        if (tex_is_8888(surface->format) && !output->srgb && !variant_current) {
            output->store_rgba8 = !output->blend && !output->has_write_mask;
            output->blend_rgba8 = output->blend;
            pipeline_rgba8(pipeline, output);
        }
        output->is_rgba16f = surface->format->d3d == D3DFMT_A16B16G16R16F &&
                             !output->has_write_mask && !output->srgb;
        output->is_r32f = surface->format->d3d == D3DFMT_R32F && !output->blend &&
                          !output->has_write_mask && !output->srgb;
        pipeline->output_target[pipeline->n_outputs++] = (uint8_t)t;
    }
}

/* Encodes the depth bounds as depths are stored. */
static void pipeline_bounds(const struct raster *raster, struct raster_depth_stencil *ds,
                            const float bounds[2])
{
    for (unsigned i = 0; i < 2; i++)
        ds->bounds[i] = raster->depth_code(ds, bounds[i]);
    ds->bounds_test = true;
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
        ds->ref = s->stencil_ref * ds->stencil_one & ds->stencil_field;
        ds->mask = s->stencil_mask * ds->stencil_one & ds->stencil_field;
        ds->write_mask = s->stencil_write_mask * ds->stencil_one & ds->stencil_field;
        if (s->bounds_test && ds->depth_field)
            pipeline_bounds(raster, ds, s->bounds);
    }
    pipeline->depth_used =
        pipeline->ds[0].depth_test || pipeline->ds[0].stencil_test || pipeline->ds[0].bounds_test;
    pipeline->depth_in_place = raster_depth_in_place(&pipeline->ds[0], surface->format->bytes) &&
                               raster_depth_in_place(&pipeline->ds[1], surface->format->bytes);
    if (pipeline->depth_used) {
        surface_rect(raster, surface, rect);
        raster_rect_intersect(pipeline->rect, rect);
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
    for (unsigned c = 0; c < 4; c++) {
        float k = s->blend_factor[c];

        raw->factor[c] = k;
        clamped->factor[c] = k > 0.0f ? k < 1.0f ? k : 1.0f : 0.0f;
    }
}

/* Exponential fog of density 0 is no fog, even at infinite distance. */
static uint8_t fog_mode(const struct raster_state *s)
{
    bool exponential = s->fog == RASTER_FOG_EXP || s->fog == RASTER_FOG_EXP2;

    return exponential && s->fog_density == 0.0f ? RASTER_FOG_NONE : s->fog;
}

/* Clamps an infinite range to the largest float, so that fog which ends at infinity is no fog
 * (reference: fog/infinite-range). */
static float fog_range(const struct raster_state *s)
{
    float range = s->fog_end - s->fog_start;

    return isinf(range) ? copysignf(FLT_MAX, range) : range;
}

/* Whether the sample mask has all samples of the targets. */
static bool has_all_samples(const struct raster *raster, const struct raster_state *s)
{
    unsigned samples = raster->targets.samples;

    return samples == 1 || !(~s->sample_mask & ((1u << samples) - 1));
}

static bool can_store_direct(const struct raster *raster, const struct raster_pipeline *pipeline)
{
    for (unsigned n = 0; n < pipeline->n_outputs; n++)
        if (!pipeline->output[n].store_rgba8)
            return false;
    return raster->targets.samples == 1 && pipeline->fog.mode == RASTER_FOG_NONE;
}

static bool tests_depth_alone(const struct raster_depth_stencil *ds)
{
    return ds->depth_test && !ds->stencil_test && !ds->bounds_test;
}

/* Whether every quad lies in the surface completely. */
static bool has_even_size(const struct raster *raster, const struct raster_surface *surface)
{
    int32_t rect[4];

    surface_rect(raster, surface, rect);
    return !((rect[2] | rect[3]) & 1);
}

/* Decides how fully covered blocks are shaded and stored. */
static void pipeline_blocks(const struct raster *raster, struct raster_pipeline *pipeline)
{
    const struct raster_state *s = &pipeline->s;

    pipeline->use_mask8x8 = raster->targets.samples == 1 && !raster->options.no_packing;
    pipeline->whole_blocks =
        !s->writes_depth && has_all_samples(raster, s) && !raster->options.no_packing;
    if (pipeline->whole_blocks && pipeline->n_outputs == 1 &&
        pipeline->fog.mode == RASTER_FOG_NONE) {
        const struct raster_output *output = &pipeline->output[0];

        pipeline->solid =
            pipeline->early_zs && s->attribs_only && (output->store_rgba8 || output->blend_rgba8);
        pipeline->gradient_fill = pipeline->early_zs && s->is_gradient && output->is_rgba16f &&
                                  pipeline->output_target[0] == 0;
        pipeline->texture_only =
            s->shade_texture_only && output->store_rgba8 && pipeline->output_target[0] == 0;
        pipeline->rgba8 = pipeline->early_zs && pipeline->texture_only && s->shade_rgba8 &&
                          !output->rgba8.red_lowest;
        pipeline->axis_aligned = pipeline->early_zs && pipeline->texture_only &&
                                 s->shade_axis_aligned && !output->rgba8.red_lowest &&
                                 raster->tile_shift == TILE_SHIFT;
    }
    pipeline->store_direct = can_store_direct(raster, pipeline);
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
    if (!pipeline->early_zs && pipeline->depth_used && !pipeline->quad_zs_test)
        pipeline->batch_inputs |= RASTER_PS_INPUT_Z;
    if (pipeline->centroid || (!pipeline->early_zs && pipeline->pattern > 1))
        pipeline->batch_inputs |= RASTER_PS_INPUT_POS;
}

/* depth_ok: there is no depth test, or it is one that quads can share. */
static bool uses_frag_batch(const struct raster *raster, const struct raster_pipeline *pipeline,
                            bool depth_ok)
{
    const struct raster_state *s = &pipeline->s;

    return !s->needs_quads && !s->ps_inputs && !has_table_fog(pipeline) && pipeline->use_mask8x8 &&
           pipeline->whole_blocks && s->n_attrs <= FRAG_BATCH_ATTRS && depth_ok &&
           !raster->options.force_late_zs &&
           (pipeline->early_zs || pipeline->early_z_reject || !pipeline->depth_used);
}

/* Decides how sparse pixels are batched: as quads or as single fragments. */
static void pipeline_batching(const struct raster *raster, struct raster_pipeline *pipeline)
{
    bool tests = pipeline->use_mask8x8 && pipeline->depth_used && pipeline->depth_in_place &&
                 tests_depth_alone(&pipeline->ds[0]);

    pipeline->frag_batch = uses_frag_batch(raster, pipeline, tests || !pipeline->depth_used);
    pipeline->quad_zs_test =
        tests && (pipeline->frag_batch || has_even_size(raster, &raster->targets.depth));
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

static unsigned pipeline_writes(const struct raster_pipeline *pipeline)
{
    return WROTE_COLOUR | (pipeline->depth_used ? WROTE_DEPTH : 0) |
           (pipeline->ds[0].stencil_test ? WROTE_STENCIL : 0) | (pipeline->query ? WROTE_QUERY : 0);
}

/* Whether all pixels get colours in all targets, independent of the stored colours. */
static bool overwrites_colour(const struct raster *raster, const struct raster_pipeline *pipeline)
{
    unsigned bound = 0, written = 0;

    for (unsigned t = 0; t < RASTER_TARGETS; t++)
        bound |= raster->targets.colour[t].format ? 1u << t : 0;
    for (unsigned n = 0; n < pipeline->n_outputs; n++)
        if (!pipeline->output[n].blend && !pipeline->output[n].has_write_mask)
            written |= 1u << pipeline->output_target[n];
    return pipeline->early_zs && !pipeline->has_side_effects &&
           has_all_samples(raster, &pipeline->s) && !(bound & ~(written & pipeline->s.colours)) &&
           !raster->options.keep_overdrawn;
}

static void pipeline_fill(const struct raster *raster, struct raster_pipeline *pipeline)
{
    const struct raster_state *s = &pipeline->s;
    bool alpha_test = s->alpha_test && s->alpha_func != D3DCMP_ALWAYS;

    memcpy(pipeline->rect, s->scissor, sizeof(pipeline->rect));
    memcpy(pipeline->common_rect, raster->target_rect, sizeof(pipeline->common_rect));
    raster_rect_intersect(pipeline->rect, raster->target_rect);
    pipeline_outputs(raster, pipeline);
    pipeline_depth(raster, pipeline);
    pipeline_blend(pipeline);
    pipeline->s.alpha_test = alpha_test;
    pipeline->alpha_cover = s->alpha_to_coverage && raster->targets.samples > 1;
    pipeline->early_zs = !(s->kills || alpha_test || pipeline->alpha_cover || s->writes_depth ||
                           raster->options.force_late_zs);
    pipeline->early_z_reject = !pipeline->early_zs && !raster->options.force_late_zs &&
                               !s->writes_depth && early_fail_is_final(&pipeline->ds[0]);
    pipeline->shades = pipeline->n_outputs || !pipeline->early_zs;
    pipeline->fog = (struct raster_fog_params){
        .mode = fog_mode(s),
        .end = s->fog_end,
        .range = fog_range(s),
        .density = s->fog_density,
        .colour = {s->fog_colour[0], s->fog_colour[1], s->fog_colour[2]},
    };
    pipeline_samples(raster, pipeline);
    pipeline_blocks(raster, pipeline);
    pipeline_batching(raster, pipeline);
    raster_hiz_prepare(raster, pipeline);
    pipeline->batchable = pipeline->use_mask8x8 &&
                          (!pipeline->hiz || pipeline->ds[0].depth_write) &&
                          (pipeline->quad_zs_test || !pipeline->depth_used ||
                           !(pipeline->early_zs || pipeline->early_z_reject));
    raster_depth_sort_prepare(pipeline);
    pipeline->preshade = raster_can_preshade(pipeline);
    pipeline->has_side_effects = pipeline_writes(pipeline) != WROTE_COLOUR;
    pipeline->overwrites_colour = overwrites_colour(raster, pipeline);
}

static struct raster_query *query_get(struct raster *raster, uint64_t *target)
{
    struct raster_query *query;
    size_t bytes = (size_t)raster->n_workers * QUERY_STRIDE * sizeof(uint64_t);

    for (query = raster->queries; query; query = query->next)
        if (query->target == target)
            return query;
    query = arena_alloc(&raster->arena, sizeof(*query));
    if (!query)
        return NULL;
    *query = (struct raster_query){.target = target, .next = raster->queries};
    query->counts = arena_alloc(&raster->arena, bytes);
    if (!query->counts)
        return NULL;
    memset(query->counts, 0, bytes);
    return raster->queries = query;
}

/* Grows the shader's work memory of all workers: one part for whole blocks, one for batches. */
static bool work_reserve(struct raster *raster, size_t bytes)
{
    bytes = (bytes + 63) & ~(size_t)63;
    for (unsigned i = 0; i < raster->n_workers; i++) {
        struct raster_worker *worker = &raster->workers[i];
        float *work;

        if (worker->work_bytes >= bytes)
            continue;
        work = mem_calloc(2, bytes);
        if (!work)
            return false;
        mem_free(worker->work);
        worker->work = work;
        worker->batch_work = work + bytes / sizeof(*work);
        worker->work_bytes = bytes;
    }
    return true;
}

/* Includes slots past the shader's own, such as that of a fog factor. */
static size_t work_bytes(const struct raster_state *state)
{
    size_t bytes = state->work_bytes;

    for (unsigned n = 0; n < state->n_attrs; n++) {
        size_t end = (state->attr[n].slot + (size_t)1) * RASTER_LANES * sizeof(float);

        bytes = end > bytes ? end : bytes;
    }
    return bytes;
}

static struct raster_pipeline *new_pipeline(struct raster *raster, const struct raster_state *state)
{
    struct raster_pipeline *pipeline = arena_alloc(&raster->arena, sizeof(*pipeline));

    if (!pipeline || !work_reserve(raster, work_bytes(state)))
        return NULL;
    memset(pipeline, 0, sizeof(*pipeline));
    memcpy(&pipeline->s, state, sizeof(*state));
    if (state->samples_passed) {
        pipeline->query = query_get(raster, state->samples_passed);
        if (!pipeline->query)
            return NULL;
    }
    pipeline_fill(raster, pipeline);
    raster->written |= pipeline_writes(pipeline);
    return pipeline;
}

/* Applications alternate between a few states, so the most recent pipelines are kept. */
const struct raster_pipeline *raster_pipeline_get(struct raster *raster)
{
    const struct raster_state *state = raster->state;
    struct raster_recent *recent;

    if (raster->pipeline)
        return raster->pipeline;
    for (unsigned i = 1; i <= RECENT_PIPELINES; i++) {
        recent = &raster->recent[(raster->next_recent - i) % RECENT_PIPELINES];
        if (recent->pipeline && bytes_equal(&recent->state, state, sizeof(*state)))
            return raster->pipeline = recent->pipeline;
    }
    recent = &raster->recent[raster->next_recent % RECENT_PIPELINES];
    recent->pipeline = new_pipeline(raster, state);
    if (!recent->pipeline)
        return NULL;
    memcpy(&recent->state, state, sizeof(*state));
    raster->next_recent++;
    return raster->pipeline = recent->pipeline;
}
