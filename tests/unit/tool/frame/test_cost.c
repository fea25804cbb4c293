/* Costs of a frame: counts of a recorded frame by hand, every form of output, and errors. */
#define COBJMACROS
#include "unit/api/api_test.h"
#include "unit/tool/command.h"

#include "record/record.h"
#include "tool/frame/answer.h"
#include "tool/frame/cost.h"
#include "tool/frame/cost_overlay.h"
#include "tool/frame/frame.h"
#include "util/log.h"
#include "vm/vm.h"

#include <cjson/cJSON.h>

enum { SIDE = 64, AREA = 32 * 32 };

static char path[64];

struct vertex {
    float x, y, z, w;
    D3DCOLOR colour;
};

static IDirect3DPixelShader9 *assemble(IDirect3DDevice9 *device, const char *text)
{
    IDirect3DPixelShader9 *shader;
    uint32_t *words;
    size_t n;

    ck_assert_int_eq(vm_assemble(&words, &n, text, NULL), ST_OK);
    OK(IDirect3DDevice9_CreatePixelShader(device, (const DWORD *)words, &shader));
    mem_free(words);
    return shader;
}

/* A square of AREA pixels. */
static void draw_square(IDirect3DDevice9 *device, float x, float z)
{
    const struct vertex square[4] = {{x - 0.5f, -0.5f, z, 1, ~0u},
                                     {x + 31.5f, -0.5f, z, 1, ~0u},
                                     {x - 0.5f, 31.5f, z, 1, ~0u},
                                     {x + 31.5f, 31.5f, z, 1, ~0u}};

    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, square, sizeof(square[0])));
}

/* A square by a shader; another behind half of it, by the fixed function. */
static void record_frame(IDirect3DDevice9 *device, IDirect3DPixelShader9 *shader)
{
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0f, 0));
    D3DPERF_BeginEvent(0, u"front \";<b>");
    OK(IDirect3DDevice9_SetPixelShader(device, shader));
    draw_square(device, 0.0f, 0.25f);
    D3DPERF_EndEvent();
    OK(IDirect3DDevice9_SetPixelShader(device, NULL));
    draw_square(device, 16.0f, 0.75f);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
}

/* Clockwise, counter-clockwise, without area; then both turns with a corner behind the viewer. */
enum { TRIANGLES = 5 };
static const float turned[3 * TRIANGLES][4] = {
    {0, 0.5f, 0.5f, 1},      {0.5f, -0.5f, 0.5f, 1},
    {-0.5f, -0.5f, 0.5f, 1}, {0, 0.5f, 0.5f, 1},
    {-0.5f, -0.5f, 0.5f, 1}, {0.5f, -0.5f, 0.5f, 1},
    {0, 0.5f, 0.5f, 1},      {0, 0, 0.5f, 1},
    {0, -0.5f, 0.5f, 1},     {0, 0.5f, 0.5f, 1},
    {0.5f, -0.5f, 0.5f, 1},  {-0.5f, -0.5f, -0.5f, -0.25f},
    {0, 0.5f, 0.5f, 1},      {-0.5f, -0.5f, -0.5f, -0.25f},
    {0.5f, -0.5f, 0.5f, 1}};

/* A square that writes depth alone, one that writes nothing, and turned triangles. */
static void record_masked_frame(IDirect3DDevice9 *device)
{
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1.0f, 0));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_COLORWRITEENABLE, 0));
    draw_square(device, 0.0f, 0.25f);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZWRITEENABLE, FALSE));
    draw_square(device, 16.0f, 0.125f);
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZW));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, TRIANGLES, turned,
                                        sizeof(turned[0])));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
}

static void record_frames(void)
{
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = SIDE,
                               .BackBufferHeight = SIDE,
                               .BackBufferFormat = D3DFMT_X8R8G8B8,
                               .SwapEffect = D3DSWAPEFFECT_COPY,
                               .EnableAutoDepthStencil = TRUE,
                               .AutoDepthStencilFormat = D3DFMT_D24S8,
                               .Windowed = TRUE};
    IDirect3DPixelShader9 *shader;
    IDirect3DDevice9 *device;
    IDirect3D9 *d3d9;

    record_open(path);
    d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &p, &device));
    shader = assemble(device, "ps_2_0\ndef c0, 1, 0, 0, 1\ndcl_2d s0\ndcl t0.xy\n"
                              "texld r0, t0, s0\nadd r0, r0, c0\nmov oC0, r0\n");
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    record_frame(device, shader);
    record_frame(device, shader);
    record_masked_frame(device);
    IDirect3DPixelShader9_Release(shader);
    ck_assert_uint_eq(IDirect3DDevice9_Release(device), 0);
    IDirect3D9_Release(d3d9);
    record_close();
}

