/* JIT code against interpreted IR: the same bits under register pressure, the zero rule and lane
 * masks. lower/test_lower.c compares both with the reference on random programs. */
#include "unit/vm/run_shader.h"
#include "util/cpu.h"
#include "vm/ir/code.h"
#include "vm/jit/jit.h"

#include <float.h>
#include <stdio.h>
#include <time.h>

static uint8_t ieee; /* for vm_options */

static uint32_t seed;
static uint32_t rnd(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* Mostly ordinary numbers; one in one_in is NaN, infinite, 0 or extreme. */
static float random_float(unsigned one_in)
{
    static const float special[] = {0, -0.0f, INFINITY, -INFINITY, NAN, FLT_MAX, 1e-40f, FLT_MIN};

    if (one_in && rnd() % one_in == 0)
        return special[rnd() % 8];
    return (float)(rnd() % 20001) / 5000.0f - 2.0f;
}

/* Outputs of one batch; inputs and constants are generated from the seed `from`. */
static void run(const char *text, bool interpret, uint32_t from, unsigned one_in, uint64_t lanes,
                float *out, size_t *n)
{
    struct shader s;

    shader_open(&s, text);
    s.options.interpret = interpret;
    s.options.ieee = ieee;
    shader_lower(&s);
    ck_assert_msg((s.code->exec_op != s.code->op) == !interpret, "%s", text);
    seed = from;
    for (unsigned i = 0; i < 32; i++)
        for (unsigned c = 0; c < 4; c++)
            s.f[i][c] = random_float(one_in);
    for (unsigned i = 0; i < s.info->n_input_slots * VM_LANES; i++)
        ((float *)s.work)[i] = random_float(one_in);
    memset(vm_code_outputs(s.code, s.work), 0, s.info->n_output_slots * (size_t)VM_LANE_BYTES);
    s.lanes = lanes;
    shader_run(&s);
    *n = s.info->n_output_slots * (size_t)VM_LANES;
    memcpy(out, vm_code_outputs(s.code, s.work), *n * sizeof(*out));
    shader_close(&s);
}

static void compare(const char *text, unsigned one_in)
{
    static float plain[VM_MAX_OUTPUTS * 4 * VM_LANES], compiled[VM_MAX_OUTPUTS * 4 * VM_LANES];
    size_t n, n_compiled;

    for (uint32_t from = 1; from <= 20; from++) {
        uint64_t lanes = from % 4 ? ~UINT64_C(0) : UINT64_C(0x00000fffff0fffff);

        run(text, true, from, one_in, lanes, plain, &n);
        run(text, false, from, one_in, lanes, compiled, &n_compiled);
        ck_assert_uint_eq(n, n_compiled);
        for (size_t i = 0; i < n; i++)
            if (lanes >> i % VM_LANES & 1)
                ck_assert_msg(same_float(plain[i], compiled[i]),
                              "%s: run %u, slot %zu, lane %zu: %a, not %a\n%s",
                              cpu_isa_name(cpu_isa()), from, i / VM_LANES, i % VM_LANES,
                              (double)compiled[i], (double)plain[i], text);
    }
}

static const char head[] = "vs_3_0\ndef c30, 0.5, 0, 1, -3\ndcl_position v0\ndcl_texcoord0 v1\n"
                           "dcl_position o0\ndcl_texcoord0 o1\ndcl_texcoord1 o2\n";

/* More live values than registers: 40, each computed from three others. */
static void register_pressure(char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "%s", head);

    for (unsigned i = 0; i < 10; i++)
        n += (size_t)snprintf(text + n, size - n, "mad r%u, v%u, c%u, v%u\n", i, i & 1, i, ~i & 1);
    for (unsigned i = 0; i < 10; i++)
        for (unsigned k = 0; k < 3; k++)
            n += (size_t)snprintf(text + n, size - n, "mad r%u, r%u.wzyx, r%u, r%u\n", i,
                                  (i + 7 * k) % 10, (i + 1) % 10, (i + 3) % 10);
    n += (size_t)snprintf(text + n, size - n, "mov o0, r0\nadd o1, r1, r2\nadd o2, r3, r4\n");
    ck_assert_uint_lt(n, size);
}

/* The same in a loop, so that registers keep their values across iterations. */
static void register_pressure_in_a_loop(char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "%sdefi i0, 3, 0, 0, 0\n", head);

    for (unsigned i = 0; i < 10; i++)
        n += (size_t)snprintf(text + n, size - n, "mov r%u, v%u\n", i, i & 1);
    n += (size_t)snprintf(text + n, size - n, "rep i0\n");
    for (unsigned i = 0; i < 10; i++)
        n += (size_t)snprintf(text + n, size - n, "mad r%u, r%u.yxwz, c%u, r%u\n", i, (i + 3) % 10,
                              i, (i + 5) % 10);
    n += (size_t)snprintf(text + n, size - n,
                          "endrep\nmov o0, r0\nadd o1, r1, r2\nadd o2, r3, r4\n");
    ck_assert_uint_lt(n, size);
}

