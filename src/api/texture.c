/* Textures of all shapes: creation rules, methods, levels. */
#include "api/caps.h"
#include "api/device.h"
#include "api/resource.h"
#include "util/alloc.h"
#include "util/log.h"

#include <string.h>

#ifdef _WIN32
#include "api/gdi.h"
#endif

/* --- What all shapes share -------------------------------------------------------------------- */

/* Only managed textures have a most detailed level to choose. */
static DWORD set_lod(struct texture *texture, DWORD lod)
{
    ENTER_OBJECT(d, texture);
    struct cmd_set_texture_lod packet;
    DWORD old = texture->lod;

    if (!pool_managed(texture->pool))
        return 0;
    packet.image = texture->image;
    packet.lod = lod < texture->levels ? lod : texture->levels - 1;
    if (cmd_emit_set_texture_lod(d->stream, &packet, NULL, 0) == ST_OK)
        texture->lod = packet.lod;
    return old;
}

static HRESULT set_auto_filter(struct texture *texture, D3DTEXTUREFILTERTYPE filter)
{
    ENTER_OBJECT(d, texture);

    if (filter == D3DTEXF_NONE)
        return D3DERR_INVALIDCALL;
    if (texture->auto_filter != filter)
        texture->stale = true;
    texture->auto_filter = filter;
    return D3D_OK;
}

static void generate_levels(struct texture *texture)
{
    ENTER_OBJECT(d, texture);
    struct cmd_generate_mips packet = {texture->image, texture->auto_filter};

    if (texture->generates && cmd_emit_generate_mips(d->stream, &packet, NULL, 0) == ST_OK)
        texture->stale = false;
}

#define BASE_TEXTURE_METHODS(I, prefix, resource_type)                                             \
    RESOURCE_METHODS(I, prefix, resource_type)                                                     \
    static DWORD WINAPI prefix##_SetLOD(I *iface, DWORD lod)                                       \
    {                                                                                              \
        return set_lod(texture_of(iface), lod);                                                    \
    }                                                                                              \
    static DWORD WINAPI prefix##_GetLOD(I *iface)                                                  \
    {                                                                                              \
        return texture_of(iface)->lod;                                                             \
    }                                                                                              \
    static DWORD WINAPI prefix##_GetLevelCount(I *iface)                                           \
    {                                                                                              \
        return texture_of(iface)->levels;                                                          \
    }                                                                                              \
    static HRESULT WINAPI prefix##_SetAutoGenFilterType(I *iface, D3DTEXTUREFILTERTYPE filter)     \
    {                                                                                              \
        return set_auto_filter(texture_of(iface), filter);                                         \
    }                                                                                              \
    static D3DTEXTUREFILTERTYPE WINAPI prefix##_GetAutoGenFilterType(I *iface)                     \
    {                                                                                              \
        return texture_of(iface)->auto_filter;                                                     \
    }                                                                                              \
    static void WINAPI prefix##_GenerateMipSubLevels(I *iface)                                     \
    {                                                                                              \
        generate_levels(texture_of(iface));                                                        \
    }
/* clang-format off */
#define BASE_TEXTURE_VTBL(prefix)                                                                  \
    RESOURCE_VTBL(prefix), .SetLOD = prefix##_SetLOD, .GetLOD = prefix##_GetLOD,                   \
        .GetLevelCount = prefix##_GetLevelCount,                                                   \
        .SetAutoGenFilterType = prefix##_SetAutoGenFilterType,                                     \
        .GetAutoGenFilterType = prefix##_GetAutoGenFilterType,                                     \
        .GenerateMipSubLevels = prefix##_GenerateMipSubLevels
/* clang-format on */

/* NULL for a face or level that does not exist. */
static struct surface *level_of(struct texture *texture, UINT face, UINT level)
{
    if (face >= texture->faces || level >= texture->levels)
        return NULL;
    return &texture->sub[face * texture->levels + level];
}

static HRESULT get_level(struct texture *texture, UINT face, UINT level, void *out)
{
    struct surface *sub = level_of(texture, face, level);

    if (!out)
        return D3DERR_INVALIDCALL;
    *(void **)out = sub;
    if (!sub)
        return D3DERR_INVALIDCALL;
    api_object_addref(&sub->base);
    return D3D_OK;
}

