/* Tests of lights, materials and transforms: valid arguments, Get calls, and state blocks. */
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

START_TEST(materials)
{
    static const D3DMATERIAL9 zero;
    IDirect3DDevice9 *device = create_device();
    D3DMATERIAL9 material, got;

    OK(IDirect3DDevice9_GetMaterial(device, &got));
    ck_assert_mem_eq(&got, &zero, sizeof(got));
    REFUSED(IDirect3DDevice9_SetMaterial(device, NULL));
    REFUSED(IDirect3DDevice9_GetMaterial(device, NULL));
    memset(&material, 0xff, sizeof(material)); /* NaN everywhere */
    material.Power = -3.0f;
    OK(IDirect3DDevice9_SetMaterial(device, &material));
    OK(IDirect3DDevice9_GetMaterial(device, &got));
    ck_assert_mem_eq(&got, &material, sizeof(got));
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* Each transform has its own storage; numbers between the documented ones are invalid. */
START_TEST(transforms)
{
    static const unsigned known[] = {2, 3, 16, 17, 22, 23, 256, 257, 511},
                          unknown[] = {0, 1, 4, 5, 15, 24, 255, 512, 0x80000000, 0xffffffff};
    IDirect3DDevice9 *device = create_device();
    D3DMATRIX identity = {.m = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}}, m, got;

    for (unsigned i = 0; i < 9; i++) {
        D3DTRANSFORMSTATETYPE type = (D3DTRANSFORMSTATETYPE)known[i];

        OK(IDirect3DDevice9_GetTransform(device, type, &got));
        ck_assert_mem_eq(&got, &identity, sizeof(got));
        REFUSED(IDirect3DDevice9_SetTransform(device, type, NULL));
        REFUSED(IDirect3DDevice9_GetTransform(device, type, NULL));
        REFUSED(IDirect3DDevice9_MultiplyTransform(device, type, NULL));
        memset(&m, (int)i, sizeof(m));
        OK(IDirect3DDevice9_SetTransform(device, type, &m));
    }
    for (unsigned i = 0; i < 10; i++) {
        D3DTRANSFORMSTATETYPE type = (D3DTRANSFORMSTATETYPE)unknown[i];

        REFUSED(IDirect3DDevice9_SetTransform(device, type, &identity));
        REFUSED(IDirect3DDevice9_MultiplyTransform(device, type, &identity));
        memset(&got, 0x33, sizeof(got));
        m = got;
        REFUSED(IDirect3DDevice9_GetTransform(device, type, &got));
        ck_assert_mem_eq(&got, &m, sizeof(got));
    }
    for (unsigned i = 0; i < 9; i++) {
        memset(&m, (int)i, sizeof(m));
        OK(IDirect3DDevice9_GetTransform(device, (D3DTRANSFORMSTATETYPE)known[i], &got));
        ck_assert_mem_eq(&got, &m, sizeof(got));
    }
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* New matrix = argument * current: row vectors pass through the argument first. */
START_TEST(multiply_order)
{
    D3DMATRIX a = {.m = {{1, 2, 0, 0}, {0, 1, 0, 3}, {0, 0, 1, 0}, {5, 0, 0, 1}}};
    D3DMATRIX b = {.m = {{0, 1, 0, 0}, {2, 0, 0, 0}, {0, 0, 3, 1}, {0, 4, 0, 1}}}, got;
    IDirect3DDevice9 *device = create_device();

    OK(IDirect3DDevice9_SetTransform(device, D3DTS_TEXTURE3, &a));
    OK(IDirect3DDevice9_MultiplyTransform(device, D3DTS_TEXTURE3, &b));
    OK(IDirect3DDevice9_GetTransform(device, D3DTS_TEXTURE3, &got));
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = 0; j < 4; j++) {
            float sum = 0.0f;

            for (unsigned k = 0; k < 4; k++)
                sum += b.m[i][k] * a.m[k][j];
            ck_assert_float_eq(got.m[i][j], sum);
        }
    }
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* --- State blocks ----------------------------------------------------------------------------- */

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

/* All kinds of transforms, in recorded blocks and in blocks of D3DSBT_ALL. */
START_TEST(transforms_in_blocks)
{
    static const unsigned which[] = {
        D3DTS_VIEW, D3DTS_PROJECTION, D3DTS_TEXTURE0, D3DTS_TEXTURE7, 256, 511};
    IDirect3DDevice9 *device = create_device();
    IDirect3DStateBlock9 *block;
    D3DMATRIX first = {.m = {{2, 3, 4, 5}}}, second = {.m = {{6, 7}, {8}}}, got;

    if (_i)
        OK(IDirect3DDevice9_BeginStateBlock(device));
    for (unsigned i = 0; i < 6; i++)
        OK(IDirect3DDevice9_SetTransform(device, (D3DTRANSFORMSTATETYPE)which[i], &first));
    REFUSED(IDirect3DDevice9_SetTransform(device, (D3DTRANSFORMSTATETYPE)24, &first));
    if (_i)
        OK(IDirect3DDevice9_EndStateBlock(device, &block));
    else
        OK(IDirect3DDevice9_CreateStateBlock(device, D3DSBT_ALL, &block));
    for (unsigned i = 0; i < 6; i++)
        OK(IDirect3DDevice9_SetTransform(device, (D3DTRANSFORMSTATETYPE)which[i], &second));
    OK(IDirect3DDevice9_SetTransform(device, D3DTS_TEXTURE3, &second));
    OK(IDirect3DStateBlock9_Apply(block));
    for (unsigned i = 0; i < 6; i++) {
        OK(IDirect3DDevice9_GetTransform(device, (D3DTRANSFORMSTATETYPE)which[i], &got));
        ck_assert_mem_eq(&got, &first, sizeof(got));
    }
    OK(IDirect3DDevice9_GetTransform(device, D3DTS_TEXTURE3, &got));
    ck_assert_float_eq(got.m[1][0], _i ? 8.0f : 0.0f); /* only a block of D3DSBT_ALL contains it */
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
    tcase_add_test(tc, materials);
    tcase_add_test(tc, transforms);
    tcase_add_test(tc, multiply_order);
    tcase_add_test(tc, lights_in_recorded_blocks);
    tcase_add_loop_test(tc, lights_in_created_blocks, 0, 2);
    tcase_add_test(tc, new_lights_in_recorded_blocks);
    tcase_add_loop_test(tc, transforms_in_blocks, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
