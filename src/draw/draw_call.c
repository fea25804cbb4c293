/* Executes a draw call: finds the pipeline, shades vertices in batches, and passes primitives to
 * the rasteriser. */
#include "draw/draw_call.h"

#include "draw/translate/translate.h"
#include "util/primitive.h"

enum { SCENE_MAX_BYTES = 64 << 20 };

/* --- Sequential batches ----------------------------------------------------------------------- */

static void call_primitives_hook(const struct draw_call *call, struct raster_draw_batch *batch,
                                 const struct unique_vertices *unique, uint32_t n)
{
    const struct draw_debug_hooks *hooks = call->vertex.hooks;
    struct raster_prim_counts counts = {0};

    if (!hooks->primitives)
        return;
    raster_draw_batch_count(batch, reduced_primitive(call->args->type), unique->index, n, &counts);
    hooks->primitives(hooks->ctx, unique->n_indices, &counts);
}

/* Draws primitives first … first + n - 1. */
static enum status draw_primitive_batch(struct draw_call *call, uint32_t first, uint32_t n,
                                        uint32_t instance)
{
    struct raster_draw_batch *own = raster_own_draw_batch(call->draw->scene.raster);
    struct unique_vertices unique;
    enum status st;
    float *data;

    if ((st = collect_unique_vertices(&call->draw->reuse, call->state, call->args, first, n,
                                      &unique)))
        return st;
    if (!(data = alloc_vertices(call, &call->draw->vertices, unique.n_vertices)))
        return ST_NOMEM;
    if ((st = raster_draw_batch_begin(
             own, &(struct raster_vertices){data, call->stride_floats, unique.n_vertices})))
        return st;
    vertex_stage_shade(&call->vertex, &(struct vertex_range){
                                          .index = unique.vertex,
                                          .n = unique.n_vertices,
                                          .base = (int64_t)call->args->base_vertex + unique.first,
                                          .instance = instance,
                                          .out = data,
                                          .stride_floats = call->stride_floats,
                                          .batch = own});
    clip_status_add(call->state, call->vertex.pipeline, data + RASTER_V_POSITION, unique.n_vertices,
                    call->stride_floats);
    if (call->vertex.hooks)
        call_primitives_hook(call, own, &unique, n);
    return raster_draw_batch_draw(own, reduced_primitive(call->args->type), unique.index, n);
}

/* The rasteriser recognises the joints of a line strip only within a batch. */
static enum status draw_instance(struct draw_call *call, uint32_t instance)
{
    uint32_t first = call->args->first, n;
    enum status st = ST_OK;

    for (; !st && first < call->args->primitives; first += n) {
        n = call->args->primitives - first;
        n = n < BATCH_PRIMITIVES ? n : BATCH_PRIMITIVES;
        st = draw_primitive_batch(call, first, n, instance);
    }
    return st;
}

static enum status draw_pass(struct draw_call *call, uint32_t instances)
{
    struct raster *raster = call->draw->scene.raster;
    enum status st = ST_OK;
    bool parallel;

    raster_draw_begin(raster, &call->raster);
    parallel = parallel_draw_possible(call);
    for (uint32_t i = call->args->instance; !st && i < instances; i++)
        st = parallel ? parallel_draw_run(call, i) : draw_instance(call, i);
    raster_draw_end(raster);
    return st;
}

/* Supersampling: a pass for each sample, whose shader gets all inputs at the sample, because it is
 * alone in the mask. Samples do not depend on each other, so the passes give what shading each of
 * them in turn would give (reference: multisample/supersampling). */
static enum status draw_each_sample(struct draw_call *call, uint32_t instances)
{
    uint32_t all = (UINT32_C(1) << call->draw->scene.targets.samples) - 1;
    uint32_t left = call->raster.sample_mask & all;
    enum status st = ST_OK;

    for (unsigned i = 0; i < call->raster.n_attrs; i++)
        call->raster.attr[i].centroid = true;
    for (; left && !st; left &= left - 1) {
        call->raster.sample_mask = left & -left;
        st = draw_pass(call, instances);
    }
    return st;
}

/* A draw is instanced if it is indexed and a stream advances per instance. The frequency of stream
 * 0 is then the instance count (reference: vertices/instancing). */
uint32_t draw_call_instances(const struct draw_state *state, const struct draw_args *args)
{
    uint32_t n = 1;

    for (unsigned s = 0; args->indexed && s < DRAW_STREAMS; s++)
        if (stream_per_instance(&state->stream[s]))
            n = state->stream[0].frequency & 0x3fffffff;
    return args->instances && args->instance + args->instances < n
               ? args->instance + args->instances
               : n;
}

/* --- Draw ------------------------------------------------------------------------------------- */

enum status draw_find_pipeline(struct draw *draw, const struct draw_key *key,
                               const struct draw_state *state, const struct draw_pipeline **out)
{
    struct draw_pipeline *pipeline = pipeline_cache_find(&draw->pipelines, key);
    enum status st;

    if (!pipeline) {
        if (pipeline_cache_full(&draw->pipelines)) {
            scene_flush(&draw->scene); /* the open scene uses pipelines that the cache may evict */
            pipeline_cache_evict(&draw->pipelines);
        }
        if ((st = pipeline_cache_create(&draw->pipelines, &pipeline, key, state)))
            return st;
    }
    *out = pipeline;
    return ST_OK;
}