static HRESULT get_level_desc(struct texture *texture, UINT level, D3DSURFACE_DESC *desc)
{
    struct surface *sub = level_of(texture, 0, level);

    return sub ? IDirect3DSurface9_GetDesc((IDirect3DSurface9 *)sub, desc) : D3DERR_INVALIDCALL;
}

static HRESULT lock_rect(struct texture *texture, UINT face, UINT level, D3DLOCKED_RECT *out,
                         const RECT *rect, DWORD flags)
{
    ENTER_OBJECT(d, texture);
    struct surface *sub = level_of(texture, face, level);

    return sub ? api_surface_lock(sub, out, rect, flags) : D3DERR_INVALIDCALL;
}

static HRESULT unlock_rect(struct texture *texture, UINT face, UINT level)
{
    ENTER_OBJECT(d, texture);
    struct surface *sub = level_of(texture, face, level);

    return sub ? api_surface_unlock(sub, true) : D3DERR_INVALIDCALL;
}

static HRESULT add_dirty_rect(struct texture *texture, UINT face, const RECT *rect)
{
    ENTER_OBJECT(d, texture);
    struct tex_box box;

    if (face >= texture->faces || !api_surface_box(&texture->sub[0], rect, &box))
        return D3DERR_INVALIDCALL;
    api_texture_dirty(texture, face, 0, &box);
    return D3D_OK;
}

/* --- IDirect3DTexture9 ------------------------------------------------------------------------ */

BASE_TEXTURE_METHODS(IDirect3DTexture9, texture, D3DRTYPE_TEXTURE)

static HRESULT WINAPI texture_GetLevelDesc(IDirect3DTexture9 *iface, UINT level,
                                           D3DSURFACE_DESC *desc)
{
    return get_level_desc(texture_of(iface), level, desc);
}

static HRESULT WINAPI texture_GetSurfaceLevel(IDirect3DTexture9 *iface, UINT level,
                                              IDirect3DSurface9 **out)
{
    return get_level(texture_of(iface), 0, level, out);
}

static HRESULT WINAPI texture_LockRect(IDirect3DTexture9 *iface, UINT level, D3DLOCKED_RECT *out,
                                       const RECT *rect, DWORD flags)
{
    return lock_rect(texture_of(iface), 0, level, out, rect, flags);
}

static HRESULT WINAPI texture_UnlockRect(IDirect3DTexture9 *iface, UINT level)
{
    return unlock_rect(texture_of(iface), 0, level);
}

static HRESULT WINAPI texture_AddDirtyRect(IDirect3DTexture9 *iface, const RECT *rect)
{
    return add_dirty_rect(texture_of(iface), 0, rect);
}

/* clang-format off */
static const IDirect3DTexture9Vtbl texture_vtbl = {
    BASE_TEXTURE_VTBL(texture),
    .GetLevelDesc = texture_GetLevelDesc,
    .GetSurfaceLevel = texture_GetSurfaceLevel,
    .LockRect = texture_LockRect,
    .UnlockRect = texture_UnlockRect,
    .AddDirtyRect = texture_AddDirtyRect,
};
/* clang-format on */

/* --- IDirect3DCubeTexture9 -------------------------------------------------------------------- */

BASE_TEXTURE_METHODS(IDirect3DCubeTexture9, cube, D3DRTYPE_CUBETEXTURE)

static HRESULT WINAPI cube_GetLevelDesc(IDirect3DCubeTexture9 *iface, UINT level,
                                        D3DSURFACE_DESC *desc)
{
    return get_level_desc(texture_of(iface), level, desc);
}

static HRESULT WINAPI cube_GetCubeMapSurface(IDirect3DCubeTexture9 *iface, D3DCUBEMAP_FACES face,
                                             UINT level, IDirect3DSurface9 **out)
{
    return get_level(texture_of(iface), face, level, out);
}

static HRESULT WINAPI cube_LockRect(IDirect3DCubeTexture9 *iface, D3DCUBEMAP_FACES face, UINT level,
                                    D3DLOCKED_RECT *out, const RECT *rect, DWORD flags)
{
    return lock_rect(texture_of(iface), face, level, out, rect, flags);
}

static HRESULT WINAPI cube_UnlockRect(IDirect3DCubeTexture9 *iface, D3DCUBEMAP_FACES face,
                                      UINT level)
{
    return unlock_rect(texture_of(iface), face, level);
}

static HRESULT WINAPI cube_AddDirtyRect(IDirect3DCubeTexture9 *iface, D3DCUBEMAP_FACES face,
                                        const RECT *rect)
{
    return add_dirty_rect(texture_of(iface), face, rect);
}

