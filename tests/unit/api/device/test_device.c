/* Tests of the device: present parameters, Reset, swap chains, draws, copies, queries and
 * shaders. */
#include "api_test.h"

#include "util/alloc.h"

/* --- Present parameters (reference: swap-chains/parameters) ----------------------------------- */

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

/* --- Reset ------------------------------------------------------------------------------------ */

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

/* --- Swap chains ------------------------------------------------------------------------------ */

static DWORD pixel(IDirect3DSurface9 *surface, int x, int y)
{
    D3DLOCKED_RECT lock;
    DWORD value;

    OK(IDirect3DSurface9_LockRect(surface, &lock, NULL, D3DLOCK_READONLY));
    memcpy(&value, (char *)lock.pBits + y * lock.Pitch + x * 4, sizeof(value));
    OK(IDirect3DSurface9_UnlockRect(surface));
    return value;
}

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
    ck_assert_uint_eq(pixel(buffer[0], 1, 1), 0xff00ff00);
    ck_assert_uint_eq(pixel(buffer[1], 1, 1), 0xff0000ff);
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff808080, 0, 0));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    ck_assert_uint_eq(pixel(buffer[0], 1, 1), 0xff0000ff);
    ck_assert_uint_eq(pixel(buffer[1], 1, 1), 0xff808080);
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
        ck_assert_uint_eq(pixel(target, 100, 100), 0);
        if (frame == 1) /* inside an open scene */
            OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, far, sizeof(*far)));
        OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_STENCILENABLE, _i != 4));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_STENCILFUNC, D3DCMP_EQUAL));
        OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, far, sizeof(*far)));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_STENCILENABLE, FALSE));
        ck_assert_uint_eq(pixel(target, 100, 100), shown ? ~0u : 0);
        ck_assert_uint_eq(pixel(target, 639, 479), 0);
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
    ck_assert_uint_eq(pixel(copy, 320, 240) & 0xffffff, 0xf0ff0f);
    release(copy);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* --- Draws ------------------------------------------------------------------------------------ */

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

/* Reference: device/format-conversion. */
START_TEST(format_conversions)
{
    static const struct {
        D3DFORMAT from, to;
        HRESULT want;
    } cases[] = {
        {D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8, D3D_OK},
        {D3DFMT_YUY2, D3DFMT_R5G6B5, D3D_OK},
        {D3DFMT_L8, D3DFMT_X8R8G8B8, D3D_OK},
        {D3DFMT_P8, D3DFMT_P8, D3D_OK},
        {D3DFMT_DXT1, D3DFMT_DXT1, D3D_OK},
        {D3DFMT_D24S8, D3DFMT_D24S8, D3D_OK},
        {200, 200, D3D_OK},
        {200, D3DFMT_X8R8G8B8, D3DERR_NOTAVAILABLE},
        {D3DFMT_X8R8G8B8, 200, D3DERR_NOTAVAILABLE},
        {D3DFMT_DXT1, D3DFMT_X8R8G8B8, D3DERR_NOTAVAILABLE},
        {D3DFMT_X8R8G8B8, D3DFMT_L8, D3DERR_NOTAVAILABLE},
        {D3DFMT_L16, D3DFMT_L8, D3DERR_NOTAVAILABLE},
        {D3DFMT_R32F, D3DFMT_R16F, D3DERR_NOTAVAILABLE},
        {D3DFMT_R32F, D3DFMT_A16B16G16R16F, D3D_OK},
    };
    IDirect3D9 *d = Direct3DCreate9(D3D_SDK_VERSION);

    RETURNS(
        IDirect3D9_CheckDeviceFormatConversion(d, 0, D3DDEVTYPE_HAL, cases[_i].from, cases[_i].to),
        cases[_i].want);
    IDirect3D9_Release(d);
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
    ck_assert_uint_eq(pixel(copy, 100, 100), 0xff00ff00);
    ck_assert_uint_eq(pixel(copy, 500, 400), 0xff00ff00);
    release(copy);

    /* Draws from user memory unbind stream 0 even while a block is recorded. */
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xffff0000, 1, 0));
    OK(IDirect3DDevice9_DrawIndexedPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, 3, 1, indices + 3,
                                               D3DFMT_INDEX16, quad, 20));
    OK(IDirect3DDevice9_GetStreamSource(device, 0, &got, &offset, &stride));
    ck_assert_ptr_null(got);
    ck_assert_uint_eq(stride, 0);
    copy = read_target(device);
    ck_assert_uint_eq(pixel(copy, 100, 100), 0xffff0000);
    ck_assert_uint_eq(pixel(copy, 500, 400), 0xff00ff00);
    release(copy);
    release(vb);
    release(ib);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
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
    ck_assert_uint_eq(pixel(copy, 320, 240), 0xffffffff);
    ck_assert_uint_eq(pixel(copy, 100, 300), 0xffffffff);
    release(copy);
    OK(IDirect3DDevice9_Clear(device, 1, NULL, D3DCLEAR_TARGET, 0xff00ff00, 0, 0));
    copy = read_target(device);
    ck_assert_uint_eq(pixel(copy, 320, 240), 0xff00ff00);
    release(copy);
    release(device);
}
END_TEST

