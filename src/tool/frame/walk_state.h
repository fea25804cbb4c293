/* Private state of a walk: its replay, and the resources that the capture has created. */
#ifndef TOOL_FRAME_WALK_STATE_H
#define TOOL_FRAME_WALK_STATE_H

#include "tool/frame/walk.h"
#include "tool/inspect/streams.h"

enum { WALK_NAME = 64 };

/* The resources that a stream's handles name, and what it has bound. */
struct walk_stream {
    const struct cmd_stream *stream; /* NULL: closed */
    uint32_t *id;                    /* by handle; 0: none */
    uint32_t n;
    struct cmd_bindings bindings;
    bool hooked; /* its renderer has the hooks of draws */
};

struct walk_resources {
    struct frame_resource *resource; /* by id - 1 */
    uint32_t n, max;
    struct walk_stream *stream; /* by number of the stream */
    unsigned n_streams;
};

struct frame_walk {
    const char *file;
    uint64_t frame;
    struct trace_reader *reader;
    struct replay *replay;
    struct draw_debug_hooks draw_hooks;
    struct cmd_debug_hooks hooks;
    struct cmd_listener listener;
    struct inspect_streams streams;
    struct walk_resources resources;
    /* While frame_walk_run runs: its own, then the added one. NULL: none. */
    const struct frame_visitor *visitor[2], *added;
    frame_intercept_fn *intercept; /* NULL: none */
    void *intercept_ctx;
    const struct trace_call *now; /* the call that runs; NULL: none */
    struct cmd_stream *last;
    uint64_t call;
    char name[WALK_NAME];
    enum status status; /* the first failure */
    bool running, stopped;
};

/* The entry of a stream, which gets a number if it has none. NULL: out of memory, in status. */
struct walk_stream *walk_stream_of(struct frame_walk *walk, const struct cmd_stream *stream);
/* A stream has created an image or a buffer in the current call. */
void walk_resources_create(struct frame_walk *walk, const struct cmd_stream *stream,
                           cmd_handle handle, const struct cmd_description *description);
/* A packet that binds or destroys has been executed. */
void walk_resources_follow(struct frame_walk *walk, const struct cmd_stream *stream, enum cmd_op op,
                           const void *packet);
void walk_resources_close(struct frame_walk *walk, unsigned stream);
void walk_resources_fini(struct walk_resources *resources);

#endif