/* Operations and modifiers that superblocks may contain. */
static const char *const bodies[] = {
    "mul r0, v0, v1\nmul r0, r0, v0\nadd r1, r0, -v1\nmov o0, r0\nmov o1, r1\n",
    "mad r0, v0, v1, c0\nmax r1, r0, c1\nmin r2, r0, -r1\nmov o0, r1\nmov o1, r2\n",
    "mul_sat r0, v0, v1\nmad_sat r1, v0, c2, v1\nmov o0, r0\nadd_sat o1, r1, -r0_abs\n",
    "slt r0, v0, v1\nsge r1, v0, v1\nmov o0, r0\nmul o1, r1, v0\n",
    "frc r0, v0\nfrc r1.xy, v1\nmov r1.zw, v0\nmov o0, r0\nmov o1, r1\n",
    "rcp r0.x, v0.x\nrsq r0.y, v0.y\nrcp r0.z, v1.x\nrsq r0.w, v1.y\nmov o0, r0\n",
    "nrm r0, v0\nnrm r1, v1\nadd o0, r0, r1\ndp3 r2.x, v0, v1\nrsq r2.y, r2.x\nmov o1, r2.xyxy\n",
    "dp3 r0.x, v0, v1\ndp4 r0.y, v0, c1\ndp3 r0.z, c2, v1\nmov r0.w, c30.x\nmov o0, r0\n",
    "lrp r0, v0, v1, c3\nlrp r1, c4, r0, v1\nmov o0, r0\nmov o1, r1\n",
    "crs r0.xyz, v0, v1\nmov r0.w, v0\nmov o0, r0\n",
    "add r0, v0, v1\nmul r0, r0, c5\nadd r0, r0, v1\nsub r1, v0, r0\nmad r1, r1, r0, -v1_abs\n"
    "mov o0, r0\nmov o1, r1\n",
    "mova a0, v0\nmov r0, c8[a0.x]\nmad r0, v1, c8[a0.y], r0\nmov o0, r0\n",
    /* All lanes have one index, often one out of range. */
    "mul r1, v0, c30.y\nadd r1, r1, c7\nmova a0, r1\nmul r0, v1, c8[a0.x]\n"
    "mad r0, v0, c9[a0.x], r0\nmad r0, v1, c8[a0.w], r0\nmad r1, r0, c30[a0.z], c2[a0.z]\n"
    "mova a0, r1\nmul r2, v1, c4[a0.y]\nmov o0, r0\nadd o1, r1, r2\n",
    "setp_gt p0, v0, v1\nmov r0, v0\n(p0) mov r0, v1\n(!p0.x) mul r0, r0, c1\nmov o0, r0\n",
    "mov r0, v0\nif_lt v0.x, v1.x\nmul r0, r0, v1\nadd r1, r0, c1\nelse\nmul r1, v0, v1\nendif\n"
    "mov o0, r0\nmov o1, r1\n",
    "mov r0, v0\nmov r1, v1\nif_ge v0.x, v1.y\nmad r0, r0, r1, c1\nmad r1, r1, r0, c2\n"
    "if_ne r0.x, c30.y\nmul r0, r0.yxwz, r1\nendif\nmul r1, r1, r0\nendif\nmov o0, r0\nmov o1, "
    "r1\n",
    "exp r0, v0.x\nlog r1, v0.y\npow r2, v0.z, v1.x\nadd r0, r0, r1\nmov o0, r0\nmul o1, r0, r2\n",
};
enum { BODIES = sizeof(bodies) / sizeof(bodies[0]) };

static bool use_isa(int isa)
{
    return cpu_has_isa((enum cpu_isa)isa) && cpu_set_isa((enum cpu_isa)isa) == ST_OK &&
           vm_jit_is_possible();
}

START_TEST(jit_matches_interpreter)
{
    char text[4096];

    snprintf(text, sizeof(text), "%s%s", head, bodies[_i]);
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (!use_isa(isa))
            continue;
        compare(text, 0);
        compare(text, 40);
        compare(text, 4);
        ieee = 1;
        compare(text, 4);
        ieee = 0;
    }
}
END_TEST

/* Indices equal in all lanes, with matrix rows beyond the last register: no index is valid for both
 * such a row and c0. */
