/* Resolve kernels: average the samples of pixels in packed form (reference: multisample/resolve).
 * The floats of a channel are added in the order of samples.
 *
 * Tested by tests/unit/tex/copy/test_resolve.c. */
#include "tex/copy/resolve_kern.h"

#include "util/simd/half.h"
#include "util/simd/uint16.h"

#include <string.h>

enum { MOST_SAMPLES = 16, VECTOR = SIMD_LANES * 4 };

/* --- Vectors of words ------------------------------------------------------------------------- */

/* Load and store a vector, or only its first `left` bytes if these are fewer. */
static inline i32v load_bytes(const uint8_t *p, size_t left)
{
    int32_t lanes[SIMD_LANES] = {0};

    if (left >= VECTOR)
        return i32v_loadu((const int32_t *)(const void *)p);
    memcpy(lanes, p, left);
    return i32v_loadu(lanes);
}

static inline void store_bytes(uint8_t *p, i32v words, size_t left)
{
    int32_t lanes[SIMD_LANES];

    if (left >= VECTOR) {
        i32v_storeu((int32_t *)(void *)p, words);
        return;
    }
    i32v_storeu(lanes, words);
    memcpy(p, lanes, left);
}

/* --- Bytes ------------------------------------------------------------------------------------ */

static inline i32v low_bytes(i32v v)
{
    return i32v_and(v, i32v_set1(0x00ff00ff));
}

/* Sums of up to 16 samples fit 16 bits. Inlining makes the shift a constant. */
SIMD_INLINE void average_row(uint8_t *out, const uint8_t *in, size_t sample_bytes, int shift,
                             size_t bytes)
{
    const i32v half = i32v_set1(0x00010001 << shift >> 1);

    for (size_t i = 0; i < bytes; i += VECTOR) {
        const uint8_t *at = in + i;
        i32v even = half, odd = half;

        for (int s = 0; s < 1 << shift; s++, at += sample_bytes) {
            i32v v = load_bytes(at, bytes - i);

            even = i32v_add(even, low_bytes(v));
            odd = i32v_add(odd, low_bytes(i32v_srl(v, 8)));
        }
        even = low_bytes(i32v_srl(even, shift));
        odd = low_bytes(i32v_srl(odd, shift));
        store_bytes(out + i, i32v_or(even, i32v_sll(odd, 8)), bytes - i);
    }
}

static void average_bytes(const struct tex_format *format, uint8_t *out, const uint8_t *in,
                          size_t sample_bytes, uint32_t samples, uint32_t n)
{
    size_t bytes = (size_t)n * format->bytes;

    if (samples == 2)
        average_row(out, in, sample_bytes, 1, bytes);
    else if (samples == 4)
        average_row(out, in, sample_bytes, 2, bytes);
    else if (samples == 8)
        average_row(out, in, sample_bytes, 3, bytes);
    else
        average_row(out, in, sample_bytes, 4, bytes);
}

/* --- Floats and halves: channels have no places ------------------------------------------------
 */

static void average_float(const struct tex_format *format, uint8_t *out, const uint8_t *in,
                          size_t sample_bytes, uint32_t samples, uint32_t n)
{
    f32v fraction = f32v_set1(1.0f / (float)samples);
    size_t bytes = (size_t)n * format->bytes;

    for (size_t i = 0; i < bytes; i += VECTOR) {
        f32v sum = i32v_as_f32(load_bytes(in + i, bytes - i));
        i32v bits, magnitude;
        m32v nan, denormal;

        for (uint32_t s = 1; s < samples; s++)
            sum = f32v_add(sum, i32v_as_f32(load_bytes(in + i + s * sample_bytes, bytes - i)));
        bits = f32v_bits(f32v_mul(sum, fraction));
        magnitude = i32v_and(bits, i32v_set1(INT32_MAX));
        nan = i32v_lt(i32v_set1(0x7f800000), magnitude);
        denormal = i32v_lt(magnitude, i32v_set1(0x00800000));
        bits = i32v_select(denormal, i32v_sub(bits, magnitude), bits);
        store_bytes(out + i, i32v_select(nan, i32v_set1(0x7fc00000), bits), bytes - i);
    }
}

static void average_half(const struct tex_format *format, uint8_t *out, const uint8_t *in,
                         size_t sample_bytes, uint32_t samples, uint32_t n)
{
    f32v fraction = f32v_set1(1.0f / (float)samples);
    size_t bytes = (size_t)n * format->bytes;

    for (size_t i = 0; i < bytes; i += VECTOR) {
        f32v low, high, more[2];

        halves_to_f32(load_bytes(in + i, bytes - i), &low, &high);
        for (uint32_t s = 1; s < samples; s++) {
            halves_to_f32(load_bytes(in + i + s * sample_bytes, bytes - i), &more[0], &more[1]);
            low = f32v_add(low, more[0]);
            high = f32v_add(high, more[1]);
        }
        store_bytes(out + i, halves_from_f32(f32v_mul(low, fraction), f32v_mul(high, fraction)),
                    bytes - i);
    }
}

/* --- UNORM channels --------------------------------------------------------------------------- */

