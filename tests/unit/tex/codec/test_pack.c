/* Packers, unpackers and single values of formats against double-precision arithmetic. */
#include "check_main.h"
#include "tex/codec/codec.h"
#include "tex_helpers.h"
#include "util/half.h"

struct lanes {
    _Alignas(64) float c[4][TEX_LANES];
};

static struct rgba unpack_one(const struct tex_format *f, uint64_t texel)
{
    struct lanes l;
    float *const to[4] = {l.c[0], l.c[1], l.c[2], l.c[3]};

    tex_unpacker(f)(f, &texel, 1, to);
    return (struct rgba){{l.c[0][0], l.c[1][0], l.c[2][0], l.c[3][0]}};
}

static uint64_t pack_one(const struct tex_format *f, struct rgba v)
{
    struct lanes l = {{{v.c[0]}, {v.c[1]}, {v.c[2]}, {v.c[3]}}};
    const float *const from[4] = {l.c[0], l.c[1], l.c[2], l.c[3]};
    uint64_t texel = 0;

    tex_packer(f)(f, &texel, 1, from);
    return texel;
}

/* Value of a channel's code by the rules of the reference. */
static double channel_value(const struct tex_format *f, int c, uint64_t texel)
{
    unsigned bits = f->channel[c].bits;
    uint64_t code = texel >> f->channel[c].shift & ((UINT64_C(1) << bits) - 1);
    int64_t top = INT64_C(1) << (bits - 1);
    int64_t value = (int64_t)code >= top ? (int64_t)code - 2 * top : (int64_t)code;

    if (!(f->snorm_mask >> c & 1))
        return (double)code / (double)((UINT64_C(1) << bits) - 1);
    if (bits == 5 && value < 0)
        return fmax(-1.0, (double)value * 8.0 / 127.0);
    return fmax(-1.0, (double)value / (double)(top - 1));
}

static bool is_exhaustible(const struct tex_format *f)
{
    return f->bytes <= 2 &&
           (f->layout == TEX_LAYOUT_UNORM || f->layout == TEX_LAYOUT_SNORM ||
            f->layout == TEX_LAYOUT_LUMINANCE) &&
           f->d3d != D3DFMT_CxV8U8;
}

/* All codes of one- and two-byte formats; random words for the others. */
START_TEST(codes_unpack_correctly)
{
    const struct tex_format *f = tex_format_at((unsigned)_i);
    uint64_t texel = 88172645463325252u;

    if (!tex_unpacker(f) || f->layout >= TEX_LAYOUT_FLOAT16 ? f->layout != TEX_LAYOUT_LUMINANCE : 0)
        return;
    for (uint32_t n = 0; n < (is_exhaustible(f) ? 65536u : 4096u); n++) {
        struct rgba got;

        texel ^= texel << 13, texel ^= texel >> 7, texel ^= texel << 17;
        if (is_exhaustible(f))
            texel = n;
        got = unpack_one(f, texel);
        for (int c = 0; c < 4; c++) {
            int from = f->layout == TEX_LAYOUT_LUMINANCE && c < 3 ? 0 : c;
            double expect = f->channel[from].bits ? channel_value(f, from, texel) : f->absent[c];

            if (f->d3d == D3DFMT_CxV8U8 && c == 2)
                continue;
            ck_assert_msg(got.c[c] == (float)expect, "%s %llx channel %d: %a not %a", f->name,
                          (unsigned long long)texel, c, got.c[c], expect);
        }
        if (is_exhaustible(f) && !f->snorm_mask) { /* packing is the inverse */
            uint64_t unused = (UINT64_C(1) << 8 * f->bytes) - 1;

            for (int c = 0; c < 4; c++)
                unused &= ~(((UINT64_C(1) << f->channel[c].bits) - 1) << f->channel[c].shift);
            ck_assert_uint_eq(pack_one(f, got) | unused,
                              (texel & ((1u << 8 * f->bytes) - 1)) | unused);
        }
    }
}
END_TEST

START_TEST(packing_rounds_half_up)
{
    const struct tex_format *f = tex_format_get(D3DFMT_A8R8G8B8);

    for (int i = 0; i < 2000; i++) {
        float x = (float)i / 1999.0f;
        uint64_t expect = (uint64_t)floor((double)(float)(x * 255.0f) + 0.5);

        ck_assert_uint_eq(pack_one(f, (struct rgba){{x, 0, 0, 0}}) >> 16 & 255, expect);
    }
    ck_assert_uint_eq(pack_one(f, (struct rgba){{0.5f, 2.0f, -1.0f, NAN}}), 0x0080ff00);
    ck_assert_uint_eq(pack_one(tex_format_get(D3DFMT_X8R8G8B8), (struct rgba){{0, 0, 0, 0}}),
                      0xff000000);
    ck_assert_uint_eq(pack_one(tex_format_get(D3DFMT_G16R16), (struct rgba){{1, 0.5f, 0, 0}}),
                      0x8000ffff);
    ck_assert_uint_eq(pack_one(tex_format_get(D3DFMT_L8), (struct rgba){{0.2f, 1, 1, 1}}), 51);
    ck_assert_uint_eq(pack_one(tex_format_get(D3DFMT_V8U8), (struct rgba){{-1, 1, 0, 0}}), 0x7f81);
    ck_assert_uint_eq(pack_one(tex_format_get(D3DFMT_V8U8), (struct rgba){{NAN, -9, 0, 0}}),
                      0x8100);
}
END_TEST

