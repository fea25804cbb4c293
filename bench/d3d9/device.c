/* Device of the benchmark: creation, reset between rows, read-back and pictures. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic ignored "-Wunused-function" /* unused formats of the PNG writer */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

#ifdef _WIN32
static HWND open_window(int width, int height)
{
    HWND window = CreateWindowA("static", "bench", WS_POPUP | WS_VISIBLE, 0, 0, width, height, NULL,
                                NULL, NULL, NULL);

    if (!window) {
        fprintf(stderr, "CreateWindow failed with error %lu\n", GetLastError());
        exit(1);
    }
    return window;
}
#else
static HWND open_window(int width, int height)
{
    (void)width;
    (void)height;
    return NULL;
}
#endif

void bench_draw_all_layers(void)
{
    if (getenv("NOVEM_CULL_OVERDRAWN"))
        return;
#ifdef _WIN32
    _putenv("NOVEM_CULL_OVERDRAWN=off");
#else
    setenv("NOVEM_CULL_OVERDRAWN", "off", 1);
#endif
}

void bench_open(struct bench *bench, int width, int height, D3DFORMAT depth)
{
    struct ex_app *app = &bench->app;

    memset(bench, 0, sizeof(*bench));
    bench->depth = depth;
    app->width = width;
    app->height = height;
    app->d3d = Direct3DCreate9(D3D_SDK_VERSION);
    if (!app->d3d) {
        fprintf(stderr, "bench: Direct3DCreate9 failed\n");
        exit(1);
    }
    IDirect3D9_GetAdapterIdentifier(app->d3d, D3DADAPTER_DEFAULT, 0, &bench->adapter);
    app->window = open_window(width, height);
    app->pp = (D3DPRESENT_PARAMETERS){
        .BackBufferWidth = (UINT)width,
        .BackBufferHeight = (UINT)height,
        .BackBufferFormat = D3DFMT_X8R8G8B8,
        .BackBufferCount = 1,
        .SwapEffect = D3DSWAPEFFECT_COPY,
        .hDeviceWindow = app->window,
        .Windowed = TRUE,
        .EnableAutoDepthStencil = depth != D3DFMT_UNKNOWN,
        .Flags = depth != D3DFMT_UNKNOWN ? D3DPRESENTFLAG_DISCARD_DEPTHSTENCIL : 0,
        .AutoDepthStencilFormat = depth,
        .PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE};
    ex_check(IDirect3D9_CreateDevice(app->d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, app->window,
                                     D3DCREATE_MIXED_VERTEXPROCESSING, &app->pp, &app->device),
             "CreateDevice");
    ex_check(IDirect3DDevice9_GetDeviceCaps(app->device, &app->caps), "GetDeviceCaps");
    ex_check(IDirect3DDevice9_CreateOffscreenPlainSurface(app->device, (UINT)width, (UINT)height,
                                                          D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM,
                                                          &bench->readback, NULL),
             "CreateOffscreenPlainSurface");
}

/* IUnknown_Release is missing in some headers. */
static void release(IUnknown *object)
{
    object->lpVtbl->Release(object);
}

static void release_row(struct bench *bench)
{
    for (int i = 0; i < BENCH_TEXTURES; i++) {
        if (bench->texture[i])
            IDirect3DTexture9_Release(bench->texture[i]);
        bench->texture[i] = NULL;
    }
    if (bench->vertices)
        IDirect3DVertexBuffer9_Release(bench->vertices);
    bench->vertices = NULL;
    if (bench->surface)
        IDirect3DSurface9_Release(bench->surface);
    bench->surface = NULL;
    while (bench->n_owned)
        release(bench->owned[--bench->n_owned]);
    bench->refusal = NULL;
    ex_mesh_free(&bench->mesh);
}

void bench_release(struct bench *bench)
{
    IDirect3DDevice9 *device = bench->app.device;

    ex_check(IDirect3DDevice9_SetRenderTarget(device, 0, bench_back(bench)), "SetRenderTarget");
    for (DWORD i = 1; i < bench->app.caps.NumSimultaneousRTs; i++)
        IDirect3DDevice9_SetRenderTarget(device, i, NULL);
    if (bench->depth == D3DFMT_UNKNOWN)
        IDirect3DDevice9_SetDepthStencilSurface(device, NULL);
    for (DWORD i = 0; i < 8; i++)
        IDirect3DDevice9_SetTexture(device, i, NULL);
    IDirect3DDevice9_SetVertexShader(device, NULL);
    IDirect3DDevice9_SetPixelShader(device, NULL);
    IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0);
    IDirect3DDevice9_SetIndices(device, NULL);
    IDirect3DDevice9_SetSoftwareVertexProcessing(device, FALSE);
    release_row(bench);
}

void bench_reset(struct bench *bench)
{
    bench_release(bench);
    ex_check(IDirect3DDevice9_Reset(bench->app.device, &bench->app.pp), "Reset");
}

void bench_close(struct bench *bench)
{
    release_row(bench);
    IDirect3DSurface9_Release(bench->readback);
    IDirect3DDevice9_Release(bench->app.device);
    IDirect3D9_Release(bench->app.d3d);
}

void bench_finish(struct bench *bench)
{
    IDirect3DDevice9 *device = bench->app.device;
    IDirect3DSurface9 *target = NULL;
    D3DLOCKED_RECT locked;

    ex_check(IDirect3DDevice9_GetRenderTarget(device, 0, &target), "GetRenderTarget");
    ex_check(IDirect3DDevice9_GetRenderTargetData(device, target, bench->readback),
             "GetRenderTargetData");
    IDirect3DSurface9_Release(target);
    ex_check(IDirect3DSurface9_LockRect(bench->readback, &locked, NULL, D3DLOCK_READONLY),
             "LockRect");
    IDirect3DSurface9_UnlockRect(bench->readback);
}

void bench_write_png(const char *path, int width, int height, const uint8_t *rgb)
{
    if (!stbi_write_png(path, width, height, 3, rgb, width * 3)) {
        fprintf(stderr, "bench: cannot write %s\n", path);
        exit(1);
    }
}

void bench_picture(struct bench *bench, const char *path)
{
    const int width = bench->app.width, height = bench->app.height;
    uint8_t *rgb = ex_alloc((size_t)width * (size_t)height * 3), *to = rgb;
    D3DLOCKED_RECT locked;

    ex_check(IDirect3DSurface9_LockRect(bench->readback, &locked, NULL, D3DLOCK_READONLY),
             "LockRect");
    for (int y = 0; y < height; y++) {
        const uint8_t *from = (const uint8_t *)locked.pBits + (ptrdiff_t)y * locked.Pitch;

        for (int x = 0; x < width; x++, to += 3, from += 4) {
            to[0] = from[2];
            to[1] = from[1];
            to[2] = from[0];
        }
    }
    IDirect3DSurface9_UnlockRect(bench->readback);
    bench_write_png(path, width, height, rgb);
    free(rgb);
}
