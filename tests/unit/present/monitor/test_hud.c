/* Heads-up display: statistics, its picture, and the time that it takes. */
#include "present/monitor/hud.h"
#include "present/monitor/view.h"

#include "util/clock.h"
#include "util/hash.h"
#include "util/log.h"

#include "check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(items_by_name)
{
    log_set_level(LOG_NONE);
    ck_assert_uint_eq(hud_parse(NULL), 0);
    ck_assert_uint_eq(hud_parse(""), 0);
    ck_assert_uint_eq(hud_parse("fps"), HUD_FPS);
    ck_assert_uint_eq(hud_parse("memory, draws"), HUD_MEMORY | HUD_DRAWS);
    ck_assert_uint_eq(hud_parse("fps,frametimes,draws,memory,fps"), 15);
    ck_assert_uint_eq(hud_parse("fp,fpss,frametimes"), HUD_FRAMETIMES);
    ck_assert_uint_eq(hud_parse("version,simd,threads,pipelines"),
                      HUD_VERSION | HUD_SIMD | HUD_THREADS | HUD_PIPELINES);
    ck_assert_uint_eq(hud_parse("full"), HUD_FULL);
    ck_assert_uint_eq(hud_parse("ful,isa"), 0);
}
END_TEST

/* Frames of 10 ms, every tenth of 40 ms. */
static void run(struct hud *hud, unsigned frames)
{
    const struct present_counters counters = {1234, 5678901, 150 << 20, 3, 1};
    uint64_t now = 77 * CLOCK_SECOND;

    for (unsigned i = 0; i < frames; i++) {
        hud_frame(hud, now, &counters);
        now += i % 10 == 9 ? 40000000 : i % 10 == 4 ? 20000000 : 10000000;
    }
}

START_TEST(statistics_are_means)
{
    struct hud hud = {.items = 15};

    run(&hud, 500);
    ck_assert(hud.mean_ms > 13 && hud.mean_ms < 15);
    ck_assert(hud.fps > 66 && hud.fps < 77);
    ck_assert(hud.worst_ms == 40);
}
END_TEST

START_TEST(figures_are_in_order)
{
    struct present_figures figures = {0};
    struct hud hud = {.items = 0};

    hud_figures(&hud, &figures);
    ck_assert(!figures.n_times && !figures.last && !figures.mean_us);
    run(&hud, 6); /* frames 0 to 4 take 10 ms, 10, 10, 10 and 20 */
    hud_figures(&hud, &figures);
    ck_assert_uint_eq(figures.n_times, 5);
    ck_assert_uint_eq(figures.time_us[0], 10000);
    ck_assert_uint_eq(figures.time_us[4], 20000);
    ck_assert_uint_eq(figures.last, 77 * CLOCK_SECOND + 60000000);
    hud = (struct hud){0};
    run(&hud, 500);
    hud_figures(&hud, &figures);
    ck_assert_uint_eq(figures.n_times, PRESENT_TIMES);
    ck_assert_uint_eq(figures.worst_us, 40000);
    ck_assert(figures.mean_us > 13000 && figures.mean_us < 15000);
    for (unsigned i = 0; i < 10; i++) /* the last time is that of frame 498 */
        ck_assert_uint_eq(figures.time_us[PRESENT_TIMES - 1 - i], (498 - i) % 10 == 9   ? 40000u
                                                                  : (498 - i) % 10 == 4 ? 20000u
                                                                                        : 10000u);
}
END_TEST

START_TEST(items_have_names)
{
    unsigned n = 0;

    for (; present_hud_item(n); n++)
        ck_assert_uint_eq(hud_parse(present_hud_item(n)), 1u << n);
    ck_assert_uint_ge(n, 4);
}
END_TEST

START_TEST(clocks_may_go_back)
{
    const struct present_counters counters = {.draws = 0};
    struct hud hud = {.items = 15};

    run(&hud, 100);
    hud_frame(&hud, 5, &counters);
    hud_frame(&hud, 10000005, &counters);
    ck_assert_uint_eq(hud.time_us[(hud.n_times - 1) % HUD_COLUMNS], 10000);
}
END_TEST

/* Writes a PPM file for inspection to the path in HUD_PICTURE, if set. */
static void save(const uint32_t *pixels, uint32_t width, uint32_t height)
{
    const char *path = getenv("HUD_PICTURE");
    FILE *file = path ? fopen(path, "wb") : NULL;

    if (!file)
        return;
    fprintf(file, "P6 %u %u 255\n", width, height);
    for (uint32_t i = 0; i < width * height; i++) {
        fputc(pixels[i] >> 16 & 255, file);
        fputc(pixels[i] >> 8 & 255, file);
        fputc(pixels[i] & 255, file);
    }
    fclose(file);
}

