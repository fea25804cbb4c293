/* Resource creation for compiled streams: validates each record, charges its memory, creates the
 * resource.
 *
 * Tested by tests/fuzz/trace/test_nvs.c. */
#include "trace/stream/player.h"

#include "tex/format.h"
#include "util/alloc.h"

#include <string.h>

static const char NO_BUDGET[] = "exceeds the memory limit for a file of this size";

static bool pay(struct nvs *nvs, struct played_resource *resource, uint64_t bytes)
{
    if (bytes > UINT64_MAX - NVS_OVERHEAD || !nvs_charge_memory(nvs, bytes + NVS_OVERHEAD))
        return false;
    resource->bytes = bytes + NVS_OVERHEAD;
    return true;
}

/* --- Handles ---------------------------------------------------------------------------------- */

/* Grows the handle table to n entries. */
static bool grow(struct played_stream *stream, uint32_t n)
{
    struct played_resource *more;

    if (n <= stream->room)
        return true;
    more = mem_realloc(stream->resource, (size_t)n * 2 * sizeof(*more));
    if (!more)
        return false;
    stream->resource = more;
    stream->room = n * 2;
    return true;
}

/* Handles are assigned in order and reused, so a new handle is at most the table size. */
static enum status claim(struct nvs *nvs, const struct nvs_record *record,
                         struct played_stream *stream, uint32_t handle,
                         struct played_resource **out)
{
    if (!handle || handle > stream->n || nvs_find(stream, handle))
        return nvs_damaged(nvs, record, "the handle is not free");
    if (handle == stream->n && !grow(stream, handle + 1))
        return nvs_reader_fail(&nvs->reader, ST_NOMEM, record->offset, record->at, "%s",
                               status_text(ST_NOMEM));
    if (handle == stream->n)
        stream->n++;
    *out = &stream->resource[handle];
    **out = (struct played_resource){0};
    return ST_OK;
}

/* --- Creation by kind ------------------------------------------------------------------------- */

static uint64_t image_bytes(const struct tex_desc *desc)
{
    const struct tex_format *format = tex_format_get(desc->format);
    uint64_t pixels = (uint64_t)desc->width * desc->height * desc->depth;

    if (!format || desc->width > TEX_MAX_SIZE || desc->height > TEX_MAX_SIZE ||
        desc->depth > TEX_MAX_SIZE || desc->samples > 16)
        return UINT64_MAX;
    pixels *= desc->samples * (desc->shape == TEX_CUBE_MAP ? 6 : 1);
    return pixels * (format->bytes ? format->bytes : 1) * (desc->levels == 1 ? 1 : 2);
}

static enum status create_image(struct nvs *nvs, const struct nvs_record *record,
                                struct played_stream *stream, struct played_resource *resource)
{
    const struct nvs_create_image *p = (const void *)record->packet;
    const struct tex_desc desc = {.format = (D3DFORMAT)p->format,
                                  .shape = (enum tex_shape)p->shape,
                                  .width = p->width,
                                  .height = p->height,
                                  .depth = p->depth,
                                  .levels = p->levels,
                                  .samples = p->samples,
                                  .unlocked = p->unlocked != 0};

    if (p->shape > TEX_VOLUME_MAP || image_bytes(&desc) == UINT64_MAX)
        return nvs_damaged(nvs, record, "invalid image description");
    if (!pay(nvs, resource, image_bytes(&desc)))
        return nvs_damaged(nvs, record, NO_BUDGET);
    resource->kind = CMD_IMAGE;
    return cmd_create_image(stream->stream, &desc, NULL, &resource->handle);
}

static enum status create_buffer(struct nvs *nvs, const struct nvs_record *record,
                                 struct played_stream *stream, struct played_resource *resource)
{
    const struct nvs_create_buffer *p = (const void *)record->packet;

    if (!pay(nvs, resource, p->bytes))
        return nvs_damaged(nvs, record, NO_BUDGET);
    resource->kind = CMD_BUFFER;
    return cmd_create_buffer(stream->stream, p->bytes, CMD_BUFFER_SHARED, &resource->handle);
}

static enum status create_shader(struct nvs *nvs, struct nvs_record *record,
                                 struct played_stream *stream, struct played_resource *resource)
{
    const struct nvs_create_shader *p = (const void *)record->packet;
    struct vm_limits limits = p->software ? vm_limits_software : vm_limits_hardware;
    struct vm_program *program;
    struct vm_error error = {0};
    uint32_t *tokens;
    enum status st;

