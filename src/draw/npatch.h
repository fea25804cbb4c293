/* Declares draws of N-patches. Private to draw. */
#ifndef DRAW_NPATCH_H
#define DRAW_NPATCH_H

#include "draw/draw.h"

/* Whether a draw on a device with a tessellator becomes one of N-patches (reference:
 * tessellation/n-patches). */
bool npatch_applies(const struct draw_state *state, const struct draw_args *args);
/* Tessellates the triangles of the draw and draws the meshes. Streams, indices and declaration of
 * the state are others during the call. */
MUST_CHECK enum status npatch_draw(struct draw *draw, struct draw_state *state,
                                   const struct draw_args *args);

#endif
