/* Divides triangles (reference: tessellation/stitching).
 *
 * If all edges have the same number of segments, the pattern is a triangular grid. Otherwise, such
 * a grid as fine as the finest edge fills the interior, and each edge is stitched to it. */
#include "tess/pattern.h"

#include "tess/evaluate.h"

enum { EDGES = 3 };

struct divider {
    struct tess_pattern *out;
    struct tess_partition edge[EDGES], grid;
};

static enum status begin(struct tess_pattern *out, size_t points, size_t indices)
{
    out->point = scratch_get(&out->point_memory, points * sizeof(*out->point));
    out->index = scratch_get(&out->index_memory, indices * sizeof(*out->index));
    out->n_points = 0;
    out->n_indices = (uint32_t)indices;
    return out->point && out->index ? ST_OK : ST_NOMEM;
}

static void add_point(struct tess_pattern *out, double a, double b, double c)
{
    double *point = out->point[out->n_points++];

    point[0] = a;
    point[1] = b;
    point[2] = c;
}

/* --- Grids ------------------------------------------------------------------------------------ */

/* Adds the point x steps from corner 0 to corner 1 and y steps to corner 2. The weights of points
 * on edges are those of the partition. */
static void add_grid_point(struct divider *d, unsigned x, unsigned y)
{
    const struct tess_partition *p = &d->grid;
    double a = p->t[p->n - x - y], b = p->t[x], c = p->t[y], sum = a + b + c;

    if (x && y && x + y < p->n)
        add_point(d->out, a / sum, b / sum, c / sum);
    else
        add_point(d->out, a, b, c);
}

/* Adds the points that are at least `margin` steps from all edges, row by row. */
static void add_grid(struct divider *d, unsigned margin)
{
    for (unsigned y = margin; y + 2 * margin <= d->grid.n; y++)
        for (unsigned x = margin; x + y + margin <= d->grid.n; x++)
            add_grid_point(d, x, y);
}

/* Number of points of a triangular grid with n segments along an edge. */
static uint32_t grid_size(uint32_t n)
{
    return (n + 1) * (n + 2) / 2;
}

/* The point at (x, y) of a grid with n segments along an edge. */
static uint32_t grid_point(uint32_t first, uint32_t n, uint32_t x, uint32_t y)
{
    return first + grid_size(n) - grid_size(n - y) + x;
}

static uint32_t *grid_triangles(uint32_t *index, uint32_t first, uint32_t n)
{
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n - y; x++) {
            uint32_t a = grid_point(first, n, x, y), b = grid_point(first, n, x, y + 1);

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

static enum status make_grid(struct divider *d)
{
    uint32_t n = d->grid.n;
    enum status st = begin(d->out, grid_size(n), (size_t)3 * n * n);

    if (st)
        return st;
    add_grid(d, 0);
    (void)grid_triangles(d->out->index, 0, n);
    return ST_OK;
}

/* --- Stitched edges --------------------------------------------------------------------------- */

/* Adds the points of an edge but the last corner, which the next edge adds. */
static void add_edge(struct divider *d, unsigned edge, uint32_t *point)
{
    const struct tess_partition *p = &d->edge[edge];

    for (unsigned i = 0; i < p->n; i++) {
        double corner[EDGES] = {0.0, 0.0, 0.0};

        corner[edge] = p->t[p->n - i];
        corner[(edge + 1) % EDGES] = p->t[i];
        point[i] = d->out->n_points;
        add_point(d->out, corner[0], corner[1], corner[2]);
    }
    point[p->n] = edge == EDGES - 1 ? 0 : d->out->n_points;
}

/* The points of the interior grid along an edge. n: its segments. */
static void inner_edge(unsigned edge, uint32_t first, uint32_t n, uint32_t *point)
{
    for (uint32_t i = 0; i <= n; i++) {
        uint32_t x = edge == 0 ? i : edge == 1 ? n - i : 0;
        uint32_t y = edge == 0 ? 0 : edge == 1 ? i : n - i;

        point[i] = grid_point(first, n, x, y);
    }
}

static enum status make_stitched(struct divider *d)
{
    uint32_t outer[EDGES][TESS_MAX_SEGMENTS + 2], inner[TESS_MAX_SEGMENTS + 2];
    uint32_t n = d->grid.n - 3, border = 0, *index; /* n: segments of the interior grid */
    enum status st;

    for (unsigned i = 0; i < EDGES; i++)
        border += d->edge[i].n;
    st = begin(d->out, border + grid_size(n), (size_t)3 * (border + EDGES * n + n * n));
    if (st)
        return st;
    for (unsigned i = 0; i < EDGES; i++)
        add_edge(d, i, outer[i]);
    add_grid(d, 1);
    index = grid_triangles(d->out->index, border, n);
    for (unsigned i = 0; i < EDGES; i++) {
        inner_edge(i, border, n, inner);
        index = tess_stitch(index, &(struct tess_chain){d->edge[i].n + 1, outer[i], d->edge[i].t},
                            &(struct tess_chain){n + 1, inner, d->grid.t + 1});
    }
    return ST_OK;
}

/* --- Patterns --------------------------------------------------------------------------------- */

static bool same_edges(const struct tess_partition *a, const struct tess_partition *b)
{
    return a->n == b->n && a->t[1] == b->t[1];
}

enum status tess_pattern_make(struct tess_pattern *out, const float segments[3], DWORD style)
{
    struct divider d = {.out = out};
    unsigned finest = 0;

    for (unsigned i = 0; i < EDGES; i++) {
        tess_partition(&d.edge[i], segments[i], style);
        if (d.edge[i].n > d.edge[finest].n)
            finest = i;
    }
    d.grid = d.edge[finest];
    if (same_edges(&d.edge[0], &d.edge[1]) && same_edges(&d.edge[0], &d.edge[2]))
        return make_grid(&d);
    if (d.grid.n < 3)
        tess_partition(&d.grid, 3.0f, style);
    return make_stitched(&d);
}

void tess_pattern_fini(struct tess_pattern *pattern)
{
    scratch_fini(&pattern->point_memory);
    scratch_fini(&pattern->index_memory);
    *pattern = (struct tess_pattern){0};
}
