/* Reset and ResetEx, and the parts of a device that depend on its present parameters. */
#include "api/device/reset.h"

#include "api/adapter/adapter.h"
#include "api/com/device_methods.h"
#include "api/config/config.h"
#include "api/device/patch.h"
#include "api/device/report.h"
#include "api/object/object.h"
#include "api/set/set.h"
#include "api/state/state.h"
#include "api/swapchain/swapchain.h"
#include "api/window/window.h"
#include "cmd/packets.h"

HRESULT api_recreate_depth(struct device *d, const D3DPRESENT_PARAMETERS *p)
{
    struct surface_args args = {
        .kind = IMAGE_DEPTH,
        .width = p->BackBufferWidth,
        .height = p->BackBufferHeight,
        .format = p->AutoDepthStencilFormat,
        .samples = p->MultiSampleType,
        .quality = p->MultiSampleQuality,
        .pool = D3DPOOL_DEFAULT,
        .discardable = p->Flags & D3DPRESENTFLAG_DISCARD_DEPTHSTENCIL,
    };
    struct surface *old = d->auto_depth;

    if (p->EnableAutoDepthStencil && old && !atomic_load(&old->base.refs))
        return api_surface_recreate(old, &args); /* keeps the address that the application holds */
    d->auto_depth = NULL;
    api_object_release_private((struct object *)old);
    return p->EnableAutoDepthStencil ? api_surface_create(&d->auto_depth, d, &args, true) : D3D_OK;
}

HRESULT api_bind_implicit(struct device *d)
{
    HRESULT hr = api_set_target(d, 0, d->chain->buffer[0]);

    for (unsigned i = 1; i < TARGETS && SUCCEEDED(hr); i++)
        hr = api_set_target(d, i, NULL);
    return SUCCEEDED(hr) ? api_set_target(d, CMD_DEPTH_TARGET, d->auto_depth) : hr;
}

HRESULT api_enter_full_screen(struct device *d, const D3DPRESENT_PARAMETERS *p)
{
    HWND window = d->chain->parameters.hDeviceWindow;
    struct fullscreen_args args = {
        .adapter = d->creation.AdapterOrdinal,
        .width = p->BackBufferWidth,
        .height = p->BackBufferHeight,
        .refresh = p->FullScreen_RefreshRateInHz,
        .focus = d->creation.hFocusWindow ? d->creation.hFocusWindow : window,
        .window = window,
        .kind = api_screen_kind(),
        .keep_windows = d->creation.BehaviorFlags & D3DCREATE_NOWINDOWCHANGES,
        .ex = d->ex,
    };
    enum status st = ST_OK;

    if (p->Windowed || !window)
        api_fullscreen_leave(d->screen, false);
    else
        st = api_fullscreen_enter(d->screen, &args);
    api_present_update_mode(d);
    return api_hresult(st);
}

/* --- Reset ------------------------------------------------------------------------------------ */

void api_set_rendering(struct device *d)
{
    d->render_as.scale = api_config_scale();
    d->render_as.samples = api_config_forced(CONFIG_SAMPLES);
}

/* Unbinds all resources. Reset fails only for D3DPOOL_DEFAULT objects that the application
 * holds. */
static void unbind_all(struct device *d)
{
    if (!d->ex) {
        api_state_defaults(d->state, false, d->caps.MaxPointSize);
        api_drop_patches(d); /* an Ex device keeps them (reference: tessellation/handles) */
    }
    d->textures_changed = true;
    api_stateblock_discard(d->recording);
    d->recording = NULL;
    if (!d->ex) /* an Ex device stays in its scene (reference: device/reset) */
        d->in_scene = false;
}

static bool has_resolution(void)
{
    UINT width, height;

    return api_resolution(&width, &height);
}

static HRESULT reset(struct device *d, D3DPRESENT_PARAMETERS *parameters)
{
    D3DPRESENT_PARAMETERS p;
    HRESULT hr;

    if (!parameters)
        return D3DERR_INVALIDCALL;
    if (!d->ex && api_fullscreen_state(d->screen) == SCREEN_LOST)
        return D3DERR_DEVICELOST;
    p = *parameters;
    if (p.Windowed && !has_resolution())
        api_fullscreen_size_after(d->screen,
                                  p.hDeviceWindow ? p.hDeviceWindow : d->creation.hFocusWindow,
                                  &p.BackBufferWidth, &p.BackBufferHeight);
    hr =
        api_check_parameters(&p, api_kind(d), d->creation.AdapterOrdinal, d->creation.hFocusWindow);
    if (FAILED(hr) || (!d->ex && atomic_load(&d->reset_blockers))) {
        d->lost = !d->ex;
        return FAILED(hr) ? api_refuse_parameters(hr, "Reset", &p) : api_refuse_reset(d);
    }
    api_cursor_drop(d->cursor);
    unbind_all(d);
    if (!d->ex) /* no target is left that was rendered otherwise */
        api_set_rendering(d);
    hr = api_swapchain_recreate(d->chain, &p);
    if (SUCCEEDED(hr))
        hr = api_recreate_depth(d, &p);
    if (SUCCEEDED(hr))
        hr = api_bind_implicit(d);
    if (SUCCEEDED(hr) && !d->ex)
        api_state_defaults(d->state, p.EnableAutoDepthStencil, d->caps.MaxPointSize);
    if (SUCCEEDED(hr))
        hr = api_reset_viewport(d, d->ex);
    if (SUCCEEDED(hr))
        hr = api_emit_all(d);
    if (SUCCEEDED(hr))
        hr = api_enter_full_screen(d, &p);
    d->lost = FAILED(hr); /* out of memory left the device half reset */
    if (FAILED(hr))
        return hr;
    *parameters = p;
    d->loss_logged = false;
    api_report_reset(d);
    return D3D_OK;
}

HRESULT WINAPI device_Reset(IDirect3DDevice9Ex *iface, D3DPRESENT_PARAMETERS *parameters)
{
    ENTER(d, iface);

    return reset(d, parameters);
}

HRESULT WINAPI device_ResetEx(IDirect3DDevice9Ex *iface, D3DPRESENT_PARAMETERS *parameters,
                              D3DDISPLAYMODEEX *mode)
{
    ENTER(d, iface);

    if (!parameters || FAILED(api_check_mode(parameters, mode)))
        return D3DERR_INVALIDCALL;
    return reset(d, parameters);
}
