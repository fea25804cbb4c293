/* Windows of a fake macOS, their events, and the sink "metal". */
#include "present/metal/window.h"

#include "fake_macos.h"
#include "present/monitor/scale.h"
#include "present/window/keys.h"
#include "util/alloc.h"
#include "util/log.h"

#include <unistd.h>

enum { WIDTH = 300, HEIGHT = 120 };
static const uint32_t size_of_picture[2] = {WIDTH, HEIGHT};

static uint32_t pixels[WIDTH * HEIGHT], expected[FAKE_SIDE * FAKE_SIDE];

static void setup(void)
{
    fake_start();
    log_set_level(LOG_NONE);
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        pixels[i] = i * 0x9e3779b1u >> 8;
}

static void teardown(void)
{
    ck_assert_uint_eq(fake.pools, 0);
    ck_assert_uint_eq(fake_alive(), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
    objc_replace(NULL);
}

static struct metal_picture a_picture(enum present_scaling scaling)
{
    return (struct metal_picture){.image = {pixels, WIDTH, WIDTH, HEIGHT}, .scaling = scaling};
}

static struct metal_window *open_window(void)
{
    struct metal_window *window;

    ck_assert_int_eq(metal_window_open(&window, "a title", size_of_picture, true), ST_OK);
    return window;
}

static uint32_t seen(unsigned x, unsigned y)
{
    return fake.screen[y * fake.shown_width + x];
}

START_TEST(a_window)
{
    struct metal_picture picture = a_picture(PRESENT_STRETCH);
    struct metal_window *window = open_window();
    uint32_t size[2];

    ck_assert_str_eq(fake.title, "a title");
    ck_assert(fake.sync && fake.wants_layer);
    ck_assert_ptr_eq(fake.view_layer, fake.layer);
    metal_window_size(window, size);
    ck_assert(size[0] == WIDTH && size[1] == HEIGHT);
    ck_assert_int_eq(metal_window_show(window, &picture), ST_OK);
    fake_look();
    ck_assert_mem_eq(fake.screen, pixels, sizeof(pixels));

    metal_window_resize(window, (const uint32_t[]){70, 50});
    fake.scale = 2; /* moved to a display with twice the resolution */
    metal_window_measure(window);
    metal_window_size(window, size);
    ck_assert(size[0] == 140 && size[1] == 100);
    ck_assert(fake.contents_scale == 2);
    metal_window_close(window);
    ck_assert(!fake.visible);
    ck_assert_ptr_null(fake.view_layer);
}
END_TEST

/* The picture lies where other sinks put it, and has the pixels of their filter nearest. */
START_TEST(scaling)
{
    static const uint32_t areas[][2] = {{300, 120}, {173, 91}, {250, 250}, {37, 59}, {512, 100}};
    const uint32_t *area = areas[_i / 3];
    enum present_scaling mode = (enum present_scaling)(_i % 3);
    const struct view_image to = {expected, area[0], area[0], area[1]};
    const struct view_rect src = {0, 0, WIDTH, HEIGHT};
    struct metal_picture picture = a_picture(mode);
    struct metal_window *window = open_window();
    struct scaler scaler = {0};
    struct view_rect dst;
    int32_t rect[4];

    memset(expected, 0, sizeof(expected));
    present_place(mode, size_of_picture, area, rect);
    dst = (struct view_rect){rect[0], rect[1], rect[2], rect[3]};
    ck_assert_int_eq(scale_image(&scaler, PRESENT_NEAREST, &to, &dst, &picture.image, &src), ST_OK);
    fake.points = (struct objc_size){area[0], area[1]};
    metal_window_measure(window);
    ck_assert_int_eq(metal_window_show(window, &picture), ST_OK);
    fake_look();
    ck_assert(fake.shown_width == area[0] && fake.shown_height == area[1]);
    ck_assert_mem_eq(fake.screen, expected, (size_t)area[0] * area[1] * 4);
    scaler_fini(&scaler);
    metal_window_close(window);
}
END_TEST

START_TEST(a_window_that_cannot_be_seen)
{
    struct metal_picture picture = a_picture(PRESENT_STRETCH), nothing = {0};
    struct metal_window *window = open_window();
    uint32_t size[2];

    fake.occluded = true;
    metal_window_measure(window);
    metal_window_size(window, size);
    ck_assert(!size[0] && !size[1]);
    ck_assert_int_eq(metal_window_show(window, &picture), ST_OK);
    fake.occluded = false;
    fake.points = (struct objc_size){0, 120};
    metal_window_measure(window);
    ck_assert_int_eq(metal_window_show(window, &picture), ST_OK);
    fake.points = (struct objc_size){300, 120};
    metal_window_measure(window);
    ck_assert_int_eq(metal_window_show(window, &nothing), ST_OK);
    fake_look();
    ck_assert_uint_eq(fake.frames, 0);
    ck_assert_int_eq(metal_window_show(window, &picture), ST_OK);
    fake_look();
    ck_assert_uint_eq(fake.frames, 1);
    metal_window_close(window);
}
END_TEST

/* --- Events ----------------------------------------------------------------------------------- */

static void put(struct objc_any event)
{
    fake.events[fake.n_events++] = event;
}

static struct metal_event next(struct metal_window *window)
{
    struct metal_event event;

    ck_assert(metal_window_event(window, &event));
    return event;
}

enum { MOVED = 5, DRAGGED = 6, DOWN = 10, UP = 11, WHEEL = 22 };

START_TEST(keys)
{
    struct metal_window *window = open_window();
    struct metal_event event;

    put((struct objc_any){.type = DOWN, .character = 'S'});
    put((struct objc_any){.type = DOWN, .character = 0xf70b, .repeated = true});
    put((struct objc_any){.type = DOWN}); /* a dead key */
    put((struct objc_any){.type = UP, .character = 'S'});
    event = next(window);
    ck_assert(event.type == METAL_EVENT_KEY && event.key == 's' && !event.repeated);
    event = next(window);
    ck_assert(event.type == METAL_EVENT_KEY && event.key == KEYS_F1 + 7 && event.repeated);
    ck_assert_int_eq(next(window).type, METAL_EVENT_OTHER);
    ck_assert_uint_eq(fake.sent_events, 0);
    ck_assert_int_eq(next(window).type, METAL_EVENT_OTHER);
    ck_assert_uint_eq(fake.sent_events, 1); /* AppKit gets what is not a key */
    ck_assert(!metal_window_event(window, &event));
    metal_window_close(window);
}
END_TEST

/* Points from the lower left corner become pixels from the upper left one. */
START_TEST(the_mouse)
{
    struct metal_window *window = open_window();
    struct metal_event event;

    fake.scale = 2;
    metal_window_measure(window);
    put((struct objc_any){.type = MOVED, .own = true, .at = {10.5, HEIGHT - 4}});
    put((struct objc_any){.type = DRAGGED, .own = true, .at = {12, HEIGHT - 3}});
    put((struct objc_any){.type = MOVED, .at = {1, 1}}); /* over another window */
    event = next(window);
    ck_assert(event.type == METAL_EVENT_MOTION && event.x == 21 && event.y == 8);
    ck_assert(!event.left_button);
    event = next(window);
    ck_assert(event.x == 24 && event.y == 6 && event.dx == 3 && event.dy == -2);
    ck_assert(event.left_button);
    ck_assert_int_eq(next(window).type, METAL_EVENT_OTHER);
    ck_assert_uint_eq(fake.sent_events, 3);
    metal_window_close(window);
}
END_TEST

START_TEST(the_wheel)
{
    struct metal_window *window = open_window();
    struct metal_event event;

    put((struct objc_any){.type = WHEEL, .own = true, .scroll = 1});
    put((struct objc_any){.type = WHEEL, .own = true, .scroll = -0.25});
    put((struct objc_any){.type = WHEEL, .own = true, .scroll = -10, .repeated = true});
    put((struct objc_any){.type = WHEEL, .own = true, .scroll = -10, .repeated = true});
    event = next(window);
    ck_assert(event.type == METAL_EVENT_WHEEL && event.steps == 1);
    event = next(window);
    ck_assert(event.type == METAL_EVENT_WHEEL && event.steps == -1);
    ck_assert_int_eq(next(window).type, METAL_EVENT_OTHER); /* a touch pad, not far enough yet */
    event = next(window);
    ck_assert(event.type == METAL_EVENT_WHEEL && event.steps == -1);
    metal_window_close(window);
}
END_TEST

START_TEST(closing)
{
    struct metal_window *window = open_window();
    struct metal_event event;

    fake.miniaturized = true;
    ck_assert(!metal_window_event(window, &event));
    fake.miniaturized = false;
    fake.hidden = true;
    ck_assert(!metal_window_event(window, &event));
    fake.hidden = false;
    fake.visible = false; /* the red button */
    ck_assert_int_eq(next(window).type, METAL_EVENT_CLOSE);
    ck_assert_int_eq(next(window).type, METAL_EVENT_CLOSE);
    metal_window_close(window);
}
END_TEST

/* --- The sink --------------------------------------------------------------------------------- */

static struct present *open_sink(const struct present_options *options)
{
    struct present *present;

    ck_assert_int_eq(present_create(&present, options), ST_OK);
    return present;
}

static void pass(struct present *present, uint32_t chain)
{
    const struct present_frame frame = {.format = tex_format_get(D3DFMT_X8R8G8B8),
                                        .data = (const uint8_t *)pixels,
                                        .width = WIDTH,
                                        .height = HEIGHT,
                                        .row_pitch = WIDTH * 4,
                                        .chain = chain};

    present_show(present, &frame);
}

/* As the program does it: in the first thread, then in the renderer's. */
static void show(struct present *present, uint32_t chain)
{
    if (!chain)
        present_attend(present, size_of_picture);
    pass(present, chain);
}

START_TEST(the_sink)
{
    const struct present_options options = {
        .sinks = "metal", .vsync = true, .hud = "fps", .hud_scale = 1, .hud_opacity = 75};
    struct present *present = open_sink(&options);

    show(present, 1); /* another swap chain */
    ck_assert_ptr_null(fake.window);
    show(present, 0);
    fake_look();
    ck_assert_str_eq(fake.title, "Novem");
    ck_assert(fake.sync);
    ck_assert_uint_eq(seen(0, 0), pixels[0]);
    ck_assert_uint_eq(seen(8, 8), pixels[8 * WIDTH + 8] >> 2 & 0x3f3f3f); /* the HUD */
    present_destroy(present);
    ck_assert(!fake.visible);
}
END_TEST

START_TEST(the_screenshot_key_of_the_sink)
{
    char folder[] = "/tmp/novem-metal-XXXXXX", path[64];
    const struct present_options options = {
        .sinks = "metal", .screenshot_key = "F8", .screenshot_dir = folder};
    struct present *present;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/screenshot-0001.png", folder);
    present = open_sink(&options);
    show(present, 0);
    put((struct objc_any){.type = DOWN, .character = 0xf70b, .repeated = true});
    show(present, 0);
    show(present, 0);
    ck_assert_int_ne(access(path, F_OK), 0);
    put((struct objc_any){.type = DOWN, .character = 0xf70b});
    show(present, 0);
    show(present, 0);
    present_destroy(present);
    ck_assert_int_eq(unlink(path), 0);
    rmdir(folder);
}
END_TEST

static unsigned closings;

static void count(void *ctx, enum log_level level, const char *line)
{
    (void)ctx;
    closings += level == LOG_WARN && strstr(line, "the window was closed");
}

START_TEST(a_sink_whose_window_is_closed)
{
    const struct present_options options = {.sinks = "metal"};
    struct present *present = open_sink(&options);
    unsigned frames;

    log_set_level(LOG_WARN);
    log_set_sink(count, NULL);
    show(present, 0);
    fake_look();
    frames = fake.frames;
    fake.visible = false;
    show(present, 0);
    show(present, 0);
    ck_assert_uint_eq(closings, 1);
    ck_assert_ptr_null(fake.view_layer);
    ck_assert_uint_eq(fake.frames, frames);
    ck_assert(!fake.visible);
    present_destroy(present);
    log_set_sink(NULL, NULL);
}
END_TEST

/* Its window closes in the program's thread. */
START_TEST(a_sink_that_fails)
{
    const struct present_options options = {.sinks = "metal"};
    struct present *present = open_sink(&options);

    fake.gpu_fails = true;
    for (unsigned i = 0; i < 4; i++)
        show(present, 0);
    ck_assert(fake.visible);
    present_attend(present, size_of_picture);
    ck_assert(!fake.visible);
    show(present, 0);
    present_destroy(present);
}
END_TEST

START_TEST(refused)
{
    const struct present_options options = {.sinks = "metal"}, wrong = {.sinks = "metal:3"};
    struct metal_window *window;
    struct present *present;

    ck_assert_int_eq(present_create(&present, &wrong), ST_INVALID);
    fake.main_thread = false;
    ck_assert_int_eq(metal_window_open(&window, "", size_of_picture, true), ST_UNSUPPORTED);
    ck_assert_ptr_null(window);
    present = open_sink(&options);
    show(present, 0); /* the program goes on without the sink */
    show(present, 0);
    ck_assert_ptr_null(fake.window);
    present_destroy(present);

    objc_replace(NULL); /* not a Mac */
    ck_assert(!metal_window_possible(NULL));
    ck_assert_int_eq(metal_window_open(&window, "", size_of_picture, true), ST_UNSUPPORTED);
    present = open_sink(&options);
    show(present, 0);
    present_destroy(present);
}
END_TEST

/* A window with a HUD, a frame and all kinds of events. */
static enum status use_all(void)
{
    struct metal_picture picture = a_picture(PRESENT_ASPECT);
    struct metal_window *window;
    struct metal_event event;
    enum status st = metal_window_open(&window, "a title", size_of_picture, true);

    put((struct objc_any){.type = DOWN, .character = 'S'});
    put((struct objc_any){.type = WHEEL, .own = true, .scroll = 1});
    while (window && metal_window_event(window, &event)) {
    }
    if (st == ST_OK)
        st = metal_window_show(window, &picture);
    metal_window_close(window);
    return st;
}

START_TEST(each_message_fails)
{
    unsigned n, i;

    ck_assert_int_eq(use_all(), ST_OK);
    n = fake.messages;
    ck_assert_uint_gt(n, 20);
    for (i = 0; i < n; i++) {
        fake_start();
        fake.fail_at = i;
        (void)use_all(); /* an event, a title and a drawable may be missing */
        ck_assert_ptr_nonnull(fake.failed);
        ck_assert_msg(fake_alive() == 0, "%s", fake.failed);
        ck_assert_int_eq(mem_live_blocks(), 0);
    }
    for (i = 0; i < 4; i++) {
        fake_start();
        mem_fail_once(i);
        if (use_all() != ST_NOMEM)
            break;
        mem_fail_once(-1);
        ck_assert_uint_eq(fake_alive(), 0);
        ck_assert_int_eq(mem_live_blocks(), 0);
    }
    mem_fail_once(-1);
    ck_assert_uint_gt(i, 1); /* the window and its layer */
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("metal window");
    TCase *c = tcase_create("all");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_window);
    tcase_add_loop_test(c, scaling, 0, 15);
    tcase_add_test(c, a_window_that_cannot_be_seen);
    tcase_add_test(c, keys);
    tcase_add_test(c, the_mouse);
    tcase_add_test(c, the_wheel);
    tcase_add_test(c, closing);
    tcase_add_test(c, the_sink);
    tcase_add_test(c, the_screenshot_key_of_the_sink);
    tcase_add_test(c, a_sink_whose_window_is_closed);
    tcase_add_test(c, a_sink_that_fails);
    tcase_add_test(c, refused);
    tcase_add_test(c, each_message_fails);
    suite_add_tcase(s, c);
    return s;
}

TEST_MAIN(suite)
