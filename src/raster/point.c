/* Points: squares of the point's size, with generated coordinates for sprites
 * (reference: point/size). */
#include "raster/raster_private.h"

#include <string.h>

/* Clamped to the state's bounds; a NaN takes the lower. */
static float point_size(const struct raster_state *state, const float *vertex)
{
    const float largest = MAX_DIM;
    float size = vertex[RASTER_V_PSIZE];

    size = size > state->point_size_min ? size : state->point_size_min;
    size = size < state->point_size_max ? size : state->point_size_max;
    return size > 0.0f ? size < largest ? size : largest : 0.0f;
}

/* Pixels with centres in [x - size / 2, x + size / 2), likewise down. */
static bool point_rect(int32_t rect[4], const struct raster_screen_vertex *at, float size)
{
    int32_t half = (int32_t)(size * (SUBPIXEL / 2) + 0.5f);
    int32_t box[4] = {
        (at->x - half + SUBPIXEL - 1) >> SUBPIXEL_BITS,
        (at->y - half + SUBPIXEL - 1) >> SUBPIXEL_BITS,
        (at->x + half + SUBPIXEL - 1) >> SUBPIXEL_BITS,
        (at->y + half + SUBPIXEL - 1) >> SUBPIXEL_BITS,
    };

    return raster_rect_cut(rect, box);
}

/* From 0 at the left or upper edge to 1 at the other. */
static struct raster_plane sprite_plane(unsigned sprite, float size)
{
    switch (sprite) {
    case 1:
        return (struct raster_plane){0.5f, 1.0f / size, 0.0f};
    case 2:
        return (struct raster_plane){0.5f, 0.0f, 1.0f / size};
    default:
        return (struct raster_plane){sprite == 4 ? 1.0f : 0.0f, 0.0f, 0.0f};
    }
}

static void point_planes(struct raster_prim *prim, const struct raster_screen_vertex *at,
                         const float *flat, float face, float size)
{
    const struct raster_state *state = &prim->plan->s;

    prim->anchor_x = (float)at->x / SUBPIXEL;
    prim->anchor_y = (float)at->y / SUBPIXEL;
    prim->face = face;
    prim->z = (struct raster_plane){at->z, 0.0f, 0.0f};
    prim->rhw = (struct raster_plane){at->rhw, 0.0f, 0.0f};
    prim->depth_offset = state->depth_bias;
    for (unsigned n = 0; n < state->n_attrs; n++) {
        const struct raster_attr *attr = &state->attr[n];
        const float *from = attr->interp == RASTER_FLAT ? flat : at->v;

        if (state->point_sprite && attr->sprite) {
            prim->attr[n] = sprite_plane(attr->sprite, size);
            continue;
        }
        prim->constant |= UINT64_C(1) << n;
        prim->attr[n] = (struct raster_plane){from[RASTER_V_ATTR + n], 0.0f, 0.0f};
    }
}

/* -1: not now, there is no room; 0: nothing to draw; 1: drawn. */
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

enum status raster_emit_point(struct raster *raster, const struct raster_screen_vertex *at,
                              const float *flat, float face)
{
    if (try_point(raster, at, flat, face) >= 0)
        return ST_OK;
    raster_make_room(raster);
    return try_point(raster, at, flat, face) >= 0 ? ST_OK : ST_NOMEM;
}
