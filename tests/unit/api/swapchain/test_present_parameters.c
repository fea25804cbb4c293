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

static const struct {
    D3DFORMAT format;
    bool ex_alone, full_screen_alone;
} deep[] = {{D3DFMT_A2R10G10B10, false, false}, {D3DFMT_A2B10G10R10_XR_BIAS, true, true}};

static HRESULT create_deep(IDirect3D9 *d3d9, D3DDEVTYPE type, D3DFORMAT format, BOOL windowed,
                           IDirect3DDevice9 **device)
{
    D3DPRESENT_PARAMETERS p = test_parameters();

    p.BackBufferFormat = format;
    p.Windowed = windowed;
    p.SwapEffect = D3DSWAPEFFECT_FLIP;
    p.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    *device = NULL;
    return IDirect3D9_CreateDevice(d3d9, 0, type, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p,
                                   device);
}

/* Full-screen modes of 10 bits a colour (reference: device/display-modes). _i: the format, with
 * or without Ex, and whether CAPS = reference. */
START_TEST(deep_modes)
{
    D3DFORMAT format = deep[_i / 4].format;
    bool ex = _i & 1, all = _i & 2, exists = ex || !deep[_i / 4].ex_alone;
    static const D3DDEVTYPE types[] = {D3DDEVTYPE_HAL, D3DDEVTYPE_REF};
    D3DDISPLAYMODE mode;
    IDirect3D9 *d3d9;

    if (all)
        setenv("NOVEM_CAPS", "reference", 1);
    if (ex)
        OK(Direct3DCreate9Ex(D3D_SDK_VERSION, (IDirect3D9Ex **)&d3d9));
    else
        d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    ck_assert_uint_eq(IDirect3D9_GetAdapterModeCount(d3d9, 0, format),
                      exists && all ? IDirect3D9_GetAdapterModeCount(d3d9, 0, D3DFMT_X8R8G8B8) : 0);
    RETURNS(IDirect3D9_EnumAdapterModes(d3d9, 0, format, 0, &mode),
            exists && all ? D3D_OK : D3DERR_INVALIDCALL);
    for (unsigned t = 0; t < 2; t++) {
        bool offered = exists && (all || types[t] == D3DDEVTYPE_REF);
        bool windowed = offered || !deep[_i / 4].ex_alone;
        IDirect3DDevice9 *device;

        RETURNS(IDirect3D9_CheckDeviceType(d3d9, 0, types[t], format, format, FALSE),
                offered ? D3D_OK : D3DERR_NOTAVAILABLE);
        RETURNS(create_deep(d3d9, types[t], format, FALSE, &device),
                offered ? D3D_OK : D3DERR_INVALIDCALL);
        if (device) {
            OK(IDirect3DDevice9_GetDisplayMode(device, 0, &mode));
            ck_assert_int_eq(mode.Format, format);
            OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
            release(device);
        }
        windowed = windowed && !deep[_i / 4].full_screen_alone;
        RETURNS(IDirect3D9_CheckDeviceType(d3d9, 0, types[t], D3DFMT_X8R8G8B8, format, TRUE),
                windowed ? D3D_OK : D3DERR_NOTAVAILABLE);
        RETURNS(IDirect3D9_CheckDeviceType(d3d9, 0, types[t], format, format, TRUE),
                D3DERR_NOTAVAILABLE);
        RETURNS(create_deep(d3d9, types[t], format, TRUE, &device),
                windowed ? D3D_OK : D3DERR_INVALIDCALL);
        if (device)
            release(device);
    }
    release(d3d9);
}
END_TEST

/* All but scan-out takes A2B10G10R10_XR_BIAS as A2B10G10R10 (reference: format/xr-bias). */
START_TEST(extended_range_back_buffer)
{
    IDirect3DSurface9 *back, *memory, *argb;
    IDirect3DDevice9 *device;
    IDirect3D9Ex *d3d9;
    DWORD levels;

    OK(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d9));
    RETURNS(IDirect3D9Ex_CheckDeviceMultiSampleType(d3d9, 0, D3DDEVTYPE_REF,
                                                    D3DFMT_A2B10G10R10_XR_BIAS, FALSE,
                                                    D3DMULTISAMPLE_4_SAMPLES, &levels),
            D3DERR_NOTAVAILABLE);
    OK(create_deep((IDirect3D9 *)d3d9, D3DDEVTYPE_REF, D3DFMT_A2B10G10R10_XR_BIAS, FALSE, &device));
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 640, 480, D3DFMT_A2B10G10R10_XR_BIAS,
                                                    D3DPOOL_SYSTEMMEM, &memory, NULL));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 640, 480, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_SYSTEMMEM, &argb, NULL));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff336699, 1.0f, 0));
    ck_assert_uint_eq(surface_pixel(back, 3, 3), 0xe66664cd);
    OK(IDirect3DDevice9_GetRenderTargetData(device, back, memory));
    ck_assert_uint_eq(surface_pixel(memory, 3, 3), 0xe66664cd);
    OK(IDirect3DDevice9_ColorFill(device, back, NULL, 0x00ff0000));
    ck_assert_uint_eq(surface_pixel(back, 3, 3), 0x000003ff);
    OK(IDirect3DDevice9_UpdateSurface(device, memory, NULL, back, NULL));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    OK(IDirect3DDevice9_GetFrontBufferData(device, 0, argb));
    ck_assert_uint_eq(surface_pixel(argb, 3, 3), 0xff336699);
    release(argb);
    release(memory);
    release(back);
    release(device);
    release(d3d9);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/present_parameters");
    TCase *tc = tcase_create("present_parameters");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, swap_effects, 0, sizeof(chains) / sizeof(chains[0]));
    tcase_add_test(tc, parameters_are_completed);
    tcase_add_loop_test(tc, deep_modes, 0, 8);
    tcase_add_test(tc, extended_range_back_buffer);
    tcase_add_test(tc, full_screen_requires_mode);
    tcase_add_test(tc, ex_mode_rules);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
