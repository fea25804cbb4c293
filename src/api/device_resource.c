/* Surfaces of their own, and copies and fills between resources. */
#include "api/caps.h"
#include "api/device.h"
#include "api/objects.h"
#include "api/resource.h"
#include "util/log.h"

#include <string.h>

/* --- Creation --------------------------------------------------------------------------------- */

/* "User memory": only system memory (reference: resources/user-memory). */
static HRESULT take_shared(const struct device *d, struct surface_args *args, HANDLE *shared)
{
    if (!shared)
        return D3D_OK;
    if (!d->ex)
        return E_NOTIMPL;
    if (args->pool == D3DPOOL_SYSTEMMEM) {
        args->user_memory = *shared;
        return D3D_OK;
    }
    if (args->pool != D3DPOOL_DEFAULT)
        return D3DERR_INVALIDCALL;
    log_once("api", "shared", "sharing between processes is not supported: made a private one");
    return D3D_OK;
}

static HRESULT create_surface(void *iface, struct surface_args *args, IDirect3DSurface9 **out,
                              HANDLE *shared)
{
    ENTER(d, iface);
    const struct tex_format *format = tex_format_get(args->format);
    HRESULT hr;

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    hr = take_shared(d, args, shared);
    if (FAILED(hr))
        return hr;
    if (!args->width || !args->height || args->width > TEX_MAX_SIZE ||
        args->height > TEX_MAX_SIZE || !api_surface_format_ok(format, args->kind, args->pool) ||
        !api_multisample_ok(args->format, args->samples, args->quality))
        return D3DERR_INVALIDCALL;
    if (args->lockable && args->samples != D3DMULTISAMPLE_NONE)
        return D3DERR_INVALIDCALL;
    if (format->caps & TEX_LOCKABLE)
        args->lockable = args->samples == D3DMULTISAMPLE_NONE;
    if (!api_block_size_ok(format, args->width, args->height))
        return D3DERR_INVALIDCALL;
    return api_surface_create((struct surface **)out, d, args, false);
}

/* The Ex calls take no usage that the call itself implies; *out is not touched then. */
static bool usage_ok(DWORD usage)
{
    const DWORD known = D3DUSAGE_RESTRICTED_CONTENT | D3DUSAGE_RESTRICT_SHARED_RESOURCE |
                        D3DUSAGE_RESTRICT_SHARED_RESOURCE_DRIVER;

    return !(usage & ~(DWORD)known);
}

HRESULT WINAPI device_CreateRenderTargetEx(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                           D3DFORMAT format, D3DMULTISAMPLE_TYPE samples,
                                           DWORD quality, BOOL lockable, IDirect3DSurface9 **out,
                                           HANDLE *shared, DWORD usage)
{
    struct surface_args args = {.kind = IMAGE_TARGET,
                                .width = width,
                                .height = height,
                                .format = format,
                                .samples = samples,
                                .quality = quality,
                                .usage = usage,
                                .pool = D3DPOOL_DEFAULT,
                                .lockable = lockable};

    return usage_ok(usage) ? create_surface(iface, &args, out, shared) : D3DERR_INVALIDCALL;
}

HRESULT WINAPI device_CreateRenderTarget(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                         D3DFORMAT format, D3DMULTISAMPLE_TYPE samples,
                                         DWORD quality, BOOL lockable, IDirect3DSurface9 **out,
                                         HANDLE *shared)
{
    return device_CreateRenderTargetEx(iface, width, height, format, samples, quality, lockable,
                                       out, shared, 0);
}

HRESULT WINAPI device_CreateDepthStencilSurfaceEx(IDirect3DDevice9Ex *iface, UINT width,
                                                  UINT height, D3DFORMAT format,
                                                  D3DMULTISAMPLE_TYPE samples, DWORD quality,
                                                  BOOL discard, IDirect3DSurface9 **out,
                                                  HANDLE *shared, DWORD usage)
{
    struct surface_args args = {.kind = IMAGE_DEPTH,
                                .width = width,
                                .height = height,
                                .format = format,
                                .samples = samples,
                                .quality = quality,
                                .usage = usage,
                                .pool = D3DPOOL_DEFAULT};

    (void)discard; /* contents are kept: the program must not depend on either */
    return usage_ok(usage) ? create_surface(iface, &args, out, shared) : D3DERR_INVALIDCALL;
}

