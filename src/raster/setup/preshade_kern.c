/* Preshading kernel: lists fragments of small triangles and evaluates planes for them, one per lane
 * (reference: raster/interpolation). */
#include "raster/setup/preshade_kern.h"

#include "raster/prim/kern_lanes.h"
#include "raster/prim/plane_lanes.h"
#include "raster/worker/batch_lanes.h"
#include "raster/zs/depth_lanes.h"
#include "util/cpu.h"
#include "util/simd/blocks.h"
#include "util/simd/compress.h"
#include "util/simd/math.h"
#include "util/simd/table_lookup.h"

_Static_assert((int)PLANE_SOA_ATTRS == (int)FRAG_BATCH_ATTRS && SMALL_TRI_GROUP == 16,
               "a batch holds all attributes of the planes; triangle numbers have 4 bits");

/* --- Spans ------------------------------------------------------------------------------------ */

#if SIMD_LANES == 16

static void add_whole(struct frag_spans *spans, const struct raster_small_tri_group *group,
                      uint32_t triangles)
{
    const i32v within = i32v_set1((1 << group->tile_shift) - 1);
    unsigned n = spans->n, count = (unsigned)__builtin_popcount(triangles);
    i32v x = i32v_and(i32v_load(group->left), within);
    i32v y = i32v_and(i32v_load(group->top), within), block, tile;
    const int32_t *masks[2] = {(const int32_t *)group->mask[0], (const int32_t *)group->mask[1]};
    m32v other_tile;

    block = i32v_or(i32v_and(y, i32v_set1(-BLOCK_DIM)), i32v_srl(x, 3));
    tile = i32v_compress(i32v_load((const int32_t *)group->tile), triangles);
    i32v_store_pairs(spans->rows + n, i32v_compress(i32v_load(masks[0]), triangles),
                     i32v_compress(i32v_load(masks[1]), triangles));
    i32v_storeu((int32_t *)spans->tile + n, tile);
    i32v_store_low_bytes(spans->triangle + n, i32v_compress(i32v_iota(0), triangles));
    memset(spans->pos + n, 0, SMALL_TRI_GROUP);
    i32v_store_low_bytes(spans->block + n, i32v_compress(block, triangles));
    other_tile = m32v_not(i32v_eq(tile, i32v_set1((int32_t)spans->tile[0])));
    spans->several_tiles |= (m32v_bits(other_tile) & ((1u << count) - 1)) != 0;
    spans->blocks |= simd_union_of_shifts(raster_frag_span_blocks(0), block, triangles);
    spans->n = n + count;
}

#else

static void add_whole(struct frag_spans *spans, const struct raster_small_tri_group *group,
                      uint32_t triangles)
{
    for (; triangles; triangles &= triangles - 1) {
        unsigned k = (unsigned)__builtin_ctz(triangles);

        raster_frag_span_add(spans, group, raster_small_mask(group, k), k, 0, group->left[k],
                             group->top[k]);
    }
}

#endif

/* --- Lists ------------------------------------------------------------------------------------ */

/* Repeats a byte eight times. */
SIMD_INLINE uint64_t eight_times(unsigned byte)
{
    return byte * UINT64_C(0x0101010101010101);
}

/* Removes the first eight pixels of an 8x8 mask and returns their positions, y * 16 + x, a byte
 * each. Bytes past the last pixel are undefined. */
SIMD_INLINE uint64_t first_positions(uint64_t *rows)
{
    const uint64_t end = UINT64_C(1) << 63; /* keeps ctz defined */
    uint64_t numbers = 0;

    UNROLL
    for (unsigned k = 0; k < 8; k++) {
        numbers |= (uint64_t)__builtin_ctzll(*rows | end) << 8 * k;
        *rows &= *rows - 1;
    }
    return numbers + (numbers & eight_times(0x38));
}

/* Writes eight positions at a time: branches on the pixel count of small triangles are
 * unpredictable. */
static void list(struct frag_list *frag_list, struct frag_spans *spans)
{
    unsigned n = 0;

    for (unsigned p = 0; p < spans->n; p++) {
        uint64_t rows = spans->rows[p], triangles = eight_times(spans->triangle[p]);
        unsigned count = (unsigned)__builtin_popcountll(rows);

        for (unsigned i = 0; i < count; i += 8) {
            uint64_t positions = first_positions(&rows) + eight_times(spans->pos[p]);

            memcpy(frag_list->pos + n + i, &positions, sizeof(positions));
            memcpy(frag_list->triangle + n + i, &triangles, sizeof(triangles));
        }
        spans->count[p] = (uint8_t)count;
        n += count;
    }
    frag_list->n = n;
}

