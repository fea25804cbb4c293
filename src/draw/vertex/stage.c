/* Vertex stage: runs the vertex program on batches of 64 vertices, and stores the results in the
 * vertex layout of the rasteriser.
 * Tested by tests/unit/draw/test_draw_call.c and tests/conformance/vertices. */
#include "draw/vertex/vertex.h"

#include "draw/vertex/fetch.h"
#include "draw/vertex/vertex_kern.h"

#include <string.h>

static float float_of(DWORD bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

void vertex_memory_fini(struct vertex_memory *memory)
{
    scratch_fini(&memory->work);
    scratch_fini(&memory->uniforms);
    scratch_fini(&memory->constants);
}

static enum status fill_uniforms(const struct vertex_stage *stage, struct vertex_memory *memory,
                                 const struct ff_state *ff)
{
    const struct draw_shader_constants *from = &stage->state->vs_constants;
    const struct draw_pipeline *pipeline = stage->pipeline;
    struct vm_constants constants = {
        .f = (const float(*)[4])from->f,
        .i = (const int32_t(*)[4])from->i,
        .b = from->b,
        .n_f = DRAW_VS_FLOATS,
        .n_i = DRAW_INTS,
        .n_b = DRAW_BOOLS,
    };

    if (pipeline->fixed_vs) {
        float(*c)[4] = scratch_get(&memory->constants, FF_VERTEX_CONSTANTS * sizeof(*c));

        if (!c)
            return ST_NOMEM;
        constants.n_f = ff_vertex_constants(&pipeline->key.ff_vertex, ff, c);
        constants.f = (const float(*)[4])c;
    }
    vm_code_fill_uniforms(pipeline->vs, &constants, stage->uniforms);
    return ST_OK;
}

enum status vertex_stage_init(struct vertex_stage *stage, struct vertex_memory *memory,
                              struct draw_scene *scene, const struct ff_state *ff)
{
    const struct draw_pipeline *pipeline = stage->pipeline;
    enum status st;

    stage->kern = KERN_PICK(vertex_kern);
    stage->scale = scene->scale;
    stage->point_size = float_of(stage->state->render[D3DRS_POINTSIZE]);
    stage->work_stride = (pipeline->vs_work_bytes + 63) & ~(size_t)63;
    stage->work = scratch_get(&memory->work, stage->work_stride * pool_workers(stage->pool));
    stage->uniforms = scratch_get(&memory->uniforms, pipeline->vs_uniform_bytes);
    if (!stage->work || !stage->uniforms)
        return ST_NOMEM;
    if ((st = bind_samplers(scene, stage->state, DRAW_VERTEX_SAMPLER, pipeline->vs_samplers & 15,
                            stage->samplers)))
        return st;
    return fill_uniforms(stage, memory, ff);
}

/* Sources of four floats of each vertex, a row each: an output of the program, or in `storage`. */
struct vec4_rows {
    const float *row[4];
    _Alignas(64) float storage[4][VM_LANES];
};

static void fill_row(struct vec4_rows *rows, unsigned c, float value)
{
    for (unsigned i = 0; i < VM_LANES; i++)
        rows->storage[c][i] = value;
    rows->row[c] = rows->storage[c];
}

static void write_position(const struct vertex_stage *stage, const float *lanes, unsigned n,
                           float *out, uint32_t stride)
{
    const struct draw_pipeline *pipeline = stage->pipeline;
    struct vec4_rows rows;

    for (unsigned c = 0; c < 4; c++)
        if (pipeline->position[c] >= 0)
            rows.row[c] = lanes + pipeline->position[c] * VM_LANES;
        else
            fill_row(&rows, c, 0.0f);
    stage->kern->scatter_vec4(rows.row, n, out + RASTER_V_POSITION, stride);
    if (stage->scale.on)
        translate_scale_positions(&stage->scale, &stage->state->viewport, pipeline->key.transformed,
                                  out + RASTER_V_POSITION, n, stride);
}

/* The kernel writes four floats: the size and three copies, which are not read. */
static void write_size(const struct vertex_stage *stage, const float *lanes, unsigned n, float *out,
                       uint32_t stride)
{
    struct vec4_rows rows;

    if (stage->pipeline->psize >= 0)
        rows.row[0] = lanes + stage->pipeline->psize * VM_LANES;
    else
        fill_row(&rows, 0, stage->point_size);
    rows.row[1] = rows.row[2] = rows.row[3] = rows.row[0];
    stage->kern->scatter_vec4(rows.row, n, out + RASTER_V_PSIZE, stride);
    for (unsigned i = 0; stage->scale.on && i < n; i++)
        out[RASTER_V_PSIZE + i * stride] =
            translate_scale_size(&stage->scale, out[RASTER_V_PSIZE + i * stride]);
}

/* Writes attributes first … first + 3. Padding past the last attribute repeats its row. */
static void write_attributes(const struct vertex_stage *stage, const float *lanes, unsigned first,
                             unsigned n, float *out, uint32_t stride)
{
    const struct draw_pipeline *pipeline = stage->pipeline;
    struct vec4_rows rows;

    for (unsigned c = 0; c < 4; c++) {
        const struct pipeline_attr *attr = &pipeline->attr[first + c];
        const float *row;

        if (first + c >= pipeline->n_attr) {
            rows.row[c] = rows.row[c - 1];
            continue;
        }
        if (attr->vs_slot < 0) {
            fill_row(&rows, c, attr->constant);
            continue;
        }
        row = lanes + attr->vs_slot * VM_LANES;
        rows.row[c] = attr->clamp ? rows.storage[c] : row;
        if (attr->clamp) /* NaN becomes 0 */
            stage->kern->saturate(row, n, rows.storage[c]);
    }
    stage->kern->scatter_vec4(rows.row, n, out + RASTER_V_ATTR + first, stride);
}

static void write_vertices(const struct vertex_stage *stage, void *work, unsigned n, float *out,
                           uint32_t stride)
{
    const float *lanes = vm_code_outputs(stage->pipeline->vs, work);

    write_position(stage, lanes, n, out, stride);
    if (stage->needs_psize)
        write_size(stage, lanes, n, out, stride);
    for (unsigned a = 0; a < stage->pipeline->n_attr; a += 4)
        write_attributes(stage, lanes, a, n, out, stride);
}

/* --- Batches ---------------------------------------------------------------------------------- */

struct vertex_job {
    const struct vertex_stage *stage;
    const struct vertex_range *range;
};
enum { TASK_BATCHES = 4, TASK_VERTICES = TASK_BATCHES * VM_LANES };

/* Samples for the hooks. */
struct hooked_samplers {
    const struct draw_debug_hooks *hooks;
    void *samplers;
};

static void sample_with_hooks(void *ctx, const struct sample *sample)
{
    const struct hooked_samplers *hooked = ctx;

    draw_sample(hooked->samplers, sample);
    hooked->hooks->sampled(hooked->hooks->ctx, sample);
}

static void run_with_hooks(const struct vertex_job *job, uint32_t first, struct vm_batch *batch)
{
    const struct vertex_stage *stage = job->stage;
    const struct vertex_range *range = job->range;
    const struct draw_debug_hooks *hooks = stage->hooks;
    struct draw_shader_batch shading = {.program = stage->pipeline->program[0],
                                        .lanes = batch->lanes,
                                        .covered = batch->lanes,
                                        .lane = -1,
                                        .index = range->index ? range->index + first : NULL,
                                        .first = range->index ? range->base : range->base + first,
                                        .instance = range->instance,
                                        .inputs = batch->work};
    const float *outputs = vm_code_outputs(stage->pipeline->vs, batch->work), *position[4];
    struct hooked_samplers hooked = {hooks, batch->sample_ctx};

    hooks->before(hooks->ctx, &shading);
    if (hooks->sampled) {
        batch->sample = sample_with_hooks;
        batch->sample_ctx = &hooked;
    }
    batch->step_hook = hooks->step;
    batch->step_ctx = hooks->ctx;
    vm_run(stage->pipeline->vs, batch);
    for (unsigned c = 0; c < 4; c++)
        position[c] = stage->pipeline->position[c] < 0
                          ? NULL
                          : outputs + stage->pipeline->position[c] * VM_LANES;
    shading.outputs = outputs;
    if (hooks->vertices)
        hooks->vertices(hooks->ctx, &shading, position);
}

static void run_batch(const struct vertex_job *job, uint32_t first, unsigned n, void *work)
{
    const struct vertex_stage *stage = job->stage;
    const struct vertex_range *range = job->range;
    struct fetch_lanes lanes = {.index = range->index ? range->index + first : NULL,
                                .n = n,
                                .base = range->index ? range->base : range->base + first,
                                .instance = range->instance};
    struct vm_batch batch = {.work = work,
                             .uniforms = stage->uniforms,
                             .lanes = ~UINT64_C(0) >> (VM_LANES - n),
                             .sample = draw_sample,
                             .sample_ctx = stage->samplers};

    fetch_batch(stage->pipeline, stage->state, stage->kern, &lanes, work);
    if (stage->hooks)
        run_with_hooks(job, first, &batch);
    else
        vm_run(stage->pipeline->vs, &batch);
    write_vertices(stage, work, n, range->out + (size_t)first * range->stride_floats,
                   range->stride_floats);
}

static void run_task(void *ctx, unsigned index, unsigned worker)
{
    const struct vertex_job *job = ctx;
    void *work = (char *)job->stage->work + worker * job->stage->work_stride;
    uint32_t first = index * TASK_VERTICES, left = job->range->n - first;
    uint32_t end = first + (left < TASK_VERTICES ? left : TASK_VERTICES);

    for (uint32_t i = first; i < end; i += VM_LANES)
        run_batch(job, i, end - i < VM_LANES ? end - i : VM_LANES, work);
    raster_draw_batch_project(job->range->batch, first, end - first);
}

void vertex_stage_shade(const struct vertex_stage *stage, const struct vertex_range *range)
{
    struct vertex_job job = {stage, range};

    /* Worker affinity: a batch overwrites the vertices of the last one, which are in the caches of
     * the same workers. */
    pool_run_affine(stage->pool, (range->n + TASK_VERTICES - 1) / TASK_VERTICES, run_task, &job);
}

void vertex_stage_shade_serial(const struct vertex_stage *stage, const struct vertex_range *range,
                               unsigned worker)
{
    struct vertex_job job = {stage, range};

    for (unsigned i = 0; i < (range->n + TASK_VERTICES - 1) / TASK_VERTICES; i++)
        run_task(&job, i, worker);
}
