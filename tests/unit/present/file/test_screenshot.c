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

static const uint32_t pixels[16];

static struct present_frame small_frame(void)
{
    return (struct present_frame){.format = tex_format_get(D3DFMT_X8R8G8B8),
                                  .data = (const uint8_t *)pixels,
                                  .width = 4,
                                  .height = 4,
                                  .row_pitch = 16};
}

START_TEST(numbers_go_on)
{
    const struct present_frame frame = small_frame();
    char folder[] = "/tmp/novem-screenshot-XXXXXX", path[64], saved[OUTPUT_PATH_BYTES];
    struct screenshot shot = {.folder = folder};
    FILE *other;

    log_set_level(LOG_NONE);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/screenshot-0002.png", folder);
    other = fopen(path, "w");
    ck_assert(other && !fclose(other));
    for (int i = 0; i < 3; i++) {
        ck_assert(screenshot_take(&shot, &frame, saved));
        snprintf(path, sizeof(path), "%s/screenshot-%04d.png", folder, i ? i + 2 : 1);
        ck_assert_str_eq(saved, path);
    }
    snprintf(path, sizeof(path), "%s/screenshot-0002.png", folder);
    other = fopen(path, "r");
    ck_assert(other && fgetc(other) == EOF && !fclose(other));
    ck_assert(has(folder, "screenshot-0001.png") && has(folder, "screenshot-0002.png") &&
              has(folder, "screenshot-0003.png") && has(folder, "screenshot-0004.png"));
    ck_assert_int_eq(rmdir(folder), 0);
    screenshot_fini(&shot);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static char lines[1024];

static void keep_line(void *ctx, enum log_level level, const char *line)
{
    (void)ctx;
    snprintf(lines + strlen(lines), sizeof(lines) - strlen(lines), "%d %s\n", (int)level, line);
}

/* The folder is made, also a second time. The first picture is said as a warning. */
START_TEST(missing_folders_are_made)
{
    const struct present_frame frame = small_frame();
    char base[] = "/tmp/novem-screenshot-XXXXXX", folder[64], path[OUTPUT_PATH_BYTES];
    struct screenshot shot = {.folder = folder};

    log_set_level(LOG_INFO);
    log_set_sink(keep_line, NULL);
    ck_assert_ptr_nonnull(mkdtemp(base));
    snprintf(folder, sizeof(folder), "%s/a/b", base);
    ck_assert(screenshot_take(&shot, &frame, path));
    ck_assert(has(folder, "screenshot-0001.png"));
    ck_assert_int_eq(rmdir(folder), 0);
    ck_assert(screenshot_take(&shot, &frame, path));
    ck_assert(has(folder, "screenshot-0002.png"));
    ck_assert(strstr(lines, "2 novem: present: screenshot saved: /tmp/") == lines);
    ck_assert(strstr(lines, "b/screenshot-0001.png\n3 novem: present: screenshot saved: /tmp/"));
    ck_assert_int_eq(rmdir(folder), 0);
    snprintf(folder, sizeof(folder), "%s/a", base);
    ck_assert_int_eq(rmdir(folder), 0);
    ck_assert_int_eq(rmdir(base), 0);
    screenshot_fini(&shot);
}
END_TEST

/* A file in the place of the folder. */
START_TEST(failures_are_said)
{
    const struct present_frame frame = small_frame();
    char path[OUTPUT_PATH_BYTES];
    struct screenshot shot = {.folder = "/dev/null"};

    log_set_level(LOG_WARN);
    log_set_sink(keep_line, NULL);
    ck_assert(!screenshot_take(&shot, &frame, path));
    shot.folder = "/dev/null/x";
    ck_assert(!screenshot_take(&shot, &frame, path));
    ck_assert(strstr(lines, "1 novem: present: /dev/null/screenshot-0001.png: a screenshot cannot "
                            "be written: Not a directory"));
    ck_assert(strstr(lines, "/dev/null/x/screenshot-0001.png: a screenshot cannot"));
    screenshot_fini(&shot);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("screenshot");
    TCase *tc = tcase_create("screenshot");

    tcase_add_test(tc, numbers_go_on);
    tcase_add_test(tc, missing_folders_are_made);
    tcase_add_test(tc, failures_are_said);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
