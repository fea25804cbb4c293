/* Tests of full-screen devices, display modes and application windows on Windows. They need a
 * desktop of 1024x768 whose mode can be changed: a virtual desktop of Wine, see desktop.sh. */
#include <check.h>
#include <d3d9.h>
#include <stdbool.h>

enum { DESKTOP_WIDTH = 1024, DESKTOP_HEIGHT = 768 };

/* --- Windows that record their messages ------------------------------------------------------- */

static struct {
    HWND window;
    UINT message;
    WPARAM wparam;
} heard[4096];
static int n_heard;

static LRESULT CALLBACK listen(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    if (n_heard < 4096) {
        heard[n_heard].window = window;
        heard[n_heard].message = message;
        heard[n_heard++].wparam = wparam;
    }
    return DefWindowProcA(window, message, wparam, lparam);
}

/* Searches from index `from`; -1: not found. */
static int find_heard(int from, HWND window, UINT message)
{
    for (int i = from; i < n_heard; i++)
        if (heard[i].window == window && heard[i].message == message)
            return i;
    return -1;
}

static bool heard_any(HWND window)
{
    for (int i = 0; i < n_heard; i++)
        if (heard[i].window == window && heard[i].message != WM_DISPLAYCHANGE)
            return true;
    return false;
}

static void pump(void)
{
    MSG message;

    for (int i = 0; i < 4; i++) {
        while (PeekMessageA(&message, NULL, 0, 0, PM_REMOVE))
            DispatchMessageA(&message);
        Sleep(10);
    }
}

static HWND open_window(DWORD style)
{
    static bool registered;
    WNDCLASSA class = {.lpfnWndProc = listen, .lpszClassName = "listening"};

    if (!registered)
        ck_assert(RegisterClassA(&class));
    registered = true;
    return CreateWindowA("listening", "full screen", WS_OVERLAPPEDWINDOW | style, 0, 0, 300, 200,
                         NULL, NULL, NULL, NULL);
}

/* Not inlined, so that it takes GetWindowRect from the import table each time. */
__attribute__((noinline)) static bool covers(HWND window, int width, int height)
{
    RECT rect, screen = {0, 0, width, height};

    return GetWindowRect(window, &rect) && EqualRect(&rect, &screen);
}

static bool own_procedure(HWND window)
{
    return GetWindowLongPtrA(window, GWLP_WNDPROC) == (LONG_PTR)listen;
}

/* --- The desktop ------------------------------------------------------------------------------ */

static bool desktop_is(DWORD width, DWORD height)
{
    DEVMODEA mode = {.dmSize = sizeof(mode)};

    return EnumDisplaySettingsA(NULL, ENUM_CURRENT_SETTINGS, &mode) && mode.dmPelsWidth == width &&
           mode.dmPelsHeight == height;
}

static void change_desktop(DWORD width, DWORD height)
{
    DEVMODEA mode = {.dmSize = sizeof(mode),
                     .dmPelsWidth = width,
                     .dmPelsHeight = height,
                     .dmFields = DM_PELSWIDTH | DM_PELSHEIGHT};

    ck_assert_int_eq(ChangeDisplaySettingsA(&mode, CDS_FULLSCREEN), DISP_CHANGE_SUCCESSFUL);
    pump();
}

/* Imitates a user who switches to another application. */
static void go_away(void)
{
    SetForegroundWindow(GetDesktopWindow());
    pump();
}

static void come_back(HWND window)
{
    ShowWindow(window, SW_RESTORE);
    SetForegroundWindow(window);
    pump();
}

/* --- Devices ---------------------------------------------------------------------------------- */

static D3DPRESENT_PARAMETERS parameters(HWND window, UINT width, UINT height, bool windowed)
{
    return (D3DPRESENT_PARAMETERS){.BackBufferWidth = width,
                                   .BackBufferHeight = height,
                                   .BackBufferFormat = D3DFMT_X8R8G8B8,
                                   .SwapEffect = D3DSWAPEFFECT_DISCARD,
                                   .hDeviceWindow = window,
                                   .Windowed = windowed};
}

