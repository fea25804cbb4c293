/* Replay handlers for resources: creation, Get* calls that return objects, and surface copies.
 *
 * Tested by tests/unit/trace/test_captures.c. */
#include "trace/replay/args.h"
#include "trace/replay/handlers.h"
#include "trace/replay/samples.h"

#include "tex/format.h"
#include "util/alloc.h"

#include <string.h>

static IDirect3DDevice9 *device_of(const struct replay_call *q)
{
    return q->self->iface;
}

/* --- Textures --------------------------------------------------------------------------------- */

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
    return ((uint64_t)width + f->block_w - 1) / f->block_w * f->bytes * tex_block_rows(f, height);
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

HRESULT replay_create_volume_texture(struct replay_call *q)
{
    IDirect3DVolumeTexture9 *texture = NULL;
    HRESULT hr = IDirect3DDevice9_CreateVolumeTexture(device_of(q), arg_u32(q, 1), arg_u32(q, 2),
                                                      arg_u32(q, 3), arg_u32(q, 4), arg_u32(q, 5),
                                                      arg_u32(q, 6), arg_u32(q, 7), &texture, NULL);

    if (SUCCEEDED(hr))
        replay_call_out(q, 8, OBJ_VOLUME_TEXTURE, texture, NULL);
    return hr;
}

HRESULT replay_create_cube_texture(struct replay_call *q)
{
    IDirect3DCubeTexture9 *texture = NULL;
    HRESULT hr = IDirect3DDevice9_CreateCubeTexture(device_of(q), arg_u32(q, 1), arg_u32(q, 2),
                                                    arg_u32(q, 3), arg_u32(q, 4), arg_u32(q, 5),
                                                    &texture, NULL);

    if (SUCCEEDED(hr))
        replay_call_out(q, 6, OBJ_CUBE, texture, NULL);
    return hr;
}

HRESULT replay_get_surface_level(struct replay_call *q)
{
    IDirect3DSurface9 *surface = NULL;
    HRESULT hr = IDirect3DTexture9_GetSurfaceLevel((IDirect3DTexture9 *)q->self->iface,
                                                   arg_u32(q, 1), &surface);

    if (SUCCEEDED(hr))
        replay_call_out(q, 2, OBJ_SURFACE, surface, q->self);
    return hr;
}

HRESULT replay_get_cube_map_surface(struct replay_call *q)
{
    IDirect3DSurface9 *surface = NULL;
    HRESULT hr = IDirect3DCubeTexture9_GetCubeMapSurface((IDirect3DCubeTexture9 *)q->self->iface,
                                                         arg_u32(q, 1), arg_u32(q, 2), &surface);

    if (SUCCEEDED(hr))
        replay_call_out(q, 3, OBJ_SURFACE, surface, q->self);
    return hr;
}

HRESULT replay_get_volume_level(struct replay_call *q)
{
    IDirect3DVolume9 *volume = NULL;
    HRESULT hr = IDirect3DVolumeTexture9_GetVolumeLevel((IDirect3DVolumeTexture9 *)q->self->iface,
                                                        arg_u32(q, 1), &volume);

    if (SUCCEEDED(hr))
        replay_call_out(q, 2, OBJ_VOLUME, volume, q->self);
    return hr;
}

HRESULT replay_texture_add_dirty_rect(struct replay_call *q)
{
    bool ok = true;
    RECT rect;
    const RECT *in = arg_words(q, 1, &rect, 4, &ok);

    if (!ok)
        return replay_call_skip(q, "malformed rectangle");
    return IDirect3DTexture9_AddDirtyRect((IDirect3DTexture9 *)q->self->iface, in);
}

HRESULT replay_cube_add_dirty_rect(struct replay_call *q)
{
    bool ok = true;
    RECT rect;
    const RECT *in = arg_words(q, 2, &rect, 4, &ok);

    if (!ok)
        return replay_call_skip(q, "malformed rectangle");
    return IDirect3DCubeTexture9_AddDirtyRect((IDirect3DCubeTexture9 *)q->self->iface,
                                              arg_u32(q, 1), in);
}

HRESULT replay_add_dirty_box(struct replay_call *q)
{
    bool ok = true;
    D3DBOX box;
    const D3DBOX *in = arg_words(q, 1, &box, 6, &ok);

    if (!ok)
        return replay_call_skip(q, "malformed box");
    return IDirect3DVolumeTexture9_AddDirtyBox((IDirect3DVolumeTexture9 *)q->self->iface, in);
}

