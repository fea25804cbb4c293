/* Emits packets into the queue and runs them on the renderer side. A stream without a queue runs a
 * packet inside the emitting call.
 *
 * Tested by tests/unit/api/test_order.c and tests/unit/api/test_threads.c. */
#include "cmd/stream.h"

#include "util/alloc.h"
#include "util/log.h"

#include <assert.h>

/* --- Renderer side ---------------------------------------------------------------------------- */

/* Executes a packet. If a scene ends during the packet, it contains only earlier packets, so
 * rendered_seq advances to the end of the previous packet. */
static enum status run(struct cmd_stream *stream, enum cmd_op op, const void *packet,
                       const void *data, size_t data_bytes, uint64_t seqno)
{
    uint64_t before = stream->executed_seq, scene = stream->scene;
    const struct cmd_debug_hooks *hooks = stream->hooks;
    enum status st;

    if (hooks)
        hooks->before(hooks->ctx, stream, op, packet, data);
    st = cmd_exec[op](stream, packet, data, data_bytes);
    if (hooks)
        hooks->after(hooks->ctx, stream, op, packet, data);
    stream->executed_seq = seqno;
    cmd_update_rendered(stream);
    if (stream->scene != scene && atomic_load(&stream->rendered_seq) < before)
        atomic_store_explicit(&stream->rendered_seq, before, memory_order_release);
    return st;
}

void cmd_run_queued(void *ctx, uint32_t op, const void *packet, const void *data, size_t data_bytes,
                    uint64_t seqno)
{
    struct cmd_stream *stream = ctx;
    enum status st = run(stream, (enum cmd_op)op, packet, data, data_bytes, seqno);

    if (st == ST_OK)
        return;
    atomic_store(&stream->async_error, (int)st);
    log_once("cmd", status_text(st), "a command failed after its API call had returned: %s",
             status_text(st));
}

/* --- API side --------------------------------------------------------------------------------- */

/* Whether the packet only manages backing storage between the two sides. */
static bool is_internal(enum cmd_op op)
{
    return op == CMD_SET_BACKING || op == CMD_WRITE_BUFFER || op == CMD_WRITE_IMAGE;
}

/* Whether the packet renders, copies or presents. Other packets, such as state, are published
 * together with the next such packet. */
static bool is_work(enum cmd_op op)
{
    return cmd_uses(op) & CMD_USE_ACCESS;
}

void *cmd_reserve_data(struct cmd_stream *stream, size_t packet_bytes, size_t data_bytes)
{
    void *reserved = stream->queue && !cmd_is_orphan(stream)
                         ? queue_reserve_data(stream->queue, packet_bytes, data_bytes)
                         : NULL;

    if (reserved)
        return reserved;
    if (data_bytes > stream->scratch_bytes) {
        mem_free(stream->scratch);
        stream->scratch = mem_alloc(data_bytes + data_bytes / 2);
        stream->scratch_bytes = stream->scratch ? data_bytes + data_bytes / 2 : 0;
    }
    return stream->scratch;
}

enum status cmd_emit(struct cmd_stream *stream, enum cmd_op op, const void *packet,
                     size_t packet_bytes, const void *data, size_t data_bytes)
{
    enum status st;

    assert(op < CMD_OP_COUNT);
    if (!stream->queue) {
        stream->seqno++;
        st = run(stream, op, packet, data, data_bytes, stream->seqno);
        cmd_track_access(stream, op, packet, stream->seqno);
        if (st == ST_OK && !is_internal(op))
            cmd_notify_packet(stream, op, packet, data, data_bytes);
        return st;
    }
    if (cmd_is_orphan(stream))
        return ST_UNSUPPORTED;
    if (is_work(op)) { /* returns the error of an earlier packet */
        st = (enum status)atomic_exchange(&stream->async_error, ST_OK);
        if (st != ST_OK)
            return st;
    }
    st = queue_add(stream->queue, op, packet, packet_bytes, data, data_bytes);
    if (st != ST_OK)
        return st;
    if (!is_internal(op))
        cmd_notify_packet(stream, op, packet, data, data_bytes);
    cmd_track_access(stream, op, packet, queue_last_seqno(stream->queue));
    if (is_work(op))
        queue_publish(stream->queue, op == CMD_PRESENT);
    return ST_OK;
}
