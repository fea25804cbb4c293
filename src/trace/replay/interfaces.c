/* Replay handlers of methods that several interfaces have: IUnknown, GetDevice, GetContainer.
 *
 * Tested by tests/unit/trace/replay/test_replay.c and tests/unit/trace/replay/test_methods.c. */
#include "trace/replay/args.h"
#include "trace/replay/handlers.h"

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
