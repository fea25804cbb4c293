/* Kernel table of decode on demand: ranges of coordinates, and the pages that they touch. */
#ifndef TEX_CACHE_DECODE_ON_DEMAND_KERN_H
#define TEX_CACHE_DECODE_ON_DEMAND_KERN_H

#include "util/cpu.h"

#include <stdbool.h>
#include <stdint.h>

/* Range of coordinates along an axis; invalid if one of them is NaN. */
struct tex_coord_range {
    float min, max;
    bool valid;
};

/* An axis of a level and its address mode. */
struct tex_page_axis {
    uint32_t size, pages; /* texels; pages of 1 << shift texels */
    unsigned shift, mode; /* D3DTEXTUREADDRESS */
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
