/* The renderer's own memory. Private to draw. */
#ifndef DRAW_DRAW_PRIVATE_H
#define DRAW_DRAW_PRIVATE_H

#include "draw/draw.h"
#include "draw/pipeline.h"
#include "draw/vertex_kern.h"
#include "raster/raster.h"
#include "util/arena.h"
#include "util/threads.h"

struct ps_binding;

/* Programs often draw with a few textures and constants in turn. */
enum { DRAW_RECENT_PS_BINDINGS = 8 };

/* Memory that grows and keeps; contents are lost when it does. */
struct draw_scratch {
    void *data;
    size_t bytes;
};

/* What collect_unique_vertices works in. */
struct vertex_reuse_memory {
    struct draw_scratch indices, map;
};

struct draw {
    struct pool *pool;
    bool ieee, interpret; /* see struct draw_options */
    struct raster *raster;
    struct pipeline_cache pipelines;
    struct raster_targets targets;     /* what the open scene draws to */
    uint64_t scene;                    /* counts draw_flush; images of the open scene carry it */
    bool open;                         /* something was drawn since the last flush */
    bool depth_written, depth_sampled; /* the depth target, by draws of the open scene */
    const struct tex_image
        *discarded_depth;  /* the last that lost its depth; NULL: cleared since, or told */
    struct arena ps_arena; /* what pixels of the open scene need: struct ps_binding and uniforms */
    const struct ps_binding
        *recent_ps_binding[DRAW_RECENT_PS_BINDINGS]; /* of the open scene, in turn; or NULL */
    unsigned next_ps_binding;

    /* Images given up while the open scene uses them. */
    struct tex_image **released;
    unsigned n_released, max_released;

    /* What samplers of the current draw read in place of a target of it. */
    struct tex_image *feedback_copy[DRAW_SAMPLERS];

    struct draw_debug_hooks *hooks; /* NULL normally */
    bool in_hook;                   /* inside its draw() */

    struct draw_scratch vs_work, vs_uniforms, ps_uniforms, vertices, constants, rects;
    struct vertex_reuse_memory reuse;
    struct batch_slot
        *batch_slot; /* parallel_draw.c: of each worker several; NULL: no draw was so large yet */
};

/* At least `bytes` of 64-byte aligned memory, or NULL. */
void *draw_scratch_get(struct draw_scratch *scratch, size_t bytes);
void vertex_reuse_memory_free(struct vertex_reuse_memory *memory);

/* The pipeline of a key, made if need be from the programs and declaration of the state. Borrowed
 * from the cache until the next call. */
MUST_CHECK enum status draw_find_pipeline(struct draw *draw, const struct draw_key *key,
                                          const struct draw_state *state,
                                          const struct draw_pipeline **out);

/* --- pixel_stage.c: the pixel stage ----------------------------------------------------------- */

/* Builds, or finds again, what workers need to shade pixels of this draw; valid until draw_flush.
 */
MUST_CHECK enum status ps_bind(struct draw *draw, const struct draw_pipeline *pipeline,
                               const struct draw_state *state, const struct ff_state *ff,
                               const struct ps_binding **out);
/* How the raster state has it. */
void ps_set_raster_state(struct raster_state *out, const struct draw_pipeline *pipeline,
                         const struct ps_binding *binding);

/* samplers.c: initialises the samplers named by mask: sampler n of the program is state sampler
 * first + n. */
MUST_CHECK enum status bind_samplers(struct draw *draw, const struct draw_state *state,
                                     unsigned first, uint32_t mask, struct tex_sampler *samplers);

/* --- vertex_stage.c: the vertex stage --------------------------------------------------------- */

struct vertex_stage {
    const struct draw_pipeline *pipeline;
    const struct draw_state *state;
    const struct vertex_kern *kern;
    struct pool *pool;
    const struct draw_debug_hooks *hooks; /* follows the shader; NULL normally */
    void *work, *uniforms;          /* work: of worker n at n * work_stride */
    size_t work_stride;
    struct tex_sampler *samplers; /* four */
    float point_size;
    bool needs_psize; /* somebody looks at vertices' sizes: points are drawn */
};
MUST_CHECK enum status vertex_stage_init(struct vertex_stage *stage, struct draw *draw,
                                         const struct draw_pipeline *pipeline,
                                         const struct draw_state *state, const struct ff_state *ff,
                                         struct tex_sampler *samplers);
/* Vertices to shade: numbers base + index[i], or base + i without an index, for i < n. */
struct vertex_range {
    const uint32_t *index;
    uint32_t n;
    int64_t base;
    uint32_t instance;
    float *out;                 /* with room for a multiple of 16 vertices */
    uint32_t stride_floats;     /* a multiple of 4 */
    struct raster_draw_batch *batch; /* has begun with these vertices */
};
/* Shades and projects them, in pieces that workers take. */
void vertex_stage_shade(const struct vertex_stage *stage, const struct vertex_range *range);
/* The same by one worker, of that number. */
void vertex_stage_shade_serial(const struct vertex_stage *stage, const struct vertex_range *range,
                               unsigned worker);

/* --- parallel_draw.c: large draws ------------------------------------------------------------- */

void parallel_draw_destroy(struct draw *draw); /* what they left */

/* --- feedback.c: draws that sample what they render to ---------------------------------------- */

/* Before targets are bound; then what the draw adds to the open scene; and after the draw. */
MUST_CHECK enum status feedback_begin(struct draw *draw, const struct draw_state *state,
                                      const struct draw_pipeline *pipeline);
void feedback_track(struct draw *draw, const struct draw_state *state,
                    const struct draw_pipeline *pipeline);
void feedback_end(struct draw *draw);
/* Before the depth target changes: draws of the open scene that sample it must not see that. */
void feedback_flush_depth_readers(struct draw *draw);

/* --- raster_state.c, target.c ----------------------------------------------------------------- */

/* Everything of the raster state but shading. */
void translate_raster_state(struct raster_state *out, const struct draw_state *state,
                            const struct draw_pipeline *pipeline,
                            const struct raster_targets *targets);
/* Binds the state's targets; flushes when they differ from the open scene's. *any: something to
 * draw to. */
MUST_CHECK enum status target_bind(struct draw *draw, const struct draw_state *state, bool *any);
/* Tells once of a program that tests depth which Present has discarded. */
void target_warn_discarded_depth(struct draw *draw, const struct draw_state *state);
/* The user's planes in clip space, into clip_plane and clip_plane_mask. */
void translate_clip_planes(struct raster_state *out, const struct draw_state *state,
                           const struct draw_pipeline *pipeline);
/* left, top, right, bottom of what the viewport and, where enabled, the scissor leave. */
void target_clip_rect(const struct draw_state *state, int32_t rect[4]);

/* --- clip_status.c ---------------------------------------------------------------------------- */

/* Adds the clip codes of n positions in clip space, `stride_floats` apart, where the state keeps a
 * clip status. */
void clip_status_add(const struct draw_state *state, const struct draw_pipeline *pipeline,
                     const float *position, uint32_t n, uint32_t stride_floats);

#endif
