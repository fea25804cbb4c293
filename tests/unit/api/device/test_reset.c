/* Tests of Reset: what it requires, keeps and recreates. */
#include "api_test.h"

#include "util/alloc.h"

START_TEST(reset_and_resources)
{
    IDirect3DDevice9 *device = create_device();
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DSurface9 *surface, *target, *back;
    IDirect3DTexture9 *managed;
    D3DLOCKED_RECT lock;
    D3DVIEWPORT9 viewport = {10, 20, 30, 40, 2.0f, 3.0f};
    DWORD lighting;

    OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED,
                                      &managed, NULL));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 4, 4, D3DFMT_A8R8G8B8, D3DPOOL_SCRATCH,
                                                    &surface, NULL));
    OK(IDirect3DSurface9_LockRect(surface, &lock, NULL, D3DLOCK_DISCARD));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetViewport(device, &viewport));
    p.BackBufferWidth = 400;
    p.BackBufferHeight = 300;
    OK(IDirect3DDevice9_Reset(device, &p));
    OK(IDirect3DDevice9_GetRenderState(device, D3DRS_LIGHTING, &lighting));
    ck_assert_uint_eq(lighting, TRUE);
    OK(IDirect3DDevice9_GetViewport(device, &viewport));
    ck_assert_uint_eq(viewport.Width, 400);
    ck_assert_float_eq(viewport.MinZ, 0.0f);
    release(surface);
    release(managed);

    /* References to DEFAULT resources make Reset fail; bindings alone do not. */
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    REFUSED(IDirect3DDevice9_Reset(device, &p));
    RETURNS(IDirect3DDevice9_TestCooperativeLevel(device), D3DERR_DEVICENOTRESET);
    release(back);
    OK(IDirect3DDevice9_Reset(device, &p));
    OK(IDirect3DDevice9_CreateRenderTarget(device, 64, 64, D3DFMT_A8R8G8B8, 0, 0, FALSE, &target,
                                           NULL));
    REFUSED(IDirect3DDevice9_Reset(device, &p));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
    OK(IDirect3DDevice9_SetRenderTarget(device, 1, target));
    release(target);
    OK(IDirect3DDevice9_Reset(device, &p));
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &target));
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    ck_assert_ptr_eq(target, back);
    release(target);
    release(back);
    RETURNS(IDirect3DDevice9_GetRenderTarget(device, 1, &target), D3DERR_NOTFOUND);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

START_TEST(ex_reset_keeps_states)
{
    IDirect3DDevice9Ex *device = create_device_ex();
    D3DPRESENT_PARAMETERS p = test_parameters();
    D3DVIEWPORT9 viewport = {10, 20, 640, 480, 2.0f, 3.0f};
    IDirect3DSurface9 *back, *renewed;
    D3DSURFACE_DESC desc;
    DWORD lighting;
    void *out;

    OK(IDirect3DDevice9Ex_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9Ex_SetViewport(device, &viewport));
    OK(IDirect3DDevice9Ex_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    p.BackBufferWidth = 400;
    OK(IDirect3DDevice9Ex_Reset(device, &p));
    OK(IDirect3DDevice9Ex_GetRenderState(device, D3DRS_LIGHTING, &lighting));
    ck_assert_uint_eq(lighting, FALSE);
    OK(IDirect3DDevice9Ex_GetViewport(device, &viewport));
    ck_assert_uint_eq(viewport.X, 0);
    ck_assert_uint_eq(viewport.Width, 400);
    ck_assert_float_eq(viewport.MaxZ, 3.0f);

    /* The referenced back buffer stays alive, but leaves the chain. */
    OK(IDirect3DDevice9Ex_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &renewed));
    ck_assert_ptr_ne(renewed, back);
    OK(IDirect3DSurface9_GetDesc(back, &desc));
    ck_assert_uint_eq(desc.Width, 640);
    RETURNS(IDirect3DSurface9_GetContainer(back, &IID_IDirect3DSwapChain9, &out), E_NOINTERFACE);
    OK(IDirect3DSurface9_GetContainer(back, &IID_IDirect3DDevice9, &out));
    release(out);
    release(renewed);
    ck_assert_uint_eq(release(back), 0);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/reset");
    TCase *tc = tcase_create("reset");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, reset_and_resources);
    tcase_add_test(tc, ex_reset_keeps_states);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