    if (!pay(nvs, resource, (uint64_t)record->data_bytes * NVS_SHADER_FACTOR))
        return nvs_damaged(nvs, record, NO_BUDGET);
    tokens = mem_alloc(record->data_bytes + 4);
    if (!tokens)
        return ST_NOMEM;
    if (record->data_bytes)
        memcpy(tokens, record->data, record->data_bytes);
    limits.enforced = VM_RULES_LIMIT; /* the API has judged the shader */
    st = vm_program_create(&program, tokens, record->data_bytes / 4, &limits, &error);
    mem_free(tokens);
    if (st == ST_INVALID)
        return nvs_damaged(nvs, record, error.text);
    if (st != ST_OK)
        return st;
    resource->kind = CMD_SHADER;
    return cmd_create_shader(stream->stream, program, &resource->handle);
}

/* Elements without data are those that a tessellator generates. */
static bool type_ok(const D3DVERTEXELEMENT9 *e)
{
    return e->Type < D3DDECLTYPE_UNUSED ||
           (e->Type == D3DDECLTYPE_UNUSED && !e->Stream && !e->Offset &&
            (e->Method == D3DDECLMETHOD_UV || e->Method == D3DDECLMETHOD_LOOKUPPRESAMPLED));
}

/* Applies the checks of IDirect3DDevice9::CreateVertexDeclaration (reference:
 * vertices/declaration-refused). */
static bool element_ok(const D3DVERTEXELEMENT9 *e)
{
    return e->Offset % 4 == 0 && type_ok(e) && e->Stream < DRAW_STREAMS &&
           e->Method <= D3DDECLMETHOD_LOOKUPPRESAMPLED && e->Usage <= D3DDECLUSAGE_SAMPLE &&
           e->UsageIndex < 16;
}

static enum status create_declaration(struct nvs *nvs, const struct nvs_record *record,
                                      struct played_stream *stream,
                                      struct played_resource *resource)
{
    const struct nvs_create_declaration *p = (const void *)record->packet;
    D3DVERTEXELEMENT9 element[MAXD3DDECLLENGTH];

    if (p->elements > MAXD3DDECLLENGTH || record->data_bytes != p->elements * sizeof(*element))
        return nvs_damaged(nvs, record, "too many elements, or elements are missing");
    if (!pay(nvs, resource, 0))
        return nvs_damaged(nvs, record, NO_BUDGET);
    if (p->elements)
        memcpy(element, record->data, record->data_bytes);
    for (uint32_t i = 0; i < p->elements; i++) {
        if (!element_ok(&element[i]))
            return nvs_damaged(nvs, record, "an element is not allowed");
        for (uint32_t k = 0; k < i; k++)
            if (element[k].Usage == element[i].Usage &&
                element[k].UsageIndex == element[i].UsageIndex)
                return nvs_damaged(nvs, record, "a duplicate element");
    }
    resource->kind = CMD_DECLARATION;
    return cmd_create_declaration(stream->stream, element, p->elements, &resource->handle);
}

static enum status create_query(struct nvs *nvs, const struct nvs_record *record,
                                struct played_stream *stream, struct played_resource *resource)
{
    const struct nvs_create_query *p = (const void *)record->packet;

    if (!pay(nvs, resource, 0))
        return nvs_damaged(nvs, record, NO_BUDGET);
    resource->kind = CMD_QUERY;
    return cmd_create_query(stream->stream, (D3DQUERYTYPE)p->type, &resource->handle);
}

enum status nvs_create(struct nvs *nvs, struct nvs_record *record, struct played_stream *stream)
{
    struct played_resource *resource = NULL;
    uint32_t handle;
    enum status st;

    memcpy(&handle, record->packet, sizeof(handle)); /* all creation packets start with it */
    st = claim(nvs, record, stream, handle, &resource);
    if (st != ST_OK || !resource)
        return st;
    switch (record->head.op) {
    case NVS_CREATE_IMAGE:
        st = create_image(nvs, record, stream, resource);
        break;
    case NVS_CREATE_BUFFER:
        st = create_buffer(nvs, record, stream, resource);
        break;
    case NVS_CREATE_SHADER:
        st = create_shader(nvs, record, stream, resource);
        break;
    case NVS_CREATE_DECLARATION:
        st = create_declaration(nvs, record, stream, resource);
        break;
    default:
        st = create_query(nvs, record, stream, resource);
        break;
    }
    if (st != ST_OK)
        return nvs_reader_fail(&nvs->reader, st == ST_INVALID ? ST_DAMAGED : st, record->offset,
                               record->at, "%s: %s", record->info->name, status_text(st));
    return ST_OK;
}
