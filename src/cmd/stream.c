/* Command stream: emits packets into the queue, executes them on the renderer side, and waits for
 * results. A stream without a queue executes a packet inside the emitting call. */
#include "cmd/stream.h"

#include "util/alloc.h"
#include "util/log.h"

#include <assert.h>

/* --- Renderer side ---------------------------------------------------------------------------- */

void cmd_update_rendered(struct cmd_stream *stream)
{
    bool open;
    uint64_t scene = draw_scene(stream->draw, &open);

    if (!open)
        atomic_store_explicit(&stream->rendered_seq, stream->executed_seq, memory_order_release);
    stream->scene = scene;
}

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

static void run_queued(void *ctx, uint32_t op, const void *packet, const void *data,
                       size_t data_bytes, uint64_t seqno)
{
    struct cmd_stream *stream = ctx;
    enum status st = run(stream, (enum cmd_op)op, packet, data, data_bytes, seqno);

    if (st == ST_OK)
        return;
    atomic_store(&stream->async_error, (int)st);
    log_once("cmd", status_text(st), "a command failed after its API call had returned: %s",
             status_text(st));
}

void cmd_flush(struct cmd_stream *stream)
{
    occlusion_resolve(&stream->occlusion, stream->draw);
    cmd_update_rendered(stream);
    atomic_store_explicit(&stream->counted_seq, stream->executed_seq, memory_order_release);
}

static void flush_call(void *ctx)
{
    cmd_flush(ctx);
}

/* --- Creation and destruction ----------------------------------------------------------------- */

static enum status start_queue(struct cmd_stream *stream)
{
    const struct queue_consumer consumer = {run_queued, flush_call, stream};
    enum status st = queue_create(&stream->queue, &consumer);

    return st == ST_UNSUPPORTED ? ST_OK : st; /* the stream then has no render thread */
}

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
    stream->listener = cmd_current_listener();
    stream->hooks = cmd_current_debug_hooks();
    draw_state_init(&stream->state);
    st = draw_create(&stream->draw, options);
    if (st == ST_OK && draw_threads(stream->draw) > 1)
        st = start_queue(stream);
    if (st != ST_OK) {
        draw_destroy(stream->draw);
        mem_free(stream);
        return st;
    }
    if (stream->listener)
        stream->listener->open(stream->listener->ctx, stream);
    *out = stream;
    return ST_OK;
}

void cmd_stream_destroy(struct cmd_stream *stream)
{
    if (!stream)
        return;
    if (stream->listener)
        stream->listener->close(stream->listener->ctx, stream);
    queue_destroy(stream->queue);
    stream->queue = NULL;
    for (unsigned c = 0; c < CMD_HANDLE_PAGES && stream->page[c]; c++) {
        for (unsigned i = 0; i < CMD_PAGE_HANDLES; i++)
            cmd_free_resource(stream, &stream->page[c][i]);
        mem_free(stream->page[c]);
    }
    draw_destroy(stream->draw);
    mem_free(stream->scratch);
    mem_free(stream);
}

/* --- Emitting and waiting --------------------------------------------------------------------- */

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
    if (stream->queue)
        queue_wait(stream->queue, seqno);
}

void cmd_call(struct cmd_stream *stream, uint64_t seqno, queue_fn *fn, void *arg)
{
    if (stream->queue)
        queue_call(stream->queue, seqno, fn, arg);
    else
        fn(arg);
}

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
    void *reserved =
        stream->queue ? queue_reserve_data(stream->queue, packet_bytes, data_bytes) : NULL;

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
        if (!stream->queue || wait == CMD_QUERY_WAIT)
            cmd_call(stream, resource->usage.written_seq, flush_call, stream);
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
