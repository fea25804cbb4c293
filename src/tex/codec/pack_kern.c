/* Kernels that unpack texels to floats and pack floats to texels, a batch at a time
 * (reference: numbers/unorm, format). */
#include "tex/codec/pack_kern.h"
#include "util/simd/half.h"

#include "util/simd/math.h"

#include <string.h>

/* Kernels widen a batch to one or two 32-bit words per texel before any arithmetic. */
struct words {
    _Alignas(64) int32_t lane[TEX_LANES];
};

static int channel_is_signed(const struct tex_format *f, int c)
{
    return f->snorm_mask >> c & 1;
}

/* --- Widening and narrowing ------------------------------------------------------------------- */

static void widen(struct words *w, const void *src, unsigned n, unsigned bytes)
{
    const uint8_t *p = src;

    if (n < TEX_LANES)
        memset(w, 0, sizeof(*w));
    switch (bytes) {
    case 1:
        for (unsigned i = 0; i < n; i++)
            w->lane[i] = p[i];
        break;
    case 2:
        for (unsigned i = 0; i < n; i++) {
            uint16_t v;

            memcpy(&v, p + 2 * i, 2);
            w->lane[i] = v;
        }
        break;
    case 3:
        for (unsigned i = 0; i < n; i++)
            w->lane[i] = p[3 * i] | p[3 * i + 1] << 8 | p[3 * i + 2] << 16;
        break;
    default:
        memcpy(w, p, 4 * n);
    }
}

static void narrow(void *dst, const struct words *w, unsigned n, unsigned bytes)
{
    uint8_t *p = dst;

    switch (bytes) {
    case 1:
        for (unsigned i = 0; i < n; i++)
            p[i] = (uint8_t)w->lane[i];
        break;
    case 2:
        for (unsigned i = 0; i < n; i++) {
            uint16_t v = (uint16_t)w->lane[i];

            memcpy(p + 2 * i, &v, 2);
        }
        break;
    case 3:
        for (unsigned i = 0; i < n; i++)
            for (int b = 0; b < 3; b++)
                p[3 * i + b] = (uint8_t)(w->lane[i] >> 8 * b);
        break;
    default:
        memcpy(p, w, 4 * n);
    }
}

static void fill(float *out, unsigned n, float value)
{
    for (unsigned i = 0; i < n; i += SIMD_LANES)
        f32v_store(out + i, f32v_set1(value));
}

static void copy(float *out, const float *in, unsigned n)
{
    for (unsigned i = 0; i < n; i += SIMD_LANES)
        f32v_store(out + i, f32v_load(in + i));
}

/* Fills the channels that the format does not store, after the stored ones. */
static void fill_absent(const struct tex_format *f, unsigned n, float *const rgba[4])
{
    for (int c = 0; c < 4; c++) {
        if (f->channel[c].bits)
            continue;
        if (f->layout == TEX_LAYOUT_LUMINANCE && c < 3)
            copy(rgba[c], rgba[0], n);
        else
            fill(rgba[c], n, f->absent[c]);
    }
}

/* --- One channel of a word -------------------------------------------------------------------- */

static void unpack_unsigned(const struct words *w, struct tex_channel ch, unsigned n, float *out)
{
    i32v mask = i32v_set1((int32_t)((1u << ch.bits) - 1));
    f32v max = f32v_set1((float)((1u << ch.bits) - 1));

    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        i32v code = i32v_and(i32v_srl(i32v_load(w->lane + i), ch.shift), mask);

        f32v_store(out + i, f32v_div(i32v_to_f32(code), max));
    }
}

/* Converts signed codes; the two lowest ones both read as -1. Five-bit channels are an exception:
 * hardware first widens them to eight bits, so a negative code n reads as n * 8 / 127 (reference:
 * format/signed). */
static void unpack_signed(const struct words *w, struct tex_channel ch, unsigned n, float *out)
{
    int up = 32 - ch.shift - ch.bits, down = 32 - ch.bits;
    f32v max = f32v_set1((float)((1u << (ch.bits - 1)) - 1));

    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        f32v code = i32v_to_f32(i32v_sra(i32v_sll(i32v_load(w->lane + i), up), down));
        f32v value = f32v_div(code, max);

        if (ch.bits == 5) {
            f32v below = f32v_div(f32v_mul(code, f32v_set1(8.0f)), f32v_set1(127.0f));

            value = f32v_select(f32v_lt(code, f32v_zero()), below, value);
        }
        f32v_store(out + i, f32v_max(value, f32v_set1(-1.0f)));
    }
}