/* --- Copies (reference: copy/stretchrect-rules) ----------------------------------------------- */

enum kind { RT, TEXTURE, PLAIN, KINDS };

static IDirect3DSurface9 *make_surface(IDirect3DDevice9 *device, enum kind kind, D3DPOOL pool)
{
    IDirect3DSurface9 *surface = NULL;
    IDirect3DTexture9 *texture;

    if (kind == RT) {
        OK(IDirect3DDevice9_CreateRenderTarget(device, 32, 32, D3DFMT_A8R8G8B8, 0, 0, FALSE,
                                               &surface, NULL));
    } else if (kind == PLAIN) {
        OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 32, 32, D3DFMT_A8R8G8B8, pool,
                                                        &surface, NULL));
    } else {
        OK(IDirect3DDevice9_CreateTexture(device, 32, 32, 1, 0, D3DFMT_A8R8G8B8, pool, &texture,
                                          NULL));
        OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface));
        release(texture);
    }
    return surface;
}

START_TEST(stretch_kinds)
{
    static const bool allowed[KINDS][KINDS] = {/* to        RT TEXTURE PLAIN */
                                               [RT] = {1, 0, 0},
                                               [TEXTURE] = {1, 0, 0},
                                               [PLAIN] = {1, 0, 1}};
    const D3DPOOL pool = _i ? D3DPOOL_SYSTEMMEM : D3DPOOL_DEFAULT;
    IDirect3DDevice9 *device = create_device();

    for (int from = RT; from < KINDS; from++) {
        for (int to = RT; to < KINDS; to++) {
            IDirect3DSurface9 *src = make_surface(device, from, pool);
            IDirect3DSurface9 *dst = make_surface(device, to, D3DPOOL_DEFAULT);
            bool ok = allowed[from][to] && (pool == D3DPOOL_DEFAULT || from == RT);
            HRESULT hr = IDirect3DDevice9_StretchRect(device, src, NULL, dst, NULL, D3DTEXF_NONE);

            ck_assert_msg(hr == (ok ? D3D_OK : D3DERR_INVALIDCALL), "%d to %d: %#x", from, to,
                          (unsigned)hr);
            REFUSED(IDirect3DDevice9_StretchRect(device, src, NULL, dst, NULL, 99));
            release(src);
            release(dst);
        }
    }
    release(device);
}
END_TEST

