/* Hook of the option parser, by which a walk over all commands sees their tables. */
#ifndef TOOL_CLI_WALK_H
#define TOOL_CLI_WALK_H

#include "tool/cli/cli.h"

/* True during a walk: it has seen the table, and the command must return. */
bool tool_walk_visits(const struct tool_usage *usage);
/* Visits each subcommand of `parent`; "" stands for `novem` itself. */
void tool_walk_over(const struct tool_commands *commands, const char *parent);

#endif
