/* The quads of a batch, each of a primitive of its own: depth where it lies, and interpolation
 * (reference: raster/interpolation, raster/perspective). */
#include "raster/quad_kern.h"

#include "raster/depth_lanes.h"
#include "raster/kern_lanes.h"
#include "raster/raster_private.h"
#include "util/simd_math.h"
#include "util/simd_quads.h"

#include <stddef.h>

/* Where the planes of a vector's quads lie, and distances from their anchors. */
struct pixels {
    const char *prim[SIMD_QUADS];
    f32v x, y, dx, dy, face, offset;
};

/* Places of the quads, as floats; those past the last one are anywhere. */
struct places {
    _Alignas(64) float x[QUADS], y[QUADS];
};

static void find_places(struct places *places, const struct raster_quads *quads)
{
    for (unsigned i = 0; i < QUADS; i += SIMD_LANES) {
        f32v_store(places->x + i, i32v_to_f32(i32v_loadu(quads->x + i)));
        f32v_store(places->y + i, i32v_to_f32(i32v_loadu(quads->y + i)));
    }
}

/* Quads past the last one are taken for that. */
SIMD_INLINE void find_pixels(struct pixels *p, const struct places *places,
                             const struct raster_quads *quads, unsigned lane)
{
    static const _Alignas(64) float right[16] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
    static const _Alignas(64) float down[16] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1};
    f32v own[4];

    UNROLL
    for (unsigned i = 0; i < SIMD_QUADS; i++) {
        unsigned q = lane / 4 + i;

        p->prim[i] = (const char *)quads->prim[q < quads->n ? q : quads->n - 1];
    }
    f32v_load_fours(p->prim, offsetof(struct raster_prim, anchor_x), own);
    p->x = f32v_add(f32v_load_spread(places->x + lane / 4), f32v_load(right + lane % 16));
    p->y = f32v_add(f32v_load_spread(places->y + lane / 4), f32v_load(down + lane % 16));
    p->dx = f32v_sub(p->x, own[0]);
    p->dy = f32v_sub(p->y, own[1]);
    p->face = own[2];
    p->offset = own[3];
}

/* A plane of each quad's primitive. They are read together with the word before. */
SIMD_INLINE f32v planes_at(const struct pixels *p, size_t plane, f32v *a)
{
    f32v own[4];

    f32v_load_fours(p->prim, plane - sizeof(float), own);
    *a = own[1];
    return f32v_add(own[1], f32v_add(f32v_mul(own[2], p->dx), f32v_mul(own[3], p->dy)));
}

_Static_assert(offsetof(struct raster_prim, face) == offsetof(struct raster_prim, anchor_x) + 8 &&
                   offsetof(struct raster_prim, depth_offset) ==
                       offsetof(struct raster_prim, anchor_x) + 12,
               "a load of four floats takes the anchor, the facing and the depth's offset");

/* --- Interpolation ---------------------------------------------------------------------------- */

/* Which quads differ from the rest: lanes where 1/w has one value, and attributes that have. */
struct alike {
    uint64_t affine;
    uint64_t some, all;               /* attributes of one value in some quads, in all */
    uint64_t lanes[RASTER_MAX_ATTRS]; /* where; of those in `some` */
};

static void find_alike(struct alike *alike, const struct raster_quads *quads, unsigned n_attrs)
{
    alike->affine = alike->some = 0;
    alike->all = ~UINT64_C(0);
    for (unsigned q = 0; q < quads->n; q++) {
        const struct raster_prim *prim = quads->prim[q];

        alike->affine |= (prim->affine ? UINT64_C(15) : 0) << q * 4;
        alike->some |= prim->const_attribs;
        alike->all &= prim->const_attribs;
    }
    for (uint64_t mixed = alike->some & ~alike->all; mixed; mixed &= mixed - 1) {
        unsigned n = (unsigned)__builtin_ctzll(mixed);
        uint64_t lanes = 0;

        if (n >= n_attrs)
            break;
        for (unsigned q = 0; q < quads->n; q++)
            lanes |= (quads->prim[q]->const_attribs >> n & 1) << q * 4;
        alike->lanes[n] = lanes * 15;
    }
}

/* 1/w of each lane's own, and what attributes over w are multiplied by. */
SIMD_INLINE void find_w(const struct pixels *p, const struct alike *alike, unsigned lane, f32v *w,
                        f32v *factor)
{
    f32v a, rhw = planes_at(p, offsetof(struct raster_prim, rhw), &a);
    m32v affine = lanes_at(alike->affine, lane);

    *w = f32v_rcp(f32v_select(affine, a, rhw));
    *factor = f32v_select(affine, f32v_set1(1.0f), *w);
}

