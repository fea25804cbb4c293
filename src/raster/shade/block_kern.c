/* Block kernel: interpolates attributes over 8x8 blocks (reference: raster/interpolation,
 * raster/perspective). */
#include "raster/shade/block_kern.h"

#include "raster/prim/kern_lanes.h"
#include "raster/prim/prim.h"
#include "util/simd/math.h"

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

SIMD_INLINE void find_distances(struct distances *d, const struct raster_block *block)
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

/* w NULL: no perspective division. */
SIMD_INLINE void put_attr(const struct raster_attr_plane *plane, const struct distances *d,
                          const f32v *w, float *out)
{
    d64v a = d64v_set1(plane->a0), b = d64v_set1(plane->dadx), c = d64v_set1(plane->dady);
    f32v tiny = f32v_set1(plane->tiny);
    d64v across[ACROSS];

    UNROLL
    for (unsigned i = 0; i < ACROSS; i++)
        across[i] = d64v_mul(b, d->wide_x[i]);
    UNROLL
    for (unsigned row = 0; row < DOWN; row++) {
        d64v start = d64v_add(a, d64v_mul(c, d->wide_y[row]));

        UNROLL
        for (unsigned i = 0; i < TOGETHER; i++) {
            unsigned v = row * TOGETHER + i;
            f32v value = attr_of_sum(d64v_add(start, across[v % ACROSS]), tiny);

            f32v_store(out + v * SIMD_LANES, w ? f32v_mul(value, w[v]) : value);
        }
    }
}

SIMD_INLINE void put_value(float value, float *out)
{
    UNROLL
    for (unsigned v = 0; v < VECTORS; v++)
        f32v_store(out + v * SIMD_LANES, f32v_set1(value));
}

/* w = 1 / rhw of all lanes; a primitive with constant rhw needs one division. */
SIMD_INLINE void find_w(const struct raster_prim *prim, const struct distances *d, f32v *w)
{
    _Alignas(64) float rhw[RASTER_LANES];

    if (prim->affine) {
        for (unsigned v = 0; v < VECTORS; v++)
            w[v] = f32v_rcp(f32v_set1(prim->rhw.value));
        return;
    }
    put_attr(&prim->rhw, d, NULL, rhw);
    UNROLL
    for (unsigned v = 0; v < VECTORS; v++)
        w[v] = f32v_rcp(f32v_load(rhw + v * SIMD_LANES));
}

static void interpolate(const struct raster_block *block)
{
    const struct raster_prim *prim = block->prim;
    struct distances d;
    f32v w[VECTORS];

    find_distances(&d, block);
    if (block->z)
        put_depth(&prim->z, &d, block->z);
    if (block->w || !prim->affine)
        find_w(prim, &d, w);
    for (unsigned v = 0; block->w && v < VECTORS; v++)
        f32v_store(block->w + v * SIMD_LANES, w[v]);
    for (unsigned n = 0; n < block->n_attrs; n++) {
        const struct raster_attr_plane *plane = &prim->attr[n];
        float *out = block->work + block->attr[n].slot * RASTER_LANES;

        if (prim->const_attribs >> n & 1) {
            if (block->with_const_attribs)
                put_value(plane->value, out);
        } else if (!prim->affine && block->attr[n].interp == RASTER_PERSPECTIVE) {
            put_attr(plane, &d, w, out);
        } else {
            put_attr(plane, &d, NULL, out);
        }
    }
}

const struct raster_block_kern KERN_NAME(raster_block_kern) = {
    .interpolate = interpolate,
};
