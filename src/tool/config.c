/* `novem config`: prints the settings in force, or all settings with help and default. */
#include "tool/tool.h"

#include "api/api.h"

#include <stdio.h>

static const char *shown(const char *value)
{
    return value ? value : "none";
}

int tool_config(int argc, char **argv)
{
    const char *program = NULL;
    bool list = false;
    const struct tool_option options[] = {
        {"--list", NULL, "what each does and its default, instead of what is in force", OPT_FLAG,
         &list},
    };
    const struct tool_usage usage = {
        .line = "config [--list | --program NAME]",
        .text =
            "Settings stand in novem.conf beside the program, or in the file that NOVEM_CONFIG "
            "names, a\n"
            "line `name = value` each. Lines after `[game.exe]` are for that program alone, up "
            "to the\n"
            "next such line. NOVEM_<name> in the environment wins over both. Ends with 2 where a\n"
            "setting has a former name.",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    struct api_setting setting;
    int code = tool_parse(&usage, argc, argv, NULL);

    if (code >= 0)
        return code;
    if (program)
        api_config_set_program(program);
    for (unsigned i = 0; api_setting(i, &setting); i++)
        if (list)
            printf("%s (%s)\n    %s\n", setting.name, shown(setting.default_value), setting.help);
        else
            printf("%-16s = %-16s # %s\n", setting.name, setting.value ? setting.value : "",
                   setting.origin);
    return api_config_uses_former_names() ? TOOL_ERROR : TOOL_OK;
}
