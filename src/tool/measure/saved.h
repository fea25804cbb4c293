/* Figures of an earlier run: a file of JSON, and its fields. */
#ifndef TOOL_MEASURE_SAVED_H
#define TOOL_MEASURE_SAVED_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/* Reads a whole file. Returns NULL after an error message for `command`: there is no file, or it is
 * no JSON. The caller calls cJSON_Delete. */
cJSON *saved_read(const char *command, const char *path);

/* A field of an object. False, and *out is left alone: there is none of that type, or the number is
 * not finite or beyond 1e15. The text is the object's. */
bool saved_number(const cJSON *o, const char *name, double *out);
bool saved_text(const cJSON *o, const char *name, const char **out);
/* Whether a field is true; if there is none, `otherwise`. */
bool saved_flag(const cJSON *o, const char *name, bool otherwise);

#endif
