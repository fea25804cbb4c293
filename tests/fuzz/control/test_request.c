/* Fuzz test of requests: changed heads and forms, and random pieces. Whatever is taken has the
 * promised form. */
#include "control/request.h"

#include "check_main.h"

#include "fuzz/trace/damage.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 512, ROUNDS = 60000 };

static const char *const pieces[] = {
    "GET ",
    "POST ",
    "/",
    "/figures",
    " HTTP/1.1\r\n",
    "\r\n",
    "\r",
    "\n",
    "Host: a",
    "Host:",
    ":",
    "Origin: ",
    "Content-Length: ",
    "4096",
    "99999999999",
    "X-Novem-Token: ",
    "name=",
    "value=",
    "&",
    "%41",
    "%",
    "=",
    "+",
    "Transfer-Encoding: x",
    "?",
    " ",
    "\t",
    "\x7f",
    "Content-Type: ",
    "..",
    "127.0.0.1",
    "Expect: 100-continue",
};

/* Puts random pieces and letters. */
static size_t make(uint32_t *seed, char *out)
{
    size_t n = 0;

    for (unsigned count = next_random(seed) % 24; count; count--) {
        const char *piece = pieces[next_random(seed) % (sizeof(pieces) / sizeof(pieces[0]))];
        size_t length = next_random(seed) % 8 ? strlen(piece) : 1;

        if (n + length > MOST)
            break;
        memcpy(out + n, piece, length);
        if (length == 1 && !(next_random(seed) % 3))
            out[n] = (char)next_random(seed);
        n += length;
    }
    return n;
}

/* A whole request in which some letters are others. */
static size_t change(uint32_t *seed, char *out)
{
    static const char text[] =
        "POST /set HTTP/1.1\r\nHost: localhost:8080\r\nOrigin: http://localhost:8080\r\n"
        "X-Novem-Token: 0123456789abcdef0123456789abcdef\r\nContent-Length: 26\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n\r\n";
    size_t n = sizeof(text) - 1;

    memcpy(out, text, n);
    for (unsigned count = next_random(seed) % 4; count; count--)
        out[next_random(seed) % n] = (char)next_random(seed);
    return n - (next_random(seed) % 4 ? 0 : next_random(seed) % n);
}

static bool is_ended(const char *text, size_t room)
{
    return memchr(text, 0, room) != NULL;
}

/* Gives the parser an allocation of the exact size, so that AddressSanitizer detects reads past the
 * end. */
static bool check_head(const char *bytes, size_t n)
{
    char *copy = malloc(n ? n : 1);
    struct control_request r;
    bool taken;

    memcpy(copy, bytes, n);
    ck_assert_uint_le(control_head_length(copy, n), n);
    taken = control_parse_head(copy, n, &r) == CONTROL_OK;
    if (taken) {
        ck_assert(is_ended(r.target, sizeof(r.target)) && is_ended(r.host, sizeof(r.host)));
        ck_assert(is_ended(r.origin, sizeof(r.origin)) && is_ended(r.token, sizeof(r.token)));
        ck_assert(is_ended(r.type, sizeof(r.type)) && r.target[0] == '/');
        ck_assert_uint_le(r.body, CONTROL_BODY_BYTES);
        ck_assert(r.method == CONTROL_POST || !r.body);
        ck_assert_uint_gt(control_head_length(copy, n), 0);
    }
    free(copy);
    return taken;
}

static bool check_form(const char *bytes, size_t n)
{
    char *copy = malloc(n ? n : 1), name[CONTROL_FIELD_BYTES], value[CONTROL_VALUE_BYTES];
    bool taken;

    memcpy(copy, bytes, n);
    taken = control_parse_form(copy, n, name, value);
    if (taken) {
        ck_assert(name[0] && is_ended(name, sizeof(name)) && is_ended(value, sizeof(value)));
        for (const char *p = value; *p; p++)
            ck_assert((unsigned char)*p >= 32 && *p != 127);
    }
    free(copy);
    return taken;
}

START_TEST(random_requests)
{
    uint32_t seed = 1;
    unsigned heads = 0, forms = 0;
    char bytes[MOST];

    for (int round = 0; round < ROUNDS; round++) {
        size_t n = round % 2 ? change(&seed, bytes) : make(&seed, bytes);

        heads += check_head(bytes, n);
        forms += check_form(bytes, n);
    }
    ck_assert_uint_gt(heads, ROUNDS / 20);
    ck_assert_uint_gt(forms, 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("fuzz control request");
    TCase *tc = tcase_create("request");

    tcase_add_test(tc, random_requests);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
