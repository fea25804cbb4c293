/* The work of sessions: walks through a capture and answers questions about its frames.
 *
 * Tested by tests/unit/tool/serve/test_command.c. */
#include "tool/serve/work.h"

#include "tool/frame/answer.h"
#include "tool/frame/candidate.h"
#include "util/log.h"

#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

_Static_assert((int)CANDIDATE_TEXT <= (int)SESSION_TEXT, "an error fits");

/* Frees memory that holds nothing at a frame's start: a fork that uses it again would copy each
 * page of it, which takes longer than to get a fresh one. */
static void trim(struct frame_walk *walk)
{
    struct cmd_stream *stream;

    for (unsigned i = 0; i < frame_walk_streams(walk); i++)
        if ((stream = frame_walk_stream(walk, i)))
            draw_trim(cmd_renderer(stream));
    malloc_trim(0);
}

enum status serve_work_go_to(void *ctx, uint64_t frame, char error[SESSION_TEXT])
{
    struct serve_work *work = ctx;
    enum status st;

    log_set_level(LOG_NONE); /* `novem replay` says what is wrong with calls */
    if (!work->walk && frame_walk_open(&work->walk, work->command, work->file, 0) != 0)
        return ST_INVALID; /* a message has said why */
    st = frame_walk_advance(work->walk, frame);
    trim(work->walk);
    if (st == ST_NOTFOUND)
        snprintf(error, SESSION_TEXT, "there is no frame %" PRIu64, frame);
    return st;
}

static enum status answer_frame(struct serve_work *work, const char *question, char **out,
                                size_t *n)
{
    cJSON *answer;
    enum status st = frame_answer(work->walk, work->folder, question, &answer);

    if (st != ST_OK)
        return st;
    *out = frame_answer_text(answer);
    if (!*out)
        return ST_NOMEM;
    *n = strlen(*out);
    return ST_OK;
}

/* Runs the candidate, which may take more address space than an answer. */
static enum status answer_candidate(struct serve_work *work, char **out, size_t *n,
                                    char error[SESSION_TEXT])
{
    uint64_t frame = frame_walk_frame(work->walk);
    struct rlimit limit;
    cJSON *answer;
    enum status st;

    frame_walk_close(work->walk); /* the hooks of its replay are global */
    work->walk = NULL;
    if (!getrlimit(RLIMIT_AS, &limit)) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_AS, &limit);
    }
    signal(SIGCHLD, SIG_DFL);
    st = frame_candidate_answer(&answer, work->candidate, work->file, frame, work->folder, error);
    if (st != ST_OK)
        return st;
    *out = frame_answer_text(answer);
    *n = *out ? strlen(*out) : 0;
    return *out ? ST_OK : ST_NOMEM;
}

enum status serve_work_answer(void *ctx, const char *question, char **out, size_t *n,
                              char error[SESSION_TEXT])
{
    struct serve_work *work = ctx;
    struct serve_key key;

    if (!serve_key_parse_data(&key, question))
        return ST_INVALID;
    if (key.kind == SERVE_PIXEL)
        return serve_pixel(work, &key, out, n, error);
    if (key.kind == SERVE_THUMB)
        return serve_thumb(work, &key, out, n, error);
    if (key.kind == SERVE_CANDIDATE)
        return answer_candidate(work, out, n, error);
    if (key.kind == SERVE_EDIT)
        return serve_edited(work, &key, out, n, error);
    if (key.kind == SERVE_CAPTURE)
        return serve_edited_capture(work, &key, out, n, error);
    return answer_frame(work, question, out, n);
}
