/* Warnings and scratch memory of a replay.
 *
 * Tested by tests/unit/trace/replay/test_replay.c. */
#include "trace/replay/call.h"

#include "util/alloc.h"
#include "util/log.h"

#include <stdarg.h>
#include <stdio.h>

enum { WARNINGS_MAX = 100 }; /* later warnings are only counted */

static void warn_line(struct replay *r, const char *line)
{
    if (r->options.on_warning)
        r->options.on_warning(r->options.ctx, line);
    else
        log_warn("replay", "%s", line);
}

static void warn_args(struct replay *r, const struct trace_call *call, const char *format,
                      va_list args)
{
    char line[512];
    int n;

    if (r->warnings++ > WARNINGS_MAX)
        return;
    if (r->warnings > WARNINGS_MAX) {
        warn_line(r, "further warnings are only counted");
        return;
    }
    n = snprintf(line, sizeof(line), "call %llu %.100s: ", (unsigned long long)call->number,
                 call->function->name);
    vsnprintf(line + n, sizeof(line) - (size_t)n, format, args);
    warn_line(r, line);
}

void replay_warn(struct replay *r, const struct trace_call *call, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    warn_args(r, call, format, args);
    va_end(args);
}

HRESULT replay_call_skip(struct replay_call *q, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    warn_args(q->replay, q->call, format, args);
    va_end(args);
    return REPLAY_SKIPPED;
}

void *replay_scratch(struct replay *r, size_t size)
{
    if (size > r->scratch_size) {
        uint8_t *bigger = mem_alloc(size);

        if (!bigger) {
            replay_out_of_memory(r);
            return NULL;
        }
        mem_free(r->scratch);
        r->scratch = bigger;
        r->scratch_size = size;
    }
    return r->scratch;
}
