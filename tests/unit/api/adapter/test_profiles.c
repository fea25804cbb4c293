/* Tests of adapter profiles and of devices with lower shader models. */
#include "api_test.h"

#include <stdlib.h>

/* A process reads the settings once; Check runs each test in a process of its own. */
static IDirect3D9 *create_with(const char *variable, const char *value)
{
    setenv(variable, value, 1);
    return Direct3DCreate9(D3D_SDK_VERSION);
}

static D3DADAPTER_IDENTIFIER9 identifier(IDirect3D9 *d3d9)
{
    D3DADAPTER_IDENTIFIER9 id;

    OK(IDirect3D9_GetAdapterIdentifier(d3d9, 0, 0, &id));
    return id;
}

START_TEST(default_identity)
{
    IDirect3D9 *d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    D3DADAPTER_IDENTIFIER9 id = identifier(d3d9);

    ck_assert_str_eq(id.Description, "Novem");
    ck_assert_uint_eq(id.VendorId, 0);
    release(d3d9);
}
END_TEST

START_TEST(profile_identities)
{
    IDirect3D9 *d3d9 = create_with("NOVEM_ADAPTER", "radeon-9800");
    D3DADAPTER_IDENTIFIER9 id = identifier(d3d9);

    ck_assert_str_eq(id.Description, "RADEON 9800 PRO");
    ck_assert_str_eq(id.Driver, "ati2dvag.dll");
    ck_assert_uint_eq(id.VendorId, 0x1002);
    ck_assert_uint_eq(id.DeviceId, 0x4e48);
    ck_assert_int_eq(id.DriverVersion.QuadPart, 6ll << 48 | 14ll << 32 | 10ll << 16 | 6764);
    release(d3d9);
}
END_TEST

START_TEST(ids_override_profile)
{
    IDirect3D9 *d3d9;
    D3DADAPTER_IDENTIFIER9 id;

    setenv("NOVEM_DESCRIPTION", "a card", 1);
    setenv("NOVEM_DEVICE_ID", "1234", 1);
    d3d9 = create_with("NOVEM_VENDOR_ID", "10DE");
    id = identifier(d3d9);
    ck_assert_str_eq(id.Description, "a card");
    ck_assert_uint_eq(id.VendorId, 0x10de);
    ck_assert_uint_eq(id.DeviceId, 0x1234);
    release(d3d9);
}
END_TEST

static HRESULT check_name(IDirect3D9 *d3d9, D3DDEVTYPE type, const char *name)
{
    D3DFORMAT format = (D3DFORMAT)MAKEFOURCC(name[0], name[1], name[2], name[3]);

    return IDirect3D9_CheckDeviceFormat(d3d9, 0, type, D3DFMT_X8R8G8B8, 0, D3DRTYPE_SURFACE,
                                        format);
}

static const struct {
    const char *adapter;
    DWORD levels[17]; /* of each multisample type; 0: not offered */
    bool r2vb, ssaa;
} offers[] = {
    {"novem", {[0] = 1, [1] = 4, [2] = 1, [4] = 1, [8] = 1, [16] = 1}, true, true},
    {"geforce-fx-5900", {[0] = 1, [1] = 3, [2] = 1, [4] = 1, [8] = 1}, false, false},
    {"geforce-6800", {[0] = 1, [1] = 3, [2] = 1, [4] = 1, [8] = 1}, true, false},
    {"geforce-8800", {[0] = 1, [1] = 3, [2] = 1, [4] = 5, [8] = 3}, false, true},
    {"radeon-9800", {[0] = 1, [1] = 3, [2] = 1, [4] = 1, [8] = 1}, true, false},
    {"intel-945", {[0] = 1, [1] = 3, [2] = 1, [4] = 1, [8] = 1}, false, false},
};

