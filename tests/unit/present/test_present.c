/* Sinks by name, and creation without memory. */
#include "present/present.h"

#include "util/alloc.h"
#include "util/log.h"

#include "check_main.h"

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

static Suite *suite(void)
{
    Suite *s = suite_create("present");
    TCase *tc = tcase_create("present");

    tcase_add_test(tc, sinks_by_name);
    tcase_add_test(tc, creation_may_fail);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
