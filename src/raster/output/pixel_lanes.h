/* Rows of 16 pixels as vectors of words, and the colours that words hold. For the rasteriser's
 * kernels only. */
#ifndef RASTER_OUTPUT_PIXEL_LANES_H
#define RASTER_OUTPUT_PIXEL_LANES_H

#include "raster/scene/blocks.h"
#include "raster/state/params.h"

#include "util/simd/bytes.h"
#include "util/simd/half.h"
#include "util/simd/rows.h"
#include "util/simd/simd.h"

/* Four quads side by side are a row of 16 lanes; a vector is one such row or a part of it. */
enum { ROW_LANES = 16, ACROSS = ROW_LANES / SIMD_LANES };

/* Narrow vectors do not unroll rows, which would multiply the code. */
#if SIMD_LANES >= 8
#define UNROLL_ROW UNROLL
#elif defined(__clang__)
#define UNROLL_ROW _Pragma("clang loop unroll(disable)")
#else
#define UNROLL_ROW _Pragma("GCC unroll 1")
#endif

/* The pixels of a row: words[w] has word w of each. Pixels of one or two bytes are widened. */
typedef i32v row_words[4][ACROSS];

SIMD_INLINE unsigned words_of(unsigned bytes)
{
    return bytes <= 4 ? 1 : bytes / 4;
}

/* --- Pixels in memory ------------------------------------------------------------------------- */

SIMD_INLINE i32v load_bytes(const uint8_t *from)
{
    _Alignas(64) int32_t lanes[SIMD_LANES];

    for (unsigned i = 0; i < SIMD_LANES; i++)
        lanes[i] = from[i];
    return i32v_load(lanes);
}

/* An array in order of lanes. */
SIMD_INLINE void load_array(unsigned bytes, const uint8_t *at, row_words words)
{
    UNROLL_ROW
    for (unsigned i = 0; i < ACROSS; i++, at += SIMD_LANES * bytes) {
        const int32_t *from = (const int32_t *)(const void *)at;

        if (bytes == 1) {
            words[0][i] = load_bytes(at);
        } else if (bytes == 2) {
            words[0][i] = i32v_load_uint16(at);
        } else if (bytes == 4) {
            words[0][i] = i32v_loadu(from);
        } else if (bytes == 8) {
            i32v_load_deinterleave2(from, &words[0][i], &words[1][i]);
        } else {
            uint32_t offset[SIMD_LANES];
            f32v row[4];

            for (unsigned k = 0; k < SIMD_LANES; k++)
                offset[k] = 16 * k;
            f32v_load_rows(from, offset, row);
            for (unsigned w = 0; w < 4; w++)
                words[w][i] = f32v_bits(row[w]);
        }
    }
}

SIMD_INLINE void store_array(unsigned bytes, uint8_t *at, row_words words)
{
    UNROLL_ROW
    for (unsigned i = 0; i < ACROSS; i++, at += SIMD_LANES * bytes) {
        int32_t *to = (int32_t *)(void *)at;

        if (bytes == 1) {
            _Alignas(64) int32_t lanes[SIMD_LANES];

            i32v_store(lanes, words[0][i]);
            for (unsigned k = 0; k < SIMD_LANES; k++)
                at[k] = (uint8_t)lanes[k];
        } else if (bytes == 2) {
            i32v_store_uint16(at, i32v_and(words[0][i], i32v_set1(0xffff)));
        } else if (bytes == 4) {
            i32v_storeu(to, words[0][i]);
        } else if (bytes == 8) {
            i32v_storeu_interleave2(to, words[0][i], words[1][i]);
        } else {
            i32v pixel[4] = {words[0][i], words[1][i], words[2][i], words[3][i]};

            i32v_storeu_interleave4(to, pixel);
        }
    }
}

/* Rows of eight bytes. */
SIMD_INLINE void load_byte_rows(const uint8_t *above, const uint8_t *below, i32v quads[ACROSS])
{
    _Alignas(64) int32_t lanes[ROW_LANES];

    for (unsigned i = 0; i < 8; i++) {
        lanes[i / 2 * 4 + i % 2] = above[i];
        lanes[i / 2 * 4 + i % 2 + 2] = below[i];
    }
    for (unsigned i = 0; i < ACROSS; i++)
        quads[i] = i32v_load(lanes + i * SIMD_LANES);
}

SIMD_INLINE void store_byte_rows(uint8_t *above, uint8_t *below, const i32v quads[ACROSS])
{
    _Alignas(64) int32_t lanes[ROW_LANES];

    for (unsigned i = 0; i < ACROSS; i++)
        i32v_store(lanes + i * SIMD_LANES, quads[i]);
    for (unsigned i = 0; i < 8; i++) {
        above[i] = (uint8_t)lanes[i / 2 * 4 + i % 2];
        below[i] = (uint8_t)lanes[i / 2 * 4 + i % 2 + 2];
    }
}