static IDirect3DDevice9 *make(HWND focus, D3DPRESENT_PARAMETERS p, DWORD flags)
{
    IDirect3D9 *d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    IDirect3DDevice9 *device = NULL;

    ck_assert(d3d9);
    ck_assert_int_eq(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, focus,
                                             D3DCREATE_SOFTWARE_VERTEXPROCESSING | flags, &p,
                                             &device),
                     D3D_OK);
    IDirect3D9_Release(d3d9);
    return device;
}

static IDirect3DDevice9Ex *make_ex(HWND window)
{
    D3DPRESENT_PARAMETERS p = parameters(window, 800, 600, false);
    D3DDISPLAYMODEEX mode = {sizeof(mode), 800, 600, 0, D3DFMT_X8R8G8B8, 0};
    IDirect3DDevice9Ex *device = NULL;
    IDirect3D9Ex *d3d9;

    ck_assert_int_eq(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d9), D3D_OK);
    ck_assert_int_eq(IDirect3D9Ex_CreateDeviceEx(d3d9, 0, D3DDEVTYPE_HAL, window,
                                                 D3DCREATE_SOFTWARE_VERTEXPROCESSING, &p, &mode,
                                                 &device),
                     D3D_OK);
    IDirect3D9Ex_Release(d3d9);
    return device;
}

static HRESULT present(IDirect3DDevice9 *device)
{
    return IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL);
}

/* --- Modes ------------------------------------------------------------------------------------ */

START_TEST(modes_match_desktop)
{
    IDirect3D9 *d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    UINT count = IDirect3D9_GetAdapterModeCount(d3d9, 0, D3DFMT_X8R8G8B8), found = 0;
    D3DDISPLAYMODE mode, before = {0};

    ck_assert_uint_ge(count, 3);
    for (UINT i = 0; i < count; i++, before = mode) {
        ck_assert_int_eq(IDirect3D9_EnumAdapterModes(d3d9, 0, D3DFMT_X8R8G8B8, i, &mode), D3D_OK);
        ck_assert(mode.Width > before.Width ||
                  (mode.Width == before.Width && mode.Height >= before.Height));
        found += mode.Width == DESKTOP_WIDTH && mode.Height == DESKTOP_HEIGHT;
    }
    ck_assert_uint_ge(found, 1);
    ck_assert_int_eq(IDirect3D9_GetAdapterDisplayMode(d3d9, 0, &mode), D3D_OK);
    ck_assert(mode.Width == DESKTOP_WIDTH && mode.Height == DESKTOP_HEIGHT);
    ck_assert_uint_eq(IDirect3D9_GetAdapterModeCount(d3d9, 0, D3DFMT_DXT1), 0);
    ck_assert_uint_eq(IDirect3D9_GetAdapterModeCount(d3d9, 99, D3DFMT_X8R8G8B8), 0);
    IDirect3D9_Release(d3d9);
}
END_TEST

START_TEST(devices_set_and_restore_the_mode)
{
    HWND window = open_window(0);
    D3DPRESENT_PARAMETERS p = parameters(window, 800, 600, false);
    IDirect3DDevice9 *device = make(window, p, 0);
    D3DDISPLAYMODE mode;

    ck_assert(desktop_is(800, 600) && covers(window, 800, 600));
    ck_assert_int_eq(IDirect3DDevice9_GetDisplayMode(device, 0, &mode), D3D_OK);
    ck_assert(mode.Width == 800 && mode.Height == 600);
    p = parameters(window, 640, 480, false);
    ck_assert_int_eq(IDirect3DDevice9_Reset(device, &p), D3D_OK);
    ck_assert(desktop_is(640, 480) && covers(window, 640, 480));
    p = parameters(window, 0, 0, true);
    ck_assert_int_eq(IDirect3DDevice9_Reset(device, &p), D3D_OK);
    ck_assert(desktop_is(DESKTOP_WIDTH, DESKTOP_HEIGHT));
    ck_assert(covers(window, 640, 480)); /* windows keep their rectangles */
    p = parameters(window, 800, 600, false);
    ck_assert_int_eq(IDirect3DDevice9_Reset(device, &p), D3D_OK);
    ck_assert_uint_eq(IDirect3DDevice9_Release(device), 0);
    ck_assert(desktop_is(DESKTOP_WIDTH, DESKTOP_HEIGHT));
    DestroyWindow(window);
}
END_TEST

