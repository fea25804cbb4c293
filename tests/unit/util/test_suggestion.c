/* Tests of suggestions for misspelt names. */
#include "util/suggestion.h"

#include "check_main.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {"THREADS", "SINK",      "SINK_QUEUE", "LOG",
                                    "HUD",     "TILE_SIZE", "VSYNC"};

static const struct {
    const char *typed, *best;
} cases[] = {
    {"THREADS", "THREADS"},
    {"THREAD", "THREADS"},
    {"TREADS", "THREADS"},
    {"THRAEDS", "THREADS"},
    {"threads", "THREADS"},
    {"tile-size", "TILE_SIZE"},
    {"TILESIZE", "TILE_SIZE"},
    {"SINKQUEUE", "SINK_QUEUE"},
    {"SYNC", "VSYNC"}, /* SINK is two letters away */
    {"LGO", "LOG"},
    {"COLOUR", NULL},
    {"X", NULL},
    {"", NULL},
    {"0123456789012345678901234567890123456789012345678901234567890123456789", NULL},
};

START_TEST(nearest_name)
{
    struct suggestion s;

    suggestion_init(&s, cases[_i].typed);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        suggestion_offer(&s, names[i]);
    if (cases[_i].best)
        ck_assert_pstr_eq(s.best, cases[_i].best);
    else
        ck_assert_ptr_null(s.best);
}
END_TEST

START_TEST(prints_a_question_or_nothing)
{
    struct suggestion s;
    char text[64];

    suggestion_init(&s, "TREADS");
    snprintf(text, sizeof(text), "unknown" SUGGESTION_FORMAT, SUGGESTION_ARGS(s));
    ck_assert_str_eq(text, "unknown");
    suggestion_offer(&s, "THREADS");
    snprintf(text, sizeof(text), "unknown" SUGGESTION_FORMAT, SUGGESTION_ARGS(s));
    ck_assert_str_eq(text, "unknown; did you mean THREADS?");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/suggestion");
    TCase *tc = tcase_create("suggestion");

    tcase_add_loop_test(tc, nearest_name, 0, sizeof(cases) / sizeof(cases[0]));
    tcase_add_test(tc, prints_a_question_or_nothing);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
