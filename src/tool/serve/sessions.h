/* Sessions: processes that stand at the start of a frame of a replay. Each question is answered by
 * a fork of one, so that no question costs the replay before the frame, and a crash costs nothing
 * but the answer. */
#ifndef TOOL_SERVE_SESSIONS_H
#define TOOL_SERVE_SESSIONS_H

#include "util/status.h"

#include <stddef.h>
#include <stdint.h>

enum { SESSION_TEXT = 256, SESSION_QUESTION = 256 };

/* What the processes do. Functions run in processes that have one thread. */
struct session_work {
    void *ctx;
    /* Goes on from the start of the capture, or from that of an earlier frame, to the start of
     * `frame`. ST_NOTFOUND: there is no such frame. On failure `error` may say why. */
    enum status (*go_to)(void *ctx, uint64_t frame, char error[SESSION_TEXT]);
    /* Answers a question about the frame. The process ends afterwards: nothing needs to be freed.
     * On failure `error` may say why. */
    enum status (*answer)(void *ctx, const char *question, char **out, size_t *n,
                          char error[SESSION_TEXT]);
};

struct session_limits {
    unsigned sessions;   /* kept at once, at least 2: one of them is that of frame 0 */
    unsigned answers;    /* processes that answer at once */
    unsigned seconds;    /* for an answer */
    size_t answer_bytes; /* of an answer */
    size_t memory;       /* bytes that an answer may allocate */
};

struct session_reply {
    enum status status; /* ST_LOST: the process ended without an answer */
    char *bytes;        /* if ST_OK: the caller frees them with mem_free */
    size_t n;
    char error[SESSION_TEXT]; /* if not: one line */
};

struct sessions;

/* Forks the session of frame 0. Called while this process has one thread. The process becomes the
 * one that orphans of its children go to. */
MUST_CHECK enum status sessions_start(struct sessions **out, const struct session_work *work,
                                      const struct session_limits *limits);
/* Ends all processes and waits for them; no question is under way. Reaps other children that have
 * ended, too. NULL is allowed. */
void sessions_stop(struct sessions *sessions);
/* Answers a question about a frame; may be called by any thread. A frame that has no session gets
 * one, forked from that of the nearest earlier frame. */
void sessions_ask(struct sessions *sessions, uint64_t frame, const char *question,
                  struct session_reply *out);
/* The same, of the session that is nearest before the frame or at it: makes none. The question says
 * which frame it means. */
void sessions_ask_near(struct sessions *sessions, uint64_t frame, const char *question,
                       struct session_reply *out);
/* Number of sessions at the moment, for tests. */
unsigned sessions_count(struct sessions *sessions);

#endif
