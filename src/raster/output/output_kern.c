/* Output kernel: loads, blends, packs and stores pixels, 16 lanes at a time (reference:
 * blend/factors, numbers/unorm). */
#include "raster/output/output_kern.h"

#include "raster/output/blend_lanes.h"
#include "raster/output/pixel_lanes.h"
#include "raster/output/srgb_lanes.h"

#include "util/variant.h"

/* Canonical NaN; denormals become zeros of their sign (reference: numbers/nan,
 * numbers/denormals). */
SIMD_INLINE i32v canonical_float(i32v bits)
{
    i32v magnitude = i32v_and(bits, i32v_set1(INT32_MAX));
    m32v denormal = i32v_lt(magnitude, i32v_set1(0x00800000));

    bits = i32v_select(denormal, i32v_sub(bits, magnitude), bits);
    return i32v_select(i32v_lt(i32v_set1(0x7f800000), magnitude), i32v_set1(0x7fc00000), bits);
}

/* What is known of a vector of colours: nothing; no value is negative or NaN; besides, none is so
 * far above 1 that it would exceed the largest code. */
enum range { RANGE_ANY, RANGE_POSITIVE, RANGE_UNIT };

SIMD_INLINE i32v pack_rgba8(const struct raster_pixel_write *how, const i32v code[3], f32v alpha)
{
    i32v high = how->alpha ? unorm8_code(alpha) : i32v_set1(255);

    return how->red_lowest ? i32v_pack_bytes(code[0], code[1], code[2], high)
                           : i32v_pack_bytes(code[2], code[1], code[0], high);
}

/* The code of a channel in its place; 0 if the channel is absent. */
SIMD_INLINE i32v pack_field(const struct raster_pixel_field *field, enum range range, f32v value)
{
    f32v scaled = range == RANGE_ANY        ? f32v_sat(value)
                  : range == RANGE_POSITIVE ? f32v_min(value, f32v_set1(1.0f))
                                            : value;

    scaled = f32v_mul(scaled, f32v_set1((float)field->mask));
    return i32v_sll(f32v_to_i32_trunc(f32v_add(scaled, f32v_set1(0.5f))), field->shift);
}

/* Bits that no channel uses are ones. */
SIMD_INLINE void pack_fields(enum raster_pixel_class class, enum range range,
                             const struct raster_pixel_write *how, const f32v value[4],
                             i32v word[4])
{
    word[0] = i32v_set1(class == RASTER_PIXEL_FIELDS ? (int32_t)how->unused : 0);
    word[1] = i32v_set1(0);
    UNROLL
    for (unsigned c = 0; c < 2; c++)
        word[0] = i32v_or(word[0], pack_field(&how->field[c], range, value[c]));
    if (class == RASTER_PIXEL_FIELDS && how->two)
        return;
    UNROLL
    for (unsigned c = 2; c < 4; c++)
        word[word_of(class, c)] =
            i32v_or(word[word_of(class, c)], pack_field(&how->field[c], range, value[c]));
}

SIMD_INLINE void pack(enum raster_pixel_class class, enum range range, bool srgb,
                      const struct raster_pixel_write *how, const f32v value[4], i32v word[4])
{
    if (class == RASTER_PIXEL_RGBA8) {
        i32v code[3];

        if (srgb && !how->perturbs) {
            srgb_codes(value, code);
        } else {
            UNROLL
            for (unsigned c = 0; c < 3; c++)
                code[c] = unorm8_code(value[c]);
        }
        word[0] = pack_rgba8(how, code, value[3]);
    } else if (is_fields(class)) {
        pack_fields(class, range, how, value, word);
    } else if (class == RASTER_PIXEL_HALF1) {
        word[0] = half_from_f32(value[0]);
    } else if (class == RASTER_PIXEL_HALF2 || class == RASTER_PIXEL_HALF4) {
        word[0] = halves_from_f32(value[0], value[1]);
    } else {
        for (unsigned c = 0; c < channels_of(class); c++)
            word[c] = canonical_float(f32v_bits(value[c]));
    }
    if (class == RASTER_PIXEL_HALF4)
        word[1] = halves_from_f32(value[2], value[3]);
}

