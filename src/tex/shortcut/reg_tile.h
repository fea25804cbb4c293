/* Register tile: bilinear sampling of a batch whose texels fit a small square of the level. Byte c
 * of all texels of the square is a lookup table in one or two registers. One byte permutation looks
 * up all four texels of a lane. Sums equal those of sample/rgba8.h. For 16-lane vectors with
 * AVX-512 VBMI (cpu_has_avx512_vbmi). Included by sample kernels. */
#ifndef TEX_SHORTCUT_REG_TILE_H
#define TEX_SHORTCUT_REG_TILE_H

#include "tex/sample/rgba8.h"
#include "tex/sample/results.h"
#include "tex/shortcut/shortcut.h"

#include "util/simd/byte_lookup.h"

#if SIMD_LANES == 16

/* A tile of the level, and the texels and weights of each lane. */
struct reg_tile {
    _Alignas(64) int32_t texels[TEX_LANES]; /* offsets of the four texels in the tile, as bytes */
    /* Weights of left and right texels in 1/256, as bytes: left, right, left, right. */
    _Alignas(64) int32_t across[TEX_LANES];
    _Alignas(64) int32_t below[TEX_LANES]; /* weights as in struct texel_addr */
    int32_t origin[2];                     /* first texel of the tile in the level */
    bool wraps;                            /* the tile crosses the level's edge */
};

/* --- Texel addresses -------------------------------------------------------------------------- */

/* Returns the integer part with WRAP (all bits of `wraps` set), otherwise 0. */
SIMD_INLINE f32v whole_part(f32v t, int32_t wraps)
{
    return i32v_as_f32(i32v_and(f32v_bits(f32v_floor(t)), i32v_set1(wraps)));
}

/* Returns the first texel along an axis that the lanes need. `whole` is the integer part that
 * wrapping subtracts from all coordinates, and `position` the tile's start in 1/256 texels.
 * Coordinates are affine, so a corner lane has the least. If they are not, a lane falls outside the
 * tile and the caller takes another path. */
SIMD_INLINE int32_t tile_origin(const struct tex_const_lod *const_lod, unsigned axis,
                                const float *t, f32v *whole, i32v *position)
{
    f32v least = f32v_set1(t[const_lod->min_lane[axis]]), inner;
    i32v half = i32v_set1(128), texel;

    *whole = whole_part(least, const_lod->wrap_mask[axis]);
    inner = f32v_mul_ftz_any(f32v_sub(least, *whole), f32v_set1(const_lod->size_fx8[axis]));
    texel = i32v_sra(i32v_sub(f32v_to_i32_round(inner), half), 8);
    texel = i32v_min(texel, i32v_set1(const_lod->max_origin[axis]));
    *position = i32v_add(i32v_sll(texel, 8), half);
    return i32v_first(texel);
}

/* Computes positions relative to the tile's start, `first`. If the tile lies inside the level, the
 * same `whole` is subtracted from all coordinates. That equals wrapping each of them, unless a lane
 * is outside the tile. If the tile crosses an edge, each coordinate wraps by itself, and positions
 * before the start move past the end. */
SIMD_INLINE i32v position_in_tile(const struct tex_const_lod *const_lod, unsigned axis, bool wraps,
                                  f32v whole, i32v first, const float *t)
{
    f32v at = f32v_load(t);
    i32v position;

    if (wraps)
        whole = whole_part(at, const_lod->wrap_mask[axis]);
    at = f32v_mul_ftz_any(f32v_sub(at, whole), f32v_set1(const_lod->size_fx8[axis]));
    position = i32v_sub(f32v_to_i32_round(at), first);
    if (wraps)
        position = i32v_min_u32(position, i32v_add(position, i32v_set1(const_lod->wrap_fx8[axis])));
    return position;
}

/* Computes the offsets of four texels in a tile of `size` columns, and their weights. If the left
 * texels have all the weight, the right ones are set equal to them, so that no weight is 256, which
 * does not fit a byte. */
