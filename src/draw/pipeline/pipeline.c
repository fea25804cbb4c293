/* Creates a pipeline: selects or builds its programs, lowers them, and links them to the
 * declaration and to each other.
 * Tested by tests/unit/draw/pipeline/test_cache.c and tests/conformance/shader. */
#include "draw/pipeline/program.h"

#include "util/alloc.h"
#include "util/log.h"

#include <string.h>

/* --- Programs --------------------------------------------------------------------------------- */

/* Builds the vertex program for transformed vertices with a ps_3: it copies each element to the
 * output with the same semantic. */
static enum status passthrough_build(struct vm_program **out, const struct draw_decl *decl)
{
    struct vm_builder *b;
    enum status st = vm_builder_create(&b, VM_VERTEX);

    if (st)
        return st;
    for (unsigned i = 0; i < decl->n; i++) {
        enum vm_usage usage = (enum vm_usage)decl->element[i].Usage;
        enum vm_usage to = usage == VM_USAGE_POSITIONT ? VM_USAGE_POSITION : usage;
        unsigned index = decl->element[i].UsageIndex;

        vm_emit1(b, VM_OP_MOV, vm_build_output(b, to, index), vm_build_input(b, usage, index));
    }
    return vm_builder_finish(b, out);
}

static enum status vertex_program(struct draw_pipeline *pipeline, struct pipeline_cache *cache,
                                  const struct draw_state *state, const struct vm_program **out)
{
    enum status st;

    if (pipeline->key.vs_id) {
        *out = state->vs;
        return ST_OK;
    }
    if (pipeline->key.passthrough) {
        st = passthrough_build(&pipeline->passthrough, state->decl);
        *out = pipeline->passthrough;
        return st;
    }
    pipeline->fixed_vs = true;
    if ((st = pipeline_program_vertex(cache, &pipeline->generated_vs, &pipeline->key.ff_vertex)))
        return st;
    *out = pipeline->generated_vs->program;
    return ST_OK;
}

static enum status pixel_program(struct draw_pipeline *pipeline, struct pipeline_cache *cache,
                                 const struct draw_state *state, const struct vm_program **out)
{
    enum status st;

    if (pipeline->key.ps_id) {
        *out = state->ps;
        return ST_OK;
    }
    pipeline->fixed_ps = true;
    if ((st = pipeline_program_pixel(cache, &pipeline->generated_ps, &pipeline->key.ff_pixel)))
        return st;
    *out = pipeline->generated_ps->program;
    return ST_OK;
}

/* --- Declaration to vertex inputs ------------------------------------------------------------- */

static const D3DVERTEXELEMENT9 *find_element(const struct draw_decl *decl, const struct vm_io *io)
{
    for (unsigned i = 0; i < decl->n; i++) {
        const D3DVERTEXELEMENT9 *e = &decl->element[i];
        unsigned usage = e->Usage;

        if (usage == D3DDECLUSAGE_POSITIONT && io->usage == VM_USAGE_POSITION)
            usage = VM_USAGE_POSITION;
        if (usage == io->usage && e->UsageIndex == io->index && e->Stream < DRAW_STREAMS)
            return e;
    }
    return NULL;
}

/* The fixed function replaces w of a position by 1 (reference: vertices/position-w). */
static void ignore_w(struct draw_pipeline *pipeline, struct pipeline_fetch *fetch)
{
    if (fetch->slot[3] < 0)
        return;
    pipeline->dflt[pipeline->n_default++] =
        (struct pipeline_default){.slot = fetch->slot[3], .value = 1.0f};
    fetch->slot[3] = -1;
}

