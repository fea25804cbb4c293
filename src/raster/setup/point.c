/* Point setup: points become screen-aligned squares of the point size, with generated coordinates
 * for sprites (reference: point/size). */
#include "raster/setup/setup.h"

#include "raster/bin/bin.h"
#include "util/variant.h"

#include <math.h>
#include <string.h>

/* Clamps the size to the state's limits; a NaN becomes the lower limit. */
static float point_size(const struct raster_state *state, const float *vertex)
{
    const float largest = RASTER_MAX_POINT_SIZE;
    float size = vertex[RASTER_V_PSIZE];

    size = size > state->values.point_size_min ? size : state->values.point_size_min;
    size = size < state->values.point_size_max ? size : state->values.point_size_max;
    return size > 0.0f ? size < largest ? size : largest : 0.0f;
}

/* By how much a variant renderer draws points smaller at the right and at the bottom. */
static int32_t missing(void)
{
    return variant_current && variant_current->point ? SUBPIXEL / 5 : 0;
}

/* The pixels with centres in [x - size / 2, x + size / 2), and likewise in y. */
static bool point_rect(int32_t rect[4], const struct raster_screen_vertex *at, float size)
{
    int32_t half = (int32_t)(size * (SUBPIXEL / 2) + 0.5f);
    int32_t box[4] = {
        (at->x - half + SUBPIXEL - 1) >> SUBPIXEL_BITS,
        (at->y - half + SUBPIXEL - 1) >> SUBPIXEL_BITS,
        (at->x + half - missing() + SUBPIXEL - 1) >> SUBPIXEL_BITS,
        (at->y + half - missing() + SUBPIXEL - 1) >> SUBPIXEL_BITS,
    };

    return raster_rect_intersect(rect, box);
}

/* Plane of a generated coordinate: 0 at the left or upper edge and 1 at the opposite edge, or a
 * constant. sprite: see raster_attr. */
static struct raster_attr_plane sprite_plane(unsigned sprite, float size)
{
    struct raster_attr_plane plane = {.value = 0.5f, .tiny = RASTER_TINY, .a0 = 0.5};

    switch (sprite) {
    case 1:
        plane.dadx = 1.0 / size;
        return plane;
    case 2:
        plane.dady = 1.0 / size;
        return plane;
    default:
        return raster_const_plane(sprite == 4 ? 1.0f : 0.0f);
    }
}

static void point_planes(struct raster_prim *prim, const struct raster_screen_vertex *at,
                         const float *flat, float face, float size)
{
    const struct raster_state *state = &prim->pipeline->s;

    prim->anchor_x = (float)at->x / SUBPIXEL;
    prim->anchor_y = (float)at->y / SUBPIXEL;
    prim->face = face;
    prim->z = (struct raster_interp_plane){at->z, 0.0f, 0.0f};
    prim->rhw = raster_const_plane(at->rhw);
    prim->depth_offset = state->values.depth_bias;
    for (unsigned n = 0; n < state->n_attrs; n++) {
        const struct raster_attr *attr = &state->attr[n];
        const float *from = attr->interp == RASTER_FLAT ? flat : at->v;

        if (state->point_sprite && attr->sprite) {
            prim->attr[n] = sprite_plane(attr->sprite, size);
            continue;
        }
        prim->const_attribs |= UINT64_C(1) << n;
        prim->attr[n] = raster_const_plane(from[RASTER_V_ATTR + n]);
    }
}

/* Returns 1 if drawn, 0 if there is nothing to draw, -1 if the arena is full. */
static int try_point(struct raster *raster, const struct raster_screen_vertex *at,
                     const float *flat, float face)
{
    float size = point_size(raster->state, at->v);
    struct raster_prim *prim = raster_prim_create(raster, PRIM_RECT);

    if (!prim)
        return -1;
    if (!point_rect(prim->rect, at, size))
        return 0;
    point_planes(prim, at, flat, face, size);
    return raster_bin_prim(raster, prim) ? 1 : -1;
}

static enum status emit_square(struct raster *raster, const struct raster_screen_vertex *at,
                               const float *flat, float face)
{
    if (try_point(raster, at, flat, face) >= 0)
        return ST_OK;
    raster_flush_bins(raster);
    return try_point(raster, at, flat, face) >= 0 ? ST_OK : ST_NOMEM;
}