/* clang-format off */
static const IDirect3DCubeTexture9Vtbl cube_vtbl = {
    BASE_TEXTURE_VTBL(cube),
    .GetLevelDesc = cube_GetLevelDesc,
    .GetCubeMapSurface = cube_GetCubeMapSurface,
    .LockRect = cube_LockRect,
    .UnlockRect = cube_UnlockRect,
    .AddDirtyRect = cube_AddDirtyRect,
};
/* clang-format on */

/* --- IDirect3DVolumeTexture9 ------------------------------------------------------------------ */

BASE_TEXTURE_METHODS(IDirect3DVolumeTexture9, volumes, D3DRTYPE_VOLUMETEXTURE)

static HRESULT WINAPI volumes_GetLevelDesc(IDirect3DVolumeTexture9 *iface, UINT level,
                                           D3DVOLUME_DESC *desc)
{
    struct surface *sub = level_of(texture_of(iface), 0, level);

    return sub ? IDirect3DVolume9_GetDesc((IDirect3DVolume9 *)sub, desc) : D3DERR_INVALIDCALL;
}

static HRESULT WINAPI volumes_GetVolumeLevel(IDirect3DVolumeTexture9 *iface, UINT level,
                                             IDirect3DVolume9 **out)
{
    return get_level(texture_of(iface), 0, level, out);
}

static HRESULT WINAPI volumes_LockBox(IDirect3DVolumeTexture9 *iface, UINT level,
                                      D3DLOCKED_BOX *out, const D3DBOX *box, DWORD flags)
{
    struct texture *texture = texture_of(iface);
    struct surface *sub = level_of(texture, 0, level);
    ENTER_OBJECT(d, texture);

    return sub ? api_volume_lock(sub, out, box, flags) : D3DERR_INVALIDCALL;
}

static HRESULT WINAPI volumes_UnlockBox(IDirect3DVolumeTexture9 *iface, UINT level)
{
    struct texture *texture = texture_of(iface);
    struct surface *sub = level_of(texture, 0, level);
    ENTER_OBJECT(d, texture);

    return sub ? api_volume_unlock(sub) : D3DERR_INVALIDCALL;
}

static HRESULT WINAPI volumes_AddDirtyBox(IDirect3DVolumeTexture9 *iface, const D3DBOX *in)
{
    struct texture *texture = texture_of(iface);
    ENTER_OBJECT(d, texture);
    struct tex_box box;

    if (!api_volume_box(&texture->sub[0], in, &box))
        return D3DERR_INVALIDCALL;
    api_texture_dirty(texture, 0, 0, &box);
    return D3D_OK;
}

/* clang-format off */
static const IDirect3DVolumeTexture9Vtbl volumes_vtbl = {
    BASE_TEXTURE_VTBL(volumes),
    .GetLevelDesc = volumes_GetLevelDesc,
    .GetVolumeLevel = volumes_GetVolumeLevel,
    .LockBox = volumes_LockBox,
    .UnlockBox = volumes_UnlockBox,
    .AddDirtyBox = volumes_AddDirtyBox,
};
/* clang-format on */

/* --- Creation --------------------------------------------------------------------------------- */

static void texture_free(struct texture *texture)
{
    struct device *d = texture->base.device;

    for (uint32_t i = 0; texture->sub && i < texture->faces * texture->levels; i++) {
        struct surface *sub = &texture->sub[i];

#ifdef _WIN32
        api_gdi_drop_dc(sub);
#endif
        api_lock_drop(sub);
        api_object_fini(&sub->base);
    }
    api_managed_delist(texture);
    if (texture->sub && api_managed_is_split(texture))
        cmd_destroy(d->stream, texture->sub[0].image);
    cmd_destroy(d->stream, texture->image);
    d->video_bytes -= texture->video_bytes;
    api_object_fini(&texture->base);
    mem_free(texture->linear);
    mem_free(texture->sub);
    mem_free(texture);
}

static void texture_destroy(struct object *obj)
{
    texture_free((struct texture *)obj);
}

#define TEXTURE_CLASS(name, I, vtable)                                                             \
    static const IID *const name##_iids[] = {&IID_IUnknown, &IID_IDirect3DResource9,               \
                                             &IID_IDirect3DBaseTexture9, &IID_##I, NULL};          \
    static const struct object_class name##_class = {&vtable, name##_iids, texture_destroy};
