/* Replay handlers of textures over the program's memory and textures of unknown type.
 *
 * Tested by tests/unit/trace/replay/test_methods.c. */
#include "trace/replay/args.h"
#include "trace/replay/handlers.h"

#include "tex/format.h"
#include "util/alloc.h"

#include <string.h>

static IDirect3DDevice9 *device_of(const struct replay_call *q)
{
    return q->self->iface;
}

/* Creates a D3DPOOL_SYSTEMMEM texture over application memory. The replayer copies the recorded
 * bytes to memory that lives as long as the texture. */
static HRESULT create_over_memory(struct replay_call *q, const struct trace_value *blob)
{
    uint8_t *memory = mem_alloc(blob->count ? blob->count : 1);
    HANDLE handle = memory;
    IDirect3DTexture9 *texture = NULL;
    struct object *o;
    HRESULT hr;

    if (!memory)
        return E_OUTOFMEMORY;
    memcpy(memory, blob->u.bytes, blob->count);
    hr = IDirect3DDevice9_CreateTexture(device_of(q), arg_u32(q, 1), arg_u32(q, 2), arg_u32(q, 3),
                                        arg_u32(q, 4), arg_u32(q, 5), arg_u32(q, 6), &texture,
                                        &handle);
    if (FAILED(hr)) {
        mem_free(memory);
        return hr;
    }
    o = replay_call_out(q, 7, OBJ_TEXTURE, texture, NULL);
    if (o)
        o->user_memory = memory;
    else
        mem_free(memory);
    return hr;
}

/* Returns the bytes of a one-level texture with unpadded rows; 0 for unknown formats. */
static uint64_t level_bytes(uint32_t width, uint32_t height, uint32_t format)
{
    const struct tex_format *f = tex_format_get(format);

    if (!f || !f->block_w || !f->block_h)
        return 0;
    return ((uint64_t)width + f->block_w - 1) / f->block_w * f->bytes * tex_slice_rows(f, height);
}

HRESULT replay_create_texture(struct replay_call *q)
{
    const struct trace_value *handle = value_pointee(arg(q, 8));
    IDirect3DTexture9 *texture = NULL;
    HRESULT hr;

    if (handle && handle->kind == TRACE_BLOB && arg_u32(q, 6) == D3DPOOL_SYSTEMMEM &&
        arg_u32(q, 3) == 1) {
        uint64_t need = level_bytes(arg_u32(q, 1), arg_u32(q, 2), arg_u32(q, 5));

        if (need && handle->count >= need)
            return create_over_memory(q, handle);
        replay_warn(q->replay, q->call, "only part of the program's memory was recorded");
    }
    hr =
        IDirect3DDevice9_CreateTexture(device_of(q), arg_u32(q, 1), arg_u32(q, 2), arg_u32(q, 3),
                                       arg_u32(q, 4), arg_u32(q, 5), arg_u32(q, 6), &texture, NULL);
    if (SUCCEEDED(hr))
        replay_call_out(q, 7, OBJ_TEXTURE, texture, NULL);
    return hr;
}

/* The capture does not tell the type of the texture; the live object does. */
HRESULT replay_get_texture(struct replay_call *q)
{
    IDirect3DBaseTexture9 *texture = NULL;
    HRESULT hr = IDirect3DDevice9_GetTexture(device_of(q), arg_u32(q, 1), &texture);
    enum object_kind kind = OBJ_TEXTURE;

    if (FAILED(hr) || !texture)
        return hr;
    if (IDirect3DBaseTexture9_GetType(texture) == D3DRTYPE_CUBETEXTURE)
        kind = OBJ_CUBE;
    if (IDirect3DBaseTexture9_GetType(texture) == D3DRTYPE_VOLUMETEXTURE)
        kind = OBJ_VOLUME_TEXTURE;
    replay_call_out(q, 2, kind, texture, NULL);
    return hr;
}
