/* Triangle setup kernel, one small triangle per lane: facing, bounding box, coverage (reference:
 * raster/top-left) and interpolation planes (reference: raster/interpolation). */
#include "raster/setup/setup_kern.h"

#include "raster/prim/prim.h"
#include "raster/scene/scene.h"
#include "util/simd/simd.h"
#include "util/simd/double.h"
#include "util/simd/deinterleave3.h"

#include <stddef.h>

/* --- Coverage --------------------------------------------------------------------------------- */

/* Corners, boxes and areas of a vector of triangles, in integers. Products of triangles that are
 * not small may overflow; their results are not used. */
struct triangles {
    i32v x[3], y[3];
    i32v left, top, right, below; /* right, below: exclusive */
    i32v even_left, even_top;
    i32v area;
};

static i32v pixel_from(i32v subpixel)
{
    return i32v_sra(i32v_add(subpixel, i32v_set1(SUBPIXEL - 1)), SUBPIXEL_BITS);
}

static i32v pixel_after(i32v subpixel)
{
    return i32v_add(i32v_sra(subpixel, SUBPIXEL_BITS), i32v_set1(1));
}

static void find_boxes(struct triangles *t)
{
    const i32v *x = t->x, *y = t->y;

    t->left = pixel_from(i32v_min(x[0], i32v_min(x[1], x[2])));
    t->top = pixel_from(i32v_min(y[0], i32v_min(y[1], y[2])));
    t->right = pixel_after(i32v_max(x[0], i32v_max(x[1], x[2])));
    t->below = pixel_after(i32v_max(y[0], i32v_max(y[1], y[2])));
    t->even_left = i32v_and(t->left, i32v_set1(-2));
    t->even_top = i32v_and(t->top, i32v_set1(-2));
}

static void find_areas(struct triangles *t)
{
    const i32v *x = t->x, *y = t->y;
    i32v down = i32v_mul(i32v_sub(x[1], x[0]), i32v_sub(y[2], y[0]));
    i32v up = i32v_mul(i32v_sub(x[2], x[0]), i32v_sub(y[1], y[0]));

    t->area = i32v_sub(down, up);
}

static m32v within_rect(const struct triangles *t, const int32_t rect[4])
{
    m32v before =
        m32v_or(i32v_lt(t->left, i32v_set1(rect[0])), i32v_lt(t->top, i32v_set1(rect[1])));
    m32v after =
        m32v_or(i32v_lt(i32v_set1(rect[2]), t->right), i32v_lt(i32v_set1(rect[3]), t->below));

    return m32v_not(m32v_or(before, after));
}

/* Whether the box, from its even origin, fits n pixels in both directions. */
static m32v at_most(const struct triangles *t, int32_t n)
{
    i32v across = i32v_sub(t->right, t->even_left), down = i32v_sub(t->below, t->even_top);
    i32v end = i32v_set1(n + 1);

    return m32v_and(i32v_lt(across, end), i32v_lt(down, end));
}

/* An edge function at the pixels of a row, and its steps. */
struct edge {
    i32v at, across, down;
};

/* The edge from corner i to the next in clockwise order. An edge that does not own its pixels is
 * biased by -1. */
SIMD_INLINE struct edge find_edge(const struct triangles *t, unsigned i)
{
    unsigned next = i == 2 ? 0 : i + 1;
    i32v turn = i32v_sra(t->area, 31), zero = i32v_set1(0);
    i32v a = i32v_sub(i32v_xor(i32v_sub(t->y[i], t->y[next]), turn), turn);
    i32v b = i32v_sub(i32v_xor(i32v_sub(t->x[next], t->x[i]), turn), turn);
    i32v x = i32v_sub(t->x[i], i32v_sll(t->even_left, SUBPIXEL_BITS));
    i32v y = i32v_sub(t->y[i], i32v_sll(t->even_top, SUBPIXEL_BITS));
    m32v owns = m32v_or(i32v_lt(zero, a), m32v_and(i32v_eq(a, zero), i32v_lt(zero, b)));
    i32v at = i32v_sub(zero, i32v_add(i32v_mul(a, x), i32v_mul(b, y)));

    at = i32v_add(at, m32v_as_i32(m32v_not(owns)));
    return (struct edge){at, i32v_sll(a, SUBPIXEL_BITS), i32v_sll(b, SUBPIXEL_BITS)};
}

