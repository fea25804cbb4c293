/* Meshes of rectangle patches (reference: tessellation/stitching).
 *
 * If opposite edges have the same number of segments, the mesh is a grid. Otherwise, a grid as fine
 * as the finer edges fills the interior, and each edge is stitched to the outermost row of it.
 *
 * Tested by tests/unit/tess/test_patch.c and tests/unit/tess/test_holes.c. */
#include "tess/evaluate.h"

/* The sides of a rectangle in the direction in which the surface is on their right. */
enum { TOP, RIGHT, BOTTOM, LEFT, SIDES };

struct rectangle {
    const struct tess_patch *patch;
    const struct tess_points *points;
    struct tess_mesh *mesh;
    struct tess_partition side[SIDES]; /* only of a stitched mesh; from the lower parameter on */
    struct tess_partition u, v;        /* of the grid */
    uint32_t n_vertices;               /* written */
};

/* Adds the vertex at parameters u and v; u1 and v1 stand for 1 - u and 1 - v. */
static void add_vertex(struct rectangle *r, double u, double u1, double v, double v1)
{
    const struct tess_patch *patch = r->patch;
    unsigned degree = (unsigned)patch->degree;
    struct tess_weights weights;
    struct tess_basis row, column;

    tess_basis_at(&row, patch->basis, degree, patch->width, u, u1);
    tess_basis_at(&column, patch->basis, degree, patch->height, v, v1);
    weights.n = 0;
    for (unsigned y = 0; y < column.n; y++)
        for (unsigned x = 0; x < row.n; x++) {
            unsigned i = weights.n++;

            weights.point[i] = (column.first + y) * patch->width + row.first + x;
            weights.value[i] = row.value[x] * column.value[y];
            weights.du[i] = row.slope[x] * column.value[y];
            weights.dv[i] = row.value[x] * column.slope[y];
        }
    tess_evaluate(r->mesh->vertex + (size_t)r->n_vertices * r->mesh->n_elements, r->points,
                  &weights, u, v);
    r->n_vertices++;
}

static uint32_t *add_triangle(uint32_t *index, uint32_t a, uint32_t b, uint32_t c)
{
    index[0] = a;
    index[1] = b;
    index[2] = c;
    return index + 3;
}

/* Adds vertices x0 ... x1 of rows y0 ... y1 of the grid. */
static void add_grid(struct rectangle *r, unsigned x0, unsigned x1, unsigned y0, unsigned y1)
{
    const double *u = r->u.t, *v = r->v.t;

    for (unsigned y = y0; y <= y1; y++)
        for (unsigned x = x0; x <= x1; x++)
            add_vertex(r, u[x], u[r->u.n - x], v[y], v[r->v.n - y]);
}

/* Triangles of a grid of columns x rows quads, whose first vertex is `first`. */
static uint32_t *grid_triangles(uint32_t *index, uint32_t first, unsigned columns, unsigned rows)
{
    for (unsigned y = 0; y < rows; y++)
        for (unsigned x = 0; x < columns; x++) {
            uint32_t a = first + y * (columns + 1) + x, b = a + columns + 1;

            index = add_triangle(index, a, a + 1, b + 1);
            index = add_triangle(index, a, b + 1, b);
        }
    return index;
}

static enum status make_grid(struct rectangle *r)
{
    uint32_t columns = r->u.n, rows = r->v.n;
    enum status st = tess_mesh_resize(r->mesh, r->points->n_elements, (columns + 1) * (rows + 1),
                                      columns * rows * 6);

    if (st)
        return st;
    add_grid(r, 0, columns, 0, rows);
    (void)grid_triangles(r->mesh->index, 0, columns, rows);
    return ST_OK;
}

/* --- Stitched edges --------------------------------------------------------------------------- */

/* A chain with storage for its vertices and parameters. */
struct stored_chain {
    struct tess_chain chain;
    uint32_t vertex[TESS_MAX_SEGMENTS + 2];
    double t[TESS_MAX_SEGMENTS + 2];
};

/* The outer chain of a side: corner `side`, the vertices between, the next corner. Adds the
 * vertices but the last corner, which the next side adds. */
