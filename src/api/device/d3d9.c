/* IDirect3D9 and IDirect3D9Ex: enumerates adapters, modes and formats, and creates devices.
 * Tested by tests/unit/api/adapter/test_adapter.c and
 * tests/unit/api/swapchain/test_present_parameters.c. */
#include "api/device/direct3d.h"

#include "api/adapter/adapter.h"
#include "api/com/device.h"
#include "api/com/refused.h"
#include "api/config/config.h"
#include "api/swapchain/swapchain.h"
#include "util/alloc.h"
#include "util/log.h"

#include <stdio.h>
#include <string.h>

static struct d3d9 *d3d9_of(IDirect3D9Ex *iface)
{
    return (struct d3d9 *)iface;
}

static bool device_type_ok(D3DDEVTYPE type)
{
    return type >= D3DDEVTYPE_HAL && type <= D3DDEVTYPE_NULLREF;
}

static struct device_kind kind_of(IDirect3D9Ex *iface, D3DDEVTYPE type)
{
    return api_device_kind(type, d3d9_of(iface)->ex);
}

/* --- IUnknown --------------------------------------------------------------------------------- */

static HRESULT WINAPI d3d9_QueryInterface(IDirect3D9Ex *iface, REFIID iid, void **out)
{
    if (!out)
        return E_POINTER;
    if (IsEqualIID(iid, &IID_IUnknown) || IsEqualIID(iid, &IID_IDirect3D9) ||
        (d3d9_of(iface)->ex && IsEqualIID(iid, &IID_IDirect3D9Ex))) {
        api_d3d9_addref(d3d9_of(iface));
        *out = iface;
        return S_OK;
    }
    *out = NULL;
    return E_NOINTERFACE;
}

static ULONG WINAPI d3d9_AddRef(IDirect3D9Ex *iface)
{
    return api_d3d9_addref(d3d9_of(iface));
}

static ULONG WINAPI d3d9_Release(IDirect3D9Ex *iface)
{
    return api_d3d9_release(d3d9_of(iface));
}

/* --- Adapters --------------------------------------------------------------------------------- */

static bool adapter_ok(UINT adapter)
{
    return adapter < api_adapter_count();
}

static HRESULT WINAPI d3d9_RegisterSoftwareDevice(IDirect3D9Ex *iface, void *init)
{
    (void)iface;
    if (!init)
        return D3DERR_INVALIDCALL;
    log_once("api", "RegisterSoftwareDevice", "pluggable software devices are not supported");
    return D3DERR_NOTAVAILABLE;
}

static UINT WINAPI d3d9_GetAdapterCount(IDirect3D9Ex *iface)
{
    (void)iface;
    return api_adapter_count();
}

static HRESULT WINAPI d3d9_GetAdapterIdentifier(IDirect3D9Ex *iface, UINT adapter, DWORD flags,
                                                D3DADAPTER_IDENTIFIER9 *id)
{
    (void)iface;
    if (!adapter_ok(adapter) || !id)
        return D3DERR_INVALIDCALL;
    api_fill_adapter_identifier(id);
    snprintf(id->DeviceName, sizeof(id->DeviceName), "%s", api_adapter_name(adapter));
    id->WHQLLevel = flags & D3DENUM_WHQL_LEVEL ? 1 : 0;
    return D3D_OK;
}

/* The calls about modes name no type of device; they tell what hardware has. */
static UINT WINAPI d3d9_GetAdapterModeCount(IDirect3D9Ex *iface, UINT adapter, D3DFORMAT format)
{
    return api_mode_count(adapter, format, kind_of(iface, D3DDEVTYPE_HAL));
}

static HRESULT WINAPI d3d9_EnumAdapterModes(IDirect3D9Ex *iface, UINT adapter, D3DFORMAT format,
                                            UINT index, D3DDISPLAYMODE *mode)
{
    struct device_kind kind = kind_of(iface, D3DDEVTYPE_HAL);

    return mode && api_mode_at(adapter, format, index, kind, mode) ? D3D_OK : D3DERR_INVALIDCALL;
}

static HRESULT WINAPI d3d9_GetAdapterDisplayMode(IDirect3D9Ex *iface, UINT adapter,
                                                 D3DDISPLAYMODE *mode)
{
    (void)iface;
    if (!adapter_ok(adapter) || !mode)
        return D3DERR_INVALIDCALL;
    api_adapter_told_mode(adapter, mode);
    return D3D_OK;
}

static HMONITOR WINAPI d3d9_GetAdapterMonitor(IDirect3D9Ex *iface, UINT adapter)
{
    (void)iface;
    return api_adapter_monitor(adapter);
}

/* --- Checks ----------------------------------------------------------------------------------- */

static HRESULT WINAPI d3d9_CheckDeviceType(IDirect3D9Ex *iface, UINT adapter, D3DDEVTYPE type,
                                           D3DFORMAT display, D3DFORMAT back, BOOL windowed)
{
    if (!adapter_ok(adapter) || !device_type_ok(type))
        return D3DERR_INVALIDCALL;
    return api_denied(api_check_type(display, back, windowed, kind_of(iface, type)),
                      "CheckDeviceType", back, "%s", windowed ? "in a window" : "full screen");
}

