/* Tests of scenes, draws and clears. */
#include "api_test.h"

#include "util/alloc.h"

static const struct {
    float x, y, z, rhw;
    DWORD colour;
} quad[] = {{0, 0, 0, 1, 0xff00ff00},
            {640, 0, 0, 1, 0xff00ff00},
            {0, 480, 0, 1, 0xff00ff00},
            {640, 480, 0, 1, 0xff00ff00}};

static IDirect3DSurface9 *read_target(IDirect3DDevice9 *device)
{
    IDirect3DSurface9 *target, *copy;

    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &target));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 640, 480, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_GetRenderTargetData(device, target, copy));
    release(target);
    return copy;
}

START_TEST(scenes)
{
    IDirect3DDevice9 *device = create_device();

    REFUSED(IDirect3DDevice9_EndScene(device));
    OK(IDirect3DDevice9_BeginScene(device));
    REFUSED(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_EndScene(device));
    REFUSED(IDirect3DDevice9_EndScene(device));
    release(device);
}
END_TEST

/* Reset ends the scene, except on Ex devices (reference: device/reset). */
START_TEST(scene_across_reset)
{
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DDevice9 *device = create_device();

    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_Reset(device, &p));
    REFUSED(IDirect3DDevice9_EndScene(device));
    release(device);
    device = (IDirect3DDevice9 *)create_device_ex();
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_Reset(device, &p));
    OK(IDirect3DDevice9_EndScene(device));
    release(device);
}
END_TEST

START_TEST(draws_and_bindings)
{
    static const WORD indices[] = {0, 1, 2, 2, 1, 3};
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexBuffer9 *vb, *got;
    IDirect3DIndexBuffer9 *ib, *got_ib;
    IDirect3DSurface9 *copy;
    UINT offset, stride;
    void *data;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, sizeof(quad), 0, 0, D3DPOOL_DEFAULT, &vb, NULL));
    OK(IDirect3DVertexBuffer9_Lock(vb, 0, 0, &data, D3DLOCK_DISCARD));
    memcpy(data, quad, sizeof(quad));
    OK(IDirect3DVertexBuffer9_Unlock(vb));
    OK(IDirect3DDevice9_CreateIndexBuffer(device, sizeof(indices), 0, D3DFMT_INDEX16,
                                          D3DPOOL_DEFAULT, &ib, NULL));
    OK(IDirect3DIndexBuffer9_Lock(ib, 0, 0, &data, 0));
    memcpy(data, indices, sizeof(indices));
    OK(IDirect3DIndexBuffer9_Unlock(ib));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, vb, 0, 20));
    OK(IDirect3DDevice9_SetIndices(device, ib));

    /* Without a declaration. */
    REFUSED(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2));
    REFUSED(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, 20));
    OK(IDirect3DDevice9_GetStreamSource(device, 0, &got, &offset, &stride));
    ck_assert_ptr_null(got);
    ck_assert_uint_eq(stride, 20);
    REFUSED(IDirect3DDevice9_DrawIndexedPrimitiveUP(device, D3DPT_TRIANGLELIST, 0, 4, 2, indices,
                                                    D3DFMT_INDEX16, quad, 20));
    OK(IDirect3DDevice9_GetIndices(device, &got_ib));
    ck_assert_ptr_null(got_ib);

    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2)); /* no stream is bound */
    OK(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 0, 4, 0, 2));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, vb, 0, 20));
    OK(IDirect3DDevice9_SetIndices(device, ib));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xffff0000, 1, 0));
    OK(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 0, 4, 0, 2));
    copy = read_target(device);
    ck_assert_uint_eq(surface_pixel(copy, 100, 100), 0xff00ff00);
    ck_assert_uint_eq(surface_pixel(copy, 500, 400), 0xff00ff00);
    release(copy);

    /* Draws from user memory unbind stream 0 even while a block is recorded. */
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xffff0000, 1, 0));
    OK(IDirect3DDevice9_DrawIndexedPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, 3, 1, indices + 3,
                                               D3DFMT_INDEX16, quad, 20));
    OK(IDirect3DDevice9_GetStreamSource(device, 0, &got, &offset, &stride));
    ck_assert_ptr_null(got);
    ck_assert_uint_eq(stride, 0);
    copy = read_target(device);
    ck_assert_uint_eq(surface_pixel(copy, 100, 100), 0xffff0000);
    ck_assert_uint_eq(surface_pixel(copy, 500, 400), 0xff00ff00);
    release(copy);
    release(vb);
    release(ib);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* What each draw returns where it draws nothing (reference: vertices/draw-rules). */
