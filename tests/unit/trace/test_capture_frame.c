/* Captures of one frame: the replay of the capture shows the same picture, whatever the program
 * made before; names of files; errors. */
#define COBJMACROS
#include "unit/api/api_test.h"

#include "api/novem/novem.h"
#include "record/record.h"
#include "trace/trace.h"
#include "util/alloc.h"
#include "util/log.h"

#include <stdio.h>
#include <unistd.h>

enum { EDGE = 128, FRAME = 2, CELL = 16 };

static char folder[64];
static char lines[4096];

static const char *file(const char *name)
{
    static char path[128];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static void keep_line(void *ctx, enum log_level level, const char *line)
{
    (void)ctx;
    (void)level;
    strncat(lines, line, sizeof(lines) - strlen(lines) - 2);
    strcat(lines, "\n");
}

static void setup(void)
{
    strcpy(folder, "/tmp/novem-capture-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(novem_set("CAPTURE_FRAME", "2"), NOVEM_OK);
    ck_assert_int_eq(novem_set("CAPTURE_DIR", folder), NOVEM_OK);
    log_set_level(LOG_INFO);
    log_set_sink(keep_line, NULL);
}

static void teardown(void)
{
    log_set_sink(NULL, NULL);
    unlink(file("capture-0001.trace"));
    unlink(file("capture-0002.trace"));
    rmdir(folder);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

/* --- A program that makes everything before the captured frame ----------------------------------
 */

struct world {
    IDirect3DDevice9 *device;
    IDirect3DTexture9 *managed, *updated, *dynamic, *target;
    IDirect3DCubeTexture9 *cube, *cube_target;
    IDirect3DVolumeTexture9 *volume, *volume_updated;
    IDirect3DSurface9 *samples, *level;
    IDirect3DVertexBuffer9 *vertices;
    IDirect3DIndexBuffer9 *indices;
    IDirect3DPixelShader9 *shader;
    IDirect3DVertexDeclaration9 *declaration;
    IDirect3DStateBlock9 *created, *recorded;
    IDirect3DSwapChain9 *chain;
    IDirect3DQuery9 *query;
};

static void fill(uint8_t *at, int pitch, unsigned rows, unsigned seed)
{
    for (unsigned y = 0; y < rows; y++)
        for (unsigned x = 0; x < 16; x++)
            at[(int)y * pitch + (int)x] = (uint8_t)(seed * 37 + y * 51 + x * 13 + 1);
}

static void fill_texture(IDirect3DTexture9 *texture, unsigned seed, DWORD flags)
{
    D3DLOCKED_RECT locked;

    OK(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, flags));
    fill(locked.pBits, locked.Pitch, 4, seed);
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
}

static void fill_volume(IDirect3DVolumeTexture9 *volume, unsigned seed)
{
    D3DLOCKED_BOX locked;

    OK(IDirect3DVolumeTexture9_LockBox(volume, 0, &locked, NULL, 0));
    for (unsigned z = 0; z < 2; z++)
        fill((uint8_t *)locked.pBits + z * (unsigned)locked.SlicePitch, locked.RowPitch, 4,
             seed + z);
    OK(IDirect3DVolumeTexture9_UnlockBox(volume, 0));
}

static D3DPOOL kept_pool(bool ex)
{
    return ex ? D3DPOOL_DEFAULT : D3DPOOL_MANAGED;
}

static void make_textures(struct world *w, bool ex)
{
    IDirect3DDevice9 *d = w->device;
    DWORD dynamic = ex ? D3DUSAGE_DYNAMIC : 0;
    IDirect3DVolumeTexture9 *volume;
    IDirect3DTexture9 *source;
    D3DLOCKED_RECT locked;

    OK(IDirect3DDevice9_CreateTexture(d, 4, 4, 0, dynamic, D3DFMT_A8R8G8B8, kept_pool(ex),
                                      &w->managed, NULL));
    fill_texture(w->managed, 1, 0);
    OK(IDirect3DDevice9_CreateTexture(d, 4, 4, 1, D3DUSAGE_DYNAMIC, D3DFMT_X8R8G8B8,
                                      D3DPOOL_DEFAULT, &w->dynamic, NULL));
    fill_texture(w->dynamic, 2, D3DLOCK_DISCARD);
    OK(IDirect3DDevice9_CreateTexture(d, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &source,
                                      NULL));
    fill_texture(source, 3, 0);
    OK(IDirect3DDevice9_CreateTexture(d, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &w->updated,
                                      NULL));
    OK(IDirect3DDevice9_UpdateTexture(d, (IDirect3DBaseTexture9 *)source,
                                      (IDirect3DBaseTexture9 *)w->updated));
    release(source);
    OK(IDirect3DDevice9_CreateCubeTexture(d, 4, 1, dynamic, D3DFMT_A8R8G8B8, kept_pool(ex),
                                          &w->cube, NULL));
    OK(IDirect3DCubeTexture9_LockRect(w->cube, D3DCUBEMAP_FACE_POSITIVE_Z, 0, &locked, NULL, 0));
    fill(locked.pBits, locked.Pitch, 4, 4);
    OK(IDirect3DCubeTexture9_UnlockRect(w->cube, D3DCUBEMAP_FACE_POSITIVE_Z, 0));
    OK(IDirect3DDevice9_CreateVolumeTexture(d, 4, 4, 2, 1, dynamic, D3DFMT_A8R8G8B8, kept_pool(ex),
                                            &w->volume, NULL));
    fill_volume(w->volume, 5);
    OK(IDirect3DDevice9_CreateVolumeTexture(d, 4, 4, 2, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM,
                                            &volume, NULL));
    fill_volume(volume, 6);
    OK(IDirect3DDevice9_CreateVolumeTexture(d, 4, 4, 2, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                            &w->volume_updated, NULL));
    OK(IDirect3DDevice9_UpdateTexture(d, (IDirect3DBaseTexture9 *)volume,
                                      (IDirect3DBaseTexture9 *)w->volume_updated));
    release(volume);
}

static void make_targets(struct world *w)
{
    IDirect3DDevice9 *d = w->device;
    IDirect3DSurface9 *face;
    RECT half = {0, 0, 8, 4};

    OK(IDirect3DDevice9_CreateTexture(d, 8, 8, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                      D3DPOOL_DEFAULT, &w->target, NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(w->target, 0, &w->level));
    OK(IDirect3DDevice9_ColorFill(d, w->level, NULL, 0xff205080));
    OK(IDirect3DDevice9_ColorFill(d, w->level, &half, 0xff80a010));
    OK(IDirect3DDevice9_CreateCubeTexture(d, 8, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                          D3DPOOL_DEFAULT, &w->cube_target, NULL));
    OK(IDirect3DCubeTexture9_GetCubeMapSurface(w->cube_target, D3DCUBEMAP_FACE_POSITIVE_Z, 0,
                                               &face));
    OK(IDirect3DDevice9_ColorFill(d, face, NULL, 0xffa030c0));
    release(face);
    OK(IDirect3DDevice9_CreateRenderTarget(d, 8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_4_SAMPLES, 0,
                                           FALSE, &w->samples, NULL));
    OK(IDirect3DDevice9_ColorFill(d, w->samples, NULL, 0xff114477));
}

static void make_geometry(struct world *w)
{
    static const float corners[4][4] = {
        {-1, 1, 0.25f, 1}, {1, 1, 0.25f, 1}, {-1, -1, 0.25f, 1}, {1, -1, 0.25f, 1}};
    static const uint16_t order[6] = {0, 1, 2, 2, 1, 3};
    static const D3DVERTEXELEMENT9 elements[] = {
        {0, 0, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITIONT, 0},
        D3DDECL_END()};
    static const DWORD code[] = {0xffff0200, 0x02000001, 0x800f0800, 0xa0e40003, 0x0000ffff};
    float scaled[4][4];
    void *at;

    for (unsigned i = 0; i < 4; i++) {
        scaled[i][0] = 104 + corners[i][0] * 8;
        scaled[i][1] = 104 - corners[i][1] * 8;
        scaled[i][2] = corners[i][2];
        scaled[i][3] = 1;
    }
    OK(IDirect3DDevice9_CreateVertexBuffer(w->device, sizeof(scaled),
                                           D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, 0,
                                           D3DPOOL_DEFAULT, &w->vertices, NULL));
    OK(IDirect3DVertexBuffer9_Lock(w->vertices, 0, 0, &at, D3DLOCK_DISCARD));
    memcpy(at, scaled, sizeof(scaled));
    OK(IDirect3DVertexBuffer9_Unlock(w->vertices));
    OK(IDirect3DDevice9_CreateIndexBuffer(w->device, sizeof(order), D3DUSAGE_WRITEONLY,
                                          D3DFMT_INDEX16, D3DPOOL_DEFAULT, &w->indices, NULL));
    OK(IDirect3DIndexBuffer9_Lock(w->indices, 0, 0, &at, 0));
    memcpy(at, order, sizeof(order));
    OK(IDirect3DIndexBuffer9_Unlock(w->indices));
    OK(IDirect3DDevice9_CreateVertexDeclaration(w->device, elements, &w->declaration));
    OK(IDirect3DDevice9_CreatePixelShader(w->device, code, &w->shader));
}

/* State blocks hold values that the device no longer has. */
static void make_state(struct world *w)
{
    static const float colour[4] = {0.25f, 0.75f, 0.5f, 1};
    IDirect3DDevice9 *d = w->device;

    OK(IDirect3DDevice9_SetRenderState(d, D3DRS_TEXTUREFACTOR, 0xff305070));
    OK(IDirect3DDevice9_CreateStateBlock(d, D3DSBT_ALL, &w->created));
    OK(IDirect3DDevice9_BeginStateBlock(d));
    OK(IDirect3DDevice9_SetRenderState(d, D3DRS_TEXTUREFACTOR, 0xff90b0d0));
    OK(IDirect3DDevice9_EndStateBlock(d, &w->recorded));
    OK(IDirect3DDevice9_SetRenderState(d, D3DRS_TEXTUREFACTOR, 0xffffffff));
    OK(IDirect3DDevice9_SetRenderState(d, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetSamplerState(d, 0, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR));
    OK(IDirect3DDevice9_SetPixelShaderConstantF(d, 3, colour, 1));
    OK(IDirect3DDevice9_SetStreamSource(d, 0, w->vertices, 0, 16));
    OK(IDirect3DDevice9_SetIndices(d, w->indices));
    OK(IDirect3DDevice9_CreateQuery(d, D3DQUERYTYPE_OCCLUSION, &w->query));
}

static void make_chain(struct world *w)
{
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DSurface9 *back;

    p.BackBufferWidth = p.BackBufferHeight = 8;
    p.EnableAutoDepthStencil = FALSE;
    OK(IDirect3DDevice9_CreateAdditionalSwapChain(w->device, &p, &w->chain));
    OK(IDirect3DSwapChain9_GetBackBuffer(w->chain, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    OK(IDirect3DDevice9_ColorFill(w->device, back, NULL, 0xff336699));
    release(back);
}

static D3DPRESENT_PARAMETERS parameters(void)
{
    D3DPRESENT_PARAMETERS p = test_parameters();

    p.BackBufferWidth = p.BackBufferHeight = EDGE;
    p.SwapEffect = D3DSWAPEFFECT_COPY;
    p.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    return p;
}

static void make_device(struct world *w, bool ex)
{
    D3DPRESENT_PARAMETERS p = parameters();
    IDirect3DDevice9Ex *device_ex;

    if (ex) {
        device_ex = create_device_ex();
        OK(IDirect3DDevice9Ex_ResetEx(device_ex, &p, NULL));
        w->device = (IDirect3DDevice9 *)device_ex;
    } else {
        w->device = create_device();
        OK(IDirect3DDevice9_Reset(w->device, &p));
    }
}

/* --- Frames -------------------------------------------------------------------------------------
 */

/* Draws a square of z 0.5 into a cell, with the texture or the texture factor. */
static void draw_cell(struct world *w, unsigned cell, void *texture)
{
    float x = (float)(cell % 8 * CELL), y = (float)(cell / 8 * CELL);
    const float v[4][7] = {{x, y, 0.5f, 1, -0.5f, 0.5f, 1},
                           {x + CELL, y, 0.5f, 1, 0.9f, 0.5f, 1},
                           {x, y + CELL, 0.5f, 1, -0.5f, -0.9f, 1},
                           {x + CELL, y + CELL, 0.5f, 1, 0.9f, -0.9f, 1}};

    OK(IDirect3DDevice9_SetFVF(w->device, D3DFVF_XYZRHW | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0)));
    OK(IDirect3DDevice9_SetTexture(w->device, 0, texture));
    OK(IDirect3DDevice9_SetTextureStageState(w->device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1));
    OK(IDirect3DDevice9_SetTextureStageState(w->device, 0, D3DTSS_COLORARG1,
                                             texture ? D3DTA_TEXTURE : D3DTA_TFACTOR));
    OK(IDirect3DDevice9_DrawPrimitiveUP(w->device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0])));
}

/* The depth that the captured frame tests: a square of depth 0.5, elsewhere 1. */
static void first_frame(struct world *w)
{
    OK(IDirect3DDevice9_Clear(w->device, 0, NULL,
                              D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0xff102030, 1,
                              3));
    OK(IDirect3DDevice9_BeginScene(w->device));
    draw_cell(w, 40, NULL);
    OK(IDirect3DDevice9_EndScene(w->device));
}

static void draw_buffers(struct world *w)
{
    OK(IDirect3DDevice9_SetVertexDeclaration(w->device, w->declaration));
    OK(IDirect3DDevice9_SetPixelShader(w->device, w->shader));
    OK(IDirect3DDevice9_DrawIndexedPrimitive(w->device, D3DPT_TRIANGLELIST, 0, 0, 4, 0, 2));
    OK(IDirect3DDevice9_SetPixelShader(w->device, NULL));
}

static void copy_surfaces(struct world *w)
{
    IDirect3DSurface9 *back, *other;
    RECT at = {64, 80, 72, 88}, next = {80, 80, 88, 88};

    OK(IDirect3DDevice9_GetBackBuffer(w->device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    OK(IDirect3DDevice9_StretchRect(w->device, w->samples, NULL, back, &at, D3DTEXF_NONE));
    OK(IDirect3DSwapChain9_GetBackBuffer(w->chain, 0, D3DBACKBUFFER_TYPE_MONO, &other));
    OK(IDirect3DDevice9_StretchRect(w->device, other, NULL, back, &next, D3DTEXF_NONE));
    release(back);
    release(other);
}

/* Uses what the frames before made, and clears nothing. */
static void captured_frame(struct world *w)
{
    void *textures[] = {w->managed, w->updated,     w->dynamic, w->target,
                        w->cube,    w->cube_target, w->volume,  w->volume_updated};

    OK(IDirect3DDevice9_BeginScene(w->device));
    OK(IDirect3DQuery9_Issue(w->query, D3DISSUE_BEGIN));
    for (unsigned i = 0; i < 8; i++)
        draw_cell(w, i, textures[i]);
    OK(IDirect3DQuery9_Issue(w->query, D3DISSUE_END));
    OK(IDirect3DDevice9_SetRenderState(w->device, D3DRS_ZFUNC, D3DCMP_EQUAL));
    draw_cell(w, 40, textures[0]); /* passes */
    draw_cell(w, 41, textures[0]); /* fails: depth 1 */
    OK(IDirect3DDevice9_SetRenderState(w->device, D3DRS_ZFUNC, D3DCMP_LESSEQUAL));
    draw_buffers(w);
    OK(IDirect3DStateBlock9_Apply(w->recorded));
    draw_cell(w, 16, NULL);
    OK(IDirect3DStateBlock9_Apply(w->created));
    draw_cell(w, 17, NULL);
    OK(IDirect3DDevice9_EndScene(w->device));
    copy_surfaces(w);
}

static void present(struct world *w)
{
    OK(IDirect3DDevice9_Present(w->device, NULL, NULL, NULL, NULL));
}

static uint8_t *back_buffer(struct world *w)
{
    uint8_t *rgb = malloc(EDGE * EDGE * 3);
    IDirect3DSurface9 *back;
    D3DLOCKED_RECT locked;

    OK(IDirect3DDevice9_GetBackBuffer(w->device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    OK(IDirect3DSurface9_LockRect(back, &locked, NULL, D3DLOCK_READONLY));
    for (int y = 0; y < EDGE; y++) {
        const uint8_t *row = (const uint8_t *)locked.pBits + y * locked.Pitch;

        for (int x = 0; x < EDGE; x++)
            for (int c = 0; c < 3; c++)
                rgb[(y * EDGE + x) * 3 + c] = row[4 * x + 2 - c];
    }
    OK(IDirect3DSurface9_UnlockRect(back));
    release(back);
    return rgb;
}

static void release_world(struct world *w)
{
    void *const all[] = {w->managed,  w->updated,     w->dynamic, w->level,   w->target,
                         w->cube,     w->cube_target, w->volume,  w->samples, w->volume_updated,
                         w->vertices, w->indices,     w->shader,  w->created, w->declaration,
                         w->recorded, w->chain,       w->query};

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        release(all[i]);
    ck_assert_uint_eq(release(w->device), 0);
}

static uint8_t *run(bool ex)
{
    struct world w;
    uint8_t *picture;

    make_device(&w, ex);
    make_textures(&w, ex);
    make_targets(&w);
    make_geometry(&w);
    make_state(&w);
    make_chain(&w);
    first_frame(&w);
    present(&w);
    present(&w);
    captured_frame(&w);
    picture = back_buffer(&w);
    present(&w);
    present(&w); /* no longer in the capture */
    release_world(&w);
    return picture;
}

/* --- The capture --------------------------------------------------------------------------------
 */

struct seen {
    struct replay_picture picture;
    unsigned presents;
};

static bool take(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    struct seen *seen = ctx;

    (void)moment;
    seen->presents++;
    ck_assert_int_eq(replay_take_picture(replay, &seen->picture), ST_OK);
    return true;
}

/* Compares the picture of the only frame. */
static void check_replay(const char *path, const uint8_t *rgb)
{
    struct seen seen = {0};
    const struct replay_options options = {.ctx = &seen, .on_moment = take};
    const struct replay_stats *stats;
    struct trace_reader *reader;
    struct trace_error error;
    struct replay *replay;

    ck_assert_msg(trace_open(&reader, path, &error) == ST_OK, "%s", error.text);
    ck_assert_int_eq(replay_create(&replay, reader, &options), ST_OK);
    ck_assert_int_eq(replay_run(replay), ST_OK);
    stats = replay_get_stats(replay);
    ck_assert_uint_eq(stats->failed + stats->skipped + stats->unsupported, 0);
    ck_assert_uint_eq(seen.presents, 1);
    ck_assert_uint_eq(seen.picture.width, EDGE);
    for (unsigned i = 0; i < EDGE * EDGE; i++)
        ck_assert_msg(!memcmp(seen.picture.rgba + 4 * i, rgb + 3 * i, 3), "pixel %u,%u", i % EDGE,
                      i / EDGE);
    replay_destroy(replay);
    trace_close(reader);
    mem_free(seen.picture.rgba);
}

/* _i: an Ex device. */
START_TEST(test_same_picture)
{
    uint8_t *rgb = run(_i);
    const uint8_t *passed = rgb + 3 * (84 * EDGE + 4), *failed = passed + 3 * CELL;

    ck_assert(memcmp(passed, failed, 3) != 0); /* the depth of the first frame matters */
    ck_assert_msg(strstr(lines, "capture-0001.trace: frame 2, "), "%s", lines);
    ck_assert_msg(!strstr(lines, "lacks"), "%s", lines);
    check_replay(file("capture-0001.trace"), rgb);
    ck_assert_int_ne(access(file("capture-0002.trace"), F_OK), 0);
    free(rgb);
}
END_TEST

/* A file that exists stays as it is. */
START_TEST(test_name_taken)
{
    FILE *other = fopen(file("capture-0001.trace"), "w");
    uint8_t *rgb;

    ck_assert(other && !fclose(other));
    rgb = run(false);
    other = fopen(file("capture-0001.trace"), "r");
    ck_assert(other && fgetc(other) == EOF && !fclose(other));
    check_replay(file("capture-0002.trace"), rgb);
    free(rgb);
}
END_TEST

/* A folder that is missing is made; a file in its place is said. */
START_TEST(test_no_folder)
{
    uint8_t *rgb;
    FILE *other;

    ck_assert_int_eq(rmdir(folder), 0);
    if (_i) {
        other = fopen(folder, "w");
        ck_assert(other && !fclose(other));
    }
    rgb = run(false);
    if (_i) {
        ck_assert_msg(strstr(lines, "a frame cannot be captured: Not a directory"), "%s", lines);
        ck_assert_int_eq(unlink(folder), 0);
    } else {
        ck_assert_msg(strstr(lines, "capture saved: /tmp/"), "%s", lines);
        check_replay(file("capture-0001.trace"), rgb);
    }
    free(rgb);
}
END_TEST

/* While RECORD writes all calls, there is no second capture. */
START_TEST(test_recording)
{
    ck_assert_int_eq(novem_set("RECORD", file("capture-0002.trace")), NOVEM_OK);
    free(run(false));
    record_close();
    ck_assert_msg(strstr(lines, "while RECORD writes all frames"), "%s", lines);
}
END_TEST

/* The device ends before the frame does: the file is of no use. */
START_TEST(test_unfinished)
{
    IDirect3DDevice9 *device = create_device();

    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    ck_assert_int_eq(access(file("capture-0001.trace"), F_OK), 0);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_ne(access(file("capture-0001.trace"), F_OK), 0);
    ck_assert_msg(strstr(lines, "removed"), "%s", lines);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("trace/capture_frame");
    TCase *tests = tcase_create("capture_frame");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, test_same_picture, 0, 2);
    tcase_add_test(tests, test_name_taken);
    tcase_add_loop_test(tests, test_no_folder, 0, 2);
    tcase_add_test(tests, test_recording);
    tcase_add_test(tests, test_unfinished);
    suite_add_tcase(s, tests);
    return s;
}

TEST_MAIN(suite)
