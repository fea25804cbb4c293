/* `novem cost`: output, options, comparison, exit codes. */
#include "unit/tool/command.h"

#include "machine_code.h"
#include "tool/cost/cost.h"
#include "tool/shader/shader.h"
#include "util/cpu.h"
#include "vm/vm.h"

#include <cjson/cJSON.h>

static char shader_path[64], other_path[64], base_path[64];

static void setup(void)
{
    open_folder();
    path_in_folder(shader_path, "a.psh");
    path_in_folder(other_path, "b.vsh");
    path_in_folder(base_path, "base.json");
    write_text(shader_path, "; range texcoord0 -1 1\nps_2_0\ndef c0, 1, 2, 3, 4\ndcl t0\n"
                            "dcl_2d s0\ntexld r0, t0, s0\nmul r1, r0, r0\nadd r0, r1, c1\n"
                            "mul r1, c0, c2.x\nmul r0, r0, r1\nmov oC0, r0\n");
    write_text(other_path, "vs_2_0\ndcl_position v0\nmov oPos, v0\n");
}

static const char *run(int expected, int argc, const char **given)
{
    char *argv[32] = {"cost", "--seconds", "0.02"};

    for (int i = 0; i < argc; i++)
        argv[3 + i] = (char *)(uintptr_t)given[i];
    return run_command(tool_cost, expected, argc + 3, argv);
}
#define RUN(code, ...)                                                                             \
    run(code, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (const char *[]){__VA_ARGS__})
#define REFUSES(message, ...)                                                                      \
    do {                                                                                           \
        const char *refused_ = RUN(TOOL_ERROR, __VA_ARGS__);                                       \
        ck_assert_msg(strstr(refused_, message) != NULL, "%s", refused_);                          \
    } while (0)
#define SAYS(text, message) ck_assert_msg(strstr(text, message) != NULL, "%s", text)

START_TEST(one_shader_makes_a_page)
{
    const char *text = RUN(TOOL_OK, shader_path);

    SAYS(text, "a.psh: ps_2_0\n\ntime ");
    SAYS(text, " ns");
    SAYS(text, "slots         6 of 96; texture 1 of 32, arithmetic 5 of 64\n"
               "registers     r# 2 of 12, c# 3 of 32, s# 1 of 16\n"
               "path          6 slots, 6 instructions, 1 texture reads\n");
    SAYS(text, "  lane    0  texld r0, t0, s0\n");
    SAYS(text, "  draw    3  mul r1, c0, c2.x\n");
    SAYS(text, "entry and exit\n");
}
END_TEST

START_TEST(several_shaders_make_a_table)
{
    const char *text = RUN(TOOL_OK, other_path, shader_path), *first = strstr(text, "a.psh");

    SAYS(text, "  slots  longest  reads     r# spills  model   shader\n");
    /* The costliest is first. */
    ck_assert_msg(first && first < strstr(text, "b.vsh"), "%s", text);
    text = RUN(TOOL_OK, other_path, shader_path, "--csv");
    SAYS(text, "shader,instruction,text,rate,share,ns,cycles,machine instructions,"
               "file,line\n");
    SAYS(text, "a.psh\",3,\"mul r1, c0, c2.x\",draw,");
}
END_TEST

/* The figures of a shader in JSON. */
static cJSON *figures(const char *text, const cJSON **shader)
{
    cJSON *all = cJSON_Parse(text);

    *shader = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(all, "shaders"), 0);
    ck_assert_ptr_nonnull(*shader);
    return all;
}

static double number(const cJSON *o, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);

    return cJSON_IsNumber(item) ? item->valuedouble : -1.0;
}

START_TEST(json_has_all_figures)
{
    const cJSON *shader, *line;
    cJSON *all = figures(RUN(TOOL_OK, shader_path, "--json"), &shader);

    ck_assert(number(shader, "ns") > 0.0);
    ck_assert(number(shader, "spread") >= 0.0 && number(shader, "difference") >= 0.0);
    ck_assert_double_eq(number(shader, "lanes"), 64.0);
    ck_assert_double_eq(number(shader, "slots"), 6.0);
    ck_assert_double_eq(number(shader, "slots_limit"), 96.0);
    line = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(shader, "instructions"), 3);
    ck_assert_double_eq(number(line, "operations_draw"), 4.0);
    ck_assert_double_eq(number(line, "operations_lane"), 0.0);
    cJSON_Delete(all);
}
END_TEST

