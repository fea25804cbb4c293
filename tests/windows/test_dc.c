/* Tests of GDI device contexts of surfaces (reference: locks/dc, surfaces/dc-formats). */
#include "show.h"

enum { SIDE = 16 };

static IDirect3DSurface9 *make_surface(IDirect3DDevice9Ex *device, D3DFORMAT format)
{
    IDirect3DSurface9 *surface;

    ck_assert_int_eq(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(
                         device, SIDE, SIDE, format, D3DPOOL_SYSTEMMEM, &surface, NULL),
                     D3D_OK);
    return surface;
}

static DWORD first_pixel(IDirect3DSurface9 *surface)
{
    D3DLOCKED_RECT locked;
    DWORD value;

    ck_assert_int_eq(IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY), D3D_OK);
    value = *(const DWORD *)locked.pBits;
    ck_assert_int_eq(IDirect3DSurface9_UnlockRect(surface), D3D_OK);
    return value;
}

/* The formats of a DIB, and others. */
static const struct {
    D3DFORMAT format;
    bool ok;
    DWORD mask, red; /* of a pixel, as stored */
} formats[] = {
    {D3DFMT_X8R8G8B8, true, 0xffffff, 0xff0000},
    {D3DFMT_A8R8G8B8, true, 0xffffff, 0xff0000},
    {D3DFMT_R8G8B8, true, 0xffffff, 0xff0000},
    {D3DFMT_R5G6B5, true, 0xffff, 0xf800},
    {D3DFMT_X1R5G5B5, true, 0x7fff, 0x7c00},
    {D3DFMT_A1R5G5B5, true, 0x7fff, 0x7c00},
    {D3DFMT_A8, false, 0, 0},
    {D3DFMT_A16B16G16R16F, false, 0, 0},
};

START_TEST(context_draws_into_surface)
{
    HWND window = open_window();
    IDirect3DDevice9Ex *device = make_device(window, true, D3DPRESENT_INTERVAL_ONE);
    IDirect3DSurface9 *surface = make_surface(device, formats[_i].format);
    HDC dc = NULL;

    if (formats[_i].ok) {
        ck_assert_int_eq(IDirect3DSurface9_GetDC(surface, &dc), D3D_OK);
        SetPixel(dc, 0, 0, RGB(255, 0, 0));
        ck_assert_int_eq(IDirect3DSurface9_ReleaseDC(surface, dc), D3D_OK);
        ck_assert_uint_eq(first_pixel(surface) & formats[_i].mask, formats[_i].red);
    } else {
        ck_assert_int_eq(IDirect3DSurface9_GetDC(surface, &dc), D3DERR_INVALIDCALL);
    }
    IDirect3DSurface9_Release(surface);
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

/* Locks and contexts exclude each other. UnlockRect succeeds while a context is out, and does
 * nothing. */
START_TEST(locks_and_contexts)
{
    HWND window = open_window();
    IDirect3DDevice9Ex *device = make_device(window, true, D3DPRESENT_INTERVAL_ONE);
    IDirect3DSurface9 *surface = make_surface(device, D3DFMT_X8R8G8B8);
    D3DLOCKED_RECT locked;
    HDC dc, second;

    ck_assert_int_eq(IDirect3DSurface9_LockRect(surface, &locked, NULL, 0), D3D_OK);
    ck_assert_int_eq(IDirect3DSurface9_GetDC(surface, &dc), D3DERR_INVALIDCALL);
    ck_assert_int_eq(IDirect3DSurface9_UnlockRect(surface), D3D_OK);
    ck_assert_int_eq(IDirect3DSurface9_ReleaseDC(surface, NULL), D3DERR_INVALIDCALL);
    ck_assert_int_eq(IDirect3DSurface9_GetDC(surface, &dc), D3D_OK);
    ck_assert_int_eq(IDirect3DSurface9_GetDC(surface, &second), D3DERR_INVALIDCALL);
    ck_assert_int_eq(IDirect3DSurface9_LockRect(surface, &locked, NULL, 0), D3DERR_INVALIDCALL);
    ck_assert_int_eq(IDirect3DSurface9_UnlockRect(surface), D3D_OK);
    SetPixel(dc, 0, 0, RGB(0, 255, 0));
    ck_assert_int_eq(IDirect3DSurface9_ReleaseDC(surface, dc), D3D_OK);
    ck_assert_uint_eq(first_pixel(surface) & 0xffffff, 0xff00);
    ck_assert_int_eq(IDirect3DSurface9_GetDC(surface, &dc), D3D_OK); /* released with the surface */
    IDirect3DSurface9_Release(surface);
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("dc");
    TCase *tc = tcase_create("dc");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, context_draws_into_surface, 0, sizeof(formats) / sizeof(formats[0]));
    tcase_add_test(tc, locks_and_contexts);
    suite_add_tcase(s, tc);
    return s;
}

#include "check_main.h"
TEST_MAIN(suite)
