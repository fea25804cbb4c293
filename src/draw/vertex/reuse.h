/* Declares vertex reuse: the unique vertices of a batch of primitives, and the indices remapped to
 * them. */
#ifndef DRAW_VERTEX_REUSE_H
#define DRAW_VERTEX_REUSE_H

#include "draw/draw.h"
#include "util/scratch.h"

/* Memory that collect_unique_vertices reuses from batch to batch. */
struct vertex_reuse_memory {
    struct scratch indices, map;
};
void vertex_reuse_memory_fini(struct vertex_reuse_memory *memory);

/* Index number i of the bound buffer; 0 past its end. */
uint32_t vertex_index(const struct draw_state *state, uint64_t i);

enum { BATCH_PRIMITIVES = 16384, BATCH_INDICES = 3 * BATCH_PRIMITIVES };

struct unique_vertices {
    uint32_t n_indices;
    const uint32_t *index; /* remapped: positions in the list of unique vertices */
    /* The unique vertices: numbers vertex[0 … n_vertices), or first … first + n_vertices - 1 if
     * vertex is NULL. */
    const uint32_t *vertex;
    uint32_t first, n_vertices;
};

/* Collects the unique vertices of primitives first … first + n - 1, at most BATCH_PRIMITIVES. The
 * result is valid until the next call with the same memory. */
MUST_CHECK enum status collect_unique_vertices(struct vertex_reuse_memory *memory,
                                               const struct draw_state *state,
                                               const struct draw_args *args, uint32_t first,
                                               uint32_t n, struct unique_vertices *out);

#endif
