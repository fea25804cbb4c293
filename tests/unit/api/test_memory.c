/* Out-of-memory test: fails every allocation once; each call either works or fails cleanly. */
#include "api_test.h"

#include "util/alloc.h"
#include "util/log.h"

static const float triangle[3][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}};

/* Creates and uses one object of most kinds; returns whether all calls succeeded. After any failure
 * it releases what exists. */
static bool use_resources(IDirect3DDevice9Ex *ex)
{
    IDirect3DDevice9 *device = (IDirect3DDevice9 *)ex;
    IDirect3DTexture9 *texture = NULL, *copy = NULL;
    IDirect3DVolumeTexture9 *volumes = NULL;
    IDirect3DStateBlock9 *block = NULL;
    IDirect3DVertexShader9 *vs = NULL;
    IDirect3DSwapChain9 *chain = NULL;
    IDirect3DVertexBuffer9 *vb = NULL;
    IDirect3DSurface9 *front = NULL;
    IDirect3DQuery9 *query = NULL;
    D3DPRESENT_PARAMETERS p = test_parameters();
    static const GUID guid = {1, 2, 3, {4}};
    bool ok = true;

#define TRY(call) ok = SUCCEEDED(call) && ok
    TRY(IDirect3DDevice9_CreateTexture(device, 8, 8, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM,
                                       &texture, NULL));
    TRY(IDirect3DDevice9_CreateTexture(device, 8, 8, 0, D3DUSAGE_AUTOGENMIPMAP, D3DFMT_A8R8G8B8,
                                       D3DPOOL_DEFAULT, &copy, NULL));
    TRY(IDirect3DDevice9_CreateVolumeTexture(device, 8, 8, 8, 0, 0, D3DFMT_A8R8G8B8,
                                             D3DPOOL_SCRATCH, &volumes, NULL));
    TRY(IDirect3DDevice9_CreateVertexBuffer(device, 64, 0, 0, D3DPOOL_DEFAULT, &vb, NULL));
    TRY(IDirect3DDevice9_CreateVertexShader(device, test_vs, &vs));
    TRY(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &query));
    TRY(IDirect3DDevice9_CreateAdditionalSwapChain(device, &p, &chain));
    TRY(IDirect3DDevice9_LightEnable(device, 3, TRUE));
    TRY(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    TRY(IDirect3DDevice9_CreateStateBlock(device, D3DSBT_ALL, &block));
    TRY(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 640, 480, D3DFMT_A8R8G8B8,
                                                     D3DPOOL_SYSTEMMEM, &front, NULL));
    if (texture)
        TRY(IDirect3DTexture9_SetPrivateData(texture, &guid, &guid, sizeof(guid), 0));
    if (texture && copy)
        TRY(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)texture,
                                           (IDirect3DBaseTexture9 *)copy));
    TRY(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)copy));
    TRY(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1, 0));
    TRY(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, 12));
    TRY(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    if (front)
        TRY(IDirect3DDevice9_GetFrontBufferData(device, 0, front));
    TRY(IDirect3DDevice9_SetTexture(device, 0, NULL));
    void *all[] = {texture, copy, volumes, vb, vs, query, chain, block, front};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (all[i])
            release(all[i]);
    return ok;
}