/* Coverage of a row, one bit per pixel from `bit` on. */
SIMD_INLINE i32v cover_row(const struct edge edge[3], int32_t columns, int bit)
{
    i32v a = edge[0].at, b = edge[1].at, c = edge[2].at, pixels = i32v_set1(0);

    for (int x = 0; x < columns; x++) {
        i32v outside = i32v_sra(i32v_or(a, i32v_or(b, c)), 31);
        i32v pixel = i32v_set1(1 << x);

        pixels = i32v_or(pixels, i32v_andnot(outside, pixel));
        a = i32v_add(a, edge[0].across);
        b = i32v_add(b, edge[1].across);
        c = i32v_add(c, edge[2].across);
    }
    return i32v_sll(pixels, bit);
}

/* Rows and columns reach as far as the largest box of the vector. Pixels beyond a smaller box are
 * outside of that triangle anyway. */
static void find_pixels(const struct triangles *t, m32v small, i32v pixels[2])
{
    i32v none = i32v_set1(0);
    int32_t columns = i32v_reduce_max(i32v_select(small, i32v_sub(t->right, t->even_left), none));
    int32_t rows = i32v_reduce_max(i32v_select(small, i32v_sub(t->below, t->even_top), none));
    struct edge edge[3] = {find_edge(t, 0), find_edge(t, 1), find_edge(t, 2)};

    pixels[0] = pixels[1] = none;
    for (int y = 0; y < rows; y++) {
        i32v row = cover_row(edge, columns, y % 4 * BLOCK_DIM);

        pixels[y / 4] = i32v_or(pixels[y / 4], row);
        for (unsigned i = 0; i < 3; i++)
            edge[i].at = i32v_add(edge[i].at, edge[i].down);
    }
}

/* The tile that contains the box, or NO_TILE. */
static i32v find_tiles(const struct raster_small_tri_group *g, const struct triangles *t)
{
    i32v one = i32v_set1(1);
    int shift = (int)g->tile_shift;
    i32v x = i32v_sra(t->left, shift), last_x = i32v_sra(i32v_sub(t->right, one), shift);
    i32v y = i32v_sra(t->top, shift), last_y = i32v_sra(i32v_sub(t->below, one), shift);
    m32v same = m32v_and(i32v_eq(x, last_x), i32v_eq(y, last_y));
    i32v tile = i32v_add(x, i32v_mul(y, i32v_set1((int32_t)g->tiles_x)));

    return i32v_select(same, tile, i32v_set1(NO_TILE));
}

/* Clip planes that vertices fail. */
SIMD_INLINE i32v find_outside(const struct raster_screen_vertex *screen, i32v index)
{
    const int32_t stride = sizeof(*screen) / sizeof(int32_t);

    return i32v_gather((const int32_t *)(const void *)&screen->outside,
                       i32v_mul(index, i32v_set1(stride)));
}

/* Loads the corners of triangles from `first` on; returns those inside all clip planes. `valid`:
 * triangles whose indices exist. */
SIMD_INLINE m32v load_corners(struct raster_small_tri_group *g, unsigned first, struct triangles *t,
                              m32v *valid)
{
    const char *screen = (const char *)g->screen;
    const int32_t stride = sizeof(*g->screen);
    i32v outside = i32v_set1(0), sign = i32v_set1(INT32_MIN);
    i32v end = i32v_xor(i32v_set1((int32_t)g->n_vertices), sign), triple[3];

    *valid = m32v_all();
    i32v_load_deinterleave3((const int32_t *)g->indices + 3 * first, triple);
    for (unsigned k = 0; k < 3; k++) {
        _Alignas(64) uint32_t at[SIMD_LANES];
        m32v there = i32v_lt(i32v_xor(triple[k], sign), end);
        i32v index = i32v_select(there, triple[k], i32v_set1(0));
        f32v v[4];

        *valid = m32v_and(*valid, there);
        i32v_store((int32_t *)g->index[k] + first, index);
        i32v_store((int32_t *)at, i32v_mul(index, i32v_set1(stride)));
        f32v_load_rows(screen, at, v);
        if (!g->inside)
            outside = i32v_or(outside, find_outside(g->screen, index));
        t->x[k] = f32v_bits(v[0]);
        t->y[k] = f32v_bits(v[1]);
        i32v_store(g->x[k] + first, t->x[k]);
        i32v_store(g->y[k] + first, t->y[k]);
        f32v_store(g->z[k] + first, v[2]);
        f32v_store(g->rhw[k] + first, v[3]);
    }
    return i32v_eq(outside, i32v_set1(0));
}

