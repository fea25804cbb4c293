/* `novem help`: lists the commands, describes one, and prints the man page or completions.
 *
 * Tested by tests/tool/help.sh. */
#include "tool/help/help.h"

#include "tool/help/pages.h"

#include <stdio.h>
#include <string.h>

void tool_help_list(const struct tool_commands *commands)
{
    printf("novem: Direct3D 9 in software, the same pixels on every machine\n\n"
           "usage: novem COMMAND ...\n\n");
    for (size_t i = 0; i < commands->count; i++)
        printf("  %-11s %s\n", commands->list[i].name, commands->list[i].summary);
    printf("\n`novem help COMMAND` or `novem COMMAND --help` describes a command.\n"
           "`novem --version` prints the versions, the instruction set and the build.\n");
}

struct leaf {
    const char *name;
    bool found;
};

static void find_leaf(void *context, const char *words, const char *summary,
                      const struct tool_usage *usage)
{
    struct leaf *leaf = context;

    (void)summary;
    leaf->found |= usage && !strcmp(words, leaf->name);
}

/* Describes the command that words[0] names, or its subcommand words[1]. */
static int describe(const struct tool_commands *commands, const char *const *words)
{
    char name[32], subcommand[32], help[] = "--help";
    char *argv[] = {name, words[1] ? subcommand : help, words[1] ? help : NULL, NULL};
    struct leaf leaf = {.name = words[0]};

    tool_each_command(commands, find_leaf, &leaf);
    if (leaf.found && words[1])
        return tool_error("help", "%s has no subcommand '%s' (try novem help %s)", words[0],
                          words[1], words[0]);
    snprintf(name, sizeof(name), "%s", words[0]);
    snprintf(subcommand, sizeof(subcommand), "%s", words[1] ? words[1] : "");
    for (size_t i = 0; i < commands->count; i++)
        if (!strcmp(commands->list[i].name, words[0]))
            return commands->list[i].run(words[1] ? 3 : 2, argv);
    return tool_unknown_command(commands, "", words[0]);
}

int tool_help(const struct tool_commands *commands, int argc, char **argv)
{
    const char *words[2], *shell = NULL;
    bool man = false;
    const struct tool_option options[] = {
        {"--man", NULL, "print the man page, for man(1)", OPT_FLAG, &man},
        {"--completion", "SHELL", "print the completions for bash, zsh or fish", OPT_TEXT, &shell},
    };
    const struct tool_usage usage = {
        "help [COMMAND [SUBCOMMAND] | --man | --completion SHELL]",
        "Lists the commands, or describes one. The man page and the completions are made of the\n"
        "same tables.",
        options,
        sizeof(options) / sizeof(options[0]),
        0,
        2,
    };
    int code = tool_parse(&usage, argc, argv, words);

    if (code >= 0)
        return code;
    if ((words[0] != NULL) + (shell != NULL) + man > 1)
        return tool_error("help", "usage: novem %s", usage.line);
    if (words[0])
        return describe(commands, words);
    if (shell)
        return help_print_completion(commands, shell)
                   ? TOOL_OK
                   : tool_error("help", "'%s' is not one of bash, zsh, fish", shell);
    if (man)
        help_print_man(commands);
    else
        tool_help_list(commands);
    return TOOL_OK;
}
