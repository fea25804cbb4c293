/* Man page of `novem`, in the macros of man(7), from the tables of the commands and of the
 * settings.
 *
 * Tested by tests/tool/help.sh. */
#include "tool/help/pages.h"

#include "api/api.h"
#include "util/version.h"

#include <stdio.h>
#include <string.h>

/* Prints the character of several bytes (UTF-8) at `text`. Returns its last byte. */
static const char *put_wide(const char *text)
{
    unsigned lead = (unsigned char)*text, code = lead & (lead >= 0xf0   ? 7u
                                                         : lead >= 0xe0 ? 15u
                                                                        : 31u);

    while (((unsigned char)text[1] & 0xc0) == 0x80)
        code = code << 6 | ((unsigned char)*++text & 0x3f);
    printf("\\[u%04X]", code);
    return text;
}

/* Prints text as roff reads it: neither commands at a line's start, nor escapes, nor hyphens. */
static void put(const char *text)
{
    bool starts = true;

    for (; *text; text++) {
        if (starts && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        starts = *text == '\n';
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '`')
            fputs("\\(ga", stdout);
        else if (*text == '\'')
            fputs("\\(aq", stdout);
        else if (*text == '~')
            fputs("\\(ti", stdout);
        else if (*text == '^')
            fputs("\\(ha", stdout);
        else if ((unsigned char)*text >= 0x80)
            text = put_wide(text);
        else
            putchar(*text);
    }
}

static void put_command(void *context, const char *words, const char *summary,
                        const struct tool_usage *usage)
{
    (void)context;
    printf(".SS novem ");
    put(words);
    printf("\n");
    if (!usage) {
        put(summary);
        printf(":\nits subcommands follow.\n");
        return;
    }
    printf(".B novem ");
    put(usage->line);
    printf("\n.PP\n");
    put(usage->text);
    printf("\n");
    for (size_t i = 0; i < usage->option_count; i++) {
        const struct tool_option *option = &usage->options[i];

        printf(".TP\n\\fB");
        put(option->name);
        printf("\\fR");
        if (option->value) {
            printf(" \\fI");
            put(option->value);
            printf("\\fR");
        }
        printf("\n");
        put(option->help);
        printf("\n");
    }
}

static void put_settings(void)
{
    struct api_setting setting;

    printf(".SH ENVIRONMENT\nEach setting is a line\n.I name = value\nof\n.I novem.conf\n"
           "beside the program, or of the file that\n.B NOVEM_CONFIG\nnames. A variable of the "
           "environment overrides it.\n");
    for (unsigned i = 0; api_setting(i, &setting); i++) {
        printf(".TP\n.B NOVEM_%s\n", setting.name);
        put(setting.help);
        if (setting.default_value) {
            printf("\n(default: ");
            put(setting.default_value);
            printf(")");
        }
        printf("\n");
    }
}

void help_print_man(const struct tool_commands *commands)
{
    printf(".TH NOVEM 1 \"\" \"Novem %s\" \"Novem\"\n", version_text());
    printf(".SH NAME\nnovem \\- Direct3D 9 in software: captures, pictures, pixels and shaders\n"
           ".SH SYNOPSIS\n.B novem\n.I COMMAND\n.RI [ options ]\n.br\n.B novem help\n"
           ".RI [ COMMAND ]\n.br\n.B novem \\-\\-version\n"
           ".SH DESCRIPTION\nNovem renders Direct3D 9 on the CPU, with the same bits on every "
           "host. This program replays\ncaptures, compares pictures, and debugs pixels and "
           "shaders.\n.SH COMMANDS\n");
    tool_each_command(commands, put_command, NULL);
    printf(".SH EXIT STATUS\n.TP\n0\nsuccess\n.TP\n1\na comparison found differences\n"
           ".TP\n2\nan error, or a wrong command line\n");
    put_settings();
    printf(".SH FILES\n.TP\n.I novem.conf\nsettings of programs; see\n.BR \"novem config\" .\n");
}