HRESULT WINAPI device_CreateDepthStencilSurface(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                                D3DFORMAT format, D3DMULTISAMPLE_TYPE samples,
                                                DWORD quality, BOOL discard,
                                                IDirect3DSurface9 **out, HANDLE *shared)
{
    return device_CreateDepthStencilSurfaceEx(iface, width, height, format, samples, quality,
                                              discard, out, shared, 0);
}

HRESULT WINAPI device_CreateOffscreenPlainSurfaceEx(IDirect3DDevice9Ex *iface, UINT width,
                                                    UINT height, D3DFORMAT format, D3DPOOL pool,
                                                    IDirect3DSurface9 **out, HANDLE *shared,
                                                    DWORD usage)
{
    struct surface_args args = {.kind = IMAGE_PLAIN,
                                .width = width,
                                .height = height,
                                .format = format,
                                .usage = usage,
                                .pool = pool};

    if (!usage_ok(usage) ||
        (pool != D3DPOOL_DEFAULT && pool != D3DPOOL_SYSTEMMEM && pool != D3DPOOL_SCRATCH)) {
        if (out) /* here it is touched */
            *out = NULL;
        return D3DERR_INVALIDCALL;
    }
    return create_surface(iface, &args, out, shared);
}

HRESULT WINAPI device_CreateOffscreenPlainSurface(IDirect3DDevice9Ex *iface, UINT width,
                                                  UINT height, D3DFORMAT format, D3DPOOL pool,
                                                  IDirect3DSurface9 **out, HANDLE *shared)
{
    return device_CreateOffscreenPlainSurfaceEx(iface, width, height, format, pool, out, shared, 0);
}

/* --- Targets ---------------------------------------------------------------------------------- */

HRESULT WINAPI device_SetRenderTarget(IDirect3DDevice9Ex *iface, DWORD index,
                                      IDirect3DSurface9 *target)
{
    ENTER(d, iface);
    struct surface *surface = surface_of(target);
    HRESULT hr;

    if (index >= TARGETS || (!surface && !index))
        return D3DERR_INVALIDCALL;
    if (surface && (surface->base.device != d || !(surface->usage & D3DUSAGE_RENDERTARGET)))
        return D3DERR_INVALIDCALL;
    hr = api_set_target(d, index, surface);
    /* The first target resets viewport and scissor, even when it was bound already and even while a
     * state block is recorded (reference: viewport/reset-by-target). */
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
        return D3DERR_INVALIDCALL;
    return api_set_target(d, CMD_DEPTH_TARGET, surface);
}

HRESULT WINAPI device_GetDepthStencilSurface(IDirect3DDevice9Ex *iface, IDirect3DSurface9 **out)
{
    ENTER(d, iface);

    return out ? get_target(d->depth, out) : D3DERR_INVALIDCALL;
}

/* --- Copies ----------------------------------------------------------------------------------- */

static struct cmd_box cmd_box_of(const struct tex_box *box)
{
    return (struct cmd_box){box->x0, box->y0, box->z0, box->x1, box->y1, box->z1};
}

/* Same format: bits as they are. Else through StretchRect's conversion. */
static HRESULT copy_box(struct device *d, struct surface *dst, uint32_t x, uint32_t y, uint32_t z,
                        struct surface *src, const struct tex_box *box)
{
    struct cmd_copy copy = {surface_ref(dst), surface_ref(src), x, y, z, cmd_box_of(box)};
    HRESULT hr = api_surface_load_user(src);

    if (FAILED(hr))
        return hr;
    api_surface_written(dst);
    if (dst->format == src->format)
        return api_hresult(cmd_emit_copy(d->stream, &copy, NULL, 0));
    struct cmd_stretch stretch = {
        .dst = copy.dst,
        .src = copy.src,
        .dst_box = {x, y, 0, x + box->x1 - box->x0, y + box->y1 - box->y0, 1},
        .src_box = copy.box,
        .filter = D3DTEXF_POINT,
    };
    return api_hresult(cmd_emit_stretch(d->stream, &stretch, NULL, 0));
}

