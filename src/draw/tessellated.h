/* Declares how tessellated primitives are drawn. Private to draw.
 *
 * 1. tessellated_elements gives the elements of a vertex, tessellated_fetch the vectors of each.
 * 2. The tessellator makes a mesh of vertices with the same elements.
 * 3. tessellated_draw draws the mesh as an indexed list of triangles: hooks, vertex stage, clip
 *    status and statistics see that draw. */
#ifndef DRAW_TESSELLATED_H
#define DRAW_TESSELLATED_H

#include "draw/draw.h"

/* Number of elements of a vertex: those with data, then the generated ones. Writes the
 * D3DDECLMETHOD of each to `method`, which has MAXD3DDECLLENGTH entries. */
unsigned tessellated_elements(const struct draw_decl *decl, uint8_t *method);

/* Reads vertex number v through the streams and the declaration of the state: a vector for each
 * element, with defaults for missing components. Elements without data are 0. */
void tessellated_fetch(const struct draw_state *state, int64_t v, float (*out)[4]);

/* Draws the mesh, whose vertices have the elements of state->decl. Streams, indices and declaration
 * of the state are others during the call. */
MUST_CHECK enum status tessellated_draw(struct draw *draw, struct draw_state *state,
                                        const struct tess_mesh *mesh);

#endif
