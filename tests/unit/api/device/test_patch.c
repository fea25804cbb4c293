/* Tests of patches that scenes cannot express: the same patch with and without a handle, from
 * several streams of all types; buffers that are gone; Reset; null pointers and large sizes. */
#include "api_test.h"

#include "util/alloc.h"

enum { EDGE = 32, POINTS = 40 };

static IDirect3DDevice9 *reference_device(void)
{
    IDirect3D9 *d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DDevice9 *device = NULL;

    p.BackBufferWidth = p.BackBufferHeight = EDGE;
    p.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_REF, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &p, &device));
    IDirect3D9_Release(d3d9);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    return device;
}

static IDirect3DVertexBuffer9 *buffer_of(IDirect3DDevice9 *device, const void *data, UINT bytes)
{
    IDirect3DVertexBuffer9 *buffer;
    void *bits;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, bytes, 0, 0, D3DPOOL_MANAGED, &buffer, NULL));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &bits, 0));
    memcpy(bits, data, bytes);
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    return buffer;
}

static void read_picture(IDirect3DDevice9 *device, DWORD pixel[EDGE][EDGE])
{
    IDirect3DSurface9 *back;
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    OK(IDirect3DSurface9_LockRect(back, &lock, NULL, D3DLOCK_READONLY));
    for (unsigned y = 0; y < EDGE; y++)
        memcpy(pixel[y], (char *)lock.pBits + (size_t)y * (size_t)lock.Pitch, sizeof(pixel[y]));
    OK(IDirect3DSurface9_UnlockRect(back));
    release(back);
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 0, 0));
}

static bool is_black(DWORD pixel[EDGE][EDGE])
{
    for (unsigned i = 0; i < EDGE * EDGE; i++)
        if (pixel[0][i])
            return false;
    return true;
}

/* Positions in stream 0 and colours in stream 1, both in other strides and offsets. */
struct points {
    IDirect3DVertexBuffer9 *position, *colour;
    IDirect3DVertexDeclaration9 *decl;
};

static void bind_points(IDirect3DDevice9 *device, struct points *p, D3DDECLTYPE type, unsigned seed)
{
    const D3DVERTEXELEMENT9 elements[] = {
        {1, 4, (BYTE)type, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_COLOR, 0},
        {0, 0, D3DDECLTYPE_UNUSED, D3DDECLMETHOD_UV, D3DDECLUSAGE_TEXCOORD, 0},
        {0, 8, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
        {0, 8, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_CROSSUV, D3DDECLUSAGE_NORMAL, 0},
        D3DDECL_END()};
    float position[POINTS][5];
    uint8_t colour[POINTS][24];

    srand(seed);
    for (unsigned i = 0; i < POINTS; i++) {
        position[i][2] = (float)(i % 5) / 2.0f - 1.0f + (float)(rand() % 100) / 400.0f;
        position[i][3] = 1.0f - (float)(i / 5) / 3.0f + (float)(rand() % 100) / 400.0f;
        position[i][4] = (float)(rand() % 100) / 100.0f;
        position[i][0] = position[i][1] = 1e30f;
        for (unsigned k = 0; k < 24; k++)
            colour[i][k] = (uint8_t)(rand() % (type <= D3DDECLTYPE_FLOAT4 ? 64 : 256));
    }
    p->position = buffer_of(device, position, sizeof(position));
    p->colour = buffer_of(device, colour, sizeof(colour));
    OK(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &p->decl));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, p->position, 0, 20));
    OK(IDirect3DDevice9_SetStreamSource(device, 1, p->colour, 24, 24));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, p->decl));
}

static void release_points(struct points *p)
{
    release(p->position);
    release(p->colour);
    release(p->decl);
}

static const float segments[4] = {5.0f, 7.5f, 3.0f, 9.0f};
static const D3DRECTPATCH_INFO rectangle = {1, 1, 4, 4, 5, D3DBASIS_BEZIER, D3DDEGREE_CUBIC};
static const D3DTRIPATCH_INFO triangle = {3, 10, D3DBASIS_BEZIER, D3DDEGREE_CUBIC};

