/* Shaders of all kinds as files: recognition, compilers, messages, lines. */
#include "unit/tool/command.h"

#include "tool/shader/shader.h"
#include "util/path.h"

static char shader_path[64], code_path[64];

static void setup(void)
{
    static char library[PATH_TEXT_BYTES + 32];
    char path[PATH_TEXT_BYTES];
    const char *name = path_of_program(path, sizeof(path));

    open_folder();
    path_in_folder(shader_path, "in.txt");
    path_in_folder(code_path, "out.bin");
    snprintf(library, sizeof(library), "%.*s../hlsl/fake_vkd3d.so", (int)(name - path), path);
    hlsl_library = library;
    hlsl_program = "/nowhere/novem-hlsl.exe";
}

#define RUN(command, code, ...)                                                                    \
    run_command(command, code, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *),             \
                (char *[]){__VA_ARGS__, NULL})
#define SAYS(text, command, code, ...)                                                             \
    do {                                                                                           \
        const char *said = RUN(command, code, __VA_ARGS__);                                        \
        ck_assert_msg(strstr(said, text) != NULL, "%s", said);                                     \
    } while (0)

START_TEST(hlsl)
{
    write_text(shader_path, "float4 main() : COLOR { return 1; }\n");
    SAYS("in.txt: is HLSL: -T PROFILE says what to compile it for", tool_asm, TOOL_ERROR, "asm",
         shader_path);
    SAYS("in.txt: 'ps_4_0' is no profile of Direct3D 9", tool_asm, TOOL_ERROR, "asm", shader_path,
         "-T", "ps_4_0");
    /* Warnings are passed on. */
    SAYS("in.txt:1:1: W1: main ps_2_0 \n", tool_asm, TOOL_OK, "asm", shader_path, "-T", "ps_2_0",
         "-o", code_path);
    SAYS("    mov oC0, c0\n", tool_dis, TOOL_OK, "dis", code_path);
    SAYS(": W1: shade ps_2_0 A=1 B=2 \n", tool_asm, TOOL_OK, "asm", shader_path, "-T", "ps_2_0",
         "-E", "shade", "-D", "A", "-D", "B=2", "-o", code_path);
    SAYS("oC0 = 3, 4, 5, 6\n", tool_run_shader, TOOL_OK, "run-shader", shader_path, "-T", "ps_2_0",
         "--const", "c0=3,4,5,6");
    write_text(shader_path, "error { }\n");
    SAYS("in.txt:3:5: E5000: syntax error\nnovem asm: ", tool_asm, TOOL_ERROR, "asm", shader_path,
         "-T", "ps_2_0");
    /* No braces: only --hlsl says what it is. */
    write_text(shader_path, "#include \"all.fxh\"\n");
    SAYS("'all.fxh' cannot be read", tool_asm, TOOL_ERROR, "asm", shader_path, "-I", "/nowhere");
    SAYS(":1:1: E4002", tool_asm, TOOL_ERROR, "asm", shader_path, "--hlsl", "-T", "ps_2_0");
}
END_TEST

START_TEST(no_compiler)
{
    write_text(shader_path, "float4 main() : COLOR { return 1; }\n");
    hlsl_library = "libvkd3d-nowhere.so.1";
    SAYS("in.txt: is HLSL, and no compiler for it is installed: install Wine", tool_asm, TOOL_ERROR,
         "asm", shader_path, "-T", "ps_2_0");
}
END_TEST

START_TEST(effects)
{
    write_text(shader_path,
               "float4 shade() : COLOR { return 1; }\n"
               "technique T {\n"
               "pass P { VertexShader = compile vs_2_0 move(); PixelShader = compile ps_2_0 "
               "shade(); }\n"
               "pass Q { VertexShader = asm { vs_1_1\nmov oPos, q\n }; } }\n");
    SAYS("in.txt: the pass has a vertex shader and a pixel shader", tool_asm, TOOL_ERROR, "asm",
         shader_path);
    SAYS(": W1: shade ps_2_0", tool_asm, TOOL_OK, "asm", shader_path, "-T", "ps", "-o", code_path);
    SAYS(": W1: shade ps_3_0", tool_asm, TOOL_OK, "asm", shader_path, "-T", "ps_3_0", "-o",
         code_path);
    SAYS(": W1: move vs_2_0", tool_asm, TOOL_OK, "asm", shader_path, "-T", "vs", "--pass", "P",
         "-o", code_path);
    SAYS("in.txt:5:11: a register is expected, not 'q'", tool_asm, TOOL_ERROR, "asm", shader_path,
         "--pass", "Q");
    SAYS("in.txt: there is no technique 'U', but T", tool_asm, TOOL_ERROR, "asm", shader_path,
         "--technique", "U");
}
END_TEST

