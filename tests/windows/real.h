/* Functions of the system, which MOUSE = picture does not reach: they are found before any device.
 */
#ifndef TESTS_WINDOWS_REAL_H
#define TESTS_WINDOWS_REAL_H

#include "show.h"

enum { WAITS = 250 }; /* of 40 ms */

static struct {
    BOOL(WINAPI *position)(POINT *);
    BOOL(WINAPI *move)(int, int);
    BOOL(WINAPI *client)(HWND, RECT *);
    BOOL(WINAPI *window)(HWND, RECT *);
    BOOL(WINAPI *mode)(const char *, DWORD, DEVMODEA *);
} real;

/* Called before the first device. */
static inline void find_real(void)
{
    HMODULE user32 = GetModuleHandleA("user32.dll");

    real.position = (__typeof__(real.position))(void *)GetProcAddress(user32, "GetCursorPos");
    real.move = (__typeof__(real.move))(void *)GetProcAddress(user32, "SetCursorPos");
    real.client = (__typeof__(real.client))(void *)GetProcAddress(user32, "GetClientRect");
    real.window = (__typeof__(real.window))(void *)GetProcAddress(user32, "GetWindowRect");
    real.mode = (__typeof__(real.mode))(void *)GetProcAddress(user32, "EnumDisplaySettingsA");
    ck_assert(real.position && real.move && real.client && real.window && real.mode);
}

static inline POINT real_position(void)
{
    POINT at = {-1, -1};

    ck_assert(real.position(&at));
    return at;
}

static inline bool window_is_at(HWND window, LONG left, LONG top, LONG right, LONG bottom)
{
    RECT rect, wanted = {left, top, right, bottom};

    return real.window(window, &rect) && EqualRect(&rect, &wanted);
}

/* The device moves windows back, and window managers act, some time after the cause. */
static inline bool window_comes_to(HWND window, LONG left, LONG top, LONG right, LONG bottom)
{
    for (int i = 0; i < WAITS && !window_is_at(window, left, top, right, bottom); i++)
        pump();
    return window_is_at(window, left, top, right, bottom);
}

#endif
