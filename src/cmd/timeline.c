/* Timelines of a command stream: how far packets have been executed and rendered, and waits for
 * packets, frames and query results.
 *
 * Tested by tests/unit/api/test_order.c and tests/unit/api/test_threads.c. */
#include "cmd/stream.h"

#include <assert.h>

/* --- Renderer side ---------------------------------------------------------------------------- */

void cmd_flush(struct cmd_stream *stream)
{
    occlusion_resolve(&stream->occlusion, stream->draw);
    cmd_update_rendered(stream);
    atomic_store_explicit(&stream->counted_seq, stream->executed_seq, memory_order_release);
}

void cmd_flush_call(void *ctx)
{
    cmd_flush(ctx);
}

/* --- Waiting ---------------------------------------------------------------------------------- */

uint64_t cmd_last_seqno(const struct cmd_stream *stream)
{
    return stream->queue ? queue_last_seqno(stream->queue) : stream->seqno;
}

bool cmd_is_executed(const struct cmd_stream *stream, uint64_t seqno)
{
    return !stream->queue || queue_is_executed(stream->queue, seqno);
}

void cmd_wait(struct cmd_stream *stream, uint64_t seqno)
{
    if (stream->queue && !cmd_is_orphan(stream))
        queue_wait(stream->queue, seqno);
}

void cmd_call(struct cmd_stream *stream, uint64_t seqno, queue_fn *fn, void *arg)
{
    if (!stream->queue)
        fn(arg);
    else if (!cmd_is_orphan(stream))
        queue_call(stream->queue, seqno, fn, arg);
}

static void flush_scene(void *arg)
{
    struct cmd_stream *stream = arg;

    draw_flush(stream->draw);
    cmd_update_rendered(stream);
}

void cmd_execute(struct cmd_stream *stream)
{
    cmd_wait(stream, cmd_last_seqno(stream));
}

void cmd_finish(struct cmd_stream *stream)
{
    cmd_call(stream, cmd_last_seqno(stream), flush_scene, stream);
}

enum status cmd_wait_for_frames(struct cmd_stream *stream, unsigned latency, bool try)
{
    uint64_t oldest;

    assert(latency > 0 && latency <= CMD_MAX_LATENCY);
    if (stream->n_presents < latency)
        return ST_OK;
    if (cmd_is_orphan(stream))
        return ST_UNSUPPORTED;
    oldest = stream->present_seq[(stream->n_presents - latency) % CMD_MAX_LATENCY];
    if (try && !cmd_is_executed(stream, oldest)) {
        queue_publish(stream->queue, true);
        return ST_BUSY;
    }
    cmd_wait(stream, oldest);
    return ST_OK;
}

/* --- Query results ---------------------------------------------------------------------------- */

/* Event and occlusion queries wait for rendered pixels, other queries only for execution. */
static bool is_result_ready(const struct cmd_stream *stream, const struct cmd_resource *query)
{
    uint64_t end = query->usage.written_seq;

    switch (query->u.query->type) {
    case D3DQUERYTYPE_EVENT:
        return end <= atomic_load_explicit(&stream->rendered_seq, memory_order_acquire);
    case D3DQUERYTYPE_OCCLUSION:
        return end <= atomic_load_explicit(&stream->counted_seq, memory_order_acquire);
    default:
        return cmd_is_executed(stream, end);
    }
}

enum status cmd_query_result(struct cmd_stream *stream, cmd_handle handle, enum cmd_query_wait wait,
                             uint64_t *value)
{
    struct cmd_resource *resource = cmd_resource(stream, handle, CMD_QUERY);
    const struct cmd_query *query;

    if (!resource)
        return ST_INVALID;
    query = resource->u.query;
    if (!is_result_ready(stream, resource)) {
        if (cmd_is_orphan(stream))
            return ST_UNSUPPORTED;
        if (!stream->queue || wait == CMD_QUERY_WAIT)
            cmd_call(stream, resource->usage.written_seq, cmd_flush_call, stream);
        else if (wait == CMD_QUERY_FLUSH)
            queue_request_flush(stream->queue, resource->usage.written_seq);
        if (!is_result_ready(stream, resource))
            return ST_BUSY;
    }
    *value = query->type == D3DQUERYTYPE_OCCLUSION ? query->occlusion.value : query->value;
    return ST_OK;
}

D3DCLIPSTATUS9 cmd_clip_status(struct cmd_stream *stream)
{
    cmd_execute(stream);
    return stream->clip_status;
}