static void find_coverage_from(struct raster_small_tri_group *g, unsigned first)
{
    i32v zero = i32v_set1(0), pixels[2];
    m32v valid, some, small, faces = m32v_none(), drawn;
    struct triangles t;
    i32v tile;

    some = load_corners(g, first, &t, &valid);
    find_boxes(&t);
    find_areas(&t);
    some = m32v_and(m32v_and(some, within_rect(&t, g->rect)), at_most(&t, 2 * BLOCK_DIM));
    if (g->clockwise)
        faces = i32v_lt(zero, t.area);
    if (g->counter_clockwise)
        faces = m32v_or(faces, i32v_lt(t.area, zero));
    g->fallback |= (uint32_t)m32v_bits(m32v_andnot(some, valid)) << first;
    some = m32v_and(some, m32v_and(faces, valid)); /* culled triangles have no pixels */
    small = m32v_and(some, at_most(&t, BLOCK_DIM));
    find_pixels(&t, small, pixels);
    drawn = m32v_andnot(i32v_eq(i32v_or(pixels[0], pixels[1]), zero), small);
    tile = find_tiles(g, &t);
    g->fits_8x8 |= (uint32_t)m32v_bits(drawn) << first;
    g->multi_tile |= (uint32_t)m32v_bits(m32v_and(drawn, i32v_eq(tile, i32v_set1(NO_TILE))))
                     << first;
    g->needs_16x16 |= (uint32_t)m32v_bits(m32v_andnot(small, some)) << first;
    i32v_store(g->area + first, t.area);
    i32v_store(g->left + first, t.even_left);
    i32v_store(g->top + first, t.even_top);
    i32v_store(g->tile + first, tile);
    i32v_store((int32_t *)g->mask[0] + first, pixels[0]);
    i32v_store((int32_t *)g->mask[1] + first, pixels[1]);
    i32v_store((int32_t *)g->n_parts + first, i32v_and(m32v_as_i32(drawn), i32v_set1(1)));
}

static void find_coverage(struct raster_small_tri_group *g)
{
    g->fits_8x8 = g->multi_tile = g->needs_16x16 = g->fallback = 0;
    for (unsigned i = 0; i < SMALL_TRI_GROUP; i += SIMD_LANES)
        find_coverage_from(g, i);
}

/* --- Planes ----------------------------------------------------------------------------------- */

/* Factors that turn differences from the anchor's value into dadx and dady, per pixel; `edge`: the
 * same times the area, integers. */
struct plane_factors {
    d64v b1, b2, c1, c2, area;
    struct {
        d64v b1, b2, c1, c2;
    } edge;
};

/* An attribute plane. */
struct attr_plane {
    f32v value, tiny;
    d64v a0, dadx, dady;
};

/* A vector of triangles at setup. `at`: offsets of their primitives; triangles that are not drawn
 * write past the last primitive. */
struct tri_vector {
    const struct raster_small_tri_group *g;
    const struct raster_small_tri_buffers *buffers;
    unsigned first;
    const uint32_t *at;
    m32v affine, noncanonical_const;
    bool divides;    /* a triangle is not affine */
    uint32_t varies; /* attributes that are not constant in all triangles; valid for up to 32
                        attributes */
    i32v const_attribs[2];
};

/* The difference is below 2^24, so the float is exact. */
SIMD_INLINE d64v difference(const int32_t *from, const int32_t *to)
{
    return f32v_widen(i32v_to_f32(i32v_sub(i32v_load(to), i32v_load(from))));
}

/* Up to 25 bits: converted in two parts to be exact. */
SIMD_INLINE d64v area_of(const int32_t *from)
{
    i32v area = i32v_load(from);
    d64v low = f32v_widen(i32v_to_f32(i32v_and(area, i32v_set1(0xff))));

    return d64v_add(d64v_mul(f32v_widen(i32v_to_f32(i32v_sra(area, 8))), d64v_set1(256)), low);
}

