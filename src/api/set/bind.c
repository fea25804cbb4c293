/* Set and Get of textures, vertex streams, indices, vertex declarations and shaders. */
#include "api/com/device_methods.h"
#include "api/object/object.h"
#include "api/set/write.h"
#include "api/state/state.h"

/* Writes an object slot. Compares objects by address alone: their lpVtbl may be overwritten. */
static HRESULT set_object(struct device *d, struct state *s, void *slot_address, void *obj,
                          unsigned slot)
{
    if (!api_object_assign(slot_address, obj) && s == d->state)
        return D3D_OK;
    return written(d, s, slot);
}

static HRESULT get_object(void *obj, void *out)
{
    if (!out)
        return D3DERR_INVALIDCALL;
    if (obj)
        api_object_addref(obj);
    *(void **)out = obj;
    return D3D_OK;
}

HRESULT WINAPI device_SetTexture(IDirect3DDevice9Ex *iface, DWORD sampler,
                                 IDirect3DBaseTexture9 *texture)
{
    ENTER(d, iface);
    int i = api_sampler_index(sampler);
    struct state *s;
    HRESULT hr;

    if (api_is_foreign(d, texture))
        return D3DERR_INVALIDCALL;
    if (i < 0)
        return D3D_OK;
    s = writable(d, SLOT_TEXTURE + (unsigned)i);
    hr = set_object(d, s, &s->texture[i], texture, SLOT_TEXTURE + (unsigned)i);
    if (s == d->state)
        d->textures_changed = true;
    return hr;
}

HRESULT WINAPI device_GetTexture(IDirect3DDevice9Ex *iface, DWORD sampler,
                                 IDirect3DBaseTexture9 **texture)
{
    ENTER(d, iface);
    int i = api_sampler_index(sampler);

    return get_object(i < 0 ? NULL : d->state->texture[i], texture);
}

HRESULT WINAPI device_SetStreamSource(IDirect3DDevice9Ex *iface, UINT stream,
                                      IDirect3DVertexBuffer9 *buffer, UINT offset, UINT stride)
{
    ENTER(d, iface);
    struct stream_source *source;
    struct state *s;

    if (stream >= STREAMS || api_is_foreign(d, buffer) ||
        (buffer && (buffer_of(buffer)->usage & D3DUSAGE_TEXTAPI)))
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_STREAM + stream);
    source = &s->stream[stream];
    if (s == d->state && source->buffer == buffer_of(buffer) &&
        (!buffer || (source->offset == offset && source->stride == stride)))
        return D3D_OK;
    api_object_assign((struct object **)&source->buffer, (struct object *)buffer);
    if (buffer) { /* unbinding keeps offset and stride (reference: streams/unbind) */
        source->offset = offset;
        source->stride = stride;
    }
    return written(d, s, SLOT_STREAM + stream);
}

HRESULT WINAPI device_GetStreamSource(IDirect3DDevice9Ex *iface, UINT stream,
                                      IDirect3DVertexBuffer9 **buffer, UINT *offset, UINT *stride)
{
    ENTER(d, iface);
    const struct stream_source *source;

    if (stream >= STREAMS || !buffer)
        return D3DERR_INVALIDCALL;
    source = &d->state->stream[stream];
    if (offset)
        *offset = source->offset;
    if (stride)
        *stride = source->stride;
    return get_object(source->buffer, buffer);
}

HRESULT WINAPI device_SetStreamSourceFreq(IDirect3DDevice9Ex *iface, UINT stream, UINT setting)
{
    const UINT both = D3DSTREAMSOURCE_INDEXEDDATA | D3DSTREAMSOURCE_INSTANCEDATA;
    ENTER(d, iface);
    struct state *s;

    if (stream >= STREAMS || !setting || (setting & both) == both ||
        (!stream && (setting & D3DSTREAMSOURCE_INSTANCEDATA)))
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_FREQUENCY + stream);
    if (s == d->state && s->frequency[stream] == setting)
        return D3D_OK;
    s->frequency[stream] = setting;
    return written(d, s, SLOT_FREQUENCY + stream);
}

