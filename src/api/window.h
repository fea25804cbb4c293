/* What the API asks of the window system; natively there is none. */
#ifndef API_WINDOW_H
#define API_WINDOW_H

#include "api/com.h"

/* Fills in sizes that are zero from the window's client area; 640x480 where there is no window. */
void api_window_size(HWND window, UINT *width, UINT *height);

#endif
