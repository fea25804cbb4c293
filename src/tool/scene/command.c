/* Services for the commands of a scene: failures, and memory and objects that end with the scene.
 *
 * Tested by tests/conformance. */
#include "tool/scene/command.h"

#include <stdlib.h>

/* Memory limit of a scene: its text, and its images at the largest texel size. */
static const uint64_t MEMORY_MAX = 512u << 20;

struct block {
    _Alignas(max_align_t) struct block *next;
};

void scene_say(const struct scene *scene, const char *format, va_list args)
{
    fprintf(scene->out, "%s:%d: ", scene->path, scene->line.number);
    vfprintf(scene->out, format, args);
    putc('\n', scene->out);
}

void scene_fail(struct scene *scene, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    scene_say(scene, format, args);
    va_end(args);
    scene->tally.failed++;
    longjmp(scene->abandon, 1);
}

void scene_use_memory(struct scene *scene, uint64_t bytes)
{
    if (bytes > MEMORY_MAX - scene->memory)
        scene_fail(scene, "the scene needs more than %u MiB", (unsigned)(MEMORY_MAX >> 20));
    scene->memory += bytes;
}

void *scene_alloc(struct scene *scene, size_t size)
{
    struct block *block;

    scene_use_memory(scene, size + sizeof(*block));
    block = calloc(1, size + sizeof(*block));
    if (!block)
        scene_fail(scene, "out of memory");
    block->next = scene->blocks;
    scene->blocks = block;
    return block + 1;
}

static void release(IUnknown *object)
{
    object->lpVtbl->Release(object);
}

void scene_own(struct scene *scene, void *object)
{
    if (!object)
        return;
    if (scene->n_owned == MAX_OWNED) {
        release(object);
        scene_fail(scene, "the scene creates too many objects");
    }
    scene->owned[scene->n_owned++] = object;
}

void scene_release_objects(struct scene *scene)
{
    while (scene->n_owned > 0)
        release(scene->owned[--scene->n_owned]);
}

void scene_free(struct scene *scene)
{
    while (scene->blocks) {
        struct block *next = scene->blocks->next;

        free(scene->blocks);
        scene->blocks = next;
    }
}
