/* The events of a frame: draws, clears, copies, markers; its passes; uses of its resources; its
 * shaders. */
#ifndef TOOL_FRAME_EVENTS_H
#define TOOL_FRAME_EVENTS_H

#include "tool/frame/answer.h"

enum frame_kind { FRAME_DRAW, FRAME_CLEAR, FRAME_COPY, FRAME_BEGIN, FRAME_END, FRAME_MARK };
extern const char *const frame_kind_names[];

/* A level of a face (or slice) that an event writes. */
struct frame_target {
    uint32_t resource, face, level; /* resource 0: it has none */
    uint8_t slot;                   /* 0-3: targets; 4: depth; 5: destination of a copy */
    const char *format;
    uint32_t width, height, samples;
};
enum { FRAME_TARGETS = 8, FRAME_DESTINATION = 5 };
void frame_target_slot(char out[16], const struct frame_target *target);

struct frame_event {
    uint64_t call;
    enum frame_kind kind;
    char name[64], what[96];
    char *text; /* of a marker, in UTF-8; NULL: none */
    uint32_t primitives, vertices, colour;
    uint32_t pass, depth; /* depth: nesting of markers */
    uint32_t changed;     /* states that differ from the draw before */
    uint32_t failed;      /* a draw that draws nothing: 1 */
    uint8_t n_targets;
    struct frame_target target[FRAME_TARGETS];
};

/* Events from `first` to `last` that share their targets. */
struct frame_pass {
    uint32_t first, last;
    char what[160];
};

/* How an event uses a resource. */
enum frame_how {
    FRAME_BY_DRAW, /* writes, up to FRAME_BY_UPLOAD */
    FRAME_BY_CLEAR,
    FRAME_BY_COPY,
    FRAME_BY_UPLOAD,
    FRAME_AS_TEXTURE,
    FRAME_AS_SOURCE, /* of a copy */
    FRAME_AS_VERTICES,
    FRAME_AS_INDICES,
    FRAME_AS_PRESENT,
    FRAME_AS_TEST /* depth and stencil that the draw does not write */
};
extern const char *const frame_how_names[];
struct frame_use {
    uint32_t resource;
    uint8_t how;
    uint64_t call;
};

struct frame_shader {
    char id[FRAME_SHADER_ID];
    uint64_t program;  /* vm_program_id */
    bool pixel, fixed; /* fixed: generated for the fixed function */
    char version[16];
    char *text;
    uint64_t *draws;
    uint32_t n, max;
};

struct frame_events {
    struct frame_event *event;
    uint32_t n, max;
    struct frame_pass *pass;
    uint32_t n_passes, max_passes;
    struct frame_use *use;
    uint32_t n_uses, max_uses;
    struct frame_shader *shader;
    uint32_t n_shaders, max_shaders;
    uint32_t depth;
    bool has_previous;
    struct draw_state *previous; /* of the last draw; large */
    uint32_t samplers;           /* that the current draw reads */
    bool failed;                 /* memory ran out */
};

void frame_events_fini(struct frame_events *events);
/* The event of a call; NULL: none. */
const struct frame_event *frame_events_find(const struct frame_events *events, uint64_t call);

/* Each is called by a visitor's function of the same name. `begin` returns the event that the
 * packet belongs to; *fresh: it is new. NULL: the packet is no event, or memory ran out. */
struct frame_event *frame_events_begin(struct frame_events *events, struct frame_walk *walk,
                                       const struct frame_packet *packet, bool *fresh);
void frame_events_marker(struct frame_events *events, struct frame_walk *walk,
                         const struct trace_call *call);
/* vertex, pixel: the programs of the draw; NULL: there are none, and it draws nothing. Returns the
 * index of the shaders in *shaders. */
void frame_events_draw(struct frame_events *events, struct frame_event *event,
                       const struct draw_state *state, const struct draw_args *args,
                       const struct vm_program *vertex, const struct vm_program *pixel,
                       const struct frame_shader *shaders[2]);
/* After a packet: notes which resources it used. */
void frame_events_use(struct frame_events *events, struct frame_walk *walk,
                      const struct frame_packet *packet);
void frame_events_upload(struct frame_events *events, struct frame_walk *walk,
                         const struct frame_packet *packet);
/* The state of a draw becomes that which the next draw is compared with. */
void frame_events_keep(struct frame_events *events, const struct draw_state *state);
/* After the frame: sets the passes. */
void frame_events_finish(struct frame_events *events);

#endif
