/* Device methods that create stand-alone surfaces.
 * Tested by tests/unit/api/object/test_texture_create.c and
 * tests/unit/api/adapter/test_format_claims.c. */
#include "api/adapter/adapter.h"
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/com/refused.h"
#include "api/object/object.h"

/* A handle of a SYSTEMMEM surface points to user memory (reference: resources/user-memory). In
 * other pools it names a shared surface (reference: resources/shared). */
static HRESULT take_shared(const struct device *d, struct surface_args *args, HANDLE *shared)
{
    if (!shared)
        return D3D_OK;
    if (!d->ex)
        return E_NOTIMPL;
    if (args->pool == D3DPOOL_SYSTEMMEM) {
        args->user_memory = *shared;
        return D3D_OK;
    }
    if (args->pool != D3DPOOL_DEFAULT)
        return D3DERR_INVALIDCALL;
    args->shared = shared;
    return D3D_OK;
}

static HRESULT create_checked(struct device *d, struct surface_args *args, IDirect3DSurface9 **out,
                              HANDLE *shared)
{
    const struct tex_format *format = api_format_get(args->format, api_kind(d));
    HRESULT hr;

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    hr = take_shared(d, args, shared);
    if (FAILED(hr))
        return hr;
    if (!args->width || !args->height || args->width > TEX_MAX_SIZE ||
        args->height > TEX_MAX_SIZE || !api_surface_format_ok(format, args->kind, args->pool) ||
        !api_multisample_ok(args->format, args->samples, args->quality, api_kind(d)))
        return D3DERR_INVALIDCALL;
    if (args->lockable && args->samples != D3DMULTISAMPLE_NONE)
        return D3DERR_INVALIDCALL;
    if (format->caps & TEX_LOCKABLE)
        args->lockable = args->samples == D3DMULTISAMPLE_NONE;
    if (!api_block_size_ok(format, args->width, args->height))
        return D3DERR_INVALIDCALL;
    return api_surface_create((struct surface **)out, d, args, false);
}

static HRESULT refused(HRESULT hr, const struct surface_args *args)
{
    const char *call = args->kind == IMAGE_TARGET  ? "CreateRenderTarget"
                       : args->kind == IMAGE_DEPTH ? "CreateDepthStencilSurface"
                                                   : "CreateOffscreenPlainSurface";

    return api_refused(hr, call, args->format,
                       "%ux%u, %u samples, quality %lu, usage 0x%lx, pool %u", args->width,
                       args->height, (unsigned)args->samples, (unsigned long)args->quality,
                       (unsigned long)args->usage, (unsigned)args->pool);
}

static HRESULT create_surface(void *iface, struct surface_args *args, IDirect3DSurface9 **out,
                              HANDLE *shared)
{
    ENTER(d, iface);
    HRESULT hr = create_checked(d, args, out, shared);

    return SUCCEEDED(hr) ? hr : refused(hr, args);
}

/* The Ex creation calls refuse usages that the call itself implies, and leave *out as it was. */
static bool usage_ok(DWORD usage)
{
    const DWORD known = D3DUSAGE_RESTRICTED_CONTENT | D3DUSAGE_RESTRICT_SHARED_RESOURCE |
                        D3DUSAGE_RESTRICT_SHARED_RESOURCE_DRIVER;

    return !(usage & ~(DWORD)known);
}

HRESULT WINAPI device_CreateRenderTargetEx(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                           D3DFORMAT format, D3DMULTISAMPLE_TYPE samples,
                                           DWORD quality, BOOL lockable, IDirect3DSurface9 **out,
                                           HANDLE *shared, DWORD usage)
{
    struct surface_args args = {.kind = IMAGE_TARGET,
                                .width = width,
                                .height = height,
                                .format = format,
                                .samples = samples,
                                .quality = quality,
                                .usage = usage,
                                .pool = D3DPOOL_DEFAULT,
                                .lockable = lockable};

    return usage_ok(usage) ? create_surface(iface, &args, out, shared)
                           : refused(D3DERR_INVALIDCALL, &args);
}

HRESULT WINAPI device_CreateRenderTarget(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                         D3DFORMAT format, D3DMULTISAMPLE_TYPE samples,
                                         DWORD quality, BOOL lockable, IDirect3DSurface9 **out,
                                         HANDLE *shared)
{
    return device_CreateRenderTargetEx(iface, width, height, format, samples, quality, lockable,
                                       out, shared, 0);
}

HRESULT WINAPI device_CreateDepthStencilSurfaceEx(IDirect3DDevice9Ex *iface, UINT width,
                                                  UINT height, D3DFORMAT format,
                                                  D3DMULTISAMPLE_TYPE samples, DWORD quality,
                                                  BOOL discard, IDirect3DSurface9 **out,
                                                  HANDLE *shared, DWORD usage)
{
    struct surface_args args = {.kind = IMAGE_DEPTH,
                                .width = width,
                                .height = height,
                                .format = format,
                                .samples = samples,
                                .quality = quality,
                                .usage = usage,
                                .pool = D3DPOOL_DEFAULT,
                                .discardable = discard};

    return usage_ok(usage) ? create_surface(iface, &args, out, shared)
                           : refused(D3DERR_INVALIDCALL, &args);
}

HRESULT WINAPI device_CreateDepthStencilSurface(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                                D3DFORMAT format, D3DMULTISAMPLE_TYPE samples,
                                                DWORD quality, BOOL discard,
                                                IDirect3DSurface9 **out, HANDLE *shared)
{
    return device_CreateDepthStencilSurfaceEx(iface, width, height, format, samples, quality,
                                              discard, out, shared, 0);
}

HRESULT WINAPI device_CreateOffscreenPlainSurfaceEx(IDirect3DDevice9Ex *iface, UINT width,
                                                    UINT height, D3DFORMAT format, D3DPOOL pool,
                                                    IDirect3DSurface9 **out, HANDLE *shared,
                                                    DWORD usage)
{
    struct surface_args args = {.kind = IMAGE_PLAIN,
                                .width = width,
                                .height = height,
                                .format = format,
                                .usage = usage,
                                .pool = pool};

    if (!usage_ok(usage) ||
        (pool != D3DPOOL_DEFAULT && pool != D3DPOOL_SYSTEMMEM && pool != D3DPOOL_SCRATCH)) {
        if (out) /* this failure clears *out */
            *out = NULL;
        return refused(D3DERR_INVALIDCALL, &args);
    }
    return create_surface(iface, &args, out, shared);
}

HRESULT WINAPI device_CreateOffscreenPlainSurface(IDirect3DDevice9Ex *iface, UINT width,
                                                  UINT height, D3DFORMAT format, D3DPOOL pool,
                                                  IDirect3DSurface9 **out, HANDLE *shared)
{
    return device_CreateOffscreenPlainSurfaceEx(iface, width, height, format, pool, out, shared, 0);
}
