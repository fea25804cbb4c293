/* Adaptive tessellation: levels of vertices and edges from the depth of the vertices. */
#ifndef TESS_ADAPTIVE_H
#define TESS_ADAPTIVE_H

#include <stdbool.h>

struct tess_adaptive {
    float plane[4];         /* D3DRS_ADAPTIVETESS_X to W: gives the depth of a position */
    float minimum, maximum; /* D3DRS_MIN-, MAXTESSELLATIONLEVEL; less than 1 counts as 1 */
};

/* The level of a vertex before it is limited: segments * factor / depth. factor: of the vertex,
 * D3DDECLUSAGE_TESSFACTOR; 1 if it has none. */
double tess_vertex_level(const struct tess_adaptive *adaptive, const float position[4],
                         float segments, float factor);
/* The level of the edge between two vertices: the mean of theirs, limited. Both orders give the
 * same bits. */
float tess_edge_level(const struct tess_adaptive *adaptive, double a, double b);

#endif
