/* Interpolation kernel: evaluates the planes of one primitive over an 8x8 block, and those of
 * several primitives over quads (reference: raster/interpolation, raster/perspective). */
#include "raster/shade/interp_kern.h"

#include "raster/prim/kern_lanes.h"
#include "raster/prim/prim.h"
#include "raster/prim/quad_lanes.h"
#include "util/simd/math.h"

#include <math.h>

/* --- Blocks ----------------------------------------------------------------------------------- */

struct block {
    const struct raster_prim *prim;
    float x, y; /* first pixel */
};

/* Four quads side by side are a row of 16 lanes; a vector is one such row or a part of it. All rows
 * of quads share their distances in x, all quads of a row those in y. A vector of 4 lanes or more
 * holds both rows of pixels. */
enum {
    ROW_LANES = 16,
    ACROSS = ROW_LANES / SIMD_LANES,
    VECTORS = RASTER_LANES / SIMD_LANES,
    DOWN = SIMD_LANES == 1 ? VECTORS : RASTER_LANES / ROW_LANES,
    TOGETHER = VECTORS / DOWN /* vectors that share their y distances */
};

/* Distances from the primitive's anchor. */
struct distances {
    f32v x[ACROSS], y[DOWN];
    d64v wide_x[ACROSS], wide_y[DOWN];
};

SIMD_INLINE void find_distances(struct distances *d, const struct block *block)
{
    static const _Alignas(64) float right[ROW_LANES] = {0, 1, 0, 1, 2, 3, 2, 3,
                                                        4, 5, 4, 5, 6, 7, 6, 7};
    static const _Alignas(64) float below[ROW_LANES] = {0, 0, 1, 1, 0, 0, 1, 1,
                                                        0, 0, 1, 1, 0, 0, 1, 1};
    f32v anchor_x = f32v_set1(block->prim->anchor_x), anchor_y = f32v_set1(block->prim->anchor_y);

    UNROLL
    for (unsigned i = 0; i < ACROSS; i++) {
        f32v x = f32v_add(f32v_set1(block->x), f32v_load(right + i * SIMD_LANES));

        d->x[i] = f32v_sub(x, anchor_x);
        d->wide_x[i] = f32v_widen(d->x[i]);
    }
    UNROLL
    for (unsigned i = 0; i < DOWN; i++) {
        unsigned lane = i * TOGETHER * SIMD_LANES;
        float row = block->y + (float)(lane / ROW_LANES * 2);
        f32v y = f32v_add(f32v_set1(row), f32v_load(below + lane % ROW_LANES));

        d->y[i] = f32v_sub(y, anchor_y);
        d->wide_y[i] = f32v_widen(d->y[i]);
    }
}

SIMD_INLINE void put_depth(const struct raster_interp_plane *plane, const struct distances *d,
                           float *out)
{
    f32v a = f32v_set1(plane->a0), b = f32v_set1(plane->dadx), c = f32v_set1(plane->dady);
    f32v across[ACROSS];

    UNROLL
    for (unsigned i = 0; i < ACROSS; i++)
        across[i] = f32v_mul(b, d->x[i]);
    UNROLL
    for (unsigned row = 0; row < DOWN; row++) {
        f32v down = f32v_mul(c, d->y[row]);

        UNROLL
        for (unsigned i = 0; i < TOGETHER; i++) {
            unsigned v = row * TOGETHER + i;
            f32v_store(out + v * SIMD_LANES, f32v_add(a, f32v_add(across[v % ACROSS], down)));
        }
    }
}

/* The sum of the anchor's value and the part of a row of vectors. Both halves of a vector of 8
 * lanes or more hold the same two rows of pixels. */
SIMD_INLINE d64v start_of_row(const struct raster_attr_plane *plane, const struct distances *d,
                              unsigned row)
{
    d64v y = SIMD_LANES >= 8 ? d64v_repeat(d->wide_y[row].half[0]) : d->wide_y[row];

    return d64v_add(d64v_set1(plane->a0), d64v_mul(d64v_set1(plane->dady), y));
}

/* w NULL: no perspective division. clear: sums below plane->tiny become 0. */
SIMD_INLINE void put_sums(const struct raster_attr_plane *plane, const struct distances *d,
                          const d64v *w, bool clear, float *out)
{
    d64v b = d64v_set1(plane->dadx), across[ACROSS];
    f32v tiny = f32v_set1(plane->tiny);

    UNROLL
    for (unsigned i = 0; i < ACROSS; i++)
        across[i] = d64v_mul(b, d->wide_x[i]);
    UNROLL
    for (unsigned row = 0; row < DOWN; row++) {
        d64v start = start_of_row(plane, d, row);

        UNROLL
        for (unsigned i = 0; i < TOGETHER; i++) {
            unsigned v = row * TOGETHER + i;
            d64v sum = d64v_add(start, across[v % ACROSS]);
            f32v value = clear ? attr_of_sum(sum, w ? &w[v] : NULL, tiny)
                               : d64v_narrow(w ? d64v_mul(sum, w[v]) : sum);

            f32v_store(out + v * SIMD_LANES, value);
        }
    }
}

