/* `novem trim` to one draw: keeps the draws that it depends on and drops all others. */
#define COBJMACROS
#include "unit/api/api_test.h"

#include "record/record.h"
#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "tool/inspect/frame.h"
#include "tool/trim/trim.h"
#include "trace/trace.h"
#include "util/alloc.h"
#include "util/log.h"

#include <stdio.h>
#include <unistd.h>

enum { SIDE = 32, TARGETS = 4 };

static char path[64], cut[80];

static void setup(void)
{
    setenv("NOVEM_THREADS", "1", 1);
    log_set_level(LOG_NONE);
    strcpy(path, "/tmp/novem-test-XXXXXX");
    close(mkstemp(path));
    snprintf(cut, sizeof(cut), "%s-cut", path);
}

static void teardown(void)
{
    unlink(path);
    unlink(cut);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

/* --- A frame that is a chain of targets ------------------------------------------------------- */

struct vertex {
    float x, y, z;
    D3DCOLOR colour;
    float u, v;
};

struct scene {
    IDirect3D9 *d3d9;
    IDirect3DDevice9 *device;
    IDirect3DTexture9 *texture[TARGETS];
    IDirect3DSurface9 *surface[TARGETS], *back;
};

static void open_scene(struct scene *s)
{
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = SIDE,
                               .BackBufferHeight = SIDE,
                               .BackBufferFormat = D3DFMT_A8R8G8B8,
                               .SwapEffect = D3DSWAPEFFECT_COPY,
                               .EnableAutoDepthStencil = TRUE,
                               .AutoDepthStencilFormat = D3DFMT_D24S8,
                               .Windowed = TRUE};

    record_open(path);
    s->d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    OK(IDirect3D9_CreateDevice(s->d3d9, 0, D3DDEVTYPE_HAL, NULL,
                               D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &s->device));
    for (unsigned i = 0; i < TARGETS; i++) {
        OK(IDirect3DDevice9_CreateTexture(s->device, SIDE, SIDE, 1, D3DUSAGE_RENDERTARGET,
                                          D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &s->texture[i], NULL));
        OK(IDirect3DTexture9_GetSurfaceLevel(s->texture[i], 0, &s->surface[i]));
    }
    OK(IDirect3DDevice9_GetRenderTarget(s->device, 0, &s->back));
    OK(IDirect3DDevice9_SetFVF(s->device, D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1));
    OK(IDirect3DDevice9_SetRenderState(s->device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetRenderState(s->device, D3DRS_CULLMODE, D3DCULL_NONE));
}

static void close_scene(struct scene *s)
{
    for (unsigned i = 0; i < TARGETS; i++) {
        release(s->surface[i]);
        release(s->texture[i]);
    }
    release(s->back);
    ck_assert_uint_eq(release(s->device), 0);
    release(s->d3d9);
    record_close();
}

static void target(struct scene *s, IDirect3DSurface9 *surface, bool clear)
{
    OK(IDirect3DDevice9_SetTexture(s->device, 0, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(s->device, 0, surface));
    if (clear)
        OK(IDirect3DDevice9_Clear(s->device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER,
                                  0xff102030, 1, 0));
}

/* Draw number n has n triangles, which identify it. */
static void draw(struct scene *s, unsigned n, IDirect3DTexture9 *texture)
{
    struct vertex v[48];

    for (unsigned i = 0; i < 3 * n; i++)
        v[i] = (struct vertex){
            (float)(i % 3) - 1.0f,   i % 3 == 1 ? 0.9f : -0.9f + 0.05f * (float)(i / 3),
            0.9f - 0.05f * (float)n, 0xff808080 + 0x130711 * n + 0x1020 * i,
            0.3f * (float)(i % 4),   0.2f * (float)(i % 5)};
    OK(IDirect3DDevice9_SetTexture(s->device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_DrawPrimitiveUP(s->device, D3DPT_TRIANGLELIST, n, v, sizeof(v[0])));
}

static void record_chain(void)
{
    struct scene s;

    open_scene(&s);
    target(&s, s.surface[0], true);
    draw(&s, 1, NULL); /* needed: 3 reads it, the copy reads 3, 5 reads the copy */
    target(&s, s.surface[2], true);
    draw(&s, 2, NULL);
    target(&s, s.surface[1], true);
    draw(&s, 3, s.texture[0]);
    target(&s, s.back, false);
    draw(&s, 4, NULL);
    OK(IDirect3DDevice9_StretchRect(s.device, s.surface[1], NULL, s.surface[3], NULL,
                                    D3DTEXF_NONE));
    target(&s, s.back, true);
    draw(&s, 5, s.texture[3]);
    target(&s, s.surface[2], false);
    draw(&s, 6, s.texture[1]);
    target(&s, s.surface[0], true); /* the contents that 3 has read are lost */
    draw(&s, 7, NULL);
    OK(IDirect3DDevice9_Present(s.device, NULL, NULL, NULL, NULL));
    target(&s, s.back, false);
    for (unsigned i = 1; i < 9; i++)
        OK(IDirect3DDevice9_SetRenderState(s.device, D3DRS_ZFUNC, i));
    OK(IDirect3DDevice9_SetRenderState(s.device, D3DRS_ZFUNC, D3DCMP_ALWAYS));
    draw(&s, 8, s.texture[1]);
    draw(&s, 9, s.texture[2]);
    OK(IDirect3DDevice9_Present(s.device, NULL, NULL, NULL, NULL));
    close_scene(&s);
}

/* Draw 10 reads the texels of texture 0 as its stream 1. */
static void record_stream_texture(void)
{
    static const D3DVERTEXELEMENT9 elements[] = {
        {0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
        {1, 0, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0},
        D3DDECL_END()};
    static const DWORD commands[] = {0x70ff0001, 0x71ff0001, 0x40000000};
    IDirect3DVertexDeclaration9 *decl;
    IDirect3DVertexBuffer9 *buffer;
    struct scene s;
    float *data;

    open_scene(&s);
    OK(IDirect3DDevice9_CreateVertexDeclaration(s.device, elements, &decl));
    OK(IDirect3DDevice9_CreateVertexBuffer(s.device, 13 * 12, 0, 0, D3DPOOL_MANAGED, &buffer,
                                           NULL));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&data, 0));
    for (unsigned i = 0; i < 13 * 3; i++)
        data[i] = i % 3 == 2 ? 0.5f : (i / 3 % 3 == i % 3 ? 0.9f : -0.9f);
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    target(&s, s.surface[0], true);
    draw(&s, 1, NULL);
    target(&s, s.surface[1], true);
    draw(&s, 2, NULL);
    target(&s, s.back, true);
    OK(IDirect3DDevice9_SetVertexDeclaration(s.device, decl));
    OK(IDirect3DDevice9_SetStreamSource(s.device, 0, buffer, 0, 12));
    OK(IDirect3DDevice9_SetStreamSource(s.device, 1, buffer, 0, 4));
    OK(IDirect3DDevice9_SetTexture(s.device, 1, (IDirect3DBaseTexture9 *)s.texture[1]));
    OK(IDirect3DDevice9_SetTexture(s.device, D3DDMAPSAMPLER,
                                   (IDirect3DBaseTexture9 *)s.texture[0]));
    for (unsigned i = 0; i < 3; i++)
        OK(IDirect3DDevice9_SetRenderState(s.device, D3DRS_POINTSIZE, commands[i]));
    OK(IDirect3DDevice9_DrawPrimitive(s.device, D3DPT_TRIANGLELIST, 10, 1));
    OK(IDirect3DDevice9_Present(s.device, NULL, NULL, NULL, NULL));
    release(buffer);
    release(decl);
    close_scene(&s);
}

/* --- Reading captures ------------------------------------------------------------------------- */

struct contents {
    unsigned draws; /* a bit for each draw number */
    unsigned states, presents, clears, copies;
    uint64_t call[16];
};

static void count(struct contents *out, const char *file)
{
    const struct trace_call *call;
    struct trace_reader *reader;
    struct trace_error error;

    memset(out, 0, sizeof(*out));
    ck_assert_int_eq(trace_open(&reader, file, &error), ST_OK);
    while (trace_next(reader, &call) == ST_OK && call) {
        const char *name = call->function->name;

        if (replay_is_draw(name)) {
            uint64_t n = trace_number(&call->args[2]);

            out->draws |= 1u << n;
            out->call[n] = call->number;
        }
        out->states += strstr(name, "SetRenderState") != NULL;
        out->presents += replay_is_present(name);
        out->clears += strstr(name, "::Clear") != NULL;
        out->copies += strstr(name, "StretchRect") != NULL;
    }
    trace_close(reader);
}

static int trim_call(uint64_t call)
{
    char number[24];
    char *argv[] = {"trim", path, "--call", number, "-o", cut, NULL};

    snprintf(number, sizeof(number), "%u", (unsigned)call);
    return tool_trim(6, argv);
}

static void demand_same_target(uint64_t was, uint64_t is)
{
    struct tool_image a, b;

    ck_assert_int_eq(inspect_target_take(&a, "test", path, was), TOOL_OK);
    ck_assert_int_eq(inspect_target_take(&b, "test", cut, is), TOOL_OK);
    ck_assert_uint_eq(a.width, b.width);
    ck_assert(!memcmp(a.rgba, b.rgba, (size_t)a.width * a.height * 4));
    tool_image_fini(&a);
    tool_image_fini(&b);
}

/* The draws that each draw depends on, including itself. */
static const unsigned follows[10] = {
    0,
    1u << 1,
    1u << 2,
    1u << 3 | 1u << 1,
    1u << 4 | 1u << 3 | 1u << 1, /* 3: for its depth */
    1u << 5 | 1u << 3 | 1u << 1,
    1u << 6 | 1u << 5 | 1u << 3 | 1u << 2 | 1u << 1, /* 5: for its depth */
    1u << 7,
    0, /* tested below */
    0,
};

START_TEST(dependencies_of_a_draw_are_kept)
{
    struct contents all, some;

    record_chain();
    count(&all, path);
    ck_assert_uint_eq(all.draws, 0x3fe);
    for (unsigned n = 1; n < 8; n++) {
        ck_assert_int_eq(trim_call(all.call[n]), TOOL_OK);
        count(&some, cut);
        ck_assert_msg(some.draws == follows[n], "draw %u: 0x%x, not 0x%x", n, some.draws,
                      follows[n]);
        ck_assert_uint_eq(some.presents, 1);
        ck_assert_uint_eq(some.copies, n >= 5 && n < 7);
        demand_same_target(all.call[n], some.call[n]);
    }
}
END_TEST

/* Draw 8 is in the second frame. Presents are dropped; draw 5 is kept for its pixels, 7 for its
 * depth. */
START_TEST(needed_draws_of_earlier_frames_are_kept)
{
    struct contents all, some;

    record_chain();
    count(&all, path);
    ck_assert_int_eq(trim_call(all.call[8]), TOOL_OK);
    count(&some, cut);
    ck_assert_uint_eq(some.draws, 1u << 8 | 1u << 7 | 1u << 5 | 1u << 3 | 1u << 1);
    ck_assert_uint_eq(some.presents, 1);
    ck_assert_uint_eq(all.states, 11);
    ck_assert_uint_eq(some.states, 3); /* only the last of nine in a row */
    demand_same_target(all.call[8], some.call[8]);
}
END_TEST

/* A texture that is a vertex stream is read; commands in POINTSIZE do not replace each other. */
START_TEST(stream_textures_are_kept)
{
    struct contents all, some;

    record_stream_texture();
    count(&all, path);
    ck_assert_int_eq(trim_call(all.call[10]), TOOL_OK);
    count(&some, cut);
    ck_assert_uint_eq(some.draws, 1u << 10 | 1u << 1);
    ck_assert_uint_eq(some.states, 5);
    demand_same_target(all.call[10], some.call[10]);
}
END_TEST

START_TEST(invalid_requests_are_refused)
{
    struct contents all;

    record_chain();
    count(&all, path);
    ck_assert_int_eq(trim_call(all.call[1] + 1), TOOL_ERROR); /* not a draw */
    ck_assert_int_eq(trim_call(100000), TOOL_ERROR);
    ck_assert_int_eq(
        tool_trim(8, (char *[]){"trim", path, "--call", "5", "--frames", "1", "-o", cut, NULL}),
        TOOL_ERROR);
    ck_assert_int_ne(access(cut, F_OK), 0);
    ck_assert_int_eq(tool_trim(6, (char *[]){"trim", path, "--frames", "1", "-o", path, NULL}),
                     TOOL_ERROR);
    count(&all, path);
    ck_assert_uint_eq(all.draws, 0x3fe);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("novem trim");
    TCase *tc = tcase_create("trim");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, dependencies_of_a_draw_are_kept);
    tcase_add_test(tc, needed_draws_of_earlier_frames_are_kept);
    tcase_add_test(tc, stream_textures_are_kept);
    tcase_add_test(tc, invalid_requests_are_refused);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
