/* Text output of a draw's state.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "draw/draw.h"
#include "tex/tex.h"
#include "tool/inspect/frame.h"
#include "tool/inspect/state_names.h"
#include "util/plural.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

struct named {
    const char *name;
    unsigned number;
    DWORD value; /* default value */
};

static const struct named render_states[] = {
#define RS(name, value, blocks) {#name, D3DRS_##name, value},
#include "api/states.def"
};
static const struct named stage_states[] = {
#define TSS(name, value, blocks) {#name, D3DTSS_##name, value},
#include "api/states.def"
};
static const struct named sampler_states[] = {
#define SAMP(name, value, blocks) {#name, D3DSAMP_##name, value},
#include "api/states.def"
};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Describes enumerations and flags by name, and values that look like floats as floats. */
static void describe(char text[STATE_NAME_BYTES], const char *name, DWORD value)
{
    float x;

    memcpy(&x, &value, sizeof(x));
    if (inspect_state_value_name(text, name, value))
        return;
    if (value > 0x30000000 && value < 0x50000000 && !strstr(name, "COLOR") &&
        strcmp(name, "TEXTUREFACTOR") != 0)
        snprintf(text, STATE_NAME_BYTES, "%.9g", (double)x);
    else
        snprintf(text, STATE_NAME_BYTES, value > 0xffff ? "0x%08x" : "%u", (unsigned)value);
}

/* The tables by enum inspect_state_kind. */
static const struct {
    const char *prefix;
    const struct named *table;
    size_t n;
} kinds[] = {{"D3DRS_", render_states, COUNT(render_states)},
             {"D3DTSS_", stage_states, COUNT(stage_states)},
             {"D3DSAMP_", sampler_states, COUNT(sampler_states)}};

bool inspect_state_find(enum inspect_state_kind kind, const char *text, uint32_t *state,
                        const char **name)
{
    size_t prefix = strlen(kinds[kind].prefix);

    if (!strncasecmp(text, kinds[kind].prefix, prefix))
        text += prefix;
    for (size_t i = 0; i < kinds[kind].n; i++)
        if (!strcasecmp(kinds[kind].table[i].name, text)) {
            *state = kinds[kind].table[i].number;
            *name = kinds[kind].table[i].name;
            return true;
        }
    return false;
}

bool inspect_state_describe(char out[STATE_TEXT_BYTES], enum inspect_state_kind kind,
                            uint32_t state, uint32_t value)
{
    char text[STATE_NAME_BYTES];

    for (size_t i = 0; i < kinds[kind].n; i++)
        if (kinds[kind].table[i].number == state) {
            describe(text, kinds[kind].table[i].name, value);
            snprintf(out, STATE_TEXT_BYTES, "%s%s = %s", kinds[kind].prefix,
                     kinds[kind].table[i].name, text);
            return true;
        }
    return false;
}

static void print_all(FILE *out, const char *prefix, const struct named *table, size_t n,
                      const DWORD *values)
{
    char text[STATE_NAME_BYTES];

    for (size_t i = 0; i < n; i++) {
        if (values[table[i].number] == table[i].value)
            continue;
        describe(text, table[i].name, values[table[i].number]);
        fprintf(out, "%s%s = %s\n", prefix, table[i].name, text);
    }
}

static void print_matrix(FILE *out, const char *name, const D3DMATRIX *m)
{
    static const float identity[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};

    if (!memcmp(m->m, identity, sizeof(identity)))
        return;
    fprintf(out, "%s =", name);
    for (unsigned i = 0; i < 16; i++)
        fprintf(out, "%s%.9g", i % 4 ? " " : i ? ", " : " ", (double)m->m[i / 4][i % 4]);
    fprintf(out, "\n");
}

static void print_streams(FILE *out, const struct draw_state *state)
{
    for (unsigned i = 0; i < DRAW_STREAMS; i++) {
        const struct draw_stream *s = &state->stream[i];

        if (s->data)
            fprintf(out,
                    "stream %u: offset %" PRIu32 ", stride %" PRIu32 ", frequency 0x%08" PRIx32
                    "\n",
                    i, s->offset, s->stride, s->frequency);
        if (state->textures_as_streams && state->stream_sampler[i])
            fprintf(out, "stream %u: the texels of sampler %u\n", i, state->stream_sampler[i]);
    }
}

