/* Set and Get of transforms, viewport, scissor rectangle, material, clip planes and N-patches. */
#include "api/adapter/adapter.h"
#include "api/com/device_methods.h"
#include "api/set/write.h"
#include "api/state/state.h"
#include "util/equal.h"
#include "util/log.h"

#include <string.h>

HRESULT WINAPI device_SetTransform(IDirect3DDevice9Ex *iface, D3DTRANSFORMSTATETYPE state,
                                   const D3DMATRIX *matrix)
{
    ENTER(d, iface);
    int i = api_transform_index(state);
    struct state *s;

    if (i < 0 || !matrix)
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_TRANSFORM + (unsigned)i);
    if (s == d->state && bytes_equal(&s->transform[i], matrix, sizeof(*matrix)))
        return D3D_OK;
    s->transform[i] = *matrix;
    return written(d, s, SLOT_TRANSFORM + (unsigned)i);
}

HRESULT WINAPI device_GetTransform(IDirect3DDevice9Ex *iface, D3DTRANSFORMSTATETYPE state,
                                   D3DMATRIX *matrix)
{
    ENTER(d, iface);
    int i = api_transform_index(state);

    if (i < 0 || !matrix)
        return D3DERR_INVALIDCALL;
    *matrix = d->state->transform[i];
    return D3D_OK;
}

/* Changes the device even while a state block is recorded
 * (reference: state-blocks/multiply-transform). */
HRESULT WINAPI device_MultiplyTransform(IDirect3DDevice9Ex *iface, D3DTRANSFORMSTATETYPE state,
                                        const D3DMATRIX *matrix)
{
    ENTER(d, iface);
    int i = api_transform_index(state);
    D3DMATRIX product, *current;

    if (i < 0 || !matrix)
        return D3DERR_INVALIDCALL;
    current = &d->state->transform[i];
    for (unsigned r = 0; r < 4; r++)
        for (unsigned c = 0; c < 4; c++)
            product.m[r][c] =
                ((matrix->m[r][0] * current->m[0][c] + matrix->m[r][1] * current->m[1][c]) +
                 matrix->m[r][2] * current->m[2][c]) +
                matrix->m[r][3] * current->m[3][c];
    *current = product;
    return api_emit_slot(d, SLOT_TRANSFORM + (unsigned)i);
}

/* Set and Get of a value that is one member of struct state. */
#define VALUE_METHODS(name, type, member, slot)                                                    \
    HRESULT WINAPI device_Set##name(IDirect3DDevice9Ex *iface, const type *value)                  \
    {                                                                                              \
        ENTER(d, iface);                                                                           \
        struct state *s;                                                                           \
                                                                                                   \
        if (!value)                                                                                \
            return D3DERR_INVALIDCALL;                                                             \
        s = writable(d, slot);                                                                     \
        s->member = *value;                                                                        \
        return written(d, s, slot);                                                                \
    }                                                                                              \
    HRESULT WINAPI device_Get##name(IDirect3DDevice9Ex *iface, type *value)                        \
    {                                                                                              \
        ENTER(d, iface);                                                                           \
                                                                                                   \
        if (!value)                                                                                \
            return D3DERR_INVALIDCALL;                                                             \
        *value = d->state->member;                                                                 \
        return D3D_OK;                                                                             \
    }
VALUE_METHODS(Viewport, D3DVIEWPORT9, viewport, SLOT_VIEWPORT)
VALUE_METHODS(ScissorRect, RECT, scissor, SLOT_SCISSOR)
VALUE_METHODS(Material, D3DMATERIAL9, material, SLOT_MATERIAL)

/* Planes above the limit alias the last one (reference: clip-planes/limits). */
static unsigned clip_index(DWORD index)
{
    return index < CLIP_PLANES ? index : CLIP_PLANES - 1;
}

HRESULT WINAPI device_SetClipPlane(IDirect3DDevice9Ex *iface, DWORD index, const float *plane)
{
    ENTER(d, iface);
    unsigned i = clip_index(index);
    struct state *s;

    if (!plane)
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_CLIP_PLANE + i);
    memcpy(s->clip_plane[i], plane, sizeof(s->clip_plane[i]));
    return written(d, s, SLOT_CLIP_PLANE + i);
}

HRESULT WINAPI device_GetClipPlane(IDirect3DDevice9Ex *iface, DWORD index, float *plane)
{
    ENTER(d, iface);

    if (!plane)
        return D3DERR_INVALIDCALL;
    memcpy(plane, d->state->clip_plane[clip_index(index)], sizeof(d->state->clip_plane[0]));
    return D3D_OK;
}

HRESULT WINAPI device_SetNPatchMode(IDirect3DDevice9Ex *iface, float segments)
{
    ENTER(d, iface);
    struct state *s = writable(d, SLOT_NPATCH);

    if (segments > 1.0f && !api_offers(FEATURE_N_PATCHES, api_kind(d)))
        log_once("api", "npatch", "this device has no N-patches; triangles are not tessellated");
    s->npatch = segments;
    return written(d, s, SLOT_NPATCH);
}

float WINAPI device_GetNPatchMode(IDirect3DDevice9Ex *iface)
{
    ENTER(d, iface);

    return d->state->npatch;
}
