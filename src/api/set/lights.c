/* Set and Get of lights. */
#include "api/com/device_methods.h"
#include "api/set/write.h"
#include "api/state/state.h"

static struct light *writable_light(struct device *d, DWORD index)
{
    if (d->recording)
        return api_light_get(&d->recording->state, index);
    d->lights_dirty = true;
    return api_light_get(d->state, index);
}

HRESULT WINAPI device_SetLight(IDirect3DDevice9Ex *iface, DWORD index, const D3DLIGHT9 *light)
{
    ENTER(d, iface);
    struct light *to;

    if (!light)
        return D3DERR_INVALIDCALL;
    to = writable_light(d, index);
    if (!to)
        return E_OUTOFMEMORY;
    to->light = *light;
    to->has_light = true;
    return D3D_OK;
}

HRESULT WINAPI device_GetLight(IDirect3DDevice9Ex *iface, DWORD index, D3DLIGHT9 *light)
{
    ENTER(d, iface);
    const struct light *from = api_light_find(d->state, index);

    if (!from || !light)
        return D3DERR_INVALIDCALL;
    *light = from->light;
    return D3D_OK;
}

HRESULT WINAPI device_LightEnable(IDirect3DDevice9Ex *iface, DWORD index, BOOL enable)
{
    ENTER(d, iface);
    struct light *light = writable_light(d, index);

    if (!light)
        return E_OUTOFMEMORY;
    light->enabled = enable != FALSE;
    light->has_enabled = true;
    return D3D_OK;
}

HRESULT WINAPI device_GetLightEnable(IDirect3DDevice9Ex *iface, DWORD index, BOOL *enable)
{
    enum { ENABLED = 128 }; /* not TRUE (reference: lights/get-enable) */
    ENTER(d, iface);
    const struct light *light = api_light_find(d->state, index);

    if (!light || !enable)
        return D3DERR_INVALIDCALL;
    *enable = light->enabled ? ENABLED : FALSE;
    return D3D_OK;
}
