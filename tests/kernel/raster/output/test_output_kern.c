/* Output kernel: every format class, blend, write mask and set of lanes, with and without a second
 * source colour and dithering, in each instruction set against tex's scalar unpack and pack with
 * blending written out here; sRGB codes of many floats
 * against the transfer function. */
#include "check_main.h"

#include "kernel/bits.h"
#include "kernel/raster/random.h"
#include "raster/output/general_kern.h"
#include "raster/output/output_kern.h"
#include "raster/state/pixel_write.h"
#include "tex/codec/pack_kern.h"

#include <stdlib.h>

enum { LANES = RASTER_LANES, DIM = 8, PITCH = DIM * 16 + 12, ROUNDS = 60 };

static const D3DFORMAT formats[] = {
    D3DFMT_A8R8G8B8,    D3DFMT_X8R8G8B8,    D3DFMT_A8B8G8R8,      D3DFMT_X8B8G8R8,
    D3DFMT_R5G6B5,      D3DFMT_X1R5G5B5,    D3DFMT_A1R5G5B5,      D3DFMT_A4R4G4B4,
    D3DFMT_A2R10G10B10, D3DFMT_A2B10G10R10, D3DFMT_G16R16,        D3DFMT_A16B16G16R16,
    D3DFMT_L8,          D3DFMT_R16F,        D3DFMT_G16R16F,       D3DFMT_A16B16G16R16F,
    D3DFMT_R32F,        D3DFMT_G32R32F,     D3DFMT_A32B32G32R32F,
};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

static const struct raster_blend blends[] = {
    {D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD},
    {D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD},
    {D3DBLEND_ONE, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD},
    {D3DBLEND_DESTCOLOR, D3DBLEND_ZERO, D3DBLENDOP_ADD},
    {D3DBLEND_SRCALPHASAT, D3DBLEND_INVBLENDFACTOR, D3DBLENDOP_REVSUBTRACT},
    {D3DBLEND_DESTALPHA, D3DBLEND_INVDESTCOLOR, D3DBLENDOP_SUBTRACT},
    {D3DBLEND_INVDESTALPHA, D3DBLEND_BLENDFACTOR, D3DBLENDOP_ADD},
    {D3DBLEND_SRCCOLOR, D3DBLEND_INVSRCCOLOR, D3DBLENDOP_MIN},
    {D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_MAX},
};
enum { BLENDS = sizeof(blends) / sizeof(blends[0]) };

/* Offset of a lane's pixel in a block, or in an array in order of lanes. */
static size_t lane_at(unsigned lane, size_t pitch, unsigned bytes)
{
    unsigned quad = lane / 4, pixel = lane % 4;

    if (!pitch)
        return (size_t)lane * bytes;
    return (quad / 4 * 2 + pixel / 2) * pitch + (size_t)(quad % 4 * 2 + pixel % 2) * bytes;
}

static float saturate(float value)
{
    return value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;
}

/* What a factor takes: source, destination, second source (NULL: there is none), constant. */
struct operands {
    const float *s, *d, *second;
    float k;
};

static float factor_of(unsigned factor, const struct operands *of, unsigned c)
{
    const float *s = of->s, *d = of->d;

    switch (factor) {
    case D3DBLEND_SRCCOLOR:
        return s[c];
    case D3DBLEND_INVSRCCOLOR:
        return 1.0f - s[c];
    case D3DBLEND_SRCALPHA:
    case D3DBLEND_BOTHSRCALPHA:
        return s[3];
    case D3DBLEND_INVSRCALPHA:
    case D3DBLEND_BOTHINVSRCALPHA:
        return 1.0f - s[3];
    case D3DBLEND_DESTALPHA:
        return d[3];
    case D3DBLEND_INVDESTALPHA:
        return 1.0f - d[3];
    case D3DBLEND_DESTCOLOR:
        return d[c];
    case D3DBLEND_INVDESTCOLOR:
        return 1.0f - d[c];
    case D3DBLEND_SRCALPHASAT:
        return c == 3 ? 1.0f : s[3] < 1.0f - d[3] ? s[3] : 1.0f - d[3];
    case D3DBLEND_BLENDFACTOR:
        return of->k;
    case D3DBLEND_INVBLENDFACTOR:
        return 1.0f - of->k;
    case D3DBLEND_SRCCOLOR2:
        return of->second ? of->second[c] : 1.0f;
    case D3DBLEND_INVSRCCOLOR2:
        return of->second ? 1.0f - of->second[c] : 1.0f;
    default:
        return 1.0f;
    }
}

