/* Full-screen mode of a device: changes to the display mode and to the application's windows.
 *
 * It sets the mode, covers the monitor with the device window, and subclasses the focus window, to
 * release the screen while the application is in the background (reference: device/full-screen).
 * Native builds have no windows: a full-screen device is like any other. */
#ifndef API_WINDOW_FULLSCREEN_H
#define API_WINDOW_FULLSCREEN_H

#include "api/com/com.h"

#include <stdbool.h>

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

#endif
