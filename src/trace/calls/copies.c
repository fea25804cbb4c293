/* Images of a compiled stream on a Direct3D 9 device: uploads, copies and fills.
 *
 * Tested by tests/fuzz/trace/test_nvs.c and tests/tool/retrace.sh. */
#include "trace/calls/calls.h"

#include <string.h>

static const struct tex_format *format_of(const struct calls_resource *r)
{
    return tex_format_get(r->desc.format);
}

static uint32_t level_size(uint32_t size, uint32_t level)
{
    return size >> level ? size >> level : 1;
}

/* --- Uploads ---------------------------------------------------------------------------------- */

/* A pitch below a row means packed rows: ATI1 and ATI2 are locked as if one byte a pixel. */
static void copy_rows(const struct tex_format *format, const struct tex_level *from,
                      const struct tex_box *box, uint8_t *to, size_t row_pitch, size_t slice_pitch)
{
    uint32_t bytes = tex_row_bytes(format, box->x1 - box->x0);
    const struct tex_level level = {.data = to,
                                    .width = box->x1 - box->x0,
                                    .height = box->y1 - box->y0,
                                    .depth = box->z1 - box->z0,
                                    .row_pitch = row_pitch < bytes ? bytes : (uint32_t)row_pitch,
                                    .slice_pitch = (uint32_t)slice_pitch};

    tex_copy(format, &level, 0, 0, 0, from, box);
}

static HRESULT fill_surface(IDirect3DSurface9 *surface, const struct tex_format *format,
                            const struct tex_level *from, const struct tex_box *box)
{
    D3DLOCKED_RECT locked;
    HRESULT hr = IDirect3DSurface9_LockRect(surface, &locked, NULL, 0);

    if (FAILED(hr))
        return hr;
    copy_rows(format, from, box, locked.pBits, (size_t)locked.Pitch, 0);
    return IDirect3DSurface9_UnlockRect(surface);
}

static HRESULT fill_volume(IDirect3DVolumeTexture9 *texture, const struct tex_format *format,
                           uint32_t level, const struct tex_level *from, const struct tex_box *box)
{
    D3DLOCKED_BOX locked;
    HRESULT hr = IDirect3DVolumeTexture9_LockBox(texture, level, &locked, NULL, 0);

    if (FAILED(hr))
        return hr;
    copy_rows(format, from, box, locked.pBits, (size_t)locked.RowPitch, (size_t)locked.SlicePitch);
    return IDirect3DVolumeTexture9_UnlockBox(texture, level);
}

/* Sends a level of an image in memory to its managed texture. */
static HRESULT upload(struct calls_resource *r, uint32_t face, uint32_t index)
{
    const struct tex_level *level = tex_image_level(r->memory, face, index);
    const struct tex_box all = {0, 0, 0, level->width, level->height, level->depth};
    IDirect3DSurface9 *surface;
    HRESULT hr;

    if (!r->texture || (r->use & USED_MIPS && index))
        return D3D_OK;
    if (r->desc.shape == TEX_VOLUME_MAP)
        return fill_volume((IDirect3DVolumeTexture9 *)r->texture, format_of(r), index, level, &all);
    surface = calls_surface(r, face, index);
    if (!surface)
        return D3DERR_INVALIDCALL;
    hr = fill_surface(surface, format_of(r), level, &all);
    IDirect3DSurface9_Release(surface);
    return hr;
}

/* Sends a box to a drawn image, by way of a surface in system memory. */
static HRESULT send_box(IDirect3DDevice9 *device, const struct calls_resource *r,
                        const struct cmd_surface *dst, const struct tex_level *from,
                        const struct tex_box *box, uint32_t x, uint32_t y)
{
    const POINT at = {(LONG)x, (LONG)y};
    IDirect3DSurface9 *to = calls_surface(r, dst->face, dst->level), *plain = NULL;
    HRESULT hr;

    if (!to)
        return D3DERR_INVALIDCALL;
    if (format_of(r)->layout == TEX_LAYOUT_DEPTH)
        hr = fill_surface(to, format_of(r), from, box); /* lockable formats only */
    else
        hr = IDirect3DDevice9_CreateOffscreenPlainSurface(device, box->x1 - box->x0,
                                                          box->y1 - box->y0, r->desc.format,
                                                          D3DPOOL_SYSTEMMEM, &plain, NULL);
    if (SUCCEEDED(hr) && plain)
        hr = fill_surface(plain, format_of(r), from, box);
    if (SUCCEEDED(hr) && plain)
        hr = IDirect3DDevice9_UpdateSurface(device, plain, NULL, to, &at);
    if (plain)
        IDirect3DSurface9_Release(plain);
    IDirect3DSurface9_Release(to);
    return hr;
}

static bool place_ok(const struct calls_resource *r, const struct cmd_surface *s)
{
    return r && s->face < (r->desc.shape == TEX_CUBE_MAP ? 6u : 1u) && s->level < r->desc.levels;
}

