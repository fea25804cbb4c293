/* Pixel history: records every draw, clear and copy that changes one pixel of a captured frame.
 *
 * The first replay finds the surface that the frame or call shows. The second one records the
 * pixel's events; each pixel that it was copied from takes another replay.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "tool/cli/cli.h"
#include "tool/inspect/pixel_events.h"
#include "trace/trace.h"
#include "util/alloc.h"

#include <inttypes.h>
#include <string.h>

/* --- Debug hooks ------------------------------------------------------------------------------ */

static unsigned number_of(struct pixel_pass *g, struct cmd_stream *stream)
{
    unsigned number = inspect_streams_find(&g->streams, stream);

    if (number != INSPECT_NO_STREAM)
        return number;
    if (g->watching)
        draw_set_debug_hooks(cmd_renderer(stream), &g->probe.hooks);
    number = inspect_streams_number(&g->streams, stream);
    g->h->out_of_memory |= g->streams.out_of_memory;
    return number;
}

static void on_close(void *ctx, struct cmd_stream *stream)
{
    struct pixel_pass *g = ctx;
    unsigned number = inspect_streams_find(&g->streams, stream);

    if (number == INSPECT_NO_STREAM)
        return;
    pixel_end_stream(g, number);
    inspect_streams_close(&g->streams, stream);
    if (g->stream_at == number)
        g->stream_at = INSPECT_NO_STREAM;
}

/* Stores the surface that the first pass was looking for. */
static void find(struct pixel_pass *g, cmd_handle image, uint32_t face, uint32_t level,
                 uint64_t end)
{
    struct cmd_stream *stream = inspect_streams_at(&g->streams, g->stream_at);
    struct tex_image *at = stream ? cmd_rendered_image(stream, image) : NULL;
    const struct tex_level *size;

    if (!at)
        return;
    size = tex_image_level(at, at->desc.shape == TEX_VOLUME_MAP ? 0 : face, level);
    g->h->width = size->width;
    g->h->height = size->height;
    g->h->point[0] = (struct inspect_point){.stream = g->stream_at,
                                            .image = image,
                                            .face = face,
                                            .level = level,
                                            .x = g->request->x,
                                            .y = g->request->y,
                                            .end = end};
    g->h->n_points = 1;
    g->found = true;
}

static void before(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                   const void *data)
{
    struct pixel_pass *g = ctx;

    (void)data;
    g->stream_at = number_of(g, stream);
    g->pending = g->h->n_events;
    if (op == CMD_PRESENT && !g->watching && !g->presented) {
        g->presented = true;
        if (g->request->call == UINT64_MAX ? g->frame == g->last : g->call == g->request->call)
            find(g, ((const struct cmd_present *)packet)->image, 0, 0, g->call);
    }
    if (op == CMD_CLEAR)
        pixel_before_clear(g, stream);
}

static void after(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                  const void *data)
{
    struct pixel_pass *g = ctx;

    if (!g->watching || g->stream_at == INSPECT_NO_STREAM)
        return;
    if (g->frame >= g->first && g->frame <= g->last)
        pixel_after_packet(g, stream, op, packet, data);
}

/* --- Passes ----------------------------------------------------------------------------------- */

/* If a call is asked for, the first pass takes the target as that call leaves it. */
static void find_target(struct pixel_pass *g)
{
    const struct cmd_stream *stream = inspect_streams_at(&g->streams, g->stream_at);

    g->no_device = !stream;
    if (!g->found && stream)
        find(g, cmd_bound_target(stream, 0), cmd_rendered_state(stream)->target[0].face,
             cmd_rendered_state(stream)->target[0].level, g->request->call + 1);
}

/* Reads the points after a call of a pass that watches; false: it has seen all. */
static bool end_call(struct pixel_pass *g, uint64_t next_call)
{
    pixel_check_memory(g);
    pixel_end_points(g, next_call);
    return !g->h->point[0].ended;
}

static void begin_call(struct pixel_pass *g, const struct trace_call *call)
{
    g->call = call->number;
    g->presented = false;
    snprintf(g->name, sizeof(g->name), "%s", call->function->name);
    if (g->watching)
        pixel_check_memory(g); /* initial read at the start of a frame */
}