/* --- Points as polygons, for user clip planes or multisampling -------------------------------- */

/* Corners in pixels relative to the point, clockwise. */
struct square {
    double x[4 + RASTER_CLIP_PLANES], y[4 + RASTER_CLIP_PLANES];
    unsigned n;
};

static void square_add(struct square *square, double x, double y)
{
    square->x[square->n] = x;
    square->y[square->n++] = y;
}

static void square_init(struct square *square, float size)
{
    double half = size * 0.5, short_half = half - (double)missing() / SUBPIXEL;

    square->n = 0;
    square_add(square, -half, -half);
    square_add(square, short_half, -half);
    square_add(square, short_half, short_half);
    square_add(square, -half, short_half);
}

/* Keeps the part where c + x * across + y * down >= 0. */
static void square_cut(struct square *square, double c, double across, double down)
{
    struct square old = *square;

    square->n = 0;
    if (!isfinite(c) || !isfinite(across) || !isfinite(down))
        return;
    for (unsigned i = 0; i < old.n; i++) {
        unsigned j = i + 1 == old.n ? 0 : i + 1;
        double di = c + old.x[i] * across + old.y[i] * down;
        double dj = c + old.x[j] * across + old.y[j] * down;

        if (di >= 0.0)
            square_add(square, old.x[i], old.y[i]);
        if ((di >= 0.0) != (dj >= 0.0)) {
            double t = di / (di - dj);

            square_add(square, old.x[i] + t * (old.x[j] - old.x[i]),
                       old.y[i] + t * (old.y[j] - old.y[i]));
        }
    }
}

/* The square lies at the point's z and w, so a clip plane's distance is linear on the screen. */
static void cut_by_planes(const struct raster *raster, struct square *square,
                          const struct raster_screen_vertex *at)
{
    const struct raster_viewport *v = &raster->viewport;

    for (uint32_t planes = raster->clip_mask >> CLIP_USER; planes && square->n >= 3;
         planes &= planes - 1) {
        unsigned plane = CLIP_USER + (unsigned)__builtin_ctz(planes);
        const float *k = raster->clip_planes[plane];

        square_cut(square, raster_clip_distance(raster, plane, at->v), k[0] * at->v[3] / v->half_w,
                   -(k[1] * at->v[3] / v->half_h));
    }
}

static struct raster_screen_vertex square_corner(const struct square *square, unsigned i,
                                                 const struct raster_screen_vertex *at)
{
    struct raster_screen_vertex corner = *at;

    corner.x += raster_round_even(square->x[i] * SUBPIXEL);
    corner.y += raster_round_even(square->y[i] * SUBPIXEL);
    return corner;
}

/* Draws triangle i of the polygon. Same results as try_point. */
static int try_part(struct raster *raster, const struct square *square, unsigned i,
                    const struct raster_screen_vertex *at, const float *flat, float face)
{
    struct raster_screen_vertex corner[3] = {square_corner(square, 0, at),
                                             square_corner(square, i, at),
                                             square_corner(square, i + 1, at)};
    struct raster_prim *prim = raster_prim_create(raster, PRIM_TRIANGLE);

    if (!prim)
        return -1;
    if (!raster_tri_edges_setup(raster, prim, corner))
        return 0;
    point_planes(prim, at, flat, face, point_size(raster->state, at->v));
    return raster_bin_prim(raster, prim) ? 1 : -1;
}

static enum status emit_parts(struct raster *raster, const struct square *square,
                              const struct raster_screen_vertex *at, const float *flat, float face)
{
    for (unsigned i = 1; i + 1 < square->n; i++) {
        if (try_part(raster, square, i, at, flat, face) >= 0)
            continue;
        raster_flush_bins(raster);
        if (try_part(raster, square, i, at, flat, face) < 0)
            return ST_NOMEM;
    }
    return ST_OK;
}

enum status raster_emit_point(struct raster *raster, const struct raster_screen_vertex *at,
                              const float *flat, float face)
{
    struct square square;

    if (raster->clip_mask >> CLIP_USER == 0 &&
        (raster->targets.samples == 1 || raster->state->at_centre))
        return emit_square(raster, at, flat, face);
    square_init(&square, point_size(raster->state, at->v));
    cut_by_planes(raster, &square, at);
    return emit_parts(raster, &square, at, flat, face);
}
