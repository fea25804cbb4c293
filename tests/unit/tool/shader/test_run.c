/* `novem run-shader`: options, output and errors. */
#include "unit/tool/command.h"

#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "tool/shader/run.h"

static char shader_path[64], rows_path[64], picture_path[64];

static void setup(void)
{
    open_folder();
    path_in_folder(shader_path, "in.txt");
    path_in_folder(rows_path, "rows");
    path_in_folder(picture_path, "a.png");
}

static const char *run(int expected, int argc, const char **given)
{
    char *argv[32] = {"run-shader", shader_path};

    for (int i = 0; i < argc; i++)
        argv[2 + i] = (char *)(uintptr_t)given[i];
    return run_command(tool_run_shader, expected, argc + 2, argv);
}
#define RUN(code, ...)                                                                             \
    run(code, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (const char *[]){__VA_ARGS__})
/* Checks that the command fails with this text in its message. */
#define REFUSES(message, ...)                                                                      \
    do {                                                                                           \
        const char *refused_ = RUN(TOOL_ERROR, __VA_ARGS__);                                       \
        ck_assert_msg(strstr(refused_, message) != NULL, "%s", refused_);                          \
    } while (0)

START_TEST(inputs_and_constants)
{
    write_text(shader_path, "vs_2_0\ndcl_position v0\ndcl_texcoord1 v3\nmad oPos, v0, c1, c2\n"
                            "if b2\nmov oT0.xy, v3\nelse\nmov oT0.xy, -v3\nendif\n");
    ck_assert_str_eq(RUN(TOOL_OK, "--input", "v0=1,2,3", "--input", "TexCoord1=0.5,0x3f000000",
                         "--const", "c1=2,2,2,2/10,0,0,-1", "--bool", "b2=true"),
                     "oPos = 12, 4, 6, 1\noT0.xy = 0.5, 0.5\n");
    ck_assert_str_eq(
        RUN(TOOL_OK, "--input", "position=1,2,3,4", "--input", "v3=-inf,nan", "--const",
            "c1=1,1,1,1", "--hex"),
        "oPos = 3f800000, 40000000, 40400000, 40800000\noT0.xy = 7f800000, ffc00000\n");
    /* A note reports a register without a row, which is 0, 0, 0, 1. */
    ck_assert_str_eq(RUN(TOOL_OK, "--input", "v3=7,8", "--const", "c1=1,1,1,1"),
                     "novem run-shader: note: no --input for v0 (position0), so it is 0,0,0,1\n"
                     "oPos = 0, 0, 0, 1\noT0.xy = -7, -8\n");
}
END_TEST

START_TEST(byte_code_runs_too)
{
    uint32_t *words;
    size_t n;

    ck_assert_int_eq(
        vm_assemble(&words, &n, "vs_3_0\ndcl_color1 v0\ndcl_position o3\nmov o3, v0\n", NULL),
        ST_OK);
    ck_assert_int_eq(tool_file_write(shader_path, words, n * 4), ST_OK);
    mem_free(words);
    ck_assert_str_eq(RUN(TOOL_OK, "--input", "color1=1"), "o3 (position0) = 1, 0, 0, 1\n");
}
END_TEST

START_TEST(rows_are_lanes)
{
    write_text(shader_path, "vs_1_1\ndcl_position v0\ndcl_normal v1\nadd oPos, v0, v1\n");
    ck_assert_str_eq(RUN(TOOL_OK, "--input", "v0=1/2/3", "--input", "v1=10,0,0,0/20,0,0,0"),
                     "lane 0: oPos = 11, 0, 0, 1\nlane 1: oPos = 22, 0, 0, 1\n"
                     "lane 2: oPos = 23, 0, 0, 1\n");
    write_text(rows_path, "# two lanes\nnormal v0\n\n1,1,1,1   5 # here\n2,2,2,2\t6,6\n");
    ck_assert_str_eq(RUN(TOOL_OK, "--inputs", rows_path),
                     "lane 0: oPos = 6, 1, 1, 2\nlane 1: oPos = 8, 8, 2, 3\n");
    ck_assert_str_eq(RUN(TOOL_OK, "--inputs", rows_path, "--lane", "1"),
                     "lane 1: oPos = 8, 8, 2, 3\n");
}
END_TEST

