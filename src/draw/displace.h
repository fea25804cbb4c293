/* Displacement maps: looks up the elements of N-patches whose methods are LOOKUP and
 * LOOKUPPRESAMPLED (reference: tessellation/displacement). Private to draw. */
#ifndef DRAW_DISPLACE_H
#define DRAW_DISPLACE_H

#include "draw/context.h"
#include "tess/adaptive.h"

struct displacement {
    bool looks_up; /* false: no element does; the fields below are undefined */
    const struct draw_state *state;
    struct tess_adaptive adaptive; /* gives the levels of detail */
    int position, factor;          /* elements of the mesh; -1: none */
    bool has_levels;               /* the map has mip levels to choose from */
    struct tex_sampler sampler, presampled;
    uint32_t width, height; /* of the map */
};

/* Binds the map for a draw. position, factor: elements of the declaration, or -1. Flushes the open
 * scene if it uses the map. */
MUST_CHECK enum status displacement_init(struct displacement *out, struct draw *draw,
                                         const struct draw_state *state,
                                         const struct tess_adaptive *adaptive, int position,
                                         int factor);
/* Replaces coordinates by what the map holds there. first: number of vertices that the draw
 * generated before those of the mesh. */
void displacement_apply(const struct displacement *displacement, struct tess_mesh *mesh,
                        uint64_t first);

#endif