static size_t level_bytes(const struct tex_format *format, const struct tex_level *level)
{
    return level->depth > 1 ? (size_t)level->depth * level->slice_pitch
                            : (size_t)tex_slice_rows(format, level->height) * level->row_pitch;
}

static enum status write_memory(struct calls_resource *r, const struct cmd_surface *dst,
                                const void *data, size_t bytes, HRESULT *hr)
{
    struct tex_level *level = tex_image_level(r->memory, dst->face, dst->level);

    if (bytes != level_bytes(format_of(r), level))
        return ST_INVALID;
    memcpy(level->data, data, bytes);
    *hr = upload(r, dst->face, dst->level);
    return ST_OK;
}

enum status calls_write_image(struct calls_stream *stream, const struct cmd_write_image *p,
                              const void *data, size_t bytes, HRESULT *hr)
{
    struct calls_resource *r = calls_find(stream, p->dst.image, CMD_IMAGE);
    struct tex_desc desc;
    struct tex_image *image = NULL;
    enum status st;

    if (!place_ok(r, &p->dst))
        return ST_INVALID;
    if (r->memory)
        return write_memory(r, &p->dst, data, bytes, hr);
    if (r->desc.samples > 1 || r->desc.shape == TEX_VOLUME_MAP) {
        *hr = D3DERR_INVALIDCALL;
        return ST_OK;
    }
    desc = (struct tex_desc){.format = r->desc.format,
                             .shape = TEX_2D,
                             .width = level_size(r->desc.width, p->dst.level),
                             .height = level_size(r->desc.height, p->dst.level),
                             .depth = 1,
                             .levels = 1,
                             .samples = 1,
                             .unlocked = r->desc.unlocked};
    st = tex_image_create(&image, &desc, NULL);
    if (st == ST_OK && bytes != level_bytes(format_of(r), image->level))
        st = ST_INVALID;
    if (st == ST_OK) {
        memcpy(image->level->data, data, bytes);
        *hr = send_box(stream->device, r, &p->dst, image->level,
                       &(struct tex_box){0, 0, 0, desc.width, desc.height, 1}, 0, 0);
    }
    tex_image_unref(&image);
    return st;
}

/* --- Copies ----------------------------------------------------------------------------------- */

static bool span_ok(uint32_t from, uint32_t to, uint32_t size)
{
    return from < to && to <= size;
}

static bool box_ok(const struct calls_resource *r, uint32_t level, const struct cmd_box *box)
{
    uint32_t slices = level_size(r->desc.depth, level) * r->desc.samples;

    return span_ok(box->x0, box->x1, level_size(r->desc.width, level)) &&
           span_ok(box->y0, box->y1, level_size(r->desc.height, level)) &&
           span_ok(box->z0, box->z1, slices) && !(box->x0 % tex_box_step_x(format_of(r))) &&
           !(box->y0 % tex_box_step_y(format_of(r)));
}

static HRESULT stretch(IDirect3DDevice9 *device, const struct calls_resource *src,
                       const struct cmd_surface *from, const struct cmd_box *a,
                       const struct calls_resource *dst, const struct cmd_surface *to,
                       const struct cmd_box *b, D3DTEXTUREFILTERTYPE filter)
{
    const RECT source = {(LONG)a->x0, (LONG)a->y0, (LONG)a->x1, (LONG)a->y1};
    const RECT target = {(LONG)b->x0, (LONG)b->y0, (LONG)b->x1, (LONG)b->y1};
    bool depth = format_of(src)->layout == TEX_LAYOUT_DEPTH; /* whole surfaces, outside scenes */
    IDirect3DSurface9 *x = calls_surface(src, from->face, from->level);
    IDirect3DSurface9 *y = calls_surface(dst, to->face, to->level);
    HRESULT hr = D3DERR_INVALIDCALL;

    if (depth)
        IDirect3DDevice9_EndScene(device);
    if (x && y)
        hr = IDirect3DDevice9_StretchRect(device, x, depth ? NULL : &source, y,
                                          depth ? NULL : &target, filter);
    if (depth)
        IDirect3DDevice9_BeginScene(device);
    if (x)
        IDirect3DSurface9_Release(x);
    if (y)
        IDirect3DSurface9_Release(y);
    return hr;
}

enum status calls_copy(struct calls_stream *stream, const struct cmd_copy *p, HRESULT *hr)
{
    struct calls_resource *dst = calls_find(stream, p->dst.image, CMD_IMAGE);
    struct calls_resource *src = calls_find(stream, p->src.image, CMD_IMAGE);
    const struct tex_box from = {p->box.x0, p->box.y0, p->box.z0, p->box.x1, p->box.y1, p->box.z1};
    const struct cmd_box to = {p->x,
                               p->y,
                               p->z,
                               p->x + (p->box.x1 - p->box.x0),
                               p->y + (p->box.y1 - p->box.y0),
                               p->z + (p->box.z1 - p->box.z0)};

