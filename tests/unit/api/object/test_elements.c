/* Multiple-element textures: which devices have them, and the calls that refuse them (reference:
 * target/elements). */
#include "api_test.h"

enum { EDGE = 16 };

static IDirect3DDevice9 *create_reference(void)
{
    setenv("NOVEM_CAPS", "reference", 1);
    return create_device();
}

static HRESULT ask(IDirect3DDevice9 *device, D3DRESOURCETYPE type, DWORD usage)
{
    IDirect3D9 *d3d9;
    HRESULT hr;

    OK(IDirect3DDevice9_GetDirect3D(device, &d3d9));
    hr = IDirect3D9_CheckDeviceFormat(d3d9, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, usage, type,
                                      D3DFMT_MULTI2_ARGB8);
    IDirect3D9_Release(d3d9);
    return hr;
}

static HRESULT create(IDirect3DDevice9 *device, UINT levels, DWORD usage, D3DPOOL pool,
                      IDirect3DTexture9 **out)
{
    return IDirect3DDevice9_CreateTexture(device, EDGE, EDGE, levels, usage, D3DFMT_MULTI2_ARGB8,
                                          pool, out, NULL);
}

START_TEST(hardware_has_none)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DTexture9 *texture;

    ck_assert_int_eq(ask(device, D3DRTYPE_TEXTURE, D3DUSAGE_RENDERTARGET), D3DERR_NOTAVAILABLE);
    ck_assert_int_eq(create(device, 1, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT, &texture),
                     D3DERR_INVALIDCALL);
    release(device);
}
END_TEST

START_TEST(claims)
{
    static const struct {
        D3DRESOURCETYPE type;
        DWORD usage;
        HRESULT hr;
    } rows[] = {
        {D3DRTYPE_TEXTURE, 0, D3D_OK},
        {D3DRTYPE_TEXTURE, D3DUSAGE_RENDERTARGET, D3D_OK},
        {D3DRTYPE_TEXTURE, D3DUSAGE_RENDERTARGET | D3DUSAGE_QUERY_SRGBREAD, D3D_OK},
        {D3DRTYPE_TEXTURE, D3DUSAGE_QUERY_FILTER, D3DERR_NOTAVAILABLE},
        {D3DRTYPE_TEXTURE, D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING, D3DERR_NOTAVAILABLE},
        {D3DRTYPE_TEXTURE, D3DUSAGE_QUERY_SRGBWRITE, D3DERR_NOTAVAILABLE},
        {D3DRTYPE_TEXTURE, D3DUSAGE_QUERY_WRAPANDMIP, D3DERR_NOTAVAILABLE},
        {D3DRTYPE_TEXTURE, D3DUSAGE_AUTOGENMIPMAP, D3DERR_NOTAVAILABLE},
        {D3DRTYPE_TEXTURE, D3DUSAGE_DEPTHSTENCIL, D3DERR_NOTAVAILABLE},
        {D3DRTYPE_TEXTURE, D3DUSAGE_DYNAMIC, D3DERR_NOTAVAILABLE},
        {D3DRTYPE_SURFACE, 0, D3DERR_NOTAVAILABLE},
        {D3DRTYPE_SURFACE, D3DUSAGE_RENDERTARGET, D3DERR_NOTAVAILABLE},
        {D3DRTYPE_CUBETEXTURE, 0, D3DERR_NOTAVAILABLE},
        {D3DRTYPE_VOLUMETEXTURE, 0, D3DERR_NOTAVAILABLE},
    };
    IDirect3DDevice9 *device = create_reference();

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        ck_assert_msg(ask(device, rows[i].type, rows[i].usage) == rows[i].hr, "row %u", i);
    release(device);
}
END_TEST

