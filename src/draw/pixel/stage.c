/* Pixel stage: binds program, constants and samplers of a draw, and shades batches of fragments for
 * the rasteriser. A binding stays unchanged until the scene of the draw has been rendered.
 * Tested by tests/conformance/shader and tests/conformance/texture. */
#include "draw/pixel/stage.h"

#include "draw/pixel/sampling.h"
#include "util/alloc.h"
#include "util/equal.h"

#include <string.h>

static const _Alignas(64) float zeros[VM_LANES];

/* --- Binding ---------------------------------------------------------------------------------- */

void ps_memory_fini(struct ps_memory *memory)
{
    scratch_fini(&memory->uniforms);
    scratch_fini(&memory->constants);
}

static enum status fill_uniforms(struct ps_memory *memory, const struct ps_draw *draw,
                                 const struct vm_code *code, void *uniforms)
{
    const struct draw_shader_constants *from = &draw->state->ps_constants;
    const struct draw_pipeline *pipeline = draw->pipeline;
    float system[VM_SYSTEM_COUNT][4];
    struct vm_constants constants = {
        .f = (const float(*)[4])from->f,
        .i = (const int32_t(*)[4])from->i,
        .b = from->b,
        .system = (const float(*)[4])system,
        .n_f = DRAW_PS_FLOATS,
        .n_i = DRAW_INTS,
        .n_b = DRAW_BOOLS,
    };

    if (pipeline->ps1) { /* only ps_1 reads bump environment constants */
        ff_bump_constants(draw->state->stage, system);
        constants.n_system = VM_SYSTEM_COUNT;
    }
    if (pipeline->fixed_ps) {
        float(*c)[4] = scratch_get(&memory->constants, FF_PIXEL_CONSTANTS * sizeof(*c));

        if (!c)
            return ST_NOMEM;
        constants.n_f = ff_pixel_constants(&pipeline->key.ff_pixel, draw->ff, c);
        constants.f = (const float(*)[4])c;
    }
    vm_code_fill_uniforms(code, &constants, uniforms);
    return ST_OK;
}

static bool same_samplers(const struct ps_binding *a, const struct tex_sampler *b, uint32_t mask)
{
    for (unsigned i = 0; mask >> i; i++)
        if ((mask >> i & 1) && !bytes_equal(&a->sampler[i], &b[i], sizeof(b[i])))
            return false;
    return true;
}

static bool binding_matches(const struct ps_binding *binding, const struct target_scale *scale,
                            const struct ps_draw *draw, const void *uniforms,
                            const struct tex_sampler *samplers)
{
    return binding && binding->pipeline == draw->pipeline && binding->merged == draw->merged &&
           bytes_equal(&binding->scale, scale, sizeof(*scale)) &&
           bytes_equal(binding->uniforms, uniforms, draw->pipeline->ps_uniform_bytes) &&
           same_samplers(binding, samplers, draw->pipeline->ps_samplers);
}

/* Finds a recent binding with the same contents. Successive draws that share a binding need less
 * memory, and their fragments can share batches. */
static const struct ps_binding *find_binding(const struct ps_memory *memory,
                                             const struct target_scale *scale,
                                             const struct ps_draw *draw, const void *uniforms,
                                             const struct tex_sampler *samplers)
{
    for (unsigned i = 1; i <= RECENT_PS_BINDINGS; i++) { /* newest first */
        const struct ps_binding *binding = memory->recent[(memory->next - i) % RECENT_PS_BINDINGS];

        if (binding_matches(binding, scale, draw, uniforms, samplers))
            return binding;
    }
    return NULL;
}

static struct ps_binding *create_binding(struct arena *arena, const struct draw_pipeline *pipeline,
                                         const void *uniforms, const struct tex_sampler *samplers)
{
    unsigned n = pipeline->ps_samplers ? 32 - (unsigned)__builtin_clz(pipeline->ps_samplers) : 0;
    struct ps_binding *binding =
        arena_alloc(arena, sizeof(*binding) + n * sizeof(binding->sampler[0]));

    if (!binding || !(binding->uniforms = arena_alloc(arena, pipeline->ps_uniform_bytes + 64)))
        return NULL;
    binding->pipeline = pipeline;
    memcpy(binding->uniforms, uniforms, pipeline->ps_uniform_bytes);
    for (unsigned i = 0; i < n; i++)
        if (pipeline->ps_samplers >> i & 1)
            binding->sampler[i] = samplers[i];
    return binding;
}

