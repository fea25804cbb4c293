/* Tests of creation rules of textures, surfaces and volumes, and of reported video memory. */
#include "api_test.h"

#include "util/alloc.h"

/* --- Creation --------------------------------------------------------------------------------- */

enum what { COLOUR, ATI2, DEPTH };

static D3DFORMAT format_of(enum what what)
{
    return what == COLOUR ? D3DFMT_A8R8G8B8
           : what == ATI2 ? (D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '2')
                          : D3DFMT_D24S8;
}

/* Valid pool and usage combinations of 2D and cube textures, for colour, ATI2 and depth formats. */
static const struct {
    D3DPOOL pool;
    DWORD usage;
    bool ok[3];
    bool lockable[3];
} rows[] = {
    {D3DPOOL_DEFAULT, 0, {1, 1, 1}, {0, 1, 0}},
    {D3DPOOL_DEFAULT, D3DUSAGE_DYNAMIC, {1, 1, 1}, {1, 1, 1}},
    {D3DPOOL_DEFAULT, D3DUSAGE_RENDERTARGET, {1, 0, 0}, {0, 0, 0}},
    {D3DPOOL_DEFAULT, D3DUSAGE_DEPTHSTENCIL, {0, 0, 1}, {0, 0, 0}},
    {D3DPOOL_DEFAULT, D3DUSAGE_DYNAMIC | D3DUSAGE_RENDERTARGET, {0, 0, 0}, {0, 0, 0}},
    {D3DPOOL_DEFAULT, D3DUSAGE_WRITEONLY, {0, 0, 0}, {0, 0, 0}},
    {D3DPOOL_MANAGED, 0, {1, 1, 0}, {1, 1, 0}},
    {D3DPOOL_MANAGED, D3DUSAGE_DYNAMIC, {0, 0, 0}, {0, 0, 0}},
    {D3DPOOL_MANAGED, D3DUSAGE_RENDERTARGET, {0, 0, 0}, {0, 0, 0}},
    {D3DPOOL_SYSTEMMEM, 0, {1, 1, 0}, {1, 1, 0}},
    {D3DPOOL_SYSTEMMEM, D3DUSAGE_RENDERTARGET, {0, 0, 0}, {0, 0, 0}},
    {D3DPOOL_SCRATCH, 0, {1, 1, 0}, {1, 1, 0}},
    {D3DPOOL_SCRATCH, D3DUSAGE_DYNAMIC, {0, 0, 0}, {0, 0, 0}},
};

static void check_level(IDirect3DDevice9 *device, IDirect3DTexture9 *texture, int row, int what)
{
    IDirect3DSurface9 *surface, *target;
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT lock;
    HRESULT locks = rows[row].lockable[what] ? D3D_OK : D3DERR_INVALIDCALL;

    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface));
    OK(IDirect3DSurface9_GetDesc(surface, &desc));
    ck_assert_int_eq(desc.Pool, rows[row].pool);
    ck_assert_uint_eq(desc.Usage, rows[row].usage);
    RETURNS(IDirect3DSurface9_LockRect(surface, &lock, NULL, 0), locks);
    RETURNS(IDirect3DSurface9_UnlockRect(surface), locks);
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &target));
    RETURNS(IDirect3DDevice9_SetRenderTarget(device, 0, surface),
            desc.Usage & D3DUSAGE_RENDERTARGET ? D3D_OK : D3DERR_INVALIDCALL);
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
    RETURNS(IDirect3DDevice9_SetDepthStencilSurface(device, surface),
            desc.Usage & D3DUSAGE_DEPTHSTENCIL ? D3D_OK : D3DERR_INVALIDCALL);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    release(target);
    release(surface);
}

