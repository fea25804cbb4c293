/* Tests of MOUSE = picture, the default: positions of the mouse over a scaled picture. They need a
 * desktop of 1024x768, on which a back buffer of 640x480 is enlarged to 8/5. */
#include "real.h"

static LPARAM last_move, last_size;

static LRESULT CALLBACK answer(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    if (message == WM_MOUSEMOVE)
        last_move = lparam;
    if (message == WM_SIZE)
        last_size = lparam;
    return DefWindowProcA(window, message, wparam, lparam);
}

static HWND open_answering(void)
{
    static bool registered;
    WNDCLASSA class = {.lpfnWndProc = answer, .lpszClassName = "answering"};
    HWND window;

    if (!registered)
        ck_assert(RegisterClassA(&class));
    registered = true;
    window = CreateWindowA("answering", "mouse", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 20, 30, 300, 200,
                           NULL, NULL, NULL, NULL);
    SetForegroundWindow(window);
    pump();
    return window;
}

static bool is_at(POINT at, LONG x, LONG y)
{
    return at.x == x && at.y == y;
}

static POINT position(void)
{
    POINT at = {-1, -1};

    ck_assert(GetCursorPos(&at));
    return at;
}

/* Sets a position until both the program and the system see it where they should: the display of
 * the test tells of moves late, also of earlier ones. */
static bool moves_to(int x, int y, LONG real_x, LONG real_y)
{
    for (int i = 0; i < 100; i++) {
        ck_assert(SetCursorPos(x, y));
        pump();
        if (is_at(real_position(), real_x, real_y) && is_at(position(), x, y))
            return true;
    }
    return false;
}

/* Messages arrive late on a busy machine, and only for moves. */
static bool hears_inside(int x, int y, int client_x, int client_y)
{
    for (int i = 0; i < 100 && last_move != MAKELPARAM(client_x, client_y); i++) {
        SetCursorPos(x + i % 2, y);
        pump();
    }
    return last_move == MAKELPARAM(client_x, client_y);
}

/* Of a window in the corner of the screen. */
static bool hears_of(int x, int y)
{
    return hears_inside(x, y, x, y);
}

START_TEST(positions_are_those_of_the_picture)
{
    HWND window = open_answering();
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);

    show_colour(device, 0xff204060);
    ck_assert(moves_to(320, 240, 512, 384));
    ck_assert(hears_of(320, 240));
    ck_assert(moves_to(0, 0, 0, 0));
    ck_assert(moves_to(639, 479, 1023, 767));
    for (int i = 0; i < 100 && !is_at(real_position(), 256, 192); i++) {
        IDirect3DDevice9Ex_SetCursorPosition(device, 160, 120, 0);
        pump();
    }
    ck_assert(is_at(real_position(), 256, 192) && is_at(position(), 160, 120));
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

