/* Steps of shaders: registers, texture lookups, predicates, branches, loops, texkill. */
#include "unit/tool/frame/capture.h"

#include "tool/frame/steps.h"

static void setup(void)
{
    record_capture();
}

/* --- Parts of answers ------------------------------------------------------------------------- */

static cJSON *steps(uint64_t call, const char *which)
{
    char key[FRAME_KEY];

    snprintf(key, sizeof(key), "steps/%u/%s", (unsigned)call, which);
    return ask(key);
}

static const char *line_of(const cJSON *answer, const cJSON *step)
{
    const cJSON *line = cJSON_GetArrayItem(member(answer, "lines"), (int)number_of(step, "line"));
    const char *text = text_of(line, "text");

    ck_assert(cJSON_IsTrue(member(line, "instruction")));
    return text + strspn(text, " ");
}

static unsigned count_steps(const cJSON *answer, const char *text)
{
    const cJSON *step;
    unsigned n = 0;

    cJSON_ArrayForEach(step, member(answer, "steps")) n += !strcmp(line_of(answer, step), text);
    return n;
}

/* The n-th step of a line. */
static const cJSON *step_of(const cJSON *answer, const char *text, unsigned n)
{
    const cJSON *step;

    cJSON_ArrayForEach(step, member(answer, "steps")) if (!strcmp(line_of(answer, step), text) &&
                                                          !n--) return step;
    ck_abort_msg("no step of %s", text);
}

/* The components of a register that an entry lists; *value: their values. */
static const char *register_of(const cJSON *list, const char *name, float value[4])
{
    const cJSON *r = element(list, "register", name), *x;
    unsigned n = 0;

    ck_assert_msg(r != NULL, "no register %s", name);
    cJSON_ArrayForEach(x, member(r, "value")) value[n++] = (float)x->valuedouble;
    return text_of(r, "mask");
}

static bool has_registers(const cJSON *step)
{
    return cJSON_GetArraySize(member(step, "writes")) > 0;
}

/* --- Pixels ----------------------------------------------------------------------------------- */

START_TEST(a_pixel_shader_is_stepped_with_exact_values)
{
    cJSON *answer = steps(call_of("draw", 1), "pixel/4/4/0");
    const cJSON *texture, *constant;
    float read[4], now[4], uv[4], c0[4] = {1, 0.5f, 0.25f, 1}, c1[4] = {0.125f, 0, 0, 0};

    ck_assert_str_eq(text_of(answer, "stage"), "pixel");
    ck_assert_str_eq(text_of(answer, "version"), "ps_2_0");
    ck_assert(cJSON_IsFalse(member(answer, "fixed")));
    ck_assert_int_eq(cJSON_GetArraySize(member(answer, "steps")), 3);
    ck_assert_str_eq(register_of(member(answer, "inputs"), "t0", uv), "xy");
    ck_assert_str_eq(text_of(element(member(answer, "inputs"), "register", "t0"), "name"),
                     "TEXCOORD0");
    texture = cJSON_GetArrayItem(member(step_of(answer, "texld r0, t0, s0", 0), "textures"), 0);
    ck_assert_str_eq(text_of(texture, "name"), "map");
    ck_assert_int_ne((int)number_of(texture, "resource"), 0);
    for (int c = 0; c < 2; c++)
        ck_assert((float)cJSON_GetArrayItem(member(texture, "coordinates"), c)->valuedouble ==
                  uv[c]);
    ck_assert_str_eq(
        register_of(member(step_of(answer, "texld r0, t0, s0", 0), "writes"), "r0", read), "xyzw");
    ck_assert(read[0] > 0.25f && read[0] < 0.252f); /* 0x40 */
    ck_assert_str_eq(
        register_of(member(step_of(answer, "mad r0, r0, c0, c1", 0), "writes"), "r0", now), "xyzw");
    for (int c = 0; c < 4; c++) {
        ck_assert((float)cJSON_GetArrayItem(member(texture, "value"), c)->valuedouble == read[c]);
        ck_assert(now[c] == read[c] * c0[c] + c1[c]);
    }
    register_of(member(answer, "outputs"), "oC0", c0);
    ck_assert_mem_eq(c0, now, sizeof(now));
    constant = element(member(answer, "constants"), "register", "c1");
    ck_assert_str_eq(text_of(constant, "name"), "shade[1]");
    ck_assert(cJSON_GetArrayItem(member(constant, "value"), 0)->valuedouble == 0.125);
    cJSON_Delete(answer);
}
END_TEST

