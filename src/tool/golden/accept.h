/* Making what a candidate shows the golden of a case. */
#ifndef TOOL_GOLDEN_ACCEPT_H
#define TOOL_GOLDEN_ACCEPT_H

#include "tool/golden/record.h"

struct accept_options {
    const char *command;
    const struct tool_list *filter; /* names of cases; empty or NULL: all */
    bool add;                       /* beside the goldens that are there, not instead of them */
    bool apply;                     /* else only say what would be done */
};

/* Prints the patch: pictures that become goldens, and lines of the manifest. An exit code. */
int golden_accept(const struct records *records, const struct accept_options *options);

#endif
