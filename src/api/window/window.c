/* Sizes of application windows, and the setting FULLSCREEN.
 * Tested by tests/unit/api/swapchain/test_present_parameters.c and tests/windows/test_fullscreen.c.
 */
#include "api/window/window.h"

#include "api/config/config.h"

#include <strings.h>

#ifdef _WIN32
static void client_size(HWND window, UINT *width, UINT *height)
{
    RECT rect;

    if (!window || !GetClientRect(window, &rect) || rect.right <= 0 || rect.bottom <= 0)
        return;
    *width = (UINT)rect.right;
    *height = (UINT)rect.bottom;
}
#else
static void client_size(HWND window, UINT *width, UINT *height)
{
    (void)window;
    (void)width;
    (void)height;
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

enum screen_kind api_screen_kind(void)
{
    return (enum screen_kind)api_config_choice(CONFIG_FULLSCREEN);
}