START_TEST(clips_are_those_of_the_picture)
{
    HWND window = open_answering();
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    RECT clip = {0, 0, 320, 240};

    ck_assert(ClipCursor(&clip) && GetClipCursor(&clip));
    ck_assert_msg(clip.left == 0 && clip.top == 0 && clip.right == 320 && clip.bottom == 240,
                  "%ld %ld", clip.right, clip.bottom);
    ck_assert(ClipCursor(NULL));
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

/* A window that leaves the screen is moved back once; the program may move it again after that. */
START_TEST(positions_follow_a_moved_window)
{
    HWND window = open_answering();
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);

    ck_assert(SetWindowPos(window, NULL, 100, 50, 320, 240, SWP_NOZORDER));
    ck_assert(window_comes_to(window, 0, 0, 1024, 768));
    ck_assert(moves_to(320, 240, 512, 384) && hears_of(320, 240));
    ck_assert(SetWindowPos(window, NULL, 100, 50, 320, 240, SWP_NOZORDER));
    ck_assert(window_comes_to(window, 100, 50, 420, 290));
    ck_assert(moves_to(200, 150, 150, 100) && hears_inside(200, 150, 100, 100));
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

/* The device does not see the messages of a device window that is not its focus window. */
START_TEST(positions_follow_a_moved_device_window)
{
    HWND focus = open_answering(), window = open_answering();
    IDirect3DDevice9Ex *device =
        make_device_with(focus, window, false, D3DPRESENT_INTERVAL_IMMEDIATE);

    ck_assert(window_comes_to(window, 0, 0, 1024, 768) && moves_to(320, 240, 512, 384));
    ck_assert(SetWindowPos(window, NULL, 100, 50, 320, 240, SWP_NOZORDER));
    ck_assert(window_comes_to(window, 100, 50, 420, 290));
    ck_assert(moves_to(200, 150, 150, 100) && hears_inside(200, 150, 100, 100));
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
    DestroyWindow(focus);
}
END_TEST

static bool set_mode(DWORD width, DWORD height)
{
    DEVMODEA mode = {.dmSize = sizeof(mode),
                     .dmFields = DM_PELSWIDTH | DM_PELSHEIGHT,
                     .dmPelsWidth = width,
                     .dmPelsHeight = height};

    return ChangeDisplaySettingsA(&mode, CDS_FULLSCREEN) == DISP_CHANGE_SUCCESSFUL;
}

/* Nothing is mapped on a monitor of the picture's size, until its mode changes. */
START_TEST(positions_follow_the_mode)
{
    HWND window = open_answering();
    IDirect3DDevice9Ex *device;

    ck_assert(set_mode(640, 480));
    device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    ck_assert(window_comes_to(window, 0, 0, 640, 480));
    ck_assert(moves_to(300, 200, 300, 200) && hears_of(300, 200));
    ck_assert(set_mode(800, 600) && window_comes_to(window, 0, 0, 800, 600));
    ck_assert(moves_to(320, 240, 400, 300) && hears_of(320, 240));
    ck_assert(ChangeDisplaySettingsA(NULL, 0) == DISP_CHANGE_SUCCESSFUL);
    ck_assert(window_comes_to(window, 0, 0, 1024, 768));
    ck_assert(moves_to(320, 240, 512, 384) && hears_of(320, 240));
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

static BOOL(WINAPI *found_position(void))(POINT *)
{
    return (BOOL(WINAPI *)(POINT *))(void *)GetProcAddress(GetModuleHandleA("user32.dll"),
                                                           "GetCursorPos");
}

/* Each way to a position tells the same. */
START_TEST(all_functions_agree)
{
    HWND window = open_answering();
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    POINT (*late)(void);
    CURSORINFO info = {.cbSize = sizeof(info)};
    HMODULE dll = LoadLibraryA("late.dll");
    POINT at = {-1, -1};
    MSG message;

    ck_assert(moves_to(320, 240, 512, 384) && hears_of(320, 240));
    ck_assert(moves_to(320, 240, 512, 384));
    ck_assert(GetCursorInfo(&info) && is_at(info.ptScreenPos, 320, 240));
    ck_assert(found_position()(&at) && is_at(at, 320, 240));
    ck_assert(dll);
    late = (POINT(*)(void))(void *)GetProcAddress(dll, "late_position");
    ck_assert(late && is_at(late(), 320, 240));
    PostMessageA(window, WM_USER, 0, 0);
    ck_assert(PeekMessageA(&message, window, WM_USER, WM_USER, PM_REMOVE));
    ck_assert_msg(is_at(message.pt, 320, 240), "%ld %ld", message.pt.x, message.pt.y);
    ck_assert_int_eq((int)GetMessagePos(), (int)MAKELPARAM(320, 240));
    IDirect3DDevice9Ex_Release(device);
    ck_assert(is_at(late(), 512, 384));
    FreeLibrary(dll);
    DestroyWindow(window);
}
END_TEST

/* What the program sends itself has positions of the program. */
START_TEST(sent_messages_stay)
{
    HWND window = open_answering();
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);

    SendMessageA(window, WM_MOUSEMOVE, 0, MAKELPARAM(320, 240));
    ck_assert(last_move == MAKELPARAM(320, 240));
    SendMessageA(window, WM_SIZE, SIZE_RESTORED, MAKELPARAM(1024, 768));
    ck_assert_msg(last_size == MAKELPARAM(640, 480), "%d %d", LOWORD(last_size), HIWORD(last_size));
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

static bool ends_at(const RECT *rect, LONG right, LONG bottom)
{
    return !rect->left && !rect->top && rect->right == right && rect->bottom == bottom;
}

/* Whether the monitor and its work area have this size, by both functions. */
static bool monitor_is(HWND window, LONG width, LONG height)
{
    HMONITOR monitor = MonitorFromWindow(window, MONITOR_DEFAULTTONEAREST);
    MONITORINFOEXA a = {.cbSize = sizeof(a)};
    MONITORINFO w = {.cbSize = sizeof(w)};

    return GetMonitorInfoA(monitor, (MONITORINFO *)&a) && GetMonitorInfoW(monitor, &w) &&
           ends_at(&a.rcMonitor, width, height) && ends_at(&a.rcWork, width, height) &&
           ends_at(&w.rcMonitor, width, height) && ends_at(&w.rcWork, width, height);
}

/* Whether the current mode has this size, by all functions. */
static bool mode_is(DWORD width, DWORD height)
{
    DEVMODEA a = {.dmSize = sizeof(a)}, more_a = a;
    DEVMODEW w = {.dmSize = sizeof(w)}, more_w = w;

    return EnumDisplaySettingsA(NULL, ENUM_CURRENT_SETTINGS, &a) &&
           EnumDisplaySettingsW(NULL, ENUM_CURRENT_SETTINGS, &w) &&
           EnumDisplaySettingsExA(NULL, ENUM_CURRENT_SETTINGS, &more_a, 0) &&
           EnumDisplaySettingsExW(NULL, ENUM_CURRENT_SETTINGS, &more_w, 0) &&
           a.dmPelsWidth == width && a.dmPelsHeight == height && w.dmPelsWidth == width &&
           w.dmPelsHeight == height && more_a.dmPelsWidth == width &&
           more_a.dmPelsHeight == height && more_w.dmPelsWidth == width &&
           more_w.dmPelsHeight == height;
}

/* The program's window is as large as its picture, so positions scaled by its size are right. */
START_TEST(sizes_are_those_of_the_picture)
{
    HWND window = open_answering();
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    RECT place, client;

    ck_assert(GetWindowRect(window, &place) && GetClientRect(window, &client));
    ck_assert(place.right == 640 && place.bottom == 480 && client.right == 640 &&
              client.bottom == 480);
    ck_assert(GetSystemMetrics(SM_CXSCREEN) == 640 && GetSystemMetrics(SM_CYSCREEN) == 480);
    ck_assert(monitor_is(window, 640, 480) && mode_is(640, 480));
    ck_assert(real.window(window, &place) && real.client(window, &client));
    ck_assert(place.right == 1024 && place.bottom == 768 && client.right == 1024 &&
              client.bottom == 768);
    IDirect3DDevice9Ex_Release(device);
    ck_assert(GetSystemMetrics(SM_CXSCREEN) == 1024 && monitor_is(window, 1024, 768));
    ck_assert(mode_is(1024, 768));
    GetWindowRect(window, &place);
    ck_assert_msg(place.right - place.left == 300, "%ld %ld", place.left, place.right);
    DestroyWindow(window);
}
END_TEST

/* SCALING = aspect: 640x400 becomes 1024x640 in the middle; bars above and below are its edges. */
START_TEST(bars_are_edges)
{
    HWND window = open_answering();
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    D3DPRESENT_PARAMETERS p = show_parameters(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    D3DDISPLAYMODEEX mode = {sizeof(mode), 640, 400, 0, D3DFMT_X8R8G8B8, 0};

    p.BackBufferHeight = 400;
    ck_assert_int_eq(IDirect3DDevice9Ex_ResetEx(device, &p, &mode), D3D_OK);
    ck_assert(moves_to(0, 0, 0, 64) && moves_to(320, 200, 512, 384));
    ck_assert(moves_to(639, 399, 1023, 703));
    for (int i = 0; i < 100 && !is_at(position(), 312, 399); i++, pump())
        ck_assert(real.move(500, 740));
    ck_assert(is_at(position(), 312, 399));
    for (int i = 0; i < 100 && !is_at(real_position(), 1023, 703); i++, pump())
        ck_assert(SetCursorPos(900, 700));
    ck_assert(is_at(real_position(), 1023, 703));
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

/* After the device, and for a back buffer of the window's size, positions are the system's. */
START_TEST(ends_with_the_device)
{
    HWND window = open_answering();
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    D3DPRESENT_PARAMETERS p = show_parameters(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    D3DDISPLAYMODEEX mode = {sizeof(mode), 1024, 768, 0, D3DFMT_X8R8G8B8, 0};

    p.BackBufferWidth = 1024;
    p.BackBufferHeight = 768;
    ck_assert_int_eq(IDirect3DDevice9Ex_ResetEx(device, &p, &mode), D3D_OK);
    ck_assert(moves_to(700, 300, 700, 300) && hears_of(700, 300));
    p = show_parameters(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    mode.Width = SHOW_WIDTH;
    mode.Height = SHOW_HEIGHT;
    ck_assert_int_eq(IDirect3DDevice9Ex_ResetEx(device, &p, &mode), D3D_OK);
    ck_assert(moves_to(320, 240, 512, 384));
    IDirect3DDevice9Ex_Release(device);
    ck_assert(moves_to(320, 240, 320, 240));
    DestroyWindow(window);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("windows mouse");
    TCase *tc = tcase_create("mouse");

    _putenv("NOVEM_FULLSCREEN=borderless");
    _putenv("NOVEM_SCALING=aspect");
    find_real();
    tcase_add_test(tc, positions_are_those_of_the_picture);
    tcase_add_test(tc, positions_follow_a_moved_window);
    tcase_add_test(tc, positions_follow_a_moved_device_window);
    tcase_add_test(tc, positions_follow_the_mode);
    tcase_add_test(tc, clips_are_those_of_the_picture);
    tcase_add_test(tc, all_functions_agree);
    tcase_add_test(tc, sent_messages_stay);
    tcase_add_test(tc, sizes_are_those_of_the_picture);
    tcase_add_test(tc, bars_are_edges);
    tcase_add_test(tc, ends_with_the_device);
    suite_add_tcase(s, tc);
    return s;
}

#include "check_main.h"
TEST_MAIN(suite)
