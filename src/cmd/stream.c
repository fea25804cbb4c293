/* Streams and their resources; packets run inside the call that emits them. */
#include "cmd/stream.h"

#include "util/alloc.h"

#include <assert.h>
#include <string.h>

enum status cmd_stream_create(struct cmd_stream **out, const struct draw_options *options,
                              cmd_present_fn *present, void *present_ctx)
{
    struct cmd_stream *stream = mem_calloc(1, sizeof(*stream));
    enum status st;

    *out = NULL;
    if (!stream)
        return ST_NOMEM;
    stream->present = present;
    stream->present_ctx = present_ctx;
    stream->n_resources = 1;
    draw_state_init(&stream->state);
    if ((st = draw_create(&stream->draw, options))) {
        mem_free(stream);
        return st;
    }
    *out = stream;
    return ST_OK;
}

void cmd_stream_destroy(struct cmd_stream *stream)
{
    if (!stream)
        return;
    for (cmd_handle handle = 1; handle < stream->n_resources; handle++)
        cmd_destroy(stream, handle);
    draw_destroy(stream->draw);
    mem_free(stream->resource);
    mem_free(stream);
}

/* --- The table ------------------------------------------------------------------------------------ */

static enum status grow(struct cmd_stream *stream)
{
    cmd_handle max = stream->max_resources ? 2 * stream->max_resources : 256;
    struct cmd_resource *more = mem_realloc(stream->resource, max * sizeof(*more));

    if (!more)
        return ST_NOMEM;
    stream->resource = more;
    stream->max_resources = max;
    return ST_OK;
}

static enum status add(struct cmd_stream *stream, const struct cmd_resource *resource,
                       cmd_handle *out)
{
    cmd_handle handle = stream->first_free;

    if (handle) {
        stream->first_free = stream->resource[handle].u.next_free;
    } else {
        if (stream->n_resources >= stream->max_resources && grow(stream))
            return ST_NOMEM;
        handle = stream->n_resources++;
    }
    stream->resource[handle] = *resource;
    *out = handle;
    return ST_OK;
}

enum status cmd_create_image(struct cmd_stream *stream, const struct tex_desc *desc, void *memory,
                             cmd_handle *out)
{
    struct cmd_resource resource = {.kind = CMD_IMAGE};
    enum status st = tex_image_create(&resource.u.image, desc, memory);

    *out = 0;
    if (!st && (st = add(stream, &resource, out)))
        tex_image_unref(&resource.u.image);
    return st;
}

enum status cmd_create_buffer(struct cmd_stream *stream, size_t bytes, cmd_handle *out)
{
    struct cmd_resource resource = {.kind = CMD_BUFFER, .u.buffer.size = bytes};
    enum status st = ST_NOMEM;

    *out = 0;
    resource.u.buffer.data = mem_calloc(bytes ? bytes : 1, 1);
    if (resource.u.buffer.data && (st = add(stream, &resource, out)))
        mem_free(resource.u.buffer.data);
    return st;
}

enum status cmd_create_shader(struct cmd_stream *stream, struct vm_program *program,
                              cmd_handle *out)
{
    struct cmd_resource resource = {.kind = CMD_SHADER, .u.shader = program};
    enum status st = add(stream, &resource, out);

    if (st) {
        *out = 0;
        vm_program_destroy(program);
    }
    return st;
}

enum status cmd_create_declaration(struct cmd_stream *stream, const D3DVERTEXELEMENT9 *elements,
                                   unsigned n, cmd_handle *out)
{
    struct cmd_resource resource = {.kind = CMD_DECLARATION};
    struct draw_decl *decl = mem_calloc(1, sizeof(*decl));
    enum status st;

    *out = 0;
    if (!decl)
        return ST_NOMEM;
    decl->id = ++stream->next_declaration_id;
    while (decl->n < n && decl->n < MAXD3DDECLLENGTH && elements[decl->n].Stream != 0xff) {
        decl->element[decl->n] = elements[decl->n];
        decl->n++;
    }
    resource.u.declaration = decl;
    if ((st = add(stream, &resource, out)))
        mem_free(decl);
    return st;
}

enum status cmd_create_query(struct cmd_stream *stream, D3DQUERYTYPE type, cmd_handle *out)
{
    struct cmd_resource resource = {.kind = CMD_QUERY};
    enum status st = ST_NOMEM;

    *out = 0;
    resource.u.query = mem_calloc(1, sizeof(*resource.u.query));
    if (!resource.u.query)
        return ST_NOMEM;
    resource.u.query->type = type;
    if ((st = add(stream, &resource, out)))
        mem_free(resource.u.query);
    return st;
}

