/* Interpolation kernel: evaluates the planes of one primitive over an 8x8 block, and those of
 * several primitives over quads (reference: raster/interpolation, raster/perspective). */
#include "raster/shade/interp_kern.h"

#include "raster/prim/kern_lanes.h"
#include "raster/prim/prim.h"
#include "raster/prim/plane_lanes.h"
#include "util/simd/quads.h"
#include "util/simd/table_lookup.h"

/* --- Blocks ----------------------------------------------------------------------------------- */

struct block {
    const struct raster_prim *prim;
    float x, y;                /* first pixel */
    double centre_x, centre_y; /* distances of the block's centre from the anchor */
    uint64_t near_zero;        /* as raster_interp_kern.block */
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
            float *to = out + v * SIMD_LANES;

            if (clear)
                f32v_store(to, attr_of_sum(sum, w ? &w[v] : NULL, tiny));
            else
                d64v_store_narrow(to, w ? d64v_mul(sum, w[v]) : sum);
        }
    }
}

/* w NULL: no perspective division. */
SIMD_INLINE void put_attr(unsigned n, const struct distances *d, const d64v *w,
                          const struct block *block, float *out)
{
    const struct raster_attr_plane *plane = &block->prim->attr[n];

    if (!(block->near_zero >> n & 1) ||
        raster_is_far_from_zero(plane, block->centre_x, block->centre_y, BLOCK_DIM, BLOCK_DIM))
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
static void put_affine_attr(unsigned n, const struct distances *d, const struct block *block,
                            float *out)
{
    const struct raster_attr_plane *plane = &block->prim->attr[n];

    if (plane->dadx == 0.0 && plane->tiny > 0.0f)
        put_rows(plane, d, out);
    else if (plane->dady == 0.0 && plane->tiny > 0.0f)
        put_columns(plane, d, out);
    else
        put_attr(n, d, NULL, block, out);
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
                              float x, float y, bool with_const_attribs, uint64_t near_zero)
{
    const struct block block = {.prim = prim,
                                .x = x,
                                .y = y,
                                .centre_x = (double)(x + 3.5f) - prim->anchor_x,
                                .centre_y = (double)(y + 3.5f) - prim->anchor_y,
                                .near_zero = near_zero};
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
        float *out = to->work + to->attr[n].slot * RASTER_LANES;

        if (prim->const_attribs >> n & 1) {
            if (with_const_attribs)
                put_value(prim->attr[n].value, out);
        } else if (!prim->affine && to->attr[n].interp == RASTER_PERSPECTIVE) {
            put_attr(n, &d, w, &block, out);
        } else {
            put_affine_attr(n, &d, &block, out);
        }
    }
}

/* --- Quads ------------------------------------------------------------------------------------ */

/* In vectors of the four pixels of a quad: so each plane is loaded to all lanes at once. */
struct quad {
    const struct raster_prim *prim;
    f32q x, y, dx, dy;
    d64q wide_dx, wide_dy;
};

/* Distances of the pixels from the anchor. */
SIMD_INLINE void find_quad_distances(struct quad *quad, f32q x, f32q y)
{
    quad->dx = f32q_sub(x, f32q_set1(quad->prim->anchor_x));
    quad->dy = f32q_sub(y, f32q_set1(quad->prim->anchor_y));
    quad->wide_dx = f32q_widen(quad->dx);
    quad->wide_dy = f32q_widen(quad->dy);
}

SIMD_INLINE struct quad quad_at(const struct raster_quads *quads, unsigned q)
{
    static const _Alignas(16) float right[4] = {0, 1, 0, 1}, below[4] = {0, 0, 1, 1};
    struct quad quad = {.prim = quads->prim[q]};

    quad.x = f32q_add(f32q_set1((float)quads->x[q]), f32q_load(right));
    quad.y = f32q_add(f32q_set1((float)quads->y[q]), f32q_load(below));
    find_quad_distances(&quad, quad.x, quad.y);
    return quad;
}

