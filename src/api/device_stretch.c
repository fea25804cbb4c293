/* StretchRect and ColorFill. */
#include "api/device.h"
#include "api/resource.h"

static bool whole(const struct surface *surface, const struct tex_box *box)
{
    return !box->x0 && !box->y0 && box->x1 == surface->width && box->y1 == surface->height;
}

static bool same_size(const struct tex_box *a, const struct tex_box *b)
{
    return a->x1 - a->x0 == b->x1 - b->x0 && a->y1 - a->y0 == b->y1 - b->y0;
}

/* Depth goes to depth of the same size, whole, and outside scenes (reference:
 * copy/stretchrect-depth). */
static bool depth_stretch_ok(const struct device *d, const struct surface *dst,
                             const struct tex_box *to, const struct surface *src,
                             const struct tex_box *from)
{
    return !d->in_scene && dst->format == src->format && whole(dst, to) && whole(src, from) &&
           same_size(to, from);
}

/* Colour: to render targets, or unscaled between plain surfaces (reference:
 * copy/stretchrect-rules). */
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

static HRESULT copy(struct device *d, struct surface *dst, const struct tex_box *to,
                    const struct surface *src, const struct tex_box *from)
{
    struct cmd_copy packet = {surface_ref(dst), surface_ref(src), to->x0, to->y0, 0, box_ref(from)};

    api_surface_written(dst);
    return api_hresult(cmd_emit_copy(d->stream, &packet, NULL, 0));
}

static HRESULT stretch(struct device *d, struct surface *dst, const struct tex_box *to,
                       const struct surface *src, const struct tex_box *from, unsigned filter)
{
    bool as_is = dst->format == src->format && same_size(to, from);
    struct cmd_stretch packet = {
        .dst = surface_ref(dst),
        .src = surface_ref(src),
        .dst_box = box_ref(to),
        .src_box = box_ref(from),
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
        return copy(d, dst, &to, src, &from);
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
    packet.box = box_ref(&box);
    api_surface_written(dst);
    return api_hresult(cmd_emit_fill(d->stream, &packet, NULL, 0));
}
