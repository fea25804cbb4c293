/* Row kernels of FLIP: filters, HyAB colour difference in Hunt-adjusted L*a*b*, and feature
 * difference.
 *
 * Tested by tests/unit/tool/image/test_flip.c. */
#include "tool/image/flip_kern.h"

#include "util/simd/math.h"

struct lab {
    f32v l, a, b;
};

SIMD_INLINE f32v tap(const float *at, ptrdiff_t step, f32v twice, enum flip_shape shape)
{
    f32v left = f32v_loadu(at - step), right = f32v_loadu(at + step);

    if (shape == FLIP_SLOPE)
        return f32v_sub(right, left);
    return shape == FLIP_MEAN ? f32v_add(right, left) : f32v_sub(f32v_add(right, left), twice);
}

SIMD_INLINE void filter_as(float *out, const float *centre, ptrdiff_t stride,
                           const struct flip_filter *f, size_t n, enum flip_shape shape)
{
    f32v first = f32v_set1(shape == FLIP_MEAN ? f->weights[0] : 0.0f);

    for (size_t i = 0; i < n; i += 2 * SIMD_LANES) {
        const float *at = centre + i;
        f32v low = f32v_loadu(at), high = f32v_loadu(at + SIMD_LANES);
        f32v twice_low = f32v_add(low, low), twice_high = f32v_add(high, high);

        low = f32v_mul_ftz_any(first, low);
        high = f32v_mul_ftz_any(first, high);
        for (unsigned t = 1; t <= f->reach; t++) {
            f32v w = f32v_set1(f->weights[t]);
            ptrdiff_t step = (ptrdiff_t)t * stride;

            low = f32v_add(low, f32v_mul_ftz_any(w, tap(at, step, twice_low, shape)));
            high =
                f32v_add(high, f32v_mul_ftz_any(w, tap(at + SIMD_LANES, step, twice_high, shape)));
        }
        f32v_storeu(out + i, low);
        f32v_storeu(out + i + SIMD_LANES, high);
    }
}

static void filter(float *out, const float *centre, ptrdiff_t stride, const struct flip_filter *f,
                   size_t n)
{
    if (f->shape == FLIP_MEAN)
        filter_as(out, centre, stride, f, n, FLIP_MEAN);
    else if (f->shape == FLIP_SLOPE)
        filter_as(out, centre, stride, f, n, FLIP_SLOPE);
    else
        filter_as(out, centre, stride, f, n, FLIP_BEND);
}

static f32v dot(const float *row, f32v x, f32v y, f32v z)
{
    return f32v_add(
        f32v_add(f32v_mul_ftz_any(f32v_set1(row[0]), x), f32v_mul_ftz_any(f32v_set1(row[1]), y)),
        f32v_mul_ftz_any(f32v_set1(row[2]), z));
}

static f32v clamp(f32v x)
{
    return f32v_min(f32v_max(x, f32v_set1(0.0f)), f32v_set1(1.0f));
}

/* CIE's cube root with a linear part near 0. One Newton step refines the power to single
 * precision. */
static f32v lab_root(f32v x)
{
    const float delta = 6.0f / 29.0f;
    f32v safe = f32v_max(x, f32v_set1(delta * delta * delta));
    f32v r = f32v_pow(safe, f32v_set1(1.0f / 3.0f)), square = f32v_mul_ftz_any(r, r);
    f32v excess = f32v_sub(f32v_mul_ftz_any(square, r), safe);
    f32v linear = f32v_add(f32v_mul_ftz_any(x, f32v_set1(1.0f / (3.0f * delta * delta))),
                           f32v_set1(4.0f / 29.0f));

    r = f32v_sub(r, f32v_div(excess, f32v_mul_ftz_any(square, f32v_set1(3.0f))));
    return f32v_select(f32v_lt(f32v_set1(delta * delta * delta), x), r, linear);
}

