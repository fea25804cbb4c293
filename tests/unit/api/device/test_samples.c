/* Tests of SAMPLES and ANISOTROPY: another number of samples, or another filter, than the program
 * asked for (docs/picture-settings.md). */
#include "api_test.h"

#include "api/config/config.h"
#include "api/memory/resource.h"
#include "util/alloc.h"

enum { W = 64, H = 48 };

/* --- SAMPLES ---------------------------------------------------------------------------------- */

static IDirect3DDevice9 *device;
static IDirect3DSurface9 *back, *copy;

static void open_device(const char *forced, D3DMULTISAMPLE_TYPE samples, DWORD flags)
{
    IDirect3D9 *d3d9;
    D3DPRESENT_PARAMETERS p = test_parameters();

    setenv("NOVEM_SAMPLES", forced, 1);
    p.BackBufferWidth = W;
    p.BackBufferHeight = H;
    p.MultiSampleType = samples;
    p.Flags = flags;
    d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &p, &device));
    release(d3d9);
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, W, H, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 7, 0xff000000, 1.0f, 0));
}

static void close_device(void)
{
    release(back);
    release(copy);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

/* A rectangle whose left edge crosses pixel column 16 at its right quarter: of 4 samples one is
 * covered, and the centre is not. */
static void draw_edge(float z, DWORD colour)
{
    const struct {
        float x, y, z, rhw;
        DWORD colour;
    } v[4] = {{16.2f, -0.5f, z, 1, colour},
              {W, -0.5f, z, 1, colour},
              {16.2f, H, z, 1, colour},
              {W, H, z, 1, colour}};

    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0])));
}

static DWORD red_at(IDirect3DSurface9 *surface, int x)
{
    return surface_pixel(surface, x, 20) >> 16 & 255;
}

static void expect_samples(IDirect3DSurface9 *surface, D3DMULTISAMPLE_TYPE samples)
{
    D3DSURFACE_DESC desc;

    OK(IDirect3DSurface9_GetDesc(surface, &desc));
    ck_assert_int_eq(desc.MultiSampleType, samples);
}

static DWORD stretched_edge(void)
{
    const RECT part = {0, 0, W, H};
    IDirect3DSurface9 *one;
    DWORD red;

    OK(IDirect3DDevice9_CreateRenderTarget(device, W + 2, H, D3DFMT_A8R8G8B8, 0, 0, TRUE, &one,
                                           NULL));
    OK(IDirect3DDevice9_StretchRect(device, back, NULL, one, &part, D3DTEXF_NONE));
    red = red_at(one, 16);
    ck_assert_uint_eq(red_at(one, 20), 255);
    ck_assert_uint_eq(red_at(one, 10), 0);
    release(one);
    return red;
}

/* Forced up, the program may still read the back buffer as one without samples. */
START_TEST(samples_are_added)
{
    bool adds = strcmp(_i ? "4" : "program", "program") != 0;

    open_device(_i ? "4" : "program", D3DMULTISAMPLE_NONE, D3DPRESENTFLAG_LOCKABLE_BACKBUFFER);
    expect_samples(back, D3DMULTISAMPLE_NONE);
    draw_edge(0.5f, 0xffff0000);
    draw_edge(0.75f, 0xff00ff00); /* behind it at all samples */
    OK(IDirect3DDevice9_GetRenderTargetData(device, back, copy));
    ck_assert_uint_eq(red_at(copy, 16), adds ? 64 : 0);
    ck_assert_uint_eq(surface_pixel(copy, 40, 40), 0xffff0000);
    ck_assert_uint_eq(surface_pixel(copy, 16, 20) >> 8 & 255, 0);
    ck_assert_uint_eq(red_at(back, 16), adds ? 64 : 0); /* a lock */
    ck_assert_uint_eq(stretched_edge(), adds ? 64 : 0);
    close_device();
}
END_TEST

/* Forced down, the rules of surfaces with samples hold, but the pictures have none. */
START_TEST(samples_are_removed)
{
    open_device(_i ? "1" : "0", D3DMULTISAMPLE_4_SAMPLES, 0);
    expect_samples(back, D3DMULTISAMPLE_4_SAMPLES);
    draw_edge(0.5f, 0xffff0000);
    REFUSED(IDirect3DDevice9_GetRenderTargetData(device, back, copy));
    ck_assert_uint_eq(stretched_edge(), 0);
    close_device();
}
END_TEST

static DWORD read_edge(void)
{
    OK(IDirect3DDevice9_GetRenderTargetData(device, back, copy));
    ck_assert_uint_eq(surface_pixel(copy, 40, 40), 0xffff0000);
    return red_at(copy, 16);
}

