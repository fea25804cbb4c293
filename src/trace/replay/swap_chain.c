/* Replay handlers of swap chains, and of the surfaces that come with a device.
 *
 * Tested by tests/unit/trace/replay/test_replay.c. */
#include "trace/replay/args.h"
#include "trace/replay/handlers.h"

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

/* --- Surfaces of the device ------------------------------------------------------------------- */

/* Finds out which implicit surface a returned surface is, if any; those are looked up again after a
 * Reset. */
static void classify(struct object *o, struct object *device)
{
    IDirect3DSurface9 *buffer = NULL;

    if (!o || o->origin != ORIGIN_OTHER || o->parent != device)
        return;
    if (o->iface == device->auto_depth) {
        o->origin = ORIGIN_DEPTH;
        return;
    }
    for (uint32_t i = 0; i < 4; i++) {
        if (FAILED(IDirect3DDevice9_GetBackBuffer((IDirect3DDevice9 *)device->iface, 0, i,
                                                  D3DBACKBUFFER_TYPE_MONO, &buffer)))
            return;
        IDirect3DSurface9_Release(buffer);
        if (buffer == o->iface) {
            o->origin = ORIGIN_BACK_BUFFER;
            o->chain = 0;
            o->index = i;
            return;
        }
    }
}

HRESULT replay_get_render_target(struct replay_call *q)
{
    IDirect3DSurface9 *surface = NULL;
    HRESULT hr = IDirect3DDevice9_GetRenderTarget((IDirect3DDevice9 *)q->self->iface, arg_u32(q, 1),
                                                  &surface);

    if (SUCCEEDED(hr))
        classify(replay_call_out(q, 2, OBJ_SURFACE, surface, q->self), q->self);
    return hr;
}

HRESULT replay_get_depth_stencil_surface(struct replay_call *q)
{
    IDirect3DSurface9 *surface = NULL;
    HRESULT hr =
        IDirect3DDevice9_GetDepthStencilSurface((IDirect3DDevice9 *)q->self->iface, &surface);

    if (SUCCEEDED(hr))
        classify(replay_call_out(q, 1, OBJ_SURFACE, surface, q->self), q->self);
    return hr;
}