START_TEST(fill_kinds)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *surface;

    REFUSED(IDirect3DDevice9_ColorFill(device, NULL, NULL, 0));
    for (int kind = RT; kind < KINDS; kind++) {
        surface = make_surface(device, kind, D3DPOOL_DEFAULT);
        RETURNS(IDirect3DDevice9_ColorFill(device, surface, NULL, 0xdeadbeef),
                kind == TEXTURE ? D3DERR_INVALIDCALL : D3D_OK);
        if (kind == PLAIN)
            ck_assert_uint_eq(pixel(surface, 31, 31), 0xdeadbeef);
        release(surface);
    }
    surface = make_surface(device, PLAIN, D3DPOOL_SYSTEMMEM);
    REFUSED(IDirect3DDevice9_ColorFill(device, surface, NULL, 0));
    release(surface);
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &surface));
    REFUSED(IDirect3DDevice9_ColorFill(device, surface, NULL, 0));
    release(surface);
    release(device);
}
END_TEST

/* From and to multisampled surfaces, scaled and converted. */
START_TEST(stretch_samples)
{
    static const RECT part = {0, 0, 16, 16};
    IDirect3DSurface9 *one, *four, *other, *copy;
    IDirect3DDevice9 *device = create_device();

    OK(IDirect3DDevice9_CreateRenderTarget(device, 32, 32, D3DFMT_A8R8G8B8,
                                           D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &four, NULL));
    OK(IDirect3DDevice9_CreateRenderTarget(device, 32, 32, D3DFMT_X8R8G8B8,
                                           D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &other, NULL));
    OK(IDirect3DDevice9_CreateRenderTarget(device, 32, 32, D3DFMT_A8R8G8B8, 0, 0, TRUE, &one,
                                           NULL));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 32, 32, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_ColorFill(device, four, NULL, 0x00ff00ff));
    OK(IDirect3DDevice9_ColorFill(device, one, NULL, 0xffffffff));
    OK(IDirect3DDevice9_StretchRect(device, four, NULL, one, &part, D3DTEXF_POINT));
    ck_assert_uint_eq(pixel(one, 8, 8), 0x00ff00ff);
    ck_assert_uint_eq(pixel(one, 20, 8), 0xffffffff);
    OK(IDirect3DDevice9_ColorFill(device, one, NULL, 0xffffff00));
    OK(IDirect3DDevice9_StretchRect(device, one, NULL, four, &part, D3DTEXF_LINEAR));
    OK(IDirect3DDevice9_StretchRect(device, four, &part, other, NULL, D3DTEXF_NONE));
    OK(IDirect3DDevice9_StretchRect(device, other, &part, one, NULL, D3DTEXF_NONE));
    ck_assert_uint_eq(pixel(one, 31, 31), 0xffffff00);
    OK(IDirect3DDevice9_StretchRect(device, four, NULL, one, NULL, D3DTEXF_NONE));
    ck_assert_uint_eq(pixel(one, 8, 8), 0xffffff00);
    ck_assert_uint_eq(pixel(one, 20, 20), 0x00ff00ff);
    REFUSED(IDirect3DDevice9_GetRenderTargetData(device, four, copy));
    release(one);
    release(four);
    release(other);
    release(copy);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
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
    value = pixel(one, 8, 8);
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

