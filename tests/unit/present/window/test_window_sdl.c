/* Sink "window" with SDL on a private X server. */
#include "present/present.h"

#include "util/alloc.h"
#include "util/log.h"

#include "screen.h"

enum {
    WIDTH = 300,
    HEIGHT = 200,
    LEFT = (SCREEN_WIDTH - WIDTH) / 2,
    TOP = (SCREEN_HEIGHT - HEIGHT) / 2
};

static struct screen screen;
static uint32_t pixels[WIDTH * HEIGHT], scaled[SCREEN_WIDTH * SCREEN_HEIGHT];

static void setup(void)
{
    screen_open(&screen);
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        pixels[i] = i * 0x9e3779b1u >> 8;
}

static void teardown(void)
{
    screen_close(&screen);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static struct present *open_with(const struct present_options *options)
{
    struct present *present;

    ck_assert_int_eq(present_create(&present, options), ST_OK);
    return present;
}

static struct present *open_sink(const char *spec, const char *hud)
{
    const struct present_options options = {.sinks = spec, .hud = hud, .hud_opacity = 75};

    return open_with(&options);
}

static void show(struct present *present, uint64_t window, uint64_t number)
{
    struct present_frame frame = {.format = tex_format_get(D3DFMT_X8R8G8B8),
                                  .data = (const uint8_t *)pixels,
                                  .width = WIDTH,
                                  .height = HEIGHT,
                                  .row_pitch = WIDTH * 4,
                                  .window = window,
                                  .number = number};

    present_show(present, &frame);
}

START_TEST(a_new_window)
{
    struct present *present = open_sink("window", NULL);
    uint32_t window;

    show(present, 0, 0);
    ck_assert(screen_shows(&screen, LEFT, TOP, WIDTH, HEIGHT, pixels));
    pixels[WIDTH * 7 + 9] ^= 0xffffff;
    show(present, 0, 1);
    ck_assert(screen_shows(&screen, LEFT, TOP, WIDTH, HEIGHT, pixels));

    /* After a resize the frame fills the window, point sampled. */
    window = screen_find(&screen, WIDTH, HEIGHT);
    ck_assert_uint_ne(window, 0);
    screen_resize(&screen, window, 2 * WIDTH, HEIGHT);
    for (unsigned i = 0; i < 2 * WIDTH * HEIGHT; i++)
        scaled[i] = pixels[i / (2 * WIDTH) * WIDTH + i % (2 * WIDTH) / 2];
    for (unsigned i = 0; i < 10; i++, screen_wait())
        show(present, 0, 2 + i);
    /* The window grew to the right, beyond the screen. */
    screen_look(&screen);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = LEFT; x < SCREEN_WIDTH; x++)
            ck_assert_uint_eq(screen.pixels[(TOP + y) * SCREEN_WIDTH + x] & 0xffffff,
                              scaled[y * 2 * WIDTH + x - LEFT] & 0xffffff);
    present_destroy(present);
    ck_assert_uint_eq(screen_find(&screen, 2 * WIDTH, HEIGHT), 0);
}
END_TEST

static uint32_t on_screen(unsigned x, unsigned y)
{
    return screen.pixels[(TOP + y) * SCREEN_WIDTH + LEFT + x] & 0xffffff;
}

