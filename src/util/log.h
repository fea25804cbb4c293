/* Log messages with a level per part of the program; parts have the names of source folders. */
#ifndef UTIL_LOG_H
#define UTIL_LOG_H

#include "util/status.h"

#include <stdbool.h>

enum log_level { LOG_NONE, LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* Level syntax: "warn", or "warn,tex=debug,api=none" with exceptions for parts; case-insensitive.
 * The first use reads NOVEM_LOG; the default is "warn". */
bool log_levels_ok(const char *text);
/* Looks for the name that the first wrong word of a wrong text means, a level or a part. */
enum { LOG_WORD_BYTES = 32 };
struct suggestion;
void log_levels_suggest(const char *text, char word[LOG_WORD_BYTES], struct suggestion *s);
void log_set_levels(const char *text);    /* an invalid text changes nothing */
void log_set_level(enum log_level level); /* of all parts */
enum log_level log_level(const char *part);

/* Chooses where lines go:
 * - "stderr", as "novem: <part>: <text>";
 * - "debugger": the one of Windows, or a viewer of such lines; other systems use stderr;
 * - "off";
 * - the name of a file, which is made for its first line. When it has 256 KiB it becomes FILE.1,
 * and an older FILE.1 becomes FILE.2. If it cannot be written, lines go to stderr;
 * - NULL: to stderr, to a debugger that is attached, and to the file `beside` if that is not NULL.
 * It is made for the first line; if it cannot be written, that is no error. Until the first call
 * lines go to stderr, and the file begins with them. */
void log_set_place(const char *place, const char *beside);

/* A sink, if set, receives all lines instead; tests use one. The line is valid only during the
 * call. */
typedef void log_sink_fn(void *ctx, enum log_level level, const char *line);
void log_set_sink(log_sink_fn *sink, void *ctx);

void log_write(enum log_level level, const char *part, const char *format, ...) PRINTF_LIKE(3, 4);

/* Logs information that explains later lines. A file has it even if the level keeps it from other
 * places; a file that the user did not name is not made for it. */
void log_context(const char *part, const char *format, ...) PRINTF_LIKE(2, 3);

/* Logs a warning once per process for each part and name, for unsupported calls and states. Returns
 * true the first time. Thread-safe. */
bool log_once(const char *part, const char *name, const char *format, ...) PRINTF_LIKE(3, 4);
/* The same with another level. A line that the level refuses takes no memory. */
void log_once_at(enum log_level level, const char *part, const char *name, const char *format, ...)
    PRINTF_LIKE(4, 5);

#define log_error(part, ...) log_write(LOG_ERROR, part, __VA_ARGS__)
#define log_warn(part, ...) log_write(LOG_WARN, part, __VA_ARGS__)
#define log_info(part, ...) log_write(LOG_INFO, part, __VA_ARGS__)
#define log_debug(part, ...) log_write(LOG_DEBUG, part, __VA_ARGS__)

#endif