SIMD_INLINE void address_texels(struct reg_tile *tile, unsigned i, i32v x, i32v y, unsigned size)
{
    const uint64_t low = UINT64_C(0x0706050403020100) * size; /* no carry between bytes */
    const uint64_t high = low + UINT64_C(0x0808080808080808) * size;
    const i32v rows = i32v_broadcast_128((int32_t)low, (int32_t)(low >> 32), (int32_t)high,
                                         (int32_t)(high >> 32));
    const i32v ones = i32v_constant(0x01010101), right = i32v_constant(0x01000100);
    const i32v below = i32v_constant((int32_t)(0x01010000 * size));
    i32v row = i32v_shuffle_bytes(rows, i32v_broadcast_byte(y, 1));
    i32v fraction = i32v_broadcast_byte(x, 0);
    i32v addr = i32v_add_8(i32v_add_8(row, i32v_broadcast_byte(x, 1)), below);

    i32v_store(tile->texels + i, i32v_add_8(addr, i32v_min_u8(fraction, right)));
    i32v_store(tile->across + i, i32v_negate_even_bytes(i32v_max_u8(fraction, ones)));
    i32v_store(tile->below + i, vertical_weights(y));
}

/* Returns false if a lane is outside the tile. */
SIMD_INLINE bool address_lanes(struct reg_tile *tile, const struct tex_const_lod *const_lod,
                               unsigned size, bool wraps, const f32v whole[2], const i32v first[2],
                               const float *const coord[2])
{
    i32v most = i32v_set1(0);

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        i32v x = position_in_tile(const_lod, 0, wraps, whole[0], first[0], coord[0] + i);
        i32v y = position_in_tile(const_lod, 1, wraps, whole[1], first[1], coord[1] + i);

        most = i32v_max_u32(most, i32v_max_u32(x, y));
        address_texels(tile, i, x, y, size);
    }
    return !m32v_any(i32v_ge_u32(most, i32v_set1((int32_t)(size - 1) * 256)));
}

/* Moves the origin of a tile that crosses an edge into the level. Returns false if that is
 * impossible. */
SIMD_INLINE bool wrap_origin(struct reg_tile *tile, const struct tex_const_lod *const_lod,
                             unsigned axis, i32v *first)
{
    if (tile->origin[axis] < 0) {
        tile->origin[axis] += const_lod->wrap_fx8[axis] / 256;
        *first = i32v_add(*first, i32v_set1(const_lod->wrap_fx8[axis]));
    }
    return tile->origin[axis] >= 0 && tile->origin[axis] <= const_lod->max_origin[axis];
}

/* Returns false if a lane is outside the tile, or if the tile leaves a level that does not wrap on
 * that axis. */
SIMD_INLINE bool find_reg_tile(struct reg_tile *tile, const struct tex_const_lod *const_lod,
                               unsigned size, const float *const coord[2])
{
    f32v whole[2];
    i32v first[2];

    tile->origin[0] = tile_origin(const_lod, 0, coord[0], &whole[0], &first[0]);
    tile->origin[1] = tile_origin(const_lod, 1, coord[1], &whole[1], &first[1]);
    tile->wraps = (uint32_t)tile->origin[0] > (uint32_t)const_lod->max_inner[0] ||
                  (uint32_t)tile->origin[1] > (uint32_t)const_lod->max_inner[1];
    if (!tile->wraps)
        return address_lanes(tile, const_lod, size, false, whole, first, coord);
    return wrap_origin(tile, const_lod, 0, &first[0]) &&
           wrap_origin(tile, const_lod, 1, &first[1]) &&
           address_lanes(tile, const_lod, size, true, whole, first, coord);
}

/* --- Loading the tile ------------------------------------------------------------------------- */

enum { REG_TILE_REGS = 2 }; /* registers per byte of the texels */

/* Number of those registers that a tile fills. */
SIMD_INLINE unsigned reg_tile_regs(unsigned size)
{
    return (size * size + 63) / 64;
}

/* Loads sixteen texels, starting with number n, of a tile in row order. Reads past a row stay in
 * the level or in the readable bytes past its end. */
SIMD_VBMI_INLINE i32v reg_tile_texels(const int32_t *first, size_t pitch, unsigned size, unsigned n)
{
    unsigned row = n / size, begin = row * size;
    i32v words = i32v_loadu(first + row * pitch + (n - begin));

    UNROLL
    for (unsigned k = 1; k < 3; k++) {
        int32_t at = (int32_t)(begin + k * size) - (int32_t)n; /* index of the row's first texel */

        if (at < 16 && row + k < size)
            words = i32v_loadu_lanes(words, m32v_from_bits(0xffffu << at),
                                     first + (row + k) * pitch - at);
    }
    return words;
}