static void setup(void)
{
    setenv("NOVEM_THREADS", "1", 1);
    log_set_level(LOG_NONE);
    open_folder();
    path_in_folder(path, "x.trace");
    record_frames();
}

static void gather(struct frame_cost *cost, unsigned frame, unsigned runs)
{
    struct frame_walk *walk;

    ck_assert_int_eq(frame_walk_open(&walk, "profile", path, frame), TOOL_OK);
    ck_assert_int_eq(frame_cost_gather(cost, walk, runs), ST_OK);
    frame_walk_close(walk);
}

/* --- Counts ----------------------------------------------------------------------------------- */

START_TEST(counts_of_a_frame)
{
    struct frame_cost cost;
    const struct frame_cost_event *e;
    const struct frame_cost_shader *s;

    gather(&cost, 1, 0);
    ck_assert_uint_eq(cost.n_events, 3);
    ck_assert(!cost.timed);
    e = cost.event;
    ck_assert_str_eq(e[0].name, "Clear");
    ck_assert(!e[0].draw && e[1].draw && e[2].draw);
    ck_assert_str_eq(e[1].name, "DrawPrimitiveUP");
    ck_assert_str_eq(e[1].marker, "front \"_<b>");
    ck_assert_str_eq(e[2].marker, "");
    ck_assert_uint_eq(e[1].vertices, 4);
    ck_assert_uint_eq(e[1].primitives, 2);
    ck_assert_uint_eq(e[1].covered, AREA);
    ck_assert_uint_eq(e[1].written, AREA);
    ck_assert_uint_eq(e[1].lookups, AREA);
    ck_assert_uint_eq(e[1].instructions[1], 3 * AREA);
    ck_assert_uint_eq(e[2].tested, AREA);
    ck_assert_uint_eq(e[2].depth_failed, AREA / 2);
    ck_assert_uint_eq(e[2].shaded, AREA / 2);
    ck_assert_uint_eq(e[2].passed, AREA / 2);
    ck_assert_uint_eq(cost.n_targets, 2);
    ck_assert_double_eq(cost.target[0].overdraw, 1.5 * AREA / (SIDE * SIDE));
    s = &cost.shader[e[1].shader[1]];
    ck_assert(s->pixel);
    ck_assert_uint_eq(s->draws, 1);
    ck_assert_uint_eq(s->invocations, AREA);
    ck_assert_uint_eq(s->n_lines,
                      9); /* version, def, two dcl, instructions, an empty line, a comment */
    for (uint32_t i = 0; i < s->n_lines; i++)
        ck_assert_uint_eq(s->line[i], i < 4 || i > 6 ? 0 : AREA);
    s = &cost.shader[e[1].shader[0]]; /* of both draws */
    ck_assert(!s->pixel && e[1].shader[0] == e[2].shader[0]);
    ck_assert_uint_eq(s->draws, 2);
    ck_assert_uint_eq(s->invocations, 8);
    frame_cost_fini(&cost);
}
END_TEST

START_TEST(times)
{
    struct frame_cost cost;

    gather(&cost, 0, 2);
    ck_assert_uint_eq(cost.n_events, 3);
    ck_assert(cost.timed);
    for (uint32_t i = 0; i < cost.n_events; i++) {
        ck_assert_double_gt(cost.event[i].seconds, 0.0);
        ck_assert_double_lt(cost.event[i].seconds, 60.0);
    }
    frame_cost_fini(&cost);
}
END_TEST