static float term_of(unsigned factor, float colour, const struct operands *of, unsigned c)
{
    if (factor == D3DBLEND_ZERO || factor == D3DBLEND_ONE)
        return factor == D3DBLEND_ONE ? colour : 0.0f;
    return colour * factor_of(factor, of, c);
}

static float blended(const struct raster_blend *blend, const struct operands *of, unsigned c)
{
    const float *s = of->s, *d = of->d;
    float source, dest;

    if (blend->op == D3DBLENDOP_MIN)
        return s[c] < d[c] ? s[c] : d[c];
    if (blend->op == D3DBLENDOP_MAX)
        return s[c] > d[c] ? s[c] : d[c];
    source = term_of(blend->src, s[c], of, c);
    dest = term_of(blend->dst, d[c], of, c);
    return blend->op == D3DBLENDOP_SUBTRACT      ? source - dest
           : blend->op == D3DBLENDOP_REVSUBTRACT ? dest - source
                                                 : source + dest;
}

static void blend_lane(const struct raster_pixel_write *how, const float stored[4],
                       const float other[4], float value[4])
{
    float source[4], second[4];
    struct operands of = {source, stored, how->two_sources ? second : NULL, 0.0f};

    for (unsigned c = 0; c < 4; c++) {
        source[c] = how->clamp ? saturate(value[c]) : value[c];
        second[c] = how->clamp ? saturate(other[c]) : other[c];
    }
    for (unsigned c = 0; c < 4; c++) {
        of.k = how->blend->factor[c];
        value[c] = blended(c == 3 ? &how->blend->alpha : &how->blend->rgb, &of, c);
    }
}

/* Red, green and blue of a format of few bits. steps: of each lane, from -1/2 to 1/2. */
static void dither_lanes(const struct raster_pixel_write *how, const float *steps,
                         float result[4][LANES])
{
    for (unsigned c = 0; c < 3 && how->dithers; c++) {
        float step = (float)(1.0 / (double)((1u << how->format->channel[c].bits) - 1));

        for (unsigned i = 0; i < LANES; i++)
            result[c][i] = saturate(result[c][i]) + steps[i] * step;
    }
}

/* Writes all lanes, with tex and formulas. */
static void write_reference(const struct raster_pixel_write *how, uint8_t *rows, size_t pitch,
                            float from[RASTER_SOURCES][LANES], uint64_t lanes)
{
    static _Alignas(64) float stored[4][LANES], result[4][LANES];
    static _Alignas(64) uint8_t pixels[16 * LANES], packed[16 * LANES];
    float *const to[4] = {stored[0], stored[1], stored[2], stored[3]};
    const float *const out[4] = {result[0], result[1], result[2], result[3]};
    enum tex_pack_kind kind = tex_pack_kind(how->format);
    const struct tex_pack_kern *tex = &tex_pack_kern_scalar;
    unsigned bytes = how->format->bytes;

    for (unsigned i = 0; i < LANES; i++)
        memcpy(pixels + i * bytes, rows + lane_at(i, pitch, bytes), bytes);
    tex->unpack[kind](how->format, pixels, LANES, to);
    for (unsigned c = 0; c < 3 && how->srgb; c++)
        tex->srgb_to_linear(stored[c], LANES);
    for (unsigned i = 0; i < LANES; i++) {
        float old[4] = {stored[0][i], stored[1][i], stored[2][i], stored[3][i]};
        float value[4] = {from[0][i], from[1][i], from[2][i], from[3][i]};
        const float other[4] = {from[4][i], from[5][i], from[6][i], from[7][i]};

        if (how->blend)
            blend_lane(how, old, other, value);
        for (unsigned c = 0; c < 4; c++)
            result[c][i] = value[c];
    }
    dither_lanes(how, from[RASTER_SOURCE_DITHER], result);
    for (unsigned c = 0; c < 3 && how->srgb; c++)
        tex->linear_to_srgb(result[c], LANES);
    for (unsigned c = 0; c < 4 && how->perturbs; c++)
        for (unsigned i = 0; i < LANES; i++)
            result[c][i] += how->step[c];
    tex->pack[kind](how->format, packed, LANES, out);
    for (unsigned i = 0; i < LANES * bytes; i++) {
        uint8_t keep = (uint8_t)(how->keep[i % bytes / 4] >> i % bytes % 4 * 8);

        packed[i] = (uint8_t)((packed[i] & ~keep) | (pixels[i] & keep));
    }
    for (unsigned i = 0; i < LANES; i++)
        if (lanes >> i & 1)
            memcpy(rows + lane_at(i, pitch, bytes), packed + i * bytes, bytes);
}

