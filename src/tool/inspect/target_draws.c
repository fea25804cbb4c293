/* The calls of a capture that draw to render targets, and what a target holds after one. */
#include "tool/inspect/inspect.h"

#include "util/alloc.h"

#include <inttypes.h>
#include <string.h>

struct walk {
    struct look_steps *steps;
    struct cmd_stream *stream[LOOK_STREAMS];
    unsigned n_streams, at; /* at: of the packet that ran last */
    uint64_t call, frame;
    uint64_t until; /* stop after this call and read the target: UINT64_MAX: do not */
    struct tool_image *image;
    enum status status;
};

static void before(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                   const void *data)
{
    struct walk *w = ctx;

    (void)op;
    (void)packet;
    (void)data;
    w->at = 0;
    while (w->at < w->n_streams && w->stream[w->at] != stream)
        w->at++;
    if (w->at == w->n_streams && w->n_streams < LOOK_STREAMS)
        w->stream[w->n_streams++] = stream;
}

static void add_step(struct walk *w, const struct look_step *step)
{
    struct look_steps *s = w->steps;

    if (s->n && s->step[s->n - 1].call == step->call) {
        s->step[s->n - 1] = *step;
        return;
    }
    if (s->n == s->max) {
        size_t max = s->max ? 2 * s->max : 256;
        void *more = mem_realloc(s->step, max * sizeof(*s->step));

        if (!more) {
            w->status = ST_NOMEM;
            return;
        }
        s->step = more;
        s->max = max;
    }
    s->step[s->n++] = *step;
}

static void after(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                  const void *data)
{
    struct walk *w = ctx;
    const struct draw_target *target = &cmd_rendered_state(stream)->target[0];
    bool clear = op == CMD_CLEAR && (((const struct cmd_clear *)packet)->flags & D3DCLEAR_TARGET);

    (void)data;
    if (!w->steps || !target->image || (op != CMD_DRAW && op != CMD_DRAW_UP && !clear))
        return;
    add_step(w, &(struct look_step){.call = w->call,
                                    .frame = w->frame,
                                    .stream = w->at,
                                    .image = cmd_bound_target(stream, 0),
                                    .face = target->face,
                                    .level = target->level,
                                    .clear = clear});
}

static void read_target(struct walk *w)
{
    w->status = ST_NOTFOUND;
    if (w->at >= w->n_streams)
        return;
    draw_flush(cmd_renderer(w->stream[w->at]));
    w->status = look_picture_read(&cmd_rendered_state(w->stream[w->at])->target[0], w->image);
    w->until = UINT64_MAX;
}

static bool on_call(void *ctx, struct replay *replay, const struct trace_call *call)
{
    struct walk *w = ctx;

    if (w->image && call->number > w->until) {
        read_target(w);
        return false;
    }
    w->call = call->number;
    w->frame = replay_get_stats(replay)->frames;
    return true;
}

static void on_warning(void *ctx, const char *line)
{
    (void)ctx;
    (void)line;
}

static int run_walk(struct walk *w, const char *command, const char *file)
{
    const struct replay_options options = {.ctx = w, .on_call = on_call, .on_warning = on_warning};
    const struct cmd_debug_hooks hooks = {w, before, after};
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
    if ((st == ST_OK || st == ST_DAMAGED) && w->image && w->until != UINT64_MAX)
        read_target(w);
    w->steps = NULL;
    replay_destroy(replay);
    cmd_set_debug_hooks(NULL);
    trace_close(reader);
    if (st == ST_OK || st == ST_DAMAGED)
        st = w->status;
    return st == ST_OK ? TOOL_OK : tool_error(command, "%s: %s", file, status_text(st));
}

int look_steps_gather(struct look_steps *out, const char *command, const char *file)
{
    struct walk w = {.steps = out, .until = UINT64_MAX};

    memset(out, 0, sizeof(*out));
    return run_walk(&w, command, file);
}

int look_target_take(struct tool_image *out, const char *command, const char *file, uint64_t call)
{
    struct walk w = {.image = out, .until = call};

    return run_walk(&w, command, file);
}
