/* Pattern matching: recognises a texel times factors and inputs times constants, and rejects other
 * code. */
#include "shader.h"

#include "vm/isa/isa.h"

static const struct {
    const char *text;
    bool is;
    int factors, constants; /* number of components with one */
} cases[] = {
    {"ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n", true, 0, 0},
    {"ps_2_0\ndcl t0.xy\ndcl v0\ndcl_2d s0\ntexld r0, t0, s0\nmul r0, r0, v0\nmov oC0, r0\n", true,
     4, 0},
    {"ps_2_0\ndcl t0.xy\ndcl_2d s3\ntexld r1, t0, s3\nmul r0, c7, r1\nmov oC0, r0\n", true, 0, 4},
    {"ps_2_0\ndcl t0.xy\ndcl v0\ndcl_2d s0\ntexld r0, t0, s0\nmul r0.rgb, r0, v0\nmov oC0, r0\n",
     true, 3, 0},
    {"ps_1_1\ntex t0\nmul r0, t0, v0\n", true, 4, 0},
    {"ps_1_1\ntex t0\nmul_sat r0, t0, v0\n", true, 4, 0},
    /* another component, more than a modulate, other coordinates or LODs */
    {"ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov r1, r0.gbra\nmov oC0, r1\n", false, 0, 0},
    {"ps_2_0\ndcl t0.xy\ndcl v0\ndcl_2d s0\ntexld r0, t0, s0\nadd r0, r0, v0\nmov oC0, r0\n", false,
     0, 0},
    {"ps_2_0\ndcl t0.xy\ndcl v0\ndcl_2d s0\ntexld r0, t0, s0\nmul r0, r0, -v0\nmov oC0, r0\n",
     false, 0, 0},
    {"ps_2_0\ndcl t0.xy\ndcl v0\ndcl_2d s0\ntexld r0, t0, s0\nmul r0, r0, v0\nmul r0, r0, c0\n"
     "mov oC0, r0\n",
     false, 0, 0},
    {"ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmul r0, r0, r0\nmov oC0, r0\n", false, 0, 0},
    {"ps_2_0\ndcl t0.xyzw\ndcl_2d s0\ntexldp r0, t0, s0\nmov oC0, r0\n", false, 0, 0},
    {"ps_2_0\ndcl t0.xyzw\ndcl_2d s0\ntexldb r0, t0, s0\nmov oC0, r0\n", false, 0, 0},
    {"ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r1, t0, c0\ntexld r0, r1, s0\nmov oC0, r0\n", false, 0, 0},
    {"ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\ntexld r0, r0, s0\nmov oC0, r0\n", false, 0,
     0},
    {"ps_2_0\ndcl v0\nmov oC0, v0\n", false, 0, 0},
    {"ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexkill t0\ntexld r0, t0, s0\nmov oC0, r0\n", false, 0, 0},
};

/* True if the pattern is the whole colour, with its components in order. */
static bool is_colour(const struct vm_info *info, const struct vm_modulate *modulate)
{
    return info->n_outputs == 1 &&
           !memcmp(modulate->slot, info->output[0].slot, sizeof(modulate->slot));
}

/* _i: the case. */
START_TEST(modulates_are_matched)
{
    struct vm_program *program = shader_program(cases[_i].text, &vm_limits_hardware);
    struct vm_options options;
    struct vm_modulate modulate;
    struct vm_code *code;
    int factors = 0, constants = 0;
    bool is;

    memset(&options, 0, sizeof(options));
    options.live_outputs = ~UINT64_C(0);
    ck_assert_int_eq(vm_code_create(&code, program, &options), ST_OK);
    is = vm_code_match_modulate(code, &modulate) && is_colour(vm_program_info(program), &modulate);
    ck_assert_msg(is == cases[_i].is, "%s", cases[_i].text);
    for (int c = 0; is && c < 4; c++) {
        factors += modulate.factor[c] >= 0;
        constants += modulate.constant[c] >= 0;
    }
    ck_assert_int_eq(factors, cases[_i].factors);
    ck_assert_int_eq(constants, cases[_i].constants);
    if (is)
        ck_assert_int_eq(modulate.sampler, strstr(cases[_i].text, "s3") ? 3 : 0);
    vm_code_destroy(code);
    vm_program_destroy(program);
}
END_TEST

