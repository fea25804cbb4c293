/* Log lines: levels of parts, a sink, and once-only messages. */
#include "util/log.h"

#include "util/forks.h"
#include "util/hash.h"
#include "util/log_place.h"
#include "util/suggestion.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ONCE_MAX = 1024, LINE_MAX_BYTES = 2048, PARTS = 16, PART_BYTES = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct levels {
    bool known;
    enum log_level general;
    unsigned n;
    struct {
        char name[PART_BYTES];
        enum log_level level;
    } part[PARTS];
} current;
static log_sink_fn *current_sink;
static void *sink_ctx;
static uint64_t logged_hashes[ONCE_MAX]; /* of log_once; new messages are dropped once it is full */
static unsigned logged_count;

/* --- Levels ----------------------------------------------------------------------------------- */

static const char *const level_names[] = {"none", "error", "warn", "info", "debug"};
enum { LEVELS = sizeof(level_names) / sizeof(level_names[0]) };
/* Source folders, and two kinds of captures. */
static const char *const part_names[] = {"api", "cmd",     "draw",   "dx9mt",  "ff",
                                         "nvs", "present", "raster", "record", "replay",
                                         "tex", "trace",   "util",   "vm"};
enum { PART_NAMES = sizeof(part_names) / sizeof(part_names[0]) };

/* The index of a name; n: it is none of them. */
static unsigned find_name(const char *const *names, unsigned n, const char *text, size_t length)
{
    unsigned i = 0;

    while (i < n && (strlen(names[i]) != length || strncasecmp(text, names[i], length)))
        i++;
    return i;
}

static bool find_level(const char *text, size_t length, enum log_level *out)
{
    unsigned i = find_name(level_names, LEVELS, text, length);

    if (i < LEVELS)
        *out = (enum log_level)i;
    return i < LEVELS;
}

/* "part=level" or "level". */
static bool parse_one(const char *text, size_t length, struct levels *out)
{
    const char *equals = memchr(text, '=', length);
    size_t name = equals ? (size_t)(equals - text) : 0;

    if (!equals)
        return find_level(text, length, &out->general);
    if (find_name(part_names, PART_NAMES, text, name) == PART_NAMES || out->n == PARTS ||
        !find_level(equals + 1, length - name - 1, &out->part[out->n].level))
        return false;
    memcpy(out->part[out->n].name, text, name);
    out->part[out->n++].name[name] = '\0';
    return true;
}

static bool parse(const char *text, struct levels *out)
{
    *out = (struct levels){.known = true, .general = LOG_WARN};
    for (;;) {
        size_t length;

        text += strspn(text, " ");
        length = strcspn(text, ", ");
        if (!parse_one(text, length, out))
            return false;
        text += length;
        text += strspn(text, " ");
        if (!*text)
            return true;
        if (*text++ != ',')
            return false;
    }
}

void log_levels_suggest(const char *text, char word[LOG_WORD_BYTES], struct suggestion *s)
{
    struct levels levels = {.known = true};
    const char *equals;
    size_t length;

    for (;; text += text[length] ? length + 1 : length) {
        text += strspn(text, " ");
        length = strcspn(text, ", ");
        if (!text[length] || !parse_one(text, length, &levels))
            break;
    }
    equals = memchr(text, '=', length);
    if (equals && find_name(part_names, PART_NAMES, text, (size_t)(equals - text)) == PART_NAMES) {
        length = (size_t)(equals - text);
    } else {
        length -= equals ? (size_t)(equals + 1 - text) : 0;
        text = equals ? equals + 1 : text;
        equals = NULL;
    }
    snprintf(word, LOG_WORD_BYTES, "%.*s", (int)length, text);
    suggestion_init(s, word);
    for (unsigned i = 0; i < (equals ? (unsigned)PART_NAMES : (unsigned)LEVELS); i++)
        suggestion_offer(s, equals ? part_names[i] : level_names[i]);
}

bool log_levels_ok(const char *text)
{
    struct levels levels;

    return parse(text, &levels);
}

/* Call with the lock held. */
static void init_levels(void)
{
    const char *text = getenv("NOVEM_LOG");

    if (!current.known && (!text || !parse(text, &current)))
        current = (struct levels){.known = true, .general = LOG_WARN};
}

enum log_level log_level(const char *part)
{
    enum log_level level;

    pthread_mutex_lock(&lock);
    init_levels();
    level = current.general;
    for (unsigned i = 0; i < current.n; i++)
        if (!strcasecmp(current.part[i].name, part))
            level = current.part[i].level;
    pthread_mutex_unlock(&lock);
    return level;
}

void log_set_levels(const char *text)
{
    struct levels levels;

    if (!parse(text, &levels))
        return;
    pthread_mutex_lock(&lock);
    current = levels;
    pthread_mutex_unlock(&lock);
}

void log_set_level(enum log_level level)
{
    pthread_mutex_lock(&lock);
    current = (struct levels){.known = true, .general = level};
    pthread_mutex_unlock(&lock);
}

/* --- Lines ------------------------------------------------------------------------------------ */

void log_set_sink(log_sink_fn *sink, void *ctx)
{
    pthread_mutex_lock(&lock);
    current_sink = sink;
    sink_ctx = ctx;
    pthread_mutex_unlock(&lock);
}

void log_set_place(const char *place, const char *beside)
{
    pthread_mutex_lock(&lock);
    log_place_set(place, beside);
    pthread_mutex_unlock(&lock);
}

/* context: a file gets the line even if its level does not pass. */
static void write_line(enum log_level level, bool context, const char *part, const char *format,
                       va_list args)
{
    enum log_level most = log_level(part);
    bool passes = level <= most;
    char line[LINE_MAX_BYTES];
    int n;

    if (!passes && (!context || most == LOG_NONE))
        return;
    fork_guard(&lock, FORK_INNER); /* any thread may log */
    n = snprintf(line, sizeof(line), "novem: %s: ", part);
    vsnprintf(line + n, sizeof(line) - (size_t)n, format, args);
    pthread_mutex_lock(&lock);
    if (!passes)
        log_place_context(level, line);
    else if (current_sink)
        current_sink(sink_ctx, level, line);
    else
        log_place_line(level, line);
    pthread_mutex_unlock(&lock);
}

void log_write(enum log_level level, const char *part, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    write_line(level, false, part, format, args);
    va_end(args);
}

void log_context(const char *part, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    write_line(LOG_INFO, true, part, format, args);
    va_end(args);
}

static bool is_first(uint64_t key)
{
    bool first = true;

    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < logged_count && first; i++)
        first = logged_hashes[i] != key;
    if (first && logged_count < ONCE_MAX)
        logged_hashes[logged_count++] = key;
    else
        first = false;
    pthread_mutex_unlock(&lock);
    return first;
}

static uint64_t key_of(const char *part, const char *name)
{
    return hash_bytes(name, strlen(name), hash_bytes(part, strlen(part), 0));
}

bool log_once(const char *part, const char *name, const char *format, ...)
{
    va_list args;

    if (!is_first(key_of(part, name)))
        return false;
    va_start(args, format);
    write_line(LOG_WARN, false, part, format, args);
    va_end(args);
    return true;
}

void log_once_at(enum log_level level, const char *part, const char *name, const char *format, ...)
{
    va_list args;

    if (level > log_level(part) || !is_first(key_of(part, name)))
        return;
    va_start(args, format);
    write_line(level, false, part, format, args);
    va_end(args);
}
