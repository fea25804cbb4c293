/* `novem config`: prints the settings in force, or all settings with help and default. */
#include "api/api.h"
#include "tool/cli/cli.h"
#include "tool/commands.h"

#include <stdio.h>

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

int tool_config(int argc, char **argv)
{
    const char *program = NULL;
    bool list = false, sample = false;
    const struct tool_option options[] = {
        {"--list", NULL, "describe every setting and its default instead", OPT_FLAG, &list},
        {"--sample", NULL, "a novem.conf with all settings commented out instead", OPT_FLAG,
         &sample},
        {"--program", "NAME", "the settings in force for program NAME, such as game.exe", OPT_TEXT,
         &program},
    };
    const struct tool_usage usage = {
        .line = "config [--list | --sample | --program NAME]",
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
    for (unsigned i = 0; api_setting(i, &setting); i++)
        if (list)
            printf("%s (%s)%s\n    %s\n", setting.name, shown(setting.default_value),
                   setting.is_picture_setting ? " [changes pictures]" : "", setting.help);
        else
            printf("%-16s = %-16s # %s\n", setting.name, setting.value ? setting.value : "",
                   setting.origin);
    return api_config_has_mistakes() ? TOOL_ERROR : TOOL_OK;
}
