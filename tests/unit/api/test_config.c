/* Lines of novem.conf. */
#include "api/config.h"

#include "check_main.h"

#include <stdio.h>

static const struct {
    const char *line;
    enum status status;
    enum config_key key;
    const char *value;
} lines[] = {
    {"", ST_NOTFOUND, 0, NULL},
    {"   \r\n", ST_NOTFOUND, 0, NULL},
    {"# THREADS = 3\n", ST_NOTFOUND, 0, NULL},
    {"THREADS = 3\n", ST_OK, CONFIG_THREADS, "3"},
    {"  threads=12  \r\n", ST_OK, CONFIG_THREADS, "12"},
    {"THREADS = -1\n", ST_INVALID, 0, NULL},
    {"THREADS = three\n", ST_INVALID, 0, NULL},
    {"THREADS = 99999999999999999999\n", ST_INVALID, 0, NULL},
    {"THREADS =\n", ST_INVALID, 0, NULL},
    {"THREADS\n", ST_INVALID, 0, NULL},
    {"SINK = png:a = b, window", ST_OK, CONFIG_SINK, "png:a = b, window"},
    {"Log = DEBUG\n", ST_OK, CONFIG_LOG, "DEBUG"},
    {"LOG = loud\n", ST_INVALID, 0, NULL},
    {"SIMD = scalar\n", ST_OK, CONFIG_SIMD, "scalar"},
    {"SIMD = sse9\n", ST_INVALID, 0, NULL},
    {"FloatRules = IEEE\n", ST_OK, CONFIG_FLOATRULES, "IEEE"},
    {"FLOATRULES = d3d9\n", ST_OK, CONFIG_FLOATRULES, "d3d9"},
    {"FLOATRULES = 1\n", ST_INVALID, 0, NULL},
    {"EarlyTests = off\n", ST_OK, CONFIG_EARLYTESTS, "off"},
    {"QUADPACKING = ON\n", ST_OK, CONFIG_QUADPACKING, "ON"},
    {"EARLYTESTS = 0\n", ST_INVALID, 0, NULL},
    {"DropHidden = off\n", ST_OK, CONFIG_DROPHIDDEN, "off"},
    {"TILESIZE = 16\n", ST_OK, CONFIG_TILESIZE, "16"},
    {"TILESIZE = 128\n", ST_INVALID, 0, NULL},
    {"TILESIZE = 12\n", ST_INVALID, 0, NULL},
    {"COLOUR = red\n", ST_INVALID, 0, NULL},
    {"= 3\n", ST_INVALID, 0, NULL},
};

START_TEST(line_is_read)
{
    enum config_key key;
    const char *value;
    char line[128];

    snprintf(line, sizeof(line), "%s", lines[_i].line);
    ck_assert_int_eq(api_config_parse(line, &key, &value), lines[_i].status);
    if (lines[_i].status == ST_OK) {
        ck_assert_int_eq(key, lines[_i].key);
        ck_assert_str_eq(value, lines[_i].value);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/config");
    TCase *tc = tcase_create("config");

    tcase_add_loop_test(tc, line_is_read, 0, sizeof(lines) / sizeof(lines[0]));
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
