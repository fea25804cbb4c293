/* Scene: collects draws and clears until a flush renders them. Binds and clears render targets,
 * binds samplers, keeps the images and the memory that the open scene uses, and makes draws that
 * sample their own targets well-defined. */
#ifndef DRAW_SCENE_SCENE_H
#define DRAW_SCENE_SCENE_H

#include "draw/pipeline/pipeline.h"
#include "draw/translate/translate.h"
#include "util/arena.h"
#include "util/scratch.h"

/* A sampler as an earlier draw between the same two flushes compiled it. */
struct recent_sampler {
    const struct tex_image *image; /* NULL: empty */
    uint64_t version, flushes;     /* of the image and the scene, then */
    struct tex_sampler_state state;
    struct tex_sampler sampler;
};
enum { RECENT_SAMPLERS = 32 };

struct draw_scene {
    struct raster *raster;
    struct raster_targets targets; /* of the open scene */
    struct target_scale scale;     /* of the targets */
    unsigned anisotropy;           /* see struct draw_options */
    uint64_t serial;               /* of the open scene; last_scene of the images that it uses */
    bool open;                     /* the scene contains work */
    bool depth_written, depth_sampled; /* the open scene writes or samples the depth target */
    /* The depth surface that Present discarded last. NULL: cleared since, or already reported. */
    const struct tex_image *discarded_depth;
    struct arena memory; /* lives until the next flush */
    uint64_t flushes;    /* counts the flushes: what `memory` held before the last one is gone */

    /* Images released while the open scene uses them; the flush drops them. */
    struct tex_image **released;
    unsigned n_released, max_released;
    size_t released_bytes;

    /* Copies that samplers of the current draw read instead of one of its targets. */
    struct tex_image *feedback_copy[DRAW_SAMPLERS];
    struct scratch rects; /* of a clear */
    struct recent_sampler recent_sampler[RECENT_SAMPLERS];
};

/* --- scene.c ---------------------------------------------------------------------------------- */

/* Frees what a flushed scene holds, except the rasteriser. */
void scene_fini(struct draw_scene *scene);
/* Renders the open scene and ends it. */
void scene_flush(struct draw_scene *scene);
/* The same, and frees the memory of scenes. */
void scene_trim(struct draw_scene *scene);
/* Flushes if the open scene uses the image. */
void scene_sync(struct draw_scene *scene, const struct tex_image *image);
/* Drops the reference in *slot at once, or at the next flush if the open scene uses the image. */
void scene_release(struct draw_scene *scene, struct tex_image **slot);
/* Called before the depth target changes: draws of the open scene that sample it must not see the
 * change. */
void scene_flush_depth_readers(struct draw_scene *scene);

/* --- target.c --------------------------------------------------------------------------------- */

/* Binds the targets of the state; flushes if they differ from those of the open scene. *has_target:
 * the state has a colour or depth target. */
MUST_CHECK enum status target_bind(struct draw_scene *scene, const struct draw_state *state,
                                   bool *has_target);
/* draw_clear and draw_reset_depth of draw/draw.h. */
MUST_CHECK enum status target_clear(struct draw_scene *scene, const struct draw_state *state,
                                    const struct draw_clear *clear);
MUST_CHECK enum status target_reset_depth(struct draw_scene *scene, struct tex_image *image);
/* Logs once if the application tests depth that Present has discarded. */
void target_warn_discarded_depth(struct draw_scene *scene, const struct draw_state *state);

/* --- samplers.c ------------------------------------------------------------------------------- */

/* Initialises the samplers in mask. Sampler n of the program is sampler first + n of the state. */
MUST_CHECK enum status bind_samplers(struct draw_scene *scene, const struct draw_state *state,
                                     unsigned first, uint32_t mask, struct tex_sampler *samplers);
/* Called before an image is destroyed. */
void scene_forget_samplers(struct draw_scene *scene, const struct tex_image *image);

/* --- feedback.c: draws that sample their render targets --------------------------------------- */

/* A draw calls feedback_begin before it binds its targets, feedback_track when it joins the open
 * scene, and feedback_end when it is complete. */
MUST_CHECK enum status feedback_begin(struct draw_scene *scene, const struct draw_state *state,
                                      const struct draw_pipeline *pipeline);
void feedback_track(struct draw_scene *scene, const struct draw_state *state,
                    const struct draw_pipeline *pipeline);
void feedback_end(struct draw_scene *scene);

#endif
