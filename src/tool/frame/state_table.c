/* Table of all states of a draw: where they lie in a draw_state, and how they read.
 *
 * Tested by tests/unit/tool/frame/test_state_table.c. */
#include "tool/frame/state_table.h"

#include "tool/inspect/state_names.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum kind { STATE, FLOATS, NUMBER, SIGNED, SWITCH, LIGHT_TYPE };
enum { MOST = 1024 };

static struct table {
    struct frame_state state[MOST];
    unsigned n;
    char group[FRAME_GROUP];
    int sampler, stage, light;
    bool fixed_vertex;
    struct draw_state initial;
    bool ready;
} table;

/* --- Building --------------------------------------------------------------------------------- */

static void add(const char *name, size_t offset, size_t bytes, enum kind kind)
{
    struct frame_state *s = &table.state[table.n];

    if (table.n == MOST)
        return;
    table.n++;
    memcpy(s->group, table.group, sizeof(s->group));
    snprintf(s->name, sizeof(s->name), "%s", name);
    s->offset = offset;
    s->bytes = (uint8_t)bytes;
    s->kind = (uint8_t)kind;
    s->sampler = (int8_t)table.sampler;
    s->stage = (int8_t)table.stage;
    s->light = (int8_t)table.light;
    s->fixed_vertex = table.fixed_vertex;
}

static void begin(const char *group, bool fixed_vertex)
{
    snprintf(table.group, sizeof(table.group), "%s", group);
    table.sampler = table.stage = table.light = -1;
    table.fixed_vertex = fixed_vertex;
}

/* Adds a state that is a DWORD, and its default. */
static void add_state(const char *name, size_t offset, DWORD value)
{
    memcpy((uint8_t *)&table.initial + offset, &value, sizeof(value));
    add(name, offset, sizeof(value), STATE);
}

static void add_render_states(void)
{
    begin("render state", false);
#define RS(name, value, blocks)                                                                    \
    add_state(#name, offsetof(struct draw_state, render) + sizeof(DWORD) * D3DRS_##name, value);
#include "api/states.def"
}

static void add_samplers(void)
{
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++) {
        size_t at = offsetof(struct draw_state, sampler) + sizeof(table.initial.sampler[0]) * i;

        begin("", false);
        if (i < DRAW_DISPLACEMENT_SAMPLER)
            snprintf(table.group, sizeof(table.group), "sampler %u", i);
        else if (i == DRAW_DISPLACEMENT_SAMPLER)
            snprintf(table.group, sizeof(table.group), "displacement sampler");
        else
            snprintf(table.group, sizeof(table.group), "vertex sampler %u",
                     i - DRAW_VERTEX_SAMPLER);
        table.sampler = (int)i;
#define SAMP(name, value, blocks) add_state(#name, at + sizeof(DWORD) * D3DSAMP_##name, value);
#include "api/states.def"
    }
}

static void add_stages(void)
{
    for (unsigned i = 0; i < FF_STAGES; i++) {
        size_t at = offsetof(struct draw_state, stage) + sizeof(table.initial.stage[0]) * i;

        begin("", false);
        snprintf(table.group, sizeof(table.group), "stage %u", i);
        table.stage = (int)i;
#define TSS(name, value, blocks) add_state(#name, at + sizeof(DWORD) * D3DTSS_##name, value);
#include "api/states.def"
        table.initial.stage[i][D3DTSS_TEXCOORDINDEX] = i;
    }
    table.initial.stage[0][D3DTSS_COLOROP] = D3DTOP_MODULATE;
    table.initial.stage[0][D3DTSS_ALPHAOP] = D3DTOP_SELECTARG1;
}

#define MEMBER(name, member, kind)                                                                 \
    add(name, offsetof(struct draw_state, member), sizeof(table.initial.member), kind)

static void add_view(void)
{
    begin("viewport", false);
    MEMBER("x", viewport.X, NUMBER);
    MEMBER("y", viewport.Y, NUMBER);
    MEMBER("width", viewport.Width, NUMBER);
    MEMBER("height", viewport.Height, NUMBER);
    MEMBER("minimum depth", viewport.MinZ, FLOATS);
    MEMBER("maximum depth", viewport.MaxZ, FLOATS);
    begin("scissor", false);
    MEMBER("left", scissor.left, SIGNED);
    MEMBER("top", scissor.top, SIGNED);
    MEMBER("right", scissor.right, SIGNED);
    MEMBER("bottom", scissor.bottom, SIGNED);
}

