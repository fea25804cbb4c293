/* Direct3D device of the benchmark rows that need one. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

static IDirect3DSurface9 *readback;

void bench_check(HRESULT hr, const char *what)
{
    if (SUCCEEDED(hr))
        return;
    fprintf(stderr, "tex: %s fails with %08x\n", what, (unsigned)hr);
    exit(1);
}

IDirect3DDevice9 *bench_open(void)
{
    D3DPRESENT_PARAMETERS pp = {.BackBufferWidth = BENCH_WIDTH,
                                .BackBufferHeight = BENCH_HEIGHT,
                                .BackBufferFormat = D3DFMT_X8R8G8B8,
                                .SwapEffect = D3DSWAPEFFECT_DISCARD,
                                .Windowed = TRUE};
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
    IDirect3DDevice9 *device;

    if (!d3d)
        bench_fail("there is no Direct3D 9");
    bench_check(IDirect3D9_CreateDevice(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, NULL,
                                        D3DCREATE_HARDWARE_VERTEXPROCESSING, &pp, &device),
                "CreateDevice");
    IDirect3D9_Release(d3d);
    bench_check(IDirect3DDevice9_CreateOffscreenPlainSurface(device, BENCH_WIDTH, BENCH_HEIGHT,
                                                             D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM,
                                                             &readback, NULL),
                "CreateOffscreenPlainSurface");
    return device;
}

void bench_close(IDirect3DDevice9 *device)
{
    IDirect3DSurface9_Release(readback);
    IDirect3DDevice9_Release(device);
}

void bench_finish(IDirect3DDevice9 *device)
{
    IDirect3DSurface9 *target;

    bench_check(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &target),
                "GetBackBuffer");
    bench_check(IDirect3DDevice9_GetRenderTargetData(device, target, readback),
                "GetRenderTargetData");
    IDirect3DSurface9_Release(target);
}

void bench_noise(void *to, size_t bytes)
{
    uint8_t *p = to;
    uint32_t noise = 1;

    for (size_t i = 0; i < bytes; i++) {
        noise = noise * 1664525u + 1013904223u;
        p[i] = (uint8_t)(noise >> 24);
    }
}
