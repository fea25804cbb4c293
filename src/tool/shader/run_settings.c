/* Inputs, constants and textures of a command line.
 *
 * Tested by tests/unit/tool/shader/test_run.c. */
#include "tool/shader/run.h"

typedef int constant_fn(struct run_constants *k, const char *command, const char *text);

static int set_constants(struct run_constants *k, const char *command, const struct tool_list *list,
                         constant_fn *set)
{
    int code = TOOL_OK;

    for (unsigned i = 0; code == TOOL_OK && i < list->n; i++)
        code = set(k, command, list->text[i]);
    return code;
}

static int set_inputs(const struct run_settings *s, const char *command, const struct vm_info *info,
                      struct run_inputs *in)
{
    int code = s->input_file ? run_inputs_file(in, command, s->input_file) : TOOL_OK;

    for (unsigned i = 0; code == TOOL_OK && i < s->inputs.n; i++)
        code = run_inputs_option(in, command, s->inputs.text[i]);
    in->quads |= s->quads;
    return code == TOOL_OK ? run_inputs_check(in, command, info) : code;
}

static int set_textures(const struct run_settings *s, const char *command,
                        const struct vm_info *info, struct run_textures *tex)
{
    int code = TOOL_OK;

    for (unsigned i = 0; code == TOOL_OK && i < s->textures.n; i++)
        code = run_textures_option(tex, command, s->textures.text[i]);
    return code == TOOL_OK ? run_textures_open(tex, command, info) : code;
}

int run_settings_apply(const struct run_settings *s, const char *command,
                       const struct vm_info *info, struct run_inputs *in, struct run_constants *k,
                       struct run_textures *tex)
{
    int code = set_inputs(s, command, info, in);

    if (code == TOOL_OK)
        code = set_constants(k, command, &s->floats, run_constants_float);
    if (code == TOOL_OK)
        code = set_constants(k, command, &s->ints, run_constants_int);
    if (code == TOOL_OK)
        code = set_constants(k, command, &s->bools, run_constants_bool);
    if (code == TOOL_OK)
        code = set_constants(k, command, &s->bumps, run_constants_bump);
    return code == TOOL_OK ? set_textures(s, command, info, tex) : code;
}
