/* Counts and samples of machine code: over the corpus of shaders, the instructions of a shader have
 * nearly all of the work. */
#include "unit/tool/command.h"

#include "tool/cost/report.h"
#include "util/cpu.h"
#include "util/fpenv.h"

#include <dirent.h>

static const struct cost_options options = {.textures = {.fallback = "solid:0.5,0.25,0.75,1"}};

static double sum(const struct cost_tally *t, const struct cost_machine *m, uint32_t n)
{
    double all = 0.0;

    for (uint32_t i = 1; i <= n; i++)
        all += (double)cost_tally_of(t, m, i);
    return all;
}

/* What the machine code runs without being for an instruction is little. To call the code takes
 * some 60 instructions a batch, which are 'outside'. */
static void check_steps(const char *name, struct cost_job *job, struct cost_machine *m)
{
    uint32_t n = vm_program_length(job->program);
    struct cost_tally t;
    double of_all;

    ck_assert(cost_tally_init(&t, m, n) && cost_step(&t, m, job));
    of_all = sum(&t, m, n);
    ck_assert_uint_eq(t.total, (uint64_t)of_all + cost_tally_of(&t, m, 0));
    ck_assert_msg(of_all >= 0.9 * (double)(t.total - t.outside),
                  "%s: %.0f of %llu machine instructions, %llu outside", name, of_all,
                  (unsigned long long)t.total, (unsigned long long)t.outside);
    cost_tally_fini(&t);
}

static void check_shader(const char *folder_of, const char *name)
{
    struct cost_machine m;
    struct cost_job job;
    char path[512];

    snprintf(path, sizeof(path), "%s/%s", folder_of, name);
    ck_assert_int_eq(cost_job_open(&job, "cost", path, &options), TOOL_OK);
    ck_assert(cost_machine_init(&m, &job));
    if (m.n_functions)
        check_steps(name, &job, &m);
    cost_machine_fini(&m);
    cost_job_close(&job);
}

static bool can_count(void)
{
#if defined(__linux__) && (defined(__x86_64__) || defined(__i386__))
    return cpu_isa() == ISA_AVX2 || cpu_isa() == ISA_AVX512;
#else
    return false;
#endif
}

START_TEST(instructions_have_the_work_of_the_corpus)
{
    DIR *folder_of = opendir("bench/shaders");
    const struct dirent *entry;
    unsigned n = 0;

    ck_assert_ptr_nonnull(folder_of);
    while (can_count() && (entry = readdir(folder_of)))
        if (strstr(entry->d_name, ".asm")) {
            check_shader("bench/shaders", entry->d_name);
            n++;
        }
    closedir(folder_of);
    ck_assert(n >= 30 || !can_count());
}
END_TEST

static void open_text(struct cost_job *job, const char *text)
{
    const char *path = in_folder("a.asm");

    write_text(path, text);
    ck_assert_int_eq(cost_job_open(job, "cost", path, &options), TOOL_OK);
}

/* A product of constants runs once a draw, a move costs nothing, a texture read has the work of the
 * sampler. */
START_TEST(work_belongs_to_its_instruction)
{
    struct cost_machine m;
    struct cost_tally t;
    struct cost_job job;

    open_text(&job, "ps_2_0\ndcl t0\ndcl_2d s0\nmul r2, c0, c1\nmov r1, r2\ntexld r0, t0, s0\n"
                    "mad r0, r0, r1, r1\nmov oC0, r0\n");
    ck_assert(cost_machine_init(&m, &job) && cost_tally_init(&t, &m, 5));
    if (can_count()) {
        struct cost_tally again;

        ck_assert(cost_tally_init(&again, &m, 5));
        ck_assert(cost_step(&t, &m, &job) && cost_step(&again, &m, &job));
        ck_assert_uint_eq(t.total, again.total); /* exact counts are the same again */
        cost_tally_fini(&again);
        ck_assert_uint_eq(cost_tally_of(&t, &m, 1), 0);
        ck_assert_uint_eq(cost_tally_of(&t, &m, 2), 0);
        ck_assert(cost_tally_of(&t, &m, 3) > t.total / 2);
        ck_assert(t.origin[3] > 0 && cost_tally_of(&t, &m, 4) > 0 && cost_tally_of(&t, &m, 5) > 0);
    }
    ck_assert_uint_eq(vm_code_operations(job.code, 0).lane, 0);
    ck_assert_uint_eq(vm_code_operations(job.code, 0).draw, 4);
    cost_tally_fini(&t);
    cost_machine_fini(&m);
    cost_job_close(&job);
}
END_TEST