    if (!place_ok(dst, &p->dst) || !place_ok(src, &p->src) || !box_ok(src, p->src.level, &p->box) ||
        !box_ok(dst, p->dst.level, &to) || format_of(dst)->bytes != format_of(src)->bytes ||
        format_of(dst)->block_w != format_of(src)->block_w ||
        (format_of(dst) != format_of(src) && format_of(dst)->layout == TEX_LAYOUT_PLANAR))
        return ST_INVALID;
    if (!src->memory) { /* samples of a surface are slices: the first copy takes them all */
        if (!p->z)
            *hr = stretch(stream->device, src, &p->src, &p->box, dst, &p->dst, &to, D3DTEXF_NONE);
    } else if (!dst->memory) {
        *hr = send_box(stream->device, dst, &p->dst,
                       tex_image_level(src->memory, p->src.face, p->src.level), &from, p->x, p->y);
    } else {
        tex_copy(format_of(dst), tex_image_level(dst->memory, p->dst.face, p->dst.level), p->x,
                 p->y, p->z, tex_image_level(src->memory, p->src.face, p->src.level), &from);
        *hr = upload(dst, p->dst.face, p->dst.level);
    }
    return ST_OK;
}

enum status calls_stretch(struct calls_stream *stream, const struct cmd_stretch *p, HRESULT *hr)
{
    struct calls_resource *dst = calls_find(stream, p->dst.image, CMD_IMAGE);
    struct calls_resource *src = calls_find(stream, p->src.image, CMD_IMAGE);

    if (!place_ok(dst, &p->dst) || !place_ok(src, &p->src))
        return ST_INVALID;
    *hr = stretch(stream->device, src, &p->src, &p->src_box, dst, &p->dst, &p->dst_box,
                  (D3DTEXTUREFILTERTYPE)p->filter);
    return ST_OK;
}

/* A depth surface has no ColorFill: a clear with a colour target of its size fills it. */
static HRESULT fill_depth(IDirect3DDevice9 *device, IDirect3DSurface9 *surface,
                          const struct tex_format *format)
{
    IDirect3DSurface9 *target = NULL, *old_target = NULL, *old_depth = NULL;
    DWORD flags = D3DCLEAR_ZBUFFER | (format->caps & TEX_STENCIL ? D3DCLEAR_STENCIL : 0);
    D3DSURFACE_DESC desc;
    HRESULT hr = IDirect3DSurface9_GetDesc(surface, &desc);

    if (SUCCEEDED(hr))
        hr = IDirect3DDevice9_CreateRenderTarget(device, desc.Width, desc.Height, D3DFMT_A8R8G8B8,
                                                 desc.MultiSampleType, desc.MultiSampleQuality,
                                                 FALSE, &target, NULL);
    if (FAILED(hr))
        return hr;
    IDirect3DDevice9_GetRenderTarget(device, 0, &old_target);
    IDirect3DDevice9_GetDepthStencilSurface(device, &old_depth);
    IDirect3DDevice9_SetRenderTarget(device, 0, target);
    IDirect3DDevice9_SetDepthStencilSurface(device, surface);
    hr = IDirect3DDevice9_Clear(device, 0, NULL, flags, 0, 1.0f, 0);
    IDirect3DDevice9_SetRenderTarget(device, 0, old_target);
    IDirect3DDevice9_SetDepthStencilSurface(device, old_depth);
    if (old_target)
        IDirect3DSurface9_Release(old_target);
    if (old_depth)
        IDirect3DSurface9_Release(old_depth);
    IDirect3DSurface9_Release(target);
    return hr;
}

enum status calls_fill(struct calls_stream *stream, const struct cmd_fill *p, HRESULT *hr)
{
    struct calls_resource *dst = calls_find(stream, p->dst.image, CMD_IMAGE);
    const RECT rect = {(LONG)p->box.x0, (LONG)p->box.y0, (LONG)p->box.x1, (LONG)p->box.y1};
    IDirect3DSurface9 *surface;

    if (!place_ok(dst, &p->dst))
        return ST_INVALID;
    surface = calls_surface(dst, p->dst.face, p->dst.level);
    *hr = D3DERR_INVALIDCALL;
    if (!surface)
        return ST_OK;
    if (format_of(dst)->layout == TEX_LAYOUT_DEPTH) {
        *hr = fill_depth(stream->device, surface, format_of(dst));
        stream->set_view = true;
    } else {
        *hr = IDirect3DDevice9_ColorFill(stream->device, surface, &rect, (D3DCOLOR)p->colour);
    }
    IDirect3DSurface9_Release(surface);
    return ST_OK;
}

/* Levels that the program does not write: Direct3D generates those of the texture. */
enum status calls_generate_mips(struct calls_stream *stream, const struct cmd_generate_mips *p)
{
    struct calls_resource *r = calls_find(stream, p->image, CMD_IMAGE);

    if (!r)
        return ST_INVALID;
    if (r->texture) {
        IDirect3DBaseTexture9_SetAutoGenFilterType(r->texture, (D3DTEXTUREFILTERTYPE)p->filter);
        IDirect3DBaseTexture9_GenerateMipSubLevels(r->texture);
    }
    return r->memory ? tex_generate_mips(r->memory, p->filter) : ST_OK;
}