SIMD_INLINE struct plane_factors find_plane_factors(const struct raster_small_tri_group *g,
                                                    unsigned i)
{
    struct d64_divisor area = d64v_divisor(area_of(g->area + i));
    d64v scale = d64v_over(d64v_set1(SUBPIXEL), &area), pixel = d64v_set1(SUBPIXEL);
    d64v b1 = difference(g->y[0] + i, g->y[2] + i), b2 = difference(g->y[1] + i, g->y[0] + i);
    d64v c1 = difference(g->x[2] + i, g->x[0] + i), c2 = difference(g->x[0] + i, g->x[1] + i);

    return (struct plane_factors){
        .b1 = d64v_mul(b1, scale),
        .b2 = d64v_mul(b2, scale),
        .c1 = d64v_mul(c1, scale),
        .c2 = d64v_mul(c2, scale),
        .area = area.value,
        .edge = {d64v_mul(b1, pixel), d64v_mul(b2, pixel), d64v_mul(c1, pixel),
                 d64v_mul(c2, pixel)},
    };
}

/* A slope that a double holds is exact (reference: raster/interpolation). */
SIMD_INLINE d64v find_slope(d64v d1, d64v d2, d64v b1, d64v b2, d64v area)
{
    return d64v_div(d64v_add(d64v_mul(d1, b1), d64v_mul(d2, b2)), area);
}

SIMD_INLINE struct attr_plane find_attr_plane(const struct plane_factors *s, const d64v f[3],
                                              f32v tiny)
{
    d64v d1 = d64v_sub(f[1], f[0]), d2 = d64v_sub(f[2], f[0]);

    return (struct attr_plane){
        .value = d64v_narrow(f[0]),
        .tiny = tiny,
        .a0 = f[0],
        .dadx = find_slope(d1, d2, s->edge.b1, s->edge.b2, s->area),
        .dady = find_slope(d1, d2, s->edge.c1, s->edge.c2, s->area),
    };
}

/* The plane of an attribute that has one value everywhere. */
SIMD_INLINE struct attr_plane const_plane(f32v value)
{
    d64v zero = d64v_set1(0.0);

    return (struct attr_plane){value, f32v_zero(), f32v_widen(value), zero, zero};
}

/* Where `same`, the plane of a constant. */
SIMD_INLINE struct attr_plane select_const(m32v same, f32v value, const struct attr_plane *plane)
{
    struct attr_plane flat = const_plane(value);

    return (struct attr_plane){
        .value = f32v_select(same, flat.value, plane->value),
        .tiny = f32v_select(same, flat.tiny, plane->tiny),
        .a0 = d64v_select(same, flat.a0, plane->a0),
        .dadx = d64v_select(same, flat.dadx, plane->dadx),
        .dady = d64v_select(same, flat.dady, plane->dady),
    };
}

/* a0, dadx and dady in double precision, rounded once at the end. */
SIMD_INLINE void find_plane(f32v out[3], const struct plane_factors *s, const d64v f[3])
{
    d64v d1 = d64v_sub(f[1], f[0]), d2 = d64v_sub(f[2], f[0]);

    out[0] = d64v_narrow(f[0]);
    out[1] = d64v_narrow(d64v_add(d64v_mul(d1, s->b1), d64v_mul(d2, s->b2)));
    out[2] = d64v_narrow(d64v_add(d64v_mul(d1, s->c1), d64v_mul(d2, s->c2)));
}

/* Whether adding 0 keeps the bits. */
SIMD_INLINE m32v keeps_bits(f32v value)
{
    return i32v_eq(f32v_bits(f32v_add(value, f32v_zero())), f32v_bits(value));
}

/* The size below which results are rounding errors. */
SIMD_INLINE f32v find_tiny(const f32v v[3], const f32v factor[3], bool divides)
{
    f32v size[3];

    UNROLL
    for (unsigned k = 0; k < 3; k++)
        size[k] = f32v_abs(divides ? f32v_mul(v[k], factor[k]) : v[k]);
    return f32v_mul(f32v_max(f32v_max(size[0], size[1]), size[2]), f32v_set1(RASTER_TINY));
}