static const struct {
    const char *text;
    bool is, saturated;
    int inputs, constants; /* number of components with one */
} scaled_cases[] = {
    {"ps_2_0\ndcl v0\nmov oC0, v0\n", true, false, 4, 0},
    {"ps_2_0\ndcl v0\nmul r0, v0, c0.x\nmov oC0, r0\n", true, false, 4, 4},
    {"ps_2_0\ndcl v0\nmul r0.rgb, v0, c0\nmov r0.a, c1.x\nmov oC0, r0\n", true, false, 3, 4},
    {"ps_2_0\ndcl v0\ndcl v1\nmov r0.rgb, v0\nmov r0.a, v1\nmov oC0, r0\n", true, false, 4, 0},
    {"ps_1_1\nmul_sat r0, v0, c0\n", true, true, 4, 4},
    {"ps_2_0\ndcl v0\nmov r0, v0.gbra\nmov oC0, r0\n", true, false, 4, 0},
    /* partly saturated, negated, two inputs or constants, sums, kills, texels */
    {"ps_2_0\ndcl v0\nmul_sat r0.rgb, v0, c0\nmul r0.a, v0, c0\nmov oC0, r0\n", false, false, 0, 0},
    {"ps_2_0\ndcl v0\nmov r0, -v0\nmov oC0, r0\n", false, false, 0, 0},
    {"ps_2_0\ndcl v0\ndcl t0\nmul r0, v0, t0\nmov oC0, r0\n", false, false, 0, 0},
    {"ps_2_0\ndcl v0\nmul r0, v0, v0\nmov oC0, r0\n", false, false, 0, 0},
    {"ps_2_0\ndcl v0\nadd r0, v0, c0\nmov oC0, r0\n", false, false, 0, 0},
    {"ps_2_0\ndcl v0\ndcl t0\ntexkill t0\nmov oC0, v0\n", false, false, 0, 0},
    {"ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n", false, false, 0, 0},
};

/* _i: the case. */
START_TEST(scaled_inputs_are_matched)
{
    struct vm_program *program = shader_program(scaled_cases[_i].text, &vm_limits_hardware);
    const struct vm_info *info = vm_program_info(program);
    struct vm_scaled_inputs scaled;
    struct vm_options options;
    struct vm_code *code;
    int inputs = 0, constants = 0;
    bool is;

    memset(&options, 0, sizeof(options));
    options.live_outputs = ~UINT64_C(0);
    ck_assert_int_eq(vm_code_create(&code, program, &options), ST_OK);
    is = vm_code_match_scaled_inputs(code, info->output[0].slot, &scaled);
    ck_assert_msg(is == scaled_cases[_i].is, "%s", scaled_cases[_i].text);
    for (int c = 0; is && c < 4; c++) {
        inputs += scaled.input[c] >= 0;
        constants += scaled.constant[c] >= 0;
    }
    ck_assert_int_eq(inputs, scaled_cases[_i].inputs);
    ck_assert_int_eq(constants, scaled_cases[_i].constants);
    if (is)
        ck_assert(scaled.saturated == scaled_cases[_i].saturated);
    vm_code_destroy(code);
    vm_program_destroy(program);
}
END_TEST

