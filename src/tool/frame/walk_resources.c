/* Resources of a capture: numbers them in order of creation, with what the creating call says of
 * them, and follows the bindings of each stream.
 *
 * Tested by tests/unit/tool/frame/test_walk.c. */
#include "tool/frame/walk_state.h"

#include "util/alloc.h"

#include <string.h>
#include <strings.h>

/* --- Growing tables --------------------------------------------------------------------------- */

/* Makes room for entry `index`; new entries are zeros. */
static bool grow(void *table, uint32_t *n, uint32_t index, size_t size)
{
    void **slot = table, *more;
    uint32_t wanted = *n ? *n : 16;

    if (index < *n)
        return true;
    while (wanted <= index)
        wanted *= 2;
    more = mem_realloc(*slot, wanted * size);
    if (!more)
        return false;
    memset((uint8_t *)more + *n * size, 0, (wanted - *n) * size);
    *slot = more;
    *n = wanted;
    return true;
}

struct walk_stream *walk_stream_of(struct frame_walk *walk, const struct cmd_stream *stream)
{
    struct walk_resources *r = &walk->resources;
    unsigned number =
        inspect_streams_number(&walk->streams, (struct cmd_stream *)(uintptr_t)stream);

    if (number == INSPECT_NO_STREAM ||
        !grow(&r->stream, &r->n_streams, number, sizeof(*r->stream))) {
        walk->status = ST_NOMEM;
        return NULL;
    }
    r->stream[number].stream = stream;
    return &r->stream[number];
}

static const struct walk_stream *find_stream(const struct frame_walk *walk,
                                             const struct cmd_stream *stream)
{
    unsigned number = inspect_streams_find(&walk->streams, stream);

    return number < walk->resources.n_streams ? &walk->resources.stream[number] : NULL;
}

/* --- Creation --------------------------------------------------------------------------------- */

static const struct trace_value *argument(const struct trace_call *call, const char *name)
{
    for (uint32_t i = 0; call && i < call->argc; i++)
        if (!strcasecmp(call->function->args[i], name))
            return &call->args[i];
    return NULL;
}

static uint32_t number(const struct trace_call *call, const char *name, uint32_t missing)
{
    const struct trace_value *value = argument(call, name);

    return value && value->kind != TRACE_MISSING ? (uint32_t)trace_number(value) : missing;
}

/* The methods that create resources, so that names outlive the call. */
static const char *method_of(const struct trace_call *call)
{
    static const char *const methods[] = {"CreateDevice",
                                          "CreateDeviceEx",
                                          "CreateAdditionalSwapChain",
                                          "Reset",
                                          "ResetEx",
                                          "CreateTexture",
                                          "CreateVolumeTexture",
                                          "CreateCubeTexture",
                                          "CreateVertexBuffer",
                                          "CreateIndexBuffer",
                                          "CreateRenderTarget",
                                          "CreateRenderTargetEx",
                                          "CreateDepthStencilSurface",
                                          "CreateDepthStencilSurfaceEx",
                                          "CreateOffscreenPlainSurface",
                                          "CreateOffscreenPlainSurfaceEx"};
    const char *colons = call ? strstr(call->function->name, "::") : NULL;

    for (size_t i = 0; colons && i < sizeof(methods) / sizeof(methods[0]); i++)
        if (!strcmp(colons + 2, methods[i]))
            return methods[i];
    return "";
}

static uint64_t image_bytes(const struct frame_walk *walk, const struct cmd_stream *stream,
                            cmd_handle handle, struct tex_desc *desc)
{
    const struct tex_image *image = cmd_image((struct cmd_stream *)(uintptr_t)stream, handle);

    (void)walk;
    if (!image)
        return 0;
    *desc = image->desc;
    return image->bytes;
}

void walk_resources_create(struct frame_walk *walk, const struct cmd_stream *stream,
                           cmd_handle handle, const struct cmd_description *description)
{
    struct walk_resources *r = &walk->resources;
    struct walk_stream *s;
    struct frame_resource *made;

    if (description->kind != CMD_IMAGE && description->kind != CMD_BUFFER)
        return;
    s = walk_stream_of(walk, stream);
    if (!s || !grow(&s->id, &s->n, handle, sizeof(*s->id)) ||
        !grow(&r->resource, &r->max, r->n, sizeof(*r->resource))) {
        walk->status = ST_NOMEM;
        return;
    }
    made = &r->resource[r->n++];
    *made = (struct frame_resource){.id = r->n,
                                    .kind = description->kind,
                                    .stream = inspect_streams_find(&walk->streams, stream),
                                    .handle = handle,
                                    .created = walk->call,
                                    .method = method_of(walk->now),
                                    .usage = number(walk->now, "Usage", 0),
                                    .pool = number(walk->now, "Pool", UINT32_MAX),
                                    .fvf = number(walk->now, "FVF", 0)};
    if (made->kind == CMD_IMAGE)
        made->bytes = image_bytes(walk, stream, handle, &made->image);
    else
        made->bytes = description->u.buffer_bytes;
    s->id[handle] = made->id;
}

/* --- Bindings and ends ------------------------------------------------------------------------ */

static void forget(struct frame_walk *walk, struct walk_stream *s, cmd_handle handle)
{
    if (handle >= s->n || !s->id[handle])
        return;
    walk->resources.resource[s->id[handle] - 1].gone = true;
    s->id[handle] = 0;
}

void walk_resources_follow(struct frame_walk *walk, const struct cmd_stream *stream, enum cmd_op op,
                           const void *packet)
{
    struct walk_stream *s = walk_stream_of(walk, stream);

    if (!s)
        return;
    cmd_bindings_update(&s->bindings, op, packet);
    if (op == CMD_DESTROY)
        forget(walk, s, ((const struct cmd_destroy *)packet)->handle);
}

void walk_resources_close(struct frame_walk *walk, unsigned stream)
{
    struct walk_stream *s;

    if (stream >= walk->resources.n_streams)
        return;
    s = &walk->resources.stream[stream];
    for (cmd_handle handle = 0; handle < s->n; handle++)
        forget(walk, s, handle);
    mem_free(s->id);
    memset(s, 0, sizeof(*s));
}

void walk_resources_fini(struct walk_resources *r)
{
    for (unsigned i = 0; i < r->n_streams; i++)
        mem_free(r->stream[i].id);
    mem_free(r->stream);
    mem_free(r->resource);
    memset(r, 0, sizeof(*r));
}

/* --- Questions -------------------------------------------------------------------------------- */

const struct frame_resource *frame_walk_resource(const struct frame_walk *walk, uint32_t id)
{
    return id && id <= walk->resources.n ? &walk->resources.resource[id - 1] : NULL;
}

uint32_t frame_walk_id(const struct frame_walk *walk, const struct cmd_stream *stream,
                       cmd_handle handle)
{
    const struct walk_stream *s = find_stream(walk, stream);

    return s && handle < s->n ? s->id[handle] : 0;
}

const struct cmd_bindings *frame_walk_bindings(const struct frame_walk *walk,
                                               const struct cmd_stream *stream)
{
    const struct walk_stream *s = find_stream(walk, stream);

    return s ? &s->bindings : NULL;
}
