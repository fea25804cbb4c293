/* The vertex stage: batches of 64 vertices through the program, out as the rasteriser wants them. */
#include "draw/draw_private.h"

#include "draw/fetch.h"

#include <string.h>

static float float_of(DWORD bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static enum status fill_uniforms(struct draw *draw, const struct draw_plan *plan,
                                 const struct draw_state *state, const struct ff_state *ff,
                                 void *uniforms)
{
    struct vm_constants constants = {
        .f = (const float(*)[4])state->vs_constants.f,
        .i = (const int32_t(*)[4])state->vs_constants.i,
        .b = state->vs_constants.b,
        .n_f = DRAW_VS_FLOATS,
        .n_i = DRAW_INTS,
        .n_b = DRAW_BOOLS,
    };

    if (plan->fixed_vs) {
        float(*c)[4] = draw_scratch_get(&draw->constants, FF_VERTEX_CONSTANTS * sizeof(*c));

        if (!c)
            return ST_NOMEM;
        constants.n_f = ff_vertex_constants(&plan->key.ff_vertex, ff, c);
        constants.f = (const float(*)[4])c;
    }
    vm_code_fill_uniforms(plan->vs, &constants, uniforms);
    return ST_OK;
}

enum status vertex_stage_init(struct vertex_stage *stage, struct draw *draw,
                              const struct draw_plan *plan, const struct draw_state *state,
                              const struct ff_state *ff, struct tex_sampler *samplers)
{
    enum status st;

    *stage = (struct vertex_stage){.plan = plan,
                                   .state = state,
                                   .samplers = samplers,
                                   .point_size = float_of(state->render[D3DRS_POINTSIZE])};
    stage->pool = draw->pool;
    stage->work_stride = (plan->vs_work_bytes + 63) & ~(size_t)63;
    stage->work = draw_scratch_get(&draw->vs_work, stage->work_stride * pool_workers(draw->pool));
    stage->uniforms = draw_scratch_get(&draw->vs_uniforms, plan->vs_uniform_bytes);
    if (!stage->work || !stage->uniforms)
        return ST_NOMEM;
    if ((st = shade_samplers(draw, state, DRAW_VERTEX_SAMPLER, plan->vs_samplers & 15, samplers)))
        return st;
    return fill_uniforms(draw, plan, state, ff, stage->uniforms);
}

static void copy_lanes(const float *lanes, unsigned n, bool clamp, float *out, uint32_t stride)
{
    for (unsigned i = 0; i < n; i++, out += stride) {
        float v = lanes[i];

        if (clamp)
            v = v > 0.0f ? v < 1.0f ? v : 1.0f : 0.0f; /* NaN gives 0 */
        *out = v;
    }
}

static void fill(float value, unsigned n, float *out, uint32_t stride)
{
    for (unsigned i = 0; i < n; i++, out += stride)
        *out = value;
}

static void write_vertices(const struct vertex_stage *stage, void *work, unsigned n, float *out,
                           uint32_t stride)
{
    const struct draw_plan *plan = stage->plan;
    const float *lanes = vm_code_outputs(plan->vs, work);

    for (unsigned c = 0; c < 4; c++)
        if (plan->position[c] >= 0)
            copy_lanes(lanes + plan->position[c] * VM_LANES, n, false,
                       out + RASTER_V_POSITION + c, stride);
        else
            fill(0.0f, n, out + RASTER_V_POSITION + c, stride);
    if (plan->psize >= 0)
        copy_lanes(lanes + plan->psize * VM_LANES, n, false, out + RASTER_V_PSIZE, stride);
    else
        fill(stage->point_size, n, out + RASTER_V_PSIZE, stride);
    for (unsigned a = 0; a < plan->n_attr; a++) {
        const struct plan_attr *attr = &plan->attr[a];

        if (attr->vs_slot >= 0)
            copy_lanes(lanes + attr->vs_slot * VM_LANES, n, attr->clamp, out + RASTER_V_ATTR + a,
                       stride);
        else
            fill(attr->constant, n, out + RASTER_V_ATTR + a, stride);
    }
}

/* Vertices of a draw, in pieces that workers take. */
struct vertex_job {
    const struct vertex_stage *stage;
    const uint32_t *index;
    uint32_t n;
    int64_t base;
    uint32_t instance;
    float *out;
    uint32_t stride_floats;
};
enum { PIECE_BATCHES = 4, PIECE = PIECE_BATCHES * VM_LANES };

static void run_batch(const struct vertex_job *job, uint32_t first, void *work)
{
    const struct vertex_stage *stage = job->stage;
    unsigned batch = job->n - first < VM_LANES ? job->n - first : VM_LANES;
    struct vm_batch run = {.work = work,
                           .uniforms = stage->uniforms,
                           .lanes = ~UINT64_C(0) >> (VM_LANES - batch),
                           .sample = draw_sample,
                           .sample_ctx = stage->samplers};

    fetch_batch(stage->plan, stage->state, job->index + first, batch, job->base, job->instance,
                work);
    vm_run(stage->plan->vs, &run);
    write_vertices(stage, work, batch, job->out + (size_t)first * job->stride_floats,
                   job->stride_floats);
}

static void run_piece(void *ctx, unsigned index, unsigned worker)
{
    const struct vertex_job *job = ctx;
    uint32_t first = index * PIECE, end = first + PIECE < job->n ? first + PIECE : job->n;

    for (; first < end; first += VM_LANES)
        run_batch(job, first, (char *)job->stage->work + worker * job->stage->work_stride);
}

void vertex_stage_run(const struct vertex_stage *stage, const uint32_t *index, uint32_t n,
                      int64_t base, uint32_t instance, float *out, uint32_t stride_floats)
{
    struct vertex_job job = {stage, index, n, base, instance, out, stride_floats};

    pool_run(stage->pool, (n + PIECE - 1) / PIECE, run_piece, &job);
}
