/* Surfaces and the levels of textures: creation, lock rules, containers. */
#include "api/caps.h"
#include "api/device.h"
#include "api/objects.h"
#include "api/resource.h"
#include "util/alloc.h"
#include "util/log.h"

#include <string.h>

#ifdef _WIN32
#include "api/gdi.h"
#endif

RESOURCE_METHODS(IDirect3DSurface9, surface, D3DRTYPE_SURFACE)

static bool has_odd_rows(const struct tex_format *format)
{
    return format->d3d == (D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '1') ||
           format->d3d == (D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '2');
}

/* Rows and columns as programs see them. ATI1 and ATI2 pretend to be one byte a pixel, without
 * blocks (reference: locks/ati). */
struct view {
    uint32_t block_w, block_h, bytes;
};

static struct view view_of(const struct tex_format *format)
{
    if (has_odd_rows(format))
        return (struct view){1, 1, 1};
    return (struct view){format->block_w, format->block_h, format->bytes};
}

/* --- Boxes ------------------------------------------------------------------------------------ */

/* DXT images are whole blocks in every pool (reference: textures/block-size). */
bool api_block_size_ok(const struct tex_format *format, uint32_t width, uint32_t height)
{
    return format->layout != TEX_LAYOUT_BLOCK || has_odd_rows(format) ||
           !(width % format->block_w || height % format->block_h);
}

bool api_box_aligned(const struct tex_format *format, const struct tex_box *box, uint32_t width,
                     uint32_t height)
{
    uint32_t bw = format->block_w, bh = format->block_h;

    return !(box->x0 % bw || box->y0 % bh || (box->x1 % bw && box->x1 != width) ||
             (box->y1 % bh && box->y1 != height));
}

bool api_surface_box(const struct surface *surface, const RECT *rect, struct tex_box *box)
{
    *box = (struct tex_box){0, 0, 0, surface->width, surface->height, 1};
    if (!rect)
        return true;
    if (rect->left < 0 || rect->top < 0 || rect->left >= rect->right || rect->top >= rect->bottom ||
        (uint32_t)rect->right > surface->width || (uint32_t)rect->bottom > surface->height)
        return false;
    *box = (struct tex_box){(uint32_t)rect->left,  (uint32_t)rect->top,    0,
                            (uint32_t)rect->right, (uint32_t)rect->bottom, 1};
    return true;
}

static uint32_t clamp_to(LONG value, uint32_t limit)
{
    return value < 0 ? 0 : (uint32_t)value > limit ? limit : (uint32_t)value;
}

/* --- Locks ------------------------------------------------------------------------------------ */

static unsigned map_flags(const struct surface *surface, DWORD flags)
{
    unsigned map = flags & D3DLOCK_READONLY ? CMD_MAP_READ : CMD_MAP_READ | CMD_MAP_WRITE;
    bool dynamic = surface->pool == D3DPOOL_DEFAULT && (surface->usage & D3DUSAGE_DYNAMIC);

    if (dynamic && (flags & D3DLOCK_DISCARD) && !(flags & D3DLOCK_READONLY))
        map |= CMD_MAP_DISCARD;
    if (dynamic && (flags & D3DLOCK_NOOVERWRITE))
        map |= CMD_MAP_NO_WAIT;
    if (flags & D3DLOCK_DONOTWAIT)
        map |= CMD_MAP_TRY;
    return map;
}

/* Bytes of the level in blocks, without padding. */
static size_t packed_bytes(const struct surface *surface)
{
    const struct tex_format *format = surface->format;
    size_t columns = (surface->width + format->block_w - 1) / format->block_w;

    return columns * tex_block_rows(format, surface->height) * format->bytes;
}

static void copy_packed(const struct surface *surface, const struct tex_level *level, bool to_level)
{
    const struct tex_format *format = surface->format;
    size_t row = (size_t)(surface->width + format->block_w - 1) / format->block_w * format->bytes;

    for (uint32_t y = 0; y < tex_block_rows(format, surface->height); y++) {
        uint8_t *image = level->data + (size_t)y * level->row_pitch;

        if (to_level)
            memcpy(image, surface->staging + y * row, row);
        else
            memcpy(surface->staging + y * row, image, row);
    }
}

