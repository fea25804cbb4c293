/* Derives pipeline keys from the state that changes programs or the links between them.
 * Tested by tests/unit/draw/pipeline/test_cache.c. */
#include "draw/pipeline/pipeline.h"

#include <string.h>

static uint32_t input_bit(const D3DVERTEXELEMENT9 *e)
{
    switch (e->Usage) {
    case D3DDECLUSAGE_POSITION:
    case D3DDECLUSAGE_POSITIONT:
        return e->UsageIndex == 0 ? FF_IN_POSITION : e->UsageIndex == 1 ? FF_IN_POSITION2 : 0;
    case D3DDECLUSAGE_NORMAL:
        return e->UsageIndex == 0 ? FF_IN_NORMAL : e->UsageIndex == 1 ? FF_IN_NORMAL2 : 0;
    case D3DDECLUSAGE_COLOR:
        return e->UsageIndex == 0 ? FF_IN_DIFFUSE : e->UsageIndex == 1 ? FF_IN_SPECULAR : 0;
    case D3DDECLUSAGE_PSIZE:
        return e->UsageIndex == 0 ? FF_IN_PSIZE : 0;
    case D3DDECLUSAGE_BLENDINDICES:
        return e->UsageIndex                     ? 0
               : e->Type == D3DDECLTYPE_D3DCOLOR ? FF_IN_BLENDINDICES | FF_IN_INDICES_D3DCOLOR
                                                 : FF_IN_BLENDINDICES;
    case D3DDECLUSAGE_FOG:
        return e->UsageIndex == 0 ? FF_IN_FOG : 0;
    default:
        return 0;
    }
}

static uint8_t texture_kind(const struct tex_image *image)
{
    static const uint8_t kind[] = {[TEX_2D] = 2, [TEX_CUBE_MAP] = 3, [TEX_VOLUME_MAP] = 4};

    return image ? kind[image->desc.shape] : 0;
}

/* Whether all texels are in [0,1]. */
static bool has_unit_range(const struct tex_image *image)
{
    return image && !image->format->snorm_mask &&
           (image->format->layout == TEX_LAYOUT_UNORM ||
            image->format->layout == TEX_LAYOUT_LUMINANCE ||
            image->format->layout == TEX_LAYOUT_BLOCK);
}

static bool is_depth(const struct tex_image *image)
{
    return image && image->format->layout == TEX_LAYOUT_DEPTH;
}

void pipeline_ff_state(struct ff_state *ff, const struct draw_state *state,
                       const D3DLIGHT9 *lights[FF_LIGHTS])
{
    const struct draw_decl *decl = state->decl;

    memset(ff, 0, sizeof(*ff));
    ff->render = state->render;
    ff->stage = state->stage;
    ff->world = state->world;
    ff->n_world = state->n_world;
    ff->view = &state->view;
    ff->projection = &state->projection;
    ff->texture = state->texture_matrix;
    ff->material = &state->material;
    for (unsigned i = 0; i < state->n_lights; i++)
        lights[i] = &state->light[i];
    ff->light = lights;
    ff->n_lights = state->n_lights;
    ff->viewport = state->viewport;
    for (unsigned i = 0; i < decl->n; i++) {
        const D3DVERTEXELEMENT9 *e = &decl->element[i];

        ff->inputs |= input_bit(e);
        ff->transformed |= e->Usage == D3DDECLUSAGE_POSITIONT;
        if (e->Usage == D3DDECLUSAGE_TEXCOORD && e->UsageIndex < FF_STAGES)
            ff->texcoord_size[e->UsageIndex] = (uint8_t)decl_type_components(e->Type);
    }
    for (unsigned i = 0; i < FF_STAGES; i++) {
        ff->texture_kind[i] = texture_kind(state->texture[i].image);
        ff->unit_range_textures |= (uint8_t)(has_unit_range(state->texture[i].image) << i);
        ff->shadow_maps |= (uint8_t)(is_depth(state->texture[i].image) << i);
    }
    ff->vertex_shader = state->vs && !ff->transformed;
}

