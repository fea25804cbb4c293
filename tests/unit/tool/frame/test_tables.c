/* Tables of a frame and the difference of two draws, on the command line. */
#include "unit/tool/frame/capture.h"

static void setup(void)
{
    record_capture();
}

static const char *frame(int expected, const char *a, const char *b, const char *c, const char *d)
{
    char *argv[] = {"frame",
                    path,
                    (char *)(uintptr_t)a,
                    (char *)(uintptr_t)b,
                    (char *)(uintptr_t)c,
                    (char *)(uintptr_t)d,
                    NULL};
    int n = 2;

    while (argv[n])
        n++;
    return run_command(tool_frame, expected, n, argv);
}

static const char *number(uint64_t call)
{
    static char texts[4][16];
    static unsigned turn;
    char *text = texts[turn++ % 4];

    snprintf(text, 16, "%u", (unsigned)call);
    return text;
}

static void says(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "'%s' is missing in: %s", part, text);
}

START_TEST(passes_are_a_tree)
{
    const char *text = frame(TOOL_OK, "--frame", "1", "--passes", NULL);

    says(text, "pass 0: 2 draws, 1 clear to A8R8G8B8 32x16 + D24S8 32x16\n");
    says(text, "IDirect3DDevice9::DrawPrimitive: 2 primitives, TRIANGLESTRIP");
    says(text, "2 states changed\n");
    says(text, "</script>");
    ck_assert_ptr_null(strchr(text, '\a')); /* terminals obey control characters */
}
END_TEST

START_TEST(resources_are_listed)
{
    const char *text = frame(TOOL_OK, "--frame", "1", "--resources", NULL);

    says(text, "texture, A8R8G8B8, 4x4, 2 levels");
    says(text, " vertices");
    says(text, "depth, D24S8, 32x16");
}
END_TEST

START_TEST(a_draw_is_found_by_its_call)
{
    const char *draw = number(call_of("draw", 1)), *text;

    says(frame(TOOL_OK, "--call", draw, "--states", NULL),
         "render state: ZFUNC = ALWAYS (before: LESSEQUAL)\n");
    says(frame(TOOL_OK, "--call", draw, "--constants", NULL), "pixel c0 shade[0] = 1 0.5 0.25 1");
    text = frame(TOOL_OK, "--call", draw, "--vertices", NULL);
    says(text, "TRIANGLELIST, 2 primitives\nbefore the vertex stage\nvertex POSITION0.x");
    says(text, "after the vertex stage\n");
}
END_TEST

START_TEST(tables_are_json_too)
{
    cJSON *answer = cJSON_Parse(frame(TOOL_OK, "--frame", "1", "--passes", "--json"));

    ck_assert_int_eq(cJSON_GetArraySize(member(answer, "events")), 7);
    cJSON_Delete(answer);
}
END_TEST

static const char *difference(int expected, const char *a, const char *b)
{
    return run_command(
        tool_diff_state, expected, 4,
        (char *[]){"diff-state", path, (char *)(uintptr_t)a, (char *)(uintptr_t)b, NULL});
}

START_TEST(two_draws_differ)
{
    const char *first = number(call_of("draw", 0)), *second = number(call_of("draw", 1));
    const char *text = difference(TOOL_DIFFERS, first, second);

    says(text, "render state ZFUNC: LESSEQUAL -> ALWAYS\n");
    says(text, "pixel shader: ");
    says(text, "pixel constant c0 shade[0]: - -> 1 0.5 0.25 1\n");
    ck_assert_ptr_null(strstr(text, "CULLMODE"));
    text = difference(TOOL_DIFFERS, second, first);
    says(text, "render state ZFUNC: ALWAYS -> LESSEQUAL\n");
    says(text, "pixel constant c0 shade[0]: 1 0.5 0.25 1 -> -\n");
    ck_assert_str_eq(difference(TOOL_OK, first, first), "");
}
END_TEST

START_TEST(differences_are_json_too)
{
    cJSON *answer;
    const cJSON *state;

    answer = cJSON_Parse(
        run_command(tool_diff_state, TOOL_DIFFERS, 5,
                    (char *[]){"diff-state", path, (char *)(uintptr_t)number(call_of("draw", 0)),
                               (char *)(uintptr_t)number(call_of("draw", 1)), "--json", NULL}));
    ck_assert_int_gt(cJSON_GetArraySize(answer), 2);
    state = element(answer, "name", "ZFUNC");
    ck_assert_str_eq(text_of(state, "group"), "render state");
    ck_assert_str_eq(text_of(state, "before"), "LESSEQUAL");
    ck_assert_str_eq(text_of(state, "after"), "ALWAYS");
    state = element(answer, "name", "c0 shade[0]");
    ck_assert_str_eq(text_of(state, "group"), "pixel constant");
    ck_assert(cJSON_IsNull(member(state, "before")));
    ck_assert_int_eq(cJSON_GetArraySize(member(state, "after")), 4);
    ck_assert_int_eq(cJSON_GetArrayItem(member(state, "after"), 1)->valuedouble == 0.5, 1);
    cJSON_Delete(answer);
}
END_TEST

START_TEST(wrong_command_lines)
{
    const char *clear = number(call_of("clear", 0)), *draw = number(call_of("draw", 0));

    says(difference(TOOL_ERROR, draw, clear), "is no draw");
    says(difference(TOOL_ERROR, draw, "999999"), "there is no call 999999");
    says(difference(TOOL_ERROR, "x", draw), "'x' is not the number of a call");
    says(frame(TOOL_ERROR, "--states", NULL, NULL, NULL), "--call N is required");
    says(frame(TOOL_ERROR, "--json", NULL, NULL, NULL), "--json needs one of");
    says(frame(TOOL_ERROR, "--passes", "--resources", NULL, NULL), "only one of");
    says(frame(TOOL_ERROR, "--frame", "99", "--passes", NULL), "there is no frame 99");
    says(frame(TOOL_ERROR, "--call", "999999", "--states", NULL), "there is no call 999999");
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("frame/tables");
    TCase *tc = tcase_create("frame/tables");

    setenv("NOVEM_SINK", "none", 1);
    tcase_add_checked_fixture(tc, setup, close_folder);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, passes_are_a_tree);
    tcase_add_test(tc, resources_are_listed);
    tcase_add_test(tc, a_draw_is_found_by_its_call);
    tcase_add_test(tc, tables_are_json_too);
    tcase_add_test(tc, two_draws_differ);
    tcase_add_test(tc, differences_are_json_too);
    tcase_add_test(tc, wrong_command_lines);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
