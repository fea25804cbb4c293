/* ProcessVertices: the vertex stage into a vertex buffer (reference: vertices/process). */
#include "draw/draw_private.h"

#include "draw/fetch.h"
#include "util/fpenv.h"
#include "util/math.h"

#include <string.h>

static const struct vm_io *find_output(const struct draw_plan *plan, unsigned usage,
                                       unsigned index)
{
    for (unsigned i = 0; i < plan->n_outputs; i++)
        if (plan->output[i].usage == usage && plan->output[i].index == index)
            return &plan->output[i];
    return NULL;
}

/* Clip space to x, y, z, rhw on the screen, with the viewport's range of depth. */
static void to_screen(const D3DVIEWPORT9 *vp, float v[4])
{
    float rhw = 1.0f / v[3];

    v[0] = (float)vp->X + (1.0f + math_mulf(v[0], rhw)) * ((float)vp->Width * 0.5f);
    v[1] = (float)vp->Y + (1.0f - math_mulf(v[1], rhw)) * ((float)vp->Height * 0.5f);
    v[2] = vp->MinZ + math_mulf(math_mulf(v[2], rhw), vp->MaxZ - vp->MinZ);
    v[3] = rhw;
}

static uint8_t to_byte(float v)
{
    return v > 0.0f ? v < 1.0f ? (uint8_t)(v * 255.0f + 0.5f) : 255 : 0;
}

/* As it leaves the renderer (reference: numbers/nan, numbers/denormals). */
static float settled(float v)
{
    uint32_t bits, magnitude;

    memcpy(&bits, &v, sizeof(bits));
    magnitude = bits & 0x7fffffff;
    bits = magnitude > 0x7f800000 ? 0x7fc00000 : magnitude < 0x00800000 ? bits - magnitude : bits;
    memcpy(&v, &bits, sizeof(v));
    return v;
}

/* Only the types that destinations have in practice: floats and D3DCOLOR; others stay zero. */
static void write_element(unsigned type, const float v[4], uint8_t *dst)
{
    if (type <= D3DDECLTYPE_FLOAT4) {
        for (unsigned c = 0; c <= type; c++) {
            float value = settled(v[c]);

            memcpy(dst + 4 * c, &value, 4);
        }
    } else if (type == D3DDECLTYPE_D3DCOLOR) {
        dst[0] = to_byte(v[2]);
        dst[1] = to_byte(v[1]);
        dst[2] = to_byte(v[0]);
        dst[3] = to_byte(v[3]);
    }
}

/* What element e of a vertex becomes; nobody's diffuse is opaque white, anything else 0. */
static void element_value(const struct draw_plan *plan, const struct draw_state *state,
                          const D3DVERTEXELEMENT9 *e, const float *lanes, unsigned i, float v[4])
{
    bool position = e->Usage == D3DDECLUSAGE_POSITION || e->Usage == D3DDECLUSAGE_POSITIONT;
    const struct vm_io *io =
        find_output(plan, position ? (unsigned)VM_USAGE_POSITION : e->Usage, e->UsageIndex);

    for (unsigned c = 0; c < 4; c++)
        v[c] = io && io->slot[c] >= 0 ? lanes[io->slot[c] * VM_LANES + (int)i]
               : e->Usage == D3DDECLUSAGE_COLOR && e->UsageIndex == 0 ? 1.0f
                                                                       : 0.0f;
    if (position && !plan->key.transformed)
        to_screen(&state->viewport, v);
}

static void write_vertex(const struct draw_plan *plan, const struct draw_state *state,
                         const struct draw_process *process, const float *lanes, unsigned i,
                         uint8_t *dst)
{
    if (!(process->flags & D3DPV_DONOTCOPYDATA))
        memset(dst, 0, process->dst_stride);
    for (unsigned n = 0; n < process->decl->n; n++) {
        const D3DVERTEXELEMENT9 *e = &process->decl->element[n];
        bool position = e->Usage == D3DDECLUSAGE_POSITION || e->Usage == D3DDECLUSAGE_POSITIONT;
        float v[4];

        if (e->Stream || e->Offset + fetch_type_bytes(e->Type) > process->dst_stride ||
            (!position && (process->flags & D3DPV_DONOTCOPYDATA)))
            continue;
        element_value(plan, state, e, lanes, i, v);
        write_element(e->Type, v, dst + e->Offset);
    }
}

static void run_batches(const struct vertex_stage *stage, const struct draw_process *process)
{
    uint32_t index[VM_LANES];

    for (uint32_t done = 0; done < process->count; done += VM_LANES) {
        unsigned n = process->count - done < VM_LANES ? process->count - done : VM_LANES;
        struct vm_batch run = {.work = stage->work,
                               .uniforms = stage->uniforms,
                               .lanes = ~UINT64_C(0) >> (VM_LANES - n),
                               .sample = draw_sample,
                               .sample_ctx = stage->samplers};

        for (unsigned i = 0; i < VM_LANES; i++)
            index[i] = done + i;
        fetch_batch(stage->plan, stage->state, index, n, process->start, 0, stage->work);
        vm_run(stage->plan->vs, &run);
        for (unsigned i = 0; i < n; i++)
            write_vertex(stage->plan, stage->state, process,
                         vm_code_outputs(stage->plan->vs, stage->work), i,
                         process->dst + (size_t)(done + i) * process->dst_stride);
    }
}

enum status draw_process_vertices(struct draw *draw, const struct draw_state *state,
                                  const struct draw_process *process)
{
    const D3DLIGHT9 *lights[FF_LIGHTS];
    struct tex_sampler samplers[4];
    const struct draw_plan *plan;
    struct vertex_stage stage;
    struct draw_key key;
    struct ff_state ff;
    struct fp_mode mode;
    enum status st;

    if (!state->decl || !process->decl || !process->dst_stride ||
        (uint64_t)process->count * process->dst_stride > process->dst_size)
        return ST_INVALID;
    mode = fp_enter();
    plan_ff_state(&ff, state, lights);
    plan_key_init_process(&key, state, &ff);
    key.ieee = draw->ieee;
    st = draw_find_plan(draw, &key, state, &plan);
    if (!st)
        st = vertex_stage_init(&stage, draw, plan, state, &ff, samplers);
    if (!st)
        run_batches(&stage, process);
    fp_leave(mode);
    return st;
}
