/* Macros of the assembler: texts compared with the same shader without macros. */
#include "expansion.h"

/* clang-format off */
static const struct {
    const char *text, *plain;
} texts[] = {
    {"#define N 4\nvs_1_1\nmov r0, c[N]\nmov r1, c[N + a0.x]", "vs_1_1\nmov r0, c4\nmov r1, c4[a0.x]"},
    {"#define A B\n#define B c3 // three\nvs_1_1\nmov r0, A.x", "vs_1_1\nmov r0, c3.x"},
    {"#define A c0\n#undef A\n#define A c1\nvs_1_1\nmov r0, A", "vs_1_1\nmov r0, c1"},
    /* A macro inside its own expansion is a plain word. */
    {"#define mov mov\n#define r0 r0\nvs_1_1\nmov r0, c0", "vs_1_1\nmov r0, c0"},
    {"#define r0 r1\n#define r1 r0\nvs_1_1\nmov r0, c0", "vs_1_1\nmov r0, c0"},
    /* Parameters. */
    {"#define LERP(d, a, b, t) sub d, a, b \\\n mad d, d, t, b\nps_1_1\nLERP(r0, v0, v1, c0)",
     "ps_1_1\nsub r0, v0, v1\nmad r0, r0, c0, v1"},
    {"#define SWZ(r, s) r.s\nvs_1_1\nmov r0, SWZ(c1, wzyx)", "vs_1_1\nmov r0, c1.wzyx"},
    {"#define REG(n) c##n\nvs_1_1\nmov REG(0), REG(12)", "vs_1_1\nmov c0, c12"},
    {"#define REG(a, b) a##b##_abs\nvs_3_0\nmov r0, REG(c, 1).x", "vs_3_0\nmov r0, c1_abs.x"},
    {"#define ID(x) x\nvs_1_1\nmov ID(r0), ID(ID(c2))", "vs_1_1\nmov r0, c2"},
    {"#define ID(x) x\nvs_1_1\nmov ID(\n r0\n), ID(c2 /* two */)", "vs_1_1\nmov r0, c2"},
    {"#define NONE() c7\nvs_1_1\nmov r0, NONE()", "vs_1_1\nmov r0, c7"},
    {"#define ARG(x) x\n#define c9 c1\nvs_1_1\nmov r0, ARG(c9)", "vs_1_1\nmov r0, c1"},
    {"#define F(x) c8\n#define X(a) a\nvs_1_1\nmov r0, X(F(1))", "vs_1_1\nmov r0, c8"},
    {"#define r1(x) c1\nvs_1_1\nmov r1, c0", "vs_1_1\nmov r1, c0"}, /* not an invocation */
    {"#define CONST (3)\n#define C(n) c[n]\n#if CONST == 3\nvs_1_1\nmov r0, C(3)\n#endif", "vs_1_1\nmov r0, c3"},
    {"#define NEG -\nvs_1_1\nmov r0, NEG c0", "vs_1_1\nmov r0, -c0"},
    {"#define ONE 1\nps_1_1\nmov r0, ONE-v0", "ps_1_1\nmov r0, 1-v0"},
    {"#define HALF .5\nps_1_1\ndef c0, HALF, -HALF, +HALF, .25", "ps_1_1\ndef c0, 0.5, -0.5, 0.5, 0.25"},
    {"#define VERSION vs.1.1\nVERSION\nmov r0, c0", "vs_1_1\nmov r0, c0"},
    {"#define VERSION vs_1_1\nVERSION mov r0, c0", "vs_1_1\nmov r0, c0"},
};
/* clang-format on */

START_TEST(texts_expand)
{
    check_expansion(texts[_i].text, texts[_i].plain);
}
END_TEST

/* Macros that expand exponentially end with a message, before memory runs out. */
START_TEST(exponential_macros_fail)
{
    char text[2048] = "vs_1_1\n#define A0 nop nop nop nop\n";

    for (unsigned i = 1; i < 20; i++)
        sprintf(text + strlen(text), "#define A%u A%u A%u A%u A%u\n", i, i - 1, i - 1, i - 1,
                i - 1);
    strcat(text, "A19\n");
    check_mistake(text, NULL, "a macro expansion is too long");
    strcpy(text, "vs_1_1\n");
    for (unsigned i = 0; i < 40; i++)
        sprintf(text + strlen(text), "#define A%u A%u\n", i, i + 1);
    strcat(text, "A0\n");
    check_mistake(text, NULL, "macros are nested too deeply");
    /* These expand to nothing, but take exponential time. */
    strcpy(text, "vs_1_1\n#define A0\n");
    for (unsigned i = 1; i < 30; i++)
        sprintf(text + strlen(text), "#define A%u A%u A%u\n", i, i - 1, i - 1);
    strcat(text, "A29\n");
    check_mistake(text, NULL, "a macro expansion is too long");
    strcpy(text, "vs_1_1\n#define A0(x)\n");
    for (unsigned i = 1; i < 30; i++)
        sprintf(text + strlen(text), "#define A%u(x) A%u(x) A%u(x)\n", i, i - 1, i - 1);
    strcat(text, "A29(c0)\n");
    check_mistake(text, NULL, "a macro expansion is too long");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/macro");
    TCase *t = tcase_create("macros");

    tcase_add_loop_test(t, texts_expand, 0, sizeof(texts) / sizeof(texts[0]));
    tcase_add_test(t, exponential_macros_fail);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
