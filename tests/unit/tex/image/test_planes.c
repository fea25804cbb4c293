/* Planar video against an independent scalar definition: where Y, U and V are, decoding, copies,
 * fills and StretchRect (reference: format/planar). */
#include "check_main.h"
#include "tex_helpers.h"

#include "tex/codec/codec.h"

#define YV12 ((D3DFORMAT)MAKEFOURCC('Y', 'V', '1', '2'))
#define NV12 ((D3DFORMAT)MAKEFOURCC('N', 'V', '1', '2'))

static const D3DFORMAT formats[] = {YV12, NV12};

/* Offsets of Y, U and V of a pixel: P is the pitch of luma. YV12 has V before U, each with half the
 * pitch and half the rows; NV12 has pairs of U and V. */
static void offsets(D3DFORMAT format, size_t p, size_t h, size_t x, size_t y, size_t at[3])
{
    at[0] = y * p + x;
    if (format == NV12) {
        at[1] = p * h + y / 2 * p + x / 2 * 2;
        at[2] = at[1] + 1;
    } else {
        at[2] = p * h + y / 2 * (p / 2) + x / 2;
        at[1] = p * h + h / 2 * (p / 2) + y / 2 * (p / 2) + x / 2;
    }
}

static int clamp8(int v)
{
    return v < 0 ? 0 : v > 255 ? 255 : v;
}

static uint32_t expected(D3DFORMAT format, const struct tex_level *level, uint32_t x, uint32_t y)
{
    size_t at[3];
    int c, d, e;

    offsets(format, level->row_pitch, level->height, x, y, at);
    c = 298 * (level->data[at[0]] - 16) + 128;
    d = level->data[at[1]] - 128;
    e = level->data[at[2]] - 128;
    return 0xff000000u | (uint32_t)clamp8((c + 409 * e) >> 8) << 16 |
           (uint32_t)clamp8((c - 100 * d - 208 * e) >> 8) << 8 |
           (uint32_t)clamp8((c + 516 * d) >> 8);
}

static struct tex_image *make_noise(D3DFORMAT format, uint32_t w, uint32_t h, uint32_t seed)
{
    struct tex_image *image = make_2d(format, w, h);

    for (size_t i = 0; i < image->bytes; i++) {
        seed = seed * 1664525u + 1013904223u;
        image->memory[i] = (uint8_t)(seed >> 24);
    }
    return image;
}

static const uint32_t sizes[][2] = {{2, 2}, {4, 2}, {6, 4}, {20, 16}, {130, 6}, {34, 66}};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

START_TEST(decodes)
{
    for (int f = 0; f < 2; f++) {
        struct tex_image *image = make_noise(formats[f], sizes[_i][0], sizes[_i][1], 7);
        const struct tex_level *level = image->level;
        uint32_t argb[136];

        ck_assert_uint_eq(image->bytes,
                          (level->row_pitch * (level->height + level->height / 2) + 15) & ~15u);
        for (uint32_t y = 0; y < level->height; y++) {
            for (uint32_t x = 0; x < level->width; x += 3) { /* even and odd starts */
                uint32_t n = level->width - x;

                tex_read_row_argb(image->format, level, x, y, 0, n, argb, NULL);
                for (uint32_t i = 0; i < n; i++)
                    ck_assert_uint_eq(argb[i], expected(formats[f], level, x + i, y));
            }
        }
        tex_image_unref(&image);
    }
}
END_TEST

/* StretchRect of a part, point sampled at twice the size. */
START_TEST(stretches_to_rgb)
{
    uint32_t w = sizes[_i][0], h = sizes[_i][1];

    for (int f = 0; f < 2; f++) {
        struct tex_image *src = make_noise(formats[f], w, h, 11);
        struct tex_image *dst = make_2d(D3DFMT_X8R8G8B8, 2 * w, 2 * h);
        struct tex_image *same = make_2d(formats[f], 2 * w, 2 * h);
        const struct tex_box to = {0, 0, 0, 2 * w, 2 * h, 1}, from = {0, 0, 0, w, h, 1};

        ck_assert_int_eq(stretch_boxes(dst, &to, src, &from, D3DTEXF_POINT), ST_OK);
        for (uint32_t y = 0; y < 2 * h; y++)
            for (uint32_t x = 0; x < 2 * w; x++)
                ck_assert_uint_eq(read_argb(dst, x, y, 0),
                                  expected(formats[f], src->level, x / 2, y / 2));
        ck_assert_int_eq(stretch_boxes(same, &to, src, &from, D3DTEXF_POINT), ST_UNSUPPORTED);
        tex_image_unref(&same);
        tex_image_unref(&dst);
        tex_image_unref(&src);
    }
}
END_TEST