static enum status bind_merged(struct ps_memory *memory, struct arena *arena,
                               const struct ps_draw *draw, struct ps_binding *binding)
{
    binding->merged = draw->merged;
    if (!draw->merged)
        return ST_OK;
    binding->merged_uniforms = arena_alloc(arena, draw->merged->uniform_bytes + 64);
    if (!binding->merged_uniforms)
        return ST_NOMEM;
    return fill_uniforms(memory, draw, draw->merged->code, binding->merged_uniforms);
}

/* Groups samplers with equal state and texture size, such as the colour and normal maps of a
 * surface. */
static void find_sampler_groups(struct ps_binding *binding)
{
    uint32_t mask = binding->pipeline->ps_samplers;

    for (unsigned i = 0; mask >> i; i++) {
        unsigned first = 0;

        if (!(mask >> i & 1))
            continue;
        while (first < i &&
               !(mask >> first & 1 && binding->sampler_group[first] == first &&
                 tex_can_group_samplers(&binding->sampler[first], &binding->sampler[i])))
            first++;
        binding->sampler_group[i] = (uint8_t)first;
    }
}

/* Finds what samples need to know beyond their coordinates. Only attributes have constant
 * gradients. */
static void find_lod_samplers(struct ps_binding *binding)
{
    const struct draw_pipeline *pipeline = binding->pipeline;

    binding->lod_samplers = binding->const_samplers = 0;
    for (uint32_t left = pipeline->ps_samplers; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        const struct tex_sampler *sampler = &binding->sampler[i];

        binding->lod_samplers |= (uint32_t)tex_sampler_needs_lod(sampler) << i;
        if (pipeline->lod_attribs[i] && tex_sampler_gains_by_const_lod(sampler))
            binding->const_samplers |= 1u << i;
    }
}

/* Finds the attributes whose derivatives the samplers need for their LODs. If these are few and the
 * program needs no other derivatives, fragments can be shaded without helper lanes. */
static void find_deriv_attribs(struct ps_binding *binding)
{
    const struct draw_pipeline *pipeline = binding->pipeline;
    uint64_t deriv_attribs = 0;

    binding->needs_quads = true;
    binding->deriv_attribs = 0;
    for (unsigned i = 0; pipeline->ps_samplers >> i; i++) {
        if (!(binding->lod_samplers >> i & 1))
            continue;
        if (!pipeline->lod_attribs[i] || !tex_sampler_is_2d(&binding->sampler[i]))
            return;
        deriv_attribs |= pipeline->lod_attribs[i];
    }
    binding->needs_quads =
        pipeline->needs_quads || __builtin_popcountll(deriv_attribs) > RASTER_MAX_DERIV_ATTRIBS;
    binding->deriv_attribs = binding->needs_quads ? 0 : deriv_attribs;
}

/* Whether all constant factors of the modulate pattern are 1. */
static bool is_texture_only(const struct ps_binding *binding)
{
    const struct vm_modulate *modulate = &binding->pipeline->modulate;

    if (!binding->pipeline->is_modulate || !tex_sampler_is_2d(&binding->sampler[modulate->sampler]))
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (modulate->constant[c] >= 0 &&
            vm_uniform_value(binding->uniforms, modulate->constant[c]) != 1.0f)
            return false;
    return true;
}

