/* Tests of StretchRect and ColorFill (reference: copy/stretchrect-rules). */
#include "api_test.h"

#include "util/alloc.h"

enum kind { RT, TEXTURE, PLAIN, KINDS };

static IDirect3DSurface9 *make_surface(IDirect3DDevice9 *device, enum kind kind, D3DPOOL pool)
{
    IDirect3DSurface9 *surface = NULL;
    IDirect3DTexture9 *texture;

    if (kind == RT) {
        OK(IDirect3DDevice9_CreateRenderTarget(device, 32, 32, D3DFMT_A8R8G8B8, 0, 0, FALSE,
                                               &surface, NULL));
    } else if (kind == PLAIN) {
        OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 32, 32, D3DFMT_A8R8G8B8, pool,
                                                        &surface, NULL));
    } else {
        OK(IDirect3DDevice9_CreateTexture(device, 32, 32, 1, 0, D3DFMT_A8R8G8B8, pool, &texture,
                                          NULL));
        OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface));
        release(texture);
    }
    return surface;
}

START_TEST(stretch_kinds)
{
    static const bool allowed[KINDS][KINDS] = {/* to        RT TEXTURE PLAIN */
                                               [RT] = {1, 0, 0},
                                               [TEXTURE] = {1, 0, 0},
                                               [PLAIN] = {1, 0, 1}};
    const D3DPOOL pool = _i ? D3DPOOL_SYSTEMMEM : D3DPOOL_DEFAULT;
    IDirect3DDevice9 *device = create_device();

    for (int from = RT; from < KINDS; from++) {
        for (int to = RT; to < KINDS; to++) {
            IDirect3DSurface9 *src = make_surface(device, from, pool);
            IDirect3DSurface9 *dst = make_surface(device, to, D3DPOOL_DEFAULT);
            bool ok = allowed[from][to] && (pool == D3DPOOL_DEFAULT || from == RT);
            HRESULT hr = IDirect3DDevice9_StretchRect(device, src, NULL, dst, NULL, D3DTEXF_NONE);

            ck_assert_msg(hr == (ok ? D3D_OK : D3DERR_INVALIDCALL), "%d to %d: %#x", from, to,
                          (unsigned)hr);
            REFUSED(IDirect3DDevice9_StretchRect(device, src, NULL, dst, NULL, 99));
            release(src);
            release(dst);
        }
    }
    release(device);
}
END_TEST

START_TEST(fill_kinds)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *surface;

    REFUSED(IDirect3DDevice9_ColorFill(device, NULL, NULL, 0));
    for (int kind = RT; kind < KINDS; kind++) {
        surface = make_surface(device, kind, D3DPOOL_DEFAULT);
        RETURNS(IDirect3DDevice9_ColorFill(device, surface, NULL, 0xdeadbeef),
                kind == TEXTURE ? D3DERR_INVALIDCALL : D3D_OK);
        if (kind == PLAIN)
            ck_assert_uint_eq(surface_pixel(surface, 31, 31), 0xdeadbeef);
        release(surface);
    }
    surface = make_surface(device, PLAIN, D3DPOOL_SYSTEMMEM);
    REFUSED(IDirect3DDevice9_ColorFill(device, surface, NULL, 0));
    release(surface);
    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &surface));
    REFUSED(IDirect3DDevice9_ColorFill(device, surface, NULL, 0));
    release(surface);
    release(device);
}
END_TEST

/* From and to multisampled surfaces, scaled and converted. */
START_TEST(stretch_samples)
{
    static const RECT part = {0, 0, 16, 16};
    IDirect3DSurface9 *one, *four, *other, *copy;
    IDirect3DDevice9 *device = create_device();

    OK(IDirect3DDevice9_CreateRenderTarget(device, 32, 32, D3DFMT_A8R8G8B8,
                                           D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &four, NULL));
    OK(IDirect3DDevice9_CreateRenderTarget(device, 32, 32, D3DFMT_X8R8G8B8,
                                           D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &other, NULL));
    OK(IDirect3DDevice9_CreateRenderTarget(device, 32, 32, D3DFMT_A8R8G8B8, 0, 0, TRUE, &one,
                                           NULL));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 32, 32, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_ColorFill(device, four, NULL, 0x00ff00ff));
    OK(IDirect3DDevice9_ColorFill(device, one, NULL, 0xffffffff));
    OK(IDirect3DDevice9_StretchRect(device, four, NULL, one, &part, D3DTEXF_POINT));
    ck_assert_uint_eq(surface_pixel(one, 8, 8), 0x00ff00ff);
    ck_assert_uint_eq(surface_pixel(one, 20, 8), 0xffffffff);
    OK(IDirect3DDevice9_ColorFill(device, one, NULL, 0xffffff00));
    OK(IDirect3DDevice9_StretchRect(device, one, NULL, four, &part, D3DTEXF_LINEAR));
    OK(IDirect3DDevice9_StretchRect(device, four, &part, other, NULL, D3DTEXF_NONE));
    OK(IDirect3DDevice9_StretchRect(device, other, &part, one, NULL, D3DTEXF_NONE));
    ck_assert_uint_eq(surface_pixel(one, 31, 31), 0xffffff00);
    OK(IDirect3DDevice9_StretchRect(device, four, NULL, one, NULL, D3DTEXF_NONE));
    ck_assert_uint_eq(surface_pixel(one, 8, 8), 0xffffff00);
    ck_assert_uint_eq(surface_pixel(one, 20, 20), 0x00ff00ff);
    REFUSED(IDirect3DDevice9_GetRenderTargetData(device, four, copy));
    release(one);
    release(four);
    release(other);
    release(copy);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/stretch");
    TCase *tc = tcase_create("stretch");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, stretch_kinds, 0, 2);
    tcase_add_test(tc, fill_kinds);
    tcase_add_test(tc, stretch_samples);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
