/* IDirect3DSwapChain9(Ex): back buffers, Present and GetFrontBufferData. */
#include "api/adapter/adapter.h"
#include "api/com/device.h"
#include "api/config/config.h"
#include "api/memory/memory.h"
#include "api/object/object.h"
#include "api/set/set.h"
#include "api/swapchain/swapchain.h"
#include "api/window/window.h"
#include "cmd/cmd.h"
#include "util/alloc.h"

#include <string.h>

OBJECT_METHODS(IDirect3DSwapChain9Ex, chain)

/* --- Presenting ------------------------------------------------------------------------------- */

static void store_rect(int32_t out[4], const RECT *rect)
{
    if (rect) {
        out[0] = rect->left;
        out[1] = rect->top;
        out[2] = rect->right;
        out[3] = rect->bottom;
    }
}

/* Resolves back buffer 0 into an image of the chain. */
static enum status copy_buffer(struct swapchain *chain, cmd_handle to)
{
    struct device *d = chain->base.device;
    const struct surface *back = chain->buffer[0];
    struct cmd_box all = {0, 0, 0, back->width, back->height, 1};
    struct cmd_stretch packet = {.dst.image = to,
                                 .src = surface_ref(back),
                                 .dst_box = all,
                                 .src_box = all,
                                 .filter = D3DTEXF_POINT};

    return cmd_emit_stretch(d->stream, &packet, NULL, 0);
}

/* Returns the image to present: the back buffer, or the resolved image of a multisampled one. */
static enum status resolve(struct swapchain *chain, cmd_handle *out)
{
    enum status st = ST_OK;

    *out = chain->buffer[0]->image;
    if (chain->buffer[0]->sample_count == 1)
        return ST_OK;
    if (!chain->resolved)
        st = api_scratch_image(chain->buffer[0], &chain->resolved);
    *out = chain->resolved;
    return st == ST_OK ? copy_buffer(chain, chain->resolved) : st;
}

/* Buffer i takes the contents of buffer i+1; surfaces keep their addresses
 * (reference: target/present). */
static HRESULT rotate(struct swapchain *chain)
{
    struct device *d = chain->base.device;
    cmd_handle first = chain->buffer[0]->image;
    HRESULT hr = D3D_OK;

    for (unsigned i = 0; i + 1 < chain->n_buffers; i++)
        chain->buffer[i]->image = chain->buffer[i + 1]->image;
    chain->buffer[chain->n_buffers - 1]->image = first;
    for (unsigned i = 0; i < TARGETS && SUCCEEDED(hr); i++)
        if (d->target[i] && d->target[i]->chain == chain)
            hr = api_emit_target(d, i);
    return hr;
}

/* Result of Present while another program has the screen, else D3D_OK (reference: device/lost). */
static HRESULT device_lost_result(const struct device *d)
{
    enum screen_state state = api_fullscreen_state(d->screen);

    if (d->lost || (!d->ex && state != SCREEN_OURS))
        return D3DERR_DEVICELOST;
    return state == SCREEN_LOST ? S_PRESENT_OCCLUDED : D3D_OK;
}

static HRESULT mode_changed_result(const struct device *d)
{
    return api_fullscreen_state(d->screen) == SCREEN_CHANGED ? S_PRESENT_MODE_CHANGED : D3D_OK;
}

/* Present clears a depth buffer with the Discard flag (reference: depth/discard). */
static enum status discard_depth(const struct device *d)
{
    const struct surface *depth = d->depth;
    struct cmd_fill packet;

    if (!depth || !depth->discardable || depth->lockable || !api_config_on(CONFIG_DISCARD_DEPTH))
        return ST_OK;
    packet = (struct cmd_fill){.dst = surface_ref(depth),
                               .box = {0, 0, 0, depth->width, depth->height, 1}};
    return cmd_emit_fill(d->stream, &packet, NULL, 0);
}

