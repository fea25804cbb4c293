/* Effect of a draw on one pixel, primitive by primitive and test by test. */
#ifndef TOOL_INSPECT_PROBE_H
#define TOOL_INSPECT_PROBE_H

#include "tool/inspect/history.h"
#include "tool/shader/shader.h"

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

#endif