#if SIMD_LANES == 16
SIMD_VBMI2_CODE static void list_vbmi2(struct frag_list *frag_list, struct frag_spans *spans)
{
    /* Positions y * 16 + x of the pixels of an 8x8 mask. */
    static const _Alignas(64) uint64_t all[8] = {
        0x0706050403020100, 0x1716151413121110, 0x2726252423222120, 0x3736353433323130,
        0x4746454443424140, 0x5756555453525150, 0x6766656463626160, 0x7776757473727170};
    unsigned n = 0;

    for (unsigned p = 0; p < spans->n; p++) {
        unsigned count = (unsigned)__builtin_popcountll(spans->rows[p]);

        simd_store_chosen_bytes(spans->rows[p], count, (const uint8_t *)all, spans->pos[p],
                                frag_list->pos + n, spans->triangle[p], frag_list->triangle + n);
        spans->count[p] = (uint8_t)count;
        n += count;
    }
    frag_list->n = n;
}
#endif

static void list_spans(struct frag_list *frag_list, struct frag_spans *spans)
{
#if SIMD_LANES == 16
    if (cpu_has_avx512_vbmi()) {
        list_vbmi2(frag_list, spans);
        return;
    }
#endif
    list(frag_list, spans);
}

/* --- Planes ----------------------------------------------------------------------------------- */

/* The triangles of a vector's fragments, and the distances from their anchors. */
struct frag_vector {
    struct simd_lookup_index triangle;
    f32v dx, dy;
    d64v wide_dx, wide_dy;
};

SIMD_INLINE i32v pick_words(const int32_t row[SMALL_TRI_GROUP],
                            const struct simd_lookup_index *picks)
{
    return f32v_bits(simd_lookup((const float *)(const void *)row, picks));
}

SIMD_INLINE f32v pick_depth(const float plane[3][SMALL_TRI_GROUP], const struct frag_vector *at)
{
    struct interp_lanes own = {simd_lookup(plane[0], &at->triangle),
                               simd_lookup(plane[1], &at->triangle),
                               simd_lookup(plane[2], &at->triangle)};

    return depth_at(&own, at->dx, at->dy);
}

SIMD_INLINE d64v pick_wide(const struct raster_attr_plane_soa *plane, unsigned k,
                           const struct frag_vector *at)
{
    return d64v_of_words(simd_lookup(plane->low[k], &at->triangle),
                         simd_lookup(plane->high[k], &at->triangle));
}

SIMD_INLINE struct attr_lanes pick_attr(const struct raster_attr_plane_soa *plane,
                                        const struct frag_vector *at)
{
    return (struct attr_lanes){simd_lookup(plane->value, &at->triangle),
                               simd_lookup(plane->tiny, &at->triangle), pick_wide(plane, 0, at),
                               pick_wide(plane, 1, at), pick_wide(plane, 2, at)};
}

/* A constant attribute must keep its bits. Evaluating its plane without perspective adds zeros,
 * which changes only noncanonical constants, so otherwise only those need the select. w NULL: no
 * triangle has perspective. */
SIMD_INLINE void put_attributes(struct attr_rows to, const struct raster_interp_plane_soa *soa,
                                const struct frag_vector *at, const d64v *w,
                                const struct raster_attr *attr, unsigned n_attrs)
{
    const uint32_t varies = soa->varies;
    const bool keeps_const = w || soa->noncanonical_const;
    i32v const_attribs = pick_words(soa->const_attribs, &at->triangle);

    for (unsigned n = 0; n < n_attrs; n++) {
        i32v bit = i32v_set1((int32_t)(1u << n));
        f32v value = simd_lookup(soa->attr[n].value, &at->triangle);

        if (varies >> n & 1) {
            struct attr_lanes plane = pick_attr(&soa->attr[n], at);
            d64v sum = attr_sum(&plane, at->wide_dx, at->wide_dy);
            f32v varying = w && attr[n].interp == RASTER_PERSPECTIVE
                               ? attr_of_sum(sum, w, plane.tiny)
                               : attr_of_sum(sum, NULL, plane.tiny);

            value = keeps_const
                        ? f32v_select(i32v_eq(i32v_and(const_attribs, bit), bit), value, varying)
                        : varying;
        }
        f32v_storeu(to.row[n] + to.at, value);
    }
}

