/* Vector helpers for depth: encoding, comparison of codes, and 8x8 blocks of words in memory
 * (reference: depth/quantise). For the rasteriser's kernels only. */
#ifndef RASTER_ZS_DEPTH_LANES_H
#define RASTER_ZS_DEPTH_LANES_H

#include "raster/zs/depth_kern.h"
#include "raster/prim/kern_lanes.h"
#include "raster/scene/blocks.h"
#include "util/simd/rows.h"

#include <string.h>

/* D3DCMPFUNC - 1 is a mask of accepted outcomes: 1 less, 2 equal, 4 greater. */
static inline m32v compare_bit(unsigned func, unsigned bit)
{
    return (func - 1) & bit ? m32v_all() : m32v_none();
}

/* Whether func accepts the outcome. */
static inline m32v compare_outcome(unsigned func, m32v less, m32v equal, m32v greater)
{
    return m32v_or(
        m32v_and(less, compare_bit(func, 1)),
        m32v_or(m32v_and(equal, compare_bit(func, 2)), m32v_and(greater, compare_bit(func, 4))));
}

/* Encodes z in [0,1] with 4 bits of exponent (bias 15) and 20 of mantissa, to nearest even. */
static inline i32v encode_float24(f32v z)
{
    i32v bits = f32v_bits(z), odd = i32v_and(i32v_srl(bits, 3), i32v_set1(1));
    i32v rounded = i32v_srl(i32v_add(i32v_add(bits, i32v_set1(3)), odd), 3);
    i32v normal = i32v_sub(rounded, i32v_set1((127 - 15) << 20));
    i32v tiny = f32v_to_i32_round(f32v_mul(z, f32v_set1(0x1p34f)));

    return i32v_select(f32v_lt(z, f32v_set1(0x1p-14f)), tiny, normal);
}

/* All codes except UNORM32. */
SIMD_INLINE i32v encode_depth(unsigned code, f32v z, f32v scale)
{
    f32v clamped = f32v_sat(z);

    if (code == RASTER_DEPTH_UNORM)
        return f32v_scale_round_half_up(clamped, scale);
    if (code == RASTER_DEPTH_FLOAT24)
        return encode_float24(clamped);
    return f32v_bits(f32v_add(clamped, f32v_zero())); /* turns -0 into 0 */
}

static inline f32v depth_scale(const struct raster_depth_stencil *ds)
{
    return f32v_set1((float)((UINT32_C(1) << (ds->bits & 31)) - 1));
}

/* --- Comparisons ------------------------------------------------------------------------------ */

static inline i32v flip(i32v a) /* maps unsigned order to signed order */
{
    return i32v_xor(a, i32v_set1(INT32_MIN));
}

static inline m32v compare_signed(unsigned func, i32v a, i32v b)
{
    return compare_outcome(func, i32v_lt(a, b), i32v_eq(a, b), i32v_lt(b, a));
}

static inline m32v compare_unsigned(unsigned func, i32v a, i32v b)
{
    return compare_signed(func, flip(a), flip(b));
}

/* --- Vectors of words ------------------------------------------------------------------------- */

/* Properties of a depth test that are constant when its loop is compiled. high24: UNORM depth in
 * the upper 24 bits, shifted down and compared as signed. */
struct depth_spec {
    bool high24;
    unsigned func;
};

static inline struct depth_spec depth_spec_of(const struct raster_depth_stencil *ds)
{
    return (struct depth_spec){.high24 =
                                   ds->code == RASTER_DEPTH_UNORM && ds->depth_field == 0xffffff00,
                               .func = ds->depth_func};
}

/* Tests the depths z against 32-bit words; *fresh: the words with the new depth. */
SIMD_INLINE m32v test_depth_words(const struct raster_depth_stencil *ds, struct depth_spec spec,
                                  f32v z, i32v word, i32v *fresh)
{
    i32v field = i32v_set1((int32_t)ds->depth_field), depth, stored;

    if (spec.high24) {
        depth = encode_depth(RASTER_DEPTH_UNORM, z, f32v_set1(0xffffff));
        stored = i32v_srl(word, 8);
        *fresh = i32v_or(i32v_and(word, i32v_set1(0xff)), i32v_sll(depth, 8));
    } else {
        depth = i32v_mul(encode_depth(ds->code, z, depth_scale(ds)), i32v_set1(1 << ds->shift));
        stored = i32v_and(word, field);
        *fresh = i32v_or(i32v_andnot(field, word), depth);
    }
    if (!spec.high24)
        return compare_unsigned(spec.func, depth, stored);
    if (spec.func == D3DCMP_LESS)
        return i32v_lt(depth, stored);
    if (spec.func == D3DCMP_LESSEQUAL)
        return m32v_not(i32v_lt(stored, depth));
    return compare_signed(spec.func, depth, stored);
}

/* --- Blocks of 8x8 words in memory ------------------------------------------------------------ */

/* Loads a vector of a block's lanes, in rows. With 16 lanes it holds two rows and is masked by
 * `lanes` (others read as 0), because a row may lie past the surface. */
SIMD_INLINE i32v load_block(const uint8_t *base, size_t pitch, unsigned lane, uint64_t lanes)
{
    return i32v_load_rows_of(base + lane / BLOCK_DIM * pitch + lane % BLOCK_DIM * 4, pitch,
                             (unsigned)(lanes >> lane));
}

/* Stores a vector of lanes; may also store lanes outside `lanes` if their row has lanes inside. */
SIMD_INLINE void store_block(uint8_t *base, size_t pitch, unsigned lane, uint64_t lanes, i32v value)
{
    i32v_store_rows_of(base + lane / BLOCK_DIM * pitch + lane % BLOCK_DIM * 4, pitch,
                       (unsigned)(lanes >> lane), value);
}

#endif
