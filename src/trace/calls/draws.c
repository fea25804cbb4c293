/* Clears, draws and buffer writes of a compiled stream as calls of a Direct3D 9 device.
 *
 * Tested by tests/fuzz/trace/test_nvs.c and tests/tool/retrace.sh. */
#include "trace/calls/calls.h"

#include <string.h>

/* SetRenderTarget sets viewport and scissor rectangle, which the stream sets on their own. */
static void set_view(struct calls_stream *s)
{
    if (!s->set_view)
        return;
    IDirect3DDevice9_SetViewport(s->device, &s->viewport);
    IDirect3DDevice9_SetScissorRect(s->device, &s->scissor);
    s->set_view = false;
}

/* Vertices or indices of a draw; 0: unknown type. */
static uint64_t vertex_count(uint32_t type, uint64_t primitives)
{
    switch (type) {
    case D3DPT_POINTLIST:
        return primitives;
    case D3DPT_LINELIST:
        return primitives * 2;
    case D3DPT_LINESTRIP:
        return primitives + 1;
    case D3DPT_TRIANGLELIST:
        return primitives * 3;
    case D3DPT_TRIANGLESTRIP:
    case D3DPT_TRIANGLEFAN:
        return primitives + 2;
    default:
        return 0;
    }
}

static uint64_t round_up(uint64_t bytes)
{
    return (bytes + 15) & ~UINT64_C(15);
}

/* The data must hold everything that the call reads. */
static bool up_ok(const struct cmd_draw_up *p, size_t bytes)
{
    uint64_t n = vertex_count(p->type, p->primitives);
    uint64_t vertices = p->index_bytes ? (uint64_t)p->min_index + p->vertices : n;

    if (!n || vertices * p->stride > p->vertex_bytes || p->stride > UINT16_MAX)
        return false;
    if (!p->index_bytes)
        return p->vertex_bytes <= bytes;
    return (p->index_bytes == 2 || p->index_bytes == 4) &&
           n * p->index_bytes <= p->index_bytes_total &&
           round_up(p->vertex_bytes) + p->index_bytes_total <= bytes;
}

static HRESULT draw_up(struct calls_stream *s, const struct cmd_draw_up *p, const uint8_t *data)
{
    D3DPRIMITIVETYPE type = (D3DPRIMITIVETYPE)p->type;

    set_view(s);
    if (!p->index_bytes)
        return IDirect3DDevice9_DrawPrimitiveUP(s->device, type, p->primitives, data, p->stride);
    return IDirect3DDevice9_DrawIndexedPrimitiveUP(
        s->device, type, p->min_index, p->vertices, p->primitives, data + round_up(p->vertex_bytes),
        p->index_bytes == 4 ? D3DFMT_INDEX32 : D3DFMT_INDEX16, data, p->stride);
}

static HRESULT draw(struct calls_stream *s, const struct cmd_draw *p)
{
    D3DPRIMITIVETYPE type = (D3DPRIMITIVETYPE)p->type;

    set_view(s);
    return p->indexed ? IDirect3DDevice9_DrawIndexedPrimitive(s->device, type, p->base_vertex,
                                                              p->min_index, p->vertices,
                                                              p->start_index, p->primitives)
                      : IDirect3DDevice9_DrawPrimitive(s->device, type, (UINT)p->base_vertex,
                                                       p->primitives);
}

static HRESULT clear(struct calls_stream *s, const struct cmd_clear *p, const void *rects)
{
    set_view(s);
    return IDirect3DDevice9_Clear(s->device, p->n_rects, p->n_rects ? rects : NULL, p->flags,
                                  p->colour, p->z, p->stencil);
}

static enum status process(struct calls_stream *s, const struct cmd_process_vertices *p,
                           HRESULT *hr)
{
    const struct calls_resource *dst = calls_find(s, p->dst_buffer, CMD_BUFFER);
    const struct calls_resource *declaration = calls_find(s, p->declaration, CMD_DECLARATION);

    if (!dst || !declaration)
        return ST_INVALID;
    set_view(s);
    *hr = dst->vertices
              ? IDirect3DDevice9_ProcessVertices(s->device, p->start, p->dst_index, p->count,
                                                 dst->vertices, declaration->declaration, p->flags)
              : D3DERR_INVALIDCALL;
    return ST_OK;
}

/* --- Buffers ---------------------------------------------------------------------------------- */

static HRESULT lock(const struct calls_resource *r, uint32_t at, size_t bytes, void **out)
{
    return r->vertices ? IDirect3DVertexBuffer9_Lock(r->vertices, at, (UINT)bytes, out, 0)
                       : IDirect3DIndexBuffer9_Lock(r->indices, at, (UINT)bytes, out, 0);
}

/* A buffer that no draw reads does not exist. */
static enum status write_buffer(struct calls_stream *s, const struct cmd_write_buffer *p,
                                const void *data, size_t bytes, HRESULT *hr)
{
    const struct calls_resource *r = calls_find(s, p->buffer, CMD_BUFFER);
    void *to;

    if (!r || p->offset > r->bytes || bytes > r->bytes - p->offset)
        return ST_INVALID;
    if (!bytes || (!r->vertices && !r->indices))
        return ST_OK;
    *hr = lock(r, p->offset, bytes, &to);
    if (FAILED(*hr))
        return ST_OK;
    memcpy(to, data, bytes);
    *hr = r->vertices ? IDirect3DVertexBuffer9_Unlock(r->vertices)
                      : IDirect3DIndexBuffer9_Unlock(r->indices);
    return ST_OK;
}

enum status calls_draw(struct calls_stream *stream, enum cmd_op op, const void *packet,
                       const void *data, size_t bytes, HRESULT *hr)
{
    switch (op) {
    case CMD_CLEAR:
        if (bytes != (uint64_t)((const struct cmd_clear *)packet)->n_rects * sizeof(D3DRECT))
            return ST_INVALID;
        *hr = clear(stream, packet, data);
        return ST_OK;
    case CMD_DRAW:
        *hr = draw(stream, packet);
        return ST_OK;
    case CMD_DRAW_UP:
        if (!up_ok(packet, bytes))
            return ST_INVALID;
        *hr = draw_up(stream, packet, data);
        return ST_OK;
    case CMD_DRAW_PATCH:
        set_view(stream);
        return calls_draw_patch(stream, packet, data, bytes, hr);
    case CMD_PROCESS_VERTICES:
        return process(stream, packet, hr);
    default:
        return write_buffer(stream, packet, data, bytes, hr);
    }
}
