/* Common code of the API tests: a windowless device through the public interface. */
#ifndef TESTS_API_TEST_H
#define TESTS_API_TEST_H

#include "check_main.h"

#include <d3d9.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define OK(call) ck_assert_int_eq((call), D3D_OK)
#define REFUSED(call) ck_assert_int_eq((call), D3DERR_INVALIDCALL)
#define RETURNS(call, result) ck_assert_int_eq((HRESULT)(call), (HRESULT)(result))

static inline ULONG refs_of(void *object)
{
    IUnknown *unknown = object;

    unknown->lpVtbl->AddRef(unknown);
    return unknown->lpVtbl->Release(unknown);
}

static inline ULONG release(void *object)
{
    IUnknown *unknown = object;

    return unknown->lpVtbl->Release(unknown);
}

static inline D3DPRESENT_PARAMETERS test_parameters(void)
{
    D3DPRESENT_PARAMETERS p = {
        .BackBufferWidth = 640,
        .BackBufferHeight = 480,
        .BackBufferFormat = D3DFMT_A8R8G8B8,
        .SwapEffect = D3DSWAPEFFECT_DISCARD,
        .Windowed = TRUE,
        .EnableAutoDepthStencil = TRUE,
        .AutoDepthStencilFormat = D3DFMT_D24S8,
    };
    return p;
}

static inline IDirect3DDevice9 *create_device_flags(DWORD flags)
{
    IDirect3D9 *d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DDevice9 *device = NULL;

    ck_assert_ptr_nonnull(d3d9);
    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, flags, &p, &device));
    IDirect3D9_Release(d3d9);
    return device;
}

static inline IDirect3DDevice9 *create_device(void)
{
    return create_device_flags(D3DCREATE_HARDWARE_VERTEXPROCESSING);
}

static inline IDirect3DDevice9Ex *create_type_ex(D3DDEVTYPE type)
{
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DDevice9Ex *device = NULL;
    IDirect3D9Ex *d3d9;

    OK(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d9));
    OK(IDirect3D9Ex_CreateDeviceEx(d3d9, 0, type, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p,
                                   NULL, &device));
    IDirect3D9Ex_Release(d3d9);
    return device;
}

static inline IDirect3DDevice9Ex *create_device_ex(void)
{
    return create_type_ex(D3DDEVTYPE_HAL);
}

/* A pixel of a lockable surface with 32 bits a pixel. */
static inline DWORD surface_pixel(IDirect3DSurface9 *surface, int x, int y)
{
    D3DLOCKED_RECT lock;
    DWORD value;

    OK(IDirect3DSurface9_LockRect(surface, &lock, NULL, D3DLOCK_READONLY));
    memcpy(&value, (char *)lock.pBits + y * lock.Pitch + x * 4, sizeof(value));
    OK(IDirect3DSurface9_UnlockRect(surface));
    return value;
}

/* vs_1_1: dcl_position v0; mov oPos, v0 */
static const DWORD test_vs[] = {0xfffe0101, 0x0000001f, 0x80000000, 0x900f0000,
                                0x00000001, 0xc00f0000, 0x90e40000, 0x0000ffff};
/* ps_1_1: mov r0, v0 */
static const DWORD test_ps[] = {0xffff0101, 0x00000001, 0x800f0000, 0x90e40000, 0x0000ffff};

#endif
