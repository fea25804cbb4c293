/* Getting pictures out of one side of the comparison: commands run for cases, with time-outs. */
#ifndef TOOL_GOLDEN_RUNNER_H
#define TOOL_GOLDEN_RUNNER_H

#include "tool/golden/golden.h"

/* How the command of a case ended. */
enum shot_end { SHOT_NONE, SHOT_OK, SHOT_CODE, SHOT_SIGNAL, SHOT_TIMEOUT, SHOT_UNSTARTED };

/* One case's picture, made or to be made. */
struct shot {
    const struct golden_case *c;
    char *png; /* where it is to be; its owner frees it with mem_free */
    enum shot_end end;
    bool alone;          /* the command ran for this case only */
    int code;            /* exit code or signal */
    char last_words[96]; /* the last line that the command printed */
};

struct side_job {
    const struct golden_side *side;
    const char *scene, *capture; /* commands, see golden_side */
    const char *work;            /* a folder of its own for lists, logs and captures' pictures */
    unsigned number;             /* makes its files' names unlike those of others */
    const char *out;             /* folder for logs/NAME.log, what the command printed; or NULL */
};

/* Makes the pictures of shots, which are all scenes or all frames of one capture. What is missing
 * or broken afterwards shows in the files and in `end`. */
void side_shoot(const struct side_job *job, struct shot *shots, size_t n);
/* Runs job->scene for one case, of whatever kind, with all placeholders but {list}'s batch. */
void side_shoot_one(const struct side_job *job, struct shot *shot);

/* Between these two a signal that asks the program to end ends the commands instead, which have
 * process groups of their own, and none is started any more. The signal then comes again. */
void side_catch_signals(void);
void side_release_signals(void);
bool side_stopped(void);

#endif
