/* IDirect3DVolume9: a level of a volume texture. It is not a resource, and shares its texture's
 * reference counts.
 * Tested by tests/unit/api/com/test_com.c and tests/unit/api/memory/test_lock.c. */
#include "api/com/device.h"
#include "api/memory/memory.h"
#include "api/object/texture.h"

OBJECT_METHODS(IDirect3DVolume9, volume)
PRIVATE_DATA_METHODS(IDirect3DVolume9, volume)

static HRESULT WINAPI volume_GetContainer(IDirect3DVolume9 *iface, REFIID iid, void **out)
{
    if (!out)
        return D3DERR_INVALIDCALL;
    return api_object_query(&surface_of(iface)->texture->base, iid, out);
}

HRESULT api_volume_desc(const struct surface *volume, D3DVOLUME_DESC *desc)
{
    if (!desc)
        return D3DERR_INVALIDCALL;
    *desc = (D3DVOLUME_DESC){
        .Format = volume->format->d3d,
        .Type = D3DRTYPE_VOLUME,
        .Usage = volume->usage,
        .Pool = volume->pool,
        .Width = volume->width,
        .Height = volume->height,
        .Depth = volume->depth,
    };
    return D3D_OK;
}

static HRESULT WINAPI volume_GetDesc(IDirect3DVolume9 *iface, D3DVOLUME_DESC *desc)
{
    return api_volume_desc(surface_of(iface), desc);
}

static HRESULT WINAPI volume_LockBox(IDirect3DVolume9 *iface, D3DLOCKED_BOX *out, const D3DBOX *box,
                                     DWORD flags)
{
    ENTER_OBJECT(d, iface);

    return api_lock_box(surface_of(iface), out, box, flags);
}

static HRESULT WINAPI volume_UnlockBox(IDirect3DVolume9 *iface)
{
    ENTER_OBJECT(d, iface);

    return api_unlock_box(surface_of(iface));
}

/* clang-format off */
static const IDirect3DVolume9Vtbl volume_vtbl = {
    OBJECT_VTBL(volume),
    PRIVATE_DATA_VTBL(volume),
    .GetContainer = volume_GetContainer,
    .GetDesc = volume_GetDesc,
    .LockBox = volume_LockBox,
    .UnlockBox = volume_UnlockBox,
};
/* clang-format on */

static const IID *const volume_iids[] = {&IID_IUnknown, &IID_IDirect3DVolume9, NULL};
/* The texture destroys its volumes. */
const struct object_class api_volume_class = {&volume_vtbl, RECORD_VOLUME, volume_iids, NULL};