static bool on_call(void *ctx, struct replay *replay, const struct trace_call *call)
{
    struct pixel_pass *g = ctx;
    bool by_call = g->request->call != UINT64_MAX;

    if (g->watching) {
        if (!end_call(g, call->number))
            return false;
    } else if (g->found) {
        return false;
    } else if (by_call && call->number > g->request->call) {
        find_target(g);
        return false;
    }
    g->frame = replay_get_stats(replay)->frames;
    if (by_call && !g->watching && g->frame != g->last)
        g->first = g->last = g->frame;
    begin_call(g, call);
    return true;
}

static void on_warning(void *ctx, const char *line)
{
    (void)ctx;
    (void)line; /* `novem replay` prints warnings */
}

static int run_pass(struct pixel_pass *g)
{
    const struct replay_options options = {.ctx = g, .on_call = on_call, .on_warning = on_warning};
    const struct cmd_debug_hooks hooks = {g, before, after, on_close};
    struct trace_reader *reader;
    struct trace_error error;
    struct replay *replay = NULL;
    enum status st;

    if (trace_open(&reader, g->request->file, &error) != ST_OK)
        return tool_error(g->request->command, "%s: %s", g->request->file, error.text);
    g->stream_at = INSPECT_NO_STREAM;
    g->call = g->frame = 0;
    cmd_set_debug_hooks(&hooks);
    st = replay_create(&replay, reader, &options);
    if (st == ST_OK)
        st = replay_run(replay);
    if (st == ST_OK || st == ST_DAMAGED) {
        pixel_check_memory(g);
        pixel_end_points(g, UINT64_MAX);
        g->last_call = replay_get_stats(replay)->last_call;
        if (!g->watching && g->request->call != UINT64_MAX && g->last_call >= g->request->call)
            find_target(g);
    }
    g->watching = false; /* destruction of objects must not record events */
    replay_destroy(replay);
    cmd_set_debug_hooks(NULL);
    trace_close(reader);
    inspect_streams_fini(&g->streams);
    if (st == ST_OK || st == ST_DAMAGED)
        return TOOL_OK;
    return tool_error(g->request->command, "%s: %s", g->request->file, status_text(st));
}

static void clear_events(struct inspect_history *h)
{
    for (unsigned i = 0; i < h->n_events; i++)
        pixel_free_event(&h->event[i]);
    h->n_events = h->draws = 0;
    for (unsigned i = 0; i < h->n_points; i++)
        h->point[i].started = h->point[i].ended = false;
}

static int check_found(const struct pixel_pass *g)
{
    const struct inspect_request *request = g->request;

    if (!g->found && request->call != UINT64_MAX && g->last_call < request->call)
        return tool_error(request->command,
                          "%s: there is no such call: the capture ends before call %" PRIu64,
                          request->file, request->call);
    if (!g->found && request->call != UINT64_MAX && g->no_device)
        return tool_error(request->command,
                          "%s: there is no such call: no device exists after call %" PRIu64,
                          request->file, request->call);
    if (!g->found && request->call != UINT64_MAX)
        return tool_error(request->command, "%s: there is no render target at call %" PRIu64,
                          request->file, request->call);
    if (!g->found)
        return tool_error(request->command, "%s: there is no frame %" PRIu64, request->file,
                          request->frame);
    if (request->x >= g->h->width || request->y >= g->h->height)
        return tool_error(request->command,
                          "%" PRIu32 ",%" PRIu32 " is outside of the surface, %" PRIu32 "x%" PRIu32,
                          request->x, request->y, g->h->width, g->h->height);
    return TOOL_OK;
}

static int run_passes(struct pixel_pass *g)
{
    int code = run_pass(g);

    if (code == TOOL_OK)
        code = check_found(g);
    if (g->request->first < g->first)
        g->first = g->request->first;
    while (code == TOOL_OK) {
        clear_events(g->h);
        g->watching = true;
        g->more_points = false;
        code = run_pass(g);
        if (!g->more_points)
            break;
    }
    if (code == TOOL_OK && g->h->out_of_memory)
        return tool_error(g->request->command, "out of memory");
    return code;
}