/* Loads whole vectors of pixels, widened to one word or two. */
SIMD_INLINE void load_pixels(unsigned bytes, const uint8_t *p, i32v word[2])
{
    if (bytes == 1) {
        int32_t lanes[SIMD_LANES];

        for (unsigned i = 0; i < SIMD_LANES; i++)
            lanes[i] = p[i];
        word[0] = i32v_loadu(lanes);
    } else if (bytes == 2) {
        word[0] = i32v_load_uint16(p);
    } else if (bytes == 4) {
        word[0] = i32v_loadu((const int32_t *)(const void *)p);
    } else {
        i32v_load_deinterleave2((const int32_t *)(const void *)p, &word[0], &word[1]);
    }
}

SIMD_INLINE void store_pixels(unsigned bytes, uint8_t *p, const i32v word[2])
{
    if (bytes == 1) {
        int32_t lanes[SIMD_LANES];

        i32v_storeu(lanes, word[0]);
        for (unsigned i = 0; i < SIMD_LANES; i++)
            p[i] = (uint8_t)lanes[i];
    } else if (bytes == 2) {
        i32v_store_uint16(p, i32v_and(word[0], i32v_set1(0xffff)));
    } else if (bytes == 4) {
        i32v_storeu((int32_t *)(void *)p, word[0]);
    } else {
        i32v_storeu_interleave2((int32_t *)(void *)p, word[0], word[1]);
    }
}

/* A channel's mean, in its place. */
SIMD_INLINE i32v average_channel(struct tex_channel channel, const i32v (*word)[2],
                                 uint32_t samples)
{
    const float most = (float)((1u << channel.bits) - 1);
    i32v mask = i32v_set1((int32_t)((1u << channel.bits) - 1));
    unsigned w = channel.shift / 32;
    int shift = channel.shift % 32;
    f32v sum = f32v_zero(), scaled;

    for (uint32_t s = 0; s < samples; s++) {
        i32v code = i32v_and(i32v_srl(word[s][w], shift), mask);
        f32v value = f32v_div(i32v_to_f32(code), f32v_set1(most));

        sum = s ? f32v_add(sum, value) : value;
    }
    scaled = f32v_mul(f32v_sat(f32v_mul(sum, f32v_set1(1.0f / (float)samples))), f32v_set1(most));
    return i32v_sll(f32v_to_i32_trunc(f32v_add(scaled, f32v_set1(0.5f))), shift);
}

/* Bits that no channel uses are ones. */
static uint32_t unused_bits(const struct tex_format *format)
{
    uint32_t used = 0;

    for (int c = 0; c < 4; c++)
        used |= ((1u << format->channel[c].bits) - 1) << format->channel[c].shift % 32;
    return ~used;
}

/* `in` and `out` have whole vectors. */
SIMD_INLINE void average_vector(unsigned bytes, const struct tex_format *format, uint8_t *out,
                                const uint8_t *in, size_t sample_bytes, uint32_t samples)
{
    i32v word[MOST_SAMPLES][2], mean[2];

    for (uint32_t s = 0; s < samples; s++)
        load_pixels(bytes, in + s * sample_bytes, word[s]);
    mean[0] = mean[1] = i32v_set1(bytes < 8 ? (int32_t)unused_bits(format) : 0);
    for (unsigned c = 0; c < 4; c++) {
        i32v *to = &mean[format->channel[c].shift / 32];

        if (format->channel[c].bits)
            *to =
                i32v_or(*to, average_channel(format->channel[c], (const i32v(*)[2])word, samples));
    }
    store_pixels(bytes, out, mean);
}

SIMD_INLINE void average_words(unsigned bytes, const struct tex_format *format, uint8_t *out,
                               const uint8_t *in, size_t sample_bytes, uint32_t samples, uint32_t n)
{
    uint8_t last[MOST_SAMPLES][SIMD_LANES * 8] = {{0}};
    size_t left = n % SIMD_LANES * (size_t)bytes;

    for (; n >= SIMD_LANES; n -= SIMD_LANES, in += SIMD_LANES * bytes, out += SIMD_LANES * bytes)
        average_vector(bytes, format, out, in, sample_bytes, samples);
    if (!left)
        return;
    for (uint32_t s = 0; s < samples; s++)
        memcpy(last[s], in + s * sample_bytes, left);
    average_vector(bytes, format, last[0], last[0], sizeof(last[0]), samples);
    memcpy(out, last[0], left);
}

#define WORD(bits)                                                                                 \
    static void average_word##bits(const struct tex_format *format, uint8_t *out,                  \
                                   const uint8_t *in, size_t sample_bytes, uint32_t samples,       \
                                   uint32_t n)                                                     \
    {                                                                                              \
        average_words((bits) / 8, format, out, in, sample_bytes, samples, n);                      \
    }
WORD(8)
WORD(16)
WORD(32)
WORD(64)

const struct tex_resolve_kern KERN_NAME(tex_resolve_kern) = {
    .average =
        {
            [TEX_AVERAGE_BYTES] = average_bytes,
            [TEX_AVERAGE_WORD8] = average_word8,
            [TEX_AVERAGE_WORD16] = average_word16,
            [TEX_AVERAGE_WORD32] = average_word32,
            [TEX_AVERAGE_WORD64] = average_word64,
            [TEX_AVERAGE_HALF] = average_half,
            [TEX_AVERAGE_FLOAT] = average_float,
        },
};
