/* `novem edit`: draws with other shaders, states and constants; all that follows is as before. */
#define COBJMACROS
#include "unit/api/api_test.h"
#include "unit/tool/command.h"

#include "record/record.h"
#include "tool/edit/edit.h"
#include "tool/image/image.h"
#include "tool/inspect/frame.h"
#include "trace/trace.h"
#include "util/log.h"

#include <stdarg.h>

enum { SIDE = 16, DRAWS = 3 };

static char path[64], out[64], shader[64];

static void setup(void)
{
    setenv("NOVEM_THREADS", "1", 1);
    log_set_level(LOG_NONE);
    open_folder();
    path_in_folder(path, "a.trace");
    path_in_folder(out, "b.trace");
    path_in_folder(shader, "a.asm");
}

/* --- A capture -------------------------------------------------------------------------------- */

struct scene {
    IDirect3D9 *d3d9;
    IDirect3DDevice9 *device;
    IDirect3DPixelShader9 *ps;
};

static void open_scene(struct scene *s)
{
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = SIDE,
                               .BackBufferHeight = SIDE,
                               .BackBufferFormat = D3DFMT_A8R8G8B8,
                               .SwapEffect = D3DSWAPEFFECT_COPY,
                               .Windowed = TRUE};

    record_open(path);
    s->d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    OK(IDirect3D9_CreateDevice(s->d3d9, 0, D3DDEVTYPE_HAL, NULL,
                               D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &s->device));
    OK(IDirect3DDevice9_SetFVF(s->device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_SetRenderState(s->device, D3DRS_CULLMODE, D3DCULL_NONE));
    OK(IDirect3DDevice9_Clear(s->device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0));
}

static void close_scene(struct scene *s)
{
    if (s->ps)
        release(s->ps);
    ck_assert_uint_eq(release(s->device), 0);
    release(s->d3d9);
    record_close();
}

/* Draw number n fills four columns. */
static void draw(struct scene *s, unsigned n)
{
    float left = 4.0f * (float)n - 0.5f, right = left + 4.0f;
    struct {
        float x, y, z, w;
        D3DCOLOR colour;
    } v[4] = {{left, -0.5f, 0, 1, 0xff404040},
              {right, -0.5f, 0, 1, 0xff404040},
              {left, SIDE, 0, 1, 0xff404040},
              {right, SIDE, 0, 1, 0xff404040}};

    OK(IDirect3DDevice9_DrawPrimitiveUP(s->device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0])));
}

/* ps_2_0; mov r0, c1; mov oC0, r0 */
static const DWORD plain_ps[] = {0xffff0200, 0x02000001, 0x800f0000, 0xa0e40001,
                                 0x02000001, 0x800f0800, 0x80e40000, 0x0000ffff};

/* released: the program releases the shader while it is bound. */
static void record_shaders(bool released)
{
    const float green[4] = {0, 1, 0, 1};
    struct scene s = {0};

    open_scene(&s);
    OK(IDirect3DDevice9_CreatePixelShader(s.device, plain_ps, &s.ps));
    OK(IDirect3DDevice9_SetPixelShader(s.device, s.ps));
    OK(IDirect3DDevice9_SetPixelShaderConstantF(s.device, 1, green, 1));
    if (released) {
        release(s.ps);
        s.ps = NULL;
    }
    for (unsigned i = 0; i < DRAWS; i++)
        draw(&s, i);
    OK(IDirect3DDevice9_Present(s.device, NULL, NULL, NULL, NULL));
    close_scene(&s);
}

/* The draw stands in the recording of a state block. */
static void record_block(void)
{
    IDirect3DStateBlock9 *block;
    struct scene s = {0};

    open_scene(&s);
    OK(IDirect3DDevice9_BeginStateBlock(s.device));
    draw(&s, 0);
    OK(IDirect3DDevice9_EndStateBlock(s.device, &block));
    OK(IDirect3DDevice9_Present(s.device, NULL, NULL, NULL, NULL));
    release(block);
    close_scene(&s);
}

/* --- Reading captures ------------------------------------------------------------------------- */

/* The call number of draw n. */
static uint64_t call_of(const char *file, unsigned n)
{
    const struct trace_call *call;
    struct trace_reader *reader;
    struct trace_error error;
    uint64_t found = UINT64_MAX;

    ck_assert_int_eq(trace_open(&reader, file, &error), ST_OK);
    while (trace_next(reader, &call) == ST_OK && call)
        if (replay_is_draw(call->function->name) && !n--)
            found = call->number;
    trace_close(reader);
    return found;
}

static unsigned count(const char *file, const char *method)
{
    const struct trace_call *call;
    struct trace_reader *reader;
    struct trace_error error;
    unsigned n = 0;

    ck_assert_int_eq(trace_open(&reader, file, &error), ST_OK);
    while (trace_next(reader, &call) == ST_OK && call)
        n += !*method || strstr(call->function->name, method) != NULL;
    trace_close(reader);
    return n;
}

