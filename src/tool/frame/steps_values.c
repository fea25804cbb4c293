/* Inputs, constants and outputs of a shader that is followed step by step.
 *
 * Tested by tests/unit/tool/frame/test_steps.c. */
#include "tool/frame/event_json.h"
#include "tool/frame/json.h"
#include "tool/frame/steps.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 32 };

/* --- Registers -------------------------------------------------------------------------------- */

void frame_add_mask(cJSON *object, const char *key, unsigned mask)
{
    char text[5];
    unsigned n = 0;

    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            text[n++] = "xyzw"[c];
    text[n] = 0;
    frame_add_text(object, key, text);
}

void frame_add_register(cJSON *list, const char *reg, const char *name, unsigned mask,
                        const float value[4])
{
    cJSON *object = frame_append(list), *values;

    frame_add_text(object, "register", reg);
    frame_add_text(object, "name", name);
    frame_add_mask(object, "mask", mask);
    values = frame_add_array(object, "value");
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            cJSON_AddItemToArray(values, frame_float(value[c]));
}

/* "TEXCOORD0"; false: the usage has no name. */
static bool usage_name(char out[NAME], const struct vm_io *io)
{
    const char *usage = vm_usage_text(io->usage);

    if (!usage)
        return false;
    snprintf(out, NAME, "%s%u", usage, io->index);
    for (char *at = out; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return true;
}

static void add_io(cJSON *list, const char *reg, const struct vm_io *io, const float *values)
{
    char name[NAME];
    float x[4] = {0};

    for (unsigned c = 0; c < 4; c++)
        if (io->slot[c] >= 0)
            x[c] = values[io->slot[c] * VM_LANES];
    frame_add_register(list, reg, usage_name(name, io) ? name : NULL, io->mask, x);
}

/* --- Inputs and outputs ----------------------------------------------------------------------- */

static void input_register(char out[VM_REGISTER_TEXT], const struct vm_info *info,
                           const struct vm_io *io)
{
    bool coordinate = info->stage == VM_PIXEL && info->major < 3 && io->usage == VM_USAGE_TEXCOORD;

    if (io->usage == VM_USAGE_VPOS || io->usage == VM_USAGE_VFACE)
        vm_register_text(out, VM_FILE_MISC, io->usage == VM_USAGE_VFACE);
    else
        vm_register_text(out, coordinate ? VM_FILE_TEXTURE : VM_FILE_INPUT, io->reg);
}

cJSON *frame_inputs_json(const struct vm_program *program, const float *values)
{
    const struct vm_info *info = vm_program_info(program);
    cJSON *list = cJSON_CreateArray();
    char reg[VM_REGISTER_TEXT];

    for (unsigned i = 0; i < info->n_inputs; i++) {
        input_register(reg, info, &info->input[i]);
        add_io(list, reg, &info->input[i], values);
    }
    return list;
}

static void output_register(char out[VM_REGISTER_TEXT], const struct vm_info *info,
                            const struct vm_io *io)
{
    unsigned file = VM_FILE_OUTPUT;

    if (info->major < 3)
        file = io->usage == VM_USAGE_COLOR      ? VM_FILE_ATTROUT
               : io->usage == VM_USAGE_TEXCOORD ? VM_FILE_TEXCRDOUT
                                                : VM_FILE_RASTOUT;
    vm_register_text(out, file, io->reg);
}

cJSON *frame_vertex_outputs_json(const struct vm_program *program, const float *values)
{
    const struct vm_info *info = vm_program_info(program);
    cJSON *list = cJSON_CreateArray();
    char reg[VM_REGISTER_TEXT];

    for (unsigned i = 0; i < info->n_outputs; i++) {
        output_register(reg, info, &info->output[i]);
        add_io(list, reg, &info->output[i], values);
    }
    return list;
}

/* --- Constants -------------------------------------------------------------------------------- */

/* Appends a constant of the answer `event/CALL` with its letter. */
static void add_constant(cJSON *list, char letter, const cJSON *constant)
{
    cJSON *object = frame_append(list);
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(constant, "name");
    char reg[16];

    snprintf(reg, sizeof(reg), "%c%d", letter,
             cJSON_GetObjectItemCaseSensitive(constant, "register")->valueint);
    frame_add_text(object, "register", reg);
    frame_add_text(object, "name", cJSON_GetStringValue(name));
    cJSON_AddItemToObject(
        object, "value",
        cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(constant, "value"), true));
}

static cJSON *defined_value(const struct vm_defined *def)
{
    cJSON *list;

    if (def->file == VM_FILE_CONST)
        return frame_floats(def->f, 4);
    if (def->file == VM_FILE_CONSTBOOL)
        return cJSON_CreateBool(def->i[0] != 0);
    list = cJSON_CreateArray();
    for (unsigned c = 0; c < 4; c++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber(def->i[c]));
    return list;
}

/* A definition hides the value that the program has set. */
static void add_defined(cJSON *list, const struct vm_defined *def)
{
    char reg[VM_REGISTER_TEXT];
    cJSON *item, *found = NULL;

    vm_register_text(reg, def->file, def->index);
    cJSON_ArrayForEach(item, list)
    {
        if (!strcmp(cJSON_GetObjectItemCaseSensitive(item, "register")->valuestring, reg))
            found = item;
    }
    if (!found) {
        found = frame_append(list);
        frame_add_text(found, "register", reg);
    }
    cJSON_DeleteItemFromObjectCaseSensitive(found, "value");
    cJSON_AddItemToObject(found, "value", defined_value(def));
    cJSON_AddTrueToObject(found, "defined");
}

cJSON *frame_step_constants_json(const struct draw_state *state, const struct vm_program *program,
                                 bool pixel)
{
    static const char *const kinds[] = {"float", "int", "bool"};
    const struct vm_program *const programs[2] = {pixel ? NULL : program, pixel ? program : NULL};
    cJSON *all = frame_constants_json(state, NULL, programs), *list = cJSON_CreateArray();
    const cJSON *stage = cJSON_GetObjectItemCaseSensitive(all, pixel ? "pixel" : "vertex"), *c;
    struct vm_defined def;

    for (unsigned k = 0; k < 3; k++)
        cJSON_ArrayForEach(c, cJSON_GetObjectItemCaseSensitive(stage, kinds[k]))
        {
            add_constant(list, "cib"[k], c);
        }
    for (uint32_t i = 0; vm_program_defined(program, i, &def); i++)
        add_defined(list, &def);
    cJSON_Delete(all);
    return list;
}
