/* Quad kernel: interpolates attributes for quads of different primitives (reference:
 * raster/interpolation, raster/perspective). */
#include "raster/shade/quad_kern.h"

#include "raster/prim/kern_lanes.h"
#include "raster/prim/quad_lanes.h"
#include "util/simd/math.h"

/* Where values are constant: lanes of affine primitives, and lanes of constant attributes. */
struct const_lanes {
    uint64_t affine;
    uint64_t some, all;               /* attributes that are constant in some quads, in all */
    uint64_t lanes[RASTER_MAX_ATTRS]; /* for those only in `some`: lanes where they are constant */
};

static void find_const_lanes(struct const_lanes *const_lanes, const struct raster_quads *quads,
                             unsigned n_attrs)
{
    const_lanes->affine = const_lanes->some = 0;
    const_lanes->all = ~UINT64_C(0);
    for (unsigned q = 0; q < quads->n; q++) {
        const struct raster_prim *prim = quads->prim[q];

        const_lanes->affine |= (prim->affine ? UINT64_C(15) : 0) << q * 4;
        const_lanes->some |= prim->const_attribs;
        const_lanes->all &= prim->const_attribs;
    }
    for (uint64_t mixed = const_lanes->some & ~const_lanes->all; mixed; mixed &= mixed - 1) {
        unsigned n = (unsigned)__builtin_ctzll(mixed);
        uint64_t lanes = 0;

        if (n >= n_attrs)
            break;
        for (unsigned q = 0; q < quads->n; q++)
            lanes |= (quads->prim[q]->const_attribs >> n & 1) << q * 4;
        const_lanes->lanes[n] = lanes * 15;
    }
}

/* factor NULL: no primitive has perspective. */
SIMD_INLINE void put_attributes(const struct raster_lanes *to, const struct quad_pixels *p,
                                const struct const_lanes *const_lanes, unsigned lane,
                                const d64v *factor)
{
    const struct raster_attr *attr = to->attr;
    uint64_t some = const_lanes->some, all = const_lanes->all;
    size_t plane = offsetof(struct raster_prim, attr);

    for (unsigned n = 0; n < to->n_attrs; n++, attr++, some >>= 1, all >>= 1) {
        f32v a, value;

        if (all & 1) {
            value = quad_attr_anchor(p, plane);
        } else {
            value = factor && attr->interp == RASTER_PERSPECTIVE
                        ? quad_attr_at(p, plane, factor, &a)
                        : quad_attr_at(p, plane, NULL, &a);
            if (some & 1)
                value = f32v_select(lanes_at(const_lanes->lanes[n], lane), a, value);
        }
        f32v_store(to->work + attr->slot * RASTER_LANES + lane, value);
        plane += sizeof(struct raster_attr_plane);
    }
}

static void interpolate(const struct raster_lanes *to, const struct raster_quads *quads)
{
    uint64_t all = ~UINT64_C(0) >> (RASTER_LANES - quads->n * 4);
    struct quad_origins origins;
    struct const_lanes const_lanes;

    find_quad_origins(&origins, quads);
    find_const_lanes(&const_lanes, quads, to->n_attrs);
    for (unsigned lane = 0; lane < quads->n * 4; lane += SIMD_LANES) {
        d64v w = d64v_set1(1.0), factor = w; /* factor: w, or 1 where affine */
        struct quad_pixels p;

        find_quad_pixels(&p, &origins, quads, lane);
        if (to->w || const_lanes.affine != all) {
            w = w_of_sum(quad_sum_at(&p, offsetof(struct raster_prim, rhw)));
            factor = d64v_select(lanes_at(const_lanes.affine, lane), factor, w);
        }
        if (to->x) {
            f32v_store(to->x + lane, p.x);
            f32v_store(to->y + lane, p.y);
        }
        if (to->z)
            f32v_store(to->z + lane, quad_depth_at(&p));
        if (to->w)
            f32v_store(to->w + lane, d64v_narrow(w));
        if (to->face)
            f32v_store(to->face + lane, p.face);
        if (const_lanes.affine == all)
            put_attributes(to, &p, &const_lanes, lane, NULL);
        else
            put_attributes(to, &p, &const_lanes, lane, &factor);
    }
}

const struct raster_quad_kern KERN_NAME(raster_quad_kern) = {.interpolate = interpolate};
