/* Tests of lights: valid arguments, Get calls, and state blocks. */
#include "api_test.h"

#include <math.h>

START_TEST(lights)
{
    IDirect3DDevice9 *device = create_device();
    D3DLIGHT9 light;
    BOOL enabled = 77;

    REFUSED(IDirect3DDevice9_GetLight(device, 5, &light));
    REFUSED(IDirect3DDevice9_GetLightEnable(device, 5, &enabled));
    ck_assert_int_eq(enabled, 77);
    OK(IDirect3DDevice9_LightEnable(device, 5, TRUE));
    OK(IDirect3DDevice9_GetLightEnable(device, 5, &enabled));
    ck_assert_int_eq(enabled, 128);
    OK(IDirect3DDevice9_GetLight(device, 5, &light));
    ck_assert_int_eq(light.Type, D3DLIGHT_DIRECTIONAL);
    ck_assert_float_eq(light.Diffuse.g, 1.0f);
    ck_assert_float_eq(light.Diffuse.a, 0.0f);
    ck_assert_float_eq(light.Direction.z, 1.0f);
    for (DWORD i = 40; i-- > 0;) /* above the limit of the caps, in descending order */
        OK(IDirect3DDevice9_LightEnable(device, i * 1000, TRUE));
    for (DWORD i = 0; i < 40; i++) {
        OK(IDirect3DDevice9_GetLightEnable(device, i * 1000, &enabled));
        ck_assert_int_eq(enabled, 128);
    }
    OK(IDirect3DDevice9_LightEnable(device, 0, FALSE));
    OK(IDirect3DDevice9_GetLightEnable(device, 0, &enabled));
    ck_assert_int_eq(enabled, 0);
    release(device);
}
END_TEST

