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

enum { LOOK_SAMPLES = 16, LOOK_BYTES = 16 };

/* format NULL: there is no such pixel. */
struct look_value {
    const struct tex_format *format;
    unsigned samples;
    uint8_t raw[LOOK_SAMPLES][LOOK_BYTES];
    float rgba[LOOK_SAMPLES][4]; /* of depth formats: depth in the first */
};

/* The memory must be up to date: draw_sync. Of a volume `face` is the slice. */
void look_value_read(struct look_value *out, const struct draw_target *target, uint32_t x,
                     uint32_t y);
void look_value_write(const struct look_value *value, const struct draw_target *target, uint32_t x,
                      uint32_t y);
bool look_value_same(const struct look_value *a, const struct look_value *b);
/* -1: the format has none. */
int look_value_stencil(const struct look_value *value, unsigned sample);
/* The pixel in all targets that are bound. */
struct look_values {
    struct look_value target[DRAW_TARGETS + 1]; /* the last: depth */
};
void look_values_read(struct look_values *out, const struct draw_state *state, uint32_t x,
                      uint32_t y);
void look_values_write(const struct look_values *values, const struct draw_state *state, uint32_t x,
                       uint32_t y);
bool look_values_same(const struct look_values *a, const struct look_values *b);

/* --- History ---------------------------------------------------------------------------------- */

/* How many samples were left before and after a test. */
struct look_test {
    const char *name;
    uint64_t before, after;
};
enum { LOOK_TESTS = 12 };

/* A primitive that covers the pixel. */
struct look_primitive {
    uint32_t instance, number;
    const char *outcome; /* "written", or the test that nothing was left after */
    struct look_test test[LOOK_TESTS];
    unsigned n_tests;
    bool has_output; /* of the pixel shader, for the target that is looked at */
    float output[4];
    struct look_values before, after;
    char *trace; /* text, where it was asked for */
};

struct look_event {
    uint64_t call;
    unsigned point; /* of which the event tells */
    char name[64];  /* of the call */
    char what[256]; /* a line for people */
    bool draw;
    unsigned target; /* of values: where the pixel is */
    struct look_values before, after;
    struct look_primitive *primitive;
    unsigned n_primitives;
    bool exact; /* drawing primitives one by one came to the same as the draw */
    int source; /* point that it was copied from; -1: none */
};

/* A pixel that is looked at, while frames `first` … `frame` are drawn, before call `end`. */
struct look_point {
    unsigned stream;
    cmd_handle image;
    uint32_t face, level, x, y;
    uint64_t end; /* calls from this one on do not count */
    struct look_value start, last, final;
    bool started, ended;
};
enum { LOOK_POINTS = 8, LOOK_STREAMS = 8 };

struct look_wish {
    const char *command, *file;
    uint64_t first, frame; /* frames to look into: the first, and the last */
    uint64_t call;         /* UINT64_MAX: to the frame's end */
    uint32_t x, y;
    bool trace;
    uint64_t trace_call;
    bool hex;
};

struct look_history {
    const struct look_wish *wish;
    uint64_t end_call; /* before which the pixel is looked at */
    char end_name[64];
    uint32_t width, height; /* of the surface */
    struct look_point point[LOOK_POINTS];
    unsigned n_points;
    struct look_event *event;
    unsigned n_events, max_events;
    unsigned draws; /* to the targets in that time */
    bool short_of_memory;
};

/* pixel_history.c: replays the capture, more than once. TOOL_OK, or TOOL_ERROR after a message. */
int look_history_gather(struct look_history *out, const struct look_wish *wish);
void look_history_fini(struct look_history *history);
/* Whether every value is explained: nothing changed between events, and primitives add up. */
bool look_history_is_exact(const struct look_history *history);

/* --- probe.c: what a draw does to a pixel ----------------------------------------------------- */

struct look_probe {
    struct draw_debug_hooks hooks;
    struct draw_state *state; /* a copy to change */
    struct vm_program *neutral[2];
    uint32_t x, y;
    unsigned target;
    bool tracing, hex;
    struct look_primitive *at; /* whose shaders run */
    FILE *text;
    struct run_trace *trace;
};
MUST_CHECK enum status look_probe_init(struct look_probe *probe);
void look_probe_fini(struct look_probe *probe);
/* Appends the primitives that cover the pixel; targets are left as they were. */
MUST_CHECK enum status look_probe_draw(struct look_probe *probe, struct draw *draw,
                                       const struct draw_state *state, const struct draw_args *args,
                                       struct look_event *event);

