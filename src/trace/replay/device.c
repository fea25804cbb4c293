/* Replay handlers for Direct3D objects, devices and swap chains: creation, Reset, Present,
 * IUnknown. */
#include "trace/replay/replay_private.h"

#include "util/log.h"

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
        .hDeviceWindow = replay_window_for(q->replay, window ? window : focus, w[0], w[1]),
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

bool replay_lower_samples(struct replay_call *q, D3DMULTISAMPLE_TYPE *type, DWORD *quality,
                          HRESULT hr)
{
    unsigned from = (unsigned)*type;

    if (from == D3DMULTISAMPLE_NONE)
        return false;
    replay_warn(q->replay, q->call,
                "multisampling %u of quality %u was refused (0x%08x), trying a lower type", from,
                (unsigned)*quality, (unsigned)hr);
    if (*quality)
        *quality = from != D3DMULTISAMPLE_NONMASKABLE ? 0 : *quality > 2 ? 2 : *quality - 1;
    else if (from > 8)
        *type = D3DMULTISAMPLE_8_SAMPLES;
    else if (from > 4)
        *type = D3DMULTISAMPLE_4_SAMPLES;
    else
        *type = from > 2 ? D3DMULTISAMPLE_2_SAMPLES : D3DMULTISAMPLE_NONE;
    return true;
}

