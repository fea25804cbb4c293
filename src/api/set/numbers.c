/* Set and Get of numbered states: render states, texture stage states and sampler states.
 * Tested by tests/unit/api/state/test_state.c. */
#include "api/com/device_methods.h"
#include "api/set/depth_copy.h"
#include "api/set/write.h"
#include "api/state/state.h"

static HRESULT set_number(struct device *d, DWORD *value, DWORD new_value, const struct state *s,
                          unsigned slot)
{
    if (s == d->state && *value == new_value)
        return D3D_OK;
    *value = new_value;
    return written(d, s, slot);
}

HRESULT WINAPI device_SetRenderState(IDirect3DDevice9Ex *iface, D3DRENDERSTATETYPE state,
                                     DWORD value)
{
    ENTER(d, iface);
    struct state *s;

    if ((unsigned)state >= SETTABLE_RENDER_STATES)
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_RENDER + state);
    if (state == D3DRS_POINTSIZE && value == DEPTH_COPY_CODE && s == d->state) {
        HRESULT hr = api_copy_depth(d);

        if (FAILED(hr))
            return hr;
    }
    return set_number(d, &s->render[state], value, s, SLOT_RENDER + state);
}

HRESULT WINAPI device_GetRenderState(IDirect3DDevice9Ex *iface, D3DRENDERSTATETYPE state,
                                     DWORD *value)
{
    ENTER(d, iface);

    if ((unsigned)state >= SETTABLE_RENDER_STATES || !value)
        return D3DERR_INVALIDCALL;
    *value = d->state->render[state];
    return D3D_OK;
}

/* Numbers above the limit mean the last stage and the last state (reference: stage/limits). */
static unsigned stage_number(DWORD stage)
{
    return stage < STAGES ? stage : STAGES - 1;
}

static unsigned stage_state_number(D3DTEXTURESTAGESTATETYPE state)
{
    return (unsigned)state < STAGE_STATES ? (unsigned)state : STAGE_STATES - 1;
}

HRESULT WINAPI device_SetTextureStageState(IDirect3DDevice9Ex *iface, DWORD stage,
                                           D3DTEXTURESTAGESTATETYPE state, DWORD value)
{
    ENTER(d, iface);
    unsigned i = stage_number(stage), k = stage_state_number(state);
    unsigned slot = SLOT_STAGE + i * STAGE_STATES + k;
    struct state *s = writable(d, slot);

    return set_number(d, &s->stage[i][k], value, s, slot);
}

HRESULT WINAPI device_GetTextureStageState(IDirect3DDevice9Ex *iface, DWORD stage,
                                           D3DTEXTURESTAGESTATETYPE state, DWORD *value)
{
    ENTER(d, iface);

    if (!value)
        return D3DERR_INVALIDCALL;
    *value = d->state->stage[stage_number(stage)][stage_state_number(state)];
    return D3D_OK;
}

HRESULT WINAPI device_SetSamplerState(IDirect3DDevice9Ex *iface, DWORD sampler,
                                      D3DSAMPLERSTATETYPE state, DWORD value)
{
    ENTER(d, iface);
    int i = api_sampler_index(sampler);
    struct state *s;
    unsigned slot;

    if (i < 0 || (unsigned)state >= SAMPLER_STATES)
        return D3D_OK; /* ignored, as with stages */
    slot = SLOT_SAMPLER + (unsigned)i * SAMPLER_STATES + state;
    s = writable(d, slot);
    return set_number(d, &s->sampler[i][state], value, s, slot);
}

HRESULT WINAPI device_GetSamplerState(IDirect3DDevice9Ex *iface, DWORD sampler,
                                      D3DSAMPLERSTATETYPE state, DWORD *value)
{
    ENTER(d, iface);
    int i = api_sampler_index(sampler);

    if (!value)
        return D3DERR_INVALIDCALL;
    *value = i >= 0 && (unsigned)state < SAMPLER_STATES ? d->state->sampler[i][state] : 0;
    return D3D_OK;
}
