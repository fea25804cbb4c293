/* Binds the samplers of a shader stage to the textures of a draw, and samples them. A
 * scene keeps the samplers that draws have compiled, because programs bind the same few textures in
 * turn. */
#include "draw/scene/scene.h"

#include "draw/translate/translate.h"

#include <string.h>

/* The entry of an image in a slot. */
static struct recent_sampler *recent_of(struct draw_scene *scene, const struct tex_image *image,
                                        unsigned slot)
{
    return &scene->recent_sampler[((uintptr_t)image / sizeof(*image) + slot) % RECENT_SAMPLERS];
}

static bool is_current(const struct recent_sampler *recent, const struct draw_scene *scene,
                       const struct tex_image *image, const struct tex_sampler_state *state)
{
    return recent->image == image && recent->version == image->version &&
           recent->flushes == scene->flushes && !memcmp(&recent->state, state, sizeof(*state));
}

/* Compiles a sampler, or copies one of an earlier draw. Other users may change shared memory. */
static enum status compile_sampler(struct draw_scene *scene, struct tex_image *image,
                                   const struct tex_sampler_state *state, unsigned slot,
                                   struct tex_sampler *out)
{
    struct recent_sampler *recent = recent_of(scene, image, slot);
    enum status st = ST_OK;

    if (!image || image->shared)
        return tex_sampler_init(out, image, state);
    if (!is_current(recent, scene, image, state)) {
        recent->image = NULL;
        if ((st = tex_sampler_init(&recent->sampler, image, state)))
            return st;
        recent->image = image;
        recent->version = image->version;
        recent->flushes = scene->flushes;
        recent->state = *state;
    }
    *out = recent->sampler;
    return ST_OK;
}

void scene_forget_samplers(struct draw_scene *scene, const struct tex_image *image)
{
    for (unsigned i = 0; i < RECENT_SAMPLERS; i++)
        if (scene->recent_sampler[i].image == image)
            scene->recent_sampler[i].image = NULL;
}

enum status bind_samplers(struct draw_scene *scene, const struct draw_state *state, unsigned first,
                          uint32_t mask, struct tex_sampler *samplers)
{
    for (unsigned i = 0; mask >> i; i++) {
        struct tex_image *image;
        struct tex_sampler_state setting;
        enum status st;

        if (!(mask >> i & 1))
            continue;
        image = scene->feedback_copy[first + i];
        if (!image)
            image = state->texture[first + i].image;
        setting = translate_sampler(state, first + i, scene->anisotropy);
        if ((st = compile_sampler(scene, image, &setting, first + i, &samplers[i])))
            return st;
        if (image)
            image->last_scene = scene->serial;
    }
    return ST_OK;
}

void draw_sample(void *ctx, const struct sample *in)
{
    const struct tex_sampler *samplers = ctx;

    tex_sample(&samplers[in->sampler], in);
}
