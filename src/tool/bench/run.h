/* The run: measures all subjects in passes. */
#ifndef TOOL_BENCH_RUN_H
#define TOOL_BENCH_RUN_H

#include "tool/bench/results.h"

/* Thread counts of a run, and the largest one. */
enum { BENCH_THREADS = 8, BENCH_THREADS_MAX = 256 };

struct bench_plan {
    const char *command;
    double seconds; /* of the whole run, without the time that compiling takes */
    unsigned passes;
    bool isa[ISA_COUNT], compiled, interpreted;
    unsigned threads[BENCH_THREADS], n_threads; /* more than one: shaders alone */
    bool progress;                              /* on standard error */
};

/* Adds a figure for each subject, instruction set, mode and thread count, and measures them.
 * Programs without machine code have no compiled figures. The selected instruction set is the same
 * afterwards. Returns TOOL_OK, or TOOL_ERROR after a message, also if a shader's bits differ
 * between instruction sets or modes. */
int bench_run(struct bench_results *results, struct bench_subjects *subjects,
              const struct bench_plan *plan);
/* Measures the figures for which wants[i] is set again, in as many passes as before; what they were
 * before still counts. */
int bench_run_again(struct bench_results *results, struct bench_subjects *subjects,
                    const struct bench_plan *plan, const bool *wants);

#endif
