/* Device state in numbered slots: defaults, copies, and the contents of state block types. */
#include "api/state/state.h"

#include "util/alloc.h"

#include <string.h>

enum { N = 0, V = 1, P = 2, VP = 3 };

struct numbered {
    uint16_t state;
    uint8_t blocks;
    DWORD value;
};

static const struct numbered render_states[] = {
#define RS(name, value, blocks) {D3DRS_##name, blocks, value},
#include "api/states.def"
    {CONVOLUTION_STATE, P, DEFAULT_CONVOLUTION},
};
static const struct numbered stage_states[] = {
#define TSS(name, value, blocks) {D3DTSS_##name, blocks, value},
#include "api/states.def"
};
static const struct numbered sampler_states[] = {
#define SAMP(name, value, blocks) {D3DSAMP_##name, blocks, value},
#include "api/states.def"
};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- Slot numbers ----------------------------------------------------------------------------- */

int api_transform_index(D3DTRANSFORMSTATETYPE type)
{
    unsigned t = type;

    if (t == D3DTS_VIEW)
        return 0;
    if (t == D3DTS_PROJECTION)
        return 1;
    if (t >= D3DTS_TEXTURE0 && t <= D3DTS_TEXTURE7)
        return (int)(2 + t - D3DTS_TEXTURE0);
    if (t >= D3DTS_WORLD && t < (unsigned)D3DTS_WORLD + 256)
        return (int)(2 + STAGES + t - D3DTS_WORLD);
    return -1;
}

D3DTRANSFORMSTATETYPE api_transform_type(unsigned index)
{
    if (index < 2)
        return index ? D3DTS_PROJECTION : D3DTS_VIEW;
    if (index < 2 + STAGES)
        return D3DTS_TEXTURE0 + index - 2;
    return D3DTS_WORLD + index - 2 - STAGES;
}

int api_sampler_index(DWORD sampler)
{
    if (sampler < PIXEL_SAMPLERS)
        return (int)sampler;
    if (sampler >= D3DDMAPSAMPLER && sampler <= D3DVERTEXTEXTURESAMPLER3)
        return (int)(sampler - D3DDMAPSAMPLER + PIXEL_SAMPLERS);
    return -1;
}

unsigned api_constants_slot(enum constant_file file)
{
    static const unsigned first[FILE_COUNT] = {SLOT_VS_F, SLOT_VS_I, SLOT_VS_B,
                                               SLOT_PS_F, SLOT_PS_I, SLOT_PS_B};
    return first[file];
}

static enum constant_file file_of(unsigned slot)
{
    unsigned file = FILE_COUNT - 1;

    while (slot < api_constants_slot(file))
        file--;
    return file;
}

unsigned api_slot_next(const struct slot_set *set, unsigned from)
{
    while (from < SLOT_COUNT) {
        uint64_t left = set->bits[from / 64] >> from % 64;

        if (left)
            return from + (unsigned)__builtin_ctzll(left);
        from = (from / 64 + 1) * 64;
    }
    return SLOT_COUNT;
}

/* --- Creation and destruction ----------------------------------------------------------------- */

enum status api_state_init(struct state *state, bool software)
{
    static const unsigned hardware_counts[FILE_COUNT] = {VS_FLOATS, INTS, BOOLS,
                                                         PS_FLOATS, INTS, BOOLS};
    static const unsigned software_counts[FILE_COUNT] = {
        VS_FLOATS_SOFTWARE, INTS_SOFTWARE, BOOLS_SOFTWARE, PS_FLOATS, INTS, BOOLS};
    const unsigned *counts = software ? software_counts : hardware_counts;
    size_t words = 0;
    uint32_t *memory;

    memset(state, 0, sizeof(*state));
    for (unsigned file = 0; file < FILE_COUNT; file++)
        words += (size_t)counts[file] * api_constants_words(file);
    memory = mem_calloc(words, sizeof(*memory));
    if (!memory)
        return ST_NOMEM;
    for (unsigned file = 0; file < FILE_COUNT; file++) {
        state->counts[file] = counts[file];
        state->constants[file] = memory;
        memory += counts[file] * api_constants_words(file);
    }
    return ST_OK;
}

static void unbind_all(struct state *state)
{
    for (unsigned i = 0; i < SAMPLERS; i++)
        api_object_assign((struct object **)&state->texture[i], NULL);
    for (unsigned i = 0; i < STREAMS; i++)
        api_object_assign((struct object **)&state->stream[i].buffer, NULL);
    api_object_assign((struct object **)&state->indices, NULL);
    api_object_assign((struct object **)&state->decl, NULL);
    api_object_assign((struct object **)&state->vertex_shader, NULL);
    api_object_assign((struct object **)&state->pixel_shader, NULL);
}

void api_state_fini(struct state *state)
{
    unbind_all(state);
    mem_free(state->constants[0]);
    memset(state->constants, 0, sizeof(state->constants));
    mem_free(state->lights);
    state->lights = NULL;
    state->n_lights = 0;
}

