/* Feedback loops: makes draws that sample one of their render targets well-defined, by flushing or
 * by sampling a copy.
 * Tested by tests/conformance/target. */
#include "draw/scene/scene.h"

#include <string.h>

/* Bit mask of the samplers that the programs of the draw use. */
static uint32_t samplers_used(const struct draw_pipeline *pipeline)
{
    uint32_t vertex = pipeline->vs_samplers & ((1u << (DRAW_SAMPLERS - DRAW_VERTEX_SAMPLER)) - 1);

    return (pipeline->ps_samplers & 0xffff) | vertex << DRAW_VERTEX_SAMPLER;
}

/* Whether the sampler can access the level. The first level is clamped to the last one. */
static bool reads_level(const struct draw_state *state, unsigned sampler, uint32_t level)
{
    const DWORD *s = state->sampler[sampler];
    uint32_t first = state->texture[sampler].lod;
    uint32_t last = state->texture[sampler].image->desc.levels - 1;
    bool mips = s[D3DSAMP_MIPFILTER] != D3DTEXF_NONE;

    if (mips && s[D3DSAMP_MAXMIPLEVEL] > first)
        first = s[D3DSAMP_MAXMIPLEVEL];
    if (first > last)
        first = last;
    return mips ? level >= first : level == first;
}

static bool writes_depth(const struct draw_state *state)
{
    const DWORD *rs = state->render;

    return (rs[D3DRS_ZENABLE] && rs[D3DRS_ZWRITEENABLE]) || rs[D3DRS_STENCILENABLE];
}

static enum status copy_image(struct tex_image **out, const struct tex_image *image)
{
    enum status st = tex_image_create(out, &image->desc, NULL);

    if (!st)
        memcpy((*out)->memory, image->memory, image->bytes);
    return st;
}

static bool is_bound(const struct draw_state *state, unsigned sampler,
                     const struct draw_target *target)
{
    return target->image && state->texture[sampler].image == target->image;
}

/* Flushes the open scene, whose result the sampler reads. If the draw itself writes a level that it
 * samples, the sampler gets a copy (reference: target/feedback). */
static enum status resolve_feedback(struct draw_scene *scene, const struct draw_state *state,
                                    unsigned sampler, const struct draw_target *target)
{
    scene_flush(scene);
    if (scene->feedback_copy[sampler] || !reads_level(state, sampler, target->level))
        return ST_OK;
    return copy_image(&scene->feedback_copy[sampler], target->image);
}

/* Draws that sample the depth target without writing it share one scene. */
static enum status resolve_depth_feedback(struct draw_scene *scene, const struct draw_state *state,
                                          unsigned sampler)
{
    if (writes_depth(state))
        return resolve_feedback(scene, state, sampler, &state->depth);
    if (scene->depth_written)
        scene_flush(scene);
    return ST_OK;
}

enum status feedback_begin(struct draw_scene *scene, const struct draw_state *state,
                           const struct draw_pipeline *pipeline)
{
    enum status st = ST_OK;

    for (uint32_t left = samplers_used(pipeline); left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);

        for (unsigned t = 0; !st && t < DRAW_TARGETS; t++)
            if (is_bound(state, i, &state->target[t]))
                st = resolve_feedback(scene, state, i, &state->target[t]);
        if (!st && is_bound(state, i, &state->depth))
            st = resolve_depth_feedback(scene, state, i);
    }
    if (writes_depth(state))
        scene_flush_depth_readers(scene);
    return st;
}

void feedback_track(struct draw_scene *scene, const struct draw_state *state,
                    const struct draw_pipeline *pipeline)
{
    scene->depth_written |= writes_depth(state);
    for (uint32_t left = samplers_used(pipeline); left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);

        if (!scene->feedback_copy[i] && is_bound(state, i, &state->depth))
            scene->depth_sampled = true;
    }
}

void feedback_end(struct draw_scene *scene)
{
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        if (scene->feedback_copy[i])
            scene_release(scene, &scene->feedback_copy[i]);
}
