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
static void track_bind(struct cmd_stream *stream, const struct cmd_binding *binding,
                       cmd_handle *slot, cmd_handle to, uint64_t seqno)
{
    enum cmd_kind kind = (enum cmd_kind)binding->kind;
    struct cmd_resource_usage *old, *new;
    struct cmd_binding_usage *usage;

    if (*slot == to)
        return;
    old = usage_of(stream, *slot, kind);
    new = usage_of(stream, to, kind);
    if (old) {
        old->read_seq = cmd_last_read_seq(stream, old);
        old->written_seq = cmd_last_write_seq(stream, old);
        (binding->writes ? &old->write_bindings : &old->read_bindings)->slots--;
    }
    *slot = new ? to : 0;
    if (!new)
        return;
    usage = binding->writes ? &new->write_bindings : &new->read_bindings;
    if (!usage->slots++)
        usage->since_seq = seqno;
}

/* Records that a destroyed resource leaves all binding slots. */
static void track_unbind(struct cmd_stream *stream, cmd_handle handle, uint64_t seqno)
{
    for (const struct cmd_binding *b = cmd_binding_table; b < cmd_binding_table + CMD_BINDINGS;
         b++) {
        cmd_handle *slot = cmd_binding_slots(&stream->emitted, b);

        for (unsigned i = 0; i < b->n; i++)
            if (slot[i] == handle)
                track_bind(stream, b, &slot[i], 0, seqno);
    }
}

static void track_binding(struct cmd_stream *stream, const struct cmd_handle_field *field,
                          const void *packet, uint64_t seqno)
{
    const struct cmd_binding *binding = cmd_binding_of(field->use);
    uint32_t index = cmd_binding_index(binding, packet);

    if (index < binding->n)
        track_bind(stream, binding, cmd_binding_slots(&stream->emitted, binding) + index,
                   cmd_handle_at(field, packet), seqno);
}

static void track_named(struct cmd_stream *stream, const struct cmd_handle_field *field,
                        cmd_handle handle, uint64_t seqno)
{
    struct cmd_resource_usage *usage;

    if (field->use == CMD_USE_DESTROY) {
        track_unbind(stream, handle, seqno);
        return;
    }
    usage = usage_of(stream, handle, (enum cmd_kind)field->kind);
    if (!usage)
        return;
    /* Who waits for readers also waits for writers: MODIFY counts as a write. */
    if (field->use & (CMD_USE_WRITE | CMD_USE_RESULT))
        usage->written_seq = seqno;
    else if (field->use & CMD_USE_READ)
        usage->read_seq = seqno;
}

void cmd_track_uses(struct cmd_stream *stream, enum cmd_op op, const void *packet, uint64_t seqno)
{
    unsigned uses = cmd_uses(op);

    if (uses & CMD_USE_BIND) {
        track_binding(stream, cmd_handles(op), packet, seqno);
        return;
    }
    if (uses & CMD_USE_BOUND_READ)
        stream->last_draw_seq = seqno;
    if (uses & CMD_USE_BOUND_WRITE)
        stream->last_write_seq = seqno;
    if (uses == CMD_USE_BOUND_MODIFY) /* a draw names nothing */
        return;
    for (const struct cmd_handle_field *field = cmd_handles(op); field->use; field++)
        track_named(stream, field, cmd_handle_at(field, packet), seqno);
    if (op == CMD_PRESENT)
        stream->present_seq[stream->n_presents++ % CMD_MAX_LATENCY] = seqno;
}