/* --- Colours ---------------------------------------------------------------------------------- */

/* Which equations a function is compiled for. */
enum equation { EQ_NONE, EQ_OVER, EQ_SUM, EQ_LAYER, EQ_TINT, EQ_ANY, EQUATIONS };
static const struct raster_blend common[] = {
    [EQ_OVER] = {D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD},
    [EQ_SUM] = {D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD},
    [EQ_LAYER] = {D3DBLEND_ONE, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD},
    [EQ_TINT] = {D3DBLEND_DESTCOLOR, D3DBLEND_ZERO, D3DBLENDOP_ADD},
};

static enum equation equation_of(const struct raster_blend_params *blend)
{
    if (!blend)
        return EQ_NONE;
    for (unsigned i = EQ_OVER; same_blend(&blend->rgb, &blend->alpha) && i < EQ_ANY; i++)
        if (same_blend(&blend->rgb, &common[i]))
            return (enum equation)i;
    return EQ_ANY;
}

/* The range of an equation's results, if its operands are in [0, 1]. */
SIMD_INLINE enum range range_of(enum equation equation)
{
    switch (equation) {
    case EQ_OVER:
    case EQ_TINT:
        return RANGE_UNIT;
    case EQ_SUM:
    case EQ_LAYER:
        return RANGE_POSITIVE;
    default:
        return RANGE_ANY;
    }
}

/* value: the source, then the result. */
SIMD_INLINE void blend_with(const struct raster_blend *rgb, const struct raster_blend *alpha,
                            const float factor[4], unsigned channels, const f32v stored[4],
                            f32v value[4])
{
    struct blend_lane in = {.sa = value[3], .da = stored[3], .alpha = false};

    UNROLL
    for (unsigned c = 0; c < 4; c++) {
        if (c >= channels)
            continue;
        in.alpha = c == 3;
        in.s = value[c];
        in.d = stored[c];
        in.k = f32v_set1(factor[c]);
        value[c] = blend_channel(c == 3 ? alpha : rgb, &in);
    }
}

/* One function for all classes: it branches on the equation. */
static __attribute__((noinline)) void blend_any(const struct raster_blend_params *blend,
                                                const f32v stored[4], f32v value[4])
{
    blend_with(&blend->rgb, &blend->alpha, blend->factor, 4, stored, value);
}

SIMD_INLINE void blend(enum raster_pixel_class class, enum equation equation,
                       const struct raster_blend_params *params, const f32v stored[4],
                       f32v value[4])
{
    if (class <= RASTER_PIXEL_FIELDS64) {
        UNROLL
        for (unsigned c = 0; c < 4; c++)
            value[c] = f32v_sat(value[c]);
    }
    if (equation == EQ_ANY)
        blend_any(params, stored, value);
    else
        blend_with(&common[equation], &common[equation], params->factor, channels_of(class), stored,
                   value);
}

static void cut(f32v *value, unsigned bits)
{
    _Alignas(64) float lanes[SIMD_LANES];

    f32v_store(lanes, *value);
    for (unsigned i = 0; i < SIMD_LANES; i++)
        lanes[i] = variant_cut(lanes[i], bits);
    *value = f32v_load(lanes);
}

/* As a variant renderer sees the encoded colours, which are fixed-point. Slow. */
static __attribute__((noinline)) void perturb(const struct raster_pixel_write *how, f32v value[4])
{
    for (unsigned c = 0; c < 4; c++) {
        if (how->srgb && c < 3)
            value[c] = srgb_of_linear(value[c]);
        value[c] = f32v_sat(f32v_add(value[c], f32v_set1(how->step[c])));
        if (how->cut[c])
            cut(&value[c], how->cut[c]);
    }
}

