/* Tests of FULLSCREEN = borderless and RESOLUTION on Windows. They need a desktop of 1024x768. */
#include "real.h"

static int foreign; /* registered messages, of which the program knows none */

static LRESULT CALLBACK answer(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    foreign += message >= 0xc000;
    return DefWindowProcA(window, message, wparam, lparam);
}

static HWND open_framed(DWORD extended)
{
    static bool registered;
    WNDCLASSA class = {.lpfnWndProc = answer, .lpszClassName = "framed"};
    HWND window;

    if (!registered)
        ck_assert(RegisterClassA(&class));
    registered = true;
    window = CreateWindowExA(extended, "framed", "borderless", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 50,
                             60, 300, 200, NULL, NULL, NULL, NULL);
    SetForegroundWindow(window);
    pump();
    return window;
}

static bool desktop_is(DWORD width, DWORD height)
{
    DEVMODEA mode = {.dmSize = sizeof(mode)};

    return real.mode(NULL, ENUM_CURRENT_SETTINGS, &mode) && mode.dmPelsWidth == width &&
           mode.dmPelsHeight == height;
}

static void go_away(void)
{
    SetForegroundWindow(GetDesktopWindow());
    pump();
}

START_TEST(covers_the_monitor_in_its_mode)
{
    HWND window = open_framed(_i ? WS_EX_TOPMOST : 0);
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    LONG extended = GetWindowLongA(window, GWL_EXSTYLE);
    RECT client;

    ck_assert(desktop_is(1024, 768) && window_is_at(window, 0, 0, 1024, 768));
    real.client(window, &client);
    ck_assert(client.right == 1024 && client.bottom == 768);
    ck_assert(!(extended & WS_EX_TOPMOST)); /* other windows come in front */
    show_colour(device, 0xff204060);        /* a back buffer of 640x480 */
    ck_assert_uint_eq(pixel_soon(window, 1020, 760, RGB(0x20, 0x40, 0x60)), RGB(0x20, 0x40, 0x60));
    ck_assert_uint_eq(pixel(window, 0, 0), RGB(0x20, 0x40, 0x60));
    IDirect3DDevice9Ex_Release(device);
    ck_assert(desktop_is(1024, 768) && window_is_at(window, 50, 60, 350, 260));
    extended = GetWindowLongA(window, GWL_EXSTYLE);
    ck_assert_int_eq(!(extended & WS_EX_TOPMOST), !_i);
    DestroyWindow(window);
}
END_TEST

START_TEST(stays_without_the_focus)
{
    HWND window = open_framed(0);
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);

    go_away();
    ck_assert(!IsIconic(window) && window_is_at(window, 0, 0, 1024, 768));
    ck_assert_int_eq(present_ex(device, 0), D3D_OK);
    ck_assert_int_eq(IDirect3DDevice9Ex_CheckDeviceState(device, window), D3D_OK);
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

/* The window gets its place back, and a back buffer of size 0 that of RESOLUTION. */
START_TEST(reset_to_a_window)
{
    HWND window = open_framed(0);
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    D3DPRESENT_PARAMETERS p = show_parameters(window, true, 0);

    p.BackBufferWidth = p.BackBufferHeight = 0;
    ck_assert_int_eq(IDirect3DDevice9Ex_Reset(device, &p), D3D_OK);
    ck_assert(p.BackBufferWidth == 800 && p.BackBufferHeight == 500);
    pump();
    ck_assert(window_is_at(window, 50, 60, 350, 260) && !foreign);
    ck_assert(GetWindowLongPtrA(window, GWLP_WNDPROC) == (LONG_PTR)answer);
    p = show_parameters(window, false, 0);
    p.BackBufferWidth = 800, p.BackBufferHeight = 500; /* a mode that the desktop does not have */
    ck_assert_int_eq(IDirect3DDevice9Ex_Reset(device, &p), D3D_OK);
    ck_assert(desktop_is(1024, 768) && window_is_at(window, 0, 0, 1024, 768));
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

START_TEST(follows_the_monitor)
{
    HWND window = open_framed(0);
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    DEVMODEA mode = {.dmSize = sizeof(mode),
                     .dmPelsWidth = 800,
                     .dmPelsHeight = 600,
                     .dmFields = DM_PELSWIDTH | DM_PELSHEIGHT};

    ck_assert_int_eq(ChangeDisplaySettingsA(&mode, CDS_FULLSCREEN), DISP_CHANGE_SUCCESSFUL);
    pump();
    ck_assert(window_is_at(window, 0, 0, 800, 600));
    ck_assert_int_eq(present_ex(device, 0), D3D_OK);
    IDirect3DDevice9Ex_Release(device);
    ck_assert(desktop_is(800, 600)); /* the mode is not ours */
    ChangeDisplaySettingsA(NULL, 0);
    pump();
    DestroyWindow(window);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("windows borderless");
    TCase *tc = tcase_create("borderless");

    find_real();
    _putenv("NOVEM_FULLSCREEN=borderless");
    _putenv("NOVEM_RESOLUTION=800x500");
    tcase_add_loop_test(tc, covers_the_monitor_in_its_mode, 0, 2);
    tcase_add_test(tc, stays_without_the_focus);
    tcase_add_test(tc, reset_to_a_window);
    tcase_add_test(tc, follows_the_monitor);
    suite_add_tcase(s, tc);
    return s;
}

#include "check_main.h"
TEST_MAIN(suite)
