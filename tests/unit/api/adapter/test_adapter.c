/* Tests of the adapter: formats, display modes and caps. */
#include "api_test.h"

START_TEST(format_checks)
{
    IDirect3D9 *d = Direct3DCreate9(D3D_SDK_VERSION);
    DWORD levels = 77;

#define CHECK(adapter, usage, type, format)                                                        \
    IDirect3D9_CheckDeviceFormat(d, 0, D3DDEVTYPE_HAL, adapter, usage, D3DRTYPE_##type, format)
    OK(CHECK(D3DFMT_X8R8G8B8, 0, TEXTURE, D3DFMT_X8R8G8B8));
    OK(CHECK(D3DFMT_X8R8G8B8, 0, TEXTURE, D3DFMT_DXT5));
    OK(CHECK(D3DFMT_X8R8G8B8, D3DUSAGE_DEPTHSTENCIL, SURFACE, D3DFMT_D24S8));
    OK(CHECK(D3DFMT_X8R8G8B8, D3DUSAGE_RENDERTARGET, TEXTURE, D3DFMT_A16B16G16R16F));
    OK(CHECK(D3DFMT_X8R8G8B8, D3DUSAGE_RENDERTARGET | D3DUSAGE_QUERY_SRGBWRITE, SURFACE,
             D3DFMT_A8R8G8B8));
    RETURNS(CHECK(D3DFMT_X8R8G8B8, D3DUSAGE_QUERY_SRGBWRITE, SURFACE, D3DFMT_A8R8G8B8),
            D3DERR_NOTAVAILABLE);
    REFUSED(CHECK(D3DFMT_UNKNOWN, 0, TEXTURE, D3DFMT_X8R8G8B8));
    REFUSED(CHECK(D3DFMT_X8R8G8B8, 0, VERTEXBUFFER, D3DFMT_VERTEXDATA));
    RETURNS(CHECK(D3DFMT_A8R8G8B8, 0, TEXTURE, D3DFMT_X8R8G8B8), D3DERR_NOTAVAILABLE);
    for (int type = D3DRTYPE_SURFACE; type <= D3DRTYPE_CUBETEXTURE; type++) /* format/r8g8b8 */
        RETURNS(IDirect3D9_CheckDeviceFormat(d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0,
                                             (D3DRESOURCETYPE)type, D3DFMT_R8G8B8),
                D3DERR_NOTAVAILABLE);
    RETURNS(CHECK(D3DFMT_X8R8G8B8, D3DUSAGE_RENDERTARGET, TEXTURE, D3DFMT_DXT1),
            D3DERR_NOTAVAILABLE);
    RETURNS(CHECK(D3DFMT_X8R8G8B8, D3DUSAGE_AUTOGENMIPMAP, TEXTURE, D3DFMT_DXT1), D3DOK_NOAUTOGEN);
    OK(CHECK(D3DFMT_X8R8G8B8, D3DUSAGE_AUTOGENMIPMAP | D3DUSAGE_DYNAMIC, TEXTURE, D3DFMT_A8R8G8B8));
    RETURNS(/* no format of a display */
            CHECK(D3DFMT_A8R8G8B8, D3DUSAGE_AUTOGENMIPMAP | D3DUSAGE_DYNAMIC, TEXTURE,
                  D3DFMT_A8R8G8B8),
            D3DERR_NOTAVAILABLE);
    RETURNS(IDirect3D9_CheckDepthStencilMatch(d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_R5G6B5,
                                              D3DFMT_D32_LOCKABLE),
            D3DERR_NOTAVAILABLE);
    OK(IDirect3D9_CheckDepthStencilMatch(d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8,
                                         D3DFMT_D24S8));

#define SAMPLES(format, type, out)                                                                 \
    IDirect3D9_CheckDeviceMultiSampleType(d, 0, D3DDEVTYPE_HAL, format, TRUE, type, out)
    REFUSED(SAMPLES(D3DFMT_UNKNOWN, D3DMULTISAMPLE_NONE, NULL));
    OK(SAMPLES(D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, &levels));
    ck_assert_uint_eq(levels, 1);
    levels = 77;
    RETURNS(SAMPLES(D3DFMT_X8R8G8B8, D3DMULTISAMPLE_15_SAMPLES, &levels), D3DERR_NOTAVAILABLE);
    ck_assert_uint_eq(levels, 1);
    REFUSED(SAMPLES(D3DFMT_X8R8G8B8, 65536, NULL));
    RETURNS(SAMPLES(D3DFMT_DXT5, D3DMULTISAMPLE_2_SAMPLES, NULL), D3DERR_NOTAVAILABLE);
    for (unsigned type = 1; type <= 16; type++) {
        static const D3DFORMAT with[] = {D3DFMT_A8R8G8B8, D3DFMT_R5G6B5, D3DFMT_A16B16G16R16F,
                                         D3DFMT_D24S8, D3DFMT_D16};
        static const D3DFORMAT without[] = {D3DFMT_D16_LOCKABLE, D3DFMT_D32F_LOCKABLE, D3DFMT_A8L8,
                                            (D3DFORMAT)MAKEFOURCC('I', 'N', 'T', 'Z'),
                                            (D3DFORMAT)MAKEFOURCC('R', 'E', 'S', 'Z')};
        bool offered = type == 1 || type == 2 || type == 4 || type == 8 || type == 16;

        for (unsigned f = 0; f < 5; f++) {
            RETURNS(SAMPLES(with[f], (D3DMULTISAMPLE_TYPE)type, &levels),
                    offered ? D3D_OK : D3DERR_NOTAVAILABLE);
            ck_assert_uint_eq(levels, type == D3DMULTISAMPLE_NONMASKABLE ? 4 : 1);
            RETURNS(SAMPLES(without[f], (D3DMULTISAMPLE_TYPE)type, &levels), D3DERR_NOTAVAILABLE);
            ck_assert_uint_eq(levels, 1);
        }
    }
    release(d);
}
END_TEST

START_TEST(display_modes)
{
    IDirect3D9 *d = Direct3DCreate9(D3D_SDK_VERSION);
    D3DDISPLAYMODE mode;
    UINT n = IDirect3D9_GetAdapterModeCount(d, 0, D3DFMT_X8R8G8B8);

    ck_assert_uint_gt(n, 1);
    for (UINT i = 0; i < n; i++) {
        OK(IDirect3D9_EnumAdapterModes(d, 0, D3DFMT_X8R8G8B8, i, &mode));
        ck_assert_uint_ge(mode.Width, 640);
        ck_assert_uint_ge(mode.Height, 480);
        ck_assert_int_eq(mode.Format, D3DFMT_X8R8G8B8);
    }
    REFUSED(IDirect3D9_EnumAdapterModes(d, 0, D3DFMT_X8R8G8B8, n, &mode));
    REFUSED(IDirect3D9_EnumAdapterModes(d, 0, D3DFMT_A8R8G8B8, 0, &mode));
    REFUSED(IDirect3D9_EnumAdapterModes(d, 0, D3DFMT_X1R5G5B5, 0, &mode));
    REFUSED(IDirect3D9_EnumAdapterModes(d, 0, D3DFMT_DXT1, 0, &mode));
    release(d);
}
END_TEST

/* Bits that Direct3D 9 does not define must not be set. */
START_TEST(caps_have_defined_bits_only)
{
    IDirect3DDevice9 *device = create_device();
    D3DCAPS9 c;

    OK(IDirect3DDevice9_GetDeviceCaps(device, &c));
    ck_assert_uint_eq(c.Caps & ~0x00020000u, 0);
    ck_assert_uint_eq(c.Caps2 & ~0xf2120000u, 0);
    ck_assert_uint_eq(c.Caps3 & ~0x80000fbfu, 0);
    ck_assert_uint_eq(c.PrimitiveMiscCaps & ~0x003fdff6u, 0);
    ck_assert_uint_eq(c.RasterCaps & ~0x0f77a191u, 0);
    ck_assert_uint_eq(c.SrcBlendCaps & ~0x3fffu, 0);
    ck_assert_uint_eq(c.TextureCaps & ~0x0027ede7u, 0);
    ck_assert_uint_eq(c.TextureFilterCaps & ~0x1f071f00u, 0);
    ck_assert_uint_eq(c.VolumeTextureFilterCaps & ~0x1f031f00u, 0);
    ck_assert_uint_eq(c.LineCaps & ~0x3fu, 0);
    ck_assert_uint_eq(c.StencilCaps & ~0x1ffu, 0);
    ck_assert_uint_eq(c.VertexProcessingCaps & ~0x37bu, 0);
    ck_assert_uint_le(c.MaxActiveLights, 10);
    ck_assert_uint_le(c.MaxUserClipPlanes, 8);
    ck_assert_uint_eq(c.VertexShaderVersion, D3DVS_VERSION(3, 0));
    ck_assert_uint_eq(c.PixelShaderVersion, D3DPS_VERSION(3, 0));
    release(device);
}
END_TEST

/* Claimed texture stage caps are those that tests/conformance/stage verifies. */
START_TEST(caps_of_texture_stages)
{
    const DWORD misc = D3DPMISCCAPS_TSSARGTEMP | D3DPMISCCAPS_PERSTAGECONSTANT;
    IDirect3DDevice9 *device = create_device();
    D3DCAPS9 c;

    OK(IDirect3DDevice9_GetDeviceCaps(device, &c));
    ck_assert_uint_eq(c.MaxTextureBlendStages, 8);
    ck_assert_uint_eq(c.MaxSimultaneousTextures, 8);
    for (DWORD op = D3DTOP_DISABLE; op <= D3DTOP_LERP; op++)
        ck_assert(c.TextureOpCaps >> (op - 1) & 1);
    ck_assert_uint_eq(c.TextureOpCaps >> D3DTOP_LERP, 0);
    ck_assert_uint_eq(c.PrimitiveMiscCaps & misc, misc);
    ck_assert_uint_eq(c.TextureCaps & D3DPTEXTURECAPS_NOPROJECTEDBUMPENV, 0);
    ck_assert_uint_eq(c.FVFCaps & D3DFVFCAPS_TEXCOORDCOUNTMASK, 8);
    release(device);
}
END_TEST

/* The caps of fog, points and clip planes, which scenes of these folders require, are claimed. */
START_TEST(caps_claim_fog_points_and_planes)
{
    const DWORD raster = D3DPRASTERCAPS_FOGVERTEX | D3DPRASTERCAPS_FOGTABLE |
                         D3DPRASTERCAPS_FOGRANGE | D3DPRASTERCAPS_WFOG | D3DPRASTERCAPS_ZFOG |
                         D3DPRASTERCAPS_COLORPERSPECTIVE;
    const DWORD misc = D3DPMISCCAPS_CLIPPLANESCALEDPOINTS | D3DPMISCCAPS_CLIPTLVERTS |
                       D3DPMISCCAPS_FOGANDSPECULARALPHA | D3DPMISCCAPS_FOGVERTEXCLAMPED;
    IDirect3DDevice9 *device = create_device();
    D3DCAPS9 c;
    DWORD most;

    OK(IDirect3DDevice9_GetDeviceCaps(device, &c));
    ck_assert_uint_eq(c.RasterCaps & raster, raster);
    ck_assert_uint_eq(c.PrimitiveMiscCaps & misc, misc);
    ck_assert_uint_eq(c.MaxUserClipPlanes, 8);
    ck_assert_float_eq(c.MaxPointSize, 256.0f);
    ck_assert(c.FVFCaps & D3DFVFCAPS_PSIZE);
    ck_assert(c.LineCaps & D3DLINECAPS_FOG);
    ck_assert(c.LineCaps & D3DLINECAPS_ANTIALIAS);
    OK(IDirect3DDevice9_GetRenderState(device, D3DRS_POINTSIZE_MAX, &most));
    ck_assert_mem_eq(&most, &c.MaxPointSize, sizeof(most));
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

static Suite *suite(void)
{
    Suite *s = suite_create("api/adapter");
    TCase *tc = tcase_create("adapter");

    tcase_add_test(tc, format_checks);
    tcase_add_test(tc, display_modes);
    tcase_add_test(tc, caps_have_defined_bits_only);
    tcase_add_test(tc, caps_of_texture_stages);
    tcase_add_test(tc, caps_claim_fog_points_and_planes);
    tcase_add_loop_test(tc, format_conversions, 0, 14);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
