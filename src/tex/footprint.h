/* Which chunks of a decoded copy a batch of samples touches. */
#ifndef TEX_FOOTPRINT_H
#define TEX_FOOTPRINT_H

#include "tex/sample_private.h"

/* What samplers of images that are not decoded as a whole call instead of the level functions: they
 * see to it that the batch's texels are there, then call those. */
tex_level_fn tex_footprint_minify, tex_footprint_magnify;

/* Decodes what lanes are about to read of a level; s->shadow is not NULL. */
void tex_footprint_need(const struct tex_sampler_private *s, const struct tex_level *level,
                        const struct tex_coords *coords, uint64_t lanes);

struct tex_footprint_kern {
    /* Least and largest of the lanes, of which there is one at least; false with a NaN. */
    bool (*bounds)(const float *lane, uint64_t lanes, float *least, float *largest);
};
KERN_DECLARE(struct tex_footprint_kern, tex_footprint_kern);

#endif