START_TEST(unknown_modes_fail)
{
    HWND window = open_window(0);
    IDirect3DDevice9 *device = make(window, parameters(window, 100, 100, true), 0);
    D3DPRESENT_PARAMETERS p = parameters(window, 801, 600, false);

    ck_assert_int_eq(IDirect3DDevice9_Reset(device, &p), D3DERR_INVALIDCALL);
    ck_assert(desktop_is(DESKTOP_WIDTH, DESKTOP_HEIGHT));
    IDirect3DDevice9_Release(device);
    ck_assert(own_procedure(window));
    DestroyWindow(window);
}
END_TEST

/* --- Windows ---------------------------------------------------------------------------------- */

START_TEST(windowed_devices_leave_windows_alone)
{
    HWND window = open_window(WS_VISIBLE), other = open_window(WS_VISIBLE);
    IDirect3DDevice9 *device;

    SetForegroundWindow(other);
    pump();
    n_heard = 0;
    device = make(window, parameters(window, 100, 100, true), 0);
    ck_assert(own_procedure(window) && GetForegroundWindow() == other && !heard_any(window));
    ck_assert_int_eq(present(device), D3D_OK);
    IDirect3DDevice9_Release(device);
    ck_assert(!heard_any(window));
    DestroyWindow(window);
    DestroyWindow(other);
}
END_TEST

START_TEST(focus_window_is_subclassed)
{
    HWND focus = open_window(WS_VISIBLE), window = open_window(WS_VISIBLE);
    D3DPRESENT_PARAMETERS p = parameters(window, 800, 600, false);
    IDirect3DDevice9 *device;

    go_away();
    n_heard = 0;
    device = make(focus, p, 0);
    ck_assert(GetForegroundWindow() == focus && find_heard(0, focus, WM_ACTIVATE) >= 0);
    ck_assert(!own_procedure(focus) && own_procedure(window));
    pump();
    n_heard = 0; /* changes by the device itself send no messages */
    p.BackBufferWidth = 640, p.BackBufferHeight = 480;
    ck_assert_int_eq(IDirect3DDevice9_Reset(device, &p), D3D_OK);
    ck_assert(!heard_any(focus) && find_heard(0, window, WM_SIZE) >= 0);
    p.Windowed = TRUE;
    ck_assert_int_eq(IDirect3DDevice9_Reset(device, &p), D3D_OK);
    ck_assert(own_procedure(focus));
    IDirect3DDevice9_Release(device);
    DestroyWindow(window);
    DestroyWindow(focus);
}
END_TEST

START_TEST(later_subclass_stays)
{
    HWND window = open_window(WS_VISIBLE);
    IDirect3DDevice9 *device = make(window, parameters(window, 800, 600, false), 0);
    WNDPROC before = (WNDPROC)SetWindowLongPtrA(window, GWLP_WNDPROC, (LONG_PTR)DefWindowProcA);

    IDirect3DDevice9_Release(device);
    ck_assert(GetWindowLongPtrA(window, GWLP_WNDPROC) == (LONG_PTR)DefWindowProcA);
    n_heard = 0; /* it may go on calling the procedure before it */
    CallWindowProcA(before, window, WM_USER, 0, 0);
    ck_assert_int_eq(find_heard(0, window, WM_USER), 0);
    SetWindowLongPtrA(window, GWLP_WNDPROC, (LONG_PTR)before);
    DestroyWindow(window);
}
END_TEST

