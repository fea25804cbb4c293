/* Test of full-screen devices under a window manager, on a screen whose mode cannot be set. */
#include "managed.h"

START_TEST(frame_is_hidden)
{
    HWND window = open_managed();
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    D3DPRESENT_PARAMETERS p = show_parameters(window, false, 0);
    LONG style = GetWindowLongA(window, GWL_STYLE);

    covers_screen(window, device);
    ck_assert_int_eq(style & WS_OVERLAPPEDWINDOW, WS_OVERLAPPEDWINDOW);
    ck_assert_int_eq(IDirect3DDevice9Ex_Reset(device, &p), D3D_OK);
    covers_screen(window, device);
    IDirect3DDevice9Ex_Release(device);
    is_back(window);
    DestroyWindow(window);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("windows managed program");
    TCase *tc = tcase_create("program");

    find_real();
    tcase_add_test(tc, frame_is_hidden);
    suite_add_tcase(s, tc);
    return s;
}

#include "check_main.h"
TEST_MAIN(suite)