/* The colours of the draws after the last one. */
static void colours(const char *file, uint32_t rgb[DRAWS])
{
    struct tool_image image;

    ck_assert_int_eq(inspect_target_take(&image, "test", file, call_of(file, DRAWS - 1)), TOOL_OK);
    for (unsigned i = 0; i < DRAWS; i++) {
        const uint8_t *p = image.rgba + (8 * SIDE + 4 * i + 1) * 4;

        rgb[i] = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
    }
    tool_image_fini(&image);
}

static void demand_colours(const char *file, uint32_t first, uint32_t second, uint32_t third)
{
    uint32_t rgb[DRAWS];

    colours(file, rgb);
    ck_assert_uint_eq(rgb[0], first);
    ck_assert_uint_eq(rgb[1], second);
    ck_assert_uint_eq(rgb[2], third);
}

/* Runs `novem edit path -o out …`; the words "DRAW0" to "DRAW2" become call numbers. */
static const char *edit(int expected, ...)
{
    char *argv[24] = {"edit", path, "-o", out}, numbers[DRAWS][24];
    va_list args;
    int argc = 4;

    va_start(args, expected);
    for (char *word; (word = va_arg(args, char *));) {
        if (!strncmp(word, "DRAW", 4)) {
            unsigned n = (unsigned)(word[4] - '0');

            snprintf(numbers[n], sizeof(numbers[n]), "%u", (unsigned)call_of(path, n));
            word = numbers[n];
        }
        argv[argc++] = word;
    }
    va_end(args);
    return run_command(tool_edit, expected, argc, argv);
}

/* --- Tests ------------------------------------------------------------------------------------ */

START_TEST(another_shader_is_bound_for_the_draw_alone)
{
    record_shaders(_i);
    write_text(shader, "ps_2_0\ndef c0, 0, 0, 1, 1\nmov oC0, c0\n");
    demand_colours(path, 0x00ff00, 0x00ff00, 0x00ff00);
    edit(TOOL_OK, "--call", "DRAW1", "--pixel-shader", shader, NULL);
    demand_colours(out, 0x00ff00, 0x0000ff, 0x00ff00);
    /* Each created object is released. A shader that the program has released is made again. */
    ck_assert_uint_eq(count(out, "CreatePixelShader"), _i ? 3 : 2);
    ck_assert_uint_eq(count(out, "IDirect3DPixelShader9::Release"), _i ? 3 : 2);
}
END_TEST

static bool same_call(const struct trace_call *a, const struct trace_call *b)
{
    bool same = !strcmp(a->function->name, b->function->name) && a->argc == b->argc &&
                trace_number(&a->ret) == trace_number(&b->ret);

    for (unsigned i = 0; same && i < a->argc; i++)
        same = a->args[i].kind == b->args[i].kind &&
               trace_number(&a->args[i]) == trace_number(&b->args[i]);
    return same;
}

START_TEST(all_other_calls_are_unchanged)
{
    const struct trace_call *a, *b;
    struct trace_reader *old, *new;
    struct trace_error error;
    unsigned added = 0;

    record_shaders(false);
    edit(TOOL_OK, "--call", "DRAW0", "--call", "DRAW2", "--set", "ALPHABLENDENABLE=TRUE", "--set",
         "BLENDOP=MAX", "--constant", "ps:c1=1,0,0,1", NULL);
    demand_colours(out, 0xff0000, 0x00ff00, 0xff0000);
    ck_assert_int_eq(trace_open(&old, path, &error), ST_OK);
    ck_assert_int_eq(trace_open(&new, out, &error), ST_OK);
    while (trace_next(old, &a) == ST_OK && a) {
        ck_assert_int_eq(trace_next(new, &b), ST_OK);
        for (; b && !same_call(a, b); added++)
            ck_assert_int_eq(trace_next(new, &b), ST_OK);
        ck_assert_ptr_nonnull(b);
    }
    trace_close(old);
    trace_close(new);
    ck_assert_uint_eq(added, 12);
    ck_assert_uint_eq(count(out, ""), count(path, "") + 12);
}
END_TEST

START_TEST(no_shader_means_the_fixed_function)
{
    record_shaders(false);
    edit(TOOL_OK, "--call", "DRAW2", "--pixel-shader", "none", NULL);
    demand_colours(out, 0x00ff00, 0x00ff00, 0x404040);
}
END_TEST

START_TEST(calls_are_removed)
{
    record_shaders(false);
    edit(TOOL_OK, "--remove", "DRAW0", "--call", "DRAW1", "--constant", "ps:c1=0,0,1,1", NULL);
    ck_assert_uint_eq(count(out, "DrawPrimitiveUP"), 2);
    ck_assert_uint_eq(count(out, ""), count(path, "") - 1 + 2);
}
END_TEST

