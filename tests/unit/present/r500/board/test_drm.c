/* DRM board on the fake driver: pictures, waits, and a failure of every call. */
#include "present/r500/board/drm_board.h"

#ifdef R500_HAS_DRM

#include "fake_kernel.h"

#include "present/r500/sink.h"
#include "present/sink/sink.h"
#include "util/log.h"

#include <stdlib.h>

enum { WIDTH = 64, HEIGHT = 48 };

static struct fake fake;
static uint32_t pixels[WIDTH * HEIGHT];
static char last_log[256];

static void keep_log(void *ctx, enum log_level level, const char *line)
{
    (void)ctx;
    (void)level;
    snprintf(last_log, sizeof(last_log), "%s", line);
}

static void setup(void)
{
    fake_init(&fake);
    log_set_sink(keep_log, NULL);
}

static void teardown(void)
{
    fake_is_clean(&fake);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static enum status open_sink(struct present_sink **out)
{
    struct r500_settings settings;
    struct r500_board *board;
    enum status st = r500_settings_parse(&settings, "");

    *out = NULL;
    if (st == ST_OK)
        st = r500_drm_open(&board, "/dev/dri/card0", &fake_calls, &fake);
    return st == ST_OK ? r500_sink_create(out, board, &settings, 0) : st;
}

static uint32_t pixel_of(unsigned number, uint32_t i)
{
    return (i + 1) * 2654435761u ^ number * 40503u;
}

static enum status show(struct present_sink *sink, unsigned number, uint32_t width, uint32_t height)
{
    const struct present_frame frame = {.format = tex_format_get(D3DFMT_X8R8G8B8),
                                        .data = (const uint8_t *)pixels,
                                        .width = width,
                                        .height = height,
                                        .row_pitch = width * 4,
                                        .number = number};

    for (uint32_t i = 0; i < width * height; i++)
        pixels[i] = pixel_of(number, i);
    return present_r500_ops.show(sink, &frame, NULL);
}

/* Returns the displayed pixels after all work is done. */
static const uint32_t *seen(uint32_t *pitch)
{
    const struct fake_framebuffer *framebuffer =
        fake_framebuffer(&fake, fake.pending ? fake.pending : fake.front);

    fake_finish(&fake);
    ck_assert_ptr_nonnull(framebuffer);
    *pitch = framebuffer->pitch / 4;
    return (const void *)fake_buffer(&fake, framebuffer->handle)->data;
}

static void is_seen(unsigned number)
{
    uint32_t pitch;
    const uint32_t *picture = seen(&pitch);

    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        ck_assert_uint_eq(picture[i / WIDTH * pitch + i % WIDTH], pixel_of(number, i));
}

/* Reading the display completes the work, so every other frame comes while the last is active. */
START_TEST(frames_are_seen)
{
    struct present_sink *sink;

    fake.encoder_is_set = _i; /* otherwise no CRTC is active */
    ck_assert_int_eq(open_sink(&sink), ST_OK);
    for (unsigned number = 0; number < 7; number++) {
        ck_assert_int_eq(show(sink, number, WIDTH, HEIGHT), ST_OK);
        if (number % 2 == 0)
            is_seen(number);
    }
    present_r500_ops.close(sink);
    ck_assert_uint_eq(fake.front, _i ? CONSOLE : 0);
}
END_TEST

/* Doubled in the middle of the display, with black bars. */
START_TEST(frames_fit_the_display)
{
    struct present_sink *sink;
    const uint32_t *picture;
    uint32_t pitch;

    fake.mode_width = 100;
    fake.mode_height = 40;
    ck_assert_int_eq(open_sink(&sink), ST_OK);
    ck_assert_int_eq(show(sink, 3, 20, 20), ST_OK);
    picture = seen(&pitch);
    ck_assert_uint_eq(pitch, 128);
    for (uint32_t y = 0; y < 40; y++)
        for (uint32_t x = 0; x < 100; x++) {
            uint32_t expected = x < 30 || x >= 70 ? 0 : pixel_of(3, y / 2 * 20 + (x - 30) / 2);

            ck_assert_uint_eq(picture[y * pitch + x], expected);
        }
    ck_assert_int_eq(show(sink, 4, 30, 12), ST_OK); /* of another size */
    ck_assert_int_eq(show(sink, 5, 30, 12), ST_OK);
    present_r500_ops.close(sink);
}
END_TEST

/* A complete run: one frame more than there are buffers. Ends at the first failure. */
static enum status run(void)
{
    struct present_sink *sink;
    enum status st = open_sink(&sink);

    for (unsigned number = 0; st == ST_OK && number < 3; number++)
        st = show(sink, number, WIDTH, HEIGHT);
    if (st == ST_OK)
        is_seen(2);
    present_r500_ops.close(sink);
    return st;
}

static unsigned calls_of_a_run(void)
{
    ck_assert_int_eq(run(), ST_OK);
    return fake.calls;
}

static void inject(unsigned at, unsigned times, int error, unsigned long request)
{
    fake_init(&fake);
    fake.fail_at = at;
    fake.fail_times = times;
    fake.fail_errno = error;
    fake.fail_request = request;
}

/* Signals and GPU resets at any call change nothing. */
START_TEST(interruptions)
{
    unsigned n = calls_of_a_run();

    ck_assert_uint_gt(n, 30);
    for (unsigned i = 0; i < n; i++) {
        inject(i, 1, i % 2 ? EINTR : EAGAIN, 0);
        ck_assert_int_eq(run(), ST_OK);
        inject(i, 1, i % 2 ? EAGAIN : EINTR, 0);
        ck_assert_int_eq(run(), ST_OK);
    }
    inject(0, 1000, EINTR, 0);
    fake.fail_times = 900;
    ck_assert_int_eq(run(), ST_OK);
}
END_TEST

/* A failure of any call releases everything except what the failing call was to release. */
START_TEST(refusals)
{
    static const int errors[] = {ENOMEM, EINVAL, EACCES, ENODEV};
    unsigned n = calls_of_a_run(), refused = 0;

    for (unsigned i = 0; i < n; i++)
        for (unsigned e = 0; e < sizeof(errors) / sizeof(errors[0]); e++) {
            enum status st;

            inject(i, 1, errors[e], 0);
            st = run();
            refused += st != ST_OK;
            /* The driver does not retry a failed handle close or framebuffer removal. */
            for (unsigned k = 0; k < FAKE_BUFFERS; k++) {
                if (fake.buffers[k].handle)
                    fake_close_handle(&fake, fake.buffers[k].handle);
                fake.framebuffers[k] = (struct fake_framebuffer){0};
            }
            fake_is_clean(&fake);
        }
    ck_assert_uint_gt(refused, n);
}
END_TEST

START_TEST(reasons)
{
    static const struct {
        unsigned long request;
        int error;
        enum status status;
        const char *log;
    } cases[] = {
        {DRM_IOCTL_RADEON_GEM_CREATE, ENOMEM, ST_NOMEM, "a buffer: Cannot allocate memory"},
        {DRM_IOCTL_RADEON_CS, EINVAL, ST_INVALID, "a stream: Invalid argument"},
        {DRM_IOCTL_RADEON_CS, EDEADLK, ST_LOST, "a stream"},
        {DRM_IOCTL_RADEON_CS, EBUSY, ST_BUSY, "a stream"},
        {DRM_IOCTL_MODE_PAGE_FLIP, EBUSY, ST_BUSY, "a page flip"},
        {DRM_IOCTL_MODE_SETCRTC, EACCES, ST_IO, "another program may have it"},
        {DRM_IOCTL_MODE_ADDFB, ENOMEM, ST_NOMEM, "a frame buffer"},
    };

    inject(0, 100000, cases[_i].error, cases[_i].request);
    last_log[0] = '\0';
    if (cases[_i].request == DRM_IOCTL_MODE_SETCRTC)
        fake.fail_times = 1; /* the console is restored */
    ck_assert_int_eq(run(), cases[_i].status);
    ck_assert_msg(strstr(last_log, cases[_i].log) != NULL, "%s", last_log);
}
END_TEST

START_TEST(resets_lose_a_frame_at_most)
{
    inject(1, 5, EAGAIN, DRM_IOCTL_RADEON_CS);
    fake.resets = true;
    ck_assert_int_eq(run(), ST_OK);
}
END_TEST

START_TEST(busy_flips_are_repeated)
{
    inject(0, 7, EBUSY, DRM_IOCTL_MODE_PAGE_FLIP);
    ck_assert_int_eq(run(), ST_OK);
    ck_assert_uint_eq(fake.failed, 7);
}
END_TEST

START_TEST(a_stuck_display_ends_the_sink)
{
    struct present_sink *sink;

    ck_assert_int_eq(open_sink(&sink), ST_OK);
    ck_assert_int_eq(show(sink, 0, WIDTH, HEIGHT), ST_OK);
    ck_assert_int_eq(show(sink, 1, WIDTH, HEIGHT), ST_OK);
    fake.stuck = true;
    ck_assert_int_eq(show(sink, 2, WIDTH, HEIGHT), ST_IO);
    ck_assert_ptr_nonnull(strstr(last_log, "does not complete a flip"));
    present_r500_ops.close(sink);
}
END_TEST

START_TEST(other_devices_are_unsupported)
{
    struct present_sink *sink;
    struct r500_board *board;

    fake.driver = "i915";
    ck_assert_int_eq(open_sink(&sink), ST_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(last_log, "'i915'"));
    fake.driver = "radeon";
    fake.device = 0x6798;
    ck_assert_int_eq(open_sink(&sink), ST_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(last_log, "0x6798"));
    fake.device = 0x7291;
    fake.connected = false;
    ck_assert_int_eq(open_sink(&sink), ST_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(last_log, "no display"));
    ck_assert_int_eq(r500_drm_open(&board, "/dev/dri/card9", &fake_calls, &fake), ST_IO);
    ck_assert_ptr_null(board);
}
END_TEST

START_TEST(memory_may_be_short)
{
    enum status st = ST_NOMEM;
    int n = 0;

    for (; st != ST_OK; n++) {
        struct present_sink *sink;

        fake_init(&fake);
        mem_fail_after(n);
        st = open_sink(&sink);
        if (st == ST_OK)
            st = show(sink, 0, WIDTH, HEIGHT);
        mem_fail_after(-1);
        ck_assert(st == ST_OK || st == ST_NOMEM);
        present_r500_ops.close(sink);
        fake_is_clean(&fake);
        ck_assert_int_eq(mem_live_blocks(), 0);
    }
    ck_assert_int_gt(n, 3);
}
END_TEST

START_TEST(chips_by_device)
{
    static const struct {
        uint32_t id;
        enum r500_chip chip;
    } ids[] = {{0x7100, R500_R520},  {0x7146, R500_RV515}, {0x719b, R500_RV515},
               {0x71c2, R500_RV530}, {0x7249, R500_R580},  {0x7284, R500_R580},
               {0x7291, R500_RV560}, {0x7288, R500_RV570}, {0x7280, R500_RV570},
               {0x4e44, R500_CHIPS}, {0x791e, R500_CHIPS}, {0x9400, R500_CHIPS}};

    for (unsigned i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
        ck_assert_int_eq(r500_chip_by_device(ids[i].id), ids[i].chip);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/r500/drm");
    TCase *tc = tcase_create("board");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 30);
    tcase_add_loop_test(tc, frames_are_seen, 0, 2);
    tcase_add_test(tc, frames_fit_the_display);
    tcase_add_test(tc, interruptions);
    tcase_add_test(tc, refusals);
    tcase_add_loop_test(tc, reasons, 0, 7);
    tcase_add_test(tc, resets_lose_a_frame_at_most);
    tcase_add_test(tc, busy_flips_are_repeated);
    tcase_add_test(tc, a_stuck_display_ends_the_sink);
    tcase_add_test(tc, other_devices_are_unsupported);
    tcase_add_test(tc, memory_may_be_short);
    tcase_add_test(tc, chips_by_device);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)

#else

#include <stdio.h>

int main(void)
{
    puts("SKIPPED: built without radeon's interface");
    return 0;
}

#endif