/* In a window that is 20 pixels wider and 40 higher: bars, and the picture between them. */
START_TEST(a_picture_that_keeps_its_shape)
{
    const struct present_options options = {.sinks = "window",
                                            .scaling = _i ? PRESENT_INTEGER : PRESENT_ASPECT,
                                            .filter = PRESENT_LINEAR};
    struct present *present = open_with(&options);
    unsigned width = WIDTH + 20, height = HEIGHT + 40, top = _i ? 20 : 13, left = _i ? 10 : 0;

    show(present, 0, 0);
    ck_assert(screen_shows(&screen, LEFT, TOP, WIDTH, HEIGHT, pixels));
    screen_resize(&screen, screen_find(&screen, WIDTH, HEIGHT), width, height);
    for (unsigned i = 0; i < 10; i++, screen_wait())
        show(present, 0, 1 + i);
    screen_look(&screen);
    for (unsigned x = 0; x < 150; x++) {
        ck_assert_uint_eq(on_screen(x, top - 1), 0);
        ck_assert_uint_eq(on_screen(x, height - 1), 0);
        ck_assert_uint_eq(on_screen(x, 0), 0);
    }
    if (_i) { /* unchanged pixels, and bars at the sides too */
        for (unsigned y = 0; y < HEIGHT; y++) {
            ck_assert_uint_eq(on_screen(left - 1, top + y), 0);
            ck_assert_uint_eq(on_screen(left + WIDTH, top + y), 0);
            for (unsigned x = 0; x < WIDTH; x++)
                ck_assert_uint_eq(on_screen(left + x, top + y), pixels[y * WIDTH + x] & 0xffffff);
        }
    } else { /* 320x213: the corner's pixel is that of the picture, its neighbours are mixed */
        ck_assert_uint_eq(on_screen(0, 13), pixels[0] & 0xffffff);
        ck_assert_uint_ne(on_screen(150, 100),
                          pixels[(100 - 13) * HEIGHT / 213 * WIDTH + 140] & 0xffffff);
        ck_assert_uint_eq(on_screen(10, 226), 0);
        ck_assert_uint_ne(on_screen(10, 225), 0);
    }
    present_destroy(present);
}
END_TEST

/* A key of the window saves the frame, makes the folder, and shows a message without a HUD. */
START_TEST(the_screenshot_key)
{
    enum { CODE_OF_P = 33 };
    char base[] = "/tmp/novem-window-XXXXXX", folder[64], path[96];
    const struct present_options options = {
        .sinks = "window", .hud_opacity = 75, .screenshot_key = "P", .screenshot_dir = folder};
    struct present *present;
    uint32_t window;

    ck_assert_ptr_nonnull(mkdtemp(base));
    snprintf(folder, sizeof(folder), "%s/shots", base);
    snprintf(path, sizeof(path), "%s/screenshot-0001.png", folder);
    log_set_level(LOG_NONE);
    present = open_with(&options);
    show(present, 0, 0);
    ck_assert(screen_shows(&screen, LEFT, TOP, WIDTH, HEIGHT, pixels));
    window = screen_find(&screen, WIDTH, HEIGHT);
    for (unsigned i = 0; i < 50 && access(path, F_OK); i++, screen_wait()) {
        if (i % 10 == 0)
            screen_press(&screen, window, CODE_OF_P);
        show(present, 0, 1 + i);
    }
    ck_assert_int_eq(access(path, F_OK), 0);
    show(present, 0, 100);
    screen_wait();
    screen_look(&screen);
    ck_assert_uint_eq(on_screen(8, 8), pixels[8 * WIDTH + 8] >> 2 & 0x3f3f3f);
    snprintf(path, sizeof(path), "rm -r %s", base);
    ck_assert_int_eq(system(path), 0);
    present_destroy(present);
}
END_TEST

START_TEST(the_hud_is_in_the_window_only)
{
    struct present *present = open_sink("window", "fps,draws");
    uint32_t before[WIDTH * HEIGHT];

    memcpy(before, pixels, sizeof(pixels));
    show(present, 0, 0);
    ck_assert_mem_eq(before, pixels, sizeof(pixels));
    screen_wait();
    screen_look(&screen);
    /* A quarter of the brightness at the panel's corner, no change at the window's. */
    ck_assert_uint_eq(screen.pixels[(TOP + 8) * SCREEN_WIDTH + LEFT + 8] & 0xffffff,
                      pixels[8 * WIDTH + 8] >> 2 & 0x3f3f3f);
    ck_assert_uint_eq(screen.pixels[TOP * SCREEN_WIDTH + LEFT] & 0xffffff, pixels[0] & 0xffffff);
    present_destroy(present);
}
END_TEST

static uint32_t seen(unsigned x, unsigned y)
{
    return screen.pixels[(TOP + y) * SCREEN_WIDTH + LEFT + x] & 0xffffff;
}

