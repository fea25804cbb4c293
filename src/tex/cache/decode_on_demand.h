/* Decode on demand: decodes the pages of the decode cache before a batch of samples reads them. */
#ifndef TEX_CACHE_DECODE_ON_DEMAND_H
#define TEX_CACHE_DECODE_ON_DEMAND_H

#include "tex/sample/sample.h"

/* Level functions of samplers whose image is not completely decoded. They decode the pages that the
 * batch needs, then call the sampler's decoded_minify or decoded_magnify. */
tex_level_fn tex_decode_on_demand_minify, tex_decode_on_demand_magnify;

/* Decodes the pages that lanes read from a level, and from the next if `levels` is 2.
 * s->decode_cache must not be NULL. */
void tex_decode_on_demand(const struct tex_sampler_private *s, const struct tex_level *level,
                          unsigned levels, const struct tex_coords *coords, uint64_t lanes);
/* Decodes the pages of anisotropic lines, which extend half a step to either side of the
 * coordinates. Returns false if they touch too many pages; the caller then decodes per tap. */
bool tex_decode_on_demand_lines(const struct tex_sampler_private *s, const struct tex_level *level,
                                unsigned levels, const struct tex_coords *coords,
                                const float *const step[2], uint64_t lanes);

/* Range of coordinates along an axis; invalid if one of them is NaN. */
struct tex_coord_range {
    float min, max;
    bool valid;
};

/* An axis of a level and its address mode. */
struct tex_page_axis {
    uint32_t size, pages;  /* texels; pages of 1 << shift texels */
    unsigned shift, mode;  /* D3DTEXTUREADDRESS */
};

/* Pages along an axis: `count` pages starting at `first`, modulo n. */
struct tex_page_span {
    uint32_t first, count, n;
};

struct tex_decode_on_demand_kern {
    /* Returns the range of the coordinates of lanes, at least one; with a step, of their lines. */
    struct tex_coord_range (*coord_range)(const float *lane, const float *step, uint64_t lanes);
    /* Computes the page spans of three axes. Ranges of axes with a single page are ignored. */
    void (*page_spans)(const struct tex_page_axis axis[3], const struct tex_coord_range range[3],
                       struct tex_page_span span[3]);
};
KERN_DECLARE(struct tex_decode_on_demand_kern, tex_decode_on_demand_kern);

#endif
