/* Draws a triangle as the state says: wraps its attributes, clips it, and fills it, outlines it or
 * draws its corners.
 *
 * Tested by tests/unit/raster/setup/test_clip.c and tests/unit/raster/setup/test_line.c. */
#include "raster/setup/tri_bounds.h"

#include <string.h>

void raster_wrap(struct raster *raster, struct raster_screen_vertex *corner, unsigned corners)
{
    const struct raster_state *state = raster->state;
    size_t bytes = (RASTER_V_ATTR + (size_t)state->n_attrs) * sizeof(float);

    for (unsigned i = 0; i < corners; i++) {
        memcpy(raster->wrapped[i], corner[i].v, bytes);
        corner[i].v = raster->wrapped[i];
    }
    for (unsigned n = 0; n < state->n_attrs; n++) {
        float first = raster->wrapped[0][RASTER_V_ATTR + n];

        if (!state->attr[n].wrap)
            continue;
        for (unsigned i = 1; i < corners; i++) {
            float *value = &raster->wrapped[i][RASTER_V_ATTR + n];

            if (*value - first >= 0.5f)
                *value -= 1.0f;
            else if (*value - first <= -0.5f)
                *value += 1.0f;
        }
    }
}

static enum status fill_polygon(struct raster *raster, const struct raster_screen_vertex *corner,
                                unsigned n, const float *flat, float face)
{
    enum status st = ST_OK;

    for (unsigned i = 1; i + 1 < n && st == ST_OK; i++) {
        struct raster_tri_vertices in = {
            .v = {&corner[0], &corner[i], &corner[i + 1]},
            .flat = flat,
            .area = raster_area(&corner[0], &corner[i], &corner[i + 1]),
            .face = face,
        };

        /* Slivers of a clipped polygon may change facing when they snap; they cover nothing. */
        if (face > 0.0f ? in.area > 0 : in.area < 0)
            st = raster_emit_triangle(raster, &in);
    }
    return st;
}

static enum status outline_polygon(struct raster *raster, const struct raster_screen_vertex *corner,
                                   const bool *edge, unsigned n, const float *flat, float face)
{
    enum status st = ST_OK;

    for (unsigned i = 0; i < n && st == ST_OK; i++)
        if (edge[i])
            st = raster_emit_line(raster, &corner[i], &corner[i + 1 == n ? 0 : i + 1], flat, face,
                                  false);
    return st;
}

/* Draws the triangle's original corners as points; clipping adds corners that are not drawn. */
static enum status dot_polygon(struct raster *raster, const struct raster_screen_vertex *corner,
                               unsigned n, const float *const original[3], float face)
{
    enum status st = ST_OK;

    for (unsigned i = 0; i < n && st == ST_OK; i++)
        for (unsigned k = 0; k < 3 && st == ST_OK; k++)
            if (corner[i].v == original[k])
                st = raster_emit_point(raster, &corner[i], original[0], face);
    return st;
}

/* Like fill_polygon for a triangle without clipping or wrapping. */
static enum status draw_unclipped(struct raster *raster, const struct raster_screen_vertex *v0,
                                  const struct raster_screen_vertex *v1,
                                  const struct raster_screen_vertex *v2)
{
    struct raster_tri_vertices in = {
        .v = {v0, v1, v2}, .flat = v0->v, .area = raster_area(v0, v1, v2), .face = 1.0f};

    if (raster_is_culled(raster->state, in.area))
        return ST_OK;
    if (in.area < 0)
        in.face = -1.0f;
    return raster_emit_triangle(raster, &in);
}

enum status raster_draw_triangle(struct raster *raster, const struct raster_screen_vertex *v0,
                                 const struct raster_screen_vertex *v1,
                                 const struct raster_screen_vertex *v2)
{
    const struct raster_state *state = raster->state;
    struct raster_screen_vertex corner[MAX_POLYGON];
    bool edge[MAX_POLYGON];
    const float *original[3];
    uint32_t planes = v0->outside | v1->outside | v2->outside;
    int64_t area = 0;
    unsigned n = 3;
    float face;

    if ((v0->outside & v1->outside & v2->outside) || (planes & CLIP_DROP))
        return ST_OK;
    if (!planes && !raster->wraps && state->fill == D3DFILL_SOLID)
        return draw_unclipped(raster, v0, v1, v2);
    corner[0] = *v0;
    corner[1] = *v1;
    corner[2] = *v2;
    if (raster->wraps)
        raster_wrap(raster, corner, 3);
    for (unsigned i = 0; i < 3; i++) {
        original[i] = corner[i].v;
        edge[i] = true;
    }
    if (planes)
        raster_clip_polygon(raster, corner, edge, &n, planes);
    for (unsigned i = 1; i + 1 < n; i++)
        area += raster_area(&corner[0], &corner[i], &corner[i + 1]);
    if (raster_is_culled(state, area))
        return ST_OK;
    face = area > 0 ? 1.0f : -1.0f;
    if (state->fill == D3DFILL_POINT)
        return dot_polygon(raster, corner, n, original, face);
    if (state->fill == D3DFILL_WIREFRAME)
        return outline_polygon(raster, corner, edge, n, original[0], face);
    return fill_polygon(raster, corner, n, original[0], face);
}
