/* Sinks y4m and raw: bytes of their files, frames of other sizes, Present's rectangles. */
#include "file_sinks.h"

START_TEST(raw_has_the_pixels)
{
    struct present *present = open_sink("raw:%s/x", 2);
    uint8_t bytes[PIXELS * 4 * 3 + 1];

    for (unsigned i = 0; i < 3; i++) {
        pixels[0] = i;
        show(present, i);
    }
    present_destroy(present);
    ck_assert_uint_eq(read_file("x", bytes, sizeof(bytes)), PIXELS * 4 * 3);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned p = 0; p < PIXELS; p++) {
            const uint8_t *at = bytes + (i * PIXELS + p) * 4;
            uint32_t want = p ? pixels[p] : i;

            ck_assert_uint_eq((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16,
                              want & 0xffffff);
            ck_assert_uint_eq(at[3], 255);
        }
}
END_TEST

/* Inverse of BT.601 in floating point. */
static void check_yuv(const uint8_t *y, uint32_t pixel)
{
    double luma = (y[0] - 16) * 255.0 / 219, cb = (y[PIXELS] - 128) * 255.0 / 224;
    double cr = (y[2 * PIXELS] - 128) * 255.0 / 224;

    ck_assert_double_eq_tol(luma + 1.402 * cr, pixel >> 16 & 255, 2.0);
    ck_assert_double_eq_tol(luma - 0.344136 * cb - 0.714136 * cr, pixel >> 8 & 255, 2.0);
    ck_assert_double_eq_tol(luma + 1.772 * cb, pixel & 255, 2.0);
}

START_TEST(y4m_has_the_pixels)
{
    static const char head[] = "YUV4MPEG2 W6 H4 F75:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n";
    enum { FRAME = 6 + 3 * PIXELS, HEAD = sizeof(head) - 1 };
    struct present *present = open_sink("y4m:%s/x", 2);
    uint8_t bytes[HEAD + 2 * FRAME + 1];

    pixels[0] = 0xffffff;
    show(present, 0);
    show(present, 1);
    present_destroy(present);
    ck_assert_uint_eq(read_file("x", bytes, sizeof(bytes)), HEAD + 2 * FRAME);
    ck_assert_mem_eq(bytes, head, HEAD);
    for (unsigned i = 0; i < 2; i++) {
        const uint8_t *frame = bytes + HEAD + i * FRAME;

        ck_assert_mem_eq(frame, "FRAME\n", 6);
        for (unsigned p = 0; p < PIXELS; p++)
            check_yuv(frame + 6 + p, pixels[p]);
        ck_assert_uint_eq(frame[6], 235);
    }
}
END_TEST

START_TEST(video_frames_have_the_first_frames_size)
{
    struct present *present = open_sink("raw:%s/x", 1);
    struct present_frame frame = frame_of(1);
    uint32_t words[2 * PIXELS];

    log_set_level(LOG_ERROR);
    show(present, 0);
    frame.width = WIDTH / 2;
    frame.height = HEIGHT / 2;
    present_show(present, &frame);
    present_destroy(present);
    ck_assert_uint_eq(read_file("x", (uint8_t *)words, sizeof(words)), sizeof(words));
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            ck_assert_uint_eq(words[PIXELS + y * WIDTH + x] & 0xffffff,
                              pixels[y / 2 * WIDTH + x / 2] & 0xffffff);
}
END_TEST

/* Present's rectangles are applied as in a window; other pixels keep their contents. */
START_TEST(rectangles_of_present)
{
    struct present *present = open_sink("raw:%s/x", 0);
    struct present_frame frame = frame_of(0);
    uint32_t words[2 * PIXELS], *second = words + PIXELS;
    static const int32_t src[4] = {0, 0, 1, 1}, left[4] = {0, 0, 2, HEIGHT}, far[4] = {4, -2, 9, 2};

    pixels[0] = 0x123456;
    memcpy(frame.src, src, sizeof(src));
    memcpy(frame.dst, left, sizeof(left));
    present_show(present, &frame);
    pixels[0] = 0x654321;
    memcpy(frame.dst, far, sizeof(far));
    present_show(present, &frame);
    present_destroy(present);
    ck_assert_uint_eq(read_file("x", (uint8_t *)words, sizeof(words)), sizeof(words));
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            uint32_t was = x < 2 ? 0xff123456 : 0xff000000;

            ck_assert_uint_eq(words[y * WIDTH + x], was);
            ck_assert_uint_eq(second[y * WIDTH + x], x >= 4 && y < 2 ? 0xff654321 : was);
        }
}
END_TEST

START_TEST(y4m_without_a_file)
{
    const struct present_options options = {.sinks = "y4m"};
    struct present *present;

    ck_assert_int_eq(present_create(&present, &options), ST_INVALID);
    ck_assert_ptr_nonnull(strstr(errors, "y4m:FILE"));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/file/video");
    TCase *tc = tcase_create("video");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, raw_has_the_pixels);
    tcase_add_test(tc, y4m_has_the_pixels);
    tcase_add_test(tc, video_frames_have_the_first_frames_size);
    tcase_add_test(tc, rectangles_of_present);
    tcase_add_test(tc, y4m_without_a_file);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
