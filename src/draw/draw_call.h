/* Declares the state of the draw call that is being executed. Private to draw. */
#ifndef DRAW_DRAW_CALL_H
#define DRAW_DRAW_CALL_H

#include "draw/context.h"

struct draw_call {
    struct draw *draw;
    const struct draw_state *state;
    const struct draw_args *args;
    struct vertex_stage vertex;
    struct raster_state raster;
    uint32_t stride_floats;
};

/* draw_call.c: Draws in the renderer's floating-point mode, without hooks and N-patches. */
MUST_CHECK enum status draw_call_execute(struct draw *draw, const struct draw_state *state,
                                         const struct draw_args *args);
/* The number after the last instance of the draw; the first one is args->instance. */
uint32_t draw_call_instances(const struct draw_state *state, const struct draw_args *args);

/* Memory for n vertices of the draw, rounded up to 16. NULL: out of memory. */
static inline float *alloc_vertices(const struct draw_call *call, struct scratch *scratch,
                                    uint32_t n)
{
    return scratch_get(scratch, ((size_t)n + 15) * call->stride_floats * sizeof(float));
}

/* parallel_draw.c: whether the draw suits parallel batches, and memory for these is available. */
bool parallel_draw_possible(const struct draw_call *call);
/* Draws one instance in parallel batches. */
MUST_CHECK enum status parallel_draw_run(struct draw_call *call, uint32_t instance);

#endif