static void add_side(struct rectangle *r, unsigned side, struct stored_chain *out)
{
    const struct tess_partition *p = &r->side[side];
    bool backward = side == BOTTOM || side == LEFT;

    out->chain = (struct tess_chain){p->n + 1, out->vertex, out->t};
    for (unsigned i = 0; i <= p->n; i++) {
        double at = p->t[backward ? p->n - i : i], at1 = p->t[backward ? i : p->n - i];

        out->t[i] = p->t[i];
        out->vertex[i] = side == LEFT && i == p->n ? 0 : r->n_vertices;
        if (i == p->n)
            break;
        if (side == TOP || side == BOTTOM)
            add_vertex(r, at, at1, side == BOTTOM, side == TOP);
        else
            add_vertex(r, side == RIGHT, side == LEFT, at, at1);
    }
}

/* The chain of the interior grid along a side. */
static void inner_side(const struct rectangle *r, unsigned side, uint32_t first,
                       struct stored_chain *out)
{
    bool horizontal = side == TOP || side == BOTTOM, backward = side == BOTTOM || side == LEFT;
    const struct tess_partition *p = horizontal ? &r->u : &r->v;
    uint32_t columns = r->u.n - 1, rows = r->v.n - 1, n = p->n - 1; /* vertices of the grid */

    out->chain = (struct tess_chain){n, out->vertex, out->t};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = backward ? n - 1 - i : i;
        uint32_t x = horizontal ? at : side == RIGHT ? columns - 1 : 0;
        uint32_t y = !horizontal ? at : side == BOTTOM ? rows - 1 : 0;

        out->t[i] = p->t[i + 1];
        out->vertex[i] = first + y * columns + x;
    }
}

static enum status make_stitched(struct rectangle *r)
{
    uint32_t columns = r->u.n - 1, rows = r->v.n - 1, border = 0, ring; /* vertices */
    struct stored_chain outer[SIDES], inner;
    uint32_t *index;
    enum status st;

    for (unsigned i = 0; i < SIDES; i++)
        border += r->side[i].n;
    ring = border + 2 * (columns - 1) + 2 * (rows - 1); /* triangles */
    st = tess_mesh_resize(r->mesh, r->points->n_elements, border + columns * rows,
                          3 * (ring + 2 * (columns - 1) * (rows - 1)));
    if (st)
        return st;
    for (unsigned i = 0; i < SIDES; i++)
        add_side(r, i, &outer[i]);
    add_grid(r, 1, columns, 1, rows);
    index = grid_triangles(r->mesh->index, border, columns - 1, rows - 1);
    for (unsigned i = 0; i < SIDES; i++) {
        inner_side(r, i, border, &inner);
        index = tess_stitch(index, &outer[i].chain, &inner.chain);
    }
    return ST_OK;
}

/* --- Rectangles ------------------------------------------------------------------------------- */

/* The interior is as fine as the finer of two opposite edges, and has vertices. */
static void divide_interior(struct tess_partition *out, const struct tess_partition *a,
                            const struct tess_partition *b, DWORD style)
{
    *out = a->n >= b->n ? *a : *b;
    if (out->n < 2)
        tess_partition(out, style == D3DPATCHEDGE_CONTINUOUS ? 3.0f : 2.0f, style);
}

static bool same_edges(const struct rectangle *r, unsigned a, unsigned b)
{
    return r->side[a].n == r->side[b].n && r->side[a].t[1] == r->side[b].t[1];
}

enum status tess_rectangle(struct tess_mesh *out, const struct tess_patch *patch,
                           const struct tess_points *points)
{
    struct rectangle r = {.patch = patch, .points = points, .mesh = out};

    for (unsigned i = 0; i < SIDES; i++)
        tess_partition(&r.side[i], patch->segments[i], patch->edge_style);
    if (same_edges(&r, TOP, BOTTOM) && same_edges(&r, LEFT, RIGHT)) {
        r.u = r.side[TOP];
        r.v = r.side[LEFT];
        return make_grid(&r);
    }
    divide_interior(&r.u, &r.side[TOP], &r.side[BOTTOM], patch->edge_style);
    divide_interior(&r.v, &r.side[LEFT], &r.side[RIGHT], patch->edge_style);
    return make_stitched(&r);
}
