/* ProcessVertices: runs the vertex stage and writes its results to a vertex buffer (reference:
 * vertices/process).
 * Tested by tests/conformance/vertices. */
#include "draw/vertex/vertex.h"

#include "draw/vertex/fetch.h"
#include "draw/vertex/process_element.h"
#include "util/math.h"

#include <string.h>

/* Viewport transform from clip space to x, y, z, rhw. The rasteriser computes the same (reference:
 * viewport/transform, viewport/depth-range-empty). */
static void to_screen(const D3DVIEWPORT9 *vp, float v[4])
{
    double w = v[3], half_w = vp->Width * 0.5, half_h = vp->Height * 0.5;
    double range = (double)vp->MaxZ - vp->MinZ;

    v[0] = math_narrowf(vp->X + half_w + v[0] / w * half_w);
    v[1] = math_narrowf(vp->Y + half_h - v[1] / w * half_h);
    v[2] = math_narrowf(vp->MinZ + v[2] / w * (range >= 0.001 ? range : 0.001));
    v[3] = 1.0f / v[3];
}

static uint8_t to_byte(float v)
{
    return v > 0.0f ? v < 1.0f ? (uint8_t)(v * 255.0f + 0.5f) : 255 : 0;
}

/* Replaces NaNs by the canonical NaN and denormals by zero (reference: numbers/nan,
 * numbers/denormals). */
static float canonicalised(float v)
{
    uint32_t bits, magnitude;

    memcpy(&bits, &v, sizeof(bits));
    magnitude = bits & 0x7fffffff;
    bits = magnitude > 0x7f800000 ? 0x7fc00000 : magnitude < 0x00800000 ? bits - magnitude : bits;
    memcpy(&v, &bits, sizeof(v));
    return v;
}

static void write_value(const struct process_element *e, const float v[4], uint8_t *dst)
{
    if (e->type == D3DDECLTYPE_D3DCOLOR) {
        dst[0] = to_byte(v[2]);
        dst[1] = to_byte(v[1]);
        dst[2] = to_byte(v[0]);
        dst[3] = to_byte(v[3]);
        return;
    }
    for (unsigned c = 0; c < e->n; c++) {
        float value = canonicalised(v[c]);

        memcpy(dst + 4 * c, &value, 4);
    }
}

static float saturated(float v)
{
    return v > 0.0f ? v < 1.0f ? v : 1.0f : 0.0f;
}

static float lane_value(const struct vm_io *io, const float *lanes, unsigned i, unsigned c,
                        float default_value)
{
    return io && io->slot[c] >= 0 ? lanes[io->slot[c] * VM_LANES + (int)i] : default_value;
}

/* A batch of shaded vertices: lane i is vertex `first` + i of the streams. */
struct batch {
    const struct vertex_stage *stage;
    const struct process_mapping *mapping;
    const float *lanes;
    int64_t first;
};

static void element_value(const struct batch *batch, const struct process_element *e, unsigned i,
                          float v[4])
{
    if (e->from == PROCESS_SOURCE) {
        fetch_value(batch->stage->state, e->source, batch->first + i, v);
        return;
    }
    for (unsigned c = 0; c < 4; c++) {
        v[c] = lane_value(e->output, batch->lanes, i, c, e->default_value);
        if (e->clamp)
            v[c] = saturated(v[c]);
    }
    if (e->fog)
        v[3] = saturated(lane_value(batch->mapping->fog, batch->lanes, i, 0, 0.0f));
    if (e->from == PROCESS_SCREEN)
        to_screen(&batch->stage->state->viewport, v);
}

static void write_vertex(const struct batch *batch, unsigned i, uint8_t *dst)
{
    for (unsigned n = 0; n < batch->mapping->n; n++) {
        const struct process_element *e = &batch->mapping->element[n];
        float v[4];

        if (e->from == PROCESS_SKIP)
            continue;
        element_value(batch, e, i, v);
        write_value(e, v, dst + e->offset);
    }
}

static void update_clip_status(const struct vertex_stage *stage, unsigned n)
{
    const float *lanes = vm_code_outputs(stage->pipeline->vs, stage->work);
    const int16_t *slot = stage->pipeline->position;
    float position[VM_LANES][4];

    if (!stage->state->clip_status)
        return;
    for (unsigned i = 0; i < n; i++)
        for (unsigned c = 0; c < 4; c++)
            position[i][c] = slot[c] < 0 ? 0.0f : lanes[slot[c] * VM_LANES + (int)i];
    clip_status_add(stage->state, stage->pipeline, position[0], n, 4);
}

void vertex_stage_process(const struct vertex_stage *stage, const struct draw_process *process)
{
    struct process_mapping mapping;

    process_mapping_init(&mapping, stage->pipeline, stage->state, process);
    for (uint32_t done = 0; done < process->count; done += VM_LANES) {
        unsigned n = process->count - done < VM_LANES ? process->count - done : VM_LANES;
        struct vm_batch run = {.work = stage->work,
                               .uniforms = stage->uniforms,
                               .lanes = ~UINT64_C(0) >> (VM_LANES - n),
                               .sample = draw_sample,
                               .sample_ctx = stage->samplers};

        fetch_batch(stage->pipeline, stage->state, stage->kern,
                    &(struct fetch_lanes){.n = n, .base = (int64_t)process->start + done},
                    stage->work);
        vm_run(stage->pipeline->vs, &run);
        update_clip_status(stage, n);
        for (unsigned i = 0; i < n; i++)
            write_vertex(&(struct batch){stage, &mapping,
                                         vm_code_outputs(stage->pipeline->vs, stage->work),
                                         (int64_t)process->start + done},
                         i, process->dst + (size_t)(done + i) * process->dst_stride);
    }
}
