/* The parts of `novem pixel`: the history of a pixel, gathered by drawing again. Private to look.
 */
#ifndef TOOL_INSPECT_INSPECT_H
#define TOOL_INSPECT_INSPECT_H

#include "cmd/cmd.h"
#include "draw/draw.h"
#include "tool/run_shader.h"
#include "tool/tool.h"
#include "trace/trace.h"

#include <stdio.h>

/* --- value.c: what a pixel of a surface holds ------------------------------------------------- */

enum { INSPECT_SAMPLES = 16, INSPECT_BYTES = 16 };

/* format NULL: there is no such pixel. */
struct inspect_value {
    const struct tex_format *format;
    unsigned samples;
    uint8_t raw[INSPECT_SAMPLES][INSPECT_BYTES];
    float rgba[INSPECT_SAMPLES][4]; /* of depth formats: depth in the first */
};

/* The memory must be up to date: draw_sync. Of a volume `face` is the slice. */
void inspect_value_read(struct inspect_value *out, const struct draw_target *target, uint32_t x,
                        uint32_t y);
void inspect_value_write(const struct inspect_value *value, const struct draw_target *target,
                         uint32_t x, uint32_t y);
bool inspect_value_same(const struct inspect_value *a, const struct inspect_value *b);
/* -1: the format has none. */
int inspect_value_stencil(const struct inspect_value *value, unsigned sample);
/* The pixel in all targets that are bound. */
struct inspect_values {
    struct inspect_value target[DRAW_TARGETS + 1]; /* the last: depth */
};
void inspect_values_read(struct inspect_values *out, const struct draw_state *state, uint32_t x,
                         uint32_t y);
void inspect_values_write(const struct inspect_values *values, const struct draw_state *state,
                          uint32_t x, uint32_t y);
bool inspect_values_same(const struct inspect_values *a, const struct inspect_values *b);

/* --- History ---------------------------------------------------------------------------------- */

/* How many samples were left before and after a test. */
struct inspect_test {
    const char *name;
    uint64_t before, after;
};
enum { INSPECT_TESTS = 12 };

/* A primitive that covers the pixel. */
struct inspect_primitive {
    uint32_t instance, number;
    const char *outcome; /* "written", or the test that nothing was left after */
    struct inspect_test test[INSPECT_TESTS];
    unsigned n_tests;
    bool has_output; /* of the pixel shader, for the target that is looked at */
    float output[4];
    struct inspect_values before, after;
    char *trace; /* text, where it was asked for */
};

struct inspect_event {
    uint64_t call;
    unsigned point; /* of which the event tells */
    char name[64];  /* of the call */
    char what[256]; /* a line for people */
    bool draw;
    unsigned target; /* of values: where the pixel is */
    struct inspect_values before, after;
    struct inspect_primitive *primitive;
    unsigned n_primitives;
    bool exact; /* drawing primitives one by one came to the same as the draw */
    int source; /* point that it was copied from; -1: none */
};

/* A pixel that is looked at, while frames `first` … `frame` are drawn, before call `end`. */
struct inspect_point {
    unsigned stream;
    cmd_handle image;
    uint32_t face, level, x, y;
    uint64_t end; /* calls from this one on do not count */
    struct inspect_value start, last, final;
    bool started, ended;
};
enum { INSPECT_POINTS = 8, INSPECT_STREAMS = 8 };

struct inspect_request {
    const char *command, *file;
    uint64_t first, frame; /* frames to look into: the first, and the last */
    uint64_t call;         /* UINT64_MAX: to the frame's end */
    uint32_t x, y;
    bool trace;
    uint64_t trace_call;
    bool hex;
};

struct inspect_history {
    const struct inspect_request *request;
    uint64_t end_call; /* before which the pixel is looked at */
    char end_name[64];
    uint32_t width, height; /* of the surface */
    struct inspect_point point[INSPECT_POINTS];
    unsigned n_points;
    struct inspect_event *event;
    unsigned n_events, max_events;
    unsigned draws; /* to the targets in that time */
    bool out_of_memory;
};

/* pixel_history.c: replays the capture, more than once. TOOL_OK, or TOOL_ERROR after a message. */
int inspect_history_gather(struct inspect_history *out, const struct inspect_request *request);
void inspect_history_fini(struct inspect_history *history);
/* Whether every value is explained: nothing changed between events, and primitives add up. */
bool inspect_history_is_exact(const struct inspect_history *history);

/* --- probe.c: what a draw does to a pixel ----------------------------------------------------- */

struct inspect_probe {
    struct draw_debug_hooks hooks;
    struct draw_state *state; /* a copy to change */
    struct vm_program *neutral[2];
    uint32_t x, y;
    unsigned target;
    bool tracing, hex;
    struct inspect_primitive *at; /* whose shaders run */
    FILE *text;
    struct run_trace *trace;
};
MUST_CHECK enum status inspect_probe_init(struct inspect_probe *probe);
void inspect_probe_fini(struct inspect_probe *probe);
/* Appends the primitives that cover the pixel; targets are left as they were. */
MUST_CHECK enum status inspect_probe_draw(struct inspect_probe *probe, struct draw *draw,
                                          const struct draw_state *state,
                                          const struct draw_args *args,
                                          struct inspect_event *event);