HRESULT replay_set_lod(struct replay_call *q)
{
    IDirect3DBaseTexture9_SetLOD((IDirect3DBaseTexture9 *)q->self->iface, arg_u32(q, 1));
    return S_OK;
}

HRESULT replay_set_auto_gen_filter_type(struct replay_call *q)
{
    return IDirect3DBaseTexture9_SetAutoGenFilterType((IDirect3DBaseTexture9 *)q->self->iface,
                                                      arg_u32(q, 1));
}

HRESULT replay_generate_mip_sub_levels(struct replay_call *q)
{
    IDirect3DBaseTexture9_GenerateMipSubLevels((IDirect3DBaseTexture9 *)q->self->iface);
    return S_OK;
}

/* SetPriority and PreLoad exist on IDirect3DResource9; a volume is no resource. */
static bool is_resource(const struct object *o)
{
    return KIND(SURFACE) & 1u << o->kind || KINDS_TEXTURE & 1u << o->kind ||
           (KIND(VERTEX_BUFFER) | KIND(INDEX_BUFFER)) & 1u << o->kind;
}

HRESULT replay_set_priority(struct replay_call *q)
{
    if (!is_resource(q->self))
        return replay_call_skip(q, "this is not a resource");
    IDirect3DResource9_SetPriority((IDirect3DResource9 *)q->self->iface, arg_u32(q, 1));
    return S_OK;
}

HRESULT replay_pre_load(struct replay_call *q)
{
    if (!is_resource(q->self))
        return replay_call_skip(q, "this is not a resource");
    IDirect3DResource9_PreLoad((IDirect3DResource9 *)q->self->iface);
    return S_OK;
}

/* --- Buffers ---------------------------------------------------------------------------------- */

HRESULT replay_create_vertex_buffer(struct replay_call *q)
{
    IDirect3DVertexBuffer9 *buffer = NULL;
    HRESULT hr = IDirect3DDevice9_CreateVertexBuffer(device_of(q), arg_u32(q, 1), arg_u32(q, 2),
                                                     arg_u32(q, 3), arg_u32(q, 4), &buffer, NULL);

    if (SUCCEEDED(hr))
        replay_call_out(q, 5, OBJ_VERTEX_BUFFER, buffer, NULL);
    return hr;
}

HRESULT replay_create_index_buffer(struct replay_call *q)
{
    IDirect3DIndexBuffer9 *buffer = NULL;
    HRESULT hr = IDirect3DDevice9_CreateIndexBuffer(device_of(q), arg_u32(q, 1), arg_u32(q, 2),
                                                    arg_u32(q, 3), arg_u32(q, 4), &buffer, NULL);

    if (SUCCEEDED(hr))
        replay_call_out(q, 5, OBJ_INDEX_BUFFER, buffer, NULL);
    return hr;
}

/* --- Surfaces --------------------------------------------------------------------------------- */

HRESULT replay_create_render_target(struct replay_call *q)
{
    IDirect3DSurface9 *surface = NULL;
    D3DMULTISAMPLE_TYPE samples = arg_u32(q, 4);
    DWORD quality = arg_u32(q, 5);
    HRESULT hr;

    do
        hr = IDirect3DDevice9_CreateRenderTarget(device_of(q), arg_u32(q, 1), arg_u32(q, 2),
                                                 arg_u32(q, 3), samples, quality,
                                                 (BOOL)arg_u32(q, 6), &surface, NULL);
    while (FAILED(hr) && samples_lower(q, &samples, &quality, hr));
    if (SUCCEEDED(hr))
        replay_call_out(q, 7, OBJ_SURFACE, surface, NULL);
    return hr;
}

HRESULT replay_create_depth_stencil_surface(struct replay_call *q)
{
    IDirect3DSurface9 *surface = NULL;
    D3DMULTISAMPLE_TYPE samples = arg_u32(q, 4);
    DWORD quality = arg_u32(q, 5);
    HRESULT hr;

    do
        hr = IDirect3DDevice9_CreateDepthStencilSurface(device_of(q), arg_u32(q, 1), arg_u32(q, 2),
                                                        arg_u32(q, 3), samples, quality,
                                                        (BOOL)arg_u32(q, 6), &surface, NULL);
    while (FAILED(hr) && samples_lower(q, &samples, &quality, hr));
    if (SUCCEEDED(hr))
        replay_call_out(q, 7, OBJ_SURFACE, surface, NULL);
    return hr;
}

