/* Checkpoints: a process goes back to a moment, and ends as its last child does. */
#include "check_main.h"

#include "tool/serve/checkpoint.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int status_of(void (*run)(int), int argument)
{
    int status;
    pid_t pid = fork();

    if (!pid) {
        run(argument);
        _exit(99);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return status;
}

/* Goes back nine times; what is not handed over is as it was. */
static void count(int last)
{
    struct state {
        int n;
        char rest[5000];
    } state = {0};
    struct checkpoint c;
    int other = 7;

    memset(state.rest, 'a', sizeof(state.rest));
    checkpoint_set(&c, &state, sizeof(state));
    for (unsigned i = 0; i < sizeof(state.rest); i++)
        if (state.rest[i] != 'a' + state.n)
            _exit(50);
    if (other++ != 7)
        _exit(51);
    if (state.n == 9)
        _exit(last);
    state.n++;
    memset(state.rest, 'a' + state.n, sizeof(state.rest));
    checkpoint_return(&c);
}

START_TEST(goes_back)
{
    ck_assert_int_eq(status_of(count, 42), 42 << 8);
    ck_assert_int_eq(status_of(count, 0), 0);
}
END_TEST

static void crash(int number)
{
    struct checkpoint c;
    int state = 0;

    checkpoint_set(&c, &state, sizeof(state));
    if (state++) {
        signal(number, SIG_DFL); /* Check handles SIGALRM */
        raise(number);
    }
    checkpoint_return(&c);
}

START_TEST(ends_like_its_child)
{
    ck_assert_int_eq(WTERMSIG(status_of(crash, SIGKILL)), SIGKILL);
    ck_assert_int_eq(WTERMSIG(status_of(crash, SIGALRM)), SIGALRM);
}
END_TEST

/* One checkpoint within another. */
static void nest(int unused)
{
    struct checkpoint outer, inner;
    int a = 0, b = 0;

    (void)unused;
    checkpoint_set(&outer, &a, sizeof(a));
    checkpoint_set(&inner, &b, sizeof(b));
    if (b++ < 3)
        checkpoint_return(&inner);
    if (a++ < 3)
        checkpoint_return(&outer);
    _exit(10 * a + b);
}

START_TEST(nests)
{
    ck_assert_int_eq(WEXITSTATUS(status_of(nest, 0)), 44);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("checkpoint");
    TCase *tc = tcase_create("processes");

    tcase_add_test(tc, goes_back);
    tcase_add_test(tc, ends_like_its_child);
    tcase_add_test(tc, nests);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