START_TEST(update_surface_blocks)
{
    static const RECT two = {0, 0, 2, 2};
    static const struct {
        UINT src, dst;
        const RECT *rect;
        bool ok;
    } cases[] = {{1, 0, NULL, 1}, {0, 1, NULL, 0}, {5, 4, NULL, 0},
                 {4, 5, NULL, 0}, {4, 5, &two, 0}, {5, 5, &two, 1}};
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *from, *to;
    IDirect3DTexture9 *src, *dst;

    OK(IDirect3DDevice9_CreateTexture(device, 64, 64, 0, 0, D3DFMT_DXT1, D3DPOOL_SYSTEMMEM, &src,
                                      NULL));
    OK(IDirect3DDevice9_CreateTexture(device, 64, 64, 0, 0, D3DFMT_DXT1, D3DPOOL_DEFAULT, &dst,
                                      NULL));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        OK(IDirect3DTexture9_GetSurfaceLevel(src, cases[i].src, &from));
        OK(IDirect3DTexture9_GetSurfaceLevel(dst, cases[i].dst, &to));
        RETURNS(IDirect3DDevice9_UpdateSurface(device, from, cases[i].rect, to, NULL),
                cases[i].ok ? D3D_OK : D3DERR_INVALIDCALL);
        release(from);
        release(to);
    }
    release(src);
    release(dst);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static void fill_texture(IDirect3DTexture9 *texture, DWORD colour, const RECT *rect, DWORD flags)
{
    UINT w = rect ? (UINT)(rect->right - rect->left) : 64, h = rect ? w : 64;
    D3DLOCKED_RECT lock;

    OK(IDirect3DTexture9_LockRect(texture, 0, &lock, rect, flags));
    for (UINT y = 0; y < h; y++)
        for (UINT x = 0; x < w; x++)
            memcpy((char *)lock.pBits + (int)y * lock.Pitch + x * 4, &colour, 4);
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
}

static void expect(IDirect3DTexture9 *texture, DWORD centre, DWORD corner)
{
    IDirect3DSurface9 *surface;

    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface));
    ck_assert_uint_eq(pixel(surface, 32, 32), centre);
    ck_assert_uint_eq(pixel(surface, 1, 1), corner);
    release(surface);
}

/* The source owns the dirty region, and a copy clears it (reference: copy/updatetexture-dirty). */
START_TEST(dirty_regions)
{
    static const RECT part = {24, 24, 40, 40};
    IDirect3DDevice9 *device = create_device();
    IDirect3DTexture9 *src, *one, *two;

    OK(IDirect3DDevice9_CreateTexture(device, 64, 64, 1, 0, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM,
                                      &src, NULL));
    OK(IDirect3DDevice9_CreateTexture(device, 64, 64, 1, D3DUSAGE_DYNAMIC, D3DFMT_X8R8G8B8,
                                      D3DPOOL_DEFAULT, &one, NULL));
    OK(IDirect3DDevice9_CreateTexture(device, 64, 64, 1, D3DUSAGE_DYNAMIC, D3DFMT_X8R8G8B8,
                                      D3DPOOL_DEFAULT, &two, NULL));
#define UPDATE(dst)                                                                                \
    OK(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)src,                        \
                                      (IDirect3DBaseTexture9 *)(dst)))
    fill_texture(src, 0x80, NULL, D3DLOCK_NO_DIRTY_UPDATE);
    UPDATE(one); /* new textures are dirty */
    expect(one, 0x80, 0x80);
    UPDATE(two); /* clean after the copy */
    expect(two, 0, 0);
    OK(IDirect3DTexture9_AddDirtyRect(one, NULL)); /* of the destination: no effect */
    fill_texture(src, 0x90, NULL, D3DLOCK_READONLY);
    UPDATE(one);
    expect(one, 0x80, 0x80);
    OK(IDirect3DTexture9_AddDirtyRect(src, &part));
    UPDATE(one);
    expect(one, 0x90, 0x80);
    fill_texture(src, 0xa0, NULL, 0);
    UPDATE(one);
    expect(one, 0xa0, 0xa0);
    fill_texture(src, 0xb0, &part, 0);
    UPDATE(one);
    expect(one, 0xb0, 0xa0);
    REFUSED(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)one,
                                           (IDirect3DBaseTexture9 *)two));
    release(src);
    release(one);
    release(two);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* --- Queries ---------------------------------------------------------------------------------- */