static void link_fetch(struct draw_pipeline *pipeline, const struct vm_info *vs,
                       const struct draw_decl *decl)
{
    for (unsigned i = 0; i < vs->n_inputs; i++) {
        const struct vm_io *io = &vs->input[i];
        const D3DVERTEXELEMENT9 *e = find_element(decl, io);

        if (e && decl_type_bytes(e->Type)) {
            struct pipeline_fetch *fetch = &pipeline->fetch[pipeline->n_fetch++];

            *fetch = (struct pipeline_fetch){.stream = (uint8_t)e->Stream,
                                             .type = e->Type,
                                             .offset = e->Offset,
                                             .bytes = (uint16_t)decl_type_bytes(e->Type)};
            memcpy(fetch->slot, io->slot, sizeof(fetch->slot));
            if (pipeline->fixed_vs && e->Usage == D3DDECLUSAGE_POSITION)
                ignore_w(pipeline, fetch);
            continue;
        }
        /* An input that no element feeds reads 0 (reference: vertices/missing-elements). */
        for (unsigned c = 0; c < 4; c++)
            if (io->slot[c] >= 0)
                pipeline->dflt[pipeline->n_default++] =
                    (struct pipeline_default){.slot = io->slot[c]};
    }
}

/* --- Vertex outputs to pixel inputs ----------------------------------------------------------- */

static int find_output(const struct vm_info *info, unsigned usage, unsigned index)
{
    for (unsigned i = 0; i < info->n_outputs; i++)
        if (info->output[i].usage == usage && info->output[i].index == index)
            return (int)i;
    return -1;
}

/* Bit of an output in vm_options.live_outputs. 0: the program has no such output. */
static uint64_t output_bit(const struct vm_info *info, unsigned usage, unsigned index)
{
    int i = find_output(info, usage, index);

    return i < 0 ? 0 : 1ull << i;
}

/* Finds the output whose component *c is the fog factor: oFog, or else the alpha of oD1. -1: the
 * program writes neither, which means full fog (reference: fog/unwritten). */
static int fog_output(const struct vm_info *vs, unsigned *c)
{
    int fog = find_output(vs, VM_USAGE_FOG, 0);

    *c = fog >= 0 ? 0 : 3;
    return fog >= 0 ? fog : find_output(vs, VM_USAGE_COLOR, 1);
}

static bool is_system_input(const struct vm_io *io)
{
    return io->usage == VM_USAGE_VPOS || io->usage == VM_USAGE_VFACE;
}

/* Bit mask of the vertex outputs that the rasteriser or the pixel program reads. */
static uint64_t live_outputs(const struct draw_pipeline *pipeline, const struct vm_info *vs,
                             const struct vm_info *ps)
{
    uint64_t live = output_bit(vs, VM_USAGE_POSITION, 0) | output_bit(vs, VM_USAGE_PSIZE, 0);
    unsigned c;
    int fog = pipeline->key.vertex_fog ? fog_output(vs, &c) : -1;

    if (fog >= 0)
        live |= 1ull << fog;
    for (unsigned i = 0; i < ps->n_inputs; i++)
        if (!is_system_input(&ps->input[i]))
            live |= output_bit(vs, ps->input[i].usage, ps->input[i].index);
    return live;
}

static struct raster_attr interpolation(const struct draw_pipeline *pipeline,
                                        const struct vm_io *io, unsigned c)
{
    /* raster_attr.sprite: codes of the coordinates u, v, 0, 1 that a point sprite generates. */
    static const uint8_t sprite[4] = {1, 2, 3, 4};
    struct raster_attr attr = {.slot = (uint16_t)io->slot[c], .interp = RASTER_PERSPECTIVE};

    if (io->usage == VM_USAGE_COLOR && pipeline->key.flat)
        attr.interp = RASTER_FLAT;
    /* Colours are always centroid-interpolated (reference: multisample/centroid). */
    attr.centroid = io->centroid || io->usage == VM_USAGE_COLOR;
    if (io->usage == VM_USAGE_TEXCOORD) {
        attr.sprite = pipeline->key.sprite ? sprite[c] : 0;
        attr.wrap = io->index < 16 ? pipeline->key.wrap[io->index] >> c & 1 : 0;
    }
    return attr;
}