void cmd_destroy(struct cmd_stream *stream, cmd_handle handle)
{
    struct cmd_resource *resource;

    if (!handle || handle >= stream->n_resources)
        return;
    resource = &stream->resource[handle];
    if (resource->kind == CMD_FREE)
        return;
    cmd_unbind(stream, handle);
    switch (resource->kind) {
    case CMD_IMAGE:
        draw_release(stream->draw, &resource->u.image);
        break;
    case CMD_BUFFER:
        mem_free(resource->u.buffer.data);
        break;
    case CMD_SHADER:
        vm_program_destroy(resource->u.shader);
        break;
    case CMD_DECLARATION:
        mem_free(resource->u.declaration);
        break;
    case CMD_QUERY:
        occlusion_forget(&stream->occlusion, stream->draw, &resource->u.query->occlusion);
        mem_free(resource->u.query);
        break;
    case CMD_FREE:
        break;
    }
    *resource = (struct cmd_resource){.kind = CMD_FREE, .u.next_free = stream->first_free};
    stream->first_free = handle;
}

/* --- Memory --------------------------------------------------------------------------------------- */

const struct tex_image *cmd_image(struct cmd_stream *stream, cmd_handle image)
{
    struct cmd_resource *resource = cmd_resource(stream, image, CMD_IMAGE);

    return resource ? resource->u.image : NULL;
}

enum status cmd_map_image(struct cmd_stream *stream, cmd_handle handle, uint32_t face,
                          uint32_t level, unsigned flags, struct tex_level *out)
{
    struct cmd_resource *resource = cmd_resource(stream, handle, CMD_IMAGE);
    struct tex_image *image;

    if (!resource)
        return ST_INVALID;
    image = resource->u.image;
    if (face >= image->faces || level >= image->desc.levels)
        return ST_INVALID;
    if (!(flags & CMD_MAP_NO_WAIT))
        draw_sync(stream->draw, image);
    *out = *tex_image_level(image, face, level);
    return ST_OK;
}

void cmd_unmap_image(struct cmd_stream *stream, cmd_handle handle, bool written)
{
    struct cmd_resource *resource = cmd_resource(stream, handle, CMD_IMAGE);

    if (!resource || !written)
        return;
    draw_sync(stream->draw, resource->u.image); /* what was drawn while it was mapped */
    tex_image_touch(resource->u.image);
}

/* Vertices are shaded inside the draw call, so no draw still reads a buffer. */
enum status cmd_map_buffer(struct cmd_stream *stream, cmd_handle handle, unsigned flags,
                           uint8_t **out)
{
    struct cmd_resource *resource = cmd_resource(stream, handle, CMD_BUFFER);

    (void)flags;
    if (!resource)
        return ST_INVALID;
    *out = resource->u.buffer.data;
    return ST_OK;
}

void cmd_unmap_buffer(struct cmd_stream *stream, cmd_handle handle, bool written)
{
    (void)stream;
    (void)handle;
    (void)written;
}

enum status cmd_query_result(struct cmd_stream *stream, cmd_handle handle, bool flush,
                             uint64_t *value)
{
    struct cmd_resource *resource = cmd_resource(stream, handle, CMD_QUERY);

    (void)flush; /* nothing runs by itself yet, so waiting for the program's flush would be for ever */
    if (!resource)
        return ST_INVALID;
    if (resource->u.query->type == D3DQUERYTYPE_OCCLUSION) {
        if (resource->u.query->occlusion.pending)
            occlusion_settle(&stream->occlusion, stream->draw);
        *value = resource->u.query->occlusion.value;
        return ST_OK;
    }
    if (resource->u.query->type == D3DQUERYTYPE_EVENT)
        draw_flush(stream->draw);
    *value = resource->u.query->value;
    return ST_OK;
}

D3DCLIPSTATUS9 cmd_clip_status(const struct cmd_stream *stream)
{
    return stream->clip_status;
}

void cmd_finish(struct cmd_stream *stream)
{
    draw_flush(stream->draw);
}

/* --- Packets -------------------------------------------------------------------------------------- */

enum status cmd_emit(struct cmd_stream *stream, enum cmd_op op, const void *packet,
                     size_t packet_bytes, const void *data, size_t data_bytes)
{
    (void)packet_bytes;
    assert(op < CMD_OP_COUNT);
    return cmd_exec[op](stream, packet, data, data_bytes);
}
