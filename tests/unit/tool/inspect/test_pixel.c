/* Pixel history: the events of random frames must add up to the frames' pixels. Also `novem frame`,
 * `novem golden bisect` and `novem trim`. */
#define COBJMACROS
#include "unit/api/api_test.h"

#include "record/record.h"
#include "tool/cli/cli.h"
#include "tool/frame/frame.h"
#include "tool/image/image.h"
#include "tool/inspect/frame.h"
#include "tool/inspect/history.h"
#include "tool/inspect/inspect.h"
#include "tool/trim/trim.h"
#include "trace/trace.h"
#include "util/alloc.h"
#include "util/log.h"

#include <stdio.h>
#include <unistd.h>

enum { SIDE = 48, FRAMES = 90, DRAWS = 5 };

static char path[64];
static uint32_t seed;

static uint32_t random_below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)seed * n >> 32);
}

static float random_float(float low, float high)
{
    return low + (high - low) * (float)random_below(1u << 24) / (float)(1u << 24);
}

static void setup(void)
{
    setenv("NOVEM_THREADS", "1", 1);
    log_set_level(LOG_NONE);
    strcpy(path, "/tmp/novem-test-XXXXXX");
    close(mkstemp(path));
}

static void teardown(void)
{
    unlink(path);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

/* --- Random frames ---------------------------------------------------------------------------- */

struct vertex {
    float x, y, z;
    D3DCOLOR colour;
    float u, v;
};

static void set(IDirect3DDevice9 *device, D3DRENDERSTATETYPE state, DWORD value)
{
    OK(IDirect3DDevice9_SetRenderState(device, state, value));
}

static void random_tests(IDirect3DDevice9 *device)
{
    const RECT scissor = {(LONG)random_below(SIDE / 2), (LONG)random_below(SIDE / 2),
                          SIDE / 2 + (LONG)random_below(SIDE / 2),
                          SIDE / 2 + (LONG)random_below(SIDE / 2)};

    set(device, D3DRS_ZENABLE, random_below(4) != 0);
    set(device, D3DRS_ZWRITEENABLE, random_below(4) != 0);
    set(device, D3DRS_ZFUNC, 1 + random_below(8));
    set(device, D3DRS_ALPHATESTENABLE, random_below(2));
    set(device, D3DRS_ALPHAFUNC, 1 + random_below(8));
    set(device, D3DRS_ALPHAREF, random_below(256));
    set(device, D3DRS_STENCILENABLE, random_below(2));
    set(device, D3DRS_STENCILFUNC, 1 + random_below(8));
    set(device, D3DRS_STENCILREF, random_below(3));
    set(device, D3DRS_STENCILPASS, 1 + random_below(8));
    set(device, D3DRS_STENCILFAIL, 1 + random_below(8));
    set(device, D3DRS_STENCILZFAIL, 1 + random_below(8));
    set(device, D3DRS_SCISSORTESTENABLE, random_below(3) == 0);
    OK(IDirect3DDevice9_SetScissorRect(device, &scissor));
}

static void random_setup(IDirect3DDevice9 *device)
{
    const float plane[4] = {random_float(-1, 1), random_float(-1, 1), 0, random_float(0, 1)};

    set(device, D3DRS_CULLMODE, 1 + random_below(3));
    set(device, D3DRS_FILLMODE, random_below(6) ? D3DFILL_SOLID : 1 + random_below(2));
    set(device, D3DRS_CLIPPLANEENABLE, random_below(3) == 0);
    OK(IDirect3DDevice9_SetClipPlane(device, 0, plane));
    set(device, D3DRS_MULTISAMPLEMASK, random_below(2) ? 0xffffffff : random_below(16));
    set(device, D3DRS_ALPHABLENDENABLE, random_below(2));
    set(device, D3DRS_SRCBLEND, 1 + random_below(10));
    set(device, D3DRS_DESTBLEND, 1 + random_below(10));
    set(device, D3DRS_COLORWRITEENABLE, random_below(3) ? 15 : random_below(16));
    set(device, D3DRS_FOGENABLE, random_below(4) == 0);
    set(device, D3DRS_FOGTABLEMODE, random_below(4));
}

static void random_draw(IDirect3DDevice9 *device)
{
    enum { MOST = 24 };
    static const D3DPRIMITIVETYPE types[] = {
        D3DPT_TRIANGLELIST, D3DPT_TRIANGLELIST, D3DPT_TRIANGLELIST, D3DPT_TRIANGLESTRIP,
        D3DPT_TRIANGLEFAN,  D3DPT_LINELIST,     D3DPT_LINESTRIP,    D3DPT_POINTLIST};
    struct vertex vertices[3 * MOST];

    for (unsigned i = 0; i < 3 * MOST; i++)
        vertices[i] = (struct vertex){
            random_float(-1.2f, 1.2f), random_float(-1.2f, 1.2f),
            random_float(-0.1f, 1.1f), random_below(1u << 24) | random_below(256) << 24,
            random_float(0, 1),        random_float(0, 1)};
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, types[random_below(8)], 1 + random_below(MOST),
                                        vertices, sizeof(vertices[0])));
}