static HRESULT WINAPI d3d9_CheckDeviceFormat(IDirect3D9Ex *iface, UINT adapter, D3DDEVTYPE type,
                                             D3DFORMAT adapter_format, DWORD usage,
                                             D3DRESOURCETYPE resource, D3DFORMAT format)
{
    if (!adapter_ok(adapter) || !device_type_ok(type))
        return D3DERR_INVALIDCALL;
    return api_denied(
        api_check_format(adapter_format, usage, resource, format, kind_of(iface, type)),
        "CheckDeviceFormat", format, "resource type %u, usage 0x%lx", (unsigned)resource,
        (unsigned long)usage);
}

static HRESULT WINAPI d3d9_CheckDeviceMultiSampleType(IDirect3D9Ex *iface, UINT adapter,
                                                      D3DDEVTYPE type, D3DFORMAT format,
                                                      BOOL windowed, D3DMULTISAMPLE_TYPE samples,
                                                      DWORD *levels)
{
    (void)windowed;
    if (!adapter_ok(adapter) || !device_type_ok(type))
        return D3DERR_INVALIDCALL;
    return api_denied(api_check_multisample(format, samples, levels, kind_of(iface, type)),
                      "CheckDeviceMultiSampleType", format, "%u samples", (unsigned)samples);
}

static HRESULT WINAPI d3d9_CheckDepthStencilMatch(IDirect3D9Ex *iface, UINT adapter,
                                                  D3DDEVTYPE type, D3DFORMAT adapter_format,
                                                  D3DFORMAT target, D3DFORMAT depth)
{
    if (!adapter_ok(adapter) || !device_type_ok(type))
        return D3DERR_INVALIDCALL;
    return api_denied(api_check_depth_match(adapter_format, target, depth, kind_of(iface, type)),
                      "CheckDepthStencilMatch", depth, "with target %s", tex_format_name(target));
}

static HRESULT WINAPI d3d9_CheckDeviceFormatConversion(IDirect3D9Ex *iface, UINT adapter,
                                                       D3DDEVTYPE type, D3DFORMAT from,
                                                       D3DFORMAT to)
{
    if (!adapter_ok(adapter) || !device_type_ok(type))
        return D3DERR_INVALIDCALL;
    return api_denied(api_check_conversion(from, to, kind_of(iface, type)),
                      "CheckDeviceFormatConversion", from, "to %s", tex_format_name(to));
}

static HRESULT WINAPI d3d9_GetDeviceCaps(IDirect3D9Ex *iface, UINT adapter, D3DDEVTYPE type,
                                         D3DCAPS9 *caps)
{
    if (!adapter_ok(adapter) || !device_type_ok(type) || !caps)
        return D3DERR_INVALIDCALL;
    api_caps_fill(caps, type, false, d3d9_of(iface)->ex);
    caps->AdapterOrdinal = adapter;
    return D3D_OK;
}

/* --- IDirect3D9Ex ----------------------------------------------------------------------------- */

static bool filter_ok(const D3DDISPLAYMODEFILTER *filter)
{
    /* No mode is interlaced. */
    return filter && filter->Size == sizeof(*filter) &&
           filter->ScanLineOrdering != D3DSCANLINEORDERING_INTERLACED;
}

static UINT WINAPI d3d9_GetAdapterModeCountEx(IDirect3D9Ex *iface, UINT adapter,
                                              const D3DDISPLAYMODEFILTER *filter)
{
    struct device_kind kind = kind_of(iface, D3DDEVTYPE_HAL);

    return filter_ok(filter) ? api_mode_count(adapter, filter->Format, kind) : 0;
}

static HRESULT WINAPI d3d9_EnumAdapterModesEx(IDirect3D9Ex *iface, UINT adapter,
                                              const D3DDISPLAYMODEFILTER *filter, UINT index,
                                              D3DDISPLAYMODEEX *mode)
{
    struct device_kind kind = kind_of(iface, D3DDEVTYPE_HAL);
    D3DDISPLAYMODE plain;

    if (!mode || !filter_ok(filter) || !api_mode_at(adapter, filter->Format, index, kind, &plain))
        return D3DERR_INVALIDCALL;
    *mode = (D3DDISPLAYMODEEX){sizeof(*mode),     plain.Width,  plain.Height,
                               plain.RefreshRate, plain.Format, D3DSCANLINEORDERING_PROGRESSIVE};
    return D3D_OK;
}

static HRESULT WINAPI d3d9_GetAdapterDisplayModeEx(IDirect3D9Ex *iface, UINT adapter,
                                                   D3DDISPLAYMODEEX *mode,
                                                   D3DDISPLAYROTATION *rotation)
{
    D3DDISPLAYMODE desktop;

    (void)iface;
    if (!adapter_ok(adapter) || !mode || mode->Size != sizeof(*mode))
        return D3DERR_INVALIDCALL;
    api_adapter_told_mode(adapter, &desktop);
    mode->Width = desktop.Width;
    mode->Height = desktop.Height;
    mode->RefreshRate = desktop.RefreshRate;
    mode->Format = desktop.Format;
    mode->ScanLineOrdering = D3DSCANLINEORDERING_PROGRESSIVE;
    if (rotation)
        *rotation = D3DDISPLAYROTATION_IDENTITY;
    return D3D_OK;
}

