/* Tests of the device's cursor as the system shows it. */
#include "show.h"

enum { SIDE = 32 };

static IDirect3DSurface9 *make_picture(IDirect3DDevice9Ex *device, D3DPOOL pool, DWORD seed)
{
    IDirect3DSurface9 *surface;
    D3DLOCKED_RECT locked;

    ck_assert_int_eq(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(device, SIDE, SIDE, D3DFMT_A8R8G8B8,
                                                                    pool, &surface, NULL),
                     D3D_OK);
    ck_assert_int_eq(IDirect3DSurface9_LockRect(surface, &locked, NULL, 0), D3D_OK);
    for (DWORD y = 0; y < SIDE; y++)
        for (DWORD x = 0; x < SIDE; x++)
            ((DWORD *)((BYTE *)locked.pBits + y * (DWORD)locked.Pitch))[x] =
                (x + y < SIDE ? 0xff000000 : 0) | (seed + x * 0x10203 + y);
    IDirect3DSurface9_UnlockRect(surface);
    return surface;
}

static HCURSOR shown(void)
{
    CURSORINFO info = {.cbSize = sizeof(info)};

    ck_assert(GetCursorInfo(&info));
    return GetCursor();
}

/* Compares opaque pixels with the picture of `seed`. */
static bool looks_like(HCURSOR cursor, DWORD seed, DWORD hot_x, DWORD hot_y)
{
    BITMAPINFO dib = {.bmiHeader = {.biSize = sizeof(dib.bmiHeader),
                                    .biWidth = SIDE,
                                    .biHeight = -SIDE,
                                    .biPlanes = 1,
                                    .biBitCount = 32}};
    static DWORD pixels[SIDE * SIDE];
    HDC dc = GetDC(NULL);
    bool same = true;
    ICONINFO info;

    ck_assert(GetIconInfo(cursor, &info));
    ck_assert_int_eq(GetDIBits(dc, info.hbmColor, 0, SIDE, pixels, &dib, DIB_RGB_COLORS), SIDE);
    for (DWORD y = 0; y < SIDE; y++)
        for (DWORD x = 0; x + y < SIDE; x++)
            same &= ((pixels[y * SIDE + x] ^ (seed + x * 0x10203 + y)) & 0xffffff) == 0;
    DeleteObject(info.hbmColor);
    DeleteObject(info.hbmMask);
    ReleaseDC(NULL, dc);
    return same && !info.fIcon && info.xHotspot == hot_x && info.yHotspot == hot_y;
}

START_TEST(cursor_shows_surface)
{
    HWND window = open_window();
    IDirect3DDevice9Ex *device = make_device(window, _i & 1, D3DPRESENT_INTERVAL_ONE);
    IDirect3DSurface9 *first = make_picture(device, _i & 2 ? D3DPOOL_SCRATCH : D3DPOOL_DEFAULT, 0x111111);
    IDirect3DSurface9 *second = make_picture(device, D3DPOOL_DEFAULT, 0x222222);
    HCURSOR arrow = LoadCursorA(NULL, (LPCSTR)IDC_ARROW);

    SetCursor(arrow);
    ck_assert_int_eq(IDirect3DDevice9Ex_ShowCursor(device, TRUE), FALSE);
    ck_assert(shown() == arrow); /* no cursor was set */
    ck_assert_int_eq(IDirect3DDevice9Ex_SetCursorProperties(device, 3, 5, first), D3D_OK);
    ck_assert(shown() == arrow); /* not visible yet */
    ck_assert_int_eq(IDirect3DDevice9Ex_ShowCursor(device, TRUE), FALSE);
    ck_assert(shown() && shown() != arrow && looks_like(shown(), 0x111111, 3, 5));
    ck_assert_int_eq(IDirect3DDevice9Ex_SetCursorProperties(device, 0, 31, second), D3D_OK);
    ck_assert(looks_like(shown(), 0x222222, 0, 31));
    ck_assert_int_eq(IDirect3DDevice9Ex_ShowCursor(device, FALSE), TRUE);
    ck_assert(!shown());
    SetCursor(arrow); /* as WM_SETCURSOR does */
    ck_assert_int_eq(IDirect3DDevice9Ex_ShowCursor(device, TRUE), FALSE);
    ck_assert(looks_like(shown(), 0x222222, 0, 31));
    IDirect3DSurface9_Release(first);
    IDirect3DSurface9_Release(second);
    IDirect3DDevice9Ex_Release(device);
    ck_assert(!shown());
    DestroyWindow(window);
}
END_TEST

START_TEST(reset_removes_cursor)
{
    HWND window = open_window();
    IDirect3DDevice9Ex *device = make_device(window, true, D3DPRESENT_INTERVAL_ONE);
    IDirect3DSurface9 *surface = make_picture(device, D3DPOOL_SCRATCH, 0);
    D3DPRESENT_PARAMETERS p = show_parameters(window, true, D3DPRESENT_INTERVAL_ONE);

    ck_assert_int_eq(IDirect3DDevice9Ex_SetCursorProperties(device, 0, 0, surface), D3D_OK);
    IDirect3DDevice9Ex_ShowCursor(device, TRUE);
    ck_assert_int_eq(IDirect3DDevice9Ex_Reset(device, &p), D3D_OK);
    ck_assert(!shown());
    ck_assert_int_eq(IDirect3DDevice9Ex_ShowCursor(device, TRUE), FALSE);
    ck_assert_int_eq(IDirect3DDevice9Ex_ShowCursor(device, TRUE), FALSE);
    IDirect3DSurface9_Release(surface);
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

START_TEST(positions_are_desktop_coordinates)
{
    HWND window = open_window();
    IDirect3DDevice9Ex *device = make_device(window, true, D3DPRESENT_INTERVAL_ONE);
    POINT at;

    IDirect3DDevice9Ex_SetCursorPosition(device, 123, 234, D3DCURSOR_IMMEDIATE_UPDATE);
    ck_assert(GetCursorPos(&at) && at.x == 123 && at.y == 234);
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("windows cursor");
    TCase *tc = tcase_create("cursor");

    tcase_add_loop_test(tc, cursor_shows_surface, 0, 4);
    tcase_add_test(tc, reset_removes_cursor);
    tcase_add_test(tc, positions_are_desktop_coordinates);
    suite_add_tcase(s, tc);
    return s;
}

#include "check_main.h"
TEST_MAIN(suite)