START_TEST(the_fixed_function_has_steps_of_its_program)
{
    cJSON *answer = steps(call_of("draw", 0), "pixel/4/4/0");
    const cJSON *c;

    ck_assert(cJSON_IsTrue(member(answer, "fixed")));
    ck_assert_int_gt(cJSON_GetArraySize(member(answer, "steps")), 0);
    ck_assert_int_eq(cJSON_GetArraySize(member(answer, "outputs")), 1);
    cJSON_ArrayForEach(c, member(answer, "constants"))
        ck_assert(cJSON_IsTrue(member(c, "defined")));
    cJSON_Delete(answer);
    answer = steps(call_of("draw", 0), "vertex/3");
    ck_assert(cJSON_IsTrue(member(answer, "fixed")));
    ck_assert_ptr_nonnull(element(member(answer, "outputs"), "name", "POSITION0"));
    cJSON_Delete(answer);
}
END_TEST

/* --- Flow ------------------------------------------------------------------------------------- */

static const char vertex_text[] = "vs_3_0\n"
                                  "dcl_position v0\ndcl_position o0\ndcl_texcoord o1\n"
                                  "def c0, 1, 2, 0, 0\ndefi i0, 3, 5, 2, 0\n"
                                  "mov r0, c0.z\n"
                                  "loop aL, i0\nadd r0.x, r0.x, c0.x\nendloop\n"
                                  "if_gt v0.x, c0.z\nmov r1, c0.y\nelse\nmov r1, r0\nendif\n"
                                  "mov r0.w, r1.x\n"
                                  "mov o0, v0\nmov o1, c0\n";
static const char pixel_text[] = "ps_3_0\n"
                                 "dcl_texcoord v0\ndcl vPos.xy\ndcl_2d s0\ndcl_2d s1\n"
                                 "def c0, 0.5, 1, 0, -8\n"
                                 "texld r3, v0, s0\ntexld r4, v0, s1\n"
                                 "mov r0, c0.y\n"
                                 "setp_gt p0, v0, c0.x\n"
                                 "(p0) mov r0, c0.z\n"
                                 "(!p0) mov r0.x, c0.x\n"
                                 "add r2, vPos.x, c0.w\n"
                                 "texkill r2\n"
                                 "mov oC0, r0\n";

static IDirect3DVertexShader9 *vertex_shader(IDirect3DDevice9 *d)
{
    IDirect3DVertexShader9 *shader;
    uint32_t *words;
    size_t n;

    ck_assert_int_eq(vm_assemble(&words, &n, vertex_text, NULL), ST_OK);
    OK(IDirect3DDevice9_CreateVertexShader(d, (const DWORD *)words, &shader));
    mem_free(words);
    return shader;
}

static IDirect3DPixelShader9 *pixel_shader(IDirect3DDevice9 *d)
{
    IDirect3DPixelShader9 *shader;
    uint32_t *words;
    size_t n;

    ck_assert_int_eq(vm_assemble(&words, &n, pixel_text, NULL), ST_OK);
    OK(IDirect3DDevice9_CreatePixelShader(d, (const DWORD *)words, &shader));
    mem_free(words);
    return shader;
}

/* Two frames, each with one draw of two triangles. */
static void record_flow(void)
{
    D3DPRESENT_PARAMETERS parameters = test_parameters();
    IDirect3DVertexShader9 *vs;
    IDirect3DPixelShader9 *ps;
    IDirect3DDevice9 *d;
    IDirect3D9 *d3d9;

    setenv("NOVEM_THREADS", "1", 1);
    log_set_level(LOG_NONE);
    open_folder();
    path_in_folder(path, "x.trace");
    record_open(path);
    d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    parameters.BackBufferWidth = WIDTH;
    parameters.BackBufferHeight = HEIGHT;
    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &parameters, &d));
    vs = vertex_shader(d);
    ps = pixel_shader(d);
    OK(IDirect3DDevice9_SetFVF(d, D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1));
    OK(IDirect3DDevice9_SetVertexShader(d, vs));
    OK(IDirect3DDevice9_SetPixelShader(d, ps));
    OK(IDirect3DDevice9_SetRenderState(d, D3DRS_CULLMODE, D3DCULL_NONE));
    for (unsigned frame = 0; frame < 2; frame++) {
        OK(IDirect3DDevice9_BeginScene(d));
        OK(IDirect3DDevice9_DrawPrimitiveUP(d, D3DPT_TRIANGLESTRIP, 2, square, sizeof(square[0])));
        OK(IDirect3DDevice9_EndScene(d));
        OK(IDirect3DDevice9_Present(d, NULL, NULL, NULL, NULL));
    }
    release(vs);
    release(ps);
    ck_assert_uint_eq(release(d), 0);
    release(d3d9);
    record_close();
}

