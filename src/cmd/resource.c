/* Resource table of a command stream: allocates handles, creates and destroys resources.
 * Tested by tests/unit/api/object/test_texture_create.c and tests/unit/api/com/test_com.c. */
#include "cmd/backing.h"

#include "util/alloc.h"
#include "util/variant.h"

static struct cmd_resource *slot_of(struct cmd_stream *stream, cmd_handle handle)
{
    return &stream->page[handle / CMD_PAGE_HANDLES][handle % CMD_PAGE_HANDLES];
}

/* Reuses the handle of a destroyed resource that no pending packet names. 0: there is none. */
static cmd_handle reuse_handle(struct cmd_stream *stream)
{
    cmd_handle handle = stream->first_retired;

    if (!handle || !cmd_is_executed(stream, slot_of(stream, handle)->free_seq))
        return 0;
    stream->first_retired = slot_of(stream, handle)->next_free;
    return handle;
}

static cmd_handle new_handle(struct cmd_stream *stream)
{
    cmd_handle handle = stream->n_resources;
    struct cmd_resource **page = &stream->page[handle / CMD_PAGE_HANDLES];

    if (handle == CMD_PAGE_HANDLES * CMD_HANDLE_PAGES)
        return 0;
    if (!*page && !(*page = mem_calloc(CMD_PAGE_HANDLES, sizeof(**page))))
        return 0;
    stream->n_resources++;
    return handle;
}

static enum status add(struct cmd_stream *stream, const struct cmd_resource *resource,
                       cmd_handle *out)
{
    cmd_handle handle = reuse_handle(stream);

    if (!handle)
        handle = new_handle(stream);
    if (!handle)
        return ST_NOMEM;
    *slot_of(stream, handle) = *resource;
    *out = handle;
    return ST_OK;
}

/* Waits until the renderer has freed destroyed resources. It frees them when it executes DESTROY,
 * but images only after the scene that uses them. True: the caller should retry its allocation. */
static bool reclaim_memory(struct cmd_stream *stream)
{
    if (stream->queue)
        cmd_finish(stream);
    return stream->queue != NULL;
}

/* The contents of a new resource are undefined. A variant renderer fills them with a pattern. */
static void fill_undefined(void *memory, size_t bytes)
{
    if (variant_current && variant_current->undefined)
        memset(memory, 0x5a, bytes);
}

static enum status create_image(struct tex_image **out, const struct tex_desc *desc,
                                struct tex_memory *shared)
{
    return shared ? tex_image_create_shared(out, desc, shared) : tex_image_create(out, desc, NULL);
}

enum status cmd_create_image(struct cmd_stream *stream, const struct tex_desc *desc,
                             struct tex_memory *shared, cmd_handle *out)
{
    struct cmd_resource resource = {.kind = CMD_IMAGE};
    enum status st = create_image(&resource.image, desc, shared);

    *out = 0;
    if (st == ST_NOMEM && reclaim_memory(stream))
        st = create_image(&resource.image, desc, shared);
    if (!st && !shared)
        fill_undefined(resource.image->memory, resource.image->bytes);
    resource.u.image = resource.image;
    if (!st && (st = add(stream, &resource, out))) {
        resource.image->shared = NULL; /* the caller keeps ownership */
        resource.image->user_memory = shared != NULL;
        tex_image_unref(&resource.image);
    }
    if (!st)
        cmd_notify_create(stream, *out, &(struct cmd_description){CMD_IMAGE, {.image = *desc}});
    return st;
}

enum status cmd_create_buffer(struct cmd_stream *stream, size_t bytes, enum cmd_buffer_kind kind,
                              cmd_handle *out)
{
    struct cmd_resource resource = {
        .kind = CMD_BUFFER, .buffer.size = bytes, .snapshot = kind == CMD_BUFFER_SNAPSHOT};
    enum status st = ST_NOMEM;

    *out = 0;
    resource.buffer.data = mem_calloc(bytes ? bytes : 1, 1);
    if (!resource.buffer.data && reclaim_memory(stream))
        resource.buffer.data = mem_calloc(bytes ? bytes : 1, 1);
    if (resource.buffer.data)
        fill_undefined(resource.buffer.data, bytes);
    resource.u.buffer = resource.buffer;
    if (resource.buffer.data && (st = add(stream, &resource, out)))
        mem_free(resource.buffer.data);
    if (!st)
        cmd_notify_create(stream, *out,
                          &(struct cmd_description){CMD_BUFFER, {.buffer_bytes = bytes}});
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
        return st;
    }
    cmd_notify_create(stream, *out, &(struct cmd_description){CMD_SHADER, {.shader = program}});
    return ST_OK;
}

/* Elements with data first. Only tessellators read the others. */
static void add_elements(struct draw_decl *decl, const D3DVERTEXELEMENT9 *elements, unsigned n)
{
    unsigned end = 0;

    while (end < n && end < MAXD3DDECLLENGTH && elements[end].Stream != 0xff)
        end++;
    for (unsigned i = 0; i < end; i++)
        if (elements[i].Type != D3DDECLTYPE_UNUSED)
            decl->element[decl->n++] = elements[i];
    for (unsigned i = 0; i < end; i++)
        if (elements[i].Type == D3DDECLTYPE_UNUSED)
            decl->element[decl->n + decl->n_generated++] = elements[i];
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
    add_elements(decl, elements, n);
    resource.u.declaration = decl;
    if ((st = add(stream, &resource, out)))
        mem_free(decl);
    if (!st)
        cmd_notify_create(
            stream, *out,
            &(struct cmd_description){CMD_DECLARATION, {.declaration = {elements, n}}});
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
    if (!st)
        cmd_notify_create(stream, *out, &(struct cmd_description){CMD_QUERY, {.query = type}});
    return st;
}

/* --- Destruction ------------------------------------------------------------------------------ */

static void retire(struct cmd_stream *stream, cmd_handle handle)
{
    struct cmd_resource *resource = slot_of(stream, handle);

    resource->free_seq = cmd_last_seqno(stream);
    resource->next_free = 0;
    if (stream->first_retired)
        slot_of(stream, stream->last_retired)->next_free = handle;
    else
        stream->first_retired = handle;
    stream->last_retired = handle;
}

/* An application that creates and destroys large resources without drawing must not run ahead of
 * the renderer, which frees them. */
static void throttle_destroys(struct cmd_stream *stream, size_t bytes)
{
    enum { MAX_DESTROYED_BYTES = 64 << 20 };

    if (!stream->queue || cmd_is_orphan(stream))
        return;
    queue_publish(stream->queue, false);
    stream->destroyed_bytes += bytes;
    if (stream->destroyed_bytes > MAX_DESTROYED_BYTES) {
        cmd_execute(stream);
        stream->destroyed_bytes = 0;
    }
}

void cmd_destroy(struct cmd_stream *stream, cmd_handle handle)
{
    struct cmd_destroy packet = {handle};
    struct cmd_resource *resource;
    size_t bytes;

    if (!handle || handle >= stream->n_resources)
        return;
    resource = slot_of(stream, handle);
    bytes = cmd_backing_bytes(resource);
    if (resource->n_backings && !resource->snapshot)
        stream->renamed_bytes -= (resource->n_backings - 1) * bytes;
    cmd_forget_snapshot(stream, resource);
    (void)!cmd_emit_destroy(stream, &packet, NULL, 0); /* cannot fail: needs no memory */
    retire(stream, handle);
    throttle_destroys(stream, bytes);
}