HRESULT replay_create_offscreen_plain_surface(struct replay_call *q)
{
    IDirect3DSurface9 *surface = NULL;
    HRESULT hr = IDirect3DDevice9_CreateOffscreenPlainSurface(
        device_of(q), arg_u32(q, 1), arg_u32(q, 2), arg_u32(q, 3), arg_u32(q, 4), &surface, NULL);

    if (SUCCEEDED(hr))
        replay_call_out(q, 5, OBJ_SURFACE, surface, NULL);
    return hr;
}

HRESULT replay_create_render_target_ex(struct replay_call *q)
{
    IDirect3DSurface9 *surface = NULL;
    D3DMULTISAMPLE_TYPE samples = arg_u32(q, 4);
    DWORD quality = arg_u32(q, 5);
    HRESULT hr;

    do
        hr = IDirect3DDevice9Ex_CreateRenderTargetEx(
            (IDirect3DDevice9Ex *)q->self->iface, arg_u32(q, 1), arg_u32(q, 2), arg_u32(q, 3),
            samples, quality, (BOOL)arg_u32(q, 6), &surface, NULL, arg_u32(q, 9));
    while (FAILED(hr) && samples_lower(q, &samples, &quality, hr));
    if (SUCCEEDED(hr))
        replay_call_out(q, 7, OBJ_SURFACE, surface, NULL);
    return hr;
}

HRESULT replay_create_depth_stencil_surface_ex(struct replay_call *q)
{
    IDirect3DSurface9 *surface = NULL;
    D3DMULTISAMPLE_TYPE samples = arg_u32(q, 4);
    DWORD quality = arg_u32(q, 5);
    HRESULT hr;

    do
        hr = IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(
            (IDirect3DDevice9Ex *)q->self->iface, arg_u32(q, 1), arg_u32(q, 2), arg_u32(q, 3),
            samples, quality, (BOOL)arg_u32(q, 6), &surface, NULL, arg_u32(q, 9));
    while (FAILED(hr) && samples_lower(q, &samples, &quality, hr));
    if (SUCCEEDED(hr))
        replay_call_out(q, 7, OBJ_SURFACE, surface, NULL);
    return hr;
}

HRESULT replay_create_offscreen_plain_surface_ex(struct replay_call *q)
{
    IDirect3DSurface9 *surface = NULL;
    HRESULT hr = IDirect3DDevice9Ex_CreateOffscreenPlainSurfaceEx(
        (IDirect3DDevice9Ex *)q->self->iface, arg_u32(q, 1), arg_u32(q, 2), arg_u32(q, 3),
        arg_u32(q, 4), &surface, NULL, arg_u32(q, 7));

    if (SUCCEEDED(hr))
        replay_call_out(q, 5, OBJ_SURFACE, surface, NULL);
    return hr;
}

/* Finds out which implicit surface a returned surface is, if any; those are looked up again after a
 * Reset. */
static void classify(struct object *o, struct object *device)
{
    IDirect3DSurface9 *buffer = NULL;

    if (!o || o->origin != ORIGIN_OTHER || o->parent != device)
        return;
    if (o->iface == device->auto_depth) {
        o->origin = ORIGIN_DEPTH;
        return;
    }
    for (uint32_t i = 0; i < 4; i++) {
        if (FAILED(IDirect3DDevice9_GetBackBuffer((IDirect3DDevice9 *)device->iface, 0, i,
                                                  D3DBACKBUFFER_TYPE_MONO, &buffer)))
            return;
        IDirect3DSurface9_Release(buffer);
        if (buffer == o->iface) {
            o->origin = ORIGIN_BACK_BUFFER;
            o->chain = 0;
            o->index = i;
            return;
        }
    }
}

HRESULT replay_get_render_target(struct replay_call *q)
{
    IDirect3DSurface9 *surface = NULL;
    HRESULT hr = IDirect3DDevice9_GetRenderTarget(device_of(q), arg_u32(q, 1), &surface);

    if (SUCCEEDED(hr))
        classify(replay_call_out(q, 2, OBJ_SURFACE, surface, q->self), q->self);
    return hr;
}

HRESULT replay_get_depth_stencil_surface(struct replay_call *q)
{
    IDirect3DSurface9 *surface = NULL;
    HRESULT hr = IDirect3DDevice9_GetDepthStencilSurface(device_of(q), &surface);

    if (SUCCEEDED(hr))
        classify(replay_call_out(q, 1, OBJ_SURFACE, surface, q->self), q->self);
    return hr;
}

/* --- Copies ----------------------------------------------------------------------------------- */