/* --- Blocks ----------------------------------------------------------------------------------- */

/* Keeps the stored bits of the write mask and the pixels of other lanes. */
SIMD_INLINE void merge(unsigned bytes, const uint32_t *keep, unsigned lanes, row_words old,
                       row_words new)
{
    UNROLL_ROW
    for (unsigned i = 0; i < ACROSS; i++) {
        m32v written = m32v_from_bits(lanes >> i * SIMD_LANES & SIMD_ALL_BITS);

        UNROLL
        for (unsigned w = 0; w < words_of(bytes); w++) {
            i32v bits = i32v_set1((int32_t)keep[w]);
            i32v word = i32v_or(i32v_andnot(bits, new[w][i]), i32v_and(bits, old[w][i]));

            new[w][i] = i32v_select(written, word, old[w][i]);
        }
    }
}

/* How the pixels of a block are stored: whole blocks of plain pixels; any; as sRGB. */
enum store { STORE_PLAIN, STORE_ANY, STORE_SRGB };

SIMD_INLINE void write_block(enum equation equation, enum raster_pixel_class class, unsigned bytes,
                             enum store store, const struct raster_pixel_write *write,
                             uint8_t *rows, size_t pitch, const float *const from[4],
                             uint64_t lanes)
{
    /* tells the compiler that stores to rows do not alias the pointers */
    const float *channel[4] = {from[0], from[1], from[2], from[3]};
    const struct raster_pixel_write how = *write;
    bool merges = store != STORE_PLAIN && (how.keeps || ~lanes);

    for (unsigned lane = 0; lane < RASTER_LANES; lane += ROW_LANES) {
        uint8_t *at = row_at(rows, pitch, bytes, lane);
        row_words old, new;

        if (store != STORE_PLAIN && !(lanes >> lane & 0xffff))
            continue;
        if (equation || merges)
            load_row(bytes, at, pitch, old);
        UNROLL_ROW
        for (unsigned i = 0; i < ACROSS; i++) {
            i32v word[4];
            f32v value[4], stored[4];

            UNROLL
            for (unsigned c = 0; c < 4; c++)
                value[c] = f32v_load(channel[c] + lane + i * SIMD_LANES);
            if (equation) {
                UNROLL
                for (unsigned w = 0; w < words_of(bytes); w++)
                    word[w] = old[w][i];
                unpack(class, &how, word, stored);
                blend(class, equation, how.blend, stored, value);
            }
            if (store != STORE_PLAIN && __builtin_expect(how.perturbs, 0))
                perturb(&how, value);
            pack(class, range_of(equation), store == STORE_SRGB, &how, value, word);
            UNROLL
            for (unsigned w = 0; w < words_of(bytes); w++)
                new[w][i] = word[w];
        }
        if (merges)
            merge(bytes, how.keep, (unsigned)(lanes >> lane), old, new);
        store_row(bytes, at, pitch, new);
    }
}

/* all: all common equations have their code; else one. */
SIMD_INLINE void write_class(enum raster_pixel_class class, unsigned bytes, bool all,
                             enum equation equation, const struct raster_pixel_write *how,
                             uint8_t *rows, size_t pitch, const float *const from[4],
                             uint64_t lanes)
{
    if (how->plain && !~lanes)
        write_block(EQ_NONE, class, bytes, STORE_PLAIN, how, rows, pitch, from, lanes);
    else if (equation == EQ_NONE)
        write_block(EQ_NONE, class, bytes, STORE_ANY, how, rows, pitch, from, lanes);
    else if (equation == EQ_OVER)
        write_block(EQ_OVER, class, bytes, STORE_ANY, how, rows, pitch, from, lanes);
    else if (all && equation == EQ_SUM)
        write_block(EQ_SUM, class, bytes, STORE_ANY, how, rows, pitch, from, lanes);
    else if (all && equation == EQ_LAYER)
        write_block(EQ_LAYER, class, bytes, STORE_ANY, how, rows, pitch, from, lanes);
    else if (all && equation == EQ_TINT)
        write_block(EQ_TINT, class, bytes, STORE_ANY, how, rows, pitch, from, lanes);
    else
        write_block(EQ_ANY, class, bytes, STORE_ANY, how, rows, pitch, from, lanes);
}

