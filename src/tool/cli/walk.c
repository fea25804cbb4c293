/* Walks over the option tables of all commands: runs each command up to its call of the option
 * parser.
 *
 * Tested by tests/tool/help.sh. */
#include "tool/cli/walk.h"

#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 24 };

/* The walk in progress: only one runs at a time, on the main thread. */
static struct {
    tool_visitor *visit;
    void *context;
    const char *summary;
    char words[2 * WORD_MAX];
} walk;

bool tool_walk_visits(const struct tool_usage *usage)
{
    if (walk.visit)
        walk.visit(walk.context, walk.words, walk.summary, usage);
    return walk.visit != NULL;
}

void tool_walk_over(const struct tool_commands *commands, const char *parent)
{
    for (size_t i = 0; i < commands->count; i++) {
        const struct tool_command *command = &commands->list[i];
        char name[WORD_MAX], *argv[] = {name, NULL};

        snprintf(name, sizeof(name), "%s", command->name);
        snprintf(walk.words, sizeof(walk.words), "%s%s%s", parent, *parent ? " " : "", name);
        walk.summary = command->summary;
        (void)command->run(1, argv);
    }
}

void tool_each_command(const struct tool_commands *commands, tool_visitor *visit, void *context)
{
    walk.visit = visit;
    walk.context = context;
    tool_walk_over(commands, "");
    walk.visit = NULL;
}