static void random_frame(IDirect3DDevice9 *device, IDirect3DSurface9 *back,
                         IDirect3DSurface9 *const target[2], IDirect3DSurface9 *depth,
                         IDirect3DPixelShader9 *killer)
{
    unsigned way = random_below(3); /* 0: drawn to the back buffer; else copied there */

    OK(IDirect3DDevice9_SetRenderTarget(device, 0, way ? target[way - 1] : back));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, way == 2 ? depth : NULL));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, random_below(1u << 24), 0, 0));
    if (way == 2)
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0,
                                  random_float(0, 1), random_below(3)));
    for (unsigned i = 0; i < DRAWS; i++) {
        random_tests(device);
        random_setup(device);
        OK(IDirect3DDevice9_SetPixelShader(device, random_below(3) ? NULL : killer));
        random_draw(device);
    }
    set(device, D3DRS_SCISSORTESTENABLE, FALSE);
    if (way)
        OK(IDirect3DDevice9_StretchRect(device, target[way - 1], NULL, back, NULL, D3DTEXF_NONE));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
}

static IDirect3DPixelShader9 *create_killer(IDirect3DDevice9 *device)
{
    IDirect3DPixelShader9 *shader;
    uint32_t *words;
    size_t n;

    ck_assert_int_eq(vm_assemble(&words, &n,
                                 "ps_2_0\ndef c0, 0.5, 0.5, 0.5, 0\ndcl v0\n"
                                 "sub r0, v0, c0\ntexkill r0\nmov oC0, v0\n",
                                 NULL),
                     ST_OK);
    OK(IDirect3DDevice9_CreatePixelShader(device, (const DWORD *)words, &shader));
    mem_free(words);
    return shader;
}

/* Targets with and without multisampling, the former with depth and stencil; SIDE pixels wide. */
static void record_frames(void)
{
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = SIDE,
                               .BackBufferHeight = SIDE,
                               .BackBufferFormat = D3DFMT_A8R8G8B8,
                               .SwapEffect = D3DSWAPEFFECT_DISCARD,
                               .Windowed = TRUE};
    IDirect3DSurface9 *back, *target[2], *depth;
    IDirect3DPixelShader9 *killer;
    IDirect3DDevice9 *device;
    IDirect3D9 *d3d9;

    record_open(path);
    d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &p, &device));
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &back));
    OK(IDirect3DDevice9_CreateRenderTarget(device, SIDE, SIDE, D3DFMT_A8R8G8B8, 0, 0, FALSE,
                                           &target[0], NULL));
    OK(IDirect3DDevice9_CreateRenderTarget(device, SIDE, SIDE, D3DFMT_A8R8G8B8,
                                           D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &target[1], NULL));
    OK(IDirect3DDevice9_CreateDepthStencilSurface(device, SIDE, SIDE, D3DFMT_D24S8,
                                                  D3DMULTISAMPLE_4_SAMPLES, 0, TRUE, &depth, NULL));
    killer = create_killer(device);
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1));
    set(device, D3DRS_LIGHTING, FALSE);
    for (unsigned i = 0; i < FRAMES; i++)
        random_frame(device, back, target, depth, killer);
    IDirect3DPixelShader9_Release(killer);
    IDirect3DSurface9_Release(depth);
    IDirect3DSurface9_Release(target[0]);
    IDirect3DSurface9_Release(target[1]);
    IDirect3DSurface9_Release(back);
    ck_assert_uint_eq(IDirect3DDevice9_Release(device), 0);
    IDirect3D9_Release(d3d9);
    record_close();
}

