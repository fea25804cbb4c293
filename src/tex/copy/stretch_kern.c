/* StretchRect row kernels: exact integer filters for four-byte pixels, and float filters
 * (reference: copy/stretchrect-filter). */
#include "tex/copy/stretch_kern.h"

#include "util/simd/simd.h"

#include <string.h>

/* --- Four-byte pixels ------------------------------------------------------------------------- */

enum { LOW_BYTES = 0x00ff00ff };

/* Load and store the first n lanes of a vector, or all if n is larger. */
static inline i32v load_partial(const uint32_t *p, uint32_t n)
{
    int32_t lanes[SIMD_LANES] = {0};

    if (n >= SIMD_LANES)
        return i32v_loadu((const int32_t *)(const void *)p);
    memcpy(lanes, p, n * 4);
    return i32v_loadu(lanes);
}

static inline void store_partial(uint32_t *p, i32v v, uint32_t n)
{
    int32_t lanes[SIMD_LANES];

    if (n >= SIMD_LANES) {
        i32v_storeu((int32_t *)(void *)p, v);
        return;
    }
    i32v_storeu(lanes, v);
    memcpy(p, lanes, n * 4);
}

static inline i32v low_bytes(i32v v)
{
    return i32v_and(v, i32v_set1(LOW_BYTES));
}

static inline i32v high_bytes(i32v v)
{
    return low_bytes(i32v_srl(v, 8));
}

static void swizzle(uint32_t *out, const uint32_t *in, uint32_t n, bool swap, uint32_t ones)
{
    i32v set = i32v_set1((int32_t)ones);

    for (uint32_t i = 0; i < n; i += SIMD_LANES) {
        i32v v = load_partial(in + i, n - i);

        if (swap) {
            i32v ends = low_bytes(v);

            ends = i32v_or(i32v_sll(ends, 16), i32v_srl(ends, 16));
            v = i32v_or(i32v_andnot(i32v_set1(LOW_BYTES), v), ends);
        }
        store_partial(out + i, i32v_or(v, set), n - i);
    }
}

static void pick(uint32_t *out, const uint32_t *in, const int32_t *first, uint32_t n)
{
    const int32_t *base = (const int32_t *)(const void *)in;

    for (uint32_t i = 0; i < n; i += SIMD_LANES)
        store_partial(out + i, i32v_gather(base, i32v_load(first + i)), n - i);
}

/* Sums each of SIMD_LANES pairs: bytes 0 and 2 to even, bytes 1 and 3 to odd. */
static inline void add_pairs(const uint32_t *p, i32v *even, i32v *odd)
{
    i32v a, b;

    i32v_load_deinterleave2((const int32_t *)(const void *)p, &a, &b);
    *even = i32v_add(*even, i32v_add(low_bytes(a), low_bytes(b)));
    *odd = i32v_add(*odd, i32v_add(high_bytes(a), high_bytes(b)));
}

static inline i32v average_2x2(const uint32_t *top, const uint32_t *bottom)
{
    i32v even = i32v_set1(0x00020002), odd = even;

    add_pairs(top, &even, &odd);
    add_pairs(bottom, &even, &odd);
    return i32v_or(low_bytes(i32v_srl(even, 2)), i32v_sll(low_bytes(i32v_srl(odd, 2)), 8));
}

static void downsample_2x2(uint32_t *out, const uint32_t *top, const uint32_t *bottom, uint32_t n)
{
    uint32_t rest[2][2 * SIMD_LANES] = {{0}}, i = 0;

    for (; i + SIMD_LANES <= n; i += SIMD_LANES)
        store_partial(out + i, average_2x2(top + 2 * i, bottom + 2 * i), SIMD_LANES);
    if (i == n)
        return;
    memcpy(rest[0], top + 2 * i, (n - i) * 8);
    memcpy(rest[1], bottom + 2 * i, (n - i) * 8);
    store_partial(out + i, average_2x2(rest[0], rest[1]), n - i);
}