HRESULT replay_update_surface(struct replay_call *q)
{
    IDirect3DSurface9 *source, *dest;
    bool ok = true;
    RECT rect;
    POINT point;
    const RECT *from;
    const POINT *to;

    if (!arg_object(q, 1, KIND(SURFACE), &source) || !arg_object(q, 3, KIND(SURFACE), &dest))
        return REPLAY_SKIPPED;
    from = arg_words(q, 2, &rect, 4, &ok);
    to = arg_words(q, 4, &point, 2, &ok);
    if (!ok)
        return replay_call_skip(q, "malformed rectangle");
    return IDirect3DDevice9_UpdateSurface(device_of(q), source, from, dest, to);
}

HRESULT replay_update_texture(struct replay_call *q)
{
    IDirect3DBaseTexture9 *source, *dest;

    if (!arg_object(q, 1, KINDS_TEXTURE, &source) || !arg_object(q, 2, KINDS_TEXTURE, &dest))
        return REPLAY_SKIPPED;
    return IDirect3DDevice9_UpdateTexture(device_of(q), source, dest);
}

HRESULT replay_get_render_target_data(struct replay_call *q)
{
    IDirect3DSurface9 *source, *dest;

    if (!arg_object(q, 1, KIND(SURFACE), &source) || !arg_object(q, 2, KIND(SURFACE), &dest))
        return REPLAY_SKIPPED;
    return IDirect3DDevice9_GetRenderTargetData(device_of(q), source, dest);
}

HRESULT replay_get_front_buffer_data(struct replay_call *q)
{
    IDirect3DSurface9 *dest;

    if (!arg_object(q, 2, KIND(SURFACE), &dest))
        return REPLAY_SKIPPED;
    return IDirect3DDevice9_GetFrontBufferData(device_of(q), arg_u32(q, 1), dest);
}

HRESULT replay_chain_get_front_buffer_data(struct replay_call *q)
{
    IDirect3DSurface9 *dest;

    if (!arg_object(q, 1, KIND(SURFACE), &dest))
        return REPLAY_SKIPPED;
    return IDirect3DSwapChain9_GetFrontBufferData((IDirect3DSwapChain9 *)q->self->iface, dest);
}

HRESULT replay_stretch_rect(struct replay_call *q)
{
    IDirect3DSurface9 *source, *dest;
    bool ok = true;
    RECT source_rect, dest_rect;
    const RECT *from, *to;

    if (!arg_object(q, 1, KIND(SURFACE), &source) || !arg_object(q, 3, KIND(SURFACE), &dest))
        return REPLAY_SKIPPED;
    from = arg_words(q, 2, &source_rect, 4, &ok);
    to = arg_words(q, 4, &dest_rect, 4, &ok);
    if (!ok)
        return replay_call_skip(q, "malformed rectangle");
    return IDirect3DDevice9_StretchRect(device_of(q), source, from, dest, to, arg_u32(q, 5));
}

HRESULT replay_color_fill(struct replay_call *q)
{
    IDirect3DSurface9 *surface;
    bool ok = true;
    RECT rect;
    const RECT *in;

    if (!arg_object(q, 1, KIND(SURFACE), &surface))
        return REPLAY_SKIPPED;
    in = arg_words(q, 2, &rect, 4, &ok);
    if (!ok)
        return replay_call_skip(q, "malformed rectangle");
    return IDirect3DDevice9_ColorFill(device_of(q), surface, in, arg_u32(q, 3));
}

/* --- Shaders, declarations, queries ----------------------------------------------------------- */

/* A comment token can skip at most 0x7fff tokens. As many end tokens follow the recorded code, so
 * that no parser of damaged code leaves the memory. */
enum { SHADER_END = 0x0000ffff, SHADER_PADDING = 0x8000 };

static const DWORD *shader_tokens(struct replay_call *q)
{
    uint32_t size;
    const uint8_t *bytes = arg_blob(q, 1, &size);
    DWORD *tokens =
        bytes ? replay_scratch(q->replay, ((size_t)size / 4 + SHADER_PADDING) * 4) : NULL;

    if (!tokens) {
        replay_call_skip(q, "no byte code was recorded");
        return NULL;
    }
    memcpy(tokens, bytes, size / 4 * 4);
    for (uint32_t i = 0; i < SHADER_PADDING; i++)
        tokens[size / 4 + i] = SHADER_END;
    return tokens;
}

HRESULT replay_create_vertex_shader(struct replay_call *q)
{
    const DWORD *tokens = shader_tokens(q);
    IDirect3DVertexShader9 *shader = NULL;
    HRESULT hr;

    if (!tokens)
        return REPLAY_SKIPPED;
    hr = IDirect3DDevice9_CreateVertexShader(device_of(q), tokens, &shader);
    if (SUCCEEDED(hr))
        replay_call_out(q, 2, OBJ_VERTEX_SHADER, shader, NULL);
    return hr;
}

