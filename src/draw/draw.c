/* Creates and destroys the renderer; passes clears, flushes and releases to its scene.
 * Tested by tests/unit/draw/scene/test_target.c and tests/unit/draw/pipeline/test_cache.c. */
#include "draw/context.h"

#include "util/alloc.h"

#include <string.h>

enum status draw_create(struct draw **out, const struct draw_options *options)
{
    struct raster_options raster = {options->force_late_zs, options->no_packing,
                                    options->tile,          options->keep_overdrawn,
                                    options->no_fast_clear, options->interpret};
    struct draw *draw = mem_calloc(1, sizeof(*draw));
    enum status st;

    *out = NULL;
    if (!draw)
        return ST_NOMEM;
    draw->scene.serial = 1;
    draw->ieee = options->ieee;
    draw->no_aa_lines = options->no_aa_lines;
    draw->interpret = options->interpret;
    draw->eager = options->eager;
    draw->scene.anisotropy = options->anisotropy;
    if (!draw->interpret)
        tex_code_use();
    if ((st = pool_create(&draw->pool, options->threads)) ||
        (st = raster_create(&draw->scene.raster, draw->pool))) {
        draw_destroy(draw);
        return st;
    }
    raster_set_options(draw->scene.raster, &raster);
    *out = draw;
    return ST_OK;
}

void draw_destroy(struct draw *draw)
{
    if (!draw)
        return;
    if (draw->scene.raster)
        scene_flush(&draw->scene);
    parallel_draw_destroy(draw);
    raster_destroy(draw->scene.raster);
    scene_fini(&draw->scene);
    pipeline_cache_clear(&draw->pipelines);
    vertex_memory_fini(&draw->vertex);
    vertex_reuse_memory_fini(&draw->reuse);
    ps_memory_fini(&draw->pixel);
    scratch_fini(&draw->vertices);
    scratch_fini(&draw->faulty);
    scratch_fini(&draw->points);
    tess_mesh_fini(&draw->mesh);
    tess_pattern_fini(&draw->pattern);
    pool_destroy(draw->pool);
    if (!draw->interpret)
        tex_code_leave();
    mem_free(draw);
}

void draw_set_debug_hooks(struct draw *draw, struct draw_debug_hooks *hooks)
{
    scene_flush(&draw->scene); /* the open scene may call the old hooks */
    draw->hooks = hooks;
}

void draw_get_statistics(const struct draw *draw, struct draw_statistics *out)
{
    *out = draw->pipelines.statistics;
}

unsigned draw_threads(const struct draw *draw)
{
    return pool_active(draw->pool);
}

void draw_change(struct draw *draw, unsigned threads, unsigned anisotropy)
{
    pool_limit(draw->pool, threads);
    draw->scene.anisotropy = anisotropy;
}

uint64_t draw_scene(const struct draw *draw, bool *open)
{
    *open = draw->scene.open;
    return draw->scene.serial;
}

void draw_flush(struct draw *draw)
{
    scene_flush(&draw->scene);
}

void draw_trim(struct draw *draw)
{
    scene_trim(&draw->scene);
}

void draw_sync(struct draw *draw, struct tex_image *image)
{
    scene_sync(&draw->scene, image);
}

void draw_release(struct draw *draw, struct tex_image **slot)
{
    scene_release(&draw->scene, slot);
}

enum status draw_clear(struct draw *draw, const struct draw_state *state,
                       const struct draw_clear *clear)
{
    return target_clear(&draw->scene, faults_apply(&draw->faulty, state), clear);
}

enum status draw_reset_depth(struct draw *draw, struct tex_image *image)
{
    return target_reset_depth(&draw->scene, image);
}

void draw_state_init(struct draw_state *state)
{
    static const D3DMATRIX identity = {{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}};

    for (unsigned i = 0; i < 256; i++)
        state->world[i] = identity;
    state->view = state->projection = identity;
    for (unsigned i = 0; i < FF_STAGES; i++)
        state->texture_matrix[i] = identity;
    for (unsigned i = 0; i < DRAW_STREAMS; i++)
        state->stream[i].frequency = 1;
}
