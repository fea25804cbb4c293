/* util/status: every status has a text. */
#include "util/status.h"

#include "check_main.h"

START_TEST(every_status_has_a_text)
{
    ck_assert_str_eq(status_text(ST_OK), "ok");
    for (int st = ST_OK; st <= ST_DAMAGED; st++)
        ck_assert(status_text((enum status)st)[0]);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("status");
    TCase *tc = tcase_create("status");

    tcase_add_test(tc, every_status_has_a_text);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