enum status ps_bind(struct ps_memory *memory, struct draw_scene *scene, const struct ps_draw *draw,
                    const struct ps_binding **out)
{
    const struct draw_pipeline *pipeline = draw->pipeline;
    struct tex_sampler samplers[VM_MAX_SAMPLERS];
    void *uniforms = scratch_get(&memory->uniforms, pipeline->ps_uniform_bytes + 64);
    struct ps_binding *binding;
    enum status st;

    if (!uniforms)
        return ST_NOMEM;
    memset(uniforms, 0, pipeline->ps_uniform_bytes);
    if ((st = bind_samplers(scene, draw->state, 0, pipeline->ps_samplers, samplers)) ||
        (st = fill_uniforms(memory, draw, pipeline->ps, uniforms)))
        return st;
    if (memory->flushes != scene->flushes) { /* a flush has freed the bindings */
        memset(memory->recent, 0, sizeof(memory->recent));
        memory->flushes = scene->flushes;
    }
    if ((*out = find_binding(memory, &scene->scale, draw, uniforms, samplers)))
        return ST_OK;
    binding = create_binding(&scene->memory, pipeline, uniforms, samplers);
    if (!binding)
        return ST_NOMEM;
    if ((st = bind_merged(memory, &scene->memory, draw, binding)))
        return st;
    binding->hooks = draw->hooks;
    binding->scale = scene->scale;
    find_sampler_groups(binding);
    find_lod_samplers(binding);
    find_deriv_attribs(binding);
    binding->texture_only = is_texture_only(binding);
    if (binding->texture_only) {
        binding->sample_rgba8 = tex_sampler_packed(&binding->sampler[pipeline->modulate.sampler]);
        binding->sample_axis_aligned =
            tex_sampler_axis_aligned(&binding->sampler[pipeline->modulate.sampler]);
    }
    *out = memory->recent[memory->next++ % RECENT_PS_BINDINGS] = binding;
    return ST_OK;
}

/* --- Shading ---------------------------------------------------------------------------------- */

/* x or y of the pixels, as the program counts them. */
static void set_position(const struct ps_binding *binding, unsigned axis, const float *from,
                         float *work)
{
    float *to = work + binding->pipeline->vpos[axis] * VM_LANES;

    if (binding->scale.on)
        translate_unscale(&binding->scale, axis, from, VM_LANES, to);
    else
        memcpy(to, from, VM_LANES * sizeof(float));
}

static void set_system_inputs(const struct ps_binding *binding,
                              const struct raster_shade_batch *batch)
{
    const struct draw_pipeline *pipeline = binding->pipeline;
    float *work = batch->work;

    if (pipeline->vpos[0] >= 0)
        set_position(binding, 0, batch->x, work);
    if (pipeline->vpos[1] >= 0)
        set_position(binding, 1, batch->y, work);
    if (pipeline->vface >= 0)
        memcpy(work + pipeline->vface * VM_LANES, batch->face, VM_LANES * sizeof(float));
}

/* Points the results of a batch to the outputs of the program. The pointers stay valid for later
 * batches with the same binding. */
static void set_output_pointers(const struct draw_pipeline *pipeline,
                                struct raster_shade_batch *batch)
{
    const float *outputs = vm_code_outputs(pipeline->ps, batch->work);

    for (unsigned left = pipeline->colours; left; left &= left - 1) {
        unsigned t = (unsigned)__builtin_ctz(left);

        for (unsigned c = 0; c < 4; c++) {
            int slot = pipeline->colour[t][c];

            batch->colour[t][c] = slot < 0 ? zeros : outputs + slot * VM_LANES;
        }
    }
    if (pipeline->depth >= 0)
        batch->depth = outputs + pipeline->depth * VM_LANES;
}

/* Lane of the pixel that the hooks follow. -1: it is not in the batch. */
static int hooked_lane(const struct draw_debug_hooks *hooks, const struct raster_shade_batch *batch)
{
    for (uint64_t left = batch->covered; left; left &= left - 1) {
        int lane = __builtin_ctzll(left);

        if (hooks->all_pixels || (batch->x[lane] == hooks->x && batch->y[lane] == hooks->y))
            return lane;
    }
    return -1;
}

static void call_before_hook(const struct ps_binding *binding, int lane,
                             const struct raster_shade_batch *pixels, struct vm_batch *batch)
{
    struct draw_shader_batch shading = {.program = binding->pipeline->program[1],
                                        .lanes = batch->lanes,
                                        .covered = pixels->covered,
                                        .lane = lane,
                                        .x = pixels->x,
                                        .y = pixels->y,
                                        .inputs = batch->work};

    binding->hooks->before(binding->hooks->ctx, &shading);
    batch->step_hook = binding->hooks->step;
    batch->step_ctx = binding->hooks->ctx;
}

