/* Draws that sample an image they render to. */
#include "draw/draw_private.h"

#include <string.h>

static bool sampler_used(const struct draw_plan *plan, unsigned i)
{
    if (i < 16)
        return plan->ps_samplers >> i & 1;
    return i >= DRAW_VERTEX_SAMPLER && (plan->vs_samplers >> (i - DRAW_VERTEX_SAMPLER) & 1);
}

/* Can the sampler reach that level? A first level past the last one is the last one. */
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

/* Whether the draw samples that target. */
static bool samples(const struct draw_state *state, const struct draw_plan *plan, unsigned sampler,
                    const struct draw_target *target)
{
    return target->image && state->texture[sampler].image == target->image &&
           sampler_used(plan, sampler);
}

/* The scene so far must be finished before it is read; and where the draw itself would write what
 * it reads, it reads a copy (reference: target/feedback). */
static enum status settle(struct draw *draw, const struct draw_state *state, unsigned sampler,
                          const struct draw_target *target)
{
    draw_flush(draw);
    if (draw->stand_in[sampler] || !reads_level(state, sampler, target->level))
        return ST_OK;
    return copy_image(&draw->stand_in[sampler], target->image);
}

/* Depth is often read by many draws of which none writes it: they share a scene. */
static enum status settle_depth(struct draw *draw, const struct draw_state *state, unsigned sampler)
{
    if (writes_depth(state))
        return settle(draw, state, sampler, &state->depth);
    if (draw->depth_written)
        draw_flush(draw);
    return ST_OK;
}

enum status feedback_begin(struct draw *draw, const struct draw_state *state,
                           const struct draw_plan *plan)
{
    enum status st = ST_OK;

    for (unsigned i = 0; i < DRAW_SAMPLERS; i++) {
        for (unsigned t = 0; !st && t < DRAW_TARGETS; t++)
            if (samples(state, plan, i, &state->target[t]))
                st = settle(draw, state, i, &state->target[t]);
        if (!st && samples(state, plan, i, &state->depth))
            st = settle_depth(draw, state, i);
    }
    if (writes_depth(state))
        feedback_before_depth(draw);
    return st;
}

void feedback_before_depth(struct draw *draw)
{
    if (draw->depth_sampled)
        draw_flush(draw);
}

void feedback_note(struct draw *draw, const struct draw_state *state, const struct draw_plan *plan)
{
    draw->depth_written |= writes_depth(state);
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        if (!draw->stand_in[i] && samples(state, plan, i, &state->depth))
            draw->depth_sampled = true;
}

void feedback_end(struct draw *draw)
{
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        draw_release(draw, &draw->stand_in[i]);
}
