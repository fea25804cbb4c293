/* Fixed-function vertex shader: derives the key from state. The key holds only state that changes
 * the code, and only where it is used.
 * Tested by tests/unit/ff/test_vertex.c. */
#include "ff/vertex.h"

#include <string.h>

static DWORD render(const struct ff_state *state, D3DRENDERSTATETYPE id)
{
    return state->render[id];
}

/* Source and number of a stage's coordinates. */
static void stage_source(const struct ff_state *state, unsigned stage, struct texgen_stage *out)
{
    DWORD index = state->stage[stage][D3DTSS_TEXCOORDINDEX], set = index & 0xffff;

    *out = (struct texgen_stage){0};
    switch (state->transformed ? 0 : index & 0xffff0000) {
    case D3DTSS_TCI_CAMERASPACENORMAL:
        *out = (struct texgen_stage){.texgen = FF_TEXGEN_NORMAL, .size = 3};
        break;
    case D3DTSS_TCI_CAMERASPACEPOSITION:
        *out = (struct texgen_stage){.texgen = FF_TEXGEN_POSITION, .size = 3};
        break;
    case D3DTSS_TCI_CAMERASPACEREFLECTIONVECTOR:
        *out = (struct texgen_stage){.texgen = FF_TEXGEN_REFLECTION, .size = 3};
        break;
    case D3DTSS_TCI_SPHEREMAP:
        *out = (struct texgen_stage){.texgen = FF_TEXGEN_SPHERE, .size = 2};
        break;
    default:
        if (set < FF_STAGES && state->texcoord_size[set])
            *out = (struct texgen_stage){FF_TEXGEN_PASSTHRU, (uint8_t)set,
                                         state->texcoord_size[set], 0, 0};
        break;
    }
}

/* COUNT1 acts as DISABLE, as do invalid counts. */
unsigned ff_transform_count(const DWORD stage[FF_STAGE_STATES])
{
    DWORD count = stage[D3DTSS_TEXTURETRANSFORMFLAGS] & ~(DWORD)D3DTTFF_PROJECTED;

    return count >= D3DTTFF_COUNT2 && count <= D3DTTFF_COUNT4 ? count : 0;
}

unsigned ff_projection(const struct ff_state *state, unsigned stage)
{
    struct texgen_stage source;
    unsigned count = ff_transform_count(state->stage[stage]);

    if (state->point_sprites ||
        !(state->stage[stage][D3DTSS_TEXTURETRANSFORMFLAGS] & D3DTTFF_PROJECTED))
        return 0;
    if (state->vertex_shader)
        return 4;
    stage_source(state, stage, &source);
    if (count && state->transformed) /* no matrix supplies the missing coordinates */
        return count <= source.size ? count : 0;
    if (count)
        return count;
    /* Generated coordinates have a last component only if the count says so. */
    return source.texgen == FF_TEXGEN_PASSTHRU && source.size >= 3 ? source.size : 0;
}

static void key_stages(struct vertex_key *key, const struct ff_state *state)
{
    for (unsigned i = 0; i < FF_STAGES; i++) {
        struct texgen_stage *stage = &key->stage[i];

        unsigned divisor = ff_projection(state, i);

        stage_source(state, i, stage);
        if (stage->texgen == FF_TEXGEN_NONE)
            continue;
        stage->divisor = divisor < 4 ? (uint8_t)divisor : 0;
        if (!state->transformed)
            stage->count = (uint8_t)ff_transform_count(state->stage[i]);
        /* The size pads the input of the matrix. Generated coordinates have fixed sizes. */
        if (!stage->count || stage->texgen != FF_TEXGEN_PASSTHRU)
            stage->size = 0;
    }
}

/* Source of the fog factor without a fog equation. */
static uint8_t fog_given(const struct ff_state *state)
{
    if (state->inputs & FF_IN_FOG)
        return FF_FOG_INPUT;
    return state->inputs & FF_IN_SPECULAR ? FF_FOG_SPECULAR : FF_FOG_FULL;
}

/* Table fog takes precedence and is computed per pixel. Transformed vertices supply their factor
 * (reference: fog/vertex). */
static void key_fog(struct vertex_key *key, const struct ff_state *state)
{
    if (!render(state, D3DRS_FOGENABLE) ||
        (render(state, D3DRS_FOGTABLEMODE) != D3DFOG_NONE && !state->process_vertices))
        return;
    switch (state->transformed ? D3DFOG_NONE : render(state, D3DRS_FOGVERTEXMODE)) {
    case D3DFOG_LINEAR:
        key->fog = FF_FOG_LINEAR;
        break;
    case D3DFOG_EXP:
        key->fog = FF_FOG_EXP;
        break;
    case D3DFOG_EXP2:
        key->fog = FF_FOG_EXP2;
        break;
    default:
        key->fog = fog_given(state);
        return;
    }
    key->range_fog = render(state, D3DRS_RANGEFOGENABLE) != 0;
}

