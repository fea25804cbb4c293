/* Quad kernel: interpolates attributes and tests depth for quads of different primitives,
 * SIMD_QUADS per vector (reference: raster/interpolation, raster/perspective). */
#include "raster/shade/quad_kern.h"

#include "raster/zs/depth_lanes.h"
#include "raster/prim/kern_lanes.h"
#include "raster/raster_private.h"
#include "util/simd/math.h"
#include "util/simd/quads.h"

#include <stddef.h>

/* The primitives of a vector's quads, and the distances from their anchors. */
struct pixels {
    const char *prim[SIMD_QUADS];
    f32v x, y, dx, dy, face, offset;
};

/* Upper left pixels of the quads as floats; undefined past the last. */
struct quad_origins {
    _Alignas(64) float x[QUADS], y[QUADS];
};

static void find_origins(struct quad_origins *origins, const struct raster_quads *quads)
{
    for (unsigned i = 0; i < QUADS; i += SIMD_LANES) {
        f32v_store(origins->x + i, i32v_to_f32(i32v_loadu(quads->x + i)));
        f32v_store(origins->y + i, i32v_to_f32(i32v_loadu(quads->y + i)));
    }
}

/* Quads past the last one repeat it. */
SIMD_INLINE void find_pixels(struct pixels *p, const struct quad_origins *origins,
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
    p->x = f32v_add(f32v_load_spread(origins->x + lane / 4), f32v_load(right + lane % 16));
    p->y = f32v_add(f32v_load_spread(origins->y + lane / 4), f32v_load(down + lane % 16));
    p->dx = f32v_sub(p->x, own[0]);
    p->dy = f32v_sub(p->y, own[1]);
    p->face = own[2];
    p->offset = own[3];
}

/* Evaluates the plane at offset `plane` of each quad's primitive. The load of four floats includes
 * the one before the plane. */
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

/* The w of each lane, and the factor for perspective attributes: w, or 1 where affine. */
SIMD_INLINE void find_w(const struct pixels *p, const struct const_lanes *const_lanes,
                        unsigned lane, f32v *w, f32v *factor)
{
    f32v a, rhw = planes_at(p, offsetof(struct raster_prim, rhw), &a);
    m32v affine = lanes_at(const_lanes->affine, lane);

    *w = f32v_rcp(f32v_select(affine, a, rhw));
    *factor = f32v_select(affine, f32v_set1(1.0f), *w);
}

SIMD_INLINE void put_attributes(const struct raster_lanes *to, const struct pixels *p,
                                const struct const_lanes *const_lanes, unsigned lane, f32v factor)
{
    const struct raster_attr *attr = to->attr;
    uint64_t some = const_lanes->some, all = const_lanes->all;
    size_t plane = offsetof(struct raster_prim, attr);

    for (unsigned n = 0; n < to->n_attrs; n++, attr++, some >>= 1, all >>= 1) {
        f32v a, value = planes_at(p, plane, &a);

        if (attr->interp == RASTER_PERSPECTIVE)
            value = f32v_mul(value, factor);
        if (all & 1)
            value = a;
        else if (some & 1)
            value = f32v_select(lanes_at(const_lanes->lanes[n], lane), a, value);
        f32v_store(to->work + attr->slot * RASTER_LANES + lane, value);
        plane += sizeof(struct raster_interp_plane);
    }
}

static void interpolate(const struct raster_lanes *to, const struct raster_quads *quads)
{
    uint64_t all = ~UINT64_C(0) >> (RASTER_LANES - quads->n * 4);
    struct quad_origins origins;
    struct const_lanes const_lanes;

    find_origins(&origins, quads);
    find_const_lanes(&const_lanes, quads, to->n_attrs);
    for (unsigned lane = 0; lane < quads->n * 4; lane += SIMD_LANES) {
        f32v a, w = f32v_zero(), factor = f32v_set1(1.0f);
        struct pixels p;

        find_pixels(&p, &origins, quads, lane);
        if (to->w || const_lanes.affine != all)
            find_w(&p, &const_lanes, lane, &w, &factor);
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
        put_attributes(to, &p, &const_lanes, lane, factor);
    }
}

/* --- Depth ------------------------------------------------------------------------------------ */

/* Loads the depth words of a vector's quads. */
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
                                struct depth_spec spec)
{
    const struct raster_quads *quads = depth->quads;
    _Alignas(64) int32_t words[RASTER_LANES];
    struct quad_origins origins;
    uint64_t passed = 0;

    find_origins(&origins, quads);
    for (unsigned lane = 0; lane < quads->n * 4; lane += SIMD_LANES) {
        i32v word = load_words(depth, lane), fresh;
        struct pixels p;
        f32v a, z;

        find_pixels(&p, &origins, quads, lane);
        z = f32v_add(planes_at(&p, offsetof(struct raster_prim, z), &a), p.offset);
        passed |= bits_at(test_depth_words(ds, spec, z, word, &fresh), lane);
        i32v_store(words + lane, fresh);
    }
    passed &= lanes;
    if (depth->write && ds->depth_write)
        store_quads(depth, (const uint32_t *)words, passed);
    return passed;
}

/* Specialises the common depth formats and functions. */
static uint64_t test_depth(const struct raster_depth_stencil *ds,
                           const struct raster_quad_depth *depth, uint64_t lanes)
{
    struct depth_spec spec = depth_spec_of(ds);

    if (spec.high24 && spec.func == D3DCMP_LESSEQUAL)
        return test_quads(ds, depth, lanes, (struct depth_spec){true, D3DCMP_LESSEQUAL});
    if (spec.high24 && spec.func == D3DCMP_LESS)
        return test_quads(ds, depth, lanes, (struct depth_spec){true, D3DCMP_LESS});
    return test_quads(ds, depth, lanes, spec);
}

const struct raster_quad_kern KERN_NAME(raster_quad_kern) = {
    .interpolate = interpolate,
    .test_depth = test_depth,
};
