/* Patterns: the points and triangles that divide a triangle whose edges have tessellation levels of
 * their own. The points of an edge depend on its level alone, and are the same from both ends, so
 * triangles that share an edge meet without cracks. */
#ifndef TESS_PATTERN_H
#define TESS_PATTERN_H

#include "util/d3dtypes.h"
#include "util/scratch.h"
#include "util/status.h"

#include <stdint.h>

/* D3DCAPS9.MaxNpatchTessellationLevel; higher levels count as this one. */
enum { TESS_MAX_LEVEL = 64 };
/* The most points and triangles that a pattern has. */
enum {
    TESS_MAX_POINTS = (TESS_MAX_LEVEL + 1) * (TESS_MAX_LEVEL + 7) + 8,
    TESS_MAX_TRIANGLES = 2 * TESS_MAX_POINTS
};

/* Zero-initialised: empty. The pattern owns its memory. */
struct tess_pattern {
    double (*point)[3];      /* weights of corners 0, 1 and 2 */
    uint32_t (*triangle)[3]; /* points; all wind as the corners do */
    uint32_t n_points, n_triangles;
    struct scratch point_memory, triangle_memory;
};

/* level[i]: of the edge from corner i to corner i + 1. Levels below 1 and NaN count as 1. style:
 * D3DPATCHEDGESTYLE (reference: tessellation/edge-style). */
MUST_CHECK enum status tess_pattern_make(struct tess_pattern *out, const float level[3],
                                         DWORD style);
void tess_pattern_fini(struct tess_pattern *pattern);

#endif
