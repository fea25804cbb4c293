/* Initialises the samplers of a shader stage from its textures and sampler states. */
#include "draw/draw_private.h"

#include "util/fault_injection.h"

#include <string.h>

static uint8_t inject_address_fault(uint8_t address)
{
    if (fault_is(FAULT_BORDER) && address == D3DTADDRESS_BORDER)
        return D3DTADDRESS_CLAMP;
    return fault_is(FAULT_MIRROR) && address == D3DTADDRESS_MIRROR ? D3DTADDRESS_WRAP : address;
}

static void inject_faults(struct tex_sampler_state *s)
{
    if (fault_is(FAULT_MIP_BIAS))
        s->lod_bias = 0.0f;
    if (fault_is(FAULT_MIP_FIRST))
        s->max_mip_level = 0;
    if (fault_is(FAULT_FILTER) && s->mag_filter == D3DTEXF_LINEAR)
        s->mag_filter = D3DTEXF_POINT;
    s->srgb = s->srgb && !fault_is(FAULT_SRGB_READ);
    for (unsigned a = 0; a < 3; a++)
        s->address[a] = inject_address_fault(s->address[a]);
}

static struct tex_sampler_state sampler_state(const struct draw_state *state, unsigned n)
{
    const DWORD *s = state->sampler[n];
    struct tex_sampler_state out = {
        .address = {(uint8_t)s[D3DSAMP_ADDRESSU], (uint8_t)s[D3DSAMP_ADDRESSV],
                    (uint8_t)s[D3DSAMP_ADDRESSW]},
        .min_filter = (uint8_t)s[D3DSAMP_MINFILTER],
        .mag_filter = (uint8_t)s[D3DSAMP_MAGFILTER],
        .mip_filter = (uint8_t)s[D3DSAMP_MIPFILTER],
        .max_anisotropy = (uint8_t)s[D3DSAMP_MAXANISOTROPY],
        .srgb = s[D3DSAMP_SRGBTEXTURE] & 1, /* reference: texture/srgb */
        .max_mip_level = s[D3DSAMP_MAXMIPLEVEL],
        .lod = state->texture[n].lod,
        .border = s[D3DSAMP_BORDERCOLOR],
        .palette = state->palette,
    };

    memcpy(&out.lod_bias, &s[D3DSAMP_MIPMAPLODBIAS], sizeof(out.lod_bias));
    inject_faults(&out);
    return out;
}

enum status bind_samplers(struct draw *draw, const struct draw_state *state, unsigned first,
                          uint32_t mask, struct tex_sampler *samplers)
{
    for (unsigned i = 0; mask >> i; i++) {
        struct tex_image *image;
        struct tex_sampler_state setting;
        enum status st;

        if (!(mask >> i & 1))
            continue;
        image = draw->feedback_copy[first + i];
        if (!image)
            image = state->texture[first + i].image;
        setting = sampler_state(state, first + i);
        memset(&samplers[i], 0, sizeof(samplers[i]));
        if ((st = tex_sampler_init(&samplers[i], image, &setting)))
            return st;
        if (image)
            image->last_scene = draw->scene;
    }
    return ST_OK;
}

void draw_sample(void *ctx, const struct sample *in)
{
    const struct tex_sampler *samplers = ctx;

    tex_sample(&samplers[in->sampler], in);
}
