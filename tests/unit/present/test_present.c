/* Sinks by name, conversion to RGB, PNG files. */
#include "present/present.h"

#include "util/alloc.h"
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

static bool starts_with_png(const char *path)
{
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10};
    uint8_t bytes[8] = {0};
    FILE *file = fopen(path, "rb");

    if (!file)
        return false;
    bool ok = fread(bytes, 1, sizeof(bytes), file) == sizeof(bytes);
    fclose(file);
    return ok && !memcmp(bytes, signature, sizeof(bytes));
}

START_TEST(frames_become_files)
{
    static const uint8_t pixels[16 * 4];
    struct present_frame frame = {.format = tex_format_get(D3DFMT_X8R8G8B8),
                                  .data = pixels,
                                  .width = 4,
                                  .height = 4,
                                  .row_pitch = 16,
                                  .number = 7};
    char folder[] = "/tmp/novem-present-XXXXXX", spec[64], path[64];
    struct present *present;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(spec, sizeof(spec), "png:%s", folder);
    ck_assert_int_eq(create(&present, spec), ST_OK);
    present_show(present, &frame);
    snprintf(path, sizeof(path), "%s/frame-00007.png", folder);
    ck_assert(starts_with_png(path));
    ck_assert_int_eq(unlink(path), 0);
    frame.chain = 2;
    present_show(present, &frame);
    snprintf(path, sizeof(path), "%s/frame-2-00007.png", folder);
    ck_assert(starts_with_png(path));
    ck_assert_int_eq(unlink(path), 0);
    rmdir(folder);

    /* The folder is missing: the sink is dropped, and presenting continues. */
    log_set_level(LOG_NONE);
    present_show(present, &frame);
    present_show(present, &frame);
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
    tcase_add_loop_test(tc, frames_become_rgb, 0, sizeof(frames) / sizeof(frames[0]));
    tcase_add_test(tc, frames_become_files);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
