/* util/log: levels per part, and once-only messages. */
#include "check_main.h"
#include "util/log.h"

#include <stdlib.h>
#include <string.h>

static char last[256];
static unsigned n;

static void hear(void *ctx, enum log_level level, const char *line)
{
    (void)ctx;
    (void)level;
    strncpy(last, line, sizeof(last) - 1);
    n++;
}

static const struct {
    const char *text;
    bool ok;
    enum log_level general, tex;
} levels[] = {
    {"warn", true, LOG_WARN, LOG_WARN},
    {"Debug", true, LOG_DEBUG, LOG_DEBUG},
    {"none,tex=info", true, LOG_NONE, LOG_INFO},
    {" tex=DEBUG , error ", true, LOG_ERROR, LOG_DEBUG},
    {"tex=none", true, LOG_WARN, LOG_NONE},
    {"tex=none,TEX=error", true, LOG_WARN, LOG_ERROR},
    {"", false, 0, 0},
    {"loud", false, 0, 0},
    {"warn,", false, 0, 0},
    {"warn,=debug", false, 0, 0},
    {"tex=", false, 0, 0},
    {"tex=debug vm=debug", false, 0, 0},
    {"averyveryverylongpart=debug", false, 0, 0},
    {"warn,txe=debug", false, 0, 0},
};

START_TEST(levels_by_part)
{
    log_set_level(LOG_INFO);
    ck_assert_int_eq(log_levels_ok(levels[_i].text), levels[_i].ok);
    log_set_levels(levels[_i].text);
    ck_assert_int_eq(log_level("vm"), levels[_i].ok ? levels[_i].general : LOG_INFO);
    ck_assert_int_eq(log_level("tex"), levels[_i].ok ? levels[_i].tex : LOG_INFO);
}
END_TEST

START_TEST(lines_are_filtered)
{
    log_set_sink(hear, NULL);
    log_set_levels("error,tex=info");
    log_warn("vm", "%d", 1);
    ck_assert_uint_eq(n, 0);
    log_warn("tex", "%d", 2);
    ck_assert_str_eq(last, "novem: tex: 2");
    log_debug("tex", "%d", 3);
    ck_assert_uint_eq(n, 1);
    ck_assert(log_once("tex", "a", "once"));
    ck_assert(!log_once("tex", "a", "once"));
    ck_assert_uint_eq(n, 2);
    log_set_sink(NULL, NULL);
}
END_TEST

START_TEST(the_environment_is_read)
{
    setenv("NOVEM_LOG", "none,api=debug", 1);
    ck_assert_int_eq(log_level("api"), LOG_DEBUG);
    ck_assert_int_eq(log_level("vm"), LOG_NONE);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/log");
    TCase *tc = tcase_create("log");

    tcase_add_loop_test(tc, levels_by_part, 0, sizeof(levels) / sizeof(levels[0]));
    tcase_add_test(tc, lines_are_filtered);
    tcase_add_test(tc, the_environment_is_read);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
