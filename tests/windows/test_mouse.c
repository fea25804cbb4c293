/* Tests of MOUSE = picture: positions of the mouse over a scaled picture. They need a desktop of
 * 1024x768, on which a back buffer of 640x480 is enlarged to 8/5. */
#include "show.h"

static LPARAM last_move;

static LRESULT CALLBACK answer(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    if (message == WM_MOUSEMOVE)
        last_move = lparam;
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

/* The function of the system, past the import table. */
static POINT real_position(void)
{
    BOOL(WINAPI * get)
    (POINT *) =
        (__typeof__(get))(void *)GetProcAddress(GetModuleHandleA("user32.dll"), "GetCursorPos");
    POINT at = {-1, -1};

    ck_assert(get && get(&at));
    return at;
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
static bool hears_of(int x, int y)
{
    for (int i = 0; i < 100 && last_move != MAKELPARAM(x, y); i++) {
        SetCursorPos(x + i % 2, y);
        pump();
    }
    return last_move == MAKELPARAM(x, y);
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
    _putenv("NOVEM_MOUSE=picture");
    tcase_add_test(tc, positions_are_those_of_the_picture);
    tcase_add_test(tc, clips_are_those_of_the_picture);
    tcase_add_test(tc, ends_with_the_device);
    suite_add_tcase(s, tc);
    return s;
}

#include "check_main.h"
TEST_MAIN(suite)
