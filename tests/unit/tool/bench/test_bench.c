/* The benchmark's parts: jobs, corpus, subjects, and a run that checks bits. */
#include "unit/tool/command.h"

#include "tool/bench/run.h"
#include "util/log.h"

#include <dirent.h>
#include <fcntl.h>

static void setup(void)
{
    log_set_level(LOG_NONE);
    open_folder();
}

/* --- Jobs ------------------------------------------------------------------------------------- */

START_TEST(directives_set_constants_and_inputs)
{
    static const char text[] = "; A comment.\n; set c4 1 2 3 4\n; set i1 8 2 -1\n; set b2 1\n"
                               "; range texcoord1 -3 -2\n; executes 77\n"
                               "ps_3_0\ndcl_texcoord1 v0\nadd r0, v0, c4\nmov oC0, r0\n";
    struct measure_call call;
    struct job job;
    char profile[JOB_PROFILE];

    ck_assert_int_eq(job_open(&job, "bench", "x", text), TOOL_OK);
    ck_assert_uint_eq(job.executed, 77);
    ck_assert_float_eq(job.constants->f[4][2], 3);
    ck_assert_int_eq(job.constants->i[1][2], -1);
    ck_assert_int_eq(job.constants->b[2], 1);
    job_profile(&job, profile);
    ck_assert_str_eq(profile, "ps_3_0");
    ck_assert_int_eq(job_compile(&job, true, 2), ST_OK);
    ck_assert(!vm_code_is_compiled(job.code));
    for (unsigned t = 0; t < 2; t++) {
        unsigned in = (unsigned)job.info->input[0].slot[0],
                 out = (unsigned)job.info->output[0].slot[0];

        call = job_call(&job, t);
        call.run(call.ctx);
        for (unsigned i = 0; i < VM_LANES; i++) {
            float x = job_input(&job, t, in)[i];

            ck_assert(x >= -3 && x <= -2);
            ck_assert_float_eq(job_output(&job, t, out)[i], x + 1);
        }
    }
    job_drop(&job);
    job_close(&job);
}
END_TEST

/* Messages would look like failures of the test. */
static void silence(void)
{
    int null = open("/dev/null", O_WRONLY);

    ck_assert_int_ge(null, 0);
    dup2(null, 2);
    close(null);
}

static void expect_bad_text(const char *text)
{
    struct job job;

    silence();
    ck_assert_int_eq(job_open(&job, "bench", "x", text), TOOL_ERROR);
    job_close(&job);
}

START_TEST(bad_texts_are_refused)
{
    expect_bad_text("; set c8192 1 2 3 4\nps_2_0\nmov oC0, c0\n");
    expect_bad_text("; set c0 1 2\nps_2_0\nmov oC0, c0\n");
    expect_bad_text("; range texture0 1 2\nps_2_0\nmov oC0, c0\n");
    expect_bad_text("; executes\nps_2_0\nmov oC0, c0\n");
    expect_bad_text("ps_2_0\nmov oC0, c99\n");
    expect_bad_text("ps_2_0\nmov oC9\n");
    expect_bad_text("");
}
END_TEST

/* --- Corpus and subjects ---------------------------------------------------------------------- */

static int is_shader(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);

    return n > 4 && !strcmp(entry->d_name + n - 4, ".asm");
}

/* The embedded texts are the files of bench/shaders, in order. */
START_TEST(corpus_is_the_folder)
{
    struct dirent **entries;
    int n = scandir("bench/shaders", &entries, is_shader, alphasort);

    ck_assert_int_gt(n, 30);
    for (int i = 0; i < n; i++) {
        const struct bench_shader *shader = bench_corpus((unsigned)i);
        char file[300];
        uint8_t *bytes;
        size_t size;

        ck_assert_ptr_nonnull(shader);
        snprintf(file, sizeof(file), "%s.asm", shader->name);
        ck_assert_str_eq(file, entries[i]->d_name);
        snprintf(file, sizeof(file), "bench/shaders/%s", entries[i]->d_name);
        ck_assert_int_eq(tool_file_read(file, &bytes, &size), ST_OK);
        ck_assert_str_eq(shader->text, (const char *)bytes);
        mem_free(bytes);
        free(entries[i]);
    }
    free(entries);
    ck_assert_ptr_null(bench_corpus((unsigned)n));
}
END_TEST