static void add_transforms(void)
{
    char name[32];

    begin("transform", true);
    for (unsigned i = 0; i < 4; i++) {
        snprintf(name, sizeof(name), i ? "world %u" : "world", i);
        add(name, offsetof(struct draw_state, world) + i * sizeof(D3DMATRIX), sizeof(D3DMATRIX),
            FLOATS);
    }
    MEMBER("view", view, FLOATS);
    MEMBER("projection", projection, FLOATS);
    for (unsigned i = 0; i < FF_STAGES; i++) {
        snprintf(name, sizeof(name), "texture %u", i);
        add(name, offsetof(struct draw_state, texture_matrix) + i * sizeof(D3DMATRIX),
            sizeof(D3DMATRIX), FLOATS);
    }
}

static void add_lighting(void)
{
    begin("material", true);
    MEMBER("diffuse", material.Diffuse, FLOATS);
    MEMBER("ambient", material.Ambient, FLOATS);
    MEMBER("specular", material.Specular, FLOATS);
    MEMBER("emissive", material.Emissive, FLOATS);
    MEMBER("power", material.Power, FLOATS);
    for (unsigned i = 0; i < FF_LIGHTS; i++) {
        size_t at = offsetof(struct draw_state, light) + i * sizeof(D3DLIGHT9);

        begin("", true);
        snprintf(table.group, sizeof(table.group), "light %u", i);
        table.light = (int)i;
#define LIGHT(name, member, kind)                                                                  \
    add(name, at + offsetof(D3DLIGHT9, member), sizeof(((D3DLIGHT9 *)0)->member), kind)
        LIGHT("type", Type, LIGHT_TYPE);
        LIGHT("diffuse", Diffuse, FLOATS);
        LIGHT("specular", Specular, FLOATS);
        LIGHT("ambient", Ambient, FLOATS);
        LIGHT("position", Position, FLOATS);
        LIGHT("direction", Direction, FLOATS);
        LIGHT("range", Range, FLOATS);
        LIGHT("falloff", Falloff, FLOATS);
        LIGHT("attenuation 0", Attenuation0, FLOATS);
        LIGHT("attenuation 1", Attenuation1, FLOATS);
        LIGHT("attenuation 2", Attenuation2, FLOATS);
        LIGHT("theta", Theta, FLOATS);
        LIGHT("phi", Phi, FLOATS);
    }
}

static void add_others(void)
{
    char name[32];

    begin("clip plane", false);
    for (unsigned i = 0; i < DRAW_CLIP_PLANES; i++) {
        snprintf(name, sizeof(name), "plane %u", i);
        add(name, offsetof(struct draw_state, clip_plane) + i * sizeof(float[4]), sizeof(float[4]),
            FLOATS);
    }
    begin("device", false);
    MEMBER("software vertices", software_vertices, SWITCH);
    MEMBER("alpha to coverage", alpha_to_mask, SWITCH);
    MEMBER("N-patch segments", npatch, FLOATS);
}

const struct frame_state *frame_states(unsigned *n)
{
    if (!table.ready) {
        draw_state_init(&table.initial);
        add_render_states();
        add_samplers();
        add_stages();
        add_view();
        add_transforms();
        add_lighting();
        add_others();
        table.ready = true;
    }
    *n = table.n;
    return table.state;
}

const struct draw_state *frame_states_default(void)
{
    unsigned n;

    frame_states(&n);
    return &table.initial;
}

/* --- Comparing -------------------------------------------------------------------------------- */

bool frame_state_exists(const struct frame_state *s, const struct draw_state *state)
{
    return s->light < 0 || (uint32_t)s->light < state->n_lights;
}

bool frame_state_same(const struct frame_state *s, const struct draw_state *a,
                      const struct draw_state *b)
{
    if (frame_state_exists(s, a) != frame_state_exists(s, b))
        return false;
    return !frame_state_exists(s, a) ||
           !memcmp((const uint8_t *)a + s->offset, (const uint8_t *)b + s->offset, s->bytes);
}

unsigned frame_states_differ(const struct draw_state *a, const struct draw_state *b)
{
    unsigned n, differ = 0;
    const struct frame_state *s = frame_states(&n);

    for (unsigned i = 0; i < n; i++)
        differ += !frame_state_same(&s[i], a, b);
    return differ;
}

