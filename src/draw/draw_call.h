/* A draw in progress. Private to draw. */
#ifndef DRAW_DRAW_CALL_H
#define DRAW_DRAW_CALL_H

#include "draw/vertex_reuse.h"

struct draw_call {
    struct draw *draw;
    const struct draw_state *state;
    const struct draw_args *args;
    struct vertex_stage vertex;
    struct raster_state raster;
    uint32_t stride_floats;
};

/* Memory for vertices of a draw. NULL: there is none. */
static inline float *alloc_vertices(const struct draw_call *call, struct draw_scratch *scratch,
                                    uint32_t n)
{
    return draw_scratch_get(scratch, ((size_t)n + 15) * call->stride_floats * sizeof(float));
}

/* parallel_draw.c: whether a draw's chunks may be the work of a thread each, and there is memory
 * for it; an instance so. */
bool parallel_draw_possible(const struct draw_call *call);
MUST_CHECK enum status parallel_draw_run(struct draw_call *call, uint32_t instance);

#endif
