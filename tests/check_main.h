/* A Check program around one suite: define `static Suite *suite(void)`, then TEST_MAIN. */
#ifndef TESTS_CHECK_MAIN_H
#define TESTS_CHECK_MAIN_H

#include <check.h>

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