/* A draw of the streams, the draw that caches, and one after everything is unbound and freed. */
START_TEST(handles_draw_the_same)
{
    static DWORD want[EDGE][EDGE], got[EDGE][EDGE];
    IDirect3DDevice9 *device = reference_device();
    D3DDECLTYPE type = (D3DDECLTYPE)(_i / 2);
    bool rect = _i % 2;
    struct points p;

    read_picture(device, got); /* clears */
    bind_points(device, &p, type, (unsigned)_i);
    OK(rect ? IDirect3DDevice9_DrawRectPatch(device, 0, segments, &rectangle)
            : IDirect3DDevice9_DrawTriPatch(device, 0, segments, &triangle));
    read_picture(device, want);
    ck_assert(!is_black(want));
    OK(rect ? IDirect3DDevice9_DrawRectPatch(device, 5, segments, &rectangle)
            : IDirect3DDevice9_DrawTriPatch(device, 5, segments, &triangle));
    read_picture(device, got);
    ck_assert_mem_eq(got, want, sizeof(want));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
    OK(IDirect3DDevice9_SetStreamSource(device, 1, NULL, 0, 0));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    release_points(&p);
    OK(rect ? IDirect3DDevice9_DrawRectPatch(device, 5, NULL, NULL)
            : IDirect3DDevice9_DrawTriPatch(device, 5, NULL, NULL));
    read_picture(device, got);
    ck_assert_mem_eq(got, want, sizeof(want));
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* N-patches are made of triangles that the program draws, not of patches. */
START_TEST(npatch_mode_does_not_apply)
{
    static DWORD want[EDGE][EDGE], got[EDGE][EDGE];
    IDirect3DDevice9 *device = reference_device();
    struct points p;

    read_picture(device, got);
    bind_points(device, &p, D3DDECLTYPE_D3DCOLOR, 3);
    OK(IDirect3DDevice9_DrawRectPatch(device, 0, segments, &rectangle));
    read_picture(device, want);
    OK(IDirect3DDevice9_SetNPatchMode(device, 4.0f));
    OK(IDirect3DDevice9_DrawRectPatch(device, 0, segments, &rectangle));
    read_picture(device, got);
    ck_assert_mem_eq(got, want, sizeof(want));
    release_points(&p);
    release(device);
}
END_TEST

/* Points past the ends of the buffers are 0, with a handle as without one. */
START_TEST(points_past_the_end)
{
    static const D3DRECTPATCH_INFO beyond = {1, 5, 4, 4, 5, D3DBASIS_BSPLINE, D3DDEGREE_CUBIC};
    static DWORD want[EDGE][EDGE], got[EDGE][EDGE];
    IDirect3DDevice9 *device = reference_device();
    struct points p;

    read_picture(device, got);
    bind_points(device, &p, D3DDECLTYPE_FLOAT4, 3);
    OK(IDirect3DDevice9_DrawRectPatch(device, 0, segments, &beyond));
    read_picture(device, want);
    OK(IDirect3DDevice9_DrawRectPatch(device, 1, segments, &beyond));
    read_picture(device, got);
    ck_assert_mem_eq(got, want, sizeof(want));
    release_points(&p);
    release(device);
}
END_TEST

/* A handle of a device that is reset names nothing; an Ex device keeps it. */
START_TEST(reset_deletes_patches)
{
    IDirect3DDevice9 *device = reference_device();
    D3DPRESENT_PARAMETERS p = test_parameters();
    struct points points;

    bind_points(device, &points, D3DDECLTYPE_D3DCOLOR, 1);
    OK(IDirect3DDevice9_DrawRectPatch(device, 5, segments, &rectangle));
    OK(IDirect3DDevice9_DrawTriPatch(device, 6, segments, &triangle));
    release_points(&points);
    OK(IDirect3DDevice9_Reset(device, &p));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    REFUSED(IDirect3DDevice9_DrawRectPatch(device, 5, NULL, NULL));
    REFUSED(IDirect3DDevice9_DeletePatch(device, 6));
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

START_TEST(ex_reset_keeps_patches)
{
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DDevice9Ex *ex;
    IDirect3DDevice9 *device;
    IDirect3DVertexBuffer9 *buffer;
    IDirect3D9Ex *d3d9;

    OK(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d9));
    OK(IDirect3D9Ex_CreateDeviceEx(d3d9, 0, D3DDEVTYPE_REF, NULL,
                                   D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, NULL, &ex));
    IDirect3D9Ex_Release(d3d9);
    device = (IDirect3DDevice9 *)ex;
    OK(IDirect3DDevice9_CreateVertexBuffer(device, 1000, 0, 0, D3DPOOL_DEFAULT, &buffer, NULL));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, 12));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    OK(IDirect3DDevice9_DrawRectPatch(device, 5, segments, &rectangle));
    release(buffer);
    OK(IDirect3DDevice9_Reset(device, &p));
    OK(IDirect3DDevice9_DrawRectPatch(device, 5, NULL, NULL));
    OK(IDirect3DDevice9_DeletePatch(device, 5));
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