#define WRITE(name, class, bytes, all)                                                             \
    static void write_##name(const struct raster_pixel_write *how, uint8_t *rows, size_t pitch,    \
                             const float *const from[4], uint64_t lanes)                           \
    {                                                                                              \
        write_class(RASTER_PIXEL_##class, bytes, all, equation_of(how->blend), how, rows, pitch,   \
                    from, lanes);                                                                  \
    }
WRITE(fields8, FIELDS, 1, false)
WRITE(fields16, FIELDS, 2, false)
WRITE(fields32, FIELDS, 4, false)
WRITE(fields64, FIELDS64, 8, false)
WRITE(half1, HALF1, 2, false)
WRITE(half2, HALF2, 4, false)
WRITE(half4, HALF4, 8, true)
WRITE(float1, FLOAT1, 4, false)
WRITE(float2, FLOAT2, 8, false)
WRITE(float4, FLOAT4, 16, false)

static void write_fields(const struct raster_pixel_write *how, uint8_t *rows, size_t pitch,
                         const float *const from[4], uint64_t lanes)
{
    if (how->format->bytes == 1)
        write_fields8(how, rows, pitch, from, lanes);
    else if (how->format->bytes == 2)
        write_fields16(how, rows, pitch, from, lanes);
    else
        write_fields32(how, rows, pitch, from, lanes);
}

/* --- sRGB ------------------------------------------------------------------------------------- */

/* Stored pixels as linear values. All indices are in memory before the first is used, so that no
 * load waits for a store. */
static void decode_srgb(const struct raster_pixel_write *how, uint8_t *rows, size_t pitch,
                        uint64_t lanes, float linear[4][RASTER_LANES])
{
    _Alignas(64) int32_t code[3][RASTER_LANES];
    const unsigned lowest = how->red_lowest ? 0 : 2;

    for (unsigned lane = 0; lane < RASTER_LANES; lane += ROW_LANES) {
        row_words old;

        if (!(lanes >> lane & 0xffff))
            continue;
        load_row(4, row_at(rows, pitch, 4, lane), pitch, old);
        UNROLL_ROW
        for (unsigned i = 0; i < ACROSS; i++) {
            const i32v low = i32v_set1(255), word = old[0][i];
            unsigned at = lane + i * SIMD_LANES;
            f32v value[4];

            i32v_store(code[lowest] + at, i32v_and(word, low));
            i32v_store(code[1] + at, i32v_and(i32v_srl(word, 8), low));
            i32v_store(code[2 - lowest] + at, i32v_and(i32v_srl(word, 16), low));
            unpack(RASTER_PIXEL_RGBA8, how, &word, value);
            f32v_store(linear[3] + at, value[3]);
        }
    }
    for (unsigned lane = 0; lane < RASTER_LANES; lane += SIMD_LANES)
        for (unsigned c = 0; c < 3 && lanes >> lane / ROW_LANES * ROW_LANES & 0xffff; c++)
            f32v_store(linear[c] + lane, f32v_load_words(how->linear, code[c] + lane));
}

/* linear: stored pixels, then blended ones. */
SIMD_INLINE void blend_linear(enum equation equation, const struct raster_blend_params *params,
                              const float *const from[4], uint64_t lanes,
                              float linear[4][RASTER_LANES])
{
    const float *channel[4] = {from[0], from[1], from[2], from[3]};

    for (unsigned lane = 0; lane < RASTER_LANES; lane += SIMD_LANES) {
        f32v value[4], stored[4];

        if (!(lanes >> lane / ROW_LANES * ROW_LANES & 0xffff))
            continue;
        UNROLL
        for (unsigned c = 0; c < 4; c++) {
            value[c] = f32v_load(channel[c] + lane);
            stored[c] = f32v_load(linear[c] + lane);
        }
        blend(RASTER_PIXEL_RGBA8, equation, params, stored, value);
        UNROLL
        for (unsigned c = 0; c < 4; c++)
            f32v_store(linear[c] + lane, value[c]);
    }
}