/* The triangles that a mesh calls culled are as many as setup culls. */
START_TEST(culled_triangles_have_numbers)
{
    struct frame_cost cost;
    struct frame_walk *walk;
    const cJSON *culled;
    char key[FRAME_KEY];
    cJSON *mesh;

    gather(&cost, 2, 0);
    snprintf(key, sizeof(key), "mesh/%u", (unsigned)cost.event[3].call);
    ck_assert_int_eq(frame_walk_open(&walk, "profile", path, 2), TOOL_OK);
    ck_assert_int_eq(frame_answer(walk, NULL, key, &mesh), ST_OK);
    frame_walk_close(walk);
    culled = cJSON_GetObjectItemCaseSensitive(mesh, "culled");
    ck_assert_int_eq(cJSON_GetArraySize(culled), 3);
    ck_assert_uint_eq(cost.event[3].culled, 3);
    ck_assert_int_eq(cJSON_GetArrayItem(culled, 0)->valueint, 1);
    ck_assert_int_eq(cJSON_GetArrayItem(culled, 1)->valueint, 2);
    cJSON_Delete(mesh);
    frame_cost_fini(&cost);
}
END_TEST

/* --- Overlays --------------------------------------------------------------------------------- */

static unsigned frame = 1;

/* The overlay of the n-th draw of the frame, counted from 0. */
static struct frame_overlay_values overlay(const char *name, unsigned n, bool pass)
{
    struct frame_overlay_values out;
    struct frame_cost cost;
    struct frame_walk *walk;

    gather(&cost, frame, 0);
    ck_assert_int_eq(frame_walk_open(&walk, "profile", path, frame), TOOL_OK);
    ck_assert_int_eq(
        frame_overlay_gather(&out, walk, frame_overlay_find(name), cost.event[1 + n].call, pass),
        ST_OK);
    frame_walk_close(walk);
    frame_cost_fini(&cost);
    ck_assert_uint_eq(out.width, SIDE);
    ck_assert_uint_eq(out.height, SIDE);
    return out;
}

/* Columns 0 to 31 have the first square, 16 to 47 the second; compares their values in row y. */
static void check_columns(struct frame_overlay_values values, unsigned y, uint32_t first,
                          uint32_t both, uint32_t second)
{
    for (unsigned x = 0; x < SIDE; x++)
        ck_assert_uint_eq(values.value[y * SIDE + x], y > 31 || x > 47 ? 0
                                                      : x < 16         ? first
                                                      : x < 32         ? both
                                                                       : second);
    mem_free(values.value);
}

START_TEST(overlays)
{
    check_columns(overlay("overdraw", 0, false), 5, 1, 1, 0);
    check_columns(overlay("overdraw", 1, false), 5, 0, 0, 1);
    check_columns(overlay("overdraw", 1, true), 5, 1, 1, 1);
    check_columns(overlay("overdraw", 1, true), 40, 0, 0, 0);
    check_columns(overlay("depth-fail", 1, true), 5, 0, 1, 0);
    check_columns(overlay("depth-fail", 0, false), 5, 0, 0, 0);
    check_columns(overlay("stencil-fail", 1, true), 5, 0, 0, 0);
    check_columns(overlay("shaded", 1, false), 5, 0, 0, 1);
    check_columns(overlay("draw", 0, false), 5, 1, 1, 0);
    check_columns(overlay("draw", 1, false), 5, 0, 0, 1);
    check_columns(overlay("cost", 0, false), 5, 3, 3, 0); /* instructions of the shader */
    check_columns(overlay("triangle-size", 1, false), 5, 0, 0, AREA / 2);
    check_columns(overlay("triangle-size", 1, true), 5, AREA / 2, AREA / 2, AREA / 2);
}
END_TEST

/* Quads that the diagonal crosses are shaded for both triangles. */
START_TEST(overlay_of_quads)
{
    struct frame_overlay_values values = overlay("quads", 0, false);
    unsigned twice = 0;

    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        bool inside = i % SIDE < 32 && i / SIDE < 32;

        ck_assert_uint_le(values.value[i], inside ? 2 : 0);
        ck_assert_uint_ge(values.value[i], inside ? 1 : 0);
        twice += values.value[i] == 2;
    }
    ck_assert_uint_eq(twice, 16 * 4);
    mem_free(values.value);
}
END_TEST

