/* Format table, image storage, and texel conversion against double-precision arithmetic. */
#include "check_main.h"
#include "tex/codec/codec.h"
#include "tex/image/image.h"
#include "tex_helpers.h"
#include "util/alloc.h"
#include "util/fpenv.h"
#include "util/half.h"

static struct fp_mode old_mode;

static void enter(void)
{
    old_mode = fp_enter();
}
static void leave(void)
{
    fp_leave(old_mode);
}

/* --- Format table ----------------------------------------------------------------------------- */

START_TEST(rows_are_consistent)
{
    const struct tex_format *f = tex_format_at((unsigned)_i);
    unsigned top = 0;

    ck_assert_ptr_eq(tex_format_get(f->d3d), f);
    ck_assert_str_eq(tex_format_name(f->d3d), f->name);
    for (int c = 0; c < 4; c++) {
        unsigned end = f->channel[c].shift + f->channel[c].bits;

        if (!f->channel[c].bits)
            continue;
        ck_assert_uint_le(end, 8u * f->bytes);
        top = end > top ? end : top;
        for (int d = 0; d < c; d++) /* channels do not overlap */
            ck_assert(!f->channel[d].bits || f->channel[d].shift >= end ||
                      f->channel[d].shift + f->channel[d].bits <= f->channel[c].shift);
    }
    if (f->caps & TEX_TARGET && f->layout != TEX_LAYOUT_RAW)
        ck_assert_ptr_nonnull(tex_packer(f));
    if (f->caps & TEX_BLEND)
        ck_assert(f->caps & TEX_TARGET);
    if (f->caps & TEX_SAMPLE && f->layout <= TEX_LAYOUT_LUMINANCE)
        ck_assert(top && tex_unpacker(f));
    ck_assert_uint_eq(f->block_w * f->block_h > 1,
                      f->layout == TEX_LAYOUT_BLOCK || f->layout == TEX_LAYOUT_YUV);
}
END_TEST

START_TEST(names_of_unknown_formats)
{
    ck_assert_ptr_null(tex_format_get(D3DFMT_UNKNOWN));
    ck_assert_str_eq(tex_format_name((D3DFORMAT)MAKEFOURCC('N', 'V', 'D', 'B')), "NVDB");
    ck_assert_str_eq(tex_format_name((D3DFORMAT)12345), "12345");
    ck_assert_str_eq(tex_format_name(D3DFMT_A8R8G8B8), "A8R8G8B8");
}
END_TEST

/* Row pitches of surfaces that applications cannot lock avoid powers of two. */
START_TEST(pitches_avoid_cache_conflicts)
{
    static const struct {
        uint32_t width, pitch;
        bool unlocked;
    } cases[] = {{1024, 4096, false}, {1024, 4160, true}, {1000, 4000, true}, {1280, 5184, true}};

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tex_desc desc = {D3DFMT_X8R8G8B8,  TEX_2D, cases[i].width, 2, 1, 1, 1,
                                cases[i].unlocked};
        struct tex_image *image;

        ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
        ck_assert_uint_eq(image->level[0].row_pitch, cases[i].pitch);
        tex_image_unref(&image);
    }
}
END_TEST

START_TEST(pitches)
{
    ck_assert_uint_eq(tex_row_pitch(tex_format_get(D3DFMT_R5G6B5), 5), 12);
    for (unsigned w = 64, level = 0; w; w >>= 1, level++) {
        static const unsigned dxt1[] = {128, 64, 32, 16, 8, 8, 8};

        ck_assert_uint_eq(tex_row_pitch(tex_format_get(D3DFMT_DXT1), w), dxt1[level]);
        ck_assert_uint_eq(tex_row_pitch(tex_format_get(D3DFMT_DXT5), w), 2 * dxt1[level]);
    }
    ck_assert_uint_eq(tex_row_pitch(tex_format_get(D3DFMT_YUY2), 3), 8);
}
END_TEST

/* --- Storage ---------------------------------------------------------------------------------- */

static enum status try_create(struct tex_desc desc)
{
    struct tex_image *image;
    enum status st = tex_image_create(&image, &desc, NULL);

    ck_assert((st == ST_OK) == (image != NULL));
    tex_image_unref(&image);
    ck_assert_ptr_null(image);
    return st;
}

