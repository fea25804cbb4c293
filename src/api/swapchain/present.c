/* Present, and the front buffer that GetFrontBufferData reads. */
#include "api/config/config.h"
#include "api/memory/memory.h"
#include "api/object/object.h"
#include "api/set/set.h"
#include "api/swapchain/swapchain.h"
#include "api/window/window.h"
#include "cmd/cmd.h"
#include "util/log.h"

#include <math.h>

/* A rectangle of the back buffer in the pixels of its image. */
static void scale_rect(const struct surface *back, int32_t rect[4])
{
    const double by[2] = {(double)back->stored_width / back->width,
                          (double)back->stored_height / back->height};

    for (unsigned i = 0; back->altered && i < 4; i++)
        rect[i] = (int32_t)floor(rect[i] * by[i % 2] + 0.5);
}

static void store_rect(int32_t out[4], const RECT *rect)
{
    if (rect) {
        out[0] = rect->left;
        out[1] = rect->top;
        out[2] = rect->right;
        out[3] = rect->bottom;
    }
}

/* Resolves back buffer 0 into an image of the chain, which has the program's size or that of the
 * buffer's image. */
static enum status copy_buffer(struct swapchain *chain, bool as_stored, cmd_handle to)
{
    struct device *d = chain->base.device;
    const struct surface *back = chain->buffer[0];
    bool scales = !as_stored && back->altered;
    struct cmd_stretch packet = {.dst.image = to,
                                 .src = surface_ref(back),
                                 .dst_box =
                                     as_stored ? api_whole_stored_box(back) : api_whole_box(back),
                                 .src_box = api_whole_stored_box(back),
                                 .filter = scales ? D3DTEXF_LINEAR : D3DTEXF_POINT};

    return cmd_emit_stretch(d->stream, &packet, NULL, 0);
}

/* Returns the image to present: the back buffer, or the resolved image of a multisampled one.
 * Frames have the size at which they are rendered. */
static enum status resolve(struct swapchain *chain, cmd_handle *out)
{
    enum status st = ST_OK;

    *out = chain->buffer[0]->image;
    if (chain->buffer[0]->stored_samples == 1)
        return ST_OK;
    if (!chain->resolved)
        st = api_scratch_image(chain->buffer[0], true, &chain->resolved);
    *out = chain->resolved;
    return st == ST_OK ? copy_buffer(chain, true, chain->resolved) : st;
}

static void take_image(struct surface *to, const struct surface *from)
{
    to->image = from->image;
    to->stored_samples = from->stored_samples;
    to->altered = from->altered;
}

/* Buffer i takes the contents of buffer i+1; surfaces keep their addresses
 * (reference: target/present). */
static HRESULT rotate(struct swapchain *chain)
{
    struct device *d = chain->base.device;
    struct surface first = *chain->buffer[0];
    HRESULT hr = D3D_OK;

    for (unsigned i = 0; i + 1 < chain->n_buffers; i++)
        take_image(chain->buffer[i], chain->buffer[i + 1]);
    take_image(chain->buffer[chain->n_buffers - 1], &first);
    for (unsigned i = 0; i < TARGETS && SUCCEEDED(hr); i++)
        if (d->target[i] && d->target[i]->chain == chain)
            hr = api_emit_target(d, i);
    return hr;
}

static void log_loss(struct device *d)
{
    if (!d->loss_logged)
        log_context("api", "the device is lost: %s; only Reset makes it usable",
                    d->lost ? "a Reset failed" : "another program has had the screen");
    d->loss_logged = true;
}

/* Result of Present while another program has the screen, else D3D_OK (reference: device/lost). */
static HRESULT device_lost_result(struct device *d)
{
    enum screen_state state = api_fullscreen_state(d->screen);

    if (d->lost || (!d->ex && state != SCREEN_OURS)) {
        log_loss(d);
        return D3DERR_DEVICELOST;
    }
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
    scale_rect(chain->buffer[0], packet.src);
    store_rect(packet.dst, dst);
    st = cmd_wait_for_frames(d->stream, d->frame_latency, flags & D3DPRESENT_DONOTWAIT);
    if (st == ST_OK)
        st = discard_depth(d);
    if (st == ST_OK)
        st = resolve(chain, &packet.image);
    if (st == ST_OK)
        st = api_present_submit(chain, &packet);
    if (st == ST_OK && chain->front)
        st = copy_buffer(chain, false, chain->front);
    if (st != ST_OK)
        return api_hresult(st);
    if (present_is_persistent(d->present))
        cmd_execute(d->stream);
    chain->presents++;
    if (chain->n_buffers > 1 && FAILED(hr = rotate(chain)))
        return hr;
    if (d->presented)
        d->presented(chain);
    return mode_changed_result(d);
}

/* Creates the front image at the first GetFrontBufferData: chains that never call it need no copy.
 * Before any Present it contains the back buffer. */
static enum status ensure_front(struct swapchain *chain)
{
    enum status st;

    if (chain->front)
        return ST_OK;
    st = api_scratch_image(chain->buffer[0], false, &chain->front);
    return st == ST_OK ? copy_buffer(chain, false, chain->front) : st;
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
