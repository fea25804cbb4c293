/* Test of FULLSCREEN = borderless under a window manager. */
#include "managed.h"

START_TEST(other_windows_come_in_front)
{
    HWND window = open_managed(), other;
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    D3DPRESENT_PARAMETERS p = show_parameters(window, true, 0);
    const COLORREF white = RGB(255, 255, 255);

    covers_screen(window, device);
    other = open_managed();
    ck_assert(screen_shows(200, 150, white, true));
    ck_assert(!IsIconic(window) && window_comes_to(window, 0, 0, SCREEN_WIDTH, SCREEN_HEIGHT));
    show_colour(device, 0xff204060);
    ck_assert(screen_shows(600, 500, RGB(0x20, 0x40, 0x60), true));
    DestroyWindow(other);
    ck_assert_int_eq(IDirect3DDevice9Ex_Reset(device, &p), D3D_OK);
    is_back(window);
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("windows managed borderless");
    TCase *tc = tcase_create("borderless");

    find_real();
    _putenv("NOVEM_FULLSCREEN=borderless");
    tcase_add_test(tc, other_windows_come_in_front);
    suite_add_tcase(s, tc);
    return s;
}

#include "check_main.h"
TEST_MAIN(suite)
