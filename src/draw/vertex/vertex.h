/* Vertices: the unique vertices of a batch of primitives, vertex fetch, the vertex stage, clip
 * status, and ProcessVertices, which runs the vertex stage into memory. */
#ifndef DRAW_VERTEX_VERTEX_H
#define DRAW_VERTEX_VERTEX_H

#include "draw/scene/scene.h"
#include "draw/vertex/primitive_assembly.h"
#include "draw/vertex/reuse.h"
#include "util/threads.h"

struct vertex_kern;

/* --- fetch.c ---------------------------------------------------------------------------------- */

/* One element of vertex number v of an instance, as the vertex stage reads it. */
void fetch_vertex_value(const struct draw_state *state, const D3DVERTEXELEMENT9 *e, int64_t v,
                        uint32_t instance, float out[4]);

/* --- stage.c: the vertex stage ---------------------------------------------------------------- */

/* Memory that the vertex stage uses from draw to draw. */
struct vertex_memory {
    struct scratch work, uniforms, constants;
};
void vertex_memory_fini(struct vertex_memory *memory);

/* The caller sets the first fields, vertex_stage_init those after `hooks`. */
struct vertex_stage {
    const struct draw_pipeline *pipeline;
    const struct draw_state *state;
    struct pool *pool;
    struct tex_sampler *samplers; /* DRAW_SAMPLERS - DRAW_VERTEX_SAMPLER */
    bool needs_psize;             /* the draw rasterises points, whose vertices need a size */
    const struct draw_debug_hooks *hooks; /* NULL unless they follow shaders */

    const struct vertex_kern *kern;
    void *work, *uniforms; /* the work memory of worker n is at n * work_stride */
    size_t work_stride;
    float point_size;
    struct target_scale scale;
};
MUST_CHECK enum status vertex_stage_init(struct vertex_stage *stage, struct vertex_memory *memory,
                                         struct draw_scene *scene, const struct ff_state *ff);

/* Vertices to shade: numbers base + index[i], or base + i if index is NULL, for i < n. */
struct vertex_range {
    const uint32_t *index;
    uint32_t n;
    int64_t base;
    uint32_t instance;
    float *out;                      /* space for n vertices, rounded up to a multiple of 16 */
    uint32_t stride_floats;          /* a multiple of 4 */
    struct raster_draw_batch *batch; /* begun with these vertices */
};
/* Shades and projects the vertices; the workers of the pool share the tasks. */
void vertex_stage_shade(const struct vertex_stage *stage, const struct vertex_range *range);
/* Shades and projects the vertices on the calling thread, which is worker number `worker`. */
void vertex_stage_shade_serial(const struct vertex_stage *stage, const struct vertex_range *range,
                               unsigned worker);

/* process.c: Runs the vertex stage on the vertices of a ProcessVertices call and writes the results
 * to its buffer. */
void vertex_stage_process(const struct vertex_stage *stage, const struct draw_process *process);

/* clip_status.c: Adds the clip codes of n clip-space positions, `stride_floats` apart, if the state
 * records a clip status. Resets the status if the state disables clipping. */
void clip_status_add(const struct draw_state *state, const struct draw_pipeline *pipeline,
                     const float *position, uint32_t n, uint32_t stride_floats);

#endif
