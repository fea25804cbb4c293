/* Sessions: answers of forked processes, their crashes, and the number of processes.
 *
 * The work of the tests counts "calls": a frame is three of them. What a process has counted shows
 * from where it was forked. */
#include "check_main.h"

#include "tool/serve/sessions.h"
#include "util/alloc.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* In a process: the frame, and the steps it took from frame to frame in itself and its ancestors.
 * `steps` in shared memory counts those of all processes. */
static uint64_t at_frame;
static char trail[128];
static struct shared {
    unsigned steps;
} * shared;

enum { LAST = 100 };

static enum status go_to(void *ctx, uint64_t frame, char error[SESSION_TEXT])
{
    (void)ctx;
    if (frame > LAST) {
        snprintf(error, SESSION_TEXT, "there is no frame %d", (int)frame);
        return ST_NOTFOUND;
    }
    __atomic_add_fetch(&shared->steps, (unsigned)(frame - at_frame), __ATOMIC_RELAXED);
    at_frame = frame;
    snprintf(trail + strlen(trail), sizeof(trail) - strlen(trail), "%d ", (int)frame);
    return ST_OK;
}

static enum status work_answer(void *ctx, const char *question, char **out, size_t *n,
                               char error[SESSION_TEXT])
{
    (void)ctx;
    *out = malloc(1 << 20);
    if (!strcmp(question, "crash")) {
        signal(SIGSEGV, SIG_DFL); /* a sanitizer takes the signal */
        raise(SIGSEGV);
    }
    if (!strcmp(question, "exit"))
        _exit(3);
    if (!strcmp(question, "quiet"))
        _exit(0);
    if (!strcmp(question, "kill session"))
        kill(getppid(), SIGKILL);
    if (!strcmp(question, "loop"))
        for (;;)
            usleep(1000);
    if (!strcmp(question, "memory")) {
        for (unsigned i = 0; i < 10000; i++) {
            char *block = mem_alloc(1 << 20);

            if (!block)
                return ST_NOMEM;
            memset(block, 1, 1 << 20);
        }
    }
    if (!strcmp(question, "refuse")) {
        snprintf(error, SESSION_TEXT, "no such \"thing\"");
        return ST_NOTFOUND;
    }
    *n = 1 << 20;
    if (!strcmp(question, "long") || !strcmp(question, "too long")) {
        memset(*out, 'x', *n);
        *n -= !strcmp(question, "long");
        return ST_OK;
    }
    if (!strcmp(question, "slow"))
        usleep(100000);
    *n = (size_t)snprintf(*out, 1 << 20, "%s of %d from %s", question, (int)at_frame, trail);
    at_frame = 1000; /* no other process sees it */
    return ST_OK;
}

static struct sessions *sessions;
static const struct session_work work = {.go_to = go_to, .answer = work_answer};
static const struct session_limits limits = {
    .sessions = 3, .answers = 4, .seconds = 3, .answer_bytes = (1 << 20) - 1, .memory = 64 << 20};

/* Counts the children of a process, with those of each child if `all`. */
static unsigned count_children(pid_t pid, bool all)
{
    char path[64], line[4096] = "", *place;
    unsigned n = 0;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
    file = fopen(path, "r");
    if (file && fgets(line, sizeof(line), file))
        for (char *at = strtok_r(line, " ", &place); at; at = strtok_r(NULL, " ", &place))
            n += 1 + (all ? count_children((pid_t)atoi(at), true) : 0);
    if (file)
        fclose(file);
    return n;
}

static unsigned children(void)
{
    return count_children(getpid(), false);
}

static unsigned processes(void)
{
    return count_children(getpid(), true);
}

static unsigned descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    unsigned n = 0;

    while (readdir(folder))
        n++;
    closedir(folder);
    return n;
}

static unsigned descriptors_before;

static void start(void)
{
    shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    descriptors_before = descriptors();
    ck_assert_int_eq(sessions_start(&sessions, &work, &limits), ST_OK);
    ck_assert_uint_eq(children(), 1);
}

