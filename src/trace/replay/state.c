/* Replay handlers for device state, draws and queries.
 *
 * Tested by tests/unit/trace/test_captures.c. */
#include "trace/replay/args.h"
#include "trace/replay/handlers.h"

#include "util/primitive.h"

#include <string.h>
#include <time.h>

static IDirect3DDevice9 *device_of(const struct replay_call *q)
{
    return q->self->iface;
}

HRESULT replay_begin_scene(struct replay_call *q)
{
    return IDirect3DDevice9_BeginScene(device_of(q));
}

HRESULT replay_end_scene(struct replay_call *q)
{
    return IDirect3DDevice9_EndScene(device_of(q));
}

HRESULT replay_clear(struct replay_call *q)
{
    const struct trace_value *list = arg(q, 2);
    uint32_t count = arg_u32(q, 1);
    const D3DRECT *rects = NULL;

    if (count > (1u << 20))
        return replay_call_skip(q, "%u rectangles", count);
    if (list->kind == TRACE_ARRAY) {
        rects = (const D3DRECT *)(const void *)arg_array(q, 2, (size_t)count * 4);
        if (!rects)
            return replay_call_skip(q, "fewer rectangles recorded than counted");
    }
    return IDirect3DDevice9_Clear(device_of(q), count, rects, arg_u32(q, 3), arg_u32(q, 4),
                                  arg_float(q, 5), arg_u32(q, 6));
}

/* --- Fixed function --------------------------------------------------------------------------- */

HRESULT replay_set_transform(struct replay_call *q)
{
    bool ok = true;
    D3DMATRIX matrix;
    const D3DMATRIX *in = arg_words(q, 2, &matrix, 16, &ok);

    if (!ok)
        return replay_call_skip(q, "malformed matrix");
    return IDirect3DDevice9_SetTransform(device_of(q), arg_u32(q, 1), in);
}

HRESULT replay_multiply_transform(struct replay_call *q)
{
    bool ok = true;
    D3DMATRIX matrix;
    const D3DMATRIX *in = arg_words(q, 2, &matrix, 16, &ok);

    if (!ok)
        return replay_call_skip(q, "malformed matrix");
    return IDirect3DDevice9_MultiplyTransform(device_of(q), arg_u32(q, 1), in);
}

HRESULT replay_set_viewport(struct replay_call *q)
{
    bool ok = true;
    D3DVIEWPORT9 viewport;
    const D3DVIEWPORT9 *in = arg_words(q, 1, &viewport, 6, &ok);

    if (!ok)
        return replay_call_skip(q, "malformed viewport");
    return IDirect3DDevice9_SetViewport(device_of(q), in);
}

HRESULT replay_set_material(struct replay_call *q)
{
    bool ok = true;
    D3DMATERIAL9 material;
    const D3DMATERIAL9 *in = arg_words(q, 1, &material, 17, &ok);

    if (!ok)
        return replay_call_skip(q, "malformed material");
    return IDirect3DDevice9_SetMaterial(device_of(q), in);
}

HRESULT replay_set_light(struct replay_call *q)
{
    bool ok = true;
    D3DLIGHT9 light;
    const D3DLIGHT9 *in = arg_words(q, 2, &light, sizeof(light) / 4, &ok);

    if (!ok)
        return replay_call_skip(q, "malformed light");
    return IDirect3DDevice9_SetLight(device_of(q), arg_u32(q, 1), in);
}

HRESULT replay_light_enable(struct replay_call *q)
{
    return IDirect3DDevice9_LightEnable(device_of(q), arg_u32(q, 1), (BOOL)arg_u32(q, 2));
}

/* Captures before version 6 may hold fewer than 4 numbers; the rest are zeros. */
HRESULT replay_set_clip_plane(struct replay_call *q)
{
    float plane[4] = {0};
    const struct trace_value *value = arg(q, 2);

    if (value->kind != TRACE_ARRAY)
        return replay_call_skip(q, "malformed plane");
    value_words(value, (uint32_t *)(void *)plane, 4);
    return IDirect3DDevice9_SetClipPlane(device_of(q), arg_u32(q, 1), plane);
}

