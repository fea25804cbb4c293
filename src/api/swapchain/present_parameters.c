/* Validation and defaults of D3DPRESENT_PARAMETERS (reference: swap-chains/parameters). */
#include "api/adapter/adapter.h"
#include "api/swapchain/swapchain.h"
#include "api/window/window.h"

static bool interval_ok(UINT interval)
{
    return interval == D3DPRESENT_INTERVAL_DEFAULT || interval == D3DPRESENT_INTERVAL_ONE ||
           interval == D3DPRESENT_INTERVAL_TWO || interval == D3DPRESENT_INTERVAL_THREE ||
           interval == D3DPRESENT_INTERVAL_FOUR || interval == D3DPRESENT_INTERVAL_IMMEDIATE;
}

/* Limits the number of back buffers of each swap effect (reference: swap-chains/parameters). */
static bool effect_ok(const D3DPRESENT_PARAMETERS *p, bool ex)
{
    UINT most = ex ? D3DPRESENT_BACK_BUFFERS_MAX_EX : D3DPRESENT_BACK_BUFFERS_MAX;

    switch (p->SwapEffect) {
    case D3DSWAPEFFECT_DISCARD:
    case D3DSWAPEFFECT_FLIP:
        return p->BackBufferCount <= most;
    case D3DSWAPEFFECT_COPY:
        return p->BackBufferCount <= 1;
    case D3DSWAPEFFECT_FLIPEX:
        return ex && p->BackBufferCount <= most;
    default:
        return false;
    }
}

static bool formats_ok(const D3DPRESENT_PARAMETERS *p, struct device_kind kind)
{
    const struct tex_format *depth = api_format_get(p->AutoDepthStencilFormat, kind);

    if (!api_back_buffer_ok(p->BackBufferFormat, p->Windowed, kind))
        return false;
    if (p->EnableAutoDepthStencil &&
        (!depth || !(depth->caps & TEX_DEPTHSTENCIL) ||
         !api_multisample_ok(p->AutoDepthStencilFormat, p->MultiSampleType, p->MultiSampleQuality,
                             kind)))
        return false;
    if (p->MultiSampleType != D3DMULTISAMPLE_NONE &&
        (p->SwapEffect != D3DSWAPEFFECT_DISCARD || (p->Flags & D3DPRESENTFLAG_LOCKABLE_BACKBUFFER)))
        return false;
    return api_multisample_ok(p->BackBufferFormat, p->MultiSampleType, p->MultiSampleQuality, kind);
}

/* RESOLUTION is the size that programs without one of their own get. */
static void take_resolution(D3DPRESENT_PARAMETERS *p)
{
    UINT width = 0, height = 0;

    if (!api_resolution(&width, &height))
        return;
    if (!p->BackBufferWidth)
        p->BackBufferWidth = width;
    if (!p->BackBufferHeight)
        p->BackBufferHeight = height;
}

HRESULT api_check_parameters(D3DPRESENT_PARAMETERS *parameters, struct device_kind kind,
                             UINT adapter, HWND focus)
{
    D3DPRESENT_PARAMETERS p = *parameters;
    D3DDISPLAYMODE desktop;

    if (!p.BackBufferCount)
        p.BackBufferCount = 1;
    if (!effect_ok(&p, kind.ex) || !interval_ok(p.PresentationInterval))
        return D3DERR_INVALIDCALL;
    if (p.Windowed) {
        api_adapter_mode(adapter, &desktop);
        if (p.BackBufferFormat == D3DFMT_UNKNOWN)
            p.BackBufferFormat = desktop.Format;
        take_resolution(&p);
        api_window_size(p.hDeviceWindow ? p.hDeviceWindow : focus, &p.BackBufferWidth,
                        &p.BackBufferHeight);
    } else if (!api_mode_exists(adapter, p.BackBufferWidth, p.BackBufferHeight, p.BackBufferFormat,
                                kind)) {
        return D3DERR_INVALIDCALL;
    }
    if (!formats_ok(&p, kind) || p.BackBufferWidth > TEX_MAX_SIZE ||
        p.BackBufferHeight > TEX_MAX_SIZE)
        return D3DERR_INVALIDCALL;
    *parameters = p;
    return D3D_OK;
}

/* Full screen requires a mode of exactly the back buffer's size; windowed devices pass none. */
HRESULT api_check_mode(const D3DPRESENT_PARAMETERS *p, const D3DDISPLAYMODEEX *mode)
{
    if (p->Windowed)
        return mode ? D3DERR_INVALIDCALL : D3D_OK;
    if (!mode || !mode->Width || !mode->Height || mode->Width != p->BackBufferWidth ||
        mode->Height != p->BackBufferHeight)
        return D3DERR_INVALIDCALL;
    return D3D_OK;
}
