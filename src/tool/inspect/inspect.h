/* Interface of the frame debugger's parts: pixel history, frame dumps and trimming of captures.
 * Private to this folder. */
#ifndef TOOL_INSPECT_INSPECT_H
#define TOOL_INSPECT_INSPECT_H

#include "cmd/cmd.h"
#include "draw/draw.h"
#include "tool/shader/run.h"
#include "tool/cli/cli.h"
#include "trace/trace.h"

#include <stdio.h>

/* --- value.c: contents of one pixel of a surface ---------------------------------------------- */

enum { INSPECT_SAMPLES = 16, INSPECT_BYTES = 16 };

/* format NULL: the pixel does not exist. */
struct inspect_value {
    const struct tex_format *format;
    unsigned samples;
    uint8_t raw[INSPECT_SAMPLES][INSPECT_BYTES];
    float rgba[INSPECT_SAMPLES][4]; /* depth formats: depth in [0] */
};

/* The caller has synchronised memory with draw_sync. In a volume, `face` is the slice. */
void inspect_value_read(struct inspect_value *out, const struct draw_target *target, uint32_t x,
                        uint32_t y);
void inspect_value_write(const struct inspect_value *value, const struct draw_target *target,
                         uint32_t x, uint32_t y);
bool inspect_value_same(const struct inspect_value *a, const struct inspect_value *b);
/* Returns -1 if the format has no stencil. */
int inspect_value_stencil(const struct inspect_value *value, unsigned sample);
/* The pixel's values in all bound targets. */
struct inspect_values {
    struct inspect_value target[DRAW_TARGETS + 1]; /* the last one is depth */
};
void inspect_values_read(struct inspect_values *out, const struct draw_state *state, uint32_t x,
                         uint32_t y);
void inspect_values_write(const struct inspect_values *values, const struct draw_state *state,
                          uint32_t x, uint32_t y);
bool inspect_values_same(const struct inspect_values *a, const struct inspect_values *b);

/* --- History ---------------------------------------------------------------------------------- */

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
enum { INSPECT_POINTS = 8, INSPECT_STREAMS = 8 };

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

/* pixel_history.c: replays the capture several times. Returns TOOL_OK, or TOOL_ERROR after an error
 * message. */
int inspect_history_gather(struct inspect_history *out, const struct inspect_request *request);
void inspect_history_fini(struct inspect_history *history);
/* Whether the history explains every value: no change between events, and primitives add up. */
bool inspect_history_is_exact(const struct inspect_history *history);

/* --- probe.c: effect of a draw on one pixel --------------------------------------------------- */

struct inspect_probe {
    struct draw_debug_hooks hooks;
    struct draw_state *state; /* a private copy that the probe modifies */
    struct vm_program *neutral[2];
    uint32_t x, y;
    unsigned target;
    bool tracing, hex;
    struct inspect_primitive *at; /* primitive whose shaders run */
    FILE *text;
    struct run_trace *trace;
};
MUST_CHECK enum status inspect_probe_init(struct inspect_probe *probe);
void inspect_probe_fini(struct inspect_probe *probe);
/* Appends the primitives that cover the pixel; restores the targets. */
MUST_CHECK enum status inspect_probe_draw(struct inspect_probe *probe, struct draw *draw,
                                          const struct draw_state *state,
                                          const struct draw_args *args,
                                          struct inspect_event *event);

/* --- shader_trace.c: execution of shaders as text --------------------------------------------- */

void inspect_trace_before(void *ctx,
                          const struct draw_shader_batch *shading); /* ctx: struct inspect_probe */
vm_step_fn inspect_trace_step;
void inspect_trace_after(void *ctx, const float *const colour[DRAW_TARGETS]);

/* --- states.c: the state of a draw as text ---------------------------------------------------- */

/* Prints every state that differs from Direct3D's default, one per line; samplers and stages only
 * of the masks. */
void inspect_states_print(FILE *out, const struct draw_state *state, uint32_t samplers,
                          uint32_t stages);

/* --- mesh.c: vertices of a draw --------------------------------------------------------------- */

/* Writes the primitives of the first instance as two OBJ files: `fetched` has the vertex shader's
 * inputs, `projected` its outputs in screen space. `resume` is the current set of debug
 * hooks. */
MUST_CHECK enum status inspect_mesh_write(struct draw *draw, const struct draw_state *state,
                                          const struct draw_args *args,
                                          struct draw_debug_hooks *resume, const char *fetched,
                                          const char *projected);

/* --- picture.c: surfaces as PNG files --------------------------------------------------------- */

/* Reads the surface with samples averaged; the caller frees with tool_image_fini. ST_UNSUPPORTED if
 * the surface cannot be shown. */
MUST_CHECK enum status inspect_picture_read(const struct draw_target *target,
                                            struct tool_image *out);
enum { INSPECT_NAME = 32 };
/* Writes the surface to folder/images and returns the file's name. The name is a hash of the
 * contents, so equal pictures share one file. ST_UNSUPPORTED if the surface cannot be shown. */
MUST_CHECK enum status inspect_picture_write(const struct draw_target *target, const char *folder,
                                             char name[INSPECT_NAME]);

/* --- target_draws.c: draws to render targets -------------------------------------------------- */

/* A call that draws or clears colour. */
struct inspect_target_draw {
    uint64_t call, frame;
    unsigned stream;
    cmd_handle image; /* target 0 after the call */
    uint32_t face, level;
    bool clear;
};
struct inspect_target_draws {
    struct inspect_target_draw *draw;
    size_t n, max;
};
/* Lists all such calls of a capture; the caller frees `draw` with mem_free. Returns TOOL_OK, or
 * TOOL_ERROR after an error message. */
int inspect_target_draws_gather(struct inspect_target_draws *out, const char *command,
                                const char *file);
/* Reads render target 0 after a call; the caller frees with tool_image_fini. */
int inspect_target_take(struct tool_image *out, const char *command, const char *file,
                        uint64_t call);

/* --- dependencies.c: calls that a part of a capture depends on -------------------------------- */

enum {
    INSPECT_CALL_DRAWS = 1,      /* draws or copies */
    INSPECT_CALL_ONLY_DRAWS = 2, /* does nothing else, judged by its name */
    INSPECT_CALL_NEEDED = 4,     /* wanted, or a wanted result depends on it */
    INSPECT_CALL_DEAD_STATE = 8  /* sets state that is overwritten before use */
};
struct inspect_dependencies {
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
MUST_CHECK enum status inspect_dependencies_gather(struct inspect_dependencies *needs,
                                                   const char *file);
void inspect_dependencies_fini(struct inspect_dependencies *needs);

/* --- frame.c ---------------------------------------------------------------------------------- */

/* Writes the files of `novem frame` for one call; call UINT64_MAX: all calls of the frame. */
int inspect_frame_write(const char *command, const char *file, uint64_t frame, uint64_t call,
                        const char *folder);

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