SIMD_INLINE struct attr_plane find_attribute(struct tri_vector *l, const struct plane_factors *s,
                                             const f32v rhw[3], const f32v v[3], unsigned n)
{
    unsigned interp = l->buffers->pipeline->s.attr[n].interp;
    m32v same = m32v_and(f32v_eq(v[0], v[1]), f32v_eq(v[0], v[2]));
    i32v bit = i32v_set1((int32_t)(UINT32_C(1) << n % 32));
    bool divides = l->divides && interp == RASTER_PERSPECTIVE;
    struct attr_plane plane = const_plane(v[0]);
    d64v f[3];

    if (interp == RASTER_FLAT)
        same = m32v_all();
    if (!m32v_every(same)) { /* alpha is often constant */
        l->varies |= UINT32_C(1) << n % 32;
        UNROLL
        for (unsigned k = 0; k < 3; k++)
            f[k] = divides ? d64v_mul(f32v_widen(v[k]), f32v_widen(rhw[k])) : f32v_widen(v[k]);
        plane = find_attr_plane(s, f, find_tiny(v, rhw, divides));
        if (m32v_any(same))
            plane = select_const(same, v[0], &plane);
    }
    l->noncanonical_const = m32v_or(l->noncanonical_const, m32v_andnot(keeps_bits(v[0]), same));
    l->const_attribs[n / 32] = i32v_or(l->const_attribs[n / 32], i32v_and(m32v_as_i32(same), bit));
    return plane;
}

/* Writes an attribute plane to the primitives, at an offset. */
SIMD_INLINE void put_attr_plane(const struct tri_vector *l, size_t offset,
                                const struct attr_plane *plane)
{
    f32v row[8] = {plane->value, plane->tiny};

    d64v_words(plane->a0, &row[2], &row[3]);
    d64v_words(plane->dadx, &row[4], &row[5]);
    d64v_words(plane->dady, &row[6], &row[7]);
    f32v_store_rows_at(l->buffers->prims + offset, l->at, row);
    f32v_store_rows_at(l->buffers->prims + offset + 4 * sizeof(float), l->at, row + 4);
}

SIMD_INLINE void put_attr_plane_soa(struct raster_attr_plane_soa *to, unsigned first,
                                    const struct attr_plane *plane)
{
    const d64v wide[3] = {plane->a0, plane->dadx, plane->dady};

    f32v_store(to->value + first, plane->value);
    f32v_store(to->tiny + first, plane->tiny);
    UNROLL
    for (unsigned k = 0; k < 3; k++) {
        f32v low, high;

        d64v_words(wide[k], &low, &high);
        f32v_store(to->low[k] + first, low);
        f32v_store(to->high[k] + first, high);
    }
}

/* Writes planes to primitives or, if `soa` is not NULL, in SoA form. */
SIMD_INLINE void put_attributes(struct tri_vector *l, const struct plane_factors *s,
                                const f32v rhw[3], struct raster_interp_plane_soa *soa)
{
    const struct raster_small_tri_buffers *buffers = l->buffers;
    const char *vertices = (const char *)(buffers->vertices + RASTER_V_ATTR);
    _Alignas(64) uint32_t vertex[3][SIMD_LANES];
    unsigned n_attrs = buffers->pipeline->s.n_attrs;

    for (unsigned k = 0; k < 3; k++)
        i32v_store((int32_t *)vertex[k],
                   i32v_mul(i32v_load((const int32_t *)l->g->index[k] + l->first),
                            i32v_set1((int32_t)buffers->stride_bytes)));
    for (unsigned n = 0; n < n_attrs; n += 4) {
        f32v v[3][4];

        for (unsigned k = 0; k < 3; k++)
            f32v_load_rows(vertices + n * sizeof(float), vertex[k], v[k]);
        for (unsigned i = 0; i < 4 && n + i < n_attrs; i++) {
            const f32v corner[3] = {v[0][i], v[1][i], v[2][i]};
            struct attr_plane plane = find_attribute(l, s, rhw, corner, n + i);

            if (soa)
                put_attr_plane_soa(&soa->attr[n + i], l->first, &plane);
            else
                put_attr_plane(l,
                               offsetof(struct raster_prim, attr) +
                                   (n + i) * sizeof(struct raster_attr_plane),
                               &plane);
        }
    }
}

