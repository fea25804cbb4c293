/* Completions of `novem` for bash, zsh and fish, from the tables of the commands.
 *
 * Tested by tests/tool/help.sh. */
#include "tool/help/pages.h"

#include <stdio.h>
#include <string.h>

/* Whether an option's value is a path: its name in the table says so. */
static bool is_path(const struct tool_option *option)
{
    static const char *const words[] = {"FILE",   "DIR", "FOLDER", "PNG", "OUT",
                                        "PREFIX", "LIB", "WHAT",   "PATH"};
    const char *value = option->value;

    for (size_t i = 0; value && i < sizeof(words) / sizeof(words[0]); i++)
        if (strstr(value, words[i]))
            return true;
    return false;
}

static bool takes_word(const struct tool_option *option)
{
    return option->kind != OPT_FLAG;
}

/* Prints text within single quotes of a shell. `also` are letters that a backslash must precede. */
static void put_quoted(const char *text, const char *also)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr(also, *text))
            printf("\\%c", *text);
        else
            putchar(*text == '\n' ? ' ' : *text);
    }
}

/* --- bash ------------------------------------------------------------------------------------- */

static void bash_options(void *context, const char *words, const char *summary,
                         const struct tool_usage *usage)
{
    const char *gap = "";

    (void)context;
    (void)summary;
    if (!usage)
        return;
    printf("    '%s') options='", words);
    for (size_t i = 0; i < usage->option_count; i++)
        printf("%s ", usage->options[i].name);
    printf("--help' others='");
    for (size_t i = 0; i < usage->option_count; i++)
        if (takes_word(&usage->options[i]) && !is_path(&usage->options[i])) {
            printf("%s%s", gap, usage->options[i].name);
            gap = " ";
        }
    printf("' paths='");
    gap = "";
    for (size_t i = 0; i < usage->option_count; i++)
        if (takes_word(&usage->options[i]) && is_path(&usage->options[i])) {
            printf("%s%s", gap, usage->options[i].name);
            gap = " ";
        }
    printf("'");
    printf(" ;;\n");
}

/* Lists of subcommands: the walk passes a command without a table, then its subcommands. */
struct families {
    char name[32];
};

static void bash_family(void *context, const char *words, const char *summary,
                        const struct tool_usage *usage)
{
    struct families *f = context;
    size_t n = strlen(f->name);

    (void)summary;
    if (n && !strncmp(words, f->name, n) && words[n] == ' ') {
        printf(" %s", words + n + 1);
        return;
    }
    if (n)
        printf("' ;;\n");
    f->name[0] = '\0';
    if (!usage) {
        snprintf(f->name, sizeof(f->name), "%s", words);
        printf("    '%s') subcommands='--help", words);
    }
}

static void put_names(const struct tool_commands *commands)
{
    for (size_t i = 0; i < commands->count; i++)
        printf("%s%s", i ? " " : "", commands->list[i].name);
}

static void print_bash(const struct tool_commands *commands)
{
    struct families families = {""};

    printf("# bash completions of novem, made by `novem help --completion bash`.\n"
           "_novem() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
           "    local command=${COMP_WORDS[1]} at=2 words= subcommands= options= others= paths= "
           "first= i\n"
           "    COMPREPLY=()\n"
           "    local all='");
    put_names(commands);
    printf(
        "'\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"$all --help --version\" -- \"$current\")\n"
        "        return\n"
        "    fi\n"
        "    [ \"$command\" = help ] && first=$all\n"
        "    case $command in\n");
    tool_each_command(commands, bash_family, &families);
    if (families.name[0])
        printf("' ;;\n");
    printf("    esac\n"
           "    if [ -n \"$subcommands\" ] && [ \"$COMP_CWORD\" -eq 2 ]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W \"$subcommands\" -- \"$current\")\n"
           "        return\n"
           "    fi\n"
           "    [ -z \"$subcommands\" ] || { command=\"$command ${COMP_WORDS[2]}\"; at=3; }\n"
           "    case $command in\n");
    tool_each_command(commands, bash_options, NULL);
    printf("    esac\n"
           "    for ((i = at; i < COMP_CWORD; i++)); do # a program and its words follow\n"
           "        [ \"${COMP_WORDS[i]}\" != -- ] || return\n"
           "    done\n"
           "    case \" $others \" in *\" $previous \"*) compopt +o default 2>/dev/null; return ;; "
           "esac\n"
           "    case \" $paths \" in *\" $previous \"*) return ;; esac # bash completes paths\n"
           "    case $current in -*) words=$options ;; esac\n"
           "    [ \"$COMP_CWORD\" -ne $at ] || words=\"$words $first\"\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
           "}\n"
           "complete -o default -F _novem novem\n");
}

/* --- zsh -------------------------------------------------------------------------------------- */