/* Packs a channel: NaN becomes 0; clamps; rounds half up (reference: numbers/unorm). */
static void pack_unsigned(struct words *w, struct tex_channel ch, unsigned n, const float *in)
{
    f32v max = f32v_set1((float)((1u << ch.bits) - 1)), half = f32v_set1(0.5f);

    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        f32v scaled = f32v_add(f32v_mul(f32v_sat(f32v_load(in + i)), max), half);
        i32v code = i32v_sll(f32v_to_i32_trunc(scaled), ch.shift);

        i32v_store(w->lane + i, i32v_or(i32v_load(w->lane + i), code));
    }
}

static void pack_signed(struct words *w, struct tex_channel ch, unsigned n, const float *in)
{
    float top = (float)((1u << (ch.bits - 1)) - 1), bottom = ch.bits == 5 ? 16.0f : top;
    i32v mask = i32v_set1((int32_t)((1u << ch.bits) - 1));
    f32v one = f32v_set1(1.0f), half = f32v_set1(0.5f);

    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        f32v v = f32v_load(in + i);
        f32v scale;
        i32v code;

        v = f32v_where(m32v_not(f32v_isnan(v)), v);
        v = f32v_min(f32v_max(v, f32v_neg(one)), one);
        scale = f32v_select(f32v_lt(v, f32v_zero()), f32v_set1(bottom), f32v_set1(top));
        code = f32v_to_i32_trunc(f32v_floor(f32v_add(f32v_mul(v, scale), half)));
        code = i32v_sll(i32v_and(code, mask), ch.shift);
        i32v_store(w->lane + i, i32v_or(i32v_load(w->lane + i), code));
    }
}

/* --- Words ------------------------------------------------------------------------------------ */

static void unpack_channel(const struct tex_format *f, int c, unsigned shift, const struct words *w,
                           unsigned n, float *out)
{
    struct tex_channel ch = {(uint8_t)(f->channel[c].shift - shift), f->channel[c].bits};

    if (channel_is_signed(f, c))
        unpack_signed(w, ch, n, out);
    else
        unpack_unsigned(w, ch, n, out);
}

static void pack_channel(const struct tex_format *f, int c, unsigned shift, struct words *w,
                         unsigned n, const float *in)
{
    struct tex_channel ch = {(uint8_t)(f->channel[c].shift - shift), f->channel[c].bits};

    if (channel_is_signed(f, c))
        pack_signed(w, ch, n, in);
    else
        pack_unsigned(w, ch, n, in);
}

/* Computes blue of CxV8U8, which stores x and y of a unit vector: blue is z. */
static void reconstruct_unit_z(unsigned n, float *const rgba[4])
{
    f32v one = f32v_set1(1.0f);

    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        f32v x = f32v_load(rgba[0] + i), y = f32v_load(rgba[1] + i);
        f32v rest = f32v_sub(f32v_sub(one, f32v_mul(x, x)), f32v_mul(y, y));

        f32v_store(rgba[2] + i, f32v_sqrt(f32v_max(rest, f32v_zero())));
    }
}

static inline void unpack_words(const struct tex_format *f, const void *src, unsigned n,
                                float *const rgba[4], unsigned bytes)
{
    struct words w;

    widen(&w, src, n, bytes);
    for (int c = 0; c < 4; c++)
        if (f->channel[c].bits)
            unpack_channel(f, c, 0, &w, n, rgba[c]);
    fill_absent(f, n, rgba);
    if (f->d3d == D3DFMT_CxV8U8)
        reconstruct_unit_z(n, rgba);
}

/* Returns the bits of a texel that no channel uses. */
static uint32_t unused_bits(const struct tex_format *f)
{
    uint32_t used = 0;

    for (int c = 0; c < 4; c++)
        used |= ((1u << f->channel[c].bits) - 1) << f->channel[c].shift;
    return ~used;
}

