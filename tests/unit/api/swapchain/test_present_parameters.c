/* Tests of present parameters: what Reset accepts and completes (reference:
 * swap-chains/parameters). */
#include "api_test.h"

#include "util/alloc.h"

static const struct {
    D3DSWAPEFFECT effect;
    UINT count;
    bool ok, ok_ex;
} chains[] = {
    {0, 1, 0, 0},  {1, 1, 1, 1},  {1, 2, 1, 1}, {1, 3, 1, 1}, {1, 4, 0, 1},
    {1, 30, 0, 1}, {1, 31, 0, 0}, {2, 2, 1, 1}, {2, 4, 0, 1}, {3, 0, 1, 1},
    {3, 1, 1, 1},  {3, 2, 0, 0},  {4, 1, 0, 0}, {5, 1, 0, 1}, {6, 1, 0, 0},
};

START_TEST(swap_effects)
{
    for (int ex = 0; ex < 2; ex++) {
        IDirect3DDevice9 *device = ex ? (IDirect3DDevice9 *)create_device_ex() : create_device();
        D3DPRESENT_PARAMETERS p = test_parameters();
        bool ok = ex ? chains[_i].ok_ex : chains[_i].ok;
        IDirect3DSwapChain9 *chain;

        p.SwapEffect = chains[_i].effect;
        p.BackBufferCount = chains[_i].count;
        p.BackBufferWidth = p.BackBufferHeight = 16;
        RETURNS(IDirect3DDevice9_Reset(device, &p), ok ? D3D_OK : D3DERR_INVALIDCALL);
        RETURNS(IDirect3DDevice9_TestCooperativeLevel(device),
                ok || ex ? D3D_OK : D3DERR_DEVICENOTRESET);
        p = test_parameters();
        OK(IDirect3DDevice9_Reset(device, &p));
        OK(IDirect3DDevice9_TestCooperativeLevel(device));
        ck_assert_uint_eq(p.BackBufferCount, 1);
        OK(IDirect3DDevice9_GetSwapChain(device, 0, &chain));
        OK(IDirect3DSwapChain9_GetPresentParameters(chain, &p));
        ck_assert_uint_eq(p.BackBufferCount, 1);
        release(chain);
        ck_assert_uint_eq(release(device), 0);
    }
}
END_TEST

START_TEST(parameters_are_completed)
{
    IDirect3D9 *d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    D3DPRESENT_PARAMETERS p = {.SwapEffect = D3DSWAPEFFECT_DISCARD, .Windowed = TRUE};
    IDirect3DDevice9 *device;
    IDirect3DSurface9 *depth = (IDirect3DSurface9 *)0x1234;
    D3DVIEWPORT9 viewport;
    DWORD z;

    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &p, &device));
    ck_assert_uint_eq(p.BackBufferWidth, 640);
    ck_assert_uint_eq(p.BackBufferHeight, 480);
    ck_assert_int_eq(p.BackBufferFormat, D3DFMT_X8R8G8B8);
    ck_assert_uint_eq(p.BackBufferCount, 1);
    ck_assert_ptr_null(p.hDeviceWindow);
    RETURNS(IDirect3DDevice9_GetDepthStencilSurface(device, &depth), D3DERR_NOTFOUND);
    ck_assert_ptr_null(depth);
    REFUSED(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 1.0f, 0));
    OK(IDirect3DDevice9_GetRenderState(device, D3DRS_ZENABLE, &z));
    ck_assert_uint_eq(z, D3DZB_FALSE);
    OK(IDirect3DDevice9_GetViewport(device, &viewport));
    ck_assert_uint_eq(viewport.Width, 640);
    ck_assert_float_eq(viewport.MaxZ, 1.0f);
    release(device);
    p.PresentationInterval = 3;
    REFUSED(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL,
                                    D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &device));
    ck_assert_ptr_null(device);
    p.PresentationInterval = 0;
    REFUSED(IDirect3D9_CreateDevice(d3d9, 1, D3DDEVTYPE_HAL, NULL,
                                    D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &device));
    ck_assert_uint_eq(release(d3d9), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

START_TEST(full_screen_requires_mode)
{
    static const UINT sizes[][3] = {{640, 480, 1}, {801, 600, 0}, {32, 32, 0}, {0, 0, 0}};
    IDirect3DDevice9 *device = create_device();

    for (size_t i = 0; i < 4; i++) {
        D3DPRESENT_PARAMETERS p = test_parameters();

        p.Windowed = FALSE;
        p.BackBufferFormat = D3DFMT_X8R8G8B8;
        p.BackBufferWidth = sizes[i][0];
        p.BackBufferHeight = sizes[i][1];
        RETURNS(IDirect3DDevice9_Reset(device, &p), sizes[i][2] ? D3D_OK : D3DERR_INVALIDCALL);
    }
    release(device);
}
END_TEST

START_TEST(ex_mode_rules)
{
    IDirect3DDevice9Ex *device = create_device_ex();
    D3DPRESENT_PARAMETERS p = test_parameters();
    D3DDISPLAYMODEEX mode = {sizeof(mode), 640, 480, 0, D3DFMT_X8R8G8B8, 0};

    REFUSED(IDirect3DDevice9Ex_ResetEx(device, &p, &mode));
    OK(IDirect3DDevice9Ex_ResetEx(device, &p, NULL));
    p.Windowed = FALSE;
    p.BackBufferFormat = D3DFMT_X8R8G8B8;
    REFUSED(IDirect3DDevice9Ex_ResetEx(device, &p, NULL));
    OK(IDirect3DDevice9Ex_ResetEx(device, &p, &mode));
    mode.Height--;
    REFUSED(IDirect3DDevice9Ex_ResetEx(device, &p, &mode));
    OK(IDirect3DDevice9Ex_TestCooperativeLevel(device));
    release(device);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/present_parameters");
    TCase *tc = tcase_create("present_parameters");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, swap_effects, 0, sizeof(chains) / sizeof(chains[0]));
    tcase_add_test(tc, parameters_are_completed);
    tcase_add_test(tc, full_screen_requires_mode);
    tcase_add_test(tc, ex_mode_rules);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
