/* Projects vertices to the screen: the viewport transform, and the clip planes that a vertex fails
 * (reference: viewport/transform, clip/near).
 *
 * Tested by tests/kernel/raster/setup/test_project_kern.c and tests/unit/raster/test_oracle.c. */
#include "raster/setup/setup.h"

#include "util/math.h"

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

void raster_project_begin(struct raster *raster)
{
    const struct raster_state *state = raster->state;
    struct raster_viewport *v = &raster->viewport;
    float(*planes)[4] = raster->clip_planes;
    const double g = GUARD_BAND_PX;

    viewport_init(v, state->values.viewport);
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
        memcpy(planes[CLIP_USER], state->values.clip_plane, sizeof(state->values.clip_plane));
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
        out->rhw = p[3] + 0.0f; /* -0 becomes 0 */
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