int inspect_history_gather(struct inspect_history *out, const struct inspect_request *request)
{
    struct pixel_pass *g = mem_calloc(1, sizeof(*g));
    int code;

    memset(out, 0, sizeof(*out));
    out->request = request;
    if (!g)
        return tool_error(request->command, "out of memory");
    g->h = out;
    g->request = request;
    g->first = g->last = request->frame;
    g->probe.hooks.draw = pixel_on_draw;
    code = inspect_probe_init(&g->probe) == ST_OK ? run_passes(g)
                                                  : tool_error(request->command, "out of memory");
    inspect_probe_fini(&g->probe);
    mem_free(g);
    return code;
}

/* --- From the start of a frame ---------------------------------------------------------------- */

/* What one run of the frame leaves to the next. */
struct handed_on {
    struct inspect_point point[INSPECT_POINTS];
    unsigned n_points;
};

static bool follow_call(void *pass, const struct trace_call *call)
{
    struct pixel_pass *g = pass;

    if (!end_call(g, call->number))
        return false;
    begin_call(g, call);
    return true;
}

/* Gives the streams their numbers and hooks. */
static bool watch_streams(struct pixel_pass *g, const struct inspect_frame *frame)
{
    for (unsigned i = 0; i < frame->n_streams; i++) {
        struct cmd_stream *stream = frame->stream[i];
        /* A closed stream has a number, too: any address takes it. */
        struct cmd_stream *any = stream ? stream : (void *)(uintptr_t)&frame->stream[i];

        if (inspect_streams_number(&g->streams, any) == INSPECT_NO_STREAM)
            return false;
        if (stream)
            draw_set_debug_hooks(cmd_renderer(stream), &g->probe.hooks);
        else
            inspect_streams_close(&g->streams, any);
    }
    return true;
}

static enum status run_frame(struct pixel_pass *g, const struct inspect_frame *frame)
{
    const struct cmd_debug_hooks hooks = {g, before, after, on_close};
    enum status st;

    g->stream_at = INSPECT_NO_STREAM;
    g->watching = true;
    if (!watch_streams(g, frame))
        return ST_NOMEM;
    st = frame->run(frame->ctx, follow_call, &hooks);
    pixel_check_memory(g);
    pixel_end_points(g, UINT64_MAX);
    g->watching = false;
    return g->h->out_of_memory ? ST_NOMEM : st;
}

enum status inspect_history_follow(struct inspect_history *out,
                                   const struct inspect_request *request,
                                   const struct inspect_point *point,
                                   const struct inspect_frame *frame)
{
    struct pixel_pass *g = mem_calloc(1, sizeof(*g));
    struct handed_on state = {.point = {*point}, .n_points = 1};
    enum status st;

    memset(out, 0, sizeof(*out));
    out->request = request;
    if (!g || inspect_probe_init(&g->probe) != ST_OK)
        return ST_NOMEM;
    g->h = out;
    g->request = request;
    g->first = g->last = g->frame = frame->number;
    g->probe.hooks.draw = pixel_on_draw;
    frame->mark_start(frame->ctx, &state, sizeof(state));
    memcpy(out->point, state.point, sizeof(state.point));
    out->n_points = state.n_points;
    st = run_frame(g, frame);
    if (st != ST_OK || !g->more_points)
        return st;
    clear_events(out);
    memcpy(state.point, out->point, sizeof(state.point));
    state.n_points = out->n_points;
    frame->run_again(frame->ctx);
    return ST_LOST;
}

/* --- The result ------------------------------------------------------------------------------- */

void inspect_history_fini(struct inspect_history *h)
{
    clear_events(h);
    mem_free(h->event);
}

bool inspect_history_is_exact(const struct inspect_history *h)
{
    struct inspect_value at[INSPECT_POINTS];

    for (unsigned i = 0; i < h->n_points; i++)
        at[i] = h->point[i].start;
    for (unsigned i = 0; i < h->n_events; i++) {
        const struct inspect_event *e = &h->event[i];

        if (!e->exact || !inspect_value_same(&at[e->point], &e->before.target[e->target]))
            return false;
        at[e->point] = e->after.target[e->target];
    }
    for (unsigned i = 0; i < h->n_points; i++)
        if (h->point[i].started && !inspect_value_same(&at[i], &h->point[i].final))
            return false;
    return true;
}