HRESULT WINAPI device_GetStreamSourceFreq(IDirect3DDevice9Ex *iface, UINT stream, UINT *setting)
{
    ENTER(d, iface);

    if (stream >= STREAMS || !setting)
        return D3DERR_INVALIDCALL;
    *setting = d->state->frequency[stream];
    return D3D_OK;
}

HRESULT WINAPI device_SetIndices(IDirect3DDevice9Ex *iface, IDirect3DIndexBuffer9 *buffer)
{
    ENTER(d, iface);
    struct state *s;

    if (api_is_foreign(d, buffer))
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_INDICES);
    return set_object(d, s, &s->indices, buffer, SLOT_INDICES);
}

HRESULT WINAPI device_GetIndices(IDirect3DDevice9Ex *iface, IDirect3DIndexBuffer9 **buffer)
{
    ENTER(d, iface);

    return get_object(d->state->indices, buffer);
}

HRESULT WINAPI device_SetVertexDeclaration(IDirect3DDevice9Ex *iface,
                                           IDirect3DVertexDeclaration9 *declaration)
{
    ENTER(d, iface);
    struct state *s;

    if (api_is_foreign(d, declaration))
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_DECLARATION);
    return set_object(d, s, &s->decl, declaration, SLOT_DECLARATION);
}

HRESULT WINAPI device_GetVertexDeclaration(IDirect3DDevice9Ex *iface,
                                           IDirect3DVertexDeclaration9 **declaration)
{
    ENTER(d, iface);

    return get_object(d->state->decl, declaration);
}

HRESULT WINAPI device_SetFVF(IDirect3DDevice9Ex *iface, DWORD fvf)
{
    ENTER(d, iface);
    struct vertex_decl *decl;
    struct state *s;
    HRESULT hr;

    if (!fvf)
        return D3D_OK;
    hr = api_decl_for_fvf(&decl, d, fvf);
    if (FAILED(hr))
        return hr;
    s = writable(d, SLOT_DECLARATION);
    return set_object(d, s, &s->decl, decl, SLOT_DECLARATION);
}

HRESULT WINAPI device_GetFVF(IDirect3DDevice9Ex *iface, DWORD *fvf)
{
    ENTER(d, iface);

    if (!fvf)
        return D3DERR_INVALIDCALL;
    *fvf = d->state->decl ? d->state->decl->fvf : 0;
    return D3D_OK;
}

static HRESULT set_shader(struct device *d, struct shader *shader, bool pixel)
{
    unsigned slot = pixel ? SLOT_PIXEL_SHADER : SLOT_VERTEX_SHADER;
    struct state *s;

    if (api_is_foreign(d, shader))
        return D3DERR_INVALIDCALL;
    s = writable(d, slot);
    return set_object(d, s, pixel ? &s->pixel_shader : &s->vertex_shader, shader, slot);
}

HRESULT WINAPI device_SetVertexShader(IDirect3DDevice9Ex *iface, IDirect3DVertexShader9 *shader)
{
    ENTER(d, iface);

    return set_shader(d, shader_of(shader), false);
}

HRESULT WINAPI device_GetVertexShader(IDirect3DDevice9Ex *iface, IDirect3DVertexShader9 **shader)
{
    ENTER(d, iface);

    return get_object(d->state->vertex_shader, shader);
}

HRESULT WINAPI device_SetPixelShader(IDirect3DDevice9Ex *iface, IDirect3DPixelShader9 *shader)
{
    ENTER(d, iface);

    return set_shader(d, shader_of(shader), true);
}

HRESULT WINAPI device_GetPixelShader(IDirect3DDevice9Ex *iface, IDirect3DPixelShader9 **shader)
{
    ENTER(d, iface);

    return get_object(d->state->pixel_shader, shader);
}