/* Elements without data follow those with data; the tessellator makes them. */
static void print_elements(FILE *out, const struct draw_decl *decl)
{
    for (unsigned i = 0; i < decl->n + decl->n_generated; i++) {
        const D3DVERTEXELEMENT9 *e = &decl->element[i];
        const char *usage = vm_usage_text(e->Usage), *type = inspect_decl_type_name(e->Type);
        const char *method = inspect_decl_method_name(e->Method);

        if (i < decl->n)
            fprintf(out, "element: stream %u, offset %u, %s, ", e->Stream, e->Offset,
                    type ? type : "unknown type");
        else
            fprintf(out, "element: ");
        fprintf(out, "%s%u", usage ? usage : "usage", e->UsageIndex);
        if (e->Method != D3DDECLMETHOD_DEFAULT)
            fprintf(out, ", %s", method ? method : "unknown method");
        fprintf(out, "\n");
    }
}

static bool has_convolution(const struct draw_state *state, uint32_t samplers)
{
    bool found = false;

    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        found |= (samplers >> i & 1) &&
                 (state->sampler[i][D3DSAMP_MINFILTER] == D3DTEXF_CONVOLUTIONMONO ||
                  state->sampler[i][D3DSAMP_MAGFILTER] == D3DTEXF_CONVOLUTIONMONO);
    return found;
}

/* What methods of the device set, not render states. */
static void print_modes(FILE *out, const struct draw_state *state, uint32_t samplers)
{
    DWORD kernel = state->render[FF_RS_CONVOLUTION_MONO];

    if (state->tessellator && state->npatch != 0.0f)
        fprintf(out, "N-patches: %.9g segments\n", (double)state->npatch);
    if (has_convolution(state, samplers))
        fprintf(out, "convolution: %ux%u\n", (unsigned)kernel & 255, (unsigned)kernel >> 8 & 255);
}

static void print_target(FILE *out, const char *name, const struct draw_target *target)
{
    if (target->image)
        fprintf(out,
                "%s: %s, %" PRIu32 "x%" PRIu32 ", " PLURAL_FORMAT ", face %" PRIu32
                ", level %" PRIu32 "\n",
                name, target->image->format->name, target->image->desc.width,
                target->image->desc.height,
                PLURAL(target->image->desc.samples, "sample", "samples"), target->face,
                target->level);
}

static void print_transforms(FILE *out, const struct draw_state *state)
{
    print_matrix(out, "world", &state->world[0]);
    print_matrix(out, "view", &state->view);
    print_matrix(out, "projection", &state->projection);
}

void inspect_states_print(FILE *out, const struct draw_state *state, uint32_t samplers,
                          uint32_t stages)
{
    const D3DVIEWPORT9 *v = &state->viewport;
    char prefix[32];

    for (unsigned t = 0; t < DRAW_TARGETS; t++) {
        snprintf(prefix, sizeof(prefix), "target %u", t);
        print_target(out, prefix, &state->target[t]);
    }
    print_target(out, "depth", &state->depth);
    fprintf(out, "viewport: %u,%u %ux%u, depth %.9g to %.9g\n", (unsigned)v->X, (unsigned)v->Y,
            (unsigned)v->Width, (unsigned)v->Height, (double)v->MinZ, (double)v->MaxZ);
    if (state->render[D3DRS_SCISSORTESTENABLE])
        fprintf(out, "scissor: %d,%d to %d,%d\n", (int)state->scissor.left, (int)state->scissor.top,
                (int)state->scissor.right, (int)state->scissor.bottom);
    print_streams(out, state);
    if (state->decl)
        print_elements(out, state->decl);
    print_modes(out, state, samplers);
    if (!state->vs)
        print_transforms(out, state);
    print_all(out, "", render_states, COUNT(render_states), state->render);
    for (unsigned i = 0; i < FF_STAGES; i++) {
        snprintf(prefix, sizeof(prefix), "stage %u: ", i);
        if (stages >> i & 1)
            print_all(out, prefix, stage_states, COUNT(stage_states), state->stage[i]);
    }
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++) {
        snprintf(prefix, sizeof(prefix), "sampler %u: ", i);
        if (samplers >> i & 1)
            print_all(out, prefix, sampler_states, COUNT(sampler_states), state->sampler[i]);
    }
}
