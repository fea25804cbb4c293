/* What systems have in different ways. */
#include "util/system.h"

#include "check_main.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

START_TEST(the_environment)
{
    bool found = false;

    setenv("NOVEM_TEST_SYSTEM", "1 2", 1);
    for (char **one = system_environment(); *one; one++)
        found |= !strcmp(*one, "NOVEM_TEST_SYSTEM=1 2");
    ck_assert(found);
}
END_TEST

START_TEST(the_program)
{
    char path[PATH_MAX], small[8];

    ck_assert(system_program_path(path, sizeof(path)));
    ck_assert_str_eq(strrchr(path, '/'), "/test_system");
    ck_assert_int_eq(access(path, X_OK), 0);
    ck_assert(!system_program_path(small, sizeof(small)));
}
END_TEST

START_TEST(processors)
{
    unsigned n = system_processors();

    ck_assert_uint_ge(n, 1);
    ck_assert_uint_le(n, (unsigned)sysconf(_SC_NPROCESSORS_CONF));
#ifdef __linux__
    cpu_set_t before, one;

    ck_assert_int_eq(sched_getaffinity(0, sizeof(before), &before), 0);
    CPU_ZERO(&one);
    for (int i = 0; !CPU_COUNT(&one); i++)
        if (CPU_ISSET(i, &before))
            CPU_SET(i, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
    ck_assert_uint_eq(system_processors(), 1);
    ck_assert_int_eq(sched_setaffinity(0, sizeof(before), &before), 0);
#endif
}
END_TEST

START_TEST(room_of_a_file)
{
    char path[] = "/tmp/novem-system-XXXXXX";
    struct stat about;
    int file = mkstemp(path);

    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(system_reserve_file(file, 100000), 0);
    ck_assert_int_eq(fstat(file, &about), 0);
    ck_assert_int_eq(about.st_size, 100000);
    ck_assert_int_ge(about.st_blocks, 100000 / 512); /* not sparse */
    ck_assert_int_eq(system_reserve_file(file, 5000), 0);
    ck_assert_int_eq(fstat(file, &about), 0);
    ck_assert_int_eq(about.st_size, 100000); /* never smaller */
    close(file);
    unlink(path);
    ck_assert_int_eq(system_reserve_file(file, 5000), EBADF);
}
END_TEST

START_TEST(a_pending_signal)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    system_take_signal(SIGUSR1); /* there is none */
    raise(SIGUSR1);
    system_take_signal(SIGUSR1);
    sigpending(&set);
    ck_assert(!sigismember(&set, SIGUSR1));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("system");
    TCase *c = tcase_create("all");

    tcase_add_test(c, the_environment);
    tcase_add_test(c, the_program);
    tcase_add_test(c, processors);
    tcase_add_test(c, room_of_a_file);
    tcase_add_test(c, a_pending_signal);
    suite_add_tcase(s, c);
    return s;
}

TEST_MAIN(suite)
