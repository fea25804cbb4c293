/* Texel conversions over all codes against formulas in double precision, for every instruction set
 * (reference: numbers/unorm, numbers/half, format/signed, texture/srgb). */
#include "check_main.h"
#include "tex/codec/pack_kern.h"
#include "tex_helpers.h"

#include <math.h>
#include <string.h>

struct lanes {
    _Alignas(64) float c[4][TEX_LANES];
};

/* Runs the statement with `k` set to the kernels of each instruction set that this machine has. */
#define EACH_ISA(k)                                                                                \
    for (int isa = 0; isa < ISA_COUNT; isa++)                                                      \
        for (const struct tex_pack_kern *k = isa_kern((enum cpu_isa)isa); k; k = NULL)

static const struct tex_pack_kern *isa_kern(enum cpu_isa isa)
{
    return cpu_has_isa(isa) ? KERN_FOR(tex_pack_kern, isa) : NULL;
}

static void unpack(const struct tex_pack_kern *k, const struct tex_format *f, const void *texels,
                   struct lanes *out)
{
    float *const to[4] = {out->c[0], out->c[1], out->c[2], out->c[3]};

    k->unpack[tex_pack_kind(f)](f, texels, TEX_LANES, to);
}

static void pack(const struct tex_pack_kern *k, const struct tex_format *f, void *texels,
                 const struct lanes *in)
{
    const float *const from[4] = {in->c[0], in->c[1], in->c[2], in->c[3]};

    k->pack[tex_pack_kind(f)](f, texels, TEX_LANES, from);
}

/* --- Halves ----------------------------------------------------------------------------------- */

static double half_value(uint32_t h)
{
    int exponent = (int)(h >> 10 & 31), fraction = (int)(h & 1023);
    double v = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);

    return h & 0x8000 ? -v : v;
}

START_TEST(all_halves_to_floats)
{
    const struct tex_format *f = tex_format_get(D3DFMT_R16F);
    uint16_t texels[TEX_LANES];
    struct lanes out;

    EACH_ISA(k)
    for (uint32_t h = 0; h < 65536; h += TEX_LANES) {
        for (uint32_t i = 0; i < TEX_LANES; i++)
            texels[i] = (uint16_t)(h + i);
        unpack(k, f, texels, &out);
        for (uint32_t i = 0; i < TEX_LANES; i++) {
            float got = out.c[0][i];

            if ((~(h + i) & 0x7c00) == 0)
                ck_assert_msg((h + i) & 1023 ? isnan(got)
                                             : isinf(got) && !signbit(got) == !((h + i) >> 15),
                              "%d", __LINE__);
            else
                ck_assert_msg(got == half_value(h + i) && !signbit(got) == !((h + i) >> 15), "%04x",
                              h + i);
        }
    }
}
END_TEST

static void expect_half(const struct tex_pack_kern *k, float value, uint32_t want)
{
    const struct tex_format *f = tex_format_get(D3DFMT_R16F);
    uint16_t texels[TEX_LANES];
    struct lanes in;

    for (int i = 0; i < TEX_LANES; i++)
        in.c[0][i] = value;
    pack(k, f, texels, &in);
    ck_assert_msg(texels[0] == want && texels[TEX_LANES - 1] == want, "%a: %04x, not %04x",
                  (double)value, texels[0], want);
}

/* Tests each half, its neighbouring floats, the midpoint to the next half (ties to even) and the
 * neighbours of the midpoint. */
START_TEST(all_halves_from_floats)
{
    EACH_ISA(k)
    for (uint32_t h = 0; h < 0x7c00; h++)
        for (uint32_t sign = 0; sign < 0x10000; sign += 0x8000) {
            double here = half_value(h), next = h == 0x7bff ? 65536.0 : half_value(h + 1);
            float s = sign ? -1.0f : 1.0f, middle = (float)((here + next) / 2.0);

            expect_half(k, s * (float)here, sign | h);
            expect_half(k, s * nextafterf((float)here, INFINITY), h ? sign | h : sign);
            expect_half(k, s * nextafterf(middle, 0.0f), sign | h);
            expect_half(k, s * middle, sign | (h + (h & 1)));
            expect_half(k, s * nextafterf(middle, INFINITY), sign | (h + 1));
        }
}
END_TEST

START_TEST(halves_of_special_floats)
{
    EACH_ISA(k)
    {
        expect_half(k, INFINITY, 0x7c00);
        expect_half(k, -INFINITY, 0xfc00);
        expect_half(k, 1e38f, 0x7c00);
        expect_half(k, -65536.0f, 0xfc00);
        expect_half(k, NAN, 0x7e00);
        expect_half(k, -NAN, 0x7e00);
        expect_half(k, 0x1p-26f, 0);
        expect_half(k, -0x1p-126f, 0x8000);
    }
}
END_TEST

/* --- UNORM and SNORM -------------------------------------------------------------------------- */

