/* Replays a capture to a frame and through it, and passes the frame's calls and packets on.
 *
 * Tested by tests/unit/tool/frame/test_walk.c. */
#include "tool/frame/walk.h"

#include "tool/cli/cli.h"
#include "tool/frame/walk_state.h"
#include "util/alloc.h"
#include "util/path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Calls a function of each visitor that has it. */
#define VISIT(walk, function, ...)                                                                 \
    for (unsigned visit_ = 0; visit_ < 2; visit_++)                                                \
        if ((walk)->visitor[visit_] && (walk)->visitor[visit_]->function)                          \
    (walk)->visitor[visit_]->function((walk)->visitor[visit_]->ctx, walk, ##__VA_ARGS__)

/* --- Hooks of the replay ---------------------------------------------------------------------- */

static void note_call(struct frame_walk *walk, const struct trace_call *call)
{
    walk->now = call;
    walk->call = call->number;
    snprintf(walk->name, sizeof(walk->name), "%s", call->function->name);
}

static bool on_call(void *ctx, struct replay *replay, const struct trace_call *call)
{
    struct frame_walk *walk = ctx;

    if (walk->running && walk->intercept && !walk->intercept(walk->intercept_ctx, replay, call))
        walk->stopped = true;
    note_call(walk, call);
    for (unsigned i = 0; i < 2; i++)
        if (walk->visitor[i] && walk->visitor[i]->call)
            walk->stopped |= !walk->visitor[i]->call(walk->visitor[i]->ctx, walk, call);
    return !walk->stopped && walk->status == ST_OK;
}

static void on_ignored(void *ctx, struct replay *replay, const struct trace_call *call)
{
    static const char *const markers[] = {"D3DPERF_BeginEvent", "D3DPERF_EndEvent",
                                          "D3DPERF_SetMarker"};
    struct frame_walk *walk = ctx;

    (void)replay;
    for (size_t i = 0; i < sizeof(markers) / sizeof(markers[0]); i++)
        if (!strcmp(call->function->name, markers[i])) {
            note_call(walk, call);
            VISIT(walk, marker, call);
        }
}

static void on_warning(void *ctx, const char *line)
{
    (void)ctx;
    (void)line;
}

/* --- Hooks of the streams --------------------------------------------------------------------- */

static struct frame_packet packet_of(struct frame_walk *walk, struct cmd_stream *stream,
                                     enum cmd_op op, const void *packet, const void *data)
{
    return (struct frame_packet){stream, inspect_streams_find(&walk->streams, stream), op, packet,
                                 data};
}

/* Installs the hooks of draws in a new stream. */
static void watch(struct frame_walk *walk, struct cmd_stream *stream)
{
    struct walk_stream *known = walk_stream_of(walk, stream);

    walk->last = stream;
    if (!known || known->hooked)
        return;
    known->hooked = true;
    draw_set_debug_hooks(cmd_renderer(stream), &walk->draw_hooks);
}

static void forget(struct frame_walk *walk)
{
    VISIT(walk, forget);
}

static void before(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                   const void *data)
{
    struct frame_walk *walk = ctx;

    watch(walk, stream);
    if (op == CMD_DESTROY || op == CMD_SET_BACKING)
        forget(walk);
    if (walk->running) {
        const struct frame_packet p = packet_of(walk, stream, op, packet, data);

        VISIT(walk, before, &p);
    }
}

static void after(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                  const void *data)
{
    struct frame_walk *walk = ctx;

    walk_resources_follow(walk, stream, op, packet);
    if (walk->running) {
        const struct frame_packet p = packet_of(walk, stream, op, packet, data);

        VISIT(walk, after, &p);
    }
}

static void on_close(void *ctx, struct cmd_stream *stream)
{
    struct frame_walk *walk = ctx;

    if (walk->last == stream)
        walk->last = NULL;
    walk_resources_close(walk, inspect_streams_find(&walk->streams, stream));
    inspect_streams_close(&walk->streams, stream);
    forget(walk);
}

static void on_draw(void *ctx, struct draw *draw, const struct draw_state *state,
                    const struct draw_args *args)
{
    struct frame_walk *walk = ctx;

    VISIT(walk, draw, draw, state, args);
}

/* --- The listener: creations and uploads ------------------------------------------------------ */

static void on_stream(void *ctx, const struct cmd_stream *stream)
{
    (void)ctx;
    (void)stream;
}

static void on_create(void *ctx, const struct cmd_stream *stream, cmd_handle handle,
                      const struct cmd_description *description)
{
    walk_resources_create(ctx, stream, handle, description);
}

static void on_packet(void *ctx, const struct cmd_stream *stream, enum cmd_op op,
                      const void *packet, const void *data, size_t data_bytes)
{
    struct frame_walk *walk = ctx;

    (void)data_bytes;
    if ((op == CMD_WRITE_BUFFER || op == CMD_WRITE_IMAGE) && walk->running) {
        const struct frame_packet p =
            packet_of(walk, (struct cmd_stream *)(uintptr_t)stream, op, packet, data);

        VISIT(walk, upload, &p);
    }
}

/* --- The walk --------------------------------------------------------------------------------- */

static struct frame_walk *create(const char *file, uint64_t frame)
{
    struct frame_walk *walk = mem_calloc(1, sizeof(*walk));

    if (!walk)
        return NULL;
    walk->file = file;
    walk->frame = frame;
    walk->draw_hooks = (struct draw_debug_hooks){.ctx = walk, .draw = on_draw};
    walk->hooks = (struct cmd_debug_hooks){walk, before, after, on_close};
    walk->listener = (struct cmd_listener){walk, on_stream, on_stream, on_create, on_packet};
    return walk;
}

/* Runs calls until `frames` frames have been presented, or the replay ends. */
static enum status run_to(struct frame_walk *walk, uint64_t frames)
{
    enum status st = ST_OK;
    bool more = true;

    while (more && st == ST_OK && replay_get_stats(walk->replay)->frames < frames) {
        st = replay_step(walk->replay, &more);
        walk->now = NULL;
    }
    if (walk->status != ST_OK)
        return walk->status;
    return st == ST_DAMAGED ? ST_OK : st;
}

/* Returns an exit code after a message. */
static int start(struct frame_walk *walk, const char *command)
{
    const struct replay_options options = {
        .ctx = walk, .on_call = on_call, .on_ignored = on_ignored, .on_warning = on_warning};
    enum status st;

    cmd_set_debug_hooks(&walk->hooks);
    cmd_set_listener(&walk->listener);
    st = replay_create(&walk->replay, walk->reader, &options);
    if (st == ST_OK)
        st = run_to(walk, walk->frame);
    if (st != ST_OK)
        return tool_error(command, "%s: %s", walk->file, status_text(st));
    if (replay_get_stats(walk->replay)->frames < walk->frame)
        return tool_error(command, "%s: there is no frame %" PRIu64, walk->file, walk->frame);
    return TOOL_OK;
}

int frame_walk_open(struct frame_walk **out, const char *command, const char *file, uint64_t frame)
{
    struct frame_walk *walk = create(file, frame);
    struct trace_error error;
    int code = TOOL_ERROR;

    *out = NULL;
    path_set_variable("NOVEM_THREADS", "1");
    if (!walk)
        return tool_error(command, "%s: %s", file, status_text(ST_NOMEM));
    if (trace_open(&walk->reader, file, &error) != ST_OK)
        tool_error(command, "%s: %s", file, error.text);
    else
        code = start(walk, command);
    if (code == TOOL_OK)
        *out = walk;
    else
        frame_walk_close(walk);
    return code;
}

void frame_walk_close(struct frame_walk *walk)
{
    if (!walk)
        return;
    replay_destroy(walk->replay);
    cmd_set_debug_hooks(NULL);
    cmd_set_listener(NULL);
    trace_close(walk->reader);
    inspect_streams_fini(&walk->streams);
    walk_resources_fini(&walk->resources);
    mem_free(walk);
}

enum status frame_walk_advance(struct frame_walk *walk, uint64_t frame)
{
    enum status st = run_to(walk, frame);

    walk->frame = frame;
    return st == ST_OK && replay_get_stats(walk->replay)->frames < frame ? ST_NOTFOUND : st;
}

enum status frame_walk_run(struct frame_walk *walk, const struct frame_visitor *visitor)
{
    enum status st;

    walk->visitor[0] = visitor;
    walk->visitor[1] = walk->added;
    walk->running = true;
    st = run_to(walk, walk->frame + 1);
    walk->running = false;
    walk->visitor[0] = walk->visitor[1] = NULL;
    return st;
}

void frame_walk_watch(struct frame_walk *walk, const struct frame_visitor *visitor)
{
    walk->added = visitor;
}

void frame_walk_intercept(struct frame_walk *walk, frame_intercept_fn *intercept, void *ctx)
{
    walk->intercept = intercept;
    walk->intercept_ctx = ctx;
}

void frame_walk_stop(struct frame_walk *walk)
{
    walk->stopped = true;
}

/* --- Where it stands -------------------------------------------------------------------------- */

const char *frame_walk_file(const struct frame_walk *walk)
{
    return walk->file;
}

uint64_t frame_walk_frame(const struct frame_walk *walk)
{
    return walk->frame;
}

bool frame_walk_presented(const struct frame_walk *walk)
{
    return replay_get_stats(walk->replay)->frames > walk->frame;
}

uint64_t frame_walk_call(const struct frame_walk *walk)
{
    return walk->call;
}

const char *frame_walk_name(const struct frame_walk *walk)
{
    return walk->name;
}

const char *frame_walk_property(const struct frame_walk *walk, const char *name)
{
    const char *found, *value;

    for (unsigned i = 0; trace_property(walk->reader, i, &found, &value); i++)
        if (!strcmp(found, name))
            return value;
    return NULL;
}

struct draw_debug_hooks *frame_walk_hooks(struct frame_walk *walk)
{
    return &walk->draw_hooks;
}

struct cmd_stream *frame_walk_stream(const struct frame_walk *walk, unsigned number)
{
    return inspect_streams_at(&walk->streams, number);
}

unsigned frame_walk_streams(const struct frame_walk *walk)
{
    return walk->streams.n;
}

struct cmd_stream *frame_walk_last_stream(const struct frame_walk *walk)
{
    return walk->last;
}