/* Sampling for the hooks. */
struct hooked_sampling {
    const struct draw_debug_hooks *hooks;
    struct ps_sampling *sampling;
};

static void sample_with_hooks(void *ctx, const struct sample *sample)
{
    const struct hooked_sampling *hooked = ctx;

    ps_sample(hooked->sampling, sample);
    hooked->hooks->sampled(hooked->hooks->ctx, sample);
}

static void sample_group_with_hooks(void *ctx, const struct sample *samples, unsigned n)
{
    const struct hooked_sampling *hooked = ctx;

    ps_sample_group(hooked->sampling, samples, n);
    for (unsigned i = 0; i < n; i++)
        hooked->hooks->sampled(hooked->hooks->ctx, &samples[i]);
}

static void hook_sampling(struct vm_batch *run, struct hooked_sampling *hooked)
{
    if (!hooked->hooks->sampled)
        return;
    run->sample = sample_with_hooks;
    run->sample_group = sample_group_with_hooks;
    run->sample_ctx = hooked;
}

static void call_after_hook(const struct ps_binding *binding, int lane,
                            const struct raster_shade_batch *batch)
{
    const float *colour[RASTER_TARGETS] = {0};
    float value[RASTER_TARGETS][4];

    for (unsigned t = 0; t < RASTER_TARGETS; t++) {
        for (unsigned c = 0; batch->colour[t][0] && c < 4; c++)
            value[t][c] = batch->colour[t][c][lane];
        colour[t] = batch->colour[t][0] ? value[t] : NULL;
    }
    binding->hooks->after(binding->hooks->ctx, colour);
}

static void ps_run_batch(const void *ctx, struct raster_shade_batch *batch)
{
    const struct ps_binding *binding = ctx;
    const struct draw_pipeline *pipeline = binding->pipeline;
    struct ps_sampling sampling = ps_sampling_init(binding, batch);
    struct vm_batch run = {.work = batch->work,
                           .uniforms = binding->uniforms,
                           .lanes = batch->lanes,
                           .sample = ps_sample,
                           .sample_group = ps_sample_group,
                           .sample_ctx = &sampling};
    struct hooked_sampling hooked = {binding->hooks, &sampling};
    int lane = binding->hooks ? hooked_lane(binding->hooks, batch) : -1;

    set_system_inputs(binding, batch);
    if (lane >= 0) {
        call_before_hook(binding, lane, batch, &run);
        hook_sampling(&run, &hooked);
    }
    vm_run(pipeline->ps, &run);
    batch->killed = run.killed;
    if (batch->outputs_valid_for != binding) {
        set_output_pointers(pipeline, batch);
        batch->outputs_valid_for = binding;
    }
    if (lane >= 0)
        call_after_hook(binding, lane, batch);
}

/* The same with the program that ends with the output merger. */
static void ps_run_merged(const void *ctx, struct raster_shade_batch *batch)
{
    const struct ps_binding *binding = ctx;
    const struct raster_merge_memory *merge = &batch->merge;
    struct ps_sampling sampling = ps_sampling_init(binding, batch);
    struct vm_batch run = {.work = batch->work,
                           .uniforms = binding->merged_uniforms,
                           .lanes = batch->lanes,
                           .sample = ps_sample,
                           .sample_group = ps_sample_group,
                           .sample_ctx = &sampling};

    /* The code does not write to constant memory, so the casts from const are safe. */
    run.epilogue[RASTER_MERGE_PIXELS - VM_EPILOGUE_BASE] = merge->pixels;
    run.epilogue[RASTER_MERGE_UNIFORMS - VM_EPILOGUE_BASE] = (void *)(uintptr_t)merge->uniforms;
    run.epilogue[RASTER_MERGE_TABLES - VM_EPILOGUE_BASE] = (void *)(uintptr_t)merge->tables;
    run.epilogue[RASTER_MERGE_FOG - VM_EPILOGUE_BASE] = (void *)(uintptr_t)merge->fog;
    set_system_inputs(binding, batch);
    vm_run(binding->merged->code, &run);
    batch->killed = run.killed;
    if (batch->outputs_valid_for != binding) {
        set_output_pointers(binding->pipeline, batch);
        batch->outputs_valid_for = binding;
    }
}