/* Programs may write width * height bytes, or all blocks, whichever is more. */
static HRESULT open_staging(struct surface *surface, const struct tex_level *level)
{
    size_t rows = (size_t)surface->width * surface->height, blocks = packed_bytes(surface);

    surface->staging = mem_calloc(1, rows > blocks ? rows : blocks);
    if (!surface->staging)
        return E_OUTOFMEMORY;
    copy_packed(surface, level, false);
    return D3D_OK;
}

static void close_staging(struct surface *surface)
{
    struct device *d = surface->base.device;
    struct tex_level level;

    if (!surface->read_only && cmd_map_image(d->stream, surface->image, surface->face,
                                             surface->level, CMD_MAP_WRITE, &level) == ST_OK) {
        copy_packed(surface, &level, true);
        cmd_unmap_image(d->stream, surface->image, true);
    }
    mem_free(surface->staging);
    surface->staging = NULL;
}

/* Maps the level; *bits is its first byte as the program shall see it. */
static HRESULT map_level(struct surface *surface, DWORD flags, struct tex_level *level)
{
    struct device *d = surface->base.device;
    enum status st;

    if (surface->user_memory) {
        level->data = surface->user_memory;
        level->row_pitch = surface->width * surface->format->bytes;
        return D3D_OK;
    }
    st = cmd_map_image(d->stream, surface->image, surface->face, surface->level,
                       map_flags(surface, flags), level);
    if (st == ST_OK && has_odd_rows(surface->format)) {
        HRESULT hr = open_staging(surface, level);

        cmd_unmap_image(d->stream, surface->image, false);
        level->data = surface->staging;
        level->row_pitch = surface->width;
        level->slice_pitch = surface->width * surface->height;
        return hr;
    }
    return api_hresult(st);
}

static void unmap_level(struct surface *surface)
{
    if (surface->user_memory)
        return;
    if (surface->staging)
        close_staging(surface);
    else
        cmd_unmap_image(surface->base.device->stream, surface->image, !surface->read_only);
}

static void note_lock(struct surface *surface, DWORD flags, const struct tex_box *box)
{
    surface->locked = true;
    surface->group->locks++;
    surface->read_only = flags & D3DLOCK_READONLY;
    if (surface->texture && !(flags & (D3DLOCK_READONLY | D3DLOCK_NO_DIRTY_UPDATE)))
        api_texture_dirty(surface->texture, surface->face, surface->level, box);
}

static HRESULT unlock(struct surface *surface)
{
    unmap_level(surface);
    surface->locked = false;
    surface->group->locks--;
    if (!surface->read_only)
        api_surface_written(surface);
    return D3D_OK;
}

/* DEFAULT resources refuse what others take with any rectangle at all, computing the address as
 * asked (reference: locks/rectangles). */
static bool rect_allowed(const struct surface *surface, const RECT *rect)
{
    struct tex_box box;

    if (!rect || surface->pool != D3DPOOL_DEFAULT)
        return true;
    return api_surface_box(surface, rect, &box) &&
           (has_odd_rows(surface->format) ||
            api_box_aligned(surface->format, &box, surface->width, surface->height));
}

HRESULT api_surface_lock(struct surface *surface, D3DLOCKED_RECT *out, const RECT *rect,
                         DWORD flags)
{
    struct tex_box box = {0, 0, 0, surface->width, surface->height, 1};
    struct view view = view_of(surface->format);
    struct tex_level level;
    ptrdiff_t offset = 0;
    HRESULT hr;

    if (!out || !surface->lockable || surface->locked || surface->group->dc_out ||
        !rect_allowed(surface, rect))
        return D3DERR_INVALIDCALL;
    hr = map_level(surface, flags, &level);
    if (FAILED(hr))
        return hr;
    if (rect) {
        offset = (ptrdiff_t)(rect->top / (LONG)view.block_h) * (ptrdiff_t)level.row_pitch +
                 (ptrdiff_t)(rect->left / (LONG)view.block_w) * (ptrdiff_t)view.bytes;
        box = (struct tex_box){clamp_to(rect->left, box.x1),  clamp_to(rect->top, box.y1),    0,
                               clamp_to(rect->right, box.x1), clamp_to(rect->bottom, box.y1), 1};
    }
    out->Pitch = (INT)level.row_pitch;
    out->pBits = level.data + offset;
    note_lock(surface, flags, &box);
    return D3D_OK;
}

