/* `novem pixel` and `novem frame` on the capture of a program that draws N-patches, patches, and
 * glyphs of ComposeRects: histories add up, and the files have what the tessellator reads. */
#define COBJMACROS
#include "unit/api/api_test.h"
#include "unit/tool/command.h"

#include "record/record.h"
#include "tool/frame/frame.h"
#include "tool/image/image.h"
#include "tool/inspect/history.h"
#include "tool/inspect/inspect.h"

enum { SIDE = 32, N_PATCHES = 0, PATCH = 1, GLYPHS = 2, FRAMES = 3 };

static char path[64];
static uint8_t own[FRAMES][SIDE][SIDE][4]; /* red, green, blue, 255 */

/* --- The program ------------------------------------------------------------------------------ */

/* The colours of four triangles come from the map by the numbers of their vertices. */
static void bind_map(IDirect3DDevice9 *device)
{
    const D3DVERTEXELEMENT9 elements[] = {
        {0, 0, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
        {0, 12, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_NORMAL, 0},
        {0, 0, D3DDECLTYPE_UNUSED, D3DDECLMETHOD_LOOKUPPRESAMPLED, D3DDECLUSAGE_COLOR, 0},
        D3DDECL_END()};
    IDirect3DVertexDeclaration9 *decl;
    IDirect3DTexture9 *map, *memory;
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, D3DUSAGE_DMAP, D3DFMT_A8R8G8B8,
                                      D3DPOOL_DEFAULT, &map, NULL));
    OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM,
                                      &memory, NULL));
    OK(IDirect3DTexture9_LockRect(memory, 0, &lock, NULL, 0));
    for (unsigned i = 0; i < 16; i++)
        ((DWORD *)((uint8_t *)lock.pBits + i / 4 * (size_t)lock.Pitch))[i % 4] =
            0xff000000 | (i * 0x2f1b3d & 0xffffff);
    OK(IDirect3DTexture9_UnlockRect(memory, 0));
    OK(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)memory,
                                      (IDirect3DBaseTexture9 *)map));
    OK(IDirect3DDevice9_SetTexture(device, D3DDMAPSAMPLER, (IDirect3DBaseTexture9 *)map));
    OK(IDirect3DDevice9_SetSamplerState(device, D3DDMAPSAMPLER, D3DSAMP_DMAPOFFSET, 1));
    OK(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &decl));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, decl));
    release(decl);
    release(memory);
    release(map);
}

static void draw_npatches(IDirect3DDevice9 *device)
{
    static const float corner[5][3] = {
        {0.8f, 0, 0}, {0, 0.8f, 0}, {-0.8f, 0, 0}, {0, -0.8f, 0}, {0, 0, -0.4f}};
    float vertex[12][2][3]; /* position, normal */

    for (unsigned i = 0; i < 12; i++)
        for (unsigned c = 0; c < 3; c++) {
            float x = corner[i % 3 == 2 ? 4 : (i / 3 + i % 3) % 4][c];

            vertex[i][0][c] = x + (c == 2 ? 0.5f : 0.0f);
            vertex[i][1][c] = x;
        }
    bind_map(device);
    OK(IDirect3DDevice9_SetNPatchMode(device, 3.5f));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 4, vertex, sizeof(vertex[0])));
    OK(IDirect3DDevice9_SetNPatchMode(device, 0.0f));
}

/* Sixteen control points. */
static void draw_surface(IDirect3DDevice9 *device)
{
    static const D3DRECTPATCH_INFO bezier = {0, 0, 4, 4, 4, D3DBASIS_BEZIER, D3DDEGREE_CUBIC};
    static const float segments[4] = {3, 4, 2, 5};
    IDirect3DVertexBuffer9 *buffer;
    struct {
        float x, y, z;
        DWORD colour;
    } * point;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, 16 * sizeof(*point), D3DUSAGE_RTPATCHES, 0,
                                           D3DPOOL_DEFAULT, &buffer, NULL));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&point, 0));
    for (unsigned i = 0; i < 16; i++) {
        point[i].x = (float)(i % 4) * 0.6f - 0.9f + (float)(i * 5 % 7) / 20.0f;
        point[i].y = 0.9f - (float)(i / 4) * 0.6f;
        point[i].z = 0.5f;
        point[i].colour = 0xff000000 | (i * 0x1f3a57 & 0xffffff);
    }
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, sizeof(*point)));
    OK(IDirect3DDevice9_DrawRectPatch(device, 0, segments, &bezier));
    release(buffer);
}

static IDirect3DVertexBuffer9 *rectangles(IDirect3DDevice9 *device, const WORD *words, unsigned n)
{
    IDirect3DVertexBuffer9 *buffer;
    void *at;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, n * sizeof(*words), D3DUSAGE_TEXTAPI, 0,
                                           D3DPOOL_DEFAULT, &buffer, NULL));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &at, 0));
    memcpy(at, words, n * sizeof(*words));
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    return buffer;
}