SIMD_INLINE d64q quad_sum(const struct quad *quad, const struct raster_attr_plane *plane)
{
    d64q across = d64q_mul(d64q_set1(plane->dadx), quad->wide_dx);
    d64q down = d64q_mul(d64q_set1(plane->dady), quad->wide_dy);

    return d64q_add(d64q_add(d64q_set1(plane->a0), down), across);
}

SIMD_INLINE d64q quad_w(const struct quad *quad)
{
    return d64q_div(d64q_set1(1.0), quad_sum(quad, &quad->prim->rhw));
}

SIMD_INLINE f32q quad_depth(const struct quad *quad)
{
    const struct raster_interp_plane *z = &quad->prim->z;
    f32q across = f32q_mul(f32q_set1(z->dadx), quad->dx);
    f32q down = f32q_mul(f32q_set1(z->dady), quad->dy);

    return f32q_add(f32q_set1(z->a0), f32q_add(across, down));
}

/* Quads that are evaluated together, attribute by attribute. */
enum { TOGETHER_QUADS = 4 };
struct quad_group {
    struct quad quad[TOGETHER_QUADS];
    d64q w[TOGETHER_QUADS];         /* 1 where the primitive is affine */
    bool affine;                    /* all primitives are */
    uint64_t some_const, all_const; /* attributes that are constant in some, in all primitives */
};

/* Quads past the last one repeat it. */
SIMD_INLINE struct quad_group group_at(const struct raster_quads *quads, unsigned q)
{
    struct quad_group group = {.affine = true, .all_const = ~UINT64_C(0)};

    UNROLL
    for (unsigned i = 0; i < TOGETHER_QUADS; i++) {
        const struct raster_prim *prim;

        group.quad[i] = quad_at(quads, q + i < quads->n ? q + i : quads->n - 1);
        prim = group.quad[i].prim;
        group.affine &= prim->affine;
        group.some_const |= prim->const_attribs;
        group.all_const &= prim->const_attribs;
    }
    return group;
}

SIMD_INLINE void find_group_w(struct quad_group *group)
{
    UNROLL
    for (unsigned i = 0; i < TOGETHER_QUADS; i++)
        group->w[i] = group->quad[i].prim->affine ? d64q_set1(1.0) : quad_w(&group->quad[i]);
}

SIMD_INLINE void put_quad_attribute(const struct quad *quad, unsigned n, const d64q *w, float *out)
{
    const struct raster_attr_plane *plane = &quad->prim->attr[n];
    d64q sum = quad_sum(quad, plane);
    f32q narrow = d64q_narrow(sum), value = w ? d64q_narrow(d64q_mul(sum, *w)) : narrow;

    f32q_store(out, f32q_clear_below(value, narrow, plane->tiny));
}

SIMD_INLINE void put_const_attribute(const struct quad *quad, unsigned n, float *out)
{
    f32q_store(out, f32q_set1(quad->prim->attr[n].value));
}

/* divides: attributes are over w. */
SIMD_INLINE void put_group_attribute(const struct quad_group *group, unsigned n, bool divides,
                                     float *out)
{
    bool some_const = group->some_const >> n & 1;

    UNROLL
    for (unsigned i = 0; i < TOGETHER_QUADS; i++) {
        const struct quad *quad = &group->quad[i];

        if (some_const && (quad->prim->const_attribs >> n & 1))
            put_const_attribute(quad, n, out + 4 * i);
        else
            put_quad_attribute(quad, n, divides ? &group->w[i] : NULL, out + 4 * i);
    }
}

/* centre, centroids: whether attributes of either kind are stored. */
SIMD_INLINE void put_group(const struct raster_lanes *to, const struct quad_group *group,
                           unsigned lane, bool centre, bool centroids)
{
    const struct raster_attr *attr = to->attr;
    unsigned n_attrs = to->n_attrs;
    float *work = to->work + lane;

    for (unsigned n = 0; n < n_attrs; n++, attr++) {
        float *out = work + attr->slot * RASTER_LANES;

        if (!(attr->centroid ? centroids : centre))
            continue;
        if (group->all_const >> n & 1) {
            UNROLL
            for (unsigned i = 0; i < TOGETHER_QUADS; i++)
                put_const_attribute(&group->quad[i], n, out + 4 * i);
        } else if (!group->affine && attr->interp == RASTER_PERSPECTIVE) {
            put_group_attribute(group, n, true, out);
        } else {
            put_group_attribute(group, n, false, out);
        }
    }
}