static uint64_t channel_mask(struct tex_channel ch)
{
    return ((UINT64_C(1) << ch.bits) - 1) << ch.shift;
}

/* Writes TEX_LANES texels with consecutive codes in one channel and noise in other bits. */
static void put_codes(const struct tex_format *f, struct tex_channel ch, uint32_t first,
                      uint8_t *texels)
{
    for (uint32_t i = 0; i < TEX_LANES; i++) {
        uint64_t texel = (first + i) * UINT64_C(0x9e3779b97f4a7c15);

        texel =
            (texel & ~channel_mask(ch)) | ((uint64_t)(first + i) << ch.shift & channel_mask(ch));
        memcpy(texels + i * f->bytes, &texel, f->bytes);
    }
}

static uint32_t code_at(const struct tex_format *f, struct tex_channel ch, const uint8_t *texels,
                        uint32_t i)
{
    uint64_t texel = 0;

    memcpy(&texel, texels + i * f->bytes, f->bytes);
    return (uint32_t)((texel & channel_mask(ch)) >> ch.shift);
}

static double fraction(const struct tex_format *f, int c, uint32_t code)
{
    unsigned bits = f->channel[c].bits;
    int32_t value = (int32_t)(code << (32 - bits)) >> (32 - bits);

    if (!(f->snorm_mask >> c & 1))
        return code / (double)((1u << bits) - 1);
    if (bits == 5 && value < 0)
        return fmax(value * 8.0 / 127.0, -1.0);
    return fmax(value / (double)((1u << (bits - 1)) - 1), -1.0);
}

static bool has_fractions(const struct tex_format *f)
{
    return f->layout == TEX_LAYOUT_UNORM || f->layout == TEX_LAYOUT_SNORM ||
           f->layout == TEX_LAYOUT_LUMINANCE;
}

/* Every code of every channel of every format unpacks to the double-precision value rounded once,
 * and packs back to itself. The lowest signed code reads like the next one. */
START_TEST(all_codes)
{
    const struct tex_format *f = tex_format_at((unsigned)_i);
    uint8_t texels[TEX_LANES * 8], again[TEX_LANES * 8];
    struct lanes out;

    if (!has_fractions(f))
        return;
    EACH_ISA(k)
    for (int c = 0; c < 4; c++) {
        struct tex_channel ch = f->channel[c];
        bool is_signed = f->snorm_mask >> c & 1;

        for (uint32_t code = 0; code < 1u << ch.bits && ch.bits; code += TEX_LANES) {
            put_codes(f, ch, code, texels);
            unpack(k, f, texels, &out);
            pack(k, f, again, &out);
            for (uint32_t i = 0; i < TEX_LANES; i++) {
                uint32_t now = (code + i) & ((1u << ch.bits) - 1), want = now,
                         got = code_at(f, ch, again, i);

                ck_assert_msg(out.c[c][i] == (float)fraction(f, c, now),
                              "%s channel %d code %u: %a", f->name, c, now, (double)out.c[c][i]);
                if (is_signed && now == 1u << (ch.bits - 1) && ch.bits != 5)
                    want++;
                ck_assert_msg(got == want, "%s channel %d: %u became %u", f->name, c, want, got);
            }
        }
    }
}
END_TEST

/* Around every midpoint between two codes: values just below pack to the lower code, values just
 * above to the upper one. Single-precision products may shift the midpoint by half an ulp of the
 * code. */
START_TEST(all_midpoints)
{
    const struct tex_format *f = tex_format_at((unsigned)_i);
    uint8_t texels[TEX_LANES * 8];
    struct lanes in = {0};

    if (!has_fractions(f))
        return;
    EACH_ISA(k)
    for (int c = 0; c < 4; c++) {
        struct tex_channel ch = f->channel[c];
        uint32_t most = (f->snorm_mask >> c & 1) ? (1u << ch.bits >> 1) - 1 : (1u << ch.bits) - 1;

        for (uint32_t code = 0; ch.bits && code < most; code += TEX_LANES / 2) {
            for (uint32_t i = 0; i < TEX_LANES; i++)
                in.c[c][i] = (float)((code + i / 2 + (i & 1 ? 0.51 : 0.49)) / most);
            pack(k, f, texels, &in);
            for (uint32_t i = 0; i < TEX_LANES && code + i / 2 < most; i++)
                ck_assert_msg(code_at(f, ch, texels, i) == code + i / 2 + (i & 1),
                              "%s channel %d: %a", f->name, c, (double)in.c[c][i]);
            for (uint32_t i = 0; i < TEX_LANES && (f->snorm_mask >> c & 1) && ch.bits != 5; i++)
                in.c[c][i] = -in.c[c][i];
            if (!(f->snorm_mask >> c & 1) || ch.bits == 5)
                continue;
            pack(k, f, texels, &in);
            for (uint32_t i = 0; i < TEX_LANES && code + i / 2 < most; i++)
                ck_assert_msg(code_at(f, ch, texels, i) ==
                                  ((0u - (code + i / 2 + (i & 1))) & ((1u << ch.bits) - 1)),
                              "%s channel %d: %a", f->name, c, (double)in.c[c][i]);
        }
    }
}
END_TEST

