/* Messages for people, by part (a folder of the source) and level. */
#ifndef UTIL_LOG_H
#define UTIL_LOG_H

#include "util/status.h"

#include <stdbool.h>

enum log_level { LOG_NONE, LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* Levels are written "warn", or with exceptions for parts, "warn,tex=debug,api=none"; case does not
 * matter. NOVEM_LOG is read at the first use; "warn" is in force without it. */
bool log_levels_ok(const char *text);
void log_set_levels(const char *text);    /* text that is not ok changes nothing */
void log_set_level(enum log_level level); /* of all parts */
enum log_level log_level(const char *part);

/* Text goes to stderr (and to the debugger in a PE build) as "novem: <part>: <text>". A sink, if
 * set, receives the line instead; tests use it. The line is borrowed for the call. */
typedef void log_sink_fn(void *ctx, enum log_level level, const char *line);
void log_set_sink(log_sink_fn *sink, void *ctx);

void log_write(enum log_level level, const char *part, const char *format, ...) PRINTF_LIKE(3, 4);

/* Says a thing once per process for each name: for calls and states that are not supported.
 * Returns true the first time. Thread safe. */
bool log_once(const char *part, const char *name, const char *format, ...) PRINTF_LIKE(3, 4);

#define log_error(part, ...) log_write(LOG_ERROR, part, __VA_ARGS__)
#define log_warn(part, ...) log_write(LOG_WARN, part, __VA_ARGS__)
#define log_info(part, ...) log_write(LOG_INFO, part, __VA_ARGS__)
#define log_debug(part, ...) log_write(LOG_DEBUG, part, __VA_ARGS__)

#endif
