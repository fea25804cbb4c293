/* Refuses settings that change pictures, for commands whose results would be wrong with them.
 * Tested by tests/unit/tool/golden/test_ci.c and tests/unit/tool/capture/test_compile.c. */
#include "api/api.h"
#include "tool/cli/cli.h"

#include <string.h>

/* targets: only settings that change sizes and samples of targets. */
static bool is_refused(const struct api_setting *setting, bool targets)
{
    return setting->changes_pictures && (!targets || !strcmp(setting->name, "RENDER_SCALE") ||
                                         !strcmp(setting->name, "SAMPLES"));
}

static bool none_is_refused(const char *command, bool targets, const char *why)
{
    struct api_setting setting;
    bool good = true;

    for (unsigned i = 0; api_setting(i, &setting); i++) {
        if (!is_refused(&setting, targets))
            continue;
        tool_error(command, "%s = %s (%s) changes pictures, so %s", setting.name, setting.value,
                   setting.origin, why);
        good = false;
    }
    return good;
}

bool tool_pictures_are_reference(const char *command)
{
    return none_is_refused(command, false, "Novem's would be no reference");
}

bool tool_targets_are_as_asked(const char *command)
{
    return none_is_refused(command, true, "the stream would not be what the program asked for");
}
