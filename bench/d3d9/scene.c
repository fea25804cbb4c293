/* Helpers of rows with shaders: objects that live as long as a row, targets and rectangles. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_own(struct bench *bench, void *object)
{
    if (bench->n_owned == BENCH_OWNED) {
        fprintf(stderr, "bench: a row creates more than %d objects\n", BENCH_OWNED);
        exit(1);
    }
    bench->owned[bench->n_owned++] = object;
}

IDirect3DVertexShader9 *bench_vertex_shader(struct bench *bench, const DWORD *tokens)
{
    IDirect3DVertexShader9 *shader = NULL;

    ex_check(IDirect3DDevice9_CreateVertexShader(bench->app.device, tokens, &shader),
             "CreateVertexShader");
    bench_own(bench, shader);
    return shader;
}

IDirect3DPixelShader9 *bench_pixel_shader(struct bench *bench, const DWORD *tokens)
{
    IDirect3DPixelShader9 *shader = NULL;

    ex_check(IDirect3DDevice9_CreatePixelShader(bench->app.device, tokens, &shader),
             "CreatePixelShader");
    bench_own(bench, shader);
    return shader;
}

void bench_shaders(struct bench *bench, const DWORD *vs, const DWORD *ps)
{
    IDirect3DDevice9 *d = bench->app.device;

    if (vs)
        IDirect3DDevice9_SetVertexShader(d, bench_vertex_shader(bench, vs));
    if (ps)
        IDirect3DDevice9_SetPixelShader(d, bench_pixel_shader(bench, ps));
}

IDirect3DVertexBuffer9 *bench_vertices(struct bench *bench, const void *from, size_t bytes)
{
    IDirect3DVertexBuffer9 *buffer = NULL;
    void *to;

    ex_check(IDirect3DDevice9_CreateVertexBuffer(bench->app.device, (UINT)bytes, D3DUSAGE_WRITEONLY,
                                                 0, D3DPOOL_MANAGED, &buffer, NULL),
             "CreateVertexBuffer");
    bench_own(bench, buffer);
    ex_check(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &to, 0), "Lock");
    memcpy(to, from, bytes);
    IDirect3DVertexBuffer9_Unlock(buffer);
    return buffer;
}

IDirect3DIndexBuffer9 *bench_indices(struct bench *bench, const void *from, size_t bytes,
                                     D3DFORMAT format)
{
    IDirect3DIndexBuffer9 *buffer = NULL;
    void *to;

    ex_check(IDirect3DDevice9_CreateIndexBuffer(bench->app.device, (UINT)bytes, D3DUSAGE_WRITEONLY,
                                                format, D3DPOOL_MANAGED, &buffer, NULL),
             "CreateIndexBuffer");
    bench_own(bench, buffer);
    ex_check(IDirect3DIndexBuffer9_Lock(buffer, 0, 0, &to, 0), "Lock");
    memcpy(to, from, bytes);
    IDirect3DIndexBuffer9_Unlock(buffer);
    return buffer;
}

IDirect3DTexture9 *bench_target(struct bench *bench, UINT width, UINT height, D3DFORMAT format,
                                IDirect3DSurface9 **level)
{
    IDirect3DTexture9 *texture = NULL;

    if (FAILED(IDirect3DDevice9_CreateTexture(bench->app.device, width, height, 1,
                                              D3DUSAGE_RENDERTARGET, format, D3DPOOL_DEFAULT,
                                              &texture, NULL)))
        return NULL;
    bench_own(bench, texture);
    ex_check(IDirect3DTexture9_GetSurfaceLevel(texture, 0, level), "GetSurfaceLevel");
    bench_own(bench, *level);
    return texture;
}

IDirect3DSurface9 *bench_back(struct bench *bench)
{
    IDirect3DSurface9 *back = NULL;

    ex_check(
        IDirect3DDevice9_GetBackBuffer(bench->app.device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back),
        "GetBackBuffer");
    IDirect3DSurface9_Release(back);
    return back;
}

IDirect3DSurface9 *bench_depth(struct bench *bench)
{
    IDirect3DSurface9 *depth = NULL;

    ex_check(IDirect3DDevice9_GetDepthStencilSurface(bench->app.device, &depth),
             "GetDepthStencilSurface");
    IDirect3DSurface9_Release(depth);
    return depth;
}

/* Uploads the columns as constants: a dp4 computes one component. */
void bench_vs_matrix(struct bench *bench, UINT first, const D3DMATRIX *m, UINT rows)
{
    D3DMATRIX columns = ex_transpose(m);

    IDirect3DDevice9_SetVertexShaderConstantF(bench->app.device, first, &columns._11, rows);
}

void bench_filter(struct bench *bench, DWORD stage, DWORD filter, DWORD mip)
{
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_SetSamplerState(d, stage, D3DSAMP_MINFILTER, filter);
    IDirect3DDevice9_SetSamplerState(d, stage, D3DSAMP_MAGFILTER, filter);
    IDirect3DDevice9_SetSamplerState(d, stage, D3DSAMP_MIPFILTER, mip);
}

void bench_corners(struct bench_screen_vertex v[4], float x, float y, float width, float height,
                   float z, D3DCOLOR colour)
{
    for (int i = 0; i < 4; i++) {
        float right = (float)(i & 1), down = (float)(i >> 1);

        v[i] = (struct bench_screen_vertex){
            x + right * width - 0.5f, y + down * height - 0.5f, z, 1.0f, colour, right, down};
    }
}

void bench_draw_screen(struct bench *bench, float z, const D3DCOLOR colour[4])
{
    struct bench_screen_vertex v[4];

    bench_corners(v, 0.0f, 0.0f, BENCH_WIDTH, BENCH_HEIGHT, z, 0);
    for (int i = 0; i < 4; i++)
        v[i].diffuse = colour[i];
    IDirect3DDevice9_SetFVF(bench->app.device, BENCH_SCREEN_FVF);
    ex_check(IDirect3DDevice9_DrawPrimitiveUP(bench->app.device, D3DPT_TRIANGLESTRIP, 2, v,
                                              sizeof(v[0])),
             "DrawPrimitiveUP");
}
