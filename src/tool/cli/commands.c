/* Tables of commands: runs subcommands, and names the command that a misspelt word may mean.
 *
 * Tested by tests/tool/help.sh. */
#include "tool/cli/cli.h"

#include "tool/cli/walk.h"
#include "util/suggestion.h"

#include <stdio.h>
#include <string.h>

int tool_unknown_command(const struct tool_commands *commands, const char *parent, const char *word)
{
    const char *space = *parent ? " " : "";
    struct suggestion near;

    suggestion_init(&near, word);
    for (size_t i = 0; i < commands->count; i++)
        suggestion_offer(&near, commands->list[i].name);
    if (near.best)
        return tool_error(*parent ? parent : word,
                          "%s%sno such %scommand; did you mean `novem %s%s%s`?",
                          *parent ? word : "", *parent ? ": " : "", *parent ? "sub" : "", parent,
                          space, near.best);
    return tool_error(*parent ? parent : word,
                      "%s%sno such %scommand; `novem %s%s--help` lists them", *parent ? word : "",
                      *parent ? ": " : "", *parent ? "sub" : "", parent, space);
}

int tool_run_subcommand(const char *parent, const struct tool_commands *commands, int argc,
                        char **argv)
{
    static char words[64]; /* the subcommand's argv[0], for its messages: "golden run" */
    bool help = argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));

    if (tool_walk_visits(NULL)) {
        tool_walk_over(commands, parent);
        return TOOL_OK;
    }
    for (size_t i = 0; argc > 1 && i < commands->count; i++)
        if (!strcmp(argv[1], commands->list[i].name)) {
            char *word = argv[1];
            int code;

            snprintf(words, sizeof(words), "%s %s", parent, word);
            argv[1] = words;
            code = commands->list[i].run(argc - 1, argv + 1);
            argv[1] = word;
            return code;
        }
    if (help && argc > 2)
        return tool_error(parent, "too many arguments at '%s' (try --help)", argv[2]);
    if (argc > 1 && !help)
        return tool_unknown_command(commands, parent, argv[1]);
    printf("usage: novem %s SUBCOMMAND ...\n\n", parent);
    for (size_t i = 0; i < commands->count; i++)
        printf("  %-8s %s\n", commands->list[i].name, commands->list[i].summary);
    printf("\n`novem %s SUBCOMMAND --help` describes a subcommand.\n", parent);
    return help ? TOOL_OK : TOOL_ERROR;
}
