/* A golden run: renders and compares all cases of a manifest. */
#ifndef TOOL_GOLDEN_RUN_H
#define TOOL_GOLDEN_RUN_H

#include "tool/golden/result.h"

struct golden_options {
    const char *command; /* "golden run", for error messages */
    const char *out;     /* output folder */
    unsigned jobs;
    bool keep, quiet;
};

/* Runs all cases; results[i] belongs to cases[i]. Returns false after an error message. */
bool golden_run(const struct golden_manifest *manifest, const struct golden_options *options,
                struct golden_result *results);
void golden_results_free(struct golden_result *results, size_t n);

#endif