/* The window has twice the picture's width. */
START_TEST(options_change_between_frames)
{
    struct present_options options = {.sinks = "window", .hud_opacity = 75, .measured = true};
    struct present *present;
    uint64_t number = 0;

    ck_assert_int_eq(present_create(&present, &options), ST_OK);
    show(present, 0, number++);
    ck_assert(screen_shows(&screen, LEFT, TOP, WIDTH, HEIGHT, pixels));
    screen_resize(&screen, screen_find(&screen, WIDTH, HEIGHT), 2 * WIDTH, HEIGHT);
    for (unsigned i = 0; i < 10; i++, screen_wait())
        show(present, 0, number++);
    screen_look(&screen);
    ck_assert_uint_eq(seen(20, 8), pixels[8 * WIDTH + 10] & 0xffffff);
    options.scaling = PRESENT_ASPECT;
    present_change(present, &options);
    show(present, 0, number++);
    screen_wait();
    screen_look(&screen);
    ck_assert_uint_eq(seen(20, 8), 0);
    ck_assert_uint_eq(seen(WIDTH / 2 + 8, 8), pixels[8 * WIDTH + 8] & 0xffffff);
    options.hud = "fps";
    present_change(present, &options);
    show(present, 0, number++);
    screen_wait();
    screen_look(&screen);
    ck_assert_uint_eq(seen(WIDTH / 2 + 8, 8), pixels[8 * WIDTH + 8] >> 2 & 0x3f3f3f);
    present_destroy(present);
}
END_TEST

static unsigned warnings;

static void count(void *ctx, enum log_level level, const char *line)
{
    (void)ctx;
    warnings += level == LOG_WARN && strstr(line, "the window was closed");
}

START_TEST(a_window_that_is_closed)
{
    struct present *present = open_sink("window", NULL);

    log_set_sink(count, NULL);
    show(present, 0, 0);
    ck_assert(screen_shows(&screen, LEFT, TOP, WIDTH, HEIGHT, pixels));
    screen_close_window(&screen, screen_find(&screen, WIDTH, HEIGHT));
    for (unsigned i = 0; i < 10; i++, screen_wait())
        show(present, 0, 1 + i);
    ck_assert_uint_eq(warnings, 1);
    ck_assert_uint_eq(screen_find(&screen, WIDTH, HEIGHT), 0);
    present_destroy(present);
}
END_TEST

/* The window's number is in the setting, or the program passes it as its window. */
START_TEST(a_given_window)
{
    uint32_t window = screen_window(&screen, 20, 30, WIDTH, HEIGHT);
    struct present *present;
    char spec[32];

    snprintf(spec, sizeof(spec), _i ? "window:given" : "window:0x%x", window);
    present = open_sink(spec, NULL);
    if (_i)
        show(present, 0, 0); /* the frame is not shown */
    show(present, _i ? window : 0, 1);
    ck_assert(screen_shows(&screen, 20, 30, WIDTH, HEIGHT, pixels));
    present_destroy(present);
    ck_assert_uint_eq(screen_find(&screen, WIDTH, HEIGHT), window);
}
END_TEST

/* Two devices in two threads have a window each. */
START_TEST(several_windows)
{
    struct present *first = open_sink("window", NULL), *second = open_sink("window", NULL);

    show(first, 0, 0);
    pixels[0] ^= 0xffffff;
    show(second, 0, 0);
    ck_assert(screen_shows(&screen, LEFT, TOP, WIDTH, HEIGHT, pixels));
    present_destroy(second);
    show(first, 0, 1);
    ck_assert(screen_shows(&screen, LEFT, TOP, WIDTH, HEIGHT, pixels));
    present_destroy(first);
}
END_TEST

START_TEST(no_screen)
{
    struct present *present;

    log_set_level(LOG_NONE);
    setenv("DISPLAY", ":9876", 1);
    present = open_sink("window,none", NULL);
    show(present, 0, 0);
    present_destroy(present);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("window");
    TCase *tc = tcase_create("window");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    if (!screen_is_there()) {
        printf("SKIPPED: Xvfb and SDL 2 are needed\n");
        return s;
    }
    tcase_add_test(tc, a_new_window);
    tcase_add_loop_test(tc, a_picture_that_keeps_its_shape, 0, 2);
    tcase_add_test(tc, the_screenshot_key);
    tcase_add_test(tc, the_hud_is_in_the_window_only);
    tcase_add_test(tc, options_change_between_frames);
    tcase_add_test(tc, a_window_that_is_closed);
    tcase_add_loop_test(tc, a_given_window, 0, 2);
    tcase_add_test(tc, several_windows);
    tcase_add_test(tc, no_screen);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
