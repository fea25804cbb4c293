/* Copies without scaling: UpdateSurface, UpdateTexture and GetRenderTargetData. */
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/com/refused.h"
#include "api/memory/memory.h"
#include "api/swapchain/swapchain.h"
#include "cmd/cmd.h"

/* Converts the format slice by slice, as StretchRect does. */
static enum status convert_box(struct device *d, const struct cmd_copy *copy)
{
    const struct cmd_box *from = &copy->box;
    uint32_t x1 = copy->x + from->x1 - from->x0, y1 = copy->y + from->y1 - from->y0;
    enum status st = ST_OK;

    for (uint32_t z = from->z0; z < from->z1 && st == ST_OK; z++) {
        uint32_t to_z = copy->z + z - from->z0;
        struct cmd_stretch packet = {
            .dst = copy->dst,
            .src = copy->src,
            .dst_box = {copy->x, copy->y, to_z, x1, y1, to_z + 1},
            .src_box = {from->x0, from->y0, z, from->x1, from->y1, z + 1},
            .filter = D3DTEXF_POINT,
        };

        st = cmd_emit_stretch(d->stream, &packet, NULL, 0);
    }
    return st;
}

/* Scales and resolves where images are not what the program asked for; they are no volumes. */
static enum status copy_altered(struct device *d, const struct surface *dst, uint32_t x, uint32_t y,
                                const struct surface *src, const struct tex_box *box)
{
    const struct tex_box to = {x, y, 0, x + box->x1 - box->x0, y + box->y1 - box->y0, 1};
    const struct tex_box to_stored = api_stored_box(dst, &to),
                         from_stored = api_stored_box(src, box);
    struct cmd_stretch packet = {.dst = surface_ref(dst),
                                 .src = surface_ref(src),
                                 .dst_box = box_ref(&to_stored),
                                 .src_box = box_ref(&from_stored),
                                 .filter = D3DTEXF_LINEAR};

    return cmd_emit_stretch(d->stream, &packet, NULL, 0);
}

/* Copies the bits where both formats are equal, else converts. */
static HRESULT copy_box(struct device *d, struct surface *dst, uint32_t x, uint32_t y, uint32_t z,
                        struct surface *src, const struct tex_box *box)
{
    struct cmd_copy copy = {surface_ref(dst), surface_ref(src), x, y, z, box_ref(box)};
    HRESULT hr = api_before_read(src);

    if (FAILED(hr))
        return hr;
    api_mark_written(dst);
    if (dst->altered || src->altered)
        return api_hresult(copy_altered(d, dst, x, y, src, box));
    return api_hresult(dst->format == src->format ? cmd_emit_copy(d->stream, &copy, NULL, 0)
                                                  : convert_box(d, &copy));
}

static HRESULT refused(const char *call, const struct surface *src, const struct surface *dst)
{
    if (!src || !dst)
        return D3DERR_INVALIDCALL;
    return api_refused(D3DERR_INVALIDCALL, call, src->format->d3d,
                       "%ux%u, pool %u, usage 0x%lx, to %ux%u %s, pool %u", src->width, src->height,
                       (unsigned)src->pool, (unsigned long)src->usage, dst->width, dst->height,
                       dst->format->name, (unsigned)dst->pool);
}

HRESULT WINAPI device_UpdateSurface(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *src_iface,
                                    const RECT *rect, IDirect3DSurface9 *dst_iface,
                                    const POINT *point)
{
    ENTER(d, iface);
    struct surface *src = surface_of(src_iface), *dst = surface_of(dst_iface);
    LONG x = point ? point->x : 0, y = point ? point->y : 0;
    struct tex_box from, to;

    if (!src || !dst || api_is_foreign(d, src) || api_is_foreign(d, dst) ||
        src->pool != D3DPOOL_SYSTEMMEM || dst->pool != D3DPOOL_DEFAULT ||
        src->format != dst->format || src->locked || dst->locked || src->dc || dst->dc ||
        src->format->layout == TEX_LAYOUT_DEPTH || dst->samples != D3DMULTISAMPLE_NONE)
        return refused("UpdateSurface", src, dst);
    if (!api_surface_box(src, rect, &from) || x < 0 || y < 0 || (uint32_t)x > dst->width ||
        (uint32_t)y > dst->height)
        return refused("UpdateSurface", src, dst);
    to = (struct tex_box){(uint32_t)x,
                          (uint32_t)y,
                          0,
                          (uint32_t)x + from.x1 - from.x0,
                          (uint32_t)y + from.y1 - from.y0,
                          1};
    if (to.x1 > dst->width || to.y1 > dst->height ||
        !api_box_aligned(src->format, &from, src->width, src->height) ||
        !api_box_aligned(dst->format, &to, dst->width, dst->height))
        return refused("UpdateSurface", src, dst);
    return copy_box(d, dst, to.x0, to.y0, 0, src, &from);
}

