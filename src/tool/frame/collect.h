/* Gathers answers while a frame runs: one, or those of the whole frame. */
#ifndef TOOL_FRAME_COLLECT_H
#define TOOL_FRAME_COLLECT_H

#include "tool/frame/event_json.h"

enum frame_want {
    FRAME_WANT_LIST = 1,
    FRAME_WANT_EVENTS = 2,
    FRAME_WANT_MESHES = 4,
    FRAME_WANT_RESOURCES = 8,
    FRAME_WANT_SHADERS = 16,
    FRAME_WANT_TEXTURES = 32, /* of all levels, at the frame's end */
    FRAME_WANT_LEVEL = 64,    /* of one level, after a call or at the end */
    FRAME_WANT_PICTURES = 128 /* with events: before and after */
};

struct frame_collector {
    unsigned want; /* enum frame_want */
    uint64_t call; /* for events, meshes and a level: of this call alone; UINT64_MAX: all */
    bool whole;    /* goes on to the end of the frame behind `call`, too */
    struct frame_target level; /* resource, face, level; slot is not used */
    uint32_t slice;
    uint32_t mesh_limit;
    /* Takes each answer. */
    void (*emit)(void *ctx, const char *key, cJSON *answer);
    void *ctx;
    struct frame_pictures pictures;
    enum status status; /* the first failure */

    /* Private */
    struct frame_visitor visitor;
    struct frame_walk *walk;
    struct frame_events events;
    const struct trace_call *now;
    cJSON *event; /* of the current call, until the next one */
    uint32_t index;
    bool drawn, pending; /* the event has had its draw; the event waits for its end */
    bool taken;          /* the level has been taken */
    bool has_before[FRAME_TARGETS], has_after[FRAME_TARGETS];
    struct frame_picture before[FRAME_TARGETS], after[FRAME_TARGETS];
};

/* The caller has set the first part. Afterwards `visitor` watches a walk. */
void frame_collector_begin(struct frame_collector *c, struct frame_walk *walk);
/* After the walk: emits the rest. Returns the first failure. */
MUST_CHECK enum status frame_collector_end(struct frame_collector *c);
void frame_collector_fini(struct frame_collector *c);

#endif