static inline void pack_words(const struct tex_format *f, void *dst, unsigned n,
                              const float *const rgba[4], unsigned bytes)
{
    struct words w;
    i32v start = i32v_set1((int32_t)unused_bits(f)); /* written as ones */

    for (unsigned i = 0; i < n; i += SIMD_LANES)
        i32v_store(w.lane + i, start);
    for (int c = 0; c < 4; c++)
        if (f->channel[c].bits)
            pack_channel(f, c, 0, &w, n, rgba[c]);
    narrow(dst, &w, n, bytes);
}

#define WORDS(bits, bytes)                                                                         \
    static void unpack_word##bits(const struct tex_format *f, const void *src, unsigned n,         \
                                  float *const rgba[4])                                            \
    {                                                                                              \
        unpack_words(f, src, n, rgba, bytes);                                                      \
    }                                                                                              \
    static void pack_word##bits(const struct tex_format *f, void *dst, unsigned n,                 \
                                const float *const rgba[4])                                        \
    {                                                                                              \
        pack_words(f, dst, n, rgba, bytes);                                                        \
    }
WORDS(8, 1)
WORDS(16, 2)
WORDS(24, 3)
WORDS(32, 4)

static void unpack_word64(const struct tex_format *f, const void *src, unsigned n,
                          float *const rgba[4])
{
    const uint8_t *p = src;
    struct words half[2];

    memset(half, 0, sizeof(half));
    for (unsigned i = 0; i < n; i++) {
        memcpy(&half[0].lane[i], p + 8 * i, 4);
        memcpy(&half[1].lane[i], p + 8 * i + 4, 4);
    }
    for (int c = 0; c < 4; c++)
        unpack_channel(f, c, c < 2 ? 0 : 32, &half[c / 2], n, rgba[c]);
}

static void pack_word64(const struct tex_format *f, void *dst, unsigned n,
                        const float *const rgba[4])
{
    uint8_t *p = dst;
    struct words half[2];

    memset(half, 0, sizeof(half));
    for (int c = 0; c < 4; c++)
        pack_channel(f, c, c < 2 ? 0 : 32, &half[c / 2], n, rgba[c]);
    for (unsigned i = 0; i < n; i++) {
        memcpy(p + 8 * i, &half[0].lane[i], 4);
        memcpy(p + 8 * i + 4, &half[1].lane[i], 4);
    }
}

/* --- Four-byte formats: most targets and textures --------------------------------------------- */

/* Loads a vector, of which only `left` lanes may be readable. */
static i32v load_up_to(const uint8_t *p, unsigned left)
{
    int32_t lanes[SIMD_LANES] = {0};

    if (left >= SIMD_LANES)
        return i32v_loadu((const int32_t *)(const void *)p);
    memcpy(lanes, p, 4 * left);
    return i32v_loadu(lanes);
}

static void store_up_to(uint8_t *p, i32v v, unsigned left)
{
    int32_t lanes[SIMD_LANES];

    if (left >= SIMD_LANES) {
        i32v_storeu((int32_t *)(void *)p, v);
        return;
    }
    i32v_storeu(lanes, v);
    memcpy(p, lanes, 4 * left);
}

static void unpack_8888(const struct tex_format *f, const void *src, unsigned n,
                        float *const rgba[4])
{
    const uint8_t *p = src;
    i32v mask = i32v_set1(255);
    f32v max = f32v_set1(255.0f);
    float *low = rgba[f->channel[2].shift ? 0 : 2], *high = rgba[f->channel[2].shift ? 2 : 0];

    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        i32v w = load_up_to(p + 4 * i, n - i);

        f32v_store(low + i, f32v_div(i32v_to_f32(i32v_and(w, mask)), max));
        f32v_store(rgba[1] + i, f32v_div(i32v_to_f32(i32v_and(i32v_srl(w, 8), mask)), max));
        f32v_store(high + i, f32v_div(i32v_to_f32(i32v_and(i32v_srl(w, 16), mask)), max));
        if (f->channel[3].bits)
            f32v_store(rgba[3] + i, f32v_div(i32v_to_f32(i32v_srl(w, 24)), max));
        else
            f32v_store(rgba[3] + i, f32v_set1(1.0f));
    }
}

