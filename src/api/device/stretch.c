/* Device methods StretchRect and ColorFill: validation, and choice between copy, conversion and
 * resolve. */
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/com/refused.h"
#include "api/memory/memory.h"
#include "api/object/object.h"
#include "cmd/cmd.h"

static bool whole(const struct surface *surface, const struct tex_box *box)
{
    return !box->x0 && !box->y0 && box->x1 == surface->width && box->y1 == surface->height;
}

static bool stored_whole(const struct surface *surface, const struct tex_box *box)
{
    return !box->x0 && !box->y0 && box->x1 == surface->stored_width &&
           box->y1 == surface->stored_height;
}

static bool same_size(const struct tex_box *a, const struct tex_box *b)
{
    return a->x1 - a->x0 == b->x1 - b->x0 && a->y1 - a->y0 == b->y1 - b->y0;
}

/* Arguments of one StretchRect. */
struct stretch_call {
    struct device *device;
    struct surface *dst, *src;
    struct tex_box to, from;
    bool whole_surfaces; /* both rectangles are NULL */
    unsigned filter;
};

static bool is_depth(const struct surface *surface)
{
    return surface->format->layout == TEX_LAYOUT_DEPTH;
}

/* Depth copies need the same format and size, whole surfaces, and no open scene
 * (reference: copy/stretchrect-depth). */
static bool depth_ok(const struct stretch_call *c)
{
    return (c->dst->usage & c->src->usage & D3DUSAGE_DEPTHSTENCIL) &&
           !(c->dst->discardable || c->src->discardable) && !c->device->in_scene &&
           c->dst->format == c->src->format && whole(c->dst, &c->to) && whole(c->src, &c->from) &&
           same_size(&c->to, &c->from);
}

/* Ex devices copy whole surfaces to any destination, but only without rectangles. */
static bool plain_copy(const struct stretch_call *c)
{
    return c->device->ex && c->whole_surfaces && c->dst->format == c->src->format &&
           same_size(&c->to, &c->from);
}

/* Colour copies go to render targets, or unscaled between plain surfaces
 * (reference: copy/stretchrect-rules). */
static bool colour_ok(const struct stretch_call *c)
{
    const struct tex_format *to = c->dst->format, *from = c->src->format;

    if (plain_copy(c))
        return true;
    if (from->layout == TEX_LAYOUT_BLOCK && !same_size(&c->to, &c->from))
        return false;
    if (c->dst->usage & D3DUSAGE_RENDERTARGET)
        return true;
    if ((to->layout == TEX_LAYOUT_YUV || to->layout == TEX_LAYOUT_PLANAR) && to != from)
        return false;
    return c->dst->plain && c->src->plain && same_size(&c->to, &c->from) &&
           api_box_aligned(from, &c->from, c->src->width, c->src->height) &&
           api_box_aligned(to, &c->to, c->dst->width, c->dst->height);
}

static bool can_convert(const struct stretch_call *c)
{
    return (c->dst->format == c->src->format && same_size(&c->to, &c->from)) ||
           tex_can_convert(c->dst->format, c->src->format);
}

static bool surfaces_ok(const struct device *d, const struct surface *dst,
                        const struct surface *src)
{
    return src && dst && !api_is_foreign(d, src) && !api_is_foreign(d, dst) &&
           src->pool == D3DPOOL_DEFAULT && dst->pool == D3DPOOL_DEFAULT && !src->locked &&
           !dst->locked && !has_elements(src) && !has_elements(dst);
}

/* Like api_surface_box, but empty rectangles are allowed. */
static bool region(const struct surface *surface, const RECT *rect, struct tex_box *box)
{
    if (!rect || (rect->left < rect->right && rect->top < rect->bottom))
        return api_surface_box(surface, rect, box);
    *box = (struct tex_box){(uint32_t)rect->left,  (uint32_t)rect->top,    0,
                            (uint32_t)rect->right, (uint32_t)rect->bottom, 1};
    return rect->left >= 0 && rect->top >= 0 && rect->left <= rect->right &&
           rect->top <= rect->bottom && box->x1 <= surface->width && box->y1 <= surface->height;
}

