/* Common code of the tests with a window manager: they look at the screen, where the frames that it
 * draws are seen. The screen has one mode, 800x600. */
#ifndef TESTS_WINDOWS_MANAGED_H
#define TESTS_WINDOWS_MANAGED_H

#include "real.h"

enum { SCREEN_WIDTH = 800, SCREEN_HEIGHT = 600 };

static LPARAM mouse_at; /* client position of the last WM_MOUSEMOVE */

static inline LRESULT CALLBACK note_mouse(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    if (message == WM_MOUSEMOVE)
        mouse_at = lparam;
    return DefWindowProcA(window, message, wparam, lparam);
}

/* An overlapped window at 50,60 with 300x200 pixels, which the window manager has framed. */
static inline HWND open_managed(void)
{
    static bool registered;
    WNDCLASSA class = {.lpfnWndProc = note_mouse,
                       .lpszClassName = "managed",
                       .hbrBackground = (HBRUSH)GetStockObject(WHITE_BRUSH)};
    HWND window;

    if (!registered)
        ck_assert(RegisterClassA(&class));
    registered = true;
    window = CreateWindowA("managed", "managed", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 50, 60, 300, 200,
                           NULL, NULL, NULL, NULL);
    SetForegroundWindow(window);
    for (int i = 0; i < 10; i++)
        pump();
    return window;
}

/* A pixel of the screen; the window manager acts some time after a request. */
static inline bool screen_shows(int x, int y, COLORREF wanted, bool shows)
{
    HDC dc = GetDC(NULL);
    bool right = false;

    for (int i = 0; i < WAITS && !right; i++) {
        pump();
        right = (GetPixel(dc, x, y) == wanted) == shows;
    }
    ReleaseDC(NULL, dc);
    return right;
}

static inline bool mouse_moves_to(int x, int y)
{
    SetCursorPos(x - 5, y - 5);
    pump();
    SetCursorPos(x, y);
    for (int i = 0; i < WAITS && mouse_at != MAKELPARAM(x, y); i++)
        pump();
    return mouse_at == MAKELPARAM(x, y);
}

/* The picture covers the screen: no title bar, no border, and the mouse is where it points. */
static inline void covers_screen(HWND window, IDirect3DDevice9Ex *device)
{
    const COLORREF colour = RGB(0x20, 0x40, 0x60);

    pump();
    show_colour(device, 0xff204060);
    ck_assert(window_comes_to(window, 0, 0, SCREEN_WIDTH, SCREEN_HEIGHT));
    ck_assert(screen_shows(1, 1, colour, true) && screen_shows(400, 8, colour, true));
    ck_assert(screen_shows(SCREEN_WIDTH - 2, SCREEN_HEIGHT - 2, colour, true));
    ck_assert(mouse_moves_to(300, 200) && mouse_moves_to(630, 470));
}

static inline void is_back(HWND window)
{
    RECT client;

    if (!window_comes_to(window, 50, 60, 350, 260)) {
        GetWindowRect(window, &client);
        ck_abort_msg("%ld %ld %ld %ld", client.left, client.top, client.right, client.bottom);
    }
    GetClientRect(window, &client);
    ck_assert(client.right < 300 && client.bottom < 200);
    ck_assert(screen_shows(SCREEN_WIDTH - 2, SCREEN_HEIGHT - 2, RGB(0x20, 0x40, 0x60), false));
}

#endif