static inline i32v unorm8(const float *in)
{
    f32v scaled = f32v_mul(f32v_sat(f32v_load(in)), f32v_set1(255.0f));

    return f32v_to_i32_trunc(f32v_add(scaled, f32v_set1(0.5f)));
}

static void pack_8888(const struct tex_format *f, void *dst, unsigned n, const float *const rgba[4])
{
    uint8_t *p = dst;
    const float *low = rgba[f->channel[2].shift ? 0 : 2], *high = rgba[f->channel[2].shift ? 2 : 0];

    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        i32v w = i32v_or(unorm8(low + i), i32v_sll(unorm8(rgba[1] + i), 8));

        w = i32v_or(w, i32v_sll(unorm8(high + i), 16));
        if (f->channel[3].bits)
            w = i32v_or(w, i32v_sll(unorm8(rgba[3] + i), 24));
        else
            w = i32v_or(w, i32v_set1((int32_t)0xff000000));
        store_up_to(p + 4 * i, w, n - i);
    }
}

/* --- Floats ----------------------------------------------------------------------------------- */

static unsigned channels(const struct tex_format *f)
{
    return f->channel[3].bits ? 4 : f->channel[1].bits ? 2 : 1;
}

/* Returns the address of a vector's texels that is readable as a whole vector. A partial last
 * vector is copied to `room`. */
static const int32_t *texels_at(const uint8_t *p, unsigned bytes, unsigned left, int32_t *room)
{
    if (left >= SIMD_LANES)
        return (const int32_t *)(const void *)p;
    memset(room, 0, (size_t)bytes * SIMD_LANES);
    memcpy(room, p, (size_t)bytes * left);
    return room;
}

static void unpack_half_1(const void *src, unsigned n, float *value)
{
    struct words w;

    widen(&w, src, n, 2);
    for (unsigned i = 0; i < n; i += SIMD_LANES)
        f32v_store(value + i, half_to_f32(i32v_load(w.lane + i)));
}

static void unpack_half(const struct tex_format *f, const void *src, unsigned n,
                        float *const rgba[4])
{
    const uint8_t *p = src;
    unsigned count = channels(f);
    int32_t room[2 * SIMD_LANES];
    f32v value[4];

    if (count == 1)
        unpack_half_1(src, n, rgba[0]);
    for (unsigned i = 0; i < n && count > 1; i += SIMD_LANES) {
        const int32_t *at = texels_at(p + 2 * count * i, 2 * count, n - i, room);
        i32v first, second;

        if (count == 2) {
            first = i32v_loadu(at);
        } else {
            i32v_load_deinterleave2(at, &first, &second);
            halves_to_f32(second, &value[2], &value[3]);
        }
        halves_to_f32(first, &value[0], &value[1]);
        for (unsigned c = 0; c < count; c++)
            f32v_store(rgba[c] + i, value[c]);
    }
    fill_absent(f, n, rgba);
}

static void pack_half_1(void *dst, unsigned n, const float *value)
{
    struct words w;

    for (unsigned i = 0; i < n; i += SIMD_LANES)
        i32v_store(w.lane + i, half_from_f32(f32v_load(value + i)));
    narrow(dst, &w, n, 2);
}

static void pack_half(const struct tex_format *f, void *dst, unsigned n, const float *const rgba[4])
{
    uint8_t *p = dst;
    unsigned count = channels(f);
    int32_t room[2 * SIMD_LANES];

    if (count == 1)
        pack_half_1(dst, n, rgba[0]);
    for (unsigned i = 0; i < n && count > 1; i += SIMD_LANES) {
        unsigned left = n - i;
        int32_t *at = left < SIMD_LANES ? room : (int32_t *)(void *)(p + 2 * count * i);
        i32v first = halves_from_f32(f32v_load(rgba[0] + i), f32v_load(rgba[1] + i));

        if (count == 2)
            i32v_storeu(at, first);
        else
            i32v_storeu_interleave2(
                at, first, halves_from_f32(f32v_load(rgba[2] + i), f32v_load(rgba[3] + i)));
        if (left < SIMD_LANES)
            memcpy(p + 2 * count * i, room, (size_t)2 * count * left);
    }
}

