/* Which vertices a chunk of primitives names. Private to draw. */
#ifndef DRAW_VERTEX_REUSE_H
#define DRAW_VERTEX_REUSE_H

#include "draw/draw_private.h"

enum { CHUNK_PRIMITIVES = 16384, CHUNK_CORNERS = 3 * CHUNK_PRIMITIVES };

struct corners {
    uint32_t n;
    const uint32_t *corner; /* each as a position among the vertices below */
    /* Vertices: numbers vertex[0 … n_vertices), or first … first + n_vertices - 1 where vertex is
     * NULL. */
    const uint32_t *vertex;
    uint32_t first, n_vertices;
};

/* Of primitives first … first + n - 1, at most CHUNK_PRIMITIVES. Valid until the next call with the
 * same memory. */
MUST_CHECK enum status corners_collect(struct corner_memory *memory, const struct draw_state *state,
                                       const struct draw_args *args, uint32_t first, uint32_t n,
                                       struct corners *out);

#endif
