/* Which pages of a decoded copy a batch of samples touches. */
#ifndef TEX_DECODE_ON_DEMAND_H
#define TEX_DECODE_ON_DEMAND_H

#include "tex/sample_private.h"

/* What samplers of images that are not decoded as a whole call instead of the level functions: they
 * see to it that the batch's texels are there, then call those. */
tex_level_fn tex_decode_on_demand_minify, tex_decode_on_demand_magnify;

/* Decodes what lanes are about to read of a level, and of the next if `levels` is 2;
 * s->decode_cache is not NULL. */
void tex_decode_on_demand(const struct tex_sampler_private *s, const struct tex_level *level,
                          unsigned levels, const struct tex_coords *coords, uint64_t lanes);
/* The same of lines, which reach half a step to either side. False where they touch so many pages
 * that only those of each probe are to be decoded. */
bool tex_decode_on_demand_lines(const struct tex_sampler_private *s, const struct tex_level *level,
                                unsigned levels, const struct tex_coords *coords,
                                const float *const step[2], uint64_t lanes);

/* Coordinates along an axis; not known with a NaN. */
struct tex_coord_range {
    float min, max;
    bool valid;
};

/* An axis of a level, and how samples address it. */
struct tex_page_axis {
    uint32_t size, pages;  /* texels; pages of 1 << shift texels */
    unsigned shift, mode;  /* D3DTEXTUREADDRESS */
};

/* Chunks along an axis: count from first on, beginning again behind the last of n. */
struct tex_page_span {
    uint32_t first, count, n;
};

struct tex_decode_on_demand_kern {
    /* Of the lanes, of which there is one at least; with a step, of their lines. */
    struct tex_coord_range (*coord_range)(const float *lane, const float *step, uint64_t lanes);
    /* Chunks along each of three axes; ranges of axes of one page do not matter. */
    void (*page_spans)(const struct tex_page_axis axis[3], const struct tex_coord_range range[3],
                       struct tex_page_span span[3]);
};
KERN_DECLARE(struct tex_decode_on_demand_kern, tex_decode_on_demand_kern);

#endif
