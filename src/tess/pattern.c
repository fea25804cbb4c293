/* Divides triangles. Between edges of different levels lie strips of triangles, so no edge gets a
 * point that its neighbour lacks. */
#include "tess/pattern.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_SEGMENTS = TESS_MAX_LEVEL + 1, ROW_POINTS = MAX_SEGMENTS + 1 };

/* --- Edges ------------------------------------------------------------------------------------ */

struct edge {
    double level;
    unsigned n; /* segments */
};

/* Continuous: all segments have the length 1 / level, except the first and the last. These share
 * the rest (reference: tessellation/edge-style). */
static struct edge edge_of(float level, bool continuous)
{
    struct edge edge;

    if (!(level > 1.0f))
        level = 1.0f;
    if (level > TESS_MAX_LEVEL)
        level = TESS_MAX_LEVEL;
    edge.n = (unsigned)level;
    edge.level = edge.n;
    if (continuous) {
        edge.level = level;
        edge.n += (double)edge.n < edge.level; /* rounds up, then to an odd number */
        edge.n |= 1;
    }
    return edge;
}

/* Position of point i along the edge. That of point n - i is computed in the same way from the
 * other end: it is the weight of the first end. */
static double edge_at(const struct edge *edge, unsigned i)
{
    if (i == 0 || i == edge->n)
        return i ? 1.0 : 0.0;
    return ((edge->level - edge->n) * 0.5 + i) / edge->level;
}

/* --- Points and triangles --------------------------------------------------------------------- */

static enum status begin(struct tess_pattern *out, size_t max_points, size_t max_triangles)
{
    out->point = scratch_get(&out->point_memory, max_points * sizeof(*out->point));
    out->triangle = scratch_get(&out->triangle_memory, max_triangles * sizeof(*out->triangle));
    out->n_points = out->n_triangles = 0;
    return out->point && out->triangle ? ST_OK : ST_NOMEM;
}

static uint32_t add_point(struct tess_pattern *out, double a, double b, double c)
{
    double *point = out->point[out->n_points];

    point[0] = a;
    point[1] = b;
    point[2] = c;
    return out->n_points++;
}

