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
}
END_TEST

/* Frames of 10 ms, every tenth of 40 ms. */
static void run(struct hud *hud, unsigned frames)
{
    const struct present_counters counters = {1234, 5678901, 150 << 20};
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

START_TEST(clocks_may_go_back)
{
    const struct present_counters counters = {0, 0, 0};
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
    struct hud hud = {.items = _i ? HUD_FPS | HUD_DRAWS : 15};
    uint32_t width, height, *pixels;
    uint64_t hash;

    run(&hud, 500);
    hud_size(&hud, &width, &height);
    pixels = malloc(width * height * sizeof(*pixels));
    for (uint32_t i = 0; i < width * height; i++)
        pixels[i] = (i % width) << 16 | (i / width) << 8 | 0x80;
    hud_paint(&hud, pixels, width);
    if (!_i)
        save(pixels, width, height);
    hash = hash_bytes(pixels, width * height * sizeof(*pixels), 0);
    ck_assert_msg(hash == hashes[_i], "%016llx", (unsigned long long)hash);
    free(pixels);
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
    tcase_add_test(hud, clocks_may_go_back);
    tcase_add_loop_test(hud, the_picture_has_a_known_hash, 0, 2);
    tcase_add_test(hud, painting_costs_little);
    suite_add_tcase(s, hud);
    return s;
}

TEST_MAIN(suite)
