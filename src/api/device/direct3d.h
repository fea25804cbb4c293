/* The IDirect3D9(Ex) object, which creates devices and is referenced by them. */
#ifndef API_DEVICE_DIRECT3D_H
#define API_DEVICE_DIRECT3D_H

#include "api/com/com.h"
#include "util/alloc.h"

struct device;

struct d3d9 {
    IDirect3D9Ex iface;
    atomic_uint refs;
    bool ex;
};

HRESULT api_d3d9_create(IDirect3D9Ex **out, bool ex);

static inline ULONG api_d3d9_addref(struct d3d9 *d3d9)
{
    return atomic_fetch_add(&d3d9->refs, 1) + 1;
}

static inline ULONG api_d3d9_release(struct d3d9 *d3d9)
{
    unsigned left = atomic_fetch_sub(&d3d9->refs, 1) - 1;

    if (!left)
        mem_free(d3d9);
    return left;
}

/* Completes *parameters. */
HRESULT api_device_create(struct device **out, struct d3d9 *d3d9, UINT adapter, D3DDEVTYPE type,
                          HWND focus, DWORD flags, D3DPRESENT_PARAMETERS *parameters);

#endif
