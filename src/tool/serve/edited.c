/* Answers with the changes of an edit: the draw is drawn with them, and the frame goes on as it
 * was; and the capture that has them.
 *
 * Tested by tests/unit/tool/serve/test_edits.c. */
#include "tool/serve/work.h"

#include "tool/edit/write.h"
#include "tool/frame/answer.h"
#include "tool/serve/edits.h"
#include "util/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An edit that is applied to a walk. */
struct applied {
    struct serve_edit request;
    struct edit_calls calls;
    uint64_t failed, skipped;
    bool pending; /* the draw is being executed */
    bool found;
    char error[EDIT_TEXT];
};

static bool intercept(void *ctx, struct replay *replay, const struct trace_call *call)
{
    struct applied *a = ctx;
    const struct replay_stats *stats = replay_get_stats(replay);

    if (a->pending) {
        a->pending = false;
        if (stats->failed > a->failed || stats->skipped > a->skipped)
            snprintf(a->error, sizeof(a->error), "the draw fails with the changes");
        else
            edit_calls_undo(&a->calls, replay, a->error);
    }
    if (call->number == a->request.call && !*a->error) {
        a->found = replay_is_draw(call->function->name);
        a->failed = stats->failed;
        a->skipped = stats->skipped;
        a->pending = true;
        if (!a->found)
            snprintf(a->error, sizeof(a->error), "call %" PRIu64 " is no draw", call->number);
        else
            edit_calls_make(&a->calls, &a->request.edit, replay, call, a->error);
    }
    return !*a->error;
}

static enum status read_edit(const struct serve_work *work, const struct serve_key *key,
                             struct serve_edit *out, char error[SESSION_TEXT])
{
    char *json, why[EDIT_TEXT];
    size_t n;
    enum status st = serve_edits_read(work->folder, key->edit, &json, &n);

    if (st != ST_OK) {
        snprintf(error, SESSION_TEXT, "the server has forgotten this change: apply it again");
        return st;
    }
    if (!serve_edit_parse(out, json, n, why)) {
        snprintf(error, SESSION_TEXT, "%.200s", why);
        st = ST_INVALID;
    }
    mem_free(json);
    return st;
}

enum status serve_edited(struct serve_work *work, const struct serve_key *key, char **out,
                         size_t *n, char error[SESSION_TEXT])
{
    struct applied *a = mem_calloc(1, sizeof(*a));
    cJSON *answer = NULL;
    enum status st = a ? read_edit(work, key, &a->request, error) : ST_NOMEM;

    if (st != ST_OK)
        return st;
    frame_walk_intercept(work->walk, intercept, a);
    st = frame_answer(work->walk, work->folder, key->rest, &answer);
    if (*a->error) {
        snprintf(error, SESSION_TEXT, "%.200s", a->error);
        return ST_INVALID;
    }
    if (st == ST_NOTFOUND && !a->found)
        snprintf(error, SESSION_TEXT, "the frame has no call %" PRIu64, a->request.call);
    if (st != ST_OK)
        return st;
    *out = frame_answer_text(answer);
    if (!*out)
        return ST_NOMEM;
    *n = strlen(*out);
    return ST_OK;
}

/* --- The capture ------------------------------------------------------------------------------ */

static enum status read_whole(const char *path, size_t most, char **out, size_t *n,
                              char error[SESSION_TEXT])
{
    FILE *file = fopen(path, "rb");
    struct stat about;
    enum status st = ST_IO;

    if (file && !fstat(fileno(file), &about)) {
        *n = (size_t)about.st_size;
        st = *n <= most ? ST_OK : ST_UNSUPPORTED;
    }
    if (st == ST_UNSUPPORTED)
        snprintf(error, SESSION_TEXT,
                 "the capture is too large to be downloaded: the command makes it");
    *out = st == ST_OK ? mem_alloc(*n + 1) : NULL;
    if (st == ST_OK)
        st = !*out ? ST_NOMEM : fread(*out, 1, *n, file) == *n ? ST_OK : ST_IO;
    if (file)
        fclose(file);
    return st;
}

enum status serve_edited_capture(struct serve_work *work, const struct serve_key *key, char **out,
                                 size_t *n, char error[SESSION_TEXT])
{
    struct edit_job *job = mem_calloc(1, sizeof(*job));
    struct serve_edit *request = mem_calloc(1, sizeof(*request));
    enum status st = job && request ? read_edit(work, key, request, error) : ST_NOMEM;
    char path[4096];

    if (st != ST_OK)
        return st;
    frame_walk_close(work->walk); /* the hooks of its replay are global */
    work->walk = NULL;
    snprintf(path, sizeof(path), "%s/edits/%s-%ld.trace", work->folder, key->edit, (long)getpid());
    job->file = work->file;
    job->out = path;
    job->edit = request->edit;
    job->draw[0].call = request->call;
    job->n_draws = 1;
    if (!edit_job_plan(job) || !edit_job_write(job)) {
        snprintf(error, SESSION_TEXT, "%.200s", job->error);
        return ST_INVALID;
    }
    st = read_whole(path, (size_t)128 << 20, out, n, error);
    unlink(path);
    return st;
}
