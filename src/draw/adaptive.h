/* Declares adaptive tessellation of draws: levels by the states of the draw. Private to draw. */
#ifndef DRAW_ADAPTIVE_H
#define DRAW_ADAPTIVE_H

#include "draw/draw.h"
#include "tess/adaptive.h"

/* The states of adaptive tessellation. Returns whether it is enabled. */
bool adaptive_state(struct tess_adaptive *out, const struct draw_state *state);
/* The element of usage and index 0 in a declaration; -1: none with data. */
int adaptive_element(const struct draw_decl *decl, unsigned usage);
/* Replaces the segments of the edges of a valid patch by their levels, if it is enabled. points:
 * those of the patch, with the elements of state->decl. */
void adaptive_patch(const struct draw_state *state, const struct tess_points *points,
                    struct tess_patch *patch);

#endif
