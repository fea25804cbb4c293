/* Declares how tessellated primitives are drawn. Private to draw.
 *
 * 1. tessellated_elements gives the elements of a vertex, tessellated_fetch the vectors of each.
 * 2. The tessellator makes a mesh of vertices with the same elements.
 * 3. A draw of an indexed list of triangles with the mesh bound: vertex stage, clip status and
 *    statistics see that draw. */
#ifndef DRAW_TESSELLATED_H
#define DRAW_TESSELLATED_H

#include "draw/draw.h"

/* Number of elements of a vertex: those with data, then the generated ones. Writes the
 * D3DDECLMETHOD of each to `method`, which has MAXD3DDECLLENGTH entries. */
unsigned tessellated_elements(const struct draw_decl *decl, uint8_t *method);

/* Reads vertex number v of an instance through the streams and the declaration of the state: a
 * vector for each element, with defaults for missing components. Elements without data are 0. */
void tessellated_fetch(const struct draw_state *state, int64_t v, uint32_t instance,
                       float (*out)[4]);

/* What a mesh replaces in a state, and the declaration of its vertices. */
struct tessellated_bindings {
    struct draw_stream stream[DRAW_STREAMS];
    struct draw_indices indices;
    const struct draw_decl *bound;
    struct draw_decl decl;
};
/* Makes the mesh, whose vertices have the elements of state->decl, what the state draws, until
 * tessellated_unbind. Returns the draw of the whole mesh. */
struct draw_args tessellated_bind(struct tessellated_bindings *saved, struct draw_state *state,
                                  const struct tess_mesh *mesh);
void tessellated_unbind(const struct tessellated_bindings *saved, struct draw_state *state);

#endif
