/* FLIP and SSIM: identities, values computed by hand, and values of reference implementations: the
 * authors' C++ of FLIP in double precision, and a direct transcription of SSIM's formulas. */
#include "check_main.h"

#include "tool/image/flip.h"
#include "tool/image/image.h"
#include "tool/image/ssim.h"
#include "util/alloc.h"
#include "util/cpu.h"

#include <math.h>
#include <stdlib.h>

static uint32_t noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 24;
}

/* Test images; the expected values were computed elsewhere from the same integers. */
enum kind { DARKER_SQUARE, NOISES, MOVED_BARS, WHITE_POINT };

static void colour(enum kind kind, uint32_t width, uint32_t height, uint32_t x, uint32_t y,
                   unsigned c, uint32_t *state, uint32_t out[2])
{
    uint32_t bright = 200 + c * 10, dark = 40 * c;

    switch (kind) {
    case DARKER_SQUARE:
        out[0] = (x * (3 + c) + y * (5 - c)) & 255;
        out[1] = x > 20 && x < 40 && y > 10 && y < 30 ? out[0] / 2 : out[0];
        break;
    case NOISES:
        out[0] = noise(state);
        out[1] = noise(state);
        break;
    case MOVED_BARS:
        out[0] = (x / 7 + y / 5) % 2 ? bright : dark;
        out[1] = ((x + 1) / 7 + y / 5) % 2 ? bright : dark;
        break;
    case WHITE_POINT:
        out[0] = 0;
        out[1] = x == width / 2 && y == height / 2 ? 255 : 0;
        break;
    }
}

static void make_pair(enum kind kind, uint32_t width, uint32_t height, struct tool_image pair[2])
{
    uint32_t state = 1, v[2] = {0};

    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(tool_image_create(&pair[i], width, height), ST_OK);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            for (unsigned c = 0; c < 4; c++) {
                size_t at = 4 * ((size_t)y * width + x) + c;

                colour(kind, width, height, x, y, c, &state, v);
                pair[0].rgba[at] = c == 3 ? 255 : (uint8_t)v[0];
                pair[1].rgba[at] = c == 3 ? 255 : (uint8_t)v[1];
            }
}

static void make_flat(uint32_t width, uint32_t height, uint32_t first, uint32_t second,
                      struct tool_image pair[2])
{
    for (int i = 0; i < 2; i++) {
        uint32_t rgb = i ? second : first;

        ck_assert_int_eq(tool_image_create(&pair[i], width, height), ST_OK);
        for (size_t at = 0; at < (size_t)width * height; at++) {
            pair[i].rgba[4 * at] = (uint8_t)(rgb >> 16);
            pair[i].rgba[4 * at + 1] = (uint8_t)(rgb >> 8);
            pair[i].rgba[4 * at + 2] = (uint8_t)rgb;
            pair[i].rgba[4 * at + 3] = 255;
        }
    }
}