START_TEST(subjects_have_programs)
{
    struct bench_subjects s = {.command = "bench"};
    unsigned counts[BENCH_GROUPS] = {0};

    ck_assert_int_eq(bench_add_ceiling(&s), TOOL_OK);
    ck_assert_int_eq(bench_add_operations(&s), TOOL_OK);
    ck_assert_int_eq(bench_add_flow(&s), TOOL_OK);
    ck_assert_int_eq(bench_add_samplers(&s), TOOL_OK);
    ck_assert_int_eq(bench_add_shaders(&s, NULL, 0), TOOL_OK);
    for (unsigned i = 0; i < s.n; i++) {
        const struct bench_subject *subject = &s.list[i];

        counts[subject->group]++;
        ck_assert(subject->group == BENCH_CEILING || subject->job.program);
        ck_assert_double_gt(subject->instructions, 0);
        if (subject->group == BENCH_OPERATION) /* the body is there twice and once */
            ck_assert_uint_gt(subject->job.info->instructions,
                              subject->beside.info->instructions + 31);
    }
    ck_assert_uint_ge(counts[BENCH_OPERATION], 24);
    ck_assert_uint_ge(counts[BENCH_FLOW], 14);
    ck_assert_uint_ge(counts[BENCH_SHADER], 32);
    ck_assert_uint_eq(counts[BENCH_SAMPLER], 4);
    bench_subjects_fini(&s);
}
END_TEST

/* --- A run ------------------------------------------------------------------------------------ */

static const struct bench_plan short_plan = {.command = "bench",
                                             .passes = 2,
                                             .isa = {[ISA_SCALAR] = true},
                                             .interpreted = true,
                                             .threads = {1, 2},
                                             .n_threads = 2};

START_TEST(run_measures_each_combination)
{
    static const char *const shader = "tone_map";
    struct bench_subjects s = {.command = "bench"};
    struct bench_results results;
    struct bench_plan plan = short_plan;
    unsigned isas = 0, compiled = 0, interpreted = 0;

    for (unsigned isa = 0; isa < ISA_COUNT; isa++)
        isas += plan.isa[isa] = cpu_has_isa((enum cpu_isa)isa);
    plan.compiled = true;
    bench_results_init(&results);
    ck_assert_int_eq(bench_add_ceiling(&s), TOOL_OK);
    s.only = "operation/dp4";
    ck_assert_int_eq(bench_add_operations(&s), TOOL_OK);
    s.only = "flow/if b0";
    ck_assert_int_eq(bench_add_flow(&s), TOOL_OK);
    s.only = "sampler/texld, point";
    ck_assert_int_eq(bench_add_samplers(&s), TOOL_OK);
    s.only = NULL;
    ck_assert_int_eq(bench_add_shaders(&s, &shader, 1), TOOL_OK);
    ck_assert_uint_eq(s.n, 5);
    ck_assert_int_eq(bench_run(&results, &s, &plan), TOOL_OK);
    for (unsigned i = 0; i < results.n; i++) {
        const struct bench_figure *f = &results.figure[i];

        ck_assert(f->group == BENCH_OPERATION || f->ns > 0);
        ck_assert(f->ns >= 0 && f->spread >= 0);
        ck_assert_uint_eq(f->passes.n, 2);
        interpreted += f->interpreted;
        compiled += !f->interpreted && f->group != BENCH_CEILING;
        if (!f->interpreted && f->group != BENCH_CEILING)
            ck_assert_int_ne(f->isa, ISA_SCALAR); /* it has no machine code */
    }
    ck_assert_uint_eq(interpreted, 5 * isas); /* one more for the shader with two threads */
    ck_assert(compiled % 5 == 0 && compiled <= 5 * isas);
    ck_assert_double_gt(bench_results_ceiling(&results, ISA_SCALAR), 0);
    bench_results_fini(&results);
    bench_subjects_fini(&s);
}
END_TEST

/* A program whose bits differ between two runs of the check ends the run. */
START_TEST(wrong_bits_end_the_run)
{
    static const char *const shader = "tone_map";
    struct bench_subjects s = {.command = "bench"};
    struct bench_results results;

    bench_results_init(&results);
    ck_assert_int_eq(bench_add_shaders(&s, &shader, 1), TOOL_OK);
    s.list[0].has_bits = true;
    s.list[0].bits = 1;
    silence();
    ck_assert_int_eq(bench_run(&results, &s, &short_plan), TOOL_ERROR);
    bench_results_fini(&results);
    bench_subjects_fini(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/bench");
    TCase *t = tcase_create("bench");

    tcase_add_checked_fixture(t, setup, close_folder);
    tcase_add_test(t, directives_set_constants_and_inputs);
    tcase_add_test(t, bad_texts_are_refused);
    tcase_add_test(t, corpus_is_the_folder);
    tcase_add_test(t, subjects_have_programs);
    tcase_add_test(t, run_measures_each_combination);
    tcase_add_test(t, wrong_bits_end_the_run);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