START_TEST(branches_and_loops_are_seen_by_their_lines)
{
    cJSON *left = steps(call_of("draw", 0), "vertex/0"); /* x = -1 */
    cJSON *right = steps(call_of("draw", 0), "vertex/3");
    float x[4];

    for (unsigned i = 0; i < 3; i++) {
        register_of(member(step_of(left, "add r0.x, r0.x, c0.x", i), "writes"), "r0", x);
        ck_assert(x[0] == (float)(i + 1));
    }
    ck_assert_uint_eq(count_steps(left, "add r0.x, r0.x, c0.x"), 3);
    ck_assert_uint_eq(count_steps(left, "mov r1, c0.y"), 0);
    ck_assert_uint_eq(count_steps(left, "mov r1, r0"), 1);
    ck_assert_uint_eq(count_steps(right, "mov r1, c0.y"), 1);
    ck_assert_uint_eq(count_steps(right, "mov r1, r0"), 0);
    ck_assert_str_eq(register_of(member(step_of(right, "mov r0.w, r1.x", 0), "writes"), "r0", x),
                     "w");
    ck_assert(x[0] == 2);
    ck_assert_str_eq(register_of(member(step_of(left, "loop aL, i0", 0), "writes"), "aL", x), "x");
    ck_assert(x[0] == 5);
    register_of(member(step_of(left, "endloop", 0), "writes"), "aL", x);
    ck_assert(x[0] == 7);
    cJSON_Delete(left);
    cJSON_Delete(right);
}
END_TEST

START_TEST(vertices_have_inputs_outputs_and_constants)
{
    cJSON *answer = steps(call_of("draw", 0), "vertex/3");
    const cJSON *output = element(member(answer, "outputs"), "name", "POSITION0"), *c;
    float x[4];

    register_of(member(answer, "inputs"), "v0", x);
    ck_assert(x[0] == 1 && x[1] == 1 && x[2] == 0.25f && x[3] == 1);
    ck_assert_str_eq(text_of(output, "register"), "o0");
    ck_assert(cJSON_GetArrayItem(member(output, "value"), 2)->valuedouble == 0.25);
    c = element(member(answer, "constants"), "register", "i0");
    ck_assert_int_eq(cJSON_GetArrayItem(member(c, "value"), 2)->valueint, 2);
    ck_assert(cJSON_IsTrue(member(c, "defined")));
    c = element(member(answer, "constants"), "register", "c0");
    ck_assert_int_eq(cJSON_GetArrayItem(member(c, "value"), 1)->valueint, 2);
    cJSON_Delete(answer);
}
END_TEST

START_TEST(predicates_tell_what_is_written)
{
    cJSON *answer = steps(call_of("draw", 0), "pixel/20/4/1");
    const cJSON *step = step_of(answer, "(p0) mov r0, c0.z", 0);
    float x[4];

    ck_assert_str_eq(
        register_of(member(step_of(answer, "setp_gt p0, v0, c0.x", 0), "writes"), "p0", x), "xyzw");
    ck_assert(x[0] == 1 && x[1] == 1 && x[2] == 0 && x[3] == 0);
    ck_assert_str_eq(text_of(step, "predicate"), "xy");
    ck_assert_str_eq(register_of(member(step, "writes"), "r0", x), "xy");
    step = step_of(answer, "(!p0) mov r0.x, c0.x", 0);
    ck_assert_str_eq(text_of(step, "predicate"), "");
    ck_assert(!has_registers(step));
    cJSON_Delete(answer);
}
END_TEST

