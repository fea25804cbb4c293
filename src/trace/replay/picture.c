/* Reads the picture of a moment: copies the render target through Direct3D 9 and converts it to
 * RGBA. */
#include "trace/replay/replay_private.h"

#include "tex/tex.h"
#include "util/alloc.h"

#include <string.h>

IDirect3DSurface9 *replay_moment_surface(struct replay *r)
{
    IDirect3DSurface9 *surface = NULL;
    HRESULT hr = E_FAIL;

    if (r->moment_chain)
        hr = IDirect3DSwapChain9_GetBackBuffer((IDirect3DSwapChain9 *)r->moment_chain->iface, 0,
                                               D3DBACKBUFFER_TYPE_MONO, &surface);
    else if (r->moment_device)
        hr = IDirect3DDevice9_GetRenderTarget((IDirect3DDevice9 *)r->moment_device->iface, 0,
                                              &surface);
    return SUCCEEDED(hr) ? surface : NULL;
}

/* Resolves a multisampled surface; the caller owns the returned reference. */
static IDirect3DSurface9 *resolved(IDirect3DDevice9 *device, IDirect3DSurface9 *surface,
                                   const D3DSURFACE_DESC *desc)
{
    IDirect3DSurface9 *plain = NULL;

    if (desc->MultiSampleType == D3DMULTISAMPLE_NONE) {
        IDirect3DSurface9_AddRef(surface);
        return surface;
    }
    if (FAILED(IDirect3DDevice9_CreateRenderTarget(device, desc->Width, desc->Height, desc->Format,
                                                   D3DMULTISAMPLE_NONE, 0, FALSE, &plain, NULL)))
        return NULL;
    if (FAILED(IDirect3DDevice9_StretchRect(device, surface, NULL, plain, NULL, D3DTEXF_NONE))) {
        IDirect3DSurface9_Release(plain);
        return NULL;
    }
    return plain;
}

/* Converts one row of a format whose channels the format table describes. */
static void convert_row(const struct tex_format *format, tex_unpack_fn *unpack, const uint8_t *src,
                        uint32_t width, uint8_t *rgba)
{
    _Alignas(64) float lanes[4][TEX_LANES];
    float *const channels[4] = {lanes[0], lanes[1], lanes[2], lanes[3]};

    for (uint32_t x = 0; x < width; x += TEX_LANES) {
        unsigned n = width - x < TEX_LANES ? width - x : TEX_LANES;

        unpack(format, src + (size_t)x * format->bytes, n, channels);
        for (unsigned i = 0; i < n; i++)
            for (unsigned c = 0; c < 4; c++) {
                float v = lanes[c][i];

                v = v > 0.0f ? v < 1.0f ? v : 1.0f : 0.0f; /* NaN becomes 0 */
                rgba[4 * (x + i) + c] = (uint8_t)(v * 255.0f + 0.5f);
            }
    }
}

static void convert_row_8888(const uint8_t *src, uint32_t width, uint8_t *rgba, bool alpha)
{
    for (uint32_t x = 0; x < width; x++) {
        rgba[4 * x] = src[4 * x + 2];
        rgba[4 * x + 1] = src[4 * x + 1];
        rgba[4 * x + 2] = src[4 * x];
        rgba[4 * x + 3] = alpha ? src[4 * x + 3] : 255;
    }
}

enum status picture_convert(const struct tex_format *format, uint32_t width, uint32_t height,
                            const uint8_t *rows, size_t pitch, struct replay_picture *out)
{
    bool words = format && (format->d3d == D3DFMT_A8R8G8B8 || format->d3d == D3DFMT_X8R8G8B8);
    tex_unpack_fn *unpack = format && !words ? tex_unpacker(format) : NULL;

    if (!words && !unpack)
        return ST_UNSUPPORTED;
    out->rgba = mem_alloc((size_t)width * height * 4);
    if (!out->rgba)
        return ST_NOMEM;
    out->width = width;
    out->height = height;
    out->format = format->d3d;
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *src = rows + (size_t)y * pitch;
        uint8_t *rgba = out->rgba + (size_t)y * width * 4;

        if (words)
            convert_row_8888(src, width, rgba, format->d3d == D3DFMT_A8R8G8B8);
        else
            convert_row(format, unpack, src, width, rgba);
    }
    return ST_OK;
}

static enum status read_surface(IDirect3DDevice9 *device, IDirect3DSurface9 *surface,
                                const D3DSURFACE_DESC *desc, struct replay_picture *out)
{
    IDirect3DSurface9 *copy = NULL;
    D3DLOCKED_RECT locked;
    enum status st = ST_NOTFOUND;

    if (FAILED(IDirect3DDevice9_CreateOffscreenPlainSurface(
            device, desc->Width, desc->Height, desc->Format, D3DPOOL_SYSTEMMEM, &copy, NULL)))
        return ST_UNSUPPORTED;
    if (SUCCEEDED(IDirect3DDevice9_GetRenderTargetData(device, surface, copy)) &&
        SUCCEEDED(IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY))) {
        st = picture_convert(tex_format_get(desc->Format), desc->Width, desc->Height, locked.pBits,
                             (size_t)locked.Pitch, out);
        IDirect3DSurface9_UnlockRect(copy);
    }
    IDirect3DSurface9_Release(copy);
    return st;
}

bool replay_shows_nothing(D3DFORMAT format)
{
    return format == (D3DFORMAT)MAKEFOURCC('N', 'U', 'L', 'L');
}

enum status replay_take_picture(struct replay *r, struct replay_picture *out)
{
    struct object *owner = r->moment_device;
    IDirect3DSurface9 *surface, *plain;
    D3DSURFACE_DESC desc;
    enum status st = ST_UNSUPPORTED;

    memset(out, 0, sizeof(*out));
    if (!owner || owner->kind != OBJ_DEVICE || !owner->iface)
        return ST_NOTFOUND;
    surface = replay_moment_surface(r);
    if (!surface)
        return ST_NOTFOUND;
    if (FAILED(IDirect3DSurface9_GetDesc(surface, &desc)) || replay_shows_nothing(desc.Format)) {
        IDirect3DSurface9_Release(surface);
        return ST_NOTFOUND;
    }
    plain = resolved(owner->iface, surface, &desc);
    if (plain) {
        st = read_surface(owner->iface, plain, &desc, out);
        IDirect3DSurface9_Release(plain);
    }
    IDirect3DSurface9_Release(surface);
    return st;
}
