/* Sink "r500:FILE": frames of every back-buffer format through file, checker and chip model. */
#include "check_main.h"

#include "present/present.h"
#include "present/r500/r500.h"
#include "present/r500/sink.h"
#include "present/sink/sink.h"
#include "util/alloc.h"
#include "util/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 38, HEIGHT = 21 };

static char folder[] = "/tmp/novem-test-XXXXXX";
static char path[64];

static void setup(void)
{
    strcpy(folder, "/tmp/novem-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/x.r500", folder);
    log_set_level(LOG_NONE);
}

static void teardown(void)
{
    unlink(path);
    rmdir(folder);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static enum status create(struct present **out, const char *settings)
{
    char sinks[128];
    struct present_options options = {.sinks = sinks, .queue = 2};

    snprintf(sinks, sizeof(sinks), "r500:%s%s", path, settings);
    return present_create(out, &options);
}

static uint8_t *read_file(size_t *n)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = mem_alloc(1 << 20);

    ck_assert_ptr_nonnull(file);
    *n = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

/* Called with the displayed pixels at each flip. */
typedef void see_fn(const uint8_t *pixels, const struct r500_flip *flip, const void *expected);

static unsigned play(enum r500_chip expected_chip, see_fn *see, const void *expected)
{
    struct r500_buffers buffers = {0};
    struct r500_item item;
    struct r500_error error;
    enum r500_chip chip;
    const char *reason;
    unsigned flips = 0;
    size_t n, at;
    uint8_t *bytes = read_file(&n);

    ck_assert_int_eq(r500_file_open(bytes, n, &at, &chip, &reason), ST_OK);
    ck_assert_int_eq(chip, expected_chip);
    while (r500_file_next(bytes, n, &at, &item, &reason) == ST_OK) {
        if (item.kind == R500_ITEM_BUFFER) {
            ck_assert_int_eq(r500_buffers_apply(&buffers, &item, true, &reason), ST_OK);
        } else if (item.kind == R500_ITEM_SUBMIT) {
            ck_assert_int_eq(r500_check(&item.submit, &buffers.memory, chip, &error), ST_OK);
            ck_assert_int_eq(r500_run(&item.submit, &buffers.memory, &error), ST_OK);
        } else {
            see(r500_buffer(&buffers.memory, item.flip.handle)->data, &item.flip, expected);
            flips++;
        }
    }
    ck_assert_uint_eq(at, n);
    r500_buffers_fini(&buffers);
    mem_free(bytes);
    return flips;
}

static void fill(uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)(i * i / 7 + i * 13);
}

/* Matches present_to_rgb, and 8-bit formats byte for byte. */
static void see_frame(const uint8_t *pixels, const struct r500_flip *flip, const void *expected)
{
    const struct present_frame *frame = expected;
    uint8_t rgb[WIDTH * HEIGHT * 3];

    ck_assert_uint_eq(flip->width, WIDTH);
    ck_assert_uint_eq(flip->height, HEIGHT);
    ck_assert_int_eq(present_to_rgb(frame, rgb), ST_OK);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        const uint8_t *pixel = pixels + i / WIDTH * flip->pitch + i % WIDTH * 4;

        for (unsigned c = 0; c < 3; c++)
            ck_assert_uint_eq(pixel[c], rgb[3 * i + 2 - c]);
        if (frame->format->d3d == D3DFMT_A8R8G8B8)
            ck_assert_mem_eq(pixel, frame->data + 4 * i, 4);
    }
}

static const D3DFORMAT formats[] = {D3DFMT_X8R8G8B8,   D3DFMT_A8R8G8B8, D3DFMT_R5G6B5,
                                    D3DFMT_X1R5G5B5,   D3DFMT_A1R5G5B5, D3DFMT_A2R10G10B10,
                                    D3DFMT_A2B10G10R10};

START_TEST(frames_of_all_formats)
{
    static uint8_t data[WIDTH * HEIGHT * 4];
    struct present_frame frame = {
        .format = tex_format_get(formats[_i]), .data = data, .width = WIDTH, .height = HEIGHT};
    struct present *present;

    frame.row_pitch = tex_row_pitch(frame.format, WIDTH);
    fill(data, sizeof(data));
    ck_assert_int_eq(create(&present, "?chip=rv530&form=program"), ST_OK);
    ck_assert(present_is_persistent(present));
    for (frame.number = 0; frame.number < 3; frame.number++)
        present_show(present, &frame);
    frame.chain = 1; /* additional swap chains are ignored */
    present_show(present, &frame);
    present_destroy(present);
    ck_assert_uint_eq(play(R500_RV530, see_frame, &frame), 3);
}
END_TEST

static void see_scaled(const uint8_t *pixels, const struct r500_flip *flip, const void *expected)
{
    const uint32_t *frame = expected;

    ck_assert_uint_eq(flip->width, 100);
    ck_assert_uint_eq(flip->height, 42);
    for (uint32_t y = 0; y < 42; y++)
        for (uint32_t x = 0; x < 100; x++) {
            uint32_t pixel;

            memcpy(&pixel, pixels + y * flip->pitch + x * 4, 4);
            ck_assert_uint_eq(pixel, x < 12 || x >= 88 ? 0 : frame[y / 2 * WIDTH + (x - 12) / 2]);
        }
}

START_TEST(frames_are_scaled)
{
    static uint32_t data[WIDTH * HEIGHT];
    const struct present_frame frame = {.format = tex_format_get(D3DFMT_X8R8G8B8),
                                        .data = (const uint8_t *)data,
                                        .width = WIDTH,
                                        .height = HEIGHT,
                                        .row_pitch = WIDTH * 4};
    struct present *present;

    fill((uint8_t *)data, sizeof(data));
    ck_assert_int_eq(create(&present, "?size=100x42"), ST_OK);
    present_show(present, &frame);
    present_destroy(present);
    ck_assert_uint_eq(play(R500_RV515, see_scaled, data), 1);
}
END_TEST

