/* Fuzz test of golden manifests: random tokens of TOML, and damaged copies of a manifest. The
 * parser returns a tree, or an error whose line exists. */
#include "tool/golden/toml.h"

#include "check_main.h"

#include "fuzz/trace/damage.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 512, ROUNDS = 20000 };

static size_t lines_of(const char *text, size_t n)
{
    size_t lines = 1;

    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    return lines;
}

/* Gives the parser an allocation of the exact size, so that AddressSanitizer detects reads past the
 * end. */
static enum status parse(const char *text, size_t n)
{
    char *copy = malloc(n ? n : 1);
    struct toml_error error = {0};
    struct toml_node *root;
    enum status st;

    ck_assert_ptr_nonnull(copy);
    memcpy(copy, text, n);
    st = toml_read(copy, n, &root, &error);
    free(copy);
    if (st == ST_OK)
        toml_free(root);
    else
        ck_assert_ptr_null(root);
    if (st == ST_DAMAGED) {
        ck_assert_uint_gt(strlen(error.text), 0);
        ck_assert_msg(error.line >= 1 && error.line <= lines_of(text, n), "line %u of %.*s",
                      error.line, (int)n, text);
    }
    ck_assert_msg(st == ST_OK || st == ST_DAMAGED, "status %d of %.*s", (int)st, (int)n, text);
    return st;
}

START_TEST(random_tokens)
{
    static const char *const tokens[] = {
        "[",          "[[",    "]",        "]]",   "=",   "a",          "b.c",
        "'x'",        "\"y\"", "\"\"\"",   "'''",  "\n",  "1",          "1.5",
        "-",          "+",     "0x",       "_",    "inf", "nan",        "{",
        "}",          ",",     "#",        "\\u0", "\\",  "true",       "f",
        "2020-01-01", "T",     "07:00:00", " ",    ".",   "\xff",       "Z",
        "\xc3\xa9",   "e",     "E99",      "\t",   "\r",  "[[case]]\n", "1979-05-27T07:32:00Z",
        "size=",      "[a.b]",
    };
    uint32_t seed = (uint32_t)_i * 7919 + 1;
    unsigned refused = 0;

    for (int round = 0; round < ROUNDS; round++) {
        char text[TEXT_MOST];
        size_t n = 0;

        for (unsigned piece = next_random(&seed) % 20; piece; piece--) {
            const char *token = tokens[next_random(&seed) % (sizeof(tokens) / sizeof(tokens[0]))];

            memcpy(text + n, token, strlen(token));
            n += strlen(token);
        }
        refused += parse(text, n) == ST_DAMAGED;
    }
    ck_assert_uint_gt(refused, ROUNDS / 2);
    ck_assert_uint_lt(refused, ROUNDS);
}
END_TEST

START_TEST(damaged_manifests)
{
    static const char manifest[] =
        "store = \"goldens\"\n\n[defaults]\ntolerance = \"max 1\"\nmask = 'auto'\n\n"
        "[candidate.wine]\nscene = '''run\n{list}'''\ntimeout = 60\n\n[[case]]\n"
        "scenes = \"scenes/*/*.d9t\"\ngolden = \"goldens/{name}.png\"\n"
        "ignore = [[0, 0, 1, 1], [2, 2, 3, 3]]\n[case.tolerance.wine]\nmax = 0x10\n";
    uint32_t seed = (uint32_t)_i * 104729 + 3;

    ck_assert_int_eq(parse(manifest, sizeof(manifest) - 1), ST_OK);
    for (int round = 0; round < ROUNDS; round++) {
        uint8_t text[sizeof(manifest)];
        size_t n = 1 + next_random(&seed) % (sizeof(manifest) - 1);

        memcpy(text, manifest, sizeof(manifest));
        damage(text, 0, n, 1 + next_random(&seed) % DAMAGE_MOST, &seed);
        (void)parse((const char *)text, n);
    }
}
END_TEST

/* Each part of a key is one table in another: trees are read and freed by recursion. */
START_TEST(deep_keys_are_refused)
{
    enum { PARTS = 200000 };
    static char text[2 * PARTS + 4];

    for (size_t i = 0; i < PARTS; i++)
        memcpy(text + 2 * i, i ? ".a" : "\na", 2);
    memcpy(text + 2 * PARTS, "=1\n", 3);
    ck_assert_int_eq(parse(text, 2 * PARTS + 3), ST_DAMAGED);
    memset(text, '[', PARTS);
    memcpy(text, "a=", 2);
    ck_assert_int_eq(parse(text, PARTS), ST_DAMAGED);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("broken manifests");
    TCase *tc = tcase_create("toml");

    limit_memory(4);
    tcase_add_loop_test(tc, random_tokens, 0, 4);
    tcase_add_loop_test(tc, damaged_manifests, 0, 4);
    tcase_add_test(tc, deep_keys_are_refused);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
