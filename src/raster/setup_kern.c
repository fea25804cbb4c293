/* Facing, box and pixels of small triangles, one a lane (reference: raster/top-left). */
#include "raster/setup_kern.h"

#include "raster/raster_private.h"
#include "util/simd.h"

/* All in whole numbers. Of triangles that are not small products may overflow, and nobody looks. */
struct triangles {
    i32v x[3], y[3];
    i32v left, top, right, below; /* right, below: exclusive */
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
}

static void find_areas(struct triangles *t)
{
    const i32v *x = t->x, *y = t->y;
    i32v down = i32v_mul(i32v_sub(x[1], x[0]), i32v_sub(y[2], y[0]));
    i32v up = i32v_mul(i32v_sub(x[2], x[0]), i32v_sub(y[1], y[0]));

    t->area = i32v_sub(down, up);
}

/* From an even pixel. */
static m32v at_most_eight(i32v first, i32v end)
{
    i32v most = i32v_sub(i32v_set1(BLOCK_DIM + 1), i32v_and(first, i32v_set1(1)));

    return i32v_lt(i32v_sub(end, first), most);
}

static m32v small_within(const struct triangles *t, const int32_t rect[4])
{
    m32v before =
        m32v_or(i32v_lt(t->left, i32v_set1(rect[0])), i32v_lt(t->top, i32v_set1(rect[1])));
    m32v after =
        m32v_or(i32v_lt(i32v_set1(rect[2]), t->right), i32v_lt(i32v_set1(rect[3]), t->below));
    m32v small = m32v_and(at_most_eight(t->left, t->right), at_most_eight(t->top, t->below));

    return m32v_andnot(m32v_or(before, after), small);
}

/* An edge function at the pixels of a row, and what it grows by. */
struct edge {
    i32v at, across, down;
};

/* The edge from corner i to the next in clockwise order; it takes the value 0 out where it does not
 * own its pixels. */
static struct edge find_edge(const struct triangles *t, unsigned i)
{
    unsigned next = i == 2 ? 0 : i + 1;
    i32v turn = i32v_sra(t->area, 31), zero = i32v_set1(0);
    i32v a = i32v_sub(i32v_xor(i32v_sub(t->y[i], t->y[next]), turn), turn);
    i32v b = i32v_sub(i32v_xor(i32v_sub(t->x[next], t->x[i]), turn), turn);
    i32v x = i32v_sub(t->x[i], i32v_sll(t->left, SUBPIXEL_BITS));
    i32v y = i32v_sub(t->y[i], i32v_sll(t->top, SUBPIXEL_BITS));
    m32v owns = m32v_or(i32v_lt(zero, a), m32v_and(i32v_eq(a, zero), i32v_lt(zero, b)));
    i32v at = i32v_sub(zero, i32v_add(i32v_mul(a, x), i32v_mul(b, y)));

    at = i32v_add(at, m32v_as_i32(m32v_not(owns)));
    return (struct edge){at, i32v_sll(a, SUBPIXEL_BITS), i32v_sll(b, SUBPIXEL_BITS)};
}

/* The pixels of a row, as bits from `bit` on. */
SIMD_INLINE i32v cover_row(const struct edge edge[3], unsigned columns, i32v bit)
{
    i32v a = edge[0].at, b = edge[1].at, c = edge[2].at, pixels = i32v_set1(0);

    for (unsigned x = 0; x < columns; x++) {
        i32v outside = i32v_sra(i32v_or(a, i32v_or(b, c)), 31);

        pixels = i32v_or(pixels, i32v_andnot(outside, bit));
        bit = i32v_sll(bit, 1);
        a = i32v_add(a, edge[0].across);
        b = i32v_add(b, edge[1].across);
        c = i32v_add(c, edge[2].across);
    }
    return pixels;
}

/* The most of all lanes, at most 8. */
static unsigned most(i32v value)
{
    unsigned n = 0;

    while (n < BLOCK_DIM && m32v_any(i32v_lt(i32v_set1((int32_t)n), value)))
        n++;
    return n;
}

/* Boxes are hulls, so what is looked at beyond a smaller one of them is not inside. */
static void find_pixels(const struct triangles *t, m32v small, i32v pixels[2])
{
    i32v none = i32v_set1(0);
    unsigned columns = most(i32v_select(small, i32v_sub(t->right, t->left), none));
    unsigned rows = most(i32v_select(small, i32v_sub(t->below, t->top), none));
    struct edge edge[3] = {find_edge(t, 0), find_edge(t, 1), find_edge(t, 2)};
    i32v bit = i32v_set1(1);

    pixels[0] = pixels[1] = none;
    for (unsigned y = 0; y < rows; y++) {
        pixels[y / 4] = i32v_or(pixels[y / 4], cover_row(edge, columns, bit));
        bit = y == 3 ? i32v_set1(1) : i32v_sll(bit, BLOCK_DIM);
        for (unsigned i = 0; i < 3; i++)
            edge[i].at = i32v_add(edge[i].at, edge[i].down);
    }
}

static void small_from(struct raster_small_group *g, unsigned first)
{
    i32v zero = i32v_set1(0), pixels[2];
    m32v small, drawn = m32v_none();
    struct triangles t;

    for (unsigned i = 0; i < 3; i++) {
        t.x[i] = i32v_load(g->x[i] + first);
        t.y[i] = i32v_load(g->y[i] + first);
    }
    find_boxes(&t);
    find_areas(&t);
    small = small_within(&t, g->rect);
    find_pixels(&t, small, pixels);
    if (g->clockwise)
        drawn = i32v_lt(zero, t.area);
    if (g->counter)
        drawn = m32v_or(drawn, i32v_lt(t.area, zero));
    drawn = m32v_andnot(i32v_eq(i32v_or(pixels[0], pixels[1]), zero), m32v_and(drawn, small));
    g->drawn |= (uint32_t)m32v_bits(drawn) << first;
    g->other |= (uint32_t)m32v_bits(m32v_not(small)) << first;
    i32v_store(g->box[0] + first, t.left);
    i32v_store(g->box[1] + first, t.top);
    i32v_store(g->box[2] + first, t.right);
    i32v_store(g->box[3] + first, t.below);
    i32v_store((int32_t *)g->pixels[0] + first, pixels[0]);
    i32v_store((int32_t *)g->pixels[1] + first, pixels[1]);
}

static void small(struct raster_small_group *g)
{
    g->drawn = g->other = 0;
    for (unsigned i = 0; i < SMALL_GROUP; i += SIMD_LANES)
        small_from(g, i);
}

const struct raster_setup_kern KERN_NAME(raster_setup_kern) = {
    .small = small,
};
