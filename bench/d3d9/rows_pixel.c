/* Pixel shader rows: full-screen quads with long and branching shaders, four render targets, and a
 * half-float target. */
#include "bench.h"

#include "bench/branches.psh.h"
#include "bench/compose.psh.h"
#include "bench/glow.psh.h"
#include "bench/long.psh.h"
#include "bench/quad.vsh.h"
#include "bench/targets.psh.h"
#include "bench/tone.psh.h"

#include <string.h>

/* --- Shader model 3 --------------------------------------------------------------------------- */

struct quad_vertex {
    float x, y, z, u, v;
};

/* Draws a full-screen quad with texture coordinates up to u and v. The offset of half a pixel puts
 * pixel centres at 0.5. */
static void draw_quad_3(struct bench *bench, float u, float v)
{
    IDirect3DDevice9 *d = bench->app.device;
    const float dx = 1.0f / BENCH_WIDTH, dy = 1.0f / BENCH_HEIGHT;
    const struct quad_vertex corners[4] = {{-1 - dx, 1 + dy, 0.5f, 0, 0},
                                           {1 - dx, 1 + dy, 0.5f, u, 0},
                                           {-1 - dx, -1 + dy, 0.5f, 0, v},
                                           {1 - dx, -1 + dy, 0.5f, u, v}};

    IDirect3DDevice9_SetFVF(d, D3DFVF_XYZ | D3DFVF_TEX1);
    ex_check(
        IDirect3DDevice9_DrawPrimitiveUP(d, D3DPT_TRIANGLESTRIP, 2, corners, sizeof(corners[0])),
        "DrawPrimitiveUP");
}

static bool begin_shader_3(struct bench *bench, const DWORD *ps)
{
    if (bench->app.caps.PixelShaderVersion < D3DPS_VERSION(3, 0))
        return false;
    bench_shaders(bench, quad_vsh, ps);
    IDirect3DDevice9_SetRenderState(bench->app.device, D3DRS_ZENABLE, FALSE);
    return true;
}

static bool begin_long(struct bench *bench)
{
    return begin_shader_3(bench, long_psh);
}

static void draw_long(struct bench *bench, int frame)
{
    const float phase[4] = {0.01f * (float)(frame % 100)};

    IDirect3DDevice9_SetPixelShaderConstantF(bench->app.device, 5, phase, 1);
    draw_quad_3(bench, 1.0f, 0.75f);
}

const struct bench_row bench_long_shader = {"long-shader", "ps_3_0 of 480 instructions a pixel",
                                            begin_long, draw_long};

static bool begin_branches(struct bench *bench)
{
    return begin_shader_3(bench, branches_psh);
}

static void draw_branches(struct bench *bench, int frame)
{
    (void)frame;
    draw_quad_3(bench, BENCH_WIDTH, BENCH_HEIGHT);
}

const struct bench_row bench_branches = {
    "branches", "ps_3_0, each 8x8 pixels another of three ways", begin_branches, draw_branches};

/* --- Four render targets ---------------------------------------------------------------------- */

enum { TARGETS = 4, QUADS = 4 };

struct screen {
    IDirect3DTexture9 *texture[TARGETS];
    IDirect3DSurface9 *level[TARGETS];
    IDirect3DPixelShader9 *first, *second;
};
static struct screen screen;

static struct ex_colour clouds(float u, float v, void *ctx)
{
    float n = ex_fbm(u * 8.0f, v * 8.0f, 8, 5, 21), m = ex_fbm(u * 4.0f, v * 4.0f, 4, 4, 5);

    (void)ctx;
    return ex_rgba(0.3f + 0.7f * n, 0.2f + 0.6f * m, 0.5f * (n + m), 1.0f);
}

static bool begin_targets(struct bench *bench)
{
    memset(&screen, 0, sizeof(screen));
    if (bench->app.caps.NumSimultaneousRTs < TARGETS)
        return false;
    for (int i = 0; i < TARGETS; i++) {
        screen.texture[i] =
            bench_target(bench, BENCH_WIDTH, BENCH_HEIGHT, D3DFMT_A8R8G8B8, &screen.level[i]);
        if (!screen.texture[i])
            return false;
        bench_filter(bench, (DWORD)i, D3DTEXF_POINT, D3DTEXF_NONE);
    }
    bench->texture[0] = ex_texture(&bench->app, 256, clouds, NULL);
    screen.first = bench_pixel_shader(bench, targets_psh);
    screen.second = bench_pixel_shader(bench, compose_psh);
    IDirect3DDevice9_SetRenderState(bench->app.device, D3DRS_ZENABLE, FALSE);
    return true;
}

