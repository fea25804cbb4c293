/* Frames as 8-bit red, green and blue. */
#include "present/present.h"

#include "check_main.h"

/* Rows of two pixels with padding: red and a grey that tests rounding. */
static const struct {
    D3DFORMAT format;
    uint8_t bytes[16];
    uint8_t rgb[6];
    enum status status;
} frames[] = {
    {D3DFMT_X8R8G8B8, {0, 0, 255, 9, 1, 2, 3, 9}, {255, 0, 0, 3, 2, 1}, ST_OK},
    {D3DFMT_R5G6B5, {0x00, 0xf8, 0x10, 0x84}, {255, 0, 0, 132, 130, 132}, ST_OK},
    {D3DFMT_A1R5G5B5, {0x00, 0xfc, 0x10, 0x42}, {255, 0, 0, 132, 132, 132}, ST_OK},
    {D3DFMT_A2R10G10B10,
     {0, 0, 0xf0, 0x3f, 0, 0x02, 0x08, 0x20},
     {255, 0, 0, 128, 128, 128},
     ST_OK},
    {D3DFMT_X8B8G8R8, {255, 0, 0, 9, 1, 2, 3, 9}, {255, 0, 0, 1, 2, 3}, ST_OK},
    /* 0.75 of 65535 is 49151.25 */
    {D3DFMT_A16B16G16R16, {0xff, 0xff, 0, 0, 0xff, 0xbf}, {255, 0, 191, 0, 0, 0}, ST_OK},
    /* halves: 1, -1, 0.5; then infinity, NaN, 2^-9 (0.498 of a step) */
    {D3DFMT_A16B16G16R16F,
     {0, 0x3c, 0, 0xbc, 0, 0x38, 0, 0, 0, 0x7c, 1, 0x7c, 0, 0x18},
     {255, 0, 128, 255, 0, 0},
     ST_OK},
    {D3DFMT_G16R16, {0}, {0}, ST_UNSUPPORTED},
    {D3DFMT_R32F, {0}, {0}, ST_UNSUPPORTED},
};

START_TEST(frames_become_rgb)
{
    struct present_frame frame = {.format = tex_format_get(frames[_i].format),
                                  .data = frames[_i].bytes,
                                  .width = 2,
                                  .height = 1,
                                  .row_pitch = 16};
    uint8_t rgb[6];

    ck_assert_int_eq(present_to_rgb(&frame, rgb), frames[_i].status);
    if (frames[_i].status == ST_OK)
        ck_assert_mem_eq(rgb, frames[_i].rgb, 6);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/monitor/rgb");
    TCase *tc = tcase_create("rgb");

    tcase_add_loop_test(tc, frames_become_rgb, 0, sizeof(frames) / sizeof(frames[0]));
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
