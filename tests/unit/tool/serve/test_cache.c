/* Cache of answers: bounded memory, order of use, and threads that ask for one key. */
#include "check_main.h"

#include "tool/serve/cache.h"
#include "util/alloc.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct cache *cache;

static void start(void)
{
    ck_assert_int_eq(cache_create(&cache, 64 << 10), ST_OK);
}

static void stop(void)
{
    cache_destroy(cache);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static bool has(const char *key, const char *text)
{
    char *bytes;
    size_t n;

    if (!cache_get(cache, key, &bytes, &n)) {
        cache_give_up(cache, key);
        return false;
    }
    ck_assert_uint_eq(n, strlen(text));
    ck_assert_str_eq(bytes, text);
    mem_free(bytes);
    return true;
}

static void make(const char *key, const char *text)
{
    char *bytes;
    size_t n;

    ck_assert(!cache_get(cache, key, &bytes, &n));
    cache_put(cache, key, text, strlen(text));
}

START_TEST(keeps_answers)
{
    ck_assert(!has("a", ""));
    make("a", "first");
    make("b", "");
    ck_assert(has("a", "first"));
    ck_assert(has("b", ""));
    ck_assert(!has("c", ""));
}
END_TEST

START_TEST(drops_what_was_used_longest_ago)
{
    static char large[10 << 10];
    char key[16];

    memset(large, 'x', sizeof(large) - 1);
    for (unsigned i = 0; i < 100; i++) {
        snprintf(key, sizeof(key), "%u", i);
        make(key, large);
        ck_assert_uint_le(cache_bytes(cache), 64 << 10);
        ck_assert(has("0", large)); /* always used */
    }
    ck_assert(has("99", large));
    ck_assert(has("95", large));
    ck_assert(!has("90", large));
}
END_TEST

START_TEST(does_not_keep_what_is_too_large)
{
    static char large[65 << 10];

    memset(large, 'x', sizeof(large) - 1);
    make("small", "s");
    make("large", large);
    ck_assert(!has("large", large));
    ck_assert(has("small", "s"));
    ck_assert_uint_le(cache_bytes(cache), 1 << 10);
}
END_TEST

static unsigned made;

static void *ask(void *ctx)
{
    char *bytes;
    size_t n;

    if (cache_get(cache, "key", &bytes, &n)) {
        ck_assert_str_eq(bytes, "answer");
        mem_free(bytes);
        return NULL;
    }
    __atomic_add_fetch(&made, 1, __ATOMIC_SEQ_CST);
    usleep(20000);
    if (ctx)
        cache_give_up(cache, "key");
    else
        cache_put(cache, "key", "answer", 6);
    return NULL;
}

/* One thread makes the answer for all; after a failure each tries, one after the other. */
START_TEST(one_thread_makes_the_answer)
{
    pthread_t thread[20];

    for (unsigned i = 0; i < 20; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, ask, _i ? &made : NULL), 0);
    for (unsigned i = 0; i < 20; i++)
        pthread_join(thread[i], NULL);
    ck_assert_uint_eq(made, _i ? 20 : 1);
}
END_TEST

START_TEST(survives_lack_of_memory)
{
    char *bytes;
    size_t n;

    make("a", "first");
    for (int fail = 0; fail < 4; fail++) {
        mem_fail_after(fail);
        if (cache_get(cache, fail % 2 ? "b" : "a", &bytes, &n))
            mem_free(bytes);
        else
            cache_put(cache, fail % 2 ? "b" : "a", "other", 5);
        mem_fail_after(-1);
    }
    cache_give_up(cache, "a");
    cache_give_up(cache, "b");
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("cache");
    TCase *tc = tcase_create("answers");

    tcase_add_checked_fixture(tc, start, stop);
    tcase_add_test(tc, keeps_answers);
    tcase_add_test(tc, drops_what_was_used_longest_ago);
    tcase_add_test(tc, does_not_keep_what_is_too_large);
    tcase_add_loop_test(tc, one_thread_makes_the_answer, 0, 2);
    tcase_add_test(tc, survives_lack_of_memory);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