START_TEST(hidden_windows_are_shown)
{
    for (int shown = 0; shown < 2; shown++) {
        HWND window = open_window(shown ? WS_VISIBLE : 0);
        LONG style = GetWindowLongA(window, GWL_STYLE),
             extended = GetWindowLongA(window, GWL_EXSTYLE);
        IDirect3DDevice9 *device = make(window, parameters(window, 800, 600, false), 0);

        ck_assert_int_eq(GetWindowLongA(window, GWL_STYLE), style | WS_VISIBLE);
        ck_assert_int_eq(GetWindowLongA(window, GWL_EXSTYLE),
                         extended | (shown ? 0 : WS_EX_TOPMOST));
        IDirect3DDevice9_Release(device);
        DestroyWindow(window);
    }
}
END_TEST

static bool client_is(HWND window, LONG width, LONG height)
{
    RECT client;

    return GetClientRect(window, &client) && client.right == width && client.bottom == height;
}

/* The client area covers the screen, so positions of the mouse are those of the picture. */
START_TEST(frame_is_hidden)
{
    HWND window = open_window(WS_VISIBLE);
    LONG style = GetWindowLongA(window, GWL_STYLE);
    D3DPRESENT_PARAMETERS p = parameters(window, 800, 600, false);
    IDirect3DDevice9 *device = make(window, p, 0);
    POINT corner = {0, 0};
    RECT framed;

    ck_assert(client_is(window, 800, 600) && ClientToScreen(window, &corner));
    ck_assert(!corner.x && !corner.y);
    p = parameters(window, 640, 480, false);
    ck_assert_int_eq(IDirect3DDevice9_Reset(device, &p), D3D_OK);
    ck_assert(client_is(window, 640, 480));
    go_away();
    ck_assert(IsIconic(window) && client_is(window, 0, 0));
    come_back(window);
    ck_assert_int_eq(IDirect3DDevice9_Reset(device, &p), D3D_OK);
    ck_assert(client_is(window, 640, 480));
    p = parameters(window, 0, 0, true);
    n_heard = 0;
    ck_assert_int_eq(IDirect3DDevice9_Reset(device, &p), D3D_OK);
    ck_assert(!heard_any(window) && GetWindowLongA(window, GWL_STYLE) == style);
    GetClientRect(window, &framed);
    ck_assert(framed.right < 640 && framed.bottom < 480 && covers(window, 640, 480));
    ck_assert(p.BackBufferWidth == (UINT)framed.right && p.BackBufferHeight == (UINT)framed.bottom);
    IDirect3DDevice9_Release(device);
    DestroyWindow(window);
}
END_TEST

/* A device window beside the focus window keeps its procedure, and loses its frame's styles. */
START_TEST(other_window_has_no_frame)
{
    HWND focus = open_window(WS_VISIBLE), window = open_window(WS_VISIBLE);
    LONG style = GetWindowLongA(window, GWL_STYLE), extended = GetWindowLongA(window, GWL_EXSTYLE);
    D3DPRESENT_PARAMETERS p = parameters(window, 800, 600, false);
    IDirect3DDevice9 *device = make(focus, p, 0);

    ck_assert(client_is(window, 800, 600) && own_procedure(window));
    ck_assert_int_eq(GetWindowLongA(window, GWL_STYLE), style & ~WS_OVERLAPPEDWINDOW);
    p.Windowed = TRUE;
    ck_assert_int_eq(IDirect3DDevice9_Reset(device, &p), D3D_OK);
    ck_assert_int_eq(GetWindowLongA(window, GWL_STYLE), style);
    ck_assert_int_eq(GetWindowLongA(window, GWL_EXSTYLE), extended);
    p.Windowed = FALSE;
    ck_assert_int_eq(IDirect3DDevice9_Reset(device, &p), D3D_OK);
    go_away();
    ck_assert_int_eq(GetWindowLongA(window, GWL_STYLE), style | WS_MINIMIZE);
    ck_assert_int_eq(GetWindowLongA(window, GWL_EXSTYLE), extended | WS_EX_TOPMOST);
    come_back(focus);
    ck_assert_int_eq(IDirect3DDevice9_Reset(device, &p), D3D_OK);
    ck_assert(client_is(window, 800, 600));
    SetWindowLongA(window, GWL_STYLE, WS_POPUP | WS_VISIBLE); /* a style of the program's stays */
    IDirect3DDevice9_Release(device);
    ck_assert_int_eq(GetWindowLongA(window, GWL_STYLE) & (WS_POPUP | WS_CAPTION), WS_POPUP);
    DestroyWindow(window);
    DestroyWindow(focus);
}
END_TEST

