/* Shaders that are ready to run: constants and ranges in comments, and the lanes' inputs. */
#include "unit/tool/command.h"

#include "tool/cost/job.h"
#include "util/fpenv.h"

static char path[64];

static void setup(void)
{
    open_folder();
    path_in_folder(path, "a.asm");
}

static void open_job(struct cost_job *job, const char *text, const struct cost_options *options)
{
    write_text(path, text);
    ck_assert_int_eq(cost_job_open(job, "cost", path, options), TOOL_OK);
}

static const float *input(const struct cost_job *job, unsigned i, unsigned c)
{
    return (const float *)job->batch[0].work + job->info->input[i].slot[c] * VM_LANES;
}

START_TEST(comments_set_constants_and_ranges)
{
    static const struct cost_options none;
    struct cost_job job;
    float low = 9.0f, high = -9.0f;

    open_job(&job,
             "; set c4 1 2.5 -3 0\n// set i2 7 1 2\n  ; set b3 1\n; set up the light\n"
             "; range position0 -4 8\n; range nothing0 1 2\n; set c9999999 1 2 3 4\n"
             "; set c5 1 2 3\nvs_2_0\ndcl_position v0\nmov oPos, v0 ; set c6 1 2 3 4\n",
             &none);
    ck_assert(job.constants->f[4][1] == 2.5f && job.constants->f[4][2] == -3.0f);
    ck_assert(job.constants->f[5][0] != 1.0f && job.constants->f[6][3] != 4.0f);
    ck_assert_int_eq(job.constants->i[2][0], 7);
    ck_assert_int_eq(job.constants->i[2][2], 2);
    ck_assert_int_eq(job.constants->b[3], 1);
    ck_assert_int_eq(job.constants->b[2], 0);
    ck_assert_uint_eq(job.directives.n_ranges, 1);
    for (unsigned l = 0; l < VM_LANES; l++) {
        low = input(&job, 0, 0)[l] < low ? input(&job, 0, 0)[l] : low;
        high = input(&job, 0, 0)[l] > high ? input(&job, 0, 0)[l] : high;
    }
    ck_assert_msg(low >= -4.0f && low < -2.0f && high <= 8.0f && high > 6.0f, "%g %g", (double)low,
                  (double)high);
    cost_job_close(&job);
}
END_TEST

START_TEST(quads_have_neighbours)
{
    static const struct cost_options none;
    struct cost_job job;
    const float *x, *y;

    open_job(&job, "ps_2_0\ndcl t0.xy\nmov r0, t0.xyxy\nmov oC0, r0\n", &none);
    x = input(&job, 0, 0);
    y = input(&job, 0, 1);
    /* One goes to the right, the other down; the step is that of 64 pixels. */
    ck_assert(x[1] != x[0] || x[2] != x[0]);
    ck_assert((x[1] != x[0]) != (x[2] != x[0]));
    ck_assert((x[1] != x[0]) != (y[1] != y[0]));
    ck_assert(x[4] != x[0] && x[8] != x[4]);
    cost_job_close(&job);
}
END_TEST

/* A copy computes the same with memory of its own. */
START_TEST(copies_compute_the_same)
{
    struct cost_options o = {.textures = {.fallback = "checker"}};
    struct cost_job job, copy;
    struct fp_mode mode;
    size_t bytes;

    open_job(&job, "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmul r0, r0, c0\nmov oC0, r0\n",
             &o);
    ck_assert_int_eq(cost_job_copy(&copy, &job), TOOL_OK);
    ck_assert_uint_eq(copy.n_batches, job.n_batches);
    ck_assert(copy.code != job.code && copy.batch[0].work != job.batch[0].work);
    ck_assert(copy.textures.image[0] && copy.textures.image[0] != job.textures.image[0]);
    mode = fp_enter();
    cost_job_run(&job);
    cost_job_run(&copy);
    fp_leave(mode);
    bytes = (size_t)job.info->n_output_slots * VM_LANES * sizeof(float);
    ck_assert_mem_eq(vm_code_outputs(copy.code, copy.batch[0].work),
                     vm_code_outputs(job.code, job.batch[0].work), bytes);
    cost_job_close_copy(&copy);
    cost_job_close(&job);
}
END_TEST

START_TEST(the_command_line_wins)
{
    struct cost_options o = {.settings = {.inputs = {{"v0=3,4"}, 1}, .floats = {{"c4=7"}, 1}}};
    struct cost_job job;

    open_job(&job,
             "; set c4 1 2 3 4\n; range position0 -1 1\nvs_2_0\ndcl_position v0\n"
             "add oPos, v0, c4\n",
             &o);
    ck_assert(input(&job, 0, 0)[0] == 3.0f && input(&job, 0, 1)[63] == 4.0f);
    cost_job_run(&job);
    ck_assert(vm_code_outputs(job.code, job.batch[0].work)[0] == 10.0f);
    cost_job_close(&job);
}
END_TEST

/* More rows than lanes make more batches; the last row fills the last one. */
START_TEST(rows_make_batches)
{
    struct cost_options o = {.settings = {.inputs = {{NULL}, 1}}};
    char rows[1024] = "v0=0";
    struct cost_job job;

    for (unsigned i = 1; i < 70; i++)
        sprintf(rows + strlen(rows), "/%u", i);
    o.settings.inputs.text[0] = rows;
    open_job(&job, "vs_2_0\ndcl_position v0\nmov oPos, v0\n", &o);
    ck_assert_uint_eq(job.n_batches, 2);
    ck_assert_uint_eq(cost_job_lanes(&job), 128);
    cost_job_run(&job);
    ck_assert(vm_code_outputs(job.code, job.batch[1].work)[5] == 69.0f);
    ck_assert(vm_code_outputs(job.code, job.batch[1].work)[63] == 69.0f);
    cost_job_close(&job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/cost/job");
    TCase *t = tcase_create("job");

    tcase_add_checked_fixture(t, setup, close_folder);
    tcase_add_test(t, comments_set_constants_and_ranges);
    tcase_add_test(t, quads_have_neighbours);
    tcase_add_test(t, copies_compute_the_same);
    tcase_add_test(t, the_command_line_wins);
    tcase_add_test(t, rows_make_batches);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
