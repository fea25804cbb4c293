/* The variants `target` and `texture`: render targets and textures of another format.
 *
 * A target of another format takes the place of the back buffer, and StretchRect converts it when
 * the picture is read. A texture is converted when a row first sets it. */
#include "variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Targets ---------------------------------------------------------------------------------- */

static IDirect3DSurface9 *screen; /* instead of the back buffer */

static D3DFORMAT target_format(D3DFORMAT format)
{
    switch (format) {
    case D3DFMT_X8R8G8B8:
    case D3DFMT_A8R8G8B8:
        return D3DFMT_R5G6B5;
    case D3DFMT_A16B16G16R16F:
        return D3DFMT_A32B32G32R32F;
    case D3DFMT_R32F:
        return D3DFMT_R16F;
    default:
        return format;
    }
}

static HRESULT WINAPI target_GetBackBuffer(IDirect3DDevice9 *d, UINT chain, UINT n,
                                           D3DBACKBUFFER_TYPE type, IDirect3DSurface9 **surface)
{
    (void)d;
    (void)chain;
    (void)n;
    (void)type;
    IDirect3DSurface9_AddRef(screen);
    *surface = screen;
    return D3D_OK;
}

static HRESULT WINAPI target_GetRenderTargetData(IDirect3DDevice9 *d, IDirect3DSurface9 *target,
                                                 IDirect3DSurface9 *to)
{
    IDirect3DSurface9 *back = NULL;
    HRESULT hr;

    ex_check(bench_hook.real->GetBackBuffer(d, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back),
             "GetBackBuffer");
    hr = bench_hook.real->StretchRect(d, target, NULL, back, NULL, D3DTEXF_NONE);
    if (SUCCEEDED(hr))
        hr = bench_hook.real->GetRenderTargetData(d, back, to);
    IDirect3DSurface9_Release(back);
    return hr;
}

static HRESULT WINAPI target_CreateTexture(IDirect3DDevice9 *d, UINT width, UINT height,
                                           UINT levels, DWORD usage, D3DFORMAT format, D3DPOOL pool,
                                           IDirect3DTexture9 **texture, HANDLE *shared)
{
    if (usage & D3DUSAGE_RENDERTARGET)
        format = target_format(format);
    return bench_hook.real->CreateTexture(d, width, height, levels, usage, format, pool, texture,
                                          shared);
}

static HRESULT WINAPI target_CreateRenderTarget(IDirect3DDevice9 *d, UINT width, UINT height,
                                                D3DFORMAT format, D3DMULTISAMPLE_TYPE samples,
                                                DWORD quality, BOOL lockable,
                                                IDirect3DSurface9 **surface, HANDLE *shared)
{
    return bench_hook.real->CreateRenderTarget(d, width, height, target_format(format), samples,
                                               quality, lockable, surface, shared);
}

void bench_hook_targets(void)
{
    IDirect3DDevice9 *d = bench_hook.bench->app.device;
    IDirect3DDevice9Vtbl *vtbl = &bench_hook.vtbl;

    vtbl->GetBackBuffer = target_GetBackBuffer;
    vtbl->GetRenderTargetData = target_GetRenderTargetData;
    vtbl->CreateTexture = target_CreateTexture;
    vtbl->CreateRenderTarget = target_CreateRenderTarget;
    ex_check(bench_hook.real->CreateRenderTarget(d, BENCH_WIDTH, BENCH_HEIGHT,
                                                 target_format(D3DFMT_X8R8G8B8),
                                                 D3DMULTISAMPLE_NONE, 0, FALSE, &screen, NULL),
             "CreateRenderTarget");
    bench_hook_own(screen);
    ex_check(bench_hook.real->SetRenderTarget(d, 0, screen), "SetRenderTarget");
}

/* --- Textures --------------------------------------------------------------------------------- */

enum { TEXTURES = 16 };

static struct {
    IDirect3DBaseTexture9 *from, *to;
} converted[TEXTURES];
static int n_converted;

/* Green of a texel of DXT1 whose first colour is greater than its second. */
static uint8_t dxt1_green(const uint8_t *block, int x, int y)
{
    unsigned ends[2], code = block[4 + y] >> 2 * x & 3;

    for (int i = 0; i < 2; i++) {
        unsigned green = (block[2 * i] | block[2 * i + 1] << 8) >> 5 & 63;

        ends[i] = green << 2 | green >> 4;
    }
    return (uint8_t)(code < 2 ? ends[code] : (ends[code - 2] * 2 + ends[3 - code]) / 3);
}

