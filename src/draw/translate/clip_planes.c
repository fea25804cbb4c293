/* Transforms the user clip planes of a draw to clip space.
 * Tested by tests/conformance/clip. */
#include "draw/translate/translate.h"

#include "util/log.h"
#include "util/math.h"

#include <math.h>
#include <string.h>

static void multiply(const D3DMATRIX *a, const D3DMATRIX *b, double out[4][4])
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++) {
            out[i][j] = 0.0;
            for (unsigned k = 0; k < 4; k++)
                out[i][j] += (double)a->m[i][k] * b->m[k][j];
        }
}

/* Solves four equations m[i] . x = m[i][4] by Gauss-Jordan elimination with partial pivoting.
 * Undetermined components are 0. False: the equations contradict each other. */
static bool solve(double m[4][5], double x[4])
{
    unsigned done = 0;
    int row_of[4];

    for (unsigned column = 0; column < 4; column++) {
        unsigned pivot = done;

        row_of[column] = -1;
        for (unsigned i = done; i < 4; i++)
            if (fabs(m[i][column]) > fabs(m[pivot][column]))
                pivot = i;
        if (done == 4 || m[pivot][column] == 0.0)
            continue;
        for (unsigned j = 0; j < 5; j++) {
            double t = m[pivot][j];

            m[pivot][j] = m[done][j];
            m[done][j] = t;
        }
        for (unsigned i = 0; i < 4; i++) {
            double factor = m[i][column] / m[done][column];

            for (unsigned j = 0; i != done && j < 5; j++)
                m[i][j] -= factor * m[done][j];
        }
        row_of[column] = (int)done++;
    }
    for (unsigned i = done; i < 4; i++)
        if (m[i][4] != 0.0)
            return false;
    for (unsigned j = 0; j < 4; j++)
        x[j] = row_of[j] < 0 ? 0.0 : m[row_of[j]][4] / m[row_of[j]][j];
    return true;
}

/* Transforms a plane from world space to clip space: p . plane = (p transform) . out for each point
 * p. False: the transform is singular and maps points on both sides of the plane to one. */
static bool world_plane(float out[4], const double transform[4][4], const float plane[4])
{
    double m[4][5], x[4];

    for (unsigned i = 0; i < 4; i++) {
        memcpy(m[i], transform[i], sizeof(transform[i]));
        m[i][4] = plane[i];
    }
    if (!solve(m, x)) {
        log_once("draw", "clip plane", "a clip plane is ignored: the projection is singular");
        return false;
    }
    for (unsigned i = 0; i < 4; i++)
        out[i] = math_narrowf(x[i]);
    return true;
}

_Static_assert((int)RASTER_CLIP_PLANES == DRAW_CLIP_PLANES, "the rasteriser has the same planes");

/* User clip planes are in clip space with a vertex shader, else in world space (reference:
 * clip/user-planes). */
void translate_clip_planes(struct raster_state *out, const struct draw_state *state,
                           const struct draw_pipeline *pipeline)
{
    DWORD mask = state->render[D3DRS_CLIPPLANEENABLE] & ((1u << RASTER_CLIP_PLANES) - 1);
    double transform[4][4];

    if (!mask || pipeline->key.transformed)
        return;
    multiply(&state->view, &state->projection, transform);
    for (unsigned p = 0; p < RASTER_CLIP_PLANES; p++) {
        if (!(mask >> p & 1))
            continue;
        if (!pipeline->fixed_vs)
            memcpy(out->values.clip_plane[p], state->clip_plane[p],
                   sizeof(out->values.clip_plane[p]));
        else if (!world_plane(out->values.clip_plane[p], transform, state->clip_plane[p]))
            continue;
        out->clip_plane_mask |= (uint8_t)(1u << p);
    }
}