HRESULT WINAPI device_UpdateSurface(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *src_iface,
                                    const RECT *rect, IDirect3DSurface9 *dst_iface,
                                    const POINT *point)
{
    ENTER(d, iface);
    struct surface *src = surface_of(src_iface), *dst = surface_of(dst_iface);
    LONG x = point ? point->x : 0, y = point ? point->y : 0;
    struct tex_box from, to;

    if (!src || !dst || src->pool != D3DPOOL_SYSTEMMEM || dst->pool != D3DPOOL_DEFAULT ||
        src->format != dst->format || src->locked || dst->locked ||
        src->format->layout == TEX_LAYOUT_DEPTH || dst->samples != D3DMULTISAMPLE_NONE)
        return D3DERR_INVALIDCALL;
    if (!api_surface_box(src, rect, &from) || x < 0 || y < 0 || (uint32_t)x > dst->width ||
        (uint32_t)y > dst->height)
        return D3DERR_INVALIDCALL;
    to = (struct tex_box){(uint32_t)x,
                          (uint32_t)y,
                          0,
                          (uint32_t)x + from.x1 - from.x0,
                          (uint32_t)y + from.y1 - from.y0,
                          1};
    if (to.x1 > dst->width || to.y1 > dst->height ||
        !api_box_aligned(src->format, &from, src->width, src->height) ||
        !api_box_aligned(dst->format, &to, dst->width, dst->height))
        return D3DERR_INVALIDCALL;
    return copy_box(d, dst, to.x0, to.y0, 0, src, &from);
}

static uint32_t scale_down(uint32_t v, uint32_t level, bool up)
{
    return up ? (uint32_t)(((uint64_t)v + (1u << level) - 1) >> level) : v >> level;
}

/* A dirty box of level 0 in a lower level, out to whole blocks and inside both levels. */
static struct tex_box level_box(const struct tex_box *dirty, uint32_t level,
                                const struct surface *src, const struct surface *dst)
{
    uint32_t bw = src->format->block_w, bh = src->format->block_h;
    uint32_t w = src->width < dst->width ? src->width : dst->width;
    uint32_t h = src->height < dst->height ? src->height : dst->height;
    uint32_t depth = src->depth < dst->depth ? src->depth : dst->depth;
    struct tex_box box = {
        scale_down(dirty->x0, level, false) / bw * bw,
        scale_down(dirty->y0, level, false) / bh * bh,
        scale_down(dirty->z0, level, false),
        (scale_down(dirty->x1, level, true) + bw - 1) / bw * bw,
        (scale_down(dirty->y1, level, true) + bh - 1) / bh * bh,
        scale_down(dirty->z1, level, true),
    };

    box.x1 = box.x1 < w ? box.x1 : w;
    box.y1 = box.y1 < h ? box.y1 : h;
    box.z1 = box.z1 < depth ? box.z1 : depth;
    return box;
}

static HRESULT update_face(struct device *d, struct texture *dst, struct texture *src,
                           uint32_t face, uint32_t skip)
{
    uint32_t levels = src->levels - skip < dst->levels ? src->levels - skip : dst->levels;

    for (uint32_t level = 0; level < levels; level++) {
        struct surface *from = &src->sub[face * src->levels + level + skip];
        struct surface *to = &dst->sub[face * dst->levels + level];
        struct tex_box box = level_box(&src->dirty[face], level + skip, from, to);
        HRESULT hr;

        if (box.x0 >= box.x1 || box.y0 >= box.y1 || box.z0 >= box.z1)
            continue;
        hr = copy_box(d, to, box.x0, box.y0, box.z0, from, &box);
        if (hr == E_OUTOFMEMORY)
            return hr;
        /* What cannot be converted leaves the level as it was; the call succeeds on Windows. */
    }
    src->dirty[face] = (struct tex_box){0};
    return D3D_OK;
}

/* Copies what is dirty in the source. Chains meet at the small end: a larger source skips its top
 * levels (reference: copy/updatetexture). */
HRESULT WINAPI device_UpdateTexture(IDirect3DDevice9Ex *iface, IDirect3DBaseTexture9 *src_iface,
                                    IDirect3DBaseTexture9 *dst_iface)
{
    ENTER(d, iface);
    struct texture *src = texture_of(src_iface), *dst = texture_of(dst_iface);
    uint32_t skip = 0;
    HRESULT hr = D3D_OK;

    if (!src || !dst || src->pool != D3DPOOL_SYSTEMMEM || dst->pool != D3DPOOL_DEFAULT ||
        src->shape != dst->shape)
        return D3DERR_INVALIDCALL;
    while (skip + 1 < src->levels &&
           (src->sub[skip].width > dst->width || src->sub[skip].height > dst->height ||
            src->sub[skip].depth > dst->depth))
        skip++;
    for (uint32_t face = 0; face < src->faces && SUCCEEDED(hr); face++)
        if (src->dirty[face].x1)
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

    if (!src || !dst || !(src->usage & D3DUSAGE_RENDERTARGET) || dst->pool != D3DPOOL_SYSTEMMEM ||
        src->format != dst->format || src->width != dst->width || src->height != dst->height ||
        src->samples != D3DMULTISAMPLE_NONE || dst->locked)
        return D3DERR_INVALIDCALL;
    api_surface_box(src, NULL, &all);
    hr = copy_box(d, dst, 0, 0, 0, src, &all);
    return SUCCEEDED(hr) ? api_surface_store_user(dst) : hr;
}