static void link_pixel_inputs(struct draw_pipeline *pipeline, const struct vm_info *vs,
                              const struct vm_info *ps)
{
    /* Colours of vs_3_0 are not clamped (reference: shader/colour-clamp). */
    bool clamps = !pipeline->ps3 && !(pipeline->key.vs_id && vs->major >= 3);

    for (unsigned i = 0; i < ps->n_inputs; i++) {
        const struct vm_io *io = &ps->input[i];
        int o = find_output(vs, io->usage, io->index);

        if (is_system_input(io)) {
            if (io->usage == VM_USAGE_VFACE)
                pipeline->vface = io->slot[0];
            else
                memcpy(pipeline->vpos, io->slot, sizeof(pipeline->vpos));
            continue;
        }
        for (unsigned c = 0; c < 4; c++) {
            unsigned a = pipeline->n_attr;

            if (io->slot[c] < 0 || a >= RASTER_MAX_ATTRS - 1)
                continue;
            /* Unwritten diffuse is white, other unwritten inputs are 0 (reference:
             * shader/unwritten). */
            pipeline->attr[a] = (struct pipeline_attr){
                .vs_slot = o < 0 ? -1 : vs->output[o].slot[c],
                .constant = io->usage == VM_USAGE_COLOR && io->index == 0 ? 1.0f : 0.0f,
                .clamp = io->usage == VM_USAGE_COLOR && clamps,
            };
            pipeline->raster_attr[a] = interpolation(pipeline, io, c);
            pipeline->n_attr++;
        }
    }
}

/* Adds the fog factor as another attribute, in a slot after the work memory of the program. */
static void link_fog(struct draw_pipeline *pipeline, const struct vm_info *vs)
{
    unsigned a = pipeline->n_attr++, c;
    int o = fog_output(vs, &c);

    pipeline->fog_attr = (int16_t)a;
    pipeline->attr[a] =
        (struct pipeline_attr){.vs_slot = o < 0 ? -1 : vs->output[o].slot[c], .clamp = true};
    pipeline->raster_attr[a] = (struct raster_attr){
        .slot = (uint16_t)(pipeline->ps_work_bytes / (VM_LANES * sizeof(float))),
        .interp = RASTER_PERSPECTIVE};
    pipeline->ps_work_bytes += VM_LANES * sizeof(float);
}

/* Links the vertex outputs that the rasteriser reads, and the results of the pixel program. */
static void link_results(struct draw_pipeline *pipeline, const struct vm_info *vs,
                         const struct vm_info *ps)
{
    int position = find_output(vs, VM_USAGE_POSITION, 0), size = find_output(vs, VM_USAGE_PSIZE, 0);

    for (unsigned c = 0; c < 4; c++)
        pipeline->position[c] = position < 0 ? -1 : vs->output[position].slot[c];
    pipeline->psize = size < 0 ? -1 : vs->output[size].slot[0];
    for (unsigned i = 0; i < ps->n_outputs; i++) {
        const struct vm_io *io = &ps->output[i];

        if (io->usage == VM_USAGE_DEPTH) {
            pipeline->depth = io->slot[0];
            pipeline->depth_output = UINT64_C(1) << i;
        }
        if (io->usage == VM_USAGE_TARGET && io->index < RASTER_TARGETS) {
            memcpy(pipeline->colour[io->index], io->slot, sizeof(io->slot));
            pipeline->colours |= (uint8_t)(1u << io->index);
        }
    }
}

/* Sets the optional slots and attributes to -1: absent. */
static void set_absent(struct draw_pipeline *pipeline)
{
    pipeline->psize = pipeline->fog_attr = pipeline->vface = pipeline->depth = -1;
    pipeline->vpos[0] = pipeline->vpos[1] = -1;
    memset(pipeline->colour, 0xff, sizeof(pipeline->colour));
}

/* --- Pipeline --------------------------------------------------------------------------------- */

static enum status lower_vertex(struct draw_pipeline *pipeline, const struct vm_program *vs,
                                uint64_t live)
{
    struct vm_options options;
    enum status st;

    memset(&options, 0, sizeof(options));
    options.live_outputs = live;
    options.ieee = pipeline->key.ieee && pipeline->key.vs_id;
    options.single_step = pipeline->key.single_step;
    options.interpret = pipeline->key.interpret;
    if ((st = vm_code_create(&pipeline->vs, vs, &options)))
        return st;
    pipeline->program[0] = vs;
    pipeline->vs_uniform_bytes = vm_code_uniform_bytes(pipeline->vs);
    pipeline->vs_work_bytes = vm_code_work_bytes(pipeline->vs);
    pipeline->vs_samplers = vm_program_info(vs)->samplers;
    return ST_OK;
}

