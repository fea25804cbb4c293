/* Every allocation fails once: creation of everything either works or fails cleanly. */
#include "api_test.h"

#include "util/alloc.h"
#include "util/log.h"

static const float triangle[3][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}};

/* Makes and uses some of everything; returns whether all of it succeeded. Whatever fails, what
 * exists is released. */
static bool use_resources(IDirect3DDevice9 *device)
{
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

static bool whole_life(void)
{
    IDirect3D9 *d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DDevice9 *device = NULL;
    bool ok = false;

    if (!d3d9)
        return false;
    if (SUCCEEDED(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL,
                                          D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &device))) {
        ok = use_resources(device);
        p.BackBufferWidth = 320;
        p.BackBufferCount = 3;
        ok = SUCCEEDED(IDirect3DDevice9_Reset(device, &p)) && ok;
        /* After a failed Reset nothing crashes. */
        IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0);
        IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL);
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

/* A device that met failures goes on afterwards. */
START_TEST(device_survives_failures)
{
    IDirect3DDevice9 *device = create_device();

    log_set_level(LOG_NONE);
    for (int n = 0; n < 60; n++) {
        mem_fail_after(n);
        use_resources(device);
        mem_fail_after(-1);
    }
    ck_assert(use_resources(device));
    ck_assert_uint_eq(refs_of(device), 1);
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
    tcase_add_test(tc, device_survives_failures);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
