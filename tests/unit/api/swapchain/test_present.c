/* Tests of swap chains: back buffers, Present and the front buffer. */
#include "api_test.h"

START_TEST(getters_and_out_pointers)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DSwapChain9 *chain, *none = (IDirect3DSwapChain9 *)0x1234;
    IDirect3DSurface9 *surface = (IDirect3DSurface9 *)0x1234;

    OK(IDirect3DDevice9_GetSwapChain(device, 0, &chain));
    REFUSED(IDirect3DSwapChain9_GetBackBuffer(chain, 1, D3DBACKBUFFER_TYPE_MONO, &surface));
    ck_assert_ptr_eq(surface, (void *)0x1234);
    REFUSED(IDirect3DSwapChain9_GetBackBuffer(chain, 0, D3DBACKBUFFER_TYPE_MONO, NULL));
    REFUSED(IDirect3DDevice9_GetBackBuffer(device, 0, 1, D3DBACKBUFFER_TYPE_MONO, &surface));
    ck_assert_ptr_null(surface);
    REFUSED(IDirect3DDevice9_GetSwapChain(device, 1, &none));
    ck_assert_ptr_null(none);
    release(chain);
    release(device);
}
END_TEST

/* Buffer i takes the contents of buffer i+1 (reference: target/present). */
START_TEST(present_rotates_buffers)
{
    IDirect3DDevice9 *device = create_device();
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DSurface9 *buffer[3], *target;

    p.BackBufferCount = 3;
    p.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    OK(IDirect3DDevice9_Reset(device, &p));
    for (UINT i = 0; i < 3; i++)
        OK(IDirect3DDevice9_GetBackBuffer(device, 0, i, D3DBACKBUFFER_TYPE_MONO, &buffer[i]));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, buffer[2]));
    OK(IDirect3DDevice9_ColorFill(device, buffer[0], NULL, 0xffff0000));
    OK(IDirect3DDevice9_ColorFill(device, buffer[1], NULL, 0xff00ff00));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff0000ff, 0, 0));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    ck_assert_uint_eq(surface_pixel(buffer[0], 1, 1), 0xff00ff00);
    ck_assert_uint_eq(surface_pixel(buffer[1], 1, 1), 0xff0000ff);
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff808080, 0, 0));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    ck_assert_uint_eq(surface_pixel(buffer[0], 1, 1), 0xff0000ff);
    ck_assert_uint_eq(surface_pixel(buffer[1], 1, 1), 0xff808080);
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &target));
    ck_assert_ptr_eq(target, buffer[2]);
    release(target);
    for (UINT i = 0; i < 3; i++)
        release(buffer[i]);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* Present clears a depth buffer with the Discard flag to depth 1 and stencil 0, and keeps others
 * (reference: depth/discard). _i: automatic or not, with Discard or not; a lockable one. */
START_TEST(present_discards_depth)
{
    const struct corner {
        float x, y, z, rhw;
        DWORD colour;
    } far[3] = {{0, 0, 0.75f, 1, ~0u}, {640, 0, 0.75f, 1, ~0u}, {0, 480, 0.75f, 1, ~0u}};
    bool automatic = _i < 2, discard = _i % 2 || _i == 4;
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *depth, *target;

    p.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER |
              (automatic && discard ? D3DPRESENTFLAG_DISCARD_DEPTHSTENCIL : 0);
    OK(IDirect3DDevice9_Reset(device, &p));
    if (!automatic) {
        OK(IDirect3DDevice9_CreateDepthStencilSurface(
            device, 640, 480, _i == 4 ? D3DFMT_D16_LOCKABLE : D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0,
            discard, &depth, NULL));
        OK(IDirect3DDevice9_SetDepthStencilSurface(device, depth));
        release(depth);
    }
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &target));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    for (int frame = 0; frame < 3; frame++) {
        bool shown = discard && _i != 4;
        DWORD clear = D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | (_i == 4 ? 0 : D3DCLEAR_STENCIL);

        OK(IDirect3DDevice9_Clear(device, 0, NULL, clear, 0, 0.5f, 3));
        OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, far, sizeof(*far)));
        ck_assert_uint_eq(surface_pixel(target, 100, 100), 0);
        if (frame == 1) /* inside an open scene */
            OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, far, sizeof(*far)));
        OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_STENCILENABLE, _i != 4));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_STENCILFUNC, D3DCMP_EQUAL));
        OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, far, sizeof(*far)));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_STENCILENABLE, FALSE));
        ck_assert_uint_eq(surface_pixel(target, 100, 100), shown ? ~0u : 0);
        ck_assert_uint_eq(surface_pixel(target, 639, 479), 0);
    }
    release(target);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(front_buffer)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *copy;

    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 640, 480, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xfff0ff0f, 0, 0));
    OK(IDirect3DDevice9_GetFrontBufferData(device, 0, copy));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff111111, 0, 0));
    OK(IDirect3DDevice9_GetFrontBufferData(device, 0, copy));
    ck_assert_uint_eq(surface_pixel(copy, 320, 240) & 0xffffff, 0xf0ff0f);
    release(copy);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/present");
    TCase *tc = tcase_create("present");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, getters_and_out_pointers);
    tcase_add_test(tc, present_rotates_buffers);
    tcase_add_loop_test(tc, present_discards_depth, 0, 5);
    tcase_add_test(tc, front_buffer);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
