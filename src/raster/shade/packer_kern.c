/* Packer kernel: turns 8x8 coverage masks into the quads or the fragments of a batch, and checks
 * them against the pixels in flight. Fragments are interpolated at once (reference:
 * raster/interpolation, raster/perspective). */
#include "raster/shade/packer_kern.h"

#include "raster/worker/batch_lanes.h"
#include "raster/prim/plane_lanes.h"
#include "raster/bin/prefetch.h"
#include "util/cpu.h"
#include "util/simd/blocks.h"
#include "util/simd/compress.h"
#include "util/simd/math.h"

/* --- Single fragments ------------------------------------------------------------------------- */

/* Values that all fragments of a primitive share. */
struct source {
    const struct raster_prim *prim;
    const struct tile_origin *tile;
    unsigned x, y; /* position of its 8x8 pixels in the tile */
    const struct raster_attr *attr;
    unsigned n_attrs;
    uint32_t unit_attribs; /* attributes that are not stored while all fragments have 1 there */
    uint64_t deriv_attribs;
    bool depth;
};

/* Unit attributes are not stored while they are 1 in all primitives of the batch. The first
 * primitive with another value makes this function store 1 for the earlier fragments. */
SIMD_INLINE void update_unit_attribs(struct frag_batch *to, const struct source *from, unsigned at)
{
    if (!at)
        to->unit_attribs = from->unit_attribs;
    if (!to->unit_attribs || raster_attribs_are_one(from->prim, to->unit_attribs))
        return;
    for (; to->unit_attribs; to->unit_attribs &= to->unit_attribs - 1)
        for (unsigned lane = 0; lane < at; lane += SIMD_LANES)
            f32v_store(to->attr[__builtin_ctz(to->unit_attribs)] + lane, f32v_set1(1.0f));
}

/* w NULL: no perspective division. half: only the lanes of the first half, because there are no
 * more. */
SIMD_INLINE void put_plane(float *to, const struct raster_attr_plane *from, d64v dx, d64v dy,
                           const d64v *w, bool half)
{
    struct attr_lanes plane = attr_of_plane(from);
    d64v sum = attr_sum(&plane, dx, dy);

    if (half)
        f32h_storeu(to, attr_of_half_sum(sum.half[0], w ? &w->half[0] : NULL, from->tiny));
    else
        f32v_storeu(to, attr_of_sum(sum, w, plane.tiny));
}

SIMD_INLINE void put_value(float *to, float value, bool half)
{
    if (half)
        f32h_storeu(to, f32v_first_half(f32v_set1(value)));
    else
        f32v_storeu(to, f32v_set1(value));
}

/* Most primitives of a batch have the same constant attributes, so the branches are predicted. */
SIMD_INLINE void put_attributes(struct attr_rows to, const struct source *from,
                                uint32_t unit_attribs, d64v dx, d64v dy, const d64v *w, bool half)
{
    const struct raster_prim *prim = from->prim;
    uint64_t const_attribs = prim->const_attribs;

    for (unsigned n = 0; n < from->n_attrs; n++) {
        const struct raster_attr_plane *plane = &prim->attr[n];
        float *row = to.row[n] + to.at;

        if (unit_attribs >> n & 1)
            continue;
        if (const_attribs >> n & 1)
            put_value(row, plane->value, half);
        else if (w && from->attr[n].interp == RASTER_PERSPECTIVE)
            put_plane(row, plane, dx, dy, w, half);
        else
            put_plane(row, plane, dx, dy, NULL, half);
    }
}

/* Distances from the anchor to pixels, which are counted from the tile's origin. */
SIMD_INLINE f32v distance(i32v pixel, int32_t tile, float anchor)
{
    return f32v_sub(i32v_to_f32(i32v_add(pixel, i32v_set1(tile))), f32v_set1(anchor));
}

/* Distances from the anchor of the three pixels of a quad that derivatives need. */
struct distances {
    d64v left, right, top, bottom;
};

/* At the first, the right and the lower pixel of the quads. */
SIMD_INLINE void find_quad_sums(const struct raster_attr_plane *from, const struct distances *d,
                                d64v sum[3])
{
    struct attr_lanes plane = attr_of_plane(from);

    sum[0] = attr_sum(&plane, d->left, d->top);
    sum[1] = attr_sum(&plane, d->right, d->top);
    sum[2] = attr_sum(&plane, d->left, d->bottom);
}

