/* Rows that copy: texture uploads in every frame, StretchRect, mip generation. */
#include "bench.h"

#include <string.h>

enum { TEXELS = 512, COPIES = 8 };

struct copy_vertex {
    float x, y, z, rhw, u, v;
};
#define COPY_FVF (D3DFVF_XYZRHW | D3DFVF_TEX1)

static struct ex_colour cells(float u, float v, void *ctx)
{
    (void)ctx;
    return ex_rgba(ex_noise(u * 32.0f, v * 32.0f, 32, 5), u, v, 1.0f);
}

static void set_states(struct bench *bench, DWORD mip)
{
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_SetSamplerState(d, 0, D3DSAMP_MINFILTER, D3DTEXF_LINEAR);
    IDirect3DDevice9_SetSamplerState(d, 0, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR);
    IDirect3DDevice9_SetSamplerState(d, 0, D3DSAMP_MIPFILTER, mip);
    IDirect3DDevice9_SetTextureStageState(d, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ZENABLE, FALSE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice9_SetFVF(d, COPY_FVF);
}

/* Draws the texture over a rectangle, repeated `repeat` times in both directions. */
static void draw_texture(struct bench *bench, IDirect3DTexture9 *texture, float width, float height,
                         float repeat)
{
    struct copy_vertex v[4];

    for (int i = 0; i < 4; i++) {
        float x = (float)(i & 1), y = (float)(i >> 1);

        v[i] = (struct copy_vertex){x * width - 0.5f, y * height - 0.5f, 0.5f, 1.0f,
                                    x * repeat,       y * repeat};
    }
    IDirect3DDevice9_SetTexture(bench->app.device, 0, (IDirect3DBaseTexture9 *)texture);
    ex_check(IDirect3DDevice9_DrawPrimitiveUP(bench->app.device, D3DPT_TRIANGLESTRIP, 2, v,
                                              sizeof(v[0])),
             "DrawPrimitiveUP");
}

/* --- Texture uploads -------------------------------------------------------------------------- */

static bool begin_upload(struct bench *bench)
{
    set_states(bench, D3DTEXF_NONE);
    return SUCCEEDED(IDirect3DDevice9_CreateTexture(bench->app.device, TEXELS, TEXELS, 1,
                                                    D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_DEFAULT, &bench->texture[0], NULL));
}

/* Draws the texture eight times, as for a video of that size shown in eight places. */
static void draw_upload(struct bench *bench, int frame)
{
    for (int i = 0; i < COPIES; i++) {
        D3DLOCKED_RECT locked;

        ex_check(IDirect3DTexture9_LockRect(bench->texture[0], 0, &locked, NULL, D3DLOCK_DISCARD),
                 "LockRect");
        for (int y = 0; y < TEXELS; y++) {
            uint32_t *row = (uint32_t *)(void *)((uint8_t *)locked.pBits + y * locked.Pitch);

            for (int x = 0; x < TEXELS; x++)
                row[x] = 0xff000000 | (uint32_t)(x ^ y) << 8 | (uint32_t)(x + frame + i);
        }
        IDirect3DTexture9_UnlockRect(bench->texture[0], 0);
        draw_texture(bench, bench->texture[0], BENCH_WIDTH - 64.0f * (float)i,
                     BENCH_HEIGHT - 64.0f * (float)i, 1.0f);
    }
}

const struct bench_row bench_upload = {"upload", "8 times a 512x512 texture filled anew and drawn",
                                       begin_upload, draw_upload};

/* --- StretchRect ------------------------------------------------------------------------------ */

static bool begin_stretch(struct bench *bench, UINT width, UINT height)
{
    IDirect3DDevice9 *d = bench->app.device;
    IDirect3DSurface9 *back = NULL;

    set_states(bench, D3DTEXF_NONE);
    bench->texture[0] = ex_texture(&bench->app, TEXELS, cells, NULL);
    if (FAILED(IDirect3DDevice9_CreateRenderTarget(d, width, height, D3DFMT_X8R8G8B8,
                                                   D3DMULTISAMPLE_NONE, 0, FALSE, &bench->surface,
                                                   NULL)))
        return false;
    ex_check(IDirect3DDevice9_GetRenderTarget(d, 0, &back), "GetRenderTarget");
    ex_check(IDirect3DDevice9_SetRenderTarget(d, 0, bench->surface), "SetRenderTarget");
    ex_check(IDirect3DDevice9_BeginScene(d), "BeginScene");
    draw_texture(bench, bench->texture[0], (float)width, (float)height, 1.0f);
    IDirect3DDevice9_EndScene(d);
    ex_check(IDirect3DDevice9_SetRenderTarget(d, 0, back), "SetRenderTarget");
    IDirect3DSurface9_Release(back);
    return true;
}

static bool begin_stretch_same(struct bench *bench)
{
    return begin_stretch(bench, BENCH_WIDTH, BENCH_HEIGHT);
}

static bool begin_stretch_scaled(struct bench *bench)
{
    return begin_stretch(bench, TEXELS, TEXELS);
}

static void stretch(struct bench *bench, D3DTEXTUREFILTERTYPE filter)
{
    IDirect3DSurface9 *target = NULL;

    ex_check(IDirect3DDevice9_GetRenderTarget(bench->app.device, 0, &target), "GetRenderTarget");
    for (int i = 0; i < COPIES; i++)
        ex_check(IDirect3DDevice9_StretchRect(bench->app.device, bench->surface, NULL, target, NULL,
                                              filter),
                 "StretchRect");
    IDirect3DSurface9_Release(target);
}

static void draw_stretch_same(struct bench *bench, int frame)
{
    (void)frame;
    stretch(bench, D3DTEXF_NONE);
}

static void draw_stretch_scaled(struct bench *bench, int frame)
{
    (void)frame;
    stretch(bench, D3DTEXF_LINEAR);
}

const struct bench_row bench_stretchrect = {"stretchrect", "8 StretchRects of the whole screen",
                                            begin_stretch_same, draw_stretch_same};
const struct bench_row bench_stretchrect_scaled = {
    "stretchrect-scaled", "8 StretchRects of 512x512 to the whole screen, linear",
    begin_stretch_scaled, draw_stretch_scaled};

/* --- Mip generation --------------------------------------------------------------------------- */

static bool begin_autogen(struct bench *bench)
{
    set_states(bench, D3DTEXF_LINEAR);
    bench->texture[0] = ex_texture(&bench->app, TEXELS, cells, NULL);
    return IDirect3D9_CheckDeviceFormat(bench->app.d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL,
                                        D3DFMT_X8R8G8B8,
                                        D3DUSAGE_RENDERTARGET | D3DUSAGE_AUTOGENMIPMAP,
                                        D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8) == D3D_OK &&
           SUCCEEDED(IDirect3DDevice9_CreateTexture(
               bench->app.device, TEXELS, TEXELS, 0, D3DUSAGE_RENDERTARGET | D3DUSAGE_AUTOGENMIPMAP,
               D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &bench->texture[1], NULL));
}

/* Renders to the texture, then draws with it at sizes that sample most of its levels. */
static void draw_autogen(struct bench *bench, int frame)
{
    IDirect3DDevice9 *d = bench->app.device;
    IDirect3DSurface9 *back = NULL, *level = NULL;

    (void)frame;
    ex_check(IDirect3DDevice9_GetRenderTarget(d, 0, &back), "GetRenderTarget");
    ex_check(IDirect3DTexture9_GetSurfaceLevel(bench->texture[1], 0, &level), "GetSurfaceLevel");
    IDirect3DDevice9_Clear(d, 0, NULL, D3DCLEAR_TARGET, 0xff203040, 1.0f, 0);
    for (int i = 0; i < COPIES; i++) {
        IDirect3DDevice9_SetTexture(d, 0, NULL);
        ex_check(IDirect3DDevice9_SetRenderTarget(d, 0, level), "SetRenderTarget");
        draw_texture(bench, bench->texture[0], TEXELS, TEXELS, 1.0f + (float)i);
        ex_check(IDirect3DDevice9_SetRenderTarget(d, 0, back), "SetRenderTarget");
        draw_texture(bench, bench->texture[1], (float)(BENCH_HEIGHT >> i),
                     (float)(BENCH_HEIGHT >> i), 3.0f);
    }
    IDirect3DSurface9_Release(level);
    IDirect3DSurface9_Release(back);
}

const struct bench_row bench_autogen = {
    "autogen", "8 times drawn to a 512x512 texture, its levels made, drawn with it", begin_autogen,
    draw_autogen};