/* These hashes are of an inspected picture; after a change inspect it again. */
START_TEST(the_picture_has_a_known_hash)
{
    static const uint64_t hashes[] = {0x345fcc575b9b2c00, 0x14362da3eff9ce3d};
    struct hud hud = {.items = _i ? HUD_FPS | HUD_DRAWS : 15, .opacity = 75};
    uint32_t width, height, *pixels;
    uint64_t hash;

    run(&hud, 500);
    hud_size(&hud, 1, &width, &height);
    pixels = malloc(width * height * sizeof(*pixels));
    for (uint32_t i = 0; i < width * height; i++)
        pixels[i] = (i % width) << 16 | (i / width) << 8 | 0x80;
    hud_paint(&hud, 1, pixels, width);
    if (!_i)
        save(pixels, width, height);
    hash = hash_bytes(pixels, width * height * sizeof(*pixels), 0);
    ck_assert_msg(hash == hashes[_i], "%016llx", (unsigned long long)hash);
    free(pixels);
}
END_TEST

/* Every pixel of the larger panel is the pixel of the small one that it enlarges. */
START_TEST(scales_enlarge_the_panel)
{
    struct hud hud = {.items = HUD_FULL, .opacity = 100, .note = "RENDER_SCALE=0.5"};
    uint32_t width, height, wide, high, *small, *large;

    run(&hud, 300);
    hud_size(&hud, 1, &width, &height);
    small = calloc(width * height, sizeof(*small));
    hud_paint(&hud, 1, small, width);
    for (uint32_t scale = 2; scale <= 4; scale++) {
        hud_size(&hud, scale, &wide, &high);
        ck_assert(wide == width * scale && high == height * scale);
        large = calloc(wide * high, sizeof(*large));
        hud_paint(&hud, scale, large, wide);
        for (uint32_t i = 0; i < wide * high; i++)
            ck_assert_uint_eq(large[i], small[i / wide / scale * width + i % wide / scale]);
        free(large);
    }
    free(small);
}
END_TEST

/* Light that is left: floor(v * floor((100 - opacity) * 256 / 100) / 256) of each channel. */
START_TEST(opacity_is_a_percentage)
{
    static const struct {
        unsigned opacity;
        uint32_t pixel;
    } rows[] = {{0, 0xff4001}, {25, 0xbf3000}, {50, 0x7f2000}, {75, 0x3f1000}, {100, 0}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct present_options options = {.hud = "fps", .hud_opacity = rows[i].opacity};
        uint32_t width, height, *pixels;
        struct hud hud;

        hud_init(&hud, &options);
        hud_size(&hud, 1, &width, &height);
        pixels = malloc(width * height * sizeof(*pixels));
        for (uint32_t k = 0; k < width * height; k++)
            pixels[k] = 0xff4001;
        hud_paint(&hud, 1, pixels, width);
        ck_assert_uint_eq(pixels[0], rows[i].pixel);
        ck_assert_uint_eq(pixels[width * height - 1], rows[i].pixel);
        free(pixels);
    }
}
END_TEST

static unsigned count(const uint32_t *pixels, uint32_t n, uint32_t colour)
{
    unsigned same = 0;

    for (uint32_t i = 0; i < n; i++)
        same += pixels[i] == colour;
    return same;
}

/* Texts break at spaces and in paths, after 30 letters at the latest; without items only the
 * message is shown.
 */