HRESULT replay_set_clip_status(struct replay_call *q)
{
    bool ok = true;
    D3DCLIPSTATUS9 status;
    const D3DCLIPSTATUS9 *in = arg_words(q, 1, &status, 2, &ok);

    if (!ok)
        return replay_call_skip(q, "malformed clip status");
    return IDirect3DDevice9_SetClipStatus(device_of(q), in);
}

HRESULT replay_set_fvf(struct replay_call *q)
{
    return IDirect3DDevice9_SetFVF(device_of(q), arg_u32(q, 1));
}

HRESULT replay_set_npatch_mode(struct replay_call *q)
{
    return IDirect3DDevice9_SetNPatchMode(device_of(q), arg_float(q, 1));
}

HRESULT replay_set_software_vertex_processing(struct replay_call *q)
{
    return IDirect3DDevice9_SetSoftwareVertexProcessing(device_of(q), (BOOL)arg_u32(q, 1));
}

HRESULT replay_set_palette_entries(struct replay_call *q)
{
    uint32_t *words = arg_array(q, 2, 256 * 4);
    PALETTEENTRY entries[256];

    if (!words)
        return replay_call_skip(q, "malformed palette");
    for (unsigned i = 0; i < 256; i++)
        entries[i] = (PALETTEENTRY){(BYTE)words[4 * i], (BYTE)words[4 * i + 1],
                                    (BYTE)words[4 * i + 2], (BYTE)words[4 * i + 3]};
    return IDirect3DDevice9_SetPaletteEntries(device_of(q), arg_u32(q, 1), entries);
}

HRESULT replay_set_current_texture_palette(struct replay_call *q)
{
    return IDirect3DDevice9_SetCurrentTexturePalette(device_of(q), arg_u32(q, 1));
}

/* --- States ----------------------------------------------------------------------------------- */

HRESULT replay_set_render_state(struct replay_call *q)
{
    return IDirect3DDevice9_SetRenderState(device_of(q), arg_u32(q, 1), arg_u32(q, 2));
}

HRESULT replay_set_texture_stage_state(struct replay_call *q)
{
    return IDirect3DDevice9_SetTextureStageState(device_of(q), arg_u32(q, 1), arg_u32(q, 2),
                                                 arg_u32(q, 3));
}

HRESULT replay_set_sampler_state(struct replay_call *q)
{
    return IDirect3DDevice9_SetSamplerState(device_of(q), arg_u32(q, 1), arg_u32(q, 2),
                                            arg_u32(q, 3));
}

HRESULT replay_set_scissor_rect(struct replay_call *q)
{
    bool ok = true;
    RECT rect;
    const RECT *in = arg_words(q, 1, &rect, 4, &ok);

    if (!ok)
        return replay_call_skip(q, "malformed rectangle");
    return IDirect3DDevice9_SetScissorRect(device_of(q), in);
}

HRESULT replay_validate_device(struct replay_call *q)
{
    DWORD passes = 0;

    return IDirect3DDevice9_ValidateDevice(device_of(q), &passes);
}

HRESULT replay_begin_state_block(struct replay_call *q)
{
    return IDirect3DDevice9_BeginStateBlock(device_of(q));
}

HRESULT replay_end_state_block(struct replay_call *q)
{
    IDirect3DStateBlock9 *block = NULL;
    HRESULT hr = IDirect3DDevice9_EndStateBlock(device_of(q), &block);

    if (SUCCEEDED(hr))
        replay_call_out(q, 1, OBJ_STATE_BLOCK, block, NULL);
    return hr;
}

HRESULT replay_create_state_block(struct replay_call *q)
{
    IDirect3DStateBlock9 *block = NULL;
    HRESULT hr = IDirect3DDevice9_CreateStateBlock(device_of(q), arg_u32(q, 1), &block);

    if (SUCCEEDED(hr))
        replay_call_out(q, 2, OBJ_STATE_BLOCK, block, NULL);
    return hr;
}

