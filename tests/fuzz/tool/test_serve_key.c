/* Fuzz test of the server's paths: what the parser takes has only allowed letters and stays below
 * its folder, and all of its text is meant. */
#include "tool/serve/key.h"

#include "check_main.h"

#include "fuzz/trace/damage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 128, ROUNDS = 100000 };

/* Writes a parsed key as text: each kind has one form. */
static void print_key(char *out, size_t size, const struct serve_key *k)
{
    switch (k->kind) {
    case SERVE_PAGE:
        *out = 0;
        break;
    case SERVE_PICTURE:
        snprintf(out, size, "images/%s", k->picture);
        break;
    case SERVE_THUMB:
        snprintf(out, size, "data/film/%" PRIu64, k->film);
        break;
    case SERVE_PIXEL:
        snprintf(out, size, "data/pixel/%" PRIu64 "/%" PRIu32 "/%" PRIu32 "/%" PRIu32, k->call,
                 k->resource, k->x, k->y);
        break;
    default:
        snprintf(out, size, "data/%s", k->key);
    }
}

/* Gives the parser an allocation of the exact size, so that AddressSanitizer detects reads past the
 * end. */
static bool check(const char *text)
{
    char *copy = strdup(text), printed[2 * TEXT_MOST];
    struct serve_key key;
    bool taken = serve_key_parse(&key, copy);

    if (taken) {
        print_key(printed, sizeof(printed), &key);
        ck_assert_str_eq(printed, text);
        ck_assert_ptr_null(strstr(text, ".."));
        ck_assert_ptr_null(strstr(text, "//"));
        for (const char *p = text; *p; p++)
            ck_assert_msg((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') ||
                              (*p >= 'A' && *p <= 'Z') || strchr("_.,=/-", *p),
                          "letter %d of %s", *p, text);
    }
    free(copy);
    return taken;
}

START_TEST(random_paths)
{
    static const char *const parts[] = {
        "data/", "images/", "frame", "film",        "pixel/", "mesh/", "shader", "/",
        "0",     "1",       "42",    "99999999999", "a",      "ff",    ".png",   ".f32",
        ".",     "-",       "\xff",  "%",           "\n",     "event", "=,",     "<"};
    uint32_t seed = (uint32_t)_i * 7919 + 1;
    unsigned taken = 0;

    for (int round = 0; round < ROUNDS; round++) {
        char text[TEXT_MOST] = "";

        for (unsigned piece = next_random(&seed) % 10; piece; piece--)
            strcat(text, parts[next_random(&seed) % (sizeof(parts) / sizeof(parts[0]))]);
        /* Elements of dots within a longer one are no way up. */
        if (strstr(text, ".."))
            continue;
        taken += check(text);
    }
    ck_assert_uint_gt(taken, ROUNDS / 100);
}
END_TEST

START_TEST(damaged_paths)
{
    static const char *const good[] = {"images/0123456789abcdef.png", "data/event/12/overlay/quads",
                                       "data/pixel/123/4/50/60", "data/film/12", "data/frame"};
    uint32_t seed = (uint32_t)_i * 104729 + 5;

    for (int round = 0; round < ROUNDS; round++) {
        char text[TEXT_MOST];
        size_t n = (size_t)snprintf(text, sizeof(text), "%s",
                                    good[next_random(&seed) % (sizeof(good) / sizeof(good[0]))]);

        for (unsigned change = next_random(&seed) % 3 + 1; change; change--)
            text[next_random(&seed) % n] = (char)(next_random(&seed) % 128);
        if (*text && !strstr(text, ".."))
            check(text);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("fuzz_serve_key");
    TCase *tc = tcase_create("random");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, random_paths, 0, 4);
    tcase_add_loop_test(tc, damaged_paths, 0, 4);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