/* More lanes than a batch holds. */
START_TEST(many_rows)
{
    char rows[4096] = "v0\n", expected[64];
    const char *printed;

    for (unsigned i = 0; i < 3 * VM_LANES + 1; i++)
        snprintf(rows + strlen(rows), sizeof(rows) - strlen(rows), "%u\n", i);
    write_text(rows_path, rows);
    write_text(shader_path, "vs_1_1\ndcl_position v0\nmov oPos, v0.x\n");
    for (unsigned i = 0; i < 3 * VM_LANES + 1; i += VM_LANES) {
        char lane[16];

        snprintf(lane, sizeof(lane), "%u", i);
        snprintf(expected, sizeof(expected), "lane %u: oPos = %u, %u, %u, %u\n", i, i, i, i, i);
        printed = RUN(TOOL_OK, "--inputs", rows_path, "--lane", lane);
        ck_assert_str_eq(printed, expected);
    }
}
END_TEST

START_TEST(quads_have_derivatives)
{
    write_text(shader_path,
               "ps_3_0\ndcl_texcoord v0.xy\ndcl vPos.xy\ndcl vFace\ndsx r0, v0\n"
               "dsy r1, v0\nadd r0, r0, r1\nmov r0.zw, vPos.xyxy\nmul oC0, r0, vFace\n");
    ck_assert_str_eq(RUN(TOOL_OK, "--input", "v0=1,1@0.5,0@0,0.25"),
                     "lane 0: oC0 = 0.5, 0.25, 0, 0\nlane 1: oC0 = 0.5, 0.25, 1, 0\n"
                     "lane 2: oC0 = 0.5, 0.25, 0, 1\nlane 3: oC0 = 0.5, 0.25, 1, 1\n");
    ck_assert_ptr_nonnull(
        strstr(RUN(TOOL_OK, "--input", "v0=1/2", "--quad"), "lane 7: oC0 = 0, 0, 3, 1\n"));
    ck_assert_ptr_nonnull(
        strstr(RUN(TOOL_OK, "--input", "v0=1,1", "--input", "vface=-1"), "oC0 = -0, -0, -0, -0\n"));
}
END_TEST

START_TEST(killed_lanes_are_named)
{
    write_text(shader_path, "ps_2_0\ndcl t0\ntexkill t0\nmov oC0, t0\n");
    ck_assert_str_eq(RUN(TOOL_OK, "--input", "t0=1/-1"),
                     "lane 0: oC0 = 1, 0, 0, 1\nlane 1: killed\nlane 1: oC0 = -1, 0, 0, 1\n");
}
END_TEST

START_TEST(textures)
{
    uint8_t rgba[] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 0, 0, 0, 0};
    struct tool_image image = {2, 2, rgba};
    char source[80];

    ck_assert_int_eq(tool_png_write(picture_path, &image, 4), ST_OK);
    snprintf(source, sizeof(source), "s3=%s", picture_path);
    write_text(shader_path, "ps_2_0\ndcl t0\ndcl_2d s3\ntexld r0, t0, s3\nmov oC0, r0\n");
    ck_assert_str_eq(
        RUN(TOOL_OK, "--texture", source, "--input", "t0=0.75,0.25/0.25,0.75/-0.25,1.25"),
        "lane 0: oC0 = 0, 1, 0, 1\nlane 1: oC0 = 0, 0, 1, 1\nlane 2: oC0 = 0, 1, 0, 1\n");
    ck_assert_str_eq(RUN(TOOL_OK, "--texture", source, "--input", "t0=-1,0", "--address", "clamp"),
                     "oC0 = 1, 0, 0, 1\n");
    ck_assert_str_eq(
        RUN(TOOL_OK, "--texture", source, "--input", "t0=0.5,0.25", "--filter", "linear"),
        "oC0 = 0.5, 0.5, 0, 1\n");
    ck_assert_str_eq(
        RUN(TOOL_OK, "--texture", "s3=solid:0.1,2,-3", "--input", "t0=9,9", "--filter", "linear"),
        "oC0 = 0.100000001, 2, -3, 1\n");
    ck_assert_str_eq(RUN(TOOL_OK, "--texture", "s3=checker", "--input", "t0=0/0.125"),
                     "lane 0: oC0 = 1, 1, 1, 1\nlane 1: oC0 = 0, 0, 0, 1\n");
    ck_assert_str_eq(RUN(TOOL_OK, "--input", "t0=0"),
                     "novem run-shader: note: no --texture for s3, so it reads 0,0,0,1\n"
                     "oC0 = 0, 0, 0, 1\n");
    write_text(shader_path, "ps_2_0\ndcl t0\ndcl_cube s0\ndcl_volume s1\ntexld r0, t0, s0\n"
                            "texld r1, t0, s1\nadd r0, r0, r1\nmov oC0, r0\n");
    ck_assert_str_eq(RUN(TOOL_OK, "--input", "t0=1,1,1", "--texture", "s0=solid:1,2,3,4",
                         "--texture", "s1=checker"),
                     "oC0 = 2, 3, 4, 5\n");
}
END_TEST