/* C = sqrt(1 - U² - V²), for all 2^16 texels. */
START_TEST(third_components)
{
    const struct tex_format *f = tex_format_get(D3DFMT_CxV8U8);
    uint16_t texels[TEX_LANES];
    struct lanes out;

    EACH_ISA(k)
    for (uint32_t first = 0; first < 65536; first += TEX_LANES) {
        for (uint32_t i = 0; i < TEX_LANES; i++)
            texels[i] = (uint16_t)(first + i);
        unpack(k, f, texels, &out);
        for (uint32_t i = 0; i < TEX_LANES; i++) {
            double u = fraction(f, 0, texels[i] & 255), v = fraction(f, 1, texels[i] >> 8);
            double rest = 1.0 - u * u - v * v, want = rest > 0.0 ? sqrt(rest) : 0.0;

            /* single precision loses 2^-23 of the 1, which the root amplifies */
            ck_assert_msg(fabs(out.c[2][i] - want) <= 1.5e-7 / fmax(2.0 * want, 0.01) + 6e-8,
                          "%04x: %g, not %g", texels[i], (double)out.c[2][i], want);
            ck_assert_msg(out.c[3][i] == 1.0f, "%d", __LINE__);
        }
    }
}
END_TEST

/* --- sRGB ------------------------------------------------------------------------------------- */

static double linear_of(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* All codes of 1 to 8 bits, as samplers read them, and back to the same code. */
START_TEST(srgb_of_all_codes)
{
    _Alignas(64) float v[TEX_LANES];

    for (unsigned bits = 1; bits <= 8; bits++) {
        unsigned most = (1u << bits) - 1;

        for (unsigned code = 0; code <= most; code++) {
            double want = linear_of((double)code / most);

            ck_assert_msg(fabs(tex_srgb_table(bits)[code] - want) <= want * 6e-7, "%u of %u bits",
                          code, bits);
            EACH_ISA(k)
            {
                for (int i = 0; i < TEX_LANES; i++)
                    v[i] = tex_srgb_table(bits)[code];
                k->linear_to_srgb(v, TEX_LANES);
                for (int i = 0; i < TEX_LANES; i++)
                    ck_assert_uint_eq((unsigned)(v[i] * (float)most + 0.5f), code);
                for (int i = 0; i < TEX_LANES; i++)
                    v[i] = (float)code / (float)most;
                k->srgb_to_linear(v, TEX_LANES);
                ck_assert_msg(v[0] == tex_srgb_table(bits)[code] && v[TEX_LANES - 1] == v[0], "%d",
                              __LINE__);
            }
        }
    }
}
END_TEST

/* Encoding: 2^20 ascending floats in [0, 1] against the formula. All instruction sets give the same
 * bits, and results never decrease. Values outside and NaN are clamped. */
START_TEST(srgb_of_floats)
{
    _Alignas(64) float in[TEX_LANES], out[TEX_LANES], first[TEX_LANES];
    float before = 0.0f;

    for (uint32_t bits = 0x30000000; bits <= 0x3f800000; bits += 253 * TEX_LANES) {
        for (uint32_t i = 0; i < TEX_LANES; i++) {
            uint32_t word = bits + 253 * i < 0x3f800000 ? bits + 253 * i : 0x3f800000;

            memcpy(&in[i], &word, 4);
        }
        EACH_ISA(k)
        {
            memcpy(out, in, sizeof(in));
            k->linear_to_srgb(out, TEX_LANES);
            if (isa == ISA_SCALAR)
                memcpy(first, out, sizeof(out));
            ck_assert_msg(!memcmp(first, out, sizeof(out)), "differs");
        }
        for (int i = 0; i < TEX_LANES; i++) {
            double c = in[i], want = c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1.0 / 2.4) - 0.055;

            ck_assert_msg(fabs(out[i] - want) <= 2.5e-7, "%a: %a, not %a", (double)in[i],
                          (double)out[i], want);
            ck_assert_msg(out[i] >= before - 6e-8f, "%a", (double)in[i]);
            before = out[i];
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex conversions");
    TCase *tc = tcase_create("conversions");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, all_halves_to_floats);
    tcase_add_test(tc, all_halves_from_floats);
    tcase_add_test(tc, halves_of_special_floats);
    tcase_add_loop_test(tc, all_codes, 0, (int)tex_format_count());
    tcase_add_loop_test(tc, all_midpoints, 0, (int)tex_format_count());
    tcase_add_test(tc, third_components);
    tcase_add_test(tc, srgb_of_all_codes);
    tcase_add_test(tc, srgb_of_floats);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