static uint64_t random_lanes(unsigned n)
{
    return n % 3 == 0 ? ~UINT64_C(0) : n % 3 == 1 ? random_u64() : random_u64() << 16 >> 32;
}

/* Source colours; midpoints between codes of eight bits among them. Then the steps of dithering. */
static void random_colours(float from[RASTER_SOURCES][LANES])
{
    for (unsigned i = 0; i < LANES; i++)
        from[RASTER_SOURCE_DITHER][i] = (float)(2 * (int)(random_u32() % 16) - 15) / 32.0f;
    for (unsigned i = 0; i < RASTER_SOURCE_DITHER * LANES; i++) {
        uint32_t kind = random_u32() % 4, bits = random_u32();

        from[i / LANES][i % LANES] =
            kind ? kind == 1 ? (float)(bits % 65536) / 65535.0f : random_float()
                 : ((float)(bits % 256) + 0.5f) / 255.0f;
    }
}

static struct raster_blend random_blend(void)
{
    struct raster_blend blend = {.src = (uint8_t)(random_u32() % 18)};

    blend.dst = (uint8_t)(random_u32() % 18);
    blend.op = (uint8_t)(1 + random_u32() % 5);
    return blend;
}

static struct raster_pixel_write random_write(unsigned format, unsigned n,
                                              struct raster_blend_params *params)
{
    struct raster_state state = {.blend_enable = n % 4 != 0, .srgb_write = n % 5 == 1};
    unsigned mask = n % 7 < 3 ? 15 : 1 + random_u32() % 15;
    struct raster_pixel_write how;

    params->rgb = n % 10 ? blends[n % BLENDS] : random_blend();
    params->alpha = n % 2 ? params->rgb : random_blend();
    random_floats(params->factor, 4);
    if (n % 3 == 2) { /* two source colours, if a factor names the second one; else factor 1 */
        params->rgb.src = (uint8_t)(D3DBLEND_SRCCOLOR2 + n / 3 % 2);
        state.blend_rgb = params->rgb;
        state.blend_alpha = params->alpha;
        state.separate_alpha = true;
        state.dithers = n % 2;
    }
    if (!raster_pixel_write_init(&how, tex_format_get(formats[format]), &state, mask))
        raster_pixel_write_init(&how, tex_format_get(formats[format]), &state, 15);
    how.blend = state.blend_enable ? params : NULL;
    for (unsigned c = 0; c < 4 && how.clamp; c++)
        params->factor[c] = saturate(params->factor[c]);
    if (n % 11 == 10 && how.clamp) {
        how.perturbs = true;
        how.plain = false;
        for (unsigned c = 0; c < 4; c++)
            how.step[c] = random_float() * 0x1p-8f;
    }
    return how;
}

static void write_with(const struct raster_pixel_write *how, enum cpu_isa isa, uint8_t *rows,
                       size_t pitch, const float *const source[RASTER_SOURCES], uint64_t lanes)
{
    static _Alignas(64) float colour[4][LANES];
    const float *const made[4] = {colour[0], colour[1], colour[2], colour[3]};
    struct raster_pixel_write store = *how;

    if (how->general) {
        KERN_FOR(raster_general_kern, isa)->colours(how, rows, pitch, source, lanes, colour);
        store.blend = NULL;
    }
    KERN_FOR(raster_output_kern, isa)
        ->write[how->class](&store, rows, pitch, how->general ? made : source, lanes);
}