START_TEST(query_types)
{
    IDirect3DDevice9 *device = create_device();
    D3DQUERYTYPE type = _i;
    IDirect3DQuery9 *query = (IDirect3DQuery9 *)0x1234;
    HRESULT probe = IDirect3DDevice9_CreateQuery(device, type, NULL);
    HRESULT made = IDirect3DDevice9_CreateQuery(device, type, &query);
    bool wanted = type >= D3DQUERYTYPE_EVENT && type <= D3DQUERYTYPE_TIMESTAMPFREQ;

    ck_assert_int_eq(probe, made);
    ck_assert_int_eq(made, wanted ? D3D_OK : D3DERR_NOTAVAILABLE);
    if (wanted) {
        unsigned char data[16];
        DWORD size = IDirect3DQuery9_GetDataSize(query);

        memset(data, 0, sizeof(data));
        OK(IDirect3DQuery9_GetData(query, NULL, 0, 0));
        OK(IDirect3DQuery9_GetData(query, data, 2, 0));
        ck_assert_uint_eq(data[1], 0xdd);
        ck_assert_uint_eq(data[2], 0);
        OK(IDirect3DQuery9_GetData(query, data, sizeof(data), 0));
        ck_assert_uint_eq(data[size - 1], 0xdd);
        ck_assert_uint_eq(data[size], 0);
        release(query);
    } else {
        ck_assert_ptr_eq(query, (void *)0x1234);
    }
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static HRESULT wait_for(IDirect3DQuery9 *query, void *data, DWORD size)
{
    HRESULT hr = S_FALSE;

    for (int i = 0; i < 1000 && hr == S_FALSE; i++)
        hr = IDirect3DQuery9_GetData(query, data, size, 0);
    return hr;
}

START_TEST(query_answers)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DQuery9 *occlusion, *event, *frequency;
    UINT64 count, ticks;
    BOOL done = 7;

    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &occlusion));
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_EVENT, &event));
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_TIMESTAMPFREQ, &frequency));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1, 0));
    OK(IDirect3DQuery9_Issue(occlusion, D3DISSUE_END)); /* in any order */
    OK(IDirect3DQuery9_Issue(occlusion, D3DISSUE_BEGIN));
    OK(IDirect3DQuery9_Issue(occlusion, D3DISSUE_BEGIN));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, 20));
    OK(IDirect3DQuery9_Issue(occlusion, D3DISSUE_END));
    OK(wait_for(occlusion, &count, sizeof(count)));
    ck_assert_uint_eq(count, 640 * 480);
    OK(IDirect3DQuery9_Issue(event, D3DISSUE_END));
    OK(wait_for(event, &done, sizeof(done)));
    ck_assert_int_eq(done, TRUE);
    OK(IDirect3DQuery9_Issue(frequency, D3DISSUE_END));
    OK(wait_for(frequency, &ticks, sizeof(ticks)));
    ck_assert_uint_gt(ticks, 0);
    release(occlusion);
    release(event);
    release(frequency);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* --- Shaders ---------------------------------------------------------------------------------- */

START_TEST(shaders)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexShader9 *vs, *got;
    IDirect3DPixelShader9 *ps;
    DWORD tokens[16], dxbc[] = {0x43425844, 0, 0, 0, 0x0000ffff};
    UINT size = 0;

    OK(IDirect3DDevice9_CreateVertexShader(device, test_vs, &vs));
    OK(IDirect3DVertexShader9_GetFunction(vs, NULL, &size));
    ck_assert_uint_eq(size, sizeof(test_vs));
    size--;
    REFUSED(IDirect3DVertexShader9_GetFunction(vs, tokens, &size));
    size++;
    OK(IDirect3DVertexShader9_GetFunction(vs, tokens, &size));
    ck_assert_mem_eq(tokens, test_vs, sizeof(test_vs));
    OK(IDirect3DDevice9_SetVertexShader(device, vs));
    OK(IDirect3DDevice9_GetVertexShader(device, &got));
    ck_assert_ptr_eq(got, vs);
    ck_assert_uint_eq(refs_of(vs), 2);
    release(got);
    release(vs);
    REFUSED(IDirect3DDevice9_CreateVertexShader(device, test_ps, &vs));
    ck_assert_ptr_null(vs);
    REFUSED(IDirect3DDevice9_CreatePixelShader(device, test_vs, &ps));
    REFUSED(IDirect3DDevice9_CreatePixelShader(device, dxbc, &ps));
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* A relative index may reach constants of software vertex processing; hardware accepts the
 * shader. */
