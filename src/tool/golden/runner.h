/* Runner of one side of a golden comparison: executes the command of each case with a time-out and
 * collects its picture. */
#ifndef TOOL_GOLDEN_RUNNER_H
#define TOOL_GOLDEN_RUNNER_H

#include "tool/golden/manifest.h"

/* How a case's command ended. */
enum render_end {
    RENDER_NONE,
    RENDER_OK,
    RENDER_CODE,
    RENDER_SIGNAL,
    RENDER_TIMEOUT,
    RENDER_UNSTARTED
};

/* One case's picture, before or after it is rendered. */
struct rendering {
    const struct golden_case *c;
    char *png; /* output path; the owner frees it with mem_free */
    enum render_end end;
    bool alone;                          /* the command ran for this case alone, not for a batch */
    int code;                            /* exit code or signal number */
    char first_line[192], last_line[96]; /* of the command's output */
};

struct runner_job {
    const struct golden_runner *runner;
    const char *scene, *capture; /* commands, see golden_runner */
    const char *work;            /* private folder for case lists, logs and capture frames */
    unsigned number;             /* unique prefix of this job's file names */
    const char *out;             /* folder for the commands' output, logs/NAME.log; or NULL */
};

/* Renders the pictures of a batch: scenes only, or frames of one capture. Missing or invalid
 * pictures show in the files and in `end`. */
void runner_render(const struct runner_job *job, struct rendering *renderings, size_t n);
/* Runs job->scene for one case of any kind with all placeholders except the batch's {list}. */
void runner_render_one(const struct runner_job *job, struct rendering *rendering);

#endif