/* _i: the format. */
START_TEST(writes_blocks_and_arrays)
{
    static _Alignas(64) float from[RASTER_SOURCES][LANES];
    static _Alignas(64) uint8_t stored[DIM * PITCH], want[DIM * PITCH], got[DIM * PITCH];
    const float *const source[RASTER_SOURCES] = {from[0], from[1], from[2], from[3], from[4],
                                                 from[5], from[6], from[7], from[8]};

    for (unsigned n = 0; n < ROUNDS; n++) {
        struct raster_blend_params params;
        struct raster_pixel_write how = random_write((unsigned)_i, n, &params);
        size_t pitch = n % 2 ? PITCH : 0;
        uint64_t lanes = random_lanes(n / 2);

        random_colours(from);
        /* A target's floats are canonical. */
        for (unsigned i = 0; i < sizeof(stored) / 4; i++) {
            uint32_t word = random_u32();

            if (how.class >= RASTER_PIXEL_FLOAT1) {
                float value = random_float();

                word = bits_of(value);
            }
            memcpy(stored + 4 * i, &word, 4);
        }
        memcpy(want, stored, sizeof(want));
        write_reference(&how, want, pitch, from, lanes);
        for (int isa = 0; isa < ISA_COUNT; isa++) {
            const struct raster_output_kern *kern = KERN_FOR(raster_output_kern, isa);

            if (!kern || !cpu_has_isa((enum cpu_isa)isa))
                continue;
            memcpy(got, stored, sizeof(got));
            write_with(&how, (enum cpu_isa)isa, got, pitch, source, lanes);
            for (unsigned i = 0; i < sizeof(got); i++)
                ck_assert_msg(got[i] == want[i], "%s, %s, round %u, byte %u: %02x, not %02x",
                              cpu_isa_name((enum cpu_isa)isa), how.format->name, n, i, got[i],
                              want[i]);
        }
        bits_bytes(want, sizeof(want));
    }
    bits_print("write_pixels", (unsigned)_i);
}
END_TEST

START_TEST(stores_packed_pixels)
{
    static _Alignas(64) uint8_t pixels[16 * LANES];
    static uint8_t stored[DIM * PITCH], want[DIM * PITCH], got[DIM * PITCH];

    for (unsigned n = 0; n < ROUNDS; n++) {
        unsigned bytes = 1u << n % RASTER_PIXEL_SIZES;
        uint64_t lanes = random_lanes(n / 2);
        uint32_t set = n % 2 ? 0xff000000 : 0;

        for (unsigned i = 0; i < sizeof(stored); i++)
            stored[i] = (uint8_t)random_u32();
        for (unsigned i = 0; i < sizeof(pixels); i++)
            pixels[i] = (uint8_t)random_u32();
        for (int isa = 0; isa < ISA_COUNT; isa++) {
            const struct raster_output_kern *kern = KERN_FOR(raster_output_kern, isa);

            if (!kern || !cpu_has_isa((enum cpu_isa)isa))
                continue;
            memcpy(want, stored, sizeof(want));
            for (unsigned i = 0; i < LANES; i++)
                if (lanes >> i & 1)
                    memcpy(want + i / DIM * PITCH + i % DIM * bytes, pixels + i * bytes, bytes);
            memcpy(got, stored, sizeof(got));
            kern->store[raster_pixel_size(bytes)](got, PITCH, pixels, lanes);
            ck_assert_msg(!memcmp(got, want, sizeof(got)), "%s, %u bytes",
                          cpu_isa_name((enum cpu_isa)isa), bytes);
            memcpy(want, stored, sizeof(want));
            for (unsigned i = 0; i < LANES; i++) {
                uint32_t word;

                memcpy(&word, pixels + 4 * i, 4);
                word |= set;
                if (lanes >> i & 1)
                    memcpy(want + lane_at(i, PITCH, 4), &word, 4);
            }
            memcpy(got, stored, sizeof(got));
            kern->store_words(got, PITCH, (const uint32_t *)pixels, set, lanes);
            ck_assert_msg(!memcmp(got, want, sizeof(got)), "%s: words",
                          cpu_isa_name((enum cpu_isa)isa));
        }
        bits_bytes(want, sizeof(want));
    }
    bits_print("store_pixels", 0);
}
END_TEST

