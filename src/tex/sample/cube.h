/* Cube map addressing: projects directions and their gradients to a face and its coordinates
 * (reference: texture/cube-faces). Included by lod.h. */
#ifndef TEX_SAMPLE_CUBE_H
#define TEX_SAMPLE_CUBE_H

#include "tex/sample/address.h"
#include "tex/sample/lanes.h"

/* Up to three coordinates of a vector of LOD groups, and their derivatives: d[0] along screen x,
 * d[1] along screen y. */
struct gradients {
    f32v at[3], d[2][3];
};

/* The cube face that a direction selects: major axis, and the two coordinates on it before
 * division. */
struct cube_axis {
    m32v y, z; /* neither: x axis */
    m32v negative;
    f32v major, s, t; /* major is not negative */
};

static inline f32v negate_where(m32v m, f32v v)
{
    return f32v_select(m, f32v_neg(v), v);
}

/* Assigns the components of v to major axis, s and t of the face. v may be the direction or its
 * derivative. */
static inline void face_roles(const struct cube_axis *c, const f32v v[3], f32v *major, f32v *s,
                              f32v *t)
{
    m32v flip_s = m32v_or(m32v_and(c->z, c->negative),
                          m32v_andnot(c->negative, m32v_not(m32v_or(c->y, c->z))));

    *major = negate_where(c->negative, f32v_select(c->z, v[2], f32v_select(c->y, v[1], v[0])));
    *s = negate_where(flip_s, f32v_select(m32v_or(c->y, c->z), v[0], v[2]));
    *t = f32v_select(c->y, negate_where(c->negative, v[2]), f32v_neg(v[1]));
}

/* Selects the major axis; ties prefer z to y to x. */
static inline struct cube_axis cube_axis(const f32v v[3])
{
    f32v x = f32v_abs(v[0]), y = f32v_abs(v[1]), z = f32v_abs(v[2]), longest;
    struct cube_axis c;

    c.z = m32v_and(f32v_ge(z, x), f32v_ge(z, y));
    c.y = m32v_andnot(c.z, f32v_ge(y, x));
    longest = f32v_select(c.z, v[2], f32v_select(c.y, v[1], v[0]));
    c.negative = f32v_lt(longest, f32v_zero());
    face_roles(&c, v, &c.major, &c.s, &c.t);
    return c;
}

struct cube_lanes {
    struct lanes_f32 u, v;
    struct lanes_i32 face_offset;
};

KERNEL_PART void project_cube(const struct tex_sampler_private *s, const float *const coord[3],
                              struct cube_lanes *out)
{
    f32v half = f32v_set1(0.5f);
    i32v words = i32v_set1(s->face_pitch);

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v v[3] = {f32v_load(coord[0] + i), f32v_load(coord[1] + i), f32v_load(coord[2] + i)};
        struct cube_axis c = cube_axis(v);
        i32v axis = i32v_select(c.z, i32v_set1(4), i32v_select(c.y, i32v_set1(2), i32v_set1(0)));
        i32v face = i32v_sub(axis, m32v_as_i32(c.negative));

        f32v_store(out->u.lane + i, f32v_add(f32v_mul(f32v_div(c.s, c.major), half), half));
        f32v_store(out->v.lane + i, f32v_add(f32v_mul(f32v_div(c.t, c.major), half), half));
        i32v_store(out->face_offset.lane + i, i32v_mul(face, words));
    }
}

/* Projects derivatives of the direction to the face that the LOD group's first lane selects.
 * Divided by the major axis m, s has the derivative (ds - (s / m) * dm) / m. It is halved because
 * faces are two units wide. */
INLINE void project_gradients(struct gradients *g)
{
    f32v half = f32v_set1(0.5f);
    struct cube_axis c = cube_axis(g->at);
    f32v s = f32v_div(c.s, c.major), t = f32v_div(c.t, c.major);

    UNROLL
    for (int k = 0; k < 2; k++) {
        f32v dm, ds, dt;

        face_roles(&c, g->d[k], &dm, &ds, &dt);
        ds = f32v_div(f32v_sub(ds, f32v_mul(s, dm)), c.major);
        dt = f32v_div(f32v_sub(dt, f32v_mul(t, dm)), c.major);
        g->d[k][0] = f32v_mul(ds, half);
        g->d[k][1] = f32v_mul(dt, half);
    }
}

#endif
