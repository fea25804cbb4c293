/* IDirect3DSwapChain9(Ex): methods, back buffers, creation and destruction.
 * Tested by tests/unit/api/com/test_com.c and tests/unit/api/swapchain/test_present.c. */
#include "api/adapter/adapter.h"
#include "api/com/device.h"
#include "api/memory/resource.h"
#include "api/object/object.h"
#include "api/swapchain/swapchain.h"
#include "cmd/cmd.h"
#include "util/alloc.h"

#include <string.h>

OBJECT_METHODS(IDirect3DSwapChain9Ex, chain)

/* --- IDirect3DSwapChain9(Ex) ------------------------------------------------------------------ */

static HRESULT WINAPI chain_Present(IDirect3DSwapChain9Ex *iface, const RECT *src, const RECT *dst,
                                    HWND window, const RGNDATA *dirty, DWORD flags)
{
    struct swapchain *chain = swapchain_of(iface);
    ENTER_OBJECT(d, chain);

    (void)dirty;
    return api_swapchain_present(chain, src, dst, window, flags);
}

static HRESULT WINAPI chain_GetFrontBufferData(IDirect3DSwapChain9Ex *iface,
                                               IDirect3DSurface9 *surface)
{
    struct swapchain *chain = swapchain_of(iface);
    ENTER_OBJECT(d, chain);

    return surface ? api_swapchain_front(chain, surface_of(surface)) : D3DERR_INVALIDCALL;
}

HRESULT api_swapchain_buffer(struct swapchain *chain, UINT index, IDirect3DSurface9 **out)
{
    ENTER_OBJECT(d, chain);

    if (!out || index >= chain->n_buffers) /* leaves *out as it was */
        return D3DERR_INVALIDCALL;
    api_object_addref(&chain->buffer[index]->base);
    *out = (IDirect3DSurface9 *)chain->buffer[index];
    return D3D_OK;
}

static HRESULT WINAPI chain_GetBackBuffer(IDirect3DSwapChain9Ex *iface, UINT index,
                                          D3DBACKBUFFER_TYPE type, IDirect3DSurface9 **out)
{
    (void)type;
    return api_swapchain_buffer(swapchain_of(iface), index, out);
}

static HRESULT WINAPI chain_GetRasterStatus(IDirect3DSwapChain9Ex *iface, D3DRASTER_STATUS *status)
{
    struct swapchain *chain = swapchain_of(iface);
    ENTER_OBJECT(d, chain);

    if (!status)
        return D3DERR_INVALIDCALL;
    api_raster_status(d, status);
    return D3D_OK;
}

HRESULT api_swapchain_mode(const struct swapchain *chain, D3DDISPLAYMODE *mode)
{
    if (!mode)
        return D3DERR_INVALIDCALL;
    api_adapter_told_mode(chain->base.device->creation.AdapterOrdinal, mode);
    if (!chain->parameters.Windowed) {
        mode->Width = chain->parameters.BackBufferWidth;
        mode->Height = chain->parameters.BackBufferHeight;
        mode->Format = api_without_alpha(chain->parameters.BackBufferFormat);
    }
    return D3D_OK;
}

static HRESULT WINAPI chain_GetDisplayMode(IDirect3DSwapChain9Ex *iface, D3DDISPLAYMODE *mode)
{
    return api_swapchain_mode(swapchain_of(iface), mode);
}

static HRESULT WINAPI chain_GetPresentParameters(IDirect3DSwapChain9Ex *iface,
                                                 D3DPRESENT_PARAMETERS *parameters)
{
    if (!parameters)
        return D3DERR_INVALIDCALL;
    *parameters = swapchain_of(iface)->parameters;
    return D3D_OK;
}

static HRESULT WINAPI chain_GetLastPresentCount(IDirect3DSwapChain9Ex *iface, UINT *count)
{
    if (!count)
        return D3DERR_INVALIDCALL;
    *count = swapchain_of(iface)->presents;
    return D3D_OK;
}

static HRESULT WINAPI chain_GetPresentStats(IDirect3DSwapChain9Ex *iface, D3DPRESENTSTATS *stats)
{
    if (!stats)
        return D3DERR_INVALIDCALL;
    memset(stats, 0, sizeof(*stats));
    stats->PresentCount = stats->PresentRefreshCount = swapchain_of(iface)->presents;
    return D3D_OK;
}

HRESULT api_swapchain_mode_ex(const struct swapchain *chain, D3DDISPLAYMODEEX *mode,
                              D3DDISPLAYROTATION *rotation)
{
    D3DDISPLAYMODE plain;

    if (!mode || mode->Size != sizeof(*mode))
        return D3DERR_INVALIDCALL;
    api_swapchain_mode(chain, &plain);
    *mode = (D3DDISPLAYMODEEX){sizeof(*mode),     plain.Width,  plain.Height,
                               plain.RefreshRate, plain.Format, D3DSCANLINEORDERING_PROGRESSIVE};
    if (rotation)
        *rotation = D3DDISPLAYROTATION_IDENTITY;
    return D3D_OK;
}

static HRESULT WINAPI chain_GetDisplayModeEx(IDirect3DSwapChain9Ex *iface, D3DDISPLAYMODEEX *mode,
                                             D3DDISPLAYROTATION *rotation)
{
    return api_swapchain_mode_ex(swapchain_of(iface), mode, rotation);
}

/* clang-format off */
static const IDirect3DSwapChain9ExVtbl chain_vtbl = {
    OBJECT_VTBL(chain),
    .Present = chain_Present,
    .GetFrontBufferData = chain_GetFrontBufferData,
    .GetBackBuffer = chain_GetBackBuffer,
    .GetRasterStatus = chain_GetRasterStatus,
    .GetDisplayMode = chain_GetDisplayMode,
    .GetPresentParameters = chain_GetPresentParameters,
    .GetLastPresentCount = chain_GetLastPresentCount,
    .GetPresentStats = chain_GetPresentStats,
    .GetDisplayModeEx = chain_GetDisplayModeEx,
};
/* clang-format on */

