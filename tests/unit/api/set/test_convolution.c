/* SetConvolutionMonoKernel: arguments, caps, state blocks and draws (reference:
 * texture/convolution). */
#include "api_test.h"

START_TEST(in_the_caps)
{
    IDirect3D9 *simple = Direct3DCreate9(D3D_SDK_VERSION);
    IDirect3D9Ex *ex;
    D3DCAPS9 caps;

    OK(Direct3DCreate9Ex(D3D_SDK_VERSION, &ex));
    OK(IDirect3D9Ex_GetDeviceCaps(ex, 0, D3DDEVTYPE_REF, &caps));
    ck_assert(caps.TextureFilterCaps & D3DPTFILTERCAPS_CONVOLUTIONMONO);
    OK(IDirect3D9Ex_GetDeviceCaps(ex, 0, D3DDEVTYPE_HAL, &caps));
    ck_assert(!(caps.TextureFilterCaps & D3DPTFILTERCAPS_CONVOLUTIONMONO));
    OK(IDirect3D9_GetDeviceCaps(simple, 0, D3DDEVTYPE_REF, &caps));
    ck_assert(!(caps.TextureFilterCaps & D3DPTFILTERCAPS_CONVOLUTIONMONO));
    release(ex);
    release(simple);
}
END_TEST

START_TEST(kernel_arguments)
{
    IDirect3DDevice9Ex *device = create_device_ex();
    float ones[7] = {1, 1, 1, 1, 1, 1, 1};
    DWORD value;

    for (UINT w = 0; w < 9; w++)
        for (UINT h = 0; h < 9; h++)
            RETURNS(IDirect3DDevice9Ex_SetConvolutionMonoKernel(device, w, h, NULL, NULL),
                    w && w < 8 && h && h < 8 ? D3D_OK : D3DERR_INVALIDCALL);
    REFUSED(IDirect3DDevice9Ex_SetConvolutionMonoKernel(device, 7, 7, ones, NULL));
    REFUSED(IDirect3DDevice9Ex_SetConvolutionMonoKernel(device, 7, 7, NULL, ones));
    REFUSED(IDirect3DDevice9Ex_SetConvolutionMonoKernel(device, ~0u, 1, NULL, NULL));
    REFUSED(IDirect3DDevice9Ex_SetRenderState(device, (D3DRENDERSTATETYPE)210, 1));
    REFUSED(IDirect3DDevice9Ex_GetRenderState(device, (D3DRENDERSTATETYPE)210, &value));
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* Draws a texture with one set pixel to the middle of a target of 5x5 pixels; returns alpha. */
static DWORD drawn(IDirect3DDevice9Ex *device, IDirect3DSurface9 *target)
{
    static const float quad[4][6] = {{-0.5f, -0.5f, 0, 1, 0, 0},
                                     {4.5f, -0.5f, 0, 1, 1, 0},
                                     {-0.5f, 4.5f, 0, 1, 0, 1},
                                     {4.5f, 4.5f, 0, 1, 1, 1}};

    OK(IDirect3DDevice9Ex_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1.0f, 0));
    OK(IDirect3DDevice9Ex_BeginScene(device));
    OK(IDirect3DDevice9Ex_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof(quad[0])));
    OK(IDirect3DDevice9Ex_EndScene(device));
    return surface_pixel(target, 2, 2) >> 24;
}

/* The kernel belongs to pixel state and to all state, not to vertex state; its default is 1x1. */
START_TEST(state_blocks)
{
    static const D3DSTATEBLOCKTYPE types[] = {D3DSBT_ALL, D3DSBT_PIXELSTATE, D3DSBT_VERTEXSTATE};
    IDirect3DDevice9Ex *device = create_type_ex(D3DDEVTYPE_REF);
    IDirect3DTexture9 *texture;
    IDirect3DSurface9 *target;
    IDirect3DStateBlock9 *block, *recorded;
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9Ex_CreateRenderTarget(device, 5, 5, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0,
                                             TRUE, &target, NULL));
    OK(IDirect3DDevice9Ex_CreateTexture(device, 5, 5, 1, D3DUSAGE_DYNAMIC, D3DFMT_A1,
                                        D3DPOOL_DEFAULT, &texture, NULL));
    OK(IDirect3DTexture9_LockRect(texture, 0, &lock, NULL, 0));
    memset(lock.pBits, 0, 5 * (size_t)lock.Pitch);
    ((uint8_t *)lock.pBits)[2 * lock.Pitch] = 0x20;
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
    OK(IDirect3DDevice9Ex_SetRenderTarget(device, 0, target));
    OK(IDirect3DDevice9Ex_SetDepthStencilSurface(device, NULL));
    OK(IDirect3DDevice9Ex_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9Ex_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1));
    OK(IDirect3DDevice9Ex_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1));
    OK(IDirect3DDevice9Ex_SetTextureStageState(device, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1));
    OK(IDirect3DDevice9Ex_SetSamplerState(device, 0, D3DSAMP_MAGFILTER, D3DTEXF_CONVOLUTIONMONO));
    OK(IDirect3DDevice9Ex_SetSamplerState(device, 0, D3DSAMP_MINFILTER, D3DTEXF_CONVOLUTIONMONO));
    ck_assert_uint_eq(drawn(device, target), 255);

    OK(IDirect3DDevice9Ex_SetConvolutionMonoKernel(device, 5, 1, NULL, NULL));
    ck_assert_uint_eq(drawn(device, target), 51);
    OK(IDirect3DDevice9Ex_CreateStateBlock(device, types[_i], &block));
    OK(IDirect3DDevice9Ex_SetConvolutionMonoKernel(device, 3, 1, NULL, NULL));
    ck_assert_uint_eq(drawn(device, target), 85);
    OK(IDirect3DStateBlock9_Apply(block));
    ck_assert_uint_eq(drawn(device, target), _i == 2 ? 85 : 51);

    OK(IDirect3DDevice9Ex_BeginStateBlock(device));
    OK(IDirect3DDevice9Ex_SetConvolutionMonoKernel(device, 3, 5, NULL, NULL));
    OK(IDirect3DDevice9Ex_EndStateBlock(device, &recorded));
    ck_assert_uint_eq(drawn(device, target), _i == 2 ? 85 : 51);
    OK(IDirect3DStateBlock9_Apply(recorded));
    ck_assert_uint_eq(drawn(device, target), 17);
    release(recorded);
    release(block);
    release(texture);
    release(target);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/convolution");
    TCase *tc = tcase_create("kernel");

    tcase_add_test(tc, in_the_caps);
    tcase_add_test(tc, kernel_arguments);
    tcase_add_loop_test(tc, state_blocks, 0, 3);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
