/* Triangle setup: culling, interpolation planes, and the primitives that bins hold.
 *
 * Tested by tests/unit/raster/setup/test_setup.c and tests/unit/raster/test_oracle.c. */
#include "raster/setup/tri_bounds.h"

#include "raster/bin/bin.h"
#include "util/math.h"
#include "util/variant.h"

#include <math.h>
#include <string.h>

static void prim_init(struct raster_prim *prim, const struct raster_pipeline *pipeline,
                      enum raster_prim_kind kind)
{
    prim->pipeline = pipeline;
    prim->kind = (uint8_t)kind;
    prim->scissored = true;
    prim->affine = true;
    prim->const_attribs = 0;
    memcpy(prim->rect, pipeline->rect, sizeof(prim->rect));
}

struct raster_prim *raster_prim_create(struct raster *raster, enum raster_prim_kind kind)
{
    const struct raster_pipeline *pipeline = raster_pipeline_get(raster);
    struct raster_prim *prim;

    if (!pipeline)
        return NULL;
    prim = arena_alloc(&raster->arena, raster_prim_bytes(pipeline));
    if (prim)
        prim_init(prim, pipeline, kind);
    return prim;
}

/* Factors that turn differences from the anchor's value into dadx and dady, per pixel; `edge`: the
 * same times the area, integers. */
struct plane_factors {
    double b1, b2, c1, c2, area;
    struct {
        double b1, b2, c1, c2;
    } edge;
};

static void plane_factors_init(struct plane_factors *plane_factors,
                               const struct raster_tri_vertices *in)
{
    double scale = SUBPIXEL / (double)in->area;

    plane_factors->b1 = (in->v[2]->y - in->v[0]->y) * scale;
    plane_factors->b2 = (in->v[0]->y - in->v[1]->y) * scale;
    plane_factors->c1 = (in->v[0]->x - in->v[2]->x) * scale;
    plane_factors->c2 = (in->v[1]->x - in->v[0]->x) * scale;
    plane_factors->area = (double)in->area;
    plane_factors->edge.b1 = (double)(in->v[2]->y - in->v[0]->y) * SUBPIXEL;
    plane_factors->edge.b2 = (double)(in->v[0]->y - in->v[1]->y) * SUBPIXEL;
    plane_factors->edge.c1 = (double)(in->v[0]->x - in->v[2]->x) * SUBPIXEL;
    plane_factors->edge.c2 = (double)(in->v[1]->x - in->v[0]->x) * SUBPIXEL;
}

/* In double precision, rounded once at the end (reference: depth/interpolation). */
static void plane_init(struct raster_interp_plane *plane, const struct plane_factors *plane_factors,
                       double f0, double f1, double f2)
{
    double d1 = f1 - f0, d2 = f2 - f0;

    plane->a0 = math_narrowf(f0);
    plane->dadx = math_narrowf(d1 * plane_factors->b1 + d2 * plane_factors->b2);
    plane->dady = math_narrowf(d1 * plane_factors->c1 + d2 * plane_factors->c2);
}

/* The largest magnitude of three values. */
static float largest_of(float a, float b, float c)
{
    a = fabsf(a);
    b = fabsf(b);
    c = fabsf(c);
    a = a > b ? a : b;
    return a > c ? a : c;
}

/* A slope that a double holds is exact, because the sum of products of values with few bits is
 * (reference: raster/interpolation). */
static void attr_plane_init(struct raster_attr_plane *plane,
                            const struct plane_factors *plane_factors, double f0, double f1,
                            double f2, float largest)
{
    double d1 = f1 - f0, d2 = f2 - f0;

    plane->value = math_narrowf(f0);
    plane->tiny = math_mulf(largest, RASTER_TINY);
    plane->a0 = f0;
    plane->dadx = (d1 * plane_factors->edge.b1 + d2 * plane_factors->edge.b2) / plane_factors->area;
    plane->dady = (d1 * plane_factors->edge.c1 + d2 * plane_factors->edge.c2) / plane_factors->area;
}

static void set_const_attrib(struct raster_prim *prim, unsigned n, float value)
{
    prim->const_attribs |= UINT64_C(1) << n;
    prim->attr[n] = raster_const_plane(value);
}

static void setup_attributes(struct raster_prim *prim, const struct raster_tri_vertices *in,
                             const struct plane_factors *plane_factors)
{
    const struct raster_state *state = &prim->pipeline->s;
    const float *v[3] = {in->v[0]->v + RASTER_V_ATTR, in->v[1]->v + RASTER_V_ATTR,
                         in->v[2]->v + RASTER_V_ATTR};

    for (unsigned n = 0; n < state->n_attrs; n++) {
        double f[3] = {v[0][n], v[1][n], v[2][n]};
        float size[3] = {v[0][n], v[1][n], v[2][n]};

        if (state->attr[n].interp == RASTER_FLAT) {
            set_const_attrib(prim, n, in->flat[RASTER_V_ATTR + n]);
            continue;
        }
        if (v[0][n] == v[1][n] && v[0][n] == v[2][n]) {
            set_const_attrib(prim, n, v[0][n]);
            continue;
        }
        if (!prim->affine && state->attr[n].interp == RASTER_PERSPECTIVE)
            for (unsigned i = 0; i < 3; i++) {
                f[i] *= in->v[i]->rhw;
                size[i] = math_mulf(size[i], in->v[i]->rhw);
            }
        attr_plane_init(&prim->attr[n], plane_factors, f[0], f[1], f[2],
                        largest_of(size[0], size[1], size[2]));
    }
}

