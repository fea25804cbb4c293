/* Clips polygons and lines against the view frustum and user clip planes (reference: clip/near). */
#include "raster/setup/setup.h"

#include "util/math.h"
#include "util/variant.h"

#include <string.h>

/* Puts a new vertex exactly on the plane, even if the corners are so far away that t has no
 * precision left. */
static void snap_to_plane(const struct raster *raster, unsigned plane, float *v)
{
    const float *k = raster->clip_planes[plane];
    unsigned axis = plane >= CLIP_TOP;
    double w = raster->state->transformed ? 1.0 : v[3];

    if (k[axis] != 0.0f)
        v[axis] = math_narrowf(-(k[3] * w) / k[axis]);
}

/* Intersects an edge with a plane, always from the inside vertex, so that primitives that share the
 * edge get the same vertex (reference: clip/order). NULL: no room. */
static const float *intersect_edge(struct raster *raster, unsigned plane, const float *in,
                                   double d_in, const float *out, double d_out)
{
    unsigned count = RASTER_V_ATTR + raster->state->n_attrs;
    double t = d_in / (d_in - d_out);
    float *v;

    if (raster->n_clip_vertices == sizeof(raster->clip_vertices) / sizeof(raster->clip_vertices[0]))
        return NULL;
    v = raster->clip_vertices[raster->n_clip_vertices++];
    for (unsigned i = 0; i < count; i++)
        v[i] = math_narrowf(in[i] + t * ((double)out[i] - in[i]));
    if (plane == CLIP_W || (!raster->state->transformed && v[3] < (float)RASTER_LEAST_W))
        v[3] = (float)RASTER_LEAST_W;
    if (plane >= CLIP_LEFT && plane <= CLIP_BOTTOM)
        snap_to_plane(raster, plane, v);
    if (plane == CLIP_NEAR)
        v[2] = 0.0f;
    if (plane == CLIP_FAR)
        v[2] = raster->state->transformed ? 1.0f : v[3];
    return v;
}

struct polygon {
    const float *v[MAX_POLYGON];
    bool edge[MAX_POLYGON]; /* from this corner to the next is an edge of the primitive */
    unsigned n;
};

static bool polygon_add(struct polygon *polygon, const float *v, bool edge)
{
    if (!v || polygon->n == MAX_POLYGON)
        return false;
    polygon->v[polygon->n] = v;
    polygon->edge[polygon->n++] = edge;
    return true;
}

static bool clip_to_plane(struct raster *raster, unsigned plane, const struct polygon *from,
                          struct polygon *to)
{
    double distance[MAX_POLYGON];

    to->n = 0;
    for (unsigned i = 0; i < from->n; i++)
        distance[i] = raster_clip_distance(raster, plane, from->v[i]);
    for (unsigned i = 0; i < from->n; i++) {
        unsigned j = i + 1 == from->n ? 0 : i + 1;
        bool in_i = distance[i] >= 0.0, in_j = distance[j] >= 0.0;

        if (in_i && !polygon_add(to, from->v[i], from->edge[i]))
            return false;
        if (in_i && !in_j &&
            !polygon_add(
                to, intersect_edge(raster, plane, from->v[i], distance[i], from->v[j], distance[j]),
                false))
            return false;
        if (!in_i && in_j &&
            !polygon_add(
                to, intersect_edge(raster, plane, from->v[j], distance[j], from->v[i], distance[i]),
                from->edge[i]))
            return false;
    }
    return to->n >= 3;
}

/* In screen space the attributes are not linear, but 1/w and attributes over w are. So
 * pretransformed vertices are clipped with attributes over w. */
static void scale_attributes(const struct raster_state *state, float *v, bool divide)
{
    for (unsigned n = 0; n < state->n_attrs; n++) {
        float *value = &v[RASTER_V_ATTR + n];

        if (state->attr[n].interp == RASTER_PERSPECTIVE)
            *value = divide ? *value / v[3] : math_mulf(*value, v[3]);
    }
}

static bool needs_scaling(const struct raster *raster, const struct raster_screen_vertex *corner,
                          unsigned n)
{
    bool same = true, zero = false;

    for (unsigned i = 0; i < n; i++) {
        same = same && corner[i].rhw == corner[0].rhw;
        zero = zero || corner[i].rhw == 0.0f;
    }
    return raster->state->transformed && !same && !zero;
}

static const float *scaled_copy(struct raster *raster, const float *v)
{
    float *copy = raster->clip_vertices[raster->n_clip_vertices++];

    memcpy(copy, v, (RASTER_V_ATTR + (size_t)raster->state->n_attrs) * sizeof(float));
    scale_attributes(raster->state, copy, false);
    return copy;
}

static void unscale_all(struct raster *raster)
{
    for (unsigned i = 0; i < raster->n_clip_vertices; i++)
        scale_attributes(raster->state, raster->clip_vertices[i], true);
}

/* Perturbs like raster_draw_batch_draw does for unclipped vertices. */
static void project(const struct raster *raster, struct raster_screen_vertex *out, const float *p)
{
    raster_project(raster, out, p);
    if (variant_current)
        raster_perturb_vertices(out, 1);
}

void raster_clip_polygon(struct raster *raster, struct raster_screen_vertex *corner, bool *edge,
                         unsigned *n, uint32_t planes)
{
    bool scaling = needs_scaling(raster, corner, *n);
    struct polygon polygon[2];
    unsigned now = 0;

    raster->n_clip_vertices = 0;
    polygon[0].n = 0;
    for (unsigned i = 0; i < *n; i++)
        polygon_add(&polygon[0], scaling ? scaled_copy(raster, corner[i].v) : corner[i].v, edge[i]);
    *n = 0;
    for (; planes; planes &= planes - 1, now ^= 1)
        if (!clip_to_plane(raster, (unsigned)__builtin_ctz(planes), &polygon[now],
                           &polygon[now ^ 1]))
            return;
    if (scaling)
        unscale_all(raster);
    for (unsigned i = 0; i < polygon[now].n; i++) {
        project(raster, &corner[i], polygon[now].v[i]);
        edge[i] = polygon[now].edge[i];
        if (corner[i].outside & CLIP_DROP)
            return;
    }
    *n = polygon[now].n;
}

bool raster_clip_line(struct raster *raster, struct raster_screen_vertex end[2], uint32_t planes)
{
    bool scaling = needs_scaling(raster, end, 2);
    const float *v[2] = {end[0].v, end[1].v};

    raster->n_clip_vertices = 0;
    for (int i = 0; scaling && i < 2; i++)
        v[i] = scaled_copy(raster, v[i]);
    for (; planes; planes &= planes - 1) {
        unsigned plane = (unsigned)__builtin_ctz(planes);
        double d[2] = {raster_clip_distance(raster, plane, v[0]),
                       raster_clip_distance(raster, plane, v[1])};
        int out = !(d[1] >= 0.0);

        if (!(d[!out] >= 0.0))
            return false;
        if (d[out] >= 0.0)
            continue;
        v[out] = intersect_edge(raster, plane, v[!out], d[!out], v[out], d[out]);
        if (!v[out])
            return false;
    }
    if (scaling)
        unscale_all(raster);
    for (int i = 0; i < 2; i++)
        project(raster, &end[i], v[i]);
    return !((end[0].outside | end[1].outside) & CLIP_DROP);
}
