/* Sizes and placement of the program's windows. */
#include "api/window.h"

#ifdef _WIN32
static void client_size(HWND window, UINT *width, UINT *height)
{
    RECT rect;

    if (!window || !GetClientRect(window, &rect) || rect.right <= 0 || rect.bottom <= 0)
        return;
    *width = (UINT)rect.right;
    *height = (UINT)rect.bottom;
}

void api_window_cover(HWND window, const D3DPRESENT_PARAMETERS *p, DWORD behaviour)
{
    if (p->Windowed || !window || (behaviour & D3DCREATE_NOWINDOWCHANGES))
        return;
    SetWindowPos(window, HWND_TOPMOST, 0, 0, (int)p->BackBufferWidth, (int)p->BackBufferHeight,
                 SWP_SHOWWINDOW | SWP_NOACTIVATE);
}
#else
static void client_size(HWND window, UINT *width, UINT *height)
{
    (void)window;
    (void)width;
    (void)height;
}

void api_window_cover(HWND window, const D3DPRESENT_PARAMETERS *p, DWORD behaviour)
{
    (void)window;
    (void)p;
    (void)behaviour;
}
#endif

void api_window_size(HWND window, UINT *width, UINT *height)
{
    UINT w = 640, h = 480;

    if (*width && *height)
        return;
    client_size(window, &w, &h);
    if (!*width)
        *width = w;
    if (!*height)
        *height = h;
}
