/* IDirect3DDevice9(Ex): creation, destruction, and the method table.
 * Tested by tests/unit/api/com/test_com.c and tests/unit/api/test_memory.c. */
#include "api/adapter/adapter.h"
#include "api/api.h"
#include "api/capture/capture.h"
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/com/refused.h"
#include "api/config/config.h"
#include "api/device/direct3d.h"
#include "api/device/patch.h"
#include "api/device/report.h"
#include "api/device/reset.h"
#include "api/object/object.h"
#include "api/panel/panel.h"
#include "api/set/set.h"
#include "api/state/state.h"
#include "api/swapchain/swapchain.h"
#include "api/window/window.h"
#include "cmd/cmd.h"
#include "util/alloc.h"

static void unbind_targets(struct device *d)
{
    for (unsigned i = 0; i < TARGETS; i++)
        api_object_assign((struct object **)&d->target[i], NULL);
    api_object_assign((struct object **)&d->depth, NULL);
}

/* Also destroys a device whose creation failed half-way. */
static void device_destroy(struct device *d)
{
    api_panel_detach(d);
    api_report_end(d);
    api_capture_detach(d);
    api_cursor_drop(d->cursor);
    api_fullscreen_leave(d->screen, true);
    api_stateblock_discard(d->recording);
    if (d->state->constants[0])
        api_state_fini(d->state);
    unbind_targets(d);
    api_object_release_private((struct object *)d->auto_depth);
    api_object_release_private((struct object *)d->chain);
    api_drop_patches(d);
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

static HRESULT start(struct device *d, const D3DPRESENT_PARAMETERS *p)
{
    HRESULT hr = open_renderer(d);

    api_set_rendering(d);
    if (SUCCEEDED(hr))
        hr = api_swapchain_create(&d->chain, d, p, true);
    if (SUCCEEDED(hr))
        hr = api_recreate_depth(d, p);
    if (SUCCEEDED(hr))
        hr = api_bind_implicit(d);
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
_Static_assert(offsetof(struct whole_device, device) == 0, "device_destroy frees both");

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
    if (!flags_ok(flags))
        return api_refused(D3DERR_INVALIDCALL, "CreateDevice", D3DFMT_UNKNOWN, "flags 0x%lx",
                           (unsigned long)flags);
    if (FAILED(api_check_parameters(parameters, api_device_kind(type, ex), adapter, focus)))
        return api_refuse_parameters(D3DERR_INVALIDCALL, "CreateDevice", parameters);
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
        hr = api_enter_full_screen(d, parameters);
    if (FAILED(hr)) {
        device_destroy(d);
        return api_refuse_parameters(hr, "CreateDevice", parameters);
    }
    set_fpu(flags);
    api_report_device(d);
    api_capture_attach(d);
    api_panel_attach(d);
    *out = d;
    return D3D_OK;
}

/* --- Method table ----------------------------------------------------------------------------- */

static const IDirect3DDevice9ExVtbl device_vtbl = {
#define METHOD(type, name, ...) .name = device_##name,
#include "api/com/device_methods.def"
#undef METHOD
};