TEXTURE_CLASS(texture, IDirect3DTexture9, texture_vtbl)
TEXTURE_CLASS(cube, IDirect3DCubeTexture9, cube_vtbl)
TEXTURE_CLASS(volumes, IDirect3DVolumeTexture9, volumes_vtbl)

static uint32_t full_chain(uint32_t w, uint32_t h, uint32_t depth)
{
    uint32_t largest = w > h ? w : h, levels = 1;

    for (largest = depth > largest ? depth : largest; largest > 1; largest >>= 1)
        levels++;
    return levels;
}

static bool size_ok(const struct texture_args *args, const struct tex_format *format,
                    const D3DCAPS9 *caps)
{
    UINT limit = args->shape == TEX_VOLUME_MAP ? caps->MaxVolumeExtent : caps->MaxTextureWidth;

    return args->width && args->height && args->depth && args->width <= limit &&
           args->height <= limit && args->depth <= limit &&
           api_block_size_ok(format, args->width, args->height);
}

static bool usage_ok(const struct texture_args *args, const struct tex_format *format)
{
    const DWORD targets = D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL;
    DWORD usage = args->usage;
    bool on_device = args->pool == D3DPOOL_DEFAULT;

    if (!api_image_usage_ok(usage))
        return false;
    if ((usage & targets) &&
        (!on_device || (usage & D3DUSAGE_DYNAMIC) || args->shape == TEX_VOLUME_MAP))
        return false;
    if ((usage & D3DUSAGE_RENDERTARGET) && !(format->caps & TEX_TARGET))
        return false;
    if ((usage & D3DUSAGE_DEPTHSTENCIL) && !(format->caps & TEX_DEPTHSTENCIL))
        return false;
    if ((usage & D3DUSAGE_DYNAMIC) && (pool_managed(args->pool) || args->pool == D3DPOOL_SCRATCH))
        return false;
    if (usage & D3DUSAGE_AUTOGENMIPMAP)
        return args->levels <= 1 && args->shape != TEX_VOLUME_MAP &&
               (on_device || pool_managed(args->pool));
    return true;
}

static bool format_ok(const struct texture_args *args, const struct tex_format *format)
{
    static const uint32_t shape_caps[] = {
        [TEX_2D] = TEX_SAMPLE, [TEX_CUBE_MAP] = TEX_CUBE, [TEX_VOLUME_MAP] = TEX_VOLUME};

    if (args->pool == D3DPOOL_SCRATCH) /* whatever the renderer may do with it */
        return format->layout != TEX_LAYOUT_DEPTH && format->layout != TEX_LAYOUT_RAW;
    if (format->layout == TEX_LAYOUT_DEPTH && args->pool != D3DPOOL_DEFAULT)
        return false;
    if (format->layout == TEX_LAYOUT_RAW) /* the NULL format is a target and nothing else */
        return (args->usage & D3DUSAGE_RENDERTARGET) && args->shape == TEX_2D;
    return format->caps & shape_caps[args->shape];
}

static HRESULT check_args(const struct texture_args *args, const struct tex_format *format,
                          const struct device *d)
{
    if (args->shared && !d->ex)
        return E_NOTIMPL;
    if (!format || !pool_exists(args->pool, d->ex) || !size_ok(args, format, &d->caps) ||
        !usage_ok(args, format) || !format_ok(args, format))
        return D3DERR_INVALIDCALL;
    if (args->levels > full_chain(args->width, args->height, args->depth))
        return D3DERR_INVALIDCALL;
    /* "User memory": only a 2D texture of one level (reference: resources/user-memory). */
    if (args->shared && args->pool != D3DPOOL_DEFAULT &&
        (args->pool != D3DPOOL_SYSTEMMEM || args->shape != TEX_2D || args->levels != 1))
        return D3DERR_INVALIDCALL;
    if (args->shared && args->pool == D3DPOOL_DEFAULT)
        log_once("api", "shared", "sharing between processes is not supported: made a private one");
    return D3D_OK;
}

static void describe(struct texture *texture, const struct texture_args *args,
                     const struct tex_format *format, uint32_t image_levels)
{
    texture->format = format;
    texture->shape = args->shape;
    texture->width = args->width;
    texture->height = args->height;
    texture->depth = args->depth;
    texture->faces = args->shape == TEX_CUBE_MAP ? 6 : 1;
    texture->levels = args->usage & D3DUSAGE_AUTOGENMIPMAP ? 1 : image_levels;
    texture->generates = image_levels > texture->levels;
    texture->stale = texture->generates;
    texture->usage = args->usage;
    texture->pool = args->pool;
    texture->auto_filter = D3DTEXF_LINEAR;
    api_texture_all_dirty(texture);
}

