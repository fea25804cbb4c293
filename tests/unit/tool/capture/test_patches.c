/* Patches and N-patches from a program to every replay: the capture of a device, its compiled
 * stream, the stream as calls of another device, and a trimmed capture show the pictures that the
 * program saw. */
#define COBJMACROS
#include "unit/api/api_test.h"
#include "unit/tool/command.h"

#include "record/record.h"
#include "tool/capture/capture.h"
#include "tool/trim/trim.h"
#include "trace/trace.h"

enum { EDGE = 48, FRAMES = 5 };

static char trace[64], compiled[64], trimmed[64];
static uint8_t own[FRAMES][EDGE][EDGE][4]; /* red, green, blue, 255 */

/* --- Programs --------------------------------------------------------------------------------- */

struct program {
    void (*bind)(IDirect3DDevice9 *device);
    void (*draw)(IDirect3DDevice9 *device, unsigned frame);
};

/* A waving surface of 4 x 4 control points with normals; a triangle uses the first ten. */
static void bind_points(IDirect3DDevice9 *device)
{
    const D3DVERTEXELEMENT9 elements[] = {
        {0, 0, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
        {0, 0, D3DDECLTYPE_UNUSED, D3DDECLMETHOD_UV, D3DDECLUSAGE_TEXCOORD, 0},
        {0, 12, D3DDECLTYPE_D3DCOLOR, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_COLOR, 0},
        D3DDECL_END()};
    IDirect3DVertexDeclaration9 *decl;
    IDirect3DVertexBuffer9 *buffer;
    struct {
        float x, y, z;
        DWORD colour;
    } point[16];
    void *at;

    for (unsigned i = 0; i < 16; i++) {
        point[i].x = (float)(i % 4) * 0.6f - 0.9f + (float)(i * 5 % 7) / 20.0f;
        point[i].y = 0.9f - (float)(i / 4) * 0.6f + (float)(i * 3 % 5) / 20.0f;
        point[i].z = 0.5f;
        point[i].colour = 0xff000000 | (i * 0x1f3a57 & 0xffffff);
    }
    OK(IDirect3DDevice9_CreateVertexBuffer(device, sizeof(point), D3DUSAGE_RTPATCHES, 0,
                                           D3DPOOL_MANAGED, &buffer, NULL));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &at, 0));
    memcpy(at, point, sizeof(point));
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    OK(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &decl));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, sizeof(point[0])));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, decl));
    release(buffer);
    release(decl);
}

static void draw_patches(IDirect3DDevice9 *device, unsigned frame)
{
    static const D3DRECTPATCH_INFO bezier = {0, 0, 4, 4, 4, D3DBASIS_BEZIER, D3DDEGREE_CUBIC};
    static const D3DRECTPATCH_INFO spline = {0, 0, 4, 4, 4, D3DBASIS_INTERPOLATE, D3DDEGREE_CUBIC};
    static const D3DTRIPATCH_INFO triangle = {0, 10, D3DBASIS_BEZIER, D3DDEGREE_CUBIC};
    static const float segments[4] = {4, 9, 7, 5}, others[4] = {2, 3, 1, 2};

    switch (frame) {
    case 0:
        OK(IDirect3DDevice9_DrawRectPatch(device, 1, segments, &bezier));
        break;
    case 1:
        OK(IDirect3DDevice9_DrawTriPatch(device, 0, segments, &triangle));
        break;
    case 2:
        OK(IDirect3DDevice9_DrawRectPatch(device, 1, others, NULL));
        break;
    case 3:
        OK(IDirect3DDevice9_DrawRectPatch(device, 1, NULL, NULL));
        break;
    default:
        OK(IDirect3DDevice9_DeletePatch(device, 1));
        OK(IDirect3DDevice9_DrawRectPatch(device, 0, segments, &spline));
        break;
    }
}

static void set_float(IDirect3DDevice9 *device, D3DRENDERSTATETYPE type, float value)
{
    DWORD bits;

    memcpy(&bits, &value, sizeof(bits));
    OK(IDirect3DDevice9_SetRenderState(device, type, bits));
}

/* Sixteen colours for the vertices of the last frame. */
static void bind_map(IDirect3DDevice9 *device)
{
    IDirect3DTexture9 *map;
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, D3DUSAGE_DMAP, D3DFMT_A8R8G8B8,
                                      D3DPOOL_MANAGED, &map, NULL));
    OK(IDirect3DTexture9_LockRect(map, 0, &lock, NULL, 0));
    for (unsigned i = 0; i < 16; i++)
        ((DWORD *)((uint8_t *)lock.pBits + i / 4 * (size_t)lock.Pitch))[i % 4] =
            0xff000000 | (i * 0x2f1b3d & 0xffffff);
    OK(IDirect3DTexture9_UnlockRect(map, 0));
    OK(IDirect3DDevice9_SetTexture(device, D3DDMAPSAMPLER, (IDirect3DBaseTexture9 *)map));
    release(map);
}

