/* Sinks by name, and creation without memory. */
#include "present/present.h"

#include "util/alloc.h"
#include "util/clock.h"
#include "util/log.h"

#include "check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum status create(struct present **out, const char *sinks)
{
    const struct present_options options = {.sinks = sinks};

    return present_create(out, &options);
}

START_TEST(sinks_by_name)
{
    static const struct {
        const char *spec;
        enum status status;
    } specs[] = {{"none", ST_OK},
                 {"", ST_OK},
                 {"png:somewhere", ST_OK},
                 {"none,png:a,png:b", ST_OK},
                 {"none, png:a", ST_OK},
                 {"window", ST_OK}, /* logged and skipped if unavailable */
                 {"nonesuch", ST_INVALID},
                 {"none,pn", ST_INVALID},
                 {"png:a,png:b,png:c,png:d,png:e", ST_INVALID}};
    struct present *present;

    log_set_level(LOG_NONE);
    for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
        ck_assert_int_eq(create(&present, specs[i].spec), specs[i].status);
        ck_assert_int_eq(present != NULL, specs[i].status == ST_OK);
        present_destroy(present);
        ck_assert_int_eq(mem_live_blocks(), 0);
    }
}
END_TEST

START_TEST(creation_may_fail)
{
    struct present *present;
    int n = 0;

    log_set_level(LOG_NONE);
    for (enum status st = ST_NOMEM; st != ST_OK; n++) {
        mem_fail_after(n);
        st = create(&present, "png:a,png:b");
        mem_fail_after(-1);
        ck_assert(st == ST_OK || (st == ST_NOMEM && !present));
        present_destroy(present);
        ck_assert_int_eq(mem_live_blocks(), 0);
    }
    ck_assert_int_gt(n, 4);
}
END_TEST

/* --- Changes while frames are shown ----------------------------------------------------------- */

static void show(struct present *present, uint64_t number, uint32_t chain)
{
    static const uint32_t pixels[16];
    const struct present_frame frame = {.format = tex_format_get(D3DFMT_X8R8G8B8),
                                        .data = (const uint8_t *)pixels,
                                        .width = 4,
                                        .height = 4,
                                        .row_pitch = 16,
                                        .chain = chain,
                                        .number = number,
                                        .counters = {.draws = 7, .primitives = 8, .bytes = 9}};

    present_show(present, &frame);
}

START_TEST(figures_are_of_the_last_frame)
{
    const struct present_options options = {.sinks = "none", .measured = true};
    struct present_figures figures;
    struct present *present;

    ck_assert_int_eq(present_create(&present, &options), ST_OK);
    present_get_figures(present, &figures);
    ck_assert(!figures.frames && !figures.last && !figures.format);
    for (unsigned i = 0; i < 5; i++)
        show(present, i, 0);
    show(present, 99, 1); /* another chain */
    present_get_figures(present, &figures);
    ck_assert_uint_eq(figures.frames, 5);
    ck_assert_uint_eq(figures.n_times, 4);
    ck_assert(figures.width == 4 && figures.height == 4 && !figures.whole_window);
    ck_assert_str_eq(figures.format->name, "X8R8G8B8");
    ck_assert(figures.counters.draws == 7 && figures.counters.primitives == 8 &&
              figures.counters.bytes == 9);
    ck_assert_uint_le(figures.last, clock_now());
    present_destroy(present);
}
END_TEST

/* A frame limit applies to live sinks; shared memory is one. */
START_TEST(limit_applies_from_the_next_frame)
{
    char name[64];
    struct present_options options = {.sinks = name, .measured = true};
    struct present *present;
    uint64_t before;

    snprintf(name, sizeof(name), "shm:novem-test-present-%d", (int)getpid());
    ck_assert_int_eq(present_create(&present, &options), ST_OK);
    ck_assert(present_is_live(present));
    show(present, 0, 0);
    options.frame_limit = 10;
    present_change(present, &options);
    before = clock_now();
    for (unsigned i = 1; i <= 4; i++)
        show(present, i, 0);
    ck_assert_uint_ge(clock_now() - before, 28 * (CLOCK_SECOND / 100));
    options.frame_limit = 0;
    present_change(present, &options);
    before = clock_now();
    for (unsigned i = 5; i < 105; i++) /* 10 s with the limit */
        show(present, i, 0);
    ck_assert_uint_lt(clock_now() - before, 5 * CLOCK_SECOND);
    present_destroy(present);
}
END_TEST

START_TEST(screenshots_on_request)
{
    char folder[] = "/tmp/novem-present-XXXXXX", path[64];
    const struct present_options options = {
        .sinks = "none", .screenshot_dir = folder, .measured = true};
    struct present *present;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/screenshot-0001.png", folder);
    ck_assert_int_eq(present_create(&present, &options), ST_OK);
    show(present, 0, 0);
    ck_assert_int_ne(access(path, F_OK), 0);
    present_request_screenshot(present);
    for (unsigned i = 1; i < 5; i++)
        show(present, i, 0);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0); /* no second file */
    present_destroy(present);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present");
    TCase *tc = tcase_create("present");

    tcase_add_test(tc, sinks_by_name);
    tcase_add_test(tc, creation_may_fail);
    tcase_add_test(tc, figures_are_of_the_last_frame);
    tcase_add_test(tc, limit_applies_from_the_next_frame);
    tcase_add_test(tc, screenshots_on_request);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