static void add_triangle(struct tess_pattern *out, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *triangle = out->triangle[out->n_triangles++];

    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

/* Points along a line, in ascending order of their positions. */
struct row {
    unsigned n; /* segments: one less than points */
    uint32_t point[ROW_POINTS];
    double at[ROW_POINTS];
};

static void row_add(struct row *row, unsigned i, uint32_t point, double at)
{
    row->n = i;
    row->point[i] = point;
    row->at[i] = at;
}

/* Fills the strip between two rows. The inner row lies on the side where the pattern goes on. */
static void fill_strip(struct tess_pattern *out, const struct row *outer, const struct row *inner)
{
    unsigned i = 0, j = 0;

    while (i < outer->n || j < inner->n) {
        bool step_outer = j == inner->n || (i < outer->n && outer->at[i] + outer->at[i + 1] <=
                                                                inner->at[j] + inner->at[j + 1]);

        if (step_outer) {
            add_triangle(out, outer->point[i], outer->point[i + 1], inner->point[j]);
            i++;
        } else {
            add_triangle(out, outer->point[i], inner->point[j + 1], inner->point[j]);
            j++;
        }
    }
}

/* --- Patterns --------------------------------------------------------------------------------- */

/* n rows of equal triangles, from corner 0 on. */
static void regular_triangle(struct tess_pattern *out, unsigned n)
{
    for (unsigned r = 0; r <= n; r++)
        for (unsigned c = 0; c <= r; c++)
            add_point(out, (double)(n - r) / n, (double)(r - c) / n, (double)c / n #K;
                      r++) for (unsigned c = 0; c <= r; c++)
            {
                uint32_t upper = r * (r + 1) / 2 + c, lower = upper + r + 1;

                add_triangle(out, upper, lower, lower + 1);
                if (c < r)
                    add_triangle(out, upper, lower + 1, upper + 1);
            }
}

/* Adds a point on the line along edge e: `along` is the weight of the edge's second corner. */
static uint32_t add_along(struct tess_pattern *out, unsigned e, double first, double along,
                          double opposite)
{
    double w[3];

    w[e] = first;
    w[(e + 1) % 3] = along;
    w[(e + 2) % 3] = opposite;
    return add_point(out, w[0], w[1], w[2]);
}

/* The three rows of the triangle's own edges. */
static void outer_rows(struct tess_pattern *out, const struct edge edge[3], struct row row[3])
{
    for (unsigned e = 0; e < 3; e++)
        for (unsigned i = 0; i < edge[e].n; i++) {
            double at = edge_at(&edge[e], i);

            row_add(&row[e], i, add_along(out, e, edge_at(&edge[e], edge[e].n - i), at, 0.0), at);
        }
    for (unsigned e = 0; e < 3; e++)
        row_add(&row[e], edge[e].n, row[(e + 1) % 3].point[0], 1.0);
}

/* The rows of ring k: a smaller triangle around the same centre, whose corners lie above point k of
 * each edge. Its sides have the points k … n - k of an edge. With n = 2k it is a single point. */
static void ring_rows(struct tess_pattern *out, const struct edge *inner, unsigned k,
                      struct row row[3])
{
    double inset = edge_at(inner, k) / 3.0;

    if (inner->n == 2 * k) {
        uint32_t centre = add_point(out, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0);

        for (unsigned e = 0; e < 3; e++)
            row_add(&row[e], 0, centre, 0.5);
        return;
    }
    for (unsigned e = 0; e < 3; e++)
        for (unsigned i = k; i < inner->n - k; i++) {
            double at = edge_at(inner, i), from = edge_at(inner, inner->n - i);

            row_add(&row[e], i - k, add_along(out, e, from - inset, at - inset, 2.0 * inset), at);
        }
    for (unsigned e = 0; e < 3; e++)
        row_add(&row[e], inner->n - 2 * k, row[(e + 1) % 3].point[0], edge_at(inner, inner->n - k));
}

/* Concentric rings of triangles. The inside has the highest level of the edges. */
static void ringed_triangle(struct tess_pattern *out, const struct edge edge[3],
                            const struct edge *inner)
{
    struct row rows[2][3];

    outer_rows(out, edge, rows[0]);
    for (unsigned k = 1; 2 * k <= inner->n; k++) {
        struct row *outside = rows[(k - 1) & 1], *inside = rows[k & 1];

        ring_rows(out, inner, k, inside);
        for (unsigned e = 0; e < 3; e++)
            fill_strip(out, &outside[e], &inside[e]);
    }
    if (inner->n & 1) {
        const struct row *last = rows[(inner->n / 2) & 1];

        add_triangle(out, last[0].point[0], last[1].point[0], last[2].point[0]);
    }
}

static const struct edge *finest(const struct edge *a, const struct edge *b)
{
    return b->level > a->level ? b : a;
}

enum status tess_pattern_make(struct tess_pattern *out, const float level[3], DWORD style)
{
    struct edge edge[3];
    const struct edge *inner = edge;
    enum status st;
    bool equal, continuous = style == D3DPATCHEDGE_CONTINUOUS;

    for (unsigned e = 0; e < 3; e++)
        edge[e] = edge_of(level[e], continuous);
    for (unsigned e = 1; e < 3; e++)
        inner = finest(inner, &edge[e]);
    equal = edge[1].n == edge[0].n && edge[2].n == edge[0].n;
    if ((st = begin(out, (size_t)inner->n * (inner->n + 6) + 8,
                    2 * (size_t)inner->n * (inner->n + 6) + 8)))
        return st;
    if (equal && (!continuous || inner->n == 1))
        regular_triangle(out, inner->n);
    else
        ringed_triangle(out, edge, inner);
    return ST_OK;
}

void tess_pattern_fini(struct tess_pattern *pattern)
{
    scratch_fini(&pattern->point_memory);
    scratch_fini(&pattern->triangle_memory);
    memset(pattern, 0, sizeof(*pattern));
}
