/* Draws that sample an image they render to. */
#include "draw/draw_private.h"

#include <string.h>

static bool sampler_used(const struct draw_plan *plan, unsigned i)
{
    if (i < 16)
        return plan->ps_samplers >> i & 1;
    return i >= DRAW_VERTEX_SAMPLER && (plan->vs_samplers >> (i - DRAW_VERTEX_SAMPLER) & 1);
}

/* Can the sampler reach that level? */
static bool reads_level(const struct draw_state *state, unsigned sampler, uint32_t level)
{
    const DWORD *s = state->sampler[sampler];
    uint32_t first = state->texture[sampler].lod;

    if (s[D3DSAMP_MIPFILTER] == D3DTEXF_NONE)
        return level == first;
    return level >= first && level >= s[D3DSAMP_MAXMIPLEVEL];
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

/* The scene so far must be finished before it is read; and where the draw itself would write what
 * it reads, it reads a copy (reference: target/feedback). */
static enum status settle(struct draw *draw, const struct draw_state *state, unsigned sampler,
                          const struct draw_target *target, bool written)
{
    struct tex_image *image = state->texture[sampler].image;

    if (!image || image != target->image)
        return ST_OK;
    draw_flush(draw);
    if (!written || draw->stand_in[sampler] || !reads_level(state, sampler, target->level))
        return ST_OK;
    return copy_image(&draw->stand_in[sampler], image);
}

enum status feedback_begin(struct draw *draw, const struct draw_state *state,
                           const struct draw_plan *plan)
{
    enum status st = ST_OK;

    for (unsigned i = 0; i < DRAW_SAMPLERS; i++) {
        if (!state->texture[i].image || !sampler_used(plan, i))
            continue;
        for (unsigned t = 0; !st && t < DRAW_TARGETS; t++)
            st = settle(draw, state, i, &state->target[t], true);
        if (!st)
            st = settle(draw, state, i, &state->depth, writes_depth(state));
    }
    return st;
}

void feedback_end(struct draw *draw)
{
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        draw_release(draw, &draw->stand_in[i]);
}