static IDirect3DTexture9 *font(IDirect3DDevice9 *device, DWORD usage, uint8_t texels)
{
    IDirect3DTexture9 *texture, *memory;
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_CreateTexture(device, 16, 8, 1, usage, D3DFMT_A1, D3DPOOL_DEFAULT, &texture,
                                      NULL));
    OK(IDirect3DDevice9_CreateTexture(device, 16, 8, 1, 0, D3DFMT_A1, D3DPOOL_SYSTEMMEM, &memory,
                                      NULL));
    OK(IDirect3DTexture9_LockRect(memory, 0, &lock, NULL, 0));
    for (unsigned y = 0; y < 8; y++)
        memset((uint8_t *)lock.pBits + y * (size_t)lock.Pitch, texels, 2);
    OK(IDirect3DTexture9_UnlockRect(memory, 0));
    OK(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)memory,
                                      (IDirect3DBaseTexture9 *)texture));
    release(memory);
    return texture;
}

/* Two glyphs of stripes, which a kernel of 3x1 blurs. */
static void draw_glyphs(IDirect3DDevice9 *device)
{
    static const WORD glyphs[] = {0, 0, 5, 6}, places[] = {0, 0, 1, 1, 0, 0, 9, 2};
    static const float quad[4][6] = {
        {0, 0, 0, 1, 0, 0}, {SIDE, 0, 0, 1, 1, 0}, {0, SIDE, 0, 1, 0, 1}, {SIDE, SIDE, 0, 1, 1, 1}};
    IDirect3DTexture9 *from = font(device, D3DUSAGE_TEXTAPI, 0xaa), *to = font(device, 0, 0);
    IDirect3DVertexBuffer9 *src = rectangles(device, glyphs, 4),
                           *dst = rectangles(device, places, 8);
    IDirect3DSurface9 *surface[2];

    OK(IDirect3DTexture9_GetSurfaceLevel(from, 0, &surface[0]));
    OK(IDirect3DTexture9_GetSurfaceLevel(to, 0, &surface[1]));
    OK(IDirect3DDevice9Ex_ComposeRects((IDirect3DDevice9Ex *)device, surface[0], surface[1], src, 2,
                                       dst, D3DCOMPOSERECTS_OR, 0, 0));
    OK(IDirect3DDevice9Ex_SetConvolutionMonoKernel((IDirect3DDevice9Ex *)device, 3, 1, NULL, NULL));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAGFILTER, D3DTEXF_CONVOLUTIONMONO));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)to));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ALPHABLENDENABLE, TRUE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SRCBLEND, D3DBLEND_ONE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof(quad[0])));
    release(surface[0]);
    release(surface[1]);
    release(src);
    release(dst);
    release(from);
    release(to);
}

static void keep_picture(IDirect3DDevice9 *device, unsigned frame)
{
    IDirect3DSurface9 *back;
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    OK(IDirect3DSurface9_LockRect(back, &lock, NULL, D3DLOCK_READONLY));
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
            const uint8_t *bgra = (uint8_t *)lock.pBits + y * (size_t)lock.Pitch + x * 4;

            for (unsigned c = 0; c < 3; c++)
                own[frame][y][x][c] = bgra[2 - c];
            own[frame][y][x][3] = 255;
        }
    OK(IDirect3DSurface9_UnlockRect(back));
    release(back);
}

static void run_program(void)
{
    static void (*const draw[FRAMES])(IDirect3DDevice9 *) = {draw_npatches, draw_surface,
                                                             draw_glyphs};
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = SIDE,
                               .BackBufferHeight = SIDE,
                               .BackBufferFormat = D3DFMT_A8R8G8B8,
                               .SwapEffect = D3DSWAPEFFECT_COPY,
                               .Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER,
                               .Windowed = TRUE};
    IDirect3DDevice9 *device;
    IDirect3D9Ex *d3d9;

    OK(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d9));
    OK(IDirect3D9Ex_CreateDevice(d3d9, 0, D3DDEVTYPE_REF, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                                 &p, &device));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff203040, 1, 0));
        OK(IDirect3DDevice9_BeginScene(device));
        draw[frame](device);
        OK(IDirect3DDevice9_EndScene(device));
        keep_picture(device, frame);
        OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    }
    ck_assert_uint_eq(release(device), 0);
    release(d3d9);
}

static void setup(void)
{
    setenv("NOVEM_THREADS", "1", 1);
    setenv("NOVEM_SINK", "none", 1);
    open_folder();
    path_in_folder(path, "x.trace");
    record_open(path);
    run_program();
    record_close();
}

/* --- Histories -------------------------------------------------------------------------------- */

static bool is_written(const struct inspect_history *h)
{
    bool written = false;

    for (unsigned i = 0; i < h->n_events; i++)
        for (unsigned k = 0; k < h->event[i].n_primitives; k++)
            written |= !strcmp(h->event[i].primitive[k].outcome, "written");
    return written;
}

/* The pixels of a grid: the history ends with the program's pixel, and where a draw wrote it, the
 * pixel is not that of the ground. */