static void write_srgb(const struct raster_pixel_write *how, uint8_t *rows, size_t pitch,
                       const float *const from[4], uint64_t lanes)
{
    _Alignas(64) float linear[4][RASTER_LANES];
    const float *const blended[4] = {linear[0], linear[1], linear[2], linear[3]};
    enum equation equation = equation_of(how->blend);

    if (equation)
        decode_srgb(how, rows, pitch, lanes, linear);
    if (equation == EQ_OVER)
        blend_linear(EQ_OVER, how->blend, from, lanes, linear);
    else if (equation == EQ_SUM)
        blend_linear(EQ_SUM, how->blend, from, lanes, linear);
    else if (equation == EQ_LAYER)
        blend_linear(EQ_LAYER, how->blend, from, lanes, linear);
    else if (equation == EQ_TINT)
        blend_linear(EQ_TINT, how->blend, from, lanes, linear);
    else if (equation)
        blend_linear(EQ_ANY, how->blend, from, lanes, linear);
    write_block(EQ_NONE, RASTER_PIXEL_RGBA8, 4, STORE_SRGB, how, rows, pitch,
                equation ? blended : from, lanes);
}

static void write_rgba8(const struct raster_pixel_write *how, uint8_t *rows, size_t pitch,
                        const float *const from[4], uint64_t lanes)
{
    if (how->srgb)
        write_srgb(how, rows, pitch, from, lanes);
    else
        write_class(RASTER_PIXEL_RGBA8, 4, true, equation_of(how->blend), how, rows, pitch, from,
                    lanes);
}

/* --- Packed pixels ---------------------------------------------------------------------------- */

/* The mask of eight words from `word` on, of a row with the mask `pixels`; words: of a pixel. */
SIMD_INLINE unsigned word_mask(unsigned pixels, unsigned words, unsigned word)
{
    unsigned mask = pixels >> word / words;

    if (words == 4)
        return (mask & 1) * 0x0f + (mask >> 1 & 1) * 0xf0;
    if (words == 1)
        return mask & 0xff;
    mask &= 15;
    mask = (mask | mask << 2) & 0x33;
    mask = (mask | mask << 1) & 0x55;
    return mask | mask << 1;
}

/* One row of eight pixels; both in order. */
SIMD_INLINE void store_part(unsigned bytes, uint8_t *row, const uint8_t *pixels, unsigned mask)
{
    if (mask == 0xff) {
        memcpy(row, pixels, 8 * (size_t)bytes);
    } else if (bytes < 4) {
        for (; mask; mask &= mask - 1) {
            size_t at = (size_t)__builtin_ctz(mask) * bytes;

            memcpy(row + at, pixels + at, bytes);
        }
    } else if (mask) {
        for (unsigned i = 0; i < 2 * bytes; i += 8)
            simd_store_eight((int32_t *)(void *)row + i, (const int32_t *)(const void *)pixels + i,
                             word_mask(mask, bytes / 4, i));
    }
}

#define STORE(bytes)                                                                               \
    static void store_##bytes(uint8_t *rows, size_t pitch, const uint8_t *block, uint64_t cover)   \
    {                                                                                              \
        for (unsigned y = 0; y < BLOCK_DIM; y++, cover >>= BLOCK_DIM)                              \
            store_part(bytes, rows + y * pitch, block + (size_t)y * BLOCK_DIM * bytes,             \
                       (unsigned)cover & 0xff);                                                    \
    }
STORE(1)
STORE(2)
STORE(4)
STORE(8)
STORE(16)

