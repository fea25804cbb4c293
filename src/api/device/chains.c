/* Device methods of swap chains: creation of additional ones, Present, and calls that go to the
 * implicit one.
 * Tested by tests/unit/api/com/test_com.c and tests/unit/api/swapchain/test_present.c. */
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/com/refused.h"
#include "api/swapchain/swapchain.h"

HRESULT WINAPI device_CreateAdditionalSwapChain(IDirect3DDevice9Ex *iface,
                                                D3DPRESENT_PARAMETERS *parameters,
                                                IDirect3DSwapChain9 **out)
{
    ENTER(d, iface);
    HRESULT hr;

    if (!out || !parameters)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    /* Additional swap chains are windowed and belong to windowed devices. */
    if (!parameters->Windowed || !d->chain->parameters.Windowed)
        return api_refused(D3DERR_INVALIDCALL, "CreateAdditionalSwapChain", D3DFMT_UNKNOWN,
                           "full screen");
    hr = api_check_parameters(parameters, api_kind(d), d->creation.AdapterOrdinal,
                              d->creation.hFocusWindow);
    if (FAILED(hr))
        return api_refused(hr, "CreateAdditionalSwapChain", parameters->BackBufferFormat,
                           "the presentation parameters");
    return api_swapchain_create((struct swapchain **)out, d, parameters, false);
}

HRESULT WINAPI device_GetSwapChain(IDirect3DDevice9Ex *iface, UINT index, IDirect3DSwapChain9 **out)
{
    ENTER(d, iface);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    if (index) /* GetSwapChain returns the implicit chain alone */
        return D3DERR_INVALIDCALL;
    api_object_addref(&d->chain->base);
    *out = (IDirect3DSwapChain9 *)d->chain;
    return D3D_OK;
}

UINT WINAPI device_GetNumberOfSwapChains(IDirect3DDevice9Ex *iface)
{
    (void)iface;
    return 1;
}

HRESULT WINAPI device_Present(IDirect3DDevice9Ex *iface, const RECT *src, const RECT *dst,
                              HWND window, const RGNDATA *dirty)
{
    ENTER(d, iface);

    (void)dirty;
    return api_swapchain_present(d->chain, src, dst, window, 0);
}

HRESULT WINAPI device_PresentEx(IDirect3DDevice9Ex *iface, const RECT *src, const RECT *dst,
                                HWND window, const RGNDATA *dirty, DWORD flags)
{
    ENTER(d, iface);

    (void)dirty;
    return api_swapchain_present(d->chain, src, dst, window, flags);
}

HRESULT WINAPI device_GetBackBuffer(IDirect3DDevice9Ex *iface, UINT chain, UINT index,
                                    D3DBACKBUFFER_TYPE type, IDirect3DSurface9 **out)
{
    ENTER(d, iface);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    (void)type;
    if (chain)
        return D3DERR_INVALIDCALL;
    return api_swapchain_buffer(d->chain, index, out);
}

HRESULT WINAPI device_GetDisplayMode(IDirect3DDevice9Ex *iface, UINT chain, D3DDISPLAYMODE *mode)
{
    ENTER(d, iface);

    if (chain || !mode)
        return D3DERR_INVALIDCALL;
    return api_swapchain_mode(d->chain, mode);
}

HRESULT WINAPI device_GetDisplayModeEx(IDirect3DDevice9Ex *iface, UINT chain,
                                       D3DDISPLAYMODEEX *mode, D3DDISPLAYROTATION *rotation)
{
    ENTER(d, iface);

    if (chain)
        return D3DERR_INVALIDCALL;
    return api_swapchain_mode_ex(d->chain, mode, rotation);
}