START_TEST(large_sizes)
{
    static const D3DRECTPATCH_INFO infos[] = {
        {0, 0, 0x10000, 0x10000, 0x10000, D3DBASIS_BSPLINE, D3DDEGREE_CUBIC},
        {0, 0, 1025, 1025, 1025, D3DBASIS_BSPLINE, D3DDEGREE_CUBIC},
        {0xffffffff, 0, 4, 4, 4, D3DBASIS_BEZIER, D3DDEGREE_CUBIC},
        {0, 0xffffffff, 4, 4, 0xffffffff, D3DBASIS_BEZIER, D3DDEGREE_CUBIC},
        {0, 0, 4, 4, 0xffffffff, D3DBASIS_BEZIER, D3DDEGREE_CUBIC},
        {0, 0, 0xffffffff, 4, 4, D3DBASIS_BEZIER, D3DDEGREE_CUBIC},
    };
    static const D3DRECTPATCH_INFO most = {
        0, 0, 1024, 1024, 1024, D3DBASIS_INTERPOLATE, D3DDEGREE_CUBIC};
    static const D3DTRIPATCH_INFO last = {0xfffffff6, 10, D3DBASIS_BEZIER, D3DDEGREE_CUBIC};
    IDirect3DDevice9 *device = reference_device();

    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    for (unsigned i = 0; i < sizeof(infos) / sizeof(*infos); i++) {
        REFUSED(IDirect3DDevice9_DrawRectPatch(device, 0, segments, &infos[i]));
        REFUSED(IDirect3DDevice9_DrawRectPatch(device, 1, segments, &infos[i]));
    }
    OK(IDirect3DDevice9_DrawRectPatch(device, 0, segments, &most));
    REFUSED(IDirect3DDevice9_DrawTriPatch(device, 0, segments, &last));
    REFUSED(IDirect3DDevice9_DrawTriPatch(device, 0, NULL, NULL));
    release(device);
}
END_TEST

/* Handles in any order; all are found and deleted. */
START_TEST(many_handles)
{
    IDirect3DDevice9 *device = reference_device();
    static const D3DRECTPATCH_INFO flat = {0, 0, 2, 2, 2, D3DBASIS_BEZIER, D3DDEGREE_LINEAR};

    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    for (UINT i = 1; i < 200; i++)
        OK(IDirect3DDevice9_DrawRectPatch(device, i * 7919 % 211, segments, &flat));
    for (UINT i = 1; i < 200; i += 2)
        OK(IDirect3DDevice9_DeletePatch(device, i * 7919 % 211));
    for (UINT i = 1; i < 200; i++)
        RETURNS(IDirect3DDevice9_DrawRectPatch(device, i * 7919 % 211, NULL, NULL),
                i % 2 ? D3DERR_INVALIDCALL : D3D_OK);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* If memory is short, the call fails and the device goes on. */
START_TEST(memory_errors)
{
    IDirect3DDevice9 *device;
    struct points points;
    bool failed = true;

    setenv("NOVEM_THREADS", "1", 1); /* packets run inside the call */
    device = reference_device();
    bind_points(device, &points, D3DDECLTYPE_D3DCOLOR, 1);
    for (int64_t n = 0; failed; n++) {
        HRESULT hr;

        mem_fail_once(n);
        hr = IDirect3DDevice9_DrawRectPatch(device, 5, segments, &rectangle);
        failed = mem_has_failed();
        mem_fail_after(-1);
        if (!failed)
            OK(hr);
        (void)IDirect3DDevice9_DeletePatch(device, 5);
    }
    release_points(&points);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/patch");
    TCase *tc = tcase_create("patch");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, handles_draw_the_same, 0, 2 * D3DDECLTYPE_UNUSED);
    tcase_add_test(tc, npatch_mode_does_not_apply);
    tcase_add_test(tc, points_past_the_end);
    tcase_add_test(tc, reset_deletes_patches);
    tcase_add_test(tc, ex_reset_keeps_patches);
    tcase_add_test(tc, large_sizes);
    tcase_add_test(tc, many_handles);
    tcase_add_test(tc, memory_errors);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
