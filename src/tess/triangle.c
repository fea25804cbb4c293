/* Meshes of triangle patches (reference: tessellation/stitching).
 *
 * If all edges have the same number of segments, the mesh is a triangular grid. Otherwise, such a
 * grid as fine as the finest edge fills the interior, and each edge is stitched to it. */
#include "tess/evaluate.h"

enum { EDGES = 3, ROW = TESS_MAX_DEGREE + 1 };

struct triangle {
    const struct tess_patch *patch;
    const struct tess_points *points;
    struct tess_mesh *mesh;
    struct tess_partition edge[EDGES], grid;
    uint32_t n_vertices; /* written */
};

/* Raises Bernstein polynomials of a triangle from degree d - 1 to d: w[j][i] is that of the point
 * at place i of row j. */
static void raise_degree(double w[ROW][ROW], unsigned d, double u, double v, double at_first)
{
    for (unsigned j = d + 1; j-- > 0;)
        for (unsigned i = d - j + 1; i-- > 0;) {
            double sum = i + j < d ? at_first * w[j][i] : 0.0;

            sum += i ? u * w[j][i - 1] : 0.0;
            sum += j ? v * w[j - 1][i] : 0.0;
            w[j][i] = sum;
        }
}

static void find_weights(struct tess_weights *out, unsigned degree, double u, double v,
                         double at_first)
{
    double w[ROW][ROW] = {{1.0}};
    unsigned n = 0;

    for (unsigned d = 1; d < degree; d++)
        raise_degree(w, d, u, v, at_first);
    for (unsigned j = 0; j <= degree; j++)
        for (unsigned i = 0; i <= degree - j; i++, n++) {
            double here = i + j < degree ? w[j][i] : 0.0;

            out->point[n] = n;
            out->du[n] = degree * ((i ? w[j][i - 1] : 0.0) - here);
            out->dv[n] = degree * ((j ? w[j - 1][i] : 0.0) - here);
        }
    out->n = n;
    raise_degree(w, degree, u, v, at_first);
    n = 0;
    for (unsigned j = 0; j <= degree; j++)
        for (unsigned i = 0; i <= degree - j; i++)
            out->value[n++] = w[j][i];
}

/* Adds the vertex with the weights u, v of the second and third corner, and that of the first. */
static void add_vertex(struct triangle *r, double u, double v, double at_first)
{
    struct tess_weights weights;

    find_weights(&weights, (unsigned)r->patch->degree, u, v, at_first);
    tess_evaluate(r->mesh->vertex + (size_t)r->n_vertices * r->mesh->n_elements, r->points,
                  &weights, u, v);
    r->n_vertices++;
}

/* Adds the vertex x steps from the first to the second corner and y steps to the third. */
static void add_grid_vertex(struct triangle *r, unsigned x, unsigned y)
{
    const struct tess_partition *p = &r->grid;
    double u = p->t[x], v = p->t[y], at_first = p->t[p->n - x - y], sum = u + v + at_first;

    if (x && y && x + y < p->n)
        add_vertex(r, u / sum, v / sum, at_first / sum);
    else
        add_vertex(r, u, v, at_first);
}

/* Adds the vertices that are at least `margin` steps from all edges, row by row. */
static void add_grid(struct triangle *r, unsigned margin)
{
    for (unsigned y = margin; y + 2 * margin <= r->grid.n; y++)
        for (unsigned x = margin; x + y + margin <= r->grid.n; x++)
            add_grid_vertex(r, x, y);
}

/* Number of vertices of a triangular grid with n segments along an edge. */
static uint32_t grid_size(uint32_t n)
{
    return (n + 1) * (n + 2) / 2;
}

/* The vertex at (x, y) of a grid with n segments along an edge. */
static uint32_t grid_vertex(uint32_t first, uint32_t n, uint32_t x, uint32_t y)
{
    return first + grid_size(n) - grid_size(n - y) + x;
}