static void filter_horizontal(const struct stretch_sums *out, const uint32_t *in,
                              const struct stretch_columns *columns, uint32_t n)
{
    const int32_t *base = (const int32_t *)(const void *)in;

    for (uint32_t i = 0; i < n; i += SIMD_LANES) {
        i32v weight = i32v_load(columns->weight + i), rest, a, b;

        weight = i32v_or(weight, i32v_sll(weight, 16));
        rest = i32v_sub(i32v_set1(0x01000100), weight);
        i32v_load_pairs(base, columns->first + i, &a, &b);
        i32v_store(out->even + i, i32v_add(i32v_mullo_16(low_bytes(a), rest),
                                           i32v_mullo_16(low_bytes(b), weight)));
        i32v_store(out->odd + i, i32v_add(i32v_mullo_16(high_bytes(a), rest),
                                          i32v_mullo_16(high_bytes(b), weight)));
    }
}

/* Computes (top * (256 - w) + bottom * w + 32768) / 65536 of both halves, in 16 bits. Let h be the
 * weighted sum of the upper bytes of top and bottom, and l that of the lower bytes. The result is
 * (h + l / 256 + 128) / 256, whose dividend is at most 65408. */
static inline i32v mix_sums(i32v top, i32v bottom, i32v rest, i32v weight)
{
    i32v h =
        i32v_add(i32v_mullo_16(high_bytes(top), rest), i32v_mullo_16(high_bytes(bottom), weight));
    i32v l =
        i32v_add(i32v_mullo_16(low_bytes(top), rest), i32v_mullo_16(low_bytes(bottom), weight));

    return high_bytes(i32v_add(i32v_add(h, high_bytes(l)), i32v_set1(0x00800080)));
}

static void filter_vertical(uint32_t *out, const struct stretch_sums *top,
                            const struct stretch_sums *bottom, uint32_t weight, uint32_t n)
{
    i32v w = i32v_set1((int32_t)(weight | weight << 16));
    i32v rest = i32v_sub(i32v_set1(0x01000100), w), half = i32v_set1(0x00800080);

    if (!weight) {
        for (uint32_t i = 0; i < n; i += SIMD_LANES) {
            i32v even = high_bytes(i32v_add(i32v_load(top->even + i), half));
            i32v odd = high_bytes(i32v_add(i32v_load(top->odd + i), half));

            store_partial(out + i, i32v_or(even, i32v_sll(odd, 8)), n - i);
        }
        return;
    }
    for (uint32_t i = 0; i < n; i += SIMD_LANES) {
        i32v even = mix_sums(i32v_load(top->even + i), i32v_load(bottom->even + i), rest, w);
        i32v odd = mix_sums(i32v_load(top->odd + i), i32v_load(bottom->odd + i), rest, w);

        store_partial(out + i, i32v_or(even, i32v_sll(odd, 8)), n - i);
    }
}

/* --- Floats ----------------------------------------------------------------------------------- */

static inline f32v mix(f32v a, f32v b, f32v rest, f32v weight)
{
    return f32v_add(f32v_mul(a, rest), f32v_mul(b, weight));
}

/* Blends pixels and their right neighbours. With weight 0 the pixel passes unchanged, even if the
 * neighbour is infinite or NaN. */
static void filter_horizontal_floats(float *out, const float *in,
                                     const struct stretch_columns *columns, uint32_t n)
{
    f32v one = f32v_set1(1.0f), step = f32v_set1(1.0f / 256.0f);

    for (uint32_t i = 0; i < n; i += SIMD_LANES) {
        f32v weight = f32v_mul(i32v_to_f32(i32v_load(columns->weight + i)), step), a, b;

        f32v_load_pairs(in, columns->first + i, &a, &b);
        b = mix(a, b, f32v_sub(one, weight), weight);
        f32v_store(out + i, f32v_select(f32v_eq(weight, f32v_zero()), a, b));
    }
}

static void filter_vertical_floats(float *out, const float *top, const float *bottom,
                                   uint32_t weight, uint32_t n)
{
    float w = (float)weight * (1.0f / 256.0f);

    for (uint32_t i = 0; i < n; i += SIMD_LANES)
        f32v_store(out + i, mix(f32v_load(top + i), f32v_load(bottom + i), f32v_set1(1.0f - w),
                                f32v_set1(w)));
}

const struct tex_stretch_kern KERN_NAME(tex_stretch_kern) = {
    .swizzle = swizzle,
    .pick = pick,
    .downsample_2x2 = downsample_2x2,
    .filter_horizontal = filter_horizontal,
    .filter_vertical = filter_vertical,
    .filter_horizontal_floats = filter_horizontal_floats,
    .filter_vertical_floats = filter_vertical_floats,
};
