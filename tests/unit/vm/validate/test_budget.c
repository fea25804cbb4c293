/* Limits of the models, and ways through branches. */
#include "check_main.h"

#include "util/alloc.h"
#include "vm/vm.h"

static struct vm_program *program(const char *text)
{
    struct vm_error error = {0};
    struct vm_program *out;
    uint32_t *words;
    size_t n;

    ck_assert_msg(vm_assemble(&words, &n, text, &error) == ST_OK, "%s", error.text);
    ck_assert_msg(vm_program_create(&out, words, n, &vm_limits_lenient, &error) == ST_OK, "%s",
                  error.text);
    mem_free(words);
    return out;
}

static struct vm_budget budget(const char *text)
{
    struct vm_program *p = program(text);
    struct vm_budget b;

    vm_program_budget(p, &b);
    vm_program_destroy(p);
    return b;
}

START_TEST(limits_are_those_of_the_model)
{
    struct vm_budget b = budget("ps_2_0\ndcl t0\ndcl_2d s3\ntexld r4, t0, s3\nnrm r0.xyz, r4\n"
                                "add r0.xyz, r0, c7\nmov r0.w, c0\nmov oC0, r0\n");

    ck_assert_uint_eq(b.slots, 7);
    ck_assert_uint_eq(b.max_slots, 96);
    ck_assert_uint_eq(b.texture, 1);
    ck_assert_uint_eq(b.max_texture, 32);
    ck_assert_uint_eq(b.arithmetic, 6);
    ck_assert_uint_eq(b.max_arithmetic, 64);
    ck_assert_uint_eq(b.temps, 5);
    ck_assert_uint_eq(b.max_temps, 12);
    ck_assert_uint_eq(b.constants, 8);
    ck_assert_uint_eq(b.max_constants, 32);
    ck_assert_uint_eq(b.samplers, 1);
    ck_assert_uint_eq(b.max_samplers, 16);
    b = budget("ps_1_4\ntexld r0, t0\nphase\nmul r0, r0, c0\n+mov r0.a, c1\n");
    ck_assert_uint_eq(b.max_slots, 28);
    ck_assert_uint_eq(b.max_texture, 12);
    ck_assert_uint_eq(b.arithmetic, 1);
    ck_assert_uint_eq(b.max_samplers, 6);
    b = budget("vs_1_1\ndcl_position v0\nm4x4 oPos, v0, c0\n");
    ck_assert_uint_eq(b.slots, 4);
    ck_assert_uint_eq(b.max_slots, 128);
    ck_assert_uint_eq(b.max_texture, 0);
    ck_assert_uint_eq(budget("vs_3_sw\ndcl_position v0\ndcl_position o0\nmov o0, v0\n").max_slots,
                      0);
}
END_TEST

struct paths {
    struct vm_path least, most;
};

static struct paths paths(const char *text, const int32_t (*i)[4], unsigned n_i, const int32_t *b,
                          unsigned n_b)
{
    struct vm_program *p = program(text);
    struct paths out;

    ck_assert_int_eq(vm_program_paths(p, i, n_i, b, n_b, &out.least, &out.most), ST_OK);
    vm_program_destroy(p);
    return out;
}

static void expect(struct paths p, uint64_t least, uint64_t most)
{
    ck_assert_msg(p.least.slots == least && p.most.slots == most, "%llu, %llu",
                  (unsigned long long)p.least.slots, (unsigned long long)p.most.slots);
}

/* if_lt 3, else 1, endif 1. */
START_TEST(branches_go_either_way)
{
    struct paths p = paths("ps_3_0\ndcl_texcoord v0\ndcl_2d s0\nif_lt v0.x, c0.x\nmov r0, c0\n"
                           "else\ntexldl r0, v0, s0\nadd r0, r0, c1\nendif\nmov oC0, r0\n",
                           NULL, 0, NULL, 0);

    expect(p, 3 + 1 + 1 + 1 + 1, 3 + 3 + 1 + 1);
    ck_assert_uint_eq(p.least.texture_reads, 0);
    ck_assert_uint_eq(p.most.texture_reads, 1);
    expect(paths("ps_3_0\ndcl_texcoord v0\nmov r0, c0\nif_lt v0.x, c0.x\nadd r0, r0, c1\nendif\n"
                 "mov oC0, r0\n",
                 NULL, 0, NULL, 0),
           1 + 3 + 1 + 1, 1 + 3 + 1 + 1 + 1);
}
END_TEST

START_TEST(constant_conditions_go_one_way)
{
    static const char text[] = "vs_2_0\ndcl_position v0\nmov r0, v0\nif b1\nadd r0, r0, c1\n"
                               "add r0, r0, c1\nendif\nmov oPos, r0\n";
    static const char defined[] = "vs_2_0\ndefb b1, true\ndcl_position v0\nmov r0, v0\nif !b1\n"
                                  "add r0, r0, c1\nendif\nmov oPos, r0\n";
    const int32_t b[2] = {0, 1};

    expect(paths(text, NULL, 0, NULL, 0), 6, 6);
    expect(paths(text, NULL, 0, b, 2), 8, 8);
    expect(paths(defined, NULL, 0, NULL, 0), 6, 6);
}
END_TEST

/* loop 3, endloop 2; rep 3, endrep 2. */
START_TEST(loops_run_their_rounds)
{
    static const char text[] = "vs_2_0\ndcl_position v0\nmov r0, v0\nloop aL, i1\nadd r0, r0, c1\n"
                               "endloop\nmov oPos, r0\n";
    static const char breaks[] = "vs_3_0\ndcl_position v0\ndcl_position o0\nmov r0, v0\nrep i0\n"
                                 "add r0, r0, c1\nbreak_gt r0.x, c2.x\nadd r0, r0, c1\nendrep\n"
                                 "mov o0, r0\n";
    const int32_t i[2][4] = {{5}, {7}}, many[2][4] = {{-1}, {1000}};

    expect(paths(text, i, 2, NULL, 0), 1 + 3 + 7 * 3 + 1, 1 + 3 + 7 * 3 + 1);
    expect(paths(text, NULL, 0, NULL, 0), 5, 5);
    expect(paths(text, many, 2, NULL, 0), 5 + 255 * 3, 5 + 255 * 3);
    expect(paths(breaks, i, 1, NULL, 0), 1 + 3 + 4 + 1, 1 + 3 + 5 * (1 + 3 + 1 + 2) + 1);
    expect(paths(breaks, many, 2, NULL, 0), 5, 5);
}
END_TEST

/* call 2, callnz 3, ret 1. */
START_TEST(calls_count_their_routines)
{
    static const char text[] = "vs_2_0\ndcl_position v0\nmov r0, v0\ncall l0\ncallnz l0, b0\n"
                               "mov oPos, r0\nret\nlabel l0\nadd r0, r0, c1\nadd r0, r0, c1\nret\n";
    const int32_t b[1] = {1};

    expect(paths(text, NULL, 0, NULL, 0), 1 + 2 + 3 + 3 + 1 + 1, 1 + 2 + 3 + 3 + 1 + 1);
    expect(paths(text, NULL, 0, b, 1), 11 + 3, 11 + 3);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/validate/budget");
    TCase *t = tcase_create("budget");

    tcase_add_test(t, limits_are_those_of_the_model);
    tcase_add_test(t, branches_go_either_way);
    tcase_add_test(t, constant_conditions_go_one_way);
    tcase_add_test(t, loops_run_their_rounds);
    tcase_add_test(t, calls_count_their_routines);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
