/* Minimal replacement of the Check framework for tests/kernel, on platforms without Debian's
 * package (Windows, other processors). Tests run sequentially in one process; the first failure
 * ends the program. */
#ifndef TESTS_PORTABLE_CHECK_H
#define TESTS_PORTABLE_CHECK_H

#include <string.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PORTABLE_TESTS = 32, PORTABLE_TCASES = 4 };
typedef struct TCase {
    struct {
        void (*run)(int i);
        int first, end;
    } test[PORTABLE_TESTS];
    int n;
    void (*setup)(void), (*teardown)(void);
} TCase;
typedef struct Suite {
    const char *name;
    TCase *tcase[PORTABLE_TCASES];
    int n;
} Suite;
typedef struct Suite SRunner;
enum { CK_NORMAL };

#define START_TEST(name) static void name(int _i __attribute__((unused)))
#define END_TEST

#define ck_abort_msg(...)                                                                          \
    (printf("%s:%d: ", __FILE__, __LINE__), printf(__VA_ARGS__),                                   \
     printf("\n0%%: Checks: 1, Failures: 1, Errors: 0\n"), exit(1))
#define ck_assert_msg(condition, ...) ((condition) ? (void)0 : ck_abort_msg(__VA_ARGS__))
#define ck_assert(condition) ck_assert_msg(condition, "%s", #condition)
#define ck_assert_mem_eq(a, b, bytes) ck_assert(!memcmp(a, b, bytes))
#define ck_assert_int_eq(a, b) ck_assert((intmax_t)(a) == (intmax_t)(b))
#define ck_assert_int_gt(a, b) ck_assert((intmax_t)(a) > (intmax_t)(b))
#define ck_assert_float_eq(a, b) ck_assert((float)(a) == (float)(b))
#define ck_assert_uint_eq(a, b) ck_assert((uintmax_t)(a) == (uintmax_t)(b))
#define ck_assert_uint_gt(a, b) ck_assert((uintmax_t)(a) > (uintmax_t)(b))
#define ck_assert_uint_ge(a, b) ck_assert((uintmax_t)(a) >= (uintmax_t)(b))
#define ck_assert_uint_lt(a, b) ck_assert((uintmax_t)(a) < (uintmax_t)(b))
#define ck_assert_uint_le(a, b) ck_assert((uintmax_t)(a) <= (uintmax_t)(b))

static inline Suite *suite_create(const char *name)
{
    Suite *s = calloc(1, sizeof(*s));

    s->name = name;
    return s;
}
static inline TCase *tcase_create(const char *name)
{
    (void)name;
    return calloc(1, sizeof(TCase));
}
static inline void tcase_set_timeout(TCase *t, double seconds)
{
    (void)t;
    (void)seconds;
}
static inline void tcase_add_checked_fixture(TCase *t, void (*setup)(void), void (*teardown)(void))
{
    t->setup = setup;
    t->teardown = teardown;
}
static inline void tcase_add_loop_test(TCase *t, void (*run)(int i), int first, int end)
{
    ck_assert(t->n < PORTABLE_TESTS);
    t->test[t->n].run = run;
    t->test[t->n].first = first;
    t->test[t->n++].end = end;
}
static inline void tcase_add_test(TCase *t, void (*run)(int i))
{
    tcase_add_loop_test(t, run, 0, 1);
}
static inline void suite_add_tcase(Suite *s, TCase *t)
{
    ck_assert(s->n < PORTABLE_TCASES);
    s->tcase[s->n++] = t;
}

static inline SRunner *srunner_create(Suite *s)
{
    return s;
}
static inline void srunner_free(SRunner *s)
{
    for (int c = 0; c < s->n; c++)
        free(s->tcase[c]);
    free(s);
}
static inline int srunner_ntests_failed(SRunner *s)
{
    (void)s;
    return 0;
}
static inline void srunner_run_all(SRunner *s, int verbosity)
{
    int checks = 0;

    (void)verbosity;
    for (int c = 0; c < s->n; c++) {
        TCase *t = s->tcase[c];

        for (int n = 0; n < t->n; n++) {
            for (int i = t->test[n].first; i < t->test[n].end; i++, checks++) {
                if (t->setup)
                    t->setup();
                t->test[n].run(i);
                if (t->teardown)
                    t->teardown();
            }
        }
    }
    printf("100%%: Checks: %d, Failures: 0, Errors: 0\n", checks);
}

#endif