static HRESULT WINAPI d3d9_GetAdapterLUID(IDirect3D9Ex *iface, UINT adapter, LUID *luid)
{
    (void)iface;
    if (!adapter_ok(adapter) || !luid)
        return D3DERR_INVALIDCALL;
    luid->LowPart = 0x6e6f7665 + adapter;
    luid->HighPart = 0;
    return D3D_OK;
}

/* --- Devices ---------------------------------------------------------------------------------- */

static HRESULT create_device(IDirect3D9Ex *iface, UINT adapter, D3DDEVTYPE type, HWND focus,
                             DWORD flags, D3DPRESENT_PARAMETERS *parameters, void *out)
{
    struct device *device;
    HRESULT hr;

    if (!out)
        return D3DERR_INVALIDCALL;
    *(void **)out = NULL;
    if (!adapter_ok(adapter) || !device_type_ok(type) || !parameters)
        return api_refused(D3DERR_INVALIDCALL, "CreateDevice", D3DFMT_UNKNOWN,
                           "adapter %u, device type %u", adapter, (unsigned)type);
    hr = api_device_create(&device, d3d9_of(iface), adapter, type, focus, flags, parameters);
    if (SUCCEEDED(hr))
        *(void **)out = device;
    return hr;
}

static HRESULT WINAPI d3d9_CreateDevice(IDirect3D9Ex *iface, UINT adapter, D3DDEVTYPE type,
                                        HWND focus, DWORD flags, D3DPRESENT_PARAMETERS *parameters,
                                        IDirect3DDevice9 **out)
{
    return create_device(iface, adapter, type, focus, flags, parameters, out);
}

static HRESULT WINAPI d3d9_CreateDeviceEx(IDirect3D9Ex *iface, UINT adapter, D3DDEVTYPE type,
                                          HWND focus, DWORD flags,
                                          D3DPRESENT_PARAMETERS *parameters, D3DDISPLAYMODEEX *mode,
                                          IDirect3DDevice9Ex **out)
{
    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    if (!parameters || FAILED(api_check_mode(parameters, mode)))
        return api_refused(D3DERR_INVALIDCALL, "CreateDeviceEx", D3DFMT_UNKNOWN,
                           "a full-screen device needs a mode of its size, others none");
    return create_device(iface, adapter, type, focus, flags, parameters, out);
}

static const IDirect3D9ExVtbl d3d9_vtbl = {
    .QueryInterface = d3d9_QueryInterface,
    .AddRef = d3d9_AddRef,
    .Release = d3d9_Release,
    .RegisterSoftwareDevice = d3d9_RegisterSoftwareDevice,
    .GetAdapterCount = d3d9_GetAdapterCount,
    .GetAdapterIdentifier = d3d9_GetAdapterIdentifier,
    .GetAdapterModeCount = d3d9_GetAdapterModeCount,
    .EnumAdapterModes = d3d9_EnumAdapterModes,
    .GetAdapterDisplayMode = d3d9_GetAdapterDisplayMode,
    .CheckDeviceType = d3d9_CheckDeviceType,
    .CheckDeviceFormat = d3d9_CheckDeviceFormat,
    .CheckDeviceMultiSampleType = d3d9_CheckDeviceMultiSampleType,
    .CheckDepthStencilMatch = d3d9_CheckDepthStencilMatch,
    .CheckDeviceFormatConversion = d3d9_CheckDeviceFormatConversion,
    .GetDeviceCaps = d3d9_GetDeviceCaps,
    .GetAdapterMonitor = d3d9_GetAdapterMonitor,
    .CreateDevice = d3d9_CreateDevice,
    .GetAdapterModeCountEx = d3d9_GetAdapterModeCountEx,
    .EnumAdapterModesEx = d3d9_EnumAdapterModesEx,
    .GetAdapterDisplayModeEx = d3d9_GetAdapterDisplayModeEx,
    .CreateDeviceEx = d3d9_CreateDeviceEx,
    .GetAdapterLUID = d3d9_GetAdapterLUID,
};

HRESULT api_d3d9_create(IDirect3D9Ex **out, bool ex)
{
    struct d3d9 *d3d9 = mem_calloc(1, sizeof(*d3d9));

    *out = NULL;
    if (!d3d9)
        return E_OUTOFMEMORY;
    api_config_load();
    record_open(api_config_text(CONFIG_RECORD));
    /* const in some versions of the header only */
    d3d9->iface.lpVtbl = (void *)record_vtbl(ex ? RECORD_D3D9_EX : RECORD_D3D9, &d3d9_vtbl);
    atomic_init(&d3d9->refs, 1);
    d3d9->ex = ex;
    *out = &d3d9->iface;
    return D3D_OK;
}