/* w NULL: no perspective division. */
SIMD_INLINE void put_derivs(float *ddx, float *ddy, const struct raster_attr_plane *plane,
                            const struct distances *d, const d64v *w, bool half)
{
    f32v value[3];
    f32h first[3];
    d64v sum[3];

    find_quad_sums(plane, d, sum);
    if (half) {
        UNROLL
        for (unsigned p = 0; p < 3; p++)
            first[p] = attr_of_half_sum(sum[p].half[0], w ? &w[p].half[0] : NULL, plane->tiny);
        f32h_storeu(ddx, f32h_sub(first[1], first[0]));
        f32h_storeu(ddy, f32h_sub(first[2], first[0]));
        return;
    }
    UNROLL
    for (unsigned p = 0; p < 3; p++)
        value[p] = attr_of_sum(sum[p], w ? &w[p] : NULL, f32v_set1(plane->tiny));
    f32v_storeu(ddx, f32v_sub(value[1], value[0]));
    f32v_storeu(ddy, f32v_sub(value[2], value[0]));
}

/* The derivatives of all attributes that need them. w NULL: no perspective division. */
SIMD_INLINE void put_all_derivs(struct frag_batch *to, const struct source *from, unsigned at,
                                const struct distances *d, const d64v *w, bool half)
{
    const struct raster_prim *prim = from->prim;
    float *ddx = to->derivs.ddx[0] + at, *ddy = to->derivs.ddy[0] + at;

    for (uint64_t left = from->deriv_attribs; left; left &= left - 1) {
        unsigned a = (unsigned)__builtin_ctzll(left);

        if (prim->const_attribs >> a & 1) {
            f32v value = f32v_set1(prim->attr[a].value), zero = f32v_sub(value, value);

            f32v_storeu(ddx, zero);
            f32v_storeu(ddy, zero);
        } else if (w && from->attr[a].interp == RASTER_PERSPECTIVE) {
            put_derivs(ddx, ddy, &prim->attr[a], d, w, half);
        } else {
            put_derivs(ddx, ddy, &prim->attr[a], d, NULL, half);
        }
        ddx += RASTER_PADDED_LANES;
        ddy += RASTER_PADDED_LANES;
    }
}

SIMD_INLINE void put_quads(struct frag_batch *to, const struct source *from, unsigned at, i32v x,
                           i32v y, bool half)
{
    const struct raster_prim *prim = from->prim;
    i32v even = i32v_constant(~1), odd = i32v_constant(1);
    struct distances d = {
        f32v_widen(distance(i32v_and(x, even), from->tile->x, prim->anchor_x)),
        f32v_widen(distance(i32v_or(x, odd), from->tile->x, prim->anchor_x)),
        f32v_widen(distance(i32v_and(y, even), from->tile->y, prim->anchor_y)),
        f32v_widen(distance(i32v_or(y, odd), from->tile->y, prim->anchor_y)),
    };

    if (prim->affine) {
        put_all_derivs(to, from, at, &d, NULL, half);
    } else {
        d64v w[3];

        find_quad_sums(&prim->rhw, &d, w);
        UNROLL
        for (unsigned p = 0; p < 3; p++)
            w[p] = w_of_sum(w[p]);
        put_all_derivs(to, from, at, &d, w, half);
    }
}

/* Interpolates a vector of fragments; number: indices of their pixels in the 8x8 mask. half: the
 * second half of the vector has none. */
SIMD_INLINE void put_vector_to(struct frag_batch *to, struct attr_rows rows,
                               const struct source *from, i32v number, unsigned at, bool half)
{
    const struct raster_prim *prim = from->prim;
    i32v x = i32v_add(i32v_and(number, i32v_constant(7)), i32v_set1((int32_t)from->x));
    i32v y = i32v_add(i32v_srl(number, 3), i32v_set1((int32_t)from->y));
    f32v dx = distance(x, from->tile->x, prim->anchor_x);
    f32v dy = distance(y, from->tile->y, prim->anchor_y);
    d64v wide_dx = f32v_widen(dx), wide_dy = f32v_widen(dy);

    i32v_storeu(to->pos + at, i32v_or(x, i32v_sll(y, TILE_SHIFT)));
    if (from->depth) {
        struct interp_lanes z = interp_of_plane(&prim->z);

        f32v_storeu(to->z + at, f32v_add(depth_at(&z, dx, dy), f32v_set1(prim->depth_offset)));
    }
    if (prim->affine) {
        put_attributes(rows, from, to->unit_attribs, wide_dx, wide_dy, NULL, half);
    } else {
        struct attr_lanes rhw = attr_of_plane(&prim->rhw);
        d64v w = w_of_sum(attr_sum(&rhw, wide_dx, wide_dy));

        put_attributes(rows, from, to->unit_attribs, wide_dx, wide_dy, &w, half);
    }
    if (from->deriv_attribs)
        put_quads(to, from, at, x, y, half);
}