/* The front of an octahedron, whose normals make it a ball. */
static void bind_ball(IDirect3DDevice9 *device)
{
    static const float corner[5][3] = {
        {0.8f, 0, 0}, {0, 0.8f, 0}, {-0.8f, 0, 0}, {0, -0.8f, 0}, {0, 0, -0.4f}};
    IDirect3DVertexBuffer9 *buffer;
    struct {
        float position[3], normal[3];
        DWORD colour;
    } vertex[12];
    void *at;

    for (unsigned i = 0; i < 12; i++) {
        const float *from = corner[i % 3 == 2 ? 4 : (i / 3 + i % 3) % 4];

        for (unsigned c = 0; c < 3; c++) {
            vertex[i].position[c] = from[c] + (c == 2 ? 0.5f : 0.0f);
            vertex[i].normal[c] = from[c] / (i % 3 == 2 ? 0.4f : 0.8f);
        }
        vertex[i].colour = 0xff000000 | ((i + 1) * 0x13579b & 0xffffff);
    }
    OK(IDirect3DDevice9_CreateVertexBuffer(device, sizeof(vertex), D3DUSAGE_NPATCHES, 0,
                                           D3DPOOL_MANAGED, &buffer, NULL));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &at, 0));
    memcpy(at, vertex, sizeof(vertex));
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, sizeof(vertex[0])));
    release(buffer);
    bind_map(device);
}

/* Vertices get their colours from the map. */
static void look_colours_up(IDirect3DDevice9 *device)
{
    const D3DVERTEXELEMENT9 elements[] = {
        {0, 0, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
        {0, 12, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_NORMAL, 0},
        {0, 0, D3DDECLTYPE_UNUSED, D3DDECLMETHOD_LOOKUPPRESAMPLED, D3DDECLUSAGE_COLOR, 0},
        D3DDECL_END()};
    IDirect3DVertexDeclaration9 *decl;

    OK(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &decl));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, decl));
    release(decl);
}

static void draw_npatches(IDirect3DDevice9 *device, unsigned frame)
{
    switch (frame) {
    case 0:
        OK(IDirect3DDevice9_SetNPatchMode(device, 4.0f));
        break;
    case 1:
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_PATCHEDGESTYLE, D3DPATCHEDGE_CONTINUOUS));
        OK(IDirect3DDevice9_SetNPatchMode(device, 2.5f));
        break;
    case 2:
        set_float(device, D3DRS_MINTESSELLATIONLEVEL, 2.0f);
        set_float(device, D3DRS_MAXTESSELLATIONLEVEL, 6.0f);
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ENABLEADAPTIVETESSELLATION, TRUE));
        break;
    case 3:
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_POSITIONDEGREE, D3DDEGREE_LINEAR));
        break;
    default:
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_POSITIONDEGREE, D3DDEGREE_CUBIC));
        look_colours_up(device);
        break;
    }
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, 4));
}

static void keep_picture(IDirect3DDevice9 *device, unsigned frame)
{
    IDirect3DSurface9 *back;
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    OK(IDirect3DSurface9_LockRect(back, &lock, NULL, D3DLOCK_READONLY));
    for (unsigned y = 0; y < EDGE; y++)
        for (unsigned x = 0; x < EDGE; x++) {
            const uint8_t *bgra = (uint8_t *)lock.pBits + y * (size_t)lock.Pitch + x * 4;

            for (unsigned c = 0; c < 3; c++)
                own[frame][y][x][c] = bgra[2 - c];
            own[frame][y][x][3] = 255;
        }
    OK(IDirect3DSurface9_UnlockRect(back));
    release(back);
}

static void run_program(const struct program *program)
{
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3D9 *d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    IDirect3DDevice9 *device;

    p.BackBufferWidth = p.BackBufferHeight = EDGE;
    p.BackBufferFormat = D3DFMT_X8R8G8B8;
    p.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_REF, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &p, &device));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));
    program->bind(device);
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER,
                                  0x203040 * frame, 1, 0));
        OK(IDirect3DDevice9_BeginScene(device));
        program->draw(device, frame);
        OK(IDirect3DDevice9_EndScene(device));
        keep_picture(device, frame);
        OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    }
    ck_assert_uint_eq(release(device), 0);
    release(d3d9);
}

static void setup(const struct program *program)
{
    open_folder();
    path_in_folder(trace, "x.trace");
    path_in_folder(compiled, "x.nvs");
    path_in_folder(trimmed, "y.trace");
    record_open(trace);
    run_program(program);
    record_close();
    run_command(tool_compile, TOOL_OK, 4, (char *[]){"compile", trace, "-o", compiled, NULL});
}

static void setup_patches(void)
{
    setup(&(struct program){bind_points, draw_patches});
}

static void setup_npatches(void)
{
    setup(&(struct program){bind_ball, draw_npatches});
}

/* --- Replays ---------------------------------------------------------------------------------- */

