/* Answers as text for a terminal. */
#ifndef TOOL_FRAME_TABLES_H
#define TOOL_FRAME_TABLES_H

#include <cjson/cJSON.h>
#include <stdio.h>

/* Text of a capture: control characters become '?'. */
void frame_print_text(FILE *out, const char *text);
/* A number, a text or a list of them. */
void frame_print_value(FILE *out, const cJSON *value);
void frame_print_passes(FILE *out, const cJSON *frame);        /* of `frame` */
void frame_print_resources(FILE *out, const cJSON *resources); /* of `resources` */
void frame_print_states(FILE *out, const cJSON *event);        /* of `event/CALL`, as are: */
void frame_print_constants(FILE *out, const cJSON *event);
void frame_print_vertices(FILE *out, const cJSON *mesh); /* of `mesh/CALL` */
void frame_print_steps(FILE *out, const cJSON *steps);   /* of `steps/CALL/…` */

#endif