/* A vector that reaches past the batch's last lane. */
static __attribute__((noinline)) void put_last_vector(struct frag_batch *to,
                                                      const struct source *from,
                                                      const int32_t *number, unsigned at, bool half)
{
    struct spare_rows spare;
    struct attr_rows rows = raster_use_spare_rows(&spare, from->n_attrs);

    if (half)
        put_vector_to(to, rows, from, i32v_load(number), at, true);
    else
        put_vector_to(to, rows, from, i32v_load(number), at, false);
    raster_copy_spare_rows(&spare, to, at, from->n_attrs, to->unit_attribs);
}

SIMD_INLINE void put_vector(struct frag_batch *to, const struct source *from, const int32_t *number,
                            unsigned at, bool half)
{
    if (at + (half ? SIMD_LANES / 2 : SIMD_LANES) <= RASTER_LANES)
        put_vector_to(to, (struct attr_rows){to->attr, at}, from, i32v_load(number), at, half);
    else
        put_last_vector(to, from, number, at, half);
}

/* simd_bit_indices or a function with the same result. */
typedef void bit_indices_fn(uint64_t block, int32_t number[SIMD_MAX_BIT_INDICES]);

SIMD_INLINE void put_fragments(struct frag_batch *to, const struct source *from, uint64_t rows,
                               unsigned at, unsigned n, bit_indices_fn *find_indices)
{
    _Alignas(64) int32_t number[SIMD_MAX_BIT_INDICES];

    if (!n)
        return;
    update_unit_attribs(to, from, at);
    find_indices(rows, number);
    for (unsigned i = 0; i < n; i += SIMD_LANES)
        if (n - i <= SIMD_LANES / 2)
            put_vector(to, from, number + i, at + i, true);
        else
            put_vector(to, from, number + i, at + i, false);
}

/* --- Pixels of any layout --------------------------------------------------------------------- */

/* Lists the quads past the batch's last; returns how many lanes they have. */
SIMD_INLINE unsigned list_quads(struct frag_batch *to, const struct source *from, uint64_t rows)
{
    unsigned first = to->n / 4, n;

    n = simd_mask_quads(rows, from->tile->x + (int32_t)from->x, from->tile->y + (int32_t)from->y,
                        to->quad_x + first, to->quad_y + first, to->quad_pixels + first);
    for (unsigned i = 0; i < 4; i++)
        to->quad_prim[first + i] = from->prim;
    for (unsigned i = 4; i < n; i++)
        to->quad_prim[first + i] = from->prim;
    return n * 4;
}

/* The pixels that are left when the first `room` lanes are taken. */
static __attribute__((noinline)) uint64_t beyond(uint64_t rows, unsigned room, bool quads)
{
    const uint64_t quad = 0x303, first_pixel = 0x36;

    for (; room; room -= quads ? 4 : 1)
        rows &= quads ? ~(quad << ((unsigned)__builtin_ctzll(rows) & first_pixel)) : rows - 1;
    return rows;
}

/* As raster_packer_kern.put. */
SIMD_INLINE uint64_t put_pixels(struct frag_batch *to, struct in_flight *in_flight,
                                const struct source *from, uint64_t rows, bool quads,
                                bit_indices_fn *find_indices)
{
    unsigned at = to->n, room = RASTER_LANES - at;
    unsigned n = quads ? list_quads(to, from, rows) : (unsigned)__builtin_popcountll(rows);
    uint64_t rest = 0;

    if (n > room) {
        rest = beyond(rows, room, quads);
        rows &= ~rest;
        n = quads ? list_quads(to, from, rows) : room;
    }
    if (!simd_claim_block(in_flight->rows + from->y, rows, from->x))
        return rows | rest;
    to->n = at + n;
    if (!quads)
        put_fragments(to, from, rows, at, n, find_indices);
    return rest;
}

