/* Creates, flushes and destroys the renderer, and synchronises access to the memory of images with
 * the open scene. */
#include "draw/draw_private.h"

#include "util/alloc.h"

#include <string.h>

void *draw_scratch_get(struct draw_scratch *scratch, size_t bytes)
{
    if (bytes > scratch->bytes) {
        mem_free(scratch->data);
        scratch->bytes = 0;
        /* Zeroed, because kernels also read the lanes past the end of a batch. */
        scratch->data = mem_calloc(1, bytes + bytes / 2);
        if (!scratch->data)
            return NULL;
        scratch->bytes = bytes + bytes / 2;
    }
    return scratch->data;
}

enum status draw_create(struct draw **out, const struct draw_options *options)
{
    struct raster_options raster = {options->force_late_zs, options->no_packing, options->tile,
                                    options->keep_overdrawn, options->no_fast_clear};
    struct draw *draw = mem_calloc(1, sizeof(*draw));
    enum status st;

    *out = NULL;
    if (!draw)
        return ST_NOMEM;
    draw->scene = 1;
    draw->ieee = options->ieee;
    draw->interpret = options->interpret;
    if ((st = pool_create(&draw->pool, options->threads)) ||
        (st = raster_create(&draw->raster, draw->pool))) {
        draw_destroy(draw);
        return st;
    }
    raster_set_options(draw->raster, &raster);
    *out = draw;
    return ST_OK;
}

void vertex_reuse_memory_free(struct vertex_reuse_memory *memory)
{
    mem_free(memory->indices.data);
    mem_free(memory->map.data);
}

static void free_scratch(struct draw *draw)
{
    struct draw_scratch *const scratch[] = {
        &draw->vs_work,  &draw->vs_uniforms, &draw->ps_uniforms,
        &draw->vertices, &draw->constants,   &draw->rects};

    for (unsigned i = 0; i < sizeof(scratch) / sizeof(*scratch); i++)
        mem_free(scratch[i]->data);
    vertex_reuse_memory_free(&draw->reuse);
}

void draw_destroy(struct draw *draw)
{
    if (!draw)
        return;
    if (draw->raster)
        draw_flush(draw);
    parallel_draw_destroy(draw);
    raster_destroy(draw->raster);
    pipeline_cache_clear(&draw->pipelines);
    arena_fini(&draw->ps_arena);
    mem_free(draw->released);
    free_scratch(draw);
    pool_destroy(draw->pool);
    mem_free(draw);
}

void draw_flush(struct draw *draw)
{
    if (draw->open) {
        raster_flush(draw->raster);
        draw->scene++;
        draw->open = draw->depth_written = draw->depth_sampled = false;
    }
    arena_reset(&draw->ps_arena);
    memset(draw->recent_ps_binding, 0, sizeof(draw->recent_ps_binding));
    while (draw->n_released)
        tex_image_unref(&draw->released[--draw->n_released]);
}

void draw_set_debug_hooks(struct draw *draw, struct draw_debug_hooks *hooks)
{
    draw_flush(draw); /* the open scene may call the old hooks */
    draw->hooks = hooks;
}

void draw_get_statistics(const struct draw *draw, struct draw_statistics *out)
{
    *out = draw->pipelines.statistics;
}

unsigned draw_threads(const struct draw *draw)
{
    return pool_workers(draw->pool);
}

uint64_t draw_scene(const struct draw *draw, bool *open)
{
    *open = draw->open;
    return draw->scene;
}

static bool in_open_scene(const struct draw *draw, const struct tex_image *image)
{
    return draw->open && image->last_scene == draw->scene;
}

void draw_sync(struct draw *draw, struct tex_image *image)
{
    if (in_open_scene(draw, image))
        draw_flush(draw);
}

/* Unbinds a released image that is a target of the rasteriser. set_targets compares targets by
 * address, and a later image may get the same address. */
static void forget_target(struct draw *draw, const struct tex_image *image)
{
    const uint8_t *start = image->memory, *end = start + image->bytes;

    for (unsigned t = 0; t <= RASTER_TARGETS; t++) {
        const uint8_t *data = t < RASTER_TARGETS ? draw->targets.colour[t].data
                                                 : draw->targets.depth.data;

        if (data && data >= start && data < end) {
            draw_flush(draw);
            memset(&draw->targets, 0, sizeof(draw->targets));
        }
    }
}

void draw_release(struct draw *draw, struct tex_image **slot)
{
    struct tex_image *image = *slot;

    if (!image)
        return;
    forget_target(draw, image);
    if (in_open_scene(draw, image) && draw->n_released == draw->max_released) {
        unsigned max = draw->max_released ? 2 * draw->max_released : 64;
        void *more = mem_realloc(draw->released, max * sizeof(*draw->released));

        if (more) {
            draw->released = more;
            draw->max_released = max;
        } else {
            draw_flush(draw);
        }
    }
    if (in_open_scene(draw, image)) {
        draw->released[draw->n_released++] = image;
        *slot = NULL;
    } else {
        tex_image_unref(slot);
    }
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
