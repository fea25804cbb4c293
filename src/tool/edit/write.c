/* Plans a changed capture in one replay, then copies the capture with the planned calls around its
 * draws.
 *
 * Tested by tests/unit/tool/edit/test_edit.c. */
#include "tool/edit/write.h"

#include "tool/trim/writer.h"
#include "util/alloc.h"
#include "util/output_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail(struct edit_job *job, const char *format, ...) PRINTF_LIKE(2, 3);
static bool fail(struct edit_job *job, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (!*job->error)
        vsnprintf(job->error, sizeof(job->error), format, args);
    va_end(args);
    return false;
}

static struct edit_draw *find_draw(struct edit_job *job, uint64_t call)
{
    for (unsigned i = 0; i < job->n_draws; i++)
        if (job->draw[i].call == call)
            return &job->draw[i];
    return NULL;
}

/* --- The plan --------------------------------------------------------------------------------- */

struct plan {
    struct edit_job *job;
    struct edit_draw *drawn;  /* the draw before the current call */
    uint64_t failed, skipped; /* calls before that draw */
    unsigned left;            /* draws that are still to come */
};

/* The draw has been executed: it must have worked, and its changes end. */
static bool end_draw(struct plan *p, struct replay *replay)
{
    struct edit_draw *draw = p->drawn;
    const struct replay_stats *stats = replay_get_stats(replay);
    char why[EDIT_TEXT - 64];

    if (!draw)
        return true;
    p->drawn = NULL;
    if (stats->failed > p->failed || stats->skipped > p->skipped)
        return fail(p->job, "call %" PRIu64 ": the draw fails with the changes", draw->call);
    if (!edit_calls_undo(&draw->calls, replay, p->job->error)) {
        snprintf(why, sizeof(why), "%.*s", (int)sizeof(why) - 1, p->job->error);
        *p->job->error = 0;
        return fail(p->job, "call %" PRIu64 ": after the draw: %s", draw->call, why);
    }
    return true;
}

static bool begin_draw(struct plan *p, struct replay *replay, struct edit_draw *draw,
                       const struct trace_call *call)
{
    const struct replay_stats *stats = replay_get_stats(replay);
    char why[EDIT_TEXT] = "";

    if (!replay_is_draw(call->function->name))
        return fail(p->job, "call %" PRIu64 " is %s, no draw", call->number, call->function->name);
    draw->found = true;
    p->left--;
    p->failed = stats->failed;
    p->skipped = stats->skipped;
    p->drawn = draw;
    if (!edit_calls_make(&draw->calls, &p->job->edit, replay, call, why))
        return fail(p->job, "call %" PRIu64 ": %.400s", call->number, why);
    return true;
}

static bool on_call(void *ctx, struct replay *replay, const struct trace_call *call)
{
    struct plan *p = ctx;
    struct edit_draw *draw;

    if (!end_draw(p, replay) || !p->left)
        return false;
    draw = find_draw(p->job, call->number);
    return !draw || begin_draw(p, replay, draw, call);
}

static void on_warning(void *ctx, const char *line)
{
    (void)ctx;
    (void)line;
}

/* Says why a draw was not found. */
static bool check_found(struct edit_job *job, uint64_t last)
{
    for (unsigned i = 0; i < job->n_draws; i++) {
        uint64_t call = job->draw[i].call;

        if (job->draw[i].found)
            continue;
        return call > last ? fail(job, "there is no call %" PRIu64, call)
                           : fail(job, "call %" PRIu64 " is no draw that can be replayed", call);
    }
    return true;
}

static bool replay_draws(struct edit_job *job, struct trace_reader *reader)
{
    struct plan plan = {.job = job, .left = job->n_draws};
    const struct replay_options options = {
        .ctx = &plan, .on_call = on_call, .on_warning = on_warning};
    struct replay *replay;
    enum status st = replay_create(&replay, reader, &options);

    if (st == ST_OK)
        st = replay_run(replay);
    if (st == ST_OK || st == ST_DAMAGED) {
        if (!*job->error && end_draw(&plan, replay))
            check_found(job, replay_get_stats(replay)->last_call);
    } else {
        fail(job, "%s", st == ST_LOST ? "no device could be created" : status_text(st));
    }
    replay_destroy(replay);
    return !*job->error;
}

bool edit_job_plan(struct edit_job *job)
{
    struct trace_reader *reader;
    struct trace_error why;
    bool good;

    if (trace_open(&reader, job->file, &why) != ST_OK)
        return fail(job, "%s", why.text);
    if (strcmp(trace_format_name(reader), "apitrace") != 0)
        good = fail(job, "only captures in apitrace's format can be edited");
    else
        good = !job->n_draws || replay_draws(job, reader);
    trace_close(reader);
    return good;
}

/* --- Removing --------------------------------------------------------------------------------- */