START_TEST(texture_access)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DTexture9 *texture;

    for (int what = COLOUR; what <= DEPTH; what++) {
        HRESULT hr = IDirect3DDevice9_CreateTexture(device, 16, 16, 1, rows[_i].usage,
                                                    format_of(what), rows[_i].pool, &texture, NULL);

        ck_assert_msg(SUCCEEDED(hr) == rows[_i].ok[what], "row %d, format %d: %#x", _i, what,
                      (unsigned)hr);
        if (SUCCEEDED(hr)) {
            check_level(device, texture, _i, what);
            release(texture);
        } else {
            ck_assert_int_eq(hr, D3DERR_INVALIDCALL);
            ck_assert_ptr_null(texture);
        }
    }
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(unknown_format_is_refused)
{
    IDirect3DDevice9 *d = create_device();
    void *out = d;

#define NOTHING(call)                                                                              \
    out = d;                                                                                       \
    REFUSED(call);                                                                                 \
    ck_assert_ptr_null(out)
    NOTHING(IDirect3DDevice9_CreateRenderTarget(d, 64, 64, D3DFMT_UNKNOWN, 0, 0, FALSE,
                                                (IDirect3DSurface9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateRenderTarget(d, 64, 64, D3DFMT_D16, 0, 0, FALSE,
                                                (IDirect3DSurface9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateDepthStencilSurface(d, 64, 64, D3DFMT_UNKNOWN, 0, 0, TRUE,
                                                       (IDirect3DSurface9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateDepthStencilSurface(d, 64, 64, D3DFMT_A8R8G8B8, 0, 0, TRUE,
                                                       (IDirect3DSurface9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateOffscreenPlainSurface(d, 64, 64, D3DFMT_UNKNOWN, D3DPOOL_DEFAULT,
                                                         (IDirect3DSurface9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateOffscreenPlainSurface(
        d, 64, 64, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, (IDirect3DSurface9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateOffscreenPlainSurface(d, 0, 64, D3DFMT_A8R8G8B8, D3DPOOL_SCRATCH,
                                                         (IDirect3DSurface9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateTexture(d, 64, 64, 1, 0, D3DFMT_UNKNOWN, D3DPOOL_DEFAULT,
                                           (IDirect3DTexture9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateTexture(d, 64, 64, 8, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                           (IDirect3DTexture9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateTexture(d, 6, 8, 1, 0, D3DFMT_DXT1, D3DPOOL_SCRATCH,
                                           (IDirect3DTexture9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateCubeTexture(d, 64, 1, 0, D3DFMT_UNKNOWN, D3DPOOL_DEFAULT,
                                               (IDirect3DCubeTexture9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateVolumeTexture(d, 64, 64, 1, 1, 0, D3DFMT_UNKNOWN,
                                                 D3DPOOL_DEFAULT, (IDirect3DVolumeTexture9 **)&out,
                                                 NULL));
    NOTHING(IDirect3DDevice9_CreateVertexBuffer(d, 16, 0, 0, D3DPOOL_SCRATCH,
                                                (IDirect3DVertexBuffer9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateVertexBuffer(d, 16, D3DUSAGE_RENDERTARGET, 0, D3DPOOL_DEFAULT,
                                                (IDirect3DVertexBuffer9 **)&out, NULL));
    ck_assert_uint_eq(release(d), 0);
}
END_TEST

START_TEST(level_counts)
{
    static const UINT sizes[][3] = {{32, 32, 6}, {256, 1, 9}, {1, 256, 9}, {1, 1, 1}, {257, 3, 9}};
    IDirect3DDevice9 *device = create_device();
    IDirect3DTexture9 *texture;
    D3DSURFACE_DESC desc;

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        OK(IDirect3DDevice9_CreateTexture(device, sizes[i][0], sizes[i][1], 0, 0, D3DFMT_X8R8G8B8,
                                          D3DPOOL_DEFAULT, &texture, NULL));
        ck_assert_uint_eq(IDirect3DTexture9_GetLevelCount(texture), sizes[i][2]);
        OK(IDirect3DTexture9_GetLevelDesc(texture, sizes[i][2] - 1, &desc));
        ck_assert_uint_eq(desc.Width, 1);
        REFUSED(IDirect3DTexture9_GetLevelDesc(texture, sizes[i][2], &desc));
        release(texture);
    }
    release(device);
}
END_TEST

START_TEST(generated_levels_are_hidden)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DVolumeTexture9 *volumes;
    IDirect3DSurface9 *surface;
    IDirect3DTexture9 *texture;
    D3DSURFACE_DESC desc;

    OK(IDirect3DDevice9_CreateTexture(device, 64, 64, 0, D3DUSAGE_AUTOGENMIPMAP, D3DFMT_X8R8G8B8,
                                      D3DPOOL_MANAGED, &texture, NULL));
    ck_assert_uint_eq(IDirect3DTexture9_GetLevelCount(texture), 1);
    OK(IDirect3DTexture9_GetLevelDesc(texture, 0, &desc));
    ck_assert_uint_eq(desc.Usage, D3DUSAGE_AUTOGENMIPMAP);
    REFUSED(IDirect3DTexture9_GetSurfaceLevel(texture, 1, &surface));
    ck_assert_int_eq(IDirect3DTexture9_GetAutoGenFilterType(texture), D3DTEXF_LINEAR);
    REFUSED(IDirect3DTexture9_SetAutoGenFilterType(texture, D3DTEXF_NONE));
    OK(IDirect3DTexture9_SetAutoGenFilterType(texture, D3DTEXF_ANISOTROPIC));
    ck_assert_int_eq(IDirect3DTexture9_GetAutoGenFilterType(texture), D3DTEXF_ANISOTROPIC);
    release(texture);
    REFUSED(IDirect3DDevice9_CreateTexture(device, 64, 64, 2, D3DUSAGE_AUTOGENMIPMAP,
                                           D3DFMT_X8R8G8B8, D3DPOOL_MANAGED, &texture, NULL));
    REFUSED(IDirect3DDevice9_CreateTexture(device, 64, 64, 0, D3DUSAGE_AUTOGENMIPMAP,
                                           D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM, &texture, NULL));
    REFUSED(IDirect3DDevice9_CreateVolumeTexture(device, 64, 64, 64, 0, D3DUSAGE_AUTOGENMIPMAP,
                                                 D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT, &volumes, NULL));
    OK(IDirect3DDevice9_CreateTexture(device, 64, 64, 0, D3DUSAGE_AUTOGENMIPMAP, D3DFMT_DXT5,
                                      D3DPOOL_DEFAULT, &texture, NULL));
    ck_assert_uint_eq(IDirect3DTexture9_GetLevelCount(texture), 1);
    release(texture);
    release(device);
}
END_TEST

/* Reference: textures/block-size. */
START_TEST(block_sizes)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *surface;

    REFUSED(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 5, 8, D3DFMT_DXT1, D3DPOOL_SCRATCH,
                                                         &surface, NULL));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(
        device, 5, 7, (D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '1'), D3DPOOL_SCRATCH, &surface, NULL));
    release(surface);
    release(device);
}
END_TEST

/* Usages that the call implies are refused; only plain surfaces clear the pointer. */
START_TEST(implied_usage)
{
    IDirect3DDevice9Ex *device = create_device_ex();
    IDirect3DSurface9 *const before = (IDirect3DSurface9 *)device, *surface = before;

    REFUSED(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(device, 8, 8, D3DFMT_D24S8,
                                                           D3DMULTISAMPLE_NONE, 0, TRUE, &surface,
                                                           NULL, D3DUSAGE_DEPTHSTENCIL));
    ck_assert_ptr_eq(surface, before);
    REFUSED(IDirect3DDevice9Ex_CreateOffscreenPlainSurfaceEx(
        device, 8, 8, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT, &surface, NULL, D3DUSAGE_RENDERTARGET));
    ck_assert_ptr_null(surface);
    release(device);
}
END_TEST

START_TEST(video_memory_decreases)
{
    IDirect3DDevice9 *device = create_device();
    UINT before = IDirect3DDevice9_GetAvailableTextureMem(device), after;
    IDirect3DTexture9 *texture;

    OK(IDirect3DDevice9_CreateTexture(device, 1024, 1024, 1, D3DUSAGE_RENDERTARGET, D3DFMT_X8R8G8B8,
                                      D3DPOOL_DEFAULT, &texture, NULL));
    after = IDirect3DDevice9_GetAvailableTextureMem(device);
    ck_assert_uint_gt(before, after + 0x200000);
    release(texture);
    ck_assert_uint_eq(IDirect3DDevice9_GetAvailableTextureMem(device), before);
    release(device);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/texture_create");
    TCase *tc = tcase_create("resources");

    tcase_add_loop_test(tc, texture_access, 0, sizeof(rows) / sizeof(rows[0]));
    tcase_add_test(tc, unknown_format_is_refused);
    tcase_add_test(tc, level_counts);
    tcase_add_test(tc, generated_levels_are_hidden);
    tcase_add_test(tc, block_sizes);
    tcase_add_test(tc, implied_usage);
    tcase_add_test(tc, video_memory_decreases);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