/* A merged program may spill more than the plain one. */
enum { MERGED_WORK_BYTES = 4096 };

static enum status lower_pixel(struct draw_pipeline *pipeline, const struct vm_program *ps)
{
    const struct vm_info *info = vm_program_info(ps);
    struct vm_options options;
    enum status st;

    pipeline_pixel_options(&options, &pipeline->key);
    if ((st = vm_code_create(&pipeline->ps, ps, &options)))
        return st;
    pipeline->program[1] = ps;
    pipeline->ps_uniform_bytes = vm_code_uniform_bytes(pipeline->ps);
    pipeline->ps_work_bytes =
        (vm_code_work_bytes(pipeline->ps) + MERGED_WORK_BYTES + 255) & ~(size_t)255;
    pipeline->ps_samplers = info->samplers;
    pipeline->ps_kills = info->kills;
    pipeline->is_cheap = vm_code_is_cheap(pipeline->ps);
    pipeline->needs_quads = info->uses_derivatives || pipeline->key.single_step;
    pipeline->ps_writes_depth = info->writes_depth;
    return ST_OK;
}

/* Bit mask of the attributes that the rasteriser interpolates into an input slot. 0: the slot is
 * vPos, vFace or unused. */
static uint64_t attribs_in_slot(const struct draw_pipeline *pipeline, int slot)
{
    uint64_t bits = 0;

    for (unsigned a = 0; a < pipeline->n_attr; a++)
        if (pipeline->raster_attr[a].slot == slot)
            bits |= UINT64_C(1) << a;
    return bits;
}

/* Detects the modulate pattern: colour 0 is the only output and equals a texel times factors. The
 * texture coordinates and the factors must be interpolated attributes. */
static void match_modulate(struct draw_pipeline *pipeline)
{
    struct vm_modulate *modulate = &pipeline->modulate;
    uint64_t factors = 0;

    if (pipeline->key.single_step || pipeline->colours != 1 || pipeline->depth >= 0 ||
        pipeline->ps_kills || !vm_code_match_modulate(pipeline->ps, modulate) ||
        memcmp(modulate->slot, pipeline->colour[0], sizeof(modulate->slot)) != 0 ||
        !attribs_in_slot(pipeline, modulate->coord[0]) ||
        !attribs_in_slot(pipeline, modulate->coord[1]))
        return;
    for (unsigned c = 0; c < 4; c++) {
        uint64_t bits =
            modulate->factor[c] < 0 ? 0 : attribs_in_slot(pipeline, modulate->factor[c]);

        if (modulate->factor[c] >= 0 && !bits)
            return;
        factors |= bits;
    }
    for (unsigned i = 0; i < 2; i++)
        pipeline->modulate_attr[i] =
            (uint8_t)__builtin_ctzll(attribs_in_slot(pipeline, modulate->coord[i]));
    pipeline->is_modulate = true;
    pipeline->factors = factors;
}

/* Detects the gradient pattern: colour 0 is the only output, and each of its components is a
 * constant, or an attribute times a constant. */
static void match_gradient(struct draw_pipeline *pipeline)
{
    struct vm_scaled_inputs *scaled = &pipeline->scaled;

    if (pipeline->key.single_step || pipeline->colours != 1 || pipeline->depth >= 0 ||
        pipeline->ps_kills ||
        !vm_code_match_scaled_inputs(pipeline->ps, pipeline->colour[0], scaled))
        return;
    for (unsigned c = 0; c < 4; c++) {
        uint64_t bits = scaled->input[c] < 0 ? 0 : attribs_in_slot(pipeline, scaled->input[c]);

        if (scaled->input[c] >= 0 && !bits)
            return;
        pipeline->gradient_attr[c] = bits ? (int8_t)__builtin_ctzll(bits) : -1;
    }
    pipeline->is_gradient = true;
}

/* Finds the attributes whose derivatives determine the LODs of each sampler. */
static void find_lod_attribs(struct draw_pipeline *pipeline)
{
    for (unsigned i = 0; pipeline->ps_samplers >> i; i++) {
        uint64_t slots, attrs = 0;

        if (!vm_code_implicit_lod_inputs(pipeline->ps, i, &slots))
            continue;
        for (; slots; slots &= slots - 1) {
            uint64_t bits = attribs_in_slot(pipeline, __builtin_ctzll(slots));

            if (!bits) {
                attrs = 0;
                break;
            }
            attrs |= bits;
        }
        pipeline->lod_attribs[i] = attrs;
    }
}

