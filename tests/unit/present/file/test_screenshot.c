/* Screenshots: file names that never replace existing files. */
#include "present/file/screenshot.h"

#include "util/alloc.h"
#include "util/log.h"

#include "check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has(const char *folder, const char *name)
{
    char path[96];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return unlink(path) == 0;
}

START_TEST(numbers_go_on)
{
    static const uint32_t pixels[16];
    const struct present_frame frame = {.format = tex_format_get(D3DFMT_X8R8G8B8),
                                        .data = (const uint8_t *)pixels,
                                        .width = 4,
                                        .height = 4,
                                        .row_pitch = 16};
    char folder[] = "/tmp/novem-screenshot-XXXXXX", path[64];
    struct screenshot shot = {.folder = folder};
    FILE *other;

    log_set_level(LOG_NONE);
    screenshot_take(&shot, &frame); /* the folder does not exist */
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/screenshot-0002.png", folder);
    other = fopen(path, "w");
    ck_assert(other && !fclose(other));
    for (int i = 0; i < 3; i++)
        screenshot_take(&shot, &frame);
    other = fopen(path, "r");
    ck_assert(other && fgetc(other) == EOF && !fclose(other));
    ck_assert(has(folder, "screenshot-0001.png") && has(folder, "screenshot-0002.png") &&
              has(folder, "screenshot-0003.png") && has(folder, "screenshot-0004.png"));
    ck_assert_int_eq(rmdir(folder), 0);
    screenshot_fini(&shot);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("screenshot");
    TCase *tc = tcase_create("screenshot");

    tcase_add_test(tc, numbers_go_on);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