/* Vector conversion against the bitwise one: all halves, and floats around every rounding
 * boundary. */
START_TEST(halves)
{
    const struct tex_format *f = tex_format_get(D3DFMT_R16F);

    for (uint32_t h = 0; h < 65536; h++) {
        float got = unpack_one(f, h).c[0], expect = half_to_float((uint16_t)h);

        ck_assert(!memcmp(&got, &expect, 4) || (isnan(got) && isnan(expect)));
        if (isnan(expect)) {
            ck_assert_uint_eq(pack_one(f, (struct rgba){{got, 0, 0, 0}}), 0x7e00);
            continue;
        }
        for (int d = -2; d <= 2; d++) {
            uint32_t bits;
            float near;

            memcpy(&bits, &expect, 4);
            bits += (uint32_t)(d * 0x800); /* a quarter of a step for normal halves */
            memcpy(&near, &bits, 4);
            if (isnan(near) || (fabsf(near) < 1.2e-38f && near != 0.0f))
                continue;
            ck_assert_msg(pack_one(f, (struct rgba){{near, 0, 0, 0}}) == half_from_float(near),
                          "%a", near);
        }
    }
}
END_TEST

START_TEST(floats_keep_their_bits)
{
    const struct tex_format *f = tex_format_get(D3DFMT_R32F);
    static const uint32_t bits[] = {0,          0x80000000, 0x3f800000, 0x7f800000,
                                    0xff800000, 0x00800000, 0x12345678};

    for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
        struct rgba v = unpack_one(f, bits[i]);

        ck_assert(!memcmp(&v.c[0], &bits[i], 4));
        ck_assert_uint_eq(pack_one(f, v), bits[i]);
    }
    /* The only place that observes which NaN a value is and whether a zero was a denormal. */
    ck_assert_uint_eq(pack_one(f, (struct rgba){{-NAN, 0, 0, 0}}), 0x7fc00000);
    ck_assert_uint_eq(pack_one(f, unpack_one(f, 1)), 0);
    ck_assert_uint_eq(pack_one(f, unpack_one(f, 0x807fffff)), 0x80000000);
}
END_TEST

START_TEST(srgb_curves)
{
    _Alignas(64) float v[TEX_LANES], w[TEX_LANES];

    for (int base = 0; base < 256; base += TEX_LANES) {
        for (int i = 0; i < TEX_LANES; i++)
            v[i] = (float)(base + i) / 255.0f;
        tex_srgb_to_linear(v, TEX_LANES);
        memcpy(w, v, sizeof(w));
        tex_linear_to_srgb(w, TEX_LANES);
        for (int i = 0; i < TEX_LANES; i++) {
            double c = (base + i) / 255.0;
            double linear = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);

            ck_assert_double_eq_tol(v[i], linear, 2e-7);
            ck_assert_float_eq(v[i], tex_srgb_table(8)[base + i]);
            ck_assert_int_eq((int)(w[i] * 255.0f + 0.5f), base + i);
        }
    }
}
END_TEST

START_TEST(depth_codes)
{
    ck_assert(tex_depth_decode(tex_format_get(D3DFMT_D24S8), 0xffffff12) == 1.0f);
    ck_assert(tex_depth_decode(tex_format_get(D3DFMT_D24X8), 0x00000100) ==
              (float)(1 / 16777215.0));
    ck_assert(tex_depth_decode(tex_format_get(D3DFMT_D16), 0x8000) == (float)(32768 / 65535.0));
    ck_assert(tex_depth_decode(tex_format_get(D3DFMT_D15S1), 0xffff) == 1.0f);
    ck_assert(tex_depth_decode(tex_format_get(D3DFMT_D15S1), 0x0001) == 0.0f);
    ck_assert(tex_depth_decode(tex_format_get(D3DFMT_D32), 0xffffffff) == 1.0f);
    ck_assert(tex_depth_decode(tex_format_get(D3DFMT_D32F_LOCKABLE), 0x3e800000) == 0.25f);
    ck_assert(tex_depth_decode(tex_format_get(D3DFMT_D24FS8), 0xf0000000) == 1.0f);
    ck_assert(tex_depth_decode(tex_format_get(D3DFMT_D24FS8), 0xe80000ff) == 0.75f);
    ck_assert(tex_depth_decode(tex_format_get(D3DFMT_D24FS8), 0x00000100) == 0x1p-34f);
}
END_TEST

/* 20 fraction bits, 4 exponent bits with bias 15, denormals. */
START_TEST(all_float24)
{
    const struct tex_format *f = tex_format_get(D3DFMT_D24FS8);

    for (uint32_t code = 0; code < 1u << 24; code++) {
        int exponent = (int)(code >> 20), fraction24 = (int)(code & 0xfffff);
        double want = exponent ? ldexp(0x100000 + fraction24, exponent - 15 - 20)
                               : ldexp(fraction24, -14 - 20);

        if (tex_depth_decode(f, code << 8 | 0xa5) != want)
            ck_abort_msg("%06x", code);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex packers");
    TCase *tc = tcase_create("packers");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, codes_unpack_correctly, 0, (int)tex_format_count());
    tcase_add_test(tc, packing_rounds_half_up);
    tcase_add_test(tc, halves);
    tcase_add_test(tc, floats_keep_their_bits);
    tcase_add_test(tc, srgb_curves);
    tcase_add_test(tc, depth_codes);
    tcase_add_test(tc, all_float24);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