bool edit_job_remove(struct edit_job *job, const char *text)
{
    struct edit_range *range = &job->removed[job->n_removed];
    char *end;

    if (job->n_removed == EDIT_RANGES || *text < '0' || *text > '9')
        return false;
    errno = 0;
    range->first = range->last = strtoull(text, &end, 10);
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        range->last = strtoull(end + 1, &end, 10);
    range->found = 0;
    if (errno || *end || range->last < range->first)
        return false;
    job->n_removed++;
    return true;
}

/* Whether later calls may do without a call: it draws, copies or sets state, and makes no object.
 */
static bool may_be_removed(const char *name)
{
    static const char *const methods[] = {
        "Clear", "ColorFill",   "StretchRect",     "UpdateSurface",     "UpdateTexture",
        "Apply", "LightEnable", "ProcessVertices", "MultiplyTransform", "GenerateMipSubLevels"};
    const char *method = strstr(name, "::");

    if (!strncmp(name, "D3DPERF_", 8) || replay_is_draw(name))
        return true;
    if (!method)
        return false;
    if (!strncmp(method + 2, "Set", 3))
        return true;
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
        if (!strcmp(method + 2, methods[i]))
            return true;
    return false;
}

/* A call that is removed; *removed: whether. False: it must not be. */
static bool check_removed(struct edit_job *job, const struct trace_call *call, bool *removed)
{
    *removed = false;
    for (unsigned i = 0; i < job->n_removed; i++)
        if (call->number >= job->removed[i].first && call->number <= job->removed[i].last) {
            job->removed[i].found++;
            *removed = true;
        }
    if (!*removed)
        return true;
    if (find_draw(job, call->number))
        return fail(job, "call %" PRIu64 " is to be changed and removed", call->number);
    if (!may_be_removed(call->function->name))
        return fail(job,
                    "call %" PRIu64 ", %s, cannot be removed: only calls that draw, copy or set "
                    "state can",
                    call->number, call->function->name);
    return true;
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void put_calls(struct trim_writer *w, const struct edit_calls *calls, unsigned first,
                      unsigned n)
{
    for (unsigned i = first; i < first + n; i++)
        trim_writer_call(w, &calls->call[i].call);
}

static void put_call(struct edit_job *job, struct trim_writer *w, const struct trace_call *call)
{
    struct edit_draw *draw = find_draw(job, call->number);

    if (draw) {
        put_calls(w, &draw->calls, 0, draw->calls.n_before);
        draw->now = w->writer.calls;
    }
    trim_writer_call(w, call);
    if (draw)
        put_calls(w, &draw->calls, draw->calls.n_before, draw->calls.n_after);
}

static bool copy_calls(struct edit_job *job, struct trim_writer *w, struct trace_reader *reader)
{
    const struct trace_call *call;
    enum status st;

    job->calls = 0;
    while ((st = trace_next(reader, &call)) == ST_OK && call && !w->failed) {
        bool removed;

        job->calls++;
        if (!check_removed(job, call, &removed))
            return false;
        if (!removed)
            put_call(job, w, call);
    }
    job->kept = w->writer.calls;
    if (w->failed)
        st = ST_NOMEM;
    if (st == ST_DAMAGED)
        return fail(job, "%.400s", trace_reader_error(reader)->text);
    if (st != ST_OK)
        return fail(job, "%s", status_text(st));
    for (unsigned i = 0; i < job->n_removed; i++)
        if (!job->removed[i].found)
            return fail(job, "there is no call %" PRIu64, job->removed[i].first);
    return true;
}

static const char *property(const struct trace_reader *reader, const char *name)
{
    const char *found, *value;

    for (unsigned i = 0; trace_property(reader, i, &found, &value); i++)
        if (!strcmp(found, name))
            return value;
    return NULL;
}

static bool write_file(struct edit_job *job, struct trim_writer *w, struct trace_reader *reader)
{
    bool good;
    enum status st = writer_open(&w->writer, job->out, property(reader, "process.name"));

    if (st != ST_OK) {
        job->system = st == ST_IO ? errno : 0;
        return fail(job, "%s: %s", job->out, status_text(st));
    }
    good = copy_calls(job, w, reader);
    writer_flush(&w->writer);
    if (!w->writer.file) {
        job->system = errno ? errno : EIO;
        good = fail(job, "not all of it could be written");
    }
    writer_close(&w->writer);
    if (!good)
        output_file_discard(job->out);
    return good;
}

bool edit_job_write(struct edit_job *job)
{
    struct trim_writer *w = mem_calloc(1, sizeof(*w));
    struct trace_reader *reader;
    struct trace_error why;
    bool good;

    if (!w)
        return fail(job, "%s", status_text(ST_NOMEM));
    good = trace_open(&reader, job->file, &why) == ST_OK || fail(job, "%s", why.text);
    if (good) {
        good = write_file(job, w, reader);
        trace_close(reader);
    }
    trim_writer_fini(w);
    mem_free(w);
    return good;
}

void edit_job_fini(struct edit_job *job)
{
    for (unsigned i = 0; i < job->n_draws; i++)
        edit_calls_fini(&job->draw[i].calls);
    edit_fini(&job->edit);
}
