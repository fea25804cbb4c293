/* Says why a device cannot draw a state: formats and their uses, sample counts, targets and limits.
 */
#include "lottery.h"

static const D3DFORMAT display = D3DFMT_X8R8G8B8;

static bool supports(struct bench *bench, DWORD usage, D3DRESOURCETYPE type, D3DFORMAT format)
{
    return SUCCEEDED(IDirect3D9_CheckDeviceFormat(bench->app.d3d, D3DADAPTER_DEFAULT,
                                                  D3DDEVTYPE_HAL, display, usage, type, format));
}

static bool multisamples(struct bench *bench, D3DFORMAT format, DWORD samples)
{
    return SUCCEEDED(IDirect3D9_CheckDeviceMultiSampleType(bench->app.d3d, D3DADAPTER_DEFAULT,
                                                           D3DDEVTYPE_HAL, format, TRUE,
                                                           (D3DMULTISAMPLE_TYPE)samples, NULL));
}

static const char *refuse_target(struct bench *bench, const struct lottery_state *s)
{
    const DWORD use = D3DUSAGE_RENDERTARGET;
    bool after_shader = s->blend || s->alpha_test || s->fog != FOG_NONE;

    if (!supports(bench, use, D3DRTYPE_SURFACE, s->target) ||
        !supports(bench, use, D3DRTYPE_TEXTURE, s->target))
        return "target format";
    if (s->blend && !supports(bench, use | D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING,
                              D3DRTYPE_TEXTURE, s->target))
        return "blending of the target format";
    if (s->srgb_write &&
        !supports(bench, use | D3DUSAGE_QUERY_SRGBWRITE, D3DRTYPE_TEXTURE, s->target))
        return "sRGB write to the target format";
    if (s->targets > bench->app.caps.NumSimultaneousRTs)
        return "number of targets";
    if (s->targets > 1 && after_shader &&
        !(bench->app.caps.PrimitiveMiscCaps & D3DPMISCCAPS_MRTPOSTPIXELSHADERBLENDING))
        return "blending of several targets";
    return s->samples && !multisamples(bench, s->target, s->samples) ? "samples of the target"
                                                                     : NULL;
}

static const char *refuse_depth(struct bench *bench, const struct lottery_state *s)
{
    if (s->depth == D3DFMT_UNKNOWN)
        return NULL;
    if (!supports(bench, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, s->depth))
        return "depth format";
    if (FAILED(IDirect3D9_CheckDepthStencilMatch(bench->app.d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL,
                                                 display, s->target, s->depth)))
        return "depth format with the target format";
    return s->samples && !multisamples(bench, s->depth, s->samples) ? "samples of the depth buffer"
                                                                    : NULL;
}

static const char *refuse_texture(struct bench *bench, const struct lottery_texture *t)
{
    if (!supports(bench, 0, t->type, t->format))
        return "texture format";
    if (t->filter != D3DTEXF_POINT && !supports(bench, D3DUSAGE_QUERY_FILTER, t->type, t->format))
        return "filter of the texture format";
    if (t->srgb && !supports(bench, D3DUSAGE_QUERY_SRGBREAD, t->type, t->format))
        return "sRGB read of the texture format";
    if (t->levels && !supports(bench, D3DUSAGE_QUERY_WRAPANDMIP, t->type, t->format))
        return "mip levels of the texture format";
    return t->filter == D3DTEXF_ANISOTROPIC && t->anisotropy > bench->app.caps.MaxAnisotropy
               ? "anisotropy"
               : NULL;
}

const char *lottery_refusal(struct bench *bench, const struct lottery_state *s)
{
    const D3DCAPS9 *caps = &bench->app.caps;
    const char *why = refuse_target(bench, s);

    if (!why)
        why = refuse_depth(bench, s);
    for (unsigned i = 0; !why && i < s->textures; i++)
        why = refuse_texture(bench, &s->texture[i]);
    if (why)
        return why;
    if (s->pixel_shader >= PS_BRANCH && (caps->PixelShaderVersion < D3DPS_VERSION(3, 0) ||
                                         caps->VertexShaderVersion < D3DVS_VERSION(3, 0)))
        return "shader model 3";
    if (s->separate_alpha && !(caps->PrimitiveMiscCaps & D3DPMISCCAPS_SEPARATEALPHABLEND))
        return "separate blending of alpha";
    if (s->two_sided && !(caps->StencilCaps & D3DSTENCILCAPS_TWOSIDED))
        return "stencil of two sides";
    return s->lights > caps->MaxActiveLights ? "number of lights" : NULL;
}
