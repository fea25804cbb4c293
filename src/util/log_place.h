/* Places of log lines: stderr, the debugger of Windows, a file. Private to util/log.c, which calls
 * these functions with its lock held. */
#ifndef UTIL_LOG_PLACE_H
#define UTIL_LOG_PLACE_H

#include "util/log.h"

/* As log_set_place. */
void log_place_set(const char *place, const char *beside);
/* line: "novem: <part>: <text>". */
void log_place_line(enum log_level level, const char *line);
/* A line that is not severe enough: for the file alone, in front of its next lines. */
void log_place_context(enum log_level level, const char *line);

#endif
