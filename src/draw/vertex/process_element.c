/* Maps each element of a ProcessVertices destination to its source (reference:
 * vertices/process-elements, vertices/process-copy).
 * Tested by tests/conformance/vertices. */
#include "draw/vertex/process_element.h"

#include <string.h>

struct context {
    const struct draw_pipeline *pipeline;
    const struct draw_state *state;
    bool shader, do_not_copy; /* D3DPV_DONOTCOPYDATA: writes only computed elements */
    /* Source of each texture coordinate set: an output; or if NULL, a set of the source vertex;
     * -1: none. */
    const struct vm_io *set_output[FF_STAGES];
    int set_source[FF_STAGES];
};

static bool enabled(const struct draw_state *state, D3DRENDERSTATETYPE id)
{
    return state->render[id] != 0;
}

static const struct vm_io *find_output(const struct draw_pipeline *pipeline, unsigned usage,
                                       unsigned index)
{
    for (unsigned i = 0; i < pipeline->n_outputs; i++)
        if (pipeline->output[i].usage == usage && pipeline->output[i].index == index)
            return &pipeline->output[i];
    return NULL;
}

static const D3DVERTEXELEMENT9 *find_source(const struct draw_state *state, unsigned usage,
                                            unsigned index)
{
    for (unsigned i = 0; i < state->decl->n; i++)
        if (state->decl->element[i].Usage == usage && state->decl->element[i].UsageIndex == index &&
            state->decl->element[i].Stream < DRAW_STREAMS)
            return &state->decl->element[i];
    return NULL;
}

/* --- Texture coordinates --------------------------------------------------------------------- */

/* Number of coordinate components that a stage computes. 0: coordinates pass unchanged. */
static unsigned generated_components(const struct draw_state *state, unsigned stage)
{
    unsigned count = ff_transform_count(state->stage[stage]);
    DWORD gen = state->stage[stage][D3DTSS_TEXCOORDINDEX] >> 16;

    if (count)
        return count;
    return gen >= 1 && gen <= 4 ? 3 : 0;
}

/* Assigns a source to each destination set. If no stage computes coordinates, set i comes from set
 * i of the source vertex. Otherwise the stages fill the sets in order. A stage adds the coordinates
 * that it computes. A stage with a texture adds its source set, unless an earlier stage has. */
static void map_sets(struct context *c)
{
    const struct draw_state *state = c->state;
    unsigned n = 0, seen = 0;
    bool any = false;

    for (unsigned i = 0; i < FF_STAGES; i++) {
        c->set_source[i] = (int)i;
        any |= generated_components(state, i) != 0;
    }
    if (!any || c->pipeline->key.transformed)
        return;
    for (unsigned i = 0; i < FF_STAGES; i++) {
        unsigned set = state->stage[i][D3DTSS_TEXCOORDINDEX] & 7;

        if (generated_components(state, i)) {
            c->set_output[n] = find_output(c->pipeline, VM_USAGE_TEXCOORD, i);
            c->set_source[n++] = -1;
        } else if (state->texture[i].image && !(seen >> set & 1)) {
            seen |= 1u << set;
            c->set_source[n++] = (int)set;
        }
    }
    while (n < FF_STAGES)
        c->set_source[n++] = -1;
}

static void map_texcoord(const struct context *c, unsigned set, struct process_element *out)
{
    const struct vm_io *output = set < FF_STAGES ? c->set_output[set] : NULL;
    int from = set < FF_STAGES ? c->set_source[set] : (int)set;
    unsigned n;

    if (output) {
        *out = (struct process_element){.from = PROCESS_OUTPUT, .output = output};
        n = generated_components(c->state, output->index);
    } else if (from >= 0 && !c->do_not_copy &&
               (out->source = find_source(c->state, D3DDECLUSAGE_TEXCOORD, (unsigned)from))) {
        out->from = PROCESS_SOURCE;
        n = decl_type_components(out->source->Type);
    } else {
        return;
    }
    out->n = (uint8_t)n; /* further components stay unchanged */
}

/* --- Other elements -------------------------------------------------------------------------- */

static bool lit(const struct context *c)
{
    return !c->pipeline->key.transformed && enabled(c->state, D3DRS_LIGHTING);
}

/* Whether the alpha of colour 1 (specular) receives the factor of vertex fog. Transformed vertices
 * have their fog factor there. */
