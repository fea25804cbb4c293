/* A Check program around one suite: define `static Suite *suite(void)`, then TEST_MAIN. */
#ifndef TESTS_CHECK_MAIN_H
#define TESTS_CHECK_MAIN_H

#include <check.h>
#include <stdbool.h>

/* At each assertion that holds Check writes its place to a file, for the report of a crash. Tests with thousands of them
 * spent most of their time with that; the first time is enough. */
#define _mark_point(file, line)                                                                    \
    ({                                                                                             \
        static _Thread_local bool marked;                                                          \
                                                                                                   \
        if (!marked) {                                                                             \
            marked = true;                                                                         \
            (_mark_point)(file, line);                                                             \
        }                                                                                          \
    })

#define TEST_MAIN(suite_fn)                                                                        \
    int main(void)                                                                                 \
    {                                                                                              \
        SRunner *runner = srunner_create(suite_fn());                                              \
        int failed;                                                                                \
                                                                                                   \
        srunner_run_all(runner, CK_NORMAL);                                                        \
        failed = srunner_ntests_failed(runner);                                                    \
        srunner_free(runner);                                                                      \
        return failed != 0;                                                                        \
    }

#endif