SIMD_INLINE void put_vector(struct frag_batch *to, struct attr_rows rows, unsigned lane,
                            const struct raster_small_tri_group *group,
                            const struct raster_interp_plane_soa *soa,
                            const struct frag_list *frag_list, unsigned first, bool half,
                            const struct raster_attr *attr, unsigned n_attrs, int32_t tile)
{
    i32v triangle = i32v_and(simd_widen_bytes(frag_list->triangle + first), i32v_set1(15));
    i32v pos = simd_widen_bytes(frag_list->pos + first); /* undefined past the last fragment */
    struct frag_vector at = {.triangle =
                                 simd_lookup_index_of(triangle, frag_list->triangle[first], half)};
    const struct simd_lookup_index *picks = &at.triangle;
    i32v x = i32v_add(pick_words(group->left, picks), i32v_and(pos, i32v_set1(15)));
    i32v y = i32v_add(pick_words(group->top, picks), i32v_srl(pos, 4));
    i32v within = i32v_set1(tile - 1);

    at.dx = f32v_sub(i32v_to_f32(x), simd_lookup(soa->anchor_x, picks));
    at.dy = f32v_sub(i32v_to_f32(y), simd_lookup(soa->anchor_y, picks));
    at.wide_dx = f32v_widen(at.dx);
    at.wide_dy = f32v_widen(at.dy);
    pos = i32v_or(i32v_and(x, within), i32v_sll(i32v_and(y, within), TILE_SHIFT));
    i32v_storeu(to->pos + lane, pos);
    f32v_storeu(to->z + lane,
                f32v_add(pick_depth(soa->z, &at), simd_lookup(soa->depth_offset, picks)));
    if (soa->divides) {
        struct attr_lanes rhw = pick_attr(&soa->rhw, &at);
        d64v w = w_of_sum(attr_sum(&rhw, at.wide_dx, at.wide_dy));

        put_attributes(rows, soa, &at, &w, attr, n_attrs);
    } else {
        put_attributes(rows, soa, &at, NULL, attr, n_attrs);
    }
}

/* A vector that reaches past the batch's last lane. */
static __attribute__((noinline)) void
put_last_vector(struct frag_batch *to, unsigned lane, const struct raster_small_tri_group *group,
                const struct raster_interp_plane_soa *soa, const struct frag_list *frag_list,
                unsigned first, const struct raster_attr *attr, unsigned n_attrs, int32_t tile)
{
    struct spare_rows spare;

    put_vector(to, raster_use_spare_rows(&spare, n_attrs), lane, group, soa, frag_list, first,
               false, attr, n_attrs, tile);
    raster_copy_spare_rows(&spare, to, lane, n_attrs, 0);
}

static unsigned interpolate(struct frag_batch *to, const struct raster_small_tri_group *group,
                            const struct raster_interp_plane_soa *soa,
                            const struct frag_list *frag_list, unsigned first,
                            const struct raster_attr *attr, unsigned n_attrs, int32_t tile)
{
    unsigned n = frag_list->n - first, room = RASTER_LANES - to->n;

    n = n < room ? n : room;
    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        unsigned lane = to->n + i, last = i + SIMD_LANES < n ? i + SIMD_LANES - 1 : n - 1;

        if (lane + SIMD_LANES > RASTER_LANES)
            put_last_vector(to, lane, group, soa, frag_list, first + i, attr, n_attrs, tile);
        else if (simd_fits_half_row(frag_list->triangle[first + i],
                                    frag_list->triangle[first + last]))
            put_vector(to, (struct attr_rows){to->attr, lane}, lane, group, soa, frag_list,
                       first + i, true, attr, n_attrs, tile);
        else
            put_vector(to, (struct attr_rows){to->attr, lane}, lane, group, soa, frag_list,
                       first + i, false, attr, n_attrs, tile);
    }
    to->n += n;
    return first + n;
}

SIMD_INLINE void encode_depths(const struct raster_depth_stencil *ds, unsigned code,
                               const struct frag_batch *frags, uint32_t *depth)
{
    EACH_VECTOR(i)
    {
        i32v z = encode_depth(code, f32v_load(frags->z + i), depth_scale(ds));

        i32v_storeu((int32_t *)depth + i, i32v_mul(z, i32v_set1(1 << ds->shift)));
    }
}

static void finish(const struct raster_depth_stencil *ds, const struct frag_batch *frags,
                   uint32_t *depth, uint16_t *pos)
{
    if (ds->code == RASTER_DEPTH_UNORM)
        encode_depths(ds, RASTER_DEPTH_UNORM, frags, depth);
    else
        encode_depths(ds, ds->code, frags, depth);
    for (unsigned i = 0; i < RASTER_LANES; i++)
        pos[i] = (uint16_t)frags->pos[i];
}

const struct raster_preshade_kern KERN_NAME(raster_preshade_kern) = {
    .add_whole = add_whole,
    .list = list_spans,
    .interpolate = interpolate,
    .finish = finish,
};
