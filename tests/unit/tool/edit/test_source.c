/* Shaders of changes as texts: kinds, messages, and files that a text must not read. */
#include "unit/tool/command.h"

#include "tool/edit/source.h"
#include "tool/hlsl/hlsl.h"
#include "util/path.h"

static struct edit edit;
static char error[EDIT_TEXT];

static void setup(void)
{
    static char library[PATH_TEXT_BYTES + 32];
    char path[PATH_TEXT_BYTES];
    const char *name = path_of_program(path, sizeof(path));

    open_folder();
    snprintf(library, sizeof(library), "%.*s../hlsl/fake_vkd3d.so", (int)(name - path), path);
    hlsl_library = library;
    hlsl_program = "/nowhere/novem-hlsl.exe";
    edit.n = 0;
    *error = 0;
}

static void teardown(void)
{
    edit_fini(&edit);
    close_folder();
}

static bool add(const char *text, const char *profile)
{
    const struct edit_source source = {NULL, profile};

    return edit_add_text(&edit, true, text, &source, error);
}

static const char hlsl[] = "float4 main() : COLOR { return 1; }\n";

START_TEST(kinds_are_told_by_contents)
{
    ck_assert_msg(add("ps_2_0\nmov oC0, c0\n", NULL), "%s", error);
    edit_fini(&edit);
    ck_assert_msg(add("asm {\nps_2_0\nmov oC0, c0\n}\n", "ps_3_0"), "%s", error);
    ck_assert_uint_eq(edit.change[0].code[0], 0xffff0200);
    edit_fini(&edit);
    ck_assert_msg(add(hlsl, "ps_2_0"), "%s", error);
    ck_assert_uint_eq(edit.change[0].code[0], 0xffff0200);
    edit_fini(&edit);
    ck_assert_msg(add("float4 f() : COLOR { return 1; }\n"
                      "technique t { pass p { PixelShader = compile ps_2_0 f(); } }\n",
                      NULL),
                  "%s", error);
    ck_assert_uint_eq(edit.n, 1);
}
END_TEST

START_TEST(errors_have_lines)
{
    ck_assert(!add(hlsl, NULL));
    ck_assert_str_eq(error, "is HLSL, which needs a profile, such as ps_3_0");
    ck_assert(!add(hlsl, "ps_4_0"));
    ck_assert_ptr_nonnull(strstr(error, "'ps_4_0' is no profile"));
    ck_assert(!add("error { }\n", "ps_2_0"));
    ck_assert_msg(!strncmp(error, "3:5: E5000: syntax error", 24), "%s", error);
    ck_assert(!add("ps_2_0\nmov oC0, q7\n", NULL));
    ck_assert_msg(!strncmp(error, "2:10:", 5), "%s", error);
    ck_assert(!add("float4 f() : COLOR { return 1; } technique t { pass p { } }\n", NULL));
    ck_assert_str_eq(error, "the pass has no pixel shader");
    hlsl_library = "libvkd3d-nowhere.so.1";
    ck_assert(!add(hlsl, "ps_2_0"));
    ck_assert_ptr_nonnull(strstr(error, "no compiler for it is installed"));
    ck_assert_uint_eq(edit.n, 0);
}
END_TEST

/* A text of a page must not read files of this machine. */
START_TEST(files_are_not_read)
{
    static const char *const cases[] = {
        "#include \"/etc/passwd\"\n%s",
        "\n  #  include </etc/passwd>\n%s",
        "#/**/include \"x\"\n%s",
        "#\\\ninclude \"x\"\n%s",
        "#inc\\\nlude \"x\"\n%s",
        "%s\n# /* a\n */ include \"x\"",
        "/\\\n* a *\\\n/ #include \"x\"\n%s",
    };
    char text[256];

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        snprintf(text, sizeof(text), cases[i], hlsl);
        ck_assert_msg(!add(text, "ps_2_0"), "%s", text);
        ck_assert_msg(strstr(error, "#include is not possible here") != NULL, "%s: %s", text,
                      error);
    }
    snprintf(text, sizeof(text),
             "#define A(x) x ## 1\n#if 1\n# pragma pack_matrix(row_major)\n#endif\n%s", hlsl);
    ck_assert_msg(add(text, "ps_2_0"), "%s", error);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/edit/source");
    TCase *t = tcase_create("source");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, kinds_are_told_by_contents);
    tcase_add_test(t, errors_have_lines);
    tcase_add_test(t, files_are_not_read);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
