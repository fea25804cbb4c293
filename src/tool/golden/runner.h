/* Getting pictures out of one side of the comparison: commands run for cases, with time-outs. */
#ifndef TOOL_GOLDEN_RUNNER_H
#define TOOL_GOLDEN_RUNNER_H

#include "tool/golden/golden.h"

/* How the command of a case ended. */
enum render_end {
    RENDER_NONE,
    RENDER_OK,
    RENDER_CODE,
    RENDER_SIGNAL,
    RENDER_TIMEOUT,
    RENDER_UNSTARTED
};

/* One case's picture, made or to be made. */
struct rendering {
    const struct golden_case *c;
    char *png; /* where it is to be; its owner frees it with mem_free */
    enum render_end end;
    bool alone;          /* the command ran for this case only */
    int code;            /* exit code or signal */
    char last_line[96];  /* the last line that the command printed */
};

struct runner_job {
    const struct golden_runner *runner;
    const char *scene, *capture; /* commands, see golden_runner */
    const char *work;            /* a folder of its own for lists, logs and captures' pictures */
    unsigned number;             /* makes its files' names unlike those of others */
    const char *out;             /* folder for logs/NAME.log, what the command printed; or NULL */
};

/* Makes the pictures of renderings, which are all scenes or all frames of one capture. What is
 * missing or broken afterwards shows in the files and in `end`. */
void runner_render(const struct runner_job *job, struct rendering *renderings, size_t n);
/* Runs job->scene for one case, of whatever kind, with all placeholders but {list}'s batch. */
void runner_render_one(const struct runner_job *job, struct rendering *rendering);

/* Between these two a signal that asks the program to end ends the commands instead, which have
 * process groups of their own, and none is started any more. The signal then comes again. */
void runner_catch_signals(void);
void runner_release_signals(void);
bool runner_is_stopped(void);

#endif
