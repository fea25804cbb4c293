/* Main loop of a session: a process that stands at the start of a frame and forks for each request.
 *
 * Tested by tests/unit/tool/serve/test_sessions.c. */
#include "tool/serve/session_process.h"

#include "util/alloc.h"
#include "util/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS = 64 };

/* A child that answers. The session keeps the pipe, to say that the child has crashed. */
struct job {
    pid_t pid;
    int fd;
};

struct session {
    const struct session_work *work;
    const struct session_limits *limits;
    uint64_t frame;
    int control, signals;
    struct job job[JOBS];
    unsigned jobs;
};

/* --- Messages --------------------------------------------------------------------------------- */

static bool write_all(int fd, const void *bytes, size_t n)
{
    for (const char *at = bytes; n;) {
        ssize_t done = write(fd, at, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        n -= (size_t)done;
    }
    return true;
}

static bool read_all(int fd, void *bytes, size_t n)
{
    for (char *at = bytes; n;) {
        ssize_t done = read(fd, at, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        n -= (size_t)done;
    }
    return true;
}

bool session_say(int fd, enum status status, const char *bytes, size_t n)
{
    struct session_head head;

    memset(&head, 0, sizeof(head));
    head.status = status;
    head.pid = getpid();
    head.n = n;
    head.hash = hash_bytes(bytes, n, 0);
    return write_all(fd, &head, sizeof(head)) && write_all(fd, bytes, n);
}

bool session_hear(int fd, struct session_head *head, char **bytes, size_t most)
{
    *bytes = NULL;
    if (!read_all(fd, head, sizeof(*head)) || head->n > most ||
        !(*bytes = mem_alloc((size_t)head->n + 1)))
        return false;
    (*bytes)[head->n] = 0;
    if (read_all(fd, *bytes, (size_t)head->n) &&
        hash_bytes(*bytes, (size_t)head->n, 0) == head->hash)
        return true;
    mem_free(*bytes);
    *bytes = NULL;
    return false;
}

static bool say_error(int fd, enum status st, const char *error)
{
    const char *text = *error ? error : status_text(st);

    return session_say(fd, st, text, strlen(text));
}

/* Receives a request and its descriptor; -1: the server has closed the socket. */
static int receive(int control, struct session_message *message)
{
    char space[CMSG_SPACE(sizeof(int))];
    struct iovec part = {message, sizeof(*message)};
    struct msghdr m = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof(space)};
    struct cmsghdr *c;
    ssize_t n;
    int fd;

    do
        n = recvmsg(control, &m, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    c = n == sizeof(*message) ? CMSG_FIRSTHDR(&m) : NULL;
    if (!c || c->cmsg_type != SCM_RIGHTS)
        return -1;
    memcpy(&fd, CMSG_DATA(c), sizeof(fd));
    message->question[SESSION_QUESTION - 1] = 0;
    return fd;
}

/* --- Children --------------------------------------------------------------------------------- */

/* Closes what a child has from its parent. */
static void leave_parent(struct session *s)
{
    sigset_t none;

    close(s->control);
    close(s->signals);
    for (unsigned i = 0; i < s->jobs; i++)
        close(s->job[i].fd);
    s->jobs = 0;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Bounds what an answer may allocate: what the process has, and `more`. */
static void limit_memory(size_t more)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    struct rlimit limit;

    if (!file)
        return;
    if (fscanf(file, "%lu", &pages) == 1 && !getrlimit(RLIMIT_AS, &limit)) {
        rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + more;

        if (limit.rlim_max == RLIM_INFINITY || most < limit.rlim_max)
            limit.rlim_cur = most;
        (void)setrlimit(RLIMIT_AS, &limit);
    }
    fclose(file);
}

static _Noreturn void answer(struct session *s, const char *question, int fd)
{
    char error[SESSION_TEXT] = "", *bytes = NULL;
    struct rlimit no_core = {0, 0};
    enum status st;
    size_t n = 0;

    signal(SIGPIPE, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setrlimit(RLIMIT_CORE, &no_core);
    limit_memory(s->limits->memory);
    alarm(s->limits->seconds);
    st = s->work->answer(s->work->ctx, question, &bytes, &n, error);
    if (st == ST_OK && n > s->limits->answer_bytes) {
        st = ST_UNSUPPORTED;
        snprintf(error, sizeof(error), "the answer is too long");
    }
    _exit(st == ST_OK ? !session_say(fd, st, bytes, n) : !say_error(fd, st, error));
}

static void start_job(struct session *s, const struct session_message *message, int fd)
{
    pid_t pid = fork();

    if (!pid) {
        leave_parent(s);
        if (message->kind == SESSION_FORK)
            session_run(s->work, s->limits, message->frame, fd);
        answer(s, message->question, fd);
    }
    if (pid < 0)
        (void)say_error(fd, ST_NOMEM, "no process can be made for the answer");
    if (pid > 0 && message->kind == SESSION_ANSWER)
        s->job[s->jobs++] = (struct job){pid, fd};
    else
        close(fd);
}

/* Says why a child ended that did not say it itself. */
static void end_job(const struct session *s, const struct job *job, int status)
{
    char error[SESSION_TEXT];

    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        snprintf(error, sizeof(error), "the answer took more than %u seconds", s->limits->seconds);
    else if (WIFSIGNALED(status))
        snprintf(error, sizeof(error), "the process that answers was ended by signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(error, sizeof(error), "the process that answers ended with status %d",
                 WEXITSTATUS(status));
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        (void)say_error(job->fd, ST_LOST, error);
}

static void reap(struct session *s)
{
    struct signalfd_siginfo info;
    int status;
    pid_t pid;

    (void)!read(s->signals, &info, sizeof(info));
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (unsigned i = 0; i < s->jobs; i++)
            if (s->job[i].pid == pid) {
                end_job(s, &s->job[i], status);
                close(s->job[i].fd);
                s->job[i] = s->job[--s->jobs];
                break;
            }
}

/* --- The loop --------------------------------------------------------------------------------- */

/* While a session goes to its frame, the end of the server ends it: the signal's default action. */
static void watch_server(int control, bool on)
{
    int flags = fcntl(control, F_GETFL);

    (void)fcntl(control, F_SETOWN, getpid());
    (void)fcntl(control, F_SETFL, on ? flags | O_ASYNC : flags & ~O_ASYNC);
}

static bool go_to_frame(const struct session *s)
{
    char error[SESSION_TEXT] = "";
    enum status st;

    watch_server(s->control, true);
    st = s->work->go_to(s->work->ctx, s->frame, error);
    watch_server(s->control, false);
    return st == ST_OK ? session_say(s->control, st, "", 0)
                       : (say_error(s->control, st, error), false);
}

static void serve(struct session *s)
{
    struct session_message message;

    for (;;) {
        struct pollfd wait[2] = {{s->signals, POLLIN, 0}, {s->control, POLLIN, 0}};
        int fd;

        if (poll(wait, s->jobs < JOBS ? 2 : 1, -1) < 0 && errno != EINTR)
            return;
        if (wait[0].revents)
            reap(s);
        if (!wait[1].revents)
            continue;
        fd = receive(s->control, &message);
        if (fd < 0)
            return;
        start_job(s, &message, fd);
    }
}

_Noreturn void session_run(const struct session_work *work, const struct session_limits *limits,
                           uint64_t frame, int control)
{
    struct session s = {.work = work, .limits = limits, .frame = frame, .control = control};
    sigset_t child;

    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN); /* the terminal sends it to all; the server ends us */
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_SETMASK, &child, NULL);
    s.signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    if (s.signals < 0 || !go_to_frame(&s))
        _exit(1);
    serve(&s);
    for (unsigned i = 0; i < s.jobs; i++)
        kill(s.job[i].pid, SIGKILL);
    for (unsigned i = 0; i < s.jobs; i++)
        (void)waitpid(s.job[i].pid, NULL, 0);
    _exit(0);
}