HRESULT api_swapchain_present(struct swapchain *chain, const RECT *src, const RECT *dst,
                              HWND window, DWORD flags)
{
    struct device *d = chain->base.device;
    const D3DPRESENT_PARAMETERS *p = &chain->parameters;
    struct cmd_present packet = {
        .chain = chain->number,
        .window = (uintptr_t)(window ? window : p->hDeviceWindow),
        .interval = p->PresentationInterval,
        .flags = flags,
    };
    HRESULT hr = chain->n_buffers ? device_lost_result(d) : D3DERR_DEVICELOST;
    enum status st;

    if (hr != D3D_OK)
        return hr;
    store_rect(packet.src, src);
    store_rect(packet.dst, dst);
    st = cmd_wait_for_frames(d->stream, d->frame_latency, flags & D3DPRESENT_DONOTWAIT);
    if (st == ST_OK)
        st = discard_depth(d);
    if (st == ST_OK)
        st = resolve(chain, &packet.image);
    if (st == ST_OK)
        st = api_present_submit(chain, &packet);
    if (st == ST_OK && chain->front)
        st = copy_buffer(chain, chain->front);
    if (st != ST_OK)
        return api_hresult(st);
    if (present_is_persistent(d->present))
        cmd_execute(d->stream);
    chain->presents++;
    if (chain->n_buffers > 1 && FAILED(hr = rotate(chain)))
        return hr;
    return mode_changed_result(d);
}

/* Creates the front image at the first GetFrontBufferData: chains that never call it need no copy.
 * Before any Present it contains the back buffer. */
static enum status ensure_front(struct swapchain *chain)
{
    enum status st;

    if (chain->front)
        return ST_OK;
    st = api_scratch_image(chain->buffer[0], &chain->front);
    return st == ST_OK ? copy_buffer(chain, chain->front) : st;
}

HRESULT api_swapchain_front(struct swapchain *chain, struct surface *dst)
{
    const struct surface *back = chain->buffer[0];
    uint32_t w, h;
    enum status st;

    if (api_is_foreign(chain->base.device, dst) || dst->pool != D3DPOOL_SYSTEMMEM || dst->locked)
        return D3DERR_INVALIDCALL;
    if (!chain->n_buffers)
        return D3DERR_DEVICELOST;
    if (dst->format != back->format && !tex_can_convert(dst->format, back->format))
        return D3DERR_INVALIDCALL;
    st = ensure_front(chain);
    if (st != ST_OK)
        return api_hresult(st);
    w = back->width < dst->width ? back->width : dst->width;
    h = back->height < dst->height ? back->height : dst->height;
    struct cmd_stretch packet = {
        .dst = surface_ref(dst),
        .src.image = chain->front,
        .dst_box = {0, 0, 0, w, h, 1},
        .src_box = {0, 0, 0, w, h, 1},
        .filter = D3DTEXF_POINT,
    };
    st = cmd_emit_stretch(chain->base.device->stream, &packet, NULL, 0);
    return st == ST_OK ? api_store_user(dst) : api_hresult(st);
}

/* --- IDirect3DSwapChain9(Ex) ------------------------------------------------------------------ */

static HRESULT WINAPI chain_Present(IDirect3DSwapChain9Ex *iface, const RECT *src, const RECT *dst,
                                    HWND window, const RGNDATA *dirty, DWORD flags)
{
    struct swapchain *chain = swapchain_of(iface);
    ENTER_OBJECT(d, chain);

    (void)dirty;
    return api_swapchain_present(chain, src, dst, window, flags);
}

static HRESULT WINAPI chain_GetFrontBufferData(IDirect3DSwapChain9Ex *iface,
                                               IDirect3DSurface9 *surface)
{
    struct swapchain *chain = swapchain_of(iface);
    ENTER_OBJECT(d, chain);

    return surface ? api_swapchain_front(chain, surface_of(surface)) : D3DERR_INVALIDCALL;
}

HRESULT api_swapchain_buffer(struct swapchain *chain, UINT index, IDirect3DSurface9 **out)
{
    ENTER_OBJECT(d, chain);

    if (!out || index >= chain->n_buffers) /* leaves *out as it was */
        return D3DERR_INVALIDCALL;
    api_object_addref(&chain->buffer[index]->base);
    *out = (IDirect3DSurface9 *)chain->buffer[index];
    return D3D_OK;
}

static HRESULT WINAPI chain_GetBackBuffer(IDirect3DSwapChain9Ex *iface, UINT index,
                                          D3DBACKBUFFER_TYPE type, IDirect3DSurface9 **out)
{
    (void)type;
    return api_swapchain_buffer(swapchain_of(iface), index, out);
}

static HRESULT WINAPI chain_GetRasterStatus(IDirect3DSwapChain9Ex *iface, D3DRASTER_STATUS *status)
{
    struct swapchain *chain = swapchain_of(iface);
    ENTER_OBJECT(d, chain);

    if (!status)
        return D3DERR_INVALIDCALL;
    api_raster_status(d, status);
    return D3D_OK;
}

