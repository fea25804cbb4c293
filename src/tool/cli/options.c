/* Command line parser, help output and error lines of the subcommands and of other programs. */
#include "tool/cli/cli.h"

#include "tool/cli/walk.h"
#include "util/suggestion.h"
#include "util/version.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *program; /* a program other than `novem`; NULL: `novem` */

void tool_set_program(const char *name)
{
    program = name;
}

int tool_error(const char *command, const char *format, ...)
{
    va_list args;

    fflush(stdout);
    if (program)
        fprintf(stderr, "%s: ", program);
    else
        fprintf(stderr, "novem %s: ", command);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return TOOL_ERROR;
}

static const char *name_of_program(void)
{
    return program ? program : "novem";
}

static void print_option(const char *name, const char *value, const char *help)
{
    int used = printf("  %s%s%s", name, value ? " " : "", value ? value : "");

    printf("%*s%s\n", used < 24 ? 24 - used : 1, "", help);
}

static void print_help(const struct tool_usage *usage)
{
    printf("usage: %s %s\n\n%s\n", name_of_program(), usage->line, usage->text);
    if (usage->option_count || program)
        printf("\n");
    for (size_t i = 0; i < usage->option_count; i++)
        print_option(usage->options[i].name, usage->options[i].value, usage->options[i].help);
    if (program) {
        print_option("--version", NULL, "print the version");
        print_option("--help", NULL, "print this text");
    }
}

/* Help or the version of a program, which may be lost as other output. */
static int finish_output(void)
{
    errno = 0;
    if (!program || (!ferror(stdout) && !fflush(stdout)))
        return TOOL_OK;
    return tool_error("", "the output could not be written%s%s", errno ? ": " : "",
                      errno ? strerror(errno) : "");
}

static bool parse_uint(const char *text, unsigned *out)
{
    char *end;
    unsigned long value;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    value = strtoul(text, &end, 0);
    if (errno || *end || value > UINT_MAX)
        return false;
    *out = (unsigned)value;
    return true;
}

static bool parse_real(const char *text, double *out)
{
    char *end;

    if ((*text < '0' || *text > '9') && *text != '.')
        return false;
    *out = strtod(text, &end);
    return !*end && isfinite(*out);
}

static const struct tool_option *find(const struct tool_usage *usage, const char *name)
{
    for (size_t i = 0; i < usage->option_count; i++)
        if (!strcmp(usage->options[i].name, name))
            return &usage->options[i];
    return NULL;
}

static bool add_to_list(struct tool_list *list, const char *text)
{
    if (list->n == TOOL_LIST_MAX)
        return false;
    list->text[list->n++] = text;
    return true;
}

static void refuse_option(const struct tool_usage *usage, const char *command, const char *name)
{
    struct suggestion s;

    suggestion_init(&s, name);
    for (size_t i = 0; i < usage->option_count; i++)
        suggestion_offer(&s, usage->options[i].name);
    suggestion_offer(&s, "--help");
    if (program)
        suggestion_offer(&s, "--version");
    if (s.best && strlen(name) > 2)
        tool_error(command, "unknown option %s; did you mean %s? (try --help)", name, s.best);
    else
        tool_error(command, "unknown option %s (try --help)", name);
}

/* Returns false after an error message. */
static bool take_value(const struct tool_option *option, const char *command, const char *value)
{
    bool number = true;

    if (option->kind == OPT_TEXT) {
        *(const char **)option->out = value;
    } else if (option->kind == OPT_LIST) {
        if (!add_to_list(option->out, value)) {
            tool_error(command, "%s is given more than %d times", option->name, TOOL_LIST_MAX);
            return false;
        }
    } else if (option->kind == OPT_UINT) {
        number = parse_uint(value, option->out);
    } else {
        number = parse_real(value, option->out);
    }
    if (!number)
        tool_error(command, "%s needs a number, not '%s'", option->name, value);
    return number;
}

/* Parses the option at argv[i]. Returns the number of words used, or 0 after an error message. */
static int take_option(const struct tool_usage *usage, const char *command, int argc, char **argv,
                       int i)
{
    const struct tool_option *option = find(usage, argv[i]);

    if (!option) {
        refuse_option(usage, command, argv[i]);
        return 0;
    }
    if (option->kind == OPT_FLAG) {
        *(bool *)option->out = true;
        return 1;
    }
    if (i + 1 == argc) {
        tool_error(command, "%s needs a value: %s %s", option->name, option->name, option->value);
        return 0;
    }
    return take_value(option, command, argv[i + 1]) ? 2 : 0;
}

int tool_parse(const struct tool_usage *usage, int argc, char **argv, const char **files)
{
    unsigned count = 0;

    if (tool_walk_visits(usage))
        return TOOL_OK;
    for (unsigned i = 0; i < usage->files_max; i++)
        files[i] = NULL;
    for (int i = 1; i < argc;) {
        int used = 1;

        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            print_help(usage);
            return finish_output();
        }
        if (program && !strcmp(argv[i], "--version")) {
            printf("%s %s\n", program, version_text());
            return finish_output();
        }
        if (argv[i][0] == '-' && argv[i][1])
            used = take_option(usage, argv[0], argc, argv, i);
        else if (count < usage->files_max)
            files[count++] = argv[i];
        else
            return tool_error(argv[0], "too many arguments at '%s' (try --help)", argv[i]);
        if (!used)
            return TOOL_ERROR;
        i += used;
    }
    if (count < usage->files_min)
        return tool_error(argv[0], "usage: %s %s", name_of_program(), usage->line);
    return -1;
}