/* Assembly needs no ending, and blocks of effects are assembly. */
START_TEST(assembly)
{
    write_text(shader_path, "asm {\n    vs_1_1\n    mov oPos, q\n}\n");
    SAYS("in.txt:3:15: a register is expected, not 'q'", tool_asm, TOOL_ERROR, "asm", shader_path);
    write_text(shader_path, "; comment\nasm {\n    vs_1_1\n    mov oPos, c0\n}\n");
    SAYS("0xfffe0101,", tool_asm, TOOL_OK, "asm", shader_path);
    RUN(tool_asm, TOOL_OK, "asm", shader_path, "-o", code_path);
    SAYS("out.bin: is byte code already (see novem dis)", tool_asm, TOOL_ERROR, "asm", code_path);
    ck_assert_int_eq(tool_file_write(shader_path, "a\0b", 3), ST_OK);
    SAYS("is neither a text nor byte code", tool_asm, TOOL_ERROR, "asm", shader_path);
    write_text(shader_path, "float4 main() { return 1; }");
    SAYS("in.txt: is HLSL, not byte code (novem asm makes it)", tool_dis, TOOL_ERROR, "dis",
         shader_path);
}
END_TEST

/* All errors are printed up to a number, in order; then a count follows. */
START_TEST(many_errors)
{
    char text[1024] = "vs_1_1\n", expected[64];
    const char *said, *at;

    for (int i = 0; i < 23; i++)
        strcat(text, "foo r0, r1\n");
    write_text(shader_path, text);
    said = at = RUN(tool_asm, TOOL_ERROR, "asm", shader_path);
    for (int i = 0; i < TOOL_ERRORS_SHOWN; i++) {
        snprintf(expected, sizeof(expected), "in.txt:%d:1: 'foo'", i + 2);
        ck_assert_msg((at = strstr(at, expected)) != NULL, "%s", said);
    }
    ck_assert_ptr_nonnull(strstr(at, "in.txt: and 3 more errors\n"));
    ck_assert_ptr_null(strstr(said, ":22:"));

    write_text(shader_path, "ps_2_0\ndcl t0\nmov r0, r7\n\ntexld r1, t0, s0\nmov oC0, r0\n");
    said = RUN(tool_asm, TOOL_ERROR, "asm", shader_path);
    ck_assert_ptr_nonnull(at = strstr(said, "in.txt:3:1: ps_2_0: r7 is read"));
    ck_assert_ptr_nonnull(strstr(at, "in.txt:5:1: ps_2_0: s0 is used without"));
    RUN(tool_asm, TOOL_OK, "asm", shader_path, "--no-check", "-o", code_path);
    said = RUN(tool_dis, TOOL_ERROR, "dis", code_path);
    ck_assert_ptr_nonnull(at = strstr(said, "out.bin: word 4: ps_2_0: r7 is read"));
    ck_assert_ptr_nonnull(strstr(at, "out.bin: word 7: ps_2_0: s0 is used without"));
}
END_TEST

/* ps_2_0 with a debug comment: mov r0, c0 is line 5 of x.hlsl, mov oC0, r0 line 9. */
START_TEST(lines_of_a_compiler)
{
    static const char debug[] =
        "ps_2_0\n#pragma comment 18 0x47554244 40 0 0 1 40 2 44 0 0 0 60 5 80 9 92 "
        "0x6c682e78 0x006c73\nmov r0, c0\nmov oC0, r0\n";

    write_text(shader_path, debug);
    RUN(tool_asm, TOOL_OK, "asm", shader_path, "-o", code_path);
    SAYS("    // x.hlsl:5\n    mov r0, c0\n    // x.hlsl:9\n    mov oC0, r0\n", tool_dis, TOOL_OK,
         "dis", code_path);
    SAYS("       // x.hlsl:5\n    0  mov r0, c0\n", tool_run_shader, TOOL_OK, "run-shader",
         code_path, "--trace");
    SAYS("       // line:3\n    0  mov r0, c0\n", tool_run_shader, TOOL_OK, "run-shader",
         shader_path, "--trace", "--lines");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/shader/load");
    TCase *t = tcase_create("load");

    tcase_add_checked_fixture(t, setup, close_folder);
    tcase_add_test(t, hlsl);
    tcase_add_test(t, no_compiler);
    tcase_add_test(t, effects);
    tcase_add_test(t, assembly);
    tcase_add_test(t, many_errors);
    tcase_add_test(t, lines_of_a_compiler);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
