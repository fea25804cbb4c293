/* Tests what devices offer of N-patches and displacement maps, and that the mode follows state
 * blocks and Reset (reference: tessellation/n-patches, tessellation/displacement-maps). */
#include "api_test.h"

static IDirect3D9 *d3d9;
static IDirect3DDevice9 *device;

static void open_type(D3DDEVTYPE type)
{
    D3DPRESENT_PARAMETERS p = test_parameters();

    d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    OK(IDirect3D9_CreateDevice(d3d9, 0, type, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p,
                               &device));
}

static void open_reference(void)
{
    open_type(D3DDEVTYPE_REF);
}

static void close_device(void)
{
    release(device);
    release(d3d9);
}

/* Points that a triangle gives: three for each of the triangles that it becomes. */
static DWORD points(void)
{
    static const float vertices[3][3] = {{-0.5f, -0.5f, 0}, {-0.5f, 0.5f, 0}, {0.5f, 0.5f, 0}};
    IDirect3DQuery9 *query;
    DWORD samples;

    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_FILLMODE, D3DFILL_POINT));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &query));
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, vertices, 12));
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_END));
    while (IDirect3DQuery9_GetData(query, &samples, sizeof(samples), D3DGETDATA_FLUSH) == S_FALSE)
        ;
    release(query);
    return samples;
}

static void set_mode(float segments)
{
    OK(IDirect3DDevice9_SetNPatchMode(device, segments));
}

START_TEST(caps)
{
    const DWORD maps = D3DDEVCAPS2_DMAPNPATCH | D3DDEVCAPS2_PRESAMPLEDDMAPNPATCH;
    const DWORD adaptive = D3DDEVCAPS2_ADAPTIVETESSNPATCH;
    D3DCAPS9 hal, ref;

    OK(IDirect3D9_GetDeviceCaps(d3d9, 0, D3DDEVTYPE_HAL, &hal));
    OK(IDirect3DDevice9_GetDeviceCaps(device, &ref));
    ck_assert(ref.DevCaps & D3DDEVCAPS_NPATCHES);
    ck_assert_uint_eq(ref.DevCaps2 & (maps | adaptive), maps | adaptive);
    ck_assert(ref.MaxNpatchTessellationLevel == 64.0f);
    ck_assert(!(hal.DevCaps & D3DDEVCAPS_NPATCHES) && !(hal.DevCaps2 & (maps | adaptive)));
    ck_assert(hal.MaxNpatchTessellationLevel == 0.0f);
}
END_TEST

static HRESULT ask(D3DDEVTYPE type, D3DRESOURCETYPE resource, D3DFORMAT format)
{
    return IDirect3D9_CheckDeviceFormat(d3d9, 0, type, D3DFMT_X8R8G8B8, D3DUSAGE_DMAP, resource,
                                        format);
}

START_TEST(formats_of_displacement_maps)
{
    OK(ask(D3DDEVTYPE_REF, D3DRTYPE_TEXTURE, D3DFMT_L8));
    OK(ask(D3DDEVTYPE_REF, D3DRTYPE_TEXTURE, D3DFMT_L16));
    OK(ask(D3DDEVTYPE_REF, D3DRTYPE_TEXTURE, D3DFMT_R32F));
    RETURNS(ask(D3DDEVTYPE_HAL, D3DRTYPE_TEXTURE, D3DFMT_R32F), D3DERR_NOTAVAILABLE);
    RETURNS(ask(D3DDEVTYPE_REF, D3DRTYPE_TEXTURE, D3DFMT_D24S8), D3DERR_NOTAVAILABLE);
    RETURNS(ask(D3DDEVTYPE_REF, D3DRTYPE_CUBETEXTURE, D3DFMT_R32F), D3DERR_NOTAVAILABLE);
    RETURNS(ask(D3DDEVTYPE_REF, D3DRTYPE_VOLUMETEXTURE, D3DFMT_R32F), D3DERR_NOTAVAILABLE);
    RETURNS(ask(D3DDEVTYPE_REF, D3DRTYPE_SURFACE, D3DFMT_R32F), D3DERR_NOTAVAILABLE);
}
END_TEST

static HRESULT create(DWORD usage, D3DFORMAT format)
{
    IDirect3DTexture9 *texture = NULL;
    HRESULT hr = IDirect3DDevice9_CreateTexture(device, 8, 8, 1, usage, format, D3DPOOL_DEFAULT,
                                                &texture, NULL);

    if (SUCCEEDED(hr))
        release(texture);
    return hr;
}

START_TEST(creation_of_displacement_maps)
{
    IDirect3DCubeTexture9 *cube;

    OK(create(D3DUSAGE_DMAP, D3DFMT_R32F));
    OK(create(D3DUSAGE_DMAP | D3DUSAGE_RENDERTARGET, D3DFMT_R32F));
    REFUSED(create(D3DUSAGE_DMAP, D3DFMT_D16));
    REFUSED(IDirect3DDevice9_CreateCubeTexture(device, 8, 1, D3DUSAGE_DMAP, D3DFMT_R32F,
                                               D3DPOOL_DEFAULT, &cube, NULL));
    close_device();
    open_type(D3DDEVTYPE_HAL);
    REFUSED(create(D3DUSAGE_DMAP, D3DFMT_R32F));
}
END_TEST

START_TEST(mode_of_a_recorded_block)
{
    IDirect3DStateBlock9 *block, *all;

    set_mode(3.0f);
    ck_assert_uint_eq(points(), 27);
    OK(IDirect3DDevice9_BeginStateBlock(device));
    set_mode(2.0f);
    OK(IDirect3DDevice9_EndStateBlock(device, &block));
    ck_assert(IDirect3DDevice9_GetNPatchMode(device) == 3.0f);
    ck_assert_uint_eq(points(), 27);
    OK(IDirect3DDevice9_CreateStateBlock(device, D3DSBT_ALL, &all));
    OK(IDirect3DStateBlock9_Apply(block));
    ck_assert(IDirect3DDevice9_GetNPatchMode(device) == 2.0f);
    ck_assert_uint_eq(points(), 12);
    OK(IDirect3DStateBlock9_Apply(all));
    ck_assert_uint_eq(points(), 27);
    release(block);
    release(all);
}
END_TEST

START_TEST(reset_turns_it_off)
{
    D3DPRESENT_PARAMETERS p = test_parameters();

    set_mode(2.0f);
    ck_assert_uint_eq(points(), 12);
    OK(IDirect3DDevice9_Reset(device, &p));
    ck_assert(IDirect3DDevice9_GetNPatchMode(device) == 0.0f);
    ck_assert_uint_eq(points(), 3);
}
END_TEST

/* Hardware keeps what is set. */
START_TEST(hardware_has_no_tessellator)
{
    close_device();
    open_type(D3DDEVTYPE_HAL);
    set_mode(2.0f);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ENABLEADAPTIVETESSELLATION, TRUE));
    ck_assert(IDirect3DDevice9_GetNPatchMode(device) == 2.0f);
    ck_assert_uint_eq(points(), 3);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/tessellation");
    TCase *tc = tcase_create("tessellation");

    tcase_add_checked_fixture(tc, open_reference, close_device);
    tcase_add_test(tc, caps);
    tcase_add_test(tc, formats_of_displacement_maps);
    tcase_add_test(tc, creation_of_displacement_maps);
    tcase_add_test(tc, mode_of_a_recorded_block);
    tcase_add_test(tc, reset_turns_it_off);
    tcase_add_test(tc, hardware_has_no_tessellator);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
