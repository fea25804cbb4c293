/* Queries of the device: cooperative level, caps, creation parameters, video memory; and the
 * methods that do nothing or are not supported.
 * Tested by tests/unit/api/device/test_reset.c and tests/unit/api/object/test_texture_create.c. */
#include "api/adapter/adapter.h"
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/device/direct3d.h"
#include "api/swapchain/swapchain.h"
#include "api/window/window.h"

/* --- Cooperative level ------------------------------------------------------------------------ */

HRESULT WINAPI device_TestCooperativeLevel(IDirect3DDevice9Ex *iface)
{
    ENTER(d, iface);

    if (d->ex)
        return D3D_OK;
    if (api_fullscreen_state(d->screen) == SCREEN_LOST)
        return D3DERR_DEVICELOST;
    return d->lost || api_fullscreen_state(d->screen) != SCREEN_OURS ? D3DERR_DEVICENOTRESET
                                                                     : D3D_OK;
}

/* A full-screen device either owns the screen, and occludes all windows but its own, or has lost
 * it. */
HRESULT WINAPI device_CheckDeviceState(IDirect3DDevice9Ex *iface, HWND window)
{
    ENTER(d, iface);
    enum screen_state state = api_fullscreen_state(d->screen);
    bool own = window == d->chain->parameters.hDeviceWindow;

    if (!api_fullscreen_covers(d->screen))
        return D3D_OK;
    if (state == SCREEN_CHANGED)
        return S_PRESENT_MODE_CHANGED;
    return own == (state == SCREEN_LOST) ? S_PRESENT_OCCLUDED : D3D_OK;
}

/* --- Queries ---------------------------------------------------------------------------------- */

HRESULT WINAPI device_GetDirect3D(IDirect3DDevice9Ex *iface, IDirect3D9 **out)
{
    ENTER(d, iface);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = (IDirect3D9 *)&d->d3d9->iface;
    api_d3d9_addref(d->d3d9);
    return D3D_OK;
}

HRESULT WINAPI device_GetDeviceCaps(IDirect3DDevice9Ex *iface, D3DCAPS9 *caps)
{
    if (!caps)
        return D3DERR_INVALIDCALL;
    *caps = device_of(iface)->caps;
    return D3D_OK;
}

HRESULT WINAPI device_GetCreationParameters(IDirect3DDevice9Ex *iface,
                                            D3DDEVICE_CREATION_PARAMETERS *parameters)
{
    if (!parameters)
        return D3DERR_INVALIDCALL;
    *parameters = device_of(iface)->creation;
    return D3D_OK;
}

/* Plain devices report the remaining share of all video memory, in whole MiB
 * (reference: device/video-memory). */
UINT WINAPI device_GetAvailableTextureMem(IDirect3DDevice9Ex *iface)
{
    const int64_t all = api_video_memory();
    ENTER(d, iface);
    int64_t used = d->ex ? 0 : d->video_bytes;

    return used >= all ? 0 : (UINT)((all - used) & ~INT64_C(0xfffff));
}

HRESULT WINAPI device_SetDialogBoxMode(IDirect3DDevice9Ex *iface, BOOL enable)
{
    (void)iface;
    (void)enable;
    return D3D_OK;
}

/* --- IDirect3DDevice9Ex ----------------------------------------------------------------------- */

HRESULT WINAPI device_GetGPUThreadPriority(IDirect3DDevice9Ex *iface, INT *priority)
{
    if (!priority)
        return D3DERR_INVALIDCALL;
    *priority = device_of(iface)->gpu_priority;
    return D3D_OK;
}

HRESULT WINAPI device_SetGPUThreadPriority(IDirect3DDevice9Ex *iface, INT priority)
{
    ENTER(d, iface);

    if (priority < -7 || priority > 7)
        return D3DERR_INVALIDCALL;
    d->gpu_priority = priority;
    return D3D_OK;
}

HRESULT WINAPI device_CheckResourceResidency(IDirect3DDevice9Ex *iface,
                                             IDirect3DResource9 **resources, UINT32 count)
{
    (void)iface;
    return count && !resources ? D3DERR_INVALIDCALL : D3D_OK;
}

HRESULT WINAPI device_SetMaximumFrameLatency(IDirect3DDevice9Ex *iface, UINT latency)
{
    enum { DEFAULT = 3, MOST = 30 };
    ENTER(d, iface);

    if (latency > MOST)
        return D3DERR_INVALIDCALL;
    d->frame_latency = latency ? latency : DEFAULT;
    return D3D_OK;
}

HRESULT WINAPI device_GetMaximumFrameLatency(IDirect3DDevice9Ex *iface, UINT *latency)
{
    if (!latency)
        return D3DERR_INVALIDCALL;
    *latency = device_of(iface)->frame_latency;
    return D3D_OK;
}
