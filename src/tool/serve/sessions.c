/* The server's side of sessions: which frames have one, and the questions to them.
 *
 * Orphans: a session may outlive the one that it was forked from. PR_SET_CHILD_SUBREAPER gives it
 * to the server, which so reaps every process that it has caused.
 *
 * Tested by tests/unit/tool/serve/test_sessions.c. */
#include "tool/serve/sessions.h"

#include "tool/serve/session_process.h"
#include "util/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SESSIONS_MOST = 16, ENDED_MOST = 64 };

/* A slot is free if control < 0. */
struct slot {
    uint64_t frame, used; /* used: time of the last question */
    int control;
    pid_t pid;
    unsigned users;
    bool ready; /* it stands at its frame */
};

struct sessions {
    struct session_work work;
    struct session_limits limits;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a slot, or the number of answers */
    struct slot slot[SESSIONS_MOST];
    pid_t ended[ENDED_MOST]; /* processes that were told to end */
    unsigned n_ended;
    unsigned answers;
    uint64_t time;
};

/* --- Processes -------------------------------------------------------------------------------- */

static void set_reply(struct session_reply *out, enum status st, const char *text)
{
    out->status = st;
    snprintf(out->error, sizeof(out->error), "%s", text);
}

/* Takes what a process said; false after setting the error. */
static bool take_reply(struct session_reply *out, int fd, size_t most, struct session_head *head)
{
    char *bytes;

    if (!session_hear(fd, head, &bytes, most > SESSION_TEXT ? most : SESSION_TEXT)) {
        set_reply(out, ST_LOST, "the process ended before its answer");
        return false;
    }
    if (head->status != ST_OK) {
        set_reply(out, (enum status)head->status, bytes);
        mem_free(bytes);
        return false;
    }
    out->status = ST_OK;
    out->bytes = bytes;
    out->n = (size_t)head->n;
    return true;
}

static bool send_message(int control, const struct session_message *message, int fd)
{
    char space[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec part = {(void *)(uintptr_t)message, sizeof(*message)};
    struct msghdr m = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof(space)};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(c), &fd, sizeof(fd));
    return sendmsg(control, &m, MSG_NOSIGNAL) == sizeof(*message);
}

/* The session of frame 0 is a fork of the server itself. */
static enum status fork_first(struct sessions *s)
{
    struct slot *first = &s->slot[0];
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        return ST_IO;
    first->pid = fork();
    if (!first->pid) {
        close(pair[0]);
        session_run(&s->work, &s->limits, 0, pair[1]);
    }
    close(pair[1]);
    if (first->pid < 0) {
        close(pair[0]);
        return ST_NOMEM;
    }
    first->control = pair[0];
    return ST_OK;
}

/* Forks a session from an earlier one; -1 if there is no socket. */
static int fork_from(const struct slot *earlier, uint64_t frame)
{
    struct session_message message = {.kind = SESSION_FORK, .frame = frame};
    int pair[2];
    bool sent;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        return -1;
    sent = send_message(earlier->control, &message, pair[1]);
    close(pair[1]);
    if (sent)
        return pair[0];
    close(pair[0]);
    return -1;
}

/* Whether a process has gone; reaps it if it is a child. It may be one of another session. */
static bool has_gone(pid_t pid)
{
    pid_t reaped = waitpid(pid, NULL, WNOHANG);

    return reaped == pid || (reaped < 0 && kill(pid, 0) && errno == ESRCH);
}

/* Forgets processes that have ended. */
static void reap(struct sessions *s)
{
    for (unsigned i = 0; i < s->n_ended;)
        if (has_gone(s->ended[i]))
            s->ended[i] = s->ended[--s->n_ended];
        else
            i++;
}

/* --- Slots (with the lock) -------------------------------------------------------------------- */

static void close_slot(struct sessions *s, struct slot *slot)
{
    close(slot->control);
    slot->control = -1;
    pthread_cond_broadcast(&s->changed);
    reap(s);
    if (slot->pid > 0 && s->n_ended < ENDED_MOST)
        s->ended[s->n_ended++] = slot->pid;
}

static struct slot *find_slot(struct sessions *s, uint64_t frame)
{
    for (unsigned i = 0; i < SESSIONS_MOST; i++)
        if (s->slot[i].control >= 0 && s->slot[i].frame == frame)
            return &s->slot[i];
    return NULL;
}

/* The last session that stands before a frame. */
static struct slot *find_earlier(struct sessions *s, uint64_t frame)
{
    struct slot *best = NULL;

    for (unsigned i = 0; i < SESSIONS_MOST; i++) {
        struct slot *at = &s->slot[i];

        if (at->control >= 0 && at->ready && at->frame < frame &&
            (!best || at->frame > best->frame))
            best = at;
    }
    return best;
}

/* A free slot. If all are taken, the session that was asked longest ago ends, unless it is that of
 * frame 0 or has users; NULL: all have. `keep` ends only if it is the last choice. */
static struct slot *find_room(struct sessions *s, const struct slot *keep)
{
    struct slot *oldest = NULL;

    for (unsigned i = 0; i < s->limits.sessions; i++) {
        struct slot *at = &s->slot[i];

        if (at->control < 0)
            return at;
        if (i && at->ready && !at->users && (!oldest || oldest == keep || at->used < oldest->used))
            oldest = at != keep || !oldest ? at : oldest;
    }
    if (oldest)
        close_slot(s, oldest);
    return oldest;
}