/* Converts through RGB to clamp colours outside the sRGB gamut. */
static struct lab filtered_lab(const struct flip_rows *rows, const struct flip_constants *c,
                               size_t i)
{
    f32v y = f32v_loadu(rows->y + i), x = f32v_add(y, f32v_loadu(rows->cx + i));
    f32v cz = f32v_add(f32v_loadu(rows->cz1 + i), f32v_loadu(rows->cz2 + i));
    f32v z = f32v_sub(y, cz);
    f32v red = clamp(dot(c->to_rgb, x, y, z)), green = clamp(dot(c->to_rgb + 3, x, y, z));
    f32v blue = clamp(dot(c->to_rgb + 6, x, y, z));
    f32v fx = lab_root(dot(c->to_xyz, red, green, blue));
    f32v fy = lab_root(dot(c->to_xyz + 3, red, green, blue));
    f32v fz = lab_root(dot(c->to_xyz + 6, red, green, blue));
    f32v l = f32v_sub(f32v_mul_ftz_any(f32v_set1(116.0f), fy), f32v_set1(16.0f));
    f32v hunt = f32v_mul_ftz_any(f32v_set1(0.01f), l);

    return (struct lab){
        l,
        f32v_mul_ftz_any(hunt, f32v_mul_ftz_any(f32v_set1(500.0f), f32v_sub(fx, fy))),
        f32v_mul_ftz_any(hunt, f32v_mul_ftz_any(f32v_set1(200.0f), f32v_sub(fy, fz))),
    };
}

static f32v distance(f32v x, f32v y)
{
    return f32v_sqrt(f32v_add(f32v_mul_ftz_any(x, x), f32v_mul_ftz_any(y, y)));
}

/* Maps errors up to 0.4 of the largest difference to 0 … 0.95, larger ones to the rest. */
static f32v colour_error(struct lab a, struct lab b, float max)
{
    const float knee = 0.4f * max;
    f32v hyab =
        f32v_add(f32v_abs(f32v_sub(a.l, b.l)), distance(f32v_sub(a.a, b.a), f32v_sub(a.b, b.b)));
    f32v power = f32v_pow(hyab, f32v_set1(0.7f));
    f32v high = f32v_mul_ftz_any(f32v_sub(power, f32v_set1(knee)), f32v_set1(0.05f / (max - knee)));

    power = f32v_select(f32v_lt(power, f32v_set1(knee)),
                        f32v_mul_ftz_any(power, f32v_set1(0.95f / knee)),
                        f32v_add(high, f32v_set1(0.95f)));
    return f32v_select(f32v_eq(hyab, f32v_set1(0.0f)), hyab, power);
}

static f32v feature_error(const struct flip_rows *a, const struct flip_rows *b, size_t i)
{
    f32v edge_a = distance(f32v_loadu(a->edge_x + i), f32v_loadu(a->edge_y + i));
    f32v edge_b = distance(f32v_loadu(b->edge_x + i), f32v_loadu(b->edge_y + i));
    f32v point_a = distance(f32v_loadu(a->point_x + i), f32v_loadu(a->point_y + i));
    f32v point_b = distance(f32v_loadu(b->point_x + i), f32v_loadu(b->point_y + i));
    f32v more = f32v_max(f32v_abs(f32v_sub(edge_a, edge_b)), f32v_abs(f32v_sub(point_a, point_b)));

    return f32v_sqrt(f32v_mul_ftz_any(more, f32v_set1(0.70710678f)));
}

static void errors(float *out, const struct flip_rows *a, const struct flip_rows *b,
                   const struct flip_constants *c, size_t n)
{
    for (size_t i = 0; i < n; i += SIMD_LANES) {
        f32v colour = colour_error(filtered_lab(a, c, i), filtered_lab(b, c, i), c->colour_max);
        f32v power = f32v_pow(colour, f32v_sub(f32v_set1(1.0f), feature_error(a, b, i)));

        f32v_storeu(out + i, clamp(f32v_select(f32v_eq(colour, f32v_set1(0.0f)), colour, power)));
    }
}

const struct flip_kern KERN_NAME(flip_kern) = {.filter = filter, .errors = errors};