/* The depth buffer has samples that a texture has not: it serves both. */
START_TEST(depth_serves_textures)
{
    IDirect3DTexture9 *texture;
    IDirect3DSurface9 *level;

    open_device("4", D3DMULTISAMPLE_NONE, 0);
    OK(IDirect3DDevice9_CreateTexture(device, W, H, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                      D3DPOOL_DEFAULT, &texture, NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &level));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, level));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 7, 0xff000000, 1.0f, 0));
    draw_edge(0.5f, 0xffff0000);
    draw_edge(0.75f, 0xff00ff00);
    OK(IDirect3DDevice9_GetRenderTargetData(device, level, copy));
    ck_assert_uint_eq(surface_pixel(copy, 40, 40), 0xffff0000);
    ck_assert_uint_eq(red_at(copy, 16), 0);
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, back));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 7, 0xff000000, 1.0f, 0));
    draw_edge(0.5f, 0xffff0000);
    draw_edge(0.75f, 0xff00ff00);
    ck_assert_uint_eq(read_edge(), 64);
    release(level);
    release(texture);
    close_device();
}
END_TEST

/* A depth texture never has samples, so the back buffer loses those that were added. */
START_TEST(depth_textures_remove_samples)
{
    IDirect3DSurface9 *level, *depth;
    IDirect3DTexture9 *texture;

    open_device("4", D3DMULTISAMPLE_NONE, 0);
    OK(IDirect3DDevice9_CreateTexture(device, W, H, 1, D3DUSAGE_DEPTHSTENCIL, D3DFMT_D24S8,
                                      D3DPOOL_DEFAULT, &texture, NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &level));
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &depth));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, level));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, depth)); /* not drawn with: keeps them */
    draw_edge(0.5f, 0xffff0000);
    ck_assert_uint_eq(read_edge(), 64);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, level));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 7, 0xff000000, 1.0f, 0));
    draw_edge(0.5f, 0xffff0000);
    draw_edge(0.75f, 0xff00ff00);
    ck_assert_uint_eq(read_edge(), 0);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    release(depth);
    release(level);
    release(texture);
    close_device();
}
END_TEST

/* --- ANISOTROPY ------------------------------------------------------------------------------- */

/* The red of a striped texture, whose stripes run along the axis that is minified 16 times, at the
 * middle of the back buffer. Trilinear filtering makes it grey. */
static DWORD stripe_of(DWORD min_filter, DWORD mip_filter)
{
    const struct {
        float x, y, z, rhw, u, v;
    } quad[4] = {{-0.5f, -0.5f, 0, 1, 0, 0},
                 {W - 0.5f, -0.5f, 0, 1, 1, 0},
                 {-0.5f, H - 0.5f, 0, 1, 0, 12},
                 {W - 0.5f, H - 0.5f, 0, 1, 1, 12}};
    IDirect3DTexture9 *texture;
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_CreateTexture(device, W, W, 0, 0, D3DFMT_X8R8G8B8, D3DPOOL_MANAGED,
                                      &texture, NULL));
    for (UINT level = 0; level < 7; level++) {
        UINT size = W >> level;

        OK(IDirect3DTexture9_LockRect(texture, level, &lock, NULL, 0));
        for (UINT i = 0; i < size * size; i++)
            *(DWORD *)((char *)lock.pBits + i / size * (UINT)lock.Pitch + i % size * 4) =
                level              ? 0x808080
                : i % size / 8 % 2 ? 0xffffff
                                   : 0;
        OK(IDirect3DTexture9_UnlockRect(texture, level));
    }
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MINFILTER, min_filter));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MIPFILTER, mip_filter));
    OK(IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_MAXANISOTROPY, 16));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof(quad[0])));
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    release(texture);
    OK(IDirect3DDevice9_GetRenderTargetData(device, back, copy));
    return red_at(copy, 28);
}