HRESULT WINAPI device_GetFrontBufferData(IDirect3DDevice9Ex *iface, UINT chain,
                                         IDirect3DSurface9 *dst)
{
    ENTER(d, iface);

    if (chain || !dst)
        return D3DERR_INVALIDCALL;
    return api_swapchain_front(d->chain, surface_of(dst));
}

/* --- StretchRect ------------------------------------------------------------------------------ */

static bool whole(const struct surface *surface, const struct tex_box *box)
{
    return !box->x0 && !box->y0 && box->x1 == surface->width && box->y1 == surface->height;
}

static bool same_size(const struct tex_box *a, const struct tex_box *b)
{
    return a->x1 - a->x0 == b->x1 - b->x0 && a->y1 - a->y0 == b->y1 - b->y0;
}

/* Depth goes to depth of the same size, whole, and outside scenes (reference: copy/stretchrect-depth). */
static bool depth_stretch_ok(const struct device *d, const struct surface *dst,
                             const struct tex_box *to, const struct surface *src,
                             const struct tex_box *from)
{
    return !d->in_scene && dst->format == src->format && whole(dst, to) && whole(src, from) &&
           same_size(to, from);
}

/* Colour: to render targets, or unscaled between plain surfaces (reference: copy/stretchrect-rules). */
static bool colour_stretch_ok(const struct surface *dst, const struct tex_box *to,
                              const struct surface *src, const struct tex_box *from)
{
    if (dst->usage & D3DUSAGE_RENDERTARGET)
        return true;
    return dst->plain && src->plain && same_size(to, from) &&
           api_box_aligned(src->format, from, src->width, src->height) &&
           api_box_aligned(dst->format, to, dst->width, dst->height);
}

/* The samples' average in an image of its own, which the caller destroys. */
static enum status resolve(struct device *d, const struct surface *src, cmd_handle *out)
{
    struct cmd_box all = {0, 0, 0, src->width, src->height, 1};
    struct cmd_stretch packet = {
        .src = surface_ref(src), .dst_box = all, .src_box = all, .filter = D3DTEXF_POINT};
    enum status st = api_scratch_image(src, out);

    if (st != ST_OK)
        return st;
    packet.dst.image = *out;
    return cmd_emit_stretch(d->stream, &packet, NULL, 0);
}

/* One sample to one sample. */
static enum status emit_stretch(struct device *d, const struct cmd_stretch *p, bool as_is)
{
    struct cmd_copy copy = {p->dst,        p->src,        p->dst_box.x0,
                            p->dst_box.y0, p->dst_box.z0, p->src_box};

    return as_is ? cmd_emit_copy(d->stream, &copy, NULL, 0)
                 : cmd_emit_stretch(d->stream, p, NULL, 0);
}

/* Every sample of the surface takes the image's pixels. */
static enum status spread(struct device *d, const struct surface *dst, const struct cmd_box *box,
                          cmd_handle image)
{
    struct cmd_copy copy = {
        .dst = surface_ref(dst), .src.image = image, .x = box->x0, .y = box->y0, .box = *box};
    enum status st = ST_OK;

    for (copy.z = 0; copy.z < dst->sample_count && st == ST_OK; copy.z++) /* as slices */
        st = cmd_emit_copy(d->stream, &copy, NULL, 0);
    return st;
}

