/* Tests of vertex streams: frequencies, and what unbinding keeps. */
#include "api_test.h"

START_TEST(stream_frequency)
{
    static const struct {
        UINT stream, setting;
        HRESULT result;
        UINT after;
    } steps[] = {
        {0, D3DSTREAMSOURCE_INSTANCEDATA | 1, D3DERR_INVALIDCALL, 1},
        {1, 0, D3DERR_INVALIDCALL, 1},
        {1, 2, D3D_OK, 2},
        {1, D3DSTREAMSOURCE_INDEXEDDATA, D3D_OK, D3DSTREAMSOURCE_INDEXEDDATA},
        {1, D3DSTREAMSOURCE_INSTANCEDATA, D3D_OK, D3DSTREAMSOURCE_INSTANCEDATA},
        {1, D3DSTREAMSOURCE_INSTANCEDATA | D3DSTREAMSOURCE_INDEXEDDATA, D3DERR_INVALIDCALL,
         D3DSTREAMSOURCE_INSTANCEDATA},
    };
    IDirect3DDevice9 *device = create_device();
    UINT setting;

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        RETURNS(IDirect3DDevice9_SetStreamSourceFreq(device, steps[i].stream, steps[i].setting),
                steps[i].result);
        OK(IDirect3DDevice9_GetStreamSourceFreq(device, steps[i].stream, &setting));
        ck_assert_uint_eq(setting, steps[i].after);
    }
    release(device);
}
END_TEST

START_TEST(unbinding_keeps_stride)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexBuffer9 *buffer, *got;
    UINT offset, stride;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, 64, 0, 0, D3DPOOL_MANAGED, &buffer, NULL));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 4, 32));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
    OK(IDirect3DDevice9_GetStreamSource(device, 0, &got, &offset, &stride));
    ck_assert_ptr_null(got);
    ck_assert_uint_eq(offset, 4);
    ck_assert_uint_eq(stride, 32);
    release(buffer);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/bind");
    TCase *tc = tcase_create("bind");

    tcase_add_test(tc, stream_frequency);
    tcase_add_test(tc, unbinding_keeps_stride);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
