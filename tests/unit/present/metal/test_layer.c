/* Pictures on a CAMetalLayer of a fake macOS. */
#include "present/metal/layer.h"

#include "fake_macos.h"
#include "util/alloc.h"
#include "util/log.h"

enum { WIDTH = 20, HEIGHT = 12, ROOM = 64 };

static uint32_t pixels[ROOM * ROOM];
static const uint32_t twice[2] = {2 * WIDTH, 2 * HEIGHT};

static void setup(void)
{
    fake_start();
    log_set_level(LOG_NONE);
    for (unsigned i = 0; i < ROOM * ROOM; i++)
        pixels[i] = i * 0x9e3779b1u;
}

static void teardown(void)
{
    ck_assert_uint_eq(fake.pools, 0);
    ck_assert_uint_eq(fake_alive(), 0);
    ck_assert_int_eq(fake.spaces, 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
    objc_replace(NULL);
}

static struct view_image image_of(uint32_t *memory)
{
    return (struct view_image){memory, WIDTH, WIDTH, HEIGHT};
}

static enum status create(struct metal_layer **layer, bool vsync)
{
    void *pool = fake_push();
    enum status st = metal_layer_create(layer, objc_open(NULL), vsync);

    fake_pop(pool);
    return st;
}

static enum status show(struct metal_layer *layer, const uint32_t size[2],
                        const struct metal_quad *quads, unsigned n)
{
    void *pool = fake_push();
    enum status st = metal_layer_show(layer, size, quads, n);

    fake_pop(pool);
    return st;
}

static void destroy(struct metal_layer *layer)
{
    void *pool = fake_push();

    metal_layer_destroy(layer);
    fake_pop(pool);
}

static uint32_t seen(unsigned x, unsigned y)
{
    return fake.screen[y * fake.shown_width + x];
}

START_TEST(a_system_without_metal)
{
    const char *missing = NULL;

    objc_replace(NULL);
    ck_assert_ptr_null(objc_open(&missing));
    ck_assert_str_eq(missing, "/usr/lib/libobjc.A.dylib");
    ck_assert_ptr_null(objc_open(NULL));
}
END_TEST

START_TEST(a_picture_in_a_rectangle)
{
    struct view_image image = image_of(pixels);
    const struct metal_quad quad = {&image, {5, 3, 5 + WIDTH, 3 + HEIGHT}, PRESENT_NEAREST};
    struct metal_layer *layer;

    ck_assert_int_eq(create(&layer, true), ST_OK);
    ck_assert_ptr_eq(metal_layer_object(layer), fake.layer);
    ck_assert(fake.sync);
    ck_assert_int_eq(show(layer, twice, &quad, 1), ST_OK);
    fake_look();
    ck_assert_uint_eq(fake.frames, 1);
    ck_assert_uint_eq(fake.shown_width, 2 * WIDTH);
    ck_assert_uint_eq(fake.shown_height, 2 * HEIGHT);
    for (int y = 0; y < 2 * HEIGHT; y++)
        for (int x = 0; x < 2 * WIDTH; x++) {
            bool in = x >= 5 && x < 5 + WIDTH && y >= 3 && y < 3 + HEIGHT;

            ck_assert_uint_eq(seen((unsigned)x, (unsigned)y),
                              in ? pixels[(y - 3) * WIDTH + x - 5] : 0);
        }
    destroy(layer);
}
END_TEST

/* The layer's edge cuts the first picture; the second lies over it. Both have long rows. */
START_TEST(pictures_over_each_other)
{
    struct view_image below = {pixels, ROOM, WIDTH, HEIGHT}, above = {pixels + 7, ROOM, 4, 4};
    const struct metal_quad quads[] = {{&below, {-WIDTH, -4, WIDTH, 2 * HEIGHT}, PRESENT_NEAREST},
                                       {&above, {2, 2, 6, 6}, PRESENT_NEAREST}};
    struct metal_layer *layer;

    ck_assert_int_eq(create(&layer, false), ST_OK);
    ck_assert(!fake.sync);
    ck_assert_int_eq(show(layer, twice, quads, 2), ST_OK);
    fake_look();
    ck_assert_uint_eq(seen(0, 0), pixels[4 * HEIGHT / (2 * HEIGHT + 4) * ROOM + WIDTH / 2]);
    ck_assert_uint_eq(seen(2, 2), pixels[7]);
    ck_assert_uint_eq(seen(5, 5), pixels[3 * ROOM + 10]);
    ck_assert_uint_eq(seen(WIDTH, 0), 0);
    destroy(layer);
}
END_TEST

START_TEST(filters_and_sizes)
{
    struct view_image image = image_of(pixels);
    const uint32_t thrice[2] = {3 * WIDTH, 3 * HEIGHT};
    struct metal_quad quad = {&image, {0, 0, 2 * WIDTH, 2 * HEIGHT}, PRESENT_LINEAR};
    struct metal_layer *layer;

    ck_assert_int_eq(create(&layer, false), ST_OK);
    ck_assert_int_eq(show(layer, twice, &quad, 1), ST_OK);
    fake_look();
    ck_assert_uint_eq(seen(1, 1), 0xf0000000 + PRESENT_LINEAR);
    quad = (struct metal_quad){&image, {0, 0, 3 * WIDTH, 3 * HEIGHT}, PRESENT_SHARP};
    image.width = WIDTH - 3; /* a smaller picture needs another texture */
    ck_assert_int_eq(show(layer, thrice, &quad, 1), ST_OK);
    fake_look();
    ck_assert_uint_eq(fake.shown_width, 3 * WIDTH);
    ck_assert_uint_eq(seen(1, 1), 0xf0000000 + PRESENT_SHARP);
    destroy(layer);
}
END_TEST

/* The GPU reads a texture late: a frame that is in flight must not be overwritten. */
START_TEST(frames_in_flight)
{
    struct view_image image = image_of(pixels);
    const struct metal_quad quad = {&image, {0, 0, WIDTH, HEIGHT}, PRESENT_NEAREST};
    const uint32_t size[2] = {WIDTH, HEIGHT};
    struct metal_layer *layer;

    ck_assert_int_eq(create(&layer, true), ST_OK);
    for (unsigned i = 0; i < 10; i++) {
        for (unsigned k = 0; k < WIDTH * HEIGHT; k++)
            pixels[k] = i + 1;
        ck_assert_int_eq(show(layer, size, &quad, 1), ST_OK);
        ck_assert_uint_eq(fake.frames, i < METAL_FRAMES ? 0 : i - METAL_FRAMES + 1);
        if (fake.frames)
            ck_assert_uint_eq(seen(0, 0), i - METAL_FRAMES + 1);
    }
    destroy(layer);
    ck_assert_uint_eq(fake.frames, 10);
    ck_assert_uint_eq(seen(WIDTH - 1, HEIGHT - 1), 10);
}
END_TEST

static char last_line[256];

static void note(void *ctx, enum log_level level, const char *line)
{
    (void)ctx;
    (void)level;
    snprintf(last_line, sizeof(last_line), "%s", line);
}

START_TEST(failures_that_are_not_messages)
{
    struct view_image image = image_of(pixels);
    const struct metal_quad quad = {&image, {0, 0, WIDTH, HEIGHT}, PRESENT_NEAREST};
    struct metal_layer *layer;

    log_set_level(LOG_WARN);
    log_set_sink(note, NULL);
    fake.no_device = true;
    ck_assert_int_eq(create(&layer, true), ST_UNSUPPORTED);
    ck_assert_ptr_null(layer);
    fake.no_device = false;
    fake.no_space = true;
    ck_assert_int_eq(create(&layer, true), ST_IO);
    fake.no_space = false;
    fake.no_shader = true;
    ck_assert_int_eq(create(&layer, true), ST_IO);
    ck_assert_ptr_nonnull(strstr(last_line, "compiling the shader failed: the fake says no"));
    fake.no_shader = false;
    mem_fail_after(0);
    ck_assert_int_eq(create(&layer, true), ST_NOMEM);
    mem_fail_after(-1);

    ck_assert_int_eq(create(&layer, true), ST_OK);
    fake.no_drawable = true; /* such as a display that is off */
    ck_assert_int_eq(show(layer, twice, &quad, 1), ST_OK);
    fake.no_drawable = false;
    fake.gpu_fails = true;
    for (unsigned i = 0; i < METAL_FRAMES; i++)
        ck_assert_int_eq(show(layer, twice, &quad, 1), ST_OK);
    ck_assert_int_eq(show(layer, twice, &quad, 1), ST_IO);
    ck_assert_ptr_nonnull(strstr(last_line, "a frame failed: the fake says no"));
    destroy(layer);
    log_set_sink(NULL, NULL);
}
END_TEST

/* Four frames of two pictures. */
static enum status show_some(void)
{
    struct view_image image = image_of(pixels);
    const struct metal_quad quads[] = {{&image, {0, 0, WIDTH, HEIGHT}, PRESENT_NEAREST},
                                       {&image, {2, 2, 6, 6}, PRESENT_NEAREST}};
    struct metal_layer *layer;
    enum status st = create(&layer, true);

    for (unsigned i = 0; i < 4 && st == ST_OK; i++)
        st = show(layer, twice, quads, 2);
    destroy(layer);
    return st;
}

/* Only a missing drawable is no failure. */
START_TEST(each_message_fails)
{
    unsigned n;

    ck_assert_int_eq(show_some(), ST_OK);
    n = fake.messages;
    ck_assert_uint_gt(n, 50);
    for (unsigned i = 0; i < n; i++) {
        fake_start();
        fake.fail_at = i;
        if (show_some() == ST_OK)
            ck_assert_str_eq(fake.failed, "nextDrawable");
        ck_assert_ptr_nonnull(fake.failed);
        ck_assert_msg(fake_alive() == 0, "%s", fake.failed);
        ck_assert_int_eq(fake.spaces, 0);
        ck_assert_int_eq(mem_live_blocks(), 0);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("metal layer");
    TCase *c = tcase_create("all");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_system_without_metal);
    tcase_add_test(c, a_picture_in_a_rectangle);
    tcase_add_test(c, pictures_over_each_other);
    tcase_add_test(c, filters_and_sizes);
    tcase_add_test(c, frames_in_flight);
    tcase_add_test(c, failures_that_are_not_messages);
    tcase_add_test(c, each_message_fails);
    suite_add_tcase(s, c);
    return s;
}

TEST_MAIN(suite)