/* A copy moves the pixels of the box and nothing else, also within one surface. */
START_TEST(copies)
{
    static const uint32_t moves[][6] = {/* x0 y0 x1 y1, then where to */
                                        {0, 0, 20, 16, 0, 0},
                                        {2, 4, 10, 12, 8, 2},
                                        {4, 2, 20, 16, 0, 0},
                                        {0, 0, 16, 14, 4, 2}};
    const uint32_t *m = moves[_i % 4];
    const struct tex_box box = {m[0], m[1], 0, m[2], m[3], 1};
    bool within = _i >= 4;

    for (int f = 0; f < 2; f++) {
        struct tex_image *src = make_noise(formats[f], 20, 16, 3);
        struct tex_image *old = make_noise(formats[f], 20, 16, within ? 3 : 5);
        struct tex_image *from = make_noise(formats[f], 20, 16, 3);
        struct tex_image *dst = within ? src : make_noise(formats[f], 20, 16, 5);

        tex_copy(dst->format, dst->level, m[4], m[5], 0, src->level, &box);
        for (uint32_t y = 0; y < 16; y++) {
            for (uint32_t x = 0; x < 20; x++) {
                bool inside =
                    x >= m[4] && x - m[4] < m[2] - m[0] && y >= m[5] && y - m[5] < m[3] - m[1];
                struct tex_image *want = inside ? from : old;
                size_t at[3], was[3];

                offsets(formats[f], 20, 16, x, y, at);
                offsets(formats[f], 20, 16, inside ? x - m[4] + m[0] : x,
                        inside ? y - m[5] + m[1] : y, was);
                for (int c = 0; c < 3; c++)
                    ck_assert_uint_eq(dst->memory[at[c]], want->memory[was[c]]);
            }
        }
        if (!within)
            tex_image_unref(&dst);
        tex_image_unref(&from);
        tex_image_unref(&old);
        tex_image_unref(&src);
    }
}
END_TEST

/* Red is Y 82, U 90, V 240 in limited-range BT.601. The box grows to whole chroma samples. */
START_TEST(fills)
{
    static const uint8_t red[3] = {82, 90, 240};
    const struct tex_box box = {3, 2, 0, 6, 5, 1};

    for (int f = 0; f < 2; f++) {
        struct tex_image *image = make_2d(formats[f], 12, 8);

        ck_assert_int_eq(tex_fill(image, 0, 0, &box, 0x80ff0000), ST_OK);
        for (uint32_t y = 0; y < 8; y++) {
            for (uint32_t x = 0; x < 12; x++) {
                bool inside = x >= 2 && x < 6 && y >= 2 && y < 6;
                size_t at[3];

                offsets(formats[f], 12, 8, x, y, at);
                for (int c = 0; c < 3; c++)
                    ck_assert_uint_eq(image->memory[at[c]], inside ? red[c] : 0);
            }
        }
        tex_image_unref(&image);
    }
}
END_TEST

/* Only 2D surfaces with one level, one sample and even sides exist. */
START_TEST(shapes)
{
    const struct tex_desc refused[] = {
        desc_of(YV12, TEX_2D, 3, 2, 1, 1, 1),        desc_of(YV12, TEX_2D, 2, 3, 1, 1, 1),
        desc_of(NV12, TEX_2D, 4, 4, 1, 2, 1),        desc_of(NV12, TEX_2D, 4, 4, 1, 0, 1),
        desc_of(NV12, TEX_2D, 4, 4, 1, 1, 4),        desc_of(YV12, TEX_CUBE_MAP, 4, 4, 1, 1, 1),
        desc_of(YV12, TEX_VOLUME_MAP, 4, 4, 4, 1, 1)};

    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        struct tex_image *image;

        ck_assert_int_eq(tex_image_create(&image, &refused[i], NULL), ST_INVALID);
        ck_assert_uint_eq(tex_image_bytes(&refused[i]), 0);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex planes");
    TCase *tc = tcase_create("planes");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_loop_test(tc, decodes, 0, SIZES);
    tcase_add_loop_test(tc, stretches_to_rgb, 0, SIZES);
    tcase_add_loop_test(tc, copies, 0, 8);
    tcase_add_test(tc, fills);
    tcase_add_test(tc, shapes);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