/* Whether no pixel of the block can be as close to 0 as plane->tiny. Distances of pixels from the
 * block's centre are at most 3.5; the rest of the margin is larger than all rounding errors. */
static inline bool is_far_from_zero(const struct raster_attr_plane *plane,
                                    const struct block *block)
{
    double dx = (double)(block->x + 3.5f) - block->prim->anchor_x;
    double dy = (double)(block->y + 3.5f) - block->prim->anchor_y;
    double centre = plane->a0 + plane->dady * dy + plane->dadx * dx;

    return fabs(centre) > 4.0 * (fabs(plane->dadx) + fabs(plane->dady)) + 2.0 * (double)plane->tiny;
}

/* w NULL: no perspective division. */
SIMD_INLINE void put_attr(const struct raster_attr_plane *plane, const struct distances *d,
                          const d64v *w, const struct block *block, float *out)
{
    if (is_far_from_zero(plane, block))
        put_sums(plane, d, w, false, out);
    else
        put_sums(plane, d, w, true, out);
}

/* An attribute without slope along x. */
SIMD_INLINE void put_rows(const struct raster_attr_plane *plane, const struct distances *d,
                          float *out)
{
    UNROLL
    for (unsigned row = 0; row < DOWN; row++) {
        f32v value = attr_of_sum(start_of_row(plane, d, row), NULL, f32v_set1(plane->tiny));

        UNROLL
        for (unsigned i = 0; i < TOGETHER; i++)
            f32v_store(out + (row * TOGETHER + i) * SIMD_LANES, value);
    }
}

/* An attribute without slope along y. */
SIMD_INLINE void put_columns(const struct raster_attr_plane *plane, const struct distances *d,
                             float *out)
{
    d64v a = d64v_set1(plane->a0), b = d64v_set1(plane->dadx);
    f32v value[ACROSS];

    UNROLL
    for (unsigned i = 0; i < ACROSS; i++)
        value[i] =
            attr_of_sum(d64v_add(a, d64v_mul(b, d->wide_x[i])), NULL, f32v_set1(plane->tiny));
    UNROLL
    for (unsigned v = 0; v < VECTORS; v++)
        f32v_store(out + v * SIMD_LANES, value[v % ACROSS]);
}

/* Without perspective division. A product of 0 does not change a sum, or only the sign of a 0 that
 * is cleared. */
static void put_affine_attr(const struct raster_attr_plane *plane, const struct distances *d,
                            const struct block *block, float *out)
{
    if (plane->dadx == 0.0 && plane->tiny > 0.0f)
        put_rows(plane, d, out);
    else if (plane->dady == 0.0 && plane->tiny > 0.0f)
        put_columns(plane, d, out);
    else
        put_attr(plane, d, NULL, block, out);
}

SIMD_INLINE void put_value(float value, float *out)
{
    UNROLL
    for (unsigned v = 0; v < VECTORS; v++)
        f32v_store(out + v * SIMD_LANES, f32v_set1(value));
}

/* w = 1 / rhw of all lanes; a primitive with constant rhw needs one division. */
SIMD_INLINE void find_w(const struct raster_prim *prim, const struct distances *d, d64v *w)
{
    d64v b = d64v_set1(prim->rhw.dadx);

    if (prim->affine) {
        for (unsigned v = 0; v < VECTORS; v++)
            w[v] = w_of_sum(d64v_set1(prim->rhw.a0));
        return;
    }
    UNROLL
    for (unsigned v = 0; v < VECTORS; v++) {
        d64v across = d64v_mul(b, d->wide_x[v % ACROSS]);

        w[v] = w_of_sum(d64v_add(start_of_row(&prim->rhw, d, v / TOGETHER), across));
    }
}

/* Positions and facing, as in find_distances. */
static void put_system_values(const struct raster_lanes *to, const struct block *block)
{
    for (unsigned i = 0; i < RASTER_LANES && to->x; i++)
        to->x[i] = block->x + (float)(i / 4 % 4 * 2 + i % 2);
    for (unsigned i = 0; i < RASTER_LANES && to->y; i++)
        to->y[i] = block->y + (float)(i / ROW_LANES * 2 + i / 2 % 2);
    for (unsigned i = 0; i < RASTER_LANES && to->face; i++)
        to->face[i] = block->prim->face;
}

