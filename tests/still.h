/* Initialises samplers of images that are decoded and stay unchanged long enough to get quad
 * texels. */
#ifndef TESTS_STILL_H
#define TESTS_STILL_H

#include "tex/cache/cache.h"

#include <check.h>

static inline void init_still(struct tex_sampler *sampler, struct tex_image *image,
                              const struct tex_sampler_state *state)
{
    for (unsigned scene = 0; scene <= TEX_QUAD_TEXELS_MIN_SCENES; scene++) {
        image->last_scene++;
        ck_assert_int_eq(tex_sampler_init(sampler, image, state), ST_OK);
        if (image->decode_cache)
            tex_decode_cache_require_all(image->decode_cache);
    }
}

#endif
