/* Tests of state blocks: what created and recorded blocks contain. */
#include "api_test.h"

/* States of vertex state, of pixel state and of neither, with two values each. */
struct values {
    DWORD cull, zfunc, fog_start;
    float vs_constant, ps_constant, material;
    D3DMATRIX view;
    IDirect3DTexture9 *texture;
    BOOL light;
    UINT frequency, palette;
};

static void write_values(IDirect3DDevice9 *device, const struct values *v)
{
    float c[4] = {v->vs_constant};
    D3DMATERIAL9 material = {.Power = v->material};

    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, v->cull));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZFUNC, v->zfunc));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_FOGSTART, v->fog_start));
    OK(IDirect3DDevice9_SetVertexShaderConstantF(device, 7, c, 1));
    c[0] = v->ps_constant;
    OK(IDirect3DDevice9_SetPixelShaderConstantF(device, 7, c, 1));
    OK(IDirect3DDevice9_SetMaterial(device, &material));
    OK(IDirect3DDevice9_SetTransform(device, D3DTS_VIEW, &v->view));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)v->texture));
    OK(IDirect3DDevice9_LightEnable(device, 0, v->light));
    OK(IDirect3DDevice9_SetStreamSourceFreq(device, 1, v->frequency));
    OK(IDirect3DDevice9_SetCurrentTexturePalette(device, v->palette));
}

/* vertex, pixel, rest: the expected values of each group. */
static void check_values(IDirect3DDevice9 *device, const struct values *vertex,
                         const struct values *pixel, const struct values *rest)
{
    IDirect3DBaseTexture9 *texture;
    D3DMATERIAL9 material;
    D3DMATRIX view;
    DWORD value;
    BOOL enabled;
    float c[4];
    UINT number;

    OK(IDirect3DDevice9_GetRenderState(device, D3DRS_CULLMODE, &value));
    ck_assert_uint_eq(value, vertex->cull);
    OK(IDirect3DDevice9_GetRenderState(device, D3DRS_ZFUNC, &value));
    ck_assert_uint_eq(value, pixel->zfunc);
    OK(IDirect3DDevice9_GetVertexShaderConstantF(device, 7, c, 1));
    ck_assert_float_eq(c[0], vertex->vs_constant);
    OK(IDirect3DDevice9_GetPixelShaderConstantF(device, 7, c, 1));
    ck_assert_float_eq(c[0], pixel->ps_constant);
    OK(IDirect3DDevice9_GetLightEnable(device, 0, &enabled));
    ck_assert_int_eq(enabled != 0, vertex->light);
    OK(IDirect3DDevice9_GetStreamSourceFreq(device, 1, &number));
    ck_assert_uint_eq(number, vertex->frequency);
    OK(IDirect3DDevice9_GetCurrentTexturePalette(device, &number));
    ck_assert_uint_eq(number, rest->palette);
    OK(IDirect3DDevice9_GetMaterial(device, &material));
    ck_assert_float_eq(material.Power, rest->material);
    OK(IDirect3DDevice9_GetTransform(device, D3DTS_VIEW, &view));
    ck_assert_mem_eq(&view, &rest->view, sizeof(view));
    OK(IDirect3DDevice9_GetTexture(device, 0, &texture));
    ck_assert_ptr_eq(texture, rest->texture);
    if (texture)
        release(texture);
}

static void make_values(IDirect3DDevice9 *device, struct values *a, struct values *b)
{
    *a = (struct values){
        D3DCULL_CCW, D3DCMP_LESSEQUAL, 0, 0, 0, 0, {.m = {{1}, {2}, {3}, {4}}}, NULL, FALSE, 1, 2};
    *b = (struct values){
        D3DCULL_CW, D3DCMP_GREATER, 0x40000000, 3, 4, 5, {.m = {{5}, {6}, {7}, {8}}},
        NULL,       TRUE,           5,          9};
    OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED,
                                      &b->texture, NULL));
}

