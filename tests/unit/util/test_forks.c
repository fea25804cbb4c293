/* Tests that a child counts the fork that made it, and its parent does not. */
#include "check_main.h"

#include "util/forks.h"

#include <sys/wait.h>
#include <unistd.h>

START_TEST(children_count)
{
    unsigned before = fork_count();
    int status;
    pid_t child = fork();

    if (!child) {
        pid_t grandchild;

        if (fork_count() != before + 1)
            _exit(1);
        grandchild = fork();
        if (!grandchild)
            _exit(fork_count() == before + 2 ? 0 : 2);
        if (waitpid(grandchild, &status, 0) != grandchild)
            _exit(3);
        _exit(WEXITSTATUS(status));
    }
    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(fork_count(), before);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/forks");
    TCase *tc = tcase_create("forks");

    tcase_add_test(tc, children_count);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