/* --- Histories -------------------------------------------------------------------------------- */

static uint32_t shown[FRAMES][SIDE * SIDE]; /* RGBA bytes */

static bool take(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    struct replay_picture picture;

    (void)ctx;
    (void)replay;
    ck_assert_uint_lt(moment->frame, FRAMES);
    ck_assert_int_eq(replay_take_picture(replay, &picture), ST_OK);
    ck_assert_uint_eq(picture.width, SIDE);
    memcpy(shown[moment->frame], picture.rgba, sizeof(shown[0]));
    mem_free(picture.rgba);
    return true;
}

static void replay_frames(void)
{
    const struct replay_options options = {.on_moment = take};
    struct trace_reader *reader;
    struct trace_error error;
    struct replay *replay;

    ck_assert_int_eq(trace_open(&reader, path, &error), ST_OK);
    ck_assert_int_eq(replay_create(&replay, reader, &options), ST_OK);
    ck_assert_int_eq(replay_run(replay), ST_OK);
    replay_destroy(replay);
    trace_close(reader);
}

/* Tests never add samples, and a failed test is the last one. */
static void check_primitive(const struct inspect_primitive *p)
{
    ck_assert_uint_gt(p->n_tests, 0);
    for (unsigned i = 0; i < p->n_tests; i++) {
        ck_assert_uint_le(p->test[i].after, p->test[i].before);
        ck_assert(i + 1 == p->n_tests || p->test[i].after > 0);
        ck_assert(!i || p->test[i].before == p->test[i - 1].after);
    }
    if (!p->test[p->n_tests - 1].after)
        ck_assert_str_eq(p->outcome, p->test[p->n_tests - 1].name);
}

/* Returns a bit for each outcome in the history. */
static unsigned check_history(const struct inspect_history *h, uint64_t frame)
{
    static const char *const outcomes[] = {
        "written",    "culling",      "clip planes", "scissor",          "shader",
        "alpha test", "stencil test", "depth test",  "multisample mask", "passed, nothing changed"};
    const struct inspect_point *p = &h->point[0];
    const uint8_t *at = (const uint8_t *)&shown[frame][p->y * SIDE + p->x];
    unsigned seen = 0;

    if (!inspect_history_is_exact(h))
        inspect_print_text(h, stdout);
    ck_assert(inspect_history_is_exact(h));
    ck_assert(p->ended);
    ck_assert_int_eq(p->final.raw[0][2], at[0]);
    ck_assert_int_eq(p->final.raw[0][1], at[1]);
    ck_assert_int_eq(p->final.raw[0][0], at[2]);
    for (unsigned i = 0; i < h->n_events; i++)
        for (unsigned k = 0; k < h->event[i].n_primitives; k++) {
            check_primitive(&h->event[i].primitive[k]);
            for (unsigned o = 0; o < 10; o++)
                seen |= (unsigned)!strcmp(h->event[i].primitive[k].outcome, outcomes[o]) << o;
        }
    return seen;
}

START_TEST(histories_of_random_frames_add_up)
{
    unsigned seen = 0;

    seed = 1;
    record_frames();
    replay_frames();
    for (unsigned i = 0; i < FRAMES; i++) {
        struct inspect_request request = {.command = "pixel",
                                          .file = path,
                                          .first = i,
                                          .frame = i,
                                          .call = UINT64_MAX,
                                          .x = random_below(SIDE),
                                          .y = random_below(SIDE)};
        struct inspect_history h;

        ck_assert_int_eq(inspect_history_gather(&h, &request), TOOL_OK);
        seen |= check_history(&h, i);
        inspect_history_fini(&h);
    }
    ck_assert_uint_eq(seen, 0x3ff);
    replay_frames(); /* without hooks */
}
END_TEST

/* --- The command ------------------------------------------------------------------------------ */

