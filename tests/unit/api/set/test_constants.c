/* Tests of shader constants: the registers of each kind of vertex processing. */
#include "api_test.h"

START_TEST(constant_limits)
{
    static const struct {
        DWORD flags;
        UINT registers, reported;
    } kinds[] = {{D3DCREATE_HARDWARE_VERTEXPROCESSING, 256, 256},
                 {D3DCREATE_SOFTWARE_VERTEXPROCESSING, 8192, 8192},
                 {D3DCREATE_MIXED_VERTEXPROCESSING, 8192, 256}};
    IDirect3DDevice9 *device = create_device_flags(kinds[_i].flags);
    float data[16] = {1, 2, 3, 4}, back[4];
    UINT n = kinds[_i].registers;
    D3DCAPS9 caps;

    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    ck_assert_uint_eq(caps.MaxVertexShaderConst, kinds[_i].reported);
    OK(IDirect3DDevice9_SetVertexShaderConstantF(device, n - 1, data, 1));
    OK(IDirect3DDevice9_GetVertexShaderConstantF(device, n - 1, back, 1));
    ck_assert_mem_eq(back, data, sizeof(back));
    REFUSED(IDirect3DDevice9_SetVertexShaderConstantF(device, n, data, 1));
    REFUSED(IDirect3DDevice9_SetVertexShaderConstantF(device, n - 1, data, 4));
    REFUSED(IDirect3DDevice9_SetVertexShaderConstantF(device, 0xffffffff, data, 1));
    REFUSED(IDirect3DDevice9_SetVertexShaderConstantF(device, 1, data, 0xffffffff));
    OK(IDirect3DDevice9_SetPixelShaderConstantF(device, 223, data, 1));
    REFUSED(IDirect3DDevice9_SetPixelShaderConstantF(device, 224, data, 1));
    REFUSED(IDirect3DDevice9_SetPixelShaderConstantF(device, 223, data, 4));
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/constants");
    TCase *tc = tcase_create("constants");

    tcase_add_loop_test(tc, constant_limits, 0, 3);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