static void expect_picture(const struct replay_picture *picture, unsigned frame)
{
    ck_assert_uint_lt(frame, FRAMES);
    ck_assert_uint_eq(picture->width, EDGE);
    for (unsigned i = 0; i < EDGE * EDGE; i++)
        ck_assert_msg(!memcmp(picture->rgba + 4 * i, own[frame][i / EDGE][i % EDGE], 3),
                      "frame %u, pixel %u", frame, i);
}

static bool check_replay(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    struct replay_picture picture;

    if (!moment->present)
        return true;
    ck_assert_int_eq(replay_take_picture(replay, &picture), ST_OK);
    expect_picture(&picture, (unsigned)moment->frame);
    mem_free(picture.rgba);
    ++*(unsigned *)ctx;
    return true;
}

/* Each shows a surface on a ground of its own. */
START_TEST(pictures_differ)
{
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        unsigned drawn = 0;

        for (unsigned i = 0; i < EDGE * EDGE; i++)
            drawn += memcmp(own[frame][i / EDGE][i % EDGE], own[frame][0][0], 4) != 0;
        ck_assert_uint_gt(drawn, 100);
    }
    for (unsigned a = 0; a < FRAMES; a++)
        for (unsigned b = 0; b < a; b++)
            ck_assert_mem_ne(own[a], own[b], sizeof(own[a]));
}
END_TEST

START_TEST(capture)
{
    unsigned frames = 0;
    const struct replay_options options = {.ctx = &frames, .on_moment = check_replay};
    struct trace_reader *reader;
    struct trace_error error;
    struct replay *replay;

    ck_assert_int_eq(trace_open(&reader, trace, &error), ST_OK);
    ck_assert_int_eq(replay_create(&replay, reader, &options), ST_OK);
    ck_assert_int_eq(replay_run(replay), ST_OK);
    ck_assert_uint_eq(replay_get_stats(replay)->failed, 0);
    ck_assert_uint_eq(replay_get_stats(replay)->draws, FRAMES);
    ck_assert_uint_eq(frames, FRAMES);
    replay_destroy(replay);
    trace_close(reader);
}
END_TEST

static bool check_calls(void *ctx, struct nvs_calls *calls, const struct replay_moment *moment)
{
    struct replay_picture picture;

    if (!moment->present)
        return true;
    ck_assert_int_eq(nvs_calls_take_picture(calls, &picture), ST_OK);
    expect_picture(&picture, (unsigned)moment->frame);
    mem_free(picture.rgba);
    ++*(unsigned *)ctx;
    return true;
}

START_TEST(stream_as_calls)
{
    unsigned frames = 0;
    const struct nvs_calls_options options = {.ctx = &frames, .on_moment = check_calls};
    struct nvs_calls *calls;
    struct trace_error error;

    ck_assert_int_eq(nvs_calls_open(&calls, compiled, &error), ST_OK);
    ck_assert_int_eq(nvs_calls_run(calls, &options), ST_OK);
    ck_assert_uint_eq(frames, FRAMES);
    nvs_calls_close(calls);
}
END_TEST

static void hashes(char out[4096], char *file, const char *frames)
{
    snprintf(out, 4096, "%s",
             run_command(tool_replay, TOOL_OK, 6,
                         (char *[]){"replay", file, "--quiet", "--hash", "--frames",
                                    (char *)(uintptr_t)frames, NULL}));
}

START_TEST(compiled_stream)
{
    char range[8], calls[4096], stream[4096];

    snprintf(range, sizeof(range), "%d-%d", _i, _i);
    hashes(calls, trace, range);
    hashes(stream, compiled, range);
    ck_assert_str_eq(calls, stream);
}
END_TEST

/* A frame that repeats a patch needs the call that cached it. */
START_TEST(trim)
{
    char range[8], whole[4096], part[4096];

    snprintf(range, sizeof(range), "%d-%d", _i, _i);
    run_command(tool_trim, TOOL_OK, 6,
                (char *[]){"trim", trace, "--frames", range, "-o", trimmed, NULL});
    hashes(whole, trace, range);
    hashes(part, trimmed, "0-0");
    ck_assert_str_eq(strchr(whole + 6, ' '), strchr(part + 6, ' '));
}
END_TEST

static void add_case(Suite *s, const char *name, void (*start)(void))
{
    TCase *tc = tcase_create(name);

    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, start, close_folder);
    tcase_add_test(tc, pictures_differ);
    tcase_add_test(tc, capture);
    tcase_add_test(tc, stream_as_calls);
    tcase_add_loop_test(tc, compiled_stream, 0, FRAMES);
    tcase_add_loop_test(tc, trim, 0, FRAMES);
    suite_add_tcase(s, tc);
}

static Suite *suite(void)
{
    Suite *s = suite_create("patches in captures");

    setenv("NOVEM_SINK", "none", 1);
    add_case(s, "patches", setup_patches);
    add_case(s, "N-patches", setup_npatches);
    return s;
}

TEST_MAIN(suite)