START_TEST(created_block)
{
    static const D3DSTATEBLOCKTYPE types[] = {D3DSBT_ALL, D3DSBT_VERTEXSTATE, D3DSBT_PIXELSTATE};
    IDirect3DDevice9 *device = create_device();
    bool has_vertex = types[_i] != D3DSBT_PIXELSTATE, has_pixel = types[_i] != D3DSBT_VERTEXSTATE;
    IDirect3DStateBlock9 *block;
    struct values a, b;

    make_values(device, &a, &b);
    write_values(device, &b);
    OK(IDirect3DDevice9_CreateStateBlock(device, types[_i], &block));
    write_values(device, &a);
    OK(IDirect3DStateBlock9_Apply(block));
    check_values(device, has_vertex ? &b : &a, has_pixel ? &b : &a,
                 types[_i] == D3DSBT_ALL ? &b : &a);

    /* Captured again at the other values. */
    write_values(device, &a);
    OK(IDirect3DStateBlock9_Capture(block));
    check_values(device, &a, &a, &a);
    write_values(device, &b);
    OK(IDirect3DStateBlock9_Apply(block));
    check_values(device, has_vertex ? &a : &b, has_pixel ? &a : &b,
                 types[_i] == D3DSBT_ALL ? &a : &b);
    write_values(device, &a);
    release(block);
    ck_assert_uint_eq(release(b.texture), 0);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(recorded_block)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DStateBlock9 *block, *other;
    struct values a, b;

    make_values(device, &a, &b);
    write_values(device, &a);
    OK(IDirect3DDevice9_CreateStateBlock(device, D3DSBT_ALL, &other));
    OK(IDirect3DDevice9_BeginStateBlock(device));
    REFUSED(IDirect3DDevice9_BeginStateBlock(device));
    REFUSED(IDirect3DStateBlock9_Apply(other));
    REFUSED(IDirect3DStateBlock9_Capture(other));
    write_values(device, &b);
    check_values(device, &a, &a, &a); /* recording does not change the device */
    OK(IDirect3DDevice9_EndStateBlock(device, &block));
    check_values(device, &a, &a, &a);
    OK(IDirect3DStateBlock9_Apply(block));
    check_values(device, &b, &b, &b);
    OK(IDirect3DStateBlock9_Capture(block));
    write_values(device, &a);
    OK(IDirect3DStateBlock9_Apply(block));
    check_values(device, &b, &b, &b);
    release(other);
    release(block);
    write_values(device, &a);
    release(b.texture);
    block = (IDirect3DStateBlock9 *)0x1234;
    REFUSED(IDirect3DDevice9_EndStateBlock(device, &block));
    ck_assert_ptr_eq(block, (void *)0x1234);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* A light that the device does not have is captured as a light of the defaults that is off
 * (reference: state-blocks/lights). */
START_TEST(missing_lights)
{
    IDirect3DDevice9 *device = create_device();
    D3DLIGHT9 light = {.Type = D3DLIGHT_POINT, .Range = 5.0f}, got;
    IDirect3DStateBlock9 *block;
    BOOL enabled;

    OK(IDirect3DDevice9_BeginStateBlock(device));
    OK(IDirect3DDevice9_LightEnable(device, 2, TRUE));
    OK(IDirect3DDevice9_SetLight(device, 3, &light));
    OK(IDirect3DDevice9_EndStateBlock(device, &block));
    OK(IDirect3DStateBlock9_Capture(block));
    REFUSED(IDirect3DDevice9_GetLightEnable(device, 2, &enabled)); /* Capture creates no light */
    for (DWORD i = 2; i < 4; i++) {
        OK(IDirect3DDevice9_SetLight(device, i, &light));
        OK(IDirect3DDevice9_LightEnable(device, i, TRUE));
    }
    OK(IDirect3DStateBlock9_Apply(block));
    OK(IDirect3DDevice9_GetLightEnable(device, 2, &enabled));
    ck_assert_int_eq(enabled, 0);
    OK(IDirect3DDevice9_GetLight(device, 2, &got));
    ck_assert_mem_eq(&got, &light, sizeof(got)); /* LightEnable alone records no parameters */
    OK(IDirect3DDevice9_GetLightEnable(device, 3, &enabled));
    ck_assert_int_eq(enabled, 128); /* nor does SetLight record whether the light is on */
    OK(IDirect3DDevice9_GetLight(device, 3, &got));
    ck_assert_int_eq(got.Type, D3DLIGHT_DIRECTIONAL);
    ck_assert_float_eq(got.Diffuse.r, 1.0f);
    ck_assert_float_eq(got.Direction.z, 1.0f);
    ck_assert_float_eq(got.Range, 0.0f);

    /* Captured with the lights, the block holds theirs. */
    OK(IDirect3DDevice9_SetLight(device, 3, &light));
    OK(IDirect3DDevice9_LightEnable(device, 2, TRUE));
    OK(IDirect3DStateBlock9_Capture(block));
    OK(IDirect3DDevice9_LightEnable(device, 2, FALSE));
    OK(IDirect3DStateBlock9_Apply(block));
    OK(IDirect3DDevice9_GetLightEnable(device, 2, &enabled));
    ck_assert_int_eq(enabled, 128);
    OK(IDirect3DDevice9_GetLight(device, 3, &got));
    ck_assert_mem_eq(&got, &light, sizeof(got));
    release(block);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* A created block holds the lights of its last Capture; later ones stay as they are. */
START_TEST(lights_of_created_blocks)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DStateBlock9 *block;
    BOOL enabled;

    OK(IDirect3DDevice9_CreateStateBlock(device, D3DSBT_ALL, &block));
    OK(IDirect3DDevice9_LightEnable(device, 2, TRUE));
    OK(IDirect3DStateBlock9_Apply(block));
    OK(IDirect3DDevice9_GetLightEnable(device, 2, &enabled));
    ck_assert_int_eq(enabled, 128);
    OK(IDirect3DStateBlock9_Capture(block));
    OK(IDirect3DDevice9_LightEnable(device, 2, FALSE));
    OK(IDirect3DStateBlock9_Apply(block));
    OK(IDirect3DDevice9_GetLightEnable(device, 2, &enabled));
    ck_assert_int_eq(enabled, 128);
    release(block);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* Calls that act at once and are not recorded. */
START_TEST(unrecorded_calls)
{
    D3DMATRIX two = {.m = {{2, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 2, 0}, {0, 0, 0, 2}}}, got, one;
    IDirect3DDevice9 *device = create_device();
    IDirect3DStateBlock9 *block;
    IDirect3DSurface9 *target;
    D3DVIEWPORT9 viewport;

    OK(IDirect3DDevice9_CreateRenderTarget(device, 128, 128, D3DFMT_A8R8G8B8, 0, 0, FALSE, &target,
                                           NULL));
    OK(IDirect3DDevice9_GetTransform(device, D3DTS_WORLDMATRIX(255), &one));
    OK(IDirect3DDevice9_BeginStateBlock(device));
    OK(IDirect3DDevice9_MultiplyTransform(device, D3DTS_WORLDMATRIX(255), &two));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
    OK(IDirect3DDevice9_EndStateBlock(device, &block));
    OK(IDirect3DDevice9_GetTransform(device, D3DTS_WORLDMATRIX(255), &got));
    ck_assert_mem_eq(&got, &two, sizeof(two));
    OK(IDirect3DDevice9_GetViewport(device, &viewport));
    ck_assert_uint_eq(viewport.Width, 128);
    OK(IDirect3DDevice9_SetTransform(device, D3DTS_WORLDMATRIX(255), &one));
    OK(IDirect3DStateBlock9_Apply(block));
    OK(IDirect3DDevice9_GetTransform(device, D3DTS_WORLDMATRIX(255), &got));
    ck_assert_mem_eq(&got, &one, sizeof(one));
    release(block);
    release(target);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* At Capture, before Apply, after Apply: NULL, the first or the second declaration. */
START_TEST(declaration_in_blocks)
{
    static const D3DVERTEXELEMENT9 elements[] = {{0, 0, D3DDECLTYPE_FLOAT3, 0, 0, 0},
                                                 D3DDECL_END()};
    static const int cases[][3] = {{0, 2, 2}, {2, 0, 2}, {0, 0, 0}, {2, 2, 2}};
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexDeclaration9 *decl[3] = {NULL}, *got;
    IDirect3DStateBlock9 *block;

    for (int i = 1; i < 3; i++)
        OK(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &decl[i]));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, decl[1]));
    if (_i) {
        OK(IDirect3DDevice9_CreateStateBlock(device, D3DSBT_VERTEXSTATE, &block));
    } else {
        OK(IDirect3DDevice9_BeginStateBlock(device));
        OK(IDirect3DDevice9_SetVertexDeclaration(device, decl[1]));
        OK(IDirect3DDevice9_EndStateBlock(device, &block));
    }
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        OK(IDirect3DDevice9_SetVertexDeclaration(device, decl[cases[i][0]]));
        OK(IDirect3DStateBlock9_Capture(block));
        OK(IDirect3DDevice9_SetVertexDeclaration(device, decl[cases[i][1]]));
        OK(IDirect3DStateBlock9_Apply(block));
        OK(IDirect3DDevice9_GetVertexDeclaration(device, &got));
        ck_assert_ptr_eq(got, decl[cases[i][2]]);
        if (got)
            release(got);
    }
    release(block);
    release(decl[1]);
    release(decl[2]);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/stateblock");
    TCase *tc = tcase_create("stateblock");

    tcase_add_loop_test(tc, created_block, 0, 3);
    tcase_add_test(tc, recorded_block);
    tcase_add_test(tc, missing_lights);
    tcase_add_test(tc, lights_of_created_blocks);
    tcase_add_test(tc, unrecorded_calls);
    tcase_add_loop_test(tc, declaration_in_blocks, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