START_TEST(texts_break_into_lines)
{
    static const struct {
        unsigned items;
        const char *note, *message;
        unsigned lines;
        bool amber, green;
    } rows[] = {{HUD_FPS, "", "", 1, false, false},
                {HUD_FPS, "ANISOTROPY=16", "", 2, true, false},
                {HUD_FPS, "123456789 123456789 1234567890", "", 2, true, false},
                {HUD_FPS, "123456789 123456789 12345678901", "", 3, true, false},
                {HUD_FPS, "1234567890123456789012345678901", "", 3, true, false},
                {HUD_FPS, "a b", "screenshot saved: C:\\GAMES\\screenshot-0001.png", 4, true, true},
                {HUD_FPS, "", "/home/someone/pictures/screenshot-0001.png", 3, false, true},
                {HUD_FPS, "aaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaa", "",
                 5, true, false},
                {HUD_FPS, "", "aaaaaaaaaaaaaaa/aaaaaaaaaaaaaaa/aaaaaaaaaaaaaaa/aaaaaaaaaaaaaaa/", 5,
                 false, true},
                {HUD_FPS, "",
                 "aaaaaaaaaaaaaaa\\aaaaaaaaaaaaaaa\\aaaaaaaaaaaaaaa\\aaaaaaaaaaaaaaa\\", 5, false,
                 true},
                {0, "ANISOTROPY=16", "saved", 1, false, true}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct hud hud = {.items = rows[i].items};
        uint32_t width, height, *pixels;

        strcpy(hud.note, rows[i].note);
        strcpy(hud.message, rows[i].message);
        hud_size(&hud, 1, &width, &height);
        ck_assert_uint_eq(height, 12 + 10 * rows[i].lines - 3);
        pixels = calloc(width * height, sizeof(*pixels));
        hud_paint(&hud, 1, pixels, width);
        ck_assert_int_eq(count(pixels, width * height, 0xffd060) != 0, rows[i].amber);
        ck_assert_int_eq(count(pixels, width * height, 0x80ff80) != 0, rows[i].green);
        free(pixels);
    }
}
END_TEST

/* The longest texts, of words that break badly, fit the panel's memory. */
START_TEST(long_texts_are_complete)
{
    struct hud hud = {.items = HUD_FULL};
    uint32_t width, height, *pixels;

    for (unsigned i = 0; i < PRESENT_TEXT_BYTES - 1; i++)
        hud.note[i] = hud.message[i] = i % 31 == 1 ? ' ' : 'x';
    hud_size(&hud, 1, &width, &height);
    pixels = calloc(width * height, sizeof(*pixels));
    hud_paint(&hud, 1, pixels, width);
    for (unsigned i = 0; i < 2; i++) /* an x has 9 pixels */
        ck_assert_uint_eq(count(pixels, width * height, i ? 0xffd060 : 0x80ff80),
                          9 * (PRESENT_TEXT_BYTES - 1 - 9));
    free(pixels);
}
END_TEST

/* The note is copied; one that is too long ends with points. */
START_TEST(notes_are_copied)
{
    char note[PRESENT_TEXT_BYTES + 50] = "MUL_ZERO=ieee";
    struct present_options options = {.hud = "fps", .hud_note = note};
    struct hud hud;

    hud_init(&hud, &options);
    ck_assert_str_eq(hud.note, "MUL_ZERO=ieee");
    memset(note, 'x', sizeof(note) - 1);
    ck_assert_str_eq(hud.note, "MUL_ZERO=ieee");
    hud_init(&hud, &options);
    ck_assert_uint_eq(strlen(hud.note), PRESENT_TEXT_BYTES - 1);
    ck_assert_str_eq(hud.note + PRESENT_TEXT_BYTES - 5, "x...");
}
END_TEST

/* Painting takes less than 0.2 ms, well below a noticeable time. */
START_TEST(painting_costs_little)
{
    static uint32_t pixels[1024 * 768];
    const struct view_image image = {pixels, 1024, 1024, 768};
    const struct view_rect all = {0, 0, 1024, 768};
    struct view_memory memory = {NULL, 0};
    struct hud hud = {.items = 15};
    uint64_t best = UINT64_MAX;
    struct view_rect rect;

    run(&hud, 500);
    for (int i = 0; i < 50; i++) {
        uint64_t start = clock_now(), took;

        ck_assert_int_eq(view_panel(&memory, &hud, &image, &all, &all, &rect), ST_OK);
        took = clock_now() - start;
        best = took < best ? took : best;
    }
    printf("HUD: %.3f ms\n", (double)best / 1e6);
    ck_assert_uint_le(best, 2000000); /* limit for unoptimised and instrumented builds */
    view_free(&memory);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/monitor/hud");
    TCase *hud = tcase_create("hud");

    tcase_add_test(hud, items_by_name);
    tcase_add_test(hud, statistics_are_means);
    tcase_add_test(hud, figures_are_in_order);
    tcase_add_test(hud, items_have_names);
    tcase_add_test(hud, clocks_may_go_back);
    tcase_add_loop_test(hud, the_picture_has_a_known_hash, 0, 2);
    tcase_add_test(hud, scales_enlarge_the_panel);
    tcase_add_test(hud, opacity_is_a_percentage);
    tcase_add_test(hud, texts_break_into_lines);
    tcase_add_test(hud, long_texts_are_complete);
    tcase_add_test(hud, notes_are_copied);
    tcase_add_test(hud, painting_costs_little);
    suite_add_tcase(s, hud);
    return s;
}

TEST_MAIN(suite)