static void free_pair(struct tool_image pair[2])
{
    tool_image_fini(&pair[0]);
    tool_image_fini(&pair[1]);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static const struct expected_flip {
    enum kind kind;
    uint32_t width, height;
    double ppd, mean, max, quartile1, median, quartile3, at_16_16, at_30_20;
} expected_flip[] = {
    {DARKER_SQUARE, 64, 48, 0, 0.1238476, 0.9547739, 0.59979, 0.81138, 0.86138, 0.031373,
     0.8570869},
    {NOISES, 97, 61, 0, 0.4467260, 0.9657896, 0.38703, 0.48238, 0.59456, 0.4406619, 0.3623432},
    {MOVED_BARS, 300, 100, 0, 0.2391686, 0.6804122, 0.24246, 0.38888, 0.47126, 0.0302896,
     0.0253188},
    {WHITE_POINT, 33, 33, 0, 0.0131419, 0.8649065, 0.39068, 0.48056, 0.76349, 0.8649065, 0},
    {MOVED_BARS, 300, 100, 30, 0.2433402, 0.9011975, 0.43070, 0.63023, 0.90086, 0.0045643,
     0.0040876},
    {NOISES, 97, 61, 100, 0.3478251, 0.8343399, 0.30048, 0.37546, 0.45819, 0.3231878, 0.2706375},
};

START_TEST(flip_as_published)
{
    const struct expected_flip *e = &expected_flip[_i];
    double ppd = e->ppd > 0 ? e->ppd : flip_default_pixels_per_degree();
    float *map = mem_alloc((size_t)e->width * e->height * sizeof(float));
    struct tool_image pair[2];
    struct flip_result r, back;

    make_pair(e->kind, e->width, e->height, pair);
    ck_assert_int_eq(flip_compare(&pair[0], &pair[1], ppd, &r, map), ST_OK);
    /* Errors of the moved bars are steep functions of differences near 0. */
    ck_assert_double_eq_tol(r.mean, e->mean, 1e-5);
    ck_assert_double_eq_tol(r.max, e->max, 2e-5);
    ck_assert_double_eq_tol(r.quartile1, e->quartile1, 1e-4);
    ck_assert_double_eq_tol(r.median, e->median, 1e-4);
    ck_assert_double_eq_tol(r.quartile3, e->quartile3, 1e-4);
    ck_assert_double_eq_tol((double)map[16 * e->width + 16], e->at_16_16, 5e-6);
    ck_assert_double_eq_tol((double)map[20 * e->width + 30], e->at_30_20, 5e-6);
    /* The metric is symmetric. */
    ck_assert_int_eq(flip_compare(&pair[1], &pair[0], ppd, &back, NULL), ST_OK);
    ck_assert_mem_eq(&back, &r, sizeof(r));
    mem_free(map);
    free_pair(pair);
}
END_TEST

/* Without features only the colour error remains: HyAB of Hunt-adjusted colours to the power of
 * 0.7, with 0.4 of the largest error (41.27610, green and blue) mapped to 0.95. */
START_TEST(flip_by_hand)
{
    static const struct {
        uint32_t a, b;
        double error;
    } flat[] = {
        {0x000000, 0xffffff, 0.9673804}, /* 100^0.7 = 25.118864 */
        {0x00ff00, 0x0000ff, 1.0},
        {0x123456, 0x123456, 0.0},
    };
    struct tool_image pair[2];
    struct flip_result r;
    float map[15 * 7];

    for (size_t i = 0; i < sizeof(flat) / sizeof(flat[0]); i++) {
        make_flat(15, 7, flat[i].a, flat[i].b, pair);
        ck_assert_int_eq(
            flip_compare(&pair[0], &pair[1], flip_default_pixels_per_degree(), &r, map), ST_OK);
        ck_assert_double_eq_tol(r.mean, flat[i].error, 2e-6);
        ck_assert_double_eq_tol(r.max, flat[i].error, 2e-6);
        ck_assert_double_eq_tol(r.median, flat[i].error, 1e-4);
        ck_assert_double_eq_tol((double)map[0], flat[i].error, 2e-6);
        ck_assert_double_eq_tol((double)map[15 * 7 - 1], flat[i].error, 2e-6);
        free_pair(pair);
    }
    ck_assert_double_eq_tol(flip_default_pixels_per_degree(), 67.020643, 1e-6);
    ck_assert_double_eq_tol(flip_pixels_per_degree(0.5, 1920, 0.6), 27.925268, 1e-6);
}
END_TEST

/* The result depends neither on tiles nor on the instruction set. */
START_TEST(flip_is_independent_of_tiles_and_isa)
{
    struct tool_image pair[2];
    struct flip_result first, r;
    enum cpu_isa best = cpu_isa();

    make_pair(NOISES, 301, 150, pair);
    ck_assert_int_eq(cpu_set_isa(ISA_SCALAR), ST_OK);
    ck_assert_int_eq(flip_compare(&pair[0], &pair[1], 67.0, &first, NULL), ST_OK);
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (!cpu_has_isa((enum cpu_isa)isa))
            continue;
        ck_assert_int_eq(cpu_set_isa((enum cpu_isa)isa), ST_OK);
        ck_assert_int_eq(flip_compare(&pair[0], &pair[1], 67.0, &r, NULL), ST_OK);
        ck_assert_mem_eq(&r, &first, sizeof(r));
    }
    ck_assert_int_eq(cpu_set_isa(best), ST_OK);
    free_pair(pair);
}
END_TEST

/* A point changes only the pixels within its filters' reach, also across tile borders. */
START_TEST(flip_is_local)
{
    struct tool_image pair[2];
    struct flip_result r;
    float *map = mem_alloc(600 * 200 * sizeof(float));

    make_flat(600, 200, 0x808080, 0x808080, pair);
    for (int c = 0; c < 3; c++)
        pair[1].rgba[4 * (64 * 600 + 255) + c] = 255;
    ck_assert_int_eq(flip_compare(&pair[0], &pair[1], 67.0, &r, map), ST_OK);
    for (int dy = -40; dy <= 40; dy++)
        for (int dx = -40; dx <= 40; dx++) {
            float e = map[(64 + dy) * 600 + 255 + dx];

            if (abs(dx) > 10 || abs(dy) > 10)
                ck_assert_double_eq((double)e, 0.0);
            ck_assert_double_eq((double)e, (double)map[(64 - dy) * 600 + 255 + dx]);
            ck_assert_double_eq((double)e, (double)map[(64 + dy) * 600 + 255 - dx]);
        }
    ck_assert_double_gt((double)map[64 * 600 + 255], 0.3);
    mem_free(map);
    free_pair(pair);
}
END_TEST