/* System inputs that the pixel program reads, as enum raster_ps_input: x and y of vPos, and vFace.
 * Programs cannot read depth. */
static uint8_t system_inputs_read(const struct draw_pipeline *pipeline)
{
    unsigned inputs = 0;

    if (pipeline->key.single_step)
        return RASTER_PS_INPUT_ALL;
    if (pipeline->vpos[0] >= 0 || pipeline->vpos[1] >= 0)
        inputs |= RASTER_PS_INPUT_POS;
    if (pipeline->vface >= 0)
        inputs |= RASTER_PS_INPUT_FACE;
    return (uint8_t)inputs;
}

static enum status build_draw_pipeline(struct draw_pipeline *pipeline, struct pipeline_cache *cache,
                                       const struct vm_program *vs, const struct draw_state *state)
{
    const struct vm_info *vs_info = vm_program_info(vs), *ps_info;
    const struct vm_program *ps;
    enum status st;

    if ((st = pixel_program(pipeline, cache, state, &ps)))
        return st;
    ps_info = vm_program_info(ps);
    pipeline->ps1 = pipeline->key.ps_id && ps_info->major == 1;
    pipeline->ps3 = pipeline->key.ps_id && ps_info->major >= 3;
    if ((st = lower_vertex(pipeline, vs, live_outputs(pipeline, vs_info, ps_info))) ||
        (st = lower_pixel(pipeline, ps)))
        return st;
    link_pixel_inputs(pipeline, vs_info, ps_info);
    pipeline->ps_inputs = system_inputs_read(pipeline);
    if (pipeline->key.vertex_fog)
        link_fog(pipeline, vs_info);
    link_results(pipeline, vs_info, ps_info);
    match_modulate(pipeline);
    match_gradient(pipeline);
    find_lod_attribs(pipeline);
    return ST_OK;
}

static enum status build_process_pipeline(struct draw_pipeline *pipeline,
                                          const struct vm_program *vs)
{
    const struct vm_info *info = vm_program_info(vs);

    int position = find_output(info, VM_USAGE_POSITION, 0);

    for (unsigned c = 0; c < 4; c++)
        pipeline->position[c] = position < 0 ? -1 : info->output[position].slot[c];
    pipeline->n_outputs = info->n_outputs;
    memcpy(pipeline->output, info->output, sizeof(pipeline->output));
    return lower_vertex(pipeline, vs, ~0ull);
}

enum status pipeline_create(struct draw_pipeline **out, struct pipeline_cache *cache,
                            const struct draw_key *key, const struct draw_state *state)
{
    struct draw_pipeline *pipeline = mem_calloc(1, sizeof(*pipeline));
    const struct vm_program *vs;
    enum status st;

    *out = NULL;
    if (!pipeline)
        return ST_NOMEM;
    pipeline->key = *key;
    set_absent(pipeline);
    pipeline->merged = mem_calloc(1, sizeof(*pipeline->merged));
    st = pipeline->merged ? vertex_program(pipeline, cache, state, &vs) : ST_NOMEM;
    if (!st)
        st = key->process ? build_process_pipeline(pipeline, vs)
                          : build_draw_pipeline(pipeline, cache, vs, state);
    if (st) {
        pipeline_destroy(cache, pipeline);
        return st;
    }
    link_fetch(pipeline, vm_program_info(vs), state->decl);
    *out = pipeline;
    return ST_OK;
}

void pipeline_destroy(struct pipeline_cache *cache, struct draw_pipeline *pipeline)
{
    if (!pipeline)
        return;
    pipeline_merged_destroy(cache, pipeline);
    vm_code_destroy(pipeline->vs);
    vm_code_destroy(pipeline->ps);
    vm_program_destroy(pipeline->passthrough);
    pipeline_program_unref(cache, &pipeline->generated_vs);
    pipeline_program_unref(cache, &pipeline->generated_ps);
    mem_free(pipeline);
}