/* mov r0, c0 is line 5 of x.hlsl, the others are of line 9. */
START_TEST(lines_of_the_source)
{
    static const char debug[] = "ps_2_0\n#pragma comment 20 0x47554244 40 0 0 1 40 3 44 0 0 0 68 "
                                "5 88 9 100 9 112 0x6c682e78 0x006c73\n"
                                "mov r0, c0\nadd r0, r0, c1\nmov oC0, r0\n";
    char code_path[64];
    char *assemble[] = {"asm", shader_path, "-o", code_path, NULL};
    const cJSON *shader, *line;
    const char *text;
    cJSON *all;

    path_in_folder(code_path, "debug.bin");
    write_text(shader_path, debug);
    run_command(tool_asm, TOOL_OK, 4, assemble);
    text = RUN(TOOL_OK, code_path);
    SAYS(text, "// x.hlsl:5\n");
    SAYS(text, "  0  mov r0, c0\n");
    SAYS(strstr(text, "x.hlsl:5"), "// x.hlsl:9\n");
    ck_assert_ptr_null(strstr(strstr(text, "x.hlsl:9") + 1, "x.hlsl")); /* once for both */
    SAYS(RUN(TOOL_OK, code_path, "--csv"), ",\"x.hlsl\",5\n");
    all = figures(RUN(TOOL_OK, code_path, "--json"), &shader);
    line = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(shader, "instructions"), 2);
    ck_assert_double_eq(number(line, "line"), 9.0);
    ck_assert_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "file")),
                     "x.hlsl");
    cJSON_Delete(all);

    /* Assembly is what the page shows already. */
    ck_assert_ptr_null(strstr(RUN(TOOL_OK, shader_path), "//"));
    all = figures(RUN(TOOL_OK, shader_path, "--json"), &shader);
    line = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(shader, "instructions"), 2);
    ck_assert_double_eq(number(line, "line"), 5.0);
    ck_assert_ptr_null(cJSON_GetObjectItemCaseSensitive(line, "file"));
    cJSON_Delete(all);
}
END_TEST

/* An input that the command line gives takes part: without the loop there is less to do. */
START_TEST(options_set_inputs_and_constants)
{
    double few, many;
    const cJSON *shader;
    cJSON *all;

    write_text(other_path, "vs_2_0\ndcl_position v0\nmov r0, v0\nrep i3\nmad r0, r0, r0, v0\n"
                           "endrep\nmov oPos, r0\n");
    SAYS(RUN(TOOL_OK, other_path, "--int", "i3=9,0,0"), "32 slots, 21 instructions");
    all = figures(RUN(TOOL_OK, other_path, "--json", "--int", "i3=1,0,0"), &shader);
    few = number(shader, "machine_instructions");
    cJSON_Delete(all);
    all = figures(RUN(TOOL_OK, other_path, "--json", "--int", "i3=9,0,0"), &shader);
    many = number(shader, "machine_instructions");
    cJSON_Delete(all);
    ck_assert_msg(few < 0.0 || many > 2.0 * few, "%g %g", few, many);
    SAYS(RUN(TOOL_OK, other_path, "--input", "v0=1,2,3,4/5", "--interpret"),
         "of the processor are not counted: the shader is interpreted");
    SAYS(RUN(TOOL_OK, shader_path, "--texture", "s0=solid:1,0,0,1", "--filter", "point"), "ps_2_0");
}
END_TEST

START_TEST(machine_code_has_the_instructions)
{
    const char *text = RUN(TOOL_OK, shader_path, "--machine-code");

    SAYS(text, "\nmachine code of ");
    if (strstr(text, "none: the shader is interpreted"))
        return;
    SAYS(text, "\n2: add r0, r1, c1\n");
    SAYS(text, "\nentry and exit:\n");
    /* Objdump's text or bytes. */
    ck_assert_msg(strstr(text, "ret") || strstr(text, " c3"), "%s", text);
}
END_TEST

/* Writes a base with these figures. */
static void write_base(double instructions, double ns)
{
    char text[512];

    snprintf(text, sizeof(text),
             "{\"shaders\": [{\"shader\": \"%s\", \"isa\": \"%s\", \"compiled\": %s, \"calm\": "
             "false, \"ns\": %g, \"machine_instructions\": %g}]}",
             shader_path, cpu_isa_name(cpu_isa()), has_machine_code(cpu_isa()) ? "true" : "false",
             ns, instructions);
    write_text(base_path, text);
}

