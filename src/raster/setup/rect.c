/* Rectangles: draws two triangles as one primitive if they form an axis-aligned rectangle, as in 2D
 * drawing and full-screen passes.
 *
 * A PRIM_RECT has one set of planes, which must give the same bits as the planes of both halves. A
 * PRIM_SPLIT_RECT keeps the planes of each half; only its depth must be constant. */
#include "raster/setup/tri_bounds.h"

#include "raster/bin/bin.h"
#include "util/variant.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    PRIM_BYTES = sizeof(struct raster_prim) + RASTER_MAX_ATTRS * sizeof(struct raster_attr_plane) +
                 sizeof(union raster_prim_edges)
};

bool raster_rects_allowed(const struct raster *raster)
{
    return raster->state->fill == D3DFILL_SOLID && !raster->wraps && !raster->options.no_packing &&
           !variant_current && (raster->targets.samples == 1 || raster->state->at_centre);
}

/* --- Shape ------------------------------------------------------------------------------------ */

/* Corners: upper left, upper right, lower left, lower right. */
struct shape {
    int32_t box[4]; /* left, top, right, bottom, in subpixels */
    const struct raster_screen_vertex *corner[4];
};

static bool two_equal(int32_t a, int32_t b, int32_t c)
{
    return a == b || a == c || b == c;
}

/* Finds the bounding box of a triangle whose corners are three of the box's corners. *missing:
 * index of the fourth corner. */
static bool half_of_box(struct shape *shape, const struct raster_screen_vertex *const v[3],
                        unsigned *missing)
{
    int32_t *box = shape->box;
    unsigned seen = 0;

    if (!two_equal(v[0]->x, v[1]->x, v[2]->x) || !two_equal(v[0]->y, v[1]->y, v[2]->y))
        return false;
    box[0] = box[2] = v[0]->x;
    box[1] = box[3] = v[0]->y;
    for (unsigned i = 1; i < 3; i++) {
        box[0] = v[i]->x < box[0] ? v[i]->x : box[0];
        box[1] = v[i]->y < box[1] ? v[i]->y : box[1];
        box[2] = v[i]->x > box[2] ? v[i]->x : box[2];
        box[3] = v[i]->y > box[3] ? v[i]->y : box[3];
    }
    for (unsigned i = 0; i < 3; i++) {
        unsigned at = (v[i]->x == box[2]) + 2u * (v[i]->y == box[3]);

        shape->corner[at] = v[i];
        seen |= 1u << at;
    }
    *missing = (unsigned)__builtin_ctz(~seen);
    return __builtin_popcount(seen) == 3;
}

/* Whether two halves share the box and the diagonal. */
static bool are_halves(struct shape *shape, const struct raster_screen_vertex *const v[6])
{
    unsigned missing, opposite;
    struct shape other;

    if (!half_of_box(shape, v, &missing) || !half_of_box(&other, v + 3, &opposite) ||
        memcmp(shape->box, other.box, sizeof(other.box)) || missing + opposite != 3)
        return false;
    shape->corner[missing] = other.corner[missing];
    return true;
}

/* Whether the slope of a difference over `length` subpixels is exact in a float. */
static bool is_slope(double difference, int32_t length)
{
    double slope = difference * SUBPIXEL;

    return difference == 0.0 || (double)(float)(slope / length) * length == slope;
}

/* Whether one plane can pass through four corners and have the same bits from any anchor. A cheap
 * filter before same_planes. */
static bool may_be_plane(const struct shape *shape, bool one_anchor, const double f[4])
{
    double across = f[1] - f[0], down = f[2] - f[0];

    return f[3] - f[2] == across && f[3] - f[1] == down &&
           (one_anchor || (is_slope(across, shape->box[2] - shape->box[0]) &&
                           is_slope(down, shape->box[3] - shape->box[1])));
}

