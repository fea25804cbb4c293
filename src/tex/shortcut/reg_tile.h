/* Register tile: bilinear sampling of a batch whose texels fit a small square of the level. Byte c
 * of all texels of the square is a lookup table in one or two registers. One byte permutation looks
 * up all four texels of a lane. Sums equal those of rgba8.h. For 16-lane vectors with
 * AVX-512 VBMI (cpu_has_avx512_vbmi). Included by sample kernels. */
#ifndef TEX_SHORTCUT_REG_TILE_H
#define TEX_SHORTCUT_REG_TILE_H

#include "tex/sample/rgba8.h"
#include "tex/sample/results.h"
#include "tex/shortcut/shortcut.h"

#if SIMD_LANES == 16

#define REG_TILE_CODE __attribute__((target("avx512vbmi,avx512vnni")))
#define REG_TILE_INLINE REG_TILE_CODE SIMD_INLINE

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
    return _mm_cvtsi128_si32(_mm512_castsi512_si128(texel));
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
        position =
            _mm512_min_epu32(position, i32v_add(position, i32v_set1(const_lod->wrap_fx8[axis])));
    return position;
}

/* Replicates one byte of each word four times. */
SIMD_INLINE i32v four_bytes(i32v a, int byte)
{
    const i32v all = _mm512_set4_epi32(0x0c0c0c0c, 0x08080808, 0x04040404, 0);

    return _mm512_shuffle_epi8(a, i32v_or(all, i32v_set1(0x01010101 * byte)));
}

/* Computes the offsets of four texels in a tile of `size` columns, and their weights. If the left
 * texels have all the weight, the right ones are set equal to them, so that no weight is 256, which
 * does not fit a byte. */
SIMD_INLINE void address_texels(struct reg_tile *tile, unsigned i, i32v x, i32v y, unsigned size)
{
    const uint64_t low = UINT64_C(0x0706050403020100) * size; /* no carry between bytes */
    const uint64_t high = low + UINT64_C(0x0808080808080808) * size;
    const i32v rows = _mm512_broadcast_i32x4(_mm_set_epi64x((int64_t)high, (int64_t)low));
    const i32v ones = i32v_constant(0x01010101), right = i32v_constant(0x01000100);
    const i32v below = i32v_constant((int32_t)(0x01010000 * size));
    i32v row = _mm512_shuffle_epi8(rows, four_bytes(y, 1)), fraction = four_bytes(x, 0);
    i32v addr = _mm512_add_epi8(_mm512_add_epi8(row, four_bytes(x, 1)), below);

    i32v_store(tile->texels + i, _mm512_add_epi8(addr, _mm512_min_epu8(fraction, right)));
    fraction = _mm512_max_epu8(fraction, ones);
    i32v_store(tile->across + i, _mm512_mask_sub_epi8(fraction, UINT64_C(0x5555555555555555),
                                                      i32v_set1(0), fraction));
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

        most = _mm512_max_epu32(most, _mm512_max_epu32(x, y));
        address_texels(tile, i, x, y, size);
    }
    return !_mm512_cmpge_epu32_mask(most, i32v_set1((int32_t)(size - 1) * 256));
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
REG_TILE_INLINE i32v reg_tile_texels(const int32_t *first, size_t pitch, unsigned size, unsigned n)
{
    unsigned row = n / size, begin = row * size;
    i32v words = i32v_loadu(first + row * pitch + (n - begin));

    UNROLL
    for (unsigned k = 1; k < 3; k++) {
        int32_t at = (int32_t)(begin + k * size) - (int32_t)n; /* index of the row's first texel */

        if (at < 16 && row + k < size)
            words = _mm512_mask_loadu_epi32(words, (__mmask16)(0xffffu << at),
                                            first + (row + k) * pitch - at);
    }
    return words;
}

/* Transposes sixteen texels to planes of bytes: byte 0 of each, then byte 1 of each. */
REG_TILE_INLINE i32v by_bytes(i32v words)
{
    const i32v order =
        _mm512_set_epi32(0x3f3b3733, 0x2f2b2723, 0x1f1b1713, 0x0f0b0703, 0x3e3a3632, 0x2e2a2622,
                         0x1e1a1612, 0x0e0a0602, 0x3d393531, 0x2d292521, 0x1d191511, 0x0d090501,
                         0x3c383430, 0x2c282420, 0x1c181410, 0x0c080400);

    return _mm512_permutexvar_epi8(order, words);
}

