/* Codes of keys. */
#include "present/window/keys.h"

#include "present/file/key.h"

#include "check_main.h"

/* What both systems call the key with a name of the user's settings. */
START_TEST(every_name)
{
    static const struct {
        const char *name;
        uint16_t character; /* of macOS */
        int32_t key;
    } names[] = {{"F1", 0xf704, KEYS_F1},
                 {"F12", 0xf70f, KEYS_F12},
                 {"F13", 0xf710, KEYS_F13},
                 {"F24", 0xf71b, KEYS_F24},
                 {"A", 'a', 'a'},
                 {"Z", 'Z', 'z'},
                 {"7", '7', '7'},
                 {"PrintScreen", 0xf72e, KEYS_PRINT_SCREEN},
                 {"Pause", 0xf730, KEYS_PAUSE},
                 {"Insert", 0xf727, KEYS_INSERT},
                 {"Home", 0xf729, KEYS_HOME},
                 {"End", 0xf72b, KEYS_END},
                 {"PageUp", 0xf72c, KEYS_PAGE_UP},
                 {"PageDown", 0xf72d, KEYS_PAGE_DOWN},
                 {"ScrollLock", 0xf72f, KEYS_SCROLL_LOCK}};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        ck_assert_int_eq(keys_of_character(names[i].character), names[i].key);
        ck_assert_int_ne(key_code(names[i].name), 0);
        ck_assert_int_eq(keys_windows_code(names[i].key), key_code(names[i].name));
    }
}
END_TEST

START_TEST(keys_without_a_name)
{
    ck_assert_int_eq(keys_of_character(0xf700), KEYS_UP);
    ck_assert_int_eq(keys_of_character(0xf701), KEYS_DOWN);
    ck_assert_int_eq(keys_of_character(0xf702), KEYS_LEFT);
    ck_assert_int_eq(keys_of_character(0xf703), KEYS_RIGHT);
    ck_assert_int_eq(keys_of_character(27), KEYS_ESCAPE);
    ck_assert_int_eq(keys_of_character('+'), '+');
    ck_assert_int_eq(keys_of_character(0xf746), 0); /* Help */
    ck_assert_int_eq(keys_of_character(0), 0);
    ck_assert_int_eq(keys_windows_code(KEYS_UP), 0);
    ck_assert_int_eq(keys_windows_code('+'), 0);
    ck_assert_int_eq(keys_windows_code(0), 0);
    ck_assert_int_eq(keys_windows_code(KEYS_F24 + 1), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("keys");
    TCase *c = tcase_create("all");

    tcase_add_test(c, every_name);
    tcase_add_test(c, keys_without_a_name);
    suite_add_tcase(s, c);
    return s;
}

TEST_MAIN(suite)