static int pixel(const char *a, const char *b, const char *c, const char *d, const char *e,
                 const char *f, char **text)
{
    const char *given[] = {"pixel", path, a, b, c, d, e, f, NULL};
    char *argv[9];
    int code, kept = dup(1), argc = 0;
    FILE *file = tmpfile();
    size_t n;

    for (; given[argc]; argc++)
        argv[argc] = (char *)(uintptr_t)given[argc];
    argv[argc] = NULL;
    fflush(stdout);
    dup2(fileno(file), 1);
    code = tool_pixel(argc, argv);
    fflush(stdout);
    dup2(kept, 1);
    close(kept);
    n = (size_t)lseek(fileno(file), 0, SEEK_END);
    *text = calloc(1, n + 1);
    ck_assert_int_eq(pread(fileno(file), *text, n, 0), (ssize_t)n);
    fclose(file);
    return code;
}

/* The text of --trace has both shaders, and the pixel shader's output is the tests' input. */
START_TEST(shaders_are_traced)
{
    char *text, *call, number[16];

    seed = 7;
    record_frames();
    ck_assert_int_eq(pixel("--frame", "9", "--at", "20,30", NULL, NULL, &text), TOOL_OK);
    ck_assert_ptr_nonnull(strstr(text, "values add up"));
    call = strstr(text, "::DrawPrimitiveUP");
    ck_assert_ptr_nonnull(call);
    while (strncmp(call, "call ", 5) != 0)
        call--;
    snprintf(number, sizeof(number), "%d", atoi(call + 5));
    free(text);
    ck_assert_int_eq(pixel("--frame", "9", "--at", "20,30", "--trace", number, &text), TOOL_OK);
    ck_assert_ptr_nonnull(strstr(text, "| --- vertex shader"));
    ck_assert_ptr_nonnull(strstr(text, "| --- pixel shader"));
    ck_assert_ptr_nonnull(strstr(text, "oC0"));
    free(text);
}
END_TEST

START_TEST(invalid_requests_are_refused)
{
    char *text;

    seed = 7;
    record_frames();
    ck_assert_int_eq(pixel("--frame", "9", "--at", "48,0", NULL, NULL, &text), TOOL_ERROR);
    free(text);
    ck_assert_int_eq(pixel("--frame", "1000", "--at", "4,0", NULL, NULL, &text), TOOL_ERROR);
    free(text);
    ck_assert_int_eq(pixel("--frame", "x", "--at", "4,0", NULL, NULL, &text), TOOL_ERROR);
    free(text);
    ck_assert_int_eq(pixel("--frame", "1", "--at", "4", NULL, NULL, &text), TOOL_ERROR);
    free(text);
    ck_assert_int_eq(pixel("--call", "0", "--at", "4,4", NULL, NULL, &text), TOOL_ERROR);
    free(text);
    ck_assert_int_eq(pixel("--at", "4,4", NULL, NULL, NULL, NULL, &text), TOOL_ERROR);
    free(text);
    ck_assert_int_eq(truncate(path, 2000), 0);
    ck_assert_int_eq(pixel("--frame", "9", "--at", "4,4", NULL, NULL, &text), TOOL_ERROR);
    free(text);
}
END_TEST

/* --- A frame in files ------------------------------------------------------------------------- */

static char *read_text(const char *folder, const char *name)
{
    char at[256];
    uint8_t *bytes;
    size_t n;

    snprintf(at, sizeof(at), "%s/%s", folder, name);
    ck_assert_msg(tool_file_read(at, &bytes, &n) == ST_OK, "%s is missing", at);
    return (char *)bytes;
}

/* The last picture of the index is that of the frame. */
static void check_last_picture(const char *folder, const char *index, unsigned frame)
{
    struct tool_image image;
    char name[64], at[256];
    const char *last = NULL;

    for (const char *next = index; (next = strstr(next, "colour after")); next++)
        last = next;
    ck_assert_ptr_nonnull(last);
    ck_assert_int_eq(sscanf(last, "colour after %60s", name), 1);
    snprintf(at, sizeof(at), "%s/%s", folder, name);
    ck_assert_int_eq(tool_png_read(at, &image), ST_OK);
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        ck_assert(!memcmp(image.rgba + 4 * i, &shown[frame][i], 3));
    tool_image_fini(&image);
}