HRESULT api_swapchain_mode(const struct swapchain *chain, D3DDISPLAYMODE *mode)
{
    if (!mode)
        return D3DERR_INVALIDCALL;
    api_adapter_mode(chain->base.device->creation.AdapterOrdinal, mode);
    if (!chain->parameters.Windowed) {
        mode->Width = chain->parameters.BackBufferWidth;
        mode->Height = chain->parameters.BackBufferHeight;
        if (chain->parameters.BackBufferFormat == D3DFMT_R5G6B5)
            mode->Format = D3DFMT_R5G6B5;
    }
    return D3D_OK;
}

static HRESULT WINAPI chain_GetDisplayMode(IDirect3DSwapChain9Ex *iface, D3DDISPLAYMODE *mode)
{
    return api_swapchain_mode(swapchain_of(iface), mode);
}

static HRESULT WINAPI chain_GetPresentParameters(IDirect3DSwapChain9Ex *iface,
                                                 D3DPRESENT_PARAMETERS *parameters)
{
    if (!parameters)
        return D3DERR_INVALIDCALL;
    *parameters = swapchain_of(iface)->parameters;
    return D3D_OK;
}

static HRESULT WINAPI chain_GetLastPresentCount(IDirect3DSwapChain9Ex *iface, UINT *count)
{
    if (!count)
        return D3DERR_INVALIDCALL;
    *count = swapchain_of(iface)->presents;
    return D3D_OK;
}

static HRESULT WINAPI chain_GetPresentStats(IDirect3DSwapChain9Ex *iface, D3DPRESENTSTATS *stats)
{
    if (!stats)
        return D3DERR_INVALIDCALL;
    memset(stats, 0, sizeof(*stats));
    stats->PresentCount = stats->PresentRefreshCount = swapchain_of(iface)->presents;
    return D3D_OK;
}

HRESULT api_swapchain_mode_ex(const struct swapchain *chain, D3DDISPLAYMODEEX *mode,
                              D3DDISPLAYROTATION *rotation)
{
    D3DDISPLAYMODE plain;

    if (!mode || mode->Size != sizeof(*mode))
        return D3DERR_INVALIDCALL;
    api_swapchain_mode(chain, &plain);
    *mode = (D3DDISPLAYMODEEX){sizeof(*mode),     plain.Width,  plain.Height,
                               plain.RefreshRate, plain.Format, D3DSCANLINEORDERING_PROGRESSIVE};
    if (rotation)
        *rotation = D3DDISPLAYROTATION_IDENTITY;
    return D3D_OK;
}

static HRESULT WINAPI chain_GetDisplayModeEx(IDirect3DSwapChain9Ex *iface, D3DDISPLAYMODEEX *mode,
                                             D3DDISPLAYROTATION *rotation)
{
    return api_swapchain_mode_ex(swapchain_of(iface), mode, rotation);
}

/* clang-format off */
static const IDirect3DSwapChain9ExVtbl chain_vtbl = {
    OBJECT_VTBL(chain),
    .Present = chain_Present,
    .GetFrontBufferData = chain_GetFrontBufferData,
    .GetBackBuffer = chain_GetBackBuffer,
    .GetRasterStatus = chain_GetRasterStatus,
    .GetDisplayMode = chain_GetDisplayMode,
    .GetPresentParameters = chain_GetPresentParameters,
    .GetLastPresentCount = chain_GetLastPresentCount,
    .GetPresentStats = chain_GetPresentStats,
    .GetDisplayModeEx = chain_GetDisplayModeEx,
};
/* clang-format on */

/* --- Creation and destruction ----------------------------------------------------------------- */

static void drop_buffer(struct swapchain *chain, unsigned i)
{
    struct surface *surface = chain->buffer[i];

    chain->buffer[i] = NULL;
    if (surface) {
        surface->chain = NULL;
        api_object_release_private(&surface->base);
    }
}

static void drop_images(struct swapchain *chain)
{
    cmd_destroy(chain->base.device->stream, chain->front);
    cmd_destroy(chain->base.device->stream, chain->resolved);
    chain->front = chain->resolved = 0;
}

static void chain_free(struct swapchain *chain)
{
    struct device *d = chain->base.device;

    for (unsigned i = 0; i < chain->n_buffers; i++)
        drop_buffer(chain, i);
    drop_images(chain);
    if (chain->number < MAX_CHAINS)
        d->present_queue->chain_used[chain->number] = false;
    mem_free(chain);
}