START_TEST(histories_add_up)
{
    unsigned n_written = 0;

    for (unsigned i = 0; i < 36; i++) {
        struct inspect_request request = {.command = "pixel",
                                          .file = path,
                                          .first = (uint64_t)_i,
                                          .frame = (uint64_t)_i,
                                          .call = UINT64_MAX,
                                          .x = 2 + i % 6 * 5,
                                          .y = 3 + i / 6 * 5};
        const uint8_t *pixel = own[_i][request.y][request.x];
        struct inspect_history h;

        ck_assert_int_eq(inspect_history_gather(&h, &request), TOOL_OK);
        ck_assert(inspect_history_is_exact(&h));
        for (unsigned c = 0; c < 3; c++)
            ck_assert_int_eq(h.point[0].final.raw[0][2 - c], pixel[c]);
        ck_assert(is_written(&h) || !memcmp(pixel, own[_i][0][0], 3));
        n_written += is_written(&h);
        inspect_history_fini(&h);
    }
    ck_assert_uint_gt(n_written, 8);
}
END_TEST

/* --- Files ------------------------------------------------------------------------------------ */

static char *read_text(const char *name)
{
    uint8_t *bytes;
    size_t n;

    ck_assert_msg(tool_file_read(in_folder(name), &bytes, &n) == ST_OK, "%s is missing", name);
    return (char *)bytes;
}

/* Fills `name` with the path of the first file that the index lists as `kind`. */
static void find_file(char name[64], const char *index, const char *kind)
{
    const char *at = strstr(index, kind);
    char file[40];

    ck_assert_msg(at, "%s: %s", kind, index);
    ck_assert_int_eq(sscanf(at + strlen(kind), " %39s", file), 1);
    snprintf(name, 64, "frame/%s", file);
}

static char *dump_frame(unsigned frame)
{
    char number[8], out[64];

    snprintf(number, sizeof(number), "%u", frame);
    path_in_folder(out, "frame");
    run_command(tool_frame, TOOL_OK, 6,
                (char *[]){"frame", path, "--frame", number, "-o", out, NULL});
    return read_text("frame/index.txt");
}

/* The last picture of the index is that of the program. */
static void check_last_picture(const char *index, unsigned frame)
{
    struct tool_image image;
    const char *last = NULL;
    char name[64];

    for (const char *next = index; (next = strstr(next, "colour after")); next++)
        last = next;
    ck_assert_ptr_nonnull(last);
    find_file(name, last, "colour after");
    ck_assert_int_eq(tool_png_read(in_folder(name), &image), ST_OK);
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        ck_assert(!memcmp(image.rgba + 4 * i, own[frame][i / SIDE][i % SIDE], 3));
    tool_image_fini(&image);
}

static void check_has(const char *index, const char *kind, const char *const words[])
{
    char name[64], *text;

    find_file(name, index, kind);
    text = read_text(name);
    for (; *words; words++)
        ck_assert_msg(strstr(text, *words), "no '%s' in %s", *words, text);
    mem_free(text);
}

/* The mesh of an N-patch draw has the program's triangles. */
START_TEST(frame_of_npatches)
{
    char *index = dump_frame(N_PATCHES);

    check_last_picture(index, N_PATCHES);
    check_has(index, "state ",
              (const char *[]){"N-patches: 3.5 segments\n", "\nsampler 16: ",
                               "\nelement: color0, D3DDECLMETHOD_LOOKUPPRESAMPLED\n", NULL});
    check_has(index, "mesh ", (const char *[]){"f 10 11 12\n", NULL});
    ck_assert_ptr_nonnull(strstr(index, "texture 16 "));
    mem_free(index);
}
END_TEST

/* That of a patch has the tessellated surface. */
START_TEST(frame_of_a_patch)
{
    char *index = dump_frame(PATCH);

    check_last_picture(index, PATCH);
    ck_assert_ptr_nonnull(strstr(index, "::DrawRectPatch: "));
    ck_assert_ptr_null(strstr(index, "texture 16 "));
    check_has(index, "mesh ", (const char *[]){"v ", "\nf ", NULL});
    mem_free(index);
}
END_TEST

START_TEST(frame_of_glyphs)
{
    struct tool_image image;
    char *index = dump_frame(GLYPHS), name[64];

    check_last_picture(index, GLYPHS);
    check_has(index, "state ", (const char *[]){"convolution: 3x1\n", NULL});
    find_file(name, strstr(index, "::ComposeRects: composed glyphs"), "after ");
    ck_assert_int_eq(tool_png_read(in_folder(name), &image), ST_OK);
    ck_assert_uint_eq(image.width, 16);
    for (unsigned x = 0; x < 16; x++) /* stripes of the row that both glyphs have */
        ck_assert_uint_eq(image.rgba[4 * (3 * 16 + x) + 3] != 0,
                          x == 1 || x == 3 || x == 5 || x == 9 || x == 11 || x == 13);
    tool_image_fini(&image);
    mem_free(index);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tessellation in the inspector");
    TCase *tc = tcase_create("inspect");

    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, setup, close_folder);
    tcase_add_loop_test(tc, histories_add_up, 0, FRAMES);
    tcase_add_test(tc, frame_of_npatches);
    tcase_add_test(tc, frame_of_a_patch);
    tcase_add_test(tc, frame_of_glyphs);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
