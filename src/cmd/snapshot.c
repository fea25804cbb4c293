/* Snapshot buffers: a packet reads what the buffer holds when the packet is emitted.
 *
 * While no packet that reads the buffer is in flight, the renderer reads the application's memory.
 * The first map for writing that meets such a packet, or a packet that reads a mapped buffer,
 * stages the buffer. From then on the API side sends the bytes that a packet will read, in front of
 * it, as WRITE_BUFFER. A map makes all of them stale, because applications write outside the range
 * that they lock, too. A range is sent once between two maps. Tested by
 * tests/unit/api/device/test_buffer_reads.c. */
#include "cmd/backing.h"

#include <string.h>

static void count_stale(struct cmd_stream *stream, struct cmd_resource *resource, bool stale)
{
    if (stale == resource->stale)
        return;
    resource->stale = stale;
    stream->n_stale_buffers += stale ? 1u : -1u;
}

void cmd_note_map(struct cmd_stream *stream, struct cmd_resource *resource)
{
    if (!resource->snapshot || !stream->queue)
        return;
    resource->valid_from = resource->valid_to = 0;
    count_stale(stream, resource, resource->staged || resource->mapped);
}

void cmd_forget_snapshot(struct cmd_stream *stream, struct cmd_resource *resource)
{
    count_stale(stream, resource, false);
}

bool cmd_has_stale_buffers(const struct cmd_stream *stream)
{
    return stream->n_stale_buffers > 0;
}

bool cmd_is_stale(struct cmd_stream *stream, cmd_handle buffer)
{
    const struct cmd_resource *resource = cmd_resource(stream, buffer, CMD_BUFFER);

    return resource && resource->stale &&
           (resource->mapped || resource->valid_to - resource->valid_from < resource->buffer.size);
}

/* Sends a range; without memory for the packet, waits and copies directly. */
static void send(struct cmd_stream *stream, struct cmd_resource *resource, cmd_handle handle,
                 size_t from, size_t to)
{
    struct cmd_write_buffer packet = {handle, (uint32_t)from};

    if (from >= to ||
        cmd_emit_write_buffer(stream, &packet, resource->buffer.data + from, to - from) == ST_OK)
        return;
    cmd_wait(stream, cmd_last_seqno(stream));
    memcpy(resource->backing[1].data + from, resource->buffer.data + from, to - from);
}

/* Sends what is missing so that the valid range becomes the range around both. The gap between two
 * ranges is sent as well: each byte is sent once until the next map. */
static void send_missing(struct cmd_stream *stream, struct cmd_resource *resource,
                         cmd_handle handle, size_t from, size_t to)
{
    size_t valid_from = resource->valid_from, valid_to = resource->valid_to;

    if (valid_from == valid_to) {
        valid_from = valid_to = from;
        resource->valid_from = from;
        resource->valid_to = to;
    }
    send(stream, resource, handle, from, valid_from);
    send(stream, resource, handle, valid_to, to);
    if (from < valid_from)
        resource->valid_from = from;
    if (to > valid_to)
        resource->valid_to = to;
}

enum status cmd_update_buffer(struct cmd_stream *stream, cmd_handle buffer, size_t from, size_t to)
{
    struct cmd_resource *resource = cmd_resource(stream, buffer, CMD_BUFFER);

    if (!resource || !resource->stale)
        return ST_OK;
    if (!resource->staged)
        cmd_start_staging(stream, resource, buffer);
    if (!resource->staged)
        return ST_NOMEM;
    to = to < resource->buffer.size ? to : resource->buffer.size;
    if (from >= to)
        return ST_OK;
    if (resource->mapped)
        send(stream, resource, buffer, from, to); /* the application may write at any time */
    else
        send_missing(stream, resource, buffer, from, to);
    return ST_OK;
}

void cmd_read_buffer(struct cmd_stream *stream, cmd_handle buffer)
{
    struct cmd_resource *resource = cmd_resource(stream, buffer, CMD_BUFFER);

    if (resource && resource->snapshot && resource->staged)
        cmd_read_back(stream, resource);
}

const uint8_t *cmd_buffer_contents(struct cmd_stream *stream, cmd_handle buffer, size_t *bytes)
{
    const struct cmd_resource *resource = cmd_resource(stream, buffer, CMD_BUFFER);

    *bytes = resource ? resource->buffer.size : 0;
    return resource ? resource->buffer.data : NULL;
}
