/* List of a capture's calls that draw to render targets, and read-back of a target after one
 * call.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "cmd/cmd.h"
#include "draw/draw.h"
#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "tool/inspect/frame.h"
#include "tool/inspect/history.h"
#include "trace/trace.h"
#include "util/alloc.h"

#include <inttypes.h>
#include <string.h>

struct target_scan {
    struct inspect_target_draws *draws;
    struct cmd_stream *stream[INSPECT_STREAMS];
    unsigned n_streams, at; /* at: stream of the last packet */
    uint64_t call, frame;
    uint64_t until; /* stop after this call and read the target; UINT64_MAX: read nothing */
    struct tool_image *image;
    enum status status;
};

static void before(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                   const void *data)
{
    struct target_scan *scan = ctx;

    (void)op;
    (void)packet;
    (void)data;
    scan->at = 0;
    while (scan->at < scan->n_streams && scan->stream[scan->at] != stream)
        scan->at++;
    if (scan->at == scan->n_streams && scan->n_streams < INSPECT_STREAMS)
        scan->stream[scan->n_streams++] = stream;
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
    if (!scan->draws || !target->image || (op != CMD_DRAW && op != CMD_DRAW_UP && !clear))
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
    scan->status = ST_NOTFOUND;
    if (scan->at >= scan->n_streams)
        return;
    draw_flush(cmd_renderer(scan->stream[scan->at]));
    scan->status =
        inspect_picture_read(&cmd_rendered_state(scan->stream[scan->at])->target[0], scan->image);
    scan->until = UINT64_MAX;
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
    const struct cmd_debug_hooks hooks = {scan, before, after};
    struct trace_reader *reader;
    struct trace_error error;
    struct replay *replay = NULL;
    enum status st;

    if (trace_open(&reader, file, &error) != ST_OK)
        return tool_error(command, "%s: %s", file, error.text);
    cmd_set_debug_hooks(&hooks);
    st = replay_create(&replay, reader, &options);
    if (st == ST_OK)
        st = replay_run(replay);
    if ((st == ST_OK || st == ST_DAMAGED) && scan->image && scan->until != UINT64_MAX)
        read_target(scan);
    scan->draws = NULL;
    replay_destroy(replay);
    cmd_set_debug_hooks(NULL);
    trace_close(reader);
    if (st == ST_OK || st == ST_DAMAGED)
        st = scan->status;
    return st == ST_OK ? TOOL_OK : tool_error(command, "%s: %s", file, status_text(st));
}

int inspect_target_draws_gather(struct inspect_target_draws *out, const char *command,
                                const char *file)
{
    struct target_scan scan = {.draws = out, .until = UINT64_MAX};

    memset(out, 0, sizeof(*out));
    return run_scan(&scan, command, file);
}

int inspect_target_take(struct tool_image *out, const char *command, const char *file,
                        uint64_t call)
{
    struct target_scan scan = {.image = out, .until = call};

    return run_scan(&scan, command, file);
}