static struct source source_of(const struct raster_pipeline *pipeline,
                               const struct tile_origin *tile)
{
    return (struct source){.tile = tile,
                           .attr = pipeline->s.attr,
                           .n_attrs = raster_shades(pipeline) ? pipeline->s.n_attrs : 0,
                           .unit_attribs = pipeline->shortcuts & SHORTCUT_RGBA8
                                               ? (uint32_t)pipeline->s.unit_attribs
                                               : 0,
                           .deriv_attribs = raster_shades(pipeline) ? pipeline->s.deriv_attribs : 0,
                           .depth = raster_uses_zs(pipeline)};
}

SIMD_INLINE uint64_t put_by(struct frag_batch *batch, struct in_flight *in_flight,
                            const struct tile_origin *tile, const struct raster_prim *prim,
                            unsigned x, unsigned y, uint64_t rows, bit_indices_fn *find_indices)
{
    struct source source = source_of(prim->pipeline, tile);

    source.prim = prim;
    source.x = x;
    source.y = y;
    if (batch->layout == FRAG_QUADS)
        return put_pixels(batch, in_flight, &source, rows, true, find_indices);
    return put_pixels(batch, in_flight, &source, rows, false, find_indices);
}

SIMD_INLINE size_t take_prims(struct frag_batch *batch, struct in_flight *in_flight,
                              const struct raster_pipeline *pipeline, struct source source,
                              const struct bin_block *cmds, size_t i, uint64_t *rest, bool quads,
                              bit_indices_fn *find_indices)
{
    size_t bytes = raster_prim_base_bytes(pipeline);
    uint64_t left = *rest;

    for (; i < cmds->count; i++) {
        uint64_t rows;

        raster_prefetch_command(cmds, i + PREFETCH_AHEAD, bytes);
        if (!raster_is_mask8x8(cmds->command[i], pipeline))
            break;
        source.prim = raster_command_data(cmds->command[i]);
        rows = raster_mask8x8_in_tile(source.prim, source.tile, &source.x, &source.y);
        left = put_pixels(batch, in_flight, &source, left ? left : rows, quads, find_indices);
        if (left)
            break;
    }
    *rest = left;
    return i;
}

/* Specialises quads, and fragments without derivatives. */
SIMD_INLINE size_t take_by(struct frag_batch *batch, struct in_flight *in_flight,
                           const struct tile_origin *tile, const struct raster_pipeline *pipeline,
                           const struct bin_block *cmds, size_t i, uint64_t *rest,
                           bit_indices_fn *find_indices)
{
    struct source source = source_of(pipeline, tile);

    if (batch->layout == FRAG_QUADS)
        return take_prims(batch, in_flight, pipeline, source, cmds, i, rest, true, find_indices);
    if (source.deriv_attribs)
        return take_prims(batch, in_flight, pipeline, source, cmds, i, rest, false, find_indices);
    source.deriv_attribs = 0;
    return take_prims(batch, in_flight, pipeline, source, cmds, i, rest, false, find_indices);
}

#if SIMD_LANES == 16
SIMD_VBMI2_CODE static uint64_t put_vbmi2(struct frag_batch *batch, struct in_flight *in_flight,
                                          const struct tile_origin *tile,
                                          const struct raster_prim *prim, unsigned x, unsigned y,
                                          uint64_t rows)
{
    return put_by(batch, in_flight, tile, prim, x, y, rows, simd_bit_indices_vbmi2);
}

SIMD_VBMI2_CODE static size_t take_vbmi2(struct frag_batch *batch, struct in_flight *in_flight,
                                         const struct tile_origin *tile,
                                         const struct raster_pipeline *pipeline,
                                         const struct bin_block *cmds, size_t i, uint64_t *rest)
{
    return take_by(batch, in_flight, tile, pipeline, cmds, i, rest, simd_bit_indices_vbmi2);
}
#endif

static uint64_t put(struct frag_batch *batch, struct in_flight *in_flight,
                    const struct tile_origin *tile, const struct raster_prim *prim, unsigned x,
                    unsigned y, uint64_t rows)
{
#if SIMD_LANES == 16
    if (cpu_has_avx512_vbmi())
        return put_vbmi2(batch, in_flight, tile, prim, x, y, rows);
#endif
    return put_by(batch, in_flight, tile, prim, x, y, rows, simd_bit_indices);
}

