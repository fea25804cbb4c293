/* The filters PYRAMIDALQUAD and GAUSSIANQUAD of 2D and cube textures: weighted sums of the four
 * texels that LINEAR reads (reference: texture/quad-filters). The point function of the texel kind
 * reads each of them, at its centre. Few programs use these filters, so speed does not count.
 *
 * Tested by tests/unit/tex/sample/test_quad_filter.c and
 * tests/kernel/tex/sample/test_sample_kern.c.
 */
#include "tex/sample/kernels.h"
#include "tex/sample/lanes.h"
#include "tex/sample/results.h"

enum { TEXELS = 4 }; /* upper left, upper right, lower left, lower right */

/* Where the texels of each lane are, and their weights, which are divided by `total`. */
struct quad_filter {
    struct lanes_f32 u[2], v[2];
    struct lanes_f32 weight[TEXELS], total;
};

/* Weights in 1/256 of the second texel for fractions from 0 to 128/256. The others follow from
 * symmetry. */
static const int32_t gaussian_weight[129] = {
    0,   1,   1,   2,   3,   3,   4,   4,   5,   6,   6,   7,   8,   9,   9,   10,  11,  11,  12,
    13,  13,  14,  15,  16,  16,  17,  18,  19,  19,  20,  21,  22,  23,  23,  24,  25,  26,  27,
    28,  28,  29,  30,  31,  32,  33,  34,  35,  35,  36,  37,  38,  39,  40,  41,  42,  43,  44,
    45,  46,  47,  48,  49,  50,  51,  52,  53,  54,  55,  56,  57,  58,  59,  60,  61,  62,  63,
    64,  66,  67,  68,  69,  70,  71,  72,  73,  75,  76,  77,  78,  79,  80,  82,  83,  84,  85,
    86,  88,  89,  90,  91,  93,  94,  95,  96,  97,  99,  100, 101, 102, 104, 105, 106, 108, 109,
    110, 111, 113, 114, 115, 116, 118, 119, 120, 122, 123, 124, 125, 127, 128};

/* Weights of two texels along an axis. */
INLINE void gaussian_weights(const struct axis *a, f32v weight[2])
{
    i32v whole = i32v_set1(256), rest = i32v_sub(whole, a->fraction);
    i32v least = i32v_gather(gaussian_weight, i32v_min(a->fraction, rest));
    i32v second = i32v_select(i32v_lt(rest, a->fraction), i32v_sub(whole, least), least);

    weight[1] = f32v_mul(i32v_to_f32(second), f32v_set1(1.0f / 256.0f));
    weight[0] = f32v_sub(f32v_set1(1.0f), weight[1]);
}

INLINE void gaussian(struct quad_filter *q, const struct axis *x, const struct axis *y, unsigned i)
{
    f32v across[2], down[2];

    gaussian_weights(x, across);
    gaussian_weights(y, down);
    UNROLL
    for (unsigned k = 0; k < TEXELS; k++)
        f32v_store(q->weight[k].lane + i, f32v_mul(across[k & 1], down[k >> 1]));
    f32v_store(q->total.lane + i, f32v_set1(1.0f));
}

/* A texel at distances dx and dy weighs 1 - max(dx, dy): the least of its weights along the axes.
 * All weights and their sum are exact. */
INLINE void pyramidal(struct quad_filter *q, const struct axis *x, const struct axis *y, unsigned i)
{
    f32v total = f32v_zero();

    UNROLL
    for (unsigned k = 0; k < TEXELS; k++) {
        f32v weight = f32v_min(x->weight[k & 1], y->weight[k >> 1]);

        total = f32v_add(total, weight);
        f32v_store(q->weight[k].lane + i, weight);
    }
    f32v_store(q->total.lane + i, total);
}

/* Coordinates of the centres of an axis' two texels. The border colour is beyond the edge. */
INLINE void store_centres(struct lanes_f32 at[2], const struct axis *a, uint32_t size, unsigned i)
{
    UNROLL
    for (unsigned k = 0; k < 2; k++) {
        f32v centre = f32v_add(i32v_to_f32(a->index[k]), f32v_set1(0.5f));

        centre = f32v_div(centre, f32v_set1((float)size));
        f32v_store(at[k].lane + i, f32v_select(a->outside[k], f32v_set1(-1.0f), centre));
    }
}

INLINE void find_texels(struct quad_filter *q, const struct tex_sampler_private *s,
                        const struct tex_level *level, const struct tex_coords *at,
                        bool is_gaussian)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        struct axis x = linear_axis(f32v_load(at->axis[0] + i), level->width, s->address[0]);
        struct axis y = linear_axis(f32v_load(at->axis[1] + i), level->height, s->address[1]);

        store_centres(q->u, &x, level->width, i);
        store_centres(q->v, &y, level->height, i);
        if (is_gaussian)
            gaussian(q, &x, &y, i);
        else
            pyramidal(q, &x, &y, i);
    }
}

/* Adds a texel times its weight. One without weight does not count, even if it is not finite. */
static void add_texel(struct lanes_f32 *sum, const struct lanes_f32 *texel,
                      const struct lanes_f32 *weight)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v w = f32v_load(weight->lane + i);
        f32v part = f32v_mul(f32v_load(texel->lane + i), w);

        part = f32v_where(f32v_gt(w, f32v_zero()), part);
        f32v_store(sum->lane + i, f32v_add(f32v_load(sum->lane + i), part));
    }
}

INLINE void sample_quad(const struct tex_sampler_private *s, const struct tex_level *level,
                        const struct tex_coords *at, uint64_t lanes, float *const out[4],
                        bool is_gaussian)
{
    struct lanes_f32 sum[4] = {{{0}}}, texel[4] = {{{0}}};
    float *const texels[4] = {out[0] ? texel[0].lane : NULL, out[1] ? texel[1].lane : NULL,
                              out[2] ? texel[2].lane : NULL, out[3] ? texel[3].lane : NULL};
    struct tex_coords one = *at;
    struct quad_filter q;

    find_texels(&q, s, level, at, is_gaussian);
    for (unsigned k = 0; k < TEXELS; k++) {
        one.axis[0] = q.u[k & 1].lane;
        one.axis[1] = q.v[k >> 1].lane;
        s->point(s, level, &one, lanes, texels);
        for (unsigned c = 0; c < 4; c++)
            add_texel(&sum[c], &texel[c], &q.weight[k]);
    }
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; out[c] && i < TEX_LANES; i += SIMD_LANES)
            put(out[c] + i, f32v_div(f32v_load(sum[c].lane + i), f32v_load(q.total.lane + i)),
                (unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS);
}

static void sample_gaussian(const struct tex_sampler_private *s, const struct tex_level *level,
                            const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    sample_quad(s, level, at, lanes, out, true);
}

static void sample_pyramidal(const struct tex_sampler_private *s, const struct tex_level *level,
                             const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    sample_quad(s, level, at, lanes, out, false);
}

const struct tex_sample_quad_filter_kern KERN_NAME(tex_sample_quad_filter_kern) = {
    .pyramidal = sample_pyramidal, .gaussian = sample_gaussian};
