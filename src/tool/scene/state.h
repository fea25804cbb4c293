/* Transforms of a scene: their names and matrices. */
#ifndef TOOL_SCENE_STATE_H
#define TOOL_SCENE_STATE_H

#include "tool/scene/command.h"

D3DTRANSFORMSTATETYPE transform_number(struct scene *scene, const char *text);
/* Builds the matrix that the words from i on, or the block, describe. */
D3DMATRIX transform_matrix(struct scene *scene, int i);

#endif
