/* Set and Get of shader constants. */
#include "api/com/device_methods.h"
#include "api/set/write.h"
#include "api/state/state.h"
#include "util/equal.h"

#include <string.h>

static bool constants_in_range(const struct device *d, enum constant_file file, UINT start,
                               UINT count)
{
    unsigned n = d->state->counts[file];

    return start <= n && count <= n - start;
}

static HRESULT set_constants(void *iface, enum constant_file file, UINT start, const void *data,
                             UINT count)
{
    ENTER(d, iface);
    size_t words = api_constants_words(file);
    struct state *s;
    uint32_t *to;

    if (!data || !constants_in_range(d, file, start, count))
        return D3DERR_INVALIDCALL;
    if (!count)
        return D3D_OK;
    s = d->recording ? &d->recording->state : d->state;
    to = s->constants[file] + start * words;
    if (s == d->state && bytes_equal(to, data, count * words * sizeof(*to)))
        return D3D_OK;
    memcpy(to, data, count * words * sizeof(*to));
    if (s == d->state)
        return api_emit_constants(d, file, start, count);
    for (UINT i = 0; i < count; i++)
        slot_add(&d->recording->slots, api_constants_slot(file) + start + i);
    return D3D_OK;
}

static HRESULT get_constants(void *iface, enum constant_file file, UINT start, void *data,
                             UINT count)
{
    ENTER(d, iface);
    size_t words = api_constants_words(file);

    if (!data || !constants_in_range(d, file, start, count))
        return D3DERR_INVALIDCALL;
    memcpy(data, d->state->constants[file] + start * words, count * words * sizeof(uint32_t));
    return D3D_OK;
}

#define CONSTANT_METHODS(name, file, type)                                                         \
    HRESULT WINAPI device_Set##name(IDirect3DDevice9Ex *iface, UINT start, const type *data,       \
                                    UINT count)                                                    \
    {                                                                                              \
        return set_constants(iface, file, start, data, count);                                     \
    }                                                                                              \
    HRESULT WINAPI device_Get##name(IDirect3DDevice9Ex *iface, UINT start, type *data, UINT count) \
    {                                                                                              \
        return get_constants(iface, file, start, data, count);                                     \
    }
CONSTANT_METHODS(VertexShaderConstantF, FILE_VS_F, float)
CONSTANT_METHODS(VertexShaderConstantI, FILE_VS_I, int)
CONSTANT_METHODS(VertexShaderConstantB, FILE_VS_B, BOOL)
CONSTANT_METHODS(PixelShaderConstantF, FILE_PS_F, float)
CONSTANT_METHODS(PixelShaderConstantI, FILE_PS_I, int)
CONSTANT_METHODS(PixelShaderConstantB, FILE_PS_B, BOOL)
