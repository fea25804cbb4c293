/* Hook of the option parser, by which a walk over all commands sees their tables. */
#ifndef TOOL_CLI_WALK_H
#define TOOL_CLI_WALK_H

#include "tool/cli/cli.h"

/* True during a walk: it has seen the table, and the command must return. */
bool tool_walk_visits(const struct tool_usage *usage);

#endif
