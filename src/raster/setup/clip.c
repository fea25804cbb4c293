/* Projection and clipping: projects vertices to the screen and clips polygons and lines against the
 * view frustum and user clip planes (reference: clip/near). */
#include "raster/raster_private.h"

#include "util/math.h"
#include "util/variant.h"

#include <math.h>
#include <string.h>

static void set_plane(float plane[4], double x, double y, double z, double w)
{
    plane[0] = (float)x;
    plane[1] = (float)y;
    plane[2] = (float)z;
    plane[3] = (float)w;
}

/* A viewport's depth range is at least 0.001 (reference: viewport/depth-range-empty). */
static void viewport_init(struct raster_viewport *out, const float viewport[6])
{
    double range = (double)viewport[5] - viewport[4];

    out->half_w = viewport[2] * 0.5;
    out->half_h = viewport[3] * 0.5;
    out->centre_x = viewport[0] + out->half_w;
    out->centre_y = viewport[1] + out->half_h;
    out->min_z = viewport[4];
    out->range_z = range >= 0.001 ? range : 0.001;
}

void raster_clip_begin(struct raster *raster)
{
    const struct raster_state *state = raster->state;
    struct raster_viewport *v = &raster->viewport;
    float(*planes)[4] = raster->clip_planes;
    const double g = GUARD_BAND_PX;

    viewport_init(v, state->viewport);
    if (state->transformed) {
        /* Planes in screen x, y with w = 1. Depth is clipped only if a depth surface is tested
         * (reference: clip/transformed-depth). */
        raster->clip_mask = 1 << CLIP_LEFT | 1 << CLIP_RIGHT | 1 << CLIP_TOP | 1 << CLIP_BOTTOM;
        if (state->depth_test && raster->targets.depth.format && !state->depth_clamp)
            raster->clip_mask |= 1 << CLIP_NEAR | 1 << CLIP_FAR;
        set_plane(planes[CLIP_NEAR], 0, 0, 1, 0);
        set_plane(planes[CLIP_FAR], 0, 0, -1, 1);
        set_plane(planes[CLIP_LEFT], 1, 0, 0, g);
        set_plane(planes[CLIP_RIGHT], -1, 0, 0, g);
        set_plane(planes[CLIP_TOP], 0, 1, 0, g);
        set_plane(planes[CLIP_BOTTOM], 0, -1, 0, g);
        return;
    }
    raster->clip_mask = (1 << CLIP_USER) - 1;
    if (state->depth_clamp)
        raster->clip_mask &= ~(1u << CLIP_NEAR | 1u << CLIP_FAR);
    set_plane(planes[CLIP_W], 0, 0, 0, 1);
    set_plane(planes[CLIP_NEAR], 0, 0, 1, 0);
    set_plane(planes[CLIP_FAR], 0, 0, -1, 1);
    set_plane(planes[CLIP_LEFT], v->half_w, 0, 0, g + v->centre_x);
    set_plane(planes[CLIP_RIGHT], -v->half_w, 0, 0, g - v->centre_x);
    set_plane(planes[CLIP_TOP], 0, -v->half_h, 0, g + v->centre_y);
    set_plane(planes[CLIP_BOTTOM], 0, v->half_h, 0, g - v->centre_y);
    if (state->clipping) {
        raster->clip_mask |= (state->clip_plane_mask & ((1u << RASTER_CLIP_PLANES) - 1))
                             << CLIP_USER;
        memcpy(planes[CLIP_USER], state->clip_plane, sizeof(state->clip_plane));
    }
}

double raster_clip_distance(const struct raster *raster, unsigned plane, const float *p)
{
    const float *k = raster->clip_planes[plane];
    double w = raster->state->transformed ? 1.0 : p[3];

    if (plane == CLIP_W)
        return w - RASTER_LEAST_W;
    return ((double)k[0] * p[0] + (double)k[1] * p[1]) + ((double)k[2] * p[2] + k[3] * w);
}

/* Rounds to nearest even; for values below 2^51 in the rounding mode of util/fpenv.h. */
int32_t raster_round_even(double value)
{
    const double magic = 0x1.8p52;

    return (int32_t)((value + magic) - magic);
}

static int32_t snap(double pixels)
{
    const double limit = (GUARD_BAND_PX + 1) * SUBPIXEL;
    double fixed = pixels * SUBPIXEL;

    fixed = fixed < -limit ? -limit : fixed > limit ? limit : fixed;
    return raster_round_even(fixed);
}

static bool is_finite(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return (bits & 0x7f800000) != 0x7f800000;
}

static uint32_t planes_outside(const struct raster *raster, uint32_t planes, const float *p)
{
    uint32_t outside = 0;

    for (; planes; planes &= planes - 1) {
        unsigned plane = (unsigned)__builtin_ctz(planes);

        if (!(raster_clip_distance(raster, plane, p) >= 0.0))
            outside |= 1u << plane;
    }
    return outside;
}

/* Specialises raster_clip_distance for the frustum planes: omits terms that are 0, which keeps the
 * signs. */
static uint32_t view_outside(const struct raster *raster, const float *p)
{
    const float(*k)[4] = (const float(*)[4])raster->clip_planes;
    double x = p[0], y = p[1], w = p[3];

    return (uint32_t) !(w - RASTER_LEAST_W >= 0.0) << CLIP_W |
           (uint32_t) !(p[2] >= 0.0f) << CLIP_NEAR | (uint32_t) !(w - p[2] >= 0.0) << CLIP_FAR |
           (uint32_t) !(k[CLIP_LEFT][0] * x + k[CLIP_LEFT][3] * w >= 0.0) << CLIP_LEFT |
           (uint32_t) !(k[CLIP_RIGHT][0] * x + k[CLIP_RIGHT][3] * w >= 0.0) << CLIP_RIGHT |
           (uint32_t) !(k[CLIP_TOP][1] * y + k[CLIP_TOP][3] * w >= 0.0) << CLIP_TOP |
           (uint32_t) !(k[CLIP_BOTTOM][1] * y + k[CLIP_BOTTOM][3] * w >= 0.0) << CLIP_BOTTOM;
}

void raster_project(const struct raster *raster, struct raster_screen_vertex *out, const float *p)
{
    const struct raster_viewport *v = &raster->viewport;
    bool transformed = raster->state->transformed;

    *out = (struct raster_screen_vertex){.v = p};
    if (!is_finite(p[0]) || !is_finite(p[1]) || !is_finite(p[2]) ||
        (!transformed && !is_finite(p[3]))) {
        out->outside = CLIP_DROP;
        return;
    }
    if (transformed) {
        out->outside = planes_outside(raster, raster->clip_mask, p);
        out->x = snap(p[0]);
        out->y = snap(p[1]);
        out->z = p[2];
        out->rhw = p[3];
        return;
    }
    out->outside = (view_outside(raster, p) & raster->clip_mask) |
                   planes_outside(raster, raster->clip_mask & -(1u << CLIP_USER), p);
    if (p[3] >= (float)RASTER_LEAST_W) {
        double w = p[3];

        out->x = snap(v->centre_x + p[0] / w * v->half_w);
        out->y = snap(v->centre_y - p[1] / w * v->half_h);
        out->z = math_narrowf(v->min_z + p[2] / w * v->range_z);
        out->rhw = 1.0f / p[3];
    }
}

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
