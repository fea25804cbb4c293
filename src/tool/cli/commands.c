/* Tables of commands: runs subcommands, and names the command that a misspelt word may mean.
 *
 * Tested by tests/tool/help.sh. */
#include "tool/cli/cli.h"

#include "tool/cli/walk.h"

#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 24, MOST_EDITS = 2 };

/* Number of letters to insert, delete, replace or swap that make `b` of `a`. */
static unsigned edits(const char *a, const char *b)
{
    unsigned rows[WORD_MAX + 1][WORD_MAX + 1];
    size_t n = strlen(a), m = strlen(b);

    if (n > WORD_MAX || m > WORD_MAX)
        return WORD_MAX;
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            unsigned best = (unsigned)(i + j);

            if (i && j) {
                best = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
                if (rows[i - 1][j] + 1 < best)
                    best = rows[i - 1][j] + 1;
                if (rows[i][j - 1] + 1 < best)
                    best = rows[i][j - 1] + 1;
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                    rows[i - 2][j - 2] + 1 < best)
                    best = rows[i - 2][j - 2] + 1;
            }
            rows[i][j] = best;
        }
    }
    return rows[n][m];
}

int tool_unknown_command(const struct tool_commands *commands, const char *parent, const char *word)
{
    const char *name = NULL, *space = *parent ? " " : "";
    unsigned fewest = MOST_EDITS + 1;

    for (size_t i = 0; i < commands->count; i++) {
        unsigned n = edits(word, commands->list[i].name);

        if (n < fewest && n < strlen(word)) {
            fewest = n;
            name = commands->list[i].name;
        }
    }
    if (name)
        return tool_error(
            *parent ? parent : word, "%s%sno such %scommand; did you mean `novem %s%s%s`?",
            *parent ? word : "", *parent ? ": " : "", *parent ? "sub" : "", parent, space, name);
    return tool_error(*parent ? parent : word,
                      "%s%sno such %scommand; `novem %s%s--help` lists them", *parent ? word : "",
                      *parent ? ": " : "", *parent ? "sub" : "", parent, space);
}

int tool_run_subcommand(const char *parent, const struct tool_commands *commands, int argc,
                        char **argv)
{
    bool help = argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));

    if (tool_walk_visits(NULL)) {
        tool_walk_over(commands, parent);
        return TOOL_OK;
    }
    for (size_t i = 0; argc > 1 && i < commands->count; i++)
        if (!strcmp(argv[1], commands->list[i].name))
            return commands->list[i].run(argc - 1, argv + 1);
    if (argc > 1 && !help)
        return tool_unknown_command(commands, parent, argv[1]);
    printf("usage: novem %s SUBCOMMAND ...\n\n", parent);
    for (size_t i = 0; i < commands->count; i++)
        printf("  %-7s %s\n", commands->list[i].name, commands->list[i].summary);
    printf("\n`novem %s SUBCOMMAND --help` describes a subcommand.\n", parent);
    return help ? TOOL_OK : TOOL_ERROR;
}