static size_t take(struct frag_batch *batch, struct in_flight *in_flight,
                   const struct tile_origin *tile, const struct raster_pipeline *pipeline,
                   const struct bin_block *cmds, size_t i, uint64_t *rest)
{
#if SIMD_LANES == 16
    if (cpu_has_avx512_vbmi())
        return take_vbmi2(batch, in_flight, tile, pipeline, cmds, i, rest);
#endif
    return take_by(batch, in_flight, tile, pipeline, cmds, i, rest, simd_bit_indices);
}

static void retire(struct in_flight *in_flight)
{
    enum { WORDS = IN_FLIGHT_ROWS * 2 };
    int32_t *rows = (int32_t *)(void *)in_flight->rows,
            *history = (int32_t *)(void *)in_flight->history;

    for (unsigned i = 0; i < WORDS; i += SIMD_LANES) {
        i32v_store(history + i, i32v_or(i32v_load(history + i), i32v_load(rows + i)));
        i32v_store(rows + i, i32v_set1(0));
    }
    in_flight->any_history = true;
}

/* --- Dropped pixels --------------------------------------------------------------------------- */

static void keep_quads(struct frag_batch *batch, uint64_t passed)
{
    unsigned to = batch->tested / 4;

    for (unsigned q = to; q < batch->n / 4; q++, passed >>= 4) {
        batch->quad_x[to] = batch->quad_x[q];
        batch->quad_y[to] = batch->quad_y[q];
        batch->quad_prim[to] = batch->quad_prim[q];
        batch->quad_pixels[to] = (uint8_t)(passed & 15);
        to += (passed & 15) != 0;
    }
    batch->n = to * 4;
}

/* Fragments that stay: those before `first`, and those from it on whose bits are set. */
struct kept {
    unsigned first;
    uint64_t passed;
    _Alignas(64) int32_t lanes[SIMD_MAX_BIT_INDICES]; /* indices of the set bits */
};

/* Compacts in place: a lane only moves to a lower one, so no lane is overwritten before it is
 * read. Other rows may follow RASTER_LANES. */
static void compact_row(void *row, const struct kept *kept)
{
#if SIMD_LANES == 16
    unsigned to = kept->first & ~(SIMD_LANES - 1u);
    uint64_t stays = (kept->passed << kept->first | ~(~UINT64_C(0) << kept->first)) >> to;
    int32_t *words = row;

    for (unsigned from = to; from < RASTER_LANES; from += SIMD_LANES, stays >>= SIMD_LANES) {
        i32v_storeu(words + to, i32v_compress(i32v_load(words + from), stays & SIMD_ALL_BITS));
        to += (unsigned)__builtin_popcountll(stays & SIMD_ALL_BITS);
    }
#else
    unsigned n = (unsigned)__builtin_popcountll(kept->passed);
    int32_t *words = (int32_t *)row + kept->first;

    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        f32v lanes = i32v_as_f32(i32v_gather(words, i32v_load(kept->lanes + i)));

        if (kept->first + i + SIMD_LANES <= RASTER_LANES)
            f32v_storeu((float *)(void *)words + i, lanes);
        else
            f32v_store_only((float *)(void *)words + i, lanes, n - i);
    }
#endif
}

static void keep_fragments(struct frag_batch *frags, const struct raster_state *state,
                           uint64_t passed)
{
    unsigned deriv_attribs = (unsigned)__builtin_popcountll(state->deriv_attribs);
    struct kept kept;

    kept.first = frags->tested;
    kept.passed = passed;
    if (SIMD_LANES < 16)
        simd_bit_indices(passed, kept.lanes);
    compact_row(frags->pos, &kept);
    if (state->alpha_test || state->kills) /* the depth test runs again after shading */
        compact_row(frags->z, &kept);
    for (unsigned a = 0; a < state->n_attrs; a++)
        if (!(frags->unit_attribs >> a & 1))
            compact_row(frags->attr[a], &kept);
    for (unsigned a = 0; a < deriv_attribs; a++) {
        compact_row(frags->derivs.ddx[a], &kept);
        compact_row(frags->derivs.ddy[a], &kept);
    }
    frags->n = frags->tested + (unsigned)__builtin_popcountll(passed);
}

static void keep(struct frag_batch *batch, const struct raster_state *state, uint64_t passed)
{
    if (batch->layout == FRAG_QUADS)
        keep_quads(batch, passed);
    else
        keep_fragments(batch, state, passed);
}

const struct raster_packer_kern KERN_NAME(raster_packer_kern) = {
    .take = take, .put = put, .keep = keep, .retire = retire};
