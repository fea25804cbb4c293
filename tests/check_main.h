/* main() of a Check test program with one suite: define `static Suite *suite(void)`, then
 * TEST_MAIN. */
#ifndef TESTS_CHECK_MAIN_H
#define TESTS_CHECK_MAIN_H

#include <check.h>
#include <stdbool.h>

/* For crash reports Check writes the position of each passed assertion to a file. That dominated
 * tests with thousands of assertions, so each assertion writes only once. */
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