/* Blocks and arrays; the words of other lanes and the bits above a pixel have no effect. */
START_TEST(copies_pixels_to_words_and_back)
{
    static _Alignas(64) uint32_t words[4][LANES];
    static _Alignas(64) uint8_t stored[DIM * PITCH], want[DIM * PITCH], got[DIM * PITCH];

    for (unsigned n = 0; n < ROUNDS; n++) {
        unsigned bytes = 1u << n % RASTER_PIXEL_SIZES, size = raster_pixel_size(bytes);
        size_t pitch = n % 2 ? PITCH : 0;
        uint64_t lanes = random_lanes(n / 2);

        for (unsigned i = 0; i < sizeof(stored); i++)
            stored[i] = (uint8_t)random_u32();
        for (int isa = 0; isa < ISA_COUNT; isa++) {
            const struct raster_output_kern *kern = KERN_FOR(raster_output_kern, isa);

            if (!kern || !cpu_has_isa((enum cpu_isa)isa))
                continue;
            memset(words, 0x99, sizeof(words));
            kern->read_words[size](stored, pitch, words);
            for (unsigned i = 0; i < LANES * bytes; i++) {
                uint32_t word = words[i % bytes / 4][i / bytes];

                ck_assert_uint_eq(word >> i % bytes % 4 * 8 & 255,
                                  stored[lane_at(i / bytes, pitch, bytes) + i % bytes]);
                ck_assert(bytes >= 4 || !(word >> 8 * bytes));
            }
            for (unsigned i = 0; i < 4 * LANES; i++)
                words[i / LANES][i % LANES] = i * UINT32_C(0x9e3779b1) + n;
            memcpy(want, stored, sizeof(want));
            for (unsigned i = 0; i < LANES * bytes; i++)
                if (lanes >> i / bytes & 1)
                    want[lane_at(i / bytes, pitch, bytes) + i % bytes] =
                        (uint8_t)(words[i % bytes / 4][i / bytes] >> i % bytes % 4 * 8);
            memcpy(got, stored, sizeof(got));
            kern->write_words[size](got, pitch, words, lanes);
            ck_assert_msg(!memcmp(got, want, sizeof(got)), "%s, %u bytes",
                          cpu_isa_name((enum cpu_isa)isa), bytes);
        }
    }
}
END_TEST

/* --- sRGB codes ------------------------------------------------------------------------------- */

/* Codes of 64 consecutive floats from `bits` on, in red, green and blue, against the transfer
 * function. */
static void check_codes(const struct raster_output_kern *kern, const struct raster_pixel_write *how,
                        uint32_t bits, uint32_t step, const char *name)
{
    static _Alignas(64) float from[LANES], linear[LANES];
    static _Alignas(64) uint32_t words[LANES];
    const float *const source[4] = {from, from, from, from};

    for (unsigned i = 0; i < LANES; i++) {
        uint32_t word = bits + i * step;

        memcpy(&from[i], &word, 4);
    }
    memcpy(linear, from, sizeof(linear));
    KERN_PICK(tex_pack_kern)->linear_to_srgb(linear, LANES);
    kern->write[RASTER_PIXEL_RGBA8](how, (uint8_t *)words, 0, source, ~UINT64_C(0));
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t want = (uint32_t)(saturate(linear[i]) * 255.0f + 0.5f);

        ck_assert_msg((words[i] & 0xffffff) == want * 0x010101, "%s, %a: %08x, not %02x", name,
                      from[i], words[i], want);
    }
}

/* NOVEM_ALL_FLOATS=1: all floats of [0, 1]; else one of 997, and of those around 2^-8, where the
 * linear part ends. _i: the instruction set. */
START_TEST(srgb_codes_are_exact)
{
    const struct raster_state state = {.srgb_write = true};
    const char *name = cpu_isa_name((enum cpu_isa)_i);
    const struct raster_output_kern *kern = KERN_FOR(raster_output_kern, (enum cpu_isa)_i);
    uint32_t step = getenv("NOVEM_ALL_FLOATS") ? 1 : 997;
    struct raster_pixel_write how;

    if (!kern || !cpu_has_isa((enum cpu_isa)_i))
        return;
    raster_pixel_write_init(&how, tex_format_get(D3DFMT_X8R8G8B8), &state, 15);
    for (uint32_t bits = step == 1 ? 0 : 0x38000000; bits <= 0x3f800000; bits += LANES * step)
        check_codes(kern, &how, bits, step, name);
    for (uint32_t bits = 0x3b4d2000; bits <= 0x3b4d4000; bits += LANES) /* around 0.0031308 */
        check_codes(kern, &how, bits, 1, name);
    for (uint32_t high = 0; high < 0x10000; high += LANES) /* all signs and exponents, NaN too */
        check_codes(kern, &how, high << 16, 0x10001, name);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster/output");
    TCase *tc = tcase_create("kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, writes_blocks_and_arrays, 0, FORMATS);
    tcase_add_test(tc, stores_packed_pixels);
    tcase_add_test(tc, copies_pixels_to_words_and_back);
    tcase_add_loop_test(tc, srgb_codes_are_exact, 0, ISA_COUNT);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
