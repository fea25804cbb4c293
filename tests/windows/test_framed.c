/* Tests of FULLSCREEN = off on Windows. They need a desktop of 1024x768. */
#include "show.h"

static HWND open_styled(DWORD style, DWORD extended)
{
    static bool registered;
    WNDCLASSA class = {.lpfnWndProc = DefWindowProcA, .lpszClassName = "styled"};
    HWND window;

    if (!registered)
        ck_assert(RegisterClassA(&class));
    registered = true;
    window = CreateWindowExA(extended, "styled", "framed", style, 50, 60, 300, 200, NULL, NULL,
                             NULL, NULL);
    SetForegroundWindow(window);
    pump();
    return window;
}

static bool client_is(HWND window, LONG width, LONG height)
{
    RECT client;

    return GetClientRect(window, &client) && client.right == width && client.bottom == height;
}

static bool desktop_is(DWORD width, DWORD height)
{
    DEVMODEA mode = {.dmSize = sizeof(mode)};

    return EnumDisplaySettingsA(NULL, ENUM_CURRENT_SETTINGS, &mode) && mode.dmPelsWidth == width &&
           mode.dmPelsHeight == height;
}

START_TEST(runs_in_a_window)
{
    DWORD styles[] = {WS_POPUP, WS_OVERLAPPEDWINDOW};
    HWND window = open_styled(styles[_i], _i ? 0 : WS_EX_TOPMOST);
    LONG style = GetWindowLongA(window, GWL_STYLE), extended = GetWindowLongA(window, GWL_EXSTYLE);
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    D3DDISPLAYMODEEX mode = {.Size = sizeof(mode)};
    D3DPRESENT_PARAMETERS p = show_parameters(window, false, 0);
    RECT rect, after;

    ck_assert(desktop_is(1024, 768) && client_is(window, 640, 480) && IsWindowVisible(window));
    ck_assert_int_eq(GetWindowLongA(window, GWL_STYLE) & WS_CAPTION, WS_CAPTION);
    ck_assert(!(GetWindowLongA(window, GWL_EXSTYLE) & WS_EX_TOPMOST));
    GetWindowRect(window, &rect);
    ck_assert(_i ? rect.left == 50 && rect.top == 60 : rect.left > 150 && rect.top > 80);
    ck_assert(GetWindowLongPtrA(window, GWLP_WNDPROC) == (LONG_PTR)DefWindowProcA);
    ck_assert_int_eq(IDirect3DDevice9Ex_GetDisplayModeEx(device, 0, &mode, NULL), D3D_OK);
    ck_assert(mode.Width == 640 && mode.Height == 480); /* the program sees full screen */
    show_colour(device, 0xff204060);
    GetWindowRect(window, &rect);
    ck_assert_uint_eq(pixel_soon(window, 320, 240, RGB(0x20, 0x40, 0x60)), RGB(0x20, 0x40, 0x60));
    ck_assert(pixel(window, 320, 2) != RGB(0x20, 0x40, 0x60)); /* the title bar */
    SetForegroundWindow(GetDesktopWindow());
    pump();
    ck_assert(!IsIconic(window));
    ck_assert_int_eq(present_ex(device, 0), D3D_OK);
    ck_assert_int_eq(IDirect3DDevice9Ex_CheckDeviceState(device, window), D3D_OK);
    MoveWindow(window, 7, 8, rect.right - rect.left, rect.bottom - rect.top, FALSE);
    ck_assert_int_eq(IDirect3DDevice9Ex_Reset(device, &p), D3D_OK);
    GetWindowRect(window, &after);
    ck_assert(after.left == 7 && after.top == 8); /* a Reset of the same size leaves it there */
    p.BackBufferWidth = 800, p.BackBufferHeight = 600;
    ck_assert_int_eq(IDirect3DDevice9Ex_Reset(device, &p), D3D_OK);
    ck_assert(client_is(window, 800, 600));
    IDirect3DDevice9Ex_Release(device);
    GetWindowRect(window, &after);
    ck_assert(after.left == 50 && after.top == 60 && after.right == 350 && after.bottom == 260);
    ck_assert_int_eq(GetWindowLongA(window, GWL_STYLE), style | WS_VISIBLE);
    ck_assert_int_eq(GetWindowLongA(window, GWL_EXSTYLE), extended);
    DestroyWindow(window);
}
END_TEST

/* The program is told that it is full screen, so its ramp has an effect. */
START_TEST(gamma_ramps_change_the_window)
{
    HWND window = open_styled(WS_OVERLAPPEDWINDOW, 0);
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    D3DPRESENT_PARAMETERS p = show_parameters(window, true, 0);
    COLORREF plain = RGB(0x40, 0x80, 0xc0), ramped = RGB(0x20, 0xbf, 0xc0);

    show_colour(device, 0xff4080c0);
    ck_assert_uint_eq(pixel_soon(window, 320, 240, plain), plain);
    set_gamma(device, 2);
    show_colour(device, 0xff4080c0);
    ck_assert_uint_eq(pixel_soon(window, 320, 240, ramped), ramped);
    ck_assert_int_eq(IDirect3DDevice9Ex_Reset(device, &p), D3D_OK);
    show_colour(device, 0xff4080c0);
    ck_assert_uint_eq(pixel_soon(window, 150, 100, plain), plain);
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("windows framed");
    TCase *tc = tcase_create("framed");

    _putenv("NOVEM_FULLSCREEN=off");
    tcase_add_loop_test(tc, runs_in_a_window, 0, 2);
    tcase_add_test(tc, gamma_ramps_change_the_window);
    suite_add_tcase(s, tc);
    return s;
}

#include "check_main.h"
TEST_MAIN(suite)
