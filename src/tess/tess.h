/* Tessellation: turns patches into meshes of triangles.
 *
 * A vertex is a list of vectors, one for each element of a vertex declaration, in the order of the
 * declaration. All sums are made in double precision, in an order that does not depend on the
 * direction of an edge, and are rounded to float once. So two patches that share the control points
 * of an edge, and its number of segments, get the same bits there. */
#ifndef TESS_TESS_H
#define TESS_TESS_H

#include "util/d3dtypes.h"
#include "util/scratch.h"
#include "util/status.h"

#include <stdbool.h>
#include <stdint.h>

/* --- mesh.c: meshes --------------------------------------------------------------------------- */

/* Zero-initialised: empty. The mesh owns its memory, which only grows, so that a mesh can be used
 * for one draw after another. */
struct tess_mesh {
    uint32_t n_elements; /* vectors of a vertex */
    uint32_t n_vertices, n_indices;
    float (*vertex)[4]; /* element e of vertex v is vertex[v * n_elements + e] */
    uint32_t *index;    /* a list of triangles */
    struct scratch vertex_memory, index_memory;
};

/* Sets the sizes. The contents are undefined then. ST_NOMEM: the mesh is empty. */
MUST_CHECK enum status tess_mesh_resize(struct tess_mesh *mesh, uint32_t n_elements,
                                        uint32_t n_vertices, uint32_t n_indices);
/* Frees the memory; the mesh is then empty. */
void tess_mesh_fini(struct tess_mesh *mesh);

/* --- partition.c: where the vertices of an edge are ------------------------------------------- */

enum { TESS_MAX_SEGMENTS = 256 };

/* The vertices 0 ... n of an edge are at parameters t[0] = 0 ... t[n] = 1. Seen from the other end
 * they are at the same parameters: t[n - i] stands for 1 - t[i]. */
struct tess_partition {
    unsigned n;
    double t[TESS_MAX_SEGMENTS + 2];
};

/* Divides an edge. style: D3DPATCHEDGESTYLE. DISCRETE truncates the number of segments.
 * CONTINUOUS makes the next odd number of them: two short ones at the ends, and others whose length
 * is 1 / segments. The number is limited to 1 ... TESS_MAX_SEGMENTS; NaN counts as 1. */
void tess_partition(struct tess_partition *out, float segments, DWORD style);

/* --- patch.c: rectangles and triangles -------------------------------------------------------- */

struct tess_patch {
    bool triangle;
    D3DBASISTYPE basis;
    D3DDEGREETYPE degree;
    uint32_t width, height; /* control points of a row, rows; triangle: all control points, 1 */
    /* Rectangle: of the edges v = 0, u = 1, v = 1, u = 0. Triangle: of the edges from the first
     * point to the last, to the first of the last row, and back. */
    float segments[4];
    DWORD edge_style; /* D3DPATCHEDGESTYLE */
};

/* Control points, row by row. A triangle has rows of 1, 2 ... degree + 1 points. */
struct tess_points {
    uint32_t n_elements;
    const uint8_t *method;    /* D3DDECLMETHOD of each element */
    const float (*vector)[4]; /* element e of point p is vector[p * n_elements + e] */
};

/* Whether Direct3D defines the patch: its basis, degree and size. */
bool tess_patch_is_valid(const struct tess_patch *patch);
/* Number of its control points. */
uint64_t tess_patch_points(const struct tess_patch *patch);
/* Makes the mesh of a valid patch. Triangles keep the order of the control points: u, v and the
 * side from which they are clockwise are those of a left-handed system. The methods give: DEFAULT
 * the point of the surface; PARTIALU, PARTIALV the tangent; CROSSUV the normal of length 1 (0 where
 * there is none); UV the parameters. Other methods count as DEFAULT. */
MUST_CHECK enum status tess_patch_mesh(struct tess_mesh *out, const struct tess_patch *patch,
                                       const struct tess_points *points);

#endif
