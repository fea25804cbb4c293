/* Images of a compiled stream on a Direct3D 9 device: creation.
 *
 * Tested by tests/fuzz/trace/test_nvs.c and tests/tool/retrace.sh. */
#include "trace/calls/calls.h"

static const struct tex_format *format_of(const struct calls_resource *r)
{
    return tex_format_get(r->desc.format);
}

static uint32_t full_chain(const struct tex_desc *d)
{
    uint32_t size = d->width | d->height | d->depth, n = 1;

    while (size >>= 1)
        n++;
    return n;
}

/* --- Creation --------------------------------------------------------------------------------- */

static HRESULT create_texture(IDirect3DDevice9 *device, struct calls_resource *r, DWORD usage,
                              D3DPOOL pool)
{
    const struct tex_desc *d = &r->desc;
    bool mips = r->use & USED_MIPS && d->shape != TEX_VOLUME_MAP;
    uint32_t levels = mips ? 0 : d->levels;

    usage |= mips ? D3DUSAGE_AUTOGENMIPMAP : 0;
    if (d->shape == TEX_CUBE_MAP)
        return IDirect3DDevice9_CreateCubeTexture(device, d->width, levels, usage, d->format, pool,
                                                  (IDirect3DCubeTexture9 **)&r->texture, NULL);
    if (d->shape == TEX_VOLUME_MAP)
        return IDirect3DDevice9_CreateVolumeTexture(device, d->width, d->height, d->depth, levels,
                                                    usage, d->format, pool,
                                                    (IDirect3DVolumeTexture9 **)&r->texture, NULL);
    return IDirect3DDevice9_CreateTexture(device, d->width, d->height, levels, usage, d->format,
                                          pool, (IDirect3DTexture9 **)&r->texture, NULL);
}

/* Formats that are no targets, such as YUV, become plain surfaces. */
static HRESULT create_colour(IDirect3DDevice9 *device, struct calls_resource *r, bool texture)
{
    const struct tex_desc *d = &r->desc;
    D3DMULTISAMPLE_TYPE samples =
        d->samples > 1 ? (D3DMULTISAMPLE_TYPE)d->samples : D3DMULTISAMPLE_NONE;
    HRESULT hr;

    if (texture) {
        hr = create_texture(device, r, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT);
        return FAILED(hr) ? create_texture(device, r, 0, D3DPOOL_DEFAULT) : hr;
    }
    hr = IDirect3DDevice9_CreateRenderTarget(device, d->width, d->height, d->format, samples, 0,
                                             FALSE, &r->surface, NULL);
    if (FAILED(hr) && samples == D3DMULTISAMPLE_NONE)
        hr = IDirect3DDevice9_CreateOffscreenPlainSurface(device, d->width, d->height, d->format,
                                                          D3DPOOL_DEFAULT, &r->surface, NULL);
    return hr;
}

static HRESULT create_drawn(IDirect3DDevice9 *device, struct calls_resource *r)
{
    const struct tex_desc *d = &r->desc;
    bool texture = r->use & USED_TEXTURE || d->levels > 1 || d->shape != TEX_2D;
    D3DMULTISAMPLE_TYPE samples =
        d->samples > 1 ? (D3DMULTISAMPLE_TYPE)d->samples : D3DMULTISAMPLE_NONE;

    if (format_of(r)->layout != TEX_LAYOUT_DEPTH)
        return create_colour(device, r, texture);
    if (texture)
        return create_texture(device, r, D3DUSAGE_DEPTHSTENCIL, D3DPOOL_DEFAULT);
    return IDirect3DDevice9_CreateDepthStencilSurface(device, d->width, d->height, d->format,
                                                      samples, 0, FALSE, &r->surface, NULL);
}

enum status calls_create_image(struct calls_stream *stream, struct calls_resource *r, HRESULT *hr)
{
    enum status st = ST_OK;

    if (!format_of(r) || !tex_image_bytes(&r->desc))
        return ST_INVALID;
    if (!r->desc.levels)
        r->desc.levels = full_chain(&r->desc);
    if (r->use & USED_DRAWN) {
        *hr = create_drawn(stream->device, r);
        return ST_OK;
    }
    st = tex_image_create(&r->memory, &r->desc, NULL);
    if (st == ST_OK && r->use & USED_TEXTURE)
        *hr = create_texture(stream->device, r, 0, D3DPOOL_MANAGED);
    return st;
}

IDirect3DSurface9 *calls_surface(const struct calls_resource *r, uint32_t face, uint32_t level)
{
    IDirect3DSurface9 *surface = NULL;

    if (r->surface) {
        IDirect3DSurface9_AddRef(r->surface);
        return r->surface;
    }
    if (!r->texture || r->desc.shape == TEX_VOLUME_MAP)
        return NULL;
    if (r->desc.shape == TEX_CUBE_MAP)
        IDirect3DCubeTexture9_GetCubeMapSurface((IDirect3DCubeTexture9 *)r->texture,
                                                (D3DCUBEMAP_FACES)face, level, &surface);
    else
        IDirect3DTexture9_GetSurfaceLevel((IDirect3DTexture9 *)r->texture, level, &surface);
    return surface;
}