static HRESULT try_device(struct replay_call *q, bool ex, D3DPRESENT_PARAMETERS pp, DWORD behaviour,
                          HWND focus, void **device)
{
    D3DDEVTYPE type = D3DDEVTYPE_HAL; /* the reference device needs the SDK */

    if (ex)
        return IDirect3D9Ex_CreateDeviceEx((IDirect3D9Ex *)q->self->iface, 0, type, focus,
                                           behaviour, &pp, NULL, (IDirect3DDevice9Ex **)device);
    return IDirect3D9_CreateDevice((IDirect3D9 *)q->self->iface, 0, type, focus, behaviour, &pp,
                                   (IDirect3DDevice9 **)device);
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
    window = focus ? replay_window_for(q->replay, focus, pp.BackBufferWidth, pp.BackBufferHeight)
                   : pp.hDeviceWindow;
    do
        hr = try_device(q, ex, pp, behaviour, window, &device);
    while (FAILED(hr) && replay_lower_samples(q, &pp.MultiSampleType, &pp.MultiSampleQuality, hr));
    if (FAILED(hr)) {
        q->replay->lost = true;
        return hr;
    }
    o = replay_call_out(q, out, OBJ_DEVICE, device, NULL);
    if (o) {
        o->ex = ex;
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
    while (FAILED(hr) && replay_lower_samples(q, &pp.MultiSampleType, &pp.MultiSampleQuality, hr))
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

HRESULT replay_test_cooperative_level(struct replay_call *q)
{
    return IDirect3DDevice9_TestCooperativeLevel((IDirect3DDevice9 *)q->self->iface);
}

HRESULT replay_evict_managed_resources(struct replay_call *q)
{
    return IDirect3DDevice9_EvictManagedResources((IDirect3DDevice9 *)q->self->iface);
}

/* --- IUnknown, GetDevice, GetContainer -------------------------------------------------------- */

static const struct {
    const IID *iid;
    enum object_kind kind;
    bool ex;
} interfaces[] = {
    {&IID_IDirect3D9, OBJ_D3D, false},
    {&IID_IDirect3D9Ex, OBJ_D3D, true},
    {&IID_IDirect3DDevice9, OBJ_DEVICE, false},
    {&IID_IDirect3DDevice9Ex, OBJ_DEVICE, true},
    {&IID_IDirect3DSwapChain9, OBJ_SWAP_CHAIN, false},
    {&IID_IDirect3DSwapChain9Ex, OBJ_SWAP_CHAIN, true},
    {&IID_IDirect3DSurface9, OBJ_SURFACE, false},
    {&IID_IDirect3DTexture9, OBJ_TEXTURE, false},
    {&IID_IDirect3DCubeTexture9, OBJ_CUBE, false},
    {&IID_IDirect3DVolumeTexture9, OBJ_VOLUME_TEXTURE, false},
    {&IID_IDirect3DVolume9, OBJ_VOLUME, false},
    {&IID_IDirect3DVertexBuffer9, OBJ_VERTEX_BUFFER, false},
    {&IID_IDirect3DIndexBuffer9, OBJ_INDEX_BUFFER, false},
    {&IID_IDirect3DVertexShader9, OBJ_VERTEX_SHADER, false},
    {&IID_IDirect3DPixelShader9, OBJ_PIXEL_SHADER, false},
    {&IID_IDirect3DVertexDeclaration9, OBJ_DECLARATION, false},
    {&IID_IDirect3DStateBlock9, OBJ_STATE_BLOCK, false},
    {&IID_IDirect3DQuery9, OBJ_QUERY, false},
};

/* GUID {Data1, Data2, Data3, Data4[8]}. */
static bool read_guid(const struct trace_value *value, GUID *out)
{
    uint32_t w[11];

    if (value->kind == TRACE_ARRAY && value->count == 1)
        value = &value->u.items[0];
    if (value->kind != TRACE_STRUCT || value_words(value, w, 11) != 11)
        return false;
    out->Data1 = w[0];
    out->Data2 = (WORD)w[1];
    out->Data3 = (WORD)w[2];
    for (unsigned i = 0; i < 8; i++)
        out->Data4[i] = (BYTE)w[3 + i];
    return true;
}

/* Returns the table index of an IID; -1 if it is unknown. */
static int interface_index(const GUID *iid)
{
    for (size_t i = 0; i < sizeof(interfaces) / sizeof(interfaces[0]); i++)
        if (IsEqualGUID(interfaces[i].iid, iid))
            return (int)i;
    return -1;
}

HRESULT replay_query_interface(struct replay_call *q)
{
    IUnknown *self = q->self->iface;
    struct object *o;
    void *iface = NULL;
    HRESULT hr;
    GUID iid;
    int index;

    if (!read_guid(arg(q, 1), &iid))
        return replay_call_skip(q, "no interface id was recorded");
    index = interface_index(&iid);
    /* Base interfaces (IUnknown, IDirect3DResource9, …) share the vtable of the derived interface,
     * so the object keeps its kind. An interface of another kind is always refused. */
    if (index >= 0 && interfaces[index].kind != q->self->kind)
        return replay_call_skip(q, "the object is of another kind");
    hr = self->lpVtbl->QueryInterface(self, &iid, &iface);
    if (FAILED(hr))
        return hr;
    o = replay_call_out(q, 2, q->self->kind, iface, q->self->parent);
    if (o && index >= 0 && interfaces[index].ex)
        o->ex = true;
    return hr;
}

HRESULT replay_add_ref(struct replay_call *q)
{
    object_add_ref(q->self);
    return S_OK;
}

HRESULT replay_release(struct replay_call *q)
{
    object_release(q->replay, q->self);
    return S_OK;
}

/* Calls GetDevice, whose vtable position differs between interfaces. */
static HRESULT ask_device(struct object *o, IDirect3DDevice9 **device)
{
    switch (o->kind) {
    case OBJ_SWAP_CHAIN:
        return IDirect3DSwapChain9_GetDevice((IDirect3DSwapChain9 *)o->iface, device);
    case OBJ_STATE_BLOCK:
    case OBJ_QUERY:
    case OBJ_VERTEX_SHADER:
    case OBJ_PIXEL_SHADER:
    case OBJ_DECLARATION: /* GetDevice follows IUnknown in these */
        return IDirect3DQuery9_GetDevice((IDirect3DQuery9 *)o->iface, device);
    case OBJ_D3D:
    case OBJ_DEVICE:
        return E_NOTIMPL;
    default: /* resources, and volumes, which share the layout */
        return IDirect3DResource9_GetDevice((IDirect3DResource9 *)o->iface, device);
    }
}

HRESULT replay_get_device(struct replay_call *q)
{
    IDirect3DDevice9 *device = NULL;
    HRESULT hr = ask_device(q->self, &device);

    if (SUCCEEDED(hr))
        replay_call_out(q, 1, OBJ_DEVICE, device, NULL);
    return hr;
}

HRESULT replay_get_container(struct replay_call *q)
{
    void *iface = NULL;
    HRESULT hr;
    GUID iid;
    int index;

    if (!read_guid(arg(q, 1), &iid))
        return replay_call_skip(q, "no interface id was recorded");
    index = interface_index(&iid);
    if (index < 0)
        return replay_call_skip(q, "containers are supported for their own interface only");
    hr = q->self->kind == OBJ_VOLUME
             ? IDirect3DVolume9_GetContainer((IDirect3DVolume9 *)q->self->iface, &iid, &iface)
             : IDirect3DSurface9_GetContainer((IDirect3DSurface9 *)q->self->iface, &iid, &iface);
    if (SUCCEEDED(hr))
        replay_call_out(q, 2, interfaces[index].kind, iface, NULL);
    return hr;
}

/* --- Swap chains ------------------------------------------------------------------------------ */

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

HRESULT replay_get_swap_chain(struct replay_call *q)
{
    IDirect3DSwapChain9 *chain = NULL;
    HRESULT hr =
        IDirect3DDevice9_GetSwapChain((IDirect3DDevice9 *)q->self->iface, arg_u32(q, 1), &chain);
    struct object *o;

    if (FAILED(hr))
        return hr;
    o = replay_call_out(q, 2, OBJ_SWAP_CHAIN, chain, arg_u32(q, 1) ? NULL : q->self);
    if (o && !arg_u32(q, 1)) {
        o->origin = ORIGIN_SWAP_CHAIN;
        o->chain = 0;
    }
    if (o)
        o->ex = q->self->ex;
    return hr;
}

HRESULT replay_get_back_buffer(struct replay_call *q)
{
    IDirect3DSurface9 *surface = NULL;
    HRESULT hr = IDirect3DDevice9_GetBackBuffer((IDirect3DDevice9 *)q->self->iface, arg_u32(q, 1),
                                                arg_u32(q, 2), arg_u32(q, 3), &surface);
    struct object *o;

    if (FAILED(hr))
        return hr;
    o = replay_call_out(q, 4, OBJ_SURFACE, surface, q->self);
    if (o && !arg_u32(q, 1)) {
        o->origin = ORIGIN_BACK_BUFFER;
        o->chain = arg_u32(q, 1);
        o->index = arg_u32(q, 2);
    }
    return hr;
}

HRESULT replay_chain_get_back_buffer(struct replay_call *q)
{
    struct object *self = q->self, *o;
    IDirect3DSurface9 *surface = NULL;
    HRESULT hr = IDirect3DSwapChain9_GetBackBuffer((IDirect3DSwapChain9 *)self->iface,
                                                   arg_u32(q, 1), arg_u32(q, 2), &surface);

    if (FAILED(hr))
        return hr;
    /* Back buffers of the implicit swap chain belong to the device, whichever call returns them. */
    o = replay_call_out(q, 3, OBJ_SURFACE, surface,
                        self->origin == ORIGIN_SWAP_CHAIN ? self->parent : self);
    if (o && self->origin == ORIGIN_SWAP_CHAIN) {
        o->origin = ORIGIN_BACK_BUFFER;
        o->chain = self->chain;
        o->index = arg_u32(q, 1);
    }
    return hr;
}

/* D3DPRESENT_DONOTWAIT would make the result depend on timing. Windows belong to the replayer, and
 * captures do not record whole regions. */
HRESULT replay_present(struct replay_call *q)
{
    bool ok = true;
    RECT source, dest;
    const RECT *from = arg_words(q, 1, &source, 4, &ok), *to = arg_words(q, 2, &dest, 4, &ok);

    if (!ok)
        return replay_call_skip(q, "malformed rectangles");
    if (q->self->kind == OBJ_SWAP_CHAIN)
        return IDirect3DSwapChain9_Present((IDirect3DSwapChain9 *)q->self->iface, from, to, NULL,
                                           NULL, arg_u32(q, 5) & ~(DWORD)D3DPRESENT_DONOTWAIT);
    if (q->self->ex)
        return IDirect3DDevice9Ex_PresentEx((IDirect3DDevice9Ex *)q->self->iface, from, to, NULL,
                                            NULL, arg_u32(q, 5) & ~(DWORD)D3DPRESENT_DONOTWAIT);
    return IDirect3DDevice9_Present((IDirect3DDevice9 *)q->self->iface, from, to, NULL, NULL);
}

/* --- Other calls ------------------------------------------------------------------------------ */

HRESULT replay_set_cursor_properties(struct replay_call *q)
{
    IDirect3DSurface9 *surface;

    if (!arg_object(q, 3, KIND(SURFACE), &surface))
        return REPLAY_SKIPPED;
    return IDirect3DDevice9_SetCursorProperties((IDirect3DDevice9 *)q->self->iface, arg_u32(q, 1),
                                                arg_u32(q, 2), surface);
}

HRESULT replay_set_cursor_position(struct replay_call *q)
{
    IDirect3DDevice9_SetCursorPosition((IDirect3DDevice9 *)q->self->iface, (int)arg_u32(q, 1),
                                       (int)arg_u32(q, 2), arg_u32(q, 3));
    return S_OK;
}

HRESULT replay_show_cursor(struct replay_call *q)
{
    (void)IDirect3DDevice9_ShowCursor((IDirect3DDevice9 *)q->self->iface, (BOOL)arg_u32(q, 1));
    return S_OK;
}

HRESULT replay_set_dialog_box_mode(struct replay_call *q)
{
    return IDirect3DDevice9_SetDialogBoxMode((IDirect3DDevice9 *)q->self->iface,
                                             (BOOL)arg_u32(q, 1));
}

HRESULT replay_set_gamma_ramp(struct replay_call *q)
{
    uint32_t *words = arg_array(q, 3, 3 * 256);
    D3DGAMMARAMP ramp;

    if (!words)
        return replay_call_skip(q, "malformed ramp");
    for (unsigned i = 0; i < 256; i++) {
        ramp.red[i] = (WORD)words[i];
        ramp.green[i] = (WORD)words[256 + i];
        ramp.blue[i] = (WORD)words[512 + i];
    }
    IDirect3DDevice9_SetGammaRamp((IDirect3DDevice9 *)q->self->iface, arg_u32(q, 1), arg_u32(q, 2),
                                  &ramp);
    return S_OK;
}

HRESULT replay_set_gpu_thread_priority(struct replay_call *q)
{
    return IDirect3DDevice9Ex_SetGPUThreadPriority((IDirect3DDevice9Ex *)q->self->iface,
                                                   (INT)arg_u32(q, 1));
}

HRESULT replay_wait_for_vblank(struct replay_call *q)
{
    return IDirect3DDevice9Ex_WaitForVBlank((IDirect3DDevice9Ex *)q->self->iface, arg_u32(q, 1));
}

HRESULT replay_set_maximum_frame_latency(struct replay_call *q)
{
    return IDirect3DDevice9Ex_SetMaximumFrameLatency((IDirect3DDevice9Ex *)q->self->iface,
                                                     arg_u32(q, 1));
}

HRESULT replay_set_convolution_mono_kernel(struct replay_call *q)
{
    uint32_t width = arg_u32(q, 1), height = arg_u32(q, 2);
    const struct trace_value *rows = arg(q, 3), *columns = arg(q, 4);
    float row[16] = {0}, column[16] = {0};

    if (width > 16 || height > 16 || value_words(rows, (uint32_t *)(void *)row, 16) < width ||
        value_words(columns, (uint32_t *)(void *)column, 16) < height)
        return replay_call_skip(q, "malformed kernel");
    return IDirect3DDevice9Ex_SetConvolutionMonoKernel((IDirect3DDevice9Ex *)q->self->iface, width,
                                                       height, row, column);
}
