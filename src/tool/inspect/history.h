/* History of a pixel: the events that change it, and their output as text, JSON and HTML. */
#ifndef TOOL_INSPECT_HISTORY_H
#define TOOL_INSPECT_HISTORY_H

#include "cmd/cmd.h"
#include "tool/inspect/value.h"
#include "trace/trace.h"

#include <stdio.h>

/* Samples before and after a test. */
struct inspect_test {
    const char *name;
    uint64_t before, after;
};
enum { INSPECT_TESTS = 12 };

/* A primitive that covers the pixel. */
struct inspect_primitive {
    uint32_t instance, number;
    const char *outcome; /* "written", or the test that no sample passed */
    struct inspect_test test[INSPECT_TESTS];
    unsigned n_tests;
    bool has_output; /* the pixel shader wrote the inspected target */
    float output[4];
    struct inspect_values before, after;
    char *trace; /* text of the shader trace, if requested */
};

struct inspect_event {
    uint64_t call;
    unsigned point; /* index of the inspected point */
    char name[64];  /* of the call */
    char what[256]; /* one-line description */
    bool draw;
    unsigned target; /* index in inspect_values that holds the pixel */
    struct inspect_values before, after;
    struct inspect_primitive *primitive;
    unsigned n_primitives;
    bool exact; /* drawing the primitives one by one gives the draw's result */
    int source; /* point that a copy read from; -1: none */
};

/* One inspected pixel, followed through frames `first` … `frame` up to call `end`. */
struct inspect_point {
    unsigned stream;
    cmd_handle image;
    uint32_t face, level, x, y;
    uint64_t end; /* calls from this one on are ignored */
    struct inspect_value start, last, final;
    bool started, ended;
};
enum { INSPECT_POINTS = 8 };

struct inspect_request {
    const char *command, *file;
    uint64_t first, frame; /* range of frames to inspect */
    uint64_t call;         /* UINT64_MAX: to the end of the frame */
    uint32_t x, y;
    bool trace;
    uint64_t trace_call;
    bool hex;
};

struct inspect_history {
    const struct inspect_request *request;
    uint64_t end_call; /* the pixel is read before this call */
    char end_name[64];
    uint32_t width, height; /* of the surface */
    struct inspect_point point[INSPECT_POINTS];
    unsigned n_points;
    struct inspect_event *event;
    unsigned n_events, max_events;
    unsigned draws; /* number of draws to the targets in that range */
    bool out_of_memory;
};

/* Replays the capture several times. Returns TOOL_OK, or TOOL_ERROR after an error
 * message. */
int inspect_history_gather(struct inspect_history *out, const struct inspect_request *request);
/* A replay that stands at the start of a frame. Its process is forked, so that the frame can be run
 * again. */
struct inspect_frame {
    void *ctx;
    uint64_t number;
    /* The streams at the frame's start by number; NULL: closed. */
    struct cmd_stream *const *stream;
    unsigned n_streams;
    /* Returns each time that the frame is to be run from its start, with the bytes of `state` as
     * they were at the last call of run_again, which does not return. */
    void (*mark_start)(void *ctx, void *state, size_t n);
    void (*run_again)(void *ctx);
    /* Runs the frame. Calls `call` before each call; false ends the run before it. Calls the hooks
     * as those of a stream. */
    enum status (*run)(void *ctx, bool (*call)(void *pass, const struct trace_call *call),
                       const struct cmd_debug_hooks *hooks);
};
/* Gathers the history of one pixel from the frame's start on. The point has its place and end.
 * Sets the hooks of draws and leaves them set: the process ends when it has used the history.
 * Returns ST_NOMEM or the failure of the replay. */
MUST_CHECK enum status inspect_history_follow(struct inspect_history *out,
                                              const struct inspect_request *request,
                                              const struct inspect_point *point,
                                              const struct inspect_frame *frame);
void inspect_history_fini(struct inspect_history *history);
/* Whether the history explains every value: no change between events, and primitives add up. */
bool inspect_history_is_exact(const struct inspect_history *history);

/* --- print.c, json.c, page.c ------------------------------------------------------------------ */

enum { INSPECT_TEXT = 160 };
/* "0xff804020 (0.502, 0.251, 0.125, 1)", "depth 0.5 stencil 0". */
void inspect_value_text(const struct inspect_value *value, unsigned sample, char out[INSPECT_TEXT]);
/* A bit for each target that differs between two sets of values or that holds the inspected
 * pixel. */
unsigned inspect_values_shown(const struct inspect_event *event,
                              const struct inspect_values *before,
                              const struct inspect_values *after);
const char *inspect_target_name(unsigned target); /* "target 0", "depth" */

void inspect_print_text(const struct inspect_history *history, FILE *out);
/* Prints one JSON object; a value is an array with one element per sample. */
void inspect_print_json(const struct inspect_history *history, FILE *out);
/* Prints a complete HTML page; its body can be embedded in another page. */
void inspect_print_page(const struct inspect_history *history, FILE *out);

#endif
