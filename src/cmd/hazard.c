/* Which packets use a resource, so that a map waits for those and no others. */
#include "cmd/stream.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t used_until(const struct cmd_binding_count *count, uint64_t known, uint64_t last)
{
    return count->slots && last > count->since ? later(known, last) : known;
}

uint64_t cmd_read_until(const struct cmd_stream *stream, const struct cmd_use *use)
{
    return used_until(&use->reading, use->read, stream->last_draw);
}

uint64_t cmd_written_until(const struct cmd_stream *stream, const struct cmd_use *use)
{
    return used_until(&use->writing, use->written, stream->last_write);
}

static struct cmd_use *use_of(struct cmd_stream *stream, cmd_handle handle, enum cmd_kind kind)
{
    struct cmd_resource *resource = cmd_resource(stream, handle, kind);

    return resource ? &resource->use : NULL;
}

static void bind(struct cmd_stream *stream, cmd_handle *slot, cmd_handle to, enum cmd_kind kind,
                 bool writes, uint64_t position)
{
    struct cmd_use *old = use_of(stream, *slot, kind), *new = use_of(stream, to, kind);
    struct cmd_binding_count *count;

    if (*slot == to)
        return;
    if (old) {
        old->read = cmd_read_until(stream, old);
        old->written = cmd_written_until(stream, old);
        (writes ? &old->writing : &old->reading)->slots--;
    }
    *slot = new ? to : 0;
    if (!new)
        return;
    count = writes ? &new->writing : &new->reading;
    if (!count->slots++)
        count->since = position;
}

static void reads(struct cmd_stream *stream, cmd_handle handle, enum cmd_kind kind, uint64_t at)
{
    struct cmd_use *use = use_of(stream, handle, kind);

    if (use)
        use->read = at;
}

static void writes(struct cmd_stream *stream, cmd_handle handle, enum cmd_kind kind, uint64_t at)
{
    struct cmd_use *use = use_of(stream, handle, kind);

    if (use)
        use->written = at;
}

static void unbind(struct cmd_stream *stream, cmd_handle handle, uint64_t at)
{
    struct cmd_bindings *used = &stream->used;

    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        if (used->texture[i] == handle)
            bind(stream, &used->texture[i], 0, CMD_IMAGE, false, at);
    for (unsigned i = 0; i <= DRAW_TARGETS; i++)
        if (used->target[i] == handle)
            bind(stream, &used->target[i], 0, CMD_IMAGE, true, at);
    for (unsigned i = 0; i < DRAW_STREAMS; i++)
        if (used->stream[i] == handle)
            bind(stream, &used->stream[i], 0, CMD_BUFFER, false, at);
    if (used->indices == handle)
        bind(stream, &used->indices, 0, CMD_BUFFER, false, at);
}

void cmd_track(struct cmd_stream *stream, enum cmd_op op, const void *packet, uint64_t at)
{
    const union {
        struct cmd_set_texture set_texture;
        struct cmd_set_stream set_stream;
        struct cmd_set_indices set_indices;
        struct cmd_set_target set_target;
        struct cmd_process_vertices process_vertices;
        struct cmd_copy copy;
        struct cmd_stretch stretch;
        struct cmd_fill fill;
        struct cmd_generate_mips generate_mips;
        struct cmd_present present;
        struct cmd_end_query end_query;
        struct cmd_destroy destroy;
    } *p = packet;
    struct cmd_bindings *used = &stream->used;
    struct cmd_resource *query;

    switch (op) {
    case CMD_SET_TEXTURE:
        bind(stream, &used->texture[p->set_texture.sampler], p->set_texture.image, CMD_IMAGE, false,
             at);
        break;
    case CMD_SET_STREAM:
        bind(stream, &used->stream[p->set_stream.stream], p->set_stream.buffer, CMD_BUFFER, false,
             at);
        break;
    case CMD_SET_INDICES:
        bind(stream, &used->indices, p->set_indices.buffer, CMD_BUFFER, false, at);
        break;
    case CMD_SET_TARGET:
        bind(stream, &used->target[p->set_target.index], p->set_target.surface.image, CMD_IMAGE,
             true, at);
        break;
    case CMD_PROCESS_VERTICES:
        writes(stream, p->process_vertices.dst_buffer, CMD_BUFFER, at);
        stream->last_draw = at;
        break;
    case CMD_DRAW:
    case CMD_DRAW_UP:
        stream->last_draw = stream->last_write = at;
        break;
    case CMD_CLEAR:
        stream->last_write = at;
        break;
    case CMD_COPY:
        reads(stream, p->copy.src.image, CMD_IMAGE, at);
        writes(stream, p->copy.dst.image, CMD_IMAGE, at);
        break;
    case CMD_STRETCH:
        reads(stream, p->stretch.src.image, CMD_IMAGE, at);
        writes(stream, p->stretch.dst.image, CMD_IMAGE, at);
        break;
    case CMD_FILL:
        writes(stream, p->fill.dst.image, CMD_IMAGE, at);
        break;
    case CMD_GENERATE_MIPS:
        writes(stream, p->generate_mips.image, CMD_IMAGE, at);
        break;
    case CMD_PRESENT:
        reads(stream, p->present.image, CMD_IMAGE, at);
        stream->presented[stream->presents++ % CMD_MAX_LATENCY] = at;
        break;
    case CMD_END_QUERY:
        query = cmd_resource(stream, p->end_query.query, CMD_QUERY);
        if (query)
            query->ended = at;
        break;
    case CMD_DESTROY:
        unbind(stream, p->destroy.handle, at);
        break;
    default:
        break;
    }
}
