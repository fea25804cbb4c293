/* JSON of a draw: states, textures, constants, streams, declaration.
 *
 * Tested by tests/unit/tool/frame/test_answer.c. */
#include "tool/frame/constants.h"
#include "tool/frame/event_json.h"
#include "tool/frame/json.h"
#include "tool/frame/state_table.h"
#include "tool/inspect/state_names.h"

#include <stdio.h>
#include <string.h>

/* --- States ----------------------------------------------------------------------------------- */

/* Whether the draw may read the state: its sampler has a texture, its stage is on. */
static bool is_read(const struct frame_state *s, const struct draw_state *state, uint32_t samplers)
{
    if (s->sampler >= 0)
        return samplers >> s->sampler & 1;
    if (s->stage >= 0)
        return frame_stages(state) >> s->stage & 1;
    if (s->fixed_vertex)
        return !state->vs;
    return true;
}

/* All render states, and of the others those that are set and read, or that have changed. */
cJSON *frame_states_json(const struct draw_state *state, const struct draw_state *previous,
                         uint32_t samplers)
{
    const struct draw_state *initial = frame_states_default();
    cJSON *list = cJSON_CreateArray();
    char text[FRAME_VALUE];
    unsigned n;
    const struct frame_state *s = frame_states(&n);

    for (unsigned i = 0; i < n; i++, s++) {
        bool unset = frame_state_same(s, state, initial);
        bool changed = previous && !frame_state_same(s, state, previous);
        cJSON *object;

        if (!changed && (!is_read(s, state, samplers) || !frame_state_exists(s, state) ||
                         (unset && s->kind && strcmp(s->group, "viewport") != 0)))
            continue;
        object = frame_append(list);
        frame_add_text(object, "group", s->group);
        frame_add_text(object, "name", s->name);
        frame_state_text(text, s, state);
        frame_add_text(object, "value", text);
        cJSON_AddBoolToObject(object, "default", unset);
        cJSON_AddBoolToObject(object, "changed", changed);
        if (!changed)
            continue;
        frame_state_text(text, s, previous);
        frame_add_text(object, "before", text);
    }
    return list;
}

/* --- Constants -------------------------------------------------------------------------------- */

static cJSON *add_constant(cJSON *list, const struct vm_program *program, enum frame_register set,
                           unsigned index, bool changed)
{
    cJSON *object = frame_append(list);
    char name[FRAME_CONSTANT_NAME];

    frame_add_number(object, "register", index);
    if (frame_constant_name(name, program, set, index))
        frame_add_text(object, "name", name);
    else
        cJSON_AddNullToObject(object, "name");
    cJSON_AddBoolToObject(object, "changed", changed);
    return object;
}

static bool is_named(const struct vm_program *program, enum frame_register set, unsigned index)
{
    char name[FRAME_CONSTANT_NAME];

    return frame_constant_name(name, program, set, index);
}

static void add_floats(cJSON *stage, const struct vm_program *program,
                       const struct draw_shader_constants *now,
                       const struct draw_shader_constants *before)
{
    cJSON *list = frame_add_array(stage, "float");
    unsigned n = vm_program_info(program)->float_constants;

    for (unsigned i = 0; i < n && i < DRAW_VS_FLOATS; i++) {
        bool changed = before && memcmp(now->f[i], before->f[i], sizeof(now->f[i])) != 0;
        cJSON *object;

        /* With relative addressing a shader may read all; those that are 0 and nameless are left
         * out. */
        if (n > vm_program_info(program)->direct_constants &&
            i >= vm_program_info(program)->direct_constants && !changed && !now->f[i][0] &&
            !now->f[i][1] && !now->f[i][2] && !now->f[i][3] && !is_named(program, FRAME_FLOAT, i))
            continue;
        object = add_constant(list, program, FRAME_FLOAT, i, changed);
        cJSON_AddItemToObject(object, "value", frame_floats(now->f[i], 4));
    }
}

static bool is_zero(const int32_t *values, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (values[i])
            return false;
    return true;
}

/* Integers and booleans: those that are set or named. */
static void add_integers(cJSON *stage, const struct vm_program *program,
                         const struct draw_shader_constants *now,
                         const struct draw_shader_constants *before, bool booleans)
{
    enum frame_register set = booleans ? FRAME_BOOL : FRAME_INT;
    cJSON *list = frame_add_array(stage, booleans ? "bool" : "int");

    for (unsigned i = 0; i < 16; i++) {
        const int32_t *value = booleans ? &now->b[i] : now->i[i];
        const int32_t *old = !before ? NULL : booleans ? &before->b[i] : before->i[i];
        unsigned n = booleans ? 1 : 4;
        bool changed = old && memcmp(value, old, n * sizeof(*value)) != 0;
        cJSON *object, *numbers;

        if (is_zero(value, n) && !changed && !is_named(program, set, i))
            continue;
        object = add_constant(list, program, set, i, changed);
        if (booleans) {
            cJSON_AddBoolToObject(object, "value", *value != 0);
            continue;
        }
        numbers = frame_add_array(object, "value");
        for (unsigned c = 0; c < 4; c++)
            cJSON_AddItemToArray(numbers, cJSON_CreateNumber(value[c]));
    }
}

