/* IDirect3DSurface9: creation, methods and containers of surfaces and texture levels.
 * Tested by tests/unit/api/com/test_com.c and tests/unit/api/memory/test_lock_rules.c. */
#include "api/adapter/adapter.h"
#include "api/api.h"
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/memory/memory.h"
#include "api/object/object.h"
#include "api/object/resource_methods.h"
#include "api/object/texture.h"
#include "api/window/window.h"
#include "cmd/cmd.h"
#include "util/alloc.h"
#include "util/log.h"

#include <string.h>

/* One GUID stands for the contents of the surface: replays of captures restore with it what no
 * other call can write (docs/formats.md). */
static HRESULT set_data(struct object *obj, REFGUID guid, const void *data, DWORD size, DWORD flags)
{
    static const GUID contents = RECORD_CONTENTS_GUID;
    ENTER_OBJECT(d, obj);

    if (!guid || !IsEqualGUID(guid, &contents))
        return api_object_set_data(obj, guid, data, size, flags);
    return data && api_restore_level((struct surface *)obj, data, size) ? D3D_OK
                                                                        : D3DERR_INVALIDCALL;
}

RESOURCE_METHODS_OF(IDirect3DSurface9, surface, D3DRTYPE_SURFACE, set_data)

/* --- IDirect3DSurface9 ------------------------------------------------------------------------ */

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
    return device_QueryInterface(&d->iface, iid, out);
}