/* SetLight stores its argument bit by bit, for any index (reference: lights/indices). */
START_TEST(odd_lights)
{
    static const DWORD index[] = {0, 7, 8, 70000, 0x7fffffff, 0xffffffff};
    IDirect3DDevice9 *device = create_device();
    D3DLIGHT9 light, got;
    BOOL enabled;

    REFUSED(IDirect3DDevice9_SetLight(device, 0, NULL));
    REFUSED(IDirect3DDevice9_GetLight(device, 0, &got));
    for (unsigned i = 0; i < 6; i++) {
        memset(&light, 0, sizeof(light));
        light.Type = (D3DLIGHTTYPE)(i * 3); /* 0, 3 and undefined types */
        light.Range = -1.0f;
        light.Attenuation0 = -(float)i;
        light.Attenuation2 = NAN;
        light.Falloff = -INFINITY;
        light.Theta = 12.0f;
        light.Specular.a = 1e30f;
        OK(IDirect3DDevice9_SetLight(device, index[i], &light));
        memset(&got, 0x55, sizeof(got));
        OK(IDirect3DDevice9_GetLight(device, index[i], &got));
        ck_assert_mem_eq(&got, &light, sizeof(got));
        OK(IDirect3DDevice9_GetLightEnable(device, index[i], &enabled));
        ck_assert_int_eq(enabled, 0);
        OK(IDirect3DDevice9_LightEnable(device, index[i], 7)); /* any TRUE */
        OK(IDirect3DDevice9_GetLightEnable(device, index[i], &enabled));
        ck_assert_int_eq(enabled, 128);
    }
    REFUSED(IDirect3DDevice9_GetLight(device, 0, NULL));
    REFUSED(IDirect3DDevice9_GetLightEnable(device, 0, NULL));
    REFUSED(IDirect3DDevice9_GetLight(device, 1, &got));
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* A block that recorded LightEnable alone keeps the light's parameters. */
START_TEST(lights_in_recorded_blocks)
{
    D3DLIGHT9 spot = {.Type = D3DLIGHT_SPOT, .Range = 7.0f}, got;
    IDirect3DDevice9 *device = create_device();
    IDirect3DStateBlock9 *block;
    BOOL enabled;

    OK(IDirect3DDevice9_SetLight(device, 2, &spot));
    OK(IDirect3DDevice9_BeginStateBlock(device));
    OK(IDirect3DDevice9_LightEnable(device, 2, TRUE));
    OK(IDirect3DDevice9_EndStateBlock(device, &block));
    OK(IDirect3DStateBlock9_Apply(block));
    OK(IDirect3DDevice9_GetLight(device, 2, &got));
    ck_assert_int_eq(got.Type, D3DLIGHT_SPOT);
    OK(IDirect3DDevice9_GetLightEnable(device, 2, &enabled));
    ck_assert_int_eq(enabled, 128);
    release(block);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static BOOL light_enabled(IDirect3DDevice9 *device, DWORD index)
{
    BOOL enabled = 99;

    OK(IDirect3DDevice9_GetLightEnable(device, index, &enabled));
    return enabled;
}

/* Created blocks restore lights completely: their enable flag, and lights of any index. */
START_TEST(lights_in_created_blocks)
{
    static const D3DSTATEBLOCKTYPE types[] = {D3DSBT_ALL, D3DSBT_VERTEXSTATE};
    D3DLIGHT9 spot = {.Type = D3DLIGHT_SPOT, .Range = 7.0f};
    D3DLIGHT9 point = {.Type = D3DLIGHT_POINT, .Range = 9.0f}, got;
    IDirect3DDevice9 *device = create_device();
    IDirect3DStateBlock9 *block;

    OK(IDirect3DDevice9_SetLight(device, 50000, &spot));
    OK(IDirect3DDevice9_SetLight(device, 1, &point));
    OK(IDirect3DDevice9_LightEnable(device, 1, TRUE));
    OK(IDirect3DDevice9_CreateStateBlock(device, types[_i], &block));
    OK(IDirect3DDevice9_SetLight(device, 50000, &point));
    OK(IDirect3DDevice9_LightEnable(device, 50000, TRUE));
    OK(IDirect3DDevice9_LightEnable(device, 1, FALSE));
    OK(IDirect3DStateBlock9_Apply(block));
    OK(IDirect3DDevice9_GetLight(device, 50000, &got));
    ck_assert_mem_eq(&got, &spot, sizeof(got));
    ck_assert_int_eq(light_enabled(device, 50000), 0);
    ck_assert_int_eq(light_enabled(device, 1), 128);
    release(block);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* Apply creates a recorded light whose index the device lacks. NULL and a second SetLight behave as
 * without recording. */
START_TEST(new_lights_in_recorded_blocks)
{
    D3DLIGHT9 spot = {.Type = D3DLIGHT_SPOT, .Range = 7.0f};
    D3DLIGHT9 point = {.Type = D3DLIGHT_POINT, .Range = 9.0f}, got;
    IDirect3DDevice9 *device = create_device();
    IDirect3DStateBlock9 *block;
    BOOL enabled;

    OK(IDirect3DDevice9_BeginStateBlock(device));
    REFUSED(IDirect3DDevice9_SetLight(device, 3, NULL));
    OK(IDirect3DDevice9_SetLight(device, 3, &spot));
    OK(IDirect3DDevice9_SetLight(device, 3, &point));
    OK(IDirect3DDevice9_LightEnable(device, 4, TRUE));
    OK(IDirect3DDevice9_EndStateBlock(device, &block));
    REFUSED(IDirect3DDevice9_GetLight(device, 3, &got));
    REFUSED(IDirect3DDevice9_GetLightEnable(device, 4, &enabled));
    OK(IDirect3DStateBlock9_Apply(block));
    OK(IDirect3DDevice9_GetLight(device, 3, &got));
    ck_assert_mem_eq(&got, &point, sizeof(got));
    ck_assert_int_eq(light_enabled(device, 3), 0);
    OK(IDirect3DDevice9_GetLight(device, 4, &got));
    ck_assert_int_eq(got.Type, D3DLIGHT_DIRECTIONAL); /* the default light */
    ck_assert_float_eq(got.Diffuse.r, 1.0f);
    ck_assert_int_eq(light_enabled(device, 4), 128);

    /* Capture reads only what the block contains. */
    OK(IDirect3DDevice9_SetLight(device, 3, &spot));
    OK(IDirect3DDevice9_LightEnable(device, 3, TRUE));
    OK(IDirect3DDevice9_LightEnable(device, 4, FALSE));
    OK(IDirect3DStateBlock9_Capture(block));
    OK(IDirect3DDevice9_SetLight(device, 3, &point));
    OK(IDirect3DDevice9_LightEnable(device, 3, FALSE));
    OK(IDirect3DDevice9_LightEnable(device, 4, TRUE));
    OK(IDirect3DStateBlock9_Apply(block));
    OK(IDirect3DDevice9_GetLight(device, 3, &got));
    ck_assert_mem_eq(&got, &spot, sizeof(got));
    ck_assert_int_eq(light_enabled(device, 3), 0);
    ck_assert_int_eq(light_enabled(device, 4), 0);
    release(block);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/lights");
    TCase *tc = tcase_create("lights");

    tcase_add_test(tc, lights);
    tcase_add_test(tc, odd_lights);
    tcase_add_test(tc, lights_in_recorded_blocks);
    tcase_add_loop_test(tc, lights_in_created_blocks, 0, 2);
    tcase_add_test(tc, new_lights_in_recorded_blocks);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
