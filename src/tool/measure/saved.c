/* Figures of an earlier run.
 *
 * Tested by tests/unit/tool/measure/test_saved.c. */
#include "tool/measure/saved.h"

#include "tool/cli/cli.h"
#include "util/alloc.h"

#include <math.h>

cJSON *saved_read(const char *command, const char *path)
{
    uint8_t *bytes;
    size_t n;
    enum status st = tool_file_read(path, &bytes, &n);
    cJSON *o = NULL;

    if (st != ST_OK) {
        tool_error(command, "%s: %s", path, tool_file_reason(path, st));
        return NULL;
    }
    o = cJSON_ParseWithOpts((const char *)bytes, NULL, true);
    if (!o)
        tool_error(command, "%s: not valid JSON", path);
    mem_free(bytes);
    return o;
}

bool saved_number(const cJSON *o, const char *name, double *out)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);

    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble) || fabs(item->valuedouble) > 1e15)
        return false;
    *out = item->valuedouble;
    return true;
}

bool saved_text(const cJSON *o, const char *name, const char **out)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);

    if (!cJSON_IsString(item))
        return false;
    *out = item->valuestring;
    return true;
}

bool saved_flag(const cJSON *o, const char *name, bool otherwise)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);

    return item ? cJSON_IsTrue(item) : otherwise;
}