/* Instructions that share a call of the sampler have one lookup each. */
START_TEST(lookups_stand_at_their_instruction)
{
    static const char *const text[] = {"texld r3, v0, s0", "texld r4, v0, s1"};
    cJSON *answer = steps(call_of("draw", 0), "pixel/20/4/1");

    for (int i = 0; i < 2; i++) {
        const cJSON *list = member(step_of(answer, text[i], 0), "textures");

        ck_assert_int_eq(cJSON_GetArraySize(list), 1);
        ck_assert_int_eq((int)number_of(cJSON_GetArrayItem(list, 0), "sampler"), i);
        ck_assert_int_eq((int)number_of(cJSON_GetArrayItem(list, 0), "resource"), 0);
    }
    ck_assert_ptr_null(cJSON_GetObjectItem(step_of(answer, "mov r0, c0.y", 0), "textures"));
    cJSON_Delete(answer);
}
END_TEST

START_TEST(killed_pixels_are_told)
{
    cJSON *killed = steps(call_of("draw", 0), "pixel/7/4/0");
    cJSON *kept = steps(call_of("draw", 0), "pixel/8/5/0");

    ck_assert(cJSON_IsTrue(member(killed, "killed")));
    ck_assert(cJSON_IsTrue(member(step_of(killed, "texkill r2", 0), "killed")));
    ck_assert_ptr_null(cJSON_GetObjectItem(step_of(killed, "mov oC0, r0", 0), "killed"));
    ck_assert(cJSON_IsFalse(member(kept, "killed")));
    ck_assert_ptr_null(cJSON_GetObjectItem(step_of(kept, "texkill r2", 0), "killed"));
    cJSON_Delete(killed);
    cJSON_Delete(kept);
}
END_TEST

/* --- No steps --------------------------------------------------------------------------------- */

START_TEST(the_answer_says_why_there_are_no_steps)
{
    static const char *const which[][2] = {
        {"pixel/31/15/0", "The pixel shader does not run at 31, 15 for primitive 0 of instance 0."},
        {"pixel/1000/4/0",
         "The pixel shader does not run at 1000, 4 for primitive 0 of instance 0."},
        {"pixel/4/4/2", "The draw has no primitive 2."},
        {"pixel/4/4/0/1", "The draw has no instance 1."},
        {"vertex/4", "The draw has no vertex 4."},
        {"vertex/0/7", "The draw has no instance 7."}};

    for (unsigned i = 0; i < sizeof(which) / sizeof(which[0]); i++) {
        cJSON *answer = steps(call_of("draw", 1), which[i][0]);

        ck_assert_str_eq(text_of(answer, "why"), which[i][1]);
        ck_assert_ptr_null(cJSON_GetObjectItem(answer, "steps"));
        cJSON_Delete(answer);
    }
}
END_TEST

START_TEST(calls_that_draw_nothing_have_no_answer)
{
    uint64_t calls[] = {call_of("clear", 0), 1, 99999999};

    for (unsigned i = 0; i < 3; i++) {
        struct frame_walk *walk;
        char key[FRAME_KEY];
        cJSON *answer;

        snprintf(key, sizeof(key), "steps/%u/vertex/0", (unsigned)calls[i]);
        ck_assert_int_eq(frame_walk_open(&walk, "test", path, 1), TOOL_OK);
        ck_assert_int_eq(frame_answer(walk, folder, key, &answer), ST_NOTFOUND);
        ck_assert_ptr_null(answer);
        frame_walk_close(walk);
    }
}
END_TEST

/* --- Keys ------------------------------------------------------------------------------------- */