static bool may_be_planes(const struct raster *raster, const struct shape *shape, bool one_anchor)
{
    const struct raster_state *state = raster->state;
    const struct raster_screen_vertex *const *v = shape->corner;
    const double z[4] = {v[0]->z, v[1]->z, v[2]->z, v[3]->z};

    if (v[1]->rhw != v[0]->rhw || v[2]->rhw != v[0]->rhw || v[3]->rhw != v[0]->rhw ||
        !may_be_plane(shape, one_anchor, z))
        return false;
    for (unsigned n = 0; n < state->n_attrs; n++) {
        unsigned at = RASTER_V_ATTR + n;
        const double f[4] = {v[0]->v[at], v[1]->v[at], v[2]->v[at], v[3]->v[at]};

        if (state->attr[n].interp != RASTER_FLAT && !may_be_plane(shape, one_anchor, f))
            return false;
    }
    return true;
}

/* Whether a PRIM_SPLIT_RECT is worth it: constant depth, not small, and no half covers a whole
 * tile. */
static bool may_be_split_rect(const struct raster *raster, const struct raster_pipeline *pipeline,
                              const struct shape *shape)
{
    const struct raster_screen_vertex *const *v = shape->corner;
    int64_t width = (shape->box[2] - shape->box[0]) / SUBPIXEL;
    int64_t height = (shape->box[3] - shape->box[1]) / SUBPIXEL;
    int64_t dim = raster_tile_dim(raster);
    float z = v[0]->z, rhw = v[0]->rhw;

    return raster->targets.samples == 1 && width > 2 * BLOCK_DIM && height > 2 * BLOCK_DIM &&
           dim * (width + height) > width * height && v[1]->z == z && v[2]->z == z &&
           v[3]->z == z && v[1]->rhw == rhw && v[2]->rhw == rhw && v[3]->rhw == rhw &&
           !(pipeline->shortcuts & SHORTCUT_SOLID);
}

/* --- Planes ----------------------------------------------------------------------------------- */

/* The largest power of two of which x is a multiple; infinity for 0. */
static double unit_of(double x)
{
    uint64_t bits;
    int exponent;

    if (x == 0.0)
        return INFINITY;
    memcpy(&bits, &x, sizeof(bits));
    exponent = (int)(bits >> 52 & 2047) - 1075;
    return ldexp(1.0, exponent + __builtin_ctzll(bits | UINT64_C(1) << 52));
}

/* A depth plane, or an attribute's. */
struct plane {
    double a0, dadx, dady;
    double units; /* that numbers hold: 2^24 in single precision; 2^40, because smaller parts of
                     an attribute are 0 */
};

/* Whether the plane is evaluated without rounding up to `reach` pixels from its anchor: all terms
 * are multiples of one unit and below the number of units. */
static bool exact(const struct raster_prim *prim, const struct plane *plane, double reach)
{
    double across = unit_of(prim->anchor_x), down = unit_of(prim->anchor_y);
    double unit = unit_of(plane->a0), most = fabs(plane->a0);

    unit = fmin(unit, unit_of(plane->dadx) * fmin(across, 1.0));
    unit = fmin(unit, unit_of(plane->dady) * fmin(down, 1.0));
    most += (fabs(plane->dadx) + fabs(plane->dady)) * reach;
    return unit >= 0x1p-100 && most <= unit * plane->units;
}

static bool is_minus_zero(double x)
{
    return x == 0.0 && signbit(x);
}

/* Whether two planes have equal bits at every pixel. The first term must not be -0, so that all
 * zeros are +0. */
static bool same_plane(const struct raster_prim *one, const struct plane *p,
                       const struct raster_prim *two, const struct plane *q, double reach)
{
    double right = (double)one->anchor_x - two->anchor_x;
    double below = (double)one->anchor_y - two->anchor_y;

    if (p->dadx != q->dadx || p->dady != q->dady || is_minus_zero(p->a0) || is_minus_zero(q->a0))
        return false;
    if ((right == 0.0 && below == 0.0) || (p->dadx == 0.0 && p->dady == 0.0))
        return p->a0 == q->a0;
    return exact(one, p, reach) && exact(two, q, reach) &&
           p->a0 - q->a0 == p->dadx * right + p->dady * below;
}

