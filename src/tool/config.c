/* `novem config`: prints the settings in force, or all settings with help and default.
 *
 * Tested by tests/unit/tool/test_config.c and tests/tool/config.sh. */
#include "api/api.h"
#include "tool/cli/cli.h"
#include "tool/commands.h"

#include "tool/setup/setup.h"
#include "util/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *shown(const char *value)
{
    return value ? value : "none";
}

/* A novem.conf that changes nothing: every line is a comment. */
static void print_sample(void)
{
    struct api_setting setting;

    printf(
        "# Settings of Novem. Remove the # before a name to change it. The file has to lie beside "
        "the\n# program, or NOVEM_CONFIG names it. Lines after [game.exe] apply to that program "
        "alone.\n");
    for (unsigned i = 0; api_setting(i, &setting); i++)
        printf("\n# %s\n#%s = %s\n", setting.help, setting.name,
               setting.default_value ? setting.default_value : "");
}

/* --- A program of a folder -------------------------------------------------------------------- */

enum { FILE_NAME_BYTES = 4096 };

static void print_file(const char *folder)
{
    const char *named = getenv("NOVEM_CONFIG");
    char path[FILE_NAME_BYTES];

    if (named)
        snprintf(path, sizeof(path), "%s", named);
    else
        snprintf(path, sizeof(path), "%s/novem.conf", folder);
    printf("file      %s%s", path, named ? " (NOVEM_CONFIG)" : "");
    if (!path_can_read(path))
        printf(": %s", errno == ENOENT ? "there is none" : strerror(errno));
    printf("\n");
}

static void print_section(const char *program)
{
    const char *others;
    unsigned line = api_config_section(&others);

    if (program && line)
        printf("section   [%s], line %u\n", program, line);
    else if (*others)
        printf("section   %s: the file has sections for %s\n",
               program ? "none for this program" : "no program is named (--program)", others);
}

#ifdef _WIN32
static void describe_dll(const char *folder, char *out, size_t size)
{
    char path[FILE_NAME_BYTES];

    snprintf(path, sizeof(path), "%s/d3d9.dll", folder);
    snprintf(out, size,
             path_exists(path) ? "is there; its properties say whether it is Novem's"
                               : "is not there: the system's own is used");
}
#else
static void describe_dll(const char *folder, char *out, size_t size)
{
    setup_describe_dll(folder, out, size);
}
#endif

static void print_program(const char *folder, const char *program)
{
    char path[FILE_NAME_BYTES], dll[128];

    describe_dll(folder, dll, sizeof(dll));
    if (program && snprintf(path, sizeof(path), "%s/%s", folder, program) < FILE_NAME_BYTES &&
        !path_exists(path))
        printf("program   %s is not in %s\n", program, folder);
    printf("d3d9.dll  %s\n", dll);
}

static void print_rows(bool defaults)
{
    struct api_setting setting;

    for (unsigned i = 0; api_setting(i, &setting); i++)
        if (!strcmp(setting.origin, "default") == defaults)
            printf("%-19s %-19s %s\n", setting.name, setting.value ? setting.value : "-",
                   setting.origin);
}

/* What somebody has set comes first. */
static int print_folder(const char *folder, const char *program)
{
    if (!path_exists(folder))
        return tool_error("config", "%s: %s", folder, strerror(errno));
    if (!path_is_folder(folder))
        return tool_error("config", "%s is not a folder", folder);
    api_config_set_folder(folder);
    if (!program)
        api_config_set_program(""); /* not the section of `novem` itself */
    print_file(folder);
    print_section(program);
    print_program(folder, program);
    printf("\n%-19s %-19s %s\n", "SETTING", "VALUE", "ORIGIN");
    print_rows(false);
    print_rows(true);
    if (!api_config_has_mistakes())
        return TOOL_OK;
    return tool_error("config",
                      "some settings have no effect; messages name them (NOVEM_LOG=warn)");
}

int tool_config(int argc, char **argv)
{
    const char *program = NULL, *folder = NULL;
    bool list = false, sample = false;
    const struct tool_option options[] = {
        {"--list", NULL, "describe every setting and its default instead", OPT_FLAG, &list},
        {"--sample", NULL, "a novem.conf with all settings commented out instead", OPT_FLAG,
         &sample},
        {"--program", "NAME", "the settings in force for program NAME, such as game.exe", OPT_TEXT,
         &program},
        {"--folder", "DIR", "the settings in force for a program of this folder, as a table",
         OPT_TEXT, &folder},
    };
    const struct tool_usage usage = {
        .line = "config [--list | --sample | [--folder DIR] [--program NAME]]",
        .text = "Prints the settings in force and their origins. novem.conf beside the program, or "
                "the\n"
                "file that NOVEM_CONFIG names, has a line `name = value` for each setting. Lines "
                "after\n"
                "`[game.exe]` apply only to that program, up to the next such line. NOVEM_<name> "
                "in the\n"
                "environment overrides both. --list marks settings that change pictures, with "
                "which\n"
                "`novem golden` does not run. The exit code is 2 if a setting is unknown or "
                "invalid.",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    struct api_setting setting;
    int code = tool_parse(&usage, argc, argv, NULL);

    if (code >= 0)
        return code;
    if (sample)
        return print_sample(), TOOL_OK;
    if (program)
        api_config_set_program(program);
    if (folder)
        return print_folder(folder, program);
    for (unsigned i = 0; api_setting(i, &setting); i++)
        if (list)
            printf("%s (%s)%s\n    %s\n", setting.name, shown(setting.default_value),
                   setting.is_picture_setting ? " [changes pictures]" : "", setting.help);
        else
            printf("%-16s = %-16s # %s\n", setting.name, setting.value ? setting.value : "",
                   setting.origin);
    return api_config_has_mistakes() ? TOOL_ERROR : TOOL_OK;
}