/* Waits until the new process of a slot stands at its frame. */
static bool wait_ready(struct sessions *s, struct slot *slot, struct session_reply *out)
{
    struct session_reply reply = {0};
    struct session_head head;
    int control = slot->control;
    bool good;

    pthread_mutex_unlock(&s->lock);
    good = take_reply(&reply, control, 0, &head);
    mem_free(reply.bytes);
    pthread_mutex_lock(&s->lock);
    if (good) {
        slot->pid = head.pid;
        slot->ready = true;
    } else {
        *out = reply;
        close_slot(s, slot);
    }
    pthread_cond_broadcast(&s->changed);
    return good;
}

/* Forks a session into a free slot and returns it with a user; NULL after setting the error. */
static struct slot *make_session(struct sessions *s, struct slot *slot, uint64_t frame,
                                 struct session_reply *out)
{
    const struct slot *earlier = find_earlier(s, frame);

    *slot = (struct slot){.frame = frame, .used = ++s->time, .users = 1, .control = -1};
    if (earlier)
        slot->control = fork_from(earlier, frame);
    if (slot->control < 0) {
        set_reply(out, ST_LOST, "the replay of the capture has ended");
        return NULL;
    }
    return wait_ready(s, slot, out) ? slot : NULL;
}

/* The session of a frame, with one more user; NULL after setting the error. */
static struct slot *use_slot(struct sessions *s, uint64_t frame, struct session_reply *out)
{
    for (;;) {
        struct slot *slot = find_slot(s, frame);

        if (slot && slot->ready) {
            slot->users++;
            slot->used = ++s->time;
            return slot;
        }
        if (!slot && (slot = find_room(s, find_earlier(s, frame))))
            return make_session(s, slot, frame, out);
        pthread_cond_wait(&s->changed, &s->lock);
    }
}

/* --- Questions -------------------------------------------------------------------------------- */

static void ask_slot(const struct sessions *s, const struct slot *slot, const char *question,
                     struct session_reply *out)
{
    struct session_message message = {.kind = SESSION_ANSWER};
    struct session_head head;
    int ends[2];
    bool sent;

    snprintf(message.question, sizeof(message.question), "%s", question);
    if (pipe2(ends, O_CLOEXEC)) {
        set_reply(out, ST_LOST, strerror(errno));
        return;
    }
    sent = send_message(slot->control, &message, ends[1]);
    close(ends[1]);
    if (sent)
        (void)take_reply(out, ends[0], s->limits.answer_bytes, &head);
    else
        set_reply(out, ST_LOST, "the replay of the frame has ended");
    close(ends[0]);
}

/* The process of a session itself has gone: the next question makes a new one. */
static void check_slot(struct sessions *s, struct slot *slot, const struct session_reply *reply)
{
    if (reply->status == ST_LOST && slot != &s->slot[0] && !slot->users && has_gone(slot->pid))
        close_slot(s, slot);
}

static void ask(struct sessions *s, uint64_t frame, bool near_it, const char *question,
                struct session_reply *out)
{
    struct slot *slot;

    memset(out, 0, sizeof(*out));
    pthread_mutex_lock(&s->lock);
    while (s->answers >= s->limits.answers)
        pthread_cond_wait(&s->changed, &s->lock);
    s->answers++;
    slot = near_it ? find_earlier(s, frame + 1) : NULL;
    if (slot)
        slot->users++;
    else
        slot = use_slot(s, frame, out);
    if (slot) {
        pthread_mutex_unlock(&s->lock);
        ask_slot(s, slot, question, out);
        pthread_mutex_lock(&s->lock);
        slot->users--;
        check_slot(s, slot, out);
    }
    s->answers--;
    reap(s);
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

void sessions_ask(struct sessions *s, uint64_t frame, const char *question,
                  struct session_reply *out)
{
    ask(s, frame, false, question, out);
}

void sessions_ask_near(struct sessions *s, uint64_t frame, const char *question,
                       struct session_reply *out)
{
    ask(s, frame, frame < UINT64_MAX, question, out);
}

unsigned sessions_count(struct sessions *s)
{
    unsigned n = 0;

    pthread_mutex_lock(&s->lock);
    for (unsigned i = 0; i < SESSIONS_MOST; i++)
        n += s->slot[i].control >= 0;
    pthread_mutex_unlock(&s->lock);
    return n;
}

/* --- Start and stop --------------------------------------------------------------------------- */

enum status sessions_start(struct sessions **out, const struct session_work *work,
                           const struct session_limits *limits)
{
    struct sessions *s = mem_calloc(1, sizeof(*s));
    struct session_reply reply = {0};
    enum status st;

    *out = NULL;
    if (!s)
        return ST_NOMEM;
    s->work = *work;
    s->limits = *limits;
    if (s->limits.sessions > SESSIONS_MOST)
        s->limits.sessions = SESSIONS_MOST;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    for (unsigned i = 0; i < SESSIONS_MOST; i++)
        s->slot[i].control = -1;
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    st = fork_first(s);
    if (st == ST_OK) {
        pthread_mutex_lock(&s->lock);
        st = wait_ready(s, &s->slot[0], &reply) ? ST_OK : reply.status;
        pthread_mutex_unlock(&s->lock);
    }
    if (st == ST_OK)
        *out = s;
    else
        sessions_stop(s);
    return st;
}

void sessions_stop(struct sessions *s)
{
    const struct timespec tick = {0, 5000000};

    if (!s)
        return;
    for (unsigned i = 0; i < SESSIONS_MOST; i++)
        if (s->slot[i].control >= 0)
            close_slot(s, &s->slot[i]);
    for (unsigned i = 0; i < 400 && (reap(s), s->n_ended); i++)
        nanosleep(&tick, NULL);
    for (unsigned i = 0; i < s->n_ended; i++) {
        kill(s->ended[i], SIGKILL);
        (void)waitpid(s->ended[i], NULL, 0);
    }
    /* Answers of a session that was killed. */
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    mem_free(s);
}