START_TEST(creation)
{
    static const struct {
        UINT levels;
        DWORD usage;
        D3DPOOL pool;
    } refused[] = {
        {0, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT},
        {2, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT},
        {1, D3DUSAGE_RENDERTARGET, D3DPOOL_MANAGED},
        {1, 0, D3DPOOL_SYSTEMMEM},
        {1, 0, D3DPOOL_SCRATCH},
        {1, D3DUSAGE_DYNAMIC, D3DPOOL_DEFAULT},
        {1, D3DUSAGE_AUTOGENMIPMAP | D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT},
    };
    IDirect3DDevice9 *device = create_reference();
    UINT before = IDirect3DDevice9_GetAvailableTextureMem(device);
    IDirect3DTexture9 *texture;
    IDirect3DSurface9 *surface;
    D3DSURFACE_DESC desc;

    for (unsigned i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        ck_assert_msg(create(device, refused[i].levels, refused[i].usage, refused[i].pool,
                             &texture) == D3DERR_INVALIDCALL,
                      "row %u", i);
    ck_assert_int_eq(IDirect3DDevice9_CreateRenderTarget(device, EDGE, EDGE, D3DFMT_MULTI2_ARGB8,
                                                         D3DMULTISAMPLE_NONE, 0, FALSE, &surface,
                                                         NULL),
                     D3DERR_INVALIDCALL);
    OK(IDirect3DDevice9_CreateTexture(device, 1024, 1024, 1, D3DUSAGE_RENDERTARGET,
                                      D3DFMT_MULTI2_ARGB8, D3DPOOL_DEFAULT, &texture, NULL));
    OK(IDirect3DTexture9_GetLevelDesc(texture, 0, &desc));
    ck_assert_int_eq(desc.Format, D3DFMT_MULTI2_ARGB8);
    ck_assert_uint_eq(before - IDirect3DDevice9_GetAvailableTextureMem(device), 8u << 20);
    release(texture);
    ck_assert_uint_eq(IDirect3DDevice9_GetAvailableTextureMem(device), before);
    release(device);
}
END_TEST

/* Locks, copies, and targets besides target 0. */
START_TEST(refused_calls)
{
    IDirect3DDevice9 *device = create_reference();
    IDirect3DSurface9 *surface, *other, *plain;
    IDirect3DTexture9 *texture;
    D3DLOCKED_RECT rect;
    HDC dc;

    OK(create(device, 1, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT, &texture));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface));
    OK(IDirect3DDevice9_CreateRenderTarget(device, EDGE, EDGE, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE,
                                           0, FALSE, &other, NULL));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, EDGE, EDGE, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_SYSTEMMEM, &plain, NULL));
    ck_assert_int_eq(IDirect3DTexture9_LockRect(texture, 0, &rect, NULL, 0), D3DERR_INVALIDCALL);
    ck_assert_int_eq(IDirect3DSurface9_LockRect(surface, &rect, NULL, 0), D3DERR_INVALIDCALL);
    ck_assert(FAILED(IDirect3DSurface9_GetDC(surface, &dc)));
    ck_assert_int_eq(
        IDirect3DDevice9_StretchRect(device, surface, NULL, other, NULL, D3DTEXF_POINT),
        D3DERR_INVALIDCALL);
    ck_assert_int_eq(
        IDirect3DDevice9_StretchRect(device, other, NULL, surface, NULL, D3DTEXF_POINT),
        D3DERR_INVALIDCALL);
    ck_assert_int_eq(
        IDirect3DDevice9_StretchRect(device, surface, NULL, surface, NULL, D3DTEXF_POINT),
        D3DERR_INVALIDCALL);
    ck_assert_int_eq(IDirect3DDevice9_ColorFill(device, surface, NULL, 0), D3DERR_INVALIDCALL);
    ck_assert_int_eq(IDirect3DDevice9_GetRenderTargetData(device, surface, plain),
                     D3DERR_INVALIDCALL);
    ck_assert_int_eq(IDirect3DDevice9_UpdateSurface(device, plain, NULL, surface, NULL),
                     D3DERR_INVALIDCALL);
    ck_assert_int_eq(IDirect3DDevice9_SetRenderTarget(device, 1, surface), D3DERR_INVALIDCALL);
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, surface));
    release(other);
    ck_assert_int_eq(IDirect3DDevice9_GetRenderTarget(device, 1, &other), D3DERR_NOTFOUND);
    release(surface);
    release(texture);
    release(plain);
    release(device);
}
END_TEST

/* ValidateDevice refuses to filter them. */
START_TEST(no_filter)
{
    IDirect3DDevice9 *device = create_reference();
    IDirect3DTexture9 *texture;
    DWORD passes;

    OK(create(device, 1, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT, &texture));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_ValidateDevice(device, &passes));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR));
    ck_assert_int_eq(IDirect3DDevice9_ValidateDevice(device, &passes), E_FAIL);
    release(texture);
    release(device);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/elements");
    TCase *tc = tcase_create("elements");

    tcase_add_test(tc, hardware_has_none);
    tcase_add_test(tc, claims);
    tcase_add_test(tc, creation);
    tcase_add_test(tc, refused_calls);
    tcase_add_test(tc, no_filter);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
