/* Device methods of scenes, Clear and draw calls. */
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/com/refused.h"
#include "api/device/buffer_reads.h"
#include "api/device/draw.h"
#include "api/memory/resource.h"
#include "api/object/object.h"
#include "api/set/set.h"
#include "api/state/state.h"
#include "api/swapchain/swapchain.h"
#include "cmd/cmd.h"
#include "util/primitive.h"

#include <string.h>

/* --- Scenes and clears ------------------------------------------------------------------------ */

HRESULT WINAPI device_BeginScene(IDirect3DDevice9Ex *iface)
{
    ENTER(d, iface);

    if (d->in_scene)
        return D3DERR_INVALIDCALL;
    d->in_scene = true;
    return D3D_OK;
}

HRESULT WINAPI device_EndScene(IDirect3DDevice9Ex *iface)
{
    ENTER(d, iface);

    if (!d->in_scene)
        return D3DERR_INVALIDCALL;
    d->in_scene = false;
    return D3D_OK;
}

HRESULT WINAPI device_Clear(IDirect3DDevice9Ex *iface, DWORD count, const D3DRECT *rects,
                            DWORD flags, D3DCOLOR colour, float z, DWORD stencil)
{
    ENTER(d, iface);
    struct cmd_clear packet = {flags, colour, stencil, z, rects ? count : 0};

    if ((flags & (D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL)) && !d->depth)
        return api_refused(D3DERR_INVALIDCALL, "Clear", D3DFMT_UNKNOWN,
                           "depth or stencil, but no depth buffer is set");
    if (!count && rects) /* an empty list clears nothing (reference: clear/count) */
        return D3D_OK;
    api_targets_written(d);
    return api_hresult(cmd_emit_clear(d->stream, &packet, rects, packet.n_rects * sizeof(*rects)));
}

/* --- Draws ------------------------------------------------------------------------------------ */

/* Vertices or indices of `primitives` primitives; 0: unknown type, or more than 32 bits hold. */
static uint32_t vertex_count(D3DPRIMITIVETYPE type, UINT primitives)
{
    uint64_t n = primitive_vertices(type, primitives);

    return n > UINT32_MAX ? 0 : (uint32_t)n;
}

HRESULT api_refuse_shader(struct device *d)
{
    struct cmd_set_shader packet = {.pixel = 0, .shader = 0};

    if (d->shader_refused)
        return D3D_OK;
    d->shader_refused = true;
    (void)!cmd_emit_set_shader(d->stream, &packet, NULL, 0);
    return D3DERR_INVALIDCALL;
}

HRESULT api_prepare_draw(struct device *d)
{
    const struct shader *vs = d->state->vertex_shader;
    HRESULT hr;

    if (!d->state->decl)
        return api_refused(D3DERR_INVALIDCALL, "a draw", D3DFMT_UNKNOWN,
                           "no vertex declaration or FVF is set");
    if (vs && vs->beyond_hardware && !d->software && FAILED(api_refuse_shader(d)))
        return api_refused(D3DERR_INVALIDCALL, "a draw with a vertex shader", D3DFMT_UNKNOWN,
                           "the shader needs software vertex processing");
    hr = api_emit_pending(d);
    if (d->targets_to_check)
        api_targets_written(d);
    return hr;
}

static HRESULT refuse_type(const char *call, D3DPRIMITIVETYPE type)
{
    return api_refused(D3DERR_INVALIDCALL, call, D3DFMT_UNKNOWN,
                       "primitives of type %u, or too many of them", (unsigned)type);
}

HRESULT WINAPI device_DrawPrimitive(IDirect3DDevice9Ex *iface, D3DPRIMITIVETYPE type, UINT start,
                                    UINT primitives)
{
    ENTER(d, iface);
    uint32_t vertices = vertex_count(type, primitives);
    struct cmd_draw packet = {.type = type,
                              .primitives = primitives,
                              .base_vertex = (int32_t)start,
                              .vertices = vertices};
    HRESULT hr = api_prepare_draw(d);

    if (FAILED(hr))
        return hr;
    if (!primitives)
        return D3D_OK;
    if (!vertices)
        return refuse_type("DrawPrimitive", type);
    hr = api_before_buffer_reads(d, &(struct buffer_reads){.n = vertices, .base = start});
    if (FAILED(hr))
        return hr;
    api_present_count_draw(d->present_queue, primitives);
    return api_hresult(cmd_emit_draw(d->stream, &packet, NULL, 0));
}

HRESULT WINAPI device_DrawIndexedPrimitive(IDirect3DDevice9Ex *iface, D3DPRIMITIVETYPE type,
                                           INT base_vertex, UINT min_index, UINT vertices,
                                           UINT start_index, UINT primitives)
{
    ENTER(d, iface);
    struct cmd_draw packet = {type,        primitives, TRUE,    base_vertex,
                              start_index, min_index,  vertices};
    struct buffer_reads reads = {.indexed = true,
                                 .start_index = start_index,
                                 .n = vertex_count(type, primitives),
                                 .base = base_vertex};
    HRESULT hr = api_prepare_draw(d);

    if (FAILED(hr))
        return hr;
    /* Draws nothing and succeeds, whatever the count of primitives (reference:
     * vertices/draw-rules). */
    if (!primitives || !vertices || !d->state->indices)
        return D3D_OK;
    if (!reads.n)
        return refuse_type("DrawIndexedPrimitive", type);
    hr = api_before_buffer_reads(d, &reads);
    if (FAILED(hr))
        return hr;
    api_present_count_draw(d->present_queue, primitives);
    return api_hresult(cmd_emit_draw(d->stream, &packet, NULL, 0));
}

