/* Shaders of an effect's passes. */
#include "check_main.h"

#include "tool/hlsl/hlsl.h"
#include "util/alloc.h"

#include <string.h>

static const char effect[] =
    "texture t; // technique No { pass No { } }\n"
    "sampler s = sampler_state { Texture = <t>; };\n"
    "PixelShader shared = compile ps_2_0 shade();\n"
    "float4 shade() : COLOR { return 1; }\n"
    "technique First < string name = \"{\"; >\n"
    "{\n"
    "    pass A { VertexShader = compile vs_1_1 move(); PixelShader = compile ps_2_0 shade(); }\n"
    "    pass B { ZENABLE = TRUE; PixelShader = (shared); VertexShader = NULL; }\n"
    "    pass { PixelShader = compile ps_3_0 shade(true); }\n"
    "}\n"
    "technique Second { pass Only { pixelshader = asm { ps_1_1\n"
    "mov r0, c0\n"
    "}; } }\n"
    "float4 move() { return 2; }\n";

static enum status find(struct hlsl_pass *out, const char *technique, const char *pass, char stage,
                        char error[HLSL_ERROR])
{
    *error = 0;
    return hlsl_effect_pass(out, effect, strlen(effect), technique, pass, stage, error);
}

START_TEST(passes)
{
    static const struct {
        const char *technique, *pass;
        char stage;
        const char *profile, *entry;
    } cases[] = {
        {NULL, NULL, 'v', "vs_1_1", "move"},
        {NULL, NULL, 'p', "ps_2_0", "shade"},
        {"First", "A", 'v', "vs_1_1", "move"},
        {"First", "B", 'p', "ps_2_0", "shade"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char error[HLSL_ERROR];
        struct hlsl_pass pass;

        ck_assert_msg(find(&pass, cases[i].technique, cases[i].pass, cases[i].stage, error) ==
                          ST_OK,
                      "%s", error);
        ck_assert_str_eq(pass.profile, cases[i].profile);
        ck_assert_str_eq(pass.entry, cases[i].entry);
        ck_assert(!pass.is_assembly);
        /* The functions remain, in their lines; the rest is no shader. */
        ck_assert_uint_eq(strlen(pass.text), strlen(effect));
        ck_assert(!strncmp(strstr(effect, "float4 shade") - effect + pass.text,
                           "float4 shade() : COLOR { return 1; }\n", 37));
        ck_assert_ptr_nonnull(strstr(pass.text, "float4 move() { return 2; }\n"));
        ck_assert_ptr_nonnull(strstr(pass.text, "sampler s "));
        ck_assert_ptr_null(strstr(pass.text, "sampler_state"));
        ck_assert_ptr_null(strstr(pass.text, "technique First"));
        ck_assert_ptr_null(strstr(pass.text, "compile"));
        mem_free(pass.text);
    }
}
END_TEST

START_TEST(assembly)
{
    char error[HLSL_ERROR];
    struct hlsl_pass pass;

    ck_assert_int_eq(find(&pass, "Second", NULL, 0, error), ST_OK);
    ck_assert(pass.is_assembly);
    ck_assert_str_eq(pass.text + strspn(pass.text, " \n"), "ps_1_1\nmov r0, c0\n      \n"
                                                           "                           \n");
    mem_free(pass.text);
}
END_TEST

START_TEST(errors)
{
    static const struct {
        const char *technique, *pass;
        char stage;
        const char *error;
    } cases[] = {
        {"Third", NULL, 0, "there is no technique 'Third', but First, Second"},
        {NULL, "C", 0, "there is no pass 'C', but A, B, one without a name"},
        {NULL, NULL, 0, "the pass has a vertex shader and a pixel shader: -T vs or -T ps chooses"},
        {"Second", NULL, 'v', "the pass has no vertex shader"},
        {NULL, "B", 'v', "8:69: the pass has no such shader: it is NULL"},
        {NULL, "", 'p', "9:46: a shader with arguments cannot be compiled here"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char error[HLSL_ERROR];
        struct hlsl_pass pass;

        ck_assert_int_eq(find(&pass, cases[i].technique, cases[i].pass, cases[i].stage, error),
                         ST_INVALID);
        ck_assert_str_eq(error, cases[i].error);
        ck_assert_ptr_null(pass.text);
    }
}
END_TEST

/* Texts that end anywhere are errors or passes, and nothing leaks. */
START_TEST(damaged_texts)
{
    int64_t live = mem_live_blocks();

    for (size_t n = 0; n < strlen(effect); n++)
        for (size_t k = 0; k < 3; k++) {
            char error[HLSL_ERROR];
            struct hlsl_pass pass;
            enum status st =
                hlsl_effect_pass(&pass, effect, n, k == 2 ? "Second" : NULL, NULL, "vpp"[k], error);

            if (st == ST_OK)
                mem_free(pass.text);
            ck_assert_int_eq(mem_live_blocks(), live);
        }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/hlsl/effect");
    TCase *t = tcase_create("effect");

    tcase_add_test(t, passes);
    tcase_add_test(t, assembly);
    tcase_add_test(t, errors);
    tcase_add_test(t, damaged_texts);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