START_TEST(anisotropy)
{
    static const struct {
        const char *setting;
        DWORD min_filter, mip_filter, red;
    } cases[] = {
        {"program", D3DTEXF_ANISOTROPIC, D3DTEXF_LINEAR, 255},
        {"program", D3DTEXF_LINEAR, D3DTEXF_LINEAR, 0x80},
        {"1", D3DTEXF_ANISOTROPIC, D3DTEXF_LINEAR, 0x80},
        {"1", D3DTEXF_LINEAR, D3DTEXF_LINEAR, 0x80},
        {"2", D3DTEXF_ANISOTROPIC, D3DTEXF_LINEAR, 0x80},
        {"16", D3DTEXF_LINEAR, D3DTEXF_LINEAR, 255},
        {"16", D3DTEXF_LINEAR, D3DTEXF_POINT, 255},
        {"16", D3DTEXF_POINT, D3DTEXF_LINEAR, 0x80}, /* points stay points */
    };

    setenv("NOVEM_ANISOTROPY", cases[_i].setting, 1);
    open_device("program", D3DMULTISAMPLE_NONE, 0);
    ck_assert_uint_eq(stripe_of(cases[_i].min_filter, cases[_i].mip_filter), cases[_i].red);
    close_device();
}
END_TEST

/* --- Changes while the device lives ------------------------------------------------------------
 */

START_TEST(anisotropy_changes_at_present)
{
    open_device("program", D3DMULTISAMPLE_NONE, 0);
    ck_assert_uint_eq(stripe_of(D3DTEXF_LINEAR, D3DTEXF_LINEAR), 0x80);
    ck_assert_int_eq(api_config_change(CONFIG_ANISOTROPY, "16"), ST_OK);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    ck_assert_uint_eq(stripe_of(D3DTEXF_LINEAR, D3DTEXF_LINEAR), 255);
    ck_assert_int_eq(api_config_change(CONFIG_ANISOTROPY, "program"), ST_OK);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    ck_assert_uint_eq(stripe_of(D3DTEXF_LINEAR, D3DTEXF_LINEAR), 0x80);
    close_device();
}
END_TEST

static DWORD edge_in_frame(void)
{
    OK(IDirect3DDevice9_Clear(device, 0, NULL, 7, 0xff000000, 1.0f, 0));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));
    draw_edge(0.5f, 0xffff0000);
    OK(IDirect3DDevice9_GetRenderTargetData(device, back, copy));
    return red_at(copy, 16);
}

START_TEST(samples_change_at_reset)
{
    static const char *const values[] = {"4", "program"};
    D3DPRESENT_PARAMETERS p = test_parameters();

    p.BackBufferWidth = W;
    p.BackBufferHeight = H;
    open_device("program", D3DMULTISAMPLE_NONE, 0);
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(api_config_change(CONFIG_SAMPLES, values[i]), ST_OK);
        OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
        ck_assert_uint_eq(edge_in_frame(), i ? 64 : 0);
        release(back);
        OK(IDirect3DDevice9_Reset(device, &p));
        OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
        ck_assert_uint_eq(edge_in_frame(), i ? 0 : 64);
    }
    close_device();
}
END_TEST

/* An Ex device may keep surfaces at Reset, and later ones have to match them. So it keeps its own
 * number of samples, too. */
START_TEST(ex_devices_keep_samples)
{
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DSurface9 *kept, *made;
    IDirect3DDevice9Ex *ex;

    setenv("NOVEM_SAMPLES", "program", 1);
    p.BackBufferWidth = W;
    p.BackBufferHeight = H;
    ex = create_device_ex();
    device = (IDirect3DDevice9 *)ex;
    OK(IDirect3DDevice9Ex_ResetEx(ex, &p, NULL));
    OK(IDirect3DDevice9_CreateDepthStencilSurface(device, W, H, D3DFMT_D24S8, 0, 0, FALSE, &kept,
                                                  NULL));
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(api_config_change(CONFIG_SAMPLES, "4"), ST_OK);
        if (i)
            OK(IDirect3DDevice9_Reset(device, &p));
        else
            OK(IDirect3DDevice9Ex_ResetEx(ex, &p, NULL));
        OK(IDirect3DDevice9_CreateRenderTarget(device, W, H, D3DFMT_A8R8G8B8, 0, 0, FALSE, &made,
                                               NULL));
        OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
        ck_assert_uint_eq(((struct surface *)back)->stored_samples, 1);
        ck_assert_uint_eq(((struct surface *)made)->stored_samples,
                          ((struct surface *)kept)->stored_samples);
        release(back);
        release(made);
    }
    release(kept);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/samples");
    TCase *tc = tcase_create("samples");

    tcase_add_loop_test(tc, samples_are_added, 0, 2);
    tcase_add_loop_test(tc, samples_are_removed, 0, 2);
    tcase_add_test(tc, depth_serves_textures);
    tcase_add_test(tc, depth_textures_remove_samples);
    tcase_add_loop_test(tc, anisotropy, 0, 8);
    tcase_add_test(tc, anisotropy_changes_at_present);
    tcase_add_test(tc, samples_change_at_reset);
    tcase_add_test(tc, ex_devices_keep_samples);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
