/* Tests of mixed vertex processing: shaders beyond the limits of hardware (reference:
 * shader/mixed). */
#include "api_test.h"

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
    Suite *s = suite_create("api/vertex_processing");
    TCase *tc = tcase_create("vertex_processing");

    tcase_add_test(tc, mixed_indexed_constants);
    tcase_add_test(tc, mixed_vertex_processing);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
