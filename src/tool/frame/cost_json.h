/* Costs of a frame as JSON. */
#ifndef TOOL_FRAME_COST_JSON_H
#define TOOL_FRAME_COST_JSON_H

#include "tool/frame/cost.h"

#include <cjson/cJSON.h>

/* An object with the keys "events", "shaders" and "targets" (docs/profile.md), which the caller
 * frees with cJSON_Delete. NULL: out of memory. */
cJSON *frame_cost_json(const struct frame_cost *cost);

#endif