START_TEST(frames_become_files)
{
    char folder[80], number[8], command[128], *index, *text;
    const char *name;

    seed = 3;
    record_frames();
    replay_frames();
    snprintf(folder, sizeof(folder), "%s-frame", path);
    for (unsigned frame = 0; frame < 12; frame++) {
        char *argv[] = {"frame", path, "--frame", number, "-o", folder, NULL};

        snprintf(number, sizeof(number), "%u", frame);
        ck_assert_int_eq(tool_frame(6, argv), TOOL_OK);
        index = read_text(folder, "index.txt");
        if (!strstr(index, "StretchRect"))
            check_last_picture(folder, index, frame);
        name = strstr(index, "mesh ");
        ck_assert_ptr_nonnull(name);
        ck_assert_int_eq(sscanf(name, "mesh %60s", command), 1);
        text = read_text(folder, command);
        ck_assert_int_eq(strncmp(text, "v ", 2), 0);
        ck_assert_ptr_nonnull(strstr(text, "vt "));
        mem_free(text);
        mem_free(index);
        text = read_text(folder, "index.json");
        ck_assert_ptr_nonnull(strstr(text, "DrawPrimitiveUP"));
        mem_free(text);
        snprintf(command, sizeof(command), "rm -rf %s", folder);
        ck_assert_int_eq(system(command), 0);
    }
    ck_assert_int_eq(
        tool_frame(6, (char *[]){"frame", path, "--frame", "1000", "-o", folder, NULL}),
        TOOL_ERROR);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* --- The first call that differs -------------------------------------------------------------- */

/* Writes pictures of all draws of frame 0 as folder/<call>.png; from draw `wrong` on they have one
 * different pixel. Returns the call of draw `wrong`. */
static uint64_t write_candidate(const struct inspect_target_draws *steps, const char *folder,
                                size_t wrong)
{
    uint64_t call = 0;

    for (size_t i = 0; i < steps->n && !steps->draw[i].frame; i++) {
        struct tool_image image;
        char at[256];

        ck_assert_int_eq(inspect_target_take(&image, "test", path, steps->draw[i].call), TOOL_OK);
        if (i >= wrong)
            image.rgba[4 * (SIDE + 3)] ^= 4;
        if (i == wrong)
            call = steps->draw[i].call;
        snprintf(at, sizeof(at), "%s/%u.png", folder, (unsigned)steps->draw[i].call);
        ck_assert_int_eq(tool_png_write(at, &image, 3), ST_OK);
        tool_image_fini(&image);
    }
    return call;
}

START_TEST(first_difference_is_found)
{
    char folder[80], out[80], candidate[128], command[200], expected[64], *index;
    struct inspect_target_draws steps;

    seed = 11;
    record_frames();
    snprintf(folder, sizeof(folder), "%s-candidate", path);
    snprintf(out, sizeof(out), "%s-found", path);
    snprintf(candidate, sizeof(candidate), "cp %s/{call}.png {out}", folder);
    snprintf(command, sizeof(command), "mkdir %s", folder);
    ck_assert_int_eq(system(command), 0);
    ck_assert_int_eq(inspect_target_draws_gather(&steps, "test", path), TOOL_OK);
    for (size_t wrong = 0; wrong <= 1 + DRAWS; wrong++) {
        char *argv[] = {"bisect",      path, "--candidate", candidate, "--frame", "0",
                        "--threshold", "3",  "-o",          out,       NULL};
        uint64_t call = write_candidate(&steps, folder, wrong);

        ck_assert_int_eq(tool_bisect(10, argv), call ? TOOL_DIFFERS : TOOL_OK);
        if (!call)
            continue;
        snprintf(expected, sizeof(expected), "call %u ", (unsigned)call);
        index = read_text(out, "index.txt");
        ck_assert_msg(!strncmp(index, expected, strlen(expected)), "%s: %s", expected, index);
        mem_free(index);
        argv[7] = "4"; /* equal to the difference */
        ck_assert_int_eq(tool_bisect(10, argv), TOOL_OK);
    }
    ck_assert_int_eq(
        tool_bisect(6, (char *[]){"bisect", path, "--candidate", "false", "-o", out, NULL}),
        TOOL_ERROR);
    mem_free(steps.draw);
    snprintf(command, sizeof(command), "rm -rf %s %s", folder, out);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* --- Trimmed captures ------------------------------------------------------------------------- */

static int trim(const char *from, const char *frames, const char *to)
{
    char *argv[] = {"trim", (char *)(uintptr_t)from, "--frames", (char *)(uintptr_t)frames,
                    "-o",   (char *)(uintptr_t)to,   NULL};

    return tool_trim(6, argv);
}

static uint32_t expected[FRAMES][SIDE * SIDE];

START_TEST(trimmed_captures_render_the_same)
{
    char to[80], again[80], kept[64];

    seed = 5;
    record_frames();
    replay_frames();
    memcpy(expected, shown, sizeof(shown));
    snprintf(to, sizeof(to), "%s-cut", path);
    snprintf(again, sizeof(again), "%s-again", path);
    for (unsigned first = 0; first < 20; first += 6) {
        char frames[24];

        snprintf(frames, sizeof(frames), "%u-%u", first, first + 2);
        ck_assert_int_eq(trim(path, frames, to), TOOL_OK);
        strcpy(kept, path);
        strcpy(path, to);
        memset(shown, 0, sizeof(shown));
        replay_frames();
        strcpy(path, kept);
        ck_assert(!memcmp(shown, expected[first], 3 * sizeof(shown[0])));
        ck_assert_int_eq(trim(to, "0-2", again), TOOL_OK); /* a trimmed capture can be trimmed
                                                            * again */
        ck_assert_int_eq(trim(to, "0-3", again), TOOL_ERROR);
    }
    ck_assert_int_eq(trim(path, "2-1", to), TOOL_ERROR);
    ck_assert_int_eq(trim(path, "1000", to), TOOL_ERROR);
    ck_assert_int_eq(trim("/nowhere", "1", to), TOOL_ERROR);
    unlink(to);
    unlink(again);
}
END_TEST

/* Draws of frame 0 remain visible in frame 1, which does not clear: they must be kept. */
static void record_dependent(bool same)
{
    static const struct vertex corners[3] = {
        {-1, -1, 0, 0xffff0000, 0, 0}, {0, 1, 0, 0xff00ff00, 0, 0}, {1, -1, 0, 0xff0000ff, 0, 0}};
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = SIDE,
                               .BackBufferHeight = SIDE,
                               .BackBufferFormat = D3DFMT_A8R8G8B8,
                               .SwapEffect = D3DSWAPEFFECT_COPY,
                               .Windowed = TRUE};
    IDirect3DDevice9 *device;
    IDirect3D9 *d3d9;

    record_open(path);
    d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &p, &device));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1));
    set(device, D3DRS_LIGHTING, FALSE);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
    for (unsigned i = 0; i < 2; i++) {
        if (!i || same)
            OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, corners,
                                                sizeof(corners[0])));
        OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    }
    ck_assert_uint_eq(IDirect3DDevice9_Release(device), 0);
    IDirect3D9_Release(d3d9);
    record_close();
}

