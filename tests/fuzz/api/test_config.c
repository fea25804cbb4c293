/* Fuzz test of novem.conf: random words and bytes. A parsed line is a setting whose value points
 * into the line, or no setting. */
#include "api/config/config.h"

#include "check_main.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint32_t seed;

static unsigned random_below(unsigned n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static size_t put_piece(char *line, size_t n, size_t room)
{
    static const char *const words[] = {
        "THREADS", "SIMD",     "LOG", "SINK", "Mul_Zero", "TILE_SIZE", "=",
        "==",      " = ",      "#",   "on",   "off",      "ieee",      "64",
        "4096",    "TILESIZE", "-1",  "\t ",  "\r",       "\n",        "99999999999",
    };
    const char *word = words[random_below(sizeof(words) / sizeof(words[0]))];
    size_t length = strlen(word);

    if (random_below(4) == 0) {
        line[n] = (char)random_below(256);
        return n + 1;
    }
    if (n + length >= room)
        return n;
    memcpy(line + n, word, length);
    return n + length;
}

START_TEST(random_lines)
{
    seed = (uint32_t)_i * 7919 + 1;
    for (int round = 0; round < 100000; round++) {
        size_t room = 1 + random_below(200), n = 0;
        char *line = malloc(room + 1); /* exact size, so that AddressSanitizer detects reads past
                                        * the end */
        enum config_key key = CONFIG_COUNT;
        const char *value = NULL;
        enum config_line kind;

        for (unsigned piece = random_below(20); piece && n < room; piece--)
            n = put_piece(line, n, room);
        line[n] = '\0';
        kind = api_config_parse(line, &key, &value);
        ck_assert(kind == CONFIG_NOTHING || kind == CONFIG_SETTING || kind == CONFIG_SECTION ||
                  kind == CONFIG_RENAMED || kind == CONFIG_UNKNOWN || kind == CONFIG_INVALID ||
                  kind == CONFIG_MALFORMED);
        if (kind == CONFIG_SETTING)
            ck_assert(key < CONFIG_COUNT && value >= line && value + strlen(value) <= line + n);
        free(line);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("broken settings");
    TCase *tc = tcase_create("lines");

    tcase_add_loop_test(tc, random_lines, 0, 2);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