/* device/offers, multisample/types: what the identity had. */
START_TEST(offers_of_profiles)
{
    IDirect3D9 *d3d9 = create_with("NOVEM_ADAPTER", offers[_i].adapter);

    for (int type = 0; type <= 16; type++) {
        DWORD levels = 77, want = offers[_i].levels[type];

        RETURNS(IDirect3D9_CheckDeviceMultiSampleType(d3d9, 0, D3DDEVTYPE_HAL, D3DFMT_A8R8G8B8,
                                                      TRUE, (D3DMULTISAMPLE_TYPE)type, &levels),
                want ? D3D_OK : D3DERR_NOTAVAILABLE);
        ck_assert_uint_eq(levels, want ? want : 1);
    }
    RETURNS(check_name(d3d9, D3DDEVTYPE_HAL, "R2VB"),
            offers[_i].r2vb ? D3D_OK : D3DERR_NOTAVAILABLE);
    RETURNS(check_name(d3d9, D3DDEVTYPE_HAL, "SSAA"),
            offers[_i].ssaa ? D3D_OK : D3DERR_NOTAVAILABLE);
    OK(check_name(d3d9, D3DDEVTYPE_HAL, "ATOC"));
    release(d3d9);
}
END_TEST

/* device/reference: everything, whatever the identity. */
START_TEST(offers_of_the_reference)
{
    static const DWORD levels_of_reference[17] = {[0] = 1, 4, 1, [4] = 5, [8] = 3, [16] = 1};
    IDirect3D9 *d3d9 = create_with("NOVEM_ADAPTER", offers[_i].adapter);

    for (int type = 0; type <= 16; type++) {
        DWORD levels = 77, want = levels_of_reference[type];

        RETURNS(IDirect3D9_CheckDeviceMultiSampleType(d3d9, 0, D3DDEVTYPE_REF, D3DFMT_A8R8G8B8,
                                                      TRUE, (D3DMULTISAMPLE_TYPE)type, &levels),
                want ? D3D_OK : D3DERR_NOTAVAILABLE);
        ck_assert_uint_eq(levels, want ? want : 1);
    }
    OK(check_name(d3d9, D3DDEVTYPE_REF, "R2VB"));
    OK(check_name(d3d9, D3DDEVTYPE_REF, "SSAA"));
    release(d3d9);
}
END_TEST

/* Memory tells how many samples a quality has. */
START_TEST(coverage_samples)
{
    static const struct {
        D3DMULTISAMPLE_TYPE type;
        DWORD quality;
        unsigned samples;
    } modes[] = {{D3DMULTISAMPLE_4_SAMPLES, 0, 4},  {D3DMULTISAMPLE_4_SAMPLES, 1, 4},
                 {D3DMULTISAMPLE_4_SAMPLES, 2, 8},  {D3DMULTISAMPLE_4_SAMPLES, 3, 8},
                 {D3DMULTISAMPLE_4_SAMPLES, 4, 16}, {D3DMULTISAMPLE_8_SAMPLES, 0, 8},
                 {D3DMULTISAMPLE_8_SAMPLES, 1, 8},  {D3DMULTISAMPLE_8_SAMPLES, 2, 16}};
    IDirect3DSurface9 *target;
    IDirect3DDevice9 *device;
    int64_t before, bytes;

    setenv("NOVEM_ADAPTER", "geforce-8800", 1);
    device = create_device();
    for (unsigned i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        before = IDirect3DDevice9_GetAvailableTextureMem(device);
        OK(IDirect3DDevice9_CreateRenderTarget(device, 1024, 1024, D3DFMT_A8R8G8B8, modes[i].type,
                                               modes[i].quality, FALSE, &target, NULL));
        bytes = before - IDirect3DDevice9_GetAvailableTextureMem(device);
        ck_assert_int_ge(bytes, modes[i].samples * 4 << 20);
        ck_assert_int_lt(bytes, modes[i].samples * 5 << 20);
        release(target);
    }
    release(device);
}
END_TEST

START_TEST(video_memory)
{
    IDirect3DDevice9 *device;

    setenv("NOVEM_VIDEO_MEMORY", "64", 1);
    device = create_device();
    ck_assert_uint_le(IDirect3DDevice9_GetAvailableTextureMem(device), 64u << 20);
    ck_assert_uint_ge(IDirect3DDevice9_GetAvailableTextureMem(device), 60u << 20);
    release(device);
}
END_TEST

