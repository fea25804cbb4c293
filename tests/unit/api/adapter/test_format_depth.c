/* Tests that claimed depth formats work: depth test, stencil, and sampling
 * (reference: device/format-checks). */
#include "format_draw.h"

static struct oracle current(const struct oracle_format **f, int i)
{
    *f = &oracle_formats[i];
    return oracle_of(*f);
}

static bool is_claimed(const struct oracle *o, DWORD usage, D3DRESOURCETYPE type)
{
    return o->kind != ORACLE_NONE && ask(usage, type, o->d3d) == D3D_OK;
}

static void depth_states(D3DCMPFUNC func, BOOL stencil, D3DSTENCILOP pass, DWORD reference)
{
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, D3DZB_TRUE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZFUNC, func));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_STENCILENABLE, stencil));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_STENCILFUNC,
                                       pass == D3DSTENCILOP_KEEP ? D3DCMP_EQUAL : D3DCMP_ALWAYS));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_STENCILPASS, pass));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_STENCILREF, reference));
}

/* A depth gradient along x, from 0 to 1 over the pixels. */
static void draw_ramp(float offset)
{
    struct vertex v[4];

    for (int i = 0; i < 4; i++)
        v[i] = (struct vertex){(float)(i & 1) * SIDE - 0.5f,
                               (float)(i >> 1) * SIDE - 0.5f,
                               (float)(i & 1) + offset,
                               1,
                               0,
                               0,
                               0,
                               0};
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE4(0)));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0])));
}

/* Pixel x has depth (x + 0.5) / SIDE. A second gradient passes where the first lies behind it. */
static void test_depth(const struct oracle_format *f, const struct oracle *o,
                       IDirect3DSurface9 *depth)
{
    const float white[4] = {1, 1, 1, 1};
    bool has_depth = oracle_has(o, 'D'), has_stencil = oracle_has(o, 'S');

    OK(IDirect3DDevice9_SetDepthStencilSurface(device, depth));
    OK(IDirect3DDevice9_Clear(
        device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | (has_stencil ? D3DCLEAR_STENCIL : 0),
        0, 0.5f, 0));
    use_pixel_shader("ps_3_0\nmov oC0, c0\n");
    OK(IDirect3DDevice9_SetPixelShaderConstantF(device, 0, white, 1));
    depth_states(D3DCMP_LESS, has_stencil, D3DSTENCILOP_REPLACE, 1);
    draw_ramp(0.0f);
    read_pixels();
    for (int x = 0; x < SIDE; x++)
        ck_assert_msg((pixels[3][x][0] != 0.0f) == (!has_depth || x < SIDE / 2), "%s at %d",
                      f->name, x);
    /* Where it passed, stencil is 1 and depth the drawn one: EQUAL passes. */
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 0, 0));
    depth_states(D3DCMP_EQUAL, has_stencil, D3DSTENCILOP_KEEP, 1);
    draw_ramp(0.0f);
    read_pixels();
    for (int x = 0; x < SIDE; x++)
        ck_assert_msg((pixels[5][x][0] != 0.0f) == (!has_depth || x < SIDE / 2), "%s at %d",
                      f->name, x);
    if (has_stencil) {
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 0, 0));
        depth_states(D3DCMP_ALWAYS, TRUE, D3DSTENCILOP_KEEP, 0);
        draw_ramp(0.0f);
        read_pixels();
        for (int x = 0; x < SIDE; x++)
            ck_assert_msg((pixels[5][x][0] != 0.0f) == (has_depth && x >= SIDE / 2), "%s at %d",
                          f->name, x);
    }
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    depth_states(D3DCMP_LESSEQUAL, FALSE, D3DSTENCILOP_KEEP, 0);
}

START_TEST(depth_buffers)
{
    const struct oracle_format *f;
    struct oracle o = current(&f, _i);
    IDirect3DSurface9 *depth;
    IDirect3DTexture9 *texture;

    if (is_claimed(&o, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE)) {
        ck_assert_int_eq(o.kind, ORACLE_DEPTH);
        OK(IDirect3DDevice9_CreateDepthStencilSurface(device, SIDE, SIDE, o.d3d,
                                                      D3DMULTISAMPLE_NONE, 0, FALSE, &depth, NULL));
        test_depth(f, &o, depth);
        release(depth);
    }
    if (is_claimed(&o, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_TEXTURE)) {
        OK(IDirect3DDevice9_CreateTexture(device, 2 * SIDE, 2 * SIDE, 2, D3DUSAGE_DEPTHSTENCIL,
                                          o.d3d, D3DPOOL_DEFAULT, &texture, NULL));
        OK(IDirect3DTexture9_GetSurfaceLevel(texture, 1, &depth));
        test_depth(f, &o, depth);
        release(depth);
        release(texture);
    }
}
END_TEST

/* Value of a texel with depth z: comparison with r (1 or 0), the depth, or its bytes. */
static void depth_texel(const struct oracle_format *f, double z, double r, double rgba[4])
{
    uint32_t code = (uint32_t)floor(z * 16777215.0 + 0.5);

    rgba[0] = rgba[1] = rgba[2] = rgba[3] = r <= z ? 1.0 : 0.0;
    if (!strcmp(f->name, "INTZ"))
        rgba[0] = rgba[1] = rgba[2] = rgba[3] = z;
    if (f->name[0] == 'D' && f->name[1] == 'F') {
        rgba[0] = z;
        rgba[1] = rgba[2] = 0.0;
        rgba[3] = 1.0;
    }
    if (strcmp(f->name, "RAWZ"))
        return;
    rgba[0] = (code >> 8 & 255) / 255.0;
    rgba[1] = (code & 255) / 255.0;
    rgba[2] = 0x5a / 255.0;
    rgba[3] = (code >> 16) / 255.0;
}

START_TEST(depth_sampled)
{
    const struct oracle_format *f;
    struct oracle o = current(&f, _i);
    const float from[3] = {0, 0, 0.4f}, right[3] = {1, 0, 0}, down[3] = {0, 1, 0};
    IDirect3DTexture9 *texture;
    IDirect3DSurface9 *depth;
    bool stencil = oracle_has(&o, 'S');

    if (!is_claimed(&o, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_TEXTURE))
        return;
    ck_assert(is_claimed(&o, 0, D3DRTYPE_TEXTURE));
    OK(IDirect3DDevice9_CreateTexture(device, SIDE, SIDE, 1, D3DUSAGE_DEPTHSTENCIL, o.d3d,
                                      D3DPOOL_DEFAULT, &texture, NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &depth));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, depth));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER | (stencil ? D3DCLEAR_STENCIL : 0),
                              0, 1.0f, 0x5a));
    use_pixel_shader("ps_3_0\nmov oC0, c0\n");
    depth_states(D3DCMP_ALWAYS, FALSE, D3DSTENCILOP_KEEP, 0);
    draw_ramp(0.0f);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    use_pixel_shader(sampling);
    draw_quad(SIDE, SIDE, from, right, down, 0);
    read_pixels();
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
            double want[4];

            depth_texel(f, (x + 0.5) / SIDE, 0.4, want);
            expect_pixel("depth", f->name, x, y, want, 1.0 / 65535.0);
        }
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    release(depth);
    release(texture);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/format_depth");
    TCase *tc = tcase_create("depth");

    tcase_add_checked_fixture(tc, open_target, close_target);
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, depth_buffers, 0, ORACLE_FORMATS);
    tcase_add_loop_test(tc, depth_sampled, 0, ORACLE_FORMATS);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
