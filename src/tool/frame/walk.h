/* Replay of a capture to the start of a frame, and then through it, with a report of its events. */
#ifndef TOOL_FRAME_WALK_H
#define TOOL_FRAME_WALK_H

#include "cmd/cmd.h"
#include "draw/draw.h"
#include "trace/trace.h"

/* A walk owns the replay of one capture. The process may have one walk at a time: the hooks of
 * command streams are global. A walk that stands at the start of its frame may be forked; parent
 * and child go on independently. */
struct frame_walk;

/* A packet of the frame. */
struct frame_packet {
    struct cmd_stream *stream;
    unsigned number; /* of the stream, from 0 in order of their first packets */
    enum cmd_op op;
    const void *packet, *data;
};

/* What is called while the frame runs; each may be NULL. All of `call` to `after` is borrowed. */
struct frame_visitor {
    void *ctx;
    /* Before each call that is executed. False ends the walk before the call. */
    bool (*call)(void *ctx, struct frame_walk *walk, const struct trace_call *call);
    /* For each call of D3DPERF_BeginEvent, EndEvent and SetMarker. */
    void (*marker)(void *ctx, struct frame_walk *walk, const struct trace_call *call);
    /* Before and after the renderer executes a packet. */
    void (*before)(void *ctx, struct frame_walk *walk, const struct frame_packet *packet);
    void (*after)(void *ctx, struct frame_walk *walk, const struct frame_packet *packet);
    /* Before each draw, between `before` and `after`. */
    void (*draw)(void *ctx, struct frame_walk *walk, struct draw *draw,
                 const struct draw_state *state, const struct draw_args *args);
    /* The program has written to a resource through a lock: op is CMD_WRITE_BUFFER or
     * CMD_WRITE_IMAGE. */
    void (*upload)(void *ctx, struct frame_walk *walk, const struct frame_packet *packet);
    /* Images have gone: others may get their addresses. */
    void (*forget)(void *ctx, struct frame_walk *walk);
};

/* Opens a capture and replays it to the start of a frame, counted from 0. Returns TOOL_OK, or
 * TOOL_ERROR after a message on stderr; *out is NULL then. The renderer gets one thread:
 * NOVEM_THREADS is set. A damaged capture counts as one that ends before the damage. */
int frame_walk_open(struct frame_walk **out, const char *command, const char *file, uint64_t frame);
void frame_walk_close(struct frame_walk *walk); /* NULL is allowed */
/* Goes on from the start of a frame to that of a later one: the walk is then as if it had been
 * opened there. ST_NOTFOUND: the capture has no such frame; the walk has ended. */
MUST_CHECK enum status frame_walk_advance(struct frame_walk *walk, uint64_t frame);
/* Runs the frame to its end: to the call after its Present, or to the end of the capture. Once.
 * Returns ST_OK, or why the replay failed. */
MUST_CHECK enum status frame_walk_run(struct frame_walk *walk, const struct frame_visitor *visitor);
/* Adds another visitor for frame_walk_run, called after its own. One at most; borrowed. */
void frame_walk_watch(struct frame_walk *walk, const struct frame_visitor *visitor);
/* Ends frame_walk_run after the current call; for visitors. */
void frame_walk_stop(struct frame_walk *walk);

/* Called before each call of frame_walk_run, and before its visitors: may change the state of the
 * device (replay_inject). False ends the walk. */
typedef bool frame_intercept_fn(void *ctx, struct replay *replay, const struct trace_call *call);
void frame_walk_intercept(struct frame_walk *walk, frame_intercept_fn *intercept, void *ctx);

/* --- Where a walk stands ---------------------------------------------------------------------- */

const char *frame_walk_file(const struct frame_walk *walk);
uint64_t frame_walk_frame(const struct frame_walk *walk);
/* Number and name of the current call. */
uint64_t frame_walk_call(const struct frame_walk *walk);
const char *frame_walk_name(const struct frame_walk *walk);
/* Whether the frame has been presented, and not just begun. */
bool frame_walk_presented(const struct frame_walk *walk);
/* A property of the capture, such as "process.name"; NULL: it has none. */
const char *frame_walk_property(const struct frame_walk *walk, const char *name);
/* What the renderer of a stream calls for shaders; NULL: only `draw`. The caller sets them in
 * `draw` or `before` and resets them before it returns. */
struct draw_debug_hooks *frame_walk_hooks(struct frame_walk *walk);

/* --- Resources -------------------------------------------------------------------------------- */

/* A resource that the capture has created so far. */
struct frame_resource {
    uint32_t id; /* counts creations from 1: the same in each replay of the capture */
    enum cmd_kind kind;
    unsigned stream; /* number of its stream */
    cmd_handle handle;
    struct tex_desc image; /* if it is one */
    uint64_t bytes;        /* of all levels, or of the buffer */
    uint64_t created;      /* the call */
    const char *method;    /* "CreateTexture"; "" if it is unknown */
    uint32_t usage, pool;  /* as the call has them; pool UINT32_MAX: it has none */
    uint32_t fvf;          /* of a buffer */
    bool gone;
};

/* The resource with an id; NULL: there is none. Borrowed until the walk goes on. */
const struct frame_resource *frame_walk_resource(const struct frame_walk *walk, uint32_t id);
/* The id of the resource that a stream names by a handle now; 0: none. */
uint32_t frame_walk_id(const struct frame_walk *walk, const struct cmd_stream *stream,
                       cmd_handle handle);
/* What the stream has bound at the moment; NULL: out of memory. */
const struct cmd_bindings *frame_walk_bindings(const struct frame_walk *walk,
                                               const struct cmd_stream *stream);
/* The stream with a number; NULL: it is closed. */
struct cmd_stream *frame_walk_stream(const struct frame_walk *walk, unsigned number);
/* How many streams there have been. */
unsigned frame_walk_streams(const struct frame_walk *walk);
/* The stream of the last packet; NULL: there was none, or it is closed. */
struct cmd_stream *frame_walk_last_stream(const struct frame_walk *walk);

#endif
