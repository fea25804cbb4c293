/* Shader constants given on the command line.
 *
 * Tested by tests/unit/tool/shader/test_run.c. */
#include "tool/cli/cli.h"
#include "tool/shader/run.h"

#include <string.h>
#include <strings.h>

static int bad(const char *command, const char *option, const char *text, const char *form)
{
    return tool_error(command, "%s %s: expected %s", option, text, form);
}

/* Parses c4=1,2,3,4/5,6,7,8, which sets c4 and c5. */
int run_constants_float(struct run_constants *k, const char *command, const char *text)
{
    static const char form[] = "c0=1,2,3,4 or, for consecutive registers, c0=1,0,0,0/0,1,0,0/...";
    char name[RUN_NAME];
    const char *at = run_split_name(text, name);
    int reg = at ? run_register_number(name, 'c') : -1;
    struct run_vector v;

    if (reg < 0)
        return bad(command, "--const", text, form);
    for (;; reg++, at++) {
        if (!run_parse_vector(&at, &v))
            return bad(command, "--const", text, form);
        if (reg >= RUN_FLOATS)
            return tool_error(command, "--const %s: the last register is c%d", text,
                              RUN_FLOATS - 1);
        memset(k->f[reg], 0, sizeof(k->f[reg]));
        memcpy(k->f[reg], v.x, v.n * sizeof(float));
        if (*at != '/')
            return *at ? bad(command, "--const", text, form) : TOOL_OK;
    }
}

int run_constants_int(struct run_constants *k, const char *command, const char *text)
{
    char name[RUN_NAME];
    const char *at = run_split_name(text, name);
    int reg = at ? run_register_number(name, 'i') : -1;
    unsigned n;

    if (reg < 0 || reg >= RUN_INTS || !run_parse_ints(&at, k->i[reg], &n) || *at)
        return bad(command, "--int", text, "i0=count,start,step");
    return TOOL_OK;
}

int run_constants_bool(struct run_constants *k, const char *command, const char *text)
{
    char name[RUN_NAME];
    const char *at = run_split_name(text, name);
    int reg = at ? run_register_number(name, 'b') : -1;
    bool on, off;

    if (reg < 0 || reg >= RUN_BOOLS)
        return bad(command, "--bool", text, "b0=1 or b0=false");
    on = !strcmp(at, "1") || !strcasecmp(at, "true");
    off = !strcmp(at, "0") || !strcasecmp(at, "false");
    if (!on && !off)
        return bad(command, "--bool", text, "b0=1 or b0=false");
    k->b[reg] = on;
    return TOOL_OK;
}

int run_constants_bump(struct run_constants *k, const char *command, const char *text)
{
    static const char form[] = "1=m00,m01,m10,m11 or 1=m00,m01,m10,m11/scale,offset";
    char name[RUN_NAME];
    const char *at = run_split_name(text, name);
    int stage = at && name[0] >= '0' && name[0] <= '7' && !name[1] ? name[0] - '0' : -1;
    struct run_vector v;

    if (stage < 0 || !run_parse_vector(&at, &v) || v.n != 4)
        return bad(command, "--bump", text, form);
    memcpy(k->system[VM_SYSTEM_BUMP_MATRIX + stage], v.x, sizeof(v.x));
    if (!*at)
        return TOOL_OK;
    if (*at++ != '/' || !run_parse_vector(&at, &v) || v.n != 2 || *at)
        return bad(command, "--bump", text, form);
    memcpy(k->system[VM_SYSTEM_BUMP_LUMINANCE + stage], v.x, 2 * sizeof(float));
    return TOOL_OK;
}
