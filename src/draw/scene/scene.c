/* Flushes the open scene, and synchronises access to the memory of images with it.
 * Tested by tests/unit/draw/scene/test_target.c. */
#include "draw/scene/scene.h"

#include "util/alloc.h"

#include <string.h>

/* Images that the application has released wait for the flush of the scene that uses them; more
 * bytes than this end the scene. */
enum { MAX_RELEASED_BYTES = 64 << 20 };

void scene_fini(struct draw_scene *scene)
{
    arena_fini(&scene->memory);
    mem_free(scene->released);
    scratch_fini(&scene->rects);
}

void scene_flush(struct draw_scene *scene)
{
    if (scene->open) {
        raster_flush(scene->raster);
        scene->serial++;
        scene->open = scene->depth_written = scene->depth_sampled = false;
    }
    arena_reset(&scene->memory);
    scene->flushes++;
    while (scene->n_released)
        tex_image_unref(&scene->released[--scene->n_released]);
    scene->released_bytes = 0;
}

void scene_trim(struct draw_scene *scene)
{
    scene_flush(scene);
    raster_trim(scene->raster);
    arena_fini(&scene->memory);
}

void scene_flush_depth_readers(struct draw_scene *scene)
{
    if (scene->depth_sampled)
        scene_flush(scene);
}

static bool in_open_scene(const struct draw_scene *scene, const struct tex_image *image)
{
    return scene->open && image->last_scene == scene->serial;
}

void scene_sync(struct draw_scene *scene, const struct tex_image *image)
{
    if (in_open_scene(scene, image))
        scene_flush(scene);
}

/* Unbinds a released image that is a target of the rasteriser. set_targets compares targets by
 * address, and a later image may get the same address. */
static void forget_target(struct draw_scene *scene, const struct tex_image *image)
{
    const uint8_t *start = image->memory, *end = start + image->bytes;

    for (unsigned t = 0; t <= RASTER_TARGETS; t++) {
        const uint8_t *data =
            t < RASTER_TARGETS ? scene->targets.colour[t].data : scene->targets.depth.data;

        if (data && data >= start && data < end) {
            scene_flush(scene);
            memset(&scene->targets, 0, sizeof(scene->targets));
        }
    }
}

void scene_release(struct draw_scene *scene, struct tex_image **slot)
{
    struct tex_image *image = *slot;

    if (!image)
        return;
    forget_target(scene, image);
    if (in_open_scene(scene, image) && scene->n_released == scene->max_released) {
        unsigned max = scene->max_released ? 2 * scene->max_released : 64;
        void *more = mem_realloc(scene->released, max * sizeof(*scene->released));

        if (more) {
            scene->released = more;
            scene->max_released = max;
        } else {
            scene_flush(scene);
        }
    }
    if (in_open_scene(scene, image) && scene->released_bytes > MAX_RELEASED_BYTES)
        scene_flush(scene);
    if (in_open_scene(scene, image)) {
        scene->released_bytes += image->bytes;
        scene->released[scene->n_released++] = image;
        *slot = NULL;
    } else {
        scene_forget_samplers(scene, image);
        tex_image_unref(slot);
    }
}
