/* Pages that `novem help` makes of the tables of all commands. */
#ifndef TOOL_HELP_PAGES_H
#define TOOL_HELP_PAGES_H

#include "tool/cli/cli.h"

/* Prints the man page in the macros of man(7). */
void help_print_man(const struct tool_commands *commands);
/* Prints a completion script for `shell`: bash, zsh or fish. False if it is another. */
bool help_print_completion(const struct tool_commands *commands, const char *shell);

#endif
