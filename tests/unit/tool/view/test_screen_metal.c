/* `novem view` in a window of a fake macOS. */
#include "tool/view/screen.h"

#include "unit/present/metal/fake_macos.h"

#include "present/present.h"
#include "present/window/keys.h"
#include "tool/view/view.h"
#include "tool/view/viewer.h"
#include "util/alloc.h"
#include "util/log.h"

#include <unistd.h>

enum { WIDTH = 400, HEIGHT = 300, DOWN = 10, WHEEL = 22 };

static uint32_t pixels[WIDTH * HEIGHT];
static char name[32];

static void setup(void)
{
    fake_start();
    snprintf(name, sizeof(name), "metal-view-%d", (int)getpid());
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        pixels[i] = (i * 0x9e3779b1u) >> 8;
}

static void teardown(void)
{
    ck_assert_uint_eq(fake.pools, 0);
    ck_assert_uint_eq(fake_alive(), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
    objc_replace(NULL);
}

static struct present *show_a_frame(void)
{
    const struct present_frame frame = {.format = tex_format_get(D3DFMT_X8R8G8B8),
                                        .data = (const uint8_t *)pixels,
                                        .width = WIDTH,
                                        .height = HEIGHT,
                                        .row_pitch = WIDTH * 4};
    char sink[64];
    const struct present_options options = {.sinks = sink};
    struct present *present;

    snprintf(sink, sizeof(sink), "shm:%s", name);
    ck_assert_int_eq(present_create(&present, &options), ST_OK);
    present_show(present, &frame);
    return present;
}

static int view(const char *option, const char *value)
{
    char *argv[] = {"view", name, (char *)option, (char *)value, NULL};

    return tool_view(option ? 4 : 2, argv);
}

START_TEST(the_system_decides)
{
    ck_assert_ptr_eq(screen_of_system(), &screen_metal);
    objc_replace(NULL);
    ck_assert_ptr_eq(screen_of_system(), &screen_sdl);
}
END_TEST

/* The window takes the size of the frame, with the bar below it. */
START_TEST(a_frame)
{
    struct present *present = show_a_frame();

    ck_assert_int_eq(view("--frames", "1"), 0);
    ck_assert_uint_ne(fake.frames, 0);
    ck_assert(fake.shown_width == WIDTH && fake.shown_height == HEIGHT + VIEWER_BAR);
    ck_assert_mem_eq(fake.screen, pixels, sizeof(pixels));
    ck_assert_str_eq(fake.title + strlen("novem view "), name);
    ck_assert(!fake.visible);
    present_destroy(present);
}
END_TEST

START_TEST(keys_and_the_wheel)
{
    struct present *present = show_a_frame();
    uint32_t middle = pixels[(HEIGHT / 2 - 1) * WIDTH + WIDTH / 2 - 1];

    fake.events[0] = (struct objc_any){.type = WHEEL, .own = true, .scroll = 1};
    fake.events[1] = (struct objc_any){.type = DOWN, .character = 'Q'};
    fake.n_events = 1;
    ck_assert_int_eq(view("--frames", "1"), 0);
    /* Zoomed around the mouse, which is in the upper left corner. */
    ck_assert_uint_eq(fake.screen[0], pixels[0]);
    ck_assert_uint_eq(fake.screen[(HEIGHT - 1) * WIDTH + WIDTH - 1], middle);
    fake.next_event = 1;
    fake.n_events = 2;
    ck_assert_int_eq(view(NULL, NULL), 0); /* q ends it */
    present_destroy(present);
}
END_TEST

START_TEST(no_window)
{
    log_set_level(LOG_NONE);
    fake.main_thread = false;
    ck_assert_int_eq(view("--frames", "1"), 2);
    fake.main_thread = true;
    fake.no_device = true;
    ck_assert_int_eq(view("--frames", "1"), 2);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("view with Metal");
    TCase *c = tcase_create("all");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, the_system_decides);
    tcase_add_test(c, a_frame);
    tcase_add_test(c, keys_and_the_wheel);
    tcase_add_test(c, no_window);
    suite_add_tcase(s, c);
    return s;
}

TEST_MAIN(suite)