/* Draws from user memory unbind stream 0, without recording it in a state block, even where the
 * declaration is missing. Offset and stride are cleared only where the draw succeeds
 * (reference: draws/user-memory). */
static HRESULT unbind_after(struct device *d, bool indexed, HRESULT result)
{
    struct stream_source *source = &d->state->stream[0];
    HRESULT hr;

    api_object_assign((struct object **)&source->buffer, NULL);
    if (SUCCEEDED(result))
        source->offset = source->stride = 0;
    hr = api_emit_slot(d, SLOT_STREAM);
    if (indexed && SUCCEEDED(hr)) {
        api_object_assign((struct object **)&d->state->indices, NULL);
        hr = api_emit_slot(d, SLOT_INDICES);
    }
    return FAILED(result) ? result : hr;
}

static HRESULT draw_up(struct device *d, const struct cmd_draw_up *packet, const void *vertices)
{
    HRESULT hr = api_prepare_draw(d);

    if (SUCCEEDED(hr))
        hr = api_before_buffer_reads(
            d, &(struct buffer_reads){.first_stream = 1, .n = packet->vertices});
    if (FAILED(hr))
        return hr;
    api_present_count_draw(d->present_queue, packet->primitives);
    return api_hresult(cmd_emit_draw_up(d->stream, packet, vertices, packet->vertex_bytes));
}

HRESULT WINAPI device_DrawPrimitiveUP(IDirect3DDevice9Ex *iface, D3DPRIMITIVETYPE type,
                                      UINT primitives, const void *data, UINT stride)
{
    ENTER(d, iface);
    uint32_t vertices = vertex_count(type, primitives);
    uint64_t bytes = (uint64_t)vertices * stride;
    struct cmd_draw_up packet = {.type = type,
                                 .primitives = primitives,
                                 .stride = stride,
                                 .vertex_bytes = (uint32_t)bytes,
                                 .vertices = vertices};

    if (!stride)
        return D3DERR_INVALIDCALL;
    if (!primitives)
        return D3D_OK;
    if (!data || !vertices || bytes > UINT32_MAX)
        return D3DERR_INVALIDCALL;
    return unbind_after(d, false, draw_up(d, &packet, data));
}

/* Packs vertices, then indices at a multiple of 16 bytes. Vertices before min_index are not read:
 * the application guarantees that no index refers to them. */
static HRESULT draw_indexed_up(struct device *d, const struct cmd_draw_up *packet,
                               const void *vertices, const void *indices)
{
    size_t first = (size_t)packet->min_index * packet->stride;
    size_t indices_at = ((size_t)packet->vertex_bytes + 15) & ~(size_t)15;
    size_t bytes = indices_at + packet->index_bytes_total;
    struct buffer_reads reads = {.first_stream = 1,
                                 .indexed = true,
                                 .n = packet->index_bytes_total / packet->index_bytes,
                                 .user_indices = indices,
                                 .index_bytes = packet->index_bytes};
    HRESULT hr = api_prepare_draw(d);
    uint8_t *reserved;

    if (SUCCEEDED(hr))
        hr = api_before_buffer_reads(d, &reads);
    if (FAILED(hr))
        return hr;
    reserved = cmd_reserve_data(d->stream, sizeof(*packet), bytes);
    if (!reserved)
        return E_OUTOFMEMORY;
    memset(reserved, 0, first);
    memcpy(reserved + first, (const uint8_t *)vertices + first, packet->vertex_bytes - first);
    memset(reserved + packet->vertex_bytes, 0, indices_at - packet->vertex_bytes);
    memcpy(reserved + indices_at, indices, packet->index_bytes_total);
    api_present_count_draw(d->present_queue, packet->primitives);
    return api_hresult(cmd_emit_draw_up(d->stream, packet, reserved, bytes));
}

HRESULT WINAPI device_DrawIndexedPrimitiveUP(IDirect3DDevice9Ex *iface, D3DPRIMITIVETYPE type,
                                             UINT min_index, UINT vertices, UINT primitives,
                                             const void *index_data, D3DFORMAT index_format,
                                             const void *data, UINT stride)
{
    ENTER(d, iface);
    uint32_t index_bytes = index_format == D3DFMT_INDEX32 ? 4 : 2;
    uint64_t vertex_bytes = ((uint64_t)min_index + vertices) * stride;
    uint64_t all_indices = (uint64_t)vertex_count(type, primitives) * index_bytes;
    struct cmd_draw_up packet = {
        type,      primitives, stride, (uint32_t)vertex_bytes, index_bytes, (uint32_t)all_indices,
        min_index, vertices};

    if (!stride)
        return D3DERR_INVALIDCALL;
    if (!primitives || !vertices)
        return D3D_OK;
    if (!data || !index_data || !all_indices || vertex_bytes > INT32_MAX ||
        all_indices > INT32_MAX ||
        (index_format != D3DFMT_INDEX16 && index_format != D3DFMT_INDEX32))
        return D3DERR_INVALIDCALL;
    return unbind_after(d, true, draw_indexed_up(d, &packet, data, index_data));
}
