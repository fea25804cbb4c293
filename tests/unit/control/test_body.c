/* Growable texts, strings of JSON, and memory that runs out. */
#include "control/body.h"

#include "util/alloc.h"

#include "check_main.h"

#include <string.h>

static bool is_text(const struct control_body *body, const char *text)
{
    return body->n == strlen(text) && !memcmp(body->bytes, text, body->n);
}

START_TEST(strings_are_escaped)
{
    struct control_body body = {0};

    control_put_string(&body, "a\"b\\c\n</script>\x01\xc3\xa9");
    control_put(&body, ",");
    control_put_string(&body, NULL);
    control_format(&body, ",%u", 7u);
    ck_assert(is_text(&body, "\"a\\u0022b\\u005cc\\u000a\\u003c/script>\\u0001\xc3\xa9\",null,7"));
    control_body_free(&body);
    ck_assert(!body.n && !body.bytes && !mem_live_blocks());
}
END_TEST

START_TEST(long_texts_grow)
{
    struct control_body body = {0};
    char block[1000];

    memset(block, 'x', sizeof(block));
    for (int i = 0; i < 1000; i++)
        control_put_bytes(&body, block, sizeof(block));
    ck_assert(!body.failed && body.n == 1000000 && body.bytes[999999] == 'x');
    control_body_free(&body);
}
END_TEST

START_TEST(memory_may_run_out)
{
    struct control_body body = {0};

    control_put(&body, "abc");
    mem_fail_after(0);
    for (int i = 0; i < 1000; i++)
        control_put(&body, "0123456789");
    mem_fail_after(-1);
    ck_assert(body.failed && body.n >= 3 && !memcmp(body.bytes, "abc0", 4));
    control_put(&body, "later");
    ck_assert(body.failed && body.n <= body.room);
    control_body_free(&body);
    ck_assert(!mem_live_blocks());
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("control body");
    TCase *tc = tcase_create("body");

    tcase_add_test(tc, strings_are_escaped);
    tcase_add_test(tc, long_texts_grow);
    tcase_add_test(tc, memory_may_run_out);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
