/* Tests of transforms, materials and clip planes: valid arguments, Get calls, and state blocks. */
#include "api_test.h"

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

START_TEST(clip_planes_share_the_last)
{
    IDirect3DDevice9 *device = create_device();
    float plane[4] = {2, 8, 5};
    D3DCAPS9 caps;

    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    for (DWORD i = 0; i < 64; i++) {
        plane[3] = (float)i;
        OK(IDirect3DDevice9_SetClipPlane(device, i, plane));
    }
    for (DWORD i = 0; i < 64; i++) {
        OK(IDirect3DDevice9_GetClipPlane(device, i, plane));
        ck_assert_float_eq(plane[3], i < caps.MaxUserClipPlanes - 1 ? (float)i : 63.0f);
    }
    release(device);
}
END_TEST

/* All 0 initially; any bits are stored; NULL is refused. */
START_TEST(clip_planes_store_any_bits)
{
    IDirect3DDevice9 *device = create_device();
    const DWORD odd[4] = {0x7fc00001, 0xff800000, 0x00000001, 0x80000000};
    DWORD got[4];

    for (DWORD i = 0; i < 8; i++) {
        memset(got, 0xff, sizeof(got));
        OK(IDirect3DDevice9_GetClipPlane(device, i, (float *)got));
        ck_assert(!got[0] && !got[1] && !got[2] && !got[3]);
    }
    OK(IDirect3DDevice9_SetClipPlane(device, 2, (const float *)odd));
    OK(IDirect3DDevice9_GetClipPlane(device, 2, (float *)got));
    ck_assert_mem_eq(got, odd, sizeof(odd));
    OK(IDirect3DDevice9_GetClipPlane(device, 1, (float *)got));
    ck_assert(!got[0] && !got[3]);
    ck_assert_int_eq(IDirect3DDevice9_SetClipPlane(device, 2, NULL), D3DERR_INVALIDCALL);
    ck_assert_int_eq(IDirect3DDevice9_GetClipPlane(device, 2, NULL), D3DERR_INVALIDCALL);
    OK(IDirect3DDevice9_GetClipPlane(device, 2, (float *)got));
    ck_assert_mem_eq(got, odd, sizeof(odd));
    release(device);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/transform");
    TCase *tc = tcase_create("transform");

    tcase_add_test(tc, materials);
    tcase_add_test(tc, transforms);
    tcase_add_test(tc, multiply_order);
    tcase_add_loop_test(tc, transforms_in_blocks, 0, 2);
    tcase_add_test(tc, clip_planes_share_the_last);
    tcase_add_test(tc, clip_planes_store_any_bits);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