/* --- shader_trace.c: shaders at work, as text ------------------------------------------------- */

void inspect_trace_before(void *ctx,
                          const struct draw_shader_batch *shading); /* ctx: struct inspect_probe */
vm_step_fn inspect_trace_step;
void inspect_trace_after(void *ctx, const float *const colour[DRAW_TARGETS]);

/* --- states.c: the state of a draw as text ---------------------------------------------------- */

/* What is not as Direct3D has it by default, a line each; samplers and stages of the masks only. */
void inspect_states_print(FILE *out, const struct draw_state *state, uint32_t samplers,
                          uint32_t stages);

/* --- mesh.c: the vertices of a draw ----------------------------------------------------------- */

/* Writes the primitives of the first instance as OBJ files: as the vertex shader gets them, and on
 * the screen as it leaves them. `resume` is the watch that the draw is
 * under. */
MUST_CHECK enum status inspect_mesh_write(struct draw *draw, const struct draw_state *state,
                                          const struct draw_args *args,
                                          struct draw_debug_hooks *resume, const char *fetched,
                                          const char *projected);

/* --- picture.c: surfaces as PNG files --------------------------------------------------------- */

/* Its first level, samples averaged; the caller frees with tool_image_fini. ST_UNSUPPORTED where
 * there is nothing to see. */
MUST_CHECK enum status inspect_picture_read(const struct draw_target *target,
                                            struct tool_image *out);
enum { INSPECT_NAME = 32 };
/* Writes one image of a face and level into folder/images and gives the file's name, which its
 * contents make: equal ones are one file. ST_UNSUPPORTED where there is nothing to see. */
MUST_CHECK enum status inspect_picture_write(const struct draw_target *target, const char *folder,
                                             char name[INSPECT_NAME]);

/* --- target_draws.c: what draws to render targets --------------------------------------------- */

/* A call that draws, or clears colours. */
struct inspect_target_draw {
    uint64_t call, frame;
    unsigned stream;
    cmd_handle image; /* target 0 as it leaves it */
    uint32_t face, level;
    bool clear;
};
struct inspect_target_draws {
    struct inspect_target_draw *draw;
    size_t n, max;
};
/* Those of the whole capture; the caller frees `draw` with mem_free. TOOL_OK, or TOOL_ERROR after a
 * message. */
int inspect_target_draws_gather(struct inspect_target_draws *out, const char *command,
                                const char *file);
/* Render target 0 as a call leaves it; the caller frees with tool_image_fini. */
int inspect_target_take(struct tool_image *out, const char *command, const char *file,
                        uint64_t call);

/* --- dependencies.c: which calls a part of a capture needs ------------------------------------ */

enum {
    INSPECT_CALL_DRAWS = 1,      /* draws or copies something */
    INSPECT_CALL_ONLY_DRAWS = 2, /* as far as its name says, it does nothing else */
    INSPECT_CALL_NEEDED = 4,     /* what is wanted follows from what it draws, or it is wanted */
    INSPECT_CALL_DEAD_STATE = 8  /* what it sets is set again before it matters */
};
struct inspect_dependencies {
    bool to_call;         /* wanted are the targets as call `last` leaves them; else the pictures
                           * of frames first … last */
    uint64_t first, last; /* first: of frames */
    uint8_t *call;        /* flags of calls 0 … n - 1, up to the last that is wanted */
    uint32_t n;
    uint64_t hash;   /* of all that is wanted */
    uint64_t frames; /* pictures in it */
    bool complete;   /* all was found */
};
/* Replays the capture, in one thread. The caller sets what is wanted, the rest to zero. */
MUST_CHECK enum status inspect_dependencies_gather(struct inspect_dependencies *needs,
                                                   const char *file);
void inspect_dependencies_fini(struct inspect_dependencies *needs);

/* --- frame.c ---------------------------------------------------------------------------------- */

/* What `novem frame` writes, of one call; call UINT64_MAX: of all calls of the frame. */
int inspect_frame_write(const char *command, const char *file, uint64_t frame, uint64_t call,
                        const char *folder);

/* --- print.c, json.c, page.c ------------------------------------------------------------------ */

enum { INSPECT_TEXT = 160 };
/* "0xff804020 (0.502, 0.251, 0.125, 1)", "depth 0.5 stencil 0". */
void inspect_value_text(const struct inspect_value *value, unsigned sample, char out[INSPECT_TEXT]);
/* The targets in which two sets of values may differ, or that hold the pixel looked at: a bit each.
 */
unsigned inspect_values_shown(const struct inspect_event *event,
                              const struct inspect_values *before,
                              const struct inspect_values *after);
const char *inspect_target_name(unsigned target); /* "target 0", "depth" */

void inspect_print_text(const struct inspect_history *history, FILE *out);
/* One object; of values an array a sample. */
void inspect_print_json(const struct inspect_history *history, FILE *out);
/* A page by itself; what is in its body can be part of another. */
void inspect_print_page(const struct inspect_history *history, FILE *out);

#endif
