/* Rows of 200 cubes with normal maps, one draw call each, without and with 4x multisampling. */
#include "bench.h"

#include "bench/bump.psh.h"
#include "bench/bump.vsh.h"

enum { ACROSS = 20, DOWN = 10 };

/* Targets of the multisampled row. */
static IDirect3DSurface9 *sampled, *sampled_depth;

static struct ex_colour bricks(float u, float v, void *ctx)
{
    float n = ex_fbm(u * 16.0f, v * 16.0f, 16, 4, 9), row = ex_floor(v * 4.0f);
    float x = 2.0f * u + 0.5f * (row - 2.0f * ex_floor(0.5f * row)), y = 4.0f * v;
    float edge_x = x - ex_floor(x), edge_y = y - ex_floor(y);
    float inside = ex_smooth(0.0f, 0.08f, edge_x) * ex_smooth(0.0f, 0.15f, edge_y);

    (void)ctx;
    return ex_rgba(0.3f + 0.5f * inside * n, 0.25f + 0.25f * n * inside, 0.2f + 0.2f * n,
                   0.3f + 0.5f * inside);
}

static struct ex_colour relief(float u, float v, void *ctx)
{
    struct ex_colour c = bricks(u, v, ctx);

    return ex_rgba(2.0f * c.a - 0.4f + 0.2f * c.b, 0, 0, 1);
}

static bool begin_bump(struct bench *bench)
{
    IDirect3DDevice9 *d = bench->app.device;

    ex_mesh_box(&bench->mesh, ex_vec3(0, 0, 0), ex_vec3(0.36f, 0.36f, 0.36f), 1.0f);
    ex_mesh_upload(&bench->app, &bench->mesh);
    bench->texture[0] = ex_texture(&bench->app, 256, bricks, NULL);
    bench->texture[1] = ex_normal_map(&bench->app, 256, 0.03f, relief, NULL);
    for (DWORD i = 0; i < 2; i++) {
        IDirect3DDevice9_SetTexture(d, i, (IDirect3DBaseTexture9 *)bench->texture[i]);
        bench_filter(bench, i, D3DTEXF_LINEAR, D3DTEXF_LINEAR);
    }
    bench_shaders(bench, bump_vsh, bump_psh);
    return true;
}

static void draw_cube(struct bench *bench, int x, int y, float time, const D3DMATRIX *eye)
{
    float turn = time + 0.37f * (float)x + 0.61f * (float)y;
    D3DMATRIX a = ex_rotation_y(turn), b = ex_rotation_x(0.7f * turn + 0.4f);
    D3DMATRIX place = ex_translation((float)x - 0.5f * (ACROSS - 1), (float)y - 0.5f * (DOWN - 1),
                                     1.5f * ex_sin(0.5f * (float)(x + y)));
    D3DMATRIX both = ex_multiply(&a, &b), world = ex_multiply(&both, &place);
    D3DMATRIX all = ex_multiply(&world, eye);

    bench_vs_matrix(bench, 0, &all, 4);
    bench_vs_matrix(bench, 4, &world, 3);
    ex_mesh_draw(&bench->app, &bench->mesh);
}

static void draw_bump(struct bench *bench, int frame)
{
    static const float eye_at[4] = {0, 0, -14.0f, 1};
    static const float light[3][4] = {
        {0.48f, 0.6f, -0.64f, 0}, {1.1f, 1.0f, 0.85f, 0}, {0.2f, 0.22f, 0.28f, 0}};
    D3DMATRIX view =
        ex_look_at(ex_vec3(eye_at[0], eye_at[1], eye_at[2]), ex_vec3(0, 0, 0), ex_vec3(0, 1, 0));
    D3DMATRIX projection = ex_perspective(0.47f, (float)BENCH_WIDTH / BENCH_HEIGHT, 1.0f, 40.0f);
    D3DMATRIX eye = ex_multiply(&view, &projection);
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_Clear(d, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff182028, 1.0f, 0);
    IDirect3DDevice9_SetVertexShaderConstantF(d, 7, eye_at, 1);
    IDirect3DDevice9_SetPixelShaderConstantF(d, 0, light[0], 3);
    for (int y = 0; y < DOWN; y++)
        for (int x = 0; x < ACROSS; x++)
            draw_cube(bench, x, y, 0.01f * (float)(frame % 628), &eye);
}

const struct bench_row bench_bump_cubes = {
    "bump-cubes", "200 cubes, a draw each, ps_2_0 with normal maps", begin_bump, draw_bump};

/* --- 4x multisampling ------------------------------------------------------------------------- */

static bool begin_bump_ms4(struct bench *bench)
{
    IDirect3DDevice9 *d = bench->app.device;
    D3DMULTISAMPLE_TYPE samples = D3DMULTISAMPLE_4_SAMPLES;

    bench->refusal = "it does not support 4x multisampling";
    if (FAILED(IDirect3D9_CheckDeviceMultiSampleType(bench->app.d3d, D3DADAPTER_DEFAULT,
                                                     D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, TRUE, samples,
                                                     NULL)) ||
        FAILED(IDirect3D9_CheckDeviceMultiSampleType(
            bench->app.d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, bench->depth, TRUE, samples, NULL)))
        return false;
    if (FAILED(IDirect3DDevice9_CreateRenderTarget(d, BENCH_WIDTH, BENCH_HEIGHT, D3DFMT_X8R8G8B8,
                                                   samples, 0, FALSE, &sampled, NULL)))
        return false;
    bench_own(bench, sampled);
    if (FAILED(IDirect3DDevice9_CreateDepthStencilSurface(
            d, BENCH_WIDTH, BENCH_HEIGHT, bench->depth, samples, 0, FALSE, &sampled_depth, NULL)))
        return false;
    bench_own(bench, sampled_depth);
    return begin_bump(bench);
}

static void draw_bump_ms4(struct bench *bench, int frame)
{
    IDirect3DDevice9 *d = bench->app.device;
    IDirect3DSurface9 *depth = NULL, *back = bench_back(bench);

    ex_check(IDirect3DDevice9_GetDepthStencilSurface(d, &depth), "GetDepthStencilSurface");
    ex_check(IDirect3DDevice9_SetRenderTarget(d, 0, sampled), "SetRenderTarget");
    ex_check(IDirect3DDevice9_SetDepthStencilSurface(d, sampled_depth), "SetDepthStencilSurface");
    draw_bump(bench, frame);
    ex_check(IDirect3DDevice9_SetRenderTarget(d, 0, back), "SetRenderTarget");
    ex_check(IDirect3DDevice9_SetDepthStencilSurface(d, depth), "SetDepthStencilSurface");
    IDirect3DSurface9_Release(depth);
    ex_check(IDirect3DDevice9_StretchRect(d, sampled, NULL, back, NULL, D3DTEXF_NONE),
             "StretchRect");
}

const struct bench_row bench_bump_cubes_ms4 = {"bump-cubes-ms4",
                                               "the same with four samples a pixel, resolved",
                                               begin_bump_ms4, draw_bump_ms4};
