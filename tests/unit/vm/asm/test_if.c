/* Values of #if conditions. */
#include "expansion.h"

/* clang-format off */
static const struct {
    const char *text;
    bool value;
} conditions[] = {
    {"1", true}, {"0", false}, {"-1", true}, {"!1", false}, {"~0 == -1", true}, {"UNKNOWN", false},
    {"0x10 == 16", true},
    {"1 + 2 * 3 == 7", true}, {"(1 + 2) * 3 == 9", true}, {"10 - 4 - 3 == 3", true}, {"7 / 2 == 3 && 7 % 4 == 3", true},
    {"1 << 4 == 16", true}, {"256 >> 4 == 16", true}, {"1 || 0 && 0", true}, {"1 | 2 ^ 3 & 1", true},
    {"(6 & 3) == 2", true},
    {"(6 ^ 3) == 5", true}, {"1 < 2", true}, {"2 <= 1", false}, {"2 > 1", true}, {"1 >= 2", false}, {"1 != 1", false},
    {"0 ? 1 : 0", false}, {"1 ? 0 ? 0 : 1 : 0", true}, {"defined(YES)", true}, {"defined YES && !defined NO", true},
    {"YES == 5", true}, {"TWICE(YES) == 10", true}, {"-9223372036854775807 / -1 > 0", true}, {"- 5 % 3 == -2", true},
};
/* clang-format on */

START_TEST(condition_values)
{
    char text[256];
    struct shader s;

    snprintf(text, sizeof(text),
             "#define YES 5\n#define TWICE(x) ((x) * 2)\nvs_1_1\n#if %s\nnop\n#endif\n",
             conditions[_i].text);
    s = shader_assemble(text);
    ck_assert_msg(s.n == (conditions[_i].value ? 3u : 2u), "%s", conditions[_i].text);
    shader_free(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/if");
    TCase *t = tcase_create("conditions");

    tcase_add_loop_test(t, condition_values, 0, sizeof(conditions) / sizeof(conditions[0]));
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