START_TEST(jit_matches_interpreter_for_any_index)
{
    static const char *const indices[] = {"0", "5", "-3", "300", "8190", "1000000", "1e9", "-1e9"};
    enum { INDICES = sizeof(indices) / sizeof(indices[0]) };
    char text[4096];

    snprintf(text, sizeof(text),
             "%sdef c29, %s, 0, 0, 0\nmul r1, v0, c30.y\nadd r1, r1, c29.x\nmova a0, r1\n"
             "m4x4 r2, v1, c8190[a0.x]\nadd r2, r2, v1\nmov r0, c0[a0.x]\n"
             "mad r3, v1, c2[a0.x], c20[a0.x]\nmov o0, r0\nmov o1, r2\nmov o2, r3\n",
             head, indices[_i % INDICES]);
    for (int isa = 0; isa < ISA_COUNT; isa++)
        if (use_isa(isa))
            compare(text, 0);
}
END_TEST

START_TEST(jit_matches_interpreter_when_spilling)
{
    static char text[16384];

    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (!use_isa(isa))
            continue;
        register_pressure(text, sizeof(text));
        compare(text, 0);
        compare(text, 30);
        register_pressure_in_a_loop(text, sizeof(text));
        compare(text, 0);
        compare(text, 30);
    }
}
END_TEST

/* Compile time in seconds of a block with `rounds` times three operations; each round has two
 * superblocks. */
static double lowering_time(unsigned rounds)
{
    size_t size = 64 * ((size_t)rounds + 1) + 400, n = 0;
    char *text = mem_alloc(size);
    struct shader s;
    clock_t begin;

    ck_assert(text);
    n += (size_t)snprintf(text, size, "%smov r0, v0\n", head);
    for (unsigned i = 0; i < rounds; i++)
        n += (size_t)snprintf(text + n, size - n,
                              "mul r0, r0, v1\nmad r0, r0, v0, v1\nexp r0.x, r0.x\n");
    n += (size_t)snprintf(text + n, size - n, "mov o0, r0\n");
    ck_assert_uint_lt(n, size);
    shader_open(&s, text);
    begin = clock();
    shader_lower(&s);
    begin = clock() - begin;
    shader_close(&s);
    mem_free(text);
    return (double)begin / CLOCKS_PER_SEC;
}

/* If every superblock scanned all that follows, a block four times as long would take sixteen times
 * as long. */
START_TEST(compile_time_is_linear_in_block_length)
{
    double once = lowering_time(2500), four_times = lowering_time(10000);

    ck_assert_msg(four_times < 10 * once + 0.1, "%f s, and %f s", once, four_times);
}
END_TEST

/* Whether or not memory runs out during compilation, the code exists and computes the same. */
START_TEST(out_of_memory_falls_back_to_interpreter)
{
    struct shader s;
    float want[4], got[4];
    char text[4096];

    snprintf(text, sizeof(text), "%s%s", head, bodies[0]);
    if (!vm_jit_is_possible())
        return;
    for (unsigned k = 0, compiled = 0; !compiled; k++) {
        struct vm_code *code = NULL;
        enum status st;

        ck_assert_uint_lt(k, 1000);
        shader_open(&s, text);
        shader_run(&s);
        memcpy(want, vm_code_outputs(s.code, s.work), sizeof(want));
        mem_fail_after(k);
        st = vm_code_create(&code, s.program, &s.options);
        mem_fail_after(-1);
        if (st == ST_OK) {
            compiled = code->exec_op != code->op;
            vm_code_destroy(s.code);
            s.code = code;
            shader_run(&s);
            memcpy(got, vm_code_outputs(s.code, s.work), sizeof(got));
            ck_assert(same_float(want[0], got[0]) && same_float(want[1], got[1]));
        }
        shader_close(&s);
    }
}
END_TEST

START_TEST(options_disable_the_jit)
{
    struct shader s;
    char text[4096];

    snprintf(text, sizeof(text), "%s%s", head, bodies[0]);
    shader_open(&s, text);
    ck_assert((s.code->exec_op != s.code->op) == vm_jit_is_possible());
    s.options.single_step = 1;
    shader_lower(&s);
    ck_assert_ptr_eq(s.code->exec_op, s.code->op);
    s.options.single_step = 0;
    ck_assert_int_eq(cpu_set_isa(ISA_SCALAR), ST_OK);
    shader_lower(&s);
    ck_assert_ptr_eq(s.code->exec_op, s.code->op);
    shader_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/jit");
    TCase *t = tcase_create("jit");

    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, jit_matches_interpreter, 0, BODIES);
    tcase_add_loop_test(t, jit_matches_interpreter_for_any_index, 0, 8);
    tcase_add_test(t, compile_time_is_linear_in_block_length);
    tcase_add_test(t, jit_matches_interpreter_when_spilling);
    tcase_add_test(t, out_of_memory_falls_back_to_interpreter);
    tcase_add_test(t, options_disable_the_jit);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
