/* Checkpoints by fork.
 *
 * Tested by tests/unit/tool/serve/test_checkpoint.c. */
#include "tool/serve/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reads the state that a child hands over; false: it hands over none. */
static bool read_state(int fd, char *to, size_t n)
{
    while (n) {
        ssize_t got = read(fd, to, n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        n -= (size_t)got;
    }
    return true;
}

static _Noreturn void end_like(int status)
{
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

void checkpoint_set(struct checkpoint *c, void *state, size_t n)
{
    c->state = state;
    c->n = n;
    for (;;) {
        int ends[2], status = 0;
        bool again;
        pid_t pid;

        if (pipe2(ends, O_CLOEXEC) || (pid = fork()) < 0)
            _exit(1);
        if (!pid) {
            (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
            close(ends[0]);
            c->back = ends[1];
            return;
        }
        close(ends[1]);
        again = read_state(ends[0], state, n);
        close(ends[0]);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        if (!again)
            end_like(status);
    }
}

_Noreturn void checkpoint_return(const struct checkpoint *c)
{
    const char *at = c->state;
    size_t n = c->n;

    while (n) {
        ssize_t done = write(c->back, at, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            _exit(1);
        at += done;
        n -= (size_t)done;
    }
    _exit(0);
}