static HRESULT build(struct texture *texture, const struct texture_args *args)
{
    struct device *d = texture->base.device;
    bool auto_gen = args->usage & D3DUSAGE_AUTOGENMIPMAP;
    const struct tex_format *format = tex_format_get(args->format);
    uint32_t all = full_chain(args->width, args->height, args->depth);
    struct tex_desc desc = {
        .format = args->format,
        .shape = args->shape,
        .width = args->width,
        .height = args->height,
        .depth = args->depth,
        .levels =
            auto_gen ? (format->caps & TEX_MIPGEN ? all : 1) : (args->levels ? args->levels : all),
        .samples = 1,
    };
    enum status st = cmd_create_image(d->stream, &desc, NULL, &texture->image);

    if (st != ST_OK)
        return api_hresult(st);
    describe(texture, args, format, desc.levels);
    texture->sub = mem_calloc((size_t)texture->faces * texture->levels, sizeof(*texture->sub));
    if (!texture->sub)
        return E_OUTOFMEMORY;
    for (uint32_t face = 0; face < texture->faces; face++)
        for (uint32_t level = 0; level < texture->levels; level++)
            api_surface_init_level(&texture->sub[face * texture->levels + level], texture, face,
                                   level);
    if (args->pool == D3DPOOL_DEFAULT || pool_managed(args->pool))
        texture->video_bytes = (int64_t)cmd_image(d->stream, texture->image)->bytes;
    d->video_bytes += texture->video_bytes;
    return D3D_OK;
}

HRESULT api_texture_create(struct texture **out, struct device *device,
                           const struct texture_args *args)
{
    static const struct object_class *const classes[] = {
        [TEX_2D] = &texture_class, [TEX_CUBE_MAP] = &cube_class, [TEX_VOLUME_MAP] = &volumes_class};
    struct texture *texture;
    HRESULT hr;

    *out = NULL;
    hr = check_args(args, api_format_get(args->format, device->ex), device);
    if (FAILED(hr))
        return hr;
    texture = mem_calloc(1, sizeof(*texture));
    if (!texture)
        return E_OUTOFMEMORY;
    texture->base.device = device;
    hr = build(texture, args);
    if (FAILED(hr)) {
        texture_free(texture);
        return hr;
    }
    if (args->shared && args->pool == D3DPOOL_SYSTEMMEM)
        texture->sub[0].user_memory = *args->shared;
    texture->base.blocks_reset = args->pool == D3DPOOL_DEFAULT;
    api_object_init(&texture->base, classes[args->shape], device, 1);
    api_managed_enlist(texture);
    *out = texture;
    return D3D_OK;
}

/* --- The device's methods --------------------------------------------------------------------- */

static HRESULT create(void *iface, const struct texture_args *args, void *out)
{
    ENTER(d, iface);

    return out ? api_texture_create(out, d, args) : D3DERR_INVALIDCALL;
}

HRESULT WINAPI device_CreateTexture(IDirect3DDevice9Ex *iface, UINT width, UINT height, UINT levels,
                                    DWORD usage, D3DFORMAT format, D3DPOOL pool,
                                    IDirect3DTexture9 **out, HANDLE *shared)
{
    return create(
        iface,
        &(struct texture_args){TEX_2D, width, height, 1, levels, usage, format, pool, shared}, out);
}

HRESULT WINAPI device_CreateVolumeTexture(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                          UINT depth, UINT levels, DWORD usage, D3DFORMAT format,
                                          D3DPOOL pool, IDirect3DVolumeTexture9 **out,
                                          HANDLE *shared)
{
    return create(iface,
                  &(struct texture_args){TEX_VOLUME_MAP, width, height, depth, levels, usage,
                                         format, pool, shared},
                  out);
}

HRESULT WINAPI device_CreateCubeTexture(IDirect3DDevice9Ex *iface, UINT edge, UINT levels,
                                        DWORD usage, D3DFORMAT format, D3DPOOL pool,
                                        IDirect3DCubeTexture9 **out, HANDLE *shared)
{
    return create(
        iface,
        &(struct texture_args){TEX_CUBE_MAP, edge, edge, 1, levels, usage, format, pool, shared},
        out);
}