static bool same_depth(const struct raster_prim *one, const struct raster_prim *two, double reach)
{
    const struct plane p = {one->z.a0, one->z.dadx, one->z.dady, 0x1p24};
    const struct plane q = {two->z.a0, two->z.dadx, two->z.dady, 0x1p24};

    return same_plane(one, &p, two, &q, reach);
}

static bool same_attr(const struct raster_prim *one, const struct raster_prim *two, unsigned n,
                      double reach)
{
    const struct raster_attr_plane *a = &one->attr[n], *b = &two->attr[n];
    const struct plane p = {a->a0, a->dadx, a->dady, 1.0 / (double)RASTER_TINY};
    const struct plane q = {b->a0, b->dadx, b->dady, 1.0 / (double)RASTER_TINY};

    if (one->const_attribs >> n & 1)
        return a->value == b->value;
    return (a->tiny == b->tiny || (exact(one, &p, reach) && exact(two, &q, reach))) &&
           same_plane(one, &p, two, &q, reach);
}

static bool same_planes(const struct raster_prim *one, const struct raster_prim *two, double reach)
{
    if (one->face != two->face || !one->affine || !two->affine ||
        one->rhw.value != two->rhw.value || one->const_attribs != two->const_attribs ||
        one->depth_offset != two->depth_offset || !same_depth(one, two, reach))
        return false;
    for (unsigned n = 0; n < one->pipeline->s.n_attrs; n++)
        if (!same_attr(one, two, n, reach))
            return false;
    return true;
}

/* --- Drawing ---------------------------------------------------------------------------------- */

/* Pixels with centres in the box, without its right and lower edges, as the halves cover them
 * (reference: raster/top-left). */
static void rect_of_box(int32_t rect[4], const int32_t box[4], const int32_t cut[4])
{
    for (unsigned i = 0; i < 4; i++)
        rect[i] = (box[i] + SUBPIXEL - 1) >> SUBPIXEL_BITS;
    raster_rect_intersect(rect, cut);
}

/* Bins the box as a PRIM_RECT with the planes of `half`; an empty one counts as binned. */
static bool bin_rect(struct raster *raster, const struct raster_prim *half, const int32_t box[4])
{
    struct raster_prim *prim = raster_prim_create(raster, PRIM_RECT);
    int32_t rect[4];

    if (!prim)
        return false;
    rect_of_box(rect, box, prim->rect);
    memcpy(prim, half, raster_prim_base_bytes(half->pipeline));
    memcpy(prim->rect, rect, sizeof(rect));
    prim->kind = PRIM_RECT;
    return rect[0] >= rect[2] || rect[1] >= rect[3] || raster_bin_prim(raster, prim);
}

/* Draws a PRIM_RECT if the halves' planes agree. */
static bool draw_as_one(struct raster *raster, const struct raster_pipeline *pipeline,
                        const struct shape *shape, const struct raster_screen_vertex *const v[6])
{
    _Alignas(64) char storage[2][(PRIM_BYTES + 63) / 64 * 64];
    struct raster_prim *one = (struct raster_prim *)(void *)storage[0];
    struct raster_prim *two = (struct raster_prim *)(void *)storage[1];
    const int32_t *box = shape->box;

    raster_triangle_planes(one, pipeline, v);
    raster_triangle_planes(two, pipeline, v + 3);
    /* Whole blocks are shaded, so the planes must agree beyond the box's corners. */
    return same_planes(one, two,
                       (box[2] - box[0] + box[3] - box[1]) / (double)SUBPIXEL + 2 * BLOCK_DIM) &&
           bin_rect(raster, one, box);
}