static void bind_targets(struct bench *bench)
{
    IDirect3DDevice9 *d = bench->app.device;

    for (DWORD i = 0; i < TARGETS; i++)
        IDirect3DDevice9_SetTexture(d, i, NULL);
    for (DWORD i = 0; i < TARGETS; i++)
        ex_check(IDirect3DDevice9_SetRenderTarget(d, i, screen.level[i]), "SetRenderTarget");
    IDirect3DDevice9_SetTexture(d, 0, (IDirect3DBaseTexture9 *)bench->texture[0]);
    bench_filter(bench, 0, D3DTEXF_LINEAR, D3DTEXF_POINT);
    IDirect3DDevice9_SetPixelShader(d, screen.first);
}

static void bind_screen(struct bench *bench)
{
    IDirect3DDevice9 *d = bench->app.device;

    ex_check(IDirect3DDevice9_SetRenderTarget(d, 0, bench_back(bench)), "SetRenderTarget");
    for (DWORD i = 1; i < TARGETS; i++)
        IDirect3DDevice9_SetRenderTarget(d, i, NULL);
    for (DWORD i = 0; i < TARGETS; i++)
        IDirect3DDevice9_SetTexture(d, i, (IDirect3DBaseTexture9 *)screen.texture[i]);
    bench_filter(bench, 0, D3DTEXF_POINT, D3DTEXF_NONE);
    IDirect3DDevice9_SetPixelShader(d, screen.second);
}

static void draw_targets(struct bench *bench, int frame)
{
    static const D3DCOLOR white[4] = {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};

    bind_targets(bench);
    for (int i = 0; i < QUADS; i++) {
        D3DCOLOR tint = ex_hash((uint32_t)i, (uint32_t)frame % 7) | 0xff404040;
        const D3DCOLOR colours[4] = {tint, 0xffffffff, 0xffc0c0c0, tint};

        bench_draw_screen(bench, 0.5f, colours);
    }
    bind_screen(bench);
    bench_draw_screen(bench, 0.5f, white);
}

const struct bench_row bench_targets_4 = {
    "targets-4", "4 quads to four targets of A8R8G8B8, then one colour of the four", begin_targets,
    draw_targets};

/* --- Half-float target ------------------------------------------------------------------------ */

static bool begin_hdr(struct bench *bench)
{
    IDirect3DDevice9 *d = bench->app.device;

    memset(&screen, 0, sizeof(screen));
    if (FAILED(IDirect3D9_CheckDeviceFormat(
            bench->app.d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8,
            D3DUSAGE_RENDERTARGET | D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING, D3DRTYPE_TEXTURE,
            D3DFMT_A16B16G16R16F)))
        return false;
    screen.texture[0] =
        bench_target(bench, BENCH_WIDTH, BENCH_HEIGHT, D3DFMT_A16B16G16R16F, &screen.level[0]);
    screen.first = bench_pixel_shader(bench, glow_psh);
    screen.second = bench_pixel_shader(bench, tone_psh);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ZENABLE, FALSE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_SRCBLEND, D3DBLEND_ONE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_DESTBLEND, D3DBLEND_ONE);
    return screen.texture[0];
}

static void draw_lights(struct bench *bench, int frame)
{
    IDirect3DDevice9 *d = bench->app.device;

    for (int i = 0; i < QUADS; i++) {
        const float strength[4] = {1.0f + 0.5f * (float)((i + frame) % 4)};
        D3DCOLOR colours[4] = {0, 0, 0, 0};

        colours[i] = 0xff000000 | (ex_hash((uint32_t)i, 3) & 0xffffff);
        colours[3 - i] = 0xff303030;
        IDirect3DDevice9_SetPixelShaderConstantF(d, 0, strength, 1);
        bench_draw_screen(bench, 0.5f, colours);
    }
}

static void draw_hdr(struct bench *bench, int frame)
{
    static const D3DCOLOR white[4] = {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_SetTexture(d, 0, NULL);
    ex_check(IDirect3DDevice9_SetRenderTarget(d, 0, screen.level[0]), "SetRenderTarget");
    IDirect3DDevice9_Clear(d, 0, NULL, D3DCLEAR_TARGET, 0xff000000, 1.0f, 0);
    IDirect3DDevice9_SetPixelShader(d, screen.first);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ALPHABLENDENABLE, TRUE);
    draw_lights(bench, frame);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ALPHABLENDENABLE, FALSE);
    ex_check(IDirect3DDevice9_SetRenderTarget(d, 0, bench_back(bench)), "SetRenderTarget");
    IDirect3DDevice9_SetTexture(d, 0, (IDirect3DBaseTexture9 *)screen.texture[0]);
    IDirect3DDevice9_SetPixelShader(d, screen.second);
    bench_draw_screen(bench, 0.5f, white);
}

const struct bench_row bench_hdr = {"hdr", "4 lights added up in A16B16G16R16F, then tone mapped",
                                    begin_hdr, draw_hdr};
