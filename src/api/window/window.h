/* Queries of the window system; native builds have none. */
#ifndef API_WINDOW_WINDOW_H
#define API_WINDOW_WINDOW_H

#include "api/com/com.h"

/* Replaces zero sizes by the size of the window's client area; 640x480 without a window. */
void api_window_size(HWND window, UINT *width, UINT *height);

#endif