START_TEST(rules_of_numbers)
{
    write_text(shader_path, "ps_2_0\ndcl t0\nmul r0, t0, c0\nmov oC0, r0\n");
    ck_assert_str_eq(RUN(TOOL_OK, "--input", "t0=0,1,2", "--const", "c0=inf,2,2,2"),
                     "oC0 = 0, 2, 4, 2\n");
    ck_assert_str_eq(RUN(TOOL_OK, "--input", "t0=1,1,2", "--const", "c0=nan,inf,2,2", "--ieee"),
                     "oC0 = nan, inf, 4, 2\n");
}
END_TEST

START_TEST(bump_environment)
{
    write_text(shader_path, "ps_1_4\ntexcrd r0.rgb, t0\ntexcrd r1.rgb, t1\nbem r0.rg, r0, r1\n"
                            "mov r0.a, r0.r\n");
    ck_assert_str_eq(
        RUN(TOOL_OK, "--input", "t0=0,0", "--input", "t1=0.5,0.25", "--bump", "0=1,0.5,0,1/1,0"),
        "r0 = 0.5, 0.5, 0, 0.5\n");
}
END_TEST

START_TEST(traces)
{
    write_text(shader_path, "ps_3_0\ndcl_texcoord v0\ndef c0, 0, 1, 2, 3\ndefi i0, 2, 5, 1, 0\n"
                            "loop aL, i0\nif_gt v0.x, c0.x\nadd r0.xy, r0, c0.y\nendif\nendloop\n"
                            "setp_lt p0.x, v0, c0.x\ntexkill v0\nmov oC0, r0\n");
    ck_assert_str_eq(RUN(TOOL_OK, "--trace", "--input", "v0=-1/1"),
                     "    0  loop aL, i0\n"
                     "          aL = 5\n"
                     "    1  if_gt v0.x, c0.x\n"
                     "    2  add r0.xy, r0, c0.y                         lanes .#\n"
                     "          r0.xy = 1, 1\n"
                     "    3  endif\n"
                     "    4  endloop\n"
                     "          aL = 6\n"
                     "    1  if_gt v0.x, c0.x\n"
                     "    2  add r0.xy, r0, c0.y                         lanes .#\n"
                     "          r0.xy = 2, 2\n"
                     "    3  endif\n"
                     "    4  endloop\n"
                     "          aL = 0\n"
                     "    5  setp_lt p0.x, v0, c0.x\n"
                     "          lane 0   p0.x = 1\n"
                     "          lane 1   p0.x = 0\n"
                     "    6  texkill v0\n"
                     "          lane 0   killed\n"
                     "    7  mov oC0, r0\n"
                     "          lane 0   oC0 = 0, 0, 0, 0\n"
                     "          lane 1   oC0 = 2, 2, 0, 0\n"
                     "\n"
                     "lane 0: killed\n"
                     "lane 0: oC0 = 0, 0, 0, 0\n"
                     "lane 1: oC0 = 2, 2, 0, 0\n");
    ck_assert_str_eq(RUN(TOOL_OK, "--trace", "--input", "v0=-1/1", "--lane", "0"),
                     "    0  loop aL, i0\n"
                     "          aL = 5\n"
                     "    1  if_gt v0.x, c0.x\n"
                     "    3  endif\n"
                     "    4  endloop\n"
                     "          aL = 6\n"
                     "    1  if_gt v0.x, c0.x\n"
                     "    3  endif\n"
                     "    4  endloop\n"
                     "          aL = 0\n"
                     "    5  setp_lt p0.x, v0, c0.x\n"
                     "          p0.x = 1\n"
                     "    6  texkill v0\n"
                     "          lane 0   killed\n"
                     "    7  mov oC0, r0\n"
                     "          oC0 = 0, 0, 0, 0\n"
                     "\n"
                     "lane 0: killed\n"
                     "lane 0: oC0 = 0, 0, 0, 0\n");
}
END_TEST