START_TEST(empty_draws)
{
    enum { UNDERFLOWED = (UINT)-4, MANY = 8388608 };
    static const WORD indices[] = {0, 1, 2};
    const D3DPRIMITIVETYPE list = D3DPT_TRIANGLELIST;
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexBuffer9 *vb, *got;
    IDirect3DIndexBuffer9 *ib;
    IDirect3DSurface9 *copy;
    UINT offset, stride;
    void *data;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, sizeof(quad), 0, 0, D3DPOOL_DEFAULT, &vb, NULL));
    OK(IDirect3DVertexBuffer9_Lock(vb, 0, 0, &data, 0));
    memcpy(data, quad, sizeof(quad));
    OK(IDirect3DVertexBuffer9_Unlock(vb));
    OK(IDirect3DDevice9_CreateIndexBuffer(device, sizeof(indices), 0, D3DFMT_INDEX16,
                                          D3DPOOL_DEFAULT, &ib, NULL));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, vb, 0, 20));
    OK(IDirect3DDevice9_SetIndices(device, ib));
    REFUSED(IDirect3DDevice9_DrawPrimitive(device, list, 0, 0)); /* no declaration */
    REFUSED(IDirect3DDevice9_DrawIndexedPrimitive(device, list, 0, 0, 0, 0, 1));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xffff0000, 1, 0));
    OK(IDirect3DDevice9_DrawPrimitive(device, list, 0, 0));
    OK(IDirect3DDevice9_DrawIndexedPrimitive(device, list, 0, 0, 3, 0, 0));
    OK(IDirect3DDevice9_DrawIndexedPrimitive(device, list, 0, 0, 0, 0, 1));
    OK(IDirect3DDevice9_DrawIndexedPrimitive(device, list, 0, 0, 0, 0, MANY));
    OK(IDirect3DDevice9_DrawIndexedPrimitive(device, list, 0, 0, 0, 0, UNDERFLOWED));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, list, 0, NULL, 20));
    OK(IDirect3DDevice9_DrawIndexedPrimitiveUP(device, list, 0, 3, 0, indices, D3DFMT_INDEX16, quad,
                                               20));
    OK(IDirect3DDevice9_DrawIndexedPrimitiveUP(device, list, 0, 0, UNDERFLOWED, indices,
                                               D3DFMT_INDEX16, quad, 20));
    REFUSED(IDirect3DDevice9_DrawPrimitiveUP(device, list, 0, quad, 0));
    REFUSED(IDirect3DDevice9_DrawIndexedPrimitiveUP(device, list, 0, 0, 0, indices, D3DFMT_INDEX16,
                                                    quad, 0));
    OK(IDirect3DDevice9_GetStreamSource(device, 0, &got, &offset, &stride));
    ck_assert_ptr_eq(got, vb); /* a draw that draws nothing leaves the streams alone */
    release(got);
    copy = read_target(device);
    ck_assert_uint_eq(surface_pixel(copy, 100, 100), 0xffff0000);
    release(copy);
    release(vb);
    release(ib);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(clear_counts)
{
    IDirect3DDevice9 *device = create_device();
    D3DRECT all = {0, 0, 640, 480}, inverted = {320, 480, 0, 240};
    IDirect3DSurface9 *copy;

    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xffffffff, 0, 0));
    OK(IDirect3DDevice9_Clear(device, 0, &all, D3DCLEAR_TARGET, 0xff0000ff, 0, 0));
    OK(IDirect3DDevice9_Clear(device, 1, &inverted, D3DCLEAR_TARGET, 0xff00ff00, 0, 0));
    copy = read_target(device);
    ck_assert_uint_eq(surface_pixel(copy, 320, 240), 0xffffffff);
    ck_assert_uint_eq(surface_pixel(copy, 100, 300), 0xffffffff);
    release(copy);
    OK(IDirect3DDevice9_Clear(device, 1, NULL, D3DCLEAR_TARGET, 0xff00ff00, 0, 0));
    copy = read_target(device);
    ck_assert_uint_eq(surface_pixel(copy, 320, 240), 0xff00ff00);
    release(copy);
    release(device);
}
END_TEST

/* Draws a white quad with alpha 0 over a black multisampled target. */
static DWORD quad_without_alpha(IDirect3DDevice9 *device)
{
    static const struct {
        float x, y, z, rhw;
        DWORD diffuse;
    } corners[4] = {{-1, -1, 0, 1, 0x00ffffff},
                    {40, -1, 0, 1, 0x00ffffff},
                    {-1, 40, 0, 1, 0x00ffffff},
                    {40, 40, 0, 1, 0x00ffffff}};
    IDirect3DSurface9 *one, *four, *back;
    DWORD value;

    OK(IDirect3DDevice9_CreateRenderTarget(device, 32, 32, D3DFMT_A8R8G8B8,
                                           D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &four, NULL));
    OK(IDirect3DDevice9_CreateRenderTarget(device, 32, 32, D3DFMT_A8R8G8B8, 0, 0, TRUE, &one,
                                           NULL));
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &back));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, four));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff000000, 0, 0));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, corners,
                                        sizeof(corners[0])));
    OK(IDirect3DDevice9_EndScene(device));
    OK(IDirect3DDevice9_StretchRect(device, four, NULL, one, NULL, D3DTEXF_NONE));
    value = surface_pixel(one, 8, 8);
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, back));
    release(back);
    release(one);
    release(four);
    return value;
}

/* multisample/alpha-to-coverage: state blocks carry the state that POINTSIZE enables, and Reset
 * disables it. */
START_TEST(alpha_to_mask)
{
    IDirect3DDevice9 *device = create_device();
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DStateBlock9 *block;

    ck_assert_uint_eq(quad_without_alpha(device), 0x00ffffff);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_POINTSIZE, MAKEFOURCC('A', '2', 'M', '1')));
    ck_assert_uint_eq(quad_without_alpha(device), 0xff000000);
    OK(IDirect3DDevice9_CreateStateBlock(device, D3DSBT_VERTEXSTATE, &block));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_POINTSIZE, MAKEFOURCC('A', '2', 'M', '0')));
    ck_assert_uint_eq(quad_without_alpha(device), 0x00ffffff);
    OK(IDirect3DStateBlock9_Apply(block));
    ck_assert_uint_eq(quad_without_alpha(device), 0xff000000);
    IDirect3DStateBlock9_Release(block);
    OK(IDirect3DDevice9_Reset(device, &p));
    ck_assert_uint_eq(quad_without_alpha(device), 0x00ffffff);
    release(device);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/draw");
    TCase *tc = tcase_create("draw");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, scenes);
    tcase_add_test(tc, scene_across_reset);
    tcase_add_test(tc, draws_and_bindings);
    tcase_add_test(tc, empty_draws);
    tcase_add_test(tc, clear_counts);
    tcase_add_test(tc, alpha_to_mask);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