SIMD_INLINE void read_pixels(unsigned bytes, const uint8_t *rows, size_t pitch,
                             uint32_t (*words)[RASTER_LANES])
{
    for (unsigned lane = 0; lane < RASTER_LANES; lane += ROW_LANES) {
        row_words pixels;

        load_row(bytes, rows + (pitch ? lane / ROW_LANES * 2 * pitch : (size_t)lane * bytes), pitch,
                 pixels);
        UNROLL
        for (unsigned w = 0; w < words_of(bytes); w++)
            store_array(4, (uint8_t *)(words[w] + lane), &pixels[w]);
    }
}

SIMD_INLINE void write_pixels(unsigned bytes, uint8_t *rows, size_t pitch,
                              uint32_t (*words)[RASTER_LANES], uint64_t lanes)
{
    static const uint32_t none[4];

    for (unsigned lane = 0; lane < RASTER_LANES; lane += ROW_LANES) {
        uint8_t *at = row_at(rows, pitch, bytes, lane);
        row_words old, new;

        if (!(lanes >> lane & 0xffff))
            continue;
        UNROLL
        for (unsigned w = 0; w < words_of(bytes); w++)
            load_array(4, (const uint8_t *)(words[w] + lane), &new[w]);
        if (~lanes) {
            load_row(bytes, at, pitch, old);
            merge(bytes, none, (unsigned)(lanes >> lane), old, new);
        }
        store_row(bytes, at, pitch, new);
    }
}

#define WORDS(bytes)                                                                               \
    static void read_words_##bytes(const uint8_t *rows, size_t pitch,                              \
                                   uint32_t(*words)[RASTER_LANES])                                 \
    {                                                                                              \
        read_pixels(bytes, rows, pitch, words);                                                    \
    }                                                                                              \
    static void write_words_##bytes(uint8_t *rows, size_t pitch, uint32_t(*words)[RASTER_LANES],   \
                                    uint64_t lanes)                                                \
    {                                                                                              \
        write_pixels(bytes, rows, pitch, words, lanes);                                            \
    }
WORDS(1)
WORDS(2)
WORDS(4)
WORDS(8)
WORDS(16)

static void store_words(uint8_t *rows, size_t pitch, const uint32_t *words, uint32_t set,
                        uint64_t lanes)
{
    static const uint32_t none[4];

    for (unsigned lane = 0; lane < RASTER_LANES; lane += ROW_LANES) {
        uint8_t *at = row_at(rows, pitch, 4, lane);
        row_words old, new;

        load_array(4, (const uint8_t *)(words + lane), new);
        UNROLL_ROW
        for (unsigned i = 0; i < ACROSS; i++)
            new[0][i] = i32v_or(new[0][i], i32v_set1((int32_t)set));
        if (~lanes) {
            load_row(4, at, pitch, old);
            merge(4, none, (unsigned)(lanes >> lane), old, new);
        }
        store_row(4, at, pitch, new);
    }
}

const struct raster_output_kern KERN_NAME(raster_output_kern) = {
    .write = {[RASTER_PIXEL_RGBA8] = write_rgba8,
              [RASTER_PIXEL_FIELDS] = write_fields,
              [RASTER_PIXEL_FIELDS64] = write_fields64,
              [RASTER_PIXEL_HALF1] = write_half1,
              [RASTER_PIXEL_HALF2] = write_half2,
              [RASTER_PIXEL_HALF4] = write_half4,
              [RASTER_PIXEL_FLOAT1] = write_float1,
              [RASTER_PIXEL_FLOAT2] = write_float2,
              [RASTER_PIXEL_FLOAT4] = write_float4},
    .store = {store_1, store_2, store_4, store_8, store_16},
    .read_words = {read_words_1, read_words_2, read_words_4, read_words_8, read_words_16},
    .write_words = {write_words_1, write_words_2, write_words_4, write_words_8, write_words_16},
    .store_words = store_words,
};
