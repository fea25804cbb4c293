/* Read and write sets of a capture's draws and copies. Private to dependencies*.c. */
#ifndef TOOL_TRIM_DEPENDENCIES_H
#define TOOL_TRIM_DEPENDENCIES_H

#include "tool/inspect/inspect.h"

/* A range of nodes that an event accesses. A node is a buffer, or one level of one face of an
 * image; the stencil plane is a node of its own. */
struct access {
    uint32_t first, n;
    bool read, write, overwrites; /* overwrites: the old contents are lost */
};
struct event {
    uint64_t call;
    uint32_t access, n;
    bool required;
};

struct resource {
    uint32_t node, parts; /* node + parts is the first stencil node */
    struct tex_desc image;
};

struct source {
    const struct cmd_stream *stream;
    struct resource *resource;
    uint32_t n;
    struct cmd_bindings bindings;
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
    struct cmd_stream *stream; /* of the last packet */
    uint32_t samplers;         /* samplers that the last draw uses, a bit each */
    bool required, found;
    enum status status;
};

/* Listener that records accesses and events; ctx is struct gather. */
extern const struct cmd_listener inspect_dependencies_listener;
/* Flags of a call; NULL: out of memory. */
uint8_t *inspect_dependencies_flags(struct gather *g, uint64_t call);
/* Whether draws depend on depth or stencil. written: the planes that they write (enum planes). */
enum planes { PLANE_COLOURS = 1, PLANE_STENCIL = 2 };
bool inspect_uses_depth(const struct draw_state *state, unsigned *written);

#endif
