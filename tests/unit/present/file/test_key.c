/* Keys of the user: their names. */
#include "present/file/key.h"

#include "util/log.h"

#include "check_main.h"

#include <stdio.h>
#include <string.h>

START_TEST(keys_by_name)
{
    static const struct {
        const char *name;
        int key;
    } keys[] = {{"F1", 0x70}, {"f12", 0x7b}, {"F24", 0x87}, {"F25", 0},
                {"F0", 0},    {"F1x", 0},    {"F", 'F'},    {"p", 'P'},
                {"7", '7'},   {"", 0},       {"nokey", 0},  {"PRINTSCREEN", 0x2c}};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        ck_assert_int_eq(key_code(keys[i].name), keys[i].key);
}
END_TEST

static char line[256];

static void keep_line(void *ctx, enum log_level level, const char *text)
{
    (void)ctx;
    ck_assert_int_eq(level, LOG_WARN);
    snprintf(line, sizeof(line), "%s", text);
}

START_TEST(unknown_name)
{
    struct key_watch watch = {.key = 1, .presses = 3};

    log_set_level(LOG_WARN);
    log_set_sink(keep_line, NULL);
    key_watch_init(&watch, "CAPTURE_KEY", "Pauze");
    log_set_sink(NULL, NULL);
    ck_assert(strstr(line, "CAPTURE_KEY: unknown key 'Pauze'"));
    ck_assert(strstr(line, "Pause"));
    ck_assert(!watch.key);
    ck_assert(!key_watch_pressed(&watch, 1));
}
END_TEST

/* Each watch notices a press once; earlier presses and other keys do not count. */
START_TEST(presses)
{
    struct key_watch first, second, other;

    key_note(key_code("F5"));
    key_watch_init(&first, "CAPTURE_KEY", "F5");
    key_watch_init(&second, "SCREENSHOT_KEY", "F5");
    key_watch_init(&other, "SCREENSHOT_KEY", "F6");
    ck_assert(!key_watch_pressed(&first, 0));
    key_note(key_code("F5"));
    ck_assert(key_watch_pressed(&first, 0));
    ck_assert(!key_watch_pressed(&first, 0));
    ck_assert(key_watch_pressed(&second, 0));
    ck_assert(!key_watch_pressed(&other, 0));
    key_note(0);
    key_note(-1);
    key_note(100000);
    ck_assert(!key_watch_pressed(&first, 0));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("key");
    TCase *tc = tcase_create("key");

    tcase_add_test(tc, keys_by_name);
    tcase_add_test(tc, unknown_name);
    tcase_add_test(tc, presses);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
