/* Vertices of a draw before and after the vertex stage. */
#ifndef TOOL_FRAME_MESH_TABLE_H
#define TOOL_FRAME_MESH_TABLE_H

#include "draw/draw.h"

#include <cjson/cJSON.h>

enum { FRAME_MESH_VERTICES = 65536, FRAME_MESH_ON_DISK = 2048 };

/* The corners of a draw's primitives: vertices without indices, or indices. */
uint32_t frame_mesh_corners(const struct draw_args *args);

/* The answer `mesh/CALL`: the vertices of the first instance, at most `limit` of them. `resume` is
 * the current set of debug hooks. For `draw` of a visitor. */
MUST_CHECK enum status frame_mesh_json(cJSON **out, struct draw *draw,
                                       const struct draw_state *state, const struct draw_args *args,
                                       struct draw_debug_hooks *resume, uint32_t limit);

#endif