/* Fills *ff and finds the pipeline of a draw. lights: memory for the array of ff->light. */
static enum status pipeline_of(struct draw *draw, const struct draw_state *state,
                               D3DPRIMITIVETYPE type, const D3DLIGHT9 *lights[FF_LIGHTS],
                               struct ff_state *ff, const struct draw_pipeline **out)
{
    struct draw_key key;

    pipeline_ff_state(ff, state, lights);
    ff->point_sprites = type == D3DPT_POINTLIST && state->render[D3DRS_POINTSPRITEENABLE];
    pipeline_key_init(&key, state, ff);
    key.ieee = draw->ieee;
    key.interpret = draw->interpret;
    key.single_step = draw->hooks && draw->hooks->shaders;
    return draw_find_pipeline(draw, &key, state, out);
}

/* Finds the pixel program that ends with the output merger. *out NULL: the draw takes none. */
static enum status find_merged(const struct draw_call *call, const struct draw_pipeline *pipeline,
                               const struct pipeline_merged **out)
{
    struct raster_merge_key key;

    *out = NULL;
    if (pipeline->key.single_step || pipeline->key.interpret ||
        !raster_merge_key_init(&key, &call->draw->scene.targets, &call->raster))
        return ST_OK;
    return pipeline_merged_get(&call->draw->pipelines, pipeline, &key, call->draw->eager, out);
}

/* Binds what the stages need for the draw. *has_target: false if there is nothing to draw to. */
static enum status bind_draw_call(struct draw_call *call, D3DPRIMITIVETYPE type, bool *has_target)
{
    struct draw *draw = call->draw;
    const struct draw_state *state = call->state;
    const D3DLIGHT9 *lights[FF_LIGHTS];
    const struct draw_pipeline *pipeline;
    const struct draw_debug_hooks *hooks;
    const struct pipeline_merged *merged;
    const struct ps_binding *binding;
    struct ff_state ff;
    enum status st;

    if ((st = pipeline_of(draw, state, type, lights, &ff, &pipeline)))
        return st;
    if ((st = feedback_begin(&draw->scene, state, pipeline)) ||
        (st = target_bind(&draw->scene, state, has_target)) || !*has_target)
        return st;
    feedback_track(&draw->scene, state, pipeline);
    target_warn_discarded_depth(&draw->scene, state);
    hooks = pipeline->key.single_step ? draw->hooks : NULL;
    call->vertex.pipeline = pipeline;
    call->vertex.hooks = hooks;
    translate_raster_state(&call->raster, state, pipeline, &draw->scene.targets,
                           &draw->scene.scale);
    call->raster.colours = pipeline->colours;
    call->raster.antialiased_lines =
        !draw->no_aa_lines &&
        translate_aa_lines(state, reduced_primitive(type), &draw->scene.targets);
    if ((st = find_merged(call, pipeline, &merged)) ||
        (st = ps_bind(&draw->pixel, &draw->scene,
                      &(struct ps_draw){pipeline, state, &ff, hooks, merged}, &binding)) ||
        (st = vertex_stage_init(&call->vertex, &draw->vertex, &draw->scene, &ff)))
        return st;
    ps_set_raster_state(&call->raster, binding);
    call->stride_floats = (RASTER_V_ATTR + pipeline->n_attr + 3) & ~3u;
    return ST_OK;
}

static enum status execute(struct draw *draw, const struct draw_state *state,
                           const struct draw_args *args)
{
    struct tex_sampler vertex_samplers[DRAW_SAMPLERS - DRAW_VERTEX_SAMPLER];
    struct draw_call call = {.draw = draw, .state = state, .args = args};
    uint32_t instances = draw_call_instances(state, args);
    enum status st;
    bool has_target;

    draw->pipelines.statistics.draws++;
    if (draw->scene.memory.used_bytes > SCENE_MAX_BYTES)
        scene_flush(&draw->scene);
    call.vertex.state = state;
    call.vertex.pool = draw->pool;
    call.vertex.samplers = vertex_samplers;
    call.vertex.needs_psize =
        args->type == D3DPT_POINTLIST || state->render[D3DRS_FILLMODE] == D3DFILL_POINT;
    if ((st = bind_draw_call(&call, args->type, &has_target)) || !has_target)
        return st;
    if (translate_supersamples(state, &call.raster, &draw->scene.targets))
        return draw_each_sample(&call, instances);
    return draw_pass(&call, instances);
}

enum status draw_call_execute(struct draw *draw, const struct draw_state *state,
                              const struct draw_args *args)
{
    enum status st = execute(draw, state, args);

    feedback_end(&draw->scene);
    return st;
}

enum status draw_programs(struct draw *draw, const struct draw_state *state, D3DPRIMITIVETYPE type,
                          const struct vm_program **vertex, const struct vm_program **pixel)
{
    const D3DLIGHT9 *lights[FF_LIGHTS];
    const struct draw_pipeline *pipeline;
    struct ff_state ff;
    enum status st;

    state = faults_apply(&draw->faulty, state);
    if ((st = pipeline_of(draw, state, type, lights, &ff, &pipeline)))
        return st;
    *vertex = pipeline->program[0];
    *pixel = pipeline->program[1];
    return ST_OK;
}