/* What passes the tests is not written where writing is off: colour, then depth. */
START_TEST(overlays_show_what_is_written)
{
    frame = 2;
    check_columns(overlay("overdraw", 0, false), 5, 0, 0, 0); /* depth alone */
    check_columns(overlay("draw", 0, false), 5, 1, 1, 0);
    check_columns(overlay("draw", 1, false), 5, 0, 0, 0); /* neither */
    frame = 1;
}
END_TEST

/* The edges and the diagonal of the square, though it is behind another. */
START_TEST(overlay_of_edges)
{
    struct frame_overlay_values values = overlay("wireframe", 1, false);
    unsigned n = 0;

    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        ck_assert_uint_le(values.value[i], 1);
        n += values.value[i];
    }
    ck_assert_uint_ge(n, 3 * 31);
    ck_assert_uint_le(n, 6 * 32);
    ck_assert_uint_eq(values.value[21 * SIDE + 16 + 10], 1);
    ck_assert_uint_eq(values.value[5 * SIDE + 16 + 20], 0);
    mem_free(values.value);
}
END_TEST

/* Runs `novem frame --call CALL --overlay KIND --target FILE` and returns what it prints. */
static const char *frame_overlay(int expected, unsigned call, const char *kind)
{
    static char file[64];
    char number[16];

    path_in_folder(file, "overlay.png");
    snprintf(number, sizeof(number), "%u", call);
    return run_command(tool_frame, expected, 8,
                       (char *[]){"frame", path, "--call", number, "--overlay",
                                  (char *)(uintptr_t)kind, "--target", file, NULL});
}

START_TEST(overlay_over_a_picture)
{
    static const uint8_t clear[3] = {0};
    struct tool_image image;
    struct frame_cost cost;
    unsigned call;

    gather(&cost, 1, 0);
    call = (unsigned)cost.event[2].call;
    frame_overlay(TOOL_OK, call, "draw");
    ck_assert_int_eq(tool_png_read(in_folder("overlay.png"), &image), ST_OK);
    ck_assert_int_eq(memcmp(image.rgba + 4 * (5 * SIDE + 50), clear, 3), 0);
    ck_assert_uint_eq(image.rgba[4 * (5 * SIDE + 40)], 255); /* magenta over white */
    ck_assert_uint_eq(image.rgba[4 * (5 * SIDE + 40) + 1], 55);
    tool_image_fini(&image);
    ck_assert_ptr_nonnull(strstr(frame_overlay(TOOL_ERROR, call, "x"), "there are only draw, "));
    ck_assert_ptr_nonnull(
        strstr(frame_overlay(TOOL_ERROR, (unsigned)cost.event[0].call, "draw"), "is no draw"));
    frame_cost_fini(&cost);
}
END_TEST

START_TEST(no_overlay)
{
    struct frame_overlay_values out;
    struct frame_walk *walk;

    ck_assert_int_eq(frame_overlay_find("depth"), FRAME_OVERLAYS);
    ck_assert_int_eq(frame_walk_open(&walk, "profile", path, 1), TOOL_OK);
    ck_assert_int_eq(frame_overlay_gather(&out, walk, FRAME_OVERLAY_QUADS, 1, true), ST_NOTFOUND);
    ck_assert_ptr_null(out.value);
    frame_walk_close(walk);
}
END_TEST

/* --- Output ----------------------------------------------------------------------------------- */

#define PROFILE(expected, ...)                                                                     \
    profile(expected, (const char *[]){"profile", path, __VA_ARGS__, NULL})
static const char *profile(int expected, const char *const *words)
{
    int argc = 0;

    while (words[argc])
        argc++;
    return run_command(tool_profile, expected, argc, (char **)(uintptr_t)words);
}

static unsigned count_lines(const char *text)
{
    unsigned n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

START_TEST(json)
{
    cJSON *all = cJSON_Parse(PROFILE(0, "--frame", "1", "--json", "--runs", "1"));
    const cJSON *events = cJSON_GetObjectItem(all, "events"), *e, *shader;

    ck_assert_ptr_nonnull(all);
    ck_assert_int_eq(cJSON_GetArraySize(events), 3);
    e = cJSON_GetArrayItem(events, 1);
    ck_assert_str_eq(cJSON_GetObjectItem(e, "marker")->valuestring, "front \"_<b>");
    ck_assert_int_eq(cJSON_GetObjectItem(e, "samples")->valueint, AREA);
    ck_assert_int_eq(cJSON_GetObjectItem(e, "pixel_instructions")->valueint, 3 * AREA);
    ck_assert(cJSON_IsNumber(cJSON_GetObjectItem(e, "seconds")));
    shader = cJSON_GetArrayItem(cJSON_GetObjectItem(all, "shaders"), 1);
    ck_assert_str_eq(cJSON_GetObjectItem(shader, "kind")->valuestring, "pixel");
    ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(shader, "lines")), 9);
    ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(all, "targets")), 2);
    cJSON_Delete(all);
}
END_TEST

