/* What draws and copies of a capture read and write. Private to needs*.c. */
#ifndef TOOL_INSPECT_DEPENDENCIES_H
#define TOOL_INSPECT_DEPENDENCIES_H

#include "tool/inspect/inspect.h"

/* Nodes are what contents can follow from: of an image each level of each face, and its stencil
 * apart; a buffer. */
struct access {
    uint32_t first, n;
    bool read, write, overwrites; /* overwrites: nothing is left of what was there */
};
struct event {
    uint64_t call;
    uint32_t access, n;
    bool required;
};

struct resource {
    uint32_t node, parts; /* stencil: node + parts on */
    struct tex_desc image;
};

struct source {
    const struct cmd_stream *stream;
    struct resource *resource;
    uint32_t n;
    cmd_handle texture[DRAW_SAMPLERS], buffer[DRAW_STREAMS];
};

struct gather {
    struct inspect_dependencies *deps;
    struct source source[INSPECT_STREAMS];
    unsigned n_sources;
    uint32_t n_nodes;
    struct access *access;
    uint32_t n_accesses, max_accesses;
    struct event *event;
    uint32_t n_events, max_events;
    uint64_t call;
    struct cmd_stream *stream; /* whose packet ran last */
    uint32_t samplers;         /* that the draw that ran last samples */
    bool required, found;
    enum status status;
};

/* Fills in accesses and events; ctx: struct gather. */
extern const struct cmd_listener inspect_dependencies_listener;
/* Flags of a call; NULL where memory is short. */
uint8_t *inspect_dependencies_flags(struct gather *g, uint64_t call);
/* Whether depth or stencil matter to draws; written: which of enum planes change. */
enum planes { PLANE_COLOURS = 1, PLANE_STENCIL = 2 };
bool inspect_uses_depth(const struct draw_state *state, unsigned *written);

#endif