static bool is_at(HWND window, LONG left, LONG top, LONG right, LONG bottom)
{
    RECT rect, wanted = {left, top, right, bottom};

    return GetWindowRect(window, &rect) && EqualRect(&rect, &wanted);
}

/* At release the window gets its place back, unless the program has moved it. A device that takes
 * the window over from another one knows the first place. */
START_TEST(place_is_restored)
{
    for (int how = 0; how < 3; how++) {
        HWND window = open_window(0);
        D3DPRESENT_PARAMETERS p = parameters(window, 800, 600, false);
        IDirect3DDevice9 *device, *second = NULL;

        MoveWindow(window, 30, 40, 320, 240, FALSE);
        device = make(window, p, 0);
        if (how == 1) {
            second = make(window, p, 0);
            IDirect3DDevice9_Release(device);
            ck_assert(covers(window, 800, 600) && client_is(window, 800, 600));
            device = second;
        }
        if (how == 2) {
            pump();
            MoveWindow(window, 5, 6, 400, 300, FALSE);
            pump();
            MoveWindow(window, 5, 6, 400, 300, FALSE);
        }
        IDirect3DDevice9_Release(device);
        ck_assert(how == 2 ? is_at(window, 5, 6, 405, 306) : is_at(window, 30, 40, 350, 280));
        ck_assert(!(GetWindowLongA(window, GWL_EXSTYLE) & WS_EX_TOPMOST) && own_procedure(window));
        DestroyWindow(window);
    }
}
END_TEST

START_TEST(no_window_changes)
{
    HWND window = open_window(WS_VISIBLE);
    IDirect3DDevice9 *device =
        make(window, parameters(window, 800, 600, false), D3DCREATE_NOWINDOWCHANGES);

    ck_assert(desktop_is(800, 600) && covers(window, 300, 200));
    go_away();
    ck_assert(desktop_is(DESKTOP_WIDTH, DESKTOP_HEIGHT) && !IsIconic(window));
    ck_assert_int_eq(IDirect3DDevice9_TestCooperativeLevel(device), D3DERR_DEVICELOST);
    IDirect3DDevice9_Release(device);
    DestroyWindow(window);
}
END_TEST

/* The program sees the place that it has asked for, also in the mode that the desktop has. */
START_TEST(moved_window_returns_once)
{
    static const int widths[] = {800, DESKTOP_WIDTH}, heights[] = {600, DESKTOP_HEIGHT};

    for (int i = 0; i < 2; i++) {
        HWND window = open_window(WS_VISIBLE);
        int width = widths[i], height = heights[i];
        IDirect3DDevice9 *device =
            make(window, parameters(window, (UINT)width, (UINT)height, false), 0);

        pump();
        for (int time = 0; time < 2; time++) {
            MoveWindow(window, 0, 0, width - 1, height - 1, TRUE);
            ck_assert(covers(window, width - 1, height - 1));
            pump();
            ck_assert(time ? covers(window, width - 1, height - 1) : covers(window, width, height));
        }
        IDirect3DDevice9_Release(device);
        DestroyWindow(window);
    }
}
END_TEST

