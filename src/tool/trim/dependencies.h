/* Calls that a part of a capture depends on, found in the read and write sets of its draws and
 * copies. */
#ifndef TOOL_TRIM_DEPENDENCIES_H
#define TOOL_TRIM_DEPENDENCIES_H

#include "cmd/cmd.h"
#include "draw/draw.h"
#include "trace/trace.h"

enum {
    TRIM_CALL_DRAWS = 1,      /* draws or copies */
    TRIM_CALL_ONLY_DRAWS = 2, /* does nothing else, judged by its name */
    TRIM_CALL_NEEDED = 4,     /* wanted, or a wanted result depends on it */
    TRIM_CALL_DEAD_STATE = 8, /* sets state that is overwritten before use */
    TRIM_CALL_CACHES = 16     /* later calls repeat the patch that it draws */
};
struct trim_dependencies {
    bool to_call;         /* the targets after call `last` are wanted; else the pictures of frames
                           * first … last */
    uint64_t first, last; /* first: used for frames only */
    uint8_t *call;        /* flags of calls 0 … n - 1, up to the last wanted call */
    uint32_t n;
    uint64_t hash;   /* of all wanted pictures */
    uint64_t frames; /* number of wanted pictures seen */
    bool complete;   /* all wanted pictures were seen */
};
/* Replays the capture in one thread. The caller sets the wanted range and zeroes the rest. */
MUST_CHECK enum status trim_dependencies_gather(struct trim_dependencies *needs, const char *file);
void trim_dependencies_fini(struct trim_dependencies *needs);

/* --- Private to dependencies*.c --------------------------------------------------------------- */

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

enum { TRIM_STREAMS = 8 };
struct gather {
    struct trim_dependencies *deps;
    struct source source[TRIM_STREAMS];
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
extern const struct cmd_listener trim_dependencies_listener;
/* Flags of a call; NULL: out of memory. */
uint8_t *trim_dependencies_flags(struct gather *g, uint64_t call);
/* Whether draws depend on depth or stencil. written: the planes that they write (enum planes). */
enum planes { PLANE_COLOURS = 1, PLANE_STENCIL = 2 };
bool trim_uses_depth(const struct draw_state *state, unsigned *written);

/* --- dead_state.c ----------------------------------------------------------------------------- */

/* Marks the calls before the first wanted one whose state is overwritten before any call uses
 * it. */
MUST_CHECK enum status trim_mark_dead_state(struct trim_dependencies *deps, const char *file);

#endif