START_TEST(ssim_as_published)
{
    static const struct {
        enum kind kind;
        uint32_t width, height;
        double value;
    } expected[] = {
        {DARKER_SQUARE, 64, 48, 0.800581224},
        {NOISES, 97, 61, 0.003020058},
        {MOVED_BARS, 300, 100, 0.677402076},
        {WHITE_POINT, 33, 33, 0.880939398},
    };
    struct tool_image pair[2];
    double value;

    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        make_pair(expected[i].kind, expected[i].width, expected[i].height, pair);
        ck_assert_int_eq(ssim_compare(&pair[0], &pair[1], &value), ST_OK);
        ck_assert_double_eq_tol(value, expected[i].value, 2e-9);
        ck_assert_int_eq(ssim_compare(&pair[1], &pair[0], &value), ST_OK);
        ck_assert_double_eq_tol(value, expected[i].value, 2e-9);
        ck_assert_int_eq(ssim_compare(&pair[1], &pair[1], &value), ST_OK);
        ck_assert_double_eq_tol(value, 1.0, 1e-12);
        free_pair(pair);
    }
}
END_TEST

/* Constant images only have means: (2ab + C1) / (a^2 + b^2 + C1), C1 = 2.55^2 = 6.5025; for any
 * size. */
START_TEST(ssim_by_hand)
{
    static const uint32_t sides[] = {1, 10, 11, 40};
    struct tool_image pair[2];
    double value;

    for (size_t i = 0; i < 4; i++) {
        make_flat(sides[i], sides[3 - i], 0x646464, 0xc8c8c8, pair);
        ck_assert_int_eq(ssim_compare(&pair[0], &pair[1], &value), ST_OK);
        ck_assert_double_eq_tol(value, (2.0 * 100 * 200 + 6.5025) / (50000 + 6.5025), 1e-9);
        free_pair(pair);
    }
}
END_TEST

START_TEST(bad_input_and_little_memory)
{
    struct tool_image pair[2], wide;
    struct flip_result r;
    double value;
    enum status st = ST_NOMEM;

    make_flat(8, 8, 0, 0xff, pair);
    ck_assert_int_eq(tool_image_create(&wide, 9, 8), ST_OK);
    ck_assert_int_eq(flip_compare(&pair[0], &wide, 67, &r, NULL), ST_INVALID);
    ck_assert_int_eq(flip_compare(&pair[0], &pair[1], 0.5, &r, NULL), ST_INVALID);
    ck_assert_int_eq(flip_compare(&pair[0], &pair[1], NAN, &r, NULL), ST_INVALID);
    ck_assert_int_eq(flip_compare(&pair[0], &pair[1], 1001, &r, NULL), ST_INVALID);
    ck_assert_int_eq(flip_compare(&pair[0], &pair[1], 1, &r, NULL), ST_OK);
    ck_assert_int_eq(flip_compare(&pair[0], &pair[1], 1000, &r, NULL), ST_OK);
    ck_assert_int_eq(ssim_compare(&pair[0], &wide, &value), ST_INVALID);
    tool_image_fini(&wide);
    for (int64_t n = 0; st == ST_NOMEM; n++) {
        mem_fail_after(n);
        st = flip_compare(&pair[0], &pair[1], 67, &r, NULL);
        if (st == ST_OK)
            ck_assert_int_ge(n, 5);
    }
    ck_assert_int_eq(st, ST_OK);
    mem_fail_after(1);
    ck_assert_int_eq(ssim_compare(&pair[0], &pair[1], &value), ST_NOMEM);
    mem_fail_after(-1);
    free_pair(pair);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool: perceptual and structural metrics");
    TCase *c = tcase_create("metrics");

    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, flip_as_published, 0, sizeof(expected_flip) / sizeof(expected_flip[0]));
    tcase_add_test(c, flip_by_hand);
    tcase_add_test(c, flip_is_independent_of_tiles_and_isa);
    tcase_add_test(c, flip_is_local);
    tcase_add_test(c, ssim_as_published);
    tcase_add_test(c, ssim_by_hand);
    tcase_add_test(c, bad_input_and_little_memory);
    suite_add_tcase(s, c);
    return s;
}

TEST_MAIN(suite)
