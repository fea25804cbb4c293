/* Reads the picture of a moment: copies the render target through Direct3D 9.
 *
 * Tested by tests/unit/tool/capture/test_replay.c. */
#include "trace/replay/call.h"
#include "trace/replay/replay.h"

#include <string.h>

/* Returns back buffer 0 of the swap chain being presented, else that of the device or render target
 * 0; NULL on failure. */
static IDirect3DSurface9 *surface_of(const struct replay *r, bool back_buffer)
{
    IDirect3DSurface9 *surface = NULL;
    HRESULT hr;

    if (r->moment_chain)
        hr = IDirect3DSwapChain9_GetBackBuffer((IDirect3DSwapChain9 *)r->moment_chain->iface, 0,
                                               D3DBACKBUFFER_TYPE_MONO, &surface);
    else if (back_buffer)
        hr = IDirect3DDevice9_GetBackBuffer((IDirect3DDevice9 *)r->moment_device->iface, 0, 0,
                                            D3DBACKBUFFER_TYPE_MONO, &surface);
    else
        hr = IDirect3DDevice9_GetRenderTarget((IDirect3DDevice9 *)r->moment_device->iface, 0,
                                              &surface);
    return SUCCEEDED(hr) ? surface : NULL;
}

/* The surface of the current moment and its description; NULL if it has no picture. */
static IDirect3DSurface9 *described_surface(const struct replay *r, bool back_buffer,
                                            D3DSURFACE_DESC *desc)
{
    const struct object *owner = r->moment_device;
    IDirect3DSurface9 *surface;

    if (!owner || owner->kind != OBJ_DEVICE || !owner->iface)
        return NULL;
    surface = surface_of(r, back_buffer);
    if (!surface)
        return NULL;
    if (SUCCEEDED(IDirect3DSurface9_GetDesc(surface, desc)) &&
        desc->Format != (D3DFORMAT)MAKEFOURCC('N', 'U', 'L', 'L'))
        return surface;
    IDirect3DSurface9_Release(surface);
    return NULL;
}

IDirect3DSurface9 *replay_moment_surface(const struct replay *r, D3DSURFACE_DESC *desc)
{
    return described_surface(r, false, desc);
}

static enum status status_of(HRESULT hr, enum status otherwise)
{
    return SUCCEEDED(hr) ? ST_OK : replay_is_out_of_memory(hr) ? ST_NOMEM : otherwise;
}

/* Resolves a multisampled surface; the caller owns the returned reference. */
static enum status resolve(IDirect3DDevice9 *device, IDirect3DSurface9 *surface,
                           const D3DSURFACE_DESC *desc, IDirect3DSurface9 **out)
{
    IDirect3DSurface9 *plain = NULL;
    HRESULT hr;

    *out = NULL;
    if (desc->MultiSampleType == D3DMULTISAMPLE_NONE) {
        IDirect3DSurface9_AddRef(surface);
        *out = surface;
        return ST_OK;
    }
    hr = IDirect3DDevice9_CreateRenderTarget(device, desc->Width, desc->Height, desc->Format,
                                             D3DMULTISAMPLE_NONE, 0, FALSE, &plain, NULL);
    if (SUCCEEDED(hr))
        hr = IDirect3DDevice9_StretchRect(device, surface, NULL, plain, NULL, D3DTEXF_NONE);
    if (FAILED(hr) && plain)
        IDirect3DSurface9_Release(plain);
    else
        *out = plain;
    return status_of(hr, ST_UNSUPPORTED);
}

static enum status read_surface(IDirect3DDevice9 *device, IDirect3DSurface9 *surface,
                                const D3DSURFACE_DESC *desc, struct replay_picture *out)
{
    IDirect3DSurface9 *copy = NULL;
    D3DLOCKED_RECT locked;
    enum status st;
    HRESULT hr;

    hr = IDirect3DDevice9_CreateOffscreenPlainSurface(device, desc->Width, desc->Height,
                                                      desc->Format, D3DPOOL_SYSTEMMEM, &copy, NULL);
    if (FAILED(hr))
        return status_of(hr, ST_UNSUPPORTED);
    hr = IDirect3DDevice9_GetRenderTargetData(device, surface, copy);
    if (SUCCEEDED(hr))
        hr = IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY);
    st = status_of(hr, ST_NOTFOUND);
    if (st == ST_OK) {
        st = replay_convert_picture(tex_format_get(desc->Format), desc->Width, desc->Height,
                                    locked.pBits, (size_t)locked.Pitch, out);
        IDirect3DSurface9_UnlockRect(copy);
    }
    IDirect3DSurface9_Release(copy);
    return st;
}

enum status replay_read_surface(IDirect3DDevice9 *device, IDirect3DSurface9 *surface,
                                struct replay_picture *out)
{
    IDirect3DSurface9 *plain;
    D3DSURFACE_DESC desc;
    enum status st = ST_NOTFOUND;

    memset(out, 0, sizeof(*out));
    if (SUCCEEDED(IDirect3DSurface9_GetDesc(surface, &desc)))
        st = resolve(device, surface, &desc, &plain);
    if (st == ST_OK) {
        st = read_surface(device, plain, &desc, out);
        IDirect3DSurface9_Release(plain);
    }
    IDirect3DSurface9_Release(surface);
    return st;
}

static enum status take(struct replay *r, bool back_buffer, struct replay_picture *out)
{
    D3DSURFACE_DESC desc;
    IDirect3DSurface9 *surface = described_surface(r, back_buffer, &desc);
    enum status st = ST_NOTFOUND;

    memset(out, 0, sizeof(*out));
    if (surface)
        st = replay_read_surface(r->moment_device->iface, surface, out);
    if (st == ST_NOMEM)
        replay_out_of_memory(r);
    return st;
}

enum status replay_take_picture(struct replay *r, struct replay_picture *out)
{
    return take(r, false, out);
}

/* The device of the last call if it lives, else the newest. */
static struct object *current_device(const struct replay *r)
{
    struct object *o = r->last_device;

    if (o && o->kind == OBJ_DEVICE && o->iface)
        return o;
    for (o = r->objects.all; o; o = o->next)
        if (o->kind == OBJ_DEVICE && o->iface)
            return o;
    return NULL;
}

enum status replay_take_target(struct replay *r, bool back_buffer, struct replay_picture *out)
{
    enum status st;

    r->moment_device = current_device(r);
    st = take(r, back_buffer, out);
    r->moment_device = NULL;
    return st;
}