/* --- Creation and destruction ----------------------------------------------------------------- */

static void drop_buffer(struct swapchain *chain, unsigned i)
{
    struct surface *surface = chain->buffer[i];

    chain->buffer[i] = NULL;
    if (surface) {
        surface->chain = NULL;
        api_object_release_private(&surface->base);
    }
}

static void drop_images(struct swapchain *chain)
{
    cmd_destroy(chain->base.device->stream, chain->front);
    cmd_destroy(chain->base.device->stream, chain->resolved);
    chain->front = chain->resolved = 0;
}

static void chain_free(struct swapchain *chain)
{
    struct device *d = chain->base.device;

    for (unsigned i = 0; i < chain->n_buffers; i++)
        drop_buffer(chain, i);
    drop_images(chain);
    if (chain->number < MAX_CHAINS)
        d->present_queue->chain_used[chain->number] = false;
    mem_free(chain);
}

static void chain_destroy(struct object *obj)
{
    chain_free((struct swapchain *)obj);
}

static const IID *const chain_iids[] = {&IID_IUnknown, &IID_IDirect3DSwapChain9, NULL};
static const IID *const chain_ex_iids[] = {&IID_IUnknown, &IID_IDirect3DSwapChain9,
                                           &IID_IDirect3DSwapChain9Ex, NULL};
static const struct object_class chain_class = {&chain_vtbl, RECORD_SWAP_CHAIN, chain_iids,
                                                chain_destroy};
static const struct object_class chain_ex_class = {&chain_vtbl, RECORD_SWAP_CHAIN_EX, chain_ex_iids,
                                                   chain_destroy};

static struct surface_args buffer_args(const D3DPRESENT_PARAMETERS *p)
{
    return (struct surface_args){
        .kind = IMAGE_TARGET,
        .width = p->BackBufferWidth,
        .height = p->BackBufferHeight,
        .format = p->BackBufferFormat,
        .samples = p->MultiSampleType,
        .quality = p->MultiSampleQuality,
        .pool = D3DPOOL_DEFAULT,
        .lockable = p->Flags & D3DPRESENTFLAG_LOCKABLE_BACKBUFFER,
    };
}

/* Releases the back buffers from `count` on. */
static void release_buffers_from(struct swapchain *chain, unsigned count)
{
    for (unsigned i = count; i < chain->n_buffers; i++)
        drop_buffer(chain, i);
    chain->n_buffers = count;
}

/* Recreates buffers without references in place, at the same address. Releases and replaces buffers
 * that the application references. */
static HRESULT make_buffers(struct swapchain *chain, const D3DPRESENT_PARAMETERS *parameters)
{
    struct surface_args args = buffer_args(parameters);
    struct device *d = chain->base.device;
    HRESULT hr;

    if (chain->implicit) {
        d->render_as.width = parameters->BackBufferWidth;
        d->render_as.height = parameters->BackBufferHeight;
    }

    release_buffers_from(chain, parameters->BackBufferCount);
    chain->n_buffers = parameters->BackBufferCount;
    for (unsigned i = 0; i < chain->n_buffers; i++) {
        struct surface *old = chain->buffer[i];

        if (old && !atomic_load(&old->base.refs)) {
            hr = api_surface_recreate(old, &args);
        } else {
            drop_buffer(chain, i);
            hr = api_surface_create(&chain->buffer[i], chain->base.device, &args, true);
        }
        if (FAILED(hr)) {
            release_buffers_from(chain, i);
            return hr;
        }
        chain->buffer[i]->chain = chain;
    }
    return D3D_OK;
}

static void take_parameters(struct swapchain *chain, const D3DPRESENT_PARAMETERS *parameters)
{
    chain->parameters = *parameters;
    if (!chain->parameters.hDeviceWindow)
        chain->parameters.hDeviceWindow = chain->base.device->creation.hFocusWindow;
}

static HRESULT allocate_number(struct swapchain *chain)
{
    struct device *d = chain->base.device;

    while (chain->number < MAX_CHAINS && d->present_queue->chain_used[chain->number])
        chain->number++;
    if (chain->number == MAX_CHAINS)
        return E_OUTOFMEMORY;
    d->present_queue->chain_used[chain->number] = true;
    d->present_queue->frames[chain->number] = 0;
    return D3D_OK;
}

HRESULT api_swapchain_create(struct swapchain **out, struct device *device,
                             const D3DPRESENT_PARAMETERS *parameters, bool implicit)
{
    struct swapchain *chain = mem_calloc(1, sizeof(*chain));
    HRESULT hr;

    *out = NULL;
    if (!chain)
        return E_OUTOFMEMORY;
    chain->base.device = device;
    chain->implicit = implicit;
    hr = allocate_number(chain);
    if (SUCCEEDED(hr))
        hr = make_buffers(chain, parameters);
    if (FAILED(hr)) {
        chain_free(chain);
        return hr;
    }
    take_parameters(chain, parameters);
    api_object_init(&chain->base, device->ex ? &chain_ex_class : &chain_class, device,
                    implicit ? 0 : 1);
    *out = chain;
    return D3D_OK;
}

HRESULT api_swapchain_recreate(struct swapchain *chain, const D3DPRESENT_PARAMETERS *parameters)
{
    HRESULT hr = make_buffers(chain, parameters);

    if (FAILED(hr))
        return hr;
    take_parameters(chain, parameters);
    drop_images(chain);
    return D3D_OK;
}