SIMD_INLINE void put_words(const struct tri_vector *l, size_t offset, i32v a, i32v b, i32v c,
                           i32v d)
{
    const f32v row[4] = {i32v_as_f32(a), i32v_as_f32(b), i32v_as_f32(c), i32v_as_f32(d)};

    f32v_store_rows_at(l->buffers->prims + offset, l->at, row);
}

/* Bias plus slope bias times the steeper depth slope (reference: depth/bias). */
SIMD_INLINE f32v depth_offset(const struct raster_state *state, const f32v z[3])
{
    f32v steeper = f32v_max(f32v_abs(z[1]), f32v_abs(z[2]));

    return f32v_add(f32v_set1(state->values.depth_bias),
                    f32v_mul(f32v_set1(state->values.slope_bias), steeper));
}

SIMD_INLINE f32v anchor_at(const int32_t *subpixels)
{
    return f32v_mul(i32v_to_f32(i32v_load(subpixels)), f32v_set1(1.0f / SUBPIXEL));
}

/* Writes a primitive's first 16 bytes. The words are assembled in registers: narrow stores would
 * defeat store forwarding of the later wide load. */
SIMD_INLINE void put_head(const struct tri_vector *l)
{
    enum { KIND = offsetof(struct raster_prim, kind) / 4, AFFINE = 1 << 16 };
    const uint64_t pipeline = (uintptr_t)l->buffers->pipeline;
    i32v word[4] = {i32v_set1((int32_t)pipeline), i32v_set1((int32_t)(pipeline >> 32)),
                    i32v_set1(0), i32v_set1(0)};

    _Static_assert(offsetof(struct raster_prim, pipeline) == 0 && KIND < 4 &&
                       offsetof(struct raster_prim, kind) % 4 == 0 &&
                       offsetof(struct raster_prim, affine) == 4 * KIND + 2,
                   "a store of four words takes them");
    word[KIND] = i32v_and(m32v_as_i32(l->affine), i32v_set1(AFFINE));
    word[KIND] = i32v_or(word[KIND], i32v_set1(PRIM_MASK8X8));
    put_words(l, 0, word[0], word[1], word[2], word[3]);
}

/* Writes coverage, anchor, depth and rhw planes of a primitive. */
SIMD_INLINE void put_body(const struct tri_vector *l, const f32v z[3], const struct attr_plane *rhw)
{
    const struct raster_small_tri_group *g = l->g;
    unsigned i = l->first;
    m32v back = i32v_lt(i32v_load(g->area + i), i32v_set1(0));
    f32v anchor_x = anchor_at(g->x[0] + i), anchor_y = anchor_at(g->y[0] + i);
    f32v face = f32v_select(back, f32v_set1(-1.0f), f32v_set1(1.0f));
    f32v offset = depth_offset(&l->buffers->pipeline->s, z);
    i32v zero = i32v_set1(0);

    _Static_assert(offsetof(struct raster_prim, rhw) == offsetof(struct raster_prim, z) + 16 &&
                       offsetof(struct raster_prim, attr) ==
                           offsetof(struct raster_prim, const_attribs) + 16,
                   "stores of four words take z and const_attribs");
    put_words(l, offsetof(struct raster_prim, coverage), i32v_load(g->left + i),
              i32v_load(g->top + i), i32v_load((const int32_t *)g->mask[0] + i),
              i32v_load((const int32_t *)g->mask[1] + i));
    put_words(l, offsetof(struct raster_prim, anchor_x), f32v_bits(anchor_x), f32v_bits(anchor_y),
              f32v_bits(face), f32v_bits(offset));
    put_words(l, offsetof(struct raster_prim, z), f32v_bits(z[0]), f32v_bits(z[1]), f32v_bits(z[2]),
              zero);
    put_attr_plane(l, offsetof(struct raster_prim, rhw), rhw);
    put_words(l, offsetof(struct raster_prim, const_attribs), l->const_attribs[0],
              l->const_attribs[1], zero, zero);
}