HRESULT api_surface_desc(const struct surface *surface, D3DSURFACE_DESC *desc)
{
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

static HRESULT WINAPI surface_GetDesc(IDirect3DSurface9 *iface, D3DSURFACE_DESC *desc)
{
    return api_surface_desc(surface_of(iface), desc);
}

static HRESULT WINAPI surface_LockRect(IDirect3DSurface9 *iface, D3DLOCKED_RECT *out,
                                       const RECT *rect, DWORD flags)
{
    ENTER_OBJECT(d, iface);

    return api_lock_rect(surface_of(iface), out, rect, flags);
}

static HRESULT WINAPI surface_UnlockRect(IDirect3DSurface9 *iface)
{
    ENTER_OBJECT(d, iface);

    return api_unlock_rect(surface_of(iface), false);
}

static HRESULT WINAPI surface_GetDC(IDirect3DSurface9 *iface, HDC *out)
{
    struct surface *surface = surface_of(iface);
    ENTER_OBJECT(d, surface);

    if (!out || !surface->lockable)
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

/* --- Creation and destruction ----------------------------------------------------------------- */

static void drop_image(struct surface *surface)
{
    struct device *d = surface->base.device;

#ifdef _WIN32
    api_gdi_drop_dc(surface);
#endif
    api_lock_drop(surface);
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
/* Texture levels have this class too, but are destroyed by their texture, never by their own
 * counts. */
const struct object_class api_surface_class = {&surface_vtbl, RECORD_SURFACE, surface_iids,
                                               surface_destroy};

/* size: the stored one. */
static HRESULT create_image(struct device *d, const struct surface_args *args, cmd_handle *out,
                            struct tex_desc *stored)
{
    struct tex_desc desc = {
        .format = args->format,
        .shape = TEX_2D,
        .width = args->width,
        .height = args->height,
        .depth = 1,
        .levels = 1,
        .samples = api_sample_count(args->samples, args->quality),
        .unlocked = args->kind != IMAGE_PLAIN && !args->lockable,
    };

    uint32_t width = args->width, height = args->height;
    HRESULT hr;

    if (args->kind != IMAGE_PLAIN && !args->shared)
        api_alter_desc(d, args->kind == IMAGE_DEPTH, false, &desc, &width, &height);
    *stored = desc;
    stored->width = width;
    stored->height = height;
    if (args->shared)
        hr = api_shared_image(d->stream, &desc, args->shared, out);
    else
        hr = api_hresult(cmd_create_image(d->stream, &desc, NULL, out));
    return hr;
}

const struct cmd_stream *api_surface_locate(IDirect3DSurface9 *iface, struct cmd_surface *out)
{
    const struct surface *surface = surface_of(iface);

    *out = surface_ref(surface);
    return surface->base.device->stream;
}

enum status api_scratch_image(const struct surface *like, bool as_stored, cmd_handle *out)
{
    struct tex_desc desc = {.format = like->format->d3d,
                            .shape = TEX_2D,
                            .width = as_stored ? like->stored_width : like->width,
                            .height = as_stored ? like->stored_height : like->height,
                            .depth = 1,
                            .levels = 1,
                            .samples = 1};

    return cmd_create_image(like->base.device->stream, &desc, NULL, out);
}

/* stored: what the image has. */
static void describe(struct surface *surface, const struct surface_args *args,
                     const struct tex_desc *stored)
{
    static const DWORD implied[] = {[IMAGE_PLAIN] = 0,
                                    [IMAGE_TARGET] = D3DUSAGE_RENDERTARGET,
                                    [IMAGE_DEPTH] = D3DUSAGE_DEPTHSTENCIL};
    uint32_t rows = args->height;

    surface->format = tex_format_get(args->format);
    if (surface->format->layout == TEX_LAYOUT_PLANAR)
        rows = tex_slice_rows(surface->format, args->height);
    surface->width = args->width;
    surface->height = args->height;
    surface->depth = 1;
    surface->usage = args->usage | implied[args->kind];
    surface->pool = args->pool;
    surface->samples = args->samples;
    surface->quality = args->quality;
    surface->sample_count = api_sample_count(args->samples, args->quality);
    api_set_stored(surface, stored->width, stored->height, stored->samples);
    surface->plain = args->kind == IMAGE_PLAIN;
    surface->lockable = surface->plain || args->lockable;
    surface->discardable = args->discardable;
    surface->user_memory = args->user_memory;
    if (args->pool == D3DPOOL_DEFAULT)
        surface->video_bytes = (int64_t)tex_row_pitch(surface->format, args->width) *
                               (int64_t)rows * surface->sample_count;
    surface->base.device->video_bytes += surface->video_bytes;
}

HRESULT api_surface_create(struct surface **out, struct device *device,
                           const struct surface_args *args, bool implicit)
{
    struct surface *surface = mem_calloc(1, sizeof(*surface));
    struct tex_desc stored;
    HRESULT hr;

    *out = NULL;
    if (!surface)
        return E_OUTOFMEMORY;
    hr = create_image(device, args, &surface->image, &stored);
    if (FAILED(hr)) {
        mem_free(surface);
        return hr;
    }
    surface->base.device = device;
    surface->group = &surface->own_group;
    describe(surface, args, &stored);
    surface->base.blocks_reset = args->pool == D3DPOOL_DEFAULT;
    api_object_init(&surface->base, &api_surface_class, device, implicit ? 0 : 1);
    *out = surface;
    return D3D_OK;
}

HRESULT api_surface_recreate(struct surface *surface, const struct surface_args *args)
{
    cmd_handle image;
    struct tex_desc stored;
    HRESULT hr = create_image(surface->base.device, args, &image, &stored);

    if (FAILED(hr))
        return hr;
    drop_image(surface);
    surface->image = image;
    describe(surface, args, &stored);
    return D3D_OK;
}

/* --- Texture levels --------------------------------------------------------------------------- */

/* Static textures of the DEFAULT pool cannot be locked, except formats that always can, as ATI1 and
 * ATI2. */
static bool level_lockable(const struct texture *texture)
{
    return texture->pool != D3DPOOL_DEFAULT || (texture->usage & D3DUSAGE_DYNAMIC) ||
           api_format_is_ati(texture->format) || (texture->format->caps & TEX_LOCKABLE);
}

void api_surface_init_level(struct surface *surface, struct texture *texture, uint32_t face,
                            uint32_t level)
{
    bool volume = texture->shape == TEX_VOLUME_MAP;

    surface->base.class = volume ? &api_volume_class : &api_surface_class;
    surface->base.vtbl = record_vtbl(surface->base.class->record, surface->base.class->vtbl);
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
    api_set_stored(surface, texture->stored_width, texture->stored_height, 1);
    surface->lockable = level_lockable(texture);
    surface->group = &texture->group;
}