static HRESULT stretch(struct device *d, struct surface *dst, const struct tex_box *to,
                       const struct surface *src, const struct tex_box *from, unsigned filter)
{
    bool as_is = dst->format == src->format && same_size(to, from);
    struct cmd_stretch packet = {
        .dst = surface_ref(dst),
        .src = surface_ref(src),
        .dst_box = cmd_box_of(to),
        .src_box = cmd_box_of(from),
        .filter = filter,
    };
    cmd_handle resolved = 0, gathered = 0;
    enum status st = ST_OK;

    if (src->sample_count > 1) {
        st = resolve(d, src, &resolved);
        packet.src = (struct cmd_surface){.image = resolved};
    }
    if (st == ST_OK && dst->sample_count > 1) {
        st = api_scratch_image(dst, &gathered);
        packet.dst = (struct cmd_surface){.image = gathered};
    }
    if (st == ST_OK)
        st = emit_stretch(d, &packet, as_is);
    if (st == ST_OK && gathered)
        st = spread(d, dst, &packet.dst_box, gathered);
    cmd_destroy(d->stream, resolved);
    cmd_destroy(d->stream, gathered);
    api_surface_written(dst);
    return st == ST_UNSUPPORTED ? D3DERR_INVALIDCALL : api_hresult(st);
}

HRESULT WINAPI device_StretchRect(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *src_iface,
                                  const RECT *src_rect, IDirect3DSurface9 *dst_iface,
                                  const RECT *dst_rect, D3DTEXTUREFILTERTYPE filter)
{
    ENTER(d, iface);
    struct surface *src = surface_of(src_iface), *dst = surface_of(dst_iface);
    struct tex_box from, to;
    bool depth;

    if (!src || !dst || src == dst || src->pool != D3DPOOL_DEFAULT ||
        dst->pool != D3DPOOL_DEFAULT || filter > D3DTEXF_LINEAR ||
        !api_surface_box(src, src_rect, &from) || !api_surface_box(dst, dst_rect, &to))
        return D3DERR_INVALIDCALL;
    depth = dst->format->layout == TEX_LAYOUT_DEPTH;
    if (depth != (src->format->layout == TEX_LAYOUT_DEPTH) ||
        !(depth ? depth_stretch_ok(d, dst, &to, src, &from)
                : colour_stretch_ok(dst, &to, src, &from)))
        return D3DERR_INVALIDCALL;
    if (dst->format == src->format && dst->sample_count == src->sample_count &&
        same_size(&from, &to)) {
        from.z1 = src->sample_count; /* samples lie like slices */
        return copy_box(d, dst, to.x0, to.y0, 0, src, &from);
    }
    return stretch(d, dst, &to, src, &from, filter);
}

/* Render targets and plain surfaces of the DEFAULT pool (reference: copy/colorfill-kinds). */
HRESULT WINAPI device_ColorFill(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *dst_iface,
                                const RECT *rect, D3DCOLOR colour)
{
    ENTER(d, iface);
    struct surface *dst = surface_of(dst_iface);
    struct cmd_fill packet = {.colour = colour};
    struct tex_box box;

    if (!dst || dst->pool != D3DPOOL_DEFAULT ||
        !(dst->plain || (dst->usage & D3DUSAGE_RENDERTARGET)) || !api_surface_box(dst, rect, &box))
        return D3DERR_INVALIDCALL;
    if (dst->format->layout == TEX_LAYOUT_BLOCK &&
        !api_box_aligned(dst->format, &box, dst->width, dst->height))
        return D3DERR_INVALIDCALL;
    packet.dst = surface_ref(dst);
    packet.box = cmd_box_of(&box);
    api_surface_written(dst);
    return api_hresult(cmd_emit_fill(d->stream, &packet, NULL, 0));
}

/* --- What nobody offers any more -------------------------------------------------------------- */

HRESULT WINAPI device_SetConvolutionMonoKernel(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                               float *rows, float *columns)
{
    (void)iface;
    (void)width;
    (void)height;
    (void)rows;
    (void)columns;
    log_once("api", "SetConvolutionMonoKernel", "convolution filters are not supported");
    return D3DERR_INVALIDCALL;
}

HRESULT WINAPI device_ComposeRects(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *src,
                                   IDirect3DSurface9 *dst, IDirect3DVertexBuffer9 *src_rects,
                                   UINT count, IDirect3DVertexBuffer9 *dst_rects,
                                   D3DCOMPOSERECTSOP operation, INT x, INT y)
{
    (void)iface;
    (void)src;
    (void)dst;
    (void)src_rects;
    (void)count;
    (void)dst_rects;
    (void)operation;
    (void)x;
    (void)y;
    log_once("api", "ComposeRects", "ComposeRects is not supported");
    return D3DERR_INVALIDCALL;
}
