/* A stream that collects what is printed into it as one text. */
#ifndef UTIL_TEXT_STREAM_H
#define UTIL_TEXT_STREAM_H

#include <stdio.h>

/* NULL: out of memory. */
FILE *text_stream_open(char **text, size_t *size);
/* Ends the stream (NULL is allowed) that was opened with `text` and `size`. Returns *text, which
 * free() releases, or NULL if it is not complete. */
char *text_stream_close(FILE *stream, char **text, size_t *size);

#endif