/* The remaining object kinds, copies, indexed draws and shaders. */
static bool use_others(IDirect3DDevice9Ex *ex)
{
    static const D3DVERTEXELEMENT9 elements[] = {
        {0, 0, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0}, D3DDECL_END()};
    static const WORD indices[] = {0, 1, 2};
    IDirect3DDevice9 *device = (IDirect3DDevice9 *)ex;
    IDirect3DSurface9 *target = NULL, *read = NULL, *depth = NULL, *face = NULL;
    IDirect3DSurface9 *ex_target = NULL, *ex_depth = NULL, *ex_plain = NULL;
    IDirect3DVertexBuffer9 *vb = NULL, *processed = NULL;
    IDirect3DVertexDeclaration9 *declaration = NULL;
    IDirect3DStateBlock9 *block = NULL;
    IDirect3DCubeTexture9 *cube = NULL;
    IDirect3DIndexBuffer9 *ib = NULL;
    IDirect3DPixelShader9 *ps = NULL;
    PALETTEENTRY palette[256] = {{0}};
    D3DCOLOR *row;
    D3DLOCKED_RECT locked;
    bool ok = true;

    TRY(IDirect3DDevice9_CreateRenderTarget(device, 64, 64, D3DFMT_A8R8G8B8,
                                            D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &target, NULL));
    TRY(IDirect3DDevice9_CreateDepthStencilSurface(
        device, 64, 64, D3DFMT_D24S8, D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &depth, NULL));
    TRY(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 640, 480, D3DFMT_A8R8G8B8,
                                                     D3DPOOL_SYSTEMMEM, &read, NULL));
    TRY(IDirect3DDevice9_CreateCubeTexture(device, 8, 0, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                           D3DPOOL_DEFAULT, &cube, NULL));
    TRY(IDirect3DDevice9_CreateVertexBuffer(device, 36, D3DUSAGE_DYNAMIC, D3DFVF_XYZ,
                                            D3DPOOL_DEFAULT, &vb, NULL));
    TRY(IDirect3DDevice9_CreateVertexBuffer(device, 48, 0, D3DFVF_XYZRHW, D3DPOOL_SYSTEMMEM,
                                            &processed, NULL));
    TRY(IDirect3DDevice9_CreateIndexBuffer(device, 64, 0, D3DFMT_INDEX16, D3DPOOL_DEFAULT, &ib,
                                           NULL));
    TRY(IDirect3DDevice9_CreatePixelShader(device, test_ps, &ps));
    TRY(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &declaration));
    TRY(IDirect3DDevice9Ex_CreateRenderTargetEx(ex, 16, 16, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, 0,
                                                FALSE, &ex_target, NULL, 0));
    TRY(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(ex, 16, 16, D3DFMT_D16, D3DMULTISAMPLE_NONE,
                                                       0, FALSE, &ex_depth, NULL, 0));
    TRY(IDirect3DDevice9Ex_CreateOffscreenPlainSurfaceEx(ex, 16, 16, D3DFMT_X8R8G8B8,
                                                         D3DPOOL_DEFAULT, &ex_plain, NULL, 0));
    TRY(IDirect3DDevice9_SetPaletteEntries(device, 7, palette));
    if (SUCCEEDED(IDirect3DDevice9_BeginStateBlock(device))) {
        TRY(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
        TRY(IDirect3DDevice9_EndStateBlock(device, &block));
    } else {
        ok = false;
    }
    if (cube)
        TRY(IDirect3DCubeTexture9_GetCubeMapSurface(cube, D3DCUBEMAP_FACE_NEGATIVE_X, 1, &face));
    if (face)
        TRY(IDirect3DDevice9_ColorFill(device, face, NULL, 0xff00ff00));
    if (vb) {
        TRY(IDirect3DVertexBuffer9_Lock(vb, 0, 0, (void **)&row, D3DLOCK_DISCARD));
        IDirect3DVertexBuffer9_Unlock(vb);
    }
    if (declaration && vb && processed) {
        TRY(IDirect3DDevice9_SetVertexDeclaration(device, declaration));
        TRY(IDirect3DDevice9_SetStreamSource(device, 0, vb, 0, 12));
        TRY(IDirect3DDevice9_ProcessVertices(device, 0, 0, 3, processed, NULL, 0));
    }
    TRY(IDirect3DDevice9_SetPixelShader(device, ps));
    TRY(IDirect3DDevice9_DrawIndexedPrimitiveUP(device, D3DPT_TRIANGLELIST, 0, 3, 1, indices,
                                                D3DFMT_INDEX16, triangle, 12));
    if (read) {
        IDirect3DSurface9 *back;

        TRY(IDirect3DDevice9_GetRenderTarget(device, 0, &back));
        TRY(IDirect3DDevice9_GetRenderTargetData(device, back, read));
        if (target)
            TRY(IDirect3DDevice9_StretchRect(device, target, NULL, back, NULL, D3DTEXF_LINEAR));
        release(back);
        if (SUCCEEDED(IDirect3DSurface9_LockRect(read, &locked, NULL, 0)))
            IDirect3DSurface9_UnlockRect(read);
        else
            ok = false;
    }
    TRY(IDirect3DDevice9Ex_PresentEx(ex, NULL, NULL, NULL, NULL, 0));
    TRY(IDirect3DDevice9_SetPixelShader(device, NULL));
    TRY(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
    TRY(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    void *all[] = {target, read,      depth,       face,  ex_target, ex_depth, ex_plain,
                   vb,     processed, declaration, block, cube,      ib,       ps};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (all[i])
            release(all[i]);
    return ok;
}

/* From creation to release of the device, with a Reset between. */
static bool whole_life(void)
{
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DDevice9Ex *device = NULL;
    IDirect3D9Ex *d3d9;
    bool ok = false;

    if (FAILED(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d9)))
        return false;
    if (SUCCEEDED(IDirect3D9Ex_CreateDeviceEx(d3d9, 0, D3DDEVTYPE_HAL, NULL,
                                              D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, NULL,
                                              &device))) {
        ok = use_resources(device);
        ok = use_others(device) && ok;
        p.BackBufferWidth = 320;
        p.BackBufferCount = 3;
        ok = SUCCEEDED(IDirect3DDevice9Ex_Reset(device, &p)) && ok;
        /* After a failed Reset no call may crash. */
        IDirect3DDevice9Ex_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0);
        IDirect3DDevice9Ex_Present(device, NULL, NULL, NULL, NULL);
        ck_assert_uint_eq(release(device), 0);
    }
    ck_assert_uint_eq(release(d3d9), 0);
    return ok;
}

START_TEST(any_allocation_may_fail)
{
    bool ok = false;
    int n = 0;

    log_set_level(LOG_NONE);
    for (; !ok && n < 3000; n++) {
        mem_fail_after(n);
        ok = whole_life();
        mem_fail_after(-1);
        ck_assert_msg(mem_live_blocks() == 0, "%d blocks are left when allocation %d fails",
                      (int)mem_live_blocks(), n);
    }
    ck_assert(ok);
    ck_assert_int_gt(n, 30);
}
END_TEST

/* A failure inside the renderer is returned by the next draw or copy, and by that one alone. */
static bool is_of_use(IDirect3DDevice9Ex *device, bool (*use)(IDirect3DDevice9Ex *))
{
    return use(device) || use(device);
}

/* After failures the device still works completely. */
START_TEST(device_survives_failures)
{
    bool (*use)(IDirect3DDevice9Ex *) = _i ? use_others : use_resources;
    IDirect3DDevice9Ex *device = create_device_ex();
    bool ok = false;
    int n = 0;

    log_set_level(LOG_NONE);
    for (; !ok && n < 3000; n++) {
        mem_fail_after(n);
        ok = use(device);
        mem_fail_after(-1);
        ck_assert_msg(is_of_use(device, use),
                      "the device is no more of use after allocation %d failed", n);
        ck_assert_uint_eq(refs_of(device), 1);
    }
    ck_assert(ok);
    ck_assert_int_gt(n, 10);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/memory");
    TCase *tc = tcase_create("memory");

    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, any_allocation_may_fail);
    tcase_add_loop_test(tc, device_survives_failures, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