static bool is_empty(const struct tex_box *box)
{
    return box->x0 == box->x1 || box->y0 == box->y1;
}

static bool copies_nothing(const struct stretch_call *c)
{
    return is_empty(&c->to) || is_empty(&c->from);
}

/* A surface is copied within itself, but not scaled (reference: copy/stretchrect-within). */
static bool call_ok(struct stretch_call *c, const RECT *src_rect, const RECT *dst_rect)
{
    if (!surfaces_ok(c->device, c->dst, c->src) || c->filter > D3DTEXF_LINEAR ||
        !region(c->src, src_rect, &c->from) || !region(c->dst, dst_rect, &c->to))
        return false;
    if (copies_nothing(c)) /* (reference: copy/stretchrect-empty) */
        return true;
    if (c->dst == c->src && !same_size(&c->to, &c->from))
        return false;
    if (is_depth(c->dst) || is_depth(c->src))
        return is_depth(c->dst) && is_depth(c->src) && depth_ok(c);
    return colour_ok(c) && can_convert(c);
}

/* Goes over to the pixels of the images. A copy that only they scale is filtered. */
static void to_stored(struct stretch_call *c)
{
    struct tex_box to = api_stored_box(c->dst, &c->to), from = api_stored_box(c->src, &c->from);

    if (same_size(&c->to, &c->from) && !same_size(&to, &from))
        c->filter = is_depth(c->src) ? D3DTEXF_POINT : D3DTEXF_LINEAR;
    c->to = to;
    c->from = from;
}

/* Resolves the samples into a new image, which the caller destroys. */
static enum status resolve(struct device *d, const struct surface *src, cmd_handle *out)
{
    struct cmd_box all = api_whole_stored_box(src);
    struct cmd_stretch packet = {
        .src = surface_ref(src), .dst_box = all, .src_box = all, .filter = D3DTEXF_POINT};
    enum status st = api_scratch_image(src, true, out);

    if (st != ST_OK)
        return st;
    packet.dst.image = *out;
    return cmd_emit_stretch(d->stream, &packet, NULL, 0);
}

/* Emits a bitwise copy or a stretch between surfaces with one sample. */
static enum status emit_stretch(struct device *d, const struct cmd_stretch *p, bool as_is)
{
    struct cmd_copy copy = {p->dst,        p->src,        p->dst_box.x0,
                            p->dst_box.y0, p->dst_box.z0, p->src_box};

    return as_is ? cmd_emit_copy(d->stream, &copy, NULL, 0)
                 : cmd_emit_stretch(d->stream, p, NULL, 0);
}

/* Copies the image into every sample of the surface. */
static enum status copy_to_all_samples(struct device *d, const struct surface *dst,
                                       const struct cmd_box *box, cmd_handle image)
{
    struct cmd_copy copy = {
        .dst = surface_ref(dst), .src.image = image, .x = box->x0, .y = box->y0, .box = *box};
    enum status st = ST_OK;

    for (copy.z = 0; copy.z < dst->stored_samples && st == ST_OK; copy.z++) /* samples are slices */
        st = cmd_emit_copy(d->stream, &copy, NULL, 0);
    return st;
}

static enum status copy(const struct stretch_call *c)
{
    struct cmd_copy packet = {surface_ref(c->dst), surface_ref(c->src), c->to.x0, c->to.y0, 0,
                              box_ref(&c->from)};

    packet.box.z1 = c->src->stored_samples; /* samples are slices */
    return cmd_emit_copy(c->device->stream, &packet, NULL, 0);
}

/* A whole-surface resolve to level 0 of an image needs no intermediate image. */
static bool resolves_in_place(const struct stretch_call *c)
{
    return c->src->stored_samples > 1 && c->dst->stored_samples == 1 &&
           c->dst->format == c->src->format && !c->dst->face && !c->dst->level &&
           stored_whole(c->dst, &c->to) && stored_whole(c->src, &c->from) &&
           same_size(&c->to, &c->from);
}

