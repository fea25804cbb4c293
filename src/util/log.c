/* Log lines to stderr, once-only messages, and a replaceable sink. */
#include "util/log.h"

#include "util/hash.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ONCE_MAX = 1024, LINE_MAX_BYTES = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int current_level = -1;
static log_sink_fn *current_sink;
static void *sink_ctx;
static uint64_t said[ONCE_MAX]; /* hashes of what log_once has said; full means: say no more */
static unsigned said_count;

static enum log_level level_from_environment(void)
{
    static const char *const names[] = {"none", "error", "warn", "info", "debug"};
    const char *text = getenv("NOVEM_LOG");

    for (unsigned i = 0; text && i < sizeof(names) / sizeof(names[0]); i++)
        if (!strcmp(text, names[i]))
            return (enum log_level)i;
    return LOG_WARN;
}

enum log_level log_level(void)
{
    int level;

    pthread_mutex_lock(&lock);
    if (current_level < 0)
        current_level = (int)level_from_environment();
    level = current_level;
    pthread_mutex_unlock(&lock);
    return (enum log_level)level;
}

void log_set_level(enum log_level level)
{
    pthread_mutex_lock(&lock);
    current_level = (int)level;
    pthread_mutex_unlock(&lock);
}

void log_set_sink(log_sink_fn *sink, void *ctx)
{
    pthread_mutex_lock(&lock);
    current_sink = sink;
    sink_ctx = ctx;
    pthread_mutex_unlock(&lock);
}

static void write_line(enum log_level level, const char *part, const char *format, va_list args)
{
    char line[LINE_MAX_BYTES];
    int n;

    if (level > log_level())
        return;
    n = snprintf(line, sizeof(line), "novem: %s: ", part);
    vsnprintf(line + n, sizeof(line) - (size_t)n, format, args);
    pthread_mutex_lock(&lock);
    if (current_sink)
        current_sink(sink_ctx, level, line);
    else
        fprintf(stderr, "%s\n", line);
    pthread_mutex_unlock(&lock);
}

void log_write(enum log_level level, const char *part, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    write_line(level, part, format, args);
    va_end(args);
}

static bool say_first(uint64_t key)
{
    bool first = true;

    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < said_count && first; i++)
        first = said[i] != key;
    if (first && said_count < ONCE_MAX)
        said[said_count++] = key;
    else
        first = false;
    pthread_mutex_unlock(&lock);
    return first;
}

bool log_once(const char *part, const char *name, const char *format, ...)
{
    uint64_t key = hash_bytes(name, strlen(name), hash_bytes(part, strlen(part), 0));
    va_list args;

    if (!say_first(key))
        return false;
    va_start(args, format);
    write_line(LOG_WARN, part, format, args);
    va_end(args);
    return true;
}