/* Number of coordinates that are unmodified inputs; no match otherwise. */
static const struct {
    const char *text;
    bool is;
    unsigned inputs;
} level_cases[] = {
    {"ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n", true, 2},
    {"ps_2_0\ndcl t0.xy\ndcl t1.xy\ndcl_2d s0\ntexld r0, t0, s0\ntexld r1, t1, s0\n"
     "add r0, r0, r1\nmov oC0, r0\n",
     true, 4},
    {"ps_3_0\ndcl_texcoord0 v0.xyzw\ndcl_2d s0\ntexldl r0, v0, s0\nmov oC0, r0\n", true, 0},
    {"ps_3_0\ndcl_texcoord0 v0.xy\ndcl_2d s0\nif b0\ntexld r0, v0, s0\nelse\n"
     "mul r0, v0, c0\ntexld r0, r0, s0\nendif\nmov oC0, r0\n",
     false, 0},
    {"ps_2_0\ndcl t0.xyzw\ndcl_2d s0\ntexldp r0, t0, s0\nmov oC0, r0\n", false, 0},
    {"ps_2_0\ndcl t0.xyzw\ndcl_2d s0\ntexldb r0, t0, s0\nmov oC0, r0\n", false, 0},
    {"ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r1, t0, c0\ntexld r0, r1, s0\nmov oC0, r0\n", false, 0},
    {"ps_2_0\ndcl t0.xy\ndcl_2d s0\ndcl_2d s1\ntexld r0, t0, s1\ntexld r0, r0, s0\n"
     "mov oC0, r0\n",
     false, 0},
};

/* _i: the case. */
START_TEST(implicit_lod_inputs_are_matched)
{
    struct vm_program *program = shader_program(level_cases[_i].text, &vm_limits_hardware);
    struct vm_options options;
    struct vm_code *code;
    uint64_t slots;
    bool is;

    memset(&options, 0, sizeof(options));
    options.live_outputs = ~UINT64_C(0);
    ck_assert_int_eq(vm_code_create(&code, program, &options), ST_OK);
    is = vm_code_implicit_lod_inputs(code, 0, &slots);
    ck_assert_msg(is == level_cases[_i].is, "%s", level_cases[_i].text);
    if (is)
        ck_assert_int_eq(__builtin_popcountll(slots), level_cases[_i].inputs);
    vm_code_destroy(code);
    vm_program_destroy(program);
}
END_TEST

#define STEPS "mad r1, r0.wzyx, v0, c0\nmad r0, r1.zxyw, r0, v0\n"

/* _i: the case. */
START_TEST(cheap_code_is_known)
{
    static const struct {
        const char *text;
        bool is;
    } cheap[] = {
        {"ps_2_0\ndcl v0\nmov oC0, v0\n", true},
        {"ps_2_0\ndcl v0\ndcl t0\nadd r0, v0, t0\nmul r0, r0, c0\nmov oC0, r0\n", true},
        {"ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n", false},
        {"ps_3_0\ndcl_color v0\nmov r0, v0\nif_gt r0.x, c0.x\nmov r0, c1\nmul r0, r0, v0.y\n"
         "endif\nmov oC0, r0\n",
         false},
        {"ps_2_0\ndcl v0\nmov r0, v0\n" STEPS STEPS STEPS STEPS STEPS "mov oC0, r0\n", false},
    };
    struct vm_program *program = shader_program(cheap[_i].text, &vm_limits_hardware);
    struct vm_options options;
    struct vm_code *code;

    memset(&options, 0, sizeof(options));
    options.live_outputs = ~UINT64_C(0);
    ck_assert_int_eq(vm_code_create(&code, program, &options), ST_OK);
    ck_assert_msg(vm_code_is_cheap(code) == cheap[_i].is, "%s", cheap[_i].text);
    vm_code_destroy(code);
    vm_program_destroy(program);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/pattern_match");
    TCase *tc = tcase_create("patterns");

    tcase_add_loop_test(tc, modulates_are_matched, 0, (int)(sizeof(cases) / sizeof(cases[0])));
    tcase_add_loop_test(tc, scaled_inputs_are_matched, 0,
                        (int)(sizeof(scaled_cases) / sizeof(scaled_cases[0])));
    tcase_add_loop_test(tc, implicit_lod_inputs_are_matched, 0,
                        (int)(sizeof(level_cases) / sizeof(level_cases[0])));
    tcase_add_loop_test(tc, cheap_code_is_known, 0, 5);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