/* --- Shader models ---------------------------------------------------------------------------- */

static const DWORD versions[] = {D3DVS_VERSION(1, 1), D3DVS_VERSION(2, 0), D3DVS_VERSION(2, 1),
                                 D3DVS_VERSION(3, 0), D3DPS_VERSION(1, 1), D3DPS_VERSION(1, 4),
                                 D3DPS_VERSION(2, 0), D3DPS_VERSION(2, 1), D3DPS_VERSION(3, 0)};
enum { VERSIONS = sizeof(versions) / sizeof(versions[0]) };

/* Minimal shaders that only write their result. */
static HRESULT create_shader(IDirect3DDevice9 *device, DWORD version)
{
    bool pixel = version >> 16 == 0xffff;
    const DWORD position[] = {version,    0x0200001f, 0x80000000, 0x900f0000,
                              0x02000001, 0xc00f0000, 0x90e40000, 0xffff};
    const DWORD position_3[] = {version,    0x0200001f, 0x80000000, 0x900f0000,
                                0x0200001f, 0x80000000, 0xe00f0000, 0x02000001,
                                0xe00f0000, 0x90e40000, 0xffff};
    const DWORD position_1[] = {version,    0x0000001f, 0x80000000, 0x900f0000,
                                0x00000001, 0xc00f0000, 0x90e40000, 0xffff};
    const DWORD colour[] = {version, 0x02000001, 0x800f0800, 0xa0e40000, 0xffff};
    const DWORD colour_1[] = {version, 0x00000001, 0x800f0000, 0xa0e40000, 0xffff};
    unsigned major = version >> 8 & 0xff;
    IUnknown *shader = NULL;
    HRESULT hr;

    if (pixel)
        hr = IDirect3DDevice9_CreatePixelShader(device, major == 1 ? colour_1 : colour,
                                                (IDirect3DPixelShader9 **)&shader);
    else
        hr = IDirect3DDevice9_CreateVertexShader(device,
                                                 major == 1   ? position_1
                                                 : major == 2 ? position
                                                              : position_3,
                                                 (IDirect3DVertexShader9 **)&shader);
    if (SUCCEEDED(hr))
        release(shader);
    return hr;
}

static const struct {
    const char *model;
    bool ok[VERSIONS];
} models[] = {
    {"3", {1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"2", {1, 1, 0, 0, 1, 1, 1, 0, 0}},
    {"1", {1, 0, 0, 0, 1, 1, 0, 0, 0}},
    {"0", {0, 0, 0, 0, 0, 0, 0, 0, 0}},
};

START_TEST(higher_shader_models_fail)
{
    IDirect3DDevice9 *device;
    D3DCAPS9 caps;

    setenv("NOVEM_SHADER_MODEL", models[_i].model, 1);
    device = create_device();
    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    for (unsigned v = 0; v < VERSIONS; v++) {
        DWORD most =
            versions[v] >> 16 == 0xffff ? caps.PixelShaderVersion : caps.VertexShaderVersion;

        ck_assert_int_eq(versions[v] <= most, models[_i].ok[v]);
        RETURNS(create_shader(device, versions[v]), models[_i].ok[v] ? D3D_OK : D3DERR_INVALIDCALL);
    }
    ck_assert_uint_eq(caps.NumSimultaneousRTs, models[_i].model[0] >= '2' ? 4 : 1);
    ck_assert_uint_eq(caps.MaxPixelShader30InstructionSlots != 0, models[_i].model[0] == '3');
    release(device);
}
END_TEST

/* ANTIALIASED_LINES: the cap, and the pixels of a line between two rows of centres. */
START_TEST(antialiased_lines_can_be_switched_off)
{
    static const struct {
        float x, y, z, rhw;
        D3DCOLOR colour;
    } line[] = {{2.0f, 2.25f, 0.0f, 1.0f, 0xffffffff}, {6.0f, 2.25f, 0.0f, 1.0f, 0xffffffff}};
    IDirect3DSurface9 *target;
    IDirect3DDevice9 *device;
    D3DCAPS9 caps;

    if (_i)
        setenv("NOVEM_ANTIALIASED_LINES", "off", 1);
    device = create_device();
    OK(IDirect3DDevice9_CreateRenderTarget(device, 8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0,
                                           TRUE, &target, NULL));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    ck_assert_uint_eq(caps.LineCaps, _i ? 0x1f : 0x3f);
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1.0f, 0));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ANTIALIASEDLINEENABLE, TRUE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ALPHABLENDENABLE, TRUE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_DESTBLEND, D3DBLEND_ZERO));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_LINELIST, 1, line, sizeof(line[0])));
    OK(IDirect3DDevice9_EndScene(device));
    ck_assert_uint_eq(surface_pixel(target, 4, 2) & 255, _i ? 0xff : 0xbf);
    ck_assert_uint_eq(surface_pixel(target, 4, 3) & 255, _i ? 0 : 0x40);
    release(target);
    release(device);
}
END_TEST