HRESULT replay_create_pixel_shader(struct replay_call *q)
{
    const DWORD *tokens = shader_tokens(q);
    IDirect3DPixelShader9 *shader = NULL;
    HRESULT hr;

    if (!tokens)
        return REPLAY_SKIPPED;
    hr = IDirect3DDevice9_CreatePixelShader(device_of(q), tokens, &shader);
    if (SUCCEEDED(hr))
        replay_call_out(q, 2, OBJ_PIXEL_SHADER, shader, NULL);
    return hr;
}

/* Maximum elements of a declaration, including the terminator. */
enum { DECLARATION_MAX = 65 };

HRESULT replay_create_vertex_declaration(struct replay_call *q)
{
    const struct trace_value *list = arg(q, 1);
    D3DVERTEXELEMENT9 elements[DECLARATION_MAX + 1];
    IDirect3DVertexDeclaration9 *declaration = NULL;
    uint32_t n = list->kind == TRACE_ARRAY ? list->count : 0;
    HRESULT hr;

    if (!n || n > DECLARATION_MAX)
        return replay_call_skip(q, "%u elements", n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t w[6];

        if (value_words(&list->u.items[i], w, 6) != 6)
            return replay_call_skip(q, "malformed element");
        elements[i] = (D3DVERTEXELEMENT9){(WORD)w[0], (WORD)w[1], (BYTE)w[2],
                                          (BYTE)w[3], (BYTE)w[4], (BYTE)w[5]};
    }
    elements[n] = (D3DVERTEXELEMENT9)D3DDECL_END(); /* the recording may lack a terminator */
    hr = IDirect3DDevice9_CreateVertexDeclaration(device_of(q), elements, &declaration);
    if (SUCCEEDED(hr))
        replay_call_out(q, 2, OBJ_DECLARATION, declaration, NULL);
    return hr;
}

/* A null out pointer only asks whether the query type is supported. */
HRESULT replay_create_query(struct replay_call *q)
{
    IDirect3DQuery9 *query = NULL;
    HRESULT hr;

    if (arg_out_null(q, 2))
        return IDirect3DDevice9_CreateQuery(device_of(q), arg_u32(q, 1), NULL);
    hr = IDirect3DDevice9_CreateQuery(device_of(q), arg_u32(q, 1), &query);
    if (SUCCEEDED(hr))
        replay_call_out(q, 2, OBJ_QUERY, query, NULL);
    return hr;
}

/* --- Bound objects ---------------------------------------------------------------------------- */

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

HRESULT replay_get_vertex_declaration(struct replay_call *q)
{
    IDirect3DVertexDeclaration9 *declaration = NULL;
    HRESULT hr = IDirect3DDevice9_GetVertexDeclaration(device_of(q), &declaration);

    if (SUCCEEDED(hr))
        replay_call_out(q, 1, OBJ_DECLARATION, declaration, NULL);
    return hr;
}

HRESULT replay_get_vertex_shader(struct replay_call *q)
{
    IDirect3DVertexShader9 *shader = NULL;
    HRESULT hr = IDirect3DDevice9_GetVertexShader(device_of(q), &shader);

    if (SUCCEEDED(hr))
        replay_call_out(q, 1, OBJ_VERTEX_SHADER, shader, NULL);
    return hr;
}

HRESULT replay_get_pixel_shader(struct replay_call *q)
{
    IDirect3DPixelShader9 *shader = NULL;
    HRESULT hr = IDirect3DDevice9_GetPixelShader(device_of(q), &shader);

    if (SUCCEEDED(hr))
        replay_call_out(q, 1, OBJ_PIXEL_SHADER, shader, NULL);
    return hr;
}

HRESULT replay_get_stream_source(struct replay_call *q)
{
    IDirect3DVertexBuffer9 *buffer = NULL;
    UINT offset, stride;
    HRESULT hr =
        IDirect3DDevice9_GetStreamSource(device_of(q), arg_u32(q, 1), &buffer, &offset, &stride);

    if (SUCCEEDED(hr))
        replay_call_out(q, 2, OBJ_VERTEX_BUFFER, buffer, NULL);
    return hr;
}

HRESULT replay_get_indices(struct replay_call *q)
{
    IDirect3DIndexBuffer9 *buffer = NULL;
    HRESULT hr = IDirect3DDevice9_GetIndices(device_of(q), &buffer);

    if (SUCCEEDED(hr))
        replay_call_out(q, 1, OBJ_INDEX_BUFFER, buffer, NULL);
    return hr;
}
