/* Replay handlers of Direct3D objects, devices and swap chains: creation, Reset, GetDirect3D.
 *
 * Tested by tests/unit/trace/replay/test_replay.c. */
#include "trace/replay/args.h"
#include "trace/replay/handlers.h"
#include "trace/replay/samples.h"

#include <string.h>

/* --- Present parameters ----------------------------------------------------------------------- */

/* Adapts the recorded present parameters: windowed, immediate, in a window of the replayer. */
static bool read_parameters(struct replay_call *q, unsigned i, uint64_t focus,
                            D3DPRESENT_PARAMETERS *out)
{
    const struct trace_value *value = value_pointee(arg(q, i));
    uint32_t w[14];
    uint64_t window;

    if (!value || value->kind != TRACE_STRUCT || value_words(value, w, 14) != 14)
        return false;
    window = trace_number(&value->u.items[7]);
    *out = (D3DPRESENT_PARAMETERS){
        .BackBufferWidth = w[0],
        .BackBufferHeight = w[1],
        .BackBufferFormat = w[2],
        .BackBufferCount = w[3],
        .MultiSampleType = w[4],
        .MultiSampleQuality = w[5],
        .SwapEffect = w[6],
        .hDeviceWindow = window_for(&q->replay->windows, window ? window : focus, w[0], w[1]),
        .Windowed = TRUE,
        .EnableAutoDepthStencil = w[9] != 0,
        .AutoDepthStencilFormat = w[10],
        .Flags = w[11],
        .PresentationInterval = w[13],
    };
    if (w[13] == D3DPRESENT_INTERVAL_TWO || w[13] == D3DPRESENT_INTERVAL_THREE ||
        w[13] == D3DPRESENT_INTERVAL_FOUR)
        out->PresentationInterval = D3DPRESENT_INTERVAL_DEFAULT; /* other values need full screen */
    return true;
}

/* --- Direct3D and devices --------------------------------------------------------------------- */

HRESULT replay_create9(struct replay_call *q)
{
    IDirect3D9 *d3d = Direct3DCreate9(arg_u32(q, 0) & 0x7fffffff); /* bit 31 selects the debug
                                                                    * runtime */
    uint64_t address = trace_number(&q->call->ret);

    if (!address && d3d)
        IDirect3D9_Release(d3d);
    if (!address)
        return S_OK;
    if (!d3d)
        return D3DERR_NOTAVAILABLE;
    object_register(q->replay, address, OBJ_D3D, d3d, NULL, NULL);
    return S_OK;
}

HRESULT replay_create9ex(struct replay_call *q)
{
    IDirect3D9Ex *d3d = NULL;
    HRESULT hr = Direct3DCreate9Ex(arg_u32(q, 0) & 0x7fffffff, &d3d);
    struct object *o;

    if (FAILED(hr))
        return hr;
    o = replay_call_out(q, 1, OBJ_D3D, d3d, NULL);
    if (o)
        o->ex = true;
    return hr;
}

/* Remembers the automatic depth surface, to recognise it in later calls. */
static void device_settle(struct object *o)
{
    IDirect3DSurface9 *depth = NULL;

    o->auto_depth = NULL;
    if (SUCCEEDED(IDirect3DDevice9_GetDepthStencilSurface((IDirect3DDevice9 *)o->iface, &depth)) &&
        depth) {
        o->auto_depth = depth;
        IDirect3DSurface9_Release(depth);
    }
}

static HRESULT try_type(struct replay_call *q, bool ex, D3DDEVTYPE type, D3DPRESENT_PARAMETERS pp,
                        DWORD behaviour, HWND focus, void **device)
{
    if (ex)
        return IDirect3D9Ex_CreateDeviceEx((IDirect3D9Ex *)q->self->iface, 0, type, focus,
                                           behaviour, &pp, NULL, (IDirect3DDevice9Ex **)device);
    return IDirect3D9_CreateDevice((IDirect3D9 *)q->self->iface, 0, type, focus, behaviour, &pp,
                                   (IDirect3DDevice9 **)device);
}

/* A reference device was recorded: it has features that hardware lacks. But it may need the SDK. */
static HRESULT try_device(struct replay_call *q, bool ex, D3DPRESENT_PARAMETERS pp, DWORD behaviour,
                          HWND focus, void **device)
{
    uint32_t type = arg_u32(q, 2);
    HRESULT hr = D3DERR_NOTAVAILABLE;

    if (type == D3DDEVTYPE_REF || type == D3DDEVTYPE_NULLREF)
        hr = try_type(q, ex, D3DDEVTYPE_REF, pp, behaviour, focus, device);
    return SUCCEEDED(hr) ? hr : try_type(q, ex, D3DDEVTYPE_HAL, pp, behaviour, focus, device);
}

