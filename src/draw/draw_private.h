/* Declares the state of the draw front end and its internal functions. Private to draw. */
#ifndef DRAW_DRAW_PRIVATE_H
#define DRAW_DRAW_PRIVATE_H

#include "draw/draw.h"
#include "draw/pipeline/pipeline.h"
#include "draw/vertex/vertex_kern.h"
#include "raster/raster.h"
#include "util/arena.h"
#include "util/threads.h"

struct ps_binding;

/* Applications often alternate between a few combinations of textures and constants. */
enum { DRAW_RECENT_PS_BINDINGS = 8 };

/* Scratch buffer that only grows. Growing loses its contents. */
struct draw_scratch {
    void *data;
    size_t bytes;
};

/* Memory that collect_unique_vertices reuses from batch to batch. */
struct vertex_reuse_memory {
    struct draw_scratch indices, map;
};

struct draw {
    struct pool *pool;
    bool ieee, interpret; /* see struct draw_options */
    struct raster *raster;
    struct pipeline_cache pipelines;
    struct raster_targets targets;     /* targets of the open scene */
    uint64_t scene; /* serial of the open scene; last_scene of the images that it uses */
    bool open;                         /* the scene contains work */
    bool depth_written, depth_sampled; /* the open scene writes or samples the depth target */
    /* The depth surface that Present discarded last. NULL: cleared since, or already reported. */
    const struct tex_image *discarded_depth;
    struct arena ps_arena; /* struct ps_binding and uniforms for the pixels of the open scene */
    const struct ps_binding
        *recent_ps_binding[DRAW_RECENT_PS_BINDINGS]; /* ring; bindings of the open scene or NULL */
    unsigned next_ps_binding;

    /* Images released while the open scene uses them; the flush drops them. */
    struct tex_image **released;
    unsigned n_released, max_released;

    /* Copies that samplers of the current draw read instead of one of its targets. */
    struct tex_image *feedback_copy[DRAW_SAMPLERS];

    struct draw_debug_hooks *hooks; /* NULL unless set */
    bool in_hook;                   /* hooks->draw is running */

    struct draw_scratch vs_work, vs_uniforms, ps_uniforms, vertices, constants, rects;
    struct vertex_reuse_memory reuse;
    struct batch_slot
        *batch_slot; /* parallel_draw.c: several for each worker; NULL until the first large draw */
};

/* At least `bytes` bytes, 64-byte aligned. NULL: out of memory. */
void *draw_scratch_get(struct draw_scratch *scratch, size_t bytes);
void vertex_reuse_memory_free(struct vertex_reuse_memory *memory);

/* Finds the pipeline of a key, or creates it from the programs and declaration of the state.
 * Borrowed from the cache until the next call. */
MUST_CHECK enum status draw_find_pipeline(struct draw *draw, const struct draw_key *key,
                                          const struct draw_state *state,
                                          const struct draw_pipeline **out);

/* --- pixel/stage.c: the pixel stage ----------------------------------------------------------- */

/* Creates or reuses the pixel stage binding of a draw: all that workers need to shade its pixels.
 * Valid until draw_flush. */
MUST_CHECK enum status ps_bind(struct draw *draw, const struct draw_pipeline *pipeline,
                               const struct draw_state *state, const struct ff_state *ff,
                               const struct ps_binding **out);
/* Sets the shading part of the raster state. */
void ps_set_raster_state(struct raster_state *out, const struct draw_pipeline *pipeline,
                         const struct ps_binding *binding);

/* translate/samplers.c: initialises the samplers in mask. Sampler n of the program is sampler first
 * + n of the state. */
MUST_CHECK enum status bind_samplers(struct draw *draw, const struct draw_state *state,
                                     unsigned first, uint32_t mask, struct tex_sampler *samplers);

/* --- vertex/stage.c: the vertex stage --------------------------------------------------------- */

struct vertex_stage {
    const struct draw_pipeline *pipeline;
    const struct draw_state *state;
    const struct vertex_kern *kern;
    struct pool *pool;
    const struct draw_debug_hooks *hooks; /* NULL unless they follow shaders */
    void *work, *uniforms;                /* the work memory of worker n is at n * work_stride */
    size_t work_stride;
    struct tex_sampler *samplers; /* four */
    float point_size;
    bool needs_psize; /* the draw rasterises points, whose vertices need a size */
};
MUST_CHECK enum status vertex_stage_init(struct vertex_stage *stage, struct draw *draw,
                                         const struct draw_pipeline *pipeline,
                                         const struct draw_state *state, const struct ff_state *ff,
                                         struct tex_sampler *samplers);
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

/* --- parallel_draw.c: large draws ------------------------------------------------------------- */

void parallel_draw_destroy(struct draw *draw); /* frees the batch slots */

/* --- scene/feedback.c: draws that sample their render targets --------------------------------- */

/* A draw calls feedback_begin before it binds its targets, feedback_track when it joins the open
 * scene, and feedback_end when it is complete. */
MUST_CHECK enum status feedback_begin(struct draw *draw, const struct draw_state *state,
                                      const struct draw_pipeline *pipeline);
void feedback_track(struct draw *draw, const struct draw_state *state,
                    const struct draw_pipeline *pipeline);
void feedback_end(struct draw *draw);
/* Called before the depth target changes: draws of the open scene that sample it must not see the
 * change. */
void feedback_flush_depth_readers(struct draw *draw);

/* --- translate/raster_state.c, scene/target.c ------------------------------------------------- */

/* Sets the raster state except its shading part and depth_clamp. */
void translate_raster_state(struct raster_state *out, const struct draw_state *state,
                            const struct draw_pipeline *pipeline,
                            const struct raster_targets *targets);
/* Binds the targets of the state; flushes if they differ from those of the open scene. *has_target:
 * the state has a colour or depth target. */
MUST_CHECK enum status target_bind(struct draw *draw, const struct draw_state *state,
                                   bool *has_target);
/* Logs once if the application tests depth that Present has discarded. */
void target_warn_discarded_depth(struct draw *draw, const struct draw_state *state);
/* Transforms user clip planes to clip space: sets clip_plane and clip_plane_mask. */
void translate_clip_planes(struct raster_state *out, const struct draw_state *state,
                           const struct draw_pipeline *pipeline);
/* Intersection of the viewport and the enabled scissor: left, top, right, bottom. */
void target_clip_rect(const struct draw_state *state, int32_t rect[4]);

/* --- vertex/clip_status.c --------------------------------------------------------------------- */

/* Adds the clip codes of n clip-space positions, `stride_floats` apart, if the state records a clip
 * status. Resets the status if the state disables clipping. */
void clip_status_add(const struct draw_state *state, const struct draw_pipeline *pipeline,
                     const float *position, uint32_t n, uint32_t stride_floats);

#endif