/* Samples: where nearly all of the work is one loop, nearly all of the time is. */
START_TEST(samples_follow_the_time)
{
    struct cost_machine m;
    struct cost_tally t;
    struct cost_job job;

    open_text(&job, "vs_2_0\ndcl_position v0\ndefi i0, 200, 0, 0, 0\nmov r0, v0\nrep i0\n"
                    "mad r0, r0, r0, v0\nendrep\nmov oPos, r0\n");
    ck_assert(cost_machine_init(&m, &job) && cost_tally_init(&t, &m, 5));
    if (can_count()) {
        uint64_t loop;

        ck_assert(cost_sample(&t, &m, &job, 0.1));
        loop = cost_tally_of(&t, &m, 2) + cost_tally_of(&t, &m, 3) + cost_tally_of(&t, &m, 4);
        ck_assert_msg(loop > t.total * 8 / 10, "%llu of %llu", (unsigned long long)loop,
                      (unsigned long long)t.total);
    }
    cost_tally_fini(&t);
    cost_machine_fini(&m);
    cost_job_close(&job);
}
END_TEST

/* Interpreted: the loop, whose instructions stand in the way of every round, and the branch that no
 * lane takes. The marked code computes the same. */
START_TEST(the_clock_follows_interpreted_code)
{
    struct cost_options interpret = {.interpret = true};
    const char *path = in_folder("a.asm");
    struct cost_machine m = {0};
    struct cost_tally t;
    struct cost_job job;
    float plain[VM_LANES];
    unsigned runs;
    uint64_t loop;

    write_text(path, "vs_3_0\ndcl_position v0\ndcl_position o0\ndefi i0, 200, 0, 0, 0\n"
                     "def c0, 100, 0, 0, 0\nmov r0, v0\nrep i0\nmad r0, r0, v0, v0\nendrep\n"
                     "if_gt v0.x, c0.x\npow r0.x, v0.y, v0.z\nendif\nmov o0, r0\n");
    ck_assert_int_eq(cost_job_open(&job, "cost", path, &interpret), TOOL_OK);
    ck_assert(cost_tally_init(&t, &m, 8));
    cost_job_run(&job);
    memcpy(plain, vm_code_outputs(job.code, job.batch[0].work), sizeof(plain));
    ck_assert(cost_clock(&t, &job, 0.05, &runs) && runs);
    ck_assert_int_eq(memcmp(plain, vm_code_outputs(job.marked, job.batch[0].work), sizeof(plain)),
                     0);
    loop = t.origin[2] + t.origin[3] + t.origin[4];
    ck_assert_msg(loop > t.total * 8 / 10, "%llu of %llu", (unsigned long long)loop,
                  (unsigned long long)t.total);
    ck_assert_uint_eq(t.origin[6], 0);
    cost_tally_fini(&t);
    cost_job_close(&job);
}
END_TEST

/* Interpreted code has no machine code of its own. */
START_TEST(interpreted_code_is_not_counted)
{
    struct cost_options interpret = {.interpret = true};
    const char *path = in_folder("a.asm");
    struct cost_machine m;
    struct cost_tally t;
    struct cost_job job;

    write_text(path, "vs_2_0\ndcl_position v0\nmov oPos, v0\n");
    ck_assert_int_eq(cost_job_open(&job, "cost", path, &interpret), TOOL_OK);
    ck_assert(cost_machine_init(&m, &job) && cost_tally_init(&t, &m, 1));
    ck_assert_uint_eq(m.n_functions, 0);
    ck_assert(!cost_step(&t, &m, &job) && !cost_sample(&t, &m, &job, 0.01));
    cost_tally_fini(&t);
    cost_machine_fini(&m);
    cost_job_close(&job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/cost/step");
    TCase *t = tcase_create("step");

    tcase_add_checked_fixture(t, open_folder, close_folder);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, instructions_have_the_work_of_the_corpus);
    tcase_add_test(t, work_belongs_to_its_instruction);
    tcase_add_test(t, samples_follow_the_time);
    tcase_add_test(t, the_clock_follows_interpreted_code);
    tcase_add_test(t, interpreted_code_is_not_counted);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