static bool fogged(const struct context *c)
{
    return !c->pipeline->key.transformed && enabled(c->state, D3DRS_FOGENABLE) &&
           find_output(c->pipeline, VM_USAGE_FOG, 0) &&
           (c->shader || c->state->render[D3DRS_FOGVERTEXMODE] != D3DFOG_NONE);
}

static void map_colour(const struct context *c, unsigned index, struct process_element *out)
{
    bool fog = index == 1 && fogged(c);
    bool computed =
        index == 0 ? lit(c) : (lit(c) && enabled(c->state, D3DRS_SPECULARENABLE)) || fog;

    if (c->do_not_copy && !computed)
        return;
    *out = (struct process_element){.from = PROCESS_OUTPUT,
                                    .clamp = true,
                                    .fog = fog,
                                    .default_value = index == 0 ? 1.0f : 0.0f,
                                    .output = find_output(c->pipeline, VM_USAGE_COLOR, index)};
}

static void map_position(const struct context *c, const D3DVERTEXELEMENT9 *e,
                         struct process_element *out)
{
    bool clip = e->Usage == D3DDECLUSAGE_POSITION && e->Type == D3DDECLTYPE_FLOAT4;

    out->from = clip || c->pipeline->key.transformed ? PROCESS_OUTPUT : PROCESS_SCREEN;
    out->output = find_output(c->pipeline, VM_USAGE_POSITION, 0);
}

static bool is_position(const D3DVERTEXELEMENT9 *e)
{
    return (e->Usage == D3DDECLUSAGE_POSITION || e->Usage == D3DDECLUSAGE_POSITIONT) &&
           !e->UsageIndex;
}

static void map_fixed_function(const struct context *c, const D3DVERTEXELEMENT9 *e,
                               struct process_element *out)
{
    const struct vm_io *output = find_output(c->pipeline, e->Usage, e->UsageIndex);

    if (e->Usage == D3DDECLUSAGE_COLOR && e->UsageIndex < 2) {
        map_colour(c, e->UsageIndex, out);
    } else if (e->Usage == D3DDECLUSAGE_TEXCOORD) {
        map_texcoord(c, e->UsageIndex, out);
    } else if (!c->do_not_copy && output) {
        *out = (struct process_element){.from = PROCESS_OUTPUT, .output = output};
    } else if (!c->do_not_copy && (out->source = find_source(c->state, e->Usage, e->UsageIndex))) {
        out->from = PROCESS_SOURCE;
    }
}

static void map_shaded(const struct context *c, const D3DVERTEXELEMENT9 *e,
                       struct process_element *out)
{
    bool colour = e->Usage == D3DDECLUSAGE_COLOR;
    const struct vm_io *output = find_output(c->pipeline, e->Usage, e->UsageIndex);
    bool fog = colour && e->UsageIndex == 1 && fogged(c);

    if (c->do_not_copy && !output && !fog)
        return;
    *out = (struct process_element){.from = PROCESS_OUTPUT,
                                    .clamp = colour && vm_program_info(c->state->vs)->major < 3,
                                    .fog = fog,
                                    .default_value = colour && !e->UsageIndex ? 1.0f : 0.0f,
                                    .output = output};
}

static struct process_element map_element(const struct context *c, const D3DVERTEXELEMENT9 *e)
{
    struct process_element out = {.from = c->do_not_copy ? PROCESS_SKIP : PROCESS_DEFAULT};
    unsigned floats = e->Type <= D3DDECLTYPE_FLOAT4 ? decl_type_components(e->Type) : 4;

    if (is_position(e))
        map_position(c, e, &out);
    else if (c->shader)
        map_shaded(c, e, &out);
    else
        map_fixed_function(c, e, &out);
    if (!out.n || out.n > floats)
        out.n = (uint8_t)floats;
    out.type = e->Type;
    out.offset = e->Offset;
    return out;
}

void process_mapping_init(struct process_mapping *out, const struct draw_pipeline *pipeline,
                          const struct draw_state *state, const struct draw_process *process)
{
    struct context c = {.pipeline = pipeline,
                        .state = state,
                        .shader = pipeline->key.vs_id != 0,
                        .do_not_copy = (process->flags & D3DPV_DONOTCOPYDATA) != 0};

    map_sets(&c);
    out->n = 0;
    out->fog = find_output(pipeline, VM_USAGE_FOG, 0);
    for (unsigned i = 0; i < process->decl->n; i++) {
        const D3DVERTEXELEMENT9 *e = &process->decl->element[i];

        if (!e->Stream && e->Offset + decl_type_bytes(e->Type) <= process->dst_stride)
            out->element[out->n++] = map_element(&c, e);
    }
}