/* What the shaders of a draw must have in common; docs of vs_3_0 and ps_3_0. */
START_TEST(wrong_shaders_are_refused)
{
    char vertex[64];

    record_shaders(false);
    path_in_folder(vertex, "v.asm");
    write_text(shader, "ps_2_0\nmov oC0, q\n");
    ck_assert_ptr_nonnull(
        strstr(edit(TOOL_ERROR, "--call", "DRAW1", "--pixel-shader", shader, NULL), "a.asm:2:10:"));
    write_text(vertex, "vs_3_0\ndcl_position o0\ndcl_position v0\nmov o0, v0\n");
    ck_assert_ptr_nonnull(
        strstr(edit(TOOL_ERROR, "--call", "DRAW1", "--vertex-shader", vertex, NULL),
               "a vertex shader of model 3 does not go with a pixel shader of model 2"));
    write_text(shader, "ps_3_0\nmov oC0, c0\n");
    edit(TOOL_OK, "--call", "DRAW1", "--vertex-shader", vertex, "--pixel-shader", shader, NULL);
    unlink(out);
    ck_assert_ptr_nonnull(strstr(
        edit(TOOL_ERROR, "--call", "DRAW1", "--vertex-shader", shader, NULL), "not a vertex"));
    ck_assert_int_ne(access(out, F_OK), 0);
}
END_TEST

START_TEST(wrong_requests_are_refused)
{
    record_shaders(false);
    edit(TOOL_ERROR, "--call", "100000", "--set", "ZFUNC=ALWAYS", NULL);
    ck_assert_ptr_nonnull(
        strstr(edit(TOOL_ERROR, "--call", "0", "--set", "ZFUNC=ALWAYS", NULL), "no draw"));
    edit(TOOL_ERROR, "--call", "DRAW0", NULL);
    edit(TOOL_ERROR, "--call", "x", "--set", "ZFUNC=ALWAYS", NULL);
    edit(TOOL_ERROR, "--set", "ZFUNC=ALWAYS", NULL);
    edit(TOOL_ERROR, NULL);
    edit(TOOL_ERROR, "--call", "DRAW0", "--call", "DRAW0", "--set", "ZFUNC=ALWAYS", NULL);
    edit(TOOL_ERROR, "--call", "DRAW0", "--remove", "DRAW0", "--set", "ZFUNC=ALWAYS", NULL);
    edit(TOOL_ERROR, "--remove", "0", NULL); /* Direct3DCreate9 */
    edit(TOOL_ERROR, "--remove", "100000", NULL);
    edit(TOOL_ERROR, "--remove", "5-4", NULL);
    edit(TOOL_ERROR, "--call", "DRAW0", "--constant", "ps:c5000=0,0,0,0", NULL);
    ck_assert_int_ne(access(out, F_OK), 0);
    ck_assert_ptr_nonnull(
        strstr(edit(TOOL_ERROR, "--call", "DRAW0", "--set", "ZFUNC=1", "-o", path, NULL),
               "is the capture itself"));
    demand_colours(path, 0x00ff00, 0x00ff00, 0x00ff00);
    ck_assert_ptr_nonnull(
        strstr(edit(TOOL_ERROR, "--call", "DRAW0", "--set", "ZFUNC=1", "-o", "/dev/full", NULL),
               "No space left"));
    record_block();
    ck_assert_ptr_nonnull(strstr(edit(TOOL_ERROR, "--call", "DRAW0", "--set", "ZFUNC=1", NULL),
                                 "between BeginStateBlock and EndStateBlock"));
}
END_TEST

/* A capture that an edit has written can be edited again. */
START_TEST(edits_add_up)
{
    char again[64], number[24];

    record_shaders(false);
    path_in_folder(again, "c.trace");
    edit(TOOL_OK, "--call", "DRAW0", "--constant", "ps:c1=1,0,0,1", NULL);
    snprintf(number, sizeof(number), "%u", (unsigned)call_of(out, 1));
    run_command(tool_edit, TOOL_OK, 8,
                (char *[]){"edit", out, "-o", again, "--call", number, "--constant",
                           "ps:c1=0,0,1,1", NULL});
    demand_colours(again, 0xff0000, 0x0000ff, 0x00ff00);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("novem edit");
    TCase *tc = tcase_create("edit");

    tcase_add_checked_fixture(tc, setup, close_folder);
    tcase_add_loop_test(tc, another_shader_is_bound_for_the_draw_alone, 0, 2);
    tcase_add_test(tc, all_other_calls_are_unchanged);
    tcase_add_test(tc, no_shader_means_the_fixed_function);
    tcase_add_test(tc, calls_are_removed);
    tcase_add_test(tc, wrong_shaders_are_refused);
    tcase_add_test(tc, wrong_requests_are_refused);
    tcase_add_test(tc, edits_add_up);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
