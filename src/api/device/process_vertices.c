/* ProcessVertices: processes vertices into a buffer. */
#include "api/com/device_methods.h"
#include "api/device/buffer_reads.h"
#include "api/device/draw.h"
#include "api/object/object.h"
#include "api/set/set.h"
#include "api/state/state.h"
#include "cmd/cmd.h"

static UINT declared_stride(const struct vertex_decl *decl)
{
    static const uint8_t bytes[] = {4, 8, 12, 16, 4, 4, 4, 8, 4, 4, 8, 4, 8, 4, 4, 4, 8};
    UINT stride = 0;

    for (unsigned i = 0; i + 1 < decl->n; i++) {
        const D3DVERTEXELEMENT9 *e = &decl->element[i];

        if (!e->Stream && e->Offset + bytes[e->Type] > stride)
            stride = e->Offset + bytes[e->Type];
    }
    return stride;
}

/* Size of a vertex element type in bytes; 0: processed vertices cannot have the type. */
static unsigned output_bytes(BYTE type)
{
    return type <= D3DDECLTYPE_FLOAT4 ? 4u * (type + 1u) : type == D3DDECLTYPE_D3DCOLOR ? 4 : 0;
}

static bool overlap(const D3DVERTEXELEMENT9 *a, const D3DVERTEXELEMENT9 *b)
{
    return a->Offset < b->Offset + output_bytes(b->Type) &&
           b->Offset < a->Offset + output_bytes(a->Type);
}

/* A declaration can receive processed vertices if all elements lie in stream 0, do not overlap, and
 * are floats or D3DCOLOR (reference: vertices/process-destination). */
static bool can_receive(const struct vertex_decl *decl)
{
    for (unsigned i = 0; i + 1 < decl->n; i++) {
        const D3DVERTEXELEMENT9 *e = &decl->element[i];

        if (e->Stream || !output_bytes(e->Type))
            return false;
        for (unsigned j = 0; j < i; j++)
            if (overlap(e, &decl->element[j]))
                return false;
    }
    return true;
}

/* The output layout: the given declaration, or without one the FVF code of the buffer. */
static HRESULT output_declaration(struct device *d, const struct buffer *buffer,
                                  struct vertex_decl **decl)
{
    const struct shader *vs = d->state->vertex_shader;
    HRESULT hr;

    if (*decl)
        return (*decl)->base.device == d && can_receive(*decl) ? D3D_OK : D3DERR_INVALIDCALL;
    if (!buffer->fvf || (vs && (vs->tokens[0] >> 8 & 0xff) >= 3))
        return D3DERR_INVALIDCALL;
    hr = api_decl_for_fvf(decl, d, buffer->fvf);
    return SUCCEEDED(hr) && !can_receive(*decl) ? D3DERR_INVALIDCALL : hr;
}

/* Before the call, the renderer gets what the call reads, and what it keeps of the destination. */
static HRESULT update_buffers(struct device *d, UINT start, UINT count, const struct buffer *dst)
{
    HRESULT hr = api_before_buffer_reads(d, &(struct buffer_reads){.n = count, .base = start});

    return FAILED(hr) ? hr : api_hresult(cmd_update_buffer(d->stream, dst->handle, 0, SIZE_MAX));
}

/* Always uses software vertex processing, so shaders beyond hardware limits run
 * (reference: vertices/process). */
HRESULT WINAPI device_ProcessVertices(IDirect3DDevice9Ex *iface, UINT start, UINT dst_index,
                                      UINT count, IDirect3DVertexBuffer9 *dst,
                                      IDirect3DVertexDeclaration9 *declaration, DWORD flags)
{
    ENTER(d, iface);
    struct buffer *buffer = buffer_of(dst);
    struct vertex_decl *decl = decl_of(declaration);
    struct cmd_process_vertices packet = {
        .start = start, .dst_index = dst_index, .count = count, .flags = flags};
    bool refused = d->shader_refused;
    HRESULT hr;

    if (!buffer || buffer->base.device != d || !d->state->decl)
        return D3DERR_INVALIDCALL;
    hr = output_declaration(d, buffer, &decl);
    if (FAILED(hr))
        return hr;
    packet.dst_stride = declared_stride(decl);
    if (count && ((uint64_t)dst_index + count) * packet.dst_stride > buffer->size)
        return D3DERR_INVALIDCALL;
    packet.dst_buffer = buffer->handle;
    packet.declaration = decl->handle;
    hr = api_emit_pending(d);
    if (SUCCEEDED(hr) && count)
        hr = update_buffers(d, start, count, buffer);
    if (FAILED(hr) || !count)
        return hr;
    if (refused && FAILED(hr = api_emit_slot(d, SLOT_VERTEX_SHADER)))
        return hr;
    hr = api_hresult(cmd_emit_process_vertices(d->stream, &packet, NULL, 0));
    cmd_execute(d->stream); /* the destination may be locked right after the call */
    cmd_read_buffer(d->stream, buffer->handle);
    if (refused)
        (void)api_refuse_shader(d);
    return hr;
}