/* Bias plus slope bias times the steeper depth slope (reference: depth/bias). */
static float depth_offset(const struct raster_state *state, const struct raster_interp_plane *z)
{
    float across = fabsf(z->dadx), down = fabsf(z->dady);

    return state->values.depth_bias +
           math_mulf(state->values.slope_bias, across > down ? across : down);
}

static void setup_planes(struct raster_prim *prim, const struct raster_tri_vertices *in)
{
    const struct raster_screen_vertex *v0 = in->v[0], *v1 = in->v[1], *v2 = in->v[2];
    struct plane_factors plane_factors;

    plane_factors_init(&plane_factors, in);
    prim->anchor_x = (float)v0->x / SUBPIXEL;
    prim->anchor_y = (float)v0->y / SUBPIXEL;
    prim->face = in->face;
    prim->affine = v0->rhw == v1->rhw && v0->rhw == v2->rhw;
    plane_init(&prim->z, &plane_factors, v0->z, v1->z, v2->z);
    prim->rhw = raster_const_plane(v0->rhw);
    if (!prim->affine)
        attr_plane_init(&prim->rhw, &plane_factors, v0->rhw, v1->rhw, v2->rhw, 0.0f);
    prim->depth_offset = depth_offset(&prim->pipeline->s, &prim->z);
    setup_attributes(prim, in, &plane_factors);
    if (variant_current)
        raster_perturb_planes(prim, in->v);
}

/* Writes adjacent primitives that differ only in coverage. */
static void setup_prims(struct raster_prim *first, const struct raster_pipeline *pipeline,
                        const struct raster_tri_bounds *bounds,
                        const struct raster_tri_vertices *in)
{
    prim_init(first, pipeline, bounds->use_mask8x8 ? PRIM_MASK8X8 : PRIM_TRIANGLE);
    first->scissored = bounds->scissored;
    memcpy(first->rect, bounds->rect, sizeof(first->rect));
    if (!bounds->use_mask8x8)
        raster_edges_of_prim(first)->edges = bounds->edges;
    setup_planes(first, in);
    if (bounds->use_mask8x8)
        raster_put_mask_parts(first, bounds);
}

static bool try_triangle(struct raster *raster, const struct raster_tri_vertices *in,
                         const struct raster_tri_bounds *bounds)
{
    const struct raster_pipeline *pipeline = raster_pipeline_get(raster);
    size_t bytes = pipeline ? raster_tri_prim_bytes(pipeline, bounds) : 0;
    struct raster_tri_setup tri = {
        .prim = pipeline ? arena_alloc(&raster->arena, bytes * bounds->n_parts) : NULL,
        .tile = MULTIPLE_TILES,
        .n_parts = (uint8_t)bounds->n_parts,
    };

    if (!tri.prim)
        return false;
    setup_prims(tri.prim, pipeline, bounds, in);
    return raster_bin_tri(raster, &tri, bytes);
}

enum status raster_emit_triangle(struct raster *raster, const struct raster_tri_vertices *in)
{
    const struct raster_pipeline *pipeline = raster_pipeline_get(raster);
    struct raster_tri_bounds bounds;

    if (!pipeline) {
        raster_flush_bins(raster);
        pipeline = raster_pipeline_get(raster);
        if (!pipeline)
            return ST_NOMEM;
    }
    raster_find_tri_bounds(&bounds, raster, pipeline, in);
    if (!bounds.n_parts || try_triangle(raster, in, &bounds))
        return ST_OK;
    raster_flush_bins(raster);
    return try_triangle(raster, in, &bounds) ? ST_OK : ST_NOMEM;
}

enum raster_tri_class raster_tri_classify(const struct raster *raster,
                                          const struct raster_pipeline *pipeline,
                                          const struct raster_screen_vertex *const v[3])
{
    uint32_t planes = v[0]->outside | v[1]->outside | v[2]->outside;
    struct raster_tri_vertices in = {.v = {v[0], v[1], v[2]}};
    int32_t rect[4];

    if ((v[0]->outside & v[1]->outside & v[2]->outside) || (planes & CLIP_DROP))
        return TRI_CULL;
    if (planes)
        return TRI_CLIP;
    in.area = raster_area(v[0], v[1], v[2]);
    if (raster_is_culled(&pipeline->s, in.area))
        return TRI_CULL;
    raster_tri_bbox(rect, &in, raster->targets.samples > 1);
    return raster_rect_intersect(rect, pipeline->rect) ? TRI_ACCEPT : TRI_CULL;
}

static struct raster_tri_vertices vertices_of(const struct raster_screen_vertex *const v[3])
{
    int64_t area = raster_area(v[0], v[1], v[2]);

    return (struct raster_tri_vertices){
        .v = {v[0], v[1], v[2]}, .flat = v[0]->v, .area = area, .face = area > 0 ? 1.0f : -1.0f};
}

size_t raster_triangle_setup(const struct raster *raster, struct raster_tri_setup *tri,
                             const struct raster_pipeline *pipeline,
                             const struct raster_screen_vertex *const v[3])
{
    struct raster_tri_vertices in = vertices_of(v);
    struct raster_tri_bounds bounds;

    raster_find_tri_bounds(&bounds, raster, pipeline, &in);
    tri->n_parts = (uint8_t)bounds.n_parts;
    if (!bounds.n_parts)
        return 0;
    tri->tile = raster_single_tile(raster, bounds.rect);
    setup_prims(tri->prim, pipeline, &bounds, &in);
    return bounds.n_parts * raster_tri_prim_bytes(pipeline, &bounds);
}

void raster_triangle_planes(struct raster_prim *prim, const struct raster_pipeline *pipeline,
                            const struct raster_screen_vertex *const v[3])
{
    struct raster_tri_vertices in = vertices_of(v);

    prim_init(prim, pipeline, PRIM_TRIANGLE);
    setup_planes(prim, &in);
}