START_TEST(errors_are_reported)
{
    write_text(shader_path, "vs_1_1\ndcl_position v0\nmov oPos, v0\n");
    REFUSES("has no input v1; it reads v0 (position0)", "--input", "v1=1");
    REFUSES("--input v0: expected v0=1,2,3,4", "--input", "v0");
    REFUSES("--input v0=1,2,3,4,5: expected", "--input", "v0=1,2,3,4,5");
    REFUSES("--input v0=1;2: expected", "--input", "v0=1;2");
    REFUSES("need a pixel shader", "--input", "v0=1@1");
    REFUSES("--const d0=1: expected", "--const", "d0=1");
    REFUSES("--const c8191=1/2: the last register is c8191", "--const", "c8191=1/2");
    REFUSES("--int i0=1.5: expected", "--int", "i0=1.5");
    REFUSES("--int i0=3000000000: expected", "--int", "i0=3000000000");
    REFUSES("--bool b0=2: expected", "--bool", "b0=2");
    REFUSES("--bump 8=1,0,0,1: expected", "--bump", "8=1,0,0,1");
    REFUSES("--texture s16=checker: expected", "--texture", "s16=checker");
    REFUSES("the shader does not read s0", "--texture", "s0=checker");
    REFUSES("--lane 1: there are only 1", "--lane", "1");
    REFUSES("cannot be read", "--inputs", "/nowhere/x");
    write_text(rows_path, "v0\n1,2\n3 4\n");
    REFUSES("rows:3: more than 1 vector\n", "--inputs", rows_path);
    write_text(rows_path, "v0\n1,x\n");
    REFUSES("rows:2: '1,x' is not a vector", "--inputs", rows_path);
    write_text(rows_path, "v0 v1\n1\n");
    REFUSES("rows:2: 1 of 2 vectors", "--inputs", rows_path);
    write_text(rows_path, "# nothing\n");
    REFUSES("a line of names and rows", "--inputs", rows_path);
    write_text(shader_path, "ps_2_0\ndcl t0\ndcl_cube s0\ntexld r0, t0, s0\nmov oC0, r0\n");
    REFUSES("not a readable PNG file", "--texture", "s0=/nowhere/a.png");
    REFUSES("the colour must be r,g,b,a", "--texture", "s0=solid:red");
    REFUSES("--filter cubic", "--filter", "cubic");
    REFUSES("--address border", "--address", "border");
    write_text(shader_path, "vs_1_1\nmov oPos, oPos\n");
    REFUSES(":2:1: vs_1_1: oPos cannot be source 1 of mov", "--trace");
    write_text(shader_path, "ps_2_0\nmov oC0, q0\n");
    REFUSES(":2:10:", "--trace");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/run-shader");
    TCase *t = tcase_create("run-shader");

    tcase_add_checked_fixture(t, setup, close_folder);
    tcase_add_test(t, inputs_and_constants);
    tcase_add_test(t, byte_code_runs_too);
    tcase_add_test(t, rows_are_lanes);
    tcase_add_test(t, many_rows);
    tcase_add_test(t, quads_have_derivatives);
    tcase_add_test(t, killed_lanes_are_named);
    tcase_add_test(t, textures);
    tcase_add_test(t, rules_of_numbers);
    tcase_add_test(t, bump_environment);
    tcase_add_test(t, traces);
    tcase_add_test(t, errors_are_reported);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