HRESULT replay_state_block_capture(struct replay_call *q)
{
    return IDirect3DStateBlock9_Capture((IDirect3DStateBlock9 *)q->self->iface);
}

HRESULT replay_state_block_apply(struct replay_call *q)
{
    return IDirect3DStateBlock9_Apply((IDirect3DStateBlock9 *)q->self->iface);
}

/* --- Bindings --------------------------------------------------------------------------------- */

HRESULT replay_set_texture(struct replay_call *q)
{
    IDirect3DBaseTexture9 *texture;

    if (!arg_object(q, 2, KINDS_TEXTURE, &texture))
        return REPLAY_SKIPPED;
    return IDirect3DDevice9_SetTexture(device_of(q), arg_u32(q, 1), texture);
}

HRESULT replay_set_render_target(struct replay_call *q)
{
    IDirect3DSurface9 *surface;

    if (!arg_object(q, 2, KIND(SURFACE), &surface))
        return REPLAY_SKIPPED;
    return IDirect3DDevice9_SetRenderTarget(device_of(q), arg_u32(q, 1), surface);
}

HRESULT replay_set_depth_stencil_surface(struct replay_call *q)
{
    IDirect3DSurface9 *surface;

    if (!arg_object(q, 1, KIND(SURFACE), &surface))
        return REPLAY_SKIPPED;
    return IDirect3DDevice9_SetDepthStencilSurface(device_of(q), surface);
}

HRESULT replay_set_vertex_declaration(struct replay_call *q)
{
    IDirect3DVertexDeclaration9 *declaration;

    if (!arg_object(q, 1, KIND(DECLARATION), &declaration))
        return REPLAY_SKIPPED;
    return IDirect3DDevice9_SetVertexDeclaration(device_of(q), declaration);
}

HRESULT replay_set_vertex_shader(struct replay_call *q)
{
    IDirect3DVertexShader9 *shader;

    if (!arg_object(q, 1, KIND(VERTEX_SHADER), &shader))
        return REPLAY_SKIPPED;
    return IDirect3DDevice9_SetVertexShader(device_of(q), shader);
}

HRESULT replay_set_pixel_shader(struct replay_call *q)
{
    IDirect3DPixelShader9 *shader;

    if (!arg_object(q, 1, KIND(PIXEL_SHADER), &shader))
        return REPLAY_SKIPPED;
    return IDirect3DDevice9_SetPixelShader(device_of(q), shader);
}

HRESULT replay_set_stream_source(struct replay_call *q)
{
    IDirect3DVertexBuffer9 *buffer;

    if (!arg_object(q, 2, KIND(VERTEX_BUFFER), &buffer))
        return REPLAY_SKIPPED;
    return IDirect3DDevice9_SetStreamSource(device_of(q), arg_u32(q, 1), buffer, arg_u32(q, 3),
                                            arg_u32(q, 4));
}

HRESULT replay_set_stream_source_freq(struct replay_call *q)
{
    return IDirect3DDevice9_SetStreamSourceFreq(device_of(q), arg_u32(q, 1), arg_u32(q, 2));
}

HRESULT replay_set_indices(struct replay_call *q)
{
    IDirect3DIndexBuffer9 *buffer;

    if (!arg_object(q, 1, KIND(INDEX_BUFFER), &buffer))
        return REPLAY_SKIPPED;
    return IDirect3DDevice9_SetIndices(device_of(q), buffer);
}

/* --- Shader constants ------------------------------------------------------------------------- */

/* Reads constants in registers of n words; returns NULL after a warning if fewer were recorded. */
static void *constants(struct replay_call *q, unsigned n)
{
    void *data = arg_u32(q, 3) > 65536 ? NULL : arg_array(q, 2, (size_t)arg_u32(q, 3) * n);

    if (!data)
        replay_call_skip(q, "fewer constants recorded than counted");
    return data;
}

HRESULT replay_set_vertex_shader_constant_f(struct replay_call *q)
{
    const float *data = constants(q, 4);

    return data ? IDirect3DDevice9_SetVertexShaderConstantF(device_of(q), arg_u32(q, 1), data,
                                                            arg_u32(q, 3))
                : REPLAY_SKIPPED;
}

