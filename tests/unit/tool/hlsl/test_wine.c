/* HLSL through Wine: a script stands in for `wine` and checks the command line, the exit codes and
 * the messages. */
#include "unit/tool/command.h"

#include "tool/hlsl/compiler.h"

#include <sys/stat.h>

static char wine[64], program[64];

static void setup(void)
{
    open_folder();
    path_in_folder(wine, "wine");
    path_in_folder(program, "novem-hlsl.exe");
    write_text(program, "");
    hlsl_program = program;
    hlsl_library = "libvkd3d-nowhere.so.1";
    setenv("WINE", wine, 1);
}

/* What `wine` does, in the language of the shell. */
static void script(const char *text)
{
    char whole[1024];

    snprintf(whole, sizeof(whole), "#!/bin/sh\n%s", text);
    write_text(wine, whole);
    ck_assert_int_eq(chmod(wine, 0700), 0);
}

static void check(const char *profile, enum status expected, const char *messages)
{
    static const struct hlsl_define define[] = {{"A", "1 2"}};
    static const char *const folders[] = {"inc"};
    static const char text[] = "float4 main() {}\n";
    struct hlsl_source source = {.text = text,
                                 .n = sizeof(text) - 1,
                                 .name = "a.hlsl",
                                 .entry = "main",
                                 .profile = profile,
                                 .define = define,
                                 .n_defines = 1,
                                 .folder = folders,
                                 .n_folders = 1};
    struct hlsl_result result = {.words = NULL};

    ck_assert_int_eq(hlsl_compile(&result, &source), expected);
    ck_assert_msg(strstr(result.messages, messages) != NULL, "%s", result.messages);
    ck_assert((result.words != NULL) == (expected == ST_OK));
    if (result.words) {
        ck_assert_uint_eq(result.n, 2);
        ck_assert_uint_eq(result.words[0], 0xffff0200);
    }
    hlsl_result_fini(&result);
}

/* What novem-hlsl.exe prints: other bytes, the mark, two words. */
#define OUTPUT "printf ' novem-hlsl: byte code\\n\\%d\\0\\0\\0%s '\n"
#define CODE "\\0\\2\\377\\377\\377\\377\\0\\0"

START_TEST(compiles)
{
    char expected[128], text[256];

    snprintf(text, sizeof(text), "read first\nprintf '%%s|' \"$@\" \"$first\" >&2\n" OUTPUT, 2,
             CODE);
    script(text);
    snprintf(expected, sizeof(expected), "%s|main|ps_2_0|a.hlsl|-D|A|1 2|-I|inc|float4 main() {}|",
             program);
    check("ps_2_0", ST_OK, expected);
    script("printf 'a.hlsl:1:2: E1: wrong\\r\\n' >&2\nexit 1\n");
    check("ps_2_0", ST_INVALID, "a.hlsl:1:2: E1: wrong\n");
    check("ps_4_0", ST_INVALID, "'ps_4_0' is no profile of Direct3D 9");
}
END_TEST

START_TEST(outputs_that_are_no_byte_code)
{
    static const struct {
        int words;
        const char *code;
    } cases[] = {{2, "DXBC1234"}, {3, CODE}, {1, CODE}, {2, "\\0\\2"}};
    char text[256];

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        snprintf(text, sizeof(text), OUTPUT, cases[i].words, cases[i].code);
        script(text);
        check("ps_2_0", ST_INVALID, "no byte code of Direct3D 9");
    }
    script("printf 'novem-hlsl: byte code\\n12'\n");
    check("ps_2_0", ST_INVALID, "no byte code of Direct3D 9");
    script("printf 'novem-hlsl'\n");
    check("ps_2_0", ST_INVALID, "no byte code of Direct3D 9");
}
END_TEST

/* Without a compiler the messages say what to install, and what was missing. */
START_TEST(what_is_missing)
{
    script("exit 3\n");
    check("ps_2_0", ST_UNSUPPORTED, "(Debian: apt install wine), or vkd3d-shader 1.3 or later");
    check("ps_2_0", ST_UNSUPPORTED,
          "libvkd3d-nowhere.so.1 is not there; Wine lacks d3dcompiler_47");
    script("echo 'no display' >&2\nexit 53\n");
    check("ps_2_0", ST_UNSUPPORTED, "Wine fails to run novem-hlsl.exe: no display");
    ck_assert_int_eq(unlink(wine), 0);
    check("ps_2_0", ST_UNSUPPORTED, "; Wine is not installed)");
    hlsl_program = "/nowhere/novem-hlsl.exe";
    check("ps_2_0", ST_UNSUPPORTED, "novem-hlsl.exe, which compiles under Wine, is neither built");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/hlsl/wine");
    TCase *t = tcase_create("wine");

    tcase_add_checked_fixture(t, setup, close_folder);
    tcase_add_test(t, compiles);
    tcase_add_test(t, outputs_that_are_no_byte_code);
    tcase_add_test(t, what_is_missing);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