static enum status stretch(const struct stretch_call *c)
{
    bool as_is = c->dst->format == c->src->format && same_size(&c->to, &c->from);
    struct device *d = c->device;
    struct cmd_stretch packet = {
        .dst = surface_ref(c->dst),
        .src = surface_ref(c->src),
        .dst_box = box_ref(&c->to),
        .src_box = box_ref(&c->from),
        .filter = c->filter,
    };
    cmd_handle resolved = 0, gathered = 0;
    enum status st = ST_OK;

    if (resolves_in_place(c))
        return cmd_emit_stretch(d->stream, &packet, NULL, 0);
    if (c->src->stored_samples > 1) {
        st = resolve(d, c->src, &resolved);
        packet.src = (struct cmd_surface){.image = resolved};
    }
    if (st == ST_OK && c->dst->stored_samples > 1) {
        st = api_scratch_image(c->dst, true, &gathered);
        packet.dst = (struct cmd_surface){.image = gathered};
    }
    if (st == ST_OK)
        st = emit_stretch(d, &packet, as_is);
    if (st == ST_OK && gathered)
        st = copy_to_all_samples(d, c->dst, &packet.dst_box, gathered);
    cmd_destroy(d->stream, resolved);
    cmd_destroy(d->stream, gathered);
    return st;
}

static HRESULT refused(const struct surface *src, const struct surface *dst)
{
    if (!src || !dst)
        return D3DERR_INVALIDCALL;
    return api_refused(D3DERR_INVALIDCALL, "StretchRect", src->format->d3d,
                       "%ux%u, %u samples, pool %u, usage 0x%lx, to %ux%u %s, %u samples, pool %u, "
                       "usage 0x%lx",
                       src->width, src->height, src->sample_count, (unsigned)src->pool,
                       (unsigned long)src->usage, dst->width, dst->height, dst->format->name,
                       dst->sample_count, (unsigned)dst->pool, (unsigned long)dst->usage);
}

HRESULT WINAPI device_StretchRect(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *src,
                                  const RECT *src_rect, IDirect3DSurface9 *dst,
                                  const RECT *dst_rect, D3DTEXTUREFILTERTYPE filter)
{
    ENTER(d, iface);
    struct stretch_call c = {.device = d,
                             .dst = surface_of(dst),
                             .src = surface_of(src),
                             .whole_surfaces = !src_rect && !dst_rect,
                             .filter = filter};
    enum status st;

    if (!call_ok(&c, src_rect, dst_rect))
        return refused(c.src, c.dst);
    if (copies_nothing(&c))
        return D3D_OK;
    to_stored(&c);
    if (c.dst->format == c.src->format && c.dst->stored_samples == c.src->stored_samples &&
        same_size(&c.from, &c.to))
        st = copy(&c);
    else
        st = stretch(&c);
    api_mark_written(c.dst);
    return api_hresult(st);
}

/* Fills render targets and plain surfaces of the DEFAULT pool (reference: copy/colorfill-kinds). */
HRESULT WINAPI device_ColorFill(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *dst_iface,
                                const RECT *rect, D3DCOLOR colour)
{
    ENTER(d, iface);
    struct surface *dst = surface_of(dst_iface);
    struct cmd_fill packet = {.colour = colour};
    struct tex_box box;

    if (!dst || api_is_foreign(d, dst) || dst->pool != D3DPOOL_DEFAULT ||
        dst->format->layout == TEX_LAYOUT_DEPTH || dst->format->layout == TEX_LAYOUT_RAW ||
        !(dst->plain || (dst->usage & D3DUSAGE_RENDERTARGET)) || dst->locked ||
        !api_surface_box(dst, rect, &box))
        return api_refused(D3DERR_INVALIDCALL, "ColorFill", dst ? dst->format->d3d : D3DFMT_UNKNOWN,
                           "it fills render targets and plain surfaces of D3DPOOL_DEFAULT");
    if (dst->format->layout == TEX_LAYOUT_BLOCK &&
        !api_box_aligned(dst->format, &box, dst->width, dst->height))
        return D3DERR_INVALIDCALL;
    box = api_stored_box(dst, &box);
    packet.dst = surface_ref(dst);
    packet.box = box_ref(&box);
    api_mark_written(dst);
    return api_hresult(cmd_emit_fill(d->stream, &packet, NULL, 0));
}