START_TEST(settings)
{
    static const struct {
        const char *text;
        enum status status;
    } cases[] = {
        {"", ST_OK},
        {"chip=R520", ST_OK},
        {"chip=rv570&form=bypass&size=4096x4096", ST_OK},
        {"form=program", ST_OK},
        {"chip=r600", ST_INVALID},
        {"form=none", ST_INVALID},
        {"size=0x5", ST_INVALID},
        {"size=4097x5", ST_INVALID},
        {"size=5", ST_INVALID},
        {"speed=9", ST_INVALID},
        {"chip=R520,form=bypass", ST_INVALID},
    };
    struct r500_settings out;

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        ck_assert_int_eq(r500_settings_parse(&out, cases[i].text), cases[i].status);
}
END_TEST

START_TEST(fitting)
{
    static const uint32_t cases[][8] = {
        /* frame, target, area */
        {640, 480, 640, 480, 0, 0, 640, 480},    {640, 480, 1920, 1080, 240, 0, 1680, 1080},
        {1920, 1080, 640, 480, 0, 60, 640, 420}, {4096, 1, 64, 64, 0, 31, 64, 32},
        {1, 4096, 64, 64, 31, 0, 32, 64},        {5, 5, 11, 7, 2, 0, 9, 7},
    };

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const uint32_t *c = cases[i];
        struct r500_quad quad = {
            .width = c[0], .height = c[1], .target_width = c[2], .target_height = c[3]};

        r500_fit(&quad);
        ck_assert_uint_eq(quad.left, c[4]);
        ck_assert_uint_eq(quad.top, c[5]);
        ck_assert_uint_eq(quad.right, c[6]);
        ck_assert_uint_eq(quad.bottom, c[7]);
    }
}
END_TEST

static char messages[1024];

static void note(void *ctx, enum log_level level, const char *line)
{
    size_t n = strlen(messages);

    (void)ctx;
    (void)level;
    snprintf(messages + n, sizeof(messages) - n, "%s\n", line);
}

/* The first message names the cause, the second what follows. */
START_TEST(a_missing_board)
{
    const struct present_options options = {.sinks = "r500:/dev/dri/card77"};
    struct present *present;

    log_set_level(LOG_WARN);
    log_set_sink(note, NULL);
    ck_assert_int_eq(present_create(&present, &options), ST_OK);
    present_destroy(present);
    log_set_sink(NULL, NULL);
    ck_assert_str_eq(
        messages, "novem: present: /dev/dri/card77: No such file or directory\n"
                  "novem: present: the program goes on without the sink 'r500:/dev/dri/card77'\n");
}
END_TEST

START_TEST(files_may_fail)
{
    struct present *present;
    struct present_options options = {.sinks = "r500:/nonexistent/x"};

    ck_assert_int_eq(present_create(&present, &options), ST_OK); /* without the board */
    present_destroy(present);
    options.sinks = "r500";
    ck_assert_int_eq(present_create(&present, &options), ST_INVALID);
}
END_TEST

/* A full disk ends the sink, not the program. */
START_TEST(full_disks)
{
    static uint8_t data[WIDTH * HEIGHT * 4];
    const struct present_frame frame = {.format = tex_format_get(D3DFMT_X8R8G8B8),
                                        .data = data,
                                        .width = WIDTH,
                                        .height = HEIGHT,
                                        .row_pitch = WIDTH * 4};
    struct r500_board *board;
    struct r500_settings given;
    struct present_sink *sink;

    ck_assert_int_eq(r500_settings_parse(&given, ""), ST_OK);
    ck_assert_int_eq(r500_board_file(&board, "/dev/full", R500_RV515), ST_OK);
    ck_assert_int_eq(r500_sink_create(&sink, board, &given, 0), ST_OK);
    ck_assert_int_eq(present_r500_ops.show(sink, &frame, NULL), ST_IO);
    present_r500_ops.close(sink);
}
END_TEST

START_TEST(memory_may_be_short)
{
    static uint8_t data[WIDTH * HEIGHT * 4];
    const struct present_frame frame = {.format = tex_format_get(D3DFMT_R5G6B5),
                                        .data = data,
                                        .width = WIDTH,
                                        .height = HEIGHT,
                                        .row_pitch = WIDTH * 2};
    const struct present_options options = {.sinks = NULL};
    enum status st = ST_NOMEM;
    int n = 0;

    for (; st != ST_OK; n++) {
        struct present_sink *sink;

        mem_fail_after(n);
        st = present_r500_ops.open(&sink, path, &options);
        if (st == ST_OK)
            st = present_r500_ops.show(sink, &frame, NULL);
        mem_fail_after(-1);
        ck_assert(st == ST_OK || st == ST_NOMEM);
        present_r500_ops.close(sink);
        ck_assert_int_eq(mem_live_blocks(), 0);
    }
    ck_assert_int_gt(n, 5);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/r500/sink");
    TCase *tc = tcase_create("file");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, frames_of_all_formats, 0, sizeof(formats) / sizeof(formats[0]));
    tcase_add_test(tc, frames_are_scaled);
    tcase_add_test(tc, settings);
    tcase_add_test(tc, fitting);
    tcase_add_test(tc, a_missing_board);
    tcase_add_test(tc, files_may_fail);
    tcase_add_test(tc, full_disks);
    tcase_add_test(tc, memory_may_be_short);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
