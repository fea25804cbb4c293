/* Fragment batch kernel: interpolates fragments of small triangles into lanes and tests them
 * (reference: raster/interpolation, raster/perspective). */
#include "raster/shade/frag_batch_kern.h"

#include "raster/output/frag_words.h"
#include "raster/zs/depth_lanes.h"
#include "raster/prim/kern_lanes.h"
#include "raster/bin/prefetch.h"
#include "util/cpu.h"
#include "util/simd/blocks.h"
#include "util/simd/math.h"

/* --- From primitives to lanes ----------------------------------------------------------------- */

/* Values that all fragments of a primitive share. */
struct source {
    const struct raster_prim *prim;
    const struct tile_origin *tile;
    unsigned x, y; /* position of its 8x8 pixels in the tile */
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

/* Stores an attribute's sums. tiny NULL: small ones stay. half: only the lanes of the first half,
 * because there are no more. */
SIMD_INLINE void put_sum(float *to, d64v sum, const float *tiny, bool half)
{
    if (half && !tiny)
        f32h_storeu(to, d64h_narrow(sum.half[0]));
    else if (!tiny)
        f32v_storeu(to, d64v_narrow(sum));
    else if (half)
        f32h_storeu(to, f32h_clear_below(d64h_narrow(sum.half[0]), *tiny));
    else
        f32v_storeu(to, attr_of_sum(sum, f32v_set1(*tiny)));
}

SIMD_INLINE void put_plane(float *to, const struct raster_attr_plane *plane, d64v dx, d64v dy,
                           bool half)
{
    put_sum(to, attr_sum_at(plane, dx, dy), &plane->tiny, half);
}

/* Most primitives of a batch have the same constant attributes, so the branch is predicted. */
SIMD_INLINE void put_attributes(struct frag_batch *to, const struct source *from, unsigned at,
                                d64v dx, d64v dy, bool half)
{
    const struct raster_prim *prim = from->prim;
    uint32_t unit_attribs = to->unit_attribs;
    uint64_t const_attribs = prim->const_attribs;

    for (unsigned n = 0; n < from->n_attrs; n++) {
        const struct raster_attr_plane *plane = &prim->attr[n];

        if (unit_attribs >> n & 1)
            continue;
        if (const_attribs >> n & 1)
            f32v_storeu(to->attr[n] + at, f32v_set1(plane->value));
        else
            put_plane(to->attr[n] + at, plane, dx, dy, half);
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

SIMD_INLINE void put_quad_values(struct raster_quad_values *to, unsigned lane,
                                 const struct raster_attr_plane *plane, const struct distances *d,
                                 const float *tiny, bool half)
{
    d64v a = d64v_set1(plane->a0), b = d64v_set1(plane->dadx), c = d64v_set1(plane->dady);
    d64v left = d64v_mul(b, d->left), top = d64v_add(a, d64v_mul(c, d->top));
    d64v right = d64v_mul(b, d->right), bottom = d64v_add(a, d64v_mul(c, d->bottom));

    put_sum(to->at[0] + lane, d64v_add(top, left), tiny, half);
    put_sum(to->at[1] + lane, d64v_add(top, right), tiny, half);
    put_sum(to->at[2] + lane, d64v_add(bottom, left), tiny, half);
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
    struct raster_quad_values *values = to->quad_attr;

    if (!prim->affine)
        put_quad_values(&to->quad_rhw, at, &prim->rhw, &d, NULL, half);
    for (uint64_t deriv_attribs = from->deriv_attribs; deriv_attribs;
         deriv_attribs &= deriv_attribs - 1) {
        unsigned a = (unsigned)__builtin_ctzll(deriv_attribs);
        const struct raster_attr_plane *plane = &prim->attr[a];

        if (prim->const_attribs >> a & 1)
            for (unsigned p = 0; p < 3; p++)
                f32v_storeu(values->at[p] + at, f32v_set1(plane->value));
        else
            put_quad_values(values, at, plane, &d, &plane->tiny, half);
        values++;
    }
}

/* Interpolates a vector of fragments; number: indices of their pixels in the 8x8 mask. half: the
 * second half of the vector has none. */
SIMD_INLINE void put_vector(struct frag_batch *to, const struct source *from, i32v number,
                            unsigned at, bool half)
{
    const struct raster_prim *prim = from->prim;
    i32v x = i32v_add(i32v_and(number, i32v_constant(7)), i32v_set1((int32_t)from->x));
    i32v y = i32v_add(i32v_srl(number, 3), i32v_set1((int32_t)from->y));
    i32v pos =
        i32v_or(i32v_or(x, i32v_sll(y, TILE_SHIFT)), i32v_set1(prim->affine ? FRAG_AFFINE : 0));
    f32v dx = distance(x, from->tile->x, prim->anchor_x);
    f32v dy = distance(y, from->tile->y, prim->anchor_y);
    d64v wide_dx = f32v_widen(dx), wide_dy = f32v_widen(dy);

    i32v_storeu(to->pos + at, pos);
    i32v_storeu(to->const_attribs + at, i32v_set1((int32_t)prim->const_attribs));
    if (from->depth)
        f32v_storeu(to->z + at,
                    f32v_add(plane_at(&prim->z, dx, dy), f32v_set1(prim->depth_offset)));
    if (!prim->affine)
        put_sum(to->rhw + at, attr_sum_at(&prim->rhw, wide_dx, wide_dy), NULL, half);
    put_attributes(to, from, at, wide_dx, wide_dy, half);
    if (from->deriv_attribs)
        put_quads(to, from, at, x, y, half);
}

/* simd_bit_indices or a function with the same result. */
typedef void bit_indices_fn(uint64_t block, int32_t number[SIMD_MAX_BIT_INDICES]);

SIMD_INLINE bool put_pixels(struct frag_batch *to, uint64_t *in_flight, const struct source *from,
                            uint64_t rows, bit_indices_fn *find_indices)
{
    unsigned n = (unsigned)__builtin_popcountll(rows), at = to->n;
    _Alignas(64) int32_t number[SIMD_MAX_BIT_INDICES];

    if (at + n > RASTER_LANES || !simd_claim_block(in_flight + from->y, rows, from->x))
        return false;
    to->n = at + n;
    if (!rows)
        return true;
    update_unit_attribs(to, from, at);
    find_indices(rows, number);
    if (n <= SIMD_LANES / 2) { /* most small triangles */
        put_vector(to, from, i32v_load(number), at, true);
        return true;
    }
    put_vector(to, from, i32v_load(number), at, false);
    for (unsigned i = SIMD_LANES; i < n; i += SIMD_LANES)
        put_vector(to, from, i32v_load(number + i), at + i, false);
    return true;
}

static struct source source_of(const struct raster_pipeline *pipeline,
                               const struct tile_origin *tile)
{
    return (struct source){.tile = tile,
                           .n_attrs = pipeline->shades ? pipeline->s.n_attrs : 0,
                           .unit_attribs = pipeline->rgba8 ? (uint32_t)pipeline->s.unit_attribs : 0,
                           .deriv_attribs = pipeline->shades ? pipeline->s.deriv_attribs : 0,
                           .depth = pipeline->depth_used};
}

static bool put(struct frag_batch *frags, uint64_t in_flight[IN_FLIGHT_ROWS],
                const struct tile_origin *tile, const struct raster_prim *prim, unsigned x,
                unsigned y, uint64_t rows)
{
    struct source source = source_of(prim->pipeline, tile);

    source.prim = prim;
    source.x = x;
    source.y = y;
    return put_pixels(frags, in_flight, &source, rows, simd_bit_indices);
}

SIMD_INLINE size_t take_prims(struct frag_batch *frags, uint64_t in_flight[IN_FLIGHT_ROWS],
                              const struct tile_origin *tile,
                              const struct raster_pipeline *pipeline, const struct bin_block *cmds,
                              size_t i, uint64_t deriv_attribs, bit_indices_fn *find_indices)
{
    struct source source = source_of(pipeline, tile);
    size_t bytes = raster_prim_base_bytes(pipeline);

    source.deriv_attribs = deriv_attribs;
    for (; i < cmds->count; i++) {
        uint64_t rows;

        raster_prefetch_command(cmds, i + PREFETCH_AHEAD, bytes);
        if (!raster_is_mask8x8(cmds->command[i], pipeline))
            break;
        source.prim = raster_command_data(cmds->command[i]);
        rows = raster_mask8x8_in_tile(source.prim, tile, &source.x, &source.y);
        if (!put_pixels(frags, in_flight, &source, rows, find_indices))
            break;
    }
    return i;
}

/* Specialises the case without derivatives. */
SIMD_INLINE size_t take_by(struct frag_batch *frags, uint64_t in_flight[IN_FLIGHT_ROWS],
                           const struct tile_origin *tile, const struct raster_pipeline *pipeline,
                           const struct bin_block *cmds, size_t i, bit_indices_fn *find_indices)
{
    if (pipeline->shades && pipeline->s.deriv_attribs)
        return take_prims(frags, in_flight, tile, pipeline, cmds, i, pipeline->s.deriv_attribs,
                          find_indices);
    return take_prims(frags, in_flight, tile, pipeline, cmds, i, 0, find_indices);
}

#if SIMD_LANES == 16
SIMD_VBMI2_CODE static size_t take_vbmi2(struct frag_batch *frags,
                                         uint64_t in_flight[IN_FLIGHT_ROWS],
                                         const struct tile_origin *tile,
                                         const struct raster_pipeline *pipeline,
                                         const struct bin_block *cmds, size_t i)
{
    return take_by(frags, in_flight, tile, pipeline, cmds, i, simd_bit_indices_vbmi2);
}
#endif

static size_t take(struct frag_batch *frags, uint64_t in_flight[IN_FLIGHT_ROWS],
                   const struct tile_origin *tile, const struct raster_pipeline *pipeline,
                   const struct bin_block *cmds, size_t i)
{
#if SIMD_LANES == 16
    if (cpu_has_avx512_vbmi())
        return take_vbmi2(frags, in_flight, tile, pipeline, cmds, i);
#endif
    return take_by(frags, in_flight, tile, pipeline, cmds, i, simd_bit_indices);
}

/* --- Depth ------------------------------------------------------------------------------------ */

/* Writes the old word back where the test fails; no other thread accesses this tile. */
SIMD_INLINE uint64_t test_words(const struct raster_depth_stencil *ds,
                                const struct frag_batch *frags, const struct tile_surface *surface,
                                uint64_t wanted, bool write, struct depth_spec spec)
{
    _Alignas(64) int32_t at[RASTER_LANES + SIMD_LANES], words[RASTER_LANES + SIMD_LANES];
    void *base = surface->base;
    unsigned n = frags->n - frags->tested, bytes = depth_class_bytes(spec.class);
    uint64_t passed = 0;

    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        i32v index = raster_frag_offsets(frags, surface, frags->tested + i, bytes), word, fresh;
        f32v z = f32v_loadu(frags->z + frags->tested + i);
        m32v passes;

        i32v_store(at + i, index);
        word = bytes == 2 ? i32v_load_uint16_at(base, at + i) : i32v_gather(base, index);
        passes = test_depth_words(ds, spec, z, word, &fresh);
        passes =
            m32v_and(passes, m32v_from_bits((unsigned)(wanted >> i) & (unsigned)SIMD_ALL_BITS));
        passed |= bits_at(passes, i);
        i32v_store(words + i, i32v_select(passes, fresh, word));
    }
    if (write && ds->depth_write && bytes == 2)
        raster_put_uint16(base, at, words, n);
    else if (write && ds->depth_write)
        raster_put_words(base, at, words, n);
    return passed & ~UINT64_C(0) >> (RASTER_LANES - n);
}

/* Specialises the common functions, for a constant class. */
SIMD_INLINE uint64_t test_class(const struct raster_depth_stencil *ds,
                                const struct frag_batch *frags, const struct tile_surface *surface,
                                uint64_t wanted, bool write, enum depth_class class)
{
    const struct depth_spec lessequal = {class, D3DCMP_LESSEQUAL}, less = {class, D3DCMP_LESS};
    const struct depth_spec any = {class, ds->depth_func};

    if (ds->depth_func == D3DCMP_LESSEQUAL)
        return test_words(ds, frags, surface, wanted, write, lessequal);
    if (ds->depth_func == D3DCMP_LESS)
        return test_words(ds, frags, surface, wanted, write, less);
    return test_words(ds, frags, surface, wanted, write, any);
}

static uint64_t test_depth(const struct raster_depth_stencil *ds, const struct frag_batch *frags,
                           const struct tile_surface *surface, uint64_t wanted, bool write)
{
    const struct depth_spec any16 = {DEPTH_ANY16, ds->depth_func};
    const struct depth_spec any32 = {DEPTH_ANY32, ds->depth_func};

    switch (depth_class_of(ds)) {
    case DEPTH_HIGH24:
        return test_class(ds, frags, surface, wanted, write, DEPTH_HIGH24);
    case DEPTH_UNORM16:
        return test_class(ds, frags, surface, wanted, write, DEPTH_UNORM16);
    case DEPTH_ANY16:
        return test_words(ds, frags, surface, wanted, write, any16);
    default:
        return test_words(ds, frags, surface, wanted, write, any32);
    }
}

static void compact_row(void *row, unsigned first, const int32_t *lanes, unsigned n)
{
    int32_t *words = (int32_t *)row + first;

    for (unsigned i = 0; i < n; i += SIMD_LANES)
        i32v_storeu(words + i, i32v_gather(words, i32v_load(lanes + i)));
}

/* Compacts in place: a lane only moves to a lower one, so no lane is overwritten before it is
 * read. */
static void keep(struct frag_batch *frags, const struct raster_state *state, uint64_t passed)
{
    _Alignas(64) int32_t lanes[SIMD_MAX_BIT_INDICES];
    unsigned first = frags->tested, n = (unsigned)__builtin_popcountll(passed);
    unsigned deriv_attribs = (unsigned)__builtin_popcountll(state->deriv_attribs);

    simd_bit_indices(passed, lanes);
    compact_row(frags->pos, first, lanes, n);
    compact_row(frags->const_attribs, first, lanes, n);
    compact_row(frags->rhw, first, lanes, n);
    if (state->alpha_test || state->kills) /* the depth test runs again after shading */
        compact_row(frags->z, first, lanes, n);
    for (unsigned a = 0; a < state->n_attrs; a++)
        if (!(frags->unit_attribs >> a & 1))
            compact_row(frags->attr[a], first, lanes, n);
    for (unsigned p = 0; p < 3 && deriv_attribs; p++) {
        compact_row(frags->quad_rhw.at[p], first, lanes, n);
        for (unsigned a = 0; a < deriv_attribs; a++)
            compact_row(frags->quad_attr[a].at[p], first, lanes, n);
    }
    frags->n = first + n;
}

/* --- Results ---------------------------------------------------------------------------------- */

/* Factor for attributes over w: w, or 1 for affine primitives. */
SIMD_INLINE f32v find_factor(const struct frag_batch *frags, const float *rhw, unsigned lane)
{
    m32v affine = m32v_from_i32(i32v_load(frags->pos + lane));
    f32v one = f32v_set1(1.0f);

    if (m32v_every(affine))
        return one;
    return f32v_select(affine, one, f32v_rcp(f32v_load(rhw + lane)));
}

/* An attribute from its value over w. */
SIMD_INLINE f32v find_value(const struct raster_attr *attr, f32v over, f32v factor,
                            m32v const_attribs)
{
    if (attr->interp != RASTER_PERSPECTIVE)
        return over;
    return f32v_select(const_attribs, over, f32v_mul(over, factor));
}

/* Factors of all lanes, and the attributes that are constant in at least one lane. */
struct factors {
    bool divides; /* at least one factor is not 1 */
    uint32_t const_attribs;
    _Alignas(64) float lane[RASTER_LANES];
};

static void find_factors(const struct frag_batch *frags, struct factors *factors)
{
    i32v affine = i32v_set1(-1), const_attribs = i32v_set1(0);
    _Alignas(64) int32_t bits[SIMD_LANES];

    for (unsigned lane = 0; lane < frags->n; lane += SIMD_LANES) {
        affine = i32v_and(affine, i32v_load(frags->pos + lane));
        const_attribs = i32v_or(const_attribs, i32v_load(frags->const_attribs + lane));
    }
    factors->divides = !m32v_every(m32v_from_i32(affine));
    if (!factors->divides)
        return;
    for (unsigned lane = 0; lane < frags->n; lane += SIMD_LANES)
        f32v_store(factors->lane + lane, find_factor(frags, frags->rhw, lane));
    i32v_store(bits, const_attribs);
    factors->const_attribs = 0;
    for (unsigned i = 0; i < SIMD_LANES; i++)
        factors->const_attribs |= (uint32_t)bits[i];
}

/* Multiplies n lanes, rounded up to vectors, by their factors. const_attribs: lanes with `bit` set
 * keep their value; or NULL. */
SIMD_INLINE void multiply(float *value, const float *over, const float *factor,
                          const int32_t *const_attribs, uint32_t bit, unsigned n)
{
    i32v bits = i32v_set1((int32_t)bit);

    for (unsigned lane = 0; lane < n; lane += SIMD_LANES) {
        f32v plain = f32v_load(over + lane), result = f32v_mul(plain, f32v_load(factor + lane));

        if (const_attribs)
            result = f32v_select(i32v_eq(i32v_and(i32v_load(const_attribs + lane), bits), bits),
                                 plain, result);
        f32v_store(value + lane, result);
    }
}

static void finish(const struct frag_batch *frags, const struct raster_state *state,
                   uint64_t skip_attribs, float *work)
{
    struct factors factors;
    unsigned n = frags->n;

    find_factors(frags, &factors);
    for (unsigned a = 0; a < state->n_attrs; a++) {
        const struct raster_attr *attr = &state->attr[a];
        const float *over = frags->attr[a];
        float *value = work + attr->slot * RASTER_LANES;
        uint32_t bit = UINT32_C(1) << a;

        if (skip_attribs >> a & 1)
            continue;
        if (!factors.divides || attr->interp != RASTER_PERSPECTIVE)
            for (unsigned lane = 0; lane < n; lane += SIMD_LANES)
                f32v_store(value + lane, f32v_load(over + lane));
        else if (factors.const_attribs & bit)
            multiply(value, over, factors.lane, frags->const_attribs, bit, n);
        else
            multiply(value, over, factors.lane, NULL, bit, n);
    }
}

/* Derivatives of a vector of lanes. */
SIMD_INLINE void find_vector_derivs(const struct frag_batch *frags,
                                    const struct raster_state *state, unsigned lane,
                                    struct raster_quad_derivs *out)
{
    i32v const_attribs = i32v_load(frags->const_attribs + lane);
    f32v factor[3];
    unsigned n = 0;

    UNROLL
    for (unsigned p = 0; p < 3; p++)
        factor[p] = find_factor(frags, frags->quad_rhw.at[p], lane);
    for (uint64_t deriv_attribs = state->deriv_attribs; deriv_attribs;
         deriv_attribs &= deriv_attribs - 1, n++) {
        unsigned a = (unsigned)__builtin_ctzll(deriv_attribs);
        i32v bit = i32v_set1((int32_t)(1u << a));
        m32v same = i32v_eq(i32v_and(const_attribs, bit), bit);
        f32v value[3];

        UNROLL
        for (unsigned p = 0; p < 3; p++)
            value[p] = find_value(&state->attr[a], f32v_load(frags->quad_attr[n].at[p] + lane),
                                  factor[p], same);
        f32v_store(out->ddx[n] + lane, f32v_sub(value[1], value[0]));
        f32v_store(out->ddy[n] + lane, f32v_sub(value[2], value[0]));
    }
}

static void find_derivs(const struct frag_batch *frags, const struct raster_state *state,
                        struct raster_quad_derivs *out)
{
    for (unsigned lane = 0; lane < frags->n; lane += SIMD_LANES)
        find_vector_derivs(frags, state, lane, out);
}

const struct raster_frag_batch_kern KERN_NAME(raster_frag_batch_kern) = {
    .take = take,
    .put = put,
    .test_depth = test_depth,
    .keep = keep,
    .finish = finish,
    .find_derivs = find_derivs,
};