START_TEST(mixed_indexed_constants)
{
    static const DWORD indexed[] = {0xfffe0200, 0x0200001f, 0x80000000, 0x900f0000, 0x0200002e,
                                    0xb0010000, 0xa0000000, 0x03000001, 0xd00f0000, 0xa0e42000,
                                    0xb0000000, 0x02000001, 0xc00f0000, 0x90e40000, 0x0000ffff};
    IDirect3DDevice9 *device = create_device_flags(D3DCREATE_MIXED_VERTEXPROCESSING);
    IDirect3DVertexShader9 *vs;

    OK(IDirect3DDevice9_CreateVertexShader(device, indexed, &vs));
    OK(IDirect3DDevice9_SetVertexShader(device, vs));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_POINTLIST, 0, 1));
    release(vs);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* vs_1_1 with c256: mixed vertex processing (reference: shader/mixed). */
START_TEST(mixed_vertex_processing)
{
    static const DWORD far[] = {0xfffe0101, 0x0000001f, 0x80000000, 0x900f0000, 0x00000051,
                                0xa00f0100, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000,
                                0x00000001, 0xc00f0000, 0x90e40000, 0x00000001, 0xd00f0000,
                                0xa0e40100, 0x0000ffff};
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexShader9 *vs;

    REFUSED(IDirect3DDevice9_CreateVertexShader(device, far, &vs));
    release(device);
    device = create_device_flags(D3DCREATE_MIXED_VERTEXPROCESSING);
    OK(IDirect3DDevice9_CreateVertexShader(device, far, &vs));
    OK(IDirect3DDevice9_SetVertexShader(device, vs));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    REFUSED(IDirect3DDevice9_DrawPrimitive(device, D3DPT_POINTLIST, 0, 1));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_POINTLIST, 0, 1));
    OK(IDirect3DDevice9_SetVertexShader(device, NULL));
    OK(IDirect3DDevice9_SetVertexShader(device, vs));
    REFUSED(IDirect3DDevice9_DrawPrimitive(device, D3DPT_POINTLIST, 0, 1));
    OK(IDirect3DDevice9_SetSoftwareVertexProcessing(device, TRUE));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_POINTLIST, 0, 1));
    release(vs);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/device");
    TCase *tc = tcase_create("device");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, swap_effects, 0, sizeof(chains) / sizeof(chains[0]));
    tcase_add_test(tc, parameters_are_completed);
    tcase_add_test(tc, full_screen_requires_mode);
    tcase_add_test(tc, ex_mode_rules);
    tcase_add_test(tc, reset_and_resources);
    tcase_add_test(tc, ex_reset_keeps_states);
    tcase_add_test(tc, getters_and_out_pointers);
    tcase_add_test(tc, present_rotates_buffers);
    tcase_add_loop_test(tc, present_discards_depth, 0, 5);
    tcase_add_test(tc, front_buffer);
    tcase_add_test(tc, scenes);
    tcase_add_test(tc, scene_across_reset);
    tcase_add_loop_test(tc, format_conversions, 0, 14);
    tcase_add_test(tc, draws_and_bindings);
    tcase_add_test(tc, clear_counts);
    tcase_add_loop_test(tc, stretch_kinds, 0, 2);
    tcase_add_test(tc, fill_kinds);
    tcase_add_test(tc, stretch_samples);
    tcase_add_test(tc, alpha_to_mask);
    tcase_add_test(tc, update_surface_blocks);
    tcase_add_test(tc, dirty_regions);
    tcase_add_loop_test(tc, query_types, 0, 40);
    tcase_add_test(tc, query_answers);
    tcase_add_test(tc, shaders);
    tcase_add_test(tc, mixed_vertex_processing);
    tcase_add_test(tc, mixed_indexed_constants);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
