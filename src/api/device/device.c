/* IDirect3DDevice9(Ex): creation, destruction, Reset, cooperative level, and the method table. */
#include "api/com/device.h"

#include "api/adapter/adapter.h"
#include "api/api.h"
#include "api/com/device_methods.h"
#include "api/config/config.h"
#include "api/device/direct3d.h"
#include "api/memory/resource.h"
#include "api/object/object.h"
#include "api/set/set.h"
#include "api/state/state.h"
#include "api/swapchain/swapchain.h"
#include "api/window/window.h"
#include "cmd/cmd.h"
#include "draw/draw.h"
#include "util/alloc.h"
#include "util/fault_injection.h"
#include "util/log.h"
#include "util/variant.h"

/* --- Creation and destruction ----------------------------------------------------------------- */

static void unbind_targets(struct device *d)
{
    for (unsigned i = 0; i < TARGETS; i++)
        api_object_assign((struct object **)&d->target[i], NULL);
    api_object_assign((struct object **)&d->depth, NULL);
}

/* Also destroys a device whose creation failed half-way. */
static void device_destroy(struct device *d)
{
    api_cursor_drop(d->cursor);
    api_fullscreen_leave(d->screen);
    api_stateblock_discard(d->recording);
    if (d->state->constants[0])
        api_state_fini(d->state);
    unbind_targets(d);
    api_object_release_private((struct object *)d->auto_depth);
    api_object_release_private((struct object *)d->chain);
    api_drop_fvf_decls(d);
    api_free_palettes(d);
    if (d->present)
        present_stop_pacing(d->present);
    cmd_stream_destroy(d->stream);
    present_destroy(d->present);
    api_device_fini(d);
    api_d3d9_release(d->d3d9);
    mem_free(d);
}

static void set_fault(enum fault fault)
{
    fault_current = fault;
    if (fault && NOVEM_FAULTS)
        log_warn("api", "FAULT = %s: rendering errors are injected (%s)", fault_name(fault),
                 fault_text(fault));
    else if (fault)
        log_warn("api", "FAULT = %s: no effect, this build injects no faults", fault_name(fault));
}

struct draw_options api_draw_options(void)
{
    api_config_load();
    if (api_config_text(CONFIG_VARIANT))
        variant_current = variant_find(api_config_text(CONFIG_VARIANT));
    if (api_config_text(CONFIG_FAULT))
        set_fault(fault_find(api_config_text(CONFIG_FAULT)));
    return (struct draw_options){
        .threads = api_config_number(CONFIG_THREADS),
        .ieee = api_config_ieee(),
        .force_late_zs = !api_config_on(CONFIG_EARLY_Z),
        .no_packing = !api_config_on(CONFIG_FRAGMENT_PACKING),
        .interpret = !api_config_on(CONFIG_JIT),
        .keep_overdrawn = !api_config_on(CONFIG_CULL_OVERDRAWN),
        .no_fast_clear = !api_config_on(CONFIG_FAST_CLEAR),
        .tile = api_config_number(CONFIG_TILE_SIZE),
    };
}

static HRESULT open_renderer(struct device *d)
{
    static const D3DCLIPSTATUS9 initial = {0, 0xffffffff};
    const struct draw_options options = api_draw_options();
    enum status st = api_present_open(d);

    if (st == ST_OK)
        st = cmd_stream_create(&d->stream, &options, api_present_frame, d);
    if (st == ST_OK)
        st = api_state_init(d->state, d->software_shaders);
    if (st == ST_OK)
        st = cmd_emit_set_software(d->stream, &(struct cmd_set_software){d->software}, NULL, 0);
    return st == ST_OK ? api_set_clip_status(d, &initial) : api_hresult(st);
}

/* Creates, recreates or releases the automatic depth buffer. */
static HRESULT recreate_depth(struct device *d, const D3DPRESENT_PARAMETERS *p)
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

static HRESULT bind_implicit(struct device *d)
{
    HRESULT hr = api_set_target(d, 0, d->chain->buffer[0]);

    for (unsigned i = 1; i < TARGETS && SUCCEEDED(hr); i++)
        hr = api_set_target(d, i, NULL);
    return SUCCEEDED(hr) ? api_set_target(d, CMD_DEPTH_TARGET, d->auto_depth) : hr;
}

static HRESULT start(struct device *d, const D3DPRESENT_PARAMETERS *p)
{
    HRESULT hr = open_renderer(d);

    if (SUCCEEDED(hr))
        hr = api_swapchain_create(&d->chain, d, p, true);
    if (SUCCEEDED(hr))
        hr = recreate_depth(d, p);
    if (SUCCEEDED(hr))
        hr = bind_implicit(d);
    if (FAILED(hr))
        return hr;
    api_state_defaults(d->state, p->EnableAutoDepthStencil, d->caps.MaxPointSize);
    hr = api_reset_viewport(d, false);
    return SUCCEEDED(hr) ? api_emit_all(d) : hr;
}

/* Sets the x87 of 32-bit processes to single precision, except under D3DCREATE_FPU_PRESERVE
 * (reference: device/fpu). */
static void set_fpu(DWORD flags)
{
#if defined(_WIN32) && defined(__i386__)
    static const uint16_t single = 0x7f;

    if (!(flags & D3DCREATE_FPU_PRESERVE))
        __asm__ volatile("fnclex; fldcw %0" : : "m"(single));
#else
    (void)flags;
#endif
}

