/* Answers to vertex queries: what the vertex stage computed. */
#ifndef TOOL_SCENE_VERTEX_ANSWERS_H
#define TOOL_SCENE_VERTEX_ANSWERS_H

#include "tool/scene/command.h"

/* Handles `answer` of a vertex query; false: the line asks something else. */
bool answer_vertex_query(struct scene *scene);

#endif
