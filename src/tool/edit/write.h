/* Writes a capture with changes. */
#ifndef TOOL_EDIT_WRITE_H
#define TOOL_EDIT_WRITE_H

#include "tool/edit/calls.h"
#include "util/status.h"

struct edit_draw {
    uint64_t call; /* its number in the capture */
    struct edit_calls calls;
    bool found;
    uint64_t now; /* its number in the new capture */
};

struct edit_range {
    uint64_t first, last;
    uint64_t found; /* calls of the range */
};

enum { EDIT_DRAWS = 256, EDIT_RANGES = 256 };

struct edit_job {
    const char *file, *out;
    struct edit edit;
    struct edit_draw draw[EDIT_DRAWS];
    unsigned n_draws;
    struct edit_range removed[EDIT_RANGES];
    unsigned n_removed;

    uint64_t calls, kept;  /* of the capture, of the new one */
    char error[EDIT_TEXT]; /* one line */
    int system;            /* errno, if the new file could not be written */
};

/* Adds a call to be removed, or a range "5-9". False: the text is neither. */
bool edit_job_remove(struct edit_job *job, const char *text);
/* Replays the capture up to the last draw and makes the calls that change each. */
bool edit_job_plan(struct edit_job *job);
/* Writes the new capture; a file that is not complete is removed. False: `error` or `system` says
 * why. */
bool edit_job_write(struct edit_job *job);
void edit_job_fini(struct edit_job *job);

#endif
