/* Which vertices a chunk of primitives names. Private to draw. */
#ifndef DRAW_VERTEX_REUSE_H
#define DRAW_VERTEX_REUSE_H

#include "draw/draw_private.h"

enum { BATCH_PRIMITIVES = 16384, BATCH_INDICES = 3 * BATCH_PRIMITIVES };

struct unique_vertices {
    uint32_t n_indices;
    const uint32_t *index; /* each as a position among the vertices below */
    /* Vertices: numbers vertex[0 … n_vertices), or first … first + n_vertices - 1 where vertex is
     * NULL. */
    const uint32_t *vertex;
    uint32_t first, n_vertices;
};

/* Of primitives first … first + n - 1, at most BATCH_PRIMITIVES. Valid until the next call with the
 * same memory. */
MUST_CHECK enum status collect_unique_vertices(struct vertex_reuse_memory *memory,
                                               const struct draw_state *state,
                                               const struct draw_args *args, uint32_t first,
                                               uint32_t n, struct unique_vertices *out);

#endif