HRESULT replay_set_vertex_shader_constant_i(struct replay_call *q)
{
    const int *data = constants(q, 4);

    return data ? IDirect3DDevice9_SetVertexShaderConstantI(device_of(q), arg_u32(q, 1), data,
                                                            arg_u32(q, 3))
                : REPLAY_SKIPPED;
}

HRESULT replay_set_vertex_shader_constant_b(struct replay_call *q)
{
    const BOOL *data = constants(q, 1);

    return data ? IDirect3DDevice9_SetVertexShaderConstantB(device_of(q), arg_u32(q, 1), data,
                                                            arg_u32(q, 3))
                : REPLAY_SKIPPED;
}

HRESULT replay_set_pixel_shader_constant_f(struct replay_call *q)
{
    const float *data = constants(q, 4);

    return data ? IDirect3DDevice9_SetPixelShaderConstantF(device_of(q), arg_u32(q, 1), data,
                                                           arg_u32(q, 3))
                : REPLAY_SKIPPED;
}

HRESULT replay_set_pixel_shader_constant_i(struct replay_call *q)
{
    const int *data = constants(q, 4);

    return data ? IDirect3DDevice9_SetPixelShaderConstantI(device_of(q), arg_u32(q, 1), data,
                                                           arg_u32(q, 3))
                : REPLAY_SKIPPED;
}

HRESULT replay_set_pixel_shader_constant_b(struct replay_call *q)
{
    const BOOL *data = constants(q, 1);

    return data ? IDirect3DDevice9_SetPixelShaderConstantB(device_of(q), arg_u32(q, 1), data,
                                                           arg_u32(q, 3))
                : REPLAY_SKIPPED;
}

/* --- Draws ------------------------------------------------------------------------------------ */

HRESULT replay_draw_primitive(struct replay_call *q)
{
    return IDirect3DDevice9_DrawPrimitive(device_of(q), arg_u32(q, 1), arg_u32(q, 2),
                                          arg_u32(q, 3));
}

HRESULT replay_draw_indexed_primitive(struct replay_call *q)
{
    return IDirect3DDevice9_DrawIndexedPrimitive(device_of(q), arg_u32(q, 1), (INT)arg_u32(q, 2),
                                                 arg_u32(q, 3), arg_u32(q, 4), arg_u32(q, 5),
                                                 arg_u32(q, 6));
}

/* Returns true if n elements of `each` bytes exceed size bytes. */
static bool too_few(uint64_t n, uint32_t each, uint32_t size)
{
    return each && n > size / each;
}

HRESULT replay_draw_primitive_up(struct replay_call *q)
{
    uint32_t size, type = arg_u32(q, 1), count = arg_u32(q, 2), stride = arg_u32(q, 4);
    const uint8_t *vertices = arg_blob(q, 3, &size);

    if (vertices && too_few(primitive_vertices(type, count), stride, size))
        return replay_call_skip(q, "%u bytes of vertices are too few", size);
    return IDirect3DDevice9_DrawPrimitiveUP(device_of(q), type, count, vertices, stride);
}

HRESULT replay_draw_indexed_primitive_up(struct replay_call *q)
{
    uint32_t type = arg_u32(q, 1), first = arg_u32(q, 2), n = arg_u32(q, 3), count = arg_u32(q, 4);
    uint32_t format = arg_u32(q, 6), stride = arg_u32(q, 8), index_size, vertex_size;
    const uint8_t *indices = arg_blob(q, 5, &index_size);
    const uint8_t *vertices = arg_blob(q, 7, &vertex_size);

    if (indices &&
        too_few(primitive_vertices(type, count), format == D3DFMT_INDEX32 ? 4 : 2, index_size))
        return replay_call_skip(q, "%u bytes of indices are too few", index_size);
    if (vertices && too_few((uint64_t)first + n, stride, vertex_size))
        return replay_call_skip(q, "%u bytes of vertices are too few", vertex_size);
    return IDirect3DDevice9_DrawIndexedPrimitiveUP(device_of(q), type, first, n, count, indices,
                                                   format, vertices, stride);
}