/* --- shader_trace.c: shaders at work, as text ------------------------------------------------- */

void look_follow_before(void *ctx,
                        const struct draw_shader_batch *shading); /* ctx: struct look_probe */
vm_step_fn look_follow_step;
void look_follow_after(void *ctx, const float *const colour[DRAW_TARGETS]);

/* --- states.c: the state of a draw as text ---------------------------------------------------- */

/* What is not as Direct3D has it by default, a line each; samplers and stages of the masks only. */
void look_states_print(FILE *out, const struct draw_state *state, uint32_t samplers,
                       uint32_t stages);

/* --- mesh.c: the vertices of a draw ----------------------------------------------------------- */

/* Writes the primitives of the first instance as OBJ files: as the vertex shader gets them, and on
 * the screen as it leaves them. `resume` is the watch that the draw is
 * under. */
MUST_CHECK enum status look_mesh_write(struct draw *draw, const struct draw_state *state,
                                       const struct draw_args *args,
                                       struct draw_debug_hooks *resume, const char *fetched,
                                       const char *projected);

/* --- picture.c: surfaces as PNG files --------------------------------------------------------- */

/* Its first level, samples averaged; the caller frees with tool_image_fini. ST_UNSUPPORTED where
 * there is nothing to see. */
MUST_CHECK enum status look_picture_read(const struct draw_target *target, struct tool_image *out);
enum { LOOK_NAME = 32 };
/* Writes one image of a face and level into folder/images and gives the file's name, which its
 * contents make: equal ones are one file. ST_UNSUPPORTED where there is nothing to see. */
MUST_CHECK enum status look_picture_write(const struct draw_target *target, const char *folder,
                                          char name[LOOK_NAME]);

/* --- target_draws.c: what draws to render targets --------------------------------------------- */

/* A call that draws, or clears colours. */
struct look_step {
    uint64_t call, frame;
    unsigned stream;
    cmd_handle image; /* target 0 as it leaves it */
    uint32_t face, level;
    bool clear;
};
struct look_steps {
    struct look_step *step;
    size_t n, max;
};
/* Those of the whole capture; the caller frees `step` with mem_free. TOOL_OK, or TOOL_ERROR after a
 * message. */
int look_steps_gather(struct look_steps *out, const char *command, const char *file);
/* Render target 0 as a call leaves it; the caller frees with tool_image_fini. */
int look_target_take(struct tool_image *out, const char *command, const char *file, uint64_t call);

/* --- dependencies.c: which calls a part of a capture needs ------------------------------------ */

enum {
    LOOK_CALL_DRAWS = 1,      /* draws or copies something */
    LOOK_CALL_ONLY_DRAWS = 2, /* as far as its name says, it does nothing else */
    LOOK_CALL_NEEDED = 4,     /* what is wanted follows from what it draws, or it is wanted */
    LOOK_CALL_SUPERSEDED = 8  /* what it sets is set again before it matters */
};
struct look_needs {
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
MUST_CHECK enum status look_needs_gather(struct look_needs *needs, const char *file);
void look_needs_fini(struct look_needs *needs);

/* --- frame.c ---------------------------------------------------------------------------------- */

/* What `novem frame` writes, of one call; call UINT64_MAX: of all calls of the frame. */
int look_frame_write(const char *command, const char *file, uint64_t frame, uint64_t call,
                     const char *folder);

/* --- print.c, json.c, page.c ------------------------------------------------------------------ */

enum { LOOK_TEXT = 160 };
/* "0xff804020 (0.502, 0.251, 0.125, 1)", "depth 0.5 stencil 0". */
void look_value_text(const struct look_value *value, unsigned sample, char out[LOOK_TEXT]);
/* The targets in which two sets of values may differ, or that hold the pixel looked at: a bit each.
 */
unsigned look_values_shown(const struct look_event *event, const struct look_values *before,
                           const struct look_values *after);
const char *look_target_name(unsigned target); /* "target 0", "depth" */

void look_print_text(const struct look_history *history, FILE *out);
/* One object; of values an array a sample. */
void look_print_json(const struct look_history *history, FILE *out);
/* A page by itself; what is in its body can be part of another. */
void look_print_page(const struct look_history *history, FILE *out);

#endif
