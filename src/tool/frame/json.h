/* JSON of answers: hostile text, floats that JSON lacks, arguments of calls. */
#ifndef TOOL_FRAME_JSON_H
#define TOOL_FRAME_JSON_H

#include "trace/trace.h"

#include <cjson/cJSON.h>

/* The caller frees the texts with free; NULL: out of memory. */

/* Valid UTF-8 of any bytes: each byte that is not part of a character, and each surrogate, becomes
 * U+FFFD. */
char *frame_utf8(const char *bytes, size_t n);
/* The text of a string in a capture; NULL: it is no string, or memory ran out. */
char *frame_trace_text(const struct trace_value *value);
/* An argument as text, such as "D3DPT_TRIANGLELIST" or "{0, 0, 640, 480}". At most LONGEST bytes.
 */
char *frame_argument_text(const struct trace_value *value);

/* Members of objects. Text is any bytes; NULL adds nothing. */
void frame_add_text(cJSON *object, const char *key, const char *text);
void frame_add_number(cJSON *object, const char *key, double value);
/* JSON has no infinities and NaNs: they become the texts "inf", "-inf" and "nan". */
cJSON *frame_float(float value);
cJSON *frame_floats(const float *values, unsigned n);
/* Adds an empty array or object as a member. */
cJSON *frame_add_array(cJSON *object, const char *key);
cJSON *frame_add_object(cJSON *object, const char *key);
/* Appends a new object to an array. */
cJSON *frame_append(cJSON *array);

#endif