/* byte[c]: byte c of all texels of the tile minus 128, because the multiply-add is signed. */
REG_TILE_INLINE void load_reg_tile(i32v byte[4][REG_TILE_REGS], const int32_t *first, size_t pitch,
                                   unsigned size)
{
    const i32v sign = i32v_constant((int32_t)0x80808080);

    UNROLL
    for (unsigned part = 0; part < reg_tile_regs(size); part++) {
        i32v four[4], low[2], high[2];

        UNROLL
        for (unsigned k = 0; k < 4; k++)
            four[k] =
                i32v_xor(by_bytes(reg_tile_texels(first, pitch, size, part * 64 + k * 16)), sign);
        UNROLL
        for (unsigned k = 0; k < 2; k++) {
            low[k] = _mm512_shuffle_i64x2(four[2 * k], four[2 * k + 1], 0x44);
            high[k] = _mm512_shuffle_i64x2(four[2 * k], four[2 * k + 1], 0xee);
        }
        byte[0][part] = _mm512_shuffle_i64x2(low[0], low[1], 0x88);
        byte[1][part] = _mm512_shuffle_i64x2(low[0], low[1], 0xdd);
        byte[2][part] = _mm512_shuffle_i64x2(high[0], high[1], 0x88);
        byte[3][part] = _mm512_shuffle_i64x2(high[0], high[1], 0xdd);
    }
}

/* Copies the texels of a tile that crosses an edge to a contiguous array, row by row. */
REG_TILE_INLINE void copy_rows(int32_t *to, const struct reg_tile *tile,
                               const struct tex_level *level, unsigned size)
{
    uint32_t left = level->width - (uint32_t)tile->origin[0], row = (uint32_t)tile->origin[1];
    unsigned before = left < size ? (1u << left) - 1 : (1u << size) - 1;
    unsigned after = ((1u << size) - 1) & ~before;

    for (unsigned k = 0; k < size; k++, row = row + 1 < level->height ? row + 1 : 0) {
        const int32_t *words =
            (const int32_t *)(const void *)(level->data + (size_t)row * level->row_pitch);
        i32v texels = _mm512_maskz_loadu_epi32((__mmask16)before, words + tile->origin[0]);

        texels = _mm512_mask_loadu_epi32(texels, (__mmask16)after, words - left);
        i32v_storeu(to + k * size, texels);
    }
}

REG_TILE_INLINE i32v lookup_bytes(const i32v byte[REG_TILE_REGS], unsigned size, i32v texels)
{
    if (reg_tile_regs(size) == 1)
        return _mm512_permutexvar_epi8(texels, byte[0]);
    return _mm512_permutex2var_epi8(byte[0], texels, byte[1]);
}

/* --- Weighted sums ---------------------------------------------------------------------------- */

/* Returns the weighted sums of one byte of four texels, in 1/65536. */
REG_TILE_INLINE i32v sum_quad(i32v quad, i32v across, i32v below)
{
    return _mm512_dpwssd_epi32(i32v_constant(32768 * 256), _mm512_maddubs_epi16(across, quad),
                               below);
}

REG_TILE_INLINE void filter_tables(const struct reg_tile *tile, const int32_t *first, size_t pitch,
                                   unsigned size, uint64_t lanes,
                                   const struct channel_results *results)
{
    i32v byte[4][REG_TILE_REGS];

    load_reg_tile(byte, first, pitch, size);
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        i32v texels = i32v_load(tile->texels + i), across = i32v_load(tile->across + i);
        f32v value[4];

        UNROLL
        for (int c = 0; c < 4; c++) {
            i32v quad = lookup_bytes(byte[c], size, texels);
            i32v sum = sum_quad(quad, across, i32v_load(tile->below + i));

            value[c] = f32v_div_codes(i32v_to_f32(sum), 255.0f * 65536.0f);
        }
        put_results(results, value, i, (unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS);
    }
}

REG_TILE_INLINE void filter_reg_tile(const struct reg_tile *tile, const struct tex_level *level,
                                     unsigned size, uint64_t lanes,
                                     const struct channel_results *results)
{
    const int32_t *first = (const int32_t *)(const void *)level->data;
    size_t pitch = level->row_pitch / 4;
    _Alignas(64) int32_t copy[REG_TILE_REGS * 64 + 16];

    if (tile->wraps) {
        copy_rows(copy, tile, level, size);
        filter_tables(tile, copy, size, size, lanes, results);
        return;
    }
    first += (size_t)tile->origin[1] * pitch + (size_t)tile->origin[0];
    filter_tables(tile, first, pitch, size, lanes, results);
}

#endif

#endif
