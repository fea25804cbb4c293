/* Kinds of shaders by their content, and texts without comments. */
#include "check_main.h"

#include "tool/hlsl/hlsl.h"
#include "util/alloc.h"

#include <string.h>

static const struct {
    const char *text;
    enum hlsl_kind kind;
} texts[] = {
    {"vs_1_1\ndcl_position v0\n", HLSL_IS_ASSEMBLY},
    {"  ps.1.4\n", HLSL_IS_ASSEMBLY},
    {"PS_2_X\n", HLSL_IS_ASSEMBLY},
    {"; a { comment }\n// another\n/* { */ ps_3_0\nmov oC0, c0\n", HLSL_IS_ASSEMBLY},
    {"#define A \\\n { }\n#include \"x\"\nvs_3_0\n", HLSL_IS_ASSEMBLY},
    {"asm {\nps_2_0\n}\n", HLSL_IS_ASSEMBLY},
    {"decl { stream 0; }", HLSL_IS_HLSL},
    {"#include \"version.inc\"\nmov oC0, c0\n", HLSL_IS_ASSEMBLY},
    {"mov oC0, c0\n", HLSL_IS_ASSEMBLY},
    {"", HLSL_IS_ASSEMBLY},
    {"float4 main() : COLOR { return 1; }", HLSL_IS_HLSL},
    {"// vs_2_0\n#define X 1\nfloat4 vs_2_0() { return X; }", HLSL_IS_HLSL},
    {"vs_output main(vs_input i) { return i; }", HLSL_IS_HLSL},
    {"/* technique */ float4 main() { return 1; } // technique t { pass p { } }", HLSL_IS_HLSL},
    {"float4 my_technique() { return 1; }", HLSL_IS_HLSL},
    {"float4 f() { return 1; }\nTechnique T\n{ pass P { } }", HLSL_IS_EFFECT},
    {"string s = \"technique { }\"; float4 main() { return 1; }", HLSL_IS_HLSL},
};

START_TEST(kinds_of_texts)
{
    const char *text = texts[_i].text;

    ck_assert_msg(hlsl_kind_of(text, strlen(text)) == texts[_i].kind, "%s: %s", text,
                  hlsl_kind_text(hlsl_kind_of(text, strlen(text))));
}
END_TEST

START_TEST(byte_code)
{
    ck_assert_int_eq(hlsl_kind_of("\0\2\376\377", 4), HLSL_IS_BYTE_CODE);
    ck_assert_int_eq(hlsl_kind_of("\0\3\377\377", 4), HLSL_IS_BYTE_CODE);
    ck_assert_int_eq(hlsl_kind_of("\0\3\375\377", 4), HLSL_IS_ASSEMBLY);
    ck_assert_int_eq(hlsl_kind_of("\0\3\377", 3), HLSL_IS_ASSEMBLY);
}
END_TEST

START_TEST(comments)
{
    static const char text[] = "a//b\nc/*d\ne*/f\"g//\"h\"\ni/*";
    char *plain = hlsl_without_comments(text, strlen(text));

    ck_assert_str_eq(plain, "a   \nc   \n   f\"   \"h\"\ni  ");
    mem_free(plain);
}
END_TEST

START_TEST(asm_blocks)
{
    char text[] = "x = // asm {\nasm\n{ ps_2_0\nmov oC0, c0 };\ny";
    char none[] = "asmx { }";

    ck_assert(hlsl_keep_asm_block(text));
    ck_assert_str_eq(text, "            \n   \n  ps_2_0\nmov oC0, c0   \n ");
    ck_assert(!hlsl_keep_asm_block(none));
    ck_assert_str_eq(none, "asmx { }");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/hlsl/kind");
    TCase *t = tcase_create("kind");

    tcase_add_loop_test(t, kinds_of_texts, 0, sizeof(texts) / sizeof(texts[0]));
    tcase_add_test(t, byte_code);
    tcase_add_test(t, comments);
    tcase_add_test(t, asm_blocks);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