static void stop(void)
{
    sessions_stop(sessions);
    ck_assert_uint_eq(children(), 0);
    ck_assert_uint_eq(descriptors(), descriptors_before);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static void expect(uint64_t frame, const char *question, const char *text)
{
    struct session_reply reply;

    sessions_ask(sessions, frame, question, &reply);
    ck_assert_msg(reply.status == ST_OK, "%s", reply.error);
    ck_assert_str_eq(reply.bytes, text);
    ck_assert_uint_eq(reply.n, strlen(text));
    mem_free(reply.bytes);
}

static void expect_failure(uint64_t frame, const char *question, enum status st, const char *text)
{
    struct session_reply reply;

    sessions_ask(sessions, frame, question, &reply);
    ck_assert_msg(reply.status == st, "%s of %d: %d, %s", question, (int)frame, reply.status,
                  reply.error);
    ck_assert_ptr_null(reply.bytes);
    ck_assert_msg(strstr(reply.error, text) != NULL, "'%s' is not in: %s", text, reply.error);
}

START_TEST(answers_come_from_the_frame)
{
    expect(0, "a", "a of 0 from 0 ");
    expect(5, "b", "b of 5 from 0 5 ");
    expect(0, "a", "a of 0 from 0 ");
    expect(5, "b", "b of 5 from 0 5 ");
    expect(LAST, "c", "c of 100 from 0 5 100 ");
}
END_TEST

/* A later frame goes on from the nearest earlier one. */
START_TEST(sessions_fork_from_the_nearest)
{
    expect(20, "x", "x of 20 from 0 20 ");
    expect(10, "x", "x of 10 from 0 10 ");
    ck_assert_uint_eq(shared->steps, 30);
    expect(15, "x", "x of 15 from 0 10 15 "); /* instead of 20, the one used longest ago */
    ck_assert_uint_eq(shared->steps, 35);
    expect(25, "x", "x of 25 from 0 10 15 25 ");
    ck_assert_uint_eq(shared->steps, 45);
    ck_assert_uint_eq(sessions_count(sessions), 3);
    /* A session outlives the one that it was forked from. */
    expect(15, "x", "x of 15 from 0 10 15 ");
    expect(25, "x", "x of 25 from 0 10 15 25 ");
    ck_assert_uint_eq(shared->steps, 45);
}
END_TEST

/* Many frames do not make many processes: this one and its children are all there are. */
START_TEST(sessions_are_bounded)
{
    char text[64];

    for (int frame = 1; frame <= LAST; frame++) {
        struct session_reply reply;

        sessions_ask(sessions, (uint64_t)frame, "x", &reply);
        snprintf(text, sizeof(text), "x of %d from", frame);
        ck_assert_int_eq(strncmp(reply.bytes, text, strlen(text)), 0);
        mem_free(reply.bytes);
        ck_assert_uint_le(sessions_count(sessions), 3);
    }
    for (unsigned i = 0; i < 100 && processes() > 3; i++) {
        expect(0, "x", "x of 0 from 0 ");
        usleep(10000); /* the process of the answer ends, too */
    }
    ck_assert_uint_le(processes(), 3);
}
END_TEST

START_TEST(near_questions_make_no_session)
{
    struct session_reply reply;

    expect(5, "x", "x of 5 from 0 5 ");
    sessions_ask_near(sessions, 9, "x", &reply);
    ck_assert_str_eq(reply.bytes, "x of 5 from 0 5 ");
    mem_free(reply.bytes);
    sessions_ask_near(sessions, 4, "x", &reply);
    ck_assert_str_eq(reply.bytes, "x of 0 from 0 ");
    mem_free(reply.bytes);
    ck_assert_uint_eq(sessions_count(sessions), 2);
}
END_TEST

START_TEST(failures_are_answers)
{
    for (uint64_t frame = 0; frame < 4; frame += 3) {
        expect_failure(frame, "crash", ST_LOST, "signal 11 (Segmentation fault)");
        expect_failure(frame, "exit", ST_LOST, "status 3");
        expect_failure(frame, "quiet", ST_LOST, "ended before its answer");
        expect_failure(frame, "memory", ST_NOMEM, "out of memory");
        expect_failure(frame, "refuse", ST_NOTFOUND, "no such \"thing\"");
        expect_failure(frame, "too long", ST_UNSUPPORTED, "too long");
        expect_failure(frame, "loop", ST_LOST, "more than 3 seconds");
    }
    expect_failure(LAST + 1, "x", ST_NOTFOUND, "there is no frame 101");
    ck_assert_uint_eq(sessions_count(sessions), 2);
    expect(3, "x", "x of 3 from 0 3 ");
}
END_TEST

START_TEST(long_answers)
{
    struct session_reply reply;

    sessions_ask(sessions, 2, "long", &reply);
    ck_assert_int_eq(reply.status, ST_OK);
    ck_assert_uint_eq(reply.n, (1 << 20) - 1);
    for (size_t i = 0; i < reply.n; i++)
        ck_assert_int_eq(reply.bytes[i], 'x');
    mem_free(reply.bytes);
}
END_TEST

/* The process of a session is killed: the next question gets a new one. */
START_TEST(a_killed_session_comes_again)
{
    struct session_reply reply;

    expect(7, "x", "x of 7 from 0 7 ");
    sessions_ask(sessions, 7, "kill session", &reply);
    mem_free(reply.bytes);
    usleep(100000);
    sessions_ask(sessions, 7, "x", &reply); /* it may notice only now */
    mem_free(reply.bytes);
    expect(7, "x", "x of 7 from 0 7 ");
    expect(9, "x", "x of 9 from 0 7 9 ");
}
END_TEST

static void *ask_often(void *ctx)
{
    unsigned seed = *(unsigned *)ctx;

    for (unsigned i = 0; i < 20; i++) {
        struct session_reply reply;
        char text[64];
        int frame;

        seed = seed * 1664525u + 1013904223u;
        frame = (int)(seed >> 16) % 12;
        sessions_ask(sessions, (uint64_t)frame, i % 5 ? "x" : "crash", &reply);
        snprintf(text, sizeof(text), "x of %d from", frame);
        if (i % 5 ? reply.status != ST_OK || strncmp(reply.bytes, text, strlen(text))
                  : reply.status != ST_LOST)
            *(unsigned *)ctx = UINT32_MAX;
        mem_free(reply.bytes);
    }
    return NULL;
}

/* More threads than sessions or answers at once: none waits for ever. */
START_TEST(many_threads)
{
    enum { THREADS = 24 };
    pthread_t thread[THREADS];
    unsigned seed[THREADS];

    for (unsigned i = 0; i < THREADS; i++) {
        seed[i] = i;
        ck_assert_int_eq(pthread_create(&thread[i], NULL, ask_often, &seed[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        ck_assert_uint_ne(seed[i], UINT32_MAX);
    }
}
END_TEST

/* A server that is killed leaves no process. Its orphans come to this process, which made itself
 * their place. */
START_TEST(processes_end_with_the_server)
{
    unsigned before = processes();
    pid_t pid = fork();

    if (!pid) {
        struct sessions *own;

        if (sessions_start(&own, &work, &limits) != ST_OK)
            _exit(1);
        for (int frame = 0; frame < 3; frame++) {
            struct session_reply reply;

            sessions_ask(own, (uint64_t)frame, "x", &reply);
        }
        kill(getpid(), SIGKILL);
    }
    for (unsigned i = 0; i < 300 && processes() > before; i++) {
        usleep(10000);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
    }
    ck_assert_uint_eq(processes(), before);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sessions");
    TCase *tc = tcase_create("processes");

    tcase_add_checked_fixture(tc, start, stop);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, answers_come_from_the_frame);
    tcase_add_test(tc, sessions_fork_from_the_nearest);
    tcase_add_test(tc, sessions_are_bounded);
    tcase_add_test(tc, near_questions_make_no_session);
    tcase_add_test(tc, failures_are_answers);
    tcase_add_test(tc, long_answers);
    tcase_add_test(tc, a_killed_session_comes_again);
    tcase_add_test(tc, many_threads);
    tcase_add_test(tc, processes_end_with_the_server);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
