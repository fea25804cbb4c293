/* Interpolation of quads that a primitive touches (reference: raster/interpolation,
 * raster/perspective): 4x4 pixels at a time, of which those quads that have pixels are put
 * together. Vectors start at any lane and may reach past the last quad, where the next ones come.
 */
#include "raster/quad_kern.h"

#include "raster/kern_lanes.h"
#include "raster/raster_private.h"
#include "util/simd_math.h"

enum { GROUP = 16, GROUP_VECTORS = GROUP / SIMD_LANES };

/* Of each choice of a group's quads, where they lie. */
static const float choice_x[16][4] = {{0},    {0},       {2},       {0, 2},      {0},    {0, 0},
                                      {2, 0}, {0, 2, 0}, {2},       {0, 2},      {2, 2}, {0, 2, 2},
                                      {0, 2}, {0, 0, 2}, {2, 0, 2}, {0, 2, 0, 2}};
static const float choice_y[16][4] = {{0},    {0},       {0},       {0, 0},      {2},    {0, 2},
                                      {0, 2}, {0, 0, 2}, {2},       {0, 2},      {0, 2}, {0, 0, 2},
                                      {2, 2}, {0, 2, 2}, {0, 2, 2}, {0, 0, 2, 2}};
static const uint8_t choice_quads[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

/* One vector's pixels, their distances from the anchor, and w where it is asked for. */
struct pixels {
    f32v x, y, dx, dy, w;
};

SIMD_INLINE void find_pixels(struct pixels *p, const struct raster_prim *prim, unsigned choice,
                             unsigned lane, float x, float y)
{
    static const _Alignas(64) float right[GROUP] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
    static const _Alignas(64) float down[GROUP] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1};
    f32v quad_x = f32v_load_spread(&choice_x[choice][lane / 4]);
    f32v quad_y = f32v_load_spread(&choice_y[choice][lane / 4]);

    p->x = f32v_add(f32v_set1(x), f32v_add(quad_x, f32v_load(right + lane)));
    p->y = f32v_add(f32v_set1(y), f32v_add(quad_y, f32v_load(down + lane)));
    p->dx = f32v_sub(p->x, f32v_set1(prim->anchor_x));
    p->dy = f32v_sub(p->y, f32v_set1(prim->anchor_y));
    p->w = f32v_zero();
}

/* close: to the end of the batch, which the vector may reach past. */
SIMD_INLINE void put(float *out, unsigned lane, f32v value, bool close)
{
    if (close && lane + SIMD_LANES > RASTER_LANES)
        f32v_store_first(out + lane, value, RASTER_LANES - lane);
    else
        f32v_storeu(out + lane, value);
}

/* What stores might change, as far as compilers know, is read before them. */
SIMD_INLINE void put_attributes(const struct raster_lanes *to, const struct raster_prim *prim,
                                const struct pixels *p, unsigned vectors, unsigned lane, bool close)
{
    const struct raster_plane *plane = prim->attr;
    const struct raster_attr *attr = to->attr;
    const struct raster_attr *const end = attr + to->n_attrs;
    uint64_t constant = prim->constant;
    float *work = to->work;
    bool linear = prim->linear;

    for (; attr < end; attr++, plane++, constant >>= 1) {
        f32v a = f32v_set1(plane->a), b = f32v_set1(plane->b), c = f32v_set1(plane->c);
        bool divide = !linear && attr->interp == RASTER_PERSPECTIVE;
        float *out = work + attr->slot * RASTER_LANES;

        for (unsigned v = 0; v < vectors; v++) {
            f32v value = a;

            if (!(constant & 1))
                value = f32v_add(a, f32v_add(f32v_mul(b, p[v].dx), f32v_mul(c, p[v].dy)));
            if (!(constant & 1) && divide)
                value = f32v_mul(value, p[v].w);
            put(out, lane + v * SIMD_LANES, value, close);
        }
    }
}

SIMD_INLINE void put_group(const struct raster_lanes *to, const struct raster_prim *prim,
                           struct pixels *p, unsigned vectors, unsigned lane, bool close)
{
    bool w = to->w || !prim->linear;

    for (unsigned v = 0; v < vectors && w; v++)
        p[v].w = f32v_rcp(prim->linear ? f32v_set1(prim->rhw.a)
                                       : plane_at(&prim->rhw, p[v].dx, p[v].dy));
    for (unsigned v = 0; v < vectors && to->x; v++) {
        put(to->x, lane + v * SIMD_LANES, p[v].x, close);
        put(to->y, lane + v * SIMD_LANES, p[v].y, close);
    }
    for (unsigned v = 0; v < vectors && to->z; v++)
        put(to->z, lane + v * SIMD_LANES, plane_at(&prim->z, p[v].dx, p[v].dy), close);
    for (unsigned v = 0; v < vectors && to->w; v++)
        put(to->w, lane + v * SIMD_LANES, p[v].w, close);
    for (unsigned v = 0; v < vectors && to->face; v++)
        put(to->face, lane + v * SIMD_LANES, f32v_set1(prim->face), close);
    put_attributes(to, prim, p, vectors, lane, close);
}

SIMD_INLINE void collect_vectors(const struct raster_lanes *to, const struct raster_prim *prim,
                                 unsigned choice, unsigned vectors, float x, float y, unsigned lane)
{
    struct pixels p[GROUP_VECTORS];

    for (unsigned v = 0; v < vectors; v++)
        find_pixels(&p[v], prim, choice, v * SIMD_LANES, x, y);
    if (lane + vectors * SIMD_LANES > RASTER_LANES)
        put_group(to, prim, p, vectors, lane, true);
    else
        put_group(to, prim, p, vectors, lane, false);
}

/* The usual numbers of vectors are compiled for themselves. */
static void collect_group(const struct raster_lanes *to, const struct raster_prim *prim,
                          unsigned choice, float x, float y, unsigned lane)
{
    unsigned lanes = choice_quads[choice] * 4u;
    unsigned vectors = (lanes + SIMD_LANES - 1) / SIMD_LANES;

    if (vectors == 1)
        collect_vectors(to, prim, choice, 1, x, y, lane);
    else if (GROUP_VECTORS == 2)
        collect_vectors(to, prim, choice, 2, x, y, lane);
    else
        collect_vectors(to, prim, choice, vectors, x, y, lane);
}

/* The quads of 16 lanes that have pixels, a bit each. */
static unsigned choose(uint64_t quads)
{
    unsigned touched = (unsigned)raster_touched_quads(quads & 0xffff);

    return touched * 0x1248 >> 12 & 15;
}

static void collect(const struct raster_lanes *to, const struct raster_prim *prim, uint64_t quads,
                    int32_t x, int32_t y, unsigned lane)
{
    for (int32_t group = 0; quads; group++, quads >>= GROUP) {
        unsigned choice = choose(quads);

        if (!choice)
            continue;
        collect_group(to, prim, choice, (float)(x + group % 2 * 4), (float)(y + group / 2 * 4),
                      lane);
        lane += choice_quads[choice] * 4u;
    }
}

const struct raster_quad_kern KERN_NAME(raster_quad_kern) = {
    .collect = collect,
};
