/* IDirect3DTexture9, IDirect3DCubeTexture9 and IDirect3DVolumeTexture9: methods, levels and
 * destruction.
 * Tested by tests/unit/api/com/test_com.c and tests/unit/api/memory/test_lock_rules.c. */
#include "api/com/device.h"
#include "api/memory/memory.h"
#include "api/object/resource_methods.h"
#include "api/object/texture.h"
#include "api/window/window.h"
#include "cmd/cmd.h"
#include "util/alloc.h"
#include "util/fault_injection.h"

/* --- Methods of all shapes -------------------------------------------------------------------- */

/* Only managed textures have a most detailed level (SetLOD). */
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
    api_set_mip_filter(texture, filter);
    return D3D_OK;
}

static void generate_levels(struct texture *texture)
{
    ENTER_OBJECT(d, texture);

    (void)!api_generate_mips(texture);
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

/* NULL: no such face or level. */
static struct surface *level_of(struct texture *texture, UINT face, UINT level)
{
    if (face >= texture->faces || level >= texture->levels)
        return NULL;
    if (fault_is(FAULT_CUBE_FACE) &&
        (face == D3DCUBEMAP_FACE_POSITIVE_Y || face == D3DCUBEMAP_FACE_NEGATIVE_Y))
        face ^= 1;
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

    return sub ? api_surface_desc(sub, desc) : D3DERR_INVALIDCALL;
}

static HRESULT lock_rect(struct texture *texture, UINT face, UINT level, D3DLOCKED_RECT *out,
                         const RECT *rect, DWORD flags)
{
    ENTER_OBJECT(d, texture);
    struct surface *sub = level_of(texture, face, level);

    return sub ? api_lock_rect(sub, out, rect, flags) : D3DERR_INVALIDCALL;
}

static HRESULT unlock_rect(struct texture *texture, UINT face, UINT level)
{
    ENTER_OBJECT(d, texture);
    struct surface *sub = level_of(texture, face, level);

    return sub ? api_unlock_rect(sub, true) : D3DERR_INVALIDCALL;
}

static HRESULT add_dirty_rect(struct texture *texture, UINT face, const RECT *rect)
{
    ENTER_OBJECT(d, texture);
    struct tex_box box;

    if (face >= texture->faces || !api_surface_box(&texture->sub[0], rect, &box))
        return D3DERR_INVALIDCALL;
    api_mark_dirty(texture, face, 0, &box);
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

    return sub ? api_volume_desc(sub, desc) : D3DERR_INVALIDCALL;
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

    return sub ? api_lock_box(sub, out, box, flags) : D3DERR_INVALIDCALL;
}

static HRESULT WINAPI volumes_UnlockBox(IDirect3DVolumeTexture9 *iface, UINT level)
{
    struct texture *texture = texture_of(iface);
    struct surface *sub = level_of(texture, 0, level);
    ENTER_OBJECT(d, texture);

    return sub ? api_unlock_box(sub) : D3DERR_INVALIDCALL;
}

static HRESULT WINAPI volumes_AddDirtyBox(IDirect3DVolumeTexture9 *iface, const D3DBOX *in)
{
    struct texture *texture = texture_of(iface);
    ENTER_OBJECT(d, texture);
    struct tex_box box;

    if (!api_volume_box(&texture->sub[0], in, &box))
        return D3DERR_INVALIDCALL;
    api_mark_dirty(texture, 0, 0, &box);
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

/* --- Destruction ------------------------------------------------------------------------------ */

void api_texture_free(struct texture *texture)
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
    api_memory_fini(texture);
    cmd_destroy(d->stream, texture->image);
    cmd_destroy(d->stream, texture->second_element);
    d->video_bytes -= texture->video_bytes;
    api_object_fini(&texture->base);
    mem_free(texture->sub);
    mem_free(texture);
}

static void texture_destroy(struct object *obj)
{
    api_texture_free((struct texture *)obj);
}

#define TEXTURE_CLASS(name, I, vtable, recorded)                                                   \
    static const IID *const name##_iids[] = {&IID_IUnknown, &IID_IDirect3DResource9,               \
                                             &IID_IDirect3DBaseTexture9, &IID_##I, NULL};          \
    static const struct object_class name##_class = {&vtable, recorded, name##_iids,               \
                                                     texture_destroy};
TEXTURE_CLASS(texture, IDirect3DTexture9, texture_vtbl, RECORD_TEXTURE)
TEXTURE_CLASS(cube, IDirect3DCubeTexture9, cube_vtbl, RECORD_CUBE)
TEXTURE_CLASS(volumes, IDirect3DVolumeTexture9, volumes_vtbl, RECORD_VOLUMES)

const struct object_class *const api_texture_class[] = {
    [TEX_2D] = &texture_class, [TEX_CUBE_MAP] = &cube_class, [TEX_VOLUME_MAP] = &volumes_class};