/* vs_1_1: dcl_position v0; add oPos, v0, c95 (or c96) */
START_TEST(constants_above_caps_fail)
{
    DWORD program[] = {0xfffe0101, 0x0000001f, 0x80000000, 0x900f0000, 0x00000002,
                       0xc00f0000, 0x90e40000, 0xa0e4005f, 0x0000ffff};
    IDirect3DVertexShader9 *shader;
    IDirect3DDevice9 *device;

    setenv("NOVEM_SHADER_MODEL", _i ? "1" : "2", 1);
    device = create_device();
    OK(IDirect3DDevice9_CreateVertexShader(device, program, &shader));
    release(shader);
    program[7]++;
    RETURNS(IDirect3DDevice9_CreateVertexShader(device, program, &shader),
            _i ? D3DERR_INVALIDCALL : D3D_OK);
    if (!_i)
        release(shader);
    release(device);
}
END_TEST

/* As on real adapters of that time. */
START_TEST(software_processing_supports_all_models)
{
    IDirect3D9 *d3d9 = create_with("NOVEM_SHADER_MODEL", "0");
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DDevice9 *device;
    D3DCAPS9 caps;

    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_SOFTWARE_VERTEXPROCESSING,
                               &p, &device));
    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    ck_assert_uint_eq(caps.VertexShaderVersion, D3DVS_VERSION(3, 0));
    ck_assert_uint_eq(caps.PixelShaderVersion, 0);
    OK(create_shader(device, D3DVS_VERSION(3, 0)));
    REFUSED(create_shader(device, D3DPS_VERSION(1, 1)));
    RETURNS(IDirect3D9_CheckDeviceFormat(d3d9, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8,
                                         D3DUSAGE_QUERY_VERTEXTEXTURE, D3DRTYPE_TEXTURE,
                                         D3DFMT_A32B32G32R32F),
            D3DERR_NOTAVAILABLE);
    release(device);
    release(d3d9);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/profiles");
    TCase *tc = tcase_create("adapter_profiles");

    tcase_add_test(tc, default_identity);
    tcase_add_test(tc, profile_identities);
    tcase_add_test(tc, ids_override_profile);
    tcase_add_loop_test(tc, offers_of_profiles, 0, sizeof(offers) / sizeof(offers[0]));
    tcase_add_loop_test(tc, offers_of_the_reference, 0, sizeof(offers) / sizeof(offers[0]));
    tcase_add_test(tc, coverage_samples);
    tcase_add_test(tc, video_memory);
    tcase_add_loop_test(tc, higher_shader_models_fail, 0, sizeof(models) / sizeof(models[0]));
    tcase_add_loop_test(tc, antialiased_lines_can_be_switched_off, 0, 2);
    tcase_add_loop_test(tc, constants_above_caps_fail, 0, 2);
    tcase_add_test(tc, software_processing_supports_all_models);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
