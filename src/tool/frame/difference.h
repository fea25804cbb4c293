/* What differs between two draws. */
#ifndef TOOL_FRAME_DIFFERENCE_H
#define TOOL_FRAME_DIFFERENCE_H

#include <cjson/cJSON.h>
#include <stdio.h>

/* a, b: answers `event/CALL` of draws. Returns [{"group", "name", "before", "after"}]; null stands
 * for what a draw does not have. The caller frees it with cJSON_Delete. NULL: out of memory. */
cJSON *frame_difference(const cJSON *a, const cJSON *b);
/* A line for each: "GROUP NAME: BEFORE -> AFTER". */
void frame_print_difference(FILE *out, const cJSON *difference);

#endif
