/* The window system: client areas, full-screen mode, the cursor, and GDI device contexts of
 * surfaces. Native builds have none of these: a full-screen device is like any other, and the
 * cursor is only a state. */
#ifndef API_WINDOW_WINDOW_H
#define API_WINDOW_WINDOW_H

#include "util/status.h"

#include <windows.h>
#include <d3d9.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Replaces zero sizes by the size of the window's client area; 640x480 without a window. */
void api_window_size(HWND window, UINT *width, UINT *height);

/* --- Full-screen mode ------------------------------------------------------------------------- */

/* A device in full-screen mode sets the display mode, covers the monitor with the device window,
 * and subclasses the focus window, to release the screen while the application is in the background
 * (reference: device/full-screen). */
enum screen_state {
    SCREEN_OURS,   /* also without full-screen mode */
    SCREEN_LOST,   /* the application is in the background */
    SCREEN_BACK,   /* it is in the foreground again; only Ex devices retake the screen themselves */
    SCREEN_CHANGED /* another process changed the mode */
};

struct fullscreen_args {
    UINT adapter, width, height, refresh; /* 0: any */
    HWND focus, window;                   /* subclassed window; window on the screen */
    bool keep_windows;                    /* D3DCREATE_NOWINDOWCHANGES */
    bool ex;
};

/* All zero: not in full-screen mode. The focus window may receive messages on a thread other than
 * the one that calls the device. */
struct fullscreen {
    struct fullscreen_args args;
    bool active;
    bool guarded; /* the window has not been moved back yet */
    atomic_int state;
};

/* Enters full-screen mode, or changes its arguments. ST_NOMEM leaves everything as it was. */
MUST_CHECK enum status api_fullscreen_enter(struct fullscreen *screen,
                                            const struct fullscreen_args *args);
/* Leaves full-screen mode: restores the registry's modes and the window's own procedure. Windows
 * stay where they are. Without full-screen mode it does nothing. */
void api_fullscreen_leave(struct fullscreen *screen);
enum screen_state api_fullscreen_state(const struct fullscreen *screen);

/* --- Cursor: a system cursor with the pixels of a surface (reference: device/cursor) ---------- */

/* All zero: the application set no cursor. */
struct cursor {
    bool given;
    BOOL visible;
#ifdef _WIN32
    HCURSOR handle; /* NULL: the system refused to create it */
#endif
};

/* Hides and destroys the cursor. */
void api_cursor_drop(struct cursor *cursor);

/* --- Device contexts; Windows only ------------------------------------------------------------ */

struct surface;

/* D3DERR_INVALIDCALL for formats that GDI does not know, and where the lock group has a lock or a
 * context. */
HRESULT api_gdi_get_dc(struct surface *surface, HDC *out);
HRESULT api_gdi_release_dc(struct surface *surface, HDC dc);
/* Releases an open device context, and its lock, before the surface is destroyed. */
void api_gdi_drop_dc(struct surface *surface);

#endif
