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
    struct key_watch watch = {.key = 1, .down = true};

    log_set_level(LOG_WARN);
    log_set_sink(keep_line, NULL);
    key_watch_init(&watch, "CAPTURE_KEY", "Pauze");
    log_set_sink(NULL, NULL);
    ck_assert(strstr(line, "CAPTURE_KEY: unknown key 'Pauze'"));
    ck_assert(strstr(line, "Pause"));
    ck_assert(!watch.key && !watch.down);
    ck_assert(!key_watch_pressed(&watch, 1));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("key");
    TCase *tc = tcase_create("key");

    tcase_add_test(tc, keys_by_name);
    tcase_add_test(tc, unknown_name);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