HRESULT api_surface_unlock(struct surface *surface, bool by_texture)
{
    if (!surface->lockable)
        return D3DERR_INVALIDCALL;
    if (surface->group->dc_out)
        return D3D_OK; /* and does nothing (reference: locks/dc) */
    if (surface->locked)
        return unlock(surface);
    /* A second unlock is an error on plain and cube surfaces, not on textures. */
    return by_texture || (surface->texture && surface->texture->shape == TEX_2D)
               ? D3D_OK
               : D3DERR_INVALIDCALL;
}

static bool volume_box(const struct surface *volume, const D3DBOX *in, struct tex_box *box)
{
    *box = (struct tex_box){0, 0, 0, volume->width, volume->height, volume->depth};
    if (!in)
        return true;
    if (in->Left >= in->Right || in->Right > volume->width || in->Top >= in->Bottom ||
        in->Bottom > volume->height || in->Front >= in->Back || in->Back > volume->depth)
        return false;
    *box = (struct tex_box){in->Left, in->Top, in->Front, in->Right, in->Bottom, in->Back};
    return volume->format->layout != TEX_LAYOUT_BLOCK || has_odd_rows(volume->format) ||
           api_box_aligned(volume->format, box, volume->width, volume->height);
}

HRESULT api_volume_lock(struct surface *volume, D3DLOCKED_BOX *out, const D3DBOX *in, DWORD flags)
{
    struct view view = view_of(volume->format);
    struct tex_level level;
    struct tex_box box;
    HRESULT hr;

    if (!out)
        return D3DERR_INVALIDCALL;
    if (!volume->lockable) {
        out->pBits = NULL;
        return D3DERR_INVALIDCALL;
    }
    if (volume->locked || !volume_box(volume, in, &box))
        return D3DERR_INVALIDCALL;
    hr = map_level(volume, flags, &level);
    if (FAILED(hr))
        return hr;
    out->RowPitch = (INT)level.row_pitch;
    out->SlicePitch = (INT)level.slice_pitch;
    out->pBits = level.data + (size_t)box.z0 * level.slice_pitch +
                 (size_t)(box.y0 / view.block_h) * level.row_pitch +
                 (size_t)(box.x0 / view.block_w) * view.bytes;
    note_lock(volume, flags, &box);
    return D3D_OK;
}

HRESULT api_volume_unlock(struct surface *volume)
{
    return volume->lockable && volume->locked ? unlock(volume) : D3DERR_INVALIDCALL;
}

static HRESULT exchange_user(struct surface *surface, bool load)
{
    struct device *d = surface->base.device;
    size_t row = (size_t)surface->width * surface->format->bytes;
    uint8_t *user = surface->user_memory;
    struct tex_level level;
    enum status st;

    if (!user)
        return D3D_OK;
    st = cmd_map_image(d->stream, surface->image, surface->face, surface->level,
                       load ? CMD_MAP_WRITE : CMD_MAP_READ, &level);
    if (st != ST_OK)
        return api_hresult(st);
    for (uint32_t y = 0; y < surface->height; y++, user += row) {
        uint8_t *image = level.data + (size_t)y * level.row_pitch;

        if (load)
            memcpy(image, user, row);
        else
            memcpy(user, image, row);
    }
    cmd_unmap_image(d->stream, surface->image, load);
    return D3D_OK;
}

HRESULT api_surface_load_user(struct surface *surface)
{
    return exchange_user(surface, true);
}

HRESULT api_surface_store_user(struct surface *surface)
{
    return exchange_user(surface, false);
}

void api_surface_written(struct surface *surface)
{
    if (surface->texture && !surface->level)
        surface->texture->stale = true;
}

/* --- Methods of surfaces ---------------------------------------------------------------------- */

