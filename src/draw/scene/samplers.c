/* Binds the samplers of a shader stage to the textures of a draw, and samples them.
 * Tested by tests/conformance/texture and tests/conformance/target. */
#include "draw/scene/scene.h"

#include "draw/translate/translate.h"

#include <string.h>

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
        setting = translate_sampler(state, first + i);
        memset(&samplers[i], 0, sizeof(samplers[i]));
        if ((st = tex_sampler_init(&samplers[i], image, &setting)))
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