/* Writes both halves; false: no pixels. */
static bool set_up_split_rect(struct raster_prim *prim, const struct raster_pipeline *pipeline,
                              const struct shape *shape,
                              const struct raster_screen_vertex *const v[6])
{
    struct raster_prim *second =
        (struct raster_prim *)(void *)((char *)prim +
                                       raster_bin_bytes(raster_prim_bytes(pipeline)));
    struct raster_tri_vertices in = {.v = {v[0], v[1], v[2]},
                                     .area = raster_area(v[0], v[1], v[2])};
    struct raster_split_edge *split;
    int32_t rect[4];

    rect_of_box(rect, shape->box, pipeline->rect);
    raster_triangle_planes(prim, pipeline, v);
    raster_triangle_planes(second, pipeline, v + 3);
    prim->kind = PRIM_SPLIT_RECT;
    memcpy(prim->rect, rect, sizeof(rect));
    split = &raster_edges_of_prim(prim)->split;
    raster_find_split_edge(split, &in);
    split->second = second;
    return rect[0] < rect[2] && rect[1] < rect[3];
}

static bool draw_as_split_rect(struct raster *raster, const struct raster_pipeline *pipeline,
                               const struct shape *shape,
                               const struct raster_screen_vertex *const v[6])
{
    struct raster_prim *prim =
        arena_alloc(&raster->arena, 2 * raster_bin_bytes(raster_prim_bytes(pipeline)));

    return prim && (!set_up_split_rect(prim, pipeline, shape, v) || raster_bin_prim(raster, prim));
}

/* Discards the commands of tiles that only both halves together overwrite. */
static void discard_overdrawn(struct raster *raster, const struct raster_pipeline *pipeline,
                              const int32_t box[4])
{
    int32_t rect[4];

    rect_of_box(rect, box, pipeline->rect);
    if (rect[0] < rect[2] && rect[1] < rect[3])
        raster_bin_discard_overdrawn(raster, rect);
}

/* Whether both halves are accepted unclipped and have the same facing. */
static bool are_whole(const struct raster *raster, const struct raster_pipeline *pipeline,
                      const struct raster_screen_vertex *const v[6])
{
    return raster_tri_classify(raster, pipeline, v) == TRI_ACCEPT &&
           raster_tri_classify(raster, pipeline, v + 3) == TRI_ACCEPT &&
           (raster_area(v[0], v[1], v[2]) > 0) == (raster_area(v[3], v[4], v[5]) > 0);
}

static bool share_first(const struct raster_screen_vertex *const v[6])
{
    return v[0]->x == v[3]->x && v[0]->y == v[3]->y;
}

bool raster_is_rect(const struct raster *raster, const struct raster_pipeline *pipeline,
                    const struct raster_screen_vertex *const v[6])
{
    struct shape shape;

    return are_halves(&shape, v) && may_be_planes(raster, &shape, share_first(v)) &&
           are_whole(raster, pipeline, v);
}

size_t raster_split_rect_setup(const struct raster *raster, struct raster_tri_setup *tri,
                               const struct raster_pipeline *pipeline,
                               const struct raster_screen_vertex *const v[6])
{
    struct shape shape;

    if (!are_halves(&shape, v) || !may_be_split_rect(raster, pipeline, &shape) ||
        !are_whole(raster, pipeline, v))
        return 0;
    tri->n_parts = set_up_split_rect(tri->prim, pipeline, &shape, v);
    tri->tile = tri->n_parts ? raster_single_tile(raster, tri->prim->rect) : MULTIPLE_TILES;
    return 2 * raster_bin_bytes(raster_prim_bytes(pipeline));
}

bool raster_draw_rect(struct raster *raster, const struct raster_screen_vertex *const v[6],
                      bool split_rects)
{
    const struct raster_pipeline *pipeline;
    struct shape shape;
    bool one;

    if (!are_halves(&shape, v) || !(pipeline = raster_pipeline_get(raster)))
        return false;
    one = may_be_planes(raster, &shape, share_first(v));
    split_rects = split_rects && may_be_split_rect(raster, pipeline, &shape);
    if ((!one && !split_rects && !pipeline->overwrites_colour) || !are_whole(raster, pipeline, v))
        return false;
    if (one && draw_as_one(raster, pipeline, &shape, v))
        return true;
    if (pipeline->overwrites_colour)
        discard_overdrawn(raster, pipeline, shape.box);
    return split_rects && draw_as_split_rect(raster, pipeline, &shape, v);
}