SIMD_INLINE void put_attributes(const struct raster_lanes *to, const struct pixels *p,
                                const struct alike *alike, unsigned lane, f32v factor)
{
    const struct raster_attr *attr = to->attr;
    uint64_t some = alike->some, all = alike->all;
    size_t plane = offsetof(struct raster_prim, attr);

    for (unsigned n = 0; n < to->n_attrs; n++, attr++, some >>= 1, all >>= 1) {
        f32v a, value = planes_at(p, plane, &a);

        if (attr->interp == RASTER_PERSPECTIVE)
            value = f32v_mul(value, factor);
        if (all & 1)
            value = a;
        else if (some & 1)
            value = f32v_select(lanes_at(alike->lanes[n], lane), a, value);
        f32v_store(to->work + attr->slot * RASTER_LANES + lane, value);
        plane += sizeof(struct raster_interp_plane);
    }
}

static void interpolate(const struct raster_lanes *to, const struct raster_quads *quads)
{
    uint64_t all = ~UINT64_C(0) >> (RASTER_LANES - quads->n * 4);
    struct places places;
    struct alike alike;

    find_places(&places, quads);
    find_alike(&alike, quads, to->n_attrs);
    for (unsigned lane = 0; lane < quads->n * 4; lane += SIMD_LANES) {
        f32v a, w = f32v_zero(), factor = f32v_set1(1.0f);
        struct pixels p;

        find_pixels(&p, &places, quads, lane);
        if (to->w || alike.affine != all)
            find_w(&p, &alike, lane, &w, &factor);
        if (to->x) {
            f32v_store(to->x + lane, p.x);
            f32v_store(to->y + lane, p.y);
        }
        if (to->z)
            f32v_store(to->z + lane, planes_at(&p, offsetof(struct raster_prim, z), &a));
        if (to->w)
            f32v_store(to->w + lane, w);
        if (to->face)
            f32v_store(to->face + lane, p.face);
        put_attributes(to, &p, &alike, lane, factor);
    }
}

/* --- Depth ------------------------------------------------------------------------------------ */

/* The words of a vector's lanes. */
SIMD_INLINE i32v load_words(const struct raster_quad_depth *depth, unsigned lane)
{
    const struct raster_quads *quads = depth->quads;
    const char *from[SIMD_QUADS];

    UNROLL
    for (unsigned i = 0; i < SIMD_QUADS; i++) {
        unsigned q = lane / 4 + i;

        q = q < quads->n ? q : quads->n - 1;
        from[i] = (const char *)depth->base + (size_t)quads->y[q] * depth->pitch +
                  (size_t)quads->x[q] * 4;
        if (SIMD_LANES == 1)
            from[i] += (lane & 1) * 4 + (lane >> 1 & 1) * depth->pitch;
    }
    return i32v_load_pairs_of_rows(from, depth->pitch);
}

static void store_quads(const struct raster_quad_depth *depth, const uint32_t *words,
                        uint64_t lanes)
{
    const struct raster_quads *quads = depth->quads;

    for (unsigned q = 0; q < quads->n; q++) {
        uint8_t *row = depth->base + (size_t)quads->y[q] * depth->pitch + (size_t)quads->x[q] * 4;

        raster_store_pair(row, words + q * 4, lanes >> q * 4 & 3);
        raster_store_pair(row + depth->pitch, words + q * 4 + 2, lanes >> (q * 4 + 2) & 3);
    }
}

SIMD_INLINE uint64_t test_quads(const struct raster_depth_stencil *ds,
                                const struct raster_quad_depth *depth, uint64_t lanes,
                                struct depth_way way)
{
    const struct raster_quads *quads = depth->quads;
    _Alignas(64) int32_t words[RASTER_LANES];
    struct places places;
    uint64_t passed = 0;

    find_places(&places, quads);
    for (unsigned lane = 0; lane < quads->n * 4; lane += SIMD_LANES) {
        i32v word = load_words(depth, lane), fresh;
        struct pixels p;
        f32v a, z;

        find_pixels(&p, &places, quads, lane);
        z = f32v_add(planes_at(&p, offsetof(struct raster_prim, z), &a), p.offset);
        passed |= bits_at(test_depth_words(ds, way, z, word, &fresh), lane);
        i32v_store(words + lane, fresh);
    }
    passed &= lanes;
    if (depth->write && ds->depth_write)
        store_quads(depth, (const uint32_t *)words, passed);
    return passed;
}

/* The usual cases are compiled for themselves. */
static uint64_t test_depth(const struct raster_depth_stencil *ds,
                           const struct raster_quad_depth *depth, uint64_t lanes)
{
    struct depth_way way = depth_way_of(ds);

    if (way.high24 && way.func == D3DCMP_LESSEQUAL)
        return test_quads(ds, depth, lanes, (struct depth_way){true, D3DCMP_LESSEQUAL});
    if (way.high24 && way.func == D3DCMP_LESS)
        return test_quads(ds, depth, lanes, (struct depth_way){true, D3DCMP_LESS});
    return test_quads(ds, depth, lanes, way);
}

const struct raster_quad_kern KERN_NAME(raster_quad_kern) = {
    .interpolate = interpolate,
    .test_depth = test_depth,
};
