/* Declares vertex fetch: reads vertex elements from the streams into lanes. Private to vertex. */
#ifndef DRAW_VERTEX_FETCH_H
#define DRAW_VERTEX_FETCH_H

#include "draw/pipeline/pipeline.h"

struct vertex_kern;

/* The lanes of a batch of n vertices, at most 64. Streams that advance per vertex provide vertex
 * number base + index[i] to lane i, or base + i if index is NULL; streams that advance per instance
 * provide number instance / divider to all lanes. */
struct fetch_lanes {
    const uint32_t *index;
    unsigned n;
    int64_t base;
    uint32_t instance;
};
/* Fills the program inputs of the lanes in the work memory of the vertex program. Elements past the
 * end of a stream read as 0 (reference: numbers/reads-that-miss). */
void fetch_batch(const struct draw_pipeline *pipeline, const struct draw_state *state,
                 const struct vertex_kern *kern, const struct fetch_lanes *lanes, float *work);

/* One element of vertex number v, with defaults for missing components. Ignores dividers. */
void fetch_value(const struct draw_state *state, const D3DVERTEXELEMENT9 *e, int64_t v,
                 float out[4]);

#endif
