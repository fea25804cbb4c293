/* Entry points that d3d9.dll and libnovem.so export. */
#include "api/com/com.h"
#include "api/device/direct3d.h"
#include "api/object/object.h"
#include "record/record.h"
#include "util/log.h"

#ifdef _WIN32
#define EXPORT
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* missing in the header */
EXPORT void *WINAPI Direct3DShaderValidatorCreate9(void);
EXPORT HRESULT WINAPI DebugSetLevel(DWORD level);
EXPORT void WINAPI DebugSetMute(void);
struct on12_args { /* D3D9ON12_ARGS */
    BOOL enable;
    IUnknown *device, *queues[2];
    UINT n_queues, node_mask;
};
EXPORT IDirect3D9 *WINAPI Direct3DCreate9On12(UINT sdk_version, const struct on12_args *overrides,
                                              UINT count);
EXPORT HRESULT WINAPI Direct3DCreate9On12Ex(UINT sdk_version, const struct on12_args *overrides,
                                            UINT count, IDirect3D9Ex **out);
EXPORT UINT WINAPI Direct3D9EnableMaximizedWindowedModeShim(UINT enable);
EXPORT void WINAPI PSGPError(void *processor, UINT error, UINT value);
EXPORT void WINAPI PSGPSampleTexture(void *processor, UINT stage, float (*in)[4], UINT count,
                                     float (*out)[4]);

static atomic_int event_level; /* nesting level of D3DPERF events, per process */

/* Accepts every SDK version, as Direct3D has since its first release. */
EXPORT IDirect3D9 *WINAPI Direct3DCreate9(UINT sdk_version)
{
    IDirect3D9Ex *d3d9;

    api_d3d9_create(&d3d9, false); /* NULL on failure */
    record_create9(sdk_version, (IDirect3D9 *)d3d9);
    return (IDirect3D9 *)d3d9;
}

EXPORT HRESULT WINAPI Direct3DCreate9Ex(UINT sdk_version, IDirect3D9Ex **out)
{
    HRESULT hr = out ? api_d3d9_create(out, true) : D3DERR_INVALIDCALL;

    record_create9_ex(sdk_version, out, hr);
    return hr;
}

/* Novem draws itself, so an override that wants Direct3D 12 below gets what it would see through
 * it. A program that brings a device of its own wants to share resources with it, which nothing
 * here can (reference: device/on12). */
static bool is_on12_refused(const struct on12_args *overrides, UINT count)
{
    for (UINT i = 0; overrides && i < count; i++) {
        if (!overrides[i].enable)
            continue;
        log_once("api", "Direct3DCreate9On12",
                 "Direct3DCreate9On12: there is no Direct3D 12 below");
        if (overrides[i].device)
            return true;
    }
    return false;
}

EXPORT IDirect3D9 *WINAPI Direct3DCreate9On12(UINT sdk_version, const struct on12_args *overrides,
                                              UINT count)
{
    return is_on12_refused(overrides, count) ? NULL : Direct3DCreate9(sdk_version);
}

EXPORT HRESULT WINAPI Direct3DCreate9On12Ex(UINT sdk_version, const struct on12_args *overrides,
                                            UINT count, IDirect3D9Ex **out)
{
    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    return is_on12_refused(overrides, count) ? D3DERR_NOTAVAILABLE
                                             : Direct3DCreate9Ex(sdk_version, out);
}

EXPORT void *WINAPI Direct3DShaderValidatorCreate9(void)
{
    return api_validator_create();
}

/* Returns the nesting level before the call, counted from 0; EndEvent without an open event returns
 * a negative one. */
EXPORT int WINAPI D3DPERF_BeginEvent(D3DCOLOR colour, const WCHAR *name)
{
    int level = atomic_fetch_add(&event_level, 1);

    record_begin_event(colour, name, level);
    return level;
}

EXPORT int WINAPI D3DPERF_EndEvent(void)
{
    int level = atomic_load(&event_level);

    while (level > 0 && !atomic_compare_exchange_weak(&event_level, &level, level - 1))
        ;
    record_end_event(level - 1);
    return level - 1;
}

EXPORT DWORD WINAPI D3DPERF_GetStatus(void)
{
    return 0; /* no profiler is attached */
}

EXPORT BOOL WINAPI D3DPERF_QueryRepeatFrame(void)
{
    return FALSE;
}

EXPORT void WINAPI D3DPERF_SetMarker(D3DCOLOR colour, const WCHAR *name)
{
    record_marker(colour, name);
}

EXPORT void WINAPI D3DPERF_SetOptions(DWORD options)
{
    (void)options;
}

EXPORT void WINAPI D3DPERF_SetRegion(D3DCOLOR colour, const WCHAR *name)
{
    record_region(colour, name);
}

EXPORT HRESULT WINAPI DebugSetLevel(DWORD level)
{
    (void)level;
    return S_OK;
}

EXPORT void WINAPI DebugSetMute(void)
{
}

/* --- Without effect --------------------------------------------------------------------------- */

/* Called by the compatibility layer of Windows. */
EXPORT UINT WINAPI Direct3D9EnableMaximizedWindowedModeShim(UINT enable)
{
    (void)enable;
    return 0;
}

/* Interface for vendors' vertex processing code, which processors of the year 2000 needed. */
EXPORT void WINAPI PSGPError(void *processor, UINT error, UINT value)
{
    (void)processor;
    (void)error;
    (void)value;
}

EXPORT void WINAPI PSGPSampleTexture(void *processor, UINT stage, float (*in)[4], UINT count,
                                     float (*out)[4])
{
    (void)processor;
    (void)stage;
    (void)in;
    (void)count;
    (void)out;
}