START_TEST(comparison_has_exit_codes)
{
    const cJSON *shader;
    cJSON *all = figures(RUN(TOOL_OK, shader_path, "--json"), &shader);
    double counted = number(shader, "machine_instructions");

    cJSON_Delete(all);
    ck_assert_str_eq(RUN(TOOL_OK, shader_path, "--json", "-o", base_path), "");
    if (counted > 0.0) {
        write_base(counted * 1.01, 1e-6);
        SAYS(RUN(TOOL_OK, shader_path, "--compare", base_path), "instructions");
        write_base(counted / 1.5, 1e9);
        SAYS(RUN(TOOL_DIFFERS, shader_path, "--compare", base_path), "+50.0 %  WORSE");
        SAYS(RUN(TOOL_OK, shader_path, "--compare", base_path, "--tolerance", "60"), "+50.0 %\n");
        write_base(counted * 2.0, 1e-6);
        SAYS(RUN(TOOL_OK, shader_path, "--compare", base_path), "-50.0 %  better");
    }
    /* Times of a machine that was not calm are no reason. */
    write_base(-1.0, 1e-6);
    SAYS(RUN(TOOL_OK, shader_path, "--compare", base_path), "not judged");
    SAYS(RUN(TOOL_OK, other_path, "--compare", base_path), "  new: ");
}
END_TEST

START_TEST(bad_input_is_refused)
{
    char text[64];

    REFUSES("--isa mmx: scalar, sse2, neon, avx2 or avx512", shader_path, "--isa", "mmx");
    if (!cpu_has_isa(ISA_NEON))
        REFUSES("--isa neon: this processor or build lacks it", shader_path, "--isa", "neon");
    REFUSES("/nowhere/x: No such file", "/nowhere/x");
    REFUSES("Is a directory", folder);
    REFUSES("only one of", shader_path, "--json", "--csv");
    REFUSES("only one of", shader_path, "--json", "--machine-code");
    REFUSES("more than 0", shader_path, "--seconds", "0");
    REFUSES("--tolerance needs a number, not '-1'", shader_path, "--tolerance", "-1");
    REFUSES("is a shader", shader_path, "-o", shader_path);
    REFUSES("/nowhere/x cannot be written", shader_path, "-o", "/nowhere/x");
    REFUSES("the shader has no input v9", shader_path, "--input", "v9=1");
    REFUSES("the shader does not read s1", shader_path, "--texture", "s1=checker");
    REFUSES("/nowhere/x: No such file", shader_path, "--compare", "/nowhere/x");
    write_text(base_path, "{\"shaders\": [");
    REFUSES("not valid JSON", shader_path, "--compare", base_path);
    write_text(base_path, "[1, 2]");
    REFUSES("these are no costs", shader_path, "--compare", base_path);
    REFUSES("is the base", shader_path, "--compare", base_path, "-o", base_path);
    write_text(base_path, "{\"shaders\": [1, {\"shader\": 3}, {\"shader\": null}, []]}");
    SAYS(RUN(TOOL_OK, shader_path, "--compare", base_path), "  new: ");
    write_text(other_path, "This is not a shader.\n");
    REFUSES("b.vsh", other_path);
    write_text(other_path, "");
    REFUSES("b.vsh", other_path);
    memcpy(text, "\x00\x02\xff\xff\x01", 5);
    ck_assert_int_eq(tool_file_write(other_path, text, 5), ST_OK);
    REFUSES("b.vsh: word", other_path);
    /* A good shader does not hide a bad one. */
    REFUSES("b.vsh: word", shader_path, other_path);
}
END_TEST

START_TEST(a_full_disk_is_noticed)
{
    if (access("/dev/full", W_OK))
        return;
    REFUSES("/dev/full cannot be written", shader_path, "-o", "/dev/full");
    REFUSES("/dev/full cannot be written", shader_path, "--json", "-o", "/dev/full");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/cost");
    TCase *t = tcase_create("cost");

    tcase_add_checked_fixture(t, setup, close_folder);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, one_shader_makes_a_page);
    tcase_add_test(t, several_shaders_make_a_table);
    tcase_add_test(t, json_has_all_figures);
    tcase_add_test(t, lines_of_the_source);
    tcase_add_test(t, options_set_inputs_and_constants);
    tcase_add_test(t, machine_code_has_the_instructions);
    tcase_add_test(t, comparison_has_exit_codes);
    tcase_add_test(t, bad_input_is_refused);
    tcase_add_test(t, a_full_disk_is_noticed);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
