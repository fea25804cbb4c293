/* SIMD kernels of the vertex stage: conversion of vertex elements to
 * lanes and of lanes to vertices, and scans of index lists. */
#include "draw/vertex/vertex_kern.h"

#include "util/simd/bytes.h"
#include "util/simd/small_ints.h"

static void gather_vec4(const uint8_t *from, const uint32_t *at, unsigned n, float *const row[4])
{
    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        f32v v[4];

        f32v_load_rows(from, at + i, v);
        UNROLL
        for (unsigned c = 0; c < 4; c++)
            f32v_store(row[c] + i, v[c]);
    }
}

static void unpack_uint8(const uint32_t *word, unsigned n, int normalised, float *const row[4])
{
    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        i32v v = i32v_load((const int32_t *)word + i);
        f32v out[4];

        if (normalised)
            i32v_unpack_unorm8(v, out);
        for (int c = 0; c < 4; c++, v = i32v_srl(v, 8)) {
            if (!normalised)
                out[c] = i32v_to_f32(i32v_and(v, i32v_set1(255)));
            f32v_store(row[c] + i, out[c]);
        }
    }
}

SIMD_INLINE f32v int16_to_float(i32v half, enum vertex_int16 kind)
{
    f32v v = i32v_to_f32(half);

    if (kind == VERTEX_SHORT)
        return v;
    return f32v_div(v, f32v_set1(kind == VERTEX_SHORT_N ? 32767.0f : 65535.0f));
}

SIMD_INLINE void unpack_int16_rows(const uint32_t *word, unsigned n, enum vertex_int16 kind,
                                   float *const row[2])
{
    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        i32v v = i32v_load((const int32_t *)word + i), low, high;

        if (kind == VERTEX_USHORT_N) {
            low = i32v_and(v, i32v_set1(0xffff));
            high = i32v_srl(v, 16);
        } else {
            low = i32v_sra(i32v_sll(v, 16), 16);
            high = i32v_sra(v, 16);
        }
        f32v_store(row[0] + i, int16_to_float(low, kind));
        f32v_store(row[1] + i, int16_to_float(high, kind));
    }
}

static void unpack_int16(const uint32_t *word, unsigned n, enum vertex_int16 kind,
                         float *const row[2])
{
    switch (kind) {
    case VERTEX_SHORT:
        unpack_int16_rows(word, n, VERTEX_SHORT, row);
        break;
    case VERTEX_SHORT_N:
        unpack_int16_rows(word, n, VERTEX_SHORT_N, row);
        break;
    case VERTEX_USHORT_N:
        unpack_int16_rows(word, n, VERTEX_USHORT_N, row);
        break;
    }
}

static void scatter_vec4(const float *const row[4], unsigned n, float *out, uint32_t stride)
{
    for (unsigned i = 0; i < n; i += SIMD_LANES, out += (size_t)SIMD_LANES * stride) {
        f32v v[4];

        UNROLL
        for (unsigned c = 0; c < 4; c++)
            v[c] = f32v_load(row[c] + i);
        f32v_store_rows(out, stride, v);
    }
}

static void saturate(const float *row, unsigned n, float *out)
{
    for (unsigned i = 0; i < n; i += SIMD_LANES)
        f32v_store(out + i, f32v_sat(f32v_load(row + i)));
}

/* --- Indices ---------------------------------------------------------------------------------- */

static void widen_uint16(const uint8_t *from, uint32_t n, uint32_t *to)
{
    uint32_t i = 0;

    for (; i + 8 <= n; i += 8)
        simd_widen_8_uint16(from + 2 * (size_t)i, to + i);
    for (; i < n; i++) {
        uint16_t narrow;

        memcpy(&narrow, from + 2 * (size_t)i, 2);
        to[i] = narrow;
    }
}

/* SIMD compares are signed, so the kernel flips the sign bit. */
static void min_max(const uint32_t *index, uint32_t n, uint32_t *least, uint32_t *largest)
{
    const uint32_t sign = UINT32_C(1) << 31;
    uint32_t i = 0, low = UINT32_MAX, high = 0;

    if (n >= SIMD_LANES) {
        i32v flip = i32v_set1((int32_t)sign), a = i32v_set1(INT32_MAX), b = i32v_set1(INT32_MIN);
        uint32_t ends[2][SIMD_LANES];

        for (; i + SIMD_LANES <= n; i += SIMD_LANES) {
            i32v v = i32v_xor(i32v_loadu((const int32_t *)index + i), flip);

            a = i32v_min(a, v);
            b = i32v_max(b, v);
        }
        i32v_storeu((int32_t *)ends[0], i32v_xor(a, flip));
        i32v_storeu((int32_t *)ends[1], i32v_xor(b, flip));
        for (int k = 0; k < SIMD_LANES; k++) {
            low = low < ends[0][k] ? low : ends[0][k];
            high = high > ends[1][k] ? high : ends[1][k];
        }
    }
    for (; i < n; i++) {
        low = low < index[i] ? low : index[i];
        high = high > index[i] ? high : index[i];
    }
    *least = low;
    *largest = high;
}

static void subtract(uint32_t *index, uint32_t n, uint32_t value)
{
    uint32_t i = 0;

    for (; i + SIMD_LANES <= n; i += SIMD_LANES) {
        i32v v = i32v_loadu((const int32_t *)index + i);

        i32v_storeu((int32_t *)index + i, i32v_sub(v, i32v_set1((int32_t)value)));
    }
    for (; i < n; i++)
        index[i] -= value;
}

static uint32_t count_ones(const uint8_t *flag, uint32_t n)
{
    byte_sum sum = byte_sum_zero();
    uint32_t i = 0, rest = 0;

    for (; i + 16 <= n; i += 16)
        sum = byte_sum_add_16(sum, flag + i);
    for (; i < n; i++)
        rest += flag[i];
    return (uint32_t)byte_sum_total(sum) + rest;
}

const struct vertex_kern KERN_NAME(vertex_kern) = {
    .gather_vec4 = gather_vec4,
    .unpack_uint8 = unpack_uint8,
    .unpack_int16 = unpack_int16,
    .scatter_vec4 = scatter_vec4,
    .saturate = saturate,
    .widen_uint16 = widen_uint16,
    .min_max = min_max,
    .subtract = subtract,
    .count_ones = count_ones,
};
