/* Executes a ProcessVertices call: finds its pipeline and runs the vertex stage.
 * Tested by tests/conformance/vertices. */
#include "draw/context.h"

#include "util/fpenv.h"

enum status draw_process_vertices(struct draw *draw, const struct draw_state *state,
                                  const struct draw_process *process)
{
    const D3DLIGHT9 *lights[FF_LIGHTS];
    struct tex_sampler samplers[DRAW_SAMPLERS - DRAW_VERTEX_SAMPLER];
    struct vertex_stage stage = {.pool = draw->pool, .samplers = samplers};
    struct draw_key key;
    struct ff_state ff;
    struct fp_mode mode;
    enum status st;

    if (!state->decl || !process->decl || !process->dst_stride ||
        (uint64_t)process->count * process->dst_stride > process->dst_size)
        return ST_INVALID;
    if (state->vs && vm_program_info(state->vs)->samplers)
        scene_flush(&draw->scene); /* the shader may sample targets of the open scene */
    mode = fp_enter();
    stage.state = state = faults_apply(&draw->faulty, state);
    pipeline_ff_state(&ff, state, lights);
    ff.process_vertices = true;
    pipeline_key_init_process(&key, state, &ff);
    key.ieee = draw->ieee;
    key.interpret = draw->interpret;
    st = draw_find_pipeline(draw, &key, state, &stage.pipeline);
    if (!st)
        st = vertex_stage_init(&stage, &draw->vertex, &draw->scene, &ff);
    if (!st)
        vertex_stage_process(&stage, process);
    fp_leave(mode);
    return st;
}
