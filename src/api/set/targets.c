/* Render targets and the depth buffer: Set and Get, and what follows from them.
 * Tested by tests/unit/api/device/test_reset.c and tests/unit/api/set/test_stateblock.c. */
#include "api/com/device_methods.h"
#include "api/com/refused.h"
#include "api/memory/memory.h"
#include "api/set/set.h"
#include "api/state/state.h"
#include "cmd/packets.h"

static uint32_t fewest_samples(const struct device *d)
{
    uint32_t fewest = d->depth ? d->depth->stored_samples : UINT32_MAX;

    for (unsigned i = 0; i < TARGETS; i++)
        if (d->target[i] && d->target[i]->stored_samples < fewest)
            fewest = d->target[i]->stored_samples;
    return fewest;
}

/* SAMPLES has added samples to targets. Those that are used with a target or a depth texture
 * without them lose them for good (docs/picture-settings.md). */
static void match_samples(struct device *d)
{
    uint32_t fewest = fewest_samples(d);

    for (unsigned i = 0; i < TARGETS; i++) {
        struct surface *target = d->target[i];

        if (target && target->stored_samples > fewest &&
            target->stored_samples > target->sample_count &&
            api_drop_added_samples(target) == ST_OK)
            (void)!api_emit_target(d, i);
    }
}

void api_targets_written(struct device *d)
{
    if (d->targets_to_check && d->render_as.samples > 1)
        match_samples(d);
    for (unsigned i = 0; d->targets_to_check && i < TARGETS; i++)
        if (d->target[i])
            api_mark_written(d->target[i]);
}

HRESULT api_set_target(struct device *d, unsigned index, struct surface *surface)
{
    struct surface **slot = index == CMD_DEPTH_TARGET ? &d->depth : &d->target[index];
    bool elements = !index && (has_elements(*slot) || has_elements(surface));
    HRESULT hr;

    api_object_assign((struct object **)slot, (struct object *)surface);
    d->targets_to_check = d->render_as.samples > 1;
    for (unsigned i = 0; i < TARGETS; i++)
        if (d->target[i] && d->target[i]->texture && d->target[i]->texture->generates)
            d->targets_to_check = true;
    hr = api_emit_target(d, index);
    return SUCCEEDED(hr) && elements ? api_emit_elements(d) : hr;
}

HRESULT api_reset_viewport(struct device *d, bool keep_depth_range)
{
    D3DVIEWPORT9 *viewport = &d->state->viewport;
    HRESULT hr;

    viewport->X = viewport->Y = 0;
    viewport->Width = d->target[0]->width;
    viewport->Height = d->target[0]->height;
    if (!keep_depth_range) {
        viewport->MinZ = 0.0f;
        viewport->MaxZ = 1.0f;
    }
    d->state->scissor = (RECT){0, 0, (LONG)viewport->Width, (LONG)viewport->Height};
    hr = api_emit_slot(d, SLOT_VIEWPORT);
    return SUCCEEDED(hr) ? api_emit_slot(d, SLOT_SCISSOR) : hr;
}

/* --- Methods ---------------------------------------------------------------------------------- */

HRESULT WINAPI device_SetRenderTarget(IDirect3DDevice9Ex *iface, DWORD index,
                                      IDirect3DSurface9 *target)
{
    ENTER(d, iface);
    struct surface *surface = surface_of(target);
    HRESULT hr;

    if (index >= TARGETS || (!surface && !index))
        return D3DERR_INVALIDCALL;
    if (surface && (surface->base.device != d || !(surface->usage & D3DUSAGE_RENDERTARGET)))
        return api_refused(D3DERR_INVALIDCALL, "SetRenderTarget", surface->format->d3d,
                           "no render target of this device");
    if (index && has_elements(surface)) /* (reference: target/elements) */
        return D3DERR_INVALIDCALL;
    hr = api_set_target(d, index, surface);
    /* SetRenderTarget(0) resets viewport and scissor, even where the target was bound already and
     * while a state block is recorded (reference: viewport/reset-by-target). */
    return SUCCEEDED(hr) && !index ? api_reset_viewport(d, false) : hr;
}

static HRESULT get_target(struct surface *surface, IDirect3DSurface9 **out)
{
    *out = (IDirect3DSurface9 *)surface;
    if (!surface)
        return D3DERR_NOTFOUND;
    api_object_addref(&surface->base);
    return D3D_OK;
}

HRESULT WINAPI device_GetRenderTarget(IDirect3DDevice9Ex *iface, DWORD index,
                                      IDirect3DSurface9 **out)
{
    ENTER(d, iface);

    if (index >= TARGETS || !out)
        return D3DERR_INVALIDCALL;
    return get_target(d->target[index], out);
}

HRESULT WINAPI device_SetDepthStencilSurface(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *depth)
{
    ENTER(d, iface);
    struct surface *surface = surface_of(depth);

    if (surface && (surface->base.device != d || !(surface->usage & D3DUSAGE_DEPTHSTENCIL)))
        return api_refused(D3DERR_INVALIDCALL, "SetDepthStencilSurface", surface->format->d3d,
                           "no depth buffer of this device");
    return api_set_target(d, CMD_DEPTH_TARGET, surface);
}

HRESULT WINAPI device_GetDepthStencilSurface(IDirect3DDevice9Ex *iface, IDirect3DSurface9 **out)
{
    ENTER(d, iface);

    return out ? get_target(d->depth, out) : D3DERR_INVALIDCALL;
}
