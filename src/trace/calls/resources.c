/* Resources of a compiled stream on a Direct3D 9 device.
 *
 * Tested by tests/fuzz/trace/test_nvs.c and tests/tool/retrace.sh. */
#include "trace/calls/calls.h"

#include "util/alloc.h"

#include <string.h>

enum { PIXEL_SHADER = 0xffff, LAST_STREAM = 0xff };

/* Handles are given in order and reused, so a new handle is at most the size of the table. */
static enum status claim(struct calls_stream *stream, uint32_t handle, struct calls_resource **out)
{
    struct calls_resource *more;
    uint32_t want = stream->n * 2;

    if (!handle || handle > stream->n ||
        (handle < stream->n && stream->resource[handle].kind != CMD_FREE))
        return ST_INVALID;
    if (handle >= stream->room) {
        more = mem_realloc(stream->resource, want * sizeof(*more) + sizeof(*more));
        if (!more)
            return ST_NOMEM;
        stream->resource = more;
        stream->room = want + 1;
    }
    if (handle == stream->n)
        stream->n++;
    *out = &stream->resource[handle];
    **out = (struct calls_resource){0};
    return ST_OK;
}

/* A format of full-screen chains is played as the format that it is in all but scan-out
 * (reference: format/xr-bias). */
static D3DFORMAT played_format(D3DFORMAT format)
{
    return format == D3DFMT_A2B10G10R10_XR_BIAS ? D3DFMT_A2B10G10R10 : format;
}

static enum status create_image(struct calls_stream *s, const struct nvs_create_image *p,
                                struct calls_resource *r, HRESULT *hr)
{
    if (p->shape > TEX_VOLUME_MAP || p->samples > 16)
        return ST_INVALID;
    r->kind = CMD_IMAGE;
    r->desc = (struct tex_desc){.format = played_format((D3DFORMAT)p->format),
                                .shape = (enum tex_shape)p->shape,
                                .width = p->width,
                                .height = p->height,
                                .depth = p->depth,
                                .levels = p->levels,
                                .samples = p->samples,
                                .unlocked = p->unlocked != 0};
    return calls_create_image(s, r, hr);
}

static HRESULT create_buffer(struct calls_stream *s, struct calls_resource *r, bool software)
{
    DWORD usage = software ? D3DUSAGE_SOFTWAREPROCESSING : 0;

    if (r->use & USED_VERTICES)
        return IDirect3DDevice9_CreateVertexBuffer(s->device, r->bytes, usage, 0, D3DPOOL_DEFAULT,
                                                   &r->vertices, NULL);
    if (r->use & (USED_INDICES | USED_INDICES_32))
        return IDirect3DDevice9_CreateIndexBuffer(
            s->device, r->bytes, usage, r->use & USED_INDICES_32 ? D3DFMT_INDEX32 : D3DFMT_INDEX16,
            D3DPOOL_DEFAULT, &r->indices, NULL);
    return D3D_OK;
}

/* The byte code ends where the record ends; the reader has no other bound for it. */
static enum status create_shader(struct calls_stream *s, const struct nvs_record *record,
                                 struct calls_resource *r, HRESULT *hr)
{
    static const uint32_t end = 0x0000ffff;
    uint32_t *tokens, version;
    size_t n = record->data_bytes;

    if (n < 2 * sizeof(*tokens) || n % sizeof(*tokens))
        return ST_INVALID;
    tokens = mem_alloc(n + sizeof(end));
    if (!tokens)
        return ST_NOMEM;
    memcpy(tokens, record->data, n);
    memcpy((uint8_t *)tokens + n, &end, sizeof(end));
    version = tokens[0];
    r->kind = CMD_SHADER;
    *hr =
        version >> 16 == PIXEL_SHADER
            ? IDirect3DDevice9_CreatePixelShader(s->device, (const DWORD *)tokens, &r->pixel_shader)
            : IDirect3DDevice9_CreateVertexShader(s->device, (const DWORD *)tokens,
                                                  &r->vertex_shader);
    mem_free(tokens);
    return ST_OK;
}

static enum status create_declaration(struct calls_stream *s, const struct nvs_record *record,
                                      struct calls_resource *r, HRESULT *hr)
{
    const struct nvs_create_declaration *p = (const void *)record->packet;
    D3DVERTEXELEMENT9 element[MAXD3DDECLLENGTH + 1];

    if (p->elements > MAXD3DDECLLENGTH || record->data_bytes != p->elements * sizeof(*element))
        return ST_INVALID;
    if (p->elements)
        memcpy(element, record->data, record->data_bytes);
    element[p->elements] = (D3DVERTEXELEMENT9){LAST_STREAM, 0, D3DDECLTYPE_UNUSED, 0, 0, 0};
    r->kind = CMD_DECLARATION;
    *hr = IDirect3DDevice9_CreateVertexDeclaration(s->device, element, &r->declaration);
    return ST_OK;
}

enum status calls_create(struct nvs_calls *calls, const struct nvs_record *record,
                         struct calls_stream *stream, HRESULT *hr)
{
    const struct nvs_create_buffer *p = (const void *)record->packet;
    struct calls_resource *r = NULL;
    enum status st = claim(stream, p->handle, &r);
    uint32_t i = calls->next_resource++;

    if (st != ST_OK)
        return st;
    r->use = i < calls->uses.n_resources ? calls->uses.resource[i].use : 0;
    switch (record->head.op) {
    case NVS_CREATE_IMAGE:
        return create_image(stream, (const void *)record->packet, r, hr);
    case NVS_CREATE_BUFFER:
        r->kind = CMD_BUFFER;
        r->bytes = p->bytes;
        *hr = create_buffer(stream, r, stream->software);
        return ST_OK;
    case NVS_CREATE_SHADER:
        return create_shader(stream, record, r, hr);
    case NVS_CREATE_DECLARATION:
        return create_declaration(stream, record, r, hr);
    default:
        r->kind = CMD_QUERY; /* results of queries are in no picture */
        return ST_OK;
    }
}

static void release(void *object)
{
    if (object)
        IUnknown_Release((IUnknown *)object);
}

void calls_destroy(struct calls_resource *r)
{
    tex_image_unref(&r->memory);
    release(r->texture);
    release(r->surface);
    release(r->vertices);
    release(r->indices);
    release(r->vertex_shader);
    release(r->pixel_shader);
    release(r->declaration);
    *r = (struct calls_resource){0};
}