/* Enters full-screen mode where the parameters ask for it. */
static HRESULT enter_full_screen(struct device *d, const D3DPRESENT_PARAMETERS *p)
{
    HWND window = d->chain->parameters.hDeviceWindow;
    struct fullscreen_args args = {
        .adapter = d->creation.AdapterOrdinal,
        .width = p->BackBufferWidth,
        .height = p->BackBufferHeight,
        .refresh = p->FullScreen_RefreshRateInHz,
        .focus = d->creation.hFocusWindow ? d->creation.hFocusWindow : window,
        .window = window,
        .keep_windows = d->creation.BehaviorFlags & D3DCREATE_NOWINDOWCHANGES,
        .ex = d->ex,
    };
    enum status st = ST_OK;

    if (p->Windowed || !window)
        api_fullscreen_leave(d->screen);
    else
        st = api_fullscreen_enter(d->screen, &args);
    api_present_update_mode(d);
    return api_hresult(st);
}

static bool flags_ok(DWORD flags)
{
    const DWORD kinds = D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_HARDWARE_VERTEXPROCESSING |
                        D3DCREATE_MIXED_VERTEXPROCESSING;
    DWORD kind = flags & kinds;

    return kind && !(kind & (kind - 1));
}

/* A device with its parts, in one allocation. */
struct whole_device {
    struct device device;
    struct state state;
    struct present_queue present_queue;
    struct fullscreen screen;
    struct cursor cursor;
};

static struct device *allocate(void)
{
    struct whole_device *whole = mem_calloc(1, sizeof(*whole));

    if (!whole)
        return NULL;
    whole->device.state = &whole->state;
    whole->device.present_queue = &whole->present_queue;
    whole->device.screen = &whole->screen;
    whole->device.cursor = &whole->cursor;
    return &whole->device;
}

static const IDirect3DDevice9ExVtbl device_vtbl;

HRESULT api_device_create(struct device **out, struct d3d9 *d3d9, UINT adapter, D3DDEVTYPE type,
                          HWND focus, DWORD flags, D3DPRESENT_PARAMETERS *parameters)
{
    bool ex = d3d9->ex;
    struct device *d;
    HRESULT hr;

    *out = NULL;
    if (!flags_ok(flags) || FAILED(api_check_parameters(parameters, ex, adapter, focus)))
        return D3DERR_INVALIDCALL;
    d = allocate();
    if (!d)
        return E_OUTOFMEMORY;
    api_device_init(d, flags & D3DCREATE_MULTITHREADED, device_destroy);
    /* const in some versions of the header only */
    d->iface.lpVtbl = (void *)record_vtbl(ex ? RECORD_DEVICE_EX : RECORD_DEVICE, &device_vtbl);
    d->d3d9 = d3d9;
    api_d3d9_addref(d3d9);
    d->ex = ex;
    d->creation = (D3DDEVICE_CREATION_PARAMETERS){adapter, type, focus, flags};
    d->software = (flags & D3DCREATE_SOFTWARE_VERTEXPROCESSING) != 0;
    d->software_shaders = !(flags & D3DCREATE_HARDWARE_VERTEXPROCESSING);
    d->frame_latency = 3;
    api_caps_fill(&d->caps, type, d->software, ex);
    d->caps.AdapterOrdinal = adapter;
    api_present_queue_init(d->present_queue);
    hr = start(d, parameters);
    if (SUCCEEDED(hr))
        hr = enter_full_screen(d, parameters);
    if (FAILED(hr)) {
        device_destroy(d);
        return hr;
    }
    set_fpu(flags);
    *out = d;
    return D3D_OK;
}

/* --- Reset ------------------------------------------------------------------------------------ */

/* Unbinds all resources. Reset fails only for D3DPOOL_DEFAULT objects that the application
 * holds. */
static void unbind_all(struct device *d)
{
    if (!d->ex)
        api_state_defaults(d->state, false, d->caps.MaxPointSize);
    d->textures_changed = true;
    api_stateblock_discard(d->recording);
    d->recording = NULL;
    if (!d->ex) /* an Ex device stays in its scene (reference: device/reset) */
        d->in_scene = false;
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
    hr = api_check_parameters(&p, d->ex, d->creation.AdapterOrdinal, d->creation.hFocusWindow);
    if (FAILED(hr) || (!d->ex && atomic_load(&d->reset_blockers))) {
        d->lost = !d->ex;
        return D3DERR_INVALIDCALL;
    }
    api_cursor_drop(d->cursor);
    unbind_all(d);
    hr = api_swapchain_recreate(d->chain, &p);
    if (SUCCEEDED(hr))
        hr = recreate_depth(d, &p);
    if (SUCCEEDED(hr))
        hr = bind_implicit(d);
    if (SUCCEEDED(hr) && !d->ex)
        api_state_defaults(d->state, p.EnableAutoDepthStencil, d->caps.MaxPointSize);
    if (SUCCEEDED(hr))
        hr = api_reset_viewport(d, d->ex);
    if (SUCCEEDED(hr))
        hr = api_emit_all(d);
    if (SUCCEEDED(hr))
        hr = enter_full_screen(d, &p);
    d->lost = FAILED(hr); /* out of memory left the device half reset */
    if (FAILED(hr))
        return hr;
    *parameters = p;
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

    if (!d->screen->active)
        return D3D_OK;
    if (state == SCREEN_CHANGED)
        return S_PRESENT_MODE_CHANGED;
    return own == (state == SCREEN_LOST) ? S_PRESENT_OCCLUDED : D3D_OK;
}

/* --- Queries of the device -------------------------------------------------------------------- */

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

/* --- Method table ----------------------------------------------------------------------------- */

static const IDirect3DDevice9ExVtbl device_vtbl = {
#define METHOD(type, name, ...) .name = device_##name,
#include "api/com/device_methods.def"
#undef METHOD
};