/* Devices of IDirect3D9Ex have the methods of 9Ex, whichever method created them. */
static bool is_extended(const struct replay_call *q, void *device)
{
    IUnknown *unknown = device;
    void *extended = NULL;

    if (!q->self->ex ||
        FAILED(unknown->lpVtbl->QueryInterface(unknown, &IID_IDirect3DDevice9Ex, &extended)))
        return false;
    ((IUnknown *)extended)->lpVtbl->Release(extended);
    return extended == device;
}

/* Windowed devices cannot drive several heads. */
enum { BEHAVIOUR_DROPPED = D3DCREATE_ADAPTERGROUP_DEVICE };

static HRESULT make_device(struct replay_call *q, bool ex, unsigned out)
{
    DWORD behaviour = arg_u32(q, 4) & ~(DWORD)BEHAVIOUR_DROPPED;
    uint64_t focus = trace_number(arg(q, 3));
    D3DPRESENT_PARAMETERS pp;
    void *device = NULL;
    struct object *o;
    HWND window;
    HRESULT hr;

    if (!read_parameters(q, 5, focus, &pp))
        return replay_call_skip(q, "no present parameters were recorded");
    window = focus ? window_for(&q->replay->windows, focus, pp.BackBufferWidth, pp.BackBufferHeight)
                   : pp.hDeviceWindow;
    do
        hr = try_device(q, ex, pp, behaviour, window, &device);
    while (FAILED(hr) && samples_lower(q, &pp.MultiSampleType, &pp.MultiSampleQuality, hr));
    if (FAILED(hr)) {
        q->replay->lost = true;
        return hr;
    }
    o = replay_call_out(q, out, OBJ_DEVICE, device, NULL);
    if (o) {
        o->ex = ex || is_extended(q, device);
        device_settle(o);
    }
    return hr;
}

HRESULT replay_create_device(struct replay_call *q)
{
    return make_device(q, false, 6);
}

HRESULT replay_create_device_ex(struct replay_call *q)
{
    return make_device(q, true, 7);
}

HRESULT replay_reset(struct replay_call *q)
{
    IDirect3DDevice9 *device = q->self->iface;
    D3DPRESENT_PARAMETERS pp;
    HRESULT hr;

    if (!read_parameters(q, 1, 0, &pp))
        return replay_call_skip(q, "no present parameters were recorded");
    objects_before_reset(q->replay, q->self);
    if (!strcmp(q->call->function->name, "IDirect3DDevice9Ex::ResetEx"))
        hr = IDirect3DDevice9Ex_ResetEx((IDirect3DDevice9Ex *)device, &pp, NULL);
    else
        hr = IDirect3DDevice9_Reset(device, &pp);
    while (FAILED(hr) && samples_lower(q, &pp.MultiSampleType, &pp.MultiSampleQuality, hr))
        hr = IDirect3DDevice9_Reset(device, &pp);
    device_settle(q->self);
    objects_after_reset(q->replay, q->self);
    return hr;
}

HRESULT replay_get_direct3d(struct replay_call *q)
{
    IDirect3D9 *d3d = NULL;
    HRESULT hr = IDirect3DDevice9_GetDirect3D((IDirect3DDevice9 *)q->self->iface, &d3d);

    if (SUCCEEDED(hr)) {
        struct object *o = replay_call_out(q, 1, OBJ_D3D, d3d, NULL);

        if (o && q->self->ex)
            o->ex = true;
    }
    return hr;
}

HRESULT replay_create_additional_swap_chain(struct replay_call *q)
{
    IDirect3DSwapChain9 *chain = NULL;
    D3DPRESENT_PARAMETERS pp;
    struct object *o;
    HRESULT hr;

    if (!read_parameters(q, 1, 0, &pp))
        return replay_call_skip(q, "no present parameters were recorded");
    hr =
        IDirect3DDevice9_CreateAdditionalSwapChain((IDirect3DDevice9 *)q->self->iface, &pp, &chain);
    if (FAILED(hr))
        return hr;
    o = replay_call_out(q, 2, OBJ_SWAP_CHAIN, chain, NULL);
    if (o)
        o->ex = q->self->ex;
    return hr;
}