START_TEST(keys)
{
    static const char *const none[] = {"steps",
                                       "steps/",
                                       "steps/1",
                                       "steps/1/",
                                       "steps/1/pixel/2/3",
                                       "steps/1/pixel/2/3/",
                                       "steps/1/pixel/2/3/4/",
                                       "steps/1/pixel/2/3/4/5/6",
                                       "steps/1/pixel/-2/3/4",
                                       "steps/1/pixel/02/3/4",
                                       "steps/1/pixel/4294967296/3/4",
                                       "steps/1/pixel/2/3/4294967296",
                                       "steps/1/vertex",
                                       "steps/1/vertex/",
                                       "steps/1/vertex/1/2/3",
                                       "steps/1/vertex/1x",
                                       "steps/1/vertex/9223372036854775808",
                                       "steps/1/geometry/1",
                                       "steps/18446744073709551616/vertex/1",
                                       "step/1/vertex/1"};
    struct frame_invocation k;

    ck_assert(frame_steps_parse("steps/7/pixel/1/2/3", &k));
    ck_assert(k.pixel && k.call == 7 && k.x == 1 && k.y == 2 && k.number == 3 && !k.instance);
    ck_assert(frame_steps_parse("steps/18446744073709551615/pixel/0/4294967295/3/9", &k));
    ck_assert(k.call == UINT64_MAX && k.y == UINT32_MAX && k.instance == 9);
    ck_assert(frame_steps_parse("steps/7/vertex/9223372036854775807", &k) && !k.pixel);
    ck_assert(k.number == INT64_MAX && !k.instance);
    ck_assert(frame_steps_parse("steps/7/vertex/0/2", &k) && !k.number && k.instance == 2);
    for (unsigned i = 0; i < sizeof(none) / sizeof(none[0]); i++)
        ck_assert_msg(!frame_steps_parse(none[i], &k), "%s", none[i]);
}
END_TEST

/* --- The command ------------------------------------------------------------------------------ */

static const char *frame(int expected, const char *which, const char *last)
{
    char call[24];
    char *argv[] = {
        "frame", path, "--call", call, "--steps", (char *)(uintptr_t)which, (char *)(uintptr_t)last,
        NULL};

    snprintf(call, sizeof(call), "%u", (unsigned)call_of("draw", 1));
    return run_command(tool_frame, expected, last ? 7 : 6, argv);
}

START_TEST(the_command_prints_steps)
{
    const char *text = frame(TOOL_OK, "pixel/4/4/0", NULL);

    ck_assert_ptr_nonnull(strstr(text, "pixel shader "));
    ck_assert_ptr_nonnull(strstr(text, "  c1 shade[1] = 0.125 0 0 0\n"));
    ck_assert_ptr_nonnull(strstr(text, "texld r0, t0, s0\n          s0 map (resource "));
    ck_assert_ptr_nonnull(strstr(text, "          r0.xyzw = "));
    ck_assert_ptr_nonnull(strstr(text, "outputs\n  oC0.xyzw = "));
    ck_assert_int_eq(frame(TOOL_OK, "vertex/3", "--json")[0], '{');
    text = frame(TOOL_ERROR, "vertex/9", NULL);
    ck_assert_ptr_nonnull(strstr(text, "The draw has no vertex 9."));
    text = frame(TOOL_ERROR, "vertex", "--json");
    ck_assert_ptr_nonnull(strstr(text, "is neither pixel/X/Y/PRIMITIVE nor vertex/NUMBER"));
    text = frame(TOOL_ERROR, "vertex/3", "--states");
    ck_assert_ptr_nonnull(strstr(text, "only one of"));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("frame/steps");
    TCase *plain = tcase_create("plain"), *flow = tcase_create("flow");

    setenv("NOVEM_SINK", "none", 1);
    tcase_add_checked_fixture(plain, setup, close_folder);
    tcase_set_timeout(plain, 60);
    tcase_add_test(plain, a_pixel_shader_is_stepped_with_exact_values);
    tcase_add_test(plain, the_fixed_function_has_steps_of_its_program);
    tcase_add_test(plain, the_answer_says_why_there_are_no_steps);
    tcase_add_test(plain, calls_that_draw_nothing_have_no_answer);
    tcase_add_test(plain, keys);
    tcase_add_test(plain, the_command_prints_steps);
    suite_add_tcase(suite, plain);
    tcase_add_checked_fixture(flow, record_flow, close_folder);
    tcase_set_timeout(flow, 60);
    tcase_add_test(flow, branches_and_loops_are_seen_by_their_lines);
    tcase_add_test(flow, vertices_have_inputs_outputs_and_constants);
    tcase_add_test(flow, predicates_tell_what_is_written);
    tcase_add_test(flow, lookups_stand_at_their_instruction);
    tcase_add_test(flow, killed_pixels_are_told);
    suite_add_tcase(suite, flow);
    return suite;
}

TEST_MAIN(suite)
