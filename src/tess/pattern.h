/* Patterns: the points and triangles that divide a triangle, with a number of segments for each
 * edge. The points of an edge depend on its number alone and are the same from both ends, so
 * triangles that share an edge meet without a hole. */
#ifndef TESS_PATTERN_H
#define TESS_PATTERN_H

#include "tess/tess.h"

/* Zero-initialised: empty. The pattern owns its memory, which only grows. */
struct tess_pattern {
    uint32_t n_points, n_indices;
    double (*point)[3]; /* weights of corners 0, 1 and 2 */
    uint32_t *index;    /* a list of triangles that wind as the corners do */
    struct scratch point_memory, index_memory;
};

/* segments[i]: of the edge from corner i to the next one, as for tess_partition; style:
 * D3DPATCHEDGESTYLE. Points are ordered in rows along edge 0 if all edges are equal, and begin with
 * the edges otherwise. */
MUST_CHECK enum status tess_pattern_make(struct tess_pattern *out, const float segments[3],
                                         DWORD style);
void tess_pattern_fini(struct tess_pattern *pattern);

#endif