/* The material replaces a colour that the vertex lacks. */
static uint8_t resolve_source(const struct ff_state *state, DWORD source)
{
    if (!render(state, D3DRS_COLORVERTEX))
        return D3DMCS_MATERIAL;
    if (source == D3DMCS_COLOR1 && (state->inputs & FF_IN_DIFFUSE))
        return D3DMCS_COLOR1;
    if (source == D3DMCS_COLOR2 && (state->inputs & FF_IN_SPECULAR))
        return D3DMCS_COLOR2;
    return D3DMCS_MATERIAL;
}

static void key_lights(struct vertex_key *key, const struct ff_state *state)
{
    for (unsigned i = 0; i < state->n_lights && key->n_lights < FF_LIGHTS; i++)
        key->light[key->n_lights++] = (uint8_t)state->light[i]->Type;
    if (!key->n_lights || !(state->inputs & FF_IN_NORMAL))
        return;
    key->normal = true;
    key->local_viewer = key->lit_specular && render(state, D3DRS_LOCALVIEWER) != 0;
}

static void key_lighting(struct vertex_key *key, const struct ff_state *state)
{
    static const D3DRENDERSTATETYPE source_state[FF_SOURCES] = {
        [FF_DIFFUSE] = D3DRS_DIFFUSEMATERIALSOURCE,
        [FF_AMBIENT] = D3DRS_AMBIENTMATERIALSOURCE,
        [FF_SPECULAR] = D3DRS_SPECULARMATERIALSOURCE,
        [FF_EMISSIVE] = D3DRS_EMISSIVEMATERIALSOURCE,
    };

    key->lit = true;
    key->lit_specular = render(state, D3DRS_SPECULARENABLE) != 0;
    for (unsigned i = 0; i < FF_SOURCES; i++) {
        if (i == FF_SPECULAR && !key->lit_specular)
            continue;
        key->source[i] = resolve_source(state, render(state, source_state[i]));
        key->diffuse |= key->source[i] == D3DMCS_COLOR1;
        key->specular |= key->source[i] == D3DMCS_COLOR2;
    }
    if (!key->lit_specular) /* the vertex colour passes unlit */
        key->specular |= (state->inputs & FF_IN_SPECULAR) != 0;
    key_lights(key, state);
}

static void key_blending(struct vertex_key *key, const struct ff_state *state)
{
    DWORD mode = render(state, D3DRS_VERTEXBLEND);

    if (mode == D3DVBF_TWEENING) {
        key->tween = (state->inputs & FF_IN_POSITION2) != 0;
        key->tween_normal = key->normal && (state->inputs & FF_IN_NORMAL2);
        return;
    }
    if (mode == D3DVBF_DISABLE)
        return;
    if (mode <= D3DVBF_3WEIGHTS) /* missing weights read 0 */
        key->weights = (uint8_t)mode;
    if (render(state, D3DRS_INDEXEDVERTEXBLENDENABLE) && (state->inputs & FF_IN_BLENDINDICES))
        key->indexed = state->inputs & FF_IN_INDICES_D3DCOLOR ? 2 : 1;
}

/* Generated coordinates may need the normal too. */
static void key_normal(struct vertex_key *key, const struct ff_state *state)
{
    for (unsigned i = 0; i < FF_STAGES; i++) {
        uint8_t texgen = key->stage[i].texgen;

        if (texgen == FF_TEXGEN_NORMAL || texgen == FF_TEXGEN_REFLECTION ||
            texgen == FF_TEXGEN_SPHERE)
            key->normal |= (state->inputs & FF_IN_NORMAL) != 0;
    }
    key->normalize = key->normal && render(state, D3DRS_NORMALIZENORMALS);
}

static void key_unlit(struct vertex_key *key, const struct ff_state *state)
{
    key->diffuse = (state->inputs & FF_IN_DIFFUSE) != 0;
    key->specular = (state->inputs & FF_IN_SPECULAR) != 0;
}

void ff_vertex_key_init(struct ff_vertex_key *out, const struct ff_state *state)
{
    struct vertex_key key;

    memset(&key, 0, sizeof(key));
    key_stages(&key, state);
    key_fog(&key, state);
    key.psize = (state->inputs & FF_IN_PSIZE) != 0;
    if (state->transformed) {
        key.transformed = true;
        key_unlit(&key, state);
    } else {
        if (render(state, D3DRS_LIGHTING))
            key_lighting(&key, state);
        else
            key_unlit(&key, state);
        key_normal(&key, state);
        key_blending(&key, state);
        key.point_scale = render(state, D3DRS_POINTSCALEENABLE) != 0;
    }
    memset(out, 0, sizeof(*out));
    memcpy(out, &key, sizeof(key));
}
