/* Help, man page, completions and version of `novem`, from the tables of its commands. */
#ifndef TOOL_HELP_HELP_H
#define TOOL_HELP_HELP_H

#include "tool/cli/cli.h"

/* `novem help`. */
int tool_help(const struct tool_commands *commands, int argc, char **argv);
/* Prints the list of commands. */
void tool_help_list(const struct tool_commands *commands);
/* `novem --version`. */
int tool_print_version(void);
/* Compiler, processor architecture and, if it is known, commit of the build: "clang 19.1.7,
 * x86_64". */
const char *tool_build_text(void);

#endif
