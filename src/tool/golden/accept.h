/* Acceptance of candidate pictures as goldens (`novem golden accept`). */
#ifndef TOOL_GOLDEN_ACCEPT_H
#define TOOL_GOLDEN_ACCEPT_H

#include "tool/cli/cli.h"
#include "tool/golden/record.h"

struct accept_options {
    const char *command;
    const struct tool_list *filter; /* names of cases; empty or NULL: all */
    bool add;                       /* add a golden beside the existing ones instead of replacing
                                     * them */
    bool apply;                     /* write the changes; false: only print them */
};

/* Prints the patch: new golden pictures and changed manifest lines. Returns an exit code. */
int golden_accept(const struct records *records, const struct accept_options *options);

#endif