/* Writes all planes but attributes in SoA form. */
SIMD_INLINE void put_soa(const struct tri_vector *l, struct raster_interp_plane_soa *soa,
                         const f32v z[3], const struct attr_plane *rhw)
{
    const struct raster_small_tri_group *g = l->g;
    unsigned i = l->first;

    f32v_store(soa->anchor_x + i, anchor_at(g->x[0] + i));
    f32v_store(soa->anchor_y + i, anchor_at(g->y[0] + i));
    f32v_store(soa->depth_offset + i, depth_offset(&l->buffers->pipeline->s, z));
    for (unsigned k = 0; k < 3; k++)
        f32v_store(soa->z[k] + i, z[k]);
    put_attr_plane_soa(&soa->rhw, i, rhw);
    i32v_store(soa->const_attribs + i, l->const_attribs[0]);
    soa->divides |= l->divides;
    soa->varies |= l->varies;
    soa->noncanonical_const |= m32v_any(l->noncanonical_const);
}

/* soa: NULL, or destination in SoA form. */
SIMD_INLINE void put_planes(struct tri_vector *l, struct raster_interp_plane_soa *soa)
{
    const struct raster_small_tri_group *g = l->g;
    struct plane_factors plane_factors = find_plane_factors(g, l->first);
    f32v z[3], corner[3], factor[3];
    struct attr_plane rhw;
    d64v depth[3], over[3];

    UNROLL
    for (unsigned k = 0; k < 3; k++) {
        corner[k] = f32v_load(g->rhw[k] + l->first);
        depth[k] = f32v_widen(f32v_load(g->z[k] + l->first));
        over[k] = f32v_widen(corner[k]);
    }
    l->affine = m32v_and(f32v_eq(corner[0], corner[1]), f32v_eq(corner[0], corner[2]));
    l->divides = !m32v_every(l->affine);
    UNROLL
    for (unsigned k = 0; k < 3; k++)
        factor[k] = f32v_select(l->affine, f32v_set1(1.0f), corner[k]);
    put_attributes(l, &plane_factors, factor, soa);
    find_plane(z, &plane_factors, depth);
    rhw = const_plane(soa ? f32v_set1(1.0f) : corner[0]);
    if (l->divides) {
        struct attr_plane sloped = find_attr_plane(&plane_factors, over, f32v_zero());

        rhw = m32v_any(l->affine) ? select_const(l->affine, rhw.value, &sloped) : sloped;
    }
    if (soa) {
        put_soa(l, soa, z, &rhw);
        return;
    }
    put_head(l);
    put_body(l, z, &rhw);
}

SIMD_INLINE void each_vector(const struct raster_small_tri_group *g,
                             const struct raster_small_tri_buffers *buffers, const uint32_t *at,
                             struct raster_interp_plane_soa *soa)
{
    for (unsigned i = 0; i < SMALL_TRI_GROUP; i += SIMD_LANES) {
        struct tri_vector lanes; /* no initialiser, which would also clear the padding */

        lanes.g = g;
        lanes.buffers = buffers;
        lanes.first = i;
        lanes.at = soa ? NULL : at + i;
        lanes.const_attribs[0] = lanes.const_attribs[1] = i32v_set1(0);
        lanes.noncanonical_const = m32v_none();
        lanes.varies = 0;
        put_planes(&lanes, soa);
    }
}

static void planes(const struct raster_small_tri_group *g,
                   const struct raster_small_tri_buffers *buffers)
{
    uint32_t at[SMALL_TRI_GROUP], n = 0, past = 0;

    for (unsigned k = 0; k < SMALL_TRI_GROUP; k++)
        past += g->n_parts[k];
    for (unsigned k = 0; k < SMALL_TRI_GROUP; n += g->n_parts[k++])
        at[k] = (g->n_parts[k] ? n : past) * buffers->prim_bytes;
    each_vector(g, buffers, at, NULL);
}

static void planes_soa(const struct raster_small_tri_group *group,
                       const struct raster_small_tri_buffers *buffers,
                       struct raster_interp_plane_soa *soa)
{
    soa->divides = soa->noncanonical_const = false;
    soa->varies = 0;
    each_vector(group, buffers, NULL, soa);
}

const struct raster_setup_kern KERN_NAME(raster_setup_kern) = {
    .find_coverage = find_coverage,
    .planes = planes,
    .planes_soa = planes_soa,
};