static HRESULT WINAPI surface_GetContainer(IDirect3DSurface9 *iface, REFIID iid, void **out)
{
    struct surface *surface = surface_of(iface);
    ENTER_OBJECT(d, surface);

    if (!out)
        return D3DERR_INVALIDCALL;
    if (surface->texture)
        return api_object_query(&surface->texture->base, iid, out);
    if (surface->chain)
        return api_object_query((struct object *)surface->chain, iid, out);
    return IDirect3DDevice9Ex_QueryInterface(&d->iface, iid, out);
}

static HRESULT WINAPI surface_GetDesc(IDirect3DSurface9 *iface, D3DSURFACE_DESC *desc)
{
    const struct surface *surface = surface_of(iface);

    if (!desc)
        return D3DERR_INVALIDCALL;
    *desc = (D3DSURFACE_DESC){
        .Format = surface->format->d3d,
        .Type = D3DRTYPE_SURFACE,
        .Usage = surface->usage,
        .Pool = surface->pool,
        .MultiSampleType = surface->samples,
        .MultiSampleQuality = surface->quality,
        .Width = surface->width,
        .Height = surface->height,
    };
    return D3D_OK;
}

static HRESULT WINAPI surface_LockRect(IDirect3DSurface9 *iface, D3DLOCKED_RECT *out,
                                       const RECT *rect, DWORD flags)
{
    ENTER_OBJECT(d, iface);

    return api_surface_lock(surface_of(iface), out, rect, flags);
}

static HRESULT WINAPI surface_UnlockRect(IDirect3DSurface9 *iface)
{
    ENTER_OBJECT(d, iface);

    return api_surface_unlock(surface_of(iface), false);
}

static HRESULT WINAPI surface_GetDC(IDirect3DSurface9 *iface, HDC *out)
{
    struct surface *surface = surface_of(iface);
    ENTER_OBJECT(d, surface);

    if (!out || !surface->lockable || surface->group->dc_out || surface->group->locks)
        return D3DERR_INVALIDCALL;
#ifdef _WIN32
    return api_gdi_get_dc(surface, out);
#else
    log_once("api", "GetDC", "IDirect3DSurface9::GetDC needs Windows");
    return D3DERR_INVALIDCALL;
#endif
}

static HRESULT WINAPI surface_ReleaseDC(IDirect3DSurface9 *iface, HDC dc)
{
    struct surface *surface = surface_of(iface);
    ENTER_OBJECT(d, surface);

    (void)dc;
    if (!surface->dc)
        return D3DERR_INVALIDCALL;
#ifdef _WIN32
    return api_gdi_release_dc(surface, dc);
#else
    return D3DERR_INVALIDCALL;
#endif
}

/* clang-format off */
static const IDirect3DSurface9Vtbl surface_vtbl = {
    RESOURCE_VTBL(surface),
    .GetContainer = surface_GetContainer,
    .GetDesc = surface_GetDesc,
    .LockRect = surface_LockRect,
    .UnlockRect = surface_UnlockRect,
    .GetDC = surface_GetDC,
    .ReleaseDC = surface_ReleaseDC,
};
/* clang-format on */

/* --- Life ------------------------------------------------------------------------------------- */

static void drop_image(struct surface *surface)
{
    struct device *d = surface->base.device;

#ifdef _WIN32
    api_gdi_drop_dc(surface);
#endif
    if (surface->locked)
        unlock(surface);
    cmd_destroy(d->stream, surface->image);
    surface->image = 0;
    d->video_bytes -= surface->video_bytes;
    surface->video_bytes = 0;
}

static void surface_destroy(struct object *obj)
{
    struct surface *surface = (struct surface *)obj;

    drop_image(surface);
    api_object_fini(obj);
    mem_free(surface);
}

static const IID *const surface_iids[] = {&IID_IUnknown, &IID_IDirect3DResource9,
                                          &IID_IDirect3DSurface9, NULL};
/* Levels of textures use it too; they die with their texture and never by their own counts. */
const struct object_class api_surface_class = {&surface_vtbl, surface_iids, surface_destroy};

static HRESULT create_image(struct device *d, const struct surface_args *args, cmd_handle *out)
{
    struct tex_desc desc = {
        .format = args->format,
        .shape = TEX_2D,
        .width = args->width,
        .height = args->height,
        .depth = 1,
        .levels = 1,
        .samples = api_sample_count(args->samples, args->quality),
    };
    return api_hresult(cmd_create_image(d->stream, &desc, NULL, out));
}