static void zsh_options(void *context, const char *words, const char *summary,
                        const struct tool_usage *usage)
{
    (void)context;
    (void)summary;
    if (!usage)
        return;
    printf("    '%s') _arguments", words);
    for (size_t i = 0; i < usage->option_count; i++) {
        const struct tool_option *option = &usage->options[i];

        printf(" \\\n        '%s%s[", option->kind == OPT_LIST ? "*" : "", option->name);
        put_quoted(option->help, "[]\\:");
        printf("]");
        if (takes_word(option)) {
            printf(":");
            put_quoted(option->value, ":\\");
            printf(":%s", is_path(option) ? "_files" : " ");
        }
        printf("'");
    }
    printf(" \\\n        '--help[describe the command]'");
    printf(" '*:file:_files' ;;\n");
}

static void zsh_describe(void *context, const char *words, const char *summary,
                         const struct tool_usage *usage)
{
    const char *parent = context, *space = strchr(words, ' ');
    size_t n = strlen(parent);

    (void)usage;
    if (n ? space && !strncmp(words, parent, n) && words[n] == ' ' : !space) {
        printf(" '%s:", space ? space + 1 : words);
        put_quoted(summary, ":\\");
        printf("'");
    }
}

struct zsh_family {
    char names[8][32];
    size_t n;
};

static void zsh_families(void *context, const char *words, const char *summary,
                         const struct tool_usage *usage)
{
    struct zsh_family *f = context;

    (void)summary;
    if (!usage && f->n < sizeof(f->names) / sizeof(f->names[0]))
        snprintf(f->names[f->n++], sizeof(f->names[0]), "%s", words);
}

static void print_zsh(const struct tool_commands *commands)
{
    struct zsh_family families = {.n = 0};
    char none[] = "";

    tool_each_command(commands, zsh_families, &families);
    printf("#compdef novem\n# zsh completions of novem, made by `novem help --completion zsh`.\n"
           "_novem() {\n"
           "    local command=$words[2]\n"
           "    local -a commands=(");
    tool_each_command(commands, zsh_describe, none);
    printf(")\n"
           "    if (( CURRENT == 2 )); then\n"
           "        _describe -t commands command commands\n"
           "        _arguments '--version[print versions and build]' '--help[list the commands]'\n"
           "        return\n"
           "    fi\n"
           "    if [[ $command == help ]] && (( CURRENT == 3 )); then\n"
           "        _describe -t commands command commands\n"
           "    fi\n");
    for (size_t i = 0; i < families.n; i++) {
        printf("    if [[ $command == %s ]]; then\n        local -a subcommands=(",
               families.names[i]);
        tool_each_command(commands, zsh_describe, families.names[i]);
        printf(")\n"
               "        if (( CURRENT == 3 )); then\n"
               "            _describe -t commands subcommand subcommands\n            return\n"
               "        fi\n"
               "        command=\"$command $words[3]\"\n"
               "        shift words\n        (( CURRENT-- ))\n"
               "    fi\n");
    }
    printf("    shift words\n    (( CURRENT-- ))\n    case $command in\n");
    tool_each_command(commands, zsh_options, NULL);
    printf("    esac\n}\n_novem \"$@\"\n");
}

/* --- fish ------------------------------------------------------------------------------------- */

static void fish_command(void *context, const char *words, const char *summary,
                         const struct tool_usage *usage)
{
    const char *space = strchr(words, ' ');
    int parent = space ? (int)(space - words) : 0;
    char condition[160];

    (void)context;
    if (parent)
        snprintf(condition, sizeof(condition),
                 "__fish_seen_subcommand_from %.*s; and __fish_seen_subcommand_from %s", parent,
                 words, space + 1);
    else
        snprintf(condition, sizeof(condition), "__fish_seen_subcommand_from %s", words);
    if (parent)
        printf("complete -c novem -n '__fish_seen_subcommand_from %.*s' -a %s -d '", parent, words,
               space + 1);
    else
        printf("complete -c novem -f -n __fish_use_subcommand -a %s -d '", words);
    put_quoted(summary, "\\");
    printf("'\n");
    for (size_t i = 0; usage && i < usage->option_count; i++) {
        const struct tool_option *option = &usage->options[i];
        const char *name = option->name;

        printf("complete -c novem -n '%s' %s %s%s -d '", condition,
               !strncmp(name, "--", 2) ? "-l" : "-s", name + (!strncmp(name, "--", 2) ? 2 : 1),
               !takes_word(option) ? ""
               : is_path(option)   ? " -r"
                                   : " -x");
        put_quoted(option->help, "\\");
        printf("'\n");
    }
}

static void print_fish(const struct tool_commands *commands)
{
    printf(
        "# fish completions of novem, made by `novem help --completion fish`.\n"
        "complete -c novem -f -n __fish_use_subcommand -l version -d 'print versions and build'\n"
        "complete -c novem -l help -d 'describe a command'\n"
        "complete -c novem -n '__fish_seen_subcommand_from help' -a '");
    put_names(commands);
    printf("'\n");
    tool_each_command(commands, fish_command, NULL);
}

bool help_print_completion(const struct tool_commands *commands, const char *shell)
{
    static const struct {
        const char *name;
        void (*print)(const struct tool_commands *commands);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

    for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
        if (!strcmp(shell, shells[i].name)) {
            shells[i].print(commands);
            return true;
        }
    return false;
}
