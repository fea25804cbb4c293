/* ValidateDevice: checks whether the current state can be drawn, always in one pass.
 * Tested by tests/conformance/stage. */
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/memory/resource.h"
#include "api/state/state.h"

static bool is_linear(DWORD filter)
{
    return filter > D3DTEXF_POINT;
}

static bool filter_is_unsupported(const struct texture *texture, const DWORD *sampler)
{
    return texture && !(texture->format->caps & TEX_FILTER) &&
           (is_linear(sampler[D3DSAMP_MAGFILTER]) || is_linear(sampler[D3DSAMP_MINFILTER]) ||
            is_linear(sampler[D3DSAMP_MIPFILTER]));
}

/* Reference: validate-device/filters. */
static HRESULT validate_filters(const struct state *state)
{
    for (unsigned i = 0; i < PIXEL_SAMPLERS; i++) {
        const DWORD *s = state->sampler[i];

        if (s[D3DSAMP_MAGFILTER] == D3DTEXF_NONE || s[D3DSAMP_MINFILTER] == D3DTEXF_NONE)
            return D3DERR_UNSUPPORTEDTEXTUREFILTER;
    }
    for (unsigned i = 0; i < PIXEL_SAMPLERS; i++) {
        if (filter_is_unsupported(state->texture[i], state->sampler[i]))
            return E_FAIL;
    }
    return D3D_OK;
}

static bool is_operation(DWORD op)
{
    return op >= D3DTOP_DISABLE && op <= D3DTOP_LERP;
}

static bool is_colour_only(DWORD op)
{
    return op >= D3DTOP_MODULATEALPHA_ADDCOLOR && op <= D3DTOP_BUMPENVMAPLUMINANCE;
}

static bool is_argument(DWORD arg)
{
    return (arg & ~(DWORD)(D3DTA_COMPLEMENT | D3DTA_ALPHAREPLICATE)) <= D3DTA_CONSTANT;
}

/* Whether arguments 1 and 2 are valid, as far as the operation reads them. */
static bool are_arguments(DWORD op, DWORD arg1, DWORD arg2)
{
    if (op == D3DTOP_DISABLE)
        return true;
    return (op == D3DTOP_SELECTARG2 || is_argument(arg1)) &&
           (op == D3DTOP_SELECTARG1 || op == D3DTOP_PREMODULATE || is_argument(arg2));
}

/* Reference: validate-device/stages. */
static HRESULT validate_stages(const struct state *state)
{
    for (unsigned i = 0; i < STAGES; i++) {
        const DWORD *s = state->stage[i];

        if (s[D3DTSS_COLOROP] == D3DTOP_DISABLE)
            break;
        if (!is_operation(s[D3DTSS_COLOROP]))
            return D3DERR_UNSUPPORTEDCOLOROPERATION;
        if (!are_arguments(s[D3DTSS_COLOROP], s[D3DTSS_COLORARG1], s[D3DTSS_COLORARG2]))
            return D3DERR_UNSUPPORTEDCOLORARG;
        if (!is_operation(s[D3DTSS_ALPHAOP]) || is_colour_only(s[D3DTSS_ALPHAOP]))
            return D3DERR_UNSUPPORTEDALPHAOPERATION;
        if (!are_arguments(s[D3DTSS_ALPHAOP], s[D3DTSS_ALPHAARG1], s[D3DTSS_ALPHAARG2]))
            return D3DERR_UNSUPPORTEDALPHAARG;
    }
    return D3D_OK;
}

/* The depth buffer is smaller than the target, or its number of samples differs. */
static bool depth_does_not_fit(const struct device *d)
{
    const struct surface *target = d->target[0], *depth = d->depth;
    const DWORD *render = d->state->render;

    return depth && target &&
           (depth->width < target->width || depth->height < target->height ||
            depth->sample_count != target->sample_count) &&
           (render[D3DRS_ZENABLE] || render[D3DRS_ZWRITEENABLE] || render[D3DRS_STENCILENABLE]);
}

HRESULT WINAPI device_ValidateDevice(IDirect3DDevice9Ex *iface, DWORD *passes)
{
    ENTER(d, iface);
    HRESULT hr = validate_filters(d->state);

    if (!FAILED(hr) && !d->state->pixel_shader)
        hr = validate_stages(d->state);
    if (FAILED(hr))
        return hr;
    if (depth_does_not_fit(d))
        return D3DERR_CONFLICTINGRENDERSTATE;
    if (passes)
        *passes = 1;
    return D3D_OK;
}
