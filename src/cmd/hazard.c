/* Hazard tracking: records the last packets that read and write each resource, so that a map waits
 * only for these. */
#include "cmd/stream.h"

static uint64_t max_seq(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The later of seq and, while the resource is bound, the last packet that uses bindings. */
static uint64_t last_access(const struct cmd_binding_usage *bindings, uint64_t seq, uint64_t last)
{
    return bindings->slots && last > bindings->since_seq ? max_seq(seq, last) : seq;
}

uint64_t cmd_last_read_seq(const struct cmd_stream *stream, const struct cmd_resource_usage *usage)
{
    return last_access(&usage->read_bindings, usage->read_seq, stream->last_draw_seq);
}

uint64_t cmd_last_write_seq(const struct cmd_stream *stream, const struct cmd_resource_usage *usage)
{
    return last_access(&usage->write_bindings, usage->written_seq, stream->last_write_seq);
}

static struct cmd_resource_usage *usage_of(struct cmd_stream *stream, cmd_handle handle,
                                           enum cmd_kind kind)
{
    struct cmd_resource *resource = cmd_resource(stream, handle, kind);

    return resource ? &resource->usage : NULL;
}

/* Records that a binding slot changes to another resource. */
static void track_bind(struct cmd_stream *stream, cmd_handle *slot, cmd_handle to,
                       enum cmd_kind kind, bool writes, uint64_t seqno)
{
    struct cmd_resource_usage *old = usage_of(stream, *slot, kind),
                              *new = usage_of(stream, to, kind);
    struct cmd_binding_usage *bindings;

    if (*slot == to)
        return;
    if (old) {
        old->read_seq = cmd_last_read_seq(stream, old);
        old->written_seq = cmd_last_write_seq(stream, old);
        (writes ? &old->write_bindings : &old->read_bindings)->slots--;
    }
    *slot = new ? to : 0;
    if (!new)
        return;
    bindings = writes ? &new->write_bindings : &new->read_bindings;
    if (!bindings->slots++)
        bindings->since_seq = seqno;
}

static void record_read(struct cmd_stream *stream, cmd_handle handle, enum cmd_kind kind,
                        uint64_t seqno)
{
    struct cmd_resource_usage *usage = usage_of(stream, handle, kind);

    if (usage)
        usage->read_seq = seqno;
}

static void record_write(struct cmd_stream *stream, cmd_handle handle, enum cmd_kind kind,
                         uint64_t seqno)
{
    struct cmd_resource_usage *usage = usage_of(stream, handle, kind);

    if (usage)
        usage->written_seq = seqno;
}

/* Records that a destroyed resource leaves all binding slots. */
static void track_unbind(struct cmd_stream *stream, cmd_handle handle, uint64_t seqno)
{
    struct cmd_bindings *emitted = &stream->emitted;

    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        if (emitted->texture[i] == handle)
            track_bind(stream, &emitted->texture[i], 0, CMD_IMAGE, false, seqno);
    for (unsigned i = 0; i <= DRAW_TARGETS; i++)
        if (emitted->target[i] == handle)
            track_bind(stream, &emitted->target[i], 0, CMD_IMAGE, true, seqno);
    for (unsigned i = 0; i < DRAW_STREAMS; i++)
        if (emitted->stream[i] == handle)
            track_bind(stream, &emitted->stream[i], 0, CMD_BUFFER, false, seqno);
    if (emitted->indices == handle)
        track_bind(stream, &emitted->indices, 0, CMD_BUFFER, false, seqno);
}

void cmd_track_access(struct cmd_stream *stream, enum cmd_op op, const void *packet, uint64_t seqno)
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
    struct cmd_bindings *emitted = &stream->emitted;
    struct cmd_resource *query;

    switch (op) {
    case CMD_SET_TEXTURE:
        track_bind(stream, &emitted->texture[p->set_texture.sampler], p->set_texture.image,
                   CMD_IMAGE, false, seqno);
        break;
    case CMD_SET_STREAM:
        track_bind(stream, &emitted->stream[p->set_stream.stream], p->set_stream.buffer, CMD_BUFFER,
                   false, seqno);
        break;
    case CMD_SET_INDICES:
        track_bind(stream, &emitted->indices, p->set_indices.buffer, CMD_BUFFER, false, seqno);
        break;
    case CMD_SET_TARGET:
        track_bind(stream, &emitted->target[p->set_target.index], p->set_target.surface.image,
                   CMD_IMAGE, true, seqno);
        break;
    case CMD_PROCESS_VERTICES:
        record_write(stream, p->process_vertices.dst_buffer, CMD_BUFFER, seqno);
        stream->last_draw_seq = seqno;
        break;
    case CMD_DRAW:
    case CMD_DRAW_UP:
        stream->last_draw_seq = stream->last_write_seq = seqno;
        break;
    case CMD_CLEAR:
        stream->last_write_seq = seqno;
        break;
    case CMD_COPY:
        record_read(stream, p->copy.src.image, CMD_IMAGE, seqno);
        record_write(stream, p->copy.dst.image, CMD_IMAGE, seqno);
        break;
    case CMD_STRETCH:
        record_read(stream, p->stretch.src.image, CMD_IMAGE, seqno);
        record_write(stream, p->stretch.dst.image, CMD_IMAGE, seqno);
        break;
    case CMD_FILL:
        record_write(stream, p->fill.dst.image, CMD_IMAGE, seqno);
        break;
    case CMD_GENERATE_MIPS:
        record_write(stream, p->generate_mips.image, CMD_IMAGE, seqno);
        break;
    case CMD_PRESENT:
        record_read(stream, p->present.image, CMD_IMAGE, seqno);
        stream->present_seq[stream->n_presents++ % CMD_MAX_LATENCY] = seqno;
        break;
    case CMD_END_QUERY:
        query = cmd_resource(stream, p->end_query.query, CMD_QUERY);
        if (query)
            query->end_seq = seqno;
        break;
    case CMD_DESTROY:
        track_unbind(stream, p->destroy.handle, seqno);
        break;
    default:
        break;
    }
}
