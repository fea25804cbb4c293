/* Translates Direct3D sampler states to the state of a texture sampler.
 * Tested by tests/conformance/texture. */
#include "draw/translate/translate.h"

#include <string.h>

/* Another maximum than the program's, for samplers that filter linearly between levels; 1: none. */
static void force_anisotropy(struct tex_sampler_state *out, unsigned taps)
{
    if (taps == 1) {
        out->min_filter = out->min_filter == D3DTEXF_ANISOTROPIC ? D3DTEXF_LINEAR : out->min_filter;
        out->mag_filter = out->mag_filter == D3DTEXF_ANISOTROPIC ? D3DTEXF_LINEAR : out->mag_filter;
    } else if ((out->min_filter == D3DTEXF_LINEAR || out->min_filter == D3DTEXF_ANISOTROPIC) &&
               out->mip_filter != D3DTEXF_NONE) {
        out->min_filter = D3DTEXF_ANISOTROPIC;
        out->max_anisotropy = (uint8_t)taps;
    }
}

struct tex_sampler_state translate_sampler(const struct draw_state *state, unsigned n,
                                           unsigned anisotropy)
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

    if (out.min_filter == D3DTEXF_CONVOLUTIONMONO || out.mag_filter == D3DTEXF_CONVOLUTIONMONO)
        out.convolution = state->render[FF_RS_CONVOLUTION_MONO];
    if (anisotropy)
        force_anisotropy(&out, anisotropy);
    memcpy(&out.lod_bias, &s[D3DSAMP_MIPMAPLODBIAS], sizeof(out.lod_bias));
    return out;
}