START_TEST(impossible_images)
{
    const struct tex_desc good = {D3DFMT_A8R8G8B8, TEX_2D, 16, 8, 1, 0, 1, false};
    struct tex_desc d;

#define TRY(st, ...)                                                                               \
    d = good;                                                                                      \
    __VA_ARGS__;                                                                                   \
    ck_assert_int_eq(try_create(d), st)
    TRY(ST_OK, );
    TRY(ST_OK, d.levels = 5);
    TRY(ST_INVALID, d.levels = 6);
    TRY(ST_INVALID, d.width = 0);
    TRY(ST_INVALID, d.height = 0);
    TRY(ST_INVALID, d.depth = 0);
    TRY(ST_INVALID, d.depth = 2);
    TRY(ST_INVALID, d.width = 16385);
    TRY(ST_INVALID, d.height = UINT32_MAX);
    TRY(ST_INVALID, d.format = D3DFMT_UNKNOWN);
    TRY(ST_INVALID, d.samples = 0);
    TRY(ST_INVALID, d.samples = 2);
    TRY(ST_OK, d.samples = 2; d.levels = 1);
    TRY(ST_INVALID, d.shape = TEX_CUBE_MAP);
    TRY(ST_INVALID, d.shape = TEX_VOLUME_MAP; d.samples = 2; d.levels = 1);
    TRY(ST_OK, d.shape = TEX_VOLUME_MAP; d.depth = 32; d.levels = 6);
    TRY(ST_NOMEM, d.shape = TEX_VOLUME_MAP; d.width = d.height = d.depth = 16384);
    TRY(ST_NOMEM, d.width = d.height = 16384; d.levels = 1; d.samples = 16);
    TRY(ST_NOMEM, d.width = d.height = 16384; d.levels = 1; d.format = D3DFMT_A32B32G32R32F);
}
END_TEST

START_TEST(levels_are_contiguous)
{
    static const D3DFORMAT formats[] = {D3DFMT_A8R8G8B8, D3DFMT_A8, D3DFMT_L8, TEX_FMT_ATI1,
                                        TEX_FMT_ATI2};
    struct tex_image *image = make_image(formats[_i], TEX_CUBE_MAP, 257, 257, 1, 0);
    uint32_t bytes_per_pixel = _i ? 1 : 4;
    size_t offset = 0, bytes;

    ck_assert_uint_eq(image->desc.levels, 9);
    for (uint32_t face = 0; face < 6; face++) {
        for (uint32_t l = 0; l < 9; l++) {
            struct tex_level *level = tex_image_level(image, face, l);

            ck_assert_uint_eq(level->width, 257 >> l);
            ck_assert_ptr_eq(level->data, image->memory + offset);
            bytes = (size_t)((level->width * bytes_per_pixel + 3) & ~3u) * level->height;
            if (_i >= 3 &&
                bytes < level->slice_pitch) /* blocks at edges need more than Direct3D 9 reports */
                bytes = level->slice_pitch;
            offset += bytes;
        }
        offset = (offset + 15) & ~(size_t)15;
    }
    ck_assert_uint_ge(image->bytes, offset);
    tex_image_unref(&image);
}
END_TEST

START_TEST(allocations_may_fail)
{
    struct tex_desc desc = {D3DFMT_DXT1, TEX_2D, 64, 64, 1, 0, 1, false};
    struct tex_sampler_state state = default_state();
    int64_t before = mem_live_blocks();

    for (int k = 0;; k++) {
        struct tex_sampler sampler;
        struct tex_image *image;
        enum status st;

        mem_fail_after(k);
        st = tex_image_create(&image, &desc, NULL);
        if (st == ST_OK)
            st = tex_sampler_init(&sampler, image, &state);
        mem_fail_after(-1);
        tex_image_unref(&image);
        ck_assert_int_eq(mem_live_blocks(), before);
        if (st == ST_OK) {
            ck_assert_int_ge(k, 6);
            break;
        }
        ck_assert_int_eq(st, ST_NOMEM);
    }
}
END_TEST

/* --- Conversion ------------------------------------------------------------------------------- */

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

static Suite *suite(void)
{
    Suite *s = suite_create("tex formats");
    TCase *tc = tcase_create("formats");

    tcase_add_checked_fixture(tc, enter, leave);
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, rows_are_consistent, 0, (int)tex_format_count());
    tcase_add_test(tc, names_of_unknown_formats);
    tcase_add_test(tc, pitches);
    tcase_add_test(tc, pitches_avoid_cache_conflicts);
    tcase_add_test(tc, impossible_images);
    tcase_add_loop_test(tc, levels_are_contiguous, 0, 5);
    tcase_add_test(tc, allocations_may_fail);
    tcase_add_loop_test(tc, codes_unpack_correctly, 0, (int)tex_format_count());
    tcase_add_test(tc, packing_rounds_half_up);
    tcase_add_test(tc, halves);
    tcase_add_test(tc, floats_keep_their_bits);
    tcase_add_test(tc, srgb_curves);
    tcase_add_test(tc, depth_codes);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