static void convert_texel(uint8_t *to, const D3DLOCKED_RECT *from, D3DFORMAT format, UINT x, UINT y)
{
    const uint8_t *row = from->pBits;

    if (format == D3DFMT_DXT1) {
        *to =
            dxt1_green(row + (ptrdiff_t)(y / 4) * from->Pitch + x / 4 * 8, (int)x % 4, (int)y % 4);
        return;
    }
    row += (ptrdiff_t)y * from->Pitch + 4 * x;
    to[0] = (uint8_t)((row[0] >> 4) | (row[1] & 0xf0));
    to[1] = (uint8_t)((row[2] >> 4) | (row[3] & 0xf0));
}

static void convert_level(IDirect3DTexture9 *to, IDirect3DTexture9 *from, UINT level)
{
    D3DLOCKED_RECT source, target;
    D3DSURFACE_DESC desc;

    ex_check(IDirect3DTexture9_GetLevelDesc(from, level, &desc), "GetLevelDesc");
    ex_check(IDirect3DTexture9_LockRect(from, level, &source, NULL, D3DLOCK_READONLY), "LockRect");
    ex_check(IDirect3DTexture9_LockRect(to, level, &target, NULL, 0), "LockRect");
    for (UINT y = 0; y < desc.Height; y++)
        for (UINT x = 0; x < desc.Width; x++)
            convert_texel((uint8_t *)target.pBits + (ptrdiff_t)y * target.Pitch +
                              x * (desc.Format == D3DFMT_DXT1 ? 1 : 2),
                          &source, desc.Format, x, y);
    IDirect3DTexture9_UnlockRect(to, level);
    IDirect3DTexture9_UnlockRect(from, level);
}

/* A texture of another format with the same picture; the texture itself if it is written each
 * frame. */
static IDirect3DTexture9 *convert(IDirect3DTexture9 *from)
{
    IDirect3DDevice9 *d = bench_hook.bench->app.device;
    IDirect3DTexture9 *to = NULL;
    D3DSURFACE_DESC desc;
    UINT levels = IDirect3DTexture9_GetLevelCount(from);

    ex_check(IDirect3DTexture9_GetLevelDesc(from, 0, &desc), "GetLevelDesc");
    if (desc.Usage || (desc.Format != D3DFMT_A8R8G8B8 && desc.Format != D3DFMT_DXT1))
        return from;
    ex_check(
        bench_hook.real->CreateTexture(d, desc.Width, desc.Height, levels, 0,
                                       desc.Format == D3DFMT_DXT1 ? D3DFMT_L8 : D3DFMT_A4R4G4B4,
                                       D3DPOOL_MANAGED, &to, NULL),
        "CreateTexture");
    bench_hook_own(to);
    for (UINT level = 0; level < levels; level++)
        convert_level(to, from, level);
    return to;
}

static HRESULT WINAPI texture_SetTexture(IDirect3DDevice9 *d, DWORD stage,
                                         IDirect3DBaseTexture9 *texture)
{
    int i = 0;

    if (!texture)
        return bench_hook.real->SetTexture(d, stage, NULL);
    while (i < n_converted && converted[i].from != texture)
        i++;
    if (i == TEXTURES) {
        fprintf(stderr, "bench: a row has more than %d textures\n", TEXTURES);
        exit(1);
    }
    if (i == n_converted) {
        converted[i].from = texture;
        converted[i].to = (IDirect3DBaseTexture9 *)convert((IDirect3DTexture9 *)texture);
        n_converted++;
    }
    return bench_hook.real->SetTexture(d, stage, converted[i].to);
}

/* A texture that is written each frame keeps the size of its texels. */
static HRESULT WINAPI texture_CreateTexture(IDirect3DDevice9 *d, UINT width, UINT height,
                                            UINT levels, DWORD usage, D3DFORMAT format,
                                            D3DPOOL pool, IDirect3DTexture9 **texture,
                                            HANDLE *shared)
{
    if (usage & D3DUSAGE_DYNAMIC && format == D3DFMT_A8R8G8B8)
        format = D3DFMT_A8B8G8R8;
    return bench_hook.real->CreateTexture(d, width, height, levels, usage, format, pool, texture,
                                          shared);
}

void bench_hook_textures(void)
{
    n_converted = 0;
    bench_hook.vtbl.SetTexture = texture_SetTexture;
    bench_hook.vtbl.CreateTexture = texture_CreateTexture;
}
