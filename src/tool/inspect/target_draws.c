/* List of a capture's calls that draw to render targets, and read-back of a target after one
 * call.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "cmd/cmd.h"
#include "draw/draw.h"
#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "tool/inspect/frame.h"
#include "tool/inspect/streams.h"
#include "trace/trace.h"
#include "util/alloc.h"

#include <inttypes.h>
#include <string.h>

struct target_scan {
    struct inspect_target_draws *draws;
    struct inspect_streams streams;
    unsigned at; /* number of the stream of the last packet; INSPECT_NO_STREAM: it is closed */
    uint64_t call, frame;
    uint64_t until; /* stop after this call and read the target; UINT64_MAX: read nothing */
    struct tool_image *image;
    bool done;      /* the target was looked for */
    bool no_device; /* no device was left after call `until` */
    enum status status;
};

static void before(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                   const void *data)
{
    struct target_scan *scan = ctx;

    (void)op;
    (void)packet;
    (void)data;
    scan->at = inspect_streams_number(&scan->streams, stream);
    if (scan->streams.out_of_memory)
        scan->status = ST_NOMEM;
}

static void on_close(void *ctx, struct cmd_stream *stream)
{
    struct target_scan *scan = ctx;

    if (inspect_streams_at(&scan->streams, scan->at) == stream)
        scan->at = INSPECT_NO_STREAM;
    inspect_streams_close(&scan->streams, stream);
}

static void add_draw(struct target_scan *scan, const struct inspect_target_draw *draw)
{
    struct inspect_target_draws *s = scan->draws;

    if (s->n && s->draw[s->n - 1].call == draw->call) {
        s->draw[s->n - 1] = *draw;
        return;
    }
    if (s->n == s->max) {
        size_t max = s->max ? 2 * s->max : 256;
        void *more = mem_realloc(s->draw, max * sizeof(*s->draw));

        if (!more) {
            scan->status = ST_NOMEM;
            return;
        }
        s->draw = more;
        s->max = max;
    }
    s->draw[s->n++] = *draw;
}

static void after(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                  const void *data)
{
    struct target_scan *scan = ctx;
    const struct draw_target *target = &cmd_rendered_state(stream)->target[0];
    bool clear = op == CMD_CLEAR && (((const struct cmd_clear *)packet)->flags & D3DCLEAR_TARGET);

    (void)data;
    if (!scan->draws || !target->image || (!cmd_is_draw(op) && !clear))
        return;
    add_draw(scan, &(struct inspect_target_draw){.call = scan->call,
                                                 .frame = scan->frame,
                                                 .stream = scan->at,
                                                 .image = cmd_bound_target(stream, 0),
                                                 .face = target->face,
                                                 .level = target->level,
                                                 .clear = clear});
}

static void read_target(struct target_scan *scan)
{
    struct cmd_stream *stream = inspect_streams_at(&scan->streams, scan->at);

    scan->done = true;
    scan->no_device = !stream;
    if (!stream || scan->status != ST_OK)
        return;
    draw_flush(cmd_renderer(stream));
    scan->status = inspect_picture_read(&cmd_rendered_state(stream)->target[0], scan->image);
}

static bool on_call(void *ctx, struct replay *replay, const struct trace_call *call)
{
    struct target_scan *scan = ctx;

    if (scan->image && call->number > scan->until) {
        read_target(scan);
        return false;
    }
    scan->call = call->number;
    scan->frame = replay_get_stats(replay)->frames;
    return true;
}

static void on_warning(void *ctx, const char *line)
{
    (void)ctx;
    (void)line;
}

static int run_scan(struct target_scan *scan, const char *command, const char *file)
{
    const struct replay_options options = {
        .ctx = scan, .on_call = on_call, .on_warning = on_warning};
    const struct cmd_debug_hooks hooks = {scan, before, after, on_close};
    struct trace_reader *reader;
    struct trace_error error;
    struct replay *replay = NULL;
    bool missing = false;
    enum status st;

    if (trace_open(&reader, file, &error) != ST_OK)
        return tool_error(command, "%s: %s", file, error.text);
    cmd_set_debug_hooks(&hooks);
    st = replay_create(&replay, reader, &options);
    if (st == ST_OK)
        st = replay_run(replay);
    if (st == ST_OK || st == ST_DAMAGED) {
        missing = scan->image && !scan->done && replay_get_stats(replay)->last_call < scan->until;
        if (scan->image && !scan->done && !missing)
            read_target(scan);
        st = scan->status;
    }
    scan->draws = NULL;
    replay_destroy(replay);
    cmd_set_debug_hooks(NULL);
    trace_close(reader);
    inspect_streams_fini(&scan->streams);
    if (st == ST_OK && (missing || scan->no_device))
        return tool_error(command, "%s: there is no such call: %s call %" PRIu64, file,
                          missing ? "the capture ends before" : "no device exists after",
                          scan->until);
    if (st == ST_NOTFOUND || st == ST_UNSUPPORTED)
        return tool_error(command, "%s: there is no picture of render target 0 after call %" PRIu64,
                          file, scan->until);
    return st == ST_OK ? TOOL_OK : tool_error(command, "%s: %s", file, status_text(st));
}

int inspect_target_draws_gather(struct inspect_target_draws *out, const char *command,
                                const char *file)
{
    struct target_scan scan = {.draws = out, .at = INSPECT_NO_STREAM, .until = UINT64_MAX};

    memset(out, 0, sizeof(*out));
    return run_scan(&scan, command, file);
}

int inspect_target_take(struct tool_image *out, const char *command, const char *file,
                        uint64_t call)
{
    struct target_scan scan = {.image = out, .at = INSPECT_NO_STREAM, .until = call};

    return run_scan(&scan, command, file);
}