/* Component by which `tex` of ps_1_1 … 1_3 divides coordinates; 0: none. The transform flags of the
 * stage select it. Cube maps never divide. */
static uint8_t projected_component(const struct ff_state *ff, unsigned stage)
{
    return ff->texture_kind[stage] == 3 ? 0 : (uint8_t)ff_projection(ff, stage);
}

static const D3DRENDERSTATETYPE wrap_states[16] = {
    D3DRS_WRAP0,  D3DRS_WRAP1,  D3DRS_WRAP2,  D3DRS_WRAP3,  D3DRS_WRAP4,  D3DRS_WRAP5,
    D3DRS_WRAP6,  D3DRS_WRAP7,  D3DRS_WRAP8,  D3DRS_WRAP9,  D3DRS_WRAP10, D3DRS_WRAP11,
    D3DRS_WRAP12, D3DRS_WRAP13, D3DRS_WRAP14, D3DRS_WRAP15,
};

/* D3DRS_WRAPn applies to coordinate set n. D3DTSS_TEXCOORDINDEX selects the set of a fixed-function
 * stage, even if the stage generates its coordinates (reference: raster/wrap-set). */
static uint8_t wrap_of(const struct draw_state *state, unsigned coordinate, bool by_stage)
{
    DWORD set = coordinate;

    if (by_stage)
        set = coordinate < FF_STAGES ? state->stage[coordinate][D3DTSS_TEXCOORDINDEX] & 0xffff : 16;
    return set < 16 ? state->render[wrap_states[set]] & 15 : 0;
}

void pipeline_key_init(struct draw_key *key, const struct draw_state *state,
                       const struct ff_state *ff)
{
    const struct vm_info *ps = state->ps ? vm_program_info(state->ps) : NULL;

    memset(key, 0, sizeof(*key));
    key->decl_id = state->decl->id;
    key->transformed = ff->transformed;
    key->passthrough = ff->transformed && ps && ps->major >= 3;
    if (ff->vertex_shader)
        key->vs_id = vm_program_id(state->vs);
    else if (!key->passthrough)
        ff_vertex_key_init(&key->ff_vertex, ff);
    if (ps)
        key->ps_id = vm_program_id(state->ps);
    else
        ff_pixel_key_init(&key->ff_pixel, ff);
    key->flat = state->render[D3DRS_SHADEMODE] == D3DSHADE_FLAT;
    key->sprite = ff->point_sprites;
    key->vertex_fog = state->render[D3DRS_FOGENABLE] && !(ps && ps->major >= 3) &&
                      state->render[D3DRS_FOGTABLEMODE] == D3DFOG_NONE;
    for (unsigned i = 0; ps && ps->major == 1 && ps->minor < 4 && i < 8; i++)
        key->projected[i] = projected_component(ff, i);
    for (unsigned i = 0; i < 16; i++)
        key->wrap[i] = wrap_of(state, i, !ff->vertex_shader && !key->passthrough);
}

void pipeline_key_init_process(struct draw_key *key, const struct draw_state *state,
                               const struct ff_state *ff)
{
    memset(key, 0, sizeof(*key));
    key->decl_id = state->decl->id;
    key->process = 1;
    key->transformed = ff->transformed;
    if (ff->vertex_shader)
        key->vs_id = vm_program_id(state->vs);
    else
        ff_vertex_key_init(&key->ff_vertex, ff);
}

void pipeline_pixel_options(struct vm_options *options, const struct draw_key *key)
{
    memset(options, 0, sizeof(*options));
    options->live_outputs = ~0ull;
    options->ieee = key->ieee && key->ps_id;
    options->single_step = key->single_step;
    options->interpret = key->interpret;
    memcpy(options->projected, key->projected, sizeof(options->projected));
}