START_TEST(csv_and_table)
{
    const char *text = PROFILE(0, "--frame", "1", "--csv", "--runs", "0");

    ck_assert_uint_eq(count_lines(text), 4);
    ck_assert_ptr_nonnull(strstr(text, ",\"DrawPrimitiveUP\",\"front \"\"_<b>\","));
    ck_assert_uint_eq(count_lines(PROFILE(0, "--frame", "1", "--csv", "--by", "shader")), 4);
    text = PROFILE(0, "--frame", "1", "--runs", "0");
    ck_assert_ptr_nonnull(strstr(text, "\ntotal "));
    ck_assert_ptr_nonnull(strstr(text, "overdraw 0.38"));
    ck_assert_uint_eq(count_lines(text), 1 + 3 + 1 + 1 + 2);
    ck_assert_uint_eq(count_lines(PROFILE(0, "--frame", "1", "--by", "shader")), 1 + 3 + 1);
}
END_TEST

START_TEST(folded_stacks)
{
    const char *text = PROFILE(0, "--frame", "1", "--folded", "--runs", "0");
    char line[128];

    ck_assert_int_eq(strncmp(text, "frame 1;pass 1 (target ", 23), 0);
    snprintf(line, sizeof(line), " DrawPrimitiveUP;pixel %d\n", 3 * AREA);
    ck_assert_ptr_nonnull(strstr(text, line));
    ck_assert_ptr_nonnull(strstr(text, ";front \"_<b>;"));
}
END_TEST

START_TEST(file)
{
    const char *to = in_folder("costs.json");
    uint8_t *bytes;
    size_t n;

    ck_assert_str_eq(PROFILE(0, "--json", "-o", to), "");
    ck_assert_int_eq(tool_file_read(to, &bytes, &n), ST_OK);
    ck_assert_int_eq(bytes[0], '{');
    mem_free(bytes);
}
END_TEST

START_TEST(errors)
{
    ck_assert_ptr_nonnull(strstr(PROFILE(2, "--frame", "3"), "there is no frame 3"));
    ck_assert_ptr_nonnull(strstr(PROFILE(2, "--frame", "7"), "there is no frame 7"));
    ck_assert_ptr_nonnull(strstr(PROFILE(2, "--by", "line"), "'draw' or 'shader'"));
    ck_assert_ptr_nonnull(strstr(PROFILE(2, "--json", "--csv"), "only one of"));
    ck_assert_ptr_nonnull(strstr(PROFILE(2, "-o", path), "is the capture"));
    ck_assert_ptr_nonnull(strstr(PROFILE(2, "-o", "/none/costs"), "/none/costs"));
    ck_assert_ptr_nonnull(
        strstr(profile(2, (const char *[]){"profile", "/none/x.trace", NULL}), "/none/x.trace"));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("cost");
    TCase *tc = tcase_create("cost");

    tcase_add_checked_fixture(tc, setup, close_folder);
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, counts_of_a_frame);
    tcase_add_test(tc, times);
    tcase_add_test(tc, culled_triangles_have_numbers);
    tcase_add_test(tc, overlays);
    tcase_add_test(tc, overlay_of_quads);
    tcase_add_test(tc, overlays_show_what_is_written);
    tcase_add_test(tc, overlay_of_edges);
    tcase_add_test(tc, overlay_over_a_picture);
    tcase_add_test(tc, no_overlay);
    tcase_add_test(tc, json);
    tcase_add_test(tc, csv_and_table);
    tcase_add_test(tc, folded_stacks);
    tcase_add_test(tc, file);
    tcase_add_test(tc, errors);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