static HRESULT update_level(struct device *d, struct surface *to, struct surface *from)
{
    for (unsigned i = 0; i < api_dirty_count(from->texture, from->face); i++) {
        struct tex_box box;
        HRESULT hr;

        if (!api_dirty_box(from->texture, i, from, to, &box))
            continue;
        /* Skips a level whose format cannot be converted; on Windows the call succeeds. */
        if (to->format != from->format && !tex_can_convert(to->format, from->format))
            continue;
        hr = copy_box(d, to, box.x0, box.y0, box.z0, from, &box);
        if (FAILED(hr))
            return hr;
    }
    return D3D_OK;
}

static HRESULT update_face(struct device *d, struct texture *dst, struct texture *src,
                           uint32_t face, uint32_t skip)
{
    uint32_t levels = src->levels - skip < dst->levels ? src->levels - skip : dst->levels;
    HRESULT hr = D3D_OK;

    for (uint32_t level = 0; level < levels && SUCCEEDED(hr); level++)
        hr = update_level(d, &dst->sub[face * dst->levels + level],
                          &src->sub[face * src->levels + level + skip]);
    if (SUCCEEDED(hr))
        api_clear_dirty(src, face);
    return hr;
}

/* Copies the dirty regions of the source. The smallest levels correspond: a larger source skips its
 * top levels (reference: copy/updatetexture). */
HRESULT WINAPI device_UpdateTexture(IDirect3DDevice9Ex *iface, IDirect3DBaseTexture9 *src_iface,
                                    IDirect3DBaseTexture9 *dst_iface)
{
    ENTER(d, iface);
    struct texture *src = texture_of(src_iface), *dst = texture_of(dst_iface);
    uint32_t skip = 0;
    HRESULT hr = D3D_OK;

    if (!src || !dst || api_is_foreign(d, src) || api_is_foreign(d, dst) ||
        src->pool != D3DPOOL_SYSTEMMEM || dst->pool != D3DPOOL_DEFAULT || src->shape != dst->shape)
        return api_refused(D3DERR_INVALIDCALL, "UpdateTexture",
                           src ? src->format->d3d : D3DFMT_UNKNOWN,
                           "it copies from SYSTEMMEM to DEFAULT, between textures of one kind");
    while (skip + 1 < src->levels &&
           (src->sub[skip].width > dst->width || src->sub[skip].height > dst->height ||
            src->sub[skip].depth > dst->depth))
        skip++;
    for (uint32_t face = 0; face < src->faces && SUCCEEDED(hr); face++)
        if (api_dirty_count(src, face))
            hr = update_face(d, dst, src, face, skip);
    return hr;
}

HRESULT WINAPI device_GetRenderTargetData(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *target,
                                          IDirect3DSurface9 *dst_iface)
{
    ENTER(d, iface);
    struct surface *src = surface_of(target), *dst = surface_of(dst_iface);
    struct tex_box all;
    HRESULT hr;

    if (!src || !dst || api_is_foreign(d, src) || api_is_foreign(d, dst) ||
        !(src->usage & D3DUSAGE_RENDERTARGET) || dst->pool != D3DPOOL_SYSTEMMEM ||
        src->format != dst->format || src->width != dst->width || src->height != dst->height ||
        src->samples != D3DMULTISAMPLE_NONE || dst->locked)
        return refused("GetRenderTargetData", src, dst);
    api_surface_box(src, NULL, &all);
    hr = copy_box(d, dst, 0, 0, 0, src, &all);
    return SUCCEEDED(hr) ? api_store_user(dst) : hr;
}

HRESULT WINAPI device_GetFrontBufferData(IDirect3DDevice9Ex *iface, UINT chain,
                                         IDirect3DSurface9 *dst)
{
    ENTER(d, iface);

    if (chain || !dst)
        return D3DERR_INVALIDCALL;
    return api_swapchain_front(d->chain, surface_of(dst));
}