/* byte[c]: byte c of all texels of the tile minus 128, because the multiply-add is signed. */
SIMD_VBMI_INLINE void load_reg_tile(i32v byte[4][REG_TILE_REGS], const int32_t *first, size_t pitch,
                                    unsigned size)
{
    const i32v sign = i32v_constant((int32_t)0x80808080);

    UNROLL
    for (unsigned part = 0; part < reg_tile_regs(size); part++) {
        i32v four[4], planes[4];

        UNROLL
        for (unsigned k = 0; k < 4; k++)
            four[k] = i32v_xor(
                i32v_byte_planes(reg_tile_texels(first, pitch, size, part * 64 + k * 16)), sign);
        i32v_transpose_fours(four, planes);
        UNROLL
        for (unsigned c = 0; c < 4; c++)
            byte[c][part] = planes[c];
    }
}

/* Copies the texels of a tile that crosses an edge to a contiguous array, row by row. */
SIMD_VBMI_INLINE void copy_rows(int32_t *to, const struct reg_tile *tile,
                                const struct tex_level *level, unsigned size)
{
    uint32_t left = level->width - (uint32_t)tile->origin[0], row = (uint32_t)tile->origin[1];
    unsigned before = left < size ? (1u << left) - 1 : (1u << size) - 1;
    unsigned after = ((1u << size) - 1) & ~before;

    for (unsigned k = 0; k < size; k++, row = row + 1 < level->height ? row + 1 : 0) {
        const int32_t *words =
            (const int32_t *)(const void *)(level->data + (size_t)row * level->row_pitch);
        i32v texels =
            i32v_loadu_lanes(i32v_set1(0), m32v_from_bits(before), words + tile->origin[0]);

        texels = i32v_loadu_lanes(texels, m32v_from_bits(after), words - left);
        i32v_storeu(to + k * size, texels);
    }
}

SIMD_VBMI_INLINE i32v lookup_bytes(const i32v byte[REG_TILE_REGS], unsigned size, i32v texels)
{
    if (reg_tile_regs(size) == 1)
        return i32v_lookup_64_bytes(byte[0], texels);
    return i32v_lookup_128_bytes(byte, texels);
}

/* --- Weighted sums ---------------------------------------------------------------------------- */

/* Returns the weighted sums of one byte of four texels, in 1/65536. */
SIMD_VBMI_INLINE i32v sum_quad(i32v quad, i32v across, i32v below)
{
    return i32v_add_madd_16(i32v_constant(32768 * 256), i32v_maddubs_16(across, quad), below);
}

/* `d` is a copy of the sampler's, so that stores cannot alias it. */
SIMD_VBMI_INLINE void filter_tables(const struct reg_tile *tile, const int32_t *first, size_t pitch,
                                    unsigned size, const struct tex_byte_divisors *d,
                                    uint64_t lanes, const struct channel_results *results)
{
    i32v byte[4][REG_TILE_REGS];

    load_reg_tile(byte, first, pitch, size);
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        i32v texels = i32v_load(tile->texels + i), across = i32v_load(tile->across + i);
        f32v value[4];

        UNROLL
        for (unsigned c = 0; c < 4; c++) {
            i32v quad = lookup_bytes(byte[c], size, texels);
            i32v sum = sum_quad(quad, across, i32v_load(tile->below + i));

            value[c] = divide_sum(i32v_to_f32(sum), d, c);
        }
        put_results(results, value, i, (unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS);
    }
}

SIMD_VBMI_INLINE void filter_reg_tile(const struct reg_tile *tile, const struct tex_level *level,
                                      unsigned size, const struct tex_byte_divisors *d,
                                      uint64_t lanes, const struct channel_results *results)
{
    const int32_t *first = (const int32_t *)(const void *)level->data;
    size_t pitch = level->row_pitch / 4;
    _Alignas(64) int32_t copy[REG_TILE_REGS * 64 + 16];

    if (tile->wraps) {
        copy_rows(copy, tile, level, size);
        filter_tables(tile, copy, size, size, d, lanes, results);
        return;
    }
    first += (size_t)tile->origin[1] * pitch + (size_t)tile->origin[0];
    filter_tables(tile, first, pitch, size, d, lanes, results);
}

#endif

#endif
