/* Common code of the window tests: windows, devices and timing. */
#ifndef TESTS_WINDOWS_SHOW_H
#define TESTS_WINDOWS_SHOW_H

#include <check.h>
#include <d3d9.h>
#include <stdbool.h>
#include <stdlib.h>

enum { SHOW_WIDTH = 640, SHOW_HEIGHT = 480 };

static inline void pump(void)
{
    MSG message;

    for (int i = 0; i < 4; i++) {
        while (PeekMessageA(&message, NULL, 0, 0, PM_REMOVE))
            DispatchMessageA(&message);
        Sleep(10);
    }
}

/* The client area has the size of the back buffer. */
static inline HWND open_window(void)
{
    static bool registered;
    WNDCLASSA class = {.lpfnWndProc = DefWindowProcA, .lpszClassName = "showing"};
    HWND window;

    if (!registered)
        ck_assert(RegisterClassA(&class));
    registered = true;
    window = CreateWindowA("showing", "show", WS_POPUP | WS_VISIBLE, 10, 10, SHOW_WIDTH,
                           SHOW_HEIGHT, NULL, NULL, NULL, NULL);
    SetForegroundWindow(window);
    pump();
    return window;
}

static inline D3DPRESENT_PARAMETERS show_parameters(HWND window, bool windowed, UINT interval)
{
    return (D3DPRESENT_PARAMETERS){.BackBufferWidth = SHOW_WIDTH,
                                   .BackBufferHeight = SHOW_HEIGHT,
                                   .BackBufferFormat = D3DFMT_X8R8G8B8,
                                   .SwapEffect = D3DSWAPEFFECT_DISCARD,
                                   .hDeviceWindow = window,
                                   .Windowed = windowed,
                                   .PresentationInterval = interval};
}

/* A device whose focus window may be another one than its device window. */
static inline IDirect3DDevice9Ex *make_device_with(HWND focus, HWND window, bool windowed,
                                                   UINT interval)
{
    D3DPRESENT_PARAMETERS p = show_parameters(window, windowed, interval);
    D3DDISPLAYMODEEX mode = {sizeof(mode), SHOW_WIDTH, SHOW_HEIGHT, 0, D3DFMT_X8R8G8B8, 0};
    IDirect3DDevice9Ex *device = NULL;
    IDirect3D9Ex *d3d9;

    ck_assert_int_eq(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d9), D3D_OK);
    ck_assert_int_eq(IDirect3D9Ex_CreateDeviceEx(d3d9, 0, D3DDEVTYPE_HAL, focus,
                                                 D3DCREATE_HARDWARE_VERTEXPROCESSING, &p,
                                                 windowed ? NULL : &mode, &device),
                     D3D_OK);
    IDirect3D9Ex_Release(d3d9);
    return device;
}

static inline IDirect3DDevice9Ex *make_device(HWND window, bool windowed, UINT interval)
{
    return make_device_with(window, window, windowed, interval);
}

static inline HRESULT present_ex(IDirect3DDevice9Ex *device, DWORD flags)
{
    return IDirect3DDevice9Ex_PresentEx(device, NULL, NULL, NULL, NULL, flags);
}

static inline void show_colour(IDirect3DDevice9Ex *device, D3DCOLOR colour)
{
    IDirect3DDevice9Ex_Clear(device, 0, NULL, D3DCLEAR_TARGET, colour, 1, 0);
    ck_assert_int_eq(present_ex(device, 0), D3D_OK);
}

/* About a second of the same frame. */
static inline void show_frames(IDirect3DDevice9Ex *device, D3DCOLOR colour)
{
    for (int i = 0; i < 20; i++) {
        show_colour(device, colour);
        pump();
    }
}

static inline void set_gamma(IDirect3DDevice9Ex *device, int divisor)
{
    D3DGAMMARAMP ramp;

    for (int i = 0; i < 256; i++) {
        ramp.red[i] = (WORD)(i * 257 / divisor);
        ramp.green[i] = (WORD)(65535 - i * 257 / divisor);
        ramp.blue[i] = (WORD)(i * 257);
    }
    IDirect3DDevice9Ex_SetGammaRamp(device, 0, D3DSGR_CALIBRATE, &ramp);
}

static inline COLORREF pixel(HWND window, int x, int y)
{
    HDC dc = GetWindowDC(window);
    COLORREF colour = GetPixel(dc, x, y);

    ReleaseDC(window, dc);
    return colour;
}

/* Polls: the renderer shows frames asynchronously. */
static inline COLORREF pixel_soon(HWND window, int x, int y, COLORREF wanted)
{
    for (int i = 0; i < 200 && pixel(window, x, y) != wanted; i++)
        Sleep(10);
    return pixel(window, x, y);
}

static inline double seconds(void)
{
    LARGE_INTEGER now, rate;

    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&rate);
    return (double)now.QuadPart / (double)rate.QuadPart;
}

/* Seconds of the fastest of several runs; stops at the first run below `most`. Other processes can
 * delay a run, but never make it faster. */
static inline double quickest(double (*one)(void *what), void *what, double most)
{
    double best = one(what);

    for (int i = 0; i < 5 && best >= most; i++) {
        double took = one(what);

        best = took < best ? took : best;
    }
    return best;
}

#endif
