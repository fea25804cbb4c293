/* Tests of what the device types offer (reference: device/reference). */
#include "api/adapter/adapter.h"

#include "api_test.h"

static const D3DDEVTYPE types[] = {D3DDEVTYPE_HAL, D3DDEVTYPE_REF, D3DDEVTYPE_SW,
                                   D3DDEVTYPE_NULLREF};

static bool is_reference(D3DDEVTYPE type)
{
    return type == D3DDEVTYPE_REF || type == D3DDEVTYPE_NULLREF;
}

static D3DCAPS9 caps_of(IDirect3D9 *d3d9, D3DDEVTYPE type)
{
    D3DCAPS9 caps;

    OK(IDirect3D9_GetDeviceCaps(d3d9, 0, type, &caps));
    ck_assert_int_eq(caps.DeviceType, type);
    return caps;
}

/* CAPS unset, hardware, reference, and with a vendor's adapter. */
static const struct {
    const char *caps, *adapter;
    bool all;
} settings[] = {
    {NULL, NULL, false},           {"hardware", NULL, false},    {"Reference", NULL, true},
    {NULL, "geforce-8800", false}, {NULL, "radeon-9800", false}, {NULL, "intel-945", false},
};

static IDirect3D9 *create_with(int setting)
{
    if (settings[setting].caps)
        setenv("NOVEM_CAPS", settings[setting].caps, 1);
    if (settings[setting].adapter)
        setenv("NOVEM_ADAPTER", settings[setting].adapter, 1);
    return Direct3DCreate9(D3D_SDK_VERSION);
}

START_TEST(kinds_of_devices)
{
    IDirect3D9 *d3d9 = create_with(_i);

    for (unsigned t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
        struct device_kind kind = api_device_kind(types[t], false);

        ck_assert(!kind.ex);
        ck_assert(api_device_kind(types[t], true).ex);
        ck_assert_int_eq(kind.reference, settings[_i].all || is_reference(types[t]));
        ck_assert_int_eq(api_offers(FEATURE_W_BUFFER, kind), kind.reference);
        ck_assert_int_eq((caps_of(d3d9, types[t]).RasterCaps & D3DPRASTERCAPS_WBUFFER) != 0,
                         kind.reference);
        ck_assert_uint_eq(caps_of(d3d9, types[t]).CubeTextureFilterCaps & 0x18001800,
                          kind.reference ? 0x18001800 : 0);
        ck_assert_uint_eq(caps_of(d3d9, types[t]).VolumeTextureFilterCaps & 0x18001800, 0);
        ck_assert_int_eq((caps_of(d3d9, types[t]).RasterCaps & D3DPRASTERCAPS_DITHER) != 0,
                         kind.reference);
        ck_assert_uint_eq(caps_of(d3d9, types[t]).SrcBlendCaps & 0xc000,
                          kind.reference ? 0xc000 : 0);
        ck_assert_uint_eq(caps_of(d3d9, types[t]).DestBlendCaps & 0xc000,
                          kind.reference ? 0xc000 : 0);
    }
    release(d3d9);
}
END_TEST

/* The members that hold bits: the reference device lacks none of the hardware's. */
START_TEST(reference_has_the_caps_of_hardware)
{
    static const struct {
        size_t at, end;
    } bits[] = {
        {offsetof(D3DCAPS9, Caps), offsetof(D3DCAPS9, MaxTextureWidth)},
        {offsetof(D3DCAPS9, StencilCaps), offsetof(D3DCAPS9, MaxTextureBlendStages)},
        {offsetof(D3DCAPS9, VertexProcessingCaps), offsetof(D3DCAPS9, MaxActiveLights)},
        {offsetof(D3DCAPS9, DevCaps2), offsetof(D3DCAPS9, MaxNpatchTessellationLevel)},
        {offsetof(D3DCAPS9, DeclTypes), offsetof(D3DCAPS9, NumSimultaneousRTs)},
    };
    IDirect3D9 *d3d9 = create_with(_i);
    D3DCAPS9 hal = caps_of(d3d9, D3DDEVTYPE_HAL), ref = caps_of(d3d9, D3DDEVTYPE_REF);

    for (unsigned range = 0; range < sizeof(bits) / sizeof(bits[0]); range++) {
        for (size_t at = bits[range].at; at < bits[range].end; at += sizeof(DWORD)) {
            DWORD of_hal, of_ref;

            memcpy(&of_hal, (char *)&hal + at, sizeof(of_hal));
            memcpy(&of_ref, (char *)&ref + at, sizeof(of_ref));
            ck_assert_msg(!(of_hal & ~of_ref), "offset %u", (unsigned)at);
        }
    }
    ck_assert_uint_ge(ref.MaxTextureWidth, hal.MaxTextureWidth);
    ck_assert_uint_ge(ref.MaxActiveLights, hal.MaxActiveLights);
    release(d3d9);
}
END_TEST

/* A device has the caps that its type was asked for. */
START_TEST(devices_have_the_caps_of_their_type)
{
    IDirect3D9 *d3d9 = create_with(0);
    D3DPRESENT_PARAMETERS p = test_parameters();
    D3DCAPS9 want = caps_of(d3d9, types[_i]), have;
    IDirect3DDevice9 *device;

    OK(IDirect3D9_CreateDevice(d3d9, 0, types[_i], NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p,
                               &device));
    OK(IDirect3DDevice9_GetDeviceCaps(device, &have));
    ck_assert_mem_eq(&want, &have, sizeof(want));
    release(device);
    release(d3d9);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/features");
    TCase *tc = tcase_create("features");

    tcase_add_loop_test(tc, kinds_of_devices, 0, sizeof(settings) / sizeof(settings[0]));
    tcase_add_loop_test(tc, reference_has_the_caps_of_hardware, 0, 3);
    tcase_add_loop_test(tc, devices_have_the_caps_of_their_type, 0, 4);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