static void chain_destroy(struct object *obj)
{
    chain_free((struct swapchain *)obj);
}

static const IID *const chain_iids[] = {&IID_IUnknown, &IID_IDirect3DSwapChain9, NULL};
static const IID *const chain_ex_iids[] = {&IID_IUnknown, &IID_IDirect3DSwapChain9,
                                           &IID_IDirect3DSwapChain9Ex, NULL};
static const struct object_class chain_class = {&chain_vtbl, RECORD_SWAP_CHAIN, chain_iids,
                                                chain_destroy};
static const struct object_class chain_ex_class = {&chain_vtbl, RECORD_SWAP_CHAIN_EX, chain_ex_iids,
                                                   chain_destroy};

static struct surface_args buffer_args(const D3DPRESENT_PARAMETERS *p)
{
    return (struct surface_args){
        .kind = IMAGE_TARGET,
        .width = p->BackBufferWidth,
        .height = p->BackBufferHeight,
        .format = p->BackBufferFormat,
        .samples = p->MultiSampleType,
        .quality = p->MultiSampleQuality,
        .pool = D3DPOOL_DEFAULT,
        .lockable = p->Flags & D3DPRESENTFLAG_LOCKABLE_BACKBUFFER,
    };
}

/* Releases the back buffers from `count` on. */
static void release_buffers_from(struct swapchain *chain, unsigned count)
{
    for (unsigned i = count; i < chain->n_buffers; i++)
        drop_buffer(chain, i);
    chain->n_buffers = count;
}

/* Recreates buffers without references in place, at the same address. Releases and replaces buffers
 * that the application references. */
static HRESULT make_buffers(struct swapchain *chain, const D3DPRESENT_PARAMETERS *parameters)
{
    struct surface_args args = buffer_args(parameters);
    HRESULT hr;

    release_buffers_from(chain, parameters->BackBufferCount);
    chain->n_buffers = parameters->BackBufferCount;
    for (unsigned i = 0; i < chain->n_buffers; i++) {
        struct surface *old = chain->buffer[i];

        if (old && !atomic_load(&old->base.refs)) {
            hr = api_surface_recreate(old, &args);
        } else {
            drop_buffer(chain, i);
            hr = api_surface_create(&chain->buffer[i], chain->base.device, &args, true);
        }
        if (FAILED(hr)) {
            release_buffers_from(chain, i);
            return hr;
        }
        chain->buffer[i]->chain = chain;
    }
    return D3D_OK;
}

static void take_parameters(struct swapchain *chain, const D3DPRESENT_PARAMETERS *parameters)
{
    chain->parameters = *parameters;
    if (!chain->parameters.hDeviceWindow)
        chain->parameters.hDeviceWindow = chain->base.device->creation.hFocusWindow;
}

static HRESULT allocate_number(struct swapchain *chain)
{
    struct device *d = chain->base.device;

    while (chain->number < MAX_CHAINS && d->present_queue->chain_used[chain->number])
        chain->number++;
    if (chain->number == MAX_CHAINS)
        return E_OUTOFMEMORY;
    d->present_queue->chain_used[chain->number] = true;
    d->present_queue->frames[chain->number] = 0;
    return D3D_OK;
}

HRESULT api_swapchain_create(struct swapchain **out, struct device *device,
                             const D3DPRESENT_PARAMETERS *parameters, bool implicit)
{
    struct swapchain *chain = mem_calloc(1, sizeof(*chain));
    HRESULT hr;

    *out = NULL;
    if (!chain)
        return E_OUTOFMEMORY;
    chain->base.device = device;
    chain->implicit = implicit;
    hr = allocate_number(chain);
    if (SUCCEEDED(hr))
        hr = make_buffers(chain, parameters);
    if (FAILED(hr)) {
        chain_free(chain);
        return hr;
    }
    take_parameters(chain, parameters);
    api_object_init(&chain->base, device->ex ? &chain_ex_class : &chain_class, device,
                    implicit ? 0 : 1);
    *out = chain;
    return D3D_OK;
}

HRESULT api_swapchain_recreate(struct swapchain *chain, const D3DPRESENT_PARAMETERS *parameters)
{
    HRESULT hr = make_buffers(chain, parameters);

    if (FAILED(hr))
        return hr;
    take_parameters(chain, parameters);
    drop_images(chain);
    return D3D_OK;
}