static unsigned draws_in(const char *file)
{
    const struct trace_call *call;
    struct trace_reader *reader;
    struct trace_error error;
    unsigned n = 0;

    ck_assert_int_eq(trace_open(&reader, file, &error), ST_OK);
    while (trace_next(reader, &call) == ST_OK && call)
        n += replay_is_draw(call->function->name);
    trace_close(reader);
    return n;
}

START_TEST(draws_visible_later_are_kept)
{
    char to[80];

    snprintf(to, sizeof(to), "%s-cut", path);
    record_dependent(true);
    ck_assert_int_eq(trim(path, "1", to), TOOL_OK);
    ck_assert_uint_eq(draws_in(to), 1);
    record_dependent(false);
    ck_assert_int_eq(trim(path, "1", to), TOOL_OK);
    ck_assert_uint_eq(draws_in(to), 1);
    unlink(to);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("novem pixel");
    TCase *tc = tcase_create("pixel");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, histories_of_random_frames_add_up);
    tcase_add_test(tc, shaders_are_traced);
    tcase_add_test(tc, frames_become_files);
    tcase_add_test(tc, first_difference_is_found);
    tcase_add_test(tc, trimmed_captures_render_the_same);
    tcase_add_test(tc, draws_visible_later_are_kept);
    tcase_add_test(tc, invalid_requests_are_refused);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