static uint32_t *grid_triangles(uint32_t *index, uint32_t first, uint32_t n)
{
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n - y; x++) {
            uint32_t a = grid_vertex(first, n, x, y), b = grid_vertex(first, n, x, y + 1);

            *index++ = a;
            *index++ = a + 1;
            *index++ = b;
            if (x + y + 1 == n)
                break;
            *index++ = a + 1;
            *index++ = b + 1;
            *index++ = b;
        }
    return index;
}

static enum status make_grid(struct triangle *r)
{
    uint32_t n = r->grid.n;
    enum status st = tess_mesh_resize(r->mesh, r->points->n_elements, grid_size(n), 3 * n * n);

    if (st)
        return st;
    add_grid(r, 0);
    (void)grid_triangles(r->mesh->index, 0, n);
    return ST_OK;
}

/* --- Stitched edges --------------------------------------------------------------------------- */

/* The vertices of an edge. Adds them but the last corner, which the next edge adds. */
static void add_edge(struct triangle *r, unsigned edge, uint32_t *vertex)
{
    const struct tess_partition *p = &r->edge[edge];

    for (unsigned i = 0; i < p->n; i++) {
        double to = p->t[i], from = p->t[p->n - i];
        double corner[EDGES] = {0.0, 0.0, 0.0};

        corner[edge] = from;
        corner[(edge + 1) % EDGES] = to;
        vertex[i] = r->n_vertices;
        add_vertex(r, corner[1], corner[2], corner[0]);
    }
    vertex[p->n] = edge == EDGES - 1 ? 0 : r->n_vertices;
}

/* The vertices of the interior grid along an edge. n: its segments. */
static void inner_edge(unsigned edge, uint32_t first, uint32_t n, uint32_t *vertex)
{
    for (uint32_t i = 0; i <= n; i++) {
        uint32_t x = edge == 0 ? i : edge == 1 ? n - i : 0;
        uint32_t y = edge == 0 ? 0 : edge == 1 ? i : n - i;

        vertex[i] = grid_vertex(first, n, x, y);
    }
}

static enum status make_stitched(struct triangle *r)
{
    uint32_t outer[EDGES][TESS_MAX_SEGMENTS + 2], inner[TESS_MAX_SEGMENTS + 2];
    uint32_t n = r->grid.n - 3, border = 0, *index; /* n: segments of the interior grid */
    enum status st;

    for (unsigned i = 0; i < EDGES; i++)
        border += r->edge[i].n;
    st = tess_mesh_resize(r->mesh, r->points->n_elements, border + grid_size(n),
                          3 * (border + EDGES * n + n * n));
    if (st)
        return st;
    for (unsigned i = 0; i < EDGES; i++)
        add_edge(r, i, outer[i]);
    add_grid(r, 1);
    index = grid_triangles(r->mesh->index, border, n);
    for (unsigned i = 0; i < EDGES; i++) {
        inner_edge(i, border, n, inner);
        index = tess_stitch(index, &(struct tess_chain){r->edge[i].n + 1, outer[i], r->edge[i].t},
                            &(struct tess_chain){n + 1, inner, r->grid.t + 1});
    }
    return ST_OK;
}

/* --- Triangles -------------------------------------------------------------------------------- */

static bool same_edges(const struct tess_partition *a, const struct tess_partition *b)
{
    return a->n == b->n && a->t[1] == b->t[1];
}

enum status tess_triangle(struct tess_mesh *out, const struct tess_patch *patch,
                          const struct tess_points *points)
{
    struct triangle r = {.patch = patch, .points = points, .mesh = out};
    unsigned finest = 0;

    for (unsigned i = 0; i < EDGES; i++) {
        tess_partition(&r.edge[i], patch->segments[i], patch->edge_style);
        if (r.edge[i].n > r.edge[finest].n)
            finest = i;
    }
    r.grid = r.edge[finest];
    if (same_edges(&r.edge[0], &r.edge[1]) && same_edges(&r.edge[0], &r.edge[2]))
        return make_grid(&r);
    if (r.grid.n < 3)
        tess_partition(&r.grid, 3.0f, patch->edge_style);
    return make_stitched(&r);
}