cJSON *frame_constants_json(const struct draw_state *state, const struct draw_state *previous,
                            const struct vm_program *const programs[2])
{
    cJSON *object = cJSON_CreateObject();

    for (unsigned i = 0; i < 2; i++) {
        const struct draw_shader_constants *now = i ? &state->ps_constants : &state->vs_constants;
        const struct draw_shader_constants *before = !previous ? NULL
                                                     : i       ? &previous->ps_constants
                                                               : &previous->vs_constants;
        cJSON *stage;

        if (!(i ? state->ps : state->vs) || !programs[i])
            continue;
        stage = frame_add_object(object, i ? "pixel" : "vertex");
        add_floats(stage, programs[i], now, before);
        add_integers(stage, programs[i], now, before, false);
        add_integers(stage, programs[i], now, before, true);
    }
    return object;
}

/* --- What is bound ---------------------------------------------------------------------------- */

static void add_textures(cJSON *object, struct frame_walk *walk, const struct cmd_stream *stream,
                         uint32_t samplers, const struct vm_program *const programs[2])
{
    const struct cmd_bindings *bindings = frame_walk_bindings(walk, stream);
    cJSON *list = frame_add_array(object, "textures");
    char name[FRAME_CONSTANT_NAME];

    for (unsigned i = 0; bindings && i < CMD_SAMPLERS; i++) {
        bool vertex = i >= DRAW_VERTEX_SAMPLER;
        unsigned index = vertex ? i - DRAW_VERTEX_SAMPLER : i;
        cJSON *texture;

        if (!(samplers >> i & 1) || !bindings->texture[i])
            continue;
        texture = frame_append(list);
        snprintf(name, sizeof(name), vertex ? "vertex %u" : "%u", index);
        frame_add_text(texture, "sampler", name);
        frame_add_number(texture, "resource", frame_walk_id(walk, stream, bindings->texture[i]));
        if (frame_constant_name(name, programs[!vertex], FRAME_SAMPLER, index))
            frame_add_text(texture, "name", name);
    }
}

static bool has_stream(const struct draw_state *state, unsigned stream)
{
    for (unsigned i = 0; state->decl && i < state->decl->n; i++)
        if (state->decl->element[i].Stream == stream)
            return true;
    return false;
}

static void add_streams(cJSON *object, const struct draw_state *state, struct frame_walk *walk,
                        const struct cmd_stream *stream, bool up)
{
    const struct cmd_bindings *bindings = frame_walk_bindings(walk, stream);
    cJSON *list = frame_add_array(object, "streams"), *entry;

    for (unsigned i = 0; bindings && i < DRAW_STREAMS; i++) {
        const struct draw_stream *s = &state->stream[i];

        if (!s->data || !has_stream(state, i))
            continue;
        entry = frame_append(list);
        frame_add_number(entry, "stream", i);
        frame_add_number(entry, "resource",
                         up && !i ? 0 : frame_walk_id(walk, stream, bindings->stream[i]));
        frame_add_number(entry, "offset", s->offset);
        frame_add_number(entry, "stride", s->stride);
        frame_add_number(entry, "frequency", s->frequency);
    }
    if (!state->indices.data) {
        cJSON_AddNullToObject(object, "indices");
        return;
    }
    entry = frame_add_object(object, "indices");
    frame_add_number(entry, "resource",
                     up || !bindings ? 0 : frame_walk_id(walk, stream, bindings->indices));
    frame_add_text(entry, "format", state->indices.bytes == 4 ? "INDEX32" : "INDEX16");
}

static void add_declaration(cJSON *object, const struct draw_state *state)
{
    static const char *const methods[] = {"DEFAULT", "PARTIALU", "PARTIALV",        "CROSSUV",
                                          "UV",      "LOOKUP",   "LOOKUPPRESAMPLED"};
    cJSON *list = frame_add_array(object, "declaration");

    for (unsigned i = 0; state->decl && i < state->decl->n; i++) {
        const D3DVERTEXELEMENT9 *e = &state->decl->element[i];
        const char *type = inspect_decl_type_name(e->Type), *usage = vm_usage_text(e->Usage);
        cJSON *element = frame_append(list);

        frame_add_number(element, "stream", e->Stream);
        frame_add_number(element, "offset", e->Offset);
        frame_add_text(element, "type", type ? type + strlen("D3DDECLTYPE_") : "unknown");
        frame_add_text(element, "method",
                       e->Method < sizeof(methods) / sizeof(methods[0]) ? methods[e->Method]
                                                                        : "unknown");
        frame_add_text(element, "usage", usage ? usage : "unknown");
        frame_add_number(element, "index", e->UsageIndex);
    }
}

void frame_event_add_draw(cJSON *object, const struct draw_state *state,
                          const struct draw_state *previous, struct frame_walk *walk,
                          const struct cmd_stream *stream, bool up, uint32_t samplers,
                          const struct frame_shader *const shaders[2],
                          const struct vm_program *const programs[2])
{
    cJSON *ids = frame_add_object(object, "shaders");

    for (unsigned i = 0; i < 2; i++)
        if (shaders[i])
            frame_add_text(ids, i ? "pixel" : "vertex", shaders[i]->id);
    cJSON_AddItemToObject(object, "states", frame_states_json(state, previous, samplers));
    add_textures(object, walk, stream, samplers, programs);
    cJSON_AddItemToObject(object, "constants", frame_constants_json(state, previous, programs));
    add_streams(object, state, walk, stream, up);
    add_declaration(object, state);
}