SIMD_INLINE void load_row(unsigned bytes, const uint8_t *at, size_t pitch, row_words words)
{
    if (!pitch)
        load_array(bytes, at, words);
    else if (bytes == 1)
        load_byte_rows(at, at + pitch, words[0]);
    else if (bytes == 2)
        i32v_load_quad_uint16_rows(at, at + pitch, words[0]);
    else if (bytes == 4)
        i32v_load_quad_rows(at, at + pitch, words[0]);
    else if (bytes == 8)
        i32v_load_quad_pair_rows(at, at + pitch, words[0], words[1]);
    else
        i32v_load_quad_four_rows(at, at + pitch, words);
}

SIMD_INLINE void store_row(unsigned bytes, uint8_t *at, size_t pitch, row_words words)
{
    if (!pitch)
        store_array(bytes, at, words);
    else if (bytes == 1)
        store_byte_rows(at, at + pitch, words[0]);
    else if (bytes == 2)
        i32v_store_quad_uint16_rows(at, at + pitch, words[0]);
    else if (bytes == 4)
        i32v_store_quad_rows(at, at + pitch, words[0]);
    else if (bytes == 8)
        i32v_store_quad_pair_rows(at, at + pitch, words[0], words[1]);
    else
        i32v_store_quad_four_rows(at, at + pitch, words);
}

SIMD_INLINE uint8_t *row_at(uint8_t *rows, size_t pitch, unsigned bytes, unsigned lane)
{
    return rows + (pitch ? lane / ROW_LANES * 2 * pitch : (size_t)lane * bytes);
}

/* --- Packed values ---------------------------------------------------------------------------- */

/* The channels that a class stores. FIELDS: any of the four, as the format says. */
SIMD_INLINE unsigned channels_of(enum raster_pixel_class class)
{
    return class == RASTER_PIXEL_HALF1 || class == RASTER_PIXEL_FLOAT1   ? 1
           : class == RASTER_PIXEL_HALF2 || class == RASTER_PIXEL_FLOAT2 ? 2
                                                                         : 4;
}

/* The word of a channel of UNORM fields. */
SIMD_INLINE unsigned word_of(enum raster_pixel_class class, unsigned channel)
{
    return class == RASTER_PIXEL_FIELDS64 ? channel / 2 : 0;
}

SIMD_INLINE bool is_fields(enum raster_pixel_class class)
{
    return class == RASTER_PIXEL_FIELDS || class == RASTER_PIXEL_FIELDS64;
}

SIMD_INLINE void swap_red_blue(f32v value[4])
{
    f32v red = value[0];

    value[0] = value[2];
    value[2] = red;
}

SIMD_INLINE f32v unpack_field(const struct raster_pixel_field *field, i32v word)
{
    i32v code = i32v_and(i32v_srl(word, field->shift), i32v_set1((int32_t)field->mask));

    code = i32v_or(code, i32v_set1((int32_t)field->absent));
    return f32v_div_split(i32v_to_f32(code), field->max, field->rcp[0], field->rcp[1]);
}

/* The stored colour of a vector of pixels, from as many words as a pixel has; absent channels read
 * as the format says. */
SIMD_INLINE void unpack(enum raster_pixel_class class, const struct raster_pixel_write *how,
                        const i32v *word, f32v value[4])
{
    if (class == RASTER_PIXEL_RGBA8) {
        i32v_unpack_unorm8(word[0], value);
        if (!how->red_lowest)
            swap_red_blue(value);
        if (!how->alpha)
            value[3] = f32v_set1(1.0f);
        return;
    }
    if (is_fields(class)) {
        value[0] = unpack_field(&how->field[0], word[0]);
        value[1] = unpack_field(&how->field[1], word[0]);
        value[2] = value[3] = f32v_set1(1.0f);
        if (class == RASTER_PIXEL_FIELDS64 || !how->two) {
            value[2] = unpack_field(&how->field[2], word[word_of(class, 2)]);
            value[3] = unpack_field(&how->field[3], word[word_of(class, 3)]);
        }
        if (class == RASTER_PIXEL_FIELDS && how->grey)
            value[1] = value[2] = value[0];
        return;
    }
    UNROLL
    for (unsigned c = 0; c < 4; c++)
        value[c] = f32v_set1((float)how->field[c].absent);
    if (class == RASTER_PIXEL_HALF1)
        value[0] = half_to_f32(word[0]);
    if (class == RASTER_PIXEL_HALF2 || class == RASTER_PIXEL_HALF4)
        halves_to_f32(word[0], &value[0], &value[1]);
    if (class == RASTER_PIXEL_HALF4)
        halves_to_f32(word[1], &value[2], &value[3]);
    for (unsigned c = 0; c < channels_of(class) && class >= RASTER_PIXEL_FLOAT1; c++)
        value[c] = i32v_as_f32(word[c]);
}

#endif