static void default_numbers(struct state *state)
{
    for (unsigned i = 0; i < COUNT(render_states); i++)
        state->render[render_states[i].state] = render_states[i].value;
    for (unsigned s = 0; s < STAGES; s++) {
        for (unsigned i = 0; i < COUNT(stage_states); i++)
            state->stage[s][stage_states[i].state] = stage_states[i].value;
        state->stage[s][D3DTSS_TEXCOORDINDEX] = s;
    }
    state->stage[0][D3DTSS_COLOROP] = D3DTOP_MODULATE;
    state->stage[0][D3DTSS_ALPHAOP] = D3DTOP_SELECTARG1;
    for (unsigned s = 0; s < SAMPLERS; s++)
        for (unsigned i = 0; i < COUNT(sampler_states); i++)
            state->sampler[s][sampler_states[i].state] = sampler_states[i].value;
}

void api_state_defaults(struct state *state, bool auto_depth, float max_point_size)
{
    static const D3DMATRIX identity = {
        .m = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

    unbind_all(state);
    default_numbers(state);
    state->render[D3DRS_ZENABLE] = auto_depth ? D3DZB_TRUE : D3DZB_FALSE;
    memcpy(&state->render[D3DRS_POINTSIZE_MAX], &max_point_size, sizeof(DWORD));
    for (unsigned i = 0; i < TRANSFORMS; i++)
        state->transform[i] = identity;
    memset(state->clip_plane, 0, sizeof(state->clip_plane));
    for (unsigned i = 0; i < STREAMS; i++) {
        state->stream[i].offset = state->stream[i].stride = 0;
        state->frequency[i] = 1;
    }
    memset(&state->material, 0, sizeof(state->material));
    state->npatch = 0.0f;
    for (unsigned file = 0; file < FILE_COUNT; file++)
        memset(state->constants[file], 0,
               (size_t)state->counts[file] * api_constants_words(file) * sizeof(uint32_t));
    state->n_lights = 0;
}

/* --- Copies ----------------------------------------------------------------------------------- */

static void assign(void *dst, void *obj)
{
    api_object_assign(dst, obj);
}

static void copy_constant(struct state *dst, const struct state *src, unsigned slot)
{
    enum constant_file file = file_of(slot);
    unsigned words = api_constants_words(file);
    unsigned at = (slot - api_constants_slot(file)) * words;

    memcpy(dst->constants[file] + at, src->constants[file] + at, words * sizeof(uint32_t));
}

static void copy_single(struct state *dst, const struct state *src, enum slot slot)
{
    switch (slot) {
    case SLOT_MATERIAL:
        dst->material = src->material;
        break;
    case SLOT_VIEWPORT:
        dst->viewport = src->viewport;
        break;
    case SLOT_SCISSOR:
        dst->scissor = src->scissor;
        break;
    case SLOT_INDICES:
        assign(&dst->indices, src->indices);
        break;
    case SLOT_DECLARATION:
        assign(&dst->decl, src->decl);
        break;
    case SLOT_VERTEX_SHADER:
        assign(&dst->vertex_shader, src->vertex_shader);
        break;
    case SLOT_PIXEL_SHADER:
        assign(&dst->pixel_shader, src->pixel_shader);
        break;
    case SLOT_NPATCH:
        dst->npatch = src->npatch;
        break;
    case SLOT_PALETTE:
        dst->palette = src->palette;
        break;
    default:
        break;
    }
}

void api_state_copy(struct state *dst, const struct state *src, unsigned slot)
{
    unsigned i;

    if (slot >= SLOT_CONSTANTS) {
        copy_constant(dst, src, slot);
    } else if (slot >= SLOT_MATERIAL) {
        copy_single(dst, src, slot);
    } else if (slot >= SLOT_FREQUENCY) {
        i = slot - SLOT_FREQUENCY;
        dst->frequency[i] = src->frequency[i];
    } else if (slot >= SLOT_STREAM) {
        i = slot - SLOT_STREAM;
        assign(&dst->stream[i].buffer, src->stream[i].buffer);
        dst->stream[i].offset = src->stream[i].offset;
        dst->stream[i].stride = src->stream[i].stride;
    } else if (slot >= SLOT_CLIP_PLANE) {
        i = slot - SLOT_CLIP_PLANE;
        memcpy(dst->clip_plane[i], src->clip_plane[i], sizeof(dst->clip_plane[i]));
    } else if (slot >= SLOT_TRANSFORM) {
        i = slot - SLOT_TRANSFORM;
        dst->transform[i] = src->transform[i];
    } else if (slot >= SLOT_TEXTURE) {
        i = slot - SLOT_TEXTURE;
        assign(&dst->texture[i], src->texture[i]);
    } else if (slot >= SLOT_SAMPLER) {
        i = slot - SLOT_SAMPLER;
        (&dst->sampler[0][0])[i] = (&src->sampler[0][0])[i];
    } else if (slot >= SLOT_STAGE) {
        i = slot - SLOT_STAGE;
        (&dst->stage[0][0])[i] = (&src->stage[0][0])[i];
    } else {
        dst->render[slot] = src->render[slot];
    }
}

/* --- Comparison ------------------------------------------------------------------------------- */

struct value {
    const void *at;
    size_t size;
};
#define VALUE(member) ((struct value){&(member), sizeof(member)})

static struct value single_value(const struct state *s, enum slot slot)
{
    switch (slot) {
    case SLOT_MATERIAL:
        return VALUE(s->material);
    case SLOT_VIEWPORT:
        return VALUE(s->viewport);
    case SLOT_SCISSOR:
        return VALUE(s->scissor);
    case SLOT_INDICES:
        return VALUE(s->indices);
    case SLOT_DECLARATION:
        return VALUE(s->decl);
    case SLOT_VERTEX_SHADER:
        return VALUE(s->vertex_shader);
    case SLOT_PIXEL_SHADER:
        return VALUE(s->pixel_shader);
    case SLOT_NPATCH:
        return VALUE(s->npatch);
    default:
        return VALUE(s->palette);
    }
}

static struct value constant_value(const struct state *s, unsigned slot)
{
    enum constant_file file = file_of(slot);
    unsigned words = api_constants_words(file);

    return (struct value){s->constants[file] + (slot - api_constants_slot(file)) * words,
                          words * sizeof(uint32_t)};
}

static struct value value_of(const struct state *s, unsigned slot)
{
    if (slot >= SLOT_CONSTANTS)
        return constant_value(s, slot);
    if (slot >= SLOT_MATERIAL)
        return single_value(s, (enum slot)slot);
    if (slot >= SLOT_FREQUENCY)
        return VALUE(s->frequency[slot - SLOT_FREQUENCY]);
    if (slot >= SLOT_STREAM)
        return VALUE(s->stream[slot - SLOT_STREAM]);
    if (slot >= SLOT_CLIP_PLANE)
        return VALUE(s->clip_plane[slot - SLOT_CLIP_PLANE]);
    if (slot >= SLOT_TRANSFORM)
        return VALUE(s->transform[slot - SLOT_TRANSFORM]);
    if (slot >= SLOT_TEXTURE)
        return VALUE(s->texture[slot - SLOT_TEXTURE]);
    if (slot >= SLOT_SAMPLER)
        return VALUE((&s->sampler[0][0])[slot - SLOT_SAMPLER]);
    if (slot >= SLOT_STAGE)
        return VALUE((&s->stage[0][0])[slot - SLOT_STAGE]);
    return VALUE(s->render[slot]);
}

bool api_state_same(const struct state *a, const struct state *b, unsigned slot)
{
    struct value x = value_of(a, slot);

    return !memcmp(x.at, value_of(b, slot).at, x.size);
}

/* --- State block types ------------------------------------------------------------------------ */

static void add_range(struct slot_set *set, unsigned first, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        slot_add(set, first + i);
}

static void add_numbers(struct slot_set *set, unsigned blocks)
{
    for (unsigned i = 0; i < COUNT(render_states); i++)
        if ((render_states[i].blocks & blocks) == blocks)
            slot_add(set, SLOT_RENDER + render_states[i].state);
    for (unsigned s = 0; s < STAGES; s++)
        for (unsigned i = 0; i < COUNT(stage_states); i++)
            if ((stage_states[i].blocks & blocks) == blocks)
                slot_add(set, SLOT_STAGE + s * STAGE_STATES + stage_states[i].state);
    for (unsigned s = 0; s < SAMPLERS; s++)
        for (unsigned i = 0; i < COUNT(sampler_states); i++)
            if ((sampler_states[i].blocks & blocks) == blocks)
                slot_add(set, SLOT_SAMPLER + s * SAMPLER_STATES + sampler_states[i].state);
}

static void add_files(struct slot_set *set, const struct state *state, unsigned first)
{
    for (unsigned file = first; file < first + 3; file++)
        add_range(set, api_constants_slot(file), state->counts[file]);
}

void api_state_slots(struct slot_set *set, D3DSTATEBLOCKTYPE type, const struct state *state)
{
    memset(set, 0, sizeof(*set));
    if (type == D3DSBT_ALL) {
        add_numbers(set, N);
        add_range(set, SLOT_TEXTURE, SLOT_CONSTANTS - SLOT_TEXTURE);
    } else {
        add_numbers(set, type == D3DSBT_VERTEXSTATE ? V : P);
    }
    if (type != D3DSBT_PIXELSTATE) {
        add_files(set, state, FILE_VS_F);
        slot_add(set, SLOT_VERTEX_SHADER);
        slot_add(set, SLOT_DECLARATION);
        slot_add(set, SLOT_NPATCH);
        add_range(set, SLOT_FREQUENCY, STREAMS);
    }
    if (type != D3DSBT_VERTEXSTATE) {
        add_files(set, state, FILE_PS_F);
        slot_add(set, SLOT_PIXEL_SHADER);
    }
}