uint32_t frame_samplers(const struct vm_program *vertex, const struct vm_program *pixel)
{
    uint32_t samplers = 0;

    if (pixel)
        samplers = vm_program_info(pixel)->samplers;
    if (vertex)
        samplers |= (vm_program_info(vertex)->samplers & 15) << DRAW_VERTEX_SAMPLER;
    return samplers;
}

uint32_t frame_stages(const struct draw_state *state)
{
    uint32_t stages = state->ps ? 0 : 1;

    for (unsigned i = 0; !state->ps && i < FF_STAGES; i++)
        if (state->stage[i][D3DTSS_COLOROP] != D3DTOP_DISABLE)
            stages |= 1u << i;
    return stages;
}

/* --- Text ------------------------------------------------------------------------------------- */

/* "D3DTA_TEXTURE|D3DTA_COMPLEMENT" to "TEXTURE|COMPLEMENT"; "D3DTSS_TCI_SPHEREMAP" to "SPHEREMAP".
 */
static void put_plain(char out[FRAME_VALUE], const char *name)
{
    static const char *const prefixes[] = {"D3DTSS_TCI_", "D3DCOLORWRITEENABLE_", "D3DTEXF_",
                                           "D3DTADDRESS_"};
    size_t n = 0;

    while (*name && n + 1 < FRAME_VALUE) {
        const char *skip = NULL;

        for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
            if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
                skip = name + strlen(prefixes[i]);
        if (!skip && !strncmp(name, "D3D", 3) && strchr(name, '_'))
            skip = strchr(name, '_') + 1;
        name = skip ? skip : name;
        while (*name && n + 1 < FRAME_VALUE) {
            out[n++] = *name++;
            if (name[-1] == '|')
                break;
        }
    }
    out[n] = 0;
}

static void put_state(char out[FRAME_VALUE], const char *name, DWORD value)
{
    char text[STATE_NAME_BYTES];
    float x;

    memcpy(&x, &value, sizeof(x));
    if (inspect_state_value_name(text, name, value)) {
        put_plain(out, text);
        return;
    }
    if (strstr(name, "COLOR") || !strcmp(name, "TEXTUREFACTOR") || !strcmp(name, "AMBIENT") ||
        !strcmp(name, "CONSTANT"))
        snprintf(out, FRAME_VALUE, "0x%08" PRIx32, (uint32_t)value);
    else if ((value > 0x30000000 && value < 0x50000000) ||
             (value > 0xb0000000 && value < 0xd0000000))
        snprintf(out, FRAME_VALUE, "%.9g", (double)x);
    else
        snprintf(out, FRAME_VALUE, value > 0xffff ? "0x%08" PRIx32 : "%" PRIu32, (uint32_t)value);
}

static void put_floats(char out[FRAME_VALUE], const uint8_t *at, unsigned bytes)
{
    size_t n = 0;

    *out = 0;
    for (unsigned i = 0; i < bytes / 4 && n < FRAME_VALUE; i++) {
        float x;

        memcpy(&x, at + i * sizeof(x), sizeof(x));
        n += (size_t)snprintf(out + n, FRAME_VALUE - n, "%s%.9g",
                              !i      ? ""
                              : i % 4 ? " "
                                      : ", ",
                              (double)x);
    }
}

void frame_state_text(char out[FRAME_VALUE], const struct frame_state *s,
                      const struct draw_state *state)
{
    static const char *const lights[] = {"none", "POINT", "SPOT", "DIRECTIONAL"};
    const uint8_t *at = (const uint8_t *)state + s->offset;
    uint32_t value = 0;

    *out = 0;
    if (!frame_state_exists(s, state))
        return;
    memcpy(&value, at, s->bytes < 4 ? s->bytes : 4);
    switch ((enum kind)s->kind) {
    case STATE:
        put_state(out, s->name, value);
        break;
    case FLOATS:
        put_floats(out, at, s->bytes);
        break;
    case NUMBER:
        snprintf(out, FRAME_VALUE, "%" PRIu32, value);
        break;
    case SIGNED:
        snprintf(out, FRAME_VALUE, "%" PRId32, (int32_t)value);
        break;
    case SWITCH:
        snprintf(out, FRAME_VALUE, "%s", *at ? "TRUE" : "FALSE");
        break;
    case LIGHT_TYPE:
        snprintf(out, FRAME_VALUE, "%s", value < 4 ? lights[value] : "unknown");
        break;
    }
}