static void interpolate_quads(const struct raster_lanes *to, const struct raster_quads *quads,
                              uint64_t off_centre)
{
    for (unsigned q = 0, lane = 0; q < quads->n; q += TOGETHER_QUADS, lane += 4 * TOGETHER_QUADS) {
        struct quad_group group = group_at(quads, q);

        UNROLL
        for (unsigned i = 0; i < TOGETHER_QUADS; i++) {
            const struct quad *quad = &group.quad[i];
            unsigned at = lane + 4 * i;

            if (to->x) {
                f32q_store(to->x + at, quad->x);
                f32q_store(to->y + at, quad->y);
            }
            if (to->z)
                f32q_store(to->z + at, quad_depth(quad));
            if (to->face)
                f32q_store(to->face + at, f32q_set1(quad->prim->face));
            if (to->w)
                f32q_store(to->w + at, d64q_narrow(quad_w(quad)));
        }
        if (!group.affine)
            find_group_w(&group);
        put_group(to, &group, lane, true, !(off_centre >> lane & 0xffff));
    }
}

/* Moves lanes of a group to the last of 16 samples, which the table of lookups has no room for. */
static void move_to_last(const struct raster_centroids *centroids, uint64_t lanes, float *x,
                         float *y)
{
    for (; lanes; lanes &= lanes - 1) {
        x[__builtin_ctzll(lanes)] = centroids->x[MAX_SAMPLES];
        y[__builtin_ctzll(lanes)] = centroids->y[MAX_SAMPLES];
    }
}

/* Moves the pixels of a group from their centres to samples. */
SIMD_INLINE void move_to_centroids(struct quad_group *group,
                                   const struct raster_centroids *centroids, unsigned lane)
{
    _Alignas(64) float x[4 * TOGETHER_QUADS], y[4 * TOGETHER_QUADS];

    UNROLL
    for (unsigned i = 0; i < 4 * TOGETHER_QUADS; i += SIMD_LANES) {
        i32v number = i32v_set1(0);
        struct simd_lookup_index index;

        UNROLL
        for (unsigned b = 0; b < CENTROID_LOW_BITS; b++)
            number =
                i32v_or(number, i32v_and(m32v_as_i32(lanes_at(centroids->samples.bit[b], lane + i)),
                                         i32v_set1(1 << b)));
        index = simd_lookup_index_of(number, 0, false);
        f32v_store(x + i, simd_lookup(centroids->x, &index));
        f32v_store(y + i, simd_lookup(centroids->y, &index));
    }
    if (centroids->samples.bit[CENTROID_LOW_BITS] >> lane & 0xffff)
        move_to_last(centroids, centroids->samples.bit[CENTROID_LOW_BITS] >> lane & 0xffff, x, y);
    UNROLL
    for (unsigned i = 0; i < TOGETHER_QUADS; i++) {
        struct quad *quad = &group->quad[i];

        find_quad_distances(quad, f32q_add(quad->x, f32q_load(x + 4 * i)),
                            f32q_add(quad->y, f32q_load(y + 4 * i)));
    }
}

static void interpolate_centroids(const struct raster_lanes *to, const struct raster_quads *quads,
                                  const struct raster_centroids *centroids)
{
    uint64_t off_centre = raster_off_centre(&centroids->samples);

    for (unsigned q = 0, lane = 0; q < quads->n; q += TOGETHER_QUADS, lane += 4 * TOGETHER_QUADS) {
        struct quad_group group;

        if (!(off_centre >> lane & 0xffff))
            continue;
        group = group_at(quads, q);
        move_to_centroids(&group, centroids, lane);
        if (!group.affine)
            find_group_w(&group);
        put_group(to, &group, lane, false, true);
    }
}

const struct raster_interp_kern KERN_NAME(raster_interp_kern) = {
    .block = interpolate_block,
    .quads = interpolate_quads,
    .centroids = interpolate_centroids,
};