static void unpack_float(const struct tex_format *f, const void *src, unsigned n,
                         float *const rgba[4])
{
    const uint8_t *p = src;
    unsigned count = channels(f);

    for (unsigned c = 0; c < count; c++)
        for (unsigned i = 0; i < n; i++)
            memcpy(&rgba[c][i], p + 4 * (i * count + c), 4);
    fill_absent(f, n, rgba);
}

static void pack_float(const struct tex_format *f, void *dst, unsigned n,
                       const float *const rgba[4])
{
    uint8_t *p = dst;
    unsigned count = channels(f);
    struct words w;

    for (unsigned c = 0; c < count; c++) {
        for (unsigned i = 0; i < n; i += SIMD_LANES) {
            i32v bits = i32v_loadu((const int32_t *)(const void *)(rgba[c] + i));
            i32v magnitude = i32v_and(bits, i32v_set1(INT32_MAX));
            m32v nan = i32v_lt(i32v_set1(0x7f800000), magnitude);
            m32v denormal = i32v_lt(magnitude, i32v_set1(0x00800000));

            /* Last point where flushing and NaN canonicalisation are observable
             * (reference: numbers/nan, numbers/denormals). */
            bits = i32v_select(denormal, i32v_sub(bits, magnitude), bits);
            i32v_store(w.lane + i, i32v_select(nan, i32v_set1(0x7fc00000), bits));
        }
        for (unsigned i = 0; i < n; i++)
            memcpy(p + 4 * (i * count + c), &w.lane[i], 4);
    }
}

/* --- Codes ------------------------------------------------------------------------------------ */

static void spread_codes(const struct tex_format *f, const void *src, unsigned n, uint32_t *codes)
{
    static const uint8_t colour[4] = {2, 1, 0, 3};
    struct words in, out;
    unsigned shift[4];
    i32v mask[4];

    for (unsigned b = 0; b < 4; b++) {
        struct tex_channel ch = tex_channel_of(f, colour[b]);

        shift[b] = ch.shift;
        mask[b] = i32v_set1((int32_t)((1u << ch.bits) - 1));
    }
    widen(&in, src, n, f->bytes);
    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        i32v word = i32v_load(in.lane + i), bytes = i32v_set1(0);

        UNROLL
        for (unsigned b = 0; b < 4; b++)
            bytes = i32v_or(bytes, i32v_sll(i32v_and(i32v_srl(word, shift[b]), mask[b]), 8 * b));
        i32v_store(out.lane + i, bytes);
    }
    memcpy(codes, out.lane, n * sizeof(*codes));
}

/* --- sRGB ------------------------------------------------------------------------------------- */

static void srgb_to_linear(float *values, unsigned n)
{
    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        f32v c = f32v_load(values + i);
        f32v base = f32v_div(f32v_add(c, f32v_set1(0.055f)), f32v_set1(1.055f));
        f32v high = f32v_pow(base, f32v_set1(2.4f)), low = f32v_div(c, f32v_set1(12.92f));

        f32v_store(values + i, f32v_select(f32v_le(c, f32v_set1(0.04045f)), low, high));
    }
}

static void linear_to_srgb(float *values, unsigned n)
{
    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        f32v c = f32v_load(values + i);
        f32v power = f32v_pow(c, f32v_set1(1.0f / 2.4f)), low = f32v_mul(c, f32v_set1(12.92f));
        f32v high = f32v_sub(f32v_mul(f32v_set1(1.055f), power), f32v_set1(0.055f));

        f32v_store(values + i, f32v_select(f32v_le(c, f32v_set1(0.0031308f)), low, high));
    }
}

#define BOTH(kind, name) .unpack[kind] = unpack_##name, .pack[kind] = pack_##name

const struct tex_pack_kern KERN_NAME(tex_pack_kern) = {
    BOTH(TEX_PACK_8888, 8888),
    BOTH(TEX_PACK_WORD8, word8),
    BOTH(TEX_PACK_WORD16, word16),
    BOTH(TEX_PACK_WORD24, word24),
    BOTH(TEX_PACK_WORD32, word32),
    BOTH(TEX_PACK_WORD64, word64),
    BOTH(TEX_PACK_HALF, half),
    BOTH(TEX_PACK_FLOAT, float),
    .codes = spread_codes,
    .srgb_to_linear = srgb_to_linear,
    .linear_to_srgb = linear_to_srgb,
};