HRESULT replay_process_vertices(struct replay_call *q)
{
    IDirect3DVertexBuffer9 *buffer;
    IDirect3DVertexDeclaration9 *declaration;

    if (!arg_object(q, 4, KIND(VERTEX_BUFFER), &buffer) ||
        !arg_object(q, 5, KIND(DECLARATION), &declaration))
        return REPLAY_SKIPPED;
    return IDirect3DDevice9_ProcessVertices(device_of(q), arg_u32(q, 1), arg_u32(q, 2),
                                            arg_u32(q, 3), buffer, declaration, arg_u32(q, 6));
}

HRESULT replay_draw_rect_patch(struct replay_call *q)
{
    bool ok = true;
    float segments[4];
    D3DRECTPATCH_INFO info;
    const D3DRECTPATCH_INFO *in = arg_words(q, 3, &info, sizeof(info) / 4, &ok);

    if (!ok || value_words(arg(q, 2), (uint32_t *)(void *)segments, 4) < 4)
        return replay_call_skip(q, "malformed patch");
    return IDirect3DDevice9_DrawRectPatch(device_of(q), arg_u32(q, 1), segments, in);
}

HRESULT replay_draw_tri_patch(struct replay_call *q)
{
    bool ok = true;
    float segments[4];
    D3DTRIPATCH_INFO info;
    const D3DTRIPATCH_INFO *in = arg_words(q, 3, &info, sizeof(info) / 4, &ok);

    if (!ok || value_words(arg(q, 2), (uint32_t *)(void *)segments, 4) < 3)
        return replay_call_skip(q, "malformed patch");
    return IDirect3DDevice9_DrawTriPatch(device_of(q), arg_u32(q, 1), segments, in);
}

HRESULT replay_delete_patch(struct replay_call *q)
{
    return IDirect3DDevice9_DeletePatch(device_of(q), arg_u32(q, 1));
}

/* --- Queries ---------------------------------------------------------------------------------- */

/* Polls until the result is there, as the program must have done. Returns at once for a query that
 * was never issued. */
static HRESULT wait_for_data(IDirect3DQuery9 *query, void *data, DWORD size)
{
    const struct timespec pause = {.tv_nsec = 100000};
    HRESULT hr = S_FALSE;

    for (int i = 0; i < 5000; i++) {
        hr = IDirect3DQuery9_GetData(query, data, size, D3DGETDATA_FLUSH);
        if (hr != S_FALSE)
            break;
        if (i > 100)
            nanosleep(&pause, NULL);
    }
    return hr;
}

/* Programs poll, so only the call that returned data matters. Of the results, only the number of
 * passed pixels is the same in all implementations. */
HRESULT replay_query_get_data(struct replay_call *q)
{
    IDirect3DQuery9 *query = q->self->iface;
    const struct trace_value *recorded = value_pointee(arg(q, 1));
    struct replay_stats *stats = &q->replay->stats;
    DWORD pixels = 0;
    HRESULT hr;

    if (q->call->ret.u.sint != S_OK || !recorded || recorded->kind != TRACE_UINT ||
        IDirect3DQuery9_GetType(query) != D3DQUERYTYPE_OCCLUSION || arg_u32(q, 2) != sizeof(pixels))
        return S_OK;
    hr = wait_for_data(query, &pixels, sizeof(pixels));
    if (FAILED(hr))
        return hr;
    stats->queries++;
    if (hr != S_OK || pixels != (DWORD)recorded->u.uint) {
        stats->query_differences++;
        replay_warn(q->replay, q->call, "%u pixels passed, %u when recorded", (unsigned)pixels,
                    (unsigned)recorded->u.uint);
    }
    return S_OK;
}

HRESULT replay_query_issue(struct replay_call *q)
{
    return IDirect3DQuery9_Issue((IDirect3DQuery9 *)q->self->iface, arg_u32(q, 1));
}