/* Fast path of texture_only bindings for batches whose factors are all 1: the colour is the texel,
 * so the program does not run. */
static void ps_run_texture_only(const void *ctx, struct raster_shade_batch *batch)
{
    const struct ps_binding *binding = ctx;
    const struct vm_modulate *modulate = &binding->pipeline->modulate;
    const float *work = batch->work;
    const float *u = work + modulate->coord[0] * VM_LANES,
                *v = work + modulate->coord[1] * VM_LANES;
    struct sample texel = {.lod_mode = LOD_IMPLICIT, .lanes = batch->lanes, .coord = {u, v, u}};
    float *outputs = vm_code_outputs(binding->pipeline->ps, batch->work);

    for (unsigned c = 0; c < 4; c++)
        batch->colour[0][c] = texel.texel[c] = outputs + modulate->slot[c] * VM_LANES;
    tex_sample(&binding->sampler[modulate->sampler], &texel);
}

static void ps_run_rgba8(const void *ctx, const struct raster_shade_batch *batch, uint32_t *words)
{
    const struct ps_binding *binding = ctx;
    const struct vm_modulate *modulate = &binding->pipeline->modulate;
    const float *work = batch->work;

    binding->sample_rgba8(&binding->sampler[modulate->sampler],
                          work + modulate->coord[0] * VM_LANES,
                          work + modulate->coord[1] * VM_LANES, words);
}

static bool ps_run_axis_aligned(const void *ctx, const struct tex_axis_aligned *grid)
{
    const struct ps_binding *binding = ctx;

    return binding->sample_axis_aligned(&binding->sampler[binding->pipeline->modulate.sampler],
                                        grid);
}

static void set_gradient(struct raster_state *out, const struct ps_binding *binding)
{
    const struct draw_pipeline *pipeline = binding->pipeline;

    out->is_gradient = true;
    out->gradient.saturated = pipeline->scaled.saturated;
    for (unsigned c = 0; c < 4; c++) {
        int32_t constant = pipeline->scaled.constant[c];

        out->gradient.attr[c] = pipeline->gradient_attr[c];
        out->values.gradient_factor[c] =
            constant < 0 ? 1.0f : vm_uniform_value(binding->uniforms, constant);
    }
}

void ps_set_raster_state(struct raster_state *out, const struct ps_binding *binding)
{
    const struct draw_pipeline *pipeline = binding->pipeline;

    out->shade = ps_run_batch;
    out->shade_merged = binding->merged ? ps_run_merged : NULL;
    out->values.shade_ctx = binding;
    out->work_bytes = pipeline->ps_work_bytes + const_lod_cache_bytes();
    out->n_attrs = (uint8_t)pipeline->n_attr;
    memcpy(out->attr, pipeline->raster_attr, pipeline->n_attr * sizeof(out->attr[0]));
    out->ps_inputs = pipeline->ps_inputs;
    out->kills = pipeline->ps_kills;
    out->writes_depth = pipeline->ps_writes_depth;
    out->colours = pipeline->colours;
    out->attribs_only = !pipeline->ps_samplers && pipeline->vpos[0] < 0 && pipeline->vpos[1] < 0;
    out->is_cheap = pipeline->is_cheap;
    out->needs_quads = binding->needs_quads;
    out->deriv_attribs = binding->deriv_attribs;
    if (pipeline->is_gradient)
        set_gradient(out, binding);
    if (!binding->texture_only)
        return;
    out->shade_texture_only = ps_run_texture_only;
    out->shade_rgba8 = binding->sample_rgba8 ? ps_run_rgba8 : NULL;
    out->shade_axis_aligned = binding->sample_axis_aligned ? ps_run_axis_aligned : NULL;
    memcpy(out->axis_aligned_attr, pipeline->modulate_attr, sizeof(out->axis_aligned_attr));
    out->unit_attribs = pipeline->factors;
}