enum status api_scratch_image(const struct surface *like, cmd_handle *out)
{
    struct tex_desc desc = {.format = like->format->d3d,
                            .shape = TEX_2D,
                            .width = like->width,
                            .height = like->height,
                            .depth = 1,
                            .levels = 1,
                            .samples = 1};

    return cmd_create_image(like->base.device->stream, &desc, NULL, out);
}

static void describe(struct surface *surface, const struct surface_args *args)
{
    static const DWORD implied[] = {[IMAGE_PLAIN] = 0,
                                    [IMAGE_TARGET] = D3DUSAGE_RENDERTARGET,
                                    [IMAGE_DEPTH] = D3DUSAGE_DEPTHSTENCIL};

    surface->format = tex_format_get(args->format);
    surface->width = args->width;
    surface->height = args->height;
    surface->depth = 1;
    surface->usage = args->usage | implied[args->kind];
    surface->pool = args->pool;
    surface->samples = args->samples;
    surface->quality = args->quality;
    surface->sample_count = api_sample_count(args->samples, args->quality);
    surface->plain = args->kind == IMAGE_PLAIN;
    surface->lockable = surface->plain || args->lockable;
    surface->discardable = args->discardable;
    surface->user_memory = args->user_memory;
    if (args->pool == D3DPOOL_DEFAULT)
        surface->video_bytes = (int64_t)tex_row_pitch(surface->format, args->width) *
                               (int64_t)args->height * surface->sample_count;
    surface->base.device->video_bytes += surface->video_bytes;
}

HRESULT api_surface_create(struct surface **out, struct device *device,
                           const struct surface_args *args, bool implicit)
{
    struct surface *surface = mem_calloc(1, sizeof(*surface));
    HRESULT hr;

    *out = NULL;
    if (!surface)
        return E_OUTOFMEMORY;
    hr = create_image(device, args, &surface->image);
    if (FAILED(hr)) {
        mem_free(surface);
        return hr;
    }
    surface->base.device = device;
    surface->group = &surface->own_group;
    describe(surface, args);
    surface->base.blocks_reset = args->pool == D3DPOOL_DEFAULT;
    api_object_init(&surface->base, &api_surface_class, device, implicit ? 0 : 1);
    *out = surface;
    return D3D_OK;
}

HRESULT api_surface_renew(struct surface *surface, const struct surface_args *args)
{
    cmd_handle image;
    HRESULT hr = create_image(surface->base.device, args, &image);

    if (FAILED(hr))
        return hr;
    drop_image(surface);
    surface->image = image;
    describe(surface, args);
    return D3D_OK;
}

/* --- Levels of textures ----------------------------------------------------------------------- */

/* Static textures of the DEFAULT pool cannot be locked; ATI1 and ATI2 always can. */
static bool level_lockable(const struct texture *texture)
{
    return texture->pool != D3DPOOL_DEFAULT || (texture->usage & D3DUSAGE_DYNAMIC) ||
           has_odd_rows(texture->format) || (texture->format->caps & TEX_LOCKABLE);
}

void api_surface_init_level(struct surface *surface, struct texture *texture, uint32_t face,
                            uint32_t level)
{
    bool volume = texture->shape == TEX_VOLUME_MAP;

    surface->base.class = volume ? &api_volume_class : &api_surface_class;
    surface->base.vtbl = surface->base.class->vtbl;
    surface->base.device = texture->base.device;
    surface->base.owner = &texture->base;
    surface->texture = texture;
    surface->image = texture->image;
    surface->face = face;
    surface->level = level;
    surface->format = texture->format;
    surface->width = texture->width >> level ? texture->width >> level : 1;
    surface->height = texture->height >> level ? texture->height >> level : 1;
    surface->depth = texture->depth >> level ? texture->depth >> level : 1;
    surface->usage = texture->usage;
    surface->pool = texture->pool;
    surface->sample_count = 1;
    surface->lockable = level_lockable(texture);
    surface->group = &texture->group;
}