/* Its place among the icons is none that it has left the screen for. */
START_TEST(minimised_window_stays)
{
    HWND window = open_window(WS_VISIBLE);
    IDirect3DDevice9 *device = make(window, parameters(window, 800, 600, false), 0);
    RECT icon, later;

    pump();
    ShowWindow(window, SW_SHOWMINNOACTIVE);
    ck_assert(IsIconic(window) && GetWindowRect(window, &icon));
    pump();
    ck_assert(IsIconic(window) && GetWindowRect(window, &later));
    ck_assert(EqualRect(&icon, &later) && (icon.left || icon.top));
    IDirect3DDevice9_Release(device);
    DestroyWindow(window);
}
END_TEST

/* --- Focus ------------------------------------------------------------------------------------ */

START_TEST(focus_loss_loses_device)
{
    HWND window = open_window(WS_VISIBLE);
    D3DPRESENT_PARAMETERS p = parameters(window, 800, 600, false);
    IDirect3DDevice9 *device = make(window, p, 0);

    ck_assert_int_eq(present(device), D3D_OK);
    n_heard = 0;
    go_away();
    ck_assert(desktop_is(DESKTOP_WIDTH, DESKTOP_HEIGHT) && IsIconic(window));
    ck_assert_int_gt(find_heard(0, window, WM_ACTIVATEAPP), -1);
    ck_assert_int_eq(find_heard(0, window, WM_WINDOWPOSCHANGED), -1);
    ck_assert_int_eq(IDirect3DDevice9_TestCooperativeLevel(device), D3DERR_DEVICELOST);
    ck_assert_int_eq(present(device), D3DERR_DEVICELOST);
    ck_assert_int_eq(IDirect3DDevice9_Reset(device, &p), D3DERR_DEVICELOST);
    come_back(window);
    ck_assert(desktop_is(DESKTOP_WIDTH, DESKTOP_HEIGHT)); /* until Reset */
    ck_assert_int_eq(IDirect3DDevice9_TestCooperativeLevel(device), D3DERR_DEVICENOTRESET);
    ck_assert_int_eq(present(device), D3DERR_DEVICELOST);
    ck_assert_int_eq(IDirect3DDevice9_Reset(device, &p), D3D_OK);
    ck_assert(desktop_is(800, 600) && covers(window, 800, 600));
    ck_assert_int_eq(IDirect3DDevice9_TestCooperativeLevel(device), D3D_OK);
    ck_assert_int_eq(present(device), D3D_OK);
    IDirect3DDevice9_Release(device);
    DestroyWindow(window);
}
END_TEST

START_TEST(ex_device_is_occluded)
{
    HWND window = open_window(WS_VISIBLE);
    IDirect3DDevice9Ex *device = make_ex(window);
    IDirect3DDevice9 *plain = (IDirect3DDevice9 *)device;

    ck_assert_int_eq(present(plain), D3D_OK);
    ck_assert_int_eq(IDirect3DDevice9Ex_CheckDeviceState(device, window), D3D_OK);
    ck_assert_int_eq(IDirect3DDevice9Ex_CheckDeviceState(device, NULL), S_PRESENT_OCCLUDED);
    go_away();
    ck_assert(desktop_is(DESKTOP_WIDTH, DESKTOP_HEIGHT));
    ck_assert_int_eq(IDirect3DDevice9_TestCooperativeLevel(plain), D3D_OK);
    ck_assert_int_eq(present(plain), S_PRESENT_OCCLUDED);
    ck_assert_int_eq(IDirect3DDevice9Ex_CheckDeviceState(device, window), S_PRESENT_OCCLUDED);
    come_back(window);
    ck_assert(desktop_is(800, 600) && covers(window, 800, 600));
    ck_assert_int_eq(present(plain), D3D_OK);
    change_desktop(640, 480);
    ck_assert_int_eq(present(plain), S_PRESENT_MODE_CHANGED);
    IDirect3DDevice9Ex_Release(device);
    ck_assert(desktop_is(DESKTOP_WIDTH, DESKTOP_HEIGHT));
    DestroyWindow(window);
}
END_TEST

