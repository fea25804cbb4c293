/* Command stream: creation and destruction with its renderer and its queue.
 *
 * Tested by tests/unit/api/test_order.c and tests/unit/api/test_threads.c. */
#include "cmd/stream.h"

#include "util/alloc.h"

static enum status start_queue(struct cmd_stream *stream)
{
    const struct queue_consumer consumer = {cmd_run_queued, cmd_flush_call, stream};
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
    stream->forks = fork_count();
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
    if (!stream || cmd_is_orphan(stream)) /* the threads, which the end waits for, do not exist */
        return;
    if (stream->listener)
        stream->listener->close(stream->listener->ctx, stream);
    queue_destroy(stream->queue);
    stream->queue = NULL;
    if (stream->hooks && stream->hooks->close)
        stream->hooks->close(stream->hooks->ctx, stream);
    for (unsigned c = 0; c < CMD_HANDLE_PAGES && stream->page[c]; c++) {
        for (unsigned i = 0; i < CMD_PAGE_HANDLES; i++)
            cmd_free_resource(stream, &stream->page[c][i]);
        mem_free(stream->page[c]);
    }
    draw_destroy(stream->draw);
    stream_textures_fini(stream);
    mem_free(stream->scratch);
    mem_free(stream);
}

void cmd_renderer_counts(const struct cmd_stream *stream, uint32_t *threads, uint64_t *pipelines)
{
    struct draw_statistics statistics;

    draw_get_statistics(stream->draw, &statistics);
    *threads = draw_threads(stream->draw);
    *pipelines = statistics.pipelines_built;
}

void cmd_renderer_change(struct cmd_stream *stream, unsigned threads, unsigned anisotropy)
{
    draw_change(stream->draw, threads, anisotropy);
}