static void interpolate_block(const struct raster_lanes *to, const struct raster_prim *prim,
                              float x, float y, bool with_const_attribs)
{
    struct block block = {prim, x, y};
    struct distances d;
    d64v w[VECTORS];

    put_system_values(to, &block);
    find_distances(&d, &block);
    if (to->z)
        put_depth(&prim->z, &d, to->z);
    if (to->w || !prim->affine)
        find_w(prim, &d, w);
    for (unsigned v = 0; to->w && v < VECTORS; v++)
        f32v_store(to->w + v * SIMD_LANES, d64v_narrow(w[v]));
    for (unsigned n = 0; n < to->n_attrs; n++) {
        const struct raster_attr_plane *plane = &prim->attr[n];
        float *out = to->work + to->attr[n].slot * RASTER_LANES;

        if (prim->const_attribs >> n & 1) {
            if (with_const_attribs)
                put_value(plane->value, out);
        } else if (!prim->affine && to->attr[n].interp == RASTER_PERSPECTIVE) {
            put_attr(plane, &d, w, &block, out);
        } else {
            put_affine_attr(plane, &d, &block, out);
        }
    }
}

/* --- Quads ------------------------------------------------------------------------------------ */

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

/* factor NULL: no primitive has perspective. centroids: only centroid attributes. */
SIMD_INLINE void put_attributes(const struct raster_lanes *to, const struct quad_pixels *p,
                                const struct const_lanes *const_lanes, unsigned lane,
                                const d64v *factor, bool centroids)
{
    const struct raster_attr *attr = to->attr;
    uint64_t some = const_lanes->some, all = const_lanes->all;
    size_t plane = offsetof(struct raster_prim, attr);

    for (unsigned n = 0; n < to->n_attrs; n++, attr++, some >>= 1, all >>= 1) {
        f32v value;

        if (centroids && (!attr->centroid || (all & 1))) {
            plane += sizeof(struct raster_attr_plane);
            continue;
        }
        if (all & 1) {
            value = quad_attr(p, plane).value;
        } else {
            struct attr_lanes own = quad_attr(p, plane);
            d64v sum = attr_sum(&own, p->wide_dx, p->wide_dy);

            value = factor && attr->interp == RASTER_PERSPECTIVE
                        ? attr_of_sum(sum, factor, own.tiny)
                        : attr_of_sum(sum, NULL, own.tiny);
            if (some & 1)
                value = f32v_select(lanes_at(const_lanes->lanes[n], lane), own.value, value);
        }
        f32v_store(to->work + attr->slot * RASTER_LANES + lane, value);
        plane += sizeof(struct raster_attr_plane);
    }
}

static void interpolate_quads(const struct raster_lanes *to, const struct raster_quads *quads)
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
            struct attr_lanes rhw = quad_attr(&p, offsetof(struct raster_prim, rhw));

            w = w_of_sum(attr_sum(&rhw, p.wide_dx, p.wide_dy));
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
            put_attributes(to, &p, &const_lanes, lane, NULL, false);
        else
            put_attributes(to, &p, &const_lanes, lane, &factor, false);
    }
}

/* Moves the pixels from their centres to samples. False: they stay. */
SIMD_INLINE bool move_to_centroids(struct quad_pixels *p, const struct raster_centroids *centroids,
                                   unsigned lane)
{
    i32v number = i32v_set1(0);
    f32v anchor[4], x, y;

    if (!(raster_off_centre(&centroids->samples) >> lane & SIMD_ALL_BITS))
        return false;
    for (unsigned i = 0; i < CENTROID_BITS; i++) {
        m32v set = lanes_at(centroids->samples.bit[i], lane);

        number = i32v_or(number, i32v_and(m32v_as_i32(set), i32v_set1(1 << i)));
    }
    x = i32v_as_f32(i32v_gather((const int32_t *)(const void *)centroids->x, number));
    y = i32v_as_f32(i32v_gather((const int32_t *)(const void *)centroids->y, number));
    f32v_load_fours(p->prim, offsetof(struct raster_prim, anchor_x), anchor);
    p->wide_dx = f32v_widen(f32v_sub(f32v_add(p->x, x), anchor[0]));
    p->wide_dy = f32v_widen(f32v_sub(f32v_add(p->y, y), anchor[1]));
    return true;
}

static void interpolate_centroids(const struct raster_lanes *to, const struct raster_quads *quads,
                                  const struct raster_centroids *centroids)
{
    struct quad_origins origins;
    struct const_lanes const_lanes;

    find_quad_origins(&origins, quads);
    find_const_lanes(&const_lanes, quads, to->n_attrs);
    for (unsigned lane = 0; lane < quads->n * 4; lane += SIMD_LANES) {
        struct attr_lanes rhw;
        struct quad_pixels p;
        d64v factor;

        find_quad_pixels(&p, &origins, quads, lane);
        if (!move_to_centroids(&p, centroids, lane))
            continue;
        rhw = quad_attr(&p, offsetof(struct raster_prim, rhw));
        factor = w_of_sum(attr_sum(&rhw, p.wide_dx, p.wide_dy));
        factor = d64v_select(lanes_at(const_lanes.affine, lane), d64v_set1(1.0), factor);
        put_attributes(to, &p, &const_lanes, lane, &factor, true);
    }
}

const struct raster_interp_kern KERN_NAME(raster_interp_kern) = {
    .block = interpolate_block,
    .quads = interpolate_quads,
    .centroids = interpolate_centroids,
};
