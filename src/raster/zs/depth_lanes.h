/* Vector helpers for depth: encoding, comparison of codes, and 8x8 blocks of words in memory
 * (reference: depth/quantise). For the rasteriser's kernels only. */
#ifndef RASTER_ZS_DEPTH_LANES_H
#define RASTER_ZS_DEPTH_LANES_H

#include "raster/zs/depth_kern.h"
#include "raster/prim/kern_lanes.h"
#include "raster/scene/blocks.h"
#include "util/simd/double.h"
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

/* Encodes z in [0,1] with 32 bits, with one rounding of the product to double. */
static inline i32v encode_unorm32(f32v z)
{
    d64v code = d64v_mul(f32v_widen(z), d64v_set1(4294967295.0));

    return d64v_floor_uint32(d64v_add(code, d64v_set1(0.5)));
}

SIMD_INLINE i32v encode_depth(unsigned code, f32v z, f32v scale)
{
    f32v clamped = f32v_sat(z);

    if (code == RASTER_DEPTH_UNORM)
        return f32v_scale_round_half_up(clamped, scale);
    if (code == RASTER_DEPTH_FLOAT24)
        return encode_float24(clamped);
    if (code == RASTER_DEPTH_UNORM32)
        return encode_unorm32(clamped);
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

/* --- Pixels of depth formats -------------------------------------------------------------------
 */

/* Classes of depth formats. Loops are compiled for a class; a pixel is a word of 32 or 16 bits in
 * memory and a 32-bit word in a vector. */
enum depth_class {
    DEPTH_ANY32,  /* any code and field of 32 bits */
    DEPTH_HIGH24, /* UNORM in the upper 24 of 32 bits: shifted down and compared as signed */
    DEPTH_ANY16,  /* any field of 16 bits */
    DEPTH_UNORM16 /* UNORM in all of 16 bits */
};

static inline enum depth_class depth_class_of(const struct raster_depth_stencil *ds)
{
    if (ds->bytes == 2)
        return ds->depth_field == 0xffff ? DEPTH_UNORM16 : DEPTH_ANY16;
    return ds->code == RASTER_DEPTH_UNORM && ds->depth_field == 0xffffff00 ? DEPTH_HIGH24
                                                                           : DEPTH_ANY32;
}

/* Bytes of a pixel in memory. */
static inline unsigned depth_class_bytes(enum depth_class class)
{
    return class == DEPTH_ANY16 || class == DEPTH_UNORM16 ? 2 : 4;
}

/* Encodes depths: as integers where a class has them, else in their place in the word. `scale`:
 * from depth_scale. */
SIMD_INLINE i32v depth_to_class(const struct raster_depth_stencil *ds, enum depth_class class,
                                f32v z, f32v scale)
{
    if (class == DEPTH_HIGH24)
        return encode_depth(RASTER_DEPTH_UNORM, z, f32v_set1(0xffffff));
    if (class == DEPTH_UNORM16)
        return encode_depth(RASTER_DEPTH_UNORM, z, f32v_set1(0xffff));
    return i32v_mul(encode_depth(ds->code, z, scale), i32v_set1(1 << ds->shift));
}

/* The stored depths of words in such a form; `field`: the depth bits of a word. */
SIMD_INLINE i32v depth_class_stored(enum depth_class class, i32v word, i32v field)
{
    if (class == DEPTH_HIGH24)
        return i32v_srl(word, 8);
    return class == DEPTH_UNORM16 ? word : i32v_and(word, field);
}

/* Whether such depths pass the test against stored ones. */
SIMD_INLINE m32v depth_class_passes(enum depth_class class, unsigned func, i32v depth, i32v stored)
{
    return class == DEPTH_ANY32 ? compare_unsigned(func, depth, stored)
                                : compare_signed(func, depth, stored);
}

/* One comparison for all functions but EQUAL and NOTEQUAL, of depths and stencils of up to 24 bits:
 * (depth ^ flip) < (stored ^ flip) + more. */
struct depth_order {
    i32v flip, more;
};

static inline bool depth_is_ordered(unsigned func)
{
    return func != D3DCMP_EQUAL && func != D3DCMP_NOTEQUAL;
}

static inline struct depth_order depth_order_of(unsigned func)
{
    const int32_t any = 1 << 30; /* more than all depths */
    bool greater = func == D3DCMP_GREATER || func == D3DCMP_GREATEREQUAL;
    bool or_equal = func == D3DCMP_LESSEQUAL || func == D3DCMP_GREATEREQUAL;
    int32_t more = func == D3DCMP_ALWAYS ? any : func == D3DCMP_NEVER ? -any : or_equal;

    return (struct depth_order){i32v_set1(greater ? -1 : 0), i32v_set1(more)};
}

SIMD_INLINE m32v depth_order_passes(const struct depth_order *order, i32v depth, i32v stored)
{
    return i32v_lt(i32v_xor(depth, order->flip),
                   i32v_add(i32v_xor(stored, order->flip), order->more));
}

/* Words with new depths. */
SIMD_INLINE i32v depth_class_update(enum depth_class class, i32v word, i32v depth, i32v field)
{
    if (class == DEPTH_HIGH24)
        return i32v_or(i32v_and(word, i32v_set1(0xff)), i32v_sll(depth, 8));
    if (class == DEPTH_UNORM16)
        return depth;
    return i32v_or(i32v_andnot(field, word), depth);
}

/* --- Blocks of 8x8 pixels in memory ------------------------------------------------------------
 */

/* Loads a vector of a block's pixels of 4 or 2 bytes. With 16 lanes it holds two rows and is masked
 * by `lanes` (others read as 0), because a row may lie past the surface. */
SIMD_INLINE i32v load_block(const uint8_t *base, size_t pitch, unsigned bytes, unsigned lane,
                            uint64_t lanes)
{
    const uint8_t *row = base + lane / BLOCK_DIM * pitch + (size_t)(lane % BLOCK_DIM) * bytes;

    if (bytes == 2)
        return i32v_load_uint16_rows_of(row, pitch, (unsigned)(lanes >> lane));
    return i32v_load_rows_of(row, pitch, (unsigned)(lanes >> lane));
}

/* Stores a vector of lanes; may also store lanes outside `lanes` if their row has lanes inside. */
SIMD_INLINE void store_block(uint8_t *base, size_t pitch, unsigned bytes, unsigned lane,
                             uint64_t lanes, i32v value)
{
    uint8_t *row = base + lane / BLOCK_DIM * pitch + (size_t)(lane % BLOCK_DIM) * bytes;

    if (bytes == 2)
        i32v_store_uint16_rows_of(row, pitch, (unsigned)(lanes >> lane), value);
    else
        i32v_store_rows_of(row, pitch, (unsigned)(lanes >> lane), value);
}

#endif
