/* The window system: client areas, full-screen mode, the cursor, and GDI device contexts of
 * surfaces. Native builds have none of these: a full-screen device is like any other, and the
 * cursor is only a state. */
#ifndef API_WINDOW_WINDOW_H
#define API_WINDOW_WINDOW_H

#include "api/window/frame.h"
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
 * and subclasses the focus window, to hide its frame and to release the screen while the
 * application is in the background (reference: device/full-screen). The setting FULLSCREEN changes
 * this. */
enum screen_kind {
    SCREEN_PROGRAM,    /* as described */
    SCREEN_FRAMED,     /* off: in a window with a frame; nothing is subclassed */
    SCREEN_BORDERLESS, /* covers the monitor in the mode that it has, and keeps it in the background
                        */
};
/* The kind that the setting FULLSCREEN names. */
enum screen_kind api_screen_kind(void);

enum screen_state {
    SCREEN_OURS,   /* also without full-screen mode */
    SCREEN_LOST,   /* the application is in the background */
    SCREEN_BACK,   /* it is in the foreground again; only Ex devices retake the screen themselves */
    SCREEN_CHANGED /* another process changed the mode */
};

struct fullscreen_args {
    UINT adapter, width, height, refresh; /* 0: any */
    HWND focus, window;                   /* subclassed window; window on the screen */
    enum screen_kind kind;
    bool keep_windows; /* D3DCREATE_NOWINDOWCHANGES */
    bool ex;
};

/* All zero: not in full-screen mode. The focus window may receive messages on a thread other than
 * the one that calls the device. */
struct fullscreen {
    struct fullscreen_args args;
    bool active;
    bool guarded; /* the window has not been moved back yet */
    bool bare;    /* the focus window is the device window, and its client area covers all of it */
    struct window_frame frame;
    atomic_int state;
};

/* Enters full-screen mode, or changes its arguments. ST_NOMEM leaves everything as it was. */
MUST_CHECK enum status api_fullscreen_enter(struct fullscreen *screen,
                                            const struct fullscreen_args *args);
/* Leaves full-screen mode: restores the registry's modes, the window's frame and its own procedure.
 * gone: the device is destroyed. Only then, or if FULLSCREEN is set, the window gets its place back
 * (reference: device/full-screen). Without full-screen mode it does nothing. */
void api_fullscreen_leave(struct fullscreen *screen, bool gone);
enum screen_state api_fullscreen_state(const struct fullscreen *screen);
/* Whether the device covers a monitor. */
bool api_fullscreen_covers(const struct fullscreen *screen);
/* Replaces zero sizes by those that the window's client area will have when the device has left
 * full-screen mode. Other windows change nothing. */
void api_fullscreen_size_after(const struct fullscreen *screen, HWND window, UINT *width,
                               UINT *height);

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