START_TEST(foreign_mode_change_requires_reset)
{
    HWND window = open_window(WS_VISIBLE);
    D3DPRESENT_PARAMETERS p = parameters(window, 800, 600, false);
    IDirect3DDevice9 *device = make(window, p, 0);

    change_desktop(640, 480);
    ck_assert_int_eq(IDirect3DDevice9_TestCooperativeLevel(device), D3DERR_DEVICENOTRESET);
    ck_assert_int_eq(IDirect3DDevice9_Reset(device, &p), D3D_OK);
    ck_assert(desktop_is(800, 600));
    ck_assert_int_eq(IDirect3DDevice9_TestCooperativeLevel(device), D3D_OK);
    IDirect3DDevice9_Release(device);
    ck_assert(desktop_is(DESKTOP_WIDTH, DESKTOP_HEIGHT));
    DestroyWindow(window);
}
END_TEST

/* --- Pixels ----------------------------------------------------------------------------------- */

static COLORREF pixel(HWND window, int x, int y)
{
    HDC dc = GetWindowDC(window);
    COLORREF colour = GetPixel(dc, x, y);

    ReleaseDC(window, dc);
    return colour;
}

/* Polls: the renderer shows frames asynchronously. */
static COLORREF pixel_soon(HWND window, int x, int y, COLORREF wanted)
{
    for (int i = 0; i < 200 && pixel(window, x, y) != wanted; i++)
        Sleep(10);
    return pixel(window, x, y);
}

START_TEST(frames_cover_the_whole_screen)
{
    HWND window = open_window(WS_VISIBLE);
    IDirect3DDevice9 *device = make(window, parameters(window, 800, 600, false), 0);

    pump();
    IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff204060, 1, 0);
    ck_assert_int_eq(present(device), D3D_OK);
    ck_assert_uint_eq(pixel_soon(window, 0, 0, RGB(0x20, 0x40, 0x60)), RGB(0x20, 0x40, 0x60));
    ck_assert_uint_eq(pixel(window, 799, 599), RGB(0x20, 0x40, 0x60));
    IDirect3DDevice9_Release(device);
    DestroyWindow(window);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("windows fullscreen");
    TCase *modes = tcase_create("modes"), *windows = tcase_create("windows");
    TCase *focus = tcase_create("focus");

    tcase_add_test(modes, modes_match_desktop);
    tcase_add_test(modes, devices_set_and_restore_the_mode);
    tcase_add_test(modes, unknown_modes_fail);
    suite_add_tcase(s, modes);
    tcase_add_test(windows, windowed_devices_leave_windows_alone);
    tcase_add_test(windows, focus_window_is_subclassed);
    tcase_add_test(windows, later_subclass_stays);
    tcase_add_test(windows, hidden_windows_are_shown);
    tcase_add_test(windows, frame_is_hidden);
    tcase_add_test(windows, other_window_has_no_frame);
    tcase_add_test(windows, place_is_restored);
    tcase_add_test(windows, no_window_changes);
    tcase_add_test(windows, moved_window_returns_once);
    tcase_add_test(windows, minimised_window_stays);
    suite_add_tcase(s, windows);
    tcase_add_test(focus, focus_loss_loses_device);
    tcase_add_test(focus, ex_device_is_occluded);
    tcase_add_test(focus, foreign_mode_change_requires_reset);
    tcase_add_test(focus, frames_cover_the_whole_screen);
    suite_add_tcase(s, focus);
    return s;
}

#include "check_main.h"
TEST_MAIN(suite)
